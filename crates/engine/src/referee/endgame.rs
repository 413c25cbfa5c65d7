//! The end of a game: when, and who gets the rest.

use super::{GameOver, OverReason};
use crate::position::{Position, Side};
use crate::rules::{EndWhen, Remainder, Rules};

/// Steps 2 and 3 of the procedure: whether the game is over before the player to move even looks for a move.
pub(super) fn ended(rules: &Rules, position: &Position) -> Option<OverReason> {
    let rows = [position.row_seeds(Side::South), position.row_seeds(Side::North)];
    if rules.end.one_each && rows == [1, 1] {
        return Some(OverReason::OneEach);
    }
    let condition = match rules.end.when {
        EndWhen::MoverEmpty => rows[position.to_move.index()] == 0,
        EndWhen::AnyRowEmpty => rows.contains(&0),
        EndWhen::BothRowsEmpty => rows == [0, 0],
        EndWhen::OnlySingletons => position.board.iter().all(|&seeds| seeds <= 1),
        EndWhen::FewerThan(few) => position.seeds_in_play() < usize::from(few),
        EndWhen::NoLegalMove => false,
    };
    condition.then_some(OverReason::EndCondition)
}

/// Settles a game that is over in `position`, whose player to move is the one the rules speak of.
pub(super) fn settle(rules: &Rules, position: &Position, reason: OverReason) -> GameOver {
    let mut last = position.clone();
    let (gift, remainder) = match reason {
        // With one seed each, and where play repeats, each player stores her row, whatever the rules say of other ends.
        OverReason::OneEach | OverReason::Recurrence => (None, Remainder::RowOwner),
        _ => (give(&mut last, rules.end.gift), rules.end.remainder),
    };
    let mover = last.to_move;
    match remainder {
        Remainder::Opponent => collect(&mut last, |_| mover.other()),
        Remainder::Mover => collect(&mut last, |_| mover),
        Remainder::RowOwner => {
            let owners = last.owners;
            collect(&mut last, |ring| owners.of(ring));
        }
        Remainder::Split => split(&mut last),
        Remainder::Unscored => {}
    }
    GameOver { reason, gift, last }
}

/// The gift of the only side that still has seeds. Nobody can tell seeds of one row apart once they are scored; they are taken
/// from the row's pits in ring order, which shows only where the rest stays on the board.
fn give(position: &mut Position, gift: u16) -> Option<(Side, u16)> {
    let (south, north) = (position.row_seeds(Side::South), position.row_seeds(Side::North));
    let giver = match (south, north) {
        (0, 0) => return None,
        (_, 0) => Side::South,
        (0, _) => Side::North,
        _ => return None,
    };
    let mut given = 0;
    for ring in 0..position.board.len() {
        if position.owners.of(ring) == giver {
            let part = position.board[ring].min(gift - given);
            position.board[ring] -= part;
            given += part;
        }
    }
    position.stores[giver.other().index()] += given;
    (given > 0).then_some((giver, given))
}

/// Stores every seed, each with the player whom `to` names for its pit.
fn collect(position: &mut Position, to: impl Fn(usize) -> Side) {
    for ring in 0..position.board.len() {
        position.stores[to(ring).index()] += std::mem::take(&mut position.board[ring]);
    }
}

/// Half to each; an odd seed counts for neither and stays, in the last pit that held one.
fn split(position: &mut Position) {
    let total: u16 = position.board.iter().sum();
    let last = position.board.iter().rposition(|&seeds| seeds > 0);
    position.board.fill(0);
    for store in &mut position.stores {
        *store += total / 2;
    }
    if let Some(ring) = last {
        position.board[ring] = total % 2;
    }
}

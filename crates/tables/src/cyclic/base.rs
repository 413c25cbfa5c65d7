//! Base: what is known of a layer before anything else of it is: captures into finished layers, and ends of the game.

use lumbung_engine::kernel::{Children, Lanes, Seat, Status};

use super::game::Game;
use super::moves::{Moves, Step, Want};
use crate::rows::pass_a::NONE;
use crate::rows::rank::Row;
use crate::rows::runs::{Places, Then};

/// Fills lines of split `own` of layer `s`, from line `first` on: one for each of the mover's rows, [`NONE`] where there is nothing yet.
/// Neither row is empty. `w` holds the finished layers.
pub(super) fn base<B: Lanes>(game: &Game<B>, w: &[i8], s: usize, own: usize, first: usize, lines: &mut [i8]) {
    if let Some(value) = game.over.split(own, s - own) {
        return lines.fill(value);
    }
    lines.fill(NONE);
    let rows = &game.lists.rows.with_sum(own)[first..];
    let mut moves = Moves::new(game, s, own, Want::Below);
    for (row, values) in rows.iter().zip(lines.chunks_exact_mut(game.lists.rows.count(s - own))) {
        moves.find(row);
        for step in &moves.steps {
            if step.starves && game.leave_a_move {
                starve(game, w, s - own, row, step, values);
            } else {
                raise(step, w, values);
            }
        }
    }
}

/// Raises the values of a line that a step leads from.
#[inline]
pub(super) fn raise(step: &Step, w: &[i8], values: &mut [i8]) {
    match (step.places, step.at) {
        (Places::Rows(runs), Some(at)) => runs.raise(values, &w[at..][..runs.read()], step.gain, Then::Other),
        (Places::Rows(runs), None) => runs.raise_to(values, step.gain),
        (Places::Row(rank), at) => {
            let value = &mut values[rank as usize];
            *value = (*value).max(at.map_or(step.gain, |at| step.gain - w[at]));
        }
    }
}

/// A step that leaves the other player no seed, which is legal only where no other move is.
#[cold]
fn starve<B: Lanes>(game: &Game<B>, w: &[i8], sum: usize, row: &Row, step: &Step, values: &mut [i8]) {
    let others = game.lists.rows.with_sum(sum);
    let mut children = Children::new();
    let mut one = |rank: u32| {
        let board = game.board(row, &others[rank as usize]);
        if game.kernel.status(&board, Seat::FIRST, &mut children) != Status::ToMove {
            return;
        }
        // Of the legal moves either all starve or none.
        for child in children.iter().filter(|child| child.board.row_is_empty(0)) {
            let value = child.gain as i8 - w[game.place(&child.board)];
            values[rank as usize] = values[rank as usize].max(value);
        }
    };
    match step.places {
        Places::Rows(runs) => runs.pairs().for_each(|(before, _)| one(before)),
        Places::Row(rank) => one(rank),
    }
}

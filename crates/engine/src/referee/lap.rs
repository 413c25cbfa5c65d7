//! One lap: a pit is lifted and its seeds are dropped one by one.

use super::Landing;
use crate::position::{Owners, Side};
use crate::rules::{Origin, Rules, Stores};

/// The board in the middle of a move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Table {
    pub(super) board: Vec<u16>,
    pub(super) stores: [u16; 2],
    /// Some seed of this move was dropped in a pit of the other row.
    pub(super) visited: bool,
}

/// Lifts pit `from` and sows it; returns where the last seed fell. The pit must hold a seed.
pub(super) fn sow(rules: &Rules, owners: Owners, mover: Side, table: &mut Table, from: usize) -> Landing {
    let mut hand = std::mem::take(&mut table.board[from]);
    let mut at = Landing::Pit(from);
    if rules.sowing.origin == Origin::First && hand > 0 {
        hand -= 1;
        drop_seed(owners, mover, table, at);
    }
    while hand > 0 {
        at = next_slot(rules, mover, table.board.len(), at);
        if rules.sowing.origin == Origin::Skipped && at == Landing::Pit(from) {
            continue;
        }
        hand -= 1;
        drop_seed(owners, mover, table, at);
    }
    at
}

/// The slot after `at` on the mover's circuit.
fn next_slot(rules: &Rules, mover: Side, ring: usize, at: Landing) -> Landing {
    // The store of a player comes after her own last pit: before ring pit n for South, before ring pit 0 for North.
    let after_store = match mover {
        Side::South => ring / 2,
        Side::North => 0,
    };
    match at {
        Landing::Store => Landing::Pit(after_store),
        Landing::Pit(pit) => {
            let next = (pit + 1) % ring;
            if next == after_store && matches!(rules.stores, Stores::Sown { .. }) { Landing::Store } else { Landing::Pit(next) }
        }
    }
}

fn drop_seed(owners: Owners, mover: Side, table: &mut Table, at: Landing) {
    match at {
        Landing::Store => table.stores[mover.index()] += 1,
        Landing::Pit(pit) => {
            table.board[pit] += 1;
            table.visited |= owners.of(pit) != mover;
        }
    }
}

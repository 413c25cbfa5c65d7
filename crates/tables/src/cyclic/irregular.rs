//! Cells that lines cannot express: where the player to move has no legal move.
//!
//! They are found in the first sweep, where no move raises a value, and then worked out one by one after every sweep.

use std::sync::Mutex;

use super::game::Game;
use crate::file::evaluate;
use lumbung_engine::kernel::{Lanes, Seat};
use rayon::prelude::*;

/// A cell of a pair of splits, by the ranks of its two rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Cell {
    pub(super) x: u32,
    pub(super) y: u32,
    pub(super) value: i8,
}

/// The irregular cells of a pair of splits: with `x` to move and with `y` to move, in order.
#[derive(Debug, Default)]
pub(super) struct Irregular {
    pub(super) cells: [Vec<Cell>; 2],
    found: [Mutex<Vec<Cell>>; 2],
}

impl Irregular {
    /// The cells of line `x`; `side` 0: `x` to move, 1: `y`.
    pub(super) fn line(&self, side: usize, x: usize) -> &[Cell] {
        let cells = &self.cells[side];
        if cells.is_empty() {
            return &[];
        }
        let from = cells.partition_point(|cell| (cell.x as usize) < x);
        let len = cells[from..].partition_point(|cell| cell.x as usize == x);
        &cells[from..from + len]
    }

    /// A cell has turned out to be irregular.
    pub(super) fn add(&self, side: usize, x: usize, y: usize) {
        let cell = Cell { x: x as u32, y: y as u32, value: 0 };
        self.found[side].lock().unwrap_or_else(|poisoned| poisoned.into_inner()).push(cell);
    }

    /// Works all cells out again, from `w`; how many changed.
    pub(super) fn renew<B: Lanes>(&mut self, game: &Game<B>, w: &[i8], s: usize, a: usize) -> usize {
        let (xs, ys) = (game.lists.rows.with_sum(a), game.lists.rows.with_sum(s - a));
        let mut changed = 0;
        for (side, (cells, found)) in self.cells.iter_mut().zip(&mut self.found).enumerate() {
            let found = found.get_mut().unwrap_or_else(|poisoned| poisoned.into_inner());
            if !found.is_empty() {
                cells.append(found);
                cells.sort_unstable();
            }
            let renewed = cells.par_iter_mut().map(|cell| {
                let (x, y) = (&xs[cell.x as usize], &ys[cell.y as usize]);
                let board = if side == 0 { game.board(x, y) } else { game.board(y, x) };
                let value = value(game, w, &board);
                usize::from(std::mem::replace(&mut cell.value, value) != value)
            });
            changed += renewed.sum::<usize>();
        }
        changed
    }
}

/// The value of a board from those of its successors.
pub(super) fn value<B: Lanes>(game: &Game<B>, w: &[i8], board: &B) -> i8 {
    let known = |board: &B, _: Seat| Ok::<i32, std::convert::Infallible>(i32::from(w[game.place(board)]));
    match evaluate(&game.kernel, board, Seat::FIRST, known) {
        Ok(value) => value as i8,
        Err(never) => match never {},
    }
}

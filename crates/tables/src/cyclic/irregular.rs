//! Cells that lines cannot express: where the player to move has no legal move.
//!
//! They are found in the first sweep, where no move raises a value, and then worked out one by one after every sweep: see
//! [`super::listed`].

use std::ops::Range;
use std::sync::Mutex;

use super::game::Game;
use super::listed::Listed;
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
    listed: [Vec<Listed>; 2],
    found: [Mutex<Vec<Cell>>; 2],
}

impl Irregular {
    /// The cells of a part of line `x`, some columns; `side` 0: `x` to move, 1: `y`.
    pub(super) fn part(&self, side: usize, x: usize, columns: Range<usize>) -> &[Cell] {
        let cells = &self.cells[side];
        if cells.is_empty() {
            return &[];
        }
        let before = |y| cells.partition_point(|cell| (cell.x as usize, cell.y as usize) < (x, y));
        &cells[before(columns.start)..before(columns.end)]
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
        let sides = self.cells.iter_mut().zip(&mut self.listed).zip(&mut self.found);
        for (side, ((cells, listed), found)) in sides.enumerate() {
            let found = found.get_mut().unwrap_or_else(|poisoned| poisoned.into_inner());
            if !found.is_empty() {
                cells.append(&mut std::mem::take(found));
                cells.sort_unstable();
                let boards = |cell: &Cell| {
                    let (x, y) = (&xs[cell.x as usize], &ys[cell.y as usize]);
                    if side == 0 { game.board(x, y) } else { game.board(y, x) }
                };
                let portions = cells.par_chunks(Listed::BOARDS);
                *listed = portions.map(|cells| Listed::new(game, w, s, cells.iter().map(boards))).collect();
            }
            let renewed = cells.par_chunks_mut(Listed::BOARDS).zip(&*listed).map(|(cells, listed)| {
                let values = cells.iter_mut().zip(listed.values(w));
                values.map(|(cell, value)| usize::from(std::mem::replace(&mut cell.value, value) != value)).sum::<usize>()
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

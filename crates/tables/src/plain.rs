//! The plain builder: every move of every position is played by the kernel.
//!
//! Layers are built from no seeds upwards. A move that stores or captures leads to a lower layer, which is finished; any other
//! stays in the layer and is followed by recursion, each value being written down when it is first known. The recursion ends
//! because rules with sown stores never repeat a position: a move that stores nothing stays in the mover's own row and carries
//! seeds forward there.
//!
//! Threads share the values of a layer. Two of them may work out the same board at once; both write the same value.

use std::sync::atomic::{AtomicBool, AtomicI8, Ordering};

use lumbung_engine::kernel::{Children, Kernel, Lanes, Seat, Status, Then};
use rayon::prelude::*;
use thiserror::Error;

use crate::index::Index;
use crate::table::{MAX_TABLE_SEEDS, Table};

/// A value not known yet. No value of a board with at most [`MAX_TABLE_SEEDS`] seeds is this low.
const UNKNOWN: i8 = i8::MIN;

/// Boards a thread takes at a time.
const CHUNK: usize = 1 << 12;

/// A table that cannot be built.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum BuildError {
    /// These rules can repeat a position, so a recursion over moves need not end.
    #[error("these rules can repeat a position (board.stores = \"scored\"); this builder serves rules that cannot")]
    CanRepeat,
    /// A board on which the players see different games.
    #[error("tables need each player to own her own row")]
    Owners,
    /// Too many seeds.
    #[error("{0} seeds; a table holds at most {MAX_TABLE_SEEDS}, and no more than the kernel was compiled for")]
    Seeds(usize),
    /// More boards than can be numbered, or than memory has room for.
    #[error("a table of {pits} pits a row and {seeds} seeds does not fit into memory")]
    TooLarge {
        /// Pits a row.
        pits: usize,
        /// Seeds in play.
        seeds: usize,
    },
    /// The caller asked to stop.
    #[error("stopped")]
    Stopped,
}

/// Builds the table of all boards with up to `seeds` seeds. Looks at `stop` now and then, and gives up when it is set.
///
/// # Errors
/// See [`BuildError`].
pub fn build<B: Lanes>(kernel: &Kernel<B>, seeds: usize, stop: &AtomicBool) -> Result<Table, BuildError> {
    if kernel.can_repeat() {
        return Err(BuildError::CanRepeat);
    }
    if !kernel.is_symmetric() {
        return Err(BuildError::Owners);
    }
    if seeds > MAX_TABLE_SEEDS || seeds > kernel.max_seeds() {
        return Err(BuildError::Seeds(seeds));
    }
    let too_large = BuildError::TooLarge { pits: kernel.pits(), seeds };
    let index = Index::new(kernel.pits(), seeds).ok_or(too_large.clone())?;
    let total = usize::try_from(index.total()).map_err(|_| too_large.clone())?;
    let mut values: Vec<AtomicI8> = Vec::new();
    values.try_reserve_exact(total).map_err(|_| too_large)?;
    for layer in 0..=seeds {
        let start = index.layer_start(layer);
        values.resize_with((start + index.layer_len(layer)) as usize, || AtomicI8::new(UNKNOWN));
        let chunks = (index.layer_len(layer) as usize).div_ceil(CHUNK);
        let values = &values;
        (0..chunks).into_par_iter().for_each(|chunk| {
            if stop.load(Ordering::Relaxed) {
                return;
            }
            let mut solver = Solver { kernel, index: &index, values };
            let from = start as usize + chunk * CHUNK;
            let mut board = index.unrank::<B>(from as u64);
            for value in &values[from..values.len().min(from + CHUNK)] {
                if value.load(Ordering::Relaxed) == UNKNOWN {
                    value.store(solver.evaluate(&board) as i8, Ordering::Relaxed);
                }
                index.advance(&mut board);
            }
        });
        if stop.load(Ordering::Relaxed) {
            return Err(BuildError::Stopped);
        }
    }
    Ok(Table::new(index, seeds, values.into_iter().map(AtomicI8::into_inner).collect()))
}

struct Solver<'a, B> {
    kernel: &'a Kernel<B>,
    index: &'a Index,
    values: &'a [AtomicI8],
}

impl<B: Lanes> Solver<'_, B> {
    /// The value of a board, from the table if it is there.
    fn value(&mut self, board: &B) -> i32 {
        let at = &self.values[self.index.rank(board) as usize];
        let known = at.load(Ordering::Relaxed);
        if known != UNKNOWN {
            return i32::from(known);
        }
        let value = self.evaluate(board);
        at.store(value as i8, Ordering::Relaxed);
        value
    }

    /// The value of a board from those of its successors.
    fn evaluate(&mut self, board: &B) -> i32 {
        let mut children = Children::new();
        match self.kernel.status(board, Seat::FIRST, &mut children) {
            Status::Over(value) => value,
            // A pass is never answered by a pass: the other player has a move.
            Status::Pass => -self.evaluate(&board.swap()),
            Status::ToMove => children
                .iter()
                .map(|child| {
                    child.gain
                        + match child.then {
                            Then::Over => 0,
                            Then::Again => self.value(&child.board),
                            Then::Other => -self.value(&child.board),
                        }
                })
                .max()
                .unwrap_or(0),
        }
    }
}

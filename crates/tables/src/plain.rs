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

pub use crate::grow::{BuildError, Watch};
use crate::grow::{Work, grow};
use crate::index::Index;
use crate::table::Table;

/// A value not known yet. No value of a board with at most [`MAX_TABLE_SEEDS`](crate::MAX_TABLE_SEEDS) seeds is this low.
const UNKNOWN: i8 = i8::MIN;

/// Boards a thread takes at a time.
const CHUNK: usize = 1 << 12;

/// Builds the table of all boards with up to `seeds` seeds. Looks at `stop` now and then, and gives up when it is set.
///
/// # Errors
/// See [`BuildError`].
pub fn build<B: Lanes>(kernel: &Kernel<B>, seeds: usize, stop: &AtomicBool) -> Result<Table, BuildError> {
    build_layers(kernel, seeds, Watch::only(stop))
}

/// Builds the same table, beginning with the layers that can be read and handing on those that are finished.
///
/// # Errors
/// See [`BuildError`].
pub fn build_layers<B: Lanes>(kernel: &Kernel<B>, seeds: usize, watch: Watch) -> Result<Table, BuildError> {
    if kernel.can_repeat() {
        return Err(BuildError::CanRepeat);
    }
    grow(kernel, seeds, UNKNOWN, watch, |work| {
        work.values[work.start..].par_chunks(CHUNK).enumerate().for_each(|(chunk, places)| {
            if work.stop.load(Ordering::Relaxed) {
                return;
            }
            let Work { kernel, index, values, .. } = work;
            let mut solver = Solver { kernel, index, values };
            let from = (work.start + chunk * CHUNK) as u64;
            let (mut board, mut seat) = index.at::<B>(from);
            for value in places {
                if value.load(Ordering::Relaxed) == UNKNOWN {
                    value.store(solver.evaluate(&board, seat) as i8, Ordering::Relaxed);
                }
                index.step(&mut board, &mut seat);
            }
        });
    })
}

struct Solver<'a, B> {
    kernel: &'a Kernel<B>,
    index: &'a Index,
    values: &'a [AtomicI8],
}

impl<B: Lanes> Solver<'_, B> {
    /// The value of a board, from the table if it is there.
    fn value(&mut self, board: &B, seat: Seat) -> i32 {
        let at = &self.values[self.index.place(board, seat) as usize];
        let known = at.load(Ordering::Relaxed);
        if known != UNKNOWN {
            return i32::from(known);
        }
        let value = self.evaluate(board, seat);
        at.store(value as i8, Ordering::Relaxed);
        value
    }

    /// The value of a board from those of its successors.
    fn evaluate(&mut self, board: &B, seat: Seat) -> i32 {
        let mut children = Children::new();
        let other = self.kernel.other(seat);
        match self.kernel.status(board, seat, &mut children) {
            Status::Over(value) => value,
            // A pass is never answered by a pass: the other player has a move.
            Status::Pass => -self.evaluate(&board.swap(), other),
            Status::ToMove => children
                .iter()
                .map(|child| {
                    child.gain
                        + match child.then {
                            Then::Over => 0,
                            Then::Again => self.value(&child.board, seat),
                            Then::Other => -self.value(&child.board, other),
                        }
                })
                .max()
                .unwrap_or(0),
        }
    }
}

//! The plain builder: every move of every position is played by the kernel.
//!
//! Layers are built from no seeds upwards. A move that stores or captures leads to a lower layer, which is finished; any other
//! stays in the layer and is followed by recursion, each value being written down when it is first known. The recursion ends
//! because rules with sown stores never repeat a position: a move that stores nothing stays in the mover's own row and carries
//! seeds forward there.
//!
//! Threads share the values of a layer. Two of them may work out the same board at once; both write the same value.

use std::sync::atomic::{AtomicBool, Ordering};

use lumbung_engine::kernel::{Children, Kernel, Lanes, Seat, Status, Then};
use rayon::prelude::*;

use crate::cells::{Begin, Cells};
pub use crate::grow::{BuildError, Watch};
use crate::grow::{Work, grow};
use crate::index::Index;
use crate::table::Table;

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
    grow(kernel, seeds, Begin::Unknown, watch, |work| {
        work.portions(usize::MAX, CHUNK).for_each(|(places, mut board, mut seat)| {
            if work.stop.load(Ordering::Relaxed) {
                return;
            }
            let Work { kernel, index, values, .. } = work;
            let mut solver = Solver { kernel, index, values };
            for place in places {
                if values.known(place).is_none() {
                    values.set(place, solver.evaluate(&board, seat));
                }
                index.step(&mut board, &mut seat);
            }
        });
    })
}

struct Solver<'a, B> {
    kernel: &'a Kernel<B>,
    index: &'a Index,
    values: &'a Cells,
}

impl<B: Lanes> Solver<'_, B> {
    /// The value of a board, from the table if it is there.
    fn value(&mut self, board: &B, seat: Seat) -> i32 {
        let place = self.index.place(board, seat) as usize;
        if let Some(known) = self.values.known(place) {
            return known;
        }
        let value = self.evaluate(board, seat);
        self.values.set(place, value);
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

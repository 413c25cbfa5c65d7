//! The plain builder for rules that can repeat a position: sweeps to a fixed point.
//!
//! Endless play gains nothing further to either side, so a value `t > 0` means that the player to move can force it in finitely many
//! moves, and `t < 0` that the opponent can. Within a layer all values start at 0, and every position is worked out again from its
//! successors until a whole sweep changes nothing:
//!
//! `V = the settlement if the game is over, otherwise the best of gain ± V(successor) over the moves`.
//!
//! *Why this is exact.* For `t > 0` let `A(t)` be the positions with `V >= t` and `B(t)` those with `V <= -t`. Lower layers are
//! finished, so within the layer "some move leads to `B`" and "all moves lead to `A`" (after the seeds that moves gain) only ever add
//! positions to the two sets: they grow from nothing to the least pair that satisfies the equations, in whatever order positions are
//! worked out and by however many threads. That pair is what can be forced in finitely many moves. Values therefore keep their sign and
//! only move away from 0, and the result does not depend on the order.

use std::sync::atomic::{AtomicBool, Ordering};

use lumbung_engine::kernel::{Children, Kernel, Lanes, Seat, Status, Then};
use rayon::prelude::*;

use crate::cells::Begin;
pub use crate::grow::{BuildError, Watch};
use crate::grow::{Work, grow};
use crate::table::Table;

/// Boards a thread takes at a time.
const CHUNK: usize = 1 << 10;

/// Builds the table of all boards with up to `seeds` seeds, for rules under which endless play is worth 0. It serves rules that cannot
/// repeat a position too, slowly. Looks at `stop` now and then, and gives up when it is set.
///
/// # Errors
/// If there are too many seeds, or if memory does not suffice.
pub fn build<B: Lanes>(kernel: &Kernel<B>, seeds: usize, stop: &AtomicBool) -> Result<Table, BuildError> {
    build_layers(kernel, seeds, Watch::only(stop))
}

/// Builds the same table, beginning with the layers that can be read and handing on those that are finished.
///
/// # Errors
/// As [`build`].
pub fn build_layers<B: Lanes>(kernel: &Kernel<B>, seeds: usize, watch: Watch) -> Result<Table, BuildError> {
    grow(kernel, seeds, Begin::Zero, watch, |work| while sweep(work) && !work.stop.load(Ordering::Relaxed) {})
}

/// Works out every position of the last layer again; whether any value changed.
fn sweep<B: Lanes>(work: &Work<B>) -> bool {
    let Work { index, values, .. } = work;
    let changed = work.portions(usize::MAX, CHUNK).map(|(places, mut board, mut seat)| {
        if work.stop.load(Ordering::Relaxed) {
            return false;
        }
        let mut children = Children::new();
        let mut changed = false;
        for place in places {
            let now = evaluate(work, &board, seat, &mut children);
            changed |= values.set(place, now) != now;
            index.step(&mut board, &mut seat);
        }
        changed
    });
    changed.reduce(|| false, |one, other| one | other)
}

/// The value of a board from the present values of its successors.
fn evaluate<B: Lanes>(work: &Work<B>, board: &B, seat: Seat, children: &mut Children<B>) -> i32 {
    let Work { kernel, index, values, .. } = work;
    let value = |board: &B, seat| values.get(index.place(board, seat) as usize);
    let other = kernel.other(seat);
    match kernel.status(board, seat, children) {
        Status::Over(value) => value,
        Status::Pass => -value(&board.swap(), other),
        Status::ToMove => children
            .iter()
            .map(|child| match child.then {
                Then::Over => child.gain,
                Then::Again => child.gain + value(&child.board, seat),
                Then::Other => child.gain - value(&child.board, other),
            })
            .max()
            .unwrap_or(0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lumbung_engine::Owners;
    use lumbung_engine::kernel::Bytes16;
    use lumbung_engine::rules::preset;

    fn table(name: &str, pits: usize, seeds: usize) -> Table {
        let kernel = Kernel::<Bytes16>::new(&preset(name).unwrap().rules, pits, seeds, Owners::rows(pits)).unwrap();
        build(&kernel, seeds, &AtomicBool::new(false)).unwrap()
    }

    /// Lincke 2002, appendix B: how many positions of Awari have each value, by seeds in play.
    #[test]
    fn awari_as_lincke_prints_it() {
        let printed: [&[(i32, usize)]; 8] = [
            &[(0, 1)],
            &[(-1, 7), (1, 5)],
            &[(-2, 40), (0, 13), (2, 25)],
            &[(-3, 177), (-1, 1), (0, 63), (1, 7), (3, 116)],
            &[(-4, 532), (-2, 110), (0, 143), (2, 165), (4, 415)],
            &[(-5, 1892), (-3, 2), (-2, 85), (-1, 224), (1, 121), (2, 184), (3, 22), (5, 1838)],
            &[(-6, 4242), (-4, 116), (-2, 772), (0, 1548), (2, 550), (3, 62), (4, 302), (6, 4784)],
            &[
                (-7, 8948),
                (-5, 3),
                (-4, 75),
                (-3, 2948),
                (-1, 442),
                (0, 4487),
                (1, 491),
                (3, 2294),
                (4, 239),
                (5, 145),
                (7, 11752),
            ],
        ];
        let table = table("awari", 6, printed.len() - 1);
        for (seeds, histogram) in printed.into_iter().enumerate() {
            let mut counted = std::collections::BTreeMap::new();
            for value in table.layer(seeds).iter() {
                *counted.entry(value).or_insert(0usize) += 1;
            }
            assert_eq!(counted.into_iter().collect::<Vec<_>>(), histogram, "{seeds} seeds");
        }
    }

    /// Where no position can repeat, the fixed point is what following the moves finds.
    #[test]
    fn equal_to_the_plain_builder_where_that_applies() {
        for name in ["dakon", "kalah", "sungka"] {
            let kernel = Kernel::<Bytes16>::new(&preset(name).unwrap().rules, 4, 7, Owners::rows(4)).unwrap();
            let stop = AtomicBool::new(false);
            let (sweep, plain) = (build(&kernel, 7, &stop).unwrap(), crate::plain::build(&kernel, 7, &stop).unwrap());
            assert!((0..=7).all(|seeds| sweep.layer(seeds) == plain.layer(seeds)), "{name}");
        }
    }
}

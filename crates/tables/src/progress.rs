//! Progress: whether the values of a layer are reached by finite play.
//!
//! Where positions can repeat, values may satisfy the Bellman equation and yet be wrong: round a cycle each can rest on the next. Endless
//! play is worth 0, so a value other than 0 must be *shown*: it is if the game is over there; if it is positive and some move attains it
//! that captures or leads to a position which is shown; if it is negative and every move that stays in the layer leads to a position
//! which is shown.
//!
//! *Why that settles everything.* Let `A(t)` be the positions of value `t` or more and `B(t)` those of `-t` or less, for `t > 0`. What
//! is shown can be forced in finitely many moves, so both lie within the sets that can be. By the equation they are a fixed point of "some
//! move leads to `B`, all moves lead to `A`", and what can be forced is the least fixed point; so they are equal. The other way round, in
//! a right table every value is shown: those of the largest size first, then the next, each by the number of moves it takes.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use lumbung_engine::kernel::{Child, Children, Kernel, Lanes, Seat, Status, Then};
use rayon::prelude::*;

use crate::index::Index;

/// Words of 64 positions that a thread takes at a time.
const WORDS: usize = 64;

/// The index of the first position of layer `seeds` whose value is not shown, if there is one. The equation must hold in it.
///
/// `value` tells the value at an index of `index`. Gives up when `stop` is set, and the answer means nothing then.
pub(crate) fn first_not_shown<B: Lanes>(
    kernel: &Kernel<B>,
    index: &Index,
    value: &(impl Fn(u64) -> i32 + Sync),
    seeds: usize,
    stop: &AtomicBool,
) -> Option<u64> {
    let layer = Layer { kernel, index, value, start: index.layer_start(seeds), shown: Vec::new() };
    let len = index.layer_len(seeds);
    let shown = (0..len.div_ceil(64)).into_par_iter().map(|word| {
        let zeros = (0..64).filter(|bit| word * 64 + bit >= len || value(layer.start + word * 64 + bit) == 0);
        AtomicU64::new(zeros.fold(0, |bits, bit| bits | 1 << bit))
    });
    let layer = Layer { shown: shown.collect(), ..layer };
    while layer.pass(stop) {}
    let left = layer.shown.iter().enumerate().find(|(_, word)| word.load(Ordering::Relaxed) != u64::MAX)?;
    Some(layer.start + left.0 as u64 * 64 + u64::from(left.1.load(Ordering::Relaxed).trailing_ones()))
}

struct Layer<'l, B, V> {
    kernel: &'l Kernel<B>,
    index: &'l Index,
    value: &'l V,
    start: u64,
    /// A bit for each position; there is nothing to show of 0.
    shown: Vec<AtomicU64>,
}

impl<B: Lanes, V: Fn(u64) -> i32 + Sync> Layer<'_, B, V> {
    /// Tries every position that is not shown yet; whether any now is.
    fn pass(&self, stop: &AtomicBool) -> bool {
        let tried = self.shown.par_chunks(WORDS).enumerate().map(|(chunk, words)| {
            if stop.load(Ordering::Relaxed) {
                return false;
            }
            let mut children = Children::new();
            let mut any = false;
            for (at, word) in words.iter().enumerate() {
                let mut left = !word.load(Ordering::Relaxed);
                while left != 0 {
                    let bit = left.trailing_zeros();
                    left &= left - 1;
                    let place = self.start + (chunk * WORDS + at) as u64 * 64 + u64::from(bit);
                    if self.can_show(place, &mut children) {
                        word.fetch_or(1 << bit, Ordering::Relaxed);
                        any = true;
                    }
                }
            }
            any
        });
        tried.reduce(|| false, |one, other| one | other)
    }

    fn can_show(&self, place: u64, children: &mut Children<B>) -> bool {
        let (board, seat) = self.index.at::<B>(place);
        let value = (self.value)(place);
        match self.kernel.status(&board, seat, children) {
            Status::Over(_) => true,
            Status::Pass => self.is_shown(self.index.place(&board.swap(), self.kernel.other(seat))),
            Status::ToMove if value < 0 => {
                children.iter().all(|child| child.then == Then::Over || self.is_shown(self.after(child, seat)))
            }
            Status::ToMove => children.iter().any(|child| {
                if child.then == Then::Over {
                    return child.gain == value;
                }
                let after = self.after(child, seat);
                let worth = if child.then == Then::Again { (self.value)(after) } else { -(self.value)(after) };
                child.gain + worth == value && self.is_shown(after)
            }),
        }
    }

    /// The index of the board after a move that did not end the game.
    fn after(&self, child: &Child<B>, seat: Seat) -> u64 {
        let seat = if child.then == Then::Again { seat } else { self.kernel.other(seat) };
        self.index.place(&child.board, seat)
    }

    /// Whether the value of a successor is shown; finished layers have been verified.
    fn is_shown(&self, place: u64) -> bool {
        let Some(within) = place.checked_sub(self.start) else { return true };
        self.shown[(within / 64) as usize].load(Ordering::Relaxed) >> (within % 64) & 1 == 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::file::evaluate;
    use lumbung_engine::Owners;
    use lumbung_engine::kernel::Bytes16;
    use lumbung_engine::rules::preset;

    const PITS: usize = 2;

    fn kernel(name: &str, seeds: usize) -> Kernel<Bytes16> {
        Kernel::new(&preset(name).unwrap().rules, PITS, seeds, Owners::rows(PITS)).unwrap()
    }

    fn holds(kernel: &Kernel<Bytes16>, index: &Index, values: &[i8], place: usize) -> i8 {
        let value = |board: &Bytes16, _: Seat| Ok::<i32, ()>(i32::from(values[index.rank(board) as usize]));
        evaluate(kernel, &index.unrank::<Bytes16>(place as u64), Seat::FIRST, value).unwrap() as i8
    }

    #[test]
    fn right_tables_are_shown() {
        for name in ["awari", "djenon-abe", "djenon-aboure"] {
            let (kernel, stop) = (kernel(name, 9), AtomicBool::new(false));
            let table = crate::sweep::build(&kernel, 9, &stop).unwrap();
            for seeds in 0..=9 {
                let value = |place| table.value_at(place).unwrap();
                assert_eq!(first_not_shown(&kernel, table.index(), &value, seeds, &stop), None, "{name} {seeds}");
            }
        }
    }

    /// Iteration that does not start from 0 may end in another fixed point of the equation.
    #[test]
    fn a_false_value_round_a_cycle_is_found() {
        let mut found = 0;
        for name in ["awari", "djenon-abe"] {
            for seeds in 1..=6 {
                let (kernel, stop) = (kernel(name, seeds), AtomicBool::new(false));
                let table = crate::sweep::build(&kernel, seeds, &stop).unwrap();
                let index = table.index();
                let right: Vec<i8> = (0..table.len()).map(|place| table.value_at(place).unwrap() as i8).collect();
                let start = index.layer_start(seeds) as usize;
                for attempt in 1..40usize {
                    let mut values = right.clone();
                    for (at, value) in values.iter_mut().enumerate().skip(start) {
                        *value = (((at * attempt * 7919) >> 3) % (2 * seeds + 1)) as i8 - seeds as i8;
                    }
                    for _ in 0..200 {
                        for place in start..values.len() {
                            values[place] = holds(&kernel, index, &values, place);
                        }
                    }
                    let satisfied = (start..values.len()).all(|place| holds(&kernel, index, &values, place) == values[place]);
                    if !satisfied || values == right {
                        continue;
                    }
                    found += 1;
                    let value = |place: u64| i32::from(values[place as usize]);
                    let not_shown = first_not_shown(&kernel, index, &value, seeds, &stop).expect("a false value");
                    assert_ne!(values[not_shown as usize], 0);
                }
            }
        }
        assert!(found > 0, "no doctored layer satisfied the equation");
    }
}

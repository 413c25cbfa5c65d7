//! False values that bear each other out.

use lumbung_engine::kernel::{Kernel, Lanes, Seat, Visitor, dispatch};
use lumbung_engine::{Owners, RuleSet};
use lumbung_tables::Table;

/// Values of the highest layer of a table that satisfy the equation everywhere and are not the right ones; `None` if none are found.
pub(crate) fn false_values(rules: &RuleSet, right: &Table) -> Option<Vec<i8>> {
    dispatch(rules, right.pits(), right.seeds(), Owners::rows(right.pits()), FromAbove(right))
}

/// Another solution of the equation for the highest layer: the player on whose side a bit of the board lies is given what she likes.
struct FromAbove<'t>(&'t Table);

impl Visitor for FromAbove<'_> {
    type Output = Option<Vec<i8>>;

    fn visit<B: Lanes>(self, kernel: Kernel<B>) -> Self::Output {
        let FromAbove(right) = self;
        let (index, seeds) = (right.index(), right.seeds());
        let start = index.layer_start(seeds);
        // For each position whose value is 0: suppose that it and all that follow from best play are worth more to the player who is
        // to move there, and see whether the equation can be made to hold.
        for seed in 0..index.layer_len(seeds) {
            let mut values = right.layer(seeds).bytes()?.to_vec();
            if values[seed as usize] != 0 {
                continue;
            }
            values[seed as usize] = 2;
            for _ in 0..40 {
                let mut changed = false;
                for at in 0..values.len() {
                    let board: B = index.unrank(start + at as u64);
                    let now = lumbung_tables::file::evaluate(&kernel, &board, Seat::FIRST, |board, _| {
                        let rank = index.rank(board);
                        if rank < start { right.value_at(rank).ok_or(()) } else { Ok(i32::from(values[(rank - start) as usize])) }
                    });
                    let now = now.unwrap() as i8;
                    changed |= values[at] != now;
                    values[at] = now;
                }
                if !changed {
                    break;
                }
            }
            let holds = (0..values.len()).all(|at| {
                let board: B = index.unrank(start + at as u64);
                let now = lumbung_tables::file::evaluate(&kernel, &board, Seat::FIRST, |board, _| {
                    let rank = index.rank(board);
                    if rank < start { right.value_at(rank).ok_or(()) } else { Ok(i32::from(values[(rank - start) as usize])) }
                });
                now == Ok(i32::from(values[at]))
            });
            if holds && Some(&values[..]) != right.layer(seeds).bytes() {
                return Some(values);
            }
        }
        None
    }
}

//! Captures of one row: what a move that stops takes there.

use lumbung_engine::rules::{CountCapture, CountSide, GrandSlam, LandingSeed, OppositeCapture, Rules};

use super::rank::Row;

/// The captures of a rule set.
#[derive(Debug)]
pub(crate) struct Taking {
    pits: usize,
    opposite: Option<OppositeCapture>,
    sandwich: bool,
    count: Option<CountCapture>,
    /// Whether a last pit with so many seeds is taken by a count capture.
    counts: [bool; 256],
}

/// What a move takes in the row it stops in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Taken {
    /// So many seeds, maybe none.
    Seeds(usize),
    /// So many seeds, down to the first pit of the row, so that the chain of captures goes on into the row before it.
    Through(usize),
    /// All the other player had, which makes the move illegal.
    ForbiddenSlam,
}

impl Taking {
    pub(crate) fn new(rules: &Rules, pits: usize) -> Self {
        let count = rules.capture.count.clone();
        let counts = std::array::from_fn(|seeds| count.as_ref().is_some_and(|c| c.counts.contains(&(seeds as u16))));
        Taking { pits, opposite: rules.capture.opposite, sandwich: rules.capture.sandwich, count, counts }
    }

    /// The pit from which a move that stops in pit `last` of the mover's row, with so many seeds there now, may capture, and the rule
    /// it does so by.
    #[inline(always)]
    pub(crate) fn opposite(&self, last: usize, seeds: u8, visited: bool) -> Option<(usize, LandingSeed)> {
        let rule = self.opposite.as_ref()?;
        (seeds == 1 && (visited || !rule.require_visit)).then(|| (self.pits - 1 - last, rule.landing_seed))
    }

    /// Takes what a move that stops in pit `last` of the other player's row takes there.
    pub(crate) fn away(&self, row: &mut Row, last: usize) -> Taken {
        if self.sandwich && row[last] == 1 && last > 0 && last + 1 < self.pits {
            let (left, right) = (row[last - 1], row[last + 1]);
            if left == right && left > 0 {
                row[last - 1..=last + 1].fill(0);
                return Taken::Seeds(2 * usize::from(left) + 1);
            }
        }
        let Some(count) = &self.count else { return Taken::Seeds(0) };
        let before = *row;
        let (taken, through) = self.chain(row, last, 0);
        let taken_so = if through && count.side == CountSide::Any { Taken::Through(taken) } else { Taken::Seeds(taken) };
        if taken == 0 || row.iter().any(|&seeds| seeds > 0) {
            return taken_so;
        }
        match count.grand_slam {
            GrandSlam::Legal => taken_so,
            GrandSlam::Forbidden => Taken::ForbiddenSlam,
            GrandSlam::NoCapture => {
                *row = before;
                Taken::Seeds(0)
            }
        }
    }

    /// Takes pit `last` of a row if its number says so and, if captures chain, the pits before it down to pit `first` while theirs do.
    /// Returns the seeds taken, and whether the chain has taken pit `first` and would go on.
    pub(crate) fn chain(&self, row: &mut Row, last: usize, first: usize) -> (usize, bool) {
        let Some(count) = &self.count else { return (0, false) };
        let mut taken = 0;
        for pit in (first..=last).rev() {
            if !self.counts[usize::from(row[pit])] {
                return (taken, false);
            }
            taken += usize::from(std::mem::take(&mut row[pit]));
            if !count.chain_back {
                return (taken, false);
            }
        }
        (taken, true)
    }

    /// Whether a last pit with so many seeds is taken wherever it lies.
    pub(crate) fn takes_at_home(&self, seeds: u8) -> bool {
        self.counts[usize::from(seeds)] && self.count.as_ref().is_some_and(|count| count.side == CountSide::Any)
    }

    /// Whether a last pit with so many seeds is taken, where captures may take it.
    pub(crate) fn takes(&self, seeds: u8) -> bool {
        self.counts[usize::from(seeds)]
    }

    /// Whether captures go on from one row into the other.
    pub(crate) fn on_both_sides(&self) -> bool {
        self.count.as_ref().is_some_and(|count| count.side == CountSide::Any)
    }

    /// What becomes of a capture that leaves the other player no seed.
    pub(crate) fn grand_slam(&self) -> GrandSlam {
        self.count.as_ref().map_or(GrandSlam::Legal, |count| count.grand_slam)
    }

    /// Takes pit `last` of the mover's own row if its number says so. `facing_nothing`: the other row is empty.
    #[inline(always)]
    pub(crate) fn at_home(&self, row: &mut Row, last: usize, facing_nothing: bool) -> Taken {
        let Some(count) = &self.count else { return Taken::Seeds(0) };
        if count.side == CountSide::Opponent || !self.counts[usize::from(row[last])] {
            return Taken::Seeds(0);
        }
        // A capture that leaves the other row empty is a grand slam, wherever the seeds lay.
        match count.grand_slam {
            GrandSlam::Forbidden if facing_nothing => Taken::ForbiddenSlam,
            GrandSlam::NoCapture if facing_nothing => Taken::Seeds(0),
            _ => Taken::Seeds(usize::from(std::mem::take(&mut row[last]))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::rank::MAX_PITS;
    use super::*;
    use lumbung_engine::rules::preset;

    fn row(seeds: &[u8]) -> Row {
        let mut row = [0; MAX_PITS];
        row[..seeds.len()].copy_from_slice(seeds);
        row
    }

    fn away(name: &str, changes: &[&str], seeds: &[u8], last: usize) -> (Vec<u8>, Taken) {
        let rules = preset(name).unwrap().rules.with_set(changes).unwrap();
        let mut row = row(seeds);
        let taken = Taking::new(&rules, seeds.len()).away(&mut row, last);
        (row[..seeds.len()].to_vec(), taken)
    }

    #[test]
    fn mikul_takes_three_pits() {
        // Worked examples DK5 to DK7: equal neighbours, unequal neighbours, an end pit.
        assert_eq!(away("dakon", &[], &[0, 3, 1, 3, 0], 2), (vec![0; 5], Taken::Seeds(7)));
        assert_eq!(away("dakon", &[], &[0, 4, 1, 3, 0], 2), (vec![0, 4, 1, 3, 0], Taken::Seeds(0)));
        assert_eq!(away("dakon", &[], &[1, 4, 0, 0, 0], 0), (vec![1, 4, 0, 0, 0], Taken::Seeds(0)));
    }

    #[test]
    fn a_chain_that_takes_the_first_pit_goes_on_into_the_row_before() {
        // Djenon-abe takes 2 and 4 on both sides.
        assert_eq!(away("djenon-abe", &[], &[4, 2, 2, 1], 2), (vec![0, 0, 0, 1], Taken::Through(8)));
        assert_eq!(away("djenon-abe", &[], &[3, 2, 2, 1], 2), (vec![3, 0, 0, 1], Taken::Seeds(4)));
        assert_eq!(away("djenon-abe", &["capture.count.chain=none"], &[2, 0, 0, 1], 0), (vec![0, 0, 0, 1], Taken::Seeds(2)));
        // Awari takes from the other row only.
        assert_eq!(away("awari", &[], &[2, 3, 0, 1], 1), (vec![0, 0, 0, 1], Taken::Seeds(5)));
    }

    #[test]
    fn a_count_capture_chains_back_and_may_slam() {
        let count = |slam| {
            [
                "capture.count.enabled=true",
                "capture.count.counts=[2,3]",
                "capture.count.side=opponent",
                "capture.count.chain=back",
                slam,
            ]
        };
        let legal = count("capture.count.grand-slam=legal");
        assert_eq!(away("kalah", &legal, &[4, 2, 3, 0], 2), (vec![4, 0, 0, 0], Taken::Seeds(5)));
        assert_eq!(away("kalah", &legal, &[0, 2, 3, 0], 2), (vec![0; 4], Taken::Seeds(5)));
        let forbidden = count("capture.count.grand-slam=forbidden");
        assert_eq!(away("kalah", &forbidden, &[0, 2, 3, 0], 2).1, Taken::ForbiddenSlam);
        let undone = count("capture.count.grand-slam=no-capture");
        assert_eq!(away("kalah", &undone, &[0, 2, 3, 0], 2), (vec![0, 2, 3, 0], Taken::Seeds(0)));
    }

    #[test]
    fn nembak_needs_an_empty_pit_and_perhaps_a_visit() {
        let dakon = &preset("dakon").unwrap().rules;
        let taking = Taking::new(dakon, 4);
        assert_eq!(taking.opposite(1, 1, false), Some((2, LandingSeed::Leave)));
        assert_eq!(taking.opposite(1, 2, false), None);
        let visit = Taking::new(&dakon.with_reading("visit-first").unwrap(), 4);
        assert_eq!(visit.opposite(1, 1, false), None);
        assert_eq!(visit.opposite(1, 1, true), Some((2, LandingSeed::Leave)));
    }
}

//! Passages: rows of the other player that have had the same past in a move.
//!
//! A move goes to and fro between the rows. What happens in the mover's row depends on it and on the hands that reach it; what
//! happens in the other row depends on it and on the hands that reach *it*. A passage is the set of the other player's rows for
//! which the move has gone the same way so far, each with what it has become. All of them have the same sum, for they have received
//! the same hands and given up the same. Passages do not depend on the mover's row or on the layer, so each is worked out once,
//! when a move first takes that way, and serves every row and every layer after.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use super::captures::{Captured, capture_list};
use super::rank::Rows;
use super::runs::{Pair, Runs};
use super::sowing::Sowing;
use super::taking::Taking;
use super::transit::{Transit, transit};

/// The other player's rows for which a move has gone the same way so far.
#[derive(Debug)]
pub(super) struct Passage {
    sum: usize,
    /// Rows of the sum that the move began with.
    count: usize,
    /// The rank of each row before the move, rising, and the rank of what it is now.
    pairs: Box<[Pair]>,
    whole: OnceLock<Runs>,
    opposite: OnceLock<Box<[OnceLock<Box<[Captured]>>]>>,
    transits: OnceLock<Box<[OnceLock<Box<Transit>>]>>,
}

impl Passage {
    /// All rows of a sum, before anything has happened to them.
    pub(super) fn root(rows: &Rows, sum: usize) -> Self {
        Passage::new(sum, (0..rows.count(sum) as u32).map(|rank| (rank, rank)).collect(), rows.count(sum))
    }

    /// Rows with the same past, now of this sum, out of `count` that the move began with.
    pub(super) fn new(sum: usize, pairs: Box<[Pair]>, count: usize) -> Self {
        Passage { sum, count, pairs, whole: OnceLock::new(), opposite: OnceLock::new(), transits: OnceLock::new() }
    }

    /// The sum of the rows now.
    #[inline(always)]
    pub(super) fn sum(&self) -> usize {
        self.sum
    }

    /// Rows of the sum that the move began with.
    pub(super) fn count(&self) -> usize {
        self.count
    }

    /// The rank of each row before the move, and of what it is now.
    pub(super) fn pairs(&self) -> &[Pair] {
        &self.pairs
    }

    /// From the rows now to the rows before the move.
    #[inline(always)]
    pub(super) fn whole(&self, rows: &Rows) -> &Runs {
        self.whole.get_or_init(|| Runs::new(&self.pairs, (self.count, rows.count(self.sum))))
    }

    /// The capture list of a pit.
    #[inline(always)]
    pub(super) fn opposite(&self, rows: &Rows, pit: usize) -> &[Captured] {
        let lists = self.opposite.get_or_init(|| (0..rows.pits()).map(|_| OnceLock::new()).collect());
        lists[pit].get_or_init(|| capture_list(self, rows, pit))
    }

    /// What becomes of `hand` seeds, at least one, that enter at the first pit, passing over `skip`.
    #[inline(always)]
    pub(super) fn enter(&self, lists: &Lists, hand: usize, skip: Option<u8>) -> &Transit {
        let rows = &lists.rows;
        let ways = if lists.sowing.skips_origin() { rows.pits() + 1 } else { 1 };
        let transits = self.transits.get_or_init(|| (0..ways * (lists.seeds + 1)).map(|_| OnceLock::new()).collect());
        let way = skip.map_or(0, |pit| usize::from(pit) + 1);
        transits[hand * ways + way].get_or_init(|| Box::new(transit(self, lists, hand, skip)))
    }
}

/// What passages are worked out from.
#[derive(Debug)]
pub(super) struct Lists {
    pub(super) rows: Rows,
    pub(super) seeds: usize,
    pub(super) sowing: Sowing,
    pub(super) taking: Taking,
    roots: Vec<OnceLock<Passage>>,
}

impl Lists {
    pub(super) fn new(rows: Rows, seeds: usize, sowing: Sowing, taking: Taking) -> Self {
        Lists { rows, seeds, sowing, taking, roots: (0..=seeds).map(|_| OnceLock::new()).collect() }
    }

    /// All rows of a sum.
    pub(super) fn root(&self, sum: usize) -> &Passage {
        self.roots[sum].get_or_init(|| Passage::root(&self.rows, sum))
    }
}

/// Pairs by key, keeping their order.
pub(super) fn grouped<K: Ord>(keyed: impl IntoIterator<Item = (K, Pair)>) -> BTreeMap<K, Vec<Pair>> {
    let mut groups = BTreeMap::<K, Vec<Pair>>::new();
    for (key, pair) in keyed {
        groups.entry(key).or_default().push(pair);
    }
    groups
}

#[cfg(test)]
mod tests {
    use super::*;
    use lumbung_engine::rules::preset;

    #[test]
    fn a_passage_is_worked_out_once() {
        let rules = &preset("dakon").unwrap().rules;
        let lists = Lists::new(Rows::new(4, 6).unwrap(), 6, Sowing::new(rules, 4), Taking::new(rules, 4));
        let root = lists.root(3);
        assert!(std::ptr::eq(root, lists.root(3)));
        assert!(std::ptr::eq(root.enter(&lists, 2, None), root.enter(&lists, 2, None)));
        assert!(!std::ptr::eq(root.enter(&lists, 2, None), root.enter(&lists, 3, None)));
    }

    #[test]
    fn all_rows_of_a_passage_have_its_sum() {
        let rules = &preset("dakon").unwrap().rules;
        let lists = Lists::new(Rows::new(4, 9).unwrap(), 9, Sowing::new(rules, 4), Taking::new(rules, 4));
        for hand in 1..=4 {
            for exit in &lists.root(5).enter(&lists, hand, None).exits {
                assert_eq!(exit.passage.sum() + exit.hand, 5 + hand);
                assert!(exit.passage.pairs().iter().all(|&(_, now)| (now as usize) < lists.rows.count(exit.passage.sum())));
            }
        }
    }
}

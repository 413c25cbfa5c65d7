//! Passages: rows of the other player that have had the same past in a move.
//!
//! A move goes to and fro between the rows. What happens in the mover's row depends on it and on the hands that reach it; what
//! happens in the other row depends on it and on the hands that reach *it*. A passage is the set of the other player's rows for
//! which the move has gone the same way so far, each with what it has become. All of them have the same sum, for they have received
//! the same hands and given up the same. Passages do not depend on the mover's row or on the layer, so each is worked out once,
//! when a move first takes that way, and serves every row and every layer after.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::captures::{Captured, capture_list};
use super::home::Ways;
use super::rank::Rows;
use super::runs::{Pair, Runs};
use super::sowing::Sowing;
use super::sown::SownRows;
use super::taking::Taking;
use super::transit::{Ended, Transit, chained, transit};

/// Something that is worked out when first asked for.
pub(crate) type Once<T> = OnceLock<Box<T>>;

/// The other player's rows for which a move has gone the same way so far.
#[derive(Debug)]
pub(crate) struct Passage {
    sum: usize,
    /// Rows of the sum that the move began with.
    count: usize,
    /// The rank of each row before the move, rising, and the rank of what it is now.
    pairs: Box<[Pair]>,
    whole: OnceLock<Runs>,
    /// By pit.
    opposite: OnceLock<Box<[Once<[Captured]>]>>,
    chained: OnceLock<Box<[Ended]>>,
    /// By hand, and by pit passed over.
    transits: OnceLock<Box<[Once<Transit>]>>,
}

impl Passage {
    /// All rows of a sum, before anything has happened to them.
    pub(crate) fn root(rows: &Rows, sum: usize) -> Self {
        Passage::new(sum, (0..rows.count(sum) as u32).map(|rank| (rank, rank)).collect(), rows.count(sum))
    }

    /// Rows with the same past, now of this sum, out of `count` that the move began with.
    pub(crate) fn new(sum: usize, pairs: Box<[Pair]>, count: usize) -> Self {
        Passage {
            sum,
            count,
            pairs,
            whole: OnceLock::new(),
            opposite: OnceLock::new(),
            chained: OnceLock::new(),
            transits: OnceLock::new(),
        }
    }

    /// The sum of the rows now.
    #[inline(always)]
    pub(crate) fn sum(&self) -> usize {
        self.sum
    }

    /// Rows of the sum that the move began with.
    pub(crate) fn count(&self) -> usize {
        self.count
    }

    /// The rank of each row before the move, and of what it is now.
    pub(crate) fn pairs(&self) -> &[Pair] {
        &self.pairs
    }

    /// From the rows now to the rows before the move.
    #[inline(always)]
    pub(crate) fn whole(&self, lists: &Lists) -> &Runs {
        lists.runs(&self.whole, || Runs::new(&self.pairs, (self.count, lists.rows.count(self.sum))))
    }

    /// The capture list of a pit; `None` if there is none yet and no more room for lists.
    #[inline(always)]
    pub(crate) fn opposite(&self, lists: &Lists, pit: usize) -> Option<&[Captured]> {
        let all = self.opposite.get_or_init(|| (0..lists.rows.pits()).map(|_| OnceLock::new()).collect());
        if all[pit].get().is_none() && lists.has_room() {
            let list = capture_list(self, &lists.rows, pit);
            lists.took(list.iter().map(|group| size_of_val(group) + group.runs.bytes()).sum());
            // Another thread may have been faster, with the same list.
            let _ = all[pit].set(list);
        }
        all[pit].get().map(|list| &**list)
    }

    /// What a chain of captures takes that comes back into the last pit; `None` as for the capture list.
    pub(crate) fn chained(&self, lists: &Lists) -> Option<&[Ended]> {
        if self.chained.get().is_none() && lists.has_room() {
            let list = chained(self, lists);
            lists.took(list.iter().map(|end| size_of_val(end) + end.runs.bytes()).sum());
            // Another thread may have been faster, with the same list.
            let _ = self.chained.set(list);
        }
        self.chained.get().map(|list| &**list)
    }

    /// What becomes of `hand` seeds, at least one, that enter at the first pit, passing over `skip`; `None` if it has not been
    /// worked out yet and there is no more room for lists.
    #[inline(always)]
    pub(crate) fn enter(&self, lists: &Lists, hand: usize, skip: Option<u8>) -> Option<&Transit> {
        let ways = if lists.sowing.skips_origin() { lists.rows.pits() + 1 } else { 1 };
        let all = self.transits.get_or_init(|| (0..ways * (lists.seeds + 1)).map(|_| OnceLock::new()).collect());
        let transit_of = &all[hand * ways + skip.map_or(0, |pit| usize::from(pit) + 1)];
        if transit_of.get().is_none() && lists.has_room() {
            let transit = Box::new(transit(self, lists, hand, skip));
            lists.took(transit.bytes(lists));
            // Another thread may have been faster, with the same transit.
            let _ = transit_of.set(transit);
        }
        transit_of.get().map(|transit| &**transit)
    }

    /// Bytes this takes before any lists are made for it, and for the tables of those lists.
    pub(crate) fn bytes(&self, lists: &Lists) -> usize {
        size_of_val(&*self.pairs) + (lists.rows.pits() + lists.seeds + 1) * size_of::<Once<Transit>>()
    }
}

/// What passages are worked out from.
#[derive(Debug)]
pub(crate) struct Lists {
    pub(crate) rows: Rows,
    pub(crate) seeds: usize,
    pub(crate) sowing: Sowing,
    pub(crate) taking: Taking,
    roots: Vec<OnceLock<Passage>>,
    pub(super) sown: SownRows,
    /// By sum: the mover's rows, lifted.
    lifted: Vec<Once<Ways>>,
    /// Bytes that lists may take, about, and bytes that they take.
    room: usize,
    taken: AtomicUsize,
}

impl Lists {
    /// Lists that may take about `room` bytes.
    pub(crate) fn new(rows: Rows, seeds: usize, sowing: Sowing, taking: Taking, room: usize) -> Self {
        let roots = (0..=seeds).map(|_| OnceLock::new()).collect();
        let lifted = (0..=seeds).map(|_| OnceLock::new()).collect();
        Lists { rows, seeds, sowing, taking, roots, sown: SownRows::new(seeds), lifted, room, taken: AtomicUsize::new(0) }
    }

    pub(super) fn has_room(&self) -> bool {
        self.taken.load(Ordering::Relaxed) < self.room
    }

    pub(super) fn took(&self, bytes: usize) {
        self.taken.fetch_add(bytes, Ordering::Relaxed);
    }

    /// What becomes of the mover's rows of a sum when a pit is lifted; `None` if it has not been worked out yet and there is no more
    /// room for lists.
    #[inline(always)]
    pub(crate) fn lifted(&self, sum: usize) -> Option<&Ways> {
        if self.lifted[sum].get().is_none() && self.has_room() {
            self.lifted[sum].get_or_init(|| {
                let ways = Ways::lifted(self, sum);
                self.took(ways.bytes(self));
                Box::new(ways)
            });
        }
        self.lifted[sum].get().map(|ways| &**ways)
    }

    /// Runs that are made when first asked for.
    #[inline(always)]
    pub(super) fn runs<'r>(&self, runs: &'r OnceLock<Runs>, make: impl FnOnce() -> Runs) -> &'r Runs {
        runs.get_or_init(|| {
            let runs = make();
            self.took(runs.bytes());
            runs
        })
    }

    /// All rows of a sum.
    pub(crate) fn root(&self, sum: usize) -> &Passage {
        self.roots[sum].get_or_init(|| Passage::root(&self.rows, sum))
    }
}

/// Pairs by key, keeping their order. Keys are few, and neighbours often have the same.
pub(crate) fn grouped<K: Copy + Ord>(keyed: impl IntoIterator<Item = (K, Pair)>) -> Vec<(K, Vec<Pair>)> {
    let mut groups = Vec::<(K, Vec<Pair>)>::new();
    let mut last = 0;
    for (key, pair) in keyed {
        if groups.get(last).is_none_or(|group| group.0 != key) {
            last = groups.iter().position(|group| group.0 == key).unwrap_or_else(|| {
                groups.push((key, Vec::new()));
                groups.len() - 1
            });
        }
        groups[last].1.push(pair);
    }
    groups.sort_unstable_by_key(|group| group.0);
    groups
}

#[cfg(test)]
mod tests {
    use super::*;
    use lumbung_engine::rules::preset;

    #[test]
    fn a_passage_is_worked_out_once() {
        let rules = &preset("dakon").unwrap().rules;
        let lists = Lists::new(Rows::new(4, 6).unwrap(), 6, Sowing::new(rules, 4), Taking::new(rules, 4), usize::MAX);
        let root = lists.root(3);
        assert!(std::ptr::eq(root, lists.root(3)));
        assert!(std::ptr::eq(root.enter(&lists, 2, None).unwrap(), root.enter(&lists, 2, None).unwrap()));
        assert!(!std::ptr::eq(root.enter(&lists, 2, None).unwrap(), root.enter(&lists, 3, None).unwrap()));
    }

    #[test]
    fn all_rows_of_a_passage_have_its_sum() {
        let rules = &preset("dakon").unwrap().rules;
        let lists = Lists::new(Rows::new(4, 9).unwrap(), 9, Sowing::new(rules, 4), Taking::new(rules, 4), usize::MAX);
        for hand in 1..=4 {
            for exit in &lists.root(5).enter(&lists, hand, None).unwrap().exits {
                assert_eq!(exit.passage.sum() + exit.hand, 5 + hand);
                assert!(exit.passage.pairs().iter().all(|&(_, now)| (now as usize) < lists.rows.count(exit.passage.sum())));
            }
        }
    }

    #[test]
    fn no_list_is_made_without_room() {
        let rules = &preset("dakon").unwrap().rules;
        let lists = Lists::new(Rows::new(4, 6).unwrap(), 6, Sowing::new(rules, 4), Taking::new(rules, 4), 0);
        assert!(lists.root(3).enter(&lists, 2, None).is_none());
        assert!(lists.root(3).opposite(&lists, 1).is_none());
    }
}

//! Passages: rows of the other player that have had the same past in a move.
//!
//! A move goes to and fro between the rows. What happens in the mover's row depends on it and on the hands that reach it; what
//! happens in the other row depends on it and on the hands that reach *it*. A passage is the set of the other player's rows for
//! which the move has gone the same way so far, each with what it has become. All of them have the same sum, for they have received
//! the same hands and given up the same. Passages do not depend on the mover's row or on the layer, so each is worked out once,
//! when a move first takes that way, and serves every row and every layer after.

use std::sync::OnceLock;

use super::captures::{Captured, capture_list};
use super::home::Ways;
use super::rank::Rows;
use super::room::{ALLOCATION, Room};
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

    /// From the rows now to the rows before the move; `None` if that has not been worked out yet and there is no more room for lists.
    #[inline(always)]
    pub(crate) fn whole(&self, lists: &Lists) -> Option<&Runs> {
        let most = || Runs::most_bytes(self.pairs.len());
        lists.room.once(&self.whole, most, || self.runs_to(lists), Runs::bytes)
    }

    fn runs_to(&self, lists: &Lists) -> Runs {
        Runs::new(&self.pairs, (self.count, lists.rows.count(self.sum)))
    }

    /// The capture list of a pit; `None` if there is none yet and no more room for lists.
    #[inline(always)]
    pub(crate) fn opposite(&self, lists: &Lists, pit: usize) -> Option<&[Captured]> {
        let all = lists.room.table(&self.opposite, || lists.rows.pits())?;
        let most = || Runs::most_bytes(self.pairs.len()) + self.pairs.len().min(self.sum + 1) * size_of::<Captured>();
        let list = lists.room.once(
            &all[pit],
            most,
            || capture_list(self, &lists.rows, pit),
            |list| list.iter().map(|group| size_of_val(group) + group.runs.bytes()).sum(),
        )?;
        Some(list)
    }

    /// What a chain of captures takes that comes back into the last pit; `None` as for the capture list.
    pub(crate) fn chained(&self, lists: &Lists) -> Option<&[Ended]> {
        let most = || Runs::most_bytes(self.pairs.len()) + self.pairs.len().min(2 * (self.sum + 1)) * size_of::<Ended>();
        let list = lists.room.once(
            &self.chained,
            most,
            || chained(self, lists),
            |list| list.iter().map(|end| size_of_val(end) + end.runs.bytes()).sum(),
        )?;
        Some(list)
    }

    /// What becomes of `hand` seeds, at least one, that enter at the first pit, passing over `skip`; `None` if it has not been
    /// worked out yet and there is no more room for lists.
    #[inline(always)]
    pub(crate) fn enter(&self, lists: &Lists, hand: usize, skip: Option<u8>) -> Option<&Transit> {
        let ways = if lists.sowing.skips_origin() { lists.rows.pits() + 1 } else { 1 };
        // No hand has more seeds than there are outside the row.
        let all = lists.room.table(&self.transits, || ways * (lists.seeds - self.sum))?;
        let transit_of = &all[(hand - 1) * ways + skip.map_or(0, |pit| usize::from(pit) + 1)];
        let most = || Transit::most_bytes(self.pairs.len(), (self.sum + hand + 1) * (lists.rows.pits() + 3));
        let make = || Box::new(transit(self, lists, hand, skip));
        lists.room.once(transit_of, most, make, |transit| transit.bytes()).map(|transit| &**transit)
    }

    /// Bytes this takes before any lists are made for it, apart from itself.
    pub(crate) fn bytes(&self) -> usize {
        ALLOCATION + size_of_val(&*self.pairs)
    }
}

/// What passages are worked out from.
#[derive(Debug)]
pub(crate) struct Lists {
    pub(crate) rows: Rows,
    pub(crate) seeds: usize,
    pub(crate) sowing: Sowing,
    pub(crate) taking: Taking,
    /// Whether the mover's rows may have lists too, so that moves can be found the other way round: no lap passes over a pit, and no
    /// seeds of the own row are taken by their number.
    pub(super) may_cross: bool,
    roots: Vec<OnceLock<Passage>>,
    pub(super) sown: SownRows,
    /// By sum: the mover's rows, lifted.
    lifted: Vec<Once<Ways>>,
    pub(super) room: Room,
}

impl Lists {
    /// Lists that may take `room` bytes.
    pub(crate) fn new(rows: Rows, seeds: usize, sowing: Sowing, taking: Taking, room: usize) -> Self {
        let roots = (0..=seeds).map(|_| OnceLock::new()).collect();
        let lifted = (0..=seeds).map(|_| OnceLock::new()).collect();
        let may_cross = !sowing.skips_origin() && !taking.on_both_sides();
        let sown = SownRows::new(seeds, if may_cross { seeds / 2 } else { seeds });
        Lists { rows, seeds, sowing, taking, may_cross, roots, sown, lifted, room: Room::new(room) }
    }

    /// What becomes of the mover's rows of a sum when a pit is lifted; `None` if it has not been worked out yet and there is no more
    /// room for lists.
    #[inline(always)]
    pub(crate) fn lifted(&self, sum: usize) -> Option<&Ways> {
        let most = || Ways::most_bytes(self, self.rows.count(sum) * self.rows.pits().min(sum));
        self.room.once(&self.lifted[sum], most, || Box::new(Ways::lifted(self, sum)), |ways| ways.bytes()).map(|ways| &**ways)
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

//! Home passages: rows of the mover that have had the same past in a move.
//!
//! The mirror image of [`super::passage`]. Against *one* row of the other player a move has the same fate for all rows of the mover
//! that send the same hands into it; where they stop at home, what they capture depends on the pit alone. So a move of all these rows
//! comes down to a list as well, which serves every row of the other player and every layer. Where the mover has the more seeds there
//! are more rows on her side, and that is the better way round.

use std::sync::OnceLock;

use super::passage::{Lists, Once};
use super::room::ALLOCATION;
use super::runs::{Pair, Runs};
use super::sown::{Came, Sown};

/// The mover's rows for which a move has gone the same way so far, the hand being out.
#[derive(Debug)]
pub(crate) struct HomePassage {
    sum: usize,
    /// Rows of the sum that the move began with.
    count: usize,
    /// The rank of each row before the move, and of what it is now.
    pairs: Box<[Pair]>,
    whole: OnceLock<Runs>,
    /// By hand that comes back.
    ways: OnceLock<Box<[Once<Ways>]>>,
}

/// What becomes of hands in the mover's rows.
#[derive(Debug)]
pub(crate) struct Ways {
    /// The rows where the move stops, by the pit if it may capture opposite.
    pub(crate) stops: Box<[Stopped]>,
    /// The rows that the hand leaves, by what is in it.
    pub(crate) leaves: Box<[Left]>,
}

/// The rows where a move stops.
#[derive(Debug)]
pub(crate) struct Stopped {
    /// The pit from which it may capture opposite; `None` if it may not.
    pub(crate) pit: Option<usize>,
    sum: usize,
    count: usize,
    pairs: Box<[Pair]>,
    kept: OnceLock<Runs>,
    given: OnceLock<Runs>,
}

/// The rows that a hand leaves.
#[derive(Debug)]
pub(crate) struct Left {
    /// Seeds in the hand, that for the store included.
    pub(crate) hand: usize,
    /// The rows.
    pub(crate) passage: HomePassage,
}

impl HomePassage {
    fn new(sum: usize, pairs: Box<[Pair]>, count: usize) -> Self {
        HomePassage { sum, count, pairs, whole: OnceLock::new(), ways: OnceLock::new() }
    }

    /// The sum of the rows now.
    #[inline(always)]
    pub(crate) fn sum(&self) -> usize {
        self.sum
    }

    /// The rank of each row before the move, and of what it is now.
    pub(crate) fn pairs(&self) -> &[Pair] {
        &self.pairs
    }

    /// From the rows now to the rows before the move; `None` if it has not been worked out yet and there is no more room for lists.
    #[inline(always)]
    pub(crate) fn whole(&self, lists: &Lists) -> Option<&Runs> {
        let make = || Runs::new(&self.pairs, (self.count, lists.rows.count(self.sum)));
        lists.room.once(&self.whole, || Runs::most_bytes(self.pairs.len()), make, Runs::bytes)
    }

    /// What becomes of `hand` seeds, at least one, that come back into the rows; `None` as for the whole.
    #[inline(always)]
    pub(crate) fn enter(&self, lists: &Lists, hand: usize) -> Option<&Ways> {
        // No hand has more seeds than there are outside the row.
        let all = lists.room.table(&self.ways, || lists.seeds - self.sum)?;
        let make = || {
            let mut ways = Sorted::new(lists, true);
            for &(before, now) in &self.pairs {
                ways.put(before, lists.sow(self.sum, now as usize, hand, None));
            }
            Box::new(ways.done(self.sum + hand, self.count))
        };
        let most = || Ways::most_bytes(lists, self.pairs.len());
        lists.room.once(&all[hand - 1], most, make, |ways| ways.bytes()).map(|ways| &**ways)
    }
}

impl Ways {
    /// What becomes of the rows of a sum when a pit is lifted, for all pits that may be chosen; moves that stop and can capture nothing
    /// are left out, for they are quiet.
    pub(super) fn lifted(lists: &Lists, sum: usize) -> Self {
        let mut ways = Sorted::new(lists, false);
        // Pit by pit: rows that lie next to each other make the same move from the same pit, and so form runs.
        for pit in 0..lists.rows.pits() {
            for rank in 0..lists.rows.count(sum) {
                if let Some(sown) = lists.lift(sum, rank, pit) {
                    ways.put(rank as u32, sown);
                }
            }
        }
        ways.done(sum, lists.rows.count(sum))
    }

    /// The most bytes that ways of so many rows take before any lists are made for them.
    pub(super) fn most_bytes(lists: &Lists, rows: usize) -> usize {
        let groups = rows.min(lists.rows.pits() + lists.seeds + 2);
        let group = ALLOCATION + size_of::<Stopped>().max(size_of::<Left>());
        3 * ALLOCATION + size_of::<Ways>() + rows * size_of::<Pair>() + groups * group
    }

    /// Bytes this takes before any lists are made for it.
    pub(super) fn bytes(&self) -> usize {
        let stops = self.stops.iter().map(|stopped| ALLOCATION + size_of_val(stopped) + size_of_val(&*stopped.pairs));
        let leaves = self.leaves.iter().map(|left| ALLOCATION + size_of_val(left) + size_of_val(&*left.passage.pairs));
        3 * ALLOCATION + size_of_val(self) + stops.sum::<usize>() + leaves.sum::<usize>()
    }
}

/// Rows, sorted by what becomes of the hand.
struct Sorted<'l> {
    lists: &'l Lists,
    visited: bool,
    /// By the pit from which a move may capture opposite; those that may not come last.
    stops: Vec<Vec<Pair>>,
    /// By the seeds that leave.
    leaves: Vec<Vec<Pair>>,
}

impl<'l> Sorted<'l> {
    /// `visited`: a seed has fallen in the other row.
    fn new(lists: &'l Lists, visited: bool) -> Self {
        let (stops, leaves) = (vec![Vec::new(); lists.rows.pits() + 1], vec![Vec::new(); lists.seeds + 1]);
        Sorted { lists, visited, stops, leaves }
    }

    /// A row by its rank before the move, and what it is now.
    #[inline(always)]
    fn put(&mut self, before: u32, sown: Sown) {
        let group = match sown.came() {
            Came::Leaves { hand, .. } => &mut self.leaves[hand],
            Came::Stops { pit, last } => match self.lists.taking.opposite(pit, last, self.visited) {
                Some(_) => &mut self.stops[pit],
                // Such a move is quiet.
                None if !self.visited => return,
                None => &mut self.stops[self.lists.rows.pits()],
            },
        };
        group.push((before, sown.rank));
    }

    /// `seeds`: those of each row before the move, hand included; `count`: rows of the sum that the move began with.
    fn done(self, seeds: usize, count: usize) -> Ways {
        let pits = self.lists.rows.pits();
        let filled = |groups: Vec<Vec<Pair>>| groups.into_iter().enumerate().filter(|(_, pairs)| !pairs.is_empty());
        let stopped = |(pit, pairs): (usize, Vec<Pair>)| {
            let pit = (pit < pits).then_some(pit);
            Stopped { pit, sum: seeds, count, pairs: pairs.into(), kept: OnceLock::new(), given: OnceLock::new() }
        };
        let left =
            |(hand, pairs): (usize, Vec<Pair>)| Left { hand, passage: HomePassage::new(seeds - hand, pairs.into(), count) };
        Ways { stops: filled(self.stops).map(stopped).collect(), leaves: filled(self.leaves).map(left).collect() }
    }
}

impl Stopped {
    /// From the rows now to the rows before the move; `given`: the landing seed goes along with what is captured. `None` if it has
    /// not been worked out yet and there is no more room for lists.
    #[inline(always)]
    pub(crate) fn runs(&self, lists: &Lists, given: bool) -> Option<&Runs> {
        let make = || {
            let pairs: Vec<Pair> = self.pairs(lists, given).collect();
            Runs::new(&pairs, (self.count, lists.rows.count(self.sum - usize::from(given))))
        };
        let runs = if given { &self.given } else { &self.kept };
        lists.room.once(runs, || Runs::most_bytes(self.pairs.len()), make, Runs::bytes)
    }

    /// The rank of each row before the move, and of what is left of it, without the landing seed if that is given away.
    pub(crate) fn pairs(&self, lists: &Lists, given: bool) -> impl Iterator<Item = Pair> {
        let (rows, last) = (lists.rows.with_sum(self.sum), self.pit.unwrap_or(0));
        self.pairs.iter().map(move |&(before, now)| {
            if !given {
                return (before, now);
            }
            let mut row = rows[now as usize];
            row[last] = 0;
            (before, lists.rows.rank(&row) as u32)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::rank::{MAX_PITS, Row, Rows};
    use super::super::sowing::Sowing;
    use super::super::taking::Taking;
    use super::*;
    use lumbung_engine::rules::preset;

    fn lists(name: &str) -> Lists {
        let rules = &preset(name).unwrap().rules;
        Lists::new(Rows::new(4, 9).unwrap(), 9, Sowing::new(rules, 4), Taking::new(rules, 4), usize::MAX)
    }

    fn row(seeds: &[u8]) -> Row {
        let mut row = [0; MAX_PITS];
        row[..seeds.len()].copy_from_slice(seeds);
        row
    }

    fn has(lists: &Lists, pairs: impl IntoIterator<Item = Pair>, before: &[u8], now: &[u8]) -> bool {
        let pair = (lists.rows.rank(&row(before)) as u32, lists.rows.rank(&row(now)) as u32);
        pairs.into_iter().any(|found| found == pair)
    }

    #[test]
    fn rows_are_grouped_by_hand_and_by_pit() {
        let kalah = lists("kalah");
        let ways = kalah.lifted(5).unwrap();
        // From the last pit all seeds leave; from the first of four, one of four.
        let left = |hand| &ways.leaves.iter().find(|left| left.hand == hand).unwrap().passage;
        assert_eq!(left(3).sum(), 2);
        assert!(has(&kalah, left(3).pairs().iter().copied(), &[1, 0, 1, 3], &[1, 0, 1, 0]));
        assert!(has(&kalah, left(1).pairs().iter().copied(), &[4, 0, 1, 0], &[0, 1, 2, 1]));
        // One row, two ways out with one seed left.
        assert!(has(&kalah, left(1).whole(&kalah).unwrap().pairs(), &[4, 0, 0, 1], &[0, 1, 1, 2]));
        assert!(has(&kalah, left(1).whole(&kalah).unwrap().pairs(), &[4, 0, 0, 1], &[4, 0, 0, 0]));
        // A move that stops may capture from an empty pit only; others are quiet.
        assert!(ways.stops.iter().all(|stopped| stopped.pit.is_some()));
        let stopped = ways.stops.iter().find(|stopped| stopped.pit == Some(2)).unwrap();
        assert!(has(&kalah, stopped.pairs(&kalah, false), &[2, 0, 0, 3], &[0, 1, 1, 3]));
        assert!(has(&kalah, stopped.runs(&kalah, true).unwrap().pairs(), &[2, 0, 0, 3], &[0, 1, 0, 3]));
        assert!(!has(&kalah, stopped.pairs(&kalah, false), &[2, 0, 1, 2], &[0, 1, 2, 2]));
    }

    #[test]
    fn a_hand_that_comes_back_is_sown_on() {
        let dakon = lists("dakon");
        let left = &dakon.lifted(5).unwrap().leaves.iter().find(|left| left.hand == 3).unwrap().passage;
        // Of 0 0 2 3, 3 leave; one comes back into an empty pit and may capture.
        let ways = left.enter(&dakon, 1).unwrap();
        let stopped = ways.stops.iter().find(|stopped| stopped.pit == Some(0)).unwrap();
        assert!(has(&dakon, stopped.runs(&dakon, false).unwrap().pairs(), &[0, 0, 2, 3], &[1, 0, 2, 0]));
        // Three come back: the third falls on the 2, now 3; one for the last pit, two leave.
        let ways = left.enter(&dakon, 3).unwrap();
        let again = &ways.leaves.iter().find(|left| left.hand == 2).unwrap().passage;
        assert!(has(&dakon, again.pairs().iter().copied(), &[0, 0, 2, 3], &[1, 1, 0, 1]));
        assert_eq!(again.sum(), 3);
        assert!(std::ptr::eq(ways, left.enter(&dakon, 3).unwrap()));
    }

    #[test]
    fn no_list_is_made_without_room() {
        let rules = &preset("dakon").unwrap().rules;
        let lists = Lists::new(Rows::new(4, 9).unwrap(), 9, Sowing::new(rules, 4), Taking::new(rules, 4), 0);
        assert!(lists.lifted(5).is_none());
    }
}

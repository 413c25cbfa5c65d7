//! Transit table: a hand of seeds that enters the other player's row, for all her rows at once.
//!
//! For each row the move either ends there, after so many seeds were taken, or the hand comes out again after the last pit, with so
//! many seeds. The rows are grouped by that. Under rules without relays a transit is an *add list*: the first `hand` pits get a
//! seed each, no row differs from another in what becomes of the hand, and there is one group.

use super::passage::{Lists, Passage, grouped};
use super::room::ALLOCATION;
use super::runs::Runs;
use super::sown::Outcome;

/// What becomes of a hand in all rows of a passage.
#[derive(Debug)]
pub(crate) struct Transit {
    /// The rows where the move ends.
    pub(crate) ends: Box<[Ended]>,
    /// The rows that the hand leaves again.
    pub(crate) exits: Box<[Exit]>,
}

impl Transit {
    /// The most bytes that a transit of so many rows takes, if at most so many fates tell them apart.
    pub(crate) fn most_bytes(rows: usize, fates: usize) -> usize {
        let fate = ALLOCATION + size_of::<Ended>().max(size_of::<Exit>());
        3 * ALLOCATION + size_of::<Transit>() + Runs::most_bytes(rows) + rows.min(fates) * fate
    }

    /// Bytes this takes.
    pub(crate) fn bytes(&self) -> usize {
        let ends = self.ends.iter().map(|end| size_of_val(end) + end.runs.bytes());
        let exits = self.exits.iter().map(|exit| size_of_val(exit) + exit.passage.bytes());
        3 * ALLOCATION + size_of_val(self) + ends.sum::<usize>() + exits.sum::<usize>()
    }
}

/// The rows where the move ends with the same capture.
#[derive(Debug)]
pub(crate) struct Ended {
    /// Seeds taken, maybe none.
    pub(crate) seeds: usize,
    /// The chain of captures has taken the first pit too and goes on into the mover's row.
    pub(crate) through: bool,
    /// The sum of the rows that are left.
    pub(crate) sum: usize,
    /// From the rows that are left to the rows before the move.
    pub(crate) runs: Runs,
}

/// The rows that a hand leaves after their last pit.
#[derive(Debug)]
pub(crate) struct Exit {
    /// Seeds in the hand.
    pub(crate) hand: usize,
    /// The pit they were lifted from, if that was in this row and matters.
    pub(crate) lifted: Option<u8>,
    /// The rows.
    pub(crate) passage: Passage,
}

/// The transit table of `hand` seeds, at least one, that enter the rows of a passage at their first pit, passing over `skip`.
pub(crate) fn transit(passage: &Passage, lists: &Lists, hand: usize, skip: Option<u8>) -> Transit {
    let groups = grouped(passage.pairs().iter().map(|&(before, rank)| {
        let away = lists.send(passage.sum(), rank as usize, hand, skip);
        (away.outcome, (before, away.rank))
    }));
    let (mut ends, mut exits) = (Vec::new(), Vec::new());
    for (outcome, pairs) in groups {
        match outcome {
            Outcome::Ended(seeds, through) => {
                let seeds = usize::from(seeds);
                let sum = passage.sum() + hand - seeds;
                ends.push(Ended { seeds, through, sum, runs: Runs::new(&pairs, (passage.count(), lists.rows.count(sum))) });
            }
            Outcome::Exit(left, lifted) => {
                let left = usize::from(left);
                let passage = Passage::new(passage.sum() + hand - left, pairs.into(), passage.count());
                exits.push(Exit { hand: left, lifted, passage });
            }
            Outcome::Illegal => {}
        }
    }
    Transit { ends: ends.into(), exits: exits.into() }
}

/// What a chain of captures that comes back from the mover's first pit takes in the rows of a passage, from their last pit on.
pub(crate) fn chained(passage: &Passage, lists: &Lists) -> Box<[Ended]> {
    let now = lists.rows.with_sum(passage.sum());
    let groups = grouped(passage.pairs().iter().map(|&(before, rank)| {
        let mut row = now[rank as usize];
        let taken = lists.taking.chain(&mut row, lists.rows.pits() - 1, 0);
        (taken, (before, lists.rows.rank(&row) as u32))
    }));
    let ended = |((seeds, through), pairs): (_, Vec<_>)| {
        let sum = passage.sum() - seeds;
        Ended { seeds, through, sum, runs: Runs::new(&pairs, (passage.count(), lists.rows.count(sum))) }
    };
    groups.into_iter().map(ended).collect()
}

#[cfg(test)]
mod tests {
    use super::super::rank::{MAX_PITS, Row, Rows};
    use super::super::sowing::Sowing;
    use super::super::taking::Taking;
    use super::*;
    use lumbung_engine::rules::preset;

    fn lists(name: &str, pits: usize, seeds: usize) -> Lists {
        let rules = &preset(name).unwrap().rules;
        Lists::new(Rows::new(pits, seeds).unwrap(), seeds, Sowing::new(rules, pits), Taking::new(rules, pits), usize::MAX)
    }

    fn row(seeds: &[u8]) -> Row {
        let mut row = [0; MAX_PITS];
        row[..seeds.len()].copy_from_slice(seeds);
        row
    }

    /// Where the runs of a group lead from a row.
    fn target(lists: &Lists, runs: &Runs, sum: usize, from: &Row) -> Option<Row> {
        let before = lists.rows.rank(from) as u32;
        let (_, after) = runs.pairs().find(|&(to, _)| to == before)?;
        Some(lists.rows.with_sum(sum)[after as usize])
    }

    #[test]
    fn without_relays_it_is_an_add_list() {
        let lists = lists("kalah", 3, 7);
        for hand in 1..=3 {
            let transit = lists.root(4).enter(&lists, hand, None).unwrap();
            assert_eq!((transit.ends.len(), transit.exits.len()), (1, 0));
            let end = &transit.ends[0];
            assert_eq!((end.seeds, end.sum), (0, 4 + hand));
            for before in lists.rows.with_sum(4) {
                let mut after = *before;
                after[..hand].iter_mut().for_each(|c| *c += 1);
                assert_eq!(target(&lists, &end.runs, end.sum, before), Some(after));
            }
        }
        // Four seeds go round: one is left for the mover's row.
        let transit = lists.root(2).enter(&lists, 4, None).unwrap();
        assert_eq!((transit.ends.len(), transit.exits.len()), (0, 1));
        assert_eq!((transit.exits[0].hand, transit.exits[0].passage.sum()), (1, 5));
    }

    #[test]
    fn a_chain_comes_back_into_the_last_pits() {
        let lists = lists("djenon-abe", 3, 8);
        let list = chained(lists.root(6), &lists);
        let group = |seeds, through| list.iter().find(|end| (end.seeds, end.through) == (seeds, through)).unwrap();
        let whole = group(6, true);
        assert_eq!(target(&lists, &whole.runs, whole.sum, &row(&[2, 2, 2])), Some(row(&[0, 0, 0])));
        let two = group(6, false);
        assert_eq!(target(&lists, &two.runs, two.sum, &row(&[0, 2, 4])), Some(row(&[0, 0, 0])));
        let none = group(0, false);
        assert_eq!(target(&lists, &none.runs, none.sum, &row(&[2, 1, 3])), Some(row(&[2, 1, 3])));
        assert_eq!(list.iter().map(|end| end.runs.pairs().count()).sum::<usize>(), lists.rows.count(6));
    }

    #[test]
    fn relays_end_with_or_without_a_capture_or_come_out_again() {
        let lists = lists("dakon", 5, 8);
        let transit = lists.root(6).enter(&lists, 2, None).unwrap();
        // A quiet end: the second of two seeds falls in an empty pit, its neighbours unequal.
        let quiet = transit.ends.iter().find(|end| end.seeds == 0).unwrap();
        assert_eq!(target(&lists, &quiet.runs, quiet.sum, &row(&[2, 0, 4, 0, 0])), Some(row(&[3, 1, 4, 0, 0])));
        // A sandwich: the first seed makes the left neighbour 3, the right one holds 3.
        let mikul = transit.ends.iter().find(|end| end.seeds == 7).unwrap();
        assert_eq!(target(&lists, &mikul.runs, mikul.sum, &row(&[2, 0, 3, 1, 0])), Some(row(&[0, 0, 0, 1, 0])));
        // A relay that comes out: the second seed makes 5; three fall in this row and two leave.
        let exit = transit.exits.iter().find(|exit| exit.hand == 2).unwrap();
        let rank = lists.rows.rank(&row(&[1, 4, 0, 0, 1])) as u32;
        let now = exit.passage.pairs().iter().find(|pair| pair.0 == rank).unwrap().1;
        assert_eq!(lists.rows.with_sum(exit.passage.sum())[now as usize], row(&[2, 0, 1, 1, 2]));
    }
}

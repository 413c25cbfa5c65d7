//! Sown rows: what a hand of seeds makes of a row, worked out once for all rows of a sum.
//!
//! The moves of a row are found again for every sum of the other row, relays come to the same rows by many ways, and lists are made of
//! all rows. So what happens within a row on one passage of a hand is kept, by sum, hand and rank: eight bytes each. They count among
//! the lists; where there is no room for more, and where a hand passes over a pit, the row is sown instead.

use std::sync::OnceLock;

use super::passage::Lists;
use super::rank::{Row, Rows};
use super::sowing::Way;
use super::taking::Taken;

/// No pit.
const NOWHERE: u8 = u8::MAX;

/// A row after a hand has gone its way through it, before any capture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Sown {
    /// The rank of the row.
    pub(crate) rank: u32,
    /// Its sum.
    pub(crate) sum: u8,
    /// Seeds in the hand that leaves the row; 0 if the move stops in it.
    hand: u8,
    /// The pit in which the move stops, or that the hand was lifted from, if any.
    pit: u8,
    /// Seeds in the pit in which the move stops.
    last: u8,
}

/// What became of the hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Came {
    /// The move stops in this pit, which now holds so many seeds.
    Stops {
        /// The pit.
        pit: usize,
        /// Its seeds.
        last: u8,
    },
    /// See [`Way::Leaves`].
    Leaves {
        /// Seeds in the hand.
        hand: usize,
        /// The pit of this row that they were lifted from.
        lifted: Option<u8>,
    },
}

impl Sown {
    /// A pit that may not be lifted.
    const NO_MOVE: Sown = Sown { rank: 0, sum: 0, hand: 0, pit: NOWHERE, last: 0 };

    /// `seeds`: those of the row and of the hand that came in.
    #[inline(always)]
    fn new(rows: &Rows, row: &Row, way: Way, seeds: usize) -> Self {
        let (hand, pit, last) = match way {
            Way::Stops { pit } => (0, pit as u8, row[pit]),
            Way::Leaves { hand, lifted } => (hand as u8, lifted.unwrap_or(NOWHERE), 0),
        };
        Sown { rank: rows.rank(row) as u32, sum: seeds as u8 - hand, hand, pit, last }
    }

    /// A row that a hand has left.
    #[inline(always)]
    pub(crate) fn leaving(sum: usize, rank: u32, hand: usize) -> Self {
        Sown { rank, sum: sum as u8, hand: hand as u8, pit: NOWHERE, last: 0 }
    }

    /// What became of the hand.
    #[inline(always)]
    pub(crate) fn came(self) -> Came {
        if self.hand == 0 {
            Came::Stops { pit: usize::from(self.pit), last: self.last }
        } else {
            Came::Leaves { hand: usize::from(self.hand), lifted: (self.pit != NOWHERE).then_some(self.pit) }
        }
    }
}

/// What becomes of a hand in the other player's row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Outcome {
    /// The move ends there with so many seeds taken, maybe none; `true` if the chain of captures has taken the first pit too and
    /// goes on into the mover's row.
    Ended(u8, bool),
    /// The hand leaves the row, with so many seeds, lifted from this pit of it if that matters.
    Exit(u8, Option<u8>),
    /// The move is illegal.
    Illegal,
}

/// The other player's row after a hand has gone its way through it, captures made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Away {
    /// The rank of the row.
    pub(crate) rank: u32,
    /// What became of the hand.
    pub(crate) outcome: Outcome,
}

type Table<T> = OnceLock<Box<[T]>>;

/// Rows sown, by sum and hand; each worked out when first asked for.
#[derive(Debug)]
pub(crate) struct SownRows {
    /// By sum; in each by rank and pit.
    lifts: Box<[Table<Sown>]>,
    /// The largest sum for which there is such a table.
    most_lifted: usize,
    /// By sum and hand.
    home: Box<[Table<Sown>]>,
    away: Box<[Table<Away>]>,
}

impl SownRows {
    /// None yet of up to so many seeds; lifted rows are kept up to another sum.
    pub(crate) fn new(seeds: usize, most_lifted: usize) -> Self {
        fn tables<T>(count: usize) -> Box<[Table<T>]> {
            (0..count).map(|_| OnceLock::new()).collect()
        }
        let ways = (seeds + 1) * (seeds + 1);
        SownRows { lifts: tables(seeds + 1), most_lifted, home: tables(ways), away: tables(ways) }
    }
}

impl Lists {
    /// The row of this sum and rank after a pit has been lifted and sown through the rest of it; `None` if the pit may not be chosen.
    #[inline(always)]
    pub(crate) fn lift(&self, sum: usize, rank: usize, pit: usize) -> Option<Sown> {
        let pits = self.rows.pits();
        let len = || self.rows.count(sum) * pits;
        let table = if self.keeps_lifted(sum) { self.table(&self.sown.lifts[sum], len, || self.lift_all(sum)) } else { None };
        let sown = match table {
            Some(table) => table[rank * pits + pit],
            None => self.lift_one(sum, &self.rows.with_sum(sum)[rank], pit),
        };
        (sown.hand > 0 || sown.pit != NOWHERE).then_some(sown)
    }

    /// The row of this sum and rank after `hand` seeds, at least one, have entered it at its first pit, passing over `skip`.
    #[inline(always)]
    pub(crate) fn sow(&self, sum: usize, rank: usize, hand: usize, skip: Option<u8>) -> Sown {
        let one = |row: &Row| {
            let mut row = *row;
            let way = self.sowing.sow(&mut row, 0, hand, skip);
            Sown::new(&self.rows, &row, way, sum + hand)
        };
        let all = || self.rows.with_sum(sum).iter().map(one).collect();
        let table =
            if skip.is_none() { self.table(&self.sown.home[self.way(sum, hand)], || self.rows.count(sum), all) } else { None };
        match table {
            Some(table) => table[rank],
            None => one(&self.rows.with_sum(sum)[rank]),
        }
    }

    /// The same for a row of the other player, captures included.
    #[inline(always)]
    pub(crate) fn send(&self, sum: usize, rank: usize, hand: usize, skip: Option<u8>) -> Away {
        let one = |row: &Row| {
            let mut row = *row;
            let outcome = match self.sowing.sow(&mut row, 0, hand, skip) {
                Way::Stops { pit } => match self.taking.away(&mut row, pit) {
                    Taken::Seeds(seeds) => Outcome::Ended(seeds as u8, false),
                    Taken::Through(seeds) => Outcome::Ended(seeds as u8, true),
                    Taken::ForbiddenSlam => return Away { rank: 0, outcome: Outcome::Illegal },
                },
                Way::Leaves { hand, lifted } => Outcome::Exit(hand as u8, lifted),
            };
            Away { rank: self.rows.rank(&row) as u32, outcome }
        };
        let all = || self.rows.with_sum(sum).iter().map(one).collect();
        let table =
            if skip.is_none() { self.table(&self.sown.away[self.way(sum, hand)], || self.rows.count(sum), all) } else { None };
        match table {
            Some(table) => table[rank],
            None => one(&self.rows.with_sum(sum)[rank]),
        }
    }

    #[inline(always)]
    fn way(&self, sum: usize, hand: usize) -> usize {
        sum * (self.seeds + 1) + hand
    }

    /// Whether rows of a sum are lifted again and again: where moves are found the other way round for the fuller of two rows, those
    /// are lifted once for their lists and once for their quiet moves, and a table would take longer to make than it saves.
    #[inline(always)]
    fn keeps_lifted(&self, sum: usize) -> bool {
        sum <= self.sown.most_lifted
    }

    fn lift_all(&self, sum: usize) -> Box<[Sown]> {
        let (rows, pits) = (self.rows.with_sum(sum), self.rows.pits());
        let mut lifts = Vec::with_capacity(rows.len() * pits);
        for row in rows {
            for pit in 0..pits {
                lifts.push(self.lift_one(sum, row, pit));
            }
        }
        lifts.into_boxed_slice()
    }

    #[inline]
    fn lift_one(&self, sum: usize, row: &Row, pit: usize) -> Sown {
        if !self.sowing.may_lift(row[pit]) {
            return Sown::NO_MOVE;
        }
        let mut row = *row;
        let way = self.sowing.lift(&mut row, pit);
        Sown::new(&self.rows, &row, way, sum)
    }

    /// A table of `len` entries, made by `all` if it is not there yet and there is room.
    #[inline(always)]
    fn table<'t, T>(&self, table: &'t Table<T>, len: impl FnOnce() -> usize, all: impl FnOnce() -> Box<[T]>) -> Option<&'t [T]> {
        let table = self.room.once(table, || len() * size_of::<T>(), all, |table| size_of_val(&**table))?;
        Some(table)
    }
}

#[cfg(test)]
mod tests {
    use super::super::rank::{MAX_PITS, Rows};
    use super::super::sowing::Sowing;
    use super::super::taking::Taking;
    use super::*;
    use lumbung_engine::rules::preset;

    fn lists(name: &str, changes: &[&str], room: usize) -> Lists {
        let rules = preset(name).unwrap().rules.with_set(changes).unwrap();
        Lists::new(Rows::new(4, 9).unwrap(), 9, Sowing::new(&rules, 4), Taking::new(&rules, 4), room)
    }

    fn row(seeds: &[u8]) -> Row {
        let mut row = [0; MAX_PITS];
        row[..seeds.len()].copy_from_slice(seeds);
        row
    }

    fn rank(lists: &Lists, seeds: &[u8]) -> usize {
        lists.rows.rank(&row(seeds))
    }

    #[test]
    fn an_entry_takes_eight_bytes() {
        assert_eq!((size_of::<Sown>(), size_of::<Away>()), (8, 8));
    }

    #[test]
    fn a_lifted_row_is_looked_up() {
        for room in [0, usize::MAX] {
            let lists = lists("dakon", &[], room);
            // 1 falls on the second pit, now 2; they are lifted and end in the fourth, which was empty.
            let sown = lists.lift(2, rank(&lists, &[1, 1, 0, 0]), 0).unwrap();
            assert_eq!((sown.rank as usize, sown.sum), (rank(&lists, &[0, 0, 1, 1]), 2));
            assert_eq!(sown.came(), Came::Stops { pit: 3, last: 1 });
            // The last of 2 falls on the third pit, now 4: one for the fourth, three leave.
            let sown = lists.lift(5, rank(&lists, &[2, 0, 3, 0]), 0).unwrap();
            assert_eq!((sown.rank as usize, sown.sum), (rank(&lists, &[0, 1, 0, 1]), 2));
            assert_eq!(sown.came(), Came::Leaves { hand: 3, lifted: None });
            assert_eq!(lists.lift(5, rank(&lists, &[2, 0, 3, 0]), 1), None);
        }
    }

    #[test]
    fn a_pit_that_may_not_be_chosen_has_no_move() {
        let lists = lists("kalah", &["sowing.min-seeds=2"], usize::MAX);
        assert_eq!(lists.lift(3, rank(&lists, &[1, 2, 0, 0]), 0), None);
        let came = lists.lift(3, rank(&lists, &[1, 2, 0, 0]), 1).unwrap().came();
        assert_eq!(came, Came::Stops { pit: 3, last: 1 });
    }

    #[test]
    fn a_row_that_is_entered_is_looked_up() {
        for room in [0, usize::MAX] {
            let lists = lists("dakon", &[], room);
            // Worked by hand: 2 seeds fall on the first two pits, the second of which was empty.
            let sown = lists.sow(3, rank(&lists, &[1, 0, 2, 0]), 2, None);
            assert_eq!((sown.rank as usize, sown.came()), (rank(&lists, &[2, 1, 2, 0]), Came::Stops { pit: 1, last: 1 }));
            // For the other player's row that is a sandwich: 2 and 2 about the landing seed.
            let away = lists.send(3, rank(&lists, &[1, 0, 2, 0]), 2, None);
            assert_eq!((away.rank, away.outcome), (0, Outcome::Ended(5, false)));
            // 1 makes the first pit 4: three for the others, one leaves.
            let away = lists.send(3, rank(&lists, &[3, 0, 0, 0]), 1, None);
            assert_eq!((away.rank as usize, away.outcome), (rank(&lists, &[0, 1, 1, 1]), Outcome::Exit(1, None)));
        }
    }

    #[test]
    fn a_hand_that_passes_over_a_pit_is_not_mixed_up_with_one_that_does_not() {
        let lists = lists("kalah", &["sowing.origin=skipped"], usize::MAX);
        let at = rank(&lists, &[1, 0, 1, 0]);
        assert_eq!(lists.sow(2, at, 2, None).rank as usize, rank(&lists, &[2, 1, 1, 0]));
        assert_eq!(lists.sow(2, at, 2, Some(1)).rank as usize, rank(&lists, &[2, 0, 2, 0]));
        assert_eq!(lists.sow(2, at, 2, None).rank as usize, rank(&lists, &[2, 1, 1, 0]));
    }

    #[test]
    fn a_forbidden_slam_is_illegal() {
        let changes = [
            "capture.count.enabled=true",
            "capture.count.counts=[2,3]",
            "capture.count.side=opponent",
            "capture.count.grand-slam=forbidden",
        ];
        let lists = lists("kalah", &changes, usize::MAX);
        assert_eq!(lists.send(1, rank(&lists, &[1, 0, 0, 0]), 1, None).outcome, Outcome::Illegal);
        assert_eq!(lists.send(2, rank(&lists, &[1, 0, 0, 1]), 1, None).outcome, Outcome::Ended(2, false));
    }
}

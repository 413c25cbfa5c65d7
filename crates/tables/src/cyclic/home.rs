//! Moves at home: those that stay in the mover's row and capture nothing, whatever the other row.
//!
//! They carry seeds forward and so raise the rank of the row: within a pair of splits they can be followed in one pass.

use std::ops::Range;

use crate::rows::passage::Lists;
use crate::rows::rank::Row;
use crate::rows::runs::{Pair, Runs};
use crate::rows::sowing::Way;

/// The row after the move from a pit, if that stays at home and captures nothing whatever the other row.
#[inline]
pub(super) fn home_move(lists: &Lists, row: &Row, pit: usize) -> Option<Row> {
    if !lists.sowing.may_lift(row[pit]) {
        return None;
    }
    let mut row = *row;
    match lists.sowing.lift(&mut row, pit) {
        Way::Stops { pit: last } if !lists.taking.takes_at_home(row[last]) => Some(row),
        _ => None,
    }
}

/// Where the moves at home of all rows of a sum lead to.
#[derive(Debug)]
pub(super) struct Homes {
    /// For each row where its moves end; they start where those of the row before end.
    ends: Box<[usize]>,
    /// The ranks of the rows after the moves.
    ranks: Box<[u32]>,
}

impl Homes {
    pub(super) fn new(lists: &Lists, sum: usize) -> Self {
        let (mut ends, mut ranks) = (Vec::new(), Vec::new());
        for row in lists.rows.with_sum(sum) {
            let after = (0..lists.rows.pits()).filter_map(|pit| home_move(lists, row, pit));
            ranks.extend(after.map(|after| lists.rows.rank(&after) as u32));
            ends.push(ranks.len());
        }
        Homes { ends: ends.into(), ranks: ranks.into() }
    }

    /// The ranks that the moves of a row lead to.
    #[inline]
    pub(super) fn of(&self, rank: usize) -> &[u32] {
        let from = rank.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.ranks[from..self.ends[rank]]
    }
}

/// From rows after to rows before the moves of a sum, for the rows before from one rank on: these are numbered from 0.
pub(super) fn edges(lists: &Lists, sum: usize, rows: Range<usize>) -> Runs {
    let mut pairs: Vec<Pair> = Vec::new();
    // Pit by pit: rows that lie next to each other make the same move from the same pit, and so form runs.
    for pit in 0..lists.rows.pits() {
        for (before, row) in lists.rows.with_sum(sum)[rows.clone()].iter().enumerate() {
            if let Some(after) = home_move(lists, row, pit) {
                pairs.push((before as u32, lists.rows.rank(&after) as u32));
            }
        }
    }
    Runs::new(&pairs, (rows.len(), lists.rows.count(sum)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rows::rank::{MAX_PITS, Rows};
    use crate::rows::sowing::Sowing;
    use crate::rows::taking::Taking;
    use lumbung_engine::rules::preset;

    fn lists(name: &str, pits: usize) -> Lists {
        let rules = &preset(name).unwrap().rules;
        Lists::new(Rows::new(pits, 9).unwrap(), 9, Sowing::new(rules, pits), Taking::new(rules, pits), usize::MAX)
    }

    fn row(seeds: &[u8]) -> Row {
        let mut row = [0; MAX_PITS];
        row[..seeds.len()].copy_from_slice(seeds);
        row
    }

    #[test]
    fn what_captures_or_leaves_is_not_at_home() {
        let awari = lists("awari", 4);
        assert_eq!(home_move(&awari, &row(&[2, 1, 1, 0]), 0), Some(row(&[0, 2, 2, 0])));
        assert_eq!(home_move(&awari, &row(&[2, 1, 1, 1]), 3), None);
        // Djenon-abe: a last pit of 2 is taken; of 3, lifted.
        let djenon = lists("djenon-abe", 4);
        assert_eq!(home_move(&djenon, &row(&[2, 1, 1, 0]), 0), None);
        assert_eq!(home_move(&djenon, &row(&[2, 1, 0, 0]), 0), Some(row(&[0, 2, 1, 0])));
        assert_eq!(home_move(&djenon, &row(&[1, 2, 0, 0]), 0), None);
    }

    #[test]
    fn moves_at_home_raise_the_rank() {
        for name in ["awari", "djenon-abe", "djenon-aboure"] {
            let lists = lists(name, 4);
            let count = lists.rows.count(6);
            let all = lists.rows.with_sum(6).iter().flat_map(|row| (0..4).map(move |pit| (row, pit)));
            let expected = all.filter_map(|(row, pit)| Some((row, home_move(&lists, row, pit)?)));
            let mut expected: Vec<Pair> =
                expected.map(|(row, after)| (lists.rows.rank(row) as u32, lists.rows.rank(&after) as u32)).collect();
            assert!(expected.iter().all(|&(before, after)| after > before), "{name}");
            let homes = Homes::new(&lists, 6);
            let listed: Vec<Pair> =
                (0..count).flat_map(|before| homes.of(before).iter().map(move |&after| (before as u32, after))).collect();
            assert_eq!(listed, expected, "{name}");
            expected.sort_unstable();
            // In one part or in several.
            for starts in [&[0, count][..], &[0, 1, 30, count]] {
                let parts = starts.windows(2).flat_map(|ends| {
                    let edges = edges(&lists, 6, ends[0]..ends[1]);
                    edges.pairs().map(|(before, after)| (before + ends[0] as u32, after)).collect::<Vec<_>>()
                });
                let mut listed: Vec<Pair> = parts.collect();
                listed.sort_unstable();
                assert_eq!(listed, expected, "{name}, {starts:?}");
            }
        }
    }
}

//! Moves at home: those that stay in the mover's row and capture nothing, whatever the other row.
//!
//! They carry seeds forward and so raise the rank of the row: within a pair of splits they can be followed in one pass.

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

/// From rows after to rows before the moves of a sum.
pub(super) fn edges(lists: &Lists, sum: usize) -> Runs {
    let mut pairs: Vec<Pair> = Vec::new();
    // Pit by pit: rows that lie next to each other make the same move from the same pit, and so form runs.
    for pit in 0..lists.rows.pits() {
        for (before, row) in lists.rows.with_sum(sum).iter().enumerate() {
            if let Some(after) = home_move(lists, row, pit) {
                pairs.push((before as u32, lists.rows.rank(&after) as u32));
            }
        }
    }
    Runs::new(&pairs, (lists.rows.count(sum), lists.rows.count(sum)))
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
    fn edges_raise_the_rank() {
        for name in ["awari", "djenon-abe", "djenon-aboure"] {
            let lists = lists(name, 4);
            let mut listed: Vec<Pair> = edges(&lists, 6).pairs().collect();
            assert!(listed.iter().all(|&(before, after)| after > before), "{name}");
            let all = lists.rows.with_sum(6).iter().flat_map(|row| (0..4).map(move |pit| (row, pit)));
            let expected = all.filter_map(|(row, pit)| Some((row, home_move(&lists, row, pit)?)));
            let mut expected: Vec<Pair> =
                expected.map(|(row, after)| (lists.rows.rank(row) as u32, lists.rows.rank(&after) as u32)).collect();
            listed.sort_unstable();
            expected.sort_unstable();
            assert_eq!(listed, expected, "{name}");
        }
    }
}

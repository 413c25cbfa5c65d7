//! Capture list: the pit opposite, emptied in all rows of the other player at once.
//!
//! A capture takes as many seeds as the pit holds, and that decides in which layer the value is looked up. So the rows of a
//! passage are grouped by the seeds in the pit; in a group, the row that is left behind has the same sum for all.

use super::passage::{Passage, grouped};
use super::rank::Rows;
use super::runs::Runs;

/// The rows with one number of seeds in a pit, each with what is left of it.
#[derive(Debug)]
pub(crate) struct Captured {
    /// Seeds taken; the group with none is there too.
    pub(crate) seeds: usize,
    /// The sum of the rows that are left.
    pub(crate) sum: usize,
    /// From the rows that are left to the rows before the move.
    pub(crate) runs: Runs,
}

/// The rows of a passage grouped by what is in `pit`.
pub(crate) fn capture_list(passage: &Passage, rows: &Rows, pit: usize) -> Box<[Captured]> {
    let now = rows.with_sum(passage.sum());
    let groups = grouped(passage.pairs().iter().map(|&(before, rank)| {
        let mut row = now[rank as usize];
        let taken = std::mem::take(&mut row[pit]);
        (usize::from(taken), (before, rows.rank(&row) as u32))
    }));
    let captured = |(seeds, pairs): (usize, Vec<_>)| {
        let sum = passage.sum() - seeds;
        Captured { seeds, sum, runs: Runs::new(&pairs, (passage.count(), rows.count(sum))) }
    };
    groups.into_iter().map(captured).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rows::runs::Then;

    #[test]
    fn rows_are_grouped_by_what_is_taken() {
        let rows = Rows::new(3, 5).unwrap();
        let root = Passage::root(&rows, 5);
        let list = capture_list(&root, &rows, 1);
        assert_eq!(list.iter().map(|group| group.seeds).collect::<Vec<_>>(), [0, 1, 2, 3, 4, 5]);
        for group in &list {
            assert_eq!(group.sum, 5 - group.seeds);
            // Each row left behind carries its own rank as its value, so that the result shows where it went.
            let found: Vec<i8> = (0..rows.count(group.sum) as i8).collect();
            let mut values = vec![i8::MIN; rows.count(5)];
            group.runs.raise(&mut values, &found, 0, Then::Again);
            for (row, &value) in rows.with_sum(5).iter().zip(&values) {
                let mut left = *row;
                left[1] = 0;
                let expected = if usize::from(row[1]) == group.seeds { rows.rank(&left) as i8 } else { i8::MIN };
                assert_eq!(value, expected, "{row:?}");
            }
        }
    }
}

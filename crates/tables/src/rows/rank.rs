//! Row rank: the rows of a sum, numbered.
//!
//! Rows of `n` pits with `a` seeds are ordered by their first pit, then their second and so on, larger pits first; the proof of
//! the formula is at [`crate::index`]. Two things about this order make the builder fast: a seed that moves forward raises the
//! rank, and rows that agree in their first pits lie next to each other, so that whatever is done to first pits only moves whole
//! stretches of rows.

use std::sync::OnceLock;

use crate::index::choose;
use crate::values::MAX_BYTE_SEEDS;

/// The most pits a row may have here.
pub const MAX_PITS: usize = 16;

/// The seeds in the pits of a row, first pit first; pits beyond the board's stay 0.
pub(crate) type Row = [u8; MAX_PITS];

/// Every row of some number of pits with at most some number of seeds.
#[derive(Debug)]
pub(crate) struct Rows {
    pits: usize,
    /// `terms[k][t]`: what a suffix sum `t` from pit `k` on adds to the rank.
    terms: Box<[[u32; MAX_BYTE_SEEDS + 1]; MAX_PITS]>,
    /// `counts[a]`: rows with `a` seeds.
    counts: Vec<usize>,
    /// For each sum its rows in the order of their ranks, listed when first asked for.
    listed: Vec<OnceLock<Box<[Row]>>>,
}

impl Rows {
    /// Numbers the rows of `pits` pits with at most `seeds` seeds; `None` where 32 bits do not suffice or the row is too wide.
    pub(crate) fn new(pits: usize, seeds: usize) -> Option<Self> {
        if pits > MAX_PITS || seeds > MAX_BYTE_SEEDS {
            return None;
        }
        let (n, width) = (pits as u64, seeds + 1);
        let fits = |rows: u64| u32::try_from(rows).ok();
        let mut terms = Box::new([[0; MAX_BYTE_SEEDS + 1]; MAX_PITS]);
        for k in 1..n {
            for t in 0..width as u64 {
                terms[k as usize][t as usize] = fits(choose(t + n - 1 - k, n - k)?)?;
            }
        }
        let counts =
            (0..width as u64).map(|a| fits(choose(a + n - 1, n - 1)?).map(|rows| rows as usize)).collect::<Option<Vec<_>>>()?;
        Some(Rows { pits, terms, counts, listed: (0..width).map(|_| OnceLock::new()).collect() })
    }

    /// Pits a row.
    pub(crate) fn pits(&self) -> usize {
        self.pits
    }

    /// Rows with `sum` seeds.
    #[inline(always)]
    pub(crate) fn count(&self, sum: usize) -> usize {
        self.counts[sum]
    }

    /// The number of a row among those of its sum.
    #[inline(always)]
    pub(crate) fn rank(&self, row: &Row) -> usize {
        if self.pits <= 8 {
            // With the bytes reversed, the product holds the suffix sums of all pits at once.
            let [first, ..] = row.as_chunks::<8>().0 else { return 0 };
            let mut suffixes = u64::from_be_bytes(*first).wrapping_mul(0x0101_0101_0101_0101) >> (8 * (8 - self.pits));
            let mut rank = 0;
            for k in (1..self.pits).rev() {
                rank += self.terms[k][(suffixes & 127) as usize];
                suffixes >>= 8;
            }
            return rank as usize;
        }
        let (mut suffix, mut rank) = (0, 0);
        for k in (1..self.pits).rev() {
            suffix += usize::from(row[k]);
            rank += self.terms[k][suffix];
        }
        rank as usize
    }

    /// The rows with `sum` seeds, in the order of their ranks.
    pub(crate) fn with_sum(&self, sum: usize) -> &[Row] {
        self.listed[sum].get_or_init(|| {
            let mut row = [0; MAX_PITS];
            row[0] = sum as u8;
            let mut rows = Vec::with_capacity(self.counts[sum]);
            loop {
                rows.push(row);
                if !self.step(&mut row) {
                    return rows.into_boxed_slice();
                }
            }
        })
    }

    fn step(&self, row: &mut Row) -> bool {
        let last = self.pits - 1;
        let Some(from) = (0..last).rev().find(|&pit| row[pit] > 0) else { return false };
        let tail = std::mem::take(&mut row[last]);
        row[from] -= 1;
        row[from + 1] = tail + 1;
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_listed_in_the_order_of_their_ranks() {
        for (pits, seeds) in [(1, 9), (2, 8), (4, 7), (6, 6), (9, 3)] {
            let rows = Rows::new(pits, seeds).unwrap();
            for sum in 0..=seeds {
                let listed = rows.with_sum(sum);
                assert_eq!(listed.len(), rows.count(sum));
                for (rank, row) in listed.iter().enumerate() {
                    assert_eq!(row.iter().map(|&c| usize::from(c)).sum::<usize>(), sum);
                    assert_eq!(rows.rank(row), rank, "{row:?}");
                }
                // Larger pits first: as lists of numbers, rows fall strictly.
                assert!(listed.windows(2).all(|pair| pair[0] > pair[1]));
            }
        }
    }

    #[test]
    fn a_seed_moved_forward_raises_the_rank() {
        let rows = Rows::new(5, 6).unwrap();
        for row in rows.with_sum(6) {
            for (from, to) in (0..5).flat_map(|from| (from + 1..5).map(move |to| (from, to))).filter(|&(from, _)| row[from] > 0) {
                let mut moved = *row;
                moved[from] -= 1;
                moved[to] += 1;
                assert!(rows.rank(&moved) > rows.rank(row));
            }
        }
    }

    #[test]
    fn too_wide_a_row_is_refused() {
        assert!(Rows::new(16, 3).is_some());
        assert!(Rows::new(17, 3).is_none());
    }
}

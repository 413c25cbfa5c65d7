//! Split: how the values of a layer are laid out.
//!
//! A layer with `s` seeds splits by the seeds `a` of one row. The boards of a split form a matrix, one line for each row of sum
//! `a`, one column for each row of sum `s - a`. The builder keeps each layer twice, with the same places for both:
//!
//! * `V`, in the order of the [`Index`](crate::Index): lines are the mover's rows, columns the other player's;
//! * `W`, transposed: lines are the other player's rows, columns the mover's.
//!
//! So for one row of *one* player, whichever of them is to move, the values for all rows of the other lie side by side.

use std::ops::Range;

use super::rank::Rows;

/// Where the matrices of all splits of all layers lie.
#[derive(Debug)]
pub(crate) struct Splits {
    width: usize,
    /// `starts[s * width + a]`: where the matrix of split `a` of layer `s` starts; `a = s + 1` is the end of the layer.
    starts: Vec<usize>,
}

impl Splits {
    /// Lays out the layers of up to `seeds` seeds; `None` if the total does not fit a machine word.
    pub(crate) fn new(rows: &Rows, seeds: usize) -> Option<Self> {
        Splits::of_layers(rows, seeds, |_| true)
    }

    /// The same with some layers left out, which take no place.
    pub(crate) fn of_layers(rows: &Rows, seeds: usize, wanted: impl Fn(usize) -> bool) -> Option<Self> {
        let width = seeds + 2;
        let mut starts = vec![0usize; width * width];
        let mut start = 0usize;
        for s in 0..=seeds {
            for a in 0..=s {
                starts[s * width + a] = start;
                if wanted(s) {
                    start = start.checked_add(rows.count(a).checked_mul(rows.count(s - a))?)?;
                }
            }
            starts[s * width + s + 1] = start;
        }
        Some(Splits { width, starts })
    }

    /// Where a layer lies.
    pub(crate) fn layer(&self, s: usize) -> Range<usize> {
        self.starts[s * self.width]..self.starts[s * self.width + s + 1]
    }

    /// Where the matrix of a split starts.
    #[inline(always)]
    pub(crate) fn start(&self, s: usize, a: usize) -> usize {
        self.starts[s * self.width + a]
    }

    /// Boards of a split.
    pub(crate) fn len(&self, s: usize, a: usize) -> usize {
        self.starts[s * self.width + a + 1] - self.starts[s * self.width + a]
    }

    /// Cuts a layer into the matrices of its splits, `a = 0` first.
    pub(crate) fn cut<'l>(&self, s: usize, mut layer: &'l mut [i8]) -> Vec<&'l mut [i8]> {
        (0..=s)
            .map(|a| {
                let (matrix, rest) = std::mem::take(&mut layer).split_at_mut(self.len(s, a));
                layer = rest;
                matrix
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::Index;
    use lumbung_engine::kernel::{Bytes16, Lanes};

    #[test]
    fn matrices_lie_where_the_index_numbers_their_boards() {
        let (pits, seeds) = (3, 6);
        let (index, rows) = (Index::new(pits, seeds).unwrap(), Rows::new(pits, seeds).unwrap());
        let splits = Splits::new(&rows, seeds).unwrap();
        for s in 0..=seeds {
            assert_eq!(splits.layer(s).start as u64, index.layer_start(s));
            assert_eq!(splits.layer(s).len() as u64, index.layer_len(s));
            for a in 0..=s {
                for (x, own) in rows.with_sum(a).iter().enumerate() {
                    for (y, other) in rows.with_sum(s - a).iter().enumerate() {
                        let mut board = Bytes16::EMPTY;
                        for pit in 0..pits {
                            board.set(pit, u32::from(own[pit]));
                            board.set(Bytes16::STRIDE + pit, u32::from(other[pit]));
                        }
                        assert_eq!((splits.start(s, a) + x * rows.count(s - a) + y) as u64, index.rank(&board));
                    }
                }
            }
        }
    }
}

//! A table in memory.

use lumbung_engine::kernel::Lanes;

use crate::index::Index;

/// Exact values of all boards with up to [`Table::seeds`] seeds in play, in the order of the [`Index`], one byte each: what the
/// player to move gains over the opponent from there on.
#[derive(Clone, Debug)]
pub struct Table {
    index: Index,
    seeds: usize,
    values: Vec<i8>,
}

/// The most seeds a table may hold: values are signed bytes.
pub const MAX_TABLE_SEEDS: usize = 127;

impl Table {
    pub(crate) fn new(index: Index, seeds: usize, values: Vec<i8>) -> Self {
        debug_assert_eq!(values.len() as u64, index.layer_start(seeds) + index.layer_len(seeds));
        Table { index, seeds, values }
    }

    /// The most seeds in play.
    pub fn seeds(&self) -> usize {
        self.seeds
    }

    /// Pits a row.
    pub fn pits(&self) -> usize {
        self.index.pits()
    }

    /// Boards in the table.
    pub fn len(&self) -> u64 {
        self.values.len() as u64
    }

    /// Whether there are none; there always is the empty board.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// The value of a board, or `None` if it has too many seeds.
    #[inline(always)]
    pub fn value<B: Lanes>(&self, board: &B) -> Option<i32> {
        if board.seeds() as usize > self.seeds {
            return None;
        }
        Some(i32::from(self.values[self.index.rank(board) as usize]))
    }

    /// The value of the board with this index, in an [`Index`] of the same pits, or `None` beyond the table.
    #[inline(always)]
    pub fn value_at(&self, index: u64) -> Option<i32> {
        self.values.get(index as usize).map(|&value| i32::from(value))
    }

    /// Has the processor fetch the value of the board with this index.
    #[inline(always)]
    pub fn prefetch(&self, index: u64) {
        if let Some(value) = self.values.get(index as usize) {
            crate::memory::prefetch(value);
        }
    }

    /// The values of a layer, in the order of the index.
    pub fn layer(&self, seeds: usize) -> &[i8] {
        let start = self.index.layer_start(seeds) as usize;
        &self.values[start..start + self.index.layer_len(seeds) as usize]
    }

    /// The numbering of the boards.
    pub fn index(&self) -> &Index {
        &self.index
    }
}

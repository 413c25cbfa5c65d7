//! A table in memory.

use lumbung_engine::kernel::{Lanes, Seat};

use crate::both::Both;
use crate::cyclic::Parity;
use crate::index::Index;
use crate::layers::{Halt, Layers};
use crate::values::{MAX_BYTE_SEEDS, Values, ValuesMut};

/// Exact values of all boards with up to [`Table::seeds`] seeds in play, in the order of the [`Index`]: what the player to move gains
/// over the opponent from there on. A byte each, or two in layers of more than [`MAX_BYTE_SEEDS`] seeds. Layers of one parity may be left
/// out.
#[derive(Clone, Debug)]
pub struct Table {
    index: Index,
    seeds: usize,
    parity: Parity,
    /// For each layer, the boards below it that are left out. For a layer that is left out itself, so many that no index of it leads
    /// to a value.
    left_out: Box<[u64]>,
    values: Vec<i8>,
    /// The values of layers of more than [`MAX_BYTE_SEEDS`] seeds, which come after all others.
    wide: Vec<i16>,
}

/// The most seeds a table may hold: as many as a board.
pub const MAX_TABLE_SEEDS: usize = lumbung_engine::position::MAX_SEEDS;

impl Table {
    pub(crate) fn new(index: Index, seeds: usize, values: Both) -> Self {
        Table::of_layers(index, seeds, Parity::All, values)
    }

    /// A table of the layers of one parity; `values` follow each other without gaps.
    pub(crate) fn of_layers(index: Index, seeds: usize, parity: Parity, values: Both) -> Self {
        let Both { bytes: values, words: wide } = values;
        let mut gaps = 0;
        let left_out = (0..=seeds).map(|s| {
            gaps += if parity.wants(s) { 0 } else { index.layer_len(s) };
            if parity.wants(s) { gaps } else { index.layer_end(s) }
        });
        let left_out = left_out.collect();
        debug_assert_eq!((values.len() + wide.len()) as u64, index.layer_end(seeds) - gaps);
        Table { index, seeds, parity, left_out, values, wide }
    }

    /// The most seeds in play.
    pub fn seeds(&self) -> usize {
        self.seeds
    }

    /// Which layers it has.
    pub fn parity(&self) -> Parity {
        self.parity
    }

    /// Whether it has the layer of boards with so many seeds.
    #[inline(always)]
    pub fn has(&self, seeds: usize) -> bool {
        seeds <= self.seeds && self.parity.wants(seeds)
    }

    /// Pits a row.
    pub fn pits(&self) -> usize {
        self.index.pits()
    }

    /// Boards whose values it holds.
    pub fn len(&self) -> u64 {
        (self.values.len() + self.wide.len()) as u64
    }

    /// Bytes that they take.
    pub fn bytes(&self) -> u64 {
        (size_of_val(&self.values[..]) + size_of_val(&self.wide[..])) as u64
    }

    /// Whether there are none; there always is the empty board.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// The value of a board that the player on `seat` is to move on, or `None` if its layer is not in the table.
    #[inline(always)]
    pub fn value_for<B: Lanes>(&self, board: &B, seat: Seat) -> Option<i32> {
        let seeds = board.seeds() as usize;
        if seeds > self.seeds {
            return None;
        }
        self.value_in(seeds, self.index.place(board, seat))
    }

    /// The same for the first seat, which is everybody's where each player owns her own row.
    #[inline(always)]
    pub fn value<B: Lanes>(&self, board: &B) -> Option<i32> {
        self.value_for(board, Seat::FIRST)
    }

    /// The value of the board with this index, in an [`Index`] of the same pits, or `None` if its layer is not in the table.
    pub fn value_at(&self, index: u64) -> Option<i32> {
        self.value_in((0..=self.seeds).rfind(|&seeds| self.index.layer_start(seeds) <= index)?, index)
    }

    /// The same where the seeds of the board are known.
    #[inline(always)]
    pub fn value_in(&self, seeds: usize, index: u64) -> Option<i32> {
        let place = index.wrapping_sub(*self.left_out.get(seeds)?) as usize;
        match self.values.get(place) {
            Some(&value) => Some(value.into()),
            None => self.wide_value(place),
        }
    }

    /// The value at a place beyond those of bytes; `None` where its layer is not in the table.
    #[cold]
    fn wide_value(&self, place: usize) -> Option<i32> {
        self.wide.get(place.wrapping_sub(self.values.len())).map(|&value| value.into())
    }

    /// Has the processor fetch the value of the board with so many seeds and this index.
    #[inline(always)]
    pub fn prefetch(&self, seeds: usize, index: u64) {
        // Wide values are looked up after those of bytes, out of line; they are not fetched ahead.
        let place = self.left_out.get(seeds).and_then(|&left_out| self.values.get(index.wrapping_sub(left_out) as usize));
        if let Some(value) = place {
            crate::memory::prefetch(value);
        }
    }

    /// The values of a layer, in the order of the index; none if it is not in the table.
    pub fn layer(&self, seeds: usize) -> Values<'_> {
        if !self.has(seeds) {
            return Values::NONE;
        }
        let start = (self.index.layer_start(seeds) - self.left_out[seeds]) as usize;
        let len = self.index.layer_len(seeds) as usize;
        if seeds <= MAX_BYTE_SEEDS {
            return Values::Bytes(&self.values[start..start + len]);
        }
        let start = start - self.values.len();
        Values::Words(&self.wide[start..start + len])
    }

    /// The numbering of the boards.
    pub fn index(&self) -> &Index {
        &self.index
    }
}

/// A table to be enlarged.
impl Layers for Table {
    fn ready(&self) -> usize {
        self.parity.layers(self.seeds)
    }

    fn read(&self, seeds: usize, values: ValuesMut) -> Result<usize, Halt> {
        match (self.layer(seeds), values) {
            (Values::Bytes(layer), ValuesMut::Bytes(values)) if layer.len() == values.len() => values.copy_from_slice(layer),
            (Values::Words(layer), ValuesMut::Words(values)) if layer.len() == values.len() => values.copy_from_slice(layer),
            _ => return Err(Halt),
        }
        Ok(0)
    }

    fn wants(&self, _: usize) -> bool {
        false
    }

    fn finished(&self, _: usize, _: Values) -> Result<(), Halt> {
        Ok(())
    }
}

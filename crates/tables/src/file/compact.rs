//! The compact encoding of a layer: see [`super::tiles`], [`super::model`] and [`super::rans`] for its parts.
//!
//! A block is the lengths of its tiles, two bytes each, then their bytes. Two streams code a tile: its first, third, ... lines are in one
//! that is read forwards from the tile's first byte, the others in one that is read backwards from its last. So two symbols can be
//! decoded at a time, and neither stream needs a length.

use lumbung_engine::rules::RuleSet;
use multiversion::multiversion;
use rayon::prelude::*;

use super::clock::Clock;
use super::model::{Contexts, ForEncoding, Models};
use super::rans::{Bytes, Decoder, Encoder};
use super::tiles::{TILE, Tile, Tiles, WIDEST};
use crate::value::Value;

/// How values become symbols: `value = base + step * symbol`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Alphabet {
    /// The lowest value.
    pub(super) base: i16,
    /// 2 if all values have the same parity, otherwise 1.
    pub(super) step: u8,
    /// How many symbols.
    pub(super) symbols: u16,
}

impl Alphabet {
    /// The alphabet of these values, rising.
    pub(super) fn of(values: impl Iterator<Item = i16> + Clone) -> Self {
        let (base, max) = (values.clone().min().unwrap_or(0), values.clone().max().unwrap_or(0));
        let step = if values.clone().all(|value| value.abs_diff(base) % 2 == 0) { 2 } else { 1 };
        Alphabet { base, step, symbols: (max.abs_diff(base) / u16::from(step)).saturating_add(1) }
    }

    /// Whether its symbols go from the lowest to the highest of these values, rising, and those can be of a layer with so many seeds: nobody
    /// gains or loses more than are in play.
    pub(super) fn is_valid(self, seeds: usize, values: impl DoubleEndedIterator<Item = i16> + Clone) -> bool {
        let top = i32::from(self.base) + i32::from(self.step) * (i32::from(self.symbols) - 1);
        let ends = values.clone().next().zip(values.clone().next_back());
        let is_of_them = ends.is_some_and(|(lowest, highest)| self.base == lowest && top == i32::from(highest));
        let can_be = |value: i16| usize::from(value.unsigned_abs()) <= seeds;
        matches!(self.step, 1 | 2) && is_of_them && ends.is_some_and(|(lowest, highest)| can_be(lowest) && can_be(highest))
    }

    /// Whether the compact encoding has room for so many symbols: they are bytes.
    pub(super) fn is_compact(self) -> bool {
        self.symbols <= MOST_SYMBOLS
    }

    #[inline(always)]
    fn symbol<V: Value>(self, value: V) -> u8 {
        let value: i16 = value.into();
        ((value - self.base) >> (self.step - 1)) as u8
    }

    /// The value of a symbol.
    #[inline(always)]
    pub(super) fn value<V: Value>(self, symbol: u8) -> V {
        V::wrapping(self.base.wrapping_add(i16::from(self.step) * i16::from(symbol)))
    }
}

/// The most symbols of a layer in the compact encoding.
const MOST_SYMBOLS: u16 = 256;

/// The most seeds of a layer that the compact encoding has room for, whatever its values: they lie within minus the seeds and the
/// seeds, every other one of these where all values of a layer have the same parity.
pub fn most_compact_seeds(rules: &RuleSet) -> usize {
    let most = usize::from(MOST_SYMBOLS) - 1;
    if rules.value_parity() { most } else { most / 2 }
}

/// Bytes that a thread takes to count the symbols of a layer of so many seeds, at most.
pub fn compact_counts(rules: &RuleSet, seeds: usize) -> u64 {
    let symbols = if rules.value_parity() { seeds + 1 } else { 2 * seeds + 1 };
    let contexts = Contexts::new(symbols.min(MOST_SYMBOLS.into()));
    (contexts.count() * contexts.symbols * size_of::<u64>()) as u64
}

/// A layer, encoded.
pub(super) struct Encoded {
    pub(super) models: Vec<u8>,
    pub(super) blocks: Vec<Vec<u8>>,
}

/// Blocks a thread takes at a time, at least.
const BLOCKS: usize = 16;

/// Encodes a layer on all threads, counting the time that each spends. The result does not depend on their number.
pub(super) fn encode<V: Value>(tiles: &Tiles, alphabet: Alphabet, values: &[V], clock: &Clock) -> Encoded {
    let contexts = Contexts::new(usize::from(alphabet.symbols));
    let blocks = tiles.blocks();
    // Every piece counts into a table of its own.
    let piece = blocks.div_ceil(4 * rayon::current_num_threads()).max(BLOCKS);
    let empty = || vec![0u64; contexts.count() * contexts.symbols];
    let counts = (0..blocks.div_ceil(piece))
        .into_par_iter()
        .map(|at| {
            let mut counts = empty();
            clock.count(|| {
                for block in at * piece..blocks.min((at + 1) * piece) {
                    count(tiles, alphabet, contexts, values, block, &mut counts);
                }
            });
            counts
        })
        .reduce_with(|mut sum, more| {
            sum.iter_mut().zip(&more).for_each(|(sum, more)| *sum += more);
            sum
        });
    let counts = counts.unwrap_or_else(empty);
    let models = clock.count(|| Models::from_counts(contexts, &counts));
    let for_encoding = models.for_encoding();
    let blocks = (0..blocks)
        .into_par_iter()
        .with_min_len(BLOCKS)
        .map(|block| clock.count(|| encode_block(tiles, alphabet, contexts, values, &for_encoding, block)))
        .collect();
    Encoded { models: models.to_bytes(), blocks }
}

/// A tile's symbols and their contexts.
struct Symbols {
    symbols: [u8; TILE],
    contexts: [u32; TILE],
    len: usize,
    width: usize,
}

impl Symbols {
    fn new() -> Self {
        Symbols { symbols: [0; TILE], contexts: [0; TILE], len: 0, width: 1 }
    }

    fn read<V: Value>(&mut self, tile: Tile, alphabet: Alphabet, contexts: Contexts, values: &[V]) {
        self.len = tile.width * tile.height;
        self.width = tile.width;
        let mut classes = contexts.nothing_above();
        for line in 0..tile.height {
            let from = tile.start + line * tile.stride;
            let at = line * tile.width;
            let symbols = &mut self.symbols[at..at + tile.width];
            for (symbol, &value) in symbols.iter_mut().zip(&values[from..from + tile.width]) {
                *symbol = alphabet.symbol(value);
            }
            let found = &mut self.contexts[at..at + tile.width];
            contexts.along(&mut classes, tile.width, |column, context| {
                found[column] = context as u32;
                symbols[column]
            });
        }
    }

    /// The symbols of each line with their contexts.
    fn lines(&self) -> impl DoubleEndedIterator<Item = impl DoubleEndedIterator<Item = (usize, u8)>> + ExactSizeIterator {
        let lines = self.contexts[..self.len].chunks(self.width).zip(self.symbols[..self.len].chunks(self.width));
        lines.map(|(contexts, symbols)| contexts.iter().map(|&context| context as usize).zip(symbols.iter().copied()))
    }
}

fn count<V: Value>(tiles: &Tiles, alphabet: Alphabet, contexts: Contexts, values: &[V], block: usize, counts: &mut [u64]) {
    let mut symbols = Symbols::new();
    for number in tiles.of_block(block) {
        symbols.read(tiles.tile(number), alphabet, contexts, values);
        for (context, symbol) in symbols.lines().flatten() {
            counts[context * contexts.symbols + usize::from(symbol)] += 1;
        }
    }
}

fn encode_block<V: Value>(
    tiles: &Tiles,
    alphabet: Alphabet,
    contexts: Contexts,
    values: &[V],
    models: &ForEncoding,
    block: usize,
) -> Vec<u8> {
    let numbers = tiles.of_block(block);
    let mut bytes = vec![0; 2 * numbers.len()];
    let mut symbols = Symbols::new();
    let [mut even, mut odd] = [Encoder::new(), Encoder::new()];
    for (at, number) in numbers.enumerate() {
        symbols.read(tiles.tile(number), alphabet, contexts, values);
        for (number, line) in symbols.lines().enumerate().rev() {
            let encoder = if number % 2 == 0 { &mut even } else { &mut odd };
            line.rev().for_each(|(context, symbol)| models.encode(context, symbol, encoder));
        }
        let start = bytes.len();
        even.finish(&mut bytes);
        if symbols.lines().len() > 1 {
            odd.finish_backwards(&mut bytes);
        }
        // At most 12 bits a value: a tile of them and the states fit 16 bits.
        let len = (bytes.len() - start) as u16;
        bytes[2 * at..2 * at + 2].copy_from_slice(&len.to_le_bytes());
    }
    bytes
}

/// The bytes of the tile with this place among the `tiles` of a block; `None` if the block is not such as an encoder writes.
pub(super) fn tile_bytes(block: &[u8], tiles: usize, place: usize) -> Option<&[u8]> {
    let (lengths, bytes) = block.split_at_checked(2 * tiles)?;
    let lengths = lengths.as_chunks::<2>().0;
    let start: usize = lengths.get(..place)?.iter().map(|&len| usize::from(u16::from_le_bytes(len))).sum();
    let len = usize::from(u16::from_le_bytes(*lengths.get(place)?));
    bytes.get(start..start + len)
}

/// Room for the symbols of a tile, a power of two.
pub(super) type Room = [u8; TILE.next_power_of_two()];
/// Such a room.
pub(super) const EMPTY: Room = [0; TILE.next_power_of_two()];

/// Decodes as much of a tile of this width and height as tells its symbol number `last`, into `symbols`; `None` if the bytes are not
/// such as an encoder writes, which is certain only if that is the last symbol of the tile.
#[multiversion(targets("x86_64+avx+avx2+bmi1+bmi2+fma+popcnt+movbe"))]
pub(super) fn decode(
    models: &Models,
    contexts: Contexts,
    bytes: &[u8],
    (width, height): (usize, usize),
    symbols: &mut Room,
    last: usize,
) -> Option<()> {
    let bytes = &Bytes::new(bytes)?;
    // A tile of one line has no second stream; what stands in for it is not asked for symbols.
    let (mut even, mut odd) = (Decoder::<false>::new(bytes), Decoder::<true>::new(bytes));
    let (mut is_known, mut line) = (true, contexts.nothing_above());
    // Within the room whatever the tile, so that nothing need be checked.
    let within = |at: usize| at % TILE.next_power_of_two();
    let columns = width.min(WIDEST);
    for start in (0..=last).step_by(2 * width) {
        let (mut upper, mut lower) = (contexts.begin(), contexts.begin());
        let left = last + 1 - start;
        if left <= width {
            for (column, above) in line[..left.min(columns)].iter_mut().enumerate() {
                let (symbol, class) = models.decode(&mut upper, *above, (&mut even, bytes), &mut is_known);
                (symbols[within(start + column)], *above) = (symbol, class);
            }
            break;
        }
        // The lower line is a column behind: neither stream then waits for the other.
        let line = &mut line[..columns.min(left - width)];
        let (symbol, mut above) = models.decode(&mut upper, line[0], (&mut even, bytes), &mut is_known);
        symbols[within(start)] = symbol;
        for column in 1..line.len() {
            let (symbol, class) = models.decode(&mut upper, line[column], (&mut even, bytes), &mut is_known);
            symbols[within(start + column)] = symbol;
            let (symbol, below) = models.decode(&mut lower, above, (&mut odd, bytes), &mut is_known);
            symbols[within(start + width + column - 1)] = symbol;
            (line[column - 1], above) = (below, class);
        }
        let (symbol, below) = models.decode(&mut lower, above, (&mut odd, bytes), &mut is_known);
        symbols[within(start + width + line.len() - 1)] = symbol;
        if let Some(place) = line.last_mut() {
            *place = below;
        }
    }
    let is_whole = last + 1 == width * height;
    let taken = even.taken() + if height > 1 { odd.taken() } else { 0 };
    let ends = even.is_at_start() && (height == 1 || odd.is_at_start()) && taken == bytes.len();
    (is_known && taken <= bytes.len() && (!is_whole || ends)).then_some(())
}

//! The compact encoding of a layer: see [`super::tiles`], [`super::model`] and [`super::rans`] for its parts.
//!
//! A block is the lengths of its tiles, two bytes each, then their bytes.

use rayon::prelude::*;

use super::clock::Clock;
use super::model::{Contexts, ForEncoding, Models};
use super::rans::{Decoder, Encoder};
use super::tiles::{TILE, Tile, Tiles};

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
        let step = if values.clone().all(|value| (value - base) % 2 == 0) { 2 } else { 1 };
        Alphabet { base, step, symbols: ((max - base) / i16::from(step) + 1) as u16 }
    }

    /// Whether every symbol is a value of a byte.
    pub(super) fn is_valid(self) -> bool {
        matches!(self.step, 1 | 2)
            && (1..=256).contains(&self.symbols)
            && self.base >= i16::from(i8::MIN)
            && i32::from(self.base) + i32::from(self.step) * (i32::from(self.symbols) - 1) <= i32::from(i8::MAX)
    }

    #[inline(always)]
    fn symbol(self, value: i8) -> u8 {
        ((i16::from(value) - self.base) >> (self.step - 1)) as u8
    }

    /// The value of a symbol.
    #[inline(always)]
    pub(super) fn value(self, symbol: u8) -> i8 {
        (self.base + i16::from(self.step) * i16::from(symbol)) as i8
    }
}

/// A layer, encoded.
pub(super) struct Encoded {
    pub(super) models: Vec<u8>,
    pub(super) blocks: Vec<Vec<u8>>,
}

/// Blocks a thread takes at a time, at least.
const BLOCKS: usize = 16;

/// Encodes a layer on all threads, counting the time that each spends. The result does not depend on their number.
pub(super) fn encode(tiles: &Tiles, alphabet: Alphabet, values: &[i8], clock: &Clock) -> Encoded {
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
        .reduce(empty, |mut sum, more| {
            sum.iter_mut().zip(&more).for_each(|(sum, more)| *sum += more);
            sum
        });
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
}

impl Symbols {
    fn new() -> Self {
        Symbols { symbols: [0; TILE], contexts: [0; TILE], len: 0 }
    }

    fn read(&mut self, tile: Tile, alphabet: Alphabet, contexts: Contexts, values: &[i8]) {
        self.len = tile.width * tile.height;
        for line in 0..tile.height {
            let from = tile.start + line * tile.stride;
            let at = line * tile.width;
            for (symbol, &value) in self.symbols[at..at + tile.width].iter_mut().zip(&values[from..from + tile.width]) {
                *symbol = alphabet.symbol(value);
            }
            let (above, these) = self.symbols.split_at(at);
            let above = (line > 0).then(|| &above[at - tile.width..]);
            let found = &mut self.contexts[at..at + tile.width];
            contexts.along(above, tile.width, |column, context| {
                found[column] = context as u32;
                these[column]
            });
        }
    }

    fn iter(&self) -> impl DoubleEndedIterator<Item = (usize, u8)> {
        self.contexts[..self.len].iter().map(|&context| context as usize).zip(self.symbols[..self.len].iter().copied())
    }
}

fn count(tiles: &Tiles, alphabet: Alphabet, contexts: Contexts, values: &[i8], block: usize, counts: &mut [u64]) {
    let mut symbols = Symbols::new();
    for number in tiles.of_block(block) {
        symbols.read(tiles.tile(number), alphabet, contexts, values);
        for (context, symbol) in symbols.iter() {
            counts[context * contexts.symbols + usize::from(symbol)] += 1;
        }
    }
}

fn encode_block(
    tiles: &Tiles,
    alphabet: Alphabet,
    contexts: Contexts,
    values: &[i8],
    models: &ForEncoding,
    block: usize,
) -> Vec<u8> {
    let numbers = tiles.of_block(block);
    let mut bytes = vec![0; 2 * numbers.len()];
    let mut symbols = Symbols::new();
    let mut encoder = Encoder::new();
    for (at, number) in numbers.enumerate() {
        symbols.read(tiles.tile(number), alphabet, contexts, values);
        for (context, symbol) in symbols.iter().rev() {
            models.encode(context, symbol, &mut encoder);
        }
        let start = bytes.len();
        encoder.finish(&mut bytes);
        // At most 12 bits a value: a tile of them and the state fit 16 bits.
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

/// Decodes the first `count` symbols of a tile into `symbols`, all `whole` of them if `count` is that many; `None` if the bytes are
/// not such as an encoder writes.
pub(super) fn decode(
    models: &Models,
    contexts: Contexts,
    bytes: &[u8],
    width: usize,
    whole: usize,
    symbols: &mut [u8; TILE],
    count: usize,
) -> Option<()> {
    let mut decoder = Decoder::new(bytes)?;
    let mut is_known = true;
    for start in (0..count).step_by(width) {
        let len = width.min(count - start);
        let (above, these) = symbols.split_at_mut(start);
        let above = (start > 0).then(|| &above[start - width..]);
        let these = &mut these[..len];
        contexts.along(above, len, |column, context| {
            let symbol = models.decode(context, &mut decoder);
            is_known &= symbol.is_some();
            these[column] = symbol.unwrap_or(0);
            these[column]
        });
    }
    (is_known && decoder.is_within() && (count < whole || decoder.is_at_end())).then_some(())
}

//! What is likely, given what stands beside it: the models of the compact encoding.
//!
//! A value's context is the value to its left, the one above, and by how much the one above to the left differs from the one above,
//! within its tile. Every context that occurs in a layer has its model: how often each symbol follows, in parts of [`SCALE`].

use super::rans::{Bytes, Decoder, Encoder, SCALE};
use super::tiles::WIDEST;

/// The most classes of values that contexts tell apart.
const MOST_CLASSES: usize = 48;
/// Differences beyond this, either way, count as this.
const FAR: i32 = 8;
/// Kinds of differences, the last being that there is nothing to the left.
const DIFFERENCES: usize = 2 * FAR as usize + 2;

/// How contexts are numbered in a layer with some number of symbols.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Contexts {
    /// Symbols are `0..symbols`.
    pub(super) symbols: usize,
    shift: u32,
    classes: usize,
}

impl Contexts {
    /// Contexts of at most 256 symbols.
    pub(super) fn new(symbols: usize) -> Self {
        let classes = |shift: u32| ((symbols.max(1) - 1) >> shift) + 1;
        let shift = (0..).find(|&shift| classes(shift) <= MOST_CLASSES).unwrap_or(0);
        Contexts { symbols, shift, classes: classes(shift) }
    }

    /// How many contexts there could be.
    pub(super) fn count(self) -> usize {
        (self.classes + 1) * (self.classes + 1) * DIFFERENCES
    }

    #[inline(always)]
    fn class(self, symbol: u8) -> u8 {
        symbol >> self.shift
    }

    /// The context of a place by the classes above to the left, above, and to the left.
    #[inline(always)]
    fn context(self, corner: Option<u8>, above: u8, left: u8) -> usize {
        let difference = match corner {
            None => DIFFERENCES - 1,
            Some(corner) => ((i32::from(corner) - i32::from(above)).clamp(-FAR, FAR) + FAR) as usize,
        };
        // What stands to the left comes last: it is known last, too.
        (usize::from(above) * DIFFERENCES + difference) * (self.classes + 1) + usize::from(left)
    }

    /// What stands above the first line of a tile: nothing, which counts as a class of its own. The same class is to the left of the
    /// first column.
    pub(super) fn nothing_above(self) -> Line {
        [self.classes as u8; WIDEST]
    }

    /// Goes through the first `len` places of a line from left to right and lets `symbol` tell the symbol of each from its column and
    /// context. `line` has the classes of the line above, and in the end those of this one.
    #[inline(always)]
    pub(super) fn along(self, line: &mut Line, len: usize, mut symbol: impl FnMut(usize, usize) -> u8) {
        let (mut corner, mut left) = (None, self.classes as u8);
        for (column, place) in line[..len].iter_mut().enumerate() {
            let above = *place;
            left = self.class(symbol(column, self.context(corner, above, left)));
            corner = Some(above);
            *place = left;
        }
    }
}

/// The classes of a line of a tile.
pub(super) type Line = [u8; WIDEST];

/// Where a line is read symbol by symbol.
pub(super) struct Place {
    /// What stands above to the left, as a part of the number of a [`Corner`].
    corner: usize,
    left: u8,
}

/// More than the number of classes: nothing above to the left.
const NO_CORNER: usize = 63;
/// Pairs of classes above to the left and above.
const CORNERS: usize = 64 * 64;

impl Contexts {
    /// The beginning of a line.
    #[inline(always)]
    pub(super) fn begin(self) -> Place {
        Place { corner: NO_CORNER, left: self.classes as u8 }
    }

    /// The contexts of all pairs of classes above to the left and above, with class 0 to the left.
    fn corners(self) -> Box<[u16; CORNERS]> {
        let mut corners = Box::new([0; CORNERS]);
        for (at, context) in corners.iter_mut().enumerate() {
            let (corner, above) = (at / 64, at % 64);
            if above <= self.classes {
                // At most 49 * 18 * 49 contexts.
                *context = self.context((corner != NO_CORNER).then_some(corner as u8), above as u8, 0) as u16;
            }
        }
        corners
    }
}

/// Stretches a group.
const GROUP: usize = 8;

/// Some stretches of a model, compared with a slot all at once: which symbol comes next is hard to foresee. Half a cache line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(align(32))]
struct Group {
    /// Where each stretch begins, and where the last one ends; [`SCALE`] for those that are not there.
    bounds: [u16; GROUP + 1],
    symbols: [u8; GROUP],
}

impl Group {
    const EMPTY: Group = Group { bounds: [SCALE as u16; GROUP + 1], symbols: [0; GROUP] };

    /// The symbol, start and frequency of a stretch; one that is not there has no frequency.
    #[inline(always)]
    fn stretch(&self, at: usize) -> (u8, u16, u16) {
        (self.symbols[at], self.bounds[at], self.bounds[at + 1] - self.bounds[at])
    }
}

/// The models of a layer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Models {
    contexts: Contexts,
    /// For each context where its groups begin; [`NONE`] if it has no model.
    first: Vec<u32>,
    /// The groups of all models. The stretches of a model follow each other from the most frequent symbol to the least, of equals
    /// the lowest first, so that nearly always the first group settles it.
    groups: Vec<Group>,
    corners: Box<[u16; CORNERS]>,
}

const NONE: u32 = u32::MAX;

impl Models {
    /// Models from counts: `counts[context * symbols + symbol]`.
    pub(super) fn from_counts(contexts: Contexts, counts: &[u64]) -> Models {
        let mut models = Models::empty(contexts);
        for (context, counts) in counts.chunks(contexts.symbols).enumerate() {
            if counts.iter().any(|&count| count > 0) {
                models.push(context, &scaled(counts));
            }
        }
        models
    }

    fn empty(contexts: Contexts) -> Models {
        Models { contexts, first: vec![NONE; contexts.count()], groups: Vec::new(), corners: contexts.corners() }
    }

    fn push(&mut self, context: usize, frequencies: &[u16]) {
        let mut order: Vec<usize> = (0..frequencies.len()).filter(|&symbol| frequencies[symbol] > 0).collect();
        order.sort_by_key(|&symbol| (std::cmp::Reverse(frequencies[symbol]), symbol));
        self.first[context] = self.groups.len() as u32;
        let mut end = 0;
        for symbols in order.chunks(GROUP) {
            let mut group = Group::EMPTY;
            group.bounds[0] = end;
            for (at, &symbol) in symbols.iter().enumerate() {
                end += frequencies[symbol];
                group.bounds[at + 1] = end;
                group.symbols[at] = symbol as u8;
            }
            self.groups.push(group);
        }
    }

    /// The stretches of the model whose first group this is: symbol, start, frequency.
    fn model(&self, first: u32) -> impl Iterator<Item = (usize, u16, u16)> {
        let mut is_over = false;
        let groups = self.groups[first as usize..].iter().flat_map(|group| (0..GROUP).map(move |at| group.stretch(at)));
        groups.map_while(move |(symbol, start, frequency)| {
            let over = is_over;
            is_over |= u32::from(start + frequency) == SCALE;
            (!over).then_some((usize::from(symbol), start, frequency))
        })
    }

    /// Decodes the symbol of the next place of a line, `above` being the class above it; returns it with its class. Where an encoder
    /// never comes, `is_known` becomes false.
    #[inline(always)]
    pub(super) fn decode<const BACKWARDS: bool>(
        &self,
        place: &mut Place,
        above: u8,
        (decoder, bytes): (&mut Decoder<BACKWARDS>, &Bytes),
        is_known: &mut bool,
    ) -> (u8, u8) {
        let above = usize::from(above) % 64;
        let context = usize::from(self.corners[place.corner * 64 + above]) + usize::from(place.left);
        let slot = decoder.slot() as u16;
        // The stretches of a model cover all slots, so the search never leaves them; without a model the first step finds nothing.
        let mut at = self.first.get(context).map_or(NONE, |&first| first) as usize;
        let mut symbol = 0;
        loop {
            let Some(group) = self.groups.get(at) else {
                *is_known = false;
                break;
            };
            let passed: u16 = group.bounds[1..].iter().map(|&end| u16::from(end <= slot)).sum();
            let within = usize::from(passed);
            if within < GROUP {
                let (found, start, frequency) = group.stretch(within);
                decoder.take(bytes, u32::from(start), u32::from(frequency));
                symbol = found;
                break;
            }
            at += 1;
        }
        (place.corner, place.left) = (above, self.contexts.class(symbol));
        (symbol, place.left)
    }

    /// The models as bytes: see the format page.
    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut next = 0;
        for (context, &first) in self.first.iter().enumerate().filter(|(_, first)| **first != NONE) {
            put_number(&mut bytes, context - next);
            next = context + 1;
            let mut frequencies = vec![0; self.contexts.symbols];
            self.model(first).for_each(|(symbol, _, frequency)| frequencies[symbol] = frequency);
            let mask = bytes.len();
            bytes.resize(mask + self.contexts.symbols.div_ceil(8), 0);
            let present: Vec<usize> = (0..frequencies.len()).filter(|&symbol| frequencies[symbol] > 0).collect();
            for &symbol in &present {
                bytes[mask + symbol / 8] |= 1 << (symbol % 8);
            }
            for &symbol in present.iter().rev().skip(1).rev() {
                put_number(&mut bytes, usize::from(frequencies[symbol]));
            }
        }
        bytes
    }

    /// The models that these bytes are, or what is wrong with them.
    pub(super) fn from_bytes(contexts: Contexts, mut bytes: &[u8]) -> Result<Models, &'static str> {
        let mut models = Models::empty(contexts);
        let mut next = 0usize;
        while !bytes.is_empty() {
            let gap = take_number(&mut bytes).ok_or("a model lacks its context")?;
            let context = next.checked_add(gap).filter(|&context| context < contexts.count()).ok_or("a context out of range")?;
            next = context + 1;
            let (mask, rest) = bytes.split_at_checked(contexts.symbols.div_ceil(8)).ok_or("a model lacks its symbols")?;
            bytes = rest;
            let present: Vec<usize> = (0..8 * mask.len()).filter(|&symbol| mask[symbol / 8] >> (symbol % 8) & 1 == 1).collect();
            let (&last, others) = present.split_last().ok_or("a model without symbols")?;
            if last >= contexts.symbols {
                return Err("a symbol out of range");
            }
            let mut frequencies = vec![0; contexts.symbols];
            let mut left = SCALE as usize;
            for &symbol in others {
                let frequency = take_number(&mut bytes).filter(|&f| f > 0 && f < left).ok_or("a frequency out of range")?;
                frequencies[symbol] = frequency as u16;
                left -= frequency;
            }
            frequencies[last] = left as u16;
            models.push(context, &frequencies);
        }
        Ok(models)
    }

    /// The same models arranged for encoding.
    pub(super) fn for_encoding(&self) -> ForEncoding {
        let symbols = self.contexts.symbols;
        let mut rows = vec![0; self.first.len()];
        let mut stretches = Vec::new();
        for (context, &first) in self.first.iter().enumerate().filter(|(_, first)| **first != NONE) {
            rows[context] = stretches.len() as u32;
            let row = stretches.len();
            stretches.resize(row + symbols, (0, 0));
            self.model(first).for_each(|(symbol, start, frequency)| stretches[row + symbol] = (start, frequency));
        }
        ForEncoding { rows, stretches }
    }
}

/// Models arranged for encoding: the stretch of each symbol of each context.
pub(super) struct ForEncoding {
    rows: Vec<u32>,
    stretches: Vec<(u16, u16)>,
}

impl ForEncoding {
    /// Encodes a symbol that was counted in this context.
    #[inline(always)]
    pub(super) fn encode(&self, context: usize, symbol: u8, encoder: &mut Encoder) {
        let (start, frequency) = self.stretches[self.rows[context] as usize + usize::from(symbol)];
        encoder.put(u32::from(start), u32::from(frequency));
    }
}

/// Counts in proportion, summing to [`SCALE`], none of those present becoming 0.
fn scaled(counts: &[u64]) -> Vec<u16> {
    let total: u64 = counts.iter().sum();
    let mut scaled: Vec<i64> = counts
        .iter()
        .map(|&count| if count == 0 { 0 } else { (u128::from(count) * u128::from(SCALE) / u128::from(total)).max(1) as i64 })
        .collect();
    let mut missing = i64::from(SCALE) - scaled.iter().sum::<i64>();
    while missing != 0 {
        // The most frequent symbol, the first of equals, suffers least from being a little off; it takes as much as leaves it half.
        let most = (0..scaled.len()).rev().max_by_key(|&symbol| scaled[symbol]).unwrap_or(0);
        let change = missing.max(-(scaled[most] / 2).max(1));
        scaled[most] += change;
        missing -= change;
    }
    scaled.into_iter().map(|frequency| frequency as u16).collect()
}

/// A number in groups of seven bits, the lowest first, all but the last marked by the top bit (LEB128).
fn put_number(bytes: &mut Vec<u8>, mut number: usize) {
    while number >= 128 {
        bytes.push(number as u8 | 128);
        number >>= 7;
    }
    bytes.push(number as u8);
}

fn take_number(bytes: &mut &[u8]) -> Option<usize> {
    let mut number = 0usize;
    for shift in [0, 7, 14, 21] {
        let (&byte, rest) = bytes.split_first()?;
        *bytes = rest;
        number |= usize::from(byte & 127) << shift;
        if byte < 128 {
            return Some(number);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn models_survive_being_written(symbols in 1usize..20, seed in prop::collection::vec((any::<u16>(), any::<u8>(), 1u64..100_000), 1..60)) {
            let contexts = Contexts::new(symbols);
            let mut counts = vec![0; contexts.count() * symbols];
            for (context, symbol, count) in seed {
                counts[usize::from(context) % contexts.count() * symbols + usize::from(symbol) % symbols] = count;
            }
            let models = Models::from_counts(contexts, &counts);
            for (context, counts) in counts.chunks(symbols).enumerate() {
                let sum: u32 = scaled_sum(&models, context);
                prop_assert_eq!(sum, if counts.iter().any(|&count| count > 0) { SCALE } else { 0 });
            }
            prop_assert_eq!(Models::from_bytes(contexts, &models.to_bytes()).unwrap(), models);
        }

        #[test]
        fn no_bytes_make_it_panic(symbols in 1usize..257, bytes in prop::collection::vec(any::<u8>(), 0..80)) {
            let _ = Models::from_bytes(Contexts::new(symbols), &bytes);
        }
    }

    fn scaled_sum(models: &Models, context: usize) -> u32 {
        match models.first[context] {
            NONE => 0,
            first => models.model(first).map(|(_, _, frequency)| u32::from(frequency)).sum(),
        }
    }

    #[test]
    fn every_symbol_present_keeps_a_frequency() {
        let counts: Vec<u64> = (0..250).map(|symbol| if symbol == 7 { 1_000_000 } else { 1 }).collect();
        let scaled = scaled(&counts);
        assert_eq!(scaled.iter().map(|&f| u32::from(f)).sum::<u32>(), SCALE);
        assert!(scaled.iter().all(|&f| f > 0));
    }
}

//! How values lie in memory: a byte each where a byte suffices, else two.
//!
//! A value is at most the seeds in play, one way or the other, so layers of up to [`MAX_BYTE_SEEDS`] seeds take a signed byte a value and
//! those above two. Both are numbers to whoever looks: [`Values`] are a layer of either kind.

use crate::index::Index;

/// The most seeds of a layer whose values are signed bytes.
pub const MAX_BYTE_SEEDS: usize = i8::MAX as usize;

/// Bytes that a value of a layer with so many seeds takes.
pub fn bytes_a_value(seeds: usize) -> u64 {
    if seeds <= MAX_BYTE_SEEDS { 1 } else { 2 }
}

/// Bytes that the values of all layers of up to `seeds` seeds take, of which there are so many `positions`, all layers of up to so
/// many seeds having `below` of them.
pub(crate) fn bytes_of(positions: u64, below: u64) -> u64 {
    below.saturating_add(positions.saturating_sub(below).saturating_mul(2))
}

/// Bytes that the values of all layers of up to `seeds` seeds take.
pub fn bytes_up_to(index: &Index, seeds: usize) -> u64 {
    let positions = |seeds: usize| index.layer_start(seeds) + index.layer_len(seeds);
    bytes_of(positions(seeds), positions(seeds.min(MAX_BYTE_SEEDS)))
}

/// A number that a value is kept as.
pub(crate) trait Value: Copy + Eq + Send + Sync + Into<i16> + Into<i32> + TryFrom<i32> + 'static {
    /// Bytes it takes.
    const SIZE: usize = size_of::<Self>();

    /// The value that this symbol of a file stands for; what no encoder writes becomes something.
    fn wrapping(value: i16) -> Self;

    /// From the first of these bytes of a file.
    fn from_bytes(bytes: &[u8]) -> Option<Self>;

    /// From the bytes of a file, as many as there are.
    fn all_from_bytes(bytes: &[u8]) -> impl Iterator<Item = Self>;

    /// Their bytes in a file.
    fn to_bytes(values: &[Self]) -> Vec<u8>;
}

impl Value for i8 {
    #[inline(always)]
    fn wrapping(value: i16) -> i8 {
        value as i8
    }

    #[inline(always)]
    fn from_bytes(bytes: &[u8]) -> Option<i8> {
        bytes.first().map(|&byte| byte as i8)
    }

    fn all_from_bytes(bytes: &[u8]) -> impl Iterator<Item = i8> {
        bytes.iter().map(|&byte| byte as i8)
    }

    fn to_bytes(values: &[i8]) -> Vec<u8> {
        values.iter().map(|&value| value as u8).collect()
    }
}

impl Value for i16 {
    #[inline(always)]
    fn wrapping(value: i16) -> i16 {
        value
    }

    #[inline(always)]
    fn from_bytes(bytes: &[u8]) -> Option<i16> {
        bytes.first_chunk().map(|&bytes| i16::from_le_bytes(bytes))
    }

    fn all_from_bytes(bytes: &[u8]) -> impl Iterator<Item = i16> {
        bytes.as_chunks().0.iter().map(|&bytes| i16::from_le_bytes(bytes))
    }

    fn to_bytes(values: &[i16]) -> Vec<u8> {
        values.iter().flat_map(|value| value.to_le_bytes()).collect()
    }
}

/// The values of a layer, in the order of the [`Index`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Values<'v> {
    /// Of a layer of up to [`MAX_BYTE_SEEDS`] seeds.
    Bytes(&'v [i8]),
    /// Of a layer of more.
    Words(&'v [i16]),
}

impl<'v> Values<'v> {
    /// None, as of a layer that is not there.
    pub const NONE: Values<'static> = Values::Bytes(&[]);

    /// How many.
    pub fn len(self) -> usize {
        match self {
            Values::Bytes(values) => values.len(),
            Values::Words(values) => values.len(),
        }
    }

    /// Whether there are none.
    pub fn is_empty(self) -> bool {
        self.len() == 0
    }

    /// The value at a place of the layer.
    pub fn get(self, place: usize) -> Option<i32> {
        match self {
            Values::Bytes(values) => values.get(place).map(|&value| value.into()),
            Values::Words(values) => values.get(place).map(|&value| value.into()),
        }
    }

    /// All of them.
    pub fn iter(self) -> impl DoubleEndedIterator<Item = i32> + Clone + use<'v> {
        let (bytes, words) = match self {
            Values::Bytes(values) => (values, &[][..]),
            Values::Words(values) => (&[][..], values),
        };
        bytes.iter().map(|&value| i32::from(value)).chain(words.iter().map(|&value| i32::from(value)))
    }

    /// A part of them.
    ///
    /// # Panics
    /// If it is not within them.
    pub fn part(self, places: std::ops::Range<usize>) -> Values<'v> {
        match self {
            Values::Bytes(values) => Values::Bytes(&values[places]),
            Values::Words(values) => Values::Words(&values[places]),
        }
    }

    /// Them as bytes, if that is what they are.
    pub fn bytes(self) -> Option<&'v [i8]> {
        match self {
            Values::Bytes(values) => Some(values),
            Values::Words(_) => None,
        }
    }

    /// Them as words, if that is what they are.
    pub fn words(self) -> Option<&'v [i16]> {
        match self {
            Values::Words(values) => Some(values),
            Values::Bytes(_) => None,
        }
    }
}

impl<'v> From<&'v [i8]> for Values<'v> {
    fn from(values: &'v [i8]) -> Self {
        Values::Bytes(values)
    }
}

impl<'v> From<&'v Vec<i8>> for Values<'v> {
    fn from(values: &'v Vec<i8>) -> Self {
        Values::Bytes(values)
    }
}

impl<'v> From<&'v [i16]> for Values<'v> {
    fn from(values: &'v [i16]) -> Self {
        Values::Words(values)
    }
}

impl<'v> From<&'v Vec<i16>> for Values<'v> {
    fn from(values: &'v Vec<i16>) -> Self {
        Values::Words(values)
    }
}

/// Places for the values of a layer, in the order of the [`Index`].
#[derive(Debug, PartialEq, Eq)]
pub enum ValuesMut<'v> {
    /// Of a layer of up to [`MAX_BYTE_SEEDS`] seeds.
    Bytes(&'v mut [i8]),
    /// Of a layer of more.
    Words(&'v mut [i16]),
}

impl ValuesMut<'_> {
    /// How many.
    pub fn len(&self) -> usize {
        match self {
            ValuesMut::Bytes(values) => values.len(),
            ValuesMut::Words(values) => values.len(),
        }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// What is in them.
    pub fn values(&self) -> Values<'_> {
        match self {
            ValuesMut::Bytes(values) => Values::Bytes(values),
            ValuesMut::Words(values) => Values::Words(values),
        }
    }
}

impl<'v> From<&'v mut [i8]> for ValuesMut<'v> {
    fn from(values: &'v mut [i8]) -> Self {
        ValuesMut::Bytes(values)
    }
}

/// The values of a layer, in memory of their own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Layer {
    Bytes(Vec<i8>),
    Words(Vec<i16>),
}

impl Layer {
    /// `len` zeros for the layer of `seeds` seeds.
    pub(crate) fn zeros(seeds: usize, len: usize) -> Layer {
        if seeds <= MAX_BYTE_SEEDS { Layer::Bytes(vec![0; len]) } else { Layer::Words(vec![0; len]) }
    }

    pub(crate) fn values(&self) -> Values<'_> {
        match self {
            Layer::Bytes(values) => Values::Bytes(values),
            Layer::Words(values) => Values::Words(values),
        }
    }

    pub(crate) fn values_mut(&mut self) -> ValuesMut<'_> {
        match self {
            Layer::Bytes(values) => ValuesMut::Bytes(values),
            Layer::Words(values) => ValuesMut::Words(values),
        }
    }
}

/// The values of all layers up to some number of seeds, one after the other.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Both {
    /// Of the layers of up to [`MAX_BYTE_SEEDS`] seeds.
    pub(crate) bytes: Vec<i8>,
    /// Of those above.
    pub(crate) words: Vec<i16>,
}

impl Both {
    /// Room for the values of all layers up to `seeds` seeds, all 0; `None` if there is not so much memory.
    pub(crate) fn zeros(index: &Index, seeds: usize) -> Option<Both> {
        let positions = |seeds: usize| usize::try_from(index.layer_start(seeds) + index.layer_len(seeds)).ok();
        let bytes = positions(seeds.min(MAX_BYTE_SEEDS))?;
        Some(Both { bytes: zeros(bytes)?, words: zeros(positions(seeds)? - bytes)? })
    }

    /// The values of the layer of `seeds` seeds, of which all before it are `start` and which has `len`, and those of all before.
    pub(crate) fn split(&mut self, start: usize, len: usize, seeds: usize) -> (Below<'_>, ValuesMut<'_>) {
        if seeds <= MAX_BYTE_SEEDS {
            let (below, rest) = self.bytes.split_at_mut(start);
            return (Below { bytes: below, words: &[] }, ValuesMut::Bytes(&mut rest[..len]));
        }
        let (below, rest) = self.words.split_at_mut(start - self.bytes.len());
        (Below { bytes: &self.bytes, words: below }, ValuesMut::Words(&mut rest[..len]))
    }
}

/// The values of all layers below one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Below<'b> {
    bytes: &'b [i8],
    words: &'b [i16],
}

impl Below<'_> {
    /// How many.
    pub(crate) fn len(&self) -> usize {
        self.bytes.len() + self.words.len()
    }

    /// The value of the board with this index.
    #[inline(always)]
    pub(crate) fn get(&self, place: usize) -> Option<i32> {
        match self.bytes.get(place) {
            Some(&value) => Some(value.into()),
            None => self.words.get(place - self.bytes.len()).map(|&value| value.into()),
        }
    }
}

fn zeros<V: Clone + Default>(len: usize) -> Option<Vec<V>> {
    let mut values = Vec::new();
    values.try_reserve_exact(len).ok()?;
    values.resize(len, V::default());
    Some(values)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_kinds_are_numbers() {
        let (bytes, words) = ([-128i8, 0, 127], [-1023i16, 5]);
        let (bytes, words) = (Values::from(&bytes[..]), Values::from(&words[..]));
        assert_eq!((bytes.len(), words.len(), Values::NONE.is_empty()), (3, 2, true));
        assert_eq!(bytes.iter().collect::<Vec<_>>(), [-128, 0, 127]);
        assert_eq!(words.iter().rev().collect::<Vec<_>>(), [5, -1023]);
        assert_eq!((bytes.get(2), bytes.get(3), words.get(0)), (Some(127), None, Some(-1023)));
        assert_eq!((bytes.words(), words.bytes(), words.part(1..2).words()), (None, None, Some(&[5i16][..])));
    }

    /// One pit a row: s + 1 boards with s seeds.
    #[test]
    fn a_layer_is_split_from_those_below() {
        let index = Index::new(1, 130).unwrap();
        let start = |seeds: usize| seeds * (seeds + 1) / 2;
        let mut both = Both::zeros(&index, 130).unwrap();
        assert_eq!((both.bytes.len(), both.words.len()), (start(128), start(131) - start(128)));
        assert_eq!(bytes_up_to(&index, 130), (start(128) + 2 * (start(131) - start(128))) as u64);
        assert_eq!(bytes_up_to(&index, 127), start(128) as u64);
        for seeds in [0, 3, 127, 128, 129, 130] {
            let (below, layer) = both.split(start(seeds), seeds + 1, seeds);
            assert_eq!(below.len(), start(seeds));
            match layer {
                ValuesMut::Bytes(values) => values.fill(seeds as i8),
                ValuesMut::Words(values) => values.fill(seeds as i16),
            }
        }
        let (below, _) = both.split(start(130), 131, 130);
        for (place, value) in [(start(127), 127), (start(128) - 1, 127), (start(128), 128), (start(130) - 1, 129)] {
            assert_eq!(below.get(place), Some(value));
        }
        assert_eq!(below.get(start(130)), None);
    }
}

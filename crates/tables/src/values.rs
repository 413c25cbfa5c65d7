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

/// Bytes that the values of so many positions take, of which those `below` are of layers of up to [`MAX_BYTE_SEEDS`] seeds; `None` if
/// they are 2^64 or more.
pub(crate) fn bytes_of(positions: u64, below: u64) -> Option<u64> {
    positions.saturating_sub(below).checked_mul(2)?.checked_add(positions.min(below))
}

/// Bytes that the values of all layers of up to `seeds` seeds take; the largest number if they are 2^64 or more, which no memory has.
pub fn bytes_up_to(index: &Index, seeds: usize) -> u64 {
    bytes_of(index.layer_end(seeds), index.layer_end(seeds.min(MAX_BYTE_SEEDS))).unwrap_or(u64::MAX)
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
}

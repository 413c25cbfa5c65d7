//! Values in memory of their own: those of layers of bytes, and those of layers of words.

use crate::index::Index;
use crate::values::{MAX_BYTE_SEEDS, Values, ValuesMut};

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
        let positions = |seeds: usize| usize::try_from(index.layer_end(seeds)).ok();
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
    use crate::values::bytes_up_to;

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

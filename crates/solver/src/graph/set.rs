//! A set of places that all threads add to: a hash set while there are few, a bit for every place of the layer once that takes less.

use std::hash::BuildHasherDefault;
use std::sync::atomic::{AtomicU64, Ordering};

use dashmap::DashMap;

use super::mix::{mix, unmix};
use crate::prehashed::Prehashed;

/// Parts of a hash set, each with its own lock and growing by itself.
const SHARDS: usize = 64;

/// See the [module](self).
pub(super) enum Set {
    /// Words (see `mix.rs`), which need no other hash. (A map to nothing: the set of the same crate cannot be told its shards.)
    List(DashMap<u64, (), BuildHasherDefault<Prehashed>>),
    Bits(Vec<AtomicU64>),
}

impl Default for Set {
    fn default() -> Self {
        Set::List(DashMap::with_hasher_and_shard_amount(BuildHasherDefault::default(), SHARDS))
    }
}

impl Set {
    /// Adds a place; whether it is new.
    #[inline]
    pub(super) fn insert(&self, place: u64) -> bool {
        match self {
            Set::List(words) => words.insert(mix(place), ()).is_none(),
            Set::Bits(bits) => mark(bits, place),
        }
    }

    pub(super) fn len(&self) -> u64 {
        match self {
            Set::List(words) => words.len() as u64,
            Set::Bits(bits) => bits.iter().map(|word| u64::from(word.load(Ordering::Relaxed).count_ones())).sum(),
        }
    }

    /// Bytes it may come to hold before the next look at it: a hash set that is full is about to double.
    pub(super) fn bytes(&self) -> u64 {
        match self {
            Set::List(words) => {
                let (len, capacity) = (words.len() as u64, words.capacity() as u64);
                // A word and a mark for each place, of which seven in eight may be taken.
                capacity * 8 / 7 * 9 * if len * 10 > capacity * 9 { 2 } else { 1 }
            }
            Set::Bits(bits) => size_of_val(bits.as_slice()) as u64,
        }
    }

    /// The places, in no order that could be relied on.
    pub(super) fn places(&self) -> Vec<u64> {
        match self {
            Set::List(words) => {
                let mut places = Vec::with_capacity(words.len());
                places.extend(words.iter().map(|entry| unmix(*entry.key())));
                places
            }
            Set::Bits(bits) => places(bits.iter().map(|word| word.load(Ordering::Relaxed))).collect(),
        }
    }

    /// As [`Set::places`]; its memory is given back on the way.
    pub(super) fn into_places(self) -> Box<dyn Iterator<Item = u64>> {
        match self {
            Set::List(words) => Box::new(words.into_iter().map(|(word, ())| unmix(word))),
            Set::Bits(bits) => Box::new(places(bits.into_iter().map(AtomicU64::into_inner))),
        }
    }

    /// From now on a bit for each of so many places.
    pub(super) fn become_bits(&mut self, places: u64) {
        if let Set::List(_) = self {
            let bits = no_bits(places);
            for place in std::mem::take(self).into_places() {
                mark(&bits, place);
            }
            *self = Set::Bits(bits);
        }
    }
}

fn places(words: impl Iterator<Item = u64>) -> impl Iterator<Item = u64> {
    words.enumerate().flat_map(|(at, word)| ones(at, word))
}

/// The places of the bits of a word.
pub(super) fn ones(at: usize, mut word: u64) -> impl Iterator<Item = u64> {
    std::iter::from_fn(move || {
        let bit = (word != 0).then(|| word.trailing_zeros())?;
        word &= word - 1;
        Some(at as u64 * 64 + u64::from(bit))
    })
}

/// Bytes of a bit for each of so many places.
pub(super) fn bytes_of_bits(places: u64) -> u64 {
    places.div_ceil(64) * 8
}

/// A bit for each of so many places, none of them set.
pub(super) fn no_bits(places: u64) -> Vec<AtomicU64> {
    (0..places.div_ceil(64)).map(|_| AtomicU64::new(0)).collect()
}

/// Sets a bit; whether it was not set.
#[inline]
pub(super) fn mark(bits: &[AtomicU64], place: u64) -> bool {
    let (word, bit) = (&bits[(place / 64) as usize], 1u64 << (place % 64));
    // Most of what is found was found before: a mere look leaves the line of cache to all threads.
    word.load(Ordering::Relaxed) & bit == 0 && word.fetch_or(bit, Ordering::Relaxed) & bit == 0
}

//! A set of places that all threads add to: a hash set while there are few, a bit for every place of the layer once that takes less.

use std::hash::BuildHasherDefault;
use std::sync::atomic::{AtomicU64, Ordering};

use dashmap::DashMap;

use super::mix::{mix, unmix};
use crate::prehashed::Prehashed;

/// Most parts of a hash set, each with its own lock and growing by itself; and the memory that is worth one of them, since each takes some.
const SHARDS: u64 = 64;
const SHARD_OF: u64 = 1 << 20;

/// Bytes for each place that comes into tables which grow: a word and a mark for each place, of which seven in eight may be taken, and
/// half of them are when a table has just doubled.
pub(super) const GROWN: u64 = 9 * 16 / 7 + 1;
/// Bytes of a table with its first place, at least.
pub(super) const FIRST: u64 = 64;

/// What the tables of a set may take while places come into them, beside [`GROWN`] for each.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Doubling {
    /// Bytes by which the tables that may come to be full double.
    pub(super) bytes: u64,
    /// Bytes of the longest of them, which a thread keeps until it has doubled it.
    pub(super) longest: u64,
}

/// Parts of a hash set where so many bytes of memory may be used.
pub(super) fn shards(memory: u64) -> u64 {
    (memory / SHARD_OF).clamp(2, SHARDS).next_power_of_two()
}

/// How many of so many places a table among `shards` gets. Words are spread evenly, so it is the mean and, once in 10^14 times, more than
/// eight standard deviations above it.
fn share(new: u64, shards: u64) -> u64 {
    let mean = new / shards;
    new.min(mean + 8 * (mean + 1).isqrt() + 8)
}

/// See the [module](self).
pub(super) enum Set {
    /// Words (see `mix.rs`), which need no other hash. (A map to nothing: the set of the same crate cannot be told its shards.)
    List(DashMap<u64, (), BuildHasherDefault<Prehashed>>),
    Bits(Vec<AtomicU64>),
}

impl Set {
    /// An empty set, where so many bytes of memory may be used.
    pub(super) fn new(memory: u64) -> Self {
        Set::List(DashMap::with_hasher_and_shard_amount(BuildHasherDefault::default(), shards(memory) as usize))
    }

    /// What is in the set, of which an empty one is left.
    pub(super) fn take(&mut self) -> Self {
        let memory = if let Set::List(words) = self { words.shards().len() as u64 * SHARD_OF } else { 0 };
        std::mem::replace(self, Set::new(memory))
    }

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

    /// Bytes that it takes even if it is empty.
    pub(super) fn least_bytes(&self) -> u64 {
        match self {
            Set::List(words) => size_of_val(words.shards()) as u64,
            Set::Bits(_) => 0,
        }
    }

    /// Bytes that it takes besides.
    pub(super) fn bytes(&self) -> u64 {
        match self {
            Set::List(words) => words.shards().iter().map(|shard| shard.read().allocation_info().1.size() as u64).sum(),
            Set::Bits(bits) => size_of_val(bits.as_slice()) as u64,
        }
    }

    /// By how much it may grow while `new` places come to it.
    pub(super) fn doubling(&self, new: u64) -> Doubling {
        let Set::List(words) = self else { return Doubling::default() };
        let share = share(new, words.shards().len() as u64);
        let mut doubling = Doubling::default();
        for shard in words.shards() {
            let table = shard.read();
            if (table.capacity() - table.len()) as u64 >= share {
                continue;
            }
            let bytes = (table.allocation_info().1.size() as u64).max(FIRST);
            doubling.bytes += bytes;
            doubling.longest = doubling.longest.max(bytes + share * GROWN);
        }
        doubling
    }

    /// Calls `each` with all places, in no order that could be relied on.
    pub(super) fn each(&self, mut each: impl FnMut(u64)) {
        match self {
            Set::List(words) => words.iter().for_each(|entry| each(unmix(*entry.key()))),
            Set::Bits(bits) => places(bits.iter().map(|word| word.load(Ordering::Relaxed))).for_each(each),
        }
    }

    /// All places, in no order that could be relied on; their memory is given back on the way.
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
            for place in self.take().into_places() {
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

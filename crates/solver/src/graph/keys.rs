//! The positions of a finished layer, numbered in some order.
//!
//! A position of a layer has a *place*: its number among all that could have so many seeds in play, whether they can arise or not. Those
//! that do arise are kept as a sorted list or as bits, whichever is smaller.
//!
//! * **List**: their *words*, which are places sent through a bijection that spreads them evenly over all 64-bit words, in rising order.
//!   An index of equal shares of all words tells where to look.
//! * **Bits**: one for every place. The number of a position is that of the bits before its own, of which every [`LINE`] words have a
//!   count.

use rayon::prelude::*;

use super::forms::as_bits;
use super::mix::{mix, unmix};
use super::scratch::{Scratch, Stored};
use super::set::Set;
use super::{Form, GraphError};

/// Words to a bucket of a list, on average: one line of cache.
pub(super) const BUCKET: usize = 8;
/// Words of bits to a count: one line of cache.
pub(super) const LINE: usize = 8;

/// See the [module](self).
#[derive(Debug)]
pub(super) enum Keys {
    List {
        words: Stored<u64>,
        /// Where the words of each bucket begin; the last entry is their number. A bucket is an equal share of all words.
        buckets: Stored<u32>,
    },
    Bits {
        bits: Stored<u64>,
        /// Bits before each line.
        counts: Stored<u32>,
        len: usize,
    },
}

impl Default for Keys {
    fn default() -> Self {
        Keys::list(Vec::new())
    }
}

impl Keys {
    /// The positions of a set, whose layer has so many places. `None` if there are too many positions to be numbered in 32 bits.
    pub(super) fn new(set: Set, places: u64, form: Form) -> Option<Self> {
        let len = set.len();
        if len >= u64::from(u32::MAX) {
            return None;
        }
        let words_of_bits = places.div_ceil(64);
        let as_bits = as_bits(&set, len, places, form);
        Some(match set {
            Set::Bits(bits) if as_bits => Keys::bits(bits.into_iter().map(std::sync::atomic::AtomicU64::into_inner).collect()),
            Set::List(words) if as_bits => {
                let mut bits = vec![0; words_of_bits as usize];
                for (word, ()) in words {
                    let place = unmix(word);
                    bits[(place / 64) as usize] |= 1 << (place % 64);
                }
                Keys::bits(bits)
            }
            Set::Bits(_) => {
                let mut list = Vec::with_capacity(len as usize);
                list.extend(set.into_places().map(mix));
                Keys::list(list)
            }
            Set::List(words) => {
                let mut list = Vec::with_capacity(len as usize);
                list.extend(words.into_iter().map(|(word, ())| word));
                Keys::list(list)
            }
        })
    }

    /// A list of these words, which may be in any order; each may occur once.
    fn list(mut words: Vec<u64>) -> Self {
        words.par_sort_unstable();
        let buckets = words.len() / BUCKET + 1;
        let mut starts = vec![0u32; buckets + 1];
        for &word in &words {
            starts[bucket(word, buckets) + 1] += 1;
        }
        for at in 0..buckets {
            starts[at + 1] += starts[at];
        }
        Keys::List { words: Stored::Memory(words), buckets: Stored::Memory(starts) }
    }

    fn bits(bits: Vec<u64>) -> Self {
        let mut len = 0;
        let count = |line: &[u64]| {
            let before = len;
            len += line.iter().map(|word| word.count_ones()).sum::<u32>();
            before
        };
        let counts = bits.chunks(LINE).map(count).collect();
        Keys::Bits { bits: Stored::Memory(bits), counts: Stored::Memory(counts), len: len as usize }
    }

    pub(super) fn len(&self) -> usize {
        match self {
            Keys::List { words, .. } => words.get().len(),
            Keys::Bits { len, .. } => *len,
        }
    }

    pub(super) fn view(&self) -> View<'_> {
        match self {
            Keys::List { words, buckets } => View::List { words: words.get(), buckets: buckets.get() },
            Keys::Bits { bits, counts, .. } => View::Bits { bits: bits.get(), counts: counts.get() },
        }
    }

    pub(super) fn put_aside(&mut self, scratch: &Scratch) -> Result<(), GraphError> {
        match self {
            Keys::List { words, buckets } => {
                words.put_aside(scratch)?;
                buckets.put_aside(scratch)
            }
            Keys::Bits { bits, counts, .. } => {
                bits.put_aside(scratch)?;
                counts.put_aside(scratch)
            }
        }
    }

    pub(super) fn bytes_in_memory(&self) -> u64 {
        match self {
            Keys::List { words, buckets } => words.bytes_in_memory() + buckets.bytes_in_memory(),
            Keys::Bits { bits, counts, .. } => bits.bytes_in_memory() + counts.bytes_in_memory(),
        }
    }

    /// Bytes in memory or on disk.
    pub(super) fn bytes(&self) -> u64 {
        match self.view() {
            View::List { words, buckets } => (size_of_val(words) + size_of_val(buckets)) as u64,
            View::Bits { bits, counts } => (size_of_val(bits) + size_of_val(counts)) as u64,
        }
    }
}

/// Which of so many equal shares of all words holds `word`.
fn bucket(word: u64, buckets: usize) -> usize {
    ((u128::from(word) * buckets as u128) >> 64) as usize
}

/// Keys to look at.
#[derive(Clone, Copy)]
pub(super) enum View<'a> {
    List { words: &'a [u64], buckets: &'a [u32] },
    Bits { bits: &'a [u64], counts: &'a [u32] },
}

impl<'a> View<'a> {
    /// The number of the position at a place, if it arises.
    #[inline(always)]
    pub(super) fn find(&self, place: u64) -> Option<usize> {
        match self {
            View::List { words, buckets } => {
                let word = mix(place);
                let at = bucket(word, buckets.len().checked_sub(1)?);
                let (from, to) = (buckets[at] as usize, buckets[at + 1] as usize);
                words[from..to].iter().position(|&other| other == word).map(|within| from + within)
            }
            View::Bits { bits, counts } => {
                let (at, bit) = ((place / 64) as usize, place % 64);
                let word = *bits.get(at)?;
                let line = at / LINE;
                let before: u32 = bits[line * LINE..at].iter().map(|word| word.count_ones()).sum();
                let here = (word & ((1 << bit) - 1)).count_ones();
                (word >> bit & 1 == 1).then(|| (counts[line] + before + here) as usize)
            }
        }
    }

    /// The places of the positions from number `from` on, in the order of their numbers.
    pub(super) fn places(&self, from: usize) -> Places<'a> {
        match *self {
            View::List { words, .. } => Places::List(words[from..].iter()),
            View::Bits { bits, counts } => {
                // The last line with no more bits before it.
                let line = counts.partition_point(|&before| before as usize <= from).saturating_sub(1);
                let mut at = line * LINE;
                let mut skip = from as u32 - counts.get(line).copied().unwrap_or(0);
                while let Some(ones) = bits.get(at).map(|word| word.count_ones()).filter(|&ones| ones <= skip) {
                    skip -= ones;
                    at += 1;
                }
                let mut word = bits.get(at).copied().unwrap_or(0);
                for _ in 0..skip {
                    word &= word - 1;
                }
                Places::Bits { bits, at, word }
            }
        }
    }
}

/// See [`View::places`].
pub(super) enum Places<'a> {
    List(std::slice::Iter<'a, u64>),
    Bits {
        bits: &'a [u64],
        /// The word looked at, and those of its bits that are still to come.
        at: usize,
        word: u64,
    },
}

impl Iterator for Places<'_> {
    type Item = u64;

    #[inline]
    fn next(&mut self) -> Option<u64> {
        match self {
            Places::List(words) => words.next().map(|&word| unmix(word)),
            Places::Bits { bits, at, word } => {
                while *word == 0 {
                    *at += 1;
                    *word = *bits.get(*at)?;
                }
                let bit = word.trailing_zeros();
                *word &= *word - 1;
                Some(*at as u64 * 64 + u64::from(bit))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// Of each set of places every form finds the same ones, numbers them without gaps and walks them from any of them.
    #[test]
    fn every_place_is_found_and_no_other() {
        let last = 5000u64;
        let few: Vec<u64> = (0..last).filter(|place| mix(*place).is_multiple_of(97)).collect();
        let many: Vec<u64> = (0..last).filter(|place| !mix(*place).is_multiple_of(3)).collect();
        let gap: Vec<u64> = (0..last).filter(|place| !(64..4000).contains(place)).collect();
        for places in [Vec::new(), vec![0], vec![last - 1], few, many, gap, (0..last).collect()] {
            for (form, as_bits) in
                [(Form::List, false), (Form::List, true), (Form::Bits, true), (Form::Smaller, true), (Form::Smaller, false)]
            {
                let mut set = Set::new(0);
                if as_bits {
                    set.become_bits(last);
                }
                assert!(places.iter().all(|&place| set.insert(place)) && places.iter().all(|&place| !set.insert(place)));
                let keys = Keys::new(set, last, form).unwrap();
                assert_eq!(keys.len(), places.len());
                let view = keys.view();
                let numbers: BTreeSet<usize> = places.iter().map(|&place| view.find(place).unwrap()).collect();
                assert!(numbers.into_iter().eq(0..places.len()));
                assert_eq!((0..last).filter(|&place| view.find(place).is_some()).count(), places.len());
                for from in [0, 1, 7, 63, 64, places.len() / 2, places.len()].into_iter().filter(|&from| from <= places.len()) {
                    let numbers = view.places(from).map(|place| view.find(place).unwrap());
                    assert!(numbers.eq(from..places.len()), "{form:?} from {from}");
                }
            }
        }
        assert_eq!(Keys::default().view().find(0), None);
    }

    #[test]
    fn the_smaller_form_is_chosen() {
        let set = |places: u64| {
            let set = Set::new(1 << 30);
            (0..places).for_each(|place| assert!(set.insert(place)));
            set
        };
        assert!(matches!(Keys::new(set(100), 1000, Form::Smaller), Some(Keys::Bits { .. })));
        assert!(matches!(Keys::new(set(100), 1_000_000, Form::Smaller), Some(Keys::List { .. })));
    }
}

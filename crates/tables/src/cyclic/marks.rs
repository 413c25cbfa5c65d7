//! Marks: which places of a layer have changed, a bit each.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

use multiversion::multiversion;
use rayon::prelude::*;

/// Words that a thread clears at a time.
const WORDS: usize = 1 << 14;

/// Places of a layer, some of them marked. Threads may mark at once; none may take marks meanwhile.
#[derive(Debug, Default)]
pub(super) struct Marks {
    words: Vec<AtomicU64>,
    /// Which words have marks, a bit each: a block of 64 words a word.
    blocks: Vec<AtomicU64>,
}

impl Marks {
    /// For `len` places, none marked; `None` if there is not enough memory.
    pub(super) fn new(len: usize) -> Option<Self> {
        let zeros = |len| {
            let mut words = Vec::new();
            words.try_reserve_exact(len).ok()?;
            words.resize_with(len, AtomicU64::default);
            Some(words)
        };
        Some(Marks { words: zeros(len.div_ceil(64))?, blocks: zeros(len.div_ceil(64 * 64))? })
    }

    /// Marks a place.
    #[inline]
    pub(super) fn set(&self, place: usize) {
        set(&self.words[place / 64], place % 64);
        set(&self.blocks[place / (64 * 64)], place / 64 % 64);
    }

    /// Removes all marks.
    pub(super) fn clear(&mut self) {
        let clear = |words: &mut [AtomicU64]| words.iter_mut().for_each(|word| *word.get_mut() = 0);
        self.words.par_chunks_mut(WORDS).for_each(clear);
        self.blocks.iter_mut().for_each(|block| *block.get_mut() = 0);
    }

    /// How many blocks of 64 words of 64 places there are.
    pub(super) fn blocks(&self) -> usize {
        self.blocks.len()
    }

    /// How many words of a block have marks.
    pub(super) fn marked_words(&self, block: usize) -> u32 {
        self.blocks[block].load(Ordering::Relaxed).count_ones()
    }

    /// The marked places of some blocks, rising, which are removed.
    pub(super) fn take(&self, blocks: Range<usize>) -> impl Iterator<Item = usize> {
        blocks
            .flat_map(move |block| bits(&self.blocks[block]).map(move |word| block * 64 + word))
            .flat_map(|word| bits(&self.words[word]).map(move |bit| word * 64 + bit))
    }
}

#[inline]
fn set(word: &AtomicU64, bit: usize) {
    // Mostly it is there already, and then nothing need be written.
    if word.load(Ordering::Relaxed) >> bit & 1 == 0 {
        word.fetch_or(1 << bit, Ordering::Relaxed);
    }
}

/// The bits of a word that are set, which becomes 0.
#[inline]
fn bits(word: &AtomicU64) -> impl Iterator<Item = usize> + use<> {
    let mut bits = if word.load(Ordering::Relaxed) == 0 { 0 } else { word.swap(0, Ordering::Relaxed) };
    std::iter::from_fn(move || {
        let bit = (bits != 0).then(|| bits.trailing_zeros() as usize)?;
        bits &= bits - 1;
        Some(bit)
    })
}

/// Overwrites values; returns how many changed, and marks them, the first one's place being `place`.
pub(super) fn settle(values: &mut [i8], new: &[i8], place: usize, marks: Option<&Marks>) -> usize {
    let Some(marks) = marks else { return settle_unmarked(values, new) };
    let mut changed = 0;
    for (chunk, (values, new)) in values.chunks_mut(64).zip(new.chunks(64)).enumerate() {
        if values == new {
            continue;
        }
        for (at, (value, &new)) in values.iter_mut().zip(new).enumerate() {
            if *value != new {
                debug_assert!(new.unsigned_abs() > value.unsigned_abs() && i16::from(new) * i16::from(*value) >= 0);
                *value = new;
                marks.set(place + chunk * 64 + at);
                changed += 1;
            }
        }
    }
    changed
}

#[multiversion(targets("x86_64+avx+avx2+bmi1+bmi2+fma+popcnt", "x86_64+sse3+ssse3+sse4.1"))]
fn settle_unmarked(values: &mut [i8], new: &[i8]) -> usize {
    let mut changed = 0;
    // A byte counts the changes of a lane, so that 255 lines of lanes fit.
    for (values, new) in values.chunks_mut(32 * 255).zip(new.chunks(32 * 255)) {
        let mut lanes = [0u8; 32];
        let (values, rest) = values.as_chunks_mut::<32>();
        let (new, new_rest) = new.as_chunks::<32>();
        for (values, new) in values.iter_mut().zip(new) {
            for at in 0..32 {
                lanes[at] += u8::from(values[at] != new[at]);
            }
            *values = *new;
        }
        changed += lanes.iter().map(|&count| usize::from(count)).sum::<usize>();
        for (value, &new) in rest.iter_mut().zip(new_rest) {
            changed += usize::from(*value != new);
            *value = new;
        }
    }
    changed
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_are_counted_and_marked() {
        let old: Vec<i8> = vec![0; 9001];
        let mut new = old.clone();
        let changed = [0, 63, 64, 65, 4000, 8191, 8192, 9000];
        changed.iter().for_each(|&at| new[at] = 3);
        let mut marks = Marks::new(10_000).unwrap();
        let mut values = old.clone();
        assert_eq!(settle(&mut values, &new, 500, Some(&marks)), changed.len());
        assert_eq!(values, new);
        // Places 4096 to 8191 are one block.
        assert_eq!((0..marks.blocks()).map(|block| marks.marked_words(block)).collect::<Vec<_>>(), [2, 1, 2]);
        let marked: Vec<usize> = marks.take(0..2).chain(marks.take(2..3)).collect();
        assert_eq!(marked, changed.map(|at| at + 500));
        assert_eq!(marks.take(0..marks.blocks()).count(), 0);
        marks.set(7);
        marks.clear();
        assert_eq!(marks.take(0..1).count(), 0);
        values = old;
        assert_eq!(settle(&mut values, &new, 0, None), changed.len());
        assert_eq!(values, new);
    }
}

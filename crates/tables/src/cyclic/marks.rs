//! Marks: which places of a layer have changed, a bit each.

use std::sync::atomic::{AtomicU64, Ordering};

use multiversion::multiversion;

/// Places of a layer, some of them marked. Threads may mark at once.
#[derive(Debug, Default)]
pub(super) struct Marks(Vec<AtomicU64>);

impl Marks {
    /// For `len` places, none marked; `None` if there is not enough memory.
    pub(super) fn new(len: usize) -> Option<Self> {
        let words = len.div_ceil(64);
        let mut marks = Vec::new();
        marks.try_reserve_exact(words).ok()?;
        marks.resize_with(words, AtomicU64::default);
        Some(Marks(marks))
    }

    /// Marks a place.
    #[inline]
    pub(super) fn set(&self, place: usize) {
        let word = &self.0[place / 64];
        let bit = 1 << (place % 64);
        // Mostly it is there already, and then nothing need be written.
        if word.load(Ordering::Relaxed) & bit == 0 {
            word.fetch_or(bit, Ordering::Relaxed);
        }
    }

    /// Removes all marks.
    pub(super) fn clear(&mut self) {
        self.0.iter_mut().for_each(|word| *word.get_mut() = 0);
    }

    /// How many words of 64 places there are.
    pub(super) fn words(&self) -> usize {
        self.0.len()
    }

    /// The marked places of some words, which are removed.
    pub(super) fn take(&self, words: std::ops::Range<usize>) -> impl Iterator<Item = usize> {
        let first = words.start;
        self.0[words].iter().enumerate().flat_map(move |(at, word)| {
            let mut bits = if word.load(Ordering::Relaxed) == 0 { 0 } else { word.swap(0, Ordering::Relaxed) };
            std::iter::from_fn(move || {
                let bit = (bits != 0).then(|| bits.trailing_zeros() as usize)?;
                bits &= bits - 1;
                Some((first + at) * 64 + bit)
            })
        })
    }
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
        let marked: Vec<usize> = marks.take(0..marks.words()).collect();
        assert_eq!(marked, changed.map(|at| at + 500));
        assert_eq!(marks.take(0..marks.words()).count(), 0);
        marks.set(7);
        marks.clear();
        assert_eq!(marks.take(0..1).count(), 0);
        values = old;
        assert_eq!(settle(&mut values, &new, 0, None), changed.len());
        assert_eq!(values, new);
    }
}

//! Values that threads share while they work a table out.

use std::ops::Range;
use std::sync::atomic::{AtomicI8, AtomicI16, Ordering};

use crate::both::{Both, Layer};
use crate::values::MAX_BYTE_SEEDS;

/// The values of all boards by index: a byte each for layers of up to [`MAX_BYTE_SEEDS`] seeds, two above.
#[derive(Debug, Default)]
pub(crate) struct Cells {
    bytes: Vec<AtomicI8>,
    words: Vec<AtomicI16>,
}

/// What the values of a layer are before they are worked out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Begin {
    /// Not known.
    Unknown,
    /// 0.
    Zero,
}

/// A value not known yet. No value is this low: it is at least minus the seeds in play.
const UNKNOWN: (i8, i16) = (i8::MIN, i16::MIN);

impl Cells {
    /// None yet, with room for so many bytes and words; `None` if there is not so much memory.
    pub(crate) fn with_room(bytes: usize, words: usize) -> Option<Cells> {
        let mut cells = Cells::default();
        cells.bytes.try_reserve_exact(bytes).ok()?;
        cells.words.try_reserve_exact(words).ok()?;
        Some(cells)
    }

    /// Their values.
    pub(crate) fn into_values(self) -> Both {
        let (bytes, words) = (self.bytes.into_iter(), self.words.into_iter());
        Both { bytes: bytes.map(AtomicI8::into_inner).collect(), words: words.map(AtomicI16::into_inner).collect() }
    }

    /// How many.
    pub(crate) fn len(&self) -> usize {
        self.bytes.len() + self.words.len()
    }

    /// Adds a layer of `seeds` seeds with `len` values, all unknown or all 0.
    pub(crate) fn grow(&mut self, seeds: usize, len: usize, begin: Begin) {
        let (byte, word) = match begin {
            Begin::Unknown => UNKNOWN,
            Begin::Zero => (0, 0),
        };
        if seeds <= MAX_BYTE_SEEDS {
            self.bytes.resize_with(self.bytes.len() + len, || AtomicI8::new(byte));
        } else {
            self.words.resize_with(self.words.len() + len, || AtomicI16::new(word));
        }
    }

    /// Adds a layer of these values.
    pub(crate) fn push(&mut self, layer: Layer) {
        match layer {
            Layer::Bytes(values) => self.bytes.extend(values.into_iter().map(AtomicI8::new)),
            Layer::Words(values) => self.words.extend(values.into_iter().map(AtomicI16::new)),
        }
    }

    /// The value at an index.
    #[inline(always)]
    pub(crate) fn get(&self, place: usize) -> i32 {
        match self.bytes.get(place) {
            Some(value) => value.load(Ordering::Relaxed).into(),
            None => self.words[place - self.bytes.len()].load(Ordering::Relaxed).into(),
        }
    }

    /// The value at an index, if it is known.
    #[inline(always)]
    pub(crate) fn known(&self, place: usize) -> Option<i32> {
        match self.bytes.get(place) {
            Some(value) => Some(value.load(Ordering::Relaxed)).filter(|&value| value != UNKNOWN.0).map(i32::from),
            None => {
                let value = self.words[place - self.bytes.len()].load(Ordering::Relaxed);
                Some(value).filter(|&value| value != UNKNOWN.1).map(i32::from)
            }
        }
    }

    /// Sets the value at an index; returns the one before.
    #[inline(always)]
    pub(crate) fn set(&self, place: usize, value: i32) -> i32 {
        // No exchange in one step: each value is written by one thread at a time (sweeps, left-out values), or by several that write the
        // same (move by move).
        match self.bytes.get(place) {
            Some(cell) => {
                let before = cell.load(Ordering::Relaxed);
                cell.store(value as i8, Ordering::Relaxed);
                before.into()
            }
            None => {
                let cell = &self.words[place - self.bytes.len()];
                let before = cell.load(Ordering::Relaxed);
                cell.store(value as i16, Ordering::Relaxed);
                before.into()
            }
        }
    }

    /// A copy of the values of some places, all of one kind.
    pub(crate) fn copy(&self, places: Range<usize>) -> Layer {
        if places.end <= self.bytes.len() {
            return Layer::Bytes(self.bytes[places].iter().map(|value| value.load(Ordering::Relaxed)).collect());
        }
        let skipped = self.bytes.len();
        let words = &self.words[places.start - skipped..places.end - skipped];
        Layer::Words(words.iter().map(|value| value.load(Ordering::Relaxed)).collect())
    }
}

//! Positions of the layer in work that were found and whose moves were not followed yet.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

use super::set::{Set, mark, no_bits};

/// Places of a piece of the list at the beginning.
const PIECE: usize = 1 << 13;

/// Lists of places, or a bit for every place where the set of the layer has bits.
pub(super) enum Waiting {
    /// In pieces as they were found, so that none has to grow, and each is given back once it is followed.
    List(Vec<Vec<u64>>),
    Bits {
        bits: Vec<AtomicU64>,
        /// The word to go on with.
        at: usize,
    },
}

/// What to follow next, and where to put what is found.
pub(super) enum Batch<'w> {
    List {
        places: Vec<Vec<u64>>,
        new: &'w mut Vec<Vec<u64>>,
    },
    /// Words of the bits that wait, to be cleared as they are followed. New ones are set among them.
    Bits {
        words: Range<usize>,
        bits: &'w [AtomicU64],
    },
}

impl Waiting {
    /// All positions of a set.
    pub(super) fn all(set: &Set) -> Self {
        match set {
            Set::List(_) => {
                let mut left = set.len() as usize;
                let mut pieces: Vec<Vec<u64>> = Vec::with_capacity(left.div_ceil(PIECE));
                set.each(|place| {
                    if pieces.last().is_none_or(|piece| piece.len() == PIECE) {
                        pieces.push(Vec::with_capacity(left.min(PIECE)));
                        left -= left.min(PIECE);
                    }
                    if let Some(piece) = pieces.last_mut() {
                        piece.push(place);
                    }
                });
                Waiting::List(pieces)
            }
            Set::Bits(bits) => {
                let copy = |word: &AtomicU64| AtomicU64::new(word.load(Ordering::Relaxed));
                Waiting::Bits { bits: bits.iter().map(copy).collect(), at: 0 }
            }
        }
    }

    /// Bytes that [`Waiting::all`] takes.
    pub(super) fn bytes_of(set: &Set) -> u64 {
        match set {
            Set::List(_) => set.len() * size_of::<u64>() as u64 + set.len().div_ceil(PIECE as u64) * size_of::<Vec<u64>>() as u64,
            Set::Bits(_) => set.bytes(),
        }
    }

    /// From now on a bit for each of so many places.
    pub(super) fn become_bits(&mut self, places: u64) {
        if let Waiting::List(list) = self {
            let bits = no_bits(places);
            list.iter().flatten().for_each(|&place| {
                mark(&bits, place);
            });
            *self = Waiting::Bits { bits, at: 0 };
        }
    }

    pub(super) fn bytes(&self) -> u64 {
        match self {
            Waiting::List(list) => {
                let places: usize = list.iter().map(Vec::capacity).sum();
                (places * size_of::<u64>() + list.capacity() * size_of::<Vec<u64>>()) as u64
            }
            Waiting::Bits { bits, .. } => size_of_val(bits.as_slice()) as u64,
        }
    }

    /// Whether this is a list, and empty.
    pub(super) fn is_empty_list(&self) -> bool {
        matches!(self, Waiting::List(list) if list.is_empty())
    }

    /// About so many positions; none if none is left.
    pub(super) fn take(&mut self, positions: usize) -> Option<Batch<'_>> {
        match self {
            Waiting::List(list) => {
                let (mut places, mut left) = (Vec::new(), positions);
                while left > 0
                    && let Some(mut piece) = list.pop()
                {
                    if piece.len() > left {
                        places.push(piece.split_off(piece.len() - left));
                        list.push(piece);
                        left = 0;
                    } else {
                        left -= piece.len();
                        places.push(piece);
                    }
                }
                (!places.is_empty()).then_some(Batch::List { places, new: list })
            }
            Waiting::Bits { bits, at } => {
                let waits = |word: &AtomicU64| word.load(Ordering::Relaxed) != 0;
                // What waits before the place to go on with comes in another round.
                let first = bits[*at..].iter().position(waits).map(|skipped| *at + skipped);
                let first = first.or_else(|| bits[..*at].iter().position(waits))?;
                let (mut to, mut found) = (first, 0);
                while to < bits.len() && found < positions {
                    found += bits[to].load(Ordering::Relaxed).count_ones() as usize;
                    to += 1;
                }
                *at = to;
                Some(Batch::Bits { words: first..to, bits })
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::set::ones;
    use super::*;

    /// Whatever comes in while batches are followed is handed out once, in either form.
    #[test]
    fn everything_that_waits_comes_up_once() {
        for as_bits in [false, true] {
            let mut set = Set::new(0);
            (0..1000).step_by(7).for_each(|place| assert!(set.insert(place)));
            if as_bits {
                set.become_bits(1000);
            }
            let mut waiting = Waiting::all(&set);
            let mut followed = Vec::new();
            let mut late = vec![1, 998, 500];
            while let Some(batch) = waiting.take(50) {
                match batch {
                    Batch::List { places, new } => {
                        followed.extend(places.into_iter().flatten());
                        new.extend(late.pop().map(|place| vec![place]));
                    }
                    Batch::Bits { words, bits } => {
                        followed.extend(words.flat_map(|at| ones(at, bits[at].swap(0, Ordering::Relaxed))));
                        late.pop().into_iter().for_each(|place| assert!(mark(bits, place)));
                    }
                }
            }
            followed.sort_unstable();
            let mut expected: Vec<u64> = (0..1000).step_by(7).chain([1, 500, 998]).collect();
            expected.sort_unstable();
            assert_eq!(followed, expected);
        }
    }
}

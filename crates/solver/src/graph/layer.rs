//! The positions of a layer, and what is known of them.

use rayon::prelude::*;

/// No length is known: no game of best moves from here ends.
pub(super) const NEVER: u32 = u32::MAX;
/// Keys to a bucket, on average: one line of cache.
const BUCKET: usize = 8;

/// All positions of a graph with some number of seeds in play, in the order of their keys, with their values once they are settled.
#[derive(Debug, Default)]
pub(super) struct Layer {
    pub(super) keys: Vec<u64>,
    /// Where the keys of each bucket begin; the last entry is their number. A bucket is an equal share of all 64-bit words.
    buckets: Vec<u32>,
    /// For each position its value for the player to choose.
    pub(super) values: Vec<i16>,
    /// For each position the moves of the shortest game of best moves, or [`NEVER`].
    pub(super) plies: Vec<u32>,
    /// For each position the most laps of what may remain of a turn; kept where a turn can have several moves.
    pub(super) turn_laps: Vec<u32>,
}

impl Layer {
    /// Bytes of a position: key, buckets, value, plies, and laps where they are kept.
    pub(super) const BYTES: u64 = 8 + 1 + 2 + 4 + 4;

    /// A layer of these positions. The keys may be in any order; each may occur once.
    pub(super) fn new(mut keys: Vec<u64>) -> Self {
        keys.par_sort_unstable();
        let buckets = keys.len() / BUCKET + 1;
        let mut starts = vec![0u32; buckets + 1];
        for &key in &keys {
            starts[bucket(key, buckets) + 1] += 1;
        }
        for at in 0..buckets {
            starts[at + 1] += starts[at];
        }
        Layer { keys, buckets: starts, ..Layer::default() }
    }

    pub(super) fn len(&self) -> usize {
        self.keys.len()
    }

    /// Where a key is.
    #[inline(always)]
    pub(super) fn find(&self, key: u64) -> Option<usize> {
        let at = bucket(key, self.buckets.len().checked_sub(1)?);
        let (from, to) = (self.buckets[at] as usize, self.buckets[at + 1] as usize);
        self.keys[from..to].iter().position(|&other| other == key).map(|within| from + within)
    }
}

/// Which of so many equal shares of all words holds `key`.
fn bucket(key: u64, buckets: usize) -> usize {
    ((u128::from(key) * buckets as u128) >> 64) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_key_is_found_and_no_other() {
        for count in [0u64, 1, 7, 8, 1000] {
            let keys: Vec<u64> = (0..count).map(|k| k.wrapping_mul(0x9e37_79b9_7f4a_7c15)).collect();
            let layer = Layer::new(keys.clone());
            assert!(keys.iter().all(|&key| layer.find(key).is_some_and(|at| layer.keys[at] == key)));
            assert!(keys.iter().all(|&key| layer.find(key ^ 1).is_none()));
        }
        assert_eq!(Layer::default().find(0), None);
    }
}

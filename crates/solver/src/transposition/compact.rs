//! A transposition table of 64-bit entries.
//!
//! **Exact keys.** A board's number `x` is below `2^k`. A bijection of `0..2^k` mixes it; the upper `t` bits of the result choose a
//! bucket, and the lower `k - t` bits, stored in the entry, tell apart all boards that share it. So a matching entry was stored for
//! that board and no other. An entry is one atomic word: it is never read half-written.
//!
//! **Entry**, from the lowest bit: effort (6 bits, 0 marks an empty entry), best pit (4, 15 for none), low and high (each `w` bits,
//! counted up from the lowest value the board can have, in steps of two where values have the parity of the seeds), residue.

use std::sync::atomic::{AtomicU64, Ordering};

use lumbung_engine::kernel::{Lanes, Seat};
use lumbung_tables::Index;

use super::{Known, Transpositions, effort};

const WAYS: usize = 8;
const EFFORT_BITS: u32 = 6;
const BEST_BITS: u32 = 4;
const NO_BEST: u64 = 15;

/// One cache line.
#[repr(align(64))]
struct Bucket([AtomicU64; WAYS]);

/// See the [module](self).
pub(crate) struct Compact {
    index: Index,
    symmetric: bool,
    parity: bool,
    /// Bits of a board's number, `k`.
    key_bits: u32,
    /// Bits that choose a bucket, `t`.
    bucket_bits: u32,
    /// Bits of a bound, `w`.
    value_bits: u32,
    buckets: Vec<Bucket>,
}

impl Compact {
    /// A table of at most `bytes` (but no less than one bucket) for boards of `pits` pits a row with up to `seeds` seeds. `None` if
    /// an entry has no room for the key.
    pub(crate) fn for_boards(pits: usize, seeds: usize, symmetric: bool, parity: bool, bytes: usize) -> Option<Self> {
        let numbers = if symmetric { 1 } else { 2 };
        let index = Index::new(pits, seeds)?;
        let boards = index.total().checked_mul(numbers)?;
        let key_bits = (u64::BITS - (boards - 1).leading_zeros()).max(1);
        let values = if parity { seeds } else { 2 * seeds } + 1;
        let value_bits = values.next_power_of_two().trailing_zeros();
        // Where a player may own pits on both sides, her pits are numbered through both rows.
        if pits * numbers as usize > NO_BEST as usize {
            return None;
        }
        let empty = Compact { index, symmetric, parity, key_bits, bucket_bits: 0, value_bits, buckets: Vec::new() };
        empty.sized(bytes)
    }

    fn sized(&self, bytes: usize) -> Option<Self> {
        let buckets = (bytes / size_of::<Bucket>()).max(1);
        let bucket_bits = buckets.ilog2().min(self.key_bits);
        if self.key_bits - bucket_bits + 2 * self.value_bits + EFFORT_BITS + BEST_BITS > 64 {
            return None;
        }
        let buckets = (0..1usize << bucket_bits).map(|_| Bucket(std::array::from_fn(|_| AtomicU64::new(0)))).collect();
        Some(Compact { index: self.index.clone(), bucket_bits, buckets, ..*self })
    }

    /// A bijection of `0..2^k`: odd multiplications and a downward shift can each be undone.
    #[inline(always)]
    fn mix(&self, number: u64) -> u64 {
        let mask = u64::MAX >> (64 - self.key_bits);
        let mut x = number.wrapping_mul(0x9e37_79b9_7f4a_7c15) & mask;
        x ^= x >> (self.key_bits / 2).max(1);
        x = x.wrapping_mul(0xd6e8_feb8_6659_fd93) & mask;
        x ^ x >> (self.key_bits / 2).max(1)
    }

    fn residue_bits(&self) -> u32 {
        self.key_bits - self.bucket_bits
    }

    fn split(&self, key: u64) -> (&Bucket, u64) {
        let residue_bits = self.residue_bits();
        // Shifts by the whole width occur at the extremes, so they are made checked.
        let bucket = key.checked_shr(residue_bits).unwrap_or(0);
        let residue = key & 1u64.checked_shl(residue_bits).map_or(u64::MAX, |bit| bit - 1);
        (&self.buckets[bucket as usize], residue)
    }

    fn residue_of(&self, entry: u64) -> u64 {
        entry.checked_shr(64 - self.residue_bits()).unwrap_or(0)
    }

    /// Codes of bounds: steps above the lowest value, `-seeds`.
    fn encode(&self, value: i32, seeds: i32) -> u64 {
        ((value + seeds) >> u32::from(self.parity)) as u64
    }

    fn decode(&self, code: u64, seeds: i32) -> i32 {
        ((code as i32) << u32::from(self.parity)) - seeds
    }

    fn unpack(&self, entry: u64, seeds: i32) -> Known {
        let mask = (1 << self.value_bits) - 1;
        let best = entry >> EFFORT_BITS & NO_BEST;
        let values = entry >> (EFFORT_BITS + BEST_BITS);
        Known {
            low: self.decode(values & mask, seeds),
            high: self.decode(values >> self.value_bits & mask, seeds),
            best: (best != NO_BEST).then_some(best as u8),
        }
    }

    fn pack(&self, residue: u64, seeds: i32, known: Known, effort: u8) -> u64 {
        let best = known.best.map_or(NO_BEST, u64::from);
        let values = self.encode(known.low, seeds) | self.encode(known.high, seeds) << self.value_bits;
        let residue = residue.checked_shl(64 - self.residue_bits()).unwrap_or(0);
        u64::from(effort) | best << EFFORT_BITS | values << (EFFORT_BITS + BEST_BITS) | residue
    }

    /// Puts an entry where it costs least: over an older one of the same board, else over the least worked-for.
    fn place(&self, bucket: &Bucket, residue: u64, entry: u64) {
        let effort_mask = (1 << EFFORT_BITS) - 1;
        let mut place = &bucket.0[0];
        let mut least = u64::MAX;
        for slot in &bucket.0 {
            let old = slot.load(Ordering::Relaxed);
            if old != 0 && self.residue_of(old) == residue {
                place = slot;
                break;
            }
            if old & effort_mask < least {
                least = old & effort_mask;
                place = slot;
            }
        }
        place.store(entry, Ordering::Relaxed);
    }
}

impl<B: Lanes> Transpositions<B> for Compact {
    /// The mixed number of the board.
    type Key = u64;

    #[inline(always)]
    fn key(&self, board: &B, seat: Seat) -> u64 {
        let number = self.index.rank(board);
        self.mix(if self.symmetric { number } else { 2 * number + seat.index() as u64 })
    }

    #[inline(always)]
    fn prefetch(&self, key: u64) {
        let bucket = self.split(key).0;
        #[cfg(target_arch = "x86_64")]
        {
            use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
            // SAFETY: a hint reads nothing and is harmless for any address; this one is that of a bucket.
            unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(bucket).cast()) };
        }
        #[cfg(not(target_arch = "x86_64"))]
        let _ = bucket;
    }

    #[inline(always)]
    fn get(&self, key: u64, seeds: i32) -> Option<Known> {
        let (bucket, residue) = self.split(key);
        bucket
            .0
            .iter()
            .map(|slot| slot.load(Ordering::Relaxed))
            .find(|&entry| entry != 0 && self.residue_of(entry) == residue)
            .map(|entry| self.unpack(entry, seeds))
    }

    fn put(&self, key: u64, seeds: i32, known: Known, nodes: u64) {
        let (bucket, residue) = self.split(key);
        let mut known = known;
        if let Some(old) = Transpositions::<B>::get(self, key, seeds) {
            known.low = known.low.max(old.low);
            known.high = known.high.min(old.high);
            known.best = known.best.or(old.best);
        }
        self.place(bucket, residue, self.pack(residue, seeds, known, effort(nodes)));
    }

    fn bytes(&self) -> usize {
        self.buckets.len() * size_of::<Bucket>()
    }

    fn grown(&self, bytes: usize) -> Self {
        // A larger table needs fewer bits of residue, so what fitted still fits.
        let grown = self.sized(bytes.max(Transpositions::<B>::bytes(self))).expect("a larger table has shorter residues");
        let payload_bits = 64 - self.residue_bits();
        for (number, bucket) in self.buckets.iter().enumerate() {
            for slot in &bucket.0 {
                let entry = slot.load(Ordering::Relaxed);
                if entry != 0 {
                    let upper = (number as u64).checked_shl(self.residue_bits()).unwrap_or(0);
                    let (bucket, residue) = grown.split(upper | self.residue_of(entry));
                    let payload = entry & 1u64.checked_shl(payload_bits).map_or(u64::MAX, |bit| bit - 1);
                    let shifted = residue.checked_shl(64 - grown.residue_bits()).unwrap_or(0);
                    grown.place(bucket, residue, payload | shifted);
                }
            }
        }
        grown
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mixing_is_a_bijection() {
        // Every odd width in between is covered by both parities of the shift.
        for key_bits in 1..=16 {
            let mut table = Compact::for_boards(1, 1, true, true, 64).unwrap();
            table.key_bits = key_bits;
            let mut seen = vec![false; 1 << key_bits];
            for number in 0..1u64 << key_bits {
                assert!(!std::mem::replace(&mut seen[table.mix(number) as usize], true));
            }
        }
    }
}

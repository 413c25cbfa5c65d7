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
use lumbung_tables::memory::{advise_huge_pages, prefetch};

use super::{Known, SAMPLE, Transpositions, effort};

const WAYS: usize = 8;
const EFFORT_BITS: u32 = 6;
const EFFORT_MASK: u64 = (1 << EFFORT_BITS) - 1;
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
        let mut buckets: Vec<Bucket> = Vec::with_capacity(1 << bucket_bits);
        // Most look-ups go to another page than the last one, and huge pages are few.
        advise_huge_pages(buckets.spare_capacity_mut());
        buckets.extend((0..1usize << bucket_bits).map(|_| Bucket(std::array::from_fn(|_| AtomicU64::new(0)))));
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

    /// The bucket of a mixed number, and its residue where it stands in an entry.
    #[inline(always)]
    fn split(&self, mixed: u64) -> (&Bucket, u64) {
        (&self.buckets[(mixed >> self.residue_bits()) as usize], self.shifted(mixed))
    }

    /// The residue of a mixed number where it stands in an entry. Without bits of residue it is 0, in two shifts because one by the
    /// whole width is none.
    #[inline(always)]
    fn shifted(&self, mixed: u64) -> u64 {
        mixed << 1 << (63 - self.residue_bits())
    }

    /// The bits of an entry without residue.
    #[inline(always)]
    fn payload_mask(&self) -> u64 {
        u64::MAX >> self.residue_bits()
    }

    /// Every entry: the mixed number of its board, and the entry without residue.
    fn entries(&self) -> impl Iterator<Item = (u64, u64)> + '_ {
        let (payload_mask, residue_bits) = (self.payload_mask(), self.residue_bits());
        (0u64..).zip(&self.buckets).flat_map(move |(number, bucket)| {
            let entries = bucket.0.iter().map(|slot| slot.load(Ordering::Relaxed)).filter(|&entry| entry != 0);
            entries.map(move |entry| {
                let residue = (entry & !payload_mask) >> 1 >> (63 - residue_bits);
                (number << residue_bits | residue, entry & payload_mask)
            })
        })
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

    /// An entry without residue.
    #[inline(always)]
    fn pack(&self, seeds: i32, known: Known, effort: u8) -> u64 {
        let best = known.best.map_or(NO_BEST, u64::from);
        let values = self.encode(known.low, seeds) | self.encode(known.high, seeds) << self.value_bits;
        u64::from(effort) | best << EFFORT_BITS | values << (EFFORT_BITS + BEST_BITS)
    }

    /// Where an entry with this residue costs least: over an older one of the same board, which is returned too, else over the least
    /// worked-for. Slots are taken from the first, and none is ever given up, so behind a free one there are only free ones.
    #[inline(always)]
    fn slot<'b>(&self, bucket: &'b Bucket, residue: u64) -> (&'b AtomicU64, Option<u64>) {
        let payload_mask = self.payload_mask();
        let mut place = &bucket.0[0];
        let mut least = u64::MAX;
        for slot in &bucket.0 {
            let old = slot.load(Ordering::Relaxed);
            if old == 0 {
                return (slot, None);
            }
            if old & !payload_mask == residue {
                return (slot, Some(old));
            }
            if old & EFFORT_MASK < least {
                least = old & EFFORT_MASK;
                place = slot;
            }
        }
        (place, None)
    }

    /// Stores an entry without residue for a mixed number.
    fn store(&self, mixed: u64, payload: u64) {
        let (bucket, residue) = self.split(mixed);
        self.slot(bucket, residue).0.store(payload | residue, Ordering::Relaxed);
    }
}

/// A board as the table knows it: its number, mixed with the seat.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Key(u64);

impl<B: Lanes> Transpositions<B> for Compact {
    type Key = Key;

    #[inline(always)]
    fn key(&self, board: &B, seat: Seat) -> Key {
        let number = self.index.rank(board);
        Key(self.mix(if self.symmetric { number } else { 2 * number + seat.index() as u64 }))
    }

    #[inline(always)]
    fn prefetch(&self, key: Key) {
        prefetch(self.split(key.0).0);
    }

    #[inline(always)]
    fn get(&self, key: Key, seeds: i32) -> Option<Known> {
        let (bucket, residue) = self.split(key.0);
        let payload_mask = self.payload_mask();
        for slot in &bucket.0 {
            let entry = slot.load(Ordering::Relaxed);
            if entry == 0 {
                return None;
            }
            if entry & !payload_mask == residue {
                return Some(self.unpack(entry, seeds));
            }
        }
        None
    }

    fn put(&self, key: Key, seeds: i32, known: Known, nodes: u64) {
        let (bucket, residue) = self.split(key.0);
        let (slot, old) = self.slot(bucket, residue);
        let mut known = known;
        if let Some(old) = old {
            let old = self.unpack(old, seeds);
            known.low = known.low.max(old.low);
            known.high = known.high.min(old.high);
            known.best = known.best.or(old.best);
        }
        slot.store(self.pack(seeds, known, effort(nodes)) | residue, Ordering::Relaxed);
    }

    const BYTES: usize = size_of::<AtomicU64>();

    /// The mixed number of the board, then the entry without residue.
    const ENTRY_BYTES: usize = 16;

    fn save(&self, least: u8, entry: &mut dyn FnMut(&[u8])) {
        for (key, payload) in self.entries() {
            if (payload & EFFORT_MASK) as u8 >= least {
                entry(&[key.to_le_bytes(), payload.to_le_bytes()].concat());
            }
        }
    }

    fn restore(&self, entry: &[u8]) -> Option<()> {
        let (key, payload) = entry.split_at_checked(8)?;
        let (key, payload) = (u64::from_le_bytes(key.try_into().ok()?), u64::from_le_bytes(payload.try_into().ok()?));
        let payload_bits = EFFORT_BITS + BEST_BITS + 2 * self.value_bits;
        if key.checked_shr(self.key_bits).unwrap_or(0) != 0 || payload >> payload_bits != 0 || payload & EFFORT_MASK == 0 {
            return None;
        }
        self.store(key, payload);
        Some(())
    }

    fn efforts(&self) -> [u64; 64] {
        let mut efforts = [0; 64];
        for slot in self.buckets.iter().flat_map(|bucket| &bucket.0) {
            efforts[(slot.load(Ordering::Relaxed) & EFFORT_MASK) as usize] += 1;
        }
        efforts
    }

    fn fill(&self) -> f64 {
        let slots = self.buckets.iter().take(SAMPLE / WAYS).flat_map(|bucket| &bucket.0);
        let used: Vec<bool> = slots.map(|slot| slot.load(Ordering::Relaxed) != 0).collect();
        used.iter().filter(|used| **used).count() as f64 / used.len() as f64
    }

    fn bytes(&self) -> usize {
        self.buckets.len() * size_of::<Bucket>()
    }

    fn grown(&self, bytes: usize) -> Self {
        // A larger table needs fewer bits of residue, so what fitted still fits.
        let grown = self.sized(bytes.max(Transpositions::<B>::bytes(self))).expect("a larger table has shorter residues");
        for (key, payload) in self.entries() {
            grown.store(key, payload);
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

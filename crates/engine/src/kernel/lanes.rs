//! Packed boards.

use std::fmt::Debug;
use std::hash::Hash;

use super::count::{AT_ONCE, Count};
use super::words::{MAX_WORDS, Words};

/// A board of up to `STRIDE` pits a row, one lane a pit, seen by the player to move: her row in lanes `0..STRIDE`, the other row
/// in `STRIDE..2*STRIDE`, each in its owner's sowing order. Lanes beyond the pits of a row stay 0.
pub trait Lanes: Copy + Eq + Hash + Debug + Send + Sync + 'static {
    /// Lanes a row.
    const STRIDE: usize;
    /// Lanes in all.
    const LANES: usize = 2 * Self::STRIDE;
    /// The most seeds a lane can hold. Boards with more seeds than this in all are never packed, so no lane ever overflows.
    const MAX_COUNT: u32;
    /// No seeds.
    const EMPTY: Self;

    /// Seeds in a lane.
    fn get(&self, lane: usize) -> u32;
    /// Puts `seeds` into a lane.
    fn set(&mut self, lane: usize, seeds: u32);
    /// Adds lane by lane. With a `delta` made by [`Lanes::minus`], lanes may lose seeds; the result must be a board.
    fn add(&mut self, delta: &Self);
    /// The delta that adds `self` and takes `less` away.
    fn minus(&self, less: &Self) -> Self;
    /// The same board seen by the other player.
    fn swap(&self) -> Self;
    /// Whether row 0 (the mover's) or 1 has no seeds.
    fn row_is_empty(&self, row: usize) -> bool;
    /// Seeds in row 0 (the mover's) or 1.
    fn row_seeds(&self, row: usize) -> u32;
    /// The lanes with seeds, as bits.
    fn occupied(&self) -> u64;
    /// In how many lanes of row 0 both boards hold the same number of seeds.
    fn same_in_row(&self, other: &Self) -> u32;
    /// Whether no pit holds more than one seed.
    fn only_singletons(&self) -> bool;
    /// A well-mixed hash of the pits.
    fn hash(&self) -> u64;
    /// Words of [`Lanes::low_bytes`] in use.
    const WORDS: usize = Self::LANES / 8;
    /// The low bytes of the lanes, eight a word, the first lane lowest; the other words are 0.
    fn low_bytes(&self) -> [u64; MAX_WORDS];
    /// Whether no lane holds more than 255.
    fn fits_bytes(&self) -> bool;
    /// Whether a lane of row 0 holds no less than it does in `least`, where it holds 1 to 127.
    fn any_at_least(&self, least: &Self) -> bool;

    /// For each row, the sum over its pits `k = 1..pits` of `terms[k * width + t]` with `t` the seeds in pits `k..pits`: what a
    /// ranking of rows is made of.
    #[inline(always)]
    fn row_terms(&self, pits: usize, width: usize, terms: &[u64]) -> [u64; 2] {
        [0, 1].map(|row| {
            let (mut suffix, mut rank) = (0, 0u64);
            for k in (1..pits).rev() {
                suffix += self.get(row * Self::STRIDE + k) as usize;
                rank += terms[k * width + suffix];
            }
            rank
        })
    }

    /// Seeds on the board.
    fn seeds(&self) -> u32 {
        self.row_seeds(0) + self.row_seeds(1)
    }
}

/// Sixteen lanes of a byte: up to 8 pits a row and 255 seeds, in two machine words, one a row.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Bytes16(pub u128);

const ONES: u64 = 0x0101_0101_0101_0101;

impl Bytes16 {
    /// A row as a word: pit `k` in byte `k`.
    #[inline(always)]
    pub fn row(&self, row: usize) -> u64 {
        if row == 0 { self.0 as u64 } else { (self.0 >> 64) as u64 }
    }
}

/// Bit `k` says whether byte `k` is occupied.
#[inline(always)]
fn occupied_bytes(row: u64) -> u64 {
    // Gathers bit 7 of byte k at bit 56 + k.
    (occupied_flags(row) >> 7).wrapping_mul(0x0102_0408_1020_4080) >> 56
}

impl Lanes for Bytes16 {
    const STRIDE: usize = 8;
    const MAX_COUNT: u32 = 255;
    const EMPTY: Self = Bytes16(0);

    #[inline(always)]
    fn get(&self, lane: usize) -> u32 {
        let row = if lane & 8 == 0 { self.0 as u64 } else { (self.0 >> 64) as u64 };
        (row >> ((lane & 7) * 8)) as u32 & 255
    }

    #[inline(always)]
    fn set(&mut self, lane: usize, seeds: u32) {
        let shift = lane * 8;
        self.0 = self.0 & !(255 << shift) | u128::from(seeds) << shift;
    }

    #[inline(always)]
    fn add(&mut self, delta: &Self) {
        self.0 = self.0.wrapping_add(delta.0);
    }

    fn minus(&self, less: &Self) -> Self {
        Bytes16(self.0.wrapping_sub(less.0))
    }

    #[inline(always)]
    fn swap(&self) -> Self {
        Bytes16(self.0.rotate_left(64))
    }

    #[inline(always)]
    fn row_is_empty(&self, row: usize) -> bool {
        self.row(row) == 0
    }

    #[inline(always)]
    fn row_seeds(&self, row: usize) -> u32 {
        // The top byte of the product is the sum of all bytes, which is at most MAX_COUNT.
        (self.row(row).wrapping_mul(ONES) >> 56) as u32
    }

    #[inline(always)]
    fn occupied(&self) -> u64 {
        occupied_bytes(self.row(0)) | occupied_bytes(self.row(1)) << 8
    }

    #[inline(always)]
    fn same_in_row(&self, other: &Self) -> u32 {
        let unlike = occupied_flags(self.row(0) ^ other.row(0)) >> 7;
        Self::STRIDE as u32 - (unlike.wrapping_mul(ONES) >> 56) as u32
    }

    #[inline(always)]
    fn only_singletons(&self) -> bool {
        self.0 & !((ONES as u128) << 64 | ONES as u128) == 0
    }

    #[inline(always)]
    fn row_terms(&self, pits: usize, width: usize, terms: &[u64]) -> [u64; 2] {
        // With the bytes reversed, the product holds all sums from the last pit down at once.
        let suffixes = |row: usize| self.row(row).swap_bytes().wrapping_mul(ONES) >> (8 * (8 - pits));
        let (mut own, mut other) = (suffixes(0), suffixes(1));
        let mut ranks = [0, 0];
        for terms in terms[width..pits * width].rchunks_exact(width) {
            ranks[0] += terms[(own & 255) as usize];
            ranks[1] += terms[(other & 255) as usize];
            own >>= 8;
            other >>= 8;
        }
        ranks
    }

    #[inline(always)]
    fn hash(&self) -> u64 {
        mix(self.row(0) ^ mix(self.row(1) ^ 0x9e37_79b9_7f4a_7c15))
    }

    #[inline(always)]
    fn low_bytes(&self) -> [u64; MAX_WORDS] {
        let mut words = [0; MAX_WORDS];
        words[0] = self.row(0);
        words[1] = self.row(1);
        words
    }

    #[inline(always)]
    fn fits_bytes(&self) -> bool {
        true
    }

    #[inline(always)]
    fn any_at_least(&self, least: &Self) -> bool {
        let (row, tops) = (self.row(0), ONES << 7);
        // A byte below 128 keeps its top bit exactly if the difference is not negative, and none borrows from the next.
        (((row | tops) - least.row(0)) | row) & tops != 0
    }
}

/// Bit 7 of each byte that is not 0.
#[inline(always)]
fn occupied_flags(row: u64) -> u64 {
    // The sum carries into bit 7 of a byte exactly if one of its lower seven bits is set; no carry leaves a byte.
    let low = row & 0x7f7f_7f7f_7f7f_7f7f;
    ((low + 0x7f7f_7f7f_7f7f_7f7f) | row) & 0x8080_8080_8080_8080
}

/// A bijective mixing of a word.
#[inline(always)]
fn mix(word: u64) -> u64 {
    let word = (word ^ word >> 32).wrapping_mul(0xd6e8_feb8_6659_fd93);
    let word = (word ^ word >> 32).wrapping_mul(0xd6e8_feb8_6659_fd93);
    word ^ word >> 32
}

/// `N` lanes in an array, for boards that do not fit [`Bytes16`]: `N / 2` pits a row, sown by vector additions.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(align(32))]
pub struct Wide<T, const N: usize>([T; N]);

impl<T: Count, const N: usize> Lanes for Wide<T, N> {
    const STRIDE: usize = N / 2;
    const MAX_COUNT: u32 = T::MAX;
    const EMPTY: Self = Wide([T::ZERO; N]);

    #[inline(always)]
    fn get(&self, lane: usize) -> u32 {
        self.0[lane].widen()
    }

    #[inline(always)]
    fn set(&mut self, lane: usize, seeds: u32) {
        self.0[lane] = T::narrow(seeds);
    }

    #[inline(always)]
    fn add(&mut self, delta: &Self) {
        // No lane is left out, here or where lanes are told as words.
        const { assert!(N.is_multiple_of(AT_ONCE) && N / 8 <= MAX_WORDS) };
        let (chunks, _) = self.0.as_chunks_mut::<AT_ONCE>();
        for (lanes, more) in chunks.iter_mut().zip(delta.0.as_chunks::<AT_ONCE>().0) {
            T::add(lanes, more);
        }
    }

    fn minus(&self, less: &Self) -> Self {
        Wide(std::array::from_fn(|i| self.0[i].less(less.0[i])))
    }

    #[inline(always)]
    fn swap(&self) -> Self {
        let mut swapped = *self;
        let (own, other) = swapped.0.split_at_mut(N / 2);
        own.swap_with_slice(other);
        swapped
    }

    #[inline(always)]
    fn row_is_empty(&self, row: usize) -> bool {
        // Vectors look at all lanes sooner than a loop that may end early at one.
        !self.0[row * (N / 2)..(row + 1) * (N / 2)].iter().fold(false, |any, &c| any | (c != T::ZERO))
    }

    #[inline(always)]
    fn row_seeds(&self, row: usize) -> u32 {
        self.0[row * (N / 2)..(row + 1) * (N / 2)].iter().map(|c| c.widen()).sum()
    }

    #[inline(always)]
    fn occupied(&self) -> u64 {
        let chunks = self.0.as_chunks::<AT_ONCE>().0.iter();
        chunks.rev().fold(0, |bits, lanes| bits << AT_ONCE | T::occupied(lanes))
    }

    #[inline(always)]
    fn same_in_row(&self, other: &Self) -> u32 {
        let same = self.0[..N / 2].iter().zip(&other.0[..N / 2]).map(|(a, b)| T::narrow(u32::from(a == b)));
        // Lanes are few enough for a lane's own type to count them, and vectors count in it.
        same.fold(T::ZERO, T::plus).widen()
    }

    fn only_singletons(&self) -> bool {
        self.0.iter().all(|c| c.widen() <= 1)
    }

    #[inline(always)]
    fn hash(&self) -> u64 {
        Words::of(self).hash(Self::WORDS)
    }

    #[inline(always)]
    fn low_bytes(&self) -> [u64; MAX_WORDS] {
        let mut bytes = [[0u8; 8]; MAX_WORDS];
        for (byte, count) in bytes.as_flattened_mut().iter_mut().zip(&self.0) {
            *byte = count.widen() as u8;
        }
        bytes.map(u64::from_le_bytes)
    }

    #[inline(always)]
    fn fits_bytes(&self) -> bool {
        T::MAX <= 255 || self.0.iter().fold(0, |all, c| all | c.widen()) <= 255
    }

    #[inline(always)]
    fn any_at_least(&self, least: &Self) -> bool {
        self.0[..N / 2].iter().zip(&least.0[..N / 2]).fold(false, |any, (a, b)| any | (a.widen() >= b.widen()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn fill<B: Lanes>(seeds: &[u8; 16]) -> B {
        let mut board = B::EMPTY;
        for (k, &c) in seeds.iter().enumerate() {
            board.set(k % 8 + k / 8 * B::STRIDE, u32::from(c));
        }
        board
    }

    proptest! {
        // Every packed board must answer as a plain array of counts does.
        #[test]
        fn lanes_agree_with_a_plain_array(seeds in prop::array::uniform16(prop_oneof![3 => Just(0u8), 3 => 0u8..4, 1 => 0u8..=15])) {
            fn check<B: Lanes>(seeds: &[u8; 16]) {
                let board: B = fill(seeds);
                let (south, north) = seeds.split_at(8);
                let sum = |row: &[u8]| row.iter().map(|&c| u32::from(c)).sum::<u32>();
                assert_eq!((board.row_seeds(0), board.row_seeds(1), board.seeds()), (sum(south), sum(north), sum(seeds)));
                assert_eq!((board.row_is_empty(0), board.row_is_empty(1)), (sum(south) == 0, sum(north) == 0));
                assert_eq!(board.only_singletons(), seeds.iter().all(|&c| c <= 1));
                let mut least: B = fill(&[127; 16]);
                (8..B::STRIDE).for_each(|lane| least.set(lane, 1));
                for k in 0..8 {
                    least.set(k, 3 + k as u32);
                }
                assert_eq!(board.any_at_least(&least), (0..8).any(|k| usize::from(south[k]) >= 3 + k));
                let same = south.iter().zip(north).filter(|(a, b)| a == b).count();
                assert_eq!(board.same_in_row(&board.swap()) as usize, B::STRIDE - 8 + same);
                for (k, &count) in seeds.iter().enumerate() {
                    let lane = k % 8 + k / 8 * B::STRIDE;
                    assert_eq!(board.get(lane), u32::from(count));
                    assert_eq!(board.occupied() >> lane & 1 == 1, count > 0);
                    assert_eq!(board.swap().get((lane + B::STRIDE) % B::LANES), u32::from(count));
                }
                assert_eq!(board.swap().swap(), board);
                let mut sum = board;
                sum.add(&B::EMPTY.minus(&board));
                assert_eq!(sum, B::EMPTY);
            }
            check::<Bytes16>(&seeds);
            check::<Wide<u8, 32>>(&seeds);
            check::<Wide<u16, 32>>(&seeds);
            check::<Wide<u16, 48>>(&seeds);
        }
    }
}

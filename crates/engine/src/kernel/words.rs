//! A board in few words: what a table of whole boards stores and compares.
//!
//! The words hold the low bytes of all lanes. A lane above 255 is rare, and however the seeds lie, all lanes together hold at most
//! three times 256 besides their low bytes, because no board has more than 1,023 seeds. The lanes that hold those are named in 18 bits.

use super::lanes::Lanes;
use crate::position::MAX_SEEDS;

/// The most words a board takes.
pub const MAX_WORDS: usize = 6;

/// Bits of [`Words::above`].
pub const ABOVE_BITS: u32 = 3 * LANE_BITS;

/// Bits that name a lane: its number plus one.
const LANE_BITS: u32 = 6;

const _: () = assert!(MAX_SEEDS >> 8 <= 3, "three times 256 and no more");

/// A board as few words. Two boards of the same lanes have the same words if and only if they are the same.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Words {
    /// The low bytes of the lanes, eight a word, the first lane lowest; words beyond the lanes are 0.
    pub low: [u64; MAX_WORDS],
    /// The lanes that hold 256 more than their low bytes, each named as often as it does, in [`ABOVE_BITS`] bits.
    pub above: u32,
}

impl Words {
    /// The words of a board, which holds at most [`MAX_SEEDS`] seeds.
    #[inline(always)]
    pub fn of<B: Lanes>(board: &B) -> Self {
        Words { low: board.low_bytes(), above: if board.fits_bytes() { 0 } else { name_above(board) } }
    }

    /// The board of these words.
    pub fn board<B: Lanes>(&self) -> B {
        let mut board = B::EMPTY;
        for lane in 0..B::LANES {
            board.set(lane, (self.low[lane / 8] >> (8 * (lane % 8))) as u32 & 255);
        }
        let mut above = self.above;
        while above != 0 {
            let lane = (above & ((1 << LANE_BITS) - 1)) as usize - 1;
            board.set(lane, board.get(lane) + 256);
            above >>= LANE_BITS;
        }
        board
    }

    /// A well-mixed hash of the first `words` words, the others being 0.
    #[inline(always)]
    pub fn hash(&self, words: usize) -> u64 {
        // Every word goes through a multiplication of its own, so none waits for another.
        let sum = (0..words).fold(u64::from(self.above), |sum, i| sum.wrapping_add(folded(self.low[i], FACTORS[i])));
        folded(sum ^ 0x9e37_79b9_7f4a_7c15, 0xd6e8_feb8_6659_fd93)
    }
}

/// Odd numbers without pattern.
const FACTORS: [u64; MAX_WORDS] = [
    0xa076_1d64_78bd_642f,
    0xe703_7ed1_a0b4_28db,
    0x8ebc_6af0_9c88_c6e3,
    0x5899_65cc_7537_4cc3,
    0x1d8e_4e27_c47d_124f,
    0xeb44_acca_b455_d165,
];

/// Both halves of a product, so that the highest bits of `word` count as much as the lowest.
#[inline(always)]
fn folded(word: u64, factor: u64) -> u64 {
    let product = u128::from(word) * u128::from(factor);
    product as u64 ^ (product >> 64) as u64
}

#[cold]
#[inline(never)]
fn name_above<B: Lanes>(board: &B) -> u32 {
    debug_assert!(board.seeds() as usize <= MAX_SEEDS);
    (0..B::LANES).fold(0, |above, lane| (0..board.get(lane) >> 8).fold(above, |above, _| above << LANE_BITS | (lane as u32 + 1)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::{Bytes16, Wide};
    use proptest::prelude::*;

    /// Puts seeds into lanes until there are as many as a board may hold.
    fn fill<B: Lanes>(pits: &[(usize, u32)]) -> B {
        let mut board = B::EMPTY;
        let most = B::MAX_COUNT.min(MAX_SEEDS as u32);
        for &(lane, seeds) in pits {
            let lane = lane % B::LANES;
            board.set(lane, board.get(lane) + seeds.min(most - board.seeds()));
        }
        board
    }

    fn come_back<B: Lanes>(pits: &[(usize, u32)], others: &[(usize, u32)]) {
        let (board, other): (B, B) = (fill(pits), fill(others));
        let (words, other_words) = (Words::of(&board), Words::of(&other));
        assert_eq!(words.board::<B>(), board);
        assert!(words.above >> ABOVE_BITS == 0 && words.low[B::WORDS..].iter().all(|&word| word == 0));
        assert_eq!(board == other, words == other_words);
        assert_eq!(board == other, words.hash(B::WORDS) == other_words.hash(B::WORDS), "a collision of 64 bits");
    }

    proptest! {
        #[test]
        fn words_are_exact(
            pits in prop::collection::vec((0usize..48, prop_oneof![0u32..3, 0u32..=1023, Just(256), Just(255)]), 0..12),
            (at, seeds) in (0usize..48, prop_oneof![Just(1u32), Just(255), Just(256), Just(512)]),
        ) {
            let others: Vec<_> = pits.iter().copied().chain([(at, seeds)]).collect();
            come_back::<Bytes16>(&pits, &others);
            come_back::<Wide<u8, 32>>(&pits, &others);
            come_back::<Wide<u16, 32>>(&pits, &others);
            come_back::<Wide<u16, 48>>(&pits, &others);
        }
    }

    #[test]
    fn boards_that_differ_in_one_lane_hash_apart() {
        fn check<B: Lanes>() {
            let mut hashes = std::collections::HashSet::new();
            for lane in 0..B::LANES {
                for seeds in 1..=B::MAX_COUNT.min(600) {
                    let mut board = B::EMPTY;
                    board.set(lane, seeds);
                    // The upper half alone: it chooses a bucket.
                    assert!(hashes.insert(Words::of(&board).hash(B::WORDS) >> 24), "{board:?}");
                }
            }
        }
        check::<Bytes16>();
        check::<Wide<u8, 32>>();
        check::<Wide<u16, 48>>();
    }
}

//! Numbering positions: a bijection between boards and `0..total`.
//!
//! **Rows.** There are `N(n, a) = C(a+n-1, n-1)` rows of `n` pits with `a` seeds. Order them by their first pit, then their second
//! and so on, *larger pits first*: the row with everything in its first pit is number 0. With the suffix sums
//! `t_k = x_k + ... + x_{n-1}`, the rank of a row is
//!
//! `rank(x) = sum over k = 1..n-1 of C(t_k + n-1-k, n-k)`.
//!
//! *Proof.* The rows before `x` split by the first pit `k-1` where they differ from `x`: there they hold more than `x_{k-1}`, so
//! their pits from `k` on hold any `t < t_k` seeds, in any way. Those are
//! `sum over t < t_k of N(n-k, t) = C(t_k + n-k-1, n-k)` rows.
//! The map is monotone in every `t_k`: moving a seed forward raises the rank.
//!
//! **Boards.** Boards are ordered by seeds in play `s`, then by seeds `a` in the row of the player to move, then by the rank of her
//! row, then by the rank of the other row:
//!
//! `index = layer(s) + split(s, a) + rank(own) * N(n, s-a) + rank(other)`
//!
//! where `layer(s) = C(s-1+2n, 2n)` counts the boards with fewer than `s` seeds and `split(s, a)` sums `N(n, i) * N(n, s-i)` over
//! `i < a`.
//!
//! **Seats.** Where pits have other owners than the rows they lie in, the same pits are another position for South than for North.
//! Then a layer has all boards twice: as South sees them when she is to move, and after those as North does. Everything above is
//! doubled, and `boards(s)`, the boards of a layer for one seat, is added where North is to move.

use lumbung_engine::Owners;
use lumbung_engine::kernel::{Lanes, Seat};

/// The numbering of all boards of `pits` pits a row with at most `max_seeds` seeds.
#[derive(Clone, Debug)]
pub struct Index {
    pits: usize,
    max_seeds: usize,
    /// 1, or 2 where the game does not look the same to both players.
    seats: u64,
    /// `terms[k * width + t]`: what a suffix sum `t` from pit `k` on adds to the rank of a row.
    terms: Vec<u64>,
    /// `rows[a]`: rows with `a` seeds.
    rows: Vec<u64>,
    /// `starts[s * width + a]`: index of the first board with `s` seeds, `a` of them in the mover's row, for the first seat.
    starts: Vec<u64>,
    /// Boards with fewer than `s` seeds for all seats, for `s` in `0..=max_seeds + 1`.
    layers: Vec<u64>,
}

/// Binomial coefficient; `None` if it does not fit.
pub(crate) fn choose(n: u64, k: u64) -> Option<u64> {
    if k > n {
        return Some(0);
    }
    let k = k.min(n - k);
    let mut product: u128 = 1;
    for i in 0..k {
        // Exact: a product of i+1 consecutive binomials is divisible at each step.
        product = product.checked_mul(u128::from(n - i))? / u128::from(i + 1);
        if product > u128::from(u64::MAX) {
            return None;
        }
    }
    Some(product as u64)
}

impl Index {
    /// Numbers the boards of `pits` pits a row with at most `max_seeds` seeds. `None` if there are 2^64 of them or more.
    pub fn new(pits: usize, max_seeds: usize) -> Option<Self> {
        Index::with_seats(pits, max_seeds, 1)
    }

    /// Numbers the boards with at most `max_seeds` seeds where the pits have these owners: once if each player owns her own row,
    /// otherwise for each of the two to move. `None` if there are 2^64 of them or more.
    pub fn of_owners(owners: Owners, max_seeds: usize) -> Option<Self> {
        Index::with_seats(owners.pits(), max_seeds, Index::seats_of(owners))
    }

    fn with_seats(pits: usize, max_seeds: usize, seats: u64) -> Option<Self> {
        let (n, width) = (pits as u64, max_seeds + 1);
        // The largest number of all; if it fits, every other does.
        choose(max_seeds as u64 + 2 * n, 2 * n)?.checked_mul(seats)?;
        let mut terms = vec![0; pits * width];
        for k in 1..n {
            for t in 0..width as u64 {
                terms[k as usize * width + t as usize] = choose(t + n - 1 - k, n - k)?;
            }
        }
        let rows = (0..width as u64).map(|a| choose(a + n - 1, n - 1)).collect::<Option<Vec<_>>>()?;
        let layers = (0..=width as u64)
            .map(|s| if s == 0 { Some(0) } else { choose(s - 1 + 2 * n, 2 * n).map(|boards| seats * boards) })
            .collect::<Option<Vec<_>>>()?;
        let mut starts = vec![0; width * width];
        for s in 0..width {
            let mut start = layers[s];
            for a in 0..=s {
                starts[s * width + a] = start;
                start += rows[a] * rows[s - a];
            }
        }
        Some(Index { pits, max_seeds, seats, terms, rows, starts, layers })
    }

    /// How many boards of `pits` pits a row have at most `max_seeds` seeds, without numbering them. `None` if 2^64 or more.
    pub fn count(pits: usize, max_seeds: usize) -> Option<u64> {
        choose((max_seeds + 2 * pits) as u64, 2 * pits as u64)
    }

    /// About how many boards of `pits` pits a row have at most `max_seeds` seeds, also where they are too many to be numbered.
    pub fn about(pits: usize, max_seeds: usize) -> f64 {
        (0..2 * pits).map(|k| (max_seeds + 2 * pits - k) as f64 / (k + 1) as f64).product()
    }

    /// How many boards of `pits` pits a row, at least one, have exactly `seeds` seeds. `None` if 2^64 or more.
    pub fn count_layer(pits: usize, seeds: usize) -> Option<u64> {
        choose((seeds + 2 * pits - 1) as u64, 2 * pits as u64 - 1)
    }

    /// How many rows of `pits` pits, at least one, have exactly `seeds` seeds. `None` if 2^64 or more.
    pub fn count_rows(pits: usize, seeds: usize) -> Option<u64> {
        choose((seeds + pits - 1) as u64, pits as u64 - 1)
    }

    /// For how many seats boards are numbered where the pits have these owners: 1, or 2 where the game does not look the same to both.
    pub fn seats_of(owners: Owners) -> u64 {
        if owners.are_rows() { 1 } else { 2 }
    }

    /// Pits a row.
    pub fn pits(&self) -> usize {
        self.pits
    }

    /// The most seeds a board may hold.
    pub fn max_seeds(&self) -> usize {
        self.max_seeds
    }

    /// How many seats the boards are numbered for: 1, or 2 where the game does not look the same to both players.
    pub fn seats(&self) -> usize {
        self.seats as usize
    }

    /// Boards with exactly `seeds` seeds for one seat.
    pub fn boards(&self, seeds: usize) -> u64 {
        self.layer_len(seeds) / self.seats
    }

    /// All boards, for all seats.
    pub fn total(&self) -> u64 {
        self.layers[self.max_seeds + 1]
    }

    /// Boards with fewer than `seeds` seeds; the index of the first board of that layer.
    pub fn layer_start(&self, seeds: usize) -> u64 {
        self.layers[seeds]
    }

    /// Boards with up to `seeds` seeds; the index behind the last board of that layer.
    pub fn layer_end(&self, seeds: usize) -> u64 {
        self.layers[seeds + 1]
    }

    /// Boards with exactly `seeds` seeds, for all seats.
    pub fn layer_len(&self, seeds: usize) -> u64 {
        self.layers[seeds + 1] - self.layers[seeds]
    }

    /// Rows with `seeds` seeds.
    pub fn rows(&self, seeds: usize) -> u64 {
        self.rows[seeds]
    }

    /// The index of a board that the player on `seat` is to move on.
    #[inline(always)]
    pub fn place<B: Lanes>(&self, board: &B, seat: Seat) -> u64 {
        let first = self.rank(board);
        if seat == Seat::FIRST { first } else { first + self.boards(board.seeds() as usize) }
    }

    /// The index of a board that the player on the first seat is to move on, which is everybody where the game looks the same to both.
    #[inline(always)]
    pub fn rank<B: Lanes>(&self, board: &B) -> u64 {
        let width = self.max_seeds + 1;
        let ranks = board.row_terms(self.pits, width, &self.terms);
        let (own, other) = (board.row_seeds(0) as usize, board.row_seeds(1) as usize);
        self.starts[(own + other) * width + own] + ranks[0] * self.rows[other] + ranks[1]
    }

    /// The board with an index below [`Index::total`].
    ///
    /// # Panics
    /// If there is no such board.
    pub fn unrank<B: Lanes>(&self, index: u64) -> B {
        assert!(index < self.total(), "there are {} boards, and none with index {index}", self.total());
        let width = self.max_seeds + 1;
        let seeds = self.layers.partition_point(|&start| start <= index) - 1;
        let start = self.layers[seeds];
        let index = start + (index - start) % self.boards(seeds);
        let starts = &self.starts[seeds * width..seeds * width + seeds + 1];
        let own = starts.partition_point(|&start| start <= index) - 1;
        let within = index - starts[own];
        let rows = self.rows[seeds - own];
        let mut board = B::EMPTY;
        self.unrank_row(&mut board, 0, own, within / rows);
        self.unrank_row(&mut board, 1, seeds - own, within % rows);
        board
    }

    /// The board with an index below [`Index::total`], and who is to move on it.
    ///
    /// # Panics
    /// If there is no such board.
    pub fn at<B: Lanes>(&self, index: u64) -> (B, Seat) {
        let board: B = self.unrank(index);
        let seeds = board.seeds() as usize;
        let is_first = index - self.layers[seeds] < self.boards(seeds);
        (board, if is_first { Seat::FIRST } else { Seat::SECOND })
    }

    fn unrank_row<B: Lanes>(&self, board: &mut B, row: usize, seeds: usize, mut rank: u64) {
        let width = self.max_seeds + 1;
        let mut left = seeds;
        for k in 1..self.pits {
            // The suffix sum from pit k on is the largest whose term does not exceed what is left of the rank.
            let terms = &self.terms[k * width..k * width + left + 1];
            let suffix = terms.partition_point(|&term| term <= rank) - 1;
            rank -= terms[suffix];
            board.set(row * B::STRIDE + k - 1, (left - suffix) as u32);
            left = suffix;
        }
        board.set(row * B::STRIDE + self.pits - 1, left as u32);
    }

    /// Steps to the next higher index of the layer, from one seat to the other too; `false`, leaving all as it is, at the end.
    pub fn step<B: Lanes>(&self, board: &mut B, seat: &mut Seat) -> bool {
        if self.advance(board) {
            return true;
        }
        if *seat == Seat::SECOND || self.seats == 1 {
            return false;
        }
        *seat = Seat::SECOND;
        *board = self.unrank(self.layers[board.seeds() as usize]);
        true
    }

    /// Steps to the next board of one seat; `false`, leaving it as it is, at the end of its layer.
    pub fn advance<B: Lanes>(&self, board: &mut B) -> bool {
        if next_row(board, 1, self.pits) {
            return true;
        }
        // The other row was its last one (all seeds in the last pit): start it afresh and step the mover's row.
        let last = B::STRIDE + self.pits - 1;
        let other = board.get(last);
        board.set(last, 0);
        if next_row(board, 0, self.pits) {
            board.set(B::STRIDE, other);
            return true;
        }
        // Both rows were: the next split has one seed more in the mover's row.
        let own_last = self.pits - 1;
        let own = board.get(own_last);
        if other == 0 {
            board.set(last, other);
            return false;
        }
        board.set(own_last, 0);
        board.set(0, own + 1);
        board.set(B::STRIDE, other - 1);
        true
    }
}

/// Steps a row to the next one of the same sum; `false`, unchanged, if all its seeds are in the last pit.
fn next_row<B: Lanes>(board: &mut B, row: usize, pits: usize) -> bool {
    let first = row * B::STRIDE;
    let last = first + pits - 1;
    let Some(from) = (first..last).rev().find(|&lane| board.get(lane) > 0) else { return false };
    let tail = board.get(last);
    board.set(last, 0);
    board.set(from, board.get(from) - 1);
    board.set(from + 1, tail + 1);
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use lumbung_engine::kernel::{Bytes16, Wide};

    /// Walks all boards in order and checks rank, unrank and the walk against each other; returns how many there were.
    fn walk_all<B: Lanes>(pits: usize, max_seeds: usize) -> u64 {
        let index = Index::new(pits, max_seeds).unwrap();
        let mut expected = 0;
        for seeds in 0..=max_seeds {
            assert_eq!(index.layer_start(seeds), expected);
            let mut board = index.unrank::<B>(expected);
            loop {
                assert_eq!(board.seeds() as usize, seeds);
                assert_eq!(index.rank(&board), expected, "{board:?}");
                assert_eq!(index.unrank::<B>(expected), board);
                expected += 1;
                if !index.advance(&mut board) {
                    break;
                }
            }
        }
        assert_eq!(expected, index.total());
        expected
    }

    #[test]
    fn the_index_is_a_bijection_and_the_walk_follows_it() {
        for (pits, max_seeds) in [(1, 12), (2, 9), (3, 8), (4, 6), (6, 5), (7, 4), (8, 4)] {
            let boards = Index::count(pits, max_seeds).unwrap();
            assert_eq!(walk_all::<Bytes16>(pits, max_seeds), boards);
            let index = Index::new(pits, max_seeds).unwrap();
            for seeds in 0..=max_seeds {
                assert_eq!(Index::count_layer(pits, seeds), Some(index.layer_len(seeds)));
                assert_eq!(Index::count_rows(pits, seeds), Some(index.rows(seeds)));
            }
            assert_eq!(walk_all::<Wide<u16, 48>>(pits, max_seeds), boards);
        }
        assert_eq!(walk_all::<Wide<u8, 32>>(10, 3), 1771);
    }

    #[test]
    fn with_other_owners_each_player_has_boards_of_her_own() {
        let (one, two) = (Index::new(2, 6).unwrap(), Index::of_owners("sssn".parse().unwrap(), 6).unwrap());
        assert_eq!(Index::of_owners(Owners::rows(2), 6).unwrap().total(), one.total());
        assert_eq!(two.total(), 2 * one.total());
        let mut expected = 0;
        for seeds in 0..=6 {
            assert_eq!((two.layer_start(seeds), two.boards(seeds)), (expected, one.layer_len(seeds)));
            let (mut board, mut seat) = two.at::<Bytes16>(expected);
            loop {
                assert_eq!((two.place(&board, seat), two.at(expected)), (expected, (board, seat)));
                expected += 1;
                if !two.step(&mut board, &mut seat) {
                    break;
                }
            }
            assert_eq!(two.layer_start(seeds) + two.layer_len(seeds), expected);
        }
        assert_eq!(two.total(), expected);
    }

    #[test]
    fn published_counts() {
        // Irving, Donkers, Uiterwijk 2000, Table 8: Kalah(6), positions up to n counters with no empty row,
        // C(n+12,12) - 2 C(n+6,6) + 1.
        let index = Index::new(6, 30).unwrap();
        for (seeds, printed) in [(17, 51_694_042), (20, 225_332_381), (30, 11_054_221_305u64)] {
            let with_an_empty_row = 2 * choose(seeds + 6, 6).unwrap() - 1;
            assert_eq!(
                index.layer_start(seeds as usize).wrapping_add(index.layer_len(seeds as usize)) - with_an_empty_row,
                printed
            );
        }
    }

    #[test]
    fn boards_beyond_64_bits_are_refused() {
        assert!(Index::new(7, 98).is_some());
        assert!(Index::new(18, 648).is_none() && Index::count(18, 648).is_none());
        // C(163, 36), and one that can be counted: C(28, 12).
        assert_eq!(format!("{:.3e}", Index::about(18, 127)), "1.789e36");
        assert!((Index::about(6, 16) - 30_421_755.0).abs() < 1.0);
    }
}

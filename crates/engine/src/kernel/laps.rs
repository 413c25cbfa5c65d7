//! Compiled sowing: one entry for each pit and each number of seeds lifted from it.
//!
//! The entry holds the whole effect of the lap (the delta of the board, the seeds that reach the own store, whether the other row
//! was visited) and where to look next. `origin`, `relay` and `stop-at` only change the table, never the code that reads it.

use super::lane_of;
use super::lanes::Lanes;
use crate::rules::{Origin, Relay, RuleSet, Stores};

/// What a lap does besides changing the board, and where to look next, in one word.
///
/// From the lowest bit: `base` (16 bits), `look` (8), `last` (8), flags (8), 8 unused, `stored` (16). Being on top, the stored seeds
/// of several laps can be added up by adding shifted words, and flags of several laps are gathered by `|`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lap(u64);

const STOPS: u64 = 1 << 32;
const VISITS: u64 = 1 << 33;
const STORE: u64 = 1 << 34;

impl Lap {
    /// Index of the first entry of the lane [`Lap::look`].
    #[inline(always)]
    pub(super) fn base(self) -> usize {
        self.0 as u16 as usize
    }

    /// Lane whose content decides whether the move goes on and which is then lifted; meaningless after a last seed in the store.
    #[inline(always)]
    pub(super) fn look(self) -> usize {
        usize::from((self.0 >> 16) as u8)
    }

    /// Lane of the last seed; meaningless if that fell in the store.
    #[inline(always)]
    pub(super) fn last(self) -> usize {
        usize::from((self.0 >> 24) as u8)
    }

    /// Finding this pit with this number of seeds at the end of a lap ends the move.
    #[inline(always)]
    pub(super) fn stops(self) -> bool {
        self.0 & STOPS != 0
    }

    /// A seed fell in the other row.
    #[inline(always)]
    pub(super) fn visits(self) -> bool {
        self.0 & VISITS != 0
    }

    /// The last seed fell in the own store.
    #[inline(always)]
    pub(super) fn ends_in_store(self) -> bool {
        self.0 & STORE != 0
    }

    /// Seeds that reach the own store.
    #[inline(always)]
    pub(super) fn stored(self) -> u32 {
        (self.0 >> 48) as u32
    }
}

/// The compiled laps of a rule set on a board.
#[derive(Clone, Debug)]
pub(super) struct Laps<B> {
    width: usize,
    deltas: Vec<B>,
    laps: Vec<Lap>,
    /// For each lane, the lane of the next pit along the ring.
    pub(super) next: Vec<u8>,
    /// For each lane, the lane of the pit before along the ring.
    pub(super) previous: Vec<u8>,
    /// A relay may go on for ever.
    pub(super) can_be_endless: bool,
    /// Laps are those of the Indian relay for which invariants are known.
    pub(super) has_invariants: bool,
}

impl<B: Lanes> Laps<B> {
    pub(super) fn compile(rules: &RuleSet, pits: usize, max_seeds: usize) -> Self {
        let width = max_seeds + 1;
        let sown = matches!(rules.stores, Stores::Sown { .. });
        // The slots of the circuit in the mover's order; `None` is her store.
        let mut circuit: Vec<Option<usize>> = (0..pits).map(|k| Some(lane_of::<B>(k, pits))).collect();
        if sown {
            circuit.push(None);
        }
        circuit.extend((pits..2 * pits).map(|k| Some(lane_of::<B>(k, pits))));

        let mut next = vec![0u8; B::LANES];
        let mut previous = vec![0u8; B::LANES];
        for k in 0..2 * pits {
            let (lane, after) = (lane_of::<B>(k, pits), lane_of::<B>((k + 1) % (2 * pits), pits));
            next[lane] = after as u8;
            previous[after] = lane as u8;
        }

        // Every index and every number of stored seeds fits 16 bits: 48 lanes of at most 1,024 entries.
        debug_assert!(B::LANES * width <= 1 << 16);
        let unused = Lap(STOPS);
        let mut deltas = vec![B::EMPTY; B::LANES * width];
        let mut laps = vec![unused; B::LANES * width];
        for (at, slot) in circuit.iter().enumerate() {
            let Some(from) = *slot else { continue };
            let mut sown_on = B::EMPTY;
            let mut lifted = B::EMPTY;
            let mut stored = 0u64;
            let mut visits = false;
            let mut step = at;
            let mut last = Some(from);
            for count in 0..=max_seeds {
                if count > 0 {
                    let back_into_origin = rules.sowing.origin == Origin::First && count == 1;
                    if !back_into_origin {
                        step = (step + 1) % circuit.len();
                        if rules.sowing.origin == Origin::Skipped && step == at {
                            step = (step + 1) % circuit.len();
                        }
                    }
                    last = circuit[step];
                    match last {
                        Some(lane) => {
                            sown_on.set(lane, sown_on.get(lane) + 1);
                            visits |= lane >= B::STRIDE;
                        }
                        None => stored += 1,
                    }
                }
                lifted.set(from, count as u32);
                let last_lane = last.unwrap_or(0);
                let look = if rules.sowing.relay == Relay::Next { usize::from(next[last_lane]) } else { last_lane };
                let stops = match &rules.sowing.relay {
                    Relay::Single => true,
                    Relay::Landing { stop_at } => stop_at.contains(&(count as u16)),
                    Relay::Next => count == 0,
                };
                let flag = |on: bool, bit: u64| if on { bit } else { 0 };
                deltas[from * width + count] = sown_on.minus(&lifted);
                laps[from * width + count] = Lap((look * width) as u64
                    | (look as u64) << 16
                    | (last_lane as u64) << 24
                    | flag(stops, STOPS)
                    | flag(visits, VISITS)
                    | flag(last.is_none(), STORE)
                    | stored << 48);
            }
        }
        let can_be_endless = rules.can_be_endless();
        let has_invariants = can_be_endless && rules.sowing.relay == Relay::Next && rules.sowing.origin == Origin::Normal;
        Laps { width, deltas, laps, next, previous, can_be_endless, has_invariants }
    }

    /// The index of the entry for `count` seeds in `lane`.
    #[inline(always)]
    pub(super) fn index(&self, lane: usize, count: u32) -> usize {
        lane * self.width + count as usize
    }

    /// The lane whose pit the entry `index` lifts.
    pub(super) fn lane(&self, index: usize) -> usize {
        index / self.width
    }

    /// The lap of an entry.
    #[inline(always)]
    pub(super) fn lap(&self, index: usize) -> Lap {
        self.laps[index]
    }

    /// What the lap of an entry adds to the board.
    #[inline(always)]
    pub(super) fn delta(&self, index: usize) -> &B {
        &self.deltas[index]
    }
}

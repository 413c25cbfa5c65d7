//! Compiled sowing: one entry for each pit and each number of seeds lifted from it.
//!
//! The entry holds the whole effect of the lap (the delta of the board, the seeds that reach the own store, whether the other row
//! was visited) and where to look next. `origin`, `relay` and `stop-at` only change the table, never the code that reads it.

use super::lane_of;
use super::lanes::Lanes;
use crate::rules::{Origin, Relay, RuleSet, Stores};

/// The `look` and `last` of a lap that ends in the own store.
pub(super) const STORE: u8 = u8::MAX;

/// What a lap does besides changing the board.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lap {
    /// Index of the first entry of lane `look`.
    pub(super) base: u32,
    /// Seeds that reach the own store.
    pub(super) stored: u16,
    /// Lane of the last seed, or [`STORE`].
    pub(super) last: u8,
    /// Lane whose content decides whether the move goes on and which is then lifted; [`STORE`] after a last seed in the store.
    pub(super) look: u8,
    /// A seed fell in the other row.
    pub(super) visits: bool,
    /// Finding this pit with this number of seeds at the end of a lap ends the move.
    pub(super) stops: bool,
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

        let unused = Lap { base: 0, stored: 0, last: 0, look: 0, visits: false, stops: true };
        let mut deltas = vec![B::EMPTY; B::LANES * width];
        let mut laps = vec![unused; B::LANES * width];
        for (at, slot) in circuit.iter().enumerate() {
            let Some(from) = *slot else { continue };
            let mut sown_on = B::EMPTY;
            let mut lifted = B::EMPTY;
            let mut stored = 0;
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
                let look = match (last, &rules.sowing.relay) {
                    (None, _) => STORE,
                    (Some(lane), Relay::Next) => next[lane],
                    (Some(lane), _) => lane as u8,
                };
                deltas[from * width + count] = sown_on.minus(&lifted);
                laps[from * width + count] = Lap {
                    base: if look == STORE { 0 } else { u32::from(look) * width as u32 },
                    stored,
                    last: last.map_or(STORE, |lane| lane as u8),
                    look,
                    visits,
                    stops: match &rules.sowing.relay {
                        Relay::Single => true,
                        Relay::Landing { stop_at } => stop_at.contains(&(count as u16)),
                        Relay::Next => count == 0,
                    },
                };
            }
        }
        Laps { width, deltas, laps, next, previous, can_be_endless: rules.can_be_endless() }
    }

    /// The index of the entry for `count` seeds in `lane`.
    #[inline(always)]
    pub(super) fn index(&self, lane: usize, count: u32) -> usize {
        lane * self.width + count as usize
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

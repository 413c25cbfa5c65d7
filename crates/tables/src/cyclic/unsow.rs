//! Moves played backwards: from which boards may one move, without a capture, lead to this one?
//!
//! A lap that ended in a pit was lifted from a pit that it left empty (or with the seeds that came round to it), and every pit on its
//! way has got a seed. That is nearly always one pit, so even a relay is followed back step by step. The answer may hold boards too
//! many, for whoever asks works them out from their moves anyway, but none is missing.

use std::collections::HashSet;

use lumbung_engine::kernel::Lanes;
use lumbung_engine::rules::{GrandSlam, Origin, Relay};

use super::game::Game;
use crate::rows::rank::MAX_PITS;

/// The pits of a board in the order of sowing, the mover's first pit first.
type Ring = [u8; 2 * MAX_PITS];

/// Steps back that are not watched for a relay that goes in circles.
const UNWATCHED: usize = 64;

/// Plays moves backwards.
pub(super) struct Unsow<'g, B> {
    game: &'g Game<B>,
    todo: Vec<(Ring, usize)>,
    seen: HashSet<(Ring, usize)>,
}

impl<'g, B: Lanes> Unsow<'g, B> {
    pub(super) fn new(game: &'g Game<B>) -> Self {
        Unsow { game, todo: Vec::new(), seen: HashSet::new() }
    }

    /// Hands over boards from which a move may lead to `board`, all as their mover sees them.
    pub(super) fn before(&mut self, board: &B, mut each: impl FnMut(B)) {
        if self.game.may_pass {
            each(*board);
        }
        let pits = self.game.lists.rows.pits();
        let mut ring = [0; 2 * MAX_PITS];
        for pit in 0..pits {
            ring[pit] = board.get(pit) as u8;
            ring[pits + pit] = board.get(B::STRIDE + pit) as u8;
        }
        self.todo.clear();
        self.seen.clear();
        for last in 0..2 * pits {
            if self.may_end(&ring, last) {
                self.todo.push((ring, last));
            }
        }
        let mut steps = 0;
        while let Some((ring, last)) = self.todo.pop() {
            steps += 1;
            if steps > UNWATCHED && !self.seen.insert((ring, last)) {
                continue;
            }
            self.laps(&ring, last, &mut each);
        }
    }

    /// Whether a move may end in this pit as it is now, capturing nothing.
    fn may_end(&self, ring: &Ring, last: usize) -> bool {
        let taking = &self.game.lists.taking;
        let seeds = ring[last];
        if seeds == 0 {
            return false;
        }
        if let Relay::Landing { stop_at } = &self.game.relay
            && !stop_at.contains(&u16::from(seeds))
        {
            return false;
        }
        let there = last >= self.game.lists.rows.pits() || taking.on_both_sides();
        !(there && taking.takes(seeds) && taking.grand_slam() != GrandSlam::NoCapture)
    }

    /// The laps that may have ended in pit `last`.
    #[inline]
    fn laps(&mut self, ring: &Ring, last: usize, each: &mut impl FnMut(B)) {
        let around = 2 * self.game.lists.rows.pits();
        let (slots, back) = match self.game.origin {
            Origin::Normal => (around, 0),
            Origin::Skipped => (around - 1, 0),
            Origin::First => (around, 1),
        };
        if slots == 0 {
            return;
        }
        // Every pit gets a seed in every full round, but for the origin where that is passed over.
        let empty = ring[..around].iter().filter(|&&seeds| seeds == 0).count();
        let most_rounds = if empty > 1 { 0 } else { ring[..around].iter().map(|&seeds| usize::from(seeds)).max().unwrap_or(0) };
        for rounds in 0..=most_rounds {
            for distance in 1..=slots {
                let from = (last + around - distance) % around;
                // `distance == around`: the last seed falls in the origin.
                let held = if self.game.origin == Origin::Skipped { 0 } else { back + rounds + usize::from(distance == around) };
                if usize::from(ring[from]) == held
                    && let Some(before) = self.unsow(ring, from, distance, rounds, back)
                {
                    self.lifted(&before, from, each);
                }
                if rounds == 0 && ring[from] == 0 {
                    // No longer lap has passed an empty pit.
                    break;
                }
            }
        }
    }

    /// The board before a lap of `rounds` full rounds and `distance` more seeds.
    #[inline]
    fn unsow(&self, ring: &Ring, from: usize, distance: usize, rounds: usize, back: usize) -> Option<Ring> {
        let around = 2 * self.game.lists.rows.pits();
        let slots = if self.game.origin == Origin::Skipped { around - 1 } else { around };
        let mut before = *ring;
        let touched = if rounds == 0 { distance } else { slots };
        for step in 1..=touched.min(around - 1) {
            let pit = (from + step) % around;
            let got = rounds + usize::from(step <= distance);
            before[pit] = before[pit].checked_sub(got as u8)?;
        }
        before[from] = (back + rounds * slots + distance) as u8;
        Some(before)
    }

    /// A pit was lifted on this board, by the mover's choice or in a relay.
    #[inline]
    fn lifted(&mut self, ring: &Ring, from: usize, each: &mut impl FnMut(B)) {
        let pits = self.game.lists.rows.pits();
        let seeds = ring[from];
        if from < pits && seeds >= self.game.min_seeds {
            let mut board = B::EMPTY;
            for pit in 0..pits {
                board.set(pit, u32::from(ring[pit]));
                board.set(B::STRIDE + pit, u32::from(ring[pits + pit]));
            }
            each(board);
        }
        if let Relay::Landing { stop_at } = &self.game.relay
            && !stop_at.contains(&u16::from(seeds))
        {
            self.todo.push((*ring, from));
        }
    }
}

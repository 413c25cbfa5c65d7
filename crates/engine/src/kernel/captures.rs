//! Captures on packed boards. Each takes the board after sowing, empties what is captured, and says how much that was.

use super::lanes::Lanes;
use super::{Kernel, Seat};
use crate::rules::{BeyondGapCapture, CountCapture, CountSide, GrandSlam, LandingSeed, OppositeCapture};

/// What a move captured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Captured {
    /// So many seeds, maybe none.
    Seeds(u32),
    /// A grand slam that makes the move illegal.
    ForbiddenSlam,
}

impl<B: Lanes> Kernel<B> {
    /// The capture of a move that ended in lane `last`: the first kind that takes a seed.
    #[inline(always)]
    pub(super) fn capture(&self, board: &mut B, last: usize, visited: bool, seat: Seat) -> Captured {
        let landed = board.get(last);
        if landed == 1 {
            if let Some(opposite) = &self.capture.opposite
                && last < B::STRIDE
                && (visited || !opposite.require_visit)
            {
                let taken = self.take_opposite(board, last, opposite);
                if taken > 0 {
                    return Captured::Seeds(taken);
                }
            }
            if self.capture.sandwich && last >= B::STRIDE {
                let taken = self.take_sandwich(board, last);
                if taken > 0 {
                    return Captured::Seeds(taken);
                }
            }
        }
        if let Some(count) = &self.capture.count
            && self.count_bits[landed as usize]
            && let Some(captured) = self.take_by_count(board, last, count, seat)
        {
            return captured;
        }
        match &self.capture.beyond_gap {
            Some(beyond) => Captured::Seeds(self.take_beyond_gap(board, last, beyond)),
            None => Captured::Seeds(0),
        }
    }

    fn take_opposite(&self, board: &mut B, last: usize, rule: &OppositeCapture) -> u32 {
        let opposite = B::STRIDE + self.pits - 1 - last;
        let taken = board.get(opposite);
        board.set(opposite, 0);
        let landing_goes_along = match rule.landing_seed {
            LandingSeed::Leave => false,
            LandingSeed::TakeOnCapture => taken > 0,
            LandingSeed::Take => true,
        };
        if landing_goes_along {
            board.set(last, 0);
        }
        taken + u32::from(landing_goes_along)
    }

    fn take_sandwich(&self, board: &mut B, last: usize) -> u32 {
        if last == B::STRIDE || last == B::STRIDE + self.pits - 1 {
            return 0;
        }
        let (left, right) = (board.get(last - 1), board.get(last + 1));
        if left != right || left == 0 {
            return 0;
        }
        for lane in last - 1..=last + 1 {
            board.set(lane, 0);
        }
        2 * left + 1
    }

    /// `None` if this kind takes nothing. A grand slam that is undone was the capture of the move, and other kinds are not tried.
    fn take_by_count(&self, board: &mut B, last: usize, rule: &CountCapture, seat: Seat) -> Option<Captured> {
        let before = *board;
        let mut taken = 0;
        let mut lane = last;
        loop {
            let seeds = board.get(lane);
            let there = rule.side == CountSide::Any || self.own[seat.index()] >> lane & 1 == 0;
            if !there || !self.count_bits[seeds as usize] {
                break;
            }
            taken += seeds;
            board.set(lane, 0);
            if !rule.chain_back {
                break;
            }
            lane = usize::from(self.laps.previous[lane]);
        }
        if taken == 0 {
            return None;
        }
        if rule.grand_slam == GrandSlam::Legal || !self.other_is_empty(board, seat) {
            return Some(Captured::Seeds(taken));
        }
        if rule.grand_slam == GrandSlam::Forbidden {
            return Some(Captured::ForbiddenSlam);
        }
        *board = before;
        Some(Captured::Seeds(0))
    }

    fn take_beyond_gap(&self, board: &mut B, last: usize, rule: &BeyondGapCapture) -> u32 {
        let next = |lane: usize| usize::from(self.laps.next[lane]);
        let mut taken = 0;
        let mut lane = last;
        loop {
            let (gap, beyond) = (next(lane), next(next(lane)));
            let seeds = board.get(beyond);
            if board.get(gap) != 0 || seeds == 0 || (beyond == last && !rule.wrap) {
                return taken;
            }
            taken += seeds;
            board.set(beyond, 0);
            if !rule.chain {
                return taken;
            }
            lane = beyond;
        }
    }
}

//! A stage of a relay game goes through all rankings of moves.
//!
//! How much a question takes depends on the ranking by factors of 10 and more, and no ranking is best on all boards. So each gets a
//! share of the stage and then gives way to the next, which begins at the root again with all that was learnt; the ranking that suits
//! the board is met soon, whichever it is.

use std::sync::atomic::Ordering;

use lumbung_engine::kernel::{Lanes, Seat};

use super::{Break, Searcher};
use crate::order::{RELAY_RANKINGS, Ranking};
use crate::transposition::Transpositions;

/// Positions a ranking gets at least, so that it finishes boards on its way. Unit tests have small stages.
const FEWEST_POSITIONS: u64 = if cfg!(test) { 64 } else { 1 << 12 };

impl<B: Lanes, T: Transpositions<B>> Searcher<'_, B, T> {
    /// As [`Searcher::at_least`], for thread `thread` of `threads`: in relay games by one ranking after the other.
    pub(crate) fn at_least_by_turns(
        &mut self,
        (board, seat): (&B, Seat),
        beta: i32,
        (thread, threads): (usize, usize),
    ) -> Result<i32, Break> {
        // Where positions can repeat turns were not tried: there the ranking changes from stage to stage.
        if !self.kernel.relays() || self.kernel.can_repeat() {
            return self.at_least(board, seat, beta);
        }
        let rankings = RELAY_RANKINGS.len();
        let left = self.common.pause_at.saturating_sub(self.common.nodes.load(Ordering::Relaxed));
        let share = (left / (rankings * threads) as u64).max(FEWEST_POSITIONS);
        let mut number = 0;
        loop {
            self.ranking = Ranking::of(true, number, thread);
            self.yield_at = self.nodes.saturating_add(share);
            self.check_at = self.check_at.min(self.yield_at);
            let answer = self.at_least(board, seat, beta);
            self.yield_at = u64::MAX;
            match answer {
                Err(Break::Pause) if self.tell() < self.common.pause_at => number += 1,
                answer => return answer,
            }
        }
    }
}

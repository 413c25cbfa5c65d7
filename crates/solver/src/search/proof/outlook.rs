//! How much effort the answers of a question are likely to take, before it was searched.

use lumbung_engine::kernel::{Children, Lanes, Status};

use super::tree::{Outlook, Question};
use crate::search::Searcher;
use crate::transposition::Transpositions;

/// Without relays: the binary logarithm of how much more effort "yes" takes for each seed more that is asked for, and "no" for
/// each seed less, than a player to move gains as a rule.
const STEEPNESS: f64 = 0.8;
/// What a player to move gains as a rule.
const TEMPO: f64 = 2.0;
/// With relays, where all seeds are asked for: the binary logarithm of how much more effort each seed in play means.
const RELAY_STEEPNESS: f64 = 0.2;

impl<B: Lanes, T: Transpositions<B>> Searcher<'_, B, T> {
    /// The outlook of a question; a bound if its moves settle it at a glance.
    pub(super) fn outlook(&mut self, question: &Question<B>, replies: &mut Children<B>) -> Result<Outlook, i32> {
        if self.kernel.relays() { self.relay_outlook(question, replies) } else { self.plain_outlook(question) }
    }

    fn plain_outlook(&mut self, question: &Question<B>) -> Result<Outlook, i32> {
        let Question { board, seat, beta } = question;
        let seeds = board.seeds() as i32;
        let mut sight = self.sight();
        self.unfold(board, *seat, seeds, &mut sight);
        let settled = self.read(seeds, *beta, &mut sight);
        let open = if sight.status == Status::ToMove { sight.open.len() } else { 1 };
        self.sights.push(sight);
        if let Some(bound) = settled {
            return Err(bound);
        }
        let steps = (f64::from(*beta) - TEMPO) * STEEPNESS;
        Ok(Outlook { yes: steps.exp2().max(1.0), no: open as f64 * (-steps).exp2().max(1.0) })
    }

    fn relay_outlook(&mut self, question: &Question<B>, replies: &mut Children<B>) -> Result<Outlook, i32> {
        let all = || (f64::from(question.board.seeds()) * RELAY_STEEPNESS).exp2();
        if question.is_of_all() {
            return Ok(Outlook { yes: all(), no: 1.0 });
        }
        if question.is_of_nothing(self.step) {
            return Ok(Outlook { yes: 1.0, no: all() });
        }
        match self.kernel.status(&question.board, question.seat, replies) {
            Status::Over(value) => Err(value),
            Status::Pass => Ok(Outlook::EVEN),
            Status::ToMove => Ok(Outlook { yes: 1.0, no: replies.len() as f64 }),
        }
    }
}

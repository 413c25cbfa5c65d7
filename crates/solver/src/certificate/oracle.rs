//! Who is asked.

use lumbung_engine::Position;
use lumbung_proof::Bound;

use super::ExtractError;
use crate::bounds::{Bounds, BoundsError};

/// Answers questions about positions, truly.
pub trait Oracle {
    /// Whether the player to move gains at least `value` over the other from here on, under best play by both. Stores do not matter.
    ///
    /// # Errors
    /// If a limit ends the search.
    fn at_least(&mut self, position: &Position, value: i32) -> Result<bool, ExtractError>;

    /// The same, if answering takes no more than so much [work](Oracle::work); `None` otherwise. With 0 it tells what is known already;
    /// `attempt`, counted from 0, may vary how the answer is sought.
    ///
    /// # Errors
    /// As [`Oracle::at_least`].
    fn at_least_within(
        &mut self,
        position: &Position,
        value: i32,
        work: u64,
        attempt: usize,
    ) -> Result<Option<bool>, ExtractError> {
        let _ = (work, attempt);
        self.at_least(position, value).map(Some)
    }

    /// What answering has taken so far, in positions visited; 0 if answers cost nothing.
    fn work(&self) -> u64 {
        0
    }

    /// Whether a bound holds.
    ///
    /// # Errors
    /// As [`Oracle::at_least`].
    fn holds(&mut self, position: &Position, bound: Bound) -> Result<bool, ExtractError> {
        match (without_asking(position, bound), bound) {
            (Some(holds), _) => Ok(holds),
            (None, Bound::AtLeast(value)) => self.at_least(position, value),
            (None, Bound::AtMost(value)) => Ok(!self.at_least(position, value + 1)?),
        }
    }

    /// Whether a bound holds, as [`Oracle::at_least_within`] tells it.
    ///
    /// # Errors
    /// As [`Oracle::at_least`].
    fn holds_within(
        &mut self,
        position: &Position,
        bound: Bound,
        work: u64,
        attempt: usize,
    ) -> Result<Option<bool>, ExtractError> {
        match (without_asking(position, bound), bound) {
            (Some(holds), _) => Ok(Some(holds)),
            (None, Bound::AtLeast(value)) => self.at_least_within(position, value, work, attempt),
            (None, Bound::AtMost(value)) => {
                let more = self.at_least_within(position, value + 1, work, attempt)?;
                Ok(more.map(|more| !more))
            }
        }
    }
}

/// Whether a bound holds, where the seeds in play say so.
fn without_asking(position: &Position, bound: Bound) -> Option<bool> {
    if bound.is_trivial(position.seeds_in_play()) {
        return Some(true);
    }
    (bound.for_prover() > position.seeds_in_play() as i32).then_some(false)
}

/// A search that is asked, and remembers what it found.
pub struct Searching<'b>(pub &'b mut dyn Bounds);

impl Oracle for Searching<'_> {
    fn at_least(&mut self, position: &Position, value: i32) -> Result<bool, ExtractError> {
        self.0.at_least(position, value).map_err(unanswered)
    }

    fn at_least_within(
        &mut self,
        position: &Position,
        value: i32,
        work: u64,
        attempt: usize,
    ) -> Result<Option<bool>, ExtractError> {
        self.0.at_least_within(position, value, work, attempt).map_err(unanswered)
    }

    fn work(&self) -> u64 {
        self.0.nodes()
    }
}

fn unanswered(error: BoundsError) -> ExtractError {
    match error {
        BoundsError::Stopped(reason) => ExtractError::Stopped(reason),
        BoundsError::Foreign(position) => ExtractError::Foreign(position),
    }
}

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

    /// What answering has taken so far, in positions visited; 0 if answers cost nothing.
    fn work(&self) -> u64 {
        0
    }

    /// Whether a bound holds.
    ///
    /// # Errors
    /// As [`Oracle::at_least`].
    fn holds(&mut self, position: &Position, bound: Bound) -> Result<bool, ExtractError> {
        if bound.is_trivial(position.seeds_in_play()) {
            return Ok(true);
        }
        if bound.for_prover() > position.seeds_in_play() as i32 {
            return Ok(false);
        }
        match bound {
            Bound::AtLeast(value) => self.at_least(position, value),
            Bound::AtMost(value) => Ok(!self.at_least(position, value + 1)?),
        }
    }
}

/// A search that is asked, and remembers what it found.
pub struct Searching<'b>(pub &'b mut dyn Bounds);

impl Oracle for Searching<'_> {
    fn at_least(&mut self, position: &Position, value: i32) -> Result<bool, ExtractError> {
        self.0.at_least(position, value).map_err(|error| match error {
            BoundsError::Stopped(reason) => ExtractError::Stopped(reason),
            BoundsError::Foreign(position) => ExtractError::Foreign(position),
        })
    }

    fn work(&self) -> u64 {
        self.0.nodes()
    }
}

//! Who is asked.

use lumbung_engine::Position;
use lumbung_proof::Bound;

use crate::limits::StopReason;

/// Answers questions about positions, truly.
pub trait Oracle {
    /// Whether the player to move gains at least `value` over the other from here on, under best play by both. Stores do not matter.
    ///
    /// # Errors
    /// If a limit ends the search.
    fn at_least(&mut self, position: &Position, value: i32) -> Result<bool, StopReason>;

    /// Whether a bound holds.
    ///
    /// # Errors
    /// As [`Oracle::at_least`].
    fn holds(&mut self, position: &Position, bound: Bound) -> Result<bool, StopReason> {
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

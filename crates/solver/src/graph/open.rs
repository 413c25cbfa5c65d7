//! What was found of a layer that is not done yet.

use super::GraphError;
use super::scratch::{Runs, Scratch};
use super::set::{Set, bytes_of_bits};
use super::waiting::Waiting;

/// Positions in memory and positions on disk; some may be in both.
#[derive(Default)]
pub(super) struct Open {
    pub(super) set: Set,
    /// Places of earlier sets.
    pub(super) runs: Option<Runs>,
}

impl Open {
    /// Empties the set into a file; how many positions that were.
    pub(super) fn put_aside(&mut self, scratch: &Scratch) -> Result<u64, GraphError> {
        let runs = match &mut self.runs {
            Some(runs) => runs,
            none => none.insert(Runs::new(scratch)?),
        };
        let set = std::mem::take(&mut self.set);
        let put = set.len();
        runs.append(set.into_places(), scratch)?;
        Ok(put)
    }
}

/// Bytes that a set may take until the next look at it, in a layer of so many places; for the layer in work with what waits, and with
/// the list of keys that the set becomes.
pub(super) fn bytes_to_come(set: &Set, places: u64, in_work: Option<&Waiting>) -> u64 {
    match (set, in_work) {
        (Set::List(_), None) => set.bytes(),
        (Set::List(_), Some(waiting)) => set.bytes() + waiting.bytes() + set.len() * 9,
        (Set::Bits(_), None) => bytes_of_bits(places),
        // A count of four bytes for every 64.
        (Set::Bits(_), Some(_)) => 2 * bytes_of_bits(places) + bytes_of_bits(places) / 16,
    }
}

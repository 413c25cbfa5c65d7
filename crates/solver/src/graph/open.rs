//! What was found of a layer that is not done yet.

use super::GraphError;
use super::scratch::{Runs, Scratch};
use super::set::Set;

/// Positions in memory and positions on disk; some may be in both.
pub(super) struct Open {
    pub(super) set: Set,
    /// Places of earlier sets.
    pub(super) runs: Option<Runs>,
}

impl Open {
    /// Nothing yet, where so many bytes of memory may be used.
    pub(super) fn new(memory: u64) -> Self {
        Open { set: Set::new(memory), runs: None }
    }

    /// Empties the set into a file; how many positions that were.
    pub(super) fn put_aside(&mut self, scratch: &Scratch) -> Result<u64, GraphError> {
        let runs = match &mut self.runs {
            Some(runs) => runs,
            none => none.insert(Runs::new(scratch)?),
        };
        let set = self.set.take();
        let put = set.len();
        runs.append(set.into_places(), scratch)?;
        Ok(put)
    }
}

//! Where finished layers lie, and the base of the layer in work: in memory, or on disk where there is not enough of it.

use std::ops::{Deref, DerefMut};
use std::path::Path;

use crate::rows::RowsError;
use crate::spill::Spill;

/// The values of all layers, those in work at the end; or the base of one layer.
#[derive(Debug)]
pub(crate) enum Finished {
    /// All in memory.
    InMemory(Vec<i8>),
    /// Finished ones in a file.
    OnDisk {
        /// The values.
        values: Spill,
        /// The directory of the file.
        place: String,
    },
}

impl Finished {
    /// Room for so many values, those of finished layers in a file in this directory.
    pub(super) fn on_disk(values: usize, place: &Path) -> Result<Finished, RowsError> {
        let name = place.display().to_string();
        match Spill::new(values, place) {
            Ok(values) => Ok(Finished::OnDisk { values, place: name }),
            Err(error) => Err(RowsError::Aside { place: name, error: error.to_string() }),
        }
    }

    /// The values before `end` will not change any more.
    pub(super) fn settle(&mut self, end: usize) -> Result<(), RowsError> {
        let Finished::OnDisk { values, place } = self else { return Ok(()) };
        values.settle(end).map_err(|error| RowsError::Aside { place: place.clone(), error: error.to_string() })
    }

    /// Whether finished values lie on disk.
    pub(super) fn is_on_disk(&self) -> bool {
        matches!(self, Finished::OnDisk { .. })
    }

    /// The values, which then are in memory.
    pub(super) fn into_values(self) -> Vec<i8> {
        match self {
            Finished::InMemory(values) => values,
            Finished::OnDisk { values, .. } => values.to_vec(),
        }
    }
}

impl Deref for Finished {
    type Target = [i8];
    fn deref(&self) -> &[i8] {
        match self {
            Finished::InMemory(values) => values,
            Finished::OnDisk { values, .. } => values,
        }
    }
}

impl DerefMut for Finished {
    fn deref_mut(&mut self) -> &mut [i8] {
        match self {
            Finished::InMemory(values) => values,
            Finished::OnDisk { values, .. } => values,
        }
    }
}

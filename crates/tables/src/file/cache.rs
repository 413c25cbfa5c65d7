//! A few blocks kept in memory for all threads.

use std::sync::{Arc, Mutex, PoisonError};

use super::error::FileError;

/// Bytes of blocks to keep, about.
const BYTES: usize = 1 << 24;

/// The block that was read last into each place.
#[derive(Debug)]
pub(super) struct Cache {
    places: Vec<Mutex<Option<Kept>>>,
}

#[derive(Debug)]
struct Kept {
    layer: usize,
    block: usize,
    bytes: Arc<[u8]>,
}

impl Cache {
    /// Room for blocks of about so many bytes.
    pub(super) fn new(block: usize) -> Self {
        Cache { places: (0..BYTES / block).map(|_| Mutex::new(None)).collect() }
    }

    /// A block, read if it is not kept. Whoever reads holds no lock, so that threads do not wait for each other's disk.
    pub(super) fn get(
        &self,
        layer: usize,
        block: usize,
        read: impl FnOnce() -> Result<Vec<u8>, FileError>,
    ) -> Result<Arc<[u8]>, FileError> {
        let place = &self.places[(layer * 37 + block) % self.places.len()];
        // A thread that panicked left a whole entry or none: the lock is only held for one assignment.
        let kept = place.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(kept) = kept.as_ref().filter(|kept| (kept.layer, kept.block) == (layer, block)) {
            return Ok(Arc::clone(&kept.bytes));
        }
        drop(kept);
        let bytes: Arc<[u8]> = read()?.into();
        *place.lock().unwrap_or_else(PoisonError::into_inner) = Some(Kept { layer, block, bytes: Arc::clone(&bytes) });
        Ok(bytes)
    }
}

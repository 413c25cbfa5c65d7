//! Reports at a steady pace.

use std::time::{Duration, Instant};

use crate::limits::{Progress, Report};

/// Reports about twice a second.
pub(super) struct Ticker<'p> {
    progress: &'p dyn Progress,
    last: Instant,
}

impl<'p> Ticker<'p> {
    pub(super) fn new(progress: &'p dyn Progress) -> Self {
        Ticker { progress, last: Instant::now() }
    }

    /// Reports if the last report is old.
    pub(super) fn tick(&mut self, boards: u64, best_store: u32) {
        if self.last.elapsed() >= Duration::from_millis(500) {
            self.last = Instant::now();
            self.progress.report(&Report::Turn { boards, best_store });
        }
    }
}

//! Counting the time of work that is spread over threads among other work.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Time that threads spent on something, summed over the threads.
#[derive(Clone, Debug, Default)]
pub(super) struct Clock(Arc<AtomicU64>);

impl Clock {
    /// Does some work that waits for no other thread, and counts its time.
    pub(super) fn count<R>(&self, work: impl FnOnce() -> R) -> R {
        let since = Instant::now();
        let result = work();
        self.0.fetch_add(since.elapsed().as_nanos() as u64, Ordering::Relaxed);
        result
    }

    pub(super) fn read(&self) -> Duration {
        Duration::from_nanos(self.0.load(Ordering::Relaxed))
    }
}

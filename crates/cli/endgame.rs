//! Endgame tables in memory, built within the limits of a command.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use lumbung_engine::RuleSet;
use lumbung_solver::{Limits, Progress, Report};
use lumbung_tables::build::{Built, build};
use lumbung_tables::rows::{self, Options};

use crate::exit::Failure;

/// How often a running build is held against the limits.
const WATCH_EVERY: Duration = Duration::from_millis(50);

/// Builds the table of all boards up to so many seeds, on all threads; `None` if a limit ended that.
///
/// # Errors
/// If there is no such table.
pub(crate) fn table(
    rules: &RuleSet,
    pits: usize,
    seeds: usize,
    limits: &Limits,
    progress: &dyn Progress,
) -> Result<Option<Built>, Failure> {
    let (stop, done) = (AtomicBool::new(false), AtomicBool::new(false));
    let tell = |layer: rows::Progress| progress.report(&Report::Table { seeds: layer.seeds, positions: layer.total });
    let options = Options { threads: rayon::current_num_threads(), memory: Some(limits.memory), stop: &stop, progress: &tell };
    let built = std::thread::scope(|scope| {
        let watcher = scope.spawn(|| {
            while !done.load(Ordering::Relaxed) {
                std::thread::park_timeout(WATCH_EVERY);
                if limits.exceeded(0).is_some() {
                    stop.store(true, Ordering::Relaxed);
                }
            }
        });
        let built = build(rules, pits, seeds, options);
        done.store(true, Ordering::Relaxed);
        watcher.thread().unpark();
        built
    });
    match built {
        Ok(built) => Ok(Some(built)),
        Err(_) if stop.into_inner() => Ok(None),
        Err(error) => Err(Failure::new(error)),
    }
}

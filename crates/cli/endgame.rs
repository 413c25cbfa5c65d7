//! Endgame tables in memory, built within the limits of a command.

use lumbung_engine::RuleSet;
use lumbung_solver::{Limits, Progress, Report};
use lumbung_tables::build::{Built, build};
use lumbung_tables::rows::{self, Options};

use crate::exit::Failure;

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
    let tell = |layer: rows::Progress| progress.report(&Report::Table { seeds: layer.seeds, positions: layer.total });
    let (built, stopped) = limits.watch(|stop| {
        let options = Options { threads: rayon::current_num_threads(), memory: Some(limits.memory), stop, progress: &tell };
        build(rules, pits, seeds, options)
    });
    match built {
        Ok(built) => Ok(Some(built)),
        Err(_) if stopped => Ok(None),
        Err(error) => Err(Failure::new(error)),
    }
}

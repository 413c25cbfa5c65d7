//! Several ways of choosing moves, of which the one with the fewest entries is kept.

use super::graph::{Graph, Taste};
use super::{Entries, ExtractError, Oracle, Task, counters};

/// How hard to try for a small certificate.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Effort {
    /// The first one will do.
    First,
    /// Several ways of choosing moves, as long as they are cheap.
    #[default]
    Several,
}

/// Tastes tried by chance beside the named ones.
const BY_CHANCE: u64 = 16;
/// Above so many entries the first certificate is kept as it is.
const CHEAP: usize = 20_000;

/// The entries of a certificate for the claims of a task, unordered.
///
/// # Errors
/// If a claim does not hold, a limit ends the work, or the oracle contradicts itself.
pub fn extract(task: Task<'_>, oracle: &mut impl Oracle, effort: Effort) -> Result<Entries, ExtractError> {
    let mut best = once(task, oracle, Taste::FewestSeeds)?;
    if effort == Effort::First || best.len() > CHEAP {
        return Ok(best);
    }
    let tastes = [Taste::RightMost, Taste::LeftMost].into_iter().chain((0..BY_CHANCE).map(Taste::Chance));
    for taste in tastes {
        match once(task, oracle, taste) {
            Ok(entries) if entries.len() < best.len() => best = entries,
            Ok(_) => {}
            // One certificate is there already.
            Err(ExtractError::Stopped(_)) => break,
            Err(error) => return Err(error),
        }
    }
    Ok(best)
}

fn once(task: Task<'_>, oracle: &mut impl Oracle, taste: Taste) -> Result<Entries, ExtractError> {
    let mut graph = Graph::new(task, taste);
    graph.walk(oracle)?;
    if task.rules.can_repeat() {
        counters::count(&mut graph, oracle)?;
    }
    Ok(graph.needed().into_iter().map(|number| graph.entry(number)).collect())
}

//! Building a table: by rows where the rules allow it, by moves otherwise; where positions can repeat, by sweeps, of rows or of positions.
//! Tables with layers whose values take two bytes go position by position.

use lumbung_engine::Owners;
use lumbung_engine::kernel::{Kernel, Lanes, Visitor, dispatch};
use lumbung_engine::position::MAX_PITS;
use lumbung_engine::rules::{Cycle, Rounds, RuleSet};
use thiserror::Error;

use crate::cyclic::{self, Aside, Parity};
use crate::index::Index;
use crate::layers::{Layers, OnlyInMemory};
use crate::plain::{self, Watch};
use crate::rows::{self, Options, RowsError};
use crate::sweep;
use crate::table::{MAX_TABLE_SEEDS, Table};
use crate::values::{MAX_BYTE_SEEDS, bytes_of};

/// How a table is built.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Builder {
    /// By rows; see [`crate::rows`].
    Rows,
    /// By moves, see [`crate::plain`], which takes a hundred times longer.
    Plain {
        /// Why not by rows.
        why: String,
    },
    /// By sweeps of rows to a fixed point, see [`crate::cyclic`], for rules that can repeat a position.
    RowSweeps,
    /// By sweeps of positions, see [`crate::sweep`], which takes a hundred times longer.
    Sweep {
        /// Why not by rows.
        why: String,
    },
}

/// What a build will take.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// How it will be done.
    pub builder: Builder,
    /// Positions of the table.
    pub positions: u64,
    /// Bytes of their values in memory, and in raw files beside their headers.
    pub bytes: u64,
    /// Bytes of memory at the peak, the table included, but not what [`Layers`] take.
    pub memory: u64,
    /// What [`hand_on_layers`] takes instead where finished layers lie on disk meanwhile, if they can.
    pub aside: Option<Aside>,
}

/// A table, and how it was built.
#[derive(Clone, Debug)]
pub struct Built {
    /// The table.
    pub table: Table,
    /// How.
    pub builder: Builder,
}

/// A table that cannot be built.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum BuildError {
    /// Not by rows.
    #[error(transparent)]
    Rows(#[from] RowsError),
    /// Not by moves.
    #[error(transparent)]
    Plain(#[from] plain::BuildError),
    /// Owners that the rules do not know.
    #[error("owners {owners} under rules with rounds.kind = \"single\"; only \"territory\" lets pits change owner")]
    Owners {
        /// One letter a pit.
        owners: String,
    },
    /// Layers of one parity with so many seeds that rows do not build them.
    #[error("layers of one parity are built by rows, which go up to {MAX_BYTE_SEEDS} seeds, and not to {seeds}")]
    WideParity {
        /// Seeds in play.
        seeds: usize,
    },
    /// Layers left out where the builder needs all.
    #[error("layers of one parity are for boards on which each player owns her own row")]
    OwnersParity,
}

/// Says what a build will take, without doing anything.
///
/// # Errors
/// See [`BuildError`]; a plan does not ask whether there is so much memory.
pub fn plan(rules: &RuleSet, pits: usize, seeds: usize, threads: usize) -> Result<Plan, BuildError> {
    plan_layers(rules, Owners::rows(pits), seeds, Parity::All, threads)
}

/// The same for the layers of one parity, and for any owners of the pits.
///
/// # Errors
/// See [`BuildError`]; also if these layers cannot do without the others.
pub fn plan_layers(rules: &RuleSet, owners: Owners, seeds: usize, parity: Parity, threads: usize) -> Result<Plan, BuildError> {
    let pits = owners.pits();
    if rules.can_repeat() && rules.end.cycle != Cycle::Zero {
        return Err(plain::BuildError::Cycle.into());
    }
    if seeds > MAX_TABLE_SEEDS {
        return Err(plain::BuildError::Seeds(seeds).into());
    }
    if pits == 0 || pits > MAX_PITS {
        return Err(RowsError::Pits(pits).into());
    }
    let too_large = || plain::BuildError::TooLarge { pits, seeds };
    Index::count(pits, seeds).ok_or_else(too_large)?;
    cyclic::parity_allowed(rules, parity).map_err(RowsError::CannotExpress)?;
    if !owners.are_rows() {
        if !matches!(rules.rounds, Rounds::Territory { .. }) {
            return Err(BuildError::Owners { owners: owners.to_string() });
        }
        if parity != Parity::All {
            return Err(BuildError::OwnersParity);
        }
        let positions = |seeds| Index::count(pits, seeds)?.checked_mul(Index::seats_of(owners));
        let why = "a player owns pits of the other's row".to_owned();
        let builder = if rules.can_repeat() { Builder::Sweep { why } } else { Builder::Plain { why } };
        let (positions, bytes) = taken(positions(seeds), positions(seeds.min(MAX_BYTE_SEEDS))).ok_or_else(too_large)?;
        return Ok(Plan { builder, positions, bytes, memory: bytes, aside: None });
    }
    if seeds > MAX_BYTE_SEEDS {
        return plan_wide(rules, pits, seeds, parity);
    }
    let positions = cyclic::positions(pits, seeds, parity).ok_or_else(too_large)?;
    if rules.can_repeat() {
        return match cyclic::can_express(rules, pits) {
            Ok(()) => {
                let memory = cyclic::memory(pits, seeds, parity).ok_or_else(too_large)?;
                let aside = cyclic::aside(pits, seeds, parity);
                Ok(Plan { builder: Builder::RowSweeps, positions, bytes: positions, memory, aside })
            }
            Err(why) if parity != Parity::All => Err(RowsError::CannotExpress(why).into()),
            Err(why) => Ok(Plan { builder: Builder::Sweep { why }, positions, bytes: positions, memory: positions, aside: None }),
        };
    }
    let threads = if threads == 0 { rayon::current_num_threads() } else { threads };
    Ok(match why_not_by_rows(rules, pits) {
        None => {
            let memory = rows::memory(pits, seeds, threads).ok_or_else(too_large)?;
            Plan { builder: Builder::Rows, positions, bytes: positions, memory, aside: None }
        }
        Some(why) => Plan { builder: Builder::Plain { why }, positions, bytes: positions, memory: positions, aside: None },
    })
}

/// What a table takes with layers of more than [`MAX_BYTE_SEEDS`] seeds. Its other layers go position by position as well: only boards of one
/// or two pits a row, hardly of three, have such tables, and there rows, short as they are, take longer.
fn plan_wide(rules: &RuleSet, pits: usize, seeds: usize, parity: Parity) -> Result<Plan, BuildError> {
    let too_large = || plain::BuildError::TooLarge { pits, seeds };
    if parity != Parity::All {
        return Err(BuildError::WideParity { seeds });
    }
    let (positions, bytes) = taken(Index::count(pits, seeds), Index::count(pits, MAX_BYTE_SEEDS)).ok_or_else(too_large)?;
    let why = format!("values of layers above {MAX_BYTE_SEEDS} seeds take two bytes, and rows have one");
    let builder = if rules.can_repeat() { Builder::Sweep { why } } else { Builder::Plain { why } };
    Ok(Plan { builder, positions, bytes, memory: bytes, aside: None })
}

/// The positions of a table and the bytes of their values, given the first and those `below` wide layers, if numbers go so far.
fn taken(positions: Option<u64>, below: Option<u64>) -> Option<(u64, u64)> {
    let positions = positions?;
    Some((positions, bytes_of(positions, below?)?))
}

/// Builds the table of all boards with up to `seeds` seeds; the bytes are the same whatever the builder and the number of threads.
///
/// # Errors
/// See [`BuildError`].
pub fn build(rules: &RuleSet, pits: usize, seeds: usize, options: Options) -> Result<Built, BuildError> {
    build_layers(rules, Owners::rows(pits), seeds, options, &OnlyInMemory)
}

/// Builds a table of the layers of one parity only, or of all. A smaller table of the same rules and board, if there is one, is read
/// and not worked out again.
///
/// # Errors
/// See [`BuildError`]; also if these layers cannot do without the others.
pub fn build_parity(
    rules: &RuleSet,
    pits: usize,
    seeds: usize,
    parity: Parity,
    options: Options,
    smaller: Option<&Table>,
) -> Result<Built, BuildError> {
    let smaller = smaller.filter(|table| table.pits() == pits && table.parity() == parity);
    let layers: &dyn Layers = match smaller {
        Some(table) => table,
        None => &OnlyInMemory,
    };
    let owners = Owners::rows(pits);
    match plan_layers(rules, owners, seeds, parity, options.threads)?.builder {
        builder @ Builder::RowSweeps => {
            let table = cyclic::build_layers(rules, pits, seeds, parity, options, layers)?;
            Ok(Built { table, builder })
        }
        // Only sweeps of rows can do with one parity.
        _ => build_layers(rules, owners, seeds, options, layers),
    }
}

/// Builds the same table, beginning with the layers that can be read and handing on each layer that is finished while the next is
/// worked out.
///
/// # Errors
/// See [`BuildError`].
pub fn build_layers(
    rules: &RuleSet,
    owners: Owners,
    seeds: usize,
    options: Options,
    layers: &dyn Layers,
) -> Result<Built, BuildError> {
    let plan = plan_layers(rules, owners, seeds, Parity::All, options.threads)?;
    let pits = owners.pits();
    let table = match &plan.builder {
        Builder::Rows => rows::build_layers(rules, pits, seeds, options, layers)?,
        Builder::RowSweeps => cyclic::build_layers(rules, pits, seeds, Parity::All, options, layers)?,
        Builder::Plain { .. } | Builder::Sweep { .. } => {
            position_by_position(rules, owners, seeds, plan.memory, options, layers)?
        }
    };
    Ok(Built { table, builder: plan.builder })
}

/// Builds layers and only hands them on, which takes less memory than a table.
///
/// # Errors
/// See [`BuildError`].
pub fn hand_on_layers(
    rules: &RuleSet,
    owners: Owners,
    seeds: usize,
    parity: Parity,
    options: Options,
    layers: &dyn Layers,
) -> Result<Builder, BuildError> {
    match plan_layers(rules, owners, seeds, parity, options.threads)?.builder {
        builder @ Builder::RowSweeps => {
            cyclic::hand_on_layers(rules, owners.pits(), seeds, parity, options, layers)?;
            Ok(builder)
        }
        // Only layers by sweeps of rows can do without those of the other parity.
        _ => Ok(build_layers(rules, owners, seeds, options, layers)?.builder),
    }
}

fn why_not_by_rows(rules: &RuleSet, pits: usize) -> Option<String> {
    let rows = rows::can_express(rules).err();
    rows.or_else(|| (pits > rows::MAX_PITS).then(|| RowsError::Pits(pits).to_string()))
}

fn position_by_position(
    rules: &RuleSet,
    owners: Owners,
    seeds: usize,
    needed: u64,
    options: Options,
    layers: &dyn Layers,
) -> Result<Table, BuildError> {
    if let Some(allowed) = options.memory.filter(|&allowed| needed > allowed) {
        return Err(RowsError::Memory { pits: owners.pits(), seeds, needed, allowed }.into());
    }
    let pool = rayon::ThreadPoolBuilder::new().num_threads(options.threads).build();
    let pool = pool.map_err(|error| RowsError::Threads(error.to_string()))?;
    let watch = Watch { stop: options.stop, progress: options.progress, layers };
    let table = pool.install(|| dispatch(rules, owners.pits(), seeds, owners, PositionByPosition { seeds, watch }))?;
    Ok(table)
}

struct PositionByPosition<'o> {
    seeds: usize,
    watch: Watch<'o>,
}

impl Visitor for PositionByPosition<'_> {
    type Output = Result<Table, plain::BuildError>;
    fn visit<B: Lanes>(self, kernel: Kernel<B>) -> Self::Output {
        if kernel.can_repeat() {
            sweep::build_layers(&kernel, self.seeds, self.watch)
        } else {
            plain::build_layers(&kernel, self.seeds, self.watch)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rows::Progress;
    use lumbung_engine::rules::preset;
    use std::sync::Mutex;
    use std::sync::atomic::AtomicBool;

    fn rules(name: &str, changes: &[&str]) -> RuleSet {
        preset(name).unwrap().rules.with_set(changes).unwrap()
    }

    #[test]
    fn rules_choose_the_builder() {
        let stop = AtomicBool::new(false);
        let options = Options { threads: 1, memory: None, stop: &stop, progress: &|_| {} };
        let kalah = build(&rules("kalah", &[]), 3, 5, options).unwrap();
        assert_eq!(kalah.builder, Builder::Rows);
        let starving = rules("kalah", &["feeding.rule=leave-a-move"]);
        let built = build(&starving, 3, 5, options).unwrap();
        assert!(matches!(&built.builder, Builder::Plain { why } if why.contains("leave-a-move")), "{:?}", built.builder);
        assert_eq!(built.table.len(), kalah.table.len());
        assert!(
            matches!(build(&rules("kalah", &[]), 17, 1, options).unwrap().builder, Builder::Plain { why } if why.contains("17 pits"))
        );
        assert_eq!(build(&rules("awari", &[]), 3, 5, options).unwrap().builder, Builder::RowSweeps);
        let next = build(&rules("san-yao", &[]), 2, 5, options).unwrap();
        assert!(matches!(&next.builder, Builder::Sweep { why } if why.contains("sowing.relay")), "{:?}", next.builder);
        let by_first = build(&rules("awari", &["end.cycle=row-owner"]), 3, 5, options);
        assert_eq!(by_first.unwrap_err(), plain::BuildError::Cycle.into());
    }

    #[test]
    fn a_plan_comes_before_the_work() {
        let plan = plan(&rules("kalah", &[]), 6, 16, 1).unwrap();
        // C(28, 12) boards; working memory at most two bytes a position, and what lists may take.
        assert_eq!(plan.positions, 30_421_755);
        assert!(plan.memory > plan.positions && plan.memory < 2 * plan.positions + (40 << 20), "{}", plan.memory);
        let stop = AtomicBool::new(false);
        let options = Options { threads: 1, memory: Some(plan.memory - 1), stop: &stop, progress: &|_| {} };
        let refused = build(&rules("kalah", &[]), 6, 16, options).unwrap_err();
        assert_eq!(refused, RowsError::Memory { pits: 6, seeds: 16, needed: plan.memory, allowed: plan.memory - 1 }.into());
        assert_eq!(super::plan(&rules("kalah", &[]), 1, 1024, 1).unwrap_err(), plain::BuildError::Seeds(1024).into());
        // Twice C(938, 8) is more than 2^64.
        assert_eq!(
            super::plan(&rules("kalah", &[]), 4, 930, 1).unwrap_err(),
            plain::BuildError::TooLarge { pits: 4, seeds: 930 }.into()
        );
        // C(12, 2) and C(132, 2) boards, of which C(129, 2) take a byte.
        for (seeds, positions, bytes) in [(10, 66, 66), (130, 8646, 9036)] {
            let plan = super::plan(&rules("kalah", &[]), 1, seeds, 1).unwrap();
            assert_eq!((plan.positions, plan.bytes), (positions, bytes));
        }
        for pits in [0, 19] {
            assert_eq!(super::plan(&rules("kalah", &[]), pits, 3, 1).unwrap_err(), RowsError::Pits(pits).into());
        }
    }

    #[test]
    fn a_build_tells_how_far_it_is_and_stops_when_asked() {
        let (stop, told) = (AtomicBool::new(false), Mutex::new(Vec::new()));
        let progress = |progress: Progress| {
            told.lock().unwrap().push(progress);
            stop.store(progress.seeds == 3, std::sync::atomic::Ordering::Relaxed);
        };
        let options = Options { threads: 1, memory: None, stop: &stop, progress: &progress };
        assert_eq!(build(&rules("kalah", &[]), 2, 9, options).unwrap_err(), RowsError::Stopped.into());
        // Boards of 4 pits with up to s seeds: C(s + 4, 4).
        let positions: Vec<u64> = told.lock().unwrap().iter().map(|progress| progress.positions).collect();
        assert_eq!(positions, [1, 5, 15, 35]);
        assert!(told.lock().unwrap().iter().all(|progress| progress.total == 715));
    }
}

//! The reachable graph: every position that can arise from a start, with its exact value.
//!
//! **Positions.** Under [`Counting::Ours`] a position is what a value depends on: the pits as the player to choose sees them, and her
//! seat where the players own different pits. Stores and the names of the players are no part of it, so a board seen by South and the
//! same board seen by North are one position. A position with a bonus move to come is a position of the player who earned it. A move
//! that ends the game by itself (a bonus with the own row empty, an endless move where that ends the game, the capture of the last
//! seeds) leads to no position.
//! Under [`Counting::Irving`] it is the pits, both stores and the side to move, as in Irving, Donkers and Uiterwijk 2000, "Solving
//! Kalah", Table 3: see there.
//!
//! **Order of work.** No move puts seeds back on the board, so the graph falls into layers by seeds in play. `discover` goes from
//! the most seeds to the fewest: when it comes to a layer, all its entrances are known. `settle` then goes from the fewest to the
//! most: moves that leave the layer lead to known values; the moves within it are kept only while the layer is worked on.
//!
//! **Memory.** The positions of a layer are numbered in some order, by a list or by bits (`keys`); while they are being found they are
//! in a hash set or in bits (`set`). Where there is scratch, what is not needed now goes to disk when memory is short (`scratch`): layers
//! that are done, hash sets of layers to come, and settled values.
//!
//! **Values.** Within a layer the strongly connected components are settled one after the other, successors first. A
//! component that is no cycle takes one look; in a cyclic one all values start at 0 and are worked out again until none changes, which
//! makes endless play worth 0 (the argument is in `crates/tables/src/sweep.rs`; components may be settled one after the other because
//! the least solution of equations that fall into strata is that of each stratum given those below).

#[cfg(test)]
mod against_search;
mod components;
mod discover;
mod edges;
mod expand;
mod facts;
mod forms;
mod keys;
mod layer;
mod mix;
mod node;
mod open;
mod plan;
pub mod random;
mod room;
mod scratch;
mod set;
mod settle;
mod waiting;

use std::path::{Path, PathBuf};

use lumbung_engine::kernel::{Kernel, Lanes, Visitor, dispatch};
use lumbung_engine::rules::{Cycle, EndWhen};
use lumbung_engine::{Position, RuleSet, Side};
use thiserror::Error;

pub use facts::{Aside, Explored, Found, Graph, LayerFacts};

use crate::limits::{Limits, Progress, StopReason};
use crate::solve::SolveError;
use node::World;
use scratch::Scratch;

/// Bytes that the program takes beside the graph: its code, its threads, the rules compiled and what is written to disk at once. They
/// count among the memory that is allowed and told.
pub const BESIDE: u64 = 16 << 20;

/// What a position is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Counting {
    /// The pits, seen by the player to choose.
    #[default]
    Ours,
    /// The nodes of Irving, Donkers and Uiterwijk 2000, Table 3: pits, both stores and the side to move. A node is terminal, and its
    /// seeds are left where they are, when a row is empty (the side to move being the one that the move before left it to) or when
    /// one store holds more than half of all seeds. Values are outcomes: 1, 0 or -1, told from South's side.
    Irving,
}

/// How the positions of a layer are kept. What is found does not depend on it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Form {
    /// As whichever of the two takes less memory.
    #[default]
    Smaller,
    /// As a list.
    List,
    /// As a bit for every position that could have as many seeds in play, unless these bits alone would not fit into memory.
    Bits,
}

/// How a graph is to be made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Options<'a> {
    /// What counts as a position.
    pub counting: Counting,
    /// A directory for files without names, which take what memory has no room for. They are gone when the work is.
    pub scratch: Option<&'a Path>,
    /// How positions are kept.
    pub form: Form,
}

/// A graph that was asked for and cannot be made.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum GraphError {
    /// A rule for play only.
    #[error("{}", SolveError::RowOwnerCycle)]
    RowOwnerCycle,
    /// The positions cannot be numbered.
    #[error(
        "{pits} pits a row with {seeds} seeds have too many positions to be numbered in 64 bits; a smaller board has a graph"
    )]
    TooWide {
        /// Pits a row.
        pits: usize,
        /// Seeds in play.
        seeds: usize,
    },
    /// The counting does not suit the rules.
    #[error(
        "Irving's counting is for games with sown stores that end when a row is empty (end.when = \"mover-empty\" or \
         \"any-row-empty\"), such as kalah; use --counting ours"
    )]
    Counting,
    /// What memory has no room for cannot be put on disk.
    #[error("cannot write to {} (--scratch): {error}", directory.display())]
    Scratch {
        /// The directory.
        directory: PathBuf,
        /// What the system said.
        error: String,
    },
    /// The positions of a layer are numbered in 32 bits.
    #[error("{positions} positions with {seeds} seeds in play; there may be at most {}", u32::MAX - 1)]
    LayerTooLong {
        /// Seeds in play.
        seeds: usize,
        /// Positions.
        positions: u64,
    },
}

/// Finds all positions that can arise from `position`, and their values. The threads of the current rayon pool take part; what is
/// found does not depend on them. `limits.nodes` bounds the positions.
///
/// # Errors
/// See [`GraphError`].
///
/// # Panics
/// If the position is beyond the limits of [`lumbung_engine::position`].
pub fn explore(
    rules: &RuleSet,
    position: &Position,
    options: Options,
    limits: &Limits,
    progress: &dyn Progress,
) -> Result<Explored, GraphError> {
    explore_telling(rules, position, options, limits, progress, &|_| {})
}

/// As [`explore`], and tells what was found as soon as all positions are, before it begins with their values. If the memory does not
/// suffice for these, they are not begun.
///
/// # Errors
/// See [`GraphError`].
///
/// # Panics
/// If the position is beyond the limits of [`lumbung_engine::position`].
pub fn explore_telling(
    rules: &RuleSet,
    position: &Position,
    options: Options,
    limits: &Limits,
    progress: &dyn Progress,
    tell: &dyn Fn(Found),
) -> Result<Explored, GraphError> {
    let Options { counting, scratch, form } = options;
    if rules.end.cycle == Cycle::RowOwner {
        return Err(GraphError::RowOwnerCycle);
    }
    let ends_with_a_row = matches!(rules.end.when, EndWhen::MoverEmpty | EndWhen::AnyRowEmpty);
    if counting == Counting::Irving && (rules.can_repeat() || !ends_with_a_row || !position.owners.are_rows()) {
        return Err(GraphError::Counting);
    }
    let scratch = scratch.map(Scratch::new).transpose()?;
    let means = Means { limits, progress, form, scratch: scratch.as_ref() };
    let work = Explore { rules, position, counting, means, tell };
    dispatch(rules, position.pits(), position.seeds_in_play(), position.owners, work)
}

/// The margin that a value of the player to move means for South, stores included.
pub fn margin(position: &Position, value: i32) -> i32 {
    position.margin() + if position.to_move == Side::South { value } else { -value }
}

/// What the work may use, and whom it tells.
#[derive(Clone, Copy)]
struct Means<'a> {
    limits: &'a Limits,
    progress: &'a dyn Progress,
    form: Form,
    scratch: Option<&'a Scratch<'a>>,
}

/// Why the work ended early.
#[derive(Debug)]
enum Halt {
    Stopped { reason: StopReason, found: u64 },
    Failed(GraphError),
}

impl From<GraphError> for Halt {
    fn from(error: GraphError) -> Self {
        Halt::Failed(error)
    }
}

struct Explore<'a> {
    rules: &'a RuleSet,
    position: &'a Position,
    counting: Counting,
    means: Means<'a>,
    tell: &'a dyn Fn(Found),
}

impl Explore<'_> {
    fn all<B: Lanes>(&self, world: &World<'_, B>) -> Result<Graph, Halt> {
        let (mut layers, finding) = discover::discover(world, self.position, self.means)?;
        let written = self.means.scratch.map_or(0, Scratch::written);
        let found = plan::found(world, &layers, finding, written);
        (self.tell)(found);
        let memory = if self.means.scratch.is_some() { plan::bytes_alone(world, &layers) } else { found.memory };
        if memory > self.means.limits.memory {
            return Err(Halt::Stopped { reason: StopReason::Memory, found: found.positions });
        }
        settle::settle(world, self.position, &mut layers, self.means)
    }
}

impl Visitor for Explore<'_> {
    type Output = Result<Explored, GraphError>;

    fn visit<B: Lanes>(self, kernel: Kernel<B>) -> Self::Output {
        let too_wide = GraphError::TooWide { pits: self.position.pits(), seeds: self.position.seeds_in_play() };
        let world = World::new(self.rules, &kernel, self.position, self.counting).ok_or(too_wide)?;
        match self.all(&world) {
            Ok(graph) => Ok(Explored::Complete(Box::new(graph))),
            Err(Halt::Stopped { reason, found }) => Ok(Explored::Stopped { reason, found }),
            Err(Halt::Failed(error)) => Err(error),
        }
    }
}

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
//! **Values.** Within a layer the strongly connected components are settled in the order of Tarjan's algorithm, successors first. A
//! component that is no cycle takes one look; in a cyclic one all values start at 0 and are worked out again until none changes, which
//! makes endless play worth 0 (the argument is in `crates/tables/src/sweep.rs`; components may be settled one after the other because
//! the least solution of equations that fall into strata is that of each stratum given those below).

#[cfg(test)]
mod against_search;
mod components;
mod discover;
mod expand;
mod layer;
mod node;
pub mod random;
mod settle;

use std::collections::BTreeMap;

use lumbung_engine::kernel::{Kernel, Lanes, Visitor, dispatch};
use lumbung_engine::rules::{Cycle, EndWhen};
use lumbung_engine::{Position, RuleSet, Side};
use thiserror::Error;

use crate::limits::{Limits, Progress, StopReason};
use crate::solve::SolveError;
use node::World;

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
}

/// Facts about all positions that can arise from a start. Counts are exact.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Graph {
    /// Positions.
    pub positions: u64,
    /// Positions in which the game is over.
    pub terminal: u64,
    /// Positions in which the turn passes.
    pub passing: u64,
    /// Legal moves of all positions.
    pub moves: u64,
    /// Of these, moves that end the game by themselves.
    pub ending_moves: u64,
    /// Pits that could be lifted, in positions where the game is not over or over only for lack of a legal move, but whose laps never
    /// end.
    pub endless_moves: u64,
    /// The most laps of a turn: all the moves that a player makes before play passes, endless ones left out.
    pub longest_turn_laps: u64,
    /// A position in which such a turn begins, as South to move.
    pub longest_turn_position: Option<Position>,
    /// Legal moves of a position that has any: mean and standard deviation. `None` if no position has.
    pub branching: Option<(f64, f64)>,
    /// Strongly connected components.
    pub components: u64,
    /// Components in which play can go round for ever: two positions or more, or one that leads to itself.
    pub cyclic_components: u64,
    /// Positions of the largest component.
    pub largest_component: u64,
    /// Moves of the shortest game from the start in which every move is best; a pass is no move. `None` if no such game ends.
    pub plies: Option<u64>,
    /// What the player to move gains over the opponent from the start on under best play; under [`Counting::Irving`] her outcome.
    pub value: i32,
    /// How many positions have each value for the player to move; under [`Counting::Irving`] each outcome for South.
    pub values: BTreeMap<i32, u64>,
    /// The layers, from the most seeds to the fewest; those without positions are left out.
    pub layers: Vec<LayerFacts>,
}

/// Facts about the positions with a number of seeds in play.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LayerFacts {
    /// Seeds in play.
    pub seeds: usize,
    /// Positions.
    pub positions: u64,
    /// Positions in which the game is over.
    pub terminal: u64,
    /// Legal moves.
    pub moves: u64,
    /// Positions of the largest component.
    pub largest_component: u64,
}

/// What came of a search for a graph.
#[derive(Clone, Debug, PartialEq)]
pub enum Explored {
    /// The whole graph.
    Complete(Box<Graph>),
    /// A limit came first.
    Stopped {
        /// Which.
        reason: StopReason,
        /// Positions found until then.
        found: u64,
    },
}

/// All positions of a graph, before anything is known of their values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Found {
    /// Positions.
    pub positions: u64,
    /// Seeds in play of the layer with the most positions.
    pub widest: usize,
    /// Positions of that layer.
    pub widest_positions: u64,
    /// Bytes that it takes to find their values, the positions included.
    pub memory: u64,
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
    counting: Counting,
    limits: &Limits,
    progress: &dyn Progress,
) -> Result<Explored, GraphError> {
    explore_telling(rules, position, counting, limits, progress, &|_| {})
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
    counting: Counting,
    limits: &Limits,
    progress: &dyn Progress,
    tell: &dyn Fn(Found),
) -> Result<Explored, GraphError> {
    if rules.end.cycle == Cycle::RowOwner {
        return Err(GraphError::RowOwnerCycle);
    }
    let ends_with_a_row = matches!(rules.end.when, EndWhen::MoverEmpty | EndWhen::AnyRowEmpty);
    if counting == Counting::Irving && (rules.can_repeat() || !ends_with_a_row || !position.owners.are_rows()) {
        return Err(GraphError::Counting);
    }
    let work = Explore { rules, position, counting, limits, progress, tell };
    dispatch(rules, position.pits(), position.seeds_in_play(), position.owners, work)
}

/// The margin that a value of the player to move means for South, stores included.
pub fn margin(position: &Position, value: i32) -> i32 {
    position.margin() + if position.to_move == Side::South { value } else { -value }
}

struct Explore<'a> {
    rules: &'a RuleSet,
    position: &'a Position,
    counting: Counting,
    limits: &'a Limits,
    progress: &'a dyn Progress,
    tell: &'a dyn Fn(Found),
}

impl Visitor for Explore<'_> {
    type Output = Result<Explored, GraphError>;

    fn visit<B: Lanes>(self, kernel: Kernel<B>) -> Self::Output {
        let Explore { rules, position, counting, limits, progress, tell } = self;
        let too_wide = GraphError::TooWide { pits: position.pits(), seeds: position.seeds_in_play() };
        let world = World::new(rules, &kernel, position, counting).ok_or(too_wide)?;
        let mut layers = match discover::discover(&world, position, limits, progress) {
            Ok(layers) => layers,
            Err((reason, found)) => return Ok(Explored::Stopped { reason, found }),
        };
        let all = settle::found(&world, &layers);
        tell(all);
        let found = all.positions;
        if all.memory > limits.memory {
            return Ok(Explored::Stopped { reason: StopReason::Memory, found });
        }
        match settle::settle(&world, position, &mut layers, limits, progress) {
            Ok(graph) => Ok(Explored::Complete(Box::new(graph))),
            Err(reason) => Ok(Explored::Stopped { reason, found }),
        }
    }
}

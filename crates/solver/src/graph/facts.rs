//! What is told of a graph.

use std::collections::BTreeMap;

use lumbung_engine::Position;

#[cfg(doc)]
use super::Counting;
use crate::limits::StopReason;

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
        /// Positions found until then; where some were on disk, at least so many.
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
    /// Bytes of memory that there had to be room for while they were found. It depends on the memory allowed, and a little on chance where
    /// there are several threads.
    pub finding: u64,
    /// Bytes that were written to scratch meanwhile.
    pub written: u64,
    /// Bytes that it takes to find their values, the positions included. Like all that is told of memory, with
    /// [`BESIDE`](super::BESIDE).
    pub memory: u64,
    /// What it takes where there is scratch.
    pub aside: Aside,
}

/// What a graph takes where all that is not in work may lie on disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Aside {
    /// Bytes of memory with which both its positions and their values are found. With more of it, less is written to the disk and read
    /// again and again.
    pub memory: u64,
    /// Bytes of the positions and values on disk, at most.
    pub disk: u64,
}

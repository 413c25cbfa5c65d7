//! The turn explorer: all that the player to move can do in one turn.
//!
//! A turn is a path of moves. A move that earns a bonus goes on, any other ends it. Every bonus move stores at least one seed, so
//! the boards of a turn form a graph without cycles, levelled by the seeds in play; and since nothing leaves the board during a
//! turn but into the mover's store, a board alone says what she has stored: one visited set of bare boards serves every goal.
//!
//! * [`Goal::Win`], [`Goal::AtLeast`], [`Goal::Donkers`], [`Goal::Max`]: depth first, by several explorers that prefer different
//!   moves and share the visited set, so that no board is entered twice and together they have seen everything once all their
//!   stacks are empty. No single preference finds a line on every board.
//! * [`Goal::ShortestWin`]: breadth first by moves.
//! * [`Goal::Longest`]: level by level of seeds in play, which settles the longest way to a board before it is left.
//!
//! What is exhaustive does not depend on the number of threads, unless the goal was a number of seeds and it was reached, when
//! any line that reaches it will do. Of several lines it is then the first in the order of pits (after a second pass over the
//! boards, which `Max` and unreached goals go without if memory or time is short).
//!
//! Every line is replayed by the referee before it is returned.

mod breadth_first;
mod by_seeds;
mod depth_first;
mod explorer;
mod goal;
mod line;
mod replay;
mod root;
mod ticker;
mod visited;

use lumbung_engine::kernel::{Kernel, Lanes, Visitor, dispatch};
use lumbung_engine::referee::State;
use lumbung_engine::{Pit, Position, Referee, RuleSet};
use thiserror::Error;

use crate::limits::{Limits, Progress, StopReason};
use depth_first::{Aim, Measure};
pub use goal::Goal;
use root::Root;

/// What to look for, and how much may be spent on it.
#[derive(Clone, Debug)]
pub struct Options {
    /// What the turn is to achieve.
    pub goal: Goal,
    /// What the search may use. `nodes` counts boards as [`Turn::states`] does, give or take those of one round of work;
    /// `memory` bounds the boards that are remembered, of which 4,096 are always allowed.
    pub limits: Limits,
}

/// What one turn can do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Turn {
    /// The most seeds found in the mover's store, those that were there before the turn included. The settlement of a game that
    /// ends with the turn is not counted: those seeds are not stored by the turn.
    pub best_store: u32,
    /// The moves of the turn that answers the goal, or comes closest among those found: it stores most, or is longest. Empty if
    /// there is nothing to play: the game is over, the turn passes, or the goal holds already or is out of reach of any turn.
    pub line: Vec<Pit>,
    /// Seeds in the mover's store after the line, counted as in `best_store`.
    pub line_store: u32,
    /// Laps of the line, as the referee counts them.
    pub laps: u64,
    /// How the line ends.
    pub end: TurnEnd,
    /// After the line the mover holds more than half of all seeds, stores included.
    pub wins: bool,
    /// The line achieves the goal. For `Max` and `Longest`, which ask for the best there is, the same as `exhaustive`.
    pub reached: bool,
    /// The answer is final: the goal was reached where reaching it suffices, or everything was seen that could change it.
    pub exhaustive: bool,
    /// Distinct boards seen after bonus moves (the starting board is not counted).
    pub states: u64,
    /// Why the search ended early, if it did.
    pub stopped: Option<StopReason>,
}

/// How the moves of a turn end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TurnEnd {
    /// The turn passes to the other player.
    Passes,
    /// The game is over.
    GameOver,
    /// The same player is to move: a bonus is pending, or nothing was played.
    Pending,
}

/// Why a turn cannot be explored.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum TurnsError {
    /// More seeds are asked for than the mover can ever store in this turn.
    #[error("the goal asks for {asked} seeds in the store, and no turn can bring it above {most}")]
    TooMany {
        /// As asked for.
        asked: u32,
        /// Those in the store and in play.
        most: u32,
    },
    /// Donkers' criterion speaks of the start of a board of n pits a row with n seeds each only.
    #[error("the Donkers goal is for the start of an n x n board, {pits}x{pits} with {pits} pits a row; got {position}")]
    NotDonkers {
        /// Pits a row.
        pits: usize,
        /// The position that is none.
        position: String,
    },
    /// The kernel and the referee disagree about a line: a defect of this program.
    #[error("internal error in the turn explorer: {0}")]
    Internal(String),
}

/// What a search found, before the referee has seen it.
#[derive(Clone, Debug)]
struct Found {
    line: Vec<Pit>,
    best_store: u32,
    reached: bool,
    exhaustive: bool,
    states: u64,
    stopped: Option<StopReason>,
}

impl Found {
    /// Nothing to be played.
    fn nothing(store: u32, reached: bool) -> Self {
        Found { line: Vec::new(), best_store: store, reached, exhaustive: true, states: 0, stopped: None }
    }
}

/// Explores the turn of the player to move.
///
/// Runs on the threads of the current rayon pool. Under rule sets without bonus moves a turn is one move.
///
/// # Errors
/// If the goal cannot be one of this position, or (a defect) the referee does not confirm what was found.
///
/// # Panics
/// If the position is beyond the limits of [`lumbung_engine::position`].
pub fn explore(rules: &RuleSet, position: &Position, options: &Options, progress: &dyn Progress) -> Result<Turn, TurnsError> {
    let store = u32::from(position.stores[position.to_move.index()]);
    let most = store + position.seeds_in_play() as u32;
    let wanted = options.goal.store_wanted(position)?;
    let state = Referee::new(rules).state(position);
    let holds = wanted.is_none_or(|wanted| store >= wanted);
    let out_of_reach = wanted.is_some_and(|wanted| wanted > most);
    // For Max and Longest nothing holds before the turn but that it cannot be played.
    let settled = (holds && wanted.is_some()) || out_of_reach;
    let (found, kernel_store) = if settled || !matches!(state, State::ToMove(_)) {
        (Found::nothing(store, holds), Some(store))
    } else {
        let search = Search { position, options, most, wanted, progress };
        dispatch(rules, position.pits(), position.seeds_in_play(), position.owners, search)
    };
    replay::confirm(rules, position, found, kernel_store, wanted)
}

/// A search waiting for its kernel.
struct Search<'a> {
    position: &'a Position,
    options: &'a Options,
    wanted: Option<u32>,
    /// Seeds in the mover's store and in play.
    most: u32,
    progress: &'a dyn Progress,
}

impl Visitor for Search<'_> {
    /// With the store after the line, by the kernel.
    type Output = (Found, Option<u32>);

    fn visit<B: Lanes>(self, kernel: Kernel<B>) -> (Found, Option<u32>) {
        let Search { options: Options { goal, limits }, progress, .. } = self;
        let root = Root::new(&kernel, self.position);
        let enough = self.wanted.unwrap_or(self.most);
        let found = match goal {
            Goal::ShortestWin => breadth_first::shortest(&root, enough, limits, progress),
            Goal::Longest => by_seeds::longest(&root, limits, progress),
            Goal::Max | Goal::Win | Goal::AtLeast(_) | Goal::Donkers => {
                let aim = Aim { measure: Measure::Store, enough, boards: u64::MAX };
                let found = depth_first::sweep(&root, aim, limits, progress).settle(&root, limits);
                Found { reached: found.reached || (*goal == Goal::Max && found.exhaustive), ..found }
            }
        };
        let store = root.store_after_line(&found.line);
        (found, store)
    }
}

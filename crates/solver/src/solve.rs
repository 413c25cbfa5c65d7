//! The exact value of a position.

use std::fmt;

use std::path::PathBuf;

use lumbung_engine::kernel::Lanes;
use lumbung_engine::{Owners, Position, RuleSet, Side};
use lumbung_tables::build::BuildError;
use lumbung_tables::file::FileError;
use thiserror::Error;

use crate::bounds::{Bounds, InSession};
use crate::checkpoint::CheckpointError;
use crate::limits::{Limits, Progress, StopReason};
use crate::line::{LineEnd, PlayedTurn, optimal_line};
use crate::questions::{Course, Questions};
use crate::session::Session;
use crate::setup::{Work, in_session};
use crate::transposition::Transpositions;

/// What is to be settled.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Goal {
    /// By how much the winner wins.
    #[default]
    Margin,
    /// Only who wins.
    Outcome,
}

/// How to solve.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// What is to be settled.
    pub goal: Goal,
    /// Seeds of the endgame table: 0 for none, `None` to let the solver choose as it goes.
    pub table_seeds: Option<usize>,
    /// A table on disk to begin with, of the same rules and pits a row: as many of its layers as the board, `table_seeds` and the
    /// memory allow.
    pub tables: Option<PathBuf>,
    /// Where the search is set aside every few minutes and when it is stopped, and from where it goes on if it was.
    pub checkpoint: Option<PathBuf>,
    /// Varies the order in which moves are searched, and so the effort, never the answer; 0 is the solver's own order.
    pub ordering: u64,
    /// What the solver may use.
    pub limits: Limits,
}

/// Who wins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// South stores more.
    South,
    /// North stores more.
    North,
    /// Both store the same.
    Draw,
}

impl Outcome {
    /// The outcome of a final margin.
    pub fn of(margin: i32) -> Self {
        match margin.signum() {
            1 => Outcome::South,
            -1 => Outcome::North,
            _ => Outcome::Draw,
        }
    }

    /// The outcome of every margin between two, if it is the same.
    pub fn between((low, high): (i32, i32)) -> Option<Self> {
        (low.signum() == high.signum()).then(|| Outcome::of(low))
    }

    /// `south`, `north` or `draw`.
    pub fn name(self) -> &'static str {
        match self {
            Outcome::South => "south",
            Outcome::North => "north",
            Outcome::Draw => "draw",
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// What was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Solution {
    /// South's final margin, the stores of the position included, is proven to lie between these.
    pub margin: (i32, i32),
    /// Who wins, if it is proven.
    pub outcome: Option<Outcome>,
    /// What was to be settled is.
    pub proven: bool,
    /// Best play from the position; empty unless the margin is exact.
    pub line: Vec<PlayedTurn>,
    /// How that line ends.
    pub line_end: LineEnd,
    /// Positions visited.
    pub nodes: u64,
    /// Positions visited by the earlier searches that it went on from.
    pub nodes_before: u64,
    /// Positions answered by the endgame table.
    pub table_hits: u64,
    /// Seeds of the endgame table that was used last.
    pub table_seeds: Option<usize>,
    /// If it is not proven, the positions that it is likely to take in all, to an order of magnitude, where that can be told: for the
    /// start of a game without relays, of which fewer were visited, those before included.
    pub foreseen: Option<u64>,
    /// Threads that searched.
    pub threads: usize,
    /// The limit that ended the work, if one did.
    pub stopped: Option<StopReason>,
    /// Why the checkpoint could not be written the last time, if it could not.
    pub unsaved: Option<String>,
}

/// A position that cannot be solved.
#[derive(Debug, Error)]
pub enum SolveError {
    /// A rule for play only.
    #[error(
        "end.cycle = \"row-owner\" depends on which position recurs first, so it is a rule for play and has no exact value; \
         end.cycle = \"zero\" has one"
    )]
    RowOwnerCycle,
    /// The system would not start the threads.
    #[error("cannot start the searching threads: {0}")]
    Threads(String),
    /// The endgame table that was asked for is too large.
    #[error(
        "an endgame table of {seeds} seeds takes {needed} bytes to build with so many threads; {allowed} are allowed beside the transposition \
         table, {}", fitting(.fits)
    )]
    TableMemory {
        /// Seeds asked for.
        seeds: usize,
        /// Bytes it takes.
        needed: u64,
        /// Bytes allowed.
        allowed: u64,
        /// Seeds of the largest table for which that is enough.
        fits: Option<usize>,
    },
    /// The endgame table that was asked for cannot be built.
    #[error("the endgame table of {seeds} seeds: {error}")]
    Table {
        /// Seeds asked for.
        seeds: usize,
        /// Why not.
        error: BuildError,
    },
    /// The checkpoint cannot be used or written.
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
    /// The table on disk cannot be used.
    #[error(transparent)]
    TableFile(#[from] FileError),
    /// A search uses no tables of such owners.
    #[error("a search stands on tables only where each player owns her own row, not with owners {0}")]
    TableOwners(Owners),
}

/// Finds South's final margin, or its outcome, from `position` under best play.
///
/// What is returned is proven; if a limit is reached first, the bounds proven so far are returned.
///
/// # Errors
/// See [`SolveError`].
pub fn solve(rules: &RuleSet, position: &Position, options: &Options, progress: &dyn Progress) -> Result<Solution, SolveError> {
    in_session(rules, position, options, progress, SolveWork { rules, position, goal: options.goal, then: &mut |_, _| () })
}

/// [`solve`], and then `work` with the solution and bounds of `position` and all that follow from it, by what the search has learnt.
///
/// # Errors
/// See [`SolveError`]; `work` is not run then.
pub fn solve_then<R: Send>(
    rules: &RuleSet,
    position: &Position,
    options: &Options,
    progress: &dyn Progress,
    work: impl FnOnce(&Solution, &mut dyn Bounds) -> R + Send,
) -> Result<(Solution, R), SolveError> {
    let mut work = Some(work);
    let mut result = None;
    let mut then = |solution: &Solution, bounds: &mut dyn Bounds| result = work.take().map(|work| work(solution, bounds));
    let solve = SolveWork { rules, position, goal: options.goal, then: &mut then };
    let solution = in_session(rules, position, options, progress, solve)?;
    Ok((solution, result.expect("a session runs the work unless it returns an error")))
}

/// What is done with a solution while the session still knows why.
pub(crate) type Then<'a> = dyn FnMut(&Solution, &mut dyn Bounds) + Send + 'a;

pub(crate) struct SolveWork<'a, 'w> {
    pub(crate) rules: &'a RuleSet,
    pub(crate) position: &'a Position,
    pub(crate) goal: Goal,
    pub(crate) then: &'w mut Then<'w>,
}

impl SolveWork<'_, '_> {
    /// Bounds of South's margin from bounds of the mover's value.
    fn margin(&self, (low, high): (i32, i32)) -> (i32, i32) {
        let so_far = self.position.margin();
        match self.position.to_move {
            Side::South => (so_far + low, so_far + high),
            Side::North => (so_far - high, so_far - low),
        }
    }
}

impl Work for SolveWork<'_, '_> {
    type Output = Solution;

    fn run<B: Lanes, T: Transpositions<B>>(self, session: &mut Session<'_, B, T>) -> Solution {
        let board = session.kernel.pack(self.position);
        let seat = session.kernel.seat(self.position.to_move);
        let seeds = board.seeds() as i32;
        let settled = |bounds| {
            let margin: (i32, i32) = self.margin(bounds);
            margin.0 == margin.1 || (self.goal == Goal::Outcome && Outcome::between(margin).is_some())
        };
        // The value at which the game as a whole is drawn.
        let drawn = match self.position.to_move {
            Side::South => -self.position.margin(),
            Side::North => self.position.margin(),
        };
        session.tell_as(self.position.to_move, self.position.margin());
        let questions = Questions::new(session.kernel, (self.goal == Goal::Outcome).then_some(drawn));
        let (begin, course) = session.reached().unwrap_or(((-seeds, seeds), Course::default()));
        let (bounds, stopped) = session.narrow(&board, seat, begin, questions.after(course), settled);
        // What is proven is not to be lost while the line is followed.
        session.save(session.nodes);
        let margin = self.margin(bounds);
        let (line, line_end) = if margin.0 == margin.1 {
            optimal_line(self.rules, session, self.position, bounds.0)
        } else {
            (Vec::new(), LineEnd::Unfinished)
        };
        let solution = Solution {
            margin,
            outcome: Outcome::between(margin),
            proven: settled(bounds),
            line,
            line_end,
            nodes: session.nodes,
            nodes_before: session.nodes_before(),
            table_hits: session.table_hits,
            table_seeds: session.table_seeds(),
            foreseen: if settled(bounds) { None } else { session.foreseen(session.nodes) },
            threads: session.threads(),
            stopped,
            unsaved: session.save_error().map(|error| error.to_string()),
        };
        (self.then)(&solution, &mut InSession { session, origin: self.position });
        solution
    }
}

/// The table that could be asked for instead of one that is too large.
fn fitting(seeds: &Option<usize>) -> String {
    seeds.map_or("which is enough for none".to_owned(), |seeds| format!("which is enough for one of {seeds} seeds"))
}

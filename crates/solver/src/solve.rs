//! The exact value of a position.

use std::fmt;

use lumbung_engine::kernel::{Bytes16, Kernel, Lanes, Visitor, dispatch};
use lumbung_engine::rules::Cycle;
use lumbung_engine::{Position, RuleSet, Side};
use lumbung_tables::build::BuildError;
use thiserror::Error;

use crate::limits::{Limits, Progress, StopReason};
use crate::line::{LineEnd, PlayedTurn, optimal_line};
use crate::memo::{Compact, Memo, Whole};
use crate::session::{Session, SessionError};

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
    /// Positions answered by the endgame table.
    pub table_hits: u64,
    /// Seeds of the endgame table that was used last.
    pub table_seeds: Option<usize>,
    /// Threads that searched.
    pub threads: usize,
    /// The limit that ended the work, if one did.
    pub stopped: Option<StopReason>,
}

/// A position that cannot be solved.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
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
    #[error("an endgame table of {seeds} seeds takes {needed} bytes to build; {allowed} are allowed")]
    TableMemory {
        /// Seeds asked for.
        seeds: usize,
        /// Bytes it takes.
        needed: u64,
        /// Bytes allowed.
        allowed: u64,
    },
    /// The endgame table that was asked for cannot be built.
    #[error("the endgame table of {seeds} seeds: {error}")]
    Table {
        /// Seeds asked for.
        seeds: usize,
        /// Why not.
        error: BuildError,
    },
}

/// Finds South's final margin, or its outcome, from `position` under best play.
///
/// What is returned is proven; if a limit is reached first, the bounds proven so far are returned.
///
/// # Errors
/// See [`SolveError`].
pub fn solve(rules: &RuleSet, position: &Position, options: &Options, progress: &dyn Progress) -> Result<Solution, SolveError> {
    in_session(rules, position, options, progress, SolveWork { rules, position, goal: options.goal })
}

/// Something to be done in a session, whatever the board and the memo.
pub(crate) trait Work: Send {
    type Output: Send;
    fn run<B: Lanes, M: Memo<B>>(self, session: &mut Session<'_, B, M>) -> Self::Output;
    /// What is returned if the endgame table was not finished in time.
    fn stopped(self, reason: StopReason) -> Self::Output;
}

/// Sets up a session for a position and does the work in it.
pub(crate) fn in_session<W: Work>(
    rules: &RuleSet,
    position: &Position,
    options: &Options,
    progress: &dyn Progress,
    work: W,
) -> Result<W::Output, SolveError> {
    if rules.end.cycle == Cycle::RowOwner {
        return Err(SolveError::RowOwnerCycle);
    }
    let seeds = position.seeds_in_play();
    let dispatched = OnDeepStack { rules, options, progress, work };
    dispatch(rules, position.pits(), seeds, position.owners, dispatched)
}

/// Stack of a searching thread. A line of play can be thousands of moves long; untouched stack costs nothing.
const STACK_BYTES: usize = 1 << 30;

struct OnDeepStack<'a, W> {
    rules: &'a RuleSet,
    options: &'a Options,
    progress: &'a dyn Progress,
    work: W,
}

impl<W: Work> Visitor for OnDeepStack<'_, W> {
    type Output = Result<W::Output, SolveError>;

    fn visit<B: Lanes>(self, kernel: Kernel<B>) -> Self::Output {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(rayon::current_num_threads())
            .stack_size(STACK_BYTES)
            .build()
            .map_err(|error| SolveError::Threads(error.to_string()))?;
        let OnDeepStack { rules, options, progress, work } = self;
        let limits = &options.limits;
        let compact = |bytes| {
            let (pits, seeds) = (kernel.pits(), kernel.max_seeds());
            Compact::for_boards(pits, seeds, kernel.is_symmetric(), kernel.value_parity(), bytes)
        };
        std::thread::scope(|scope| {
            let on_deep_stack = std::thread::Builder::new().stack_size(STACK_BYTES).spawn_scoped(scope, || {
                // Wider boards have so many positions that their numbers leave no room in a word.
                if B::STRIDE == Bytes16::STRIDE
                    && let Some(session) = Session::new(rules, &kernel, compact, limits, progress, &pool)
                {
                    return start(session, options, work);
                }
                let whole = |bytes| Some(Whole::<B>::new(bytes));
                let session = Session::new(rules, &kernel, whole, limits, progress, &pool);
                start(session.expect("a table of whole boards can have any size"), options, work)
            });
            match on_deep_stack.map_err(|error| SolveError::Threads(error.to_string()))?.join() {
                Ok(result) => result,
                Err(panic) => std::panic::resume_unwind(panic),
            }
        })
    }
}

fn start<B: Lanes, M: Memo<B>, W: Work>(
    mut session: Session<'_, B, M>,
    options: &Options,
    work: W,
) -> Result<W::Output, SolveError> {
    if let Some(seeds) = options.table_seeds {
        match session.fix_table(seeds.min(session.kernel.max_seeds())) {
            Ok(()) => {}
            Err(SessionError::Stopped(reason)) => return Ok(work.stopped(reason)),
            Err(SessionError::Memory { needed }) => {
                return Err(SolveError::TableMemory { seeds, needed, allowed: options.limits.memory });
            }
            Err(SessionError::Table(error)) => return Err(SolveError::Table { seeds, error }),
        }
    }
    Ok(work.run(&mut session))
}

struct SolveWork<'a> {
    rules: &'a RuleSet,
    position: &'a Position,
    goal: Goal,
}

impl SolveWork<'_> {
    /// Bounds of South's margin from bounds of the mover's value.
    fn margin(&self, (low, high): (i32, i32)) -> (i32, i32) {
        let so_far = self.position.margin();
        match self.position.to_move {
            Side::South => (so_far + low, so_far + high),
            Side::North => (so_far - high, so_far - low),
        }
    }
}

impl Work for SolveWork<'_> {
    type Output = Solution;

    fn stopped(self, reason: StopReason) -> Solution {
        let seeds = self.position.seeds_in_play() as i32;
        let margin = self.margin((-seeds, seeds));
        let outcome = Outcome::between(margin);
        Solution {
            margin,
            outcome,
            proven: margin.0 == margin.1 || (self.goal == Goal::Outcome && outcome.is_some()),
            line: Vec::new(),
            line_end: LineEnd::Unfinished,
            nodes: 0,
            table_hits: 0,
            table_seeds: None,
            threads: rayon::current_num_threads(),
            stopped: Some(reason),
        }
    }

    fn run<B: Lanes, M: Memo<B>>(self, session: &mut Session<'_, B, M>) -> Solution {
        let board = session.kernel.pack(self.position);
        let seat = session.kernel.seat(self.position.to_move);
        let seeds = board.seeds() as i32;
        let step = session.kernel.value_step();
        let settled = |bounds| {
            let margin: (i32, i32) = self.margin(bounds);
            margin.0 == margin.1 || (self.goal == Goal::Outcome && Outcome::between(margin).is_some())
        };
        // The value at which the game as a whole is drawn.
        let drawn = match self.position.to_move {
            Side::South => -self.position.margin(),
            Side::North => self.position.margin(),
        };
        let mut bounds = (-seeds, seeds);
        let mut questions = Questions { asked: 0, step, drawn: (self.goal == Goal::Outcome).then_some(drawn) };
        let mut stopped = None;
        while !settled(bounds) {
            session.margin = self.margin(bounds);
            let beta = questions.next(bounds);
            match session.at_least(&board, seat, beta) {
                Ok(bound) if bound >= beta => bounds.0 = bounds.0.max(bound),
                Ok(bound) => bounds.1 = bounds.1.min(bound),
                Err(reason) => {
                    stopped = Some(reason);
                    break;
                }
            }
        }
        let margin = self.margin(bounds);
        session.margin = margin;
        let (line, line_end) = if margin.0 == margin.1 {
            let kernel = session.kernel;
            session
                .with_searcher(|searcher| optimal_line(self.rules, kernel, searcher, self.position, bounds.0))
                .unwrap_or((Vec::new(), LineEnd::Unfinished))
        } else {
            (Vec::new(), LineEnd::Unfinished)
        };
        Solution {
            margin,
            outcome: Outcome::between(margin),
            proven: settled(bounds),
            line,
            line_end,
            nodes: session.nodes,
            table_hits: session.table_hits,
            table_seeds: session.table_seeds(),
            threads: session.threads(),
            stopped,
        }
    }
}

/// Which question to ask next about a value that lies within bounds.
///
/// First whether the mover takes everything: any seed the opponent stores refutes it, so the tree is almost that of one player, and
/// in games with relays it is often so. Then whether the opponent does. After that the interval is halved.
pub(crate) struct Questions {
    pub(crate) asked: u32,
    pub(crate) step: i32,
    /// If only the outcome matters: the value at which the game is drawn.
    pub(crate) drawn: Option<i32>,
}

impl Questions {
    /// A `beta` with `low < beta <= high`, at a whole number of steps from both.
    pub(crate) fn next(&mut self, (low, high): (i32, i32)) -> i32 {
        self.asked += 1;
        let steps = (high - low) / self.step;
        if let Some(drawn) = self.drawn {
            // Better than a draw, then no worse than one.
            let wins = low + (drawn - low).div_euclid(self.step) * self.step + self.step;
            let beta = if wins <= high { wins } else { wins - self.step };
            return beta.clamp(low + self.step, high);
        }
        match self.asked {
            1 => high,
            2 => low + self.step,
            _ => low + (steps + 1) / 2 * self.step,
        }
    }
}

//! The exact value of every move of a position.

use lumbung_engine::kernel::{Child, Children, Lanes, Seat, Status, Then};
use lumbung_engine::{Pit, Position, RuleSet, Side};

use crate::limits::{Progress, StopReason};
use crate::questions::Questions;
use crate::session::Session;
use crate::setup::{Work, in_session};
use crate::solve::{Goal, Options, SolveError};
use crate::transposition::Transpositions;

/// What a position calls for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Calls {
    /// A move of the player to move.
    Move,
    /// A pass.
    Pass,
    /// Nothing: the game is over.
    Over,
}

/// A move and what it is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MoveValue {
    /// The pit.
    pub pit: Pit,
    /// Proven bounds of what the player to move gains over the opponent from here on if she plays it; equal if exact.
    pub value: (i32, i32),
    /// What she gains over the opponent by this move alone.
    pub gain: i32,
    /// She moves again.
    pub again: bool,
}

/// The values of a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Analysis {
    /// What the position calls for.
    pub calls: Calls,
    /// Proven bounds of what the player to move gains over the opponent from here on; equal if exact.
    pub value: (i32, i32),
    /// Every legal move, rising by pit.
    pub moves: Vec<MoveValue>,
    /// Positions visited.
    pub nodes: u64,
    /// The limit that ended the work, if one did.
    pub stopped: Option<StopReason>,
}

/// Finds the value of every move of `position`. All moves share what the search learns.
///
/// With [`Goal::Outcome`] it is settled first which moves win, draw or lose, stores counted: where a limit ends the work, that is known
/// of more moves. What is found without a limit is the same.
///
/// # Errors
/// See [`SolveError`].
pub fn analyse(rules: &RuleSet, position: &Position, options: &Options, progress: &dyn Progress) -> Result<Analysis, SolveError> {
    in_session(rules, position, options, progress, AnalyseWork { position, goal: options.goal })
}

struct AnalyseWork<'a> {
    position: &'a Position,
    goal: Goal,
}

impl Work for AnalyseWork<'_> {
    type Output = Analysis;

    fn run<B: Lanes, T: Transpositions<B>>(self, session: &mut Session<'_, B, T>) -> Analysis {
        let kernel = session.kernel;
        let board = kernel.pack(self.position);
        let seat = kernel.seat(self.position.to_move);
        let so_far = match self.position.to_move {
            Side::South => self.position.margin(),
            Side::North => -self.position.margin(),
        };
        let mut children = Children::new();
        let mut stopped = None;
        let (calls, value, moves) = match kernel.status(&board, seat, &mut children) {
            Status::Over(value) => (Calls::Over, (value, value), Vec::new()),
            Status::Pass => {
                let mut passed = After::new(session, board.swap(), kernel.other(seat), Then::Other, so_far);
                passed.narrow(session, None, &mut stopped);
                (Calls::Pass, passed.value(), Vec::new())
            }
            Status::ToMove => {
                let after = |session: &mut Session<'_, B, T>, child: &Child<B>| {
                    let next = if child.then == Then::Other { kernel.other(seat) } else { seat };
                    After::new(session, child.board, next, child.then, so_far + child.gain)
                };
                let mut afters: Vec<After<B>> = children.iter().map(|child| after(session, child)).collect();
                if self.goal == Goal::Outcome {
                    for after in &mut afters {
                        after.narrow(session, Some(after.drawn), &mut stopped);
                    }
                }
                for after in &mut afters {
                    after.narrow(session, None, &mut stopped);
                }
                let worth = |(child, after): (&Child<B>, &After<B>)| {
                    let (low, high) = after.value();
                    MoveValue {
                        pit: child.pit,
                        value: (child.gain + low, child.gain + high),
                        gain: child.gain,
                        again: child.then == Then::Again,
                    }
                };
                let moves: Vec<MoveValue> = children.iter().zip(&afters).map(worth).collect();
                let best = |of: fn(&MoveValue) -> i32| moves.iter().map(of).max().unwrap_or(0);
                (Calls::Move, (best(|m| m.value.0), best(|m| m.value.1)), moves)
            }
        };
        Analysis { calls, value, moves, nodes: session.nodes, stopped }
    }
}

/// What is known of the value of the board after a move.
struct After<B> {
    board: B,
    seat: Seat,
    then: Then,
    /// Bounds for the player to move on it.
    bounds: (i32, i32),
    /// The value for her at which the game as a whole is drawn.
    drawn: i32,
}

impl<B: Lanes> After<B> {
    /// `so_far` is what the player who made the move is ahead by.
    fn new<T: Transpositions<B>>(session: &mut Session<'_, B, T>, board: B, seat: Seat, then: Then, so_far: i32) -> Self {
        let bounds = match then {
            Then::Over => (0, 0),
            Then::Again | Then::Other => {
                let known = session.look_up(&board, seat);
                (known.low, known.high)
            }
        };
        After { board, seat, then, bounds, drawn: if then == Then::Other { so_far } else { -so_far } }
    }

    /// Narrows the bounds until they are exact, or until it is known on which side of `drawn` the value lies; a limit that is reached
    /// is noted in `stopped`.
    fn narrow<T: Transpositions<B>>(
        &mut self,
        session: &mut Session<'_, B, T>,
        drawn: Option<i32>,
        stopped: &mut Option<StopReason>,
    ) {
        if stopped.is_some() {
            return;
        }
        let questions = Questions::new(session.kernel, drawn);
        let enough = |(low, high)| low == high || drawn.is_some_and(|drawn| low > drawn || high < drawn);
        (self.bounds, *stopped) = session.narrow(&self.board, self.seat, self.bounds, questions, enough);
    }

    /// Bounds for the player who made the move.
    fn value(&self) -> (i32, i32) {
        let (low, high) = self.bounds;
        if self.then == Then::Other { (-high, -low) } else { (low, high) }
    }
}

//! The exact value of every move of a position.

use lumbung_engine::kernel::{Children, Lanes, Seat, Status, Then};
use lumbung_engine::{Pit, Position, RuleSet};

use crate::limits::{Progress, StopReason};
use crate::questions::Questions;
use crate::session::Session;
use crate::setup::{Work, in_session};
use crate::solve::{Options, SolveError};
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
/// # Errors
/// See [`SolveError`].
pub fn analyse(rules: &RuleSet, position: &Position, options: &Options, progress: &dyn Progress) -> Result<Analysis, SolveError> {
    in_session(rules, position, options, progress, AnalyseWork { position })
}

struct AnalyseWork<'a> {
    position: &'a Position,
}

impl Work for AnalyseWork<'_> {
    type Output = Analysis;

    fn run<B: Lanes, T: Transpositions<B>>(self, session: &mut Session<'_, B, T>) -> Analysis {
        let kernel = session.kernel;
        let board = kernel.pack(self.position);
        let seat = kernel.seat(self.position.to_move);
        let mut children = Children::new();
        let mut stopped = None;
        let (calls, value, moves) = match kernel.status(&board, seat, &mut children) {
            Status::Over(value) => (Calls::Over, (value, value), Vec::new()),
            Status::Pass => {
                let (low, high) = value_of(session, &board.swap(), kernel.other(seat), &mut stopped);
                (Calls::Pass, (-high, -low), Vec::new())
            }
            Status::ToMove => {
                let moves: Vec<MoveValue> = children
                    .iter()
                    .map(|child| {
                        let (low, high) = match child.then {
                            Then::Over => (0, 0),
                            Then::Again => value_of(session, &child.board, seat, &mut stopped),
                            Then::Other => {
                                let (low, high) = value_of(session, &child.board, kernel.other(seat), &mut stopped);
                                (-high, -low)
                            }
                        };
                        MoveValue {
                            pit: child.pit,
                            value: (child.gain + low, child.gain + high),
                            gain: child.gain,
                            again: child.then == Then::Again,
                        }
                    })
                    .collect();
                let best = |of: fn(&MoveValue) -> i32| moves.iter().map(of).max().unwrap_or(0);
                (Calls::Move, (best(|m| m.value.0), best(|m| m.value.1)), moves)
            }
        };
        Analysis { calls, value, moves, nodes: session.nodes, stopped }
    }
}

/// Bounds of the value of a board, exact unless a limit is reached, which is noted in `stopped`.
fn value_of<B: Lanes, T: Transpositions<B>>(
    session: &mut Session<'_, B, T>,
    board: &B,
    seat: Seat,
    stopped: &mut Option<StopReason>,
) -> (i32, i32) {
    let known = session.look_up(board, seat);
    if stopped.is_some() {
        return (known.low, known.high);
    }
    let questions = Questions::new(session.kernel, None);
    let (bounds, reason) = session.narrow(board, seat, (known.low, known.high), questions, |(low, high)| low == high);
    *stopped = reason;
    bounds
}

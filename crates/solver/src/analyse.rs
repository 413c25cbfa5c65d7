//! The exact value of every move of a position.
//!
//! One hard move must not use up the time of all: the moves that are not settled take turns, round after round, and in each round
//! every one of them may visit the same number of positions, four times as many as in the round before. So what is easy is settled soon,
//! whatever else is there. A question about a move that does not fit in its round is put off, and easier ones are asked on
//! both sides of it, so that of a hard move bounds are known that mean something.

use lumbung_engine::kernel::{Child, Children, Kernel, Lanes, Seat, Status, Then};
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

/// Finds the value of every move of `position`. All moves share what the search learns, and its effort ([module](self)).
///
/// With [`Goal::Outcome`] it is settled first of each move whether it wins, draws or loses, stores counted: where a limit ends the work,
/// that is known of more moves. What is found without a limit is the same.
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
        let wanted = |drawn: i32| (self.goal == Goal::Outcome).then_some(drawn);
        let mut children = Children::new();
        let mut stopped = None;
        let (calls, value, moves) = match kernel.status(&board, seat, &mut children) {
            Status::Over(value) => (Calls::Over, (value, value), Vec::new()),
            Status::Pass => {
                let mut passed = [After::new(session, board.swap(), kernel.other(seat), Then::Other, wanted(so_far))];
                stopped = settle(session, &mut passed).err();
                (Calls::Pass, passed[0].value(), Vec::new())
            }
            Status::ToMove => {
                let after = |session: &mut Session<'_, B, T>, child: &Child<B>| {
                    let (next, drawn) = match child.then {
                        Then::Other => (kernel.other(seat), so_far + child.gain),
                        Then::Again | Then::Over => (seat, -so_far - child.gain),
                    };
                    After::new(session, child.board, next, child.then, wanted(drawn))
                };
                let mut afters: Vec<After<B>> = children.iter().map(|child| after(session, child)).collect();
                stopped = settle(session, &mut afters).err();
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

/// Positions that each move may visit in the first round. Unit tests have small ones, to go through many rounds with small problems.
const FIRST_EFFORT: u64 = if cfg!(test) { 16 } else { 1 << 10 };
/// How much more each round allows.
const EFFORT_GROWTH: u64 = 4;
/// How much of an effort goes into an easier question on each side of one that was put off.
const SHARE_OF_EASIER: u64 = 8;

/// Settles all values, round after round, unless a limit ends it.
fn settle<B: Lanes, T: Transpositions<B>>(session: &mut Session<'_, B, T>, afters: &mut [After<B>]) -> Result<(), StopReason> {
    // Where nothing will end the work, each question is best answered in one go.
    let mut effort = if session.is_limited() { FIRST_EFFORT } else { u64::MAX };
    while afters.iter().any(|after| !after.is_settled()) {
        for after in afters.iter_mut().filter(|after| !after.is_settled()) {
            after.narrow(session, effort)?;
        }
        effort = effort.saturating_mul(EFFORT_GROWTH);
    }
    Ok(())
}

/// What is known of the value of the board after a move.
struct After<B> {
    board: B,
    seat: Seat,
    then: Then,
    /// Bounds for the player to move on it.
    bounds: (i32, i32),
    /// Bounds from easier questions. They do not choose what is asked next: that goes by what is likely.
    outer: (i32, i32),
    /// The value for her at which the game as a whole is drawn, as long as it matters on which side of it the value lies.
    drawn: Option<i32>,
    questions: Questions,
    /// The question that was put off.
    put_off: Option<i32>,
    /// How far out easier questions are asked, below and above.
    far: [u32; 2],
}

impl<B: Lanes> After<B> {
    fn new<T: Transpositions<B>>(session: &mut Session<'_, B, T>, board: B, seat: Seat, then: Then, drawn: Option<i32>) -> Self {
        let bounds = match then {
            Then::Over => (0, 0),
            Then::Again | Then::Other => {
                let known = session.look_up(&board, seat);
                (known.low, known.high)
            }
        };
        let questions = Questions::new(session.kernel, drawn);
        After { board, seat, then, bounds, outer: bounds, drawn, questions, put_off: None, far: [1; 2] }
    }

    fn is_settled(&self) -> bool {
        self.bounds.0 == self.bounds.1
    }

    /// The question that comes next.
    fn question(&mut self, kernel: &Kernel<B>) -> i32 {
        let (low, high) = self.bounds;
        if self.drawn.is_some_and(|drawn| low > drawn || high < drawn) {
            self.drawn = None;
            self.questions = Questions::new(kernel, None);
            self.put_off = None;
        }
        match self.put_off.take() {
            Some(beta) if low < beta && beta <= high => beta,
            _ => self.questions.next(self.bounds),
        }
    }

    /// Narrows the bounds as far as about `effort` positions allow.
    fn narrow<T: Transpositions<B>>(&mut self, session: &mut Session<'_, B, T>, effort: u64) -> Result<(), StopReason> {
        let end = session.nodes.saturating_add(effort);
        while !self.is_settled() && session.nodes < end {
            let beta = self.question(session.kernel);
            if !session.ask(&self.board, self.seat, &mut self.bounds, beta, end - session.nodes)? {
                self.put_off = Some(beta);
                let step = session.kernel.value_step();
                for above in [false, true] {
                    self.ask_easier(session, (beta, step), above, effort / SHARE_OF_EASIER)?;
                }
                return Ok(());
            }
        }
        Ok(())
    }

    /// Asks a question further above or below than `beta`: the nearest bound that is proven within the effort is looked for.
    fn ask_easier<T: Transpositions<B>>(
        &mut self,
        session: &mut Session<'_, B, T>,
        (beta, step): (i32, i32),
        above: bool,
        effort: u64,
    ) -> Result<(), StopReason> {
        self.outer = self.known();
        let (low, high) = self.outer;
        let steps = if above { (high - beta) / step } else { (beta - low) / step - 1 };
        if steps < 1 {
            return Ok(());
        }
        let far = &mut self.far[usize::from(above)];
        let inward = step * ((steps - 1) >> *far);
        let easier = if above { high - inward } else { low + step + inward };
        if session.ask(&self.board, self.seat, &mut self.outer, easier, effort)? {
            *far = (*far - 1).max(1);
        } else {
            *far = (*far + 1).min(i32::BITS - 1);
        }
        Ok(())
    }

    /// All that is known.
    fn known(&self) -> (i32, i32) {
        (self.bounds.0.max(self.outer.0), self.bounds.1.min(self.outer.1))
    }

    /// Bounds for the player who made the move.
    fn value(&self) -> (i32, i32) {
        let (low, high) = self.known();
        if self.then == Then::Other { (-high, -low) } else { (low, high) }
    }
}

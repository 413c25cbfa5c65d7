//! Bounds of many positions, one question at a time, with all that was learnt by the questions before.
//!
//! ```
//! use lumbung_engine::rules::preset;
//! use lumbung_engine::{BoardSize, Position};
//! use lumbung_solver::Quiet;
//! use lumbung_solver::bounds::with_bounds;
//! use lumbung_solver::solve::Options;
//!
//! let rules = &preset("dakon").unwrap().rules;
//! let start = Position::start(BoardSize::new(4, 4).unwrap());
//! let options = Options::default();
//! let pit = with_bounds(rules, &start, &options, &Quiet, |bounds| bounds.proven_move(&start, 32)).unwrap().unwrap();
//! assert!(pit.is_some(), "the first player takes all 32 seeds");
//! ```

use lumbung_engine::kernel::{Children, Lanes, Status, Then};
use lumbung_engine::{Pit, Position, RuleSet};
use thiserror::Error;

use crate::limits::{Progress, StopReason};
use crate::session::Session;
use crate::setup::{Work, in_session};
use crate::solve::{Options, SolveError};
use crate::transposition::Transpositions;

/// Answers questions about the values of positions: what the player to move gains over the opponent from there on, whatever the
/// stores hold. Every answer is proven.
pub trait Bounds {
    /// Whether the value of `position` is at least `beta`.
    ///
    /// # Errors
    /// See [`BoundsError`].
    fn at_least(&mut self, position: &Position, beta: i32) -> Result<bool, BoundsError>;

    /// The same, if it takes no more than about so many positions to visit; `None` otherwise. With 0 it tells what is known already.
    /// `attempt` varies the order in which moves are searched, in games with relays.
    ///
    /// # Errors
    /// See [`BoundsError`].
    fn at_least_within(
        &mut self,
        position: &Position,
        beta: i32,
        nodes: u64,
        attempt: usize,
    ) -> Result<Option<bool>, BoundsError>;

    /// A move after which the player to move still reaches `beta` from `position`; `None` if she cannot, or has no move to make.
    ///
    /// # Errors
    /// See [`BoundsError`].
    fn proven_move(&mut self, position: &Position, beta: i32) -> Result<Option<Pit>, BoundsError>;

    /// Bounds of the value of `position` that are known without search.
    ///
    /// # Errors
    /// See [`BoundsError`].
    fn known(&mut self, position: &Position) -> Result<(i32, i32), BoundsError>;

    /// Positions visited so far.
    fn nodes(&self) -> u64;
}

/// A question that was not answered.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum BoundsError {
    /// A limit was reached.
    #[error("stopped before a bound was proven")]
    Stopped(StopReason),
    /// Another board, more seeds, or other owners than those of the position that the work began with.
    #[error("{0} is no position of this game")]
    Foreign(String),
}

/// Lets `work` ask for bounds of `position` and all that follow from it.
///
/// # Errors
/// See [`SolveError`]; `work` is not run then.
pub fn with_bounds<R: Send>(
    rules: &RuleSet,
    position: &Position,
    options: &Options,
    progress: &dyn Progress,
    work: impl FnOnce(&mut dyn Bounds) -> R + Send,
) -> Result<R, SolveError> {
    let mut work = Some(work);
    let mut result = None;
    let mut once = |bounds: &mut dyn Bounds| result = work.take().map(|work| work(bounds));
    session_with_bounds(rules, position, options, progress, &mut once)?;
    Ok(result.expect("a session runs the work unless it returns an error"))
}

/// The search is compiled here once, and not again with each caller's work.
fn session_with_bounds(
    rules: &RuleSet,
    position: &Position,
    options: &Options,
    progress: &dyn Progress,
    work: &mut (dyn FnMut(&mut dyn Bounds) + Send),
) -> Result<(), SolveError> {
    in_session(rules, position, options, progress, BoundsWork { position, work })
}

struct BoundsWork<'a, 'w> {
    position: &'a Position,
    work: &'w mut (dyn FnMut(&mut dyn Bounds) + Send),
}

impl Work for BoundsWork<'_, '_> {
    type Output = ();

    fn run<B: Lanes, T: Transpositions<B>>(self, session: &mut Session<'_, B, T>) {
        (self.work)(&mut InSession { session, origin: self.position });
    }
}

/// The questions of a session that began with this position.
pub(crate) struct InSession<'s, 'a, B: Lanes, T: Transpositions<B>> {
    pub(crate) session: &'s mut Session<'a, B, T>,
    pub(crate) origin: &'s Position,
}

impl<B: Lanes, T: Transpositions<B>> InSession<'_, '_, B, T> {
    fn check(&self, position: &Position) -> Result<(), BoundsError> {
        let same = position.board.len() == self.origin.board.len()
            && position.owners == self.origin.owners
            && position.seeds_in_play() <= self.session.kernel.max_seeds();
        if same { Ok(()) } else { Err(BoundsError::Foreign(position.to_string())) }
    }
}

impl<B: Lanes, T: Transpositions<B>> Bounds for InSession<'_, '_, B, T> {
    fn at_least(&mut self, position: &Position, beta: i32) -> Result<bool, BoundsError> {
        self.check(position)?;
        let (board, seat) = (self.session.kernel.pack(position), self.session.kernel.seat(position.to_move));
        self.session.reaches(&board, seat, beta).map_err(BoundsError::Stopped)
    }

    fn at_least_within(
        &mut self,
        position: &Position,
        beta: i32,
        nodes: u64,
        attempt: usize,
    ) -> Result<Option<bool>, BoundsError> {
        self.check(position)?;
        let (board, seat) = (self.session.kernel.pack(position), self.session.kernel.seat(position.to_move));
        self.session.reaches_within(&board, seat, beta, nodes, attempt).map_err(BoundsError::Stopped)
    }

    fn proven_move(&mut self, position: &Position, beta: i32) -> Result<Option<Pit>, BoundsError> {
        if !self.at_least(position, beta)? {
            return Ok(None);
        }
        let kernel = self.session.kernel;
        let (board, seat) = (kernel.pack(position), kernel.seat(position.to_move));
        let mut children = Children::new();
        if kernel.status(&board, seat, &mut children) != Status::ToMove {
            return Ok(None);
        }
        // What proved the bound is remembered as a rule; only what was forgotten is searched again, the board's best move first.
        let best = self.session.look_up(&board, seat).best;
        let (first, others): (Vec<_>, Vec<_>) = children.iter().copied().partition(|child| best == Some(child.pit.0));
        for searching in [false, true] {
            for child in first.iter().chain(&others) {
                let reaches = match child.then {
                    Then::Over => child.gain >= beta,
                    Then::Again | Then::Other if !searching => {
                        let next = if child.then == Then::Other { kernel.other(seat) } else { seat };
                        let known = self.session.look_up(&child.board, next);
                        let least = if child.then == Then::Other { -known.high } else { known.low };
                        child.gain + least >= beta
                    }
                    Then::Again => self.session.reaches(&child.board, seat, beta - child.gain).map_err(BoundsError::Stopped)?,
                    Then::Other => {
                        let next = kernel.other(seat);
                        // The opponent must not reach more than what may be lost.
                        !self.session.reaches(&child.board, next, child.gain - beta + 1).map_err(BoundsError::Stopped)?
                    }
                };
                if reaches {
                    return Ok(Some(child.pit));
                }
            }
        }
        Ok(None)
    }

    fn known(&mut self, position: &Position) -> Result<(i32, i32), BoundsError> {
        self.check(position)?;
        let (board, seat) = (self.session.kernel.pack(position), self.session.kernel.seat(position.to_move));
        let known = self.session.look_up(&board, seat);
        Ok((known.low, known.high))
    }

    fn nodes(&self) -> u64 {
        self.session.nodes
    }
}

//! Whether a player can force a round to end in one of some splits, whatever these are.
//!
//! A plain search over boards with the stores, since what is wanted depends on them. A board that recurs on the line being searched
//! goes round for ever: it counts as the split that a round without end makes, or, where such a round is void, as not wanted. All boards of
//! a cycle have the same stores, so all its recurrences count the same, and an answer is remembered if it leans on no board above its
//! own, as in [`crate::search`].

use lumbung_engine::kernel::{Children, Kernel, Lanes, Seat, Status, Then, Visitor, dispatch};
use lumbung_engine::rounds::{MatchRules, RoundStart};
use lumbung_engine::rules::Repeat;
use lumbung_engine::{RuleSet, Side};

use crate::limits::{Limits, StopReason};
use crate::prehashed::{Numbered, NumberedMap};

/// What is asked of a round.
pub(super) struct Question<'a> {
    pub(super) rules: &'a RuleSet,
    pub(super) matches: &'a MatchRules,
    pub(super) start: &'a RoundStart,
    pub(super) seeker: Side,
    /// By South's total.
    pub(super) wanted: &'a [bool],
}

/// The answer, and what it took.
pub(super) struct Searched {
    pub(super) answer: Result<bool, StopReason>,
    pub(super) nodes: u64,
}

/// A line of play can be thousands of moves long; untouched stack costs nothing.
const STACK_BYTES: usize = 1 << 30;
/// Nodes between looks at the clock.
const TICK: u64 = 1 << 12;
/// An answer leans on no board above.
const NOTHING: usize = usize::MAX;
/// What a remembered board takes, about.
const BYTES_PER_BOARD: u64 = 96;

/// Searches the round of a question.
///
/// # Errors
/// If the system starts no thread.
pub(super) fn can_force(question: &Question<'_>, limits: &Limits) -> Result<Searched, String> {
    let size = question.matches.size();
    dispatch(question.rules, size.pits(), size.total(), question.start.owners, OnDeepStack { question, limits })
}

struct OnDeepStack<'a> {
    question: &'a Question<'a>,
    limits: &'a Limits,
}

impl Visitor for OnDeepStack<'_> {
    type Output = Result<Searched, String>;

    fn visit<B: Lanes>(self, kernel: Kernel<B>) -> Self::Output {
        std::thread::scope(|scope| {
            let work = || Search::new(&kernel, self.question, self.limits).run();
            let thread = std::thread::Builder::new().stack_size(STACK_BYTES).spawn_scoped(scope, work);
            match thread.map_err(|error| error.to_string())?.join() {
                Ok(searched) => Ok(searched),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        })
    }
}

/// A board, who moves, and the store margin South minus North.
fn key<B: Lanes>(board: &B, side: Side, margin: i32) -> Numbered<B> {
    Numbered(*board, 2 * margin + side.index() as i32)
}

struct Search<'a, B: Lanes> {
    kernel: &'a Kernel<B>,
    question: &'a Question<'a>,
    limits: &'a Limits,
    total: i32,
    /// How many of South's totals below each one are wanted.
    wanted_below: Vec<u32>,
    known: NumberedMap<B, bool>,
    path: NumberedMap<B, usize>,
    nodes: u64,
}

impl<'a, B: Lanes> Search<'a, B> {
    fn new(kernel: &'a Kernel<B>, question: &'a Question<'a>, limits: &'a Limits) -> Self {
        let mut wanted_below = vec![0];
        for &wanted in question.wanted {
            wanted_below.push(wanted_below[wanted_below.len() - 1] + u32::from(wanted));
        }
        let total = i32::from(question.matches.total());
        Search {
            kernel,
            question,
            limits,
            total,
            wanted_below,
            known: NumberedMap::default(),
            path: NumberedMap::default(),
            nodes: 0,
        }
    }

    fn run(mut self) -> Searched {
        let position = self.question.matches.position(self.question.start);
        let (board, seat) = (self.kernel.pack(&position), self.kernel.seat(position.to_move));
        let answer = self.search(&board, seat, position.to_move, 0).map(|(answer, _)| answer);
        Searched { answer, nodes: self.nodes }
    }

    /// Whether the split is wanted in which all seeds are stored and the margin is this.
    fn is_wanted(&self, margin: i32) -> bool {
        self.question.wanted[((self.total + margin) / 2) as usize]
    }

    /// Whether the seeker can force what she wants, and the shallowest board of the line that this leans on.
    fn search(&mut self, board: &B, seat: Seat, side: Side, margin: i32) -> Result<(bool, usize), StopReason> {
        let left = board.seeds() as i32;
        let south = (self.total - left + margin) / 2;
        let splits = self.question.matches.repeat == Repeat::Split;
        let wanted = self.wanted_below[(south + left + 1) as usize] - self.wanted_below[south as usize];
        if wanted == 0 || (splits && wanted as i32 == left + 1) {
            return Ok((wanted > 0, NOTHING));
        }
        let key = key(board, side, margin);
        if let Some(&answer) = self.known.get(&key) {
            return Ok((answer, NOTHING));
        }
        if let Some(&above) = self.path.get(&key) {
            let stores = [south as u16, (self.total - left - south) as u16];
            let split = self.question.matches.split(self.question.start, stores);
            return Ok((splits && self.question.wanted[usize::from(split[0])], above));
        }
        self.nodes += 1;
        if self.nodes.is_multiple_of(TICK) {
            if let Some(reason) = self.limits.exceeded(0) {
                return Err(reason);
            }
            if self.known.len() as u64 * BYTES_PER_BOARD > self.limits.memory {
                return Err(StopReason::Memory);
            }
        }
        let own = self.path.len();
        self.path.insert(key, own);
        let result = self.moves(board, seat, side, margin);
        self.path.remove(&key);
        let (answer, leans_on) = result?;
        if leans_on < own {
            return Ok((answer, leans_on));
        }
        self.known.insert(key, answer);
        Ok((answer, NOTHING))
    }

    fn moves(&mut self, board: &B, seat: Seat, side: Side, margin: i32) -> Result<(bool, usize), StopReason> {
        let sign = if side == Side::South { 1 } else { -1 };
        let mut children = Box::new(Children::new());
        match self.kernel.status(board, seat, &mut children) {
            Status::Over(value) => return Ok((self.is_wanted(margin + sign * value), NOTHING)),
            Status::Pass => return self.search(&board.swap(), self.kernel.other(seat), side.other(), margin),
            Status::ToMove => {}
        }
        children.sort_unstable_by_key(|child| (-child.gain, child.pit));
        let seeks = side == self.question.seeker;
        let mut leans_on = NOTHING;
        for child in children.iter() {
            let margin = margin + sign * child.gain;
            let (answer, leans) = match child.then {
                Then::Over => (self.is_wanted(margin), NOTHING),
                Then::Again => self.search(&child.board, seat, side, margin)?,
                Then::Other => self.search(&child.board, self.kernel.other(seat), side.other(), margin)?,
            };
            if answer == seeks {
                return Ok((answer, leans));
            }
            leans_on = leans_on.min(leans);
        }
        Ok((!seeks, leans_on))
    }
}

//! Alpha-beta over null windows.
//!
//! [`Searcher::at_least`] answers one question about a board: *does the player to move gain at least `beta` from here on?* Its answer
//! is a bound: at least `beta`, and the value is no less than it; below `beta`, and the value is no more. Exact values come from
//! asking several questions ([`crate::solve`]); what was learnt stays in the [`Transpositions`]. Under rules that cannot repeat a position it
//! answers the leaves of a proof tree, see [`proof`].
//!
//! [`general`] searches games with relays and those in which positions can come back, [`plain`] all others in another way.

mod general;
mod glance;
mod plain;
pub(crate) mod proof;

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use lumbung_engine::kernel::{Child, Kernel, Lanes, Seat, Then};
use lumbung_tables::Table;

use crate::busy::Busy;
use crate::limits::{Limits, StopReason};
use crate::order::Ranking;
use crate::prehashed::NumberedMap;
use crate::transposition::{Known, Transpositions};
use general::Frame;
use glance::Sight;

/// What the threads of a search share.
pub(crate) struct Common<'a, B: Lanes, T: Transpositions<B>> {
    pub(crate) kernel: &'a Kernel<B>,
    pub(crate) transpositions: &'a T,
    pub(crate) table: Option<&'a Table>,
    pub(crate) limits: &'a Limits,
    /// Positions visited by all threads, as far as they have told.
    pub(crate) nodes: &'a AtomicU64,
    /// When to give up and let the caller enlarge the tables.
    pub(crate) pause_at: u64,
    /// The number of the ranking that is begun with.
    pub(crate) ranking: usize,
    /// See [`crate::solve::Options::ordering`].
    pub(crate) ordering: u64,
    /// Bytes of memory that the line of a thread may take; under rules that can repeat a position it may be very long.
    pub(crate) line_bytes: usize,
    /// Present if several threads search.
    pub(crate) busy: Option<&'a Busy>,
    /// A thread has the answer, or there will be none.
    pub(crate) done: &'a AtomicBool,
    /// Told the number of positions every few milliseconds.
    pub(crate) on_tick: &'a (dyn Fn(u64) + Sync),
}

impl<B: Lanes, T: Transpositions<B>> Common<'_, B, T> {
    /// One move in 32, by chance, is a little more promising in another ordering.
    fn variation(&self, board: &B) -> i32 {
        if self.ordering == 0 {
            return 0;
        }
        let mixed = (Lanes::hash(board) ^ self.ordering).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        i32::from(mixed >> 59 == 0)
    }
}

/// Searches boards of one kernel. A thread has its own; they share the tables and the limits.
pub(crate) struct Searcher<'a, B: Lanes, T: Transpositions<B>> {
    common: &'a Common<'a, B, T>,
    kernel: &'a Kernel<B>,
    transpositions: &'a T,
    table: Option<&'a Table>,
    ranking: Ranking,
    nodes: u64,
    /// Own positions already told to the others.
    told: u64,
    /// Own positions at which to look at the clock again.
    check_at: u64,
    /// Own positions at which the leaf of a proof tree has had its budget.
    yield_at: u64,
    pub(crate) table_hits: u64,
    /// Distance of two values of one board.
    step: i32,
    spare: Vec<Box<Frame<B, T::Key>>>,
    sights: Vec<Box<Sight<B, T::Key>>>,
    /// Where all moves are needed, boards of at most so many seeds are glanced at before they are looked up.
    near: i32,
    /// The boards of the line to the one being searched, with their depths; kept only under rules that can repeat.
    path: NumberedMap<B, u32>,
    /// Where the stack was when the question was put.
    stack: usize,
}

/// Why a search ended without an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Break {
    /// A limit of the caller.
    Stop(StopReason),
    /// The node budget of this stage, or of a leaf within it, is spent.
    Pause,
    /// Lines were given up for being too long, and without them there is no answer.
    TooLong,
    /// Another thread was done first.
    Overtaken,
}

/// Where what is known of a board is kept.
#[derive(Clone, Copy)]
enum Place<K> {
    /// In the endgame table, which has the layer of its seeds, at this index.
    Table { seeds: i32, index: u64 },
    /// In the transposition table.
    Transpositions { seeds: i32, key: K },
}

/// A bound of the value of a move, from a bound of the value of its board.
#[inline(always)]
fn of_move<B>(child: &Child<B>, bound: i32) -> i32 {
    if child.then == Then::Other { child.gain - bound } else { child.gain + bound }
}

/// What is known of the board after a move, as bounds of the move, and the best answer to it.
#[inline(always)]
fn of_move_known<B>(child: &Child<B>, known: Known) -> (i32, i32, Option<u8>) {
    match child.then {
        Then::Other => (child.gain - known.high, child.gain - known.low, known.best),
        Then::Again | Then::Over => (child.gain + known.low, child.gain + known.high, known.best),
    }
}

/// Seeds above the endgame table's up to which boards are glanced at before they are looked up in the transposition table. Of boards with
/// one seed more a glance settles three quarters, with two a third, with three to five a seventh.
const NEAR: i32 = 2;

/// Nodes between looks at the clock.
const TICK: u64 = 1 << 12;

impl<'a, B: Lanes, T: Transpositions<B>> Searcher<'a, B, T> {
    /// A searcher for thread `thread` of those that share `common`.
    pub(crate) fn new(common: &'a Common<'a, B, T>, thread: usize) -> Self {
        let kernel = common.kernel;
        Searcher {
            common,
            kernel,
            transpositions: common.transpositions,
            table: common.table,
            ranking: Ranking::of(kernel.relays(), common.ranking, thread),
            nodes: 0,
            told: 0,
            check_at: 0,
            yield_at: u64::MAX,
            table_hits: 0,
            step: kernel.value_step(),
            spare: Vec::new(),
            sights: Vec::new(),
            near: common.table.map_or(-1, |table| table.seeds() as i32 + NEAR),
            path: NumberedMap::default(),
            stack: 0,
        }
    }

    /// Tells the others of the positions visited since the last time; returns how many there are in all.
    pub(crate) fn tell(&mut self) -> u64 {
        let more = self.nodes - std::mem::replace(&mut self.told, self.nodes);
        self.common.nodes.fetch_add(more, Ordering::Relaxed) + more
    }

    /// Whether the value of `board` for the player to move is at least `beta`: a bound that is at least `beta` if so (and then the
    /// value is no less), and below it if not (and then it is no more). `beta` must be a value the board can have.
    pub(crate) fn at_least(&mut self, board: &B, seat: Seat, beta: i32) -> Result<i32, Break> {
        let place = self.place(board, seat);
        let known = self.known(place);
        if known.low >= beta {
            return Ok(known.low);
        }
        if known.high < beta {
            return Ok(known.high);
        }
        if !self.kernel.relays() && !self.kernel.can_repeat() {
            return self.at_least_plain(board, seat, beta, known.best);
        }
        self.at_least_general(board, seat, beta, place, known.best)
    }

    /// What the tables know of a board.
    pub(crate) fn look_up(&mut self, board: &B, seat: Seat) -> Known {
        self.known(self.place(board, seat))
    }

    #[inline(always)]
    fn place(&self, board: &B, seat: Seat) -> Place<T::Key> {
        let seeds = board.seeds();
        match self.table {
            Some(table) if table.has(seeds as usize) => Place::Table { seeds: seeds as i32, index: table.index().rank(board) },
            _ => Place::Transpositions { seeds: seeds as i32, key: self.transpositions.key(board, seat) },
        }
    }

    #[inline(always)]
    fn known(&mut self, place: Place<T::Key>) -> Known {
        let (seeds, known) = match place {
            Place::Table { seeds, index } => {
                self.table_hits += 1;
                let value = self.table.and_then(|table| table.value_in(seeds as usize, index));
                (seeds, value.map(|value| Known { low: value, high: value, best: None }))
            }
            Place::Transpositions { seeds, key } => (seeds, self.transpositions.get(key, seeds)),
        };
        known.unwrap_or(Known { low: -seeds, high: seeds, best: None })
    }

    fn check(&mut self) -> Result<(), Break> {
        let all = self.tell();
        (self.common.on_tick)(all);
        if self.common.done.load(Ordering::Relaxed) {
            return Err(Break::Overtaken);
        }
        if let Some(reason) = self.common.limits.exceeded(all) {
            return Err(Break::Stop(reason));
        }
        if all >= self.common.pause_at || self.nodes >= self.yield_at {
            return Err(Break::Pause);
        }
        let left = self.common.pause_at.min(self.common.limits.nodes.unwrap_or(u64::MAX)) - all;
        self.check_at = self.yield_at.min(self.nodes + TICK.min(left));
        Ok(())
    }

    /// What is left to gain at most by a move, of a board with so many seeds, after which the opponent on `next` surely stores a seed: all
    /// but two seeds of margin. `None` if that would do for `beta`, or if she need not.
    #[inline(always)]
    fn beaten_at_once(&self, child: &Child<B>, next: Seat, seeds: i32, beta: i32) -> Option<i32> {
        let most = seeds - 2;
        (child.then == Then::Other && most < beta && self.kernel.surely_stores(&child.board, next)).then_some(most)
    }

    /// What has to be reached after a move, as whoever chooses then sees it, so that the move is worth `beta`; if that is the opponent, so
    /// that it is not.
    #[inline(always)]
    fn beta_after(&self, child: &Child<B>, beta: i32) -> i32 {
        if child.then == Then::Other { child.gain - beta + self.step } else { beta - child.gain }
    }

    /// The seat of the player who chooses after a move of the player on `seat`.
    fn next_seat(&self, child: &Child<B>, seat: Seat) -> Seat {
        if child.then == Then::Other { self.kernel.other(seat) } else { seat }
    }
}

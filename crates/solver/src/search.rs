//! Alpha-beta over null windows.
//!
//! [`Searcher::search`] answers one question about a board: *does the player to move gain at least `beta` from here on?* Its answer
//! is a bound: at least `beta`, and the value is no less than it; below `beta`, and the value is no more. Exact values come from
//! asking several questions ([`crate::solve`]); what was learnt stays in the [`Transpositions`]. Under rules that cannot repeat a position it
//! answers the leaves of a proof tree, see [`proof`].
//!
//! Before any move is searched, all moves are looked up: a move known to reach `beta` ends the question, and moves known to miss it
//! need no search. Games without relays in which no position can come back are searched in another way, see `plain`.
//!
//! # Rules that can repeat a position
//!
//! Infinite play gains nothing further for either side. A board that comes up again on the line being searched is therefore
//! answered with 0, and every answer carries the depth of the shallowest board it leans on in this way. An answer is remembered only
//! if it leans on nothing above its own board: it then holds however the board was reached. At the root nothing is above, so the
//! final answer is exact. *Why*: a player gains at least `t > 0` (so wants the finite outcome) exactly if she can force it in finitely
//! many moves; a shortest way of forcing it never comes back to a board, so counting a recurrence as a failure costs her nothing. And
//! where she cannot force it, the opponent can always keep to boards where she cannot, on which each line ends below `t`, recurs (0,
//! below `t`) or meets a remembered answer below `t`. For `t <= 0` the players change places.
//!
//! Lines may be very long. One that takes more than its share of memory is given up as if a board had come up again, but what leans on
//! that is never remembered, and if the answer at the root does there is none ([`Break::TooLong`]).

mod glance;
mod plain;
pub(crate) mod proof;

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use lumbung_engine::kernel::{Child, Children, Kernel, Lanes, Seat, Status, Then};
use lumbung_tables::Table;

use crate::busy::Busy;
use crate::limits::{Limits, StopReason};
use crate::order::Ranking;
use crate::prehashed::{Numbered, NumberedMap};
use crate::transposition::{Known, Transpositions};
use glance::Sight;

/// An answer leans on no board above.
const NOTHING: u32 = u32::MAX;
/// An answer leans on a line that was given up for being too long: on what is above the first board, so it is never remembered.
const TOO_LONG: u32 = 0;

/// A bound of a value, and the shallowest board of the line above that it depends on; the first board of a line has the depth 1.
#[derive(Clone, Copy, Debug)]
struct Answer {
    bound: i32,
    leans_on: u32,
}

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

/// Where the stack is.
#[inline(never)]
fn stack_now() -> usize {
    let here = 0u8;
    std::hint::black_box(&raw const here) as usize
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

/// Room for the moves of one board.
struct Frame<B, K> {
    children: Children<B>,
    /// The moves that are looked up, by their numbers among `children`, and where their boards lie in the tables.
    places: Vec<(u8, Place<K>)>,
    moves: Vec<Move>,
    /// Moves left for later because another thread was at them.
    deferred: Vec<Move>,
}

impl<B: Lanes, K> Frame<B, K> {
    fn new() -> Self {
        Frame { children: Children::new(), places: Vec::new(), moves: Vec::new(), deferred: Vec::new() }
    }
}

/// Where what is known of a board is kept.
#[derive(Clone, Copy)]
enum Place<K> {
    /// In the endgame table, which has the layer of its seeds, at this index.
    Table { seeds: i32, index: u64 },
    /// In the transposition table.
    Transpositions { seeds: i32, key: K },
}

/// A board to be searched.
#[derive(Clone, Copy)]
struct Node<'n, B, K> {
    board: &'n B,
    seat: Seat,
    /// Its key in the transposition table.
    key: K,
    /// Its best move the last time.
    best: Option<u8>,
}

/// What is known of a move before it is searched.
#[derive(Clone, Copy)]
struct Move {
    /// Its number among the children.
    index: u8,
    /// Its number among the places.
    place: u8,
    /// The best move of the board it leads to, the last time.
    best: Option<u8>,
    high: i32,
    promise: i32,
}

/// Puts a move among the others: the most promising first, and among equals that which comes last.
#[inline(always)]
fn insert(moves: &mut Vec<Move>, new: Move) {
    moves.push(new);
    let mut at = moves.len() - 1;
    while at > 0 && moves[at - 1].promise <= new.promise {
        moves.swap(at - 1, at);
        at -= 1;
    }
}

/// What is known of the board after a move, as bounds of the move, and the best answer to it.
#[inline(always)]
fn of_move_known<B>(child: &Child<B>, known: Known) -> (i32, i32, Option<u8>) {
    match child.then {
        Then::Other => (child.gain - known.high, child.gain - known.low, known.best),
        Then::Again | Then::Over => (child.gain + known.low, child.gain + known.high, known.best),
    }
}

/// A board as the line being searched knows it.
#[inline(always)]
fn on_path<B: Lanes>(board: &B, seat: Seat) -> Numbered<B> {
    Numbered(*board, seat.index() as i32)
}

/// Seeds above the endgame table's up to which boards are glanced at before they are looked up in the transposition table. Of boards with
/// one seed more a glance settles three quarters, with two a third, with three to five a seventh.
const NEAR: i32 = 2;

/// Boards of a line between looks at its length. Unit tests have short lines.
const LINE_CHECK: usize = if cfg!(test) { 1 } else { 1 << 7 };

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
        self.path.clear();
        self.stack = stack_now();
        let node = Node { board, seat, key: self.key(place, board, seat), best: known.best };
        let answer = match self.kernel.can_repeat() {
            true => self.search::<true>(node, beta)?,
            false => self.search::<false>(node, beta)?,
        };
        match answer.leans_on {
            NOTHING => Ok(answer.bound),
            _ => Err(Break::TooLong),
        }
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

    /// The key of a board whose place is known.
    #[inline(always)]
    fn key(&self, place: Place<T::Key>, board: &B, seat: Seat) -> T::Key {
        match place {
            Place::Transpositions { key, .. } => key,
            Place::Table { .. } => self.transpositions.key(board, seat),
        }
    }

    #[inline(always)]
    fn prefetch(&self, place: Place<T::Key>) {
        match (place, self.table) {
            (Place::Table { seeds, index }, Some(table)) => table.prefetch(seeds as usize, index),
            (Place::Transpositions { key, .. }, _) => self.transpositions.prefetch(key),
            (Place::Table { .. }, None) => {}
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

    fn search<const CAN_REPEAT: bool>(&mut self, node: Node<'_, B, T::Key>, beta: i32) -> Result<Answer, Break> {
        if CAN_REPEAT {
            // Both players see the same board from one seat where the game is symmetric. That a board recurs with the players
            // exchanged counts as well: whoever could force a gain from it could not also suffer it.
            let here = on_path(node.board, node.seat);
            if let Some(&above) = self.path.get(&here) {
                return Ok(Answer { bound: 0, leans_on: above });
            }
            // As on a board that recurs, whoever wants a gain is not there yet; what leans on that is no proof.
            if self.path.len().is_multiple_of(LINE_CHECK) && self.line_bytes() > self.common.line_bytes {
                return Ok(Answer { bound: 0, leans_on: TOO_LONG });
            }
            self.path.insert(here, self.path.len() as u32 + 1);
        }
        let mut frame = self.spare.pop().unwrap_or_else(|| Box::new(Frame::new()));
        let result = self.expand_and_search::<CAN_REPEAT>(node, beta, &mut frame);
        self.spare.push(frame);
        if !CAN_REPEAT {
            return result;
        }
        self.path.remove(&on_path(node.board, node.seat));
        result.map(|answer| {
            let own = self.path.len() as u32 + 1;
            Answer { leans_on: if answer.leans_on >= own { NOTHING } else { answer.leans_on }, ..answer }
        })
    }

    fn expand_and_search<const CAN_REPEAT: bool>(
        &mut self,
        node: Node<'_, B, T::Key>,
        beta: i32,
        frame: &mut Frame<B, T::Key>,
    ) -> Result<Answer, Break> {
        self.nodes += 1;
        if self.nodes >= self.check_at {
            self.check()?;
        }
        let Node { board, seat, key, best } = node;
        let started = self.nodes;
        let exact = |bound| Ok(Answer { bound, leans_on: NOTHING });
        let Frame { children, places, moves, deferred } = frame;
        match self.kernel.status(board, seat, children) {
            Status::Over(value) => return exact(value),
            Status::Pass => {
                let (board, seat) = (&board.swap(), self.kernel.other(seat));
                let key = self.transpositions.key(board, seat);
                let best = self.transpositions.get(key, board.seeds() as i32).and_then(|known| known.best);
                let answer = self.search::<CAN_REPEAT>(Node { board, seat, key, best }, self.step - beta)?;
                return Ok(Answer { bound: -answer.bound, ..answer });
            }
            Status::ToMove => {}
        }

        let seeds = board.seeds() as i32;
        // `low` and `high` bound the value by what is known of all moves; `upper` bounds the moves that are settled.
        let (mut low, mut high, mut upper) = (-seeds, -seeds, -seeds);
        moves.clear();
        // All places first, so that the memory of all moves is fetched at once.
        places.clear();
        for (index, child) in children.iter().enumerate() {
            if let Some(most) = self.beaten_at_once(child, self.next_seat(child, seat), seeds, beta) {
                high = high.max(most);
                upper = upper.max(most);
                continue;
            }
            let place = self.place(&child.board, self.next_seat(child, seat));
            self.prefetch(place);
            places.push((index as u8, place));
        }
        // Then those in the endgame table: where one of them ends the question, nothing waits for the others.
        let by_place = || places.iter().enumerate();
        let tabled = by_place().filter(|(_, (_, place))| matches!(place, Place::Table { .. }));
        let others = by_place().filter(|(_, (_, place))| matches!(place, Place::Transpositions { .. }));
        for (number, &(index, place)) in tabled.chain(others) {
            let child = &children[usize::from(index)];
            let (move_low, move_high, best_then) = self.bounds(child, place);
            low = low.max(move_low);
            high = high.max(move_high);
            if move_low >= beta {
                self.transpositions.put(key, seeds, Known { low, high: seeds, best: Some(child.pit.0) }, 1);
                return exact(low);
            }
            if move_high >= beta {
                let promise = match best == Some(child.pit.0) {
                    true => i32::MAX,
                    false => self.ranking.promise(self.kernel, child) + self.common.variation(&child.board),
                };
                insert(moves, Move { index, place: number as u8, best: best_then, high: move_high, promise });
            } else {
                upper = upper.max(move_high);
            }
        }
        if high < beta {
            self.transpositions.put(key, seeds, Known { low, high, best: None }, 1);
            return exact(high);
        }

        let mut leans_on = NOTHING;
        deferred.clear();
        let all = moves.len();
        let mut turn = 0;
        // First all moves, then those that were left for later, in the same order.
        while let Some(m) = moves.get(turn).or_else(|| deferred.get(turn - all)).copied() {
            let (first, resumed) = (turn == 0, turn >= all);
            turn += 1;
            let child = &children[usize::from(m.index)];
            if let Some(busy) = self.common.busy
                && !first
                && !resumed
                && busy.is_taken(Lanes::hash(&child.board))
            {
                deferred.push(m);
                continue;
            }
            let (_, place) = places[usize::from(m.place)];
            let (bound, leans) = self.search_move::<CAN_REPEAT>(child, seat, beta, place, first.then_some(m.best))?;
            if bound >= beta {
                let bound = bound.max(low);
                if self.may_remember::<CAN_REPEAT>(leans) {
                    let known = Known { low: bound, high: seeds, best: Some(child.pit.0) };
                    self.transpositions.put(key, seeds, known, self.nodes - started + 1);
                }
                return Ok(Answer { bound, leans_on: leans });
            }
            upper = upper.max(bound.min(m.high));
            leans_on = leans_on.min(leans);
        }
        if self.may_remember::<CAN_REPEAT>(leans_on) {
            self.transpositions.put(key, seeds, Known { low, high: upper, best: None }, self.nodes - started + 1);
        }
        Ok(Answer { bound: upper, leans_on })
    }

    /// Searches a move: a bound of its value for the player to move, and what that leans on. `fresh` is the best answer to it that is
    /// known, if that was just looked up; otherwise the tables are asked again first: a move searched before this one, or another
    /// thread, may have settled it.
    fn search_move<const CAN_REPEAT: bool>(
        &mut self,
        child: &Child<B>,
        seat: Seat,
        beta: i32,
        place: Place<T::Key>,
        fresh: Option<Option<u8>>,
    ) -> Result<(i32, u32), Break> {
        let best = match fresh {
            Some(best) => best,
            None => {
                let (low, high, best) = self.bounds(child, place);
                if low >= beta {
                    return Ok((low, NOTHING));
                }
                if high < beta {
                    return Ok((high, NOTHING));
                }
                best
            }
        };
        let mark = self.common.busy.map(|busy| (busy, Lanes::hash(&child.board)));
        if let Some((busy, hash)) = mark {
            busy.take(hash);
        }
        let next_seat = self.next_seat(child, seat);
        let node = Node { board: &child.board, seat: next_seat, key: self.key(place, &child.board, next_seat), best };
        let result = match child.then {
            Then::Over => Ok((child.gain, NOTHING)),
            Then::Again => {
                self.search::<CAN_REPEAT>(node, beta - child.gain).map(|answer| (child.gain + answer.bound, answer.leans_on))
            }
            Then::Other => self
                .search::<CAN_REPEAT>(node, child.gain - beta + self.step)
                .map(|answer| (child.gain - answer.bound, answer.leans_on)),
        };
        if let Some((busy, hash)) = mark {
            busy.release(hash);
        }
        result
    }

    /// Bytes that the line to the board being searched takes: stack, room for moves, and the boards on it.
    fn line_bytes(&self) -> usize {
        let of_moves =
            size_of::<Frame<B, T::Key>>() + self.kernel.pits() * (size_of::<(u8, Place<T::Key>)>() + 2 * size_of::<Move>());
        // The map of boards is up to half empty.
        let of_boards = 2 * (size_of::<(Numbered<B>, u32)>() + 1);
        self.stack.abs_diff(stack_now()) + self.path.len() * (of_moves + of_boards)
    }

    /// Whether an answer about the board at the end of the line holds however it was reached.
    fn may_remember<const CAN_REPEAT: bool>(&self, leans_on: u32) -> bool {
        !CAN_REPEAT || leans_on as usize >= self.path.len()
    }

    /// What is left to gain at most by a move, of a board with so many seeds, after which the opponent on `next` surely stores a seed: all
    /// but two seeds of margin. `None` if that would do for `beta`, or if she need not.
    #[inline(always)]
    fn beaten_at_once(&self, child: &Child<B>, next: Seat, seeds: i32, beta: i32) -> Option<i32> {
        let most = seeds - 2;
        (child.then == Then::Other && most < beta && self.kernel.surely_stores(&child.board, next)).then_some(most)
    }

    /// The seat of the player who chooses after a move of the player on `seat`.
    fn next_seat(&self, child: &Child<B>, seat: Seat) -> Seat {
        if child.then == Then::Other { self.kernel.other(seat) } else { seat }
    }

    /// What is known of a move without search, for the player to move, and the best answer to it; `place` is that of its board.
    #[inline(always)]
    fn bounds(&mut self, child: &Child<B>, place: Place<T::Key>) -> (i32, i32, Option<u8>) {
        if child.then == Then::Over {
            return (child.gain, child.gain, None);
        }
        of_move_known(child, self.known(place))
    }
}

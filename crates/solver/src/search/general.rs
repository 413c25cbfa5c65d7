//! The search of games with relays, and of those in which positions can come back.
//!
//! Before any move is searched, all moves are looked up: a move known to reach `beta` ends the question, and moves known to miss it
//! need no search.
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

use lumbung_engine::kernel::{Child, Children, Lanes, Seat, Status, Then};

use super::{Break, Place, Searcher, of_move, of_move_known};
use crate::prehashed::Numbered;
use crate::transposition::{Known, Transpositions};

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

/// Boards of a line between looks at its length. Unit tests have short lines.
const LINE_CHECK: usize = if cfg!(test) { 1 } else { 1 << 7 };

/// Room for the moves of one board.
pub(super) struct Frame<B, K> {
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

/// A board as the line being searched knows it.
#[inline(always)]
fn on_path<B: Lanes>(board: &B, seat: Seat) -> Numbered<B> {
    Numbered(*board, seat.index() as i32)
}

/// Where the stack is.
#[inline(never)]
fn stack_now() -> usize {
    let here = 0u8;
    std::hint::black_box(&raw const here) as usize
}

impl<B: Lanes, T: Transpositions<B>> Searcher<'_, B, T> {
    /// As [`Searcher::at_least`], for a board of which the tables know too little, whose place they have told.
    pub(super) fn at_least_general(
        &mut self,
        board: &B,
        seat: Seat,
        beta: i32,
        place: Place<T::Key>,
        best: Option<u8>,
    ) -> Result<i32, Break> {
        self.path.clear();
        self.stack = stack_now();
        let node = Node { board, seat, key: self.key(place, board, seat), best };
        let answer = match self.kernel.can_repeat() {
            true => self.search::<true>(node, beta)?,
            false => self.search::<false>(node, beta)?,
        };
        match answer.leans_on {
            NOTHING => Ok(answer.bound),
            _ => Err(Break::TooLong),
        }
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
            Then::Again | Then::Other => self
                .search::<CAN_REPEAT>(node, self.beta_after(child, beta))
                .map(|answer| (of_move(child, answer.bound), answer.leans_on)),
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

    /// What is known of a move without search, for the player to move, and the best answer to it; `place` is that of its board.
    #[inline(always)]
    fn bounds(&mut self, child: &Child<B>, place: Place<T::Key>) -> (i32, i32, Option<u8>) {
        if child.then == Then::Over {
            return (child.gain, child.gain, None);
        }
        of_move_known(child, self.known(place))
    }
}

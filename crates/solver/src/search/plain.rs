//! The search of games without relays in which no position can come back: Kalah and its like.
//!
//! A board is *glanced at* before it is visited: its moves into the endgame table are looked up, and if they settle the question it is
//! neither visited nor remembered. A glance holds under all rules, because the moves it looks at are those that the kernel made, all of
//! them and no others.
//!
//! Where the answer is likely to be yes, the boards after a board's moves are glanced at, looked up and searched one after the other,
//! because the first will do as a rule. Where it is likely to be no, all are needed: they are glanced at together, and the memory of those
//! that stay open is asked for, before the first is searched.

mod moves;

use lumbung_engine::Pit;
use lumbung_engine::kernel::{Child, Lanes, Seat, Status, Then};

use super::glance::Sight;
use super::{Break, Searcher, of_move, of_move_known};
use crate::transposition::{Known, Transpositions};

/// A move that is to be looked up or searched.
pub(super) struct Candidate<B, K> {
    /// Its number among the children.
    number: u8,
    /// The best move of the board it leads to, the last time.
    best: Option<u8>,
    /// The value of the move is at most this, once it was looked up.
    high: i32,
    /// See [`Searcher::promise`]; once it was looked up.
    promise: i32,
    /// The key of its board; every candidate that stays open after the glances has one.
    key: Option<K>,
    /// The moves of its board, if they were made.
    ahead: Option<Box<Sight<B, K>>>,
}

/// A board to be visited.
#[derive(Clone, Copy)]
pub(super) struct Visited<'n, B, K> {
    board: &'n B,
    seat: Seat,
    seeds: i32,
    /// Its key in the transposition table.
    key: K,
    /// Its best move the last time.
    best: Option<u8>,
    /// The answer is likely to be yes.
    likely: bool,
}

/// What is asked of a move, as whoever chooses after it sees it.
#[derive(Clone, Copy)]
struct Asked {
    seat: Seat,
    seeds: i32,
    beta: i32,
    likely: bool,
}

/// What the moves so far tell of a value: that it is no less than `low`, and that none of those settled reaches more than `upper`.
struct SoFar {
    low: i32,
    upper: i32,
    /// Whether a move was searched.
    searched: bool,
}

/// A move that reaches what was asked, and what it is worth at least.
type Reaches = (i32, Pit);

impl<B: Lanes, T: Transpositions<B>> Searcher<'_, B, T> {
    /// As [`Searcher::at_least`], for a board of which the tables know too little.
    pub(super) fn at_least_plain(&mut self, board: &B, seat: Seat, beta: i32, best: Option<u8>) -> Result<i32, Break> {
        let (seeds, key) = (board.seeds() as i32, self.transpositions.key(board, seat));
        let bound = match self.glance(board, Asked { seat, seeds, beta, likely: false }) {
            Ok(bound) => bound,
            Err(sight) => return self.visit(Visited { board, seat, seeds, key, best, likely: false }, beta, sight),
        };
        // What was asked is looked for afterwards, so it is remembered even if a glance has told.
        let known = match bound >= beta {
            true => Known { low: bound, high: seeds, best: None },
            false => Known { low: -seeds, high: bound, best: None },
        };
        self.transpositions.put(key, seeds, known, 1);
        Ok(bound)
    }

    /// A bound of a board that answers what is asked, if its moves into the endgame table tell one; otherwise what was seen, for the visit.
    #[inline(always)]
    fn glance(&mut self, board: &B, asked: Asked) -> Result<i32, Box<Sight<B, T::Key>>> {
        let mut sight = self.sight();
        self.unfold(board, asked.seat, asked.seeds, &mut sight);
        let Some(bound) = self.read(asked.seeds, asked.beta, &mut sight) else { return Err(sight) };
        self.sights.push(sight);
        Ok(bound)
    }

    pub(super) fn sight(&mut self) -> Box<Sight<B, T::Key>> {
        self.sights.pop().unwrap_or_else(|| Box::new(Sight::new()))
    }

    /// What is asked of a move of a board with so many seeds.
    #[inline(always)]
    fn asked(&self, child: &Child<B>, node: &Visited<'_, B, T::Key>, beta: i32, likely: bool) -> Asked {
        let (seat, likely) = match child.then {
            Then::Other => (self.kernel.other(node.seat), !likely),
            Then::Again | Then::Over => (node.seat, likely),
        };
        Asked { seat, seeds: node.seeds - child.gain, beta: self.beta_after(child, beta), likely }
    }

    /// What the transposition table knows of the board after a move, as bounds of the move, and the best answer to it.
    #[inline(always)]
    fn remembered(&self, child: &Child<B>, seeds: i32, key: T::Key) -> (i32, i32, Option<u8>) {
        let known = self.transpositions.get(key, seeds).unwrap_or(Known { low: -seeds, high: seeds, best: None });
        of_move_known(child, known)
    }

    /// Visits a board that a glance has not settled; `sight` is what it saw.
    fn visit(&mut self, node: Visited<'_, B, T::Key>, beta: i32, mut sight: Box<Sight<B, T::Key>>) -> Result<i32, Break> {
        self.nodes += 1;
        if self.nodes >= self.check_at
            && let Err(why) = self.check()
        {
            self.sights.push(sight);
            return Err(why);
        }
        if sight.status == Status::Pass {
            self.sights.push(sight);
            return self.pass(node, beta);
        }
        let started = self.nodes;
        let mut so_far = SoFar { low: sight.settled, upper: sight.settled, searched: false };
        let reaches = self.reaches(&node, beta, &mut so_far, &mut sight);
        // Also where the search is broken off, which proof-number search does all the time.
        for candidate in &mut sight.candidates {
            self.sights.extend(candidate.ahead.take());
        }
        sight.candidates.clear();
        self.sights.push(sight);
        let (known, bound) = match reaches? {
            Some((bound, pit)) => {
                let low = bound.max(so_far.low);
                (Known { low, high: node.seeds, best: Some(pit.0) }, low)
            }
            None => (Known { low: so_far.low, high: so_far.upper, best: None }, so_far.upper),
        };
        self.transpositions.put(node.key, node.seeds, known, self.nodes - started + 1);
        Ok(bound)
    }

    /// The steps of a visit.
    #[inline(always)]
    fn reaches(
        &mut self,
        node: &Visited<'_, B, T::Key>,
        beta: i32,
        so_far: &mut SoFar,
        sight: &mut Sight<B, T::Key>,
    ) -> Result<Option<Reaches>, Break> {
        if node.likely
            && let Some(reaches) = self.one_by_one(node, beta, so_far, sight)?
        {
            return Ok(Some(reaches));
        }
        if let Some(reaches) = self.glance_ahead(node, beta, so_far, sight) {
            return Ok(Some(reaches));
        }
        if let Some(reaches) = self.look_up_all(node, beta, so_far, sight) {
            return Ok(Some(reaches));
        }
        self.search_all(node, beta, so_far, sight)
    }

    /// The turn passes, the board unchanged.
    fn pass(&mut self, node: Visited<'_, B, T::Key>, beta: i32) -> Result<i32, Break> {
        let (board, seat, seeds, beta) = (&node.board.swap(), self.kernel.other(node.seat), node.seeds, self.step - beta);
        let key = self.transpositions.key(board, seat);
        let best = self.transpositions.get(key, seeds).and_then(|known| known.best);
        let likely = !node.likely;
        match self.glance(board, Asked { seat, seeds, beta, likely }) {
            Ok(bound) => Ok(-bound),
            Err(sight) => Ok(-self.visit(Visited { board, seat, seeds, key, best, likely }, beta, sight)?),
        }
    }

    /// Visits the board after a move, marked as under search: a bound of the move.
    #[inline(always)]
    fn search_child(
        &mut self,
        child: &Child<B>,
        asked: Asked,
        (key, best): (T::Key, Option<u8>),
        ahead: Box<Sight<B, T::Key>>,
    ) -> Result<i32, Break> {
        let mark = self.common.busy.map(|busy| (busy, Lanes::hash(&child.board)));
        if let Some((busy, hash)) = mark {
            busy.take(hash);
        }
        let node = Visited { board: &child.board, seat: asked.seat, seeds: asked.seeds, key, best, likely: asked.likely };
        let bound = self.visit(node, asked.beta, ahead);
        if let Some((busy, hash)) = mark {
            busy.release(hash);
        }
        bound.map(|bound| of_move(child, bound))
    }

    #[inline(always)]
    fn promise(&self, child: &Child<B>, best: Option<u8>) -> i32 {
        match best == Some(child.pit.0) {
            true => i32::MAX,
            false => self.ranking.promise(self.kernel, child) + self.common.variation(&child.board),
        }
    }
}

//! The search of games without relays in which no position can come back: Kalah and its like.

use lumbung_engine::kernel::{Child, Lanes, Seat, Status, Then};

use super::glance::Sight;
use super::{Break, Searcher};
use crate::transposition::{Known, Transpositions};

/// A move that is to be looked up or searched.
pub(super) struct Candidate<B, K> {
    /// Its number among the children.
    number: u8,
    /// The best move of the board it leads to, the last time.
    best: Option<u8>,
    /// The value of the move is at most this.
    high: i32,
    promise: i32,
    /// The key of its board, once it is needed.
    key: Option<K>,
    /// The moves of its board, if they were made.
    ahead: Option<Box<Sight<B, K>>>,
}

/// A board to be visited.
pub(super) struct Visited<'n, B, K> {
    board: &'n B,
    seat: Seat,
    seeds: i32,
    /// Its key in the transposition table.
    key: K,
    /// Its best move the last time.
    best: Option<u8>,
    /// The answer is likely to be yes, so that the first move will do.
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

/// A bound of the value of a move, from a bound of the value of its board.
#[inline(always)]
fn of_move<B>(child: &Child<B>, bound: i32) -> i32 {
    if child.then == Then::Other { child.gain - bound } else { child.gain + bound }
}

impl<B: Lanes, T: Transpositions<B>> Searcher<'_, B, T> {
    /// As [`Searcher::at_least`], for a board of which the tables know too little.
    pub(super) fn at_least_plain(&mut self, board: &B, seat: Seat, beta: i32, best: Option<u8>) -> Result<i32, Break> {
        let (seeds, key, before) = (board.seeds() as i32, self.transpositions.key(board, seat), self.nodes);
        let bound = self.explore(Visited { board, seat, seeds, key, best, likely: false }, beta, None)?;
        if self.nodes == before {
            // What was asked is remembered even if a glance has told.
            let known = match bound >= beta {
                true => Known { low: bound, high: seeds, best: None },
                false => Known { low: -seeds, high: bound, best: None },
            };
            self.transpositions.put(key, seeds, known, 1);
        }
        Ok(bound)
    }

    /// Glances at a board, unless that was done, and visits it if that does not settle the question.
    fn explore(
        &mut self,
        node: Visited<'_, B, T::Key>,
        beta: i32,
        ahead: Option<Box<Sight<B, T::Key>>>,
    ) -> Result<i32, Break> {
        let mut sight = match ahead {
            Some(sight) => sight,
            None => {
                let mut sight = self.sight();
                self.unfold(node.board, node.seat, node.seeds, &mut sight);
                if let Some(bound) = self.read(node.seeds, beta, &mut sight) {
                    self.sights.push(sight);
                    return Ok(bound);
                }
                sight
            }
        };
        let result = self.visit(node, beta, &mut sight);
        self.sights.push(sight);
        result
    }

    fn sight(&mut self) -> Box<Sight<B, T::Key>> {
        self.sights.pop().unwrap_or_else(|| Box::new(Sight::new()))
    }

    /// What is asked of a move of a board with so many seeds.
    #[inline(always)]
    fn asked(&self, child: &Child<B>, seat: Seat, seeds: i32, beta: i32, likely: bool) -> Asked {
        let seeds = seeds - child.gain;
        match child.then {
            Then::Other => {
                Asked { seat: self.kernel.other(seat), seeds, beta: child.gain - beta + self.step, likely: !likely }
            }
            Then::Again | Then::Over => Asked { seat, seeds, beta: beta - child.gain, likely },
        }
    }

    /// What the transposition table knows of the board after a move, as bounds of the move, and the best answer to it.
    #[inline(always)]
    fn remembered(&self, child: &Child<B>, seeds: i32, key: T::Key) -> (i32, i32, Option<u8>) {
        let known = self.transpositions.get(key, seeds).unwrap_or(Known { low: -seeds, high: seeds, best: None });
        match child.then {
            Then::Other => (child.gain - known.high, child.gain - known.low, known.best),
            Then::Again | Then::Over => (child.gain + known.low, child.gain + known.high, known.best),
        }
    }

    #[inline(always)]
    fn promise(&self, child: &Child<B>, best: Option<u8>) -> i32 {
        match best == Some(child.pit.0) {
            true => i32::MAX,
            false => self.ranking.promise(self.kernel, child) + self.common.variation(&child.board),
        }
    }

    fn visit(
        &mut self,
        node: Visited<'_, B, T::Key>,
        beta: i32,
        sight: &mut Sight<B, T::Key>,
    ) -> Result<i32, Break> {
        self.nodes += 1;
        if self.nodes >= self.check_at {
            self.check()?;
        }
        let started = self.nodes;
        let Visited { board, seat, seeds, key, best, likely } = node;
        let Sight { status, children, open, settled, candidates, deferred, .. } = sight;
        if *status == Status::Pass {
            let (board, seat) = (&board.swap(), self.kernel.other(seat));
            let key = self.transpositions.key(board, seat);
            let best = self.transpositions.get(key, seeds).and_then(|known| known.best);
            let node = Visited { board, seat, seeds, key, best, likely: !likely };
            return Ok(-self.explore(node, self.step - beta, None)?);
        }
        // `low` bounds the value from below; `upper` bounds the moves that are settled.
        let (mut low, mut upper) = (*settled, *settled);

        // If the answer is likely to be yes, one move after the other until one was searched and failed.
        let mut likely = likely && !self.no_likely;
        while likely && !open.is_empty() {
            let mut first = (i32::MIN, 0);
            for (at, &number) in open.iter().enumerate() {
                let promise = self.promise(&children[usize::from(number)], best);
                if promise >= first.0 {
                    first = (promise, at);
                }
            }
            let child = &children[usize::from(open.remove(first.1))];
            let asked = self.asked(child, seat, seeds, beta, true);
            let its_key = self.transpositions.key(&child.board, asked.seat);
            self.transpositions.prefetch(its_key);
            let mut ahead = self.sight();
            self.unfold(&child.board, asked.seat, asked.seeds, &mut ahead);
            let bound = if let Some(bound) = self.read(asked.seeds, asked.beta, &mut ahead) {
                self.sights.push(ahead);
                of_move(child, bound)
            } else {
                let (move_low, move_high, its_best) = self.remembered(child, asked.seeds, its_key);
                low = low.max(move_low);
                if move_low >= beta || move_high < beta {
                    self.sights.push(ahead);
                    if move_low >= beta { move_low } else { move_high }
                } else {
                    likely = false;
                    self.search_child(child, asked, (its_key, its_best), ahead)?.min(move_high)
                }
            };
            if bound >= beta {
                let known = Known { low: bound.max(low), high: seeds, best: Some(child.pit.0) };
                self.transpositions.put(key, seeds, known, self.nodes - started + 1);
                return Ok(known.low);
            }
            upper = upper.max(bound);
        }

        // All moves are made or their memory asked for, so that nothing waits.
        candidates.clear();
        for &number in open.iter() {
            let child = &children[usize::from(number)];
            let asked = self.asked(child, seat, seeds, beta, false);
            // If the opponent stores a seed next, all but two seeds of margin are left to gain at most.
            if child.then == Then::Other && seeds - 2 < beta && self.kernel.surely_stores(&child.board, asked.seat) {
                upper = upper.max(seeds - 2);
                continue;
            }
            let (mut ahead, mut its_key) = (None, None);
            if asked.seeds <= self.near {
                let mut sight = self.sight();
                self.unfold(&child.board, asked.seat, asked.seeds, &mut sight);
                ahead = Some(sight);
            } else {
                let key = self.transpositions.key(&child.board, asked.seat);
                self.transpositions.prefetch(key);
                its_key = Some(key);
            }
            candidates.push(Candidate { number, best: None, high: 0, promise: 0, key: its_key, ahead });
        }
        // Then what a glance at them tells.
        let mut kept = 0;
        for at in 0..candidates.len() {
            let candidate = &mut candidates[at];
            let child = &children[usize::from(candidate.number)];
            let asked = self.asked(child, seat, seeds, beta, false);
            if let Some(ahead) = &mut candidate.ahead {
                if let Some(bound) = self.read(asked.seeds, asked.beta, ahead) {
                    let bound = of_move(child, bound);
                    if bound >= beta {
                        let known = Known { low: bound.max(low), high: seeds, best: Some(child.pit.0) };
                        self.transpositions.put(key, seeds, known, self.nodes - started + 1);
                        self.give_back(candidates);
                        return Ok(known.low);
                    }
                    upper = upper.max(bound);
                    self.sights.extend(candidate.ahead.take());
                    continue;
                }
                let key = self.transpositions.key(&child.board, asked.seat);
                self.transpositions.prefetch(key);
                candidate.key = Some(key);
            }
            candidates.swap(kept, at);
            kept += 1;
        }
        candidates.truncate(kept);
        // Then what is remembered of the others; the most promising first, and among equals that which comes last.
        let mut kept = 0;
        for at in 0..candidates.len() {
            let candidate = &mut candidates[at];
            let child = &children[usize::from(candidate.number)];
            let left = seeds - child.gain;
            let Some(its_key) = candidate.key else { continue };
            let (move_low, move_high, its_best) = self.remembered(child, left, its_key);
            low = low.max(move_low);
            if move_low >= beta {
                self.transpositions.put(key, seeds, Known { low, high: seeds, best: Some(child.pit.0) }, self.nodes - started + 1);
                self.give_back(candidates);
                return Ok(low);
            }
            if move_high < beta {
                upper = upper.max(move_high);
                self.sights.extend(candidate.ahead.take());
                continue;
            }
            (candidate.best, candidate.high) = (its_best, move_high);
            candidate.promise = self.promise(child, best);
            candidates.swap(kept, at);
            let mut to = kept;
            while to > 0 && candidates[to - 1].promise <= candidates[to].promise {
                candidates.swap(to - 1, to);
                to -= 1;
            }
            kept += 1;
        }
        candidates.truncate(kept);

        deferred.clear();
        let mut turn = 0;
        // First all moves, then those that were left for later, in the same order.
        while turn < kept + deferred.len() {
            let (is_first, resumed) = (turn == 0, turn >= kept);
            let at = if resumed { usize::from(deferred[turn - kept]) } else { turn };
            turn += 1;
            let candidate = &mut candidates[at];
            let child = &children[usize::from(candidate.number)];
            if let Some(busy) = self.common.busy
                && !is_first
                && !resumed
                && busy.is_taken(Lanes::hash(&child.board))
            {
                deferred.push(at as u8);
                continue;
            }
            let asked = self.asked(child, seat, seeds, beta, false);
            let Some(its_key) = candidate.key else { continue };
            let mut its_best = candidate.best;
            let ahead = candidate.ahead.take();
            let mut bound = None;
            if !is_first {
                // A move searched before this one, or another thread, may have settled it.
                let (move_low, move_high, best) = self.remembered(child, asked.seeds, its_key);
                its_best = best;
                bound = if move_low >= beta { Some(move_low) } else { (move_high < beta).then_some(move_high) };
            }
            let bound = match bound {
                Some(bound) => {
                    self.sights.extend(ahead);
                    bound
                }
                None => {
                    let high = candidate.high;
                    let bound = match ahead {
                        Some(ahead) => self.search_child(child, asked, (its_key, its_best), ahead)?,
                        None => {
                            let mut ahead = self.sight();
                            self.unfold(&child.board, asked.seat, asked.seeds, &mut ahead);
                            match self.read(asked.seeds, asked.beta, &mut ahead) {
                                Some(bound) => {
                                    self.sights.push(ahead);
                                    of_move(child, bound)
                                }
                                None => self.search_child(child, asked, (its_key, its_best), ahead)?,
                            }
                        }
                    };
                    bound.min(high)
                }
            };
            if bound >= beta {
                let known = Known { low: bound.max(low), high: seeds, best: Some(child.pit.0) };
                self.transpositions.put(key, seeds, known, self.nodes - started + 1);
                self.give_back(candidates);
                return Ok(known.low);
            }
            upper = upper.max(bound);
        }
        self.transpositions.put(key, seeds, Known { low, high: upper, best: None }, self.nodes - started + 1);
        Ok(upper)
    }

    fn give_back(&mut self, candidates: &mut Vec<Candidate<B, T::Key>>) {
        for candidate in candidates.iter_mut() {
            self.sights.extend(candidate.ahead.take());
        }
    }

    /// Searches the board after a move, marked as under search: a bound of the move.
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
        let bound = self.explore(node, asked.beta, Some(ahead));
        if let Some((busy, hash)) = mark {
            busy.release(hash);
        }
        bound.map(|bound| of_move(child, bound))
    }
}

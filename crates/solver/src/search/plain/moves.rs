//! The steps of a visit: each looks at the moves that are left, and ends the visit if one of them reaches what was asked.

use lumbung_engine::kernel::{Child, Lanes, Then};

use super::super::glance::Sight;
use super::super::{Break, Searcher, of_move};
use super::{Candidate, Reaches, SoFar, Visited};
use crate::order::BONUS;
use crate::transposition::Transpositions;

/// A candidate left out here would be missing among the moves that fail, and a "no" could be false.
const HAS_KEY: &str = "glance_ahead gives every candidate that it keeps a key";

impl<B: Lanes, T: Transpositions<B>> Searcher<'_, B, T> {
    /// Where the most promising of the moves `open` is; of equally promising ones the last of the board.
    #[inline(always)]
    fn first_of(&self, children: &[Child<B>], open: &[u8], best: Option<u8>) -> usize {
        let (mut first, mut at_first) = ((i32::MIN, 0), 0);
        for (at, &number) in open.iter().enumerate() {
            let child = &children[usize::from(number)];
            // What another move promises is not worked out where there is a bonus move.
            if child.then == Then::Other && first.0 >= BONUS && best != Some(child.pit.0) {
                continue;
            }
            let promise = (self.promise(child, best), number);
            if promise >= first {
                (first, at_first) = (promise, at);
            }
        }
        at_first
    }

    /// Takes the most promising move, and the next one if that is known to fail, until one was searched.
    #[inline(always)]
    pub(super) fn one_by_one(
        &mut self,
        node: &Visited<'_, B, T::Key>,
        beta: i32,
        so_far: &mut SoFar,
        sight: &mut Sight<B, T::Key>,
    ) -> Result<Option<Reaches>, Break> {
        let Sight { children, open, .. } = sight;
        while !so_far.searched && !open.is_empty() {
            let first = self.first_of(children, open, node.best);
            // Which of them comes next is told by promise and number, so they need not stay in order.
            let child = &children[usize::from(open.swap_remove(first))];
            let asked = self.asked(child, node, beta, true);
            if let Some(most) = self.beaten_at_once(child, asked.seat, node.seeds, beta) {
                so_far.upper = so_far.upper.max(most);
                continue;
            }
            let key = (asked.seeds > self.near).then(|| {
                let key = self.transpositions.key(&child.board, asked.seat);
                self.transpositions.prefetch(key);
                key
            });
            let bound = match self.glance(&child.board, asked) {
                Ok(bound) => of_move(child, bound),
                Err(ahead) => {
                    let key = key.unwrap_or_else(|| self.transpositions.key(&child.board, asked.seat));
                    let (low, high, best) = self.remembered(child, asked.seeds, key);
                    so_far.low = so_far.low.max(low);
                    if low >= beta || high < beta {
                        self.sights.push(ahead);
                        if low >= beta { low } else { high }
                    } else {
                        so_far.searched = true;
                        self.search_child(child, asked, (key, best), ahead)?.min(high)
                    }
                }
            };
            if bound >= beta {
                return Ok(Some((bound, child.pit)));
            }
            so_far.upper = so_far.upper.max(bound);
        }
        Ok(None)
    }

    /// Makes candidates of the moves that are left, of which a glance at their boards settles some; the memory of the others is asked for.
    #[inline(always)]
    pub(super) fn glance_ahead(
        &mut self,
        node: &Visited<'_, B, T::Key>,
        beta: i32,
        so_far: &mut SoFar,
        sight: &mut Sight<B, T::Key>,
    ) -> Option<Reaches> {
        let Sight { children, open, candidates, .. } = sight;
        for &number in open.iter() {
            let child = &children[usize::from(number)];
            let asked = self.asked(child, node, beta, false);
            if let Some(most) = self.beaten_at_once(child, asked.seat, node.seeds, beta) {
                so_far.upper = so_far.upper.max(most);
                continue;
            }
            let (mut ahead, mut key) = (None, None);
            if asked.seeds <= self.near {
                let mut its_sight = self.sight();
                self.unfold(&child.board, asked.seat, asked.seeds, &mut its_sight);
                ahead = Some(its_sight);
            } else {
                let its_key = self.transpositions.key(&child.board, asked.seat);
                self.transpositions.prefetch(its_key);
                key = Some(its_key);
            }
            candidates.push(Candidate { number, best: None, high: 0, promise: 0, key, ahead });
        }
        let mut kept = 0;
        for at in 0..candidates.len() {
            let candidate = &mut candidates[at];
            let child = &children[usize::from(candidate.number)];
            if let Some(ahead) = &mut candidate.ahead {
                let asked = self.asked(child, node, beta, false);
                if let Some(bound) = self.read(asked.seeds, asked.beta, ahead) {
                    let bound = of_move(child, bound);
                    if bound >= beta {
                        return Some((bound, child.pit));
                    }
                    so_far.upper = so_far.upper.max(bound);
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
        None
    }

    /// Looks the candidates up, and orders those that stay open: the most promising first, and among equals that which comes last.
    #[inline(always)]
    pub(super) fn look_up_all(
        &mut self,
        node: &Visited<'_, B, T::Key>,
        beta: i32,
        so_far: &mut SoFar,
        sight: &mut Sight<B, T::Key>,
    ) -> Option<Reaches> {
        let Sight { children, candidates, .. } = sight;
        let mut kept = 0;
        for at in 0..candidates.len() {
            let candidate = &mut candidates[at];
            let child = &children[usize::from(candidate.number)];
            let key = candidate.key.expect(HAS_KEY);
            let (low, high, best) = self.remembered(child, node.seeds - child.gain, key);
            so_far.low = so_far.low.max(low);
            if low >= beta {
                return Some((low, child.pit));
            }
            if high < beta {
                so_far.upper = so_far.upper.max(high);
                self.sights.extend(candidate.ahead.take());
                continue;
            }
            (candidate.best, candidate.high) = (best, high);
            candidate.promise = self.promise(child, node.best);
            candidates.swap(kept, at);
            let mut to = kept;
            let promise = |candidate: &Candidate<B, T::Key>| (candidate.promise, candidate.number);
            while to > 0 && promise(&candidates[to - 1]) < promise(&candidates[to]) {
                candidates.swap(to - 1, to);
                to -= 1;
            }
            kept += 1;
        }
        candidates.truncate(kept);
        None
    }

    /// Searches the candidates in their order; those that another thread is at wait until the others were tried, but for the first move of
    /// the board.
    #[inline(always)]
    pub(super) fn search_all(
        &mut self,
        node: &Visited<'_, B, T::Key>,
        beta: i32,
        so_far: &mut SoFar,
        sight: &mut Sight<B, T::Key>,
    ) -> Result<Option<Reaches>, Break> {
        let Sight { children, candidates, deferred, .. } = sight;
        deferred.clear();
        let all = candidates.len();
        let mut turn = 0;
        while turn < all + deferred.len() {
            let (just_looked_up, resumed) = (turn == 0, turn >= all);
            let at = if resumed { usize::from(deferred[turn - all]) } else { turn };
            turn += 1;
            let candidate = &mut candidates[at];
            let child = &children[usize::from(candidate.number)];
            if let Some(busy) = self.common.busy
                && (so_far.searched || !just_looked_up)
                && !resumed
                && busy.is_taken(Lanes::hash(&child.board))
            {
                deferred.push(at as u8);
                continue;
            }
            let asked = self.asked(child, node, beta, false);
            let key = candidate.key.expect(HAS_KEY);
            let (mut best, highest) = (candidate.best, candidate.high);
            if !just_looked_up {
                // A move searched before this one, or another thread, may have settled it.
                let (low, high, known_best) = self.remembered(child, asked.seeds, key);
                if low >= beta {
                    return Ok(Some((low, child.pit)));
                }
                if high < beta {
                    so_far.upper = so_far.upper.max(high);
                    self.sights.extend(candidate.ahead.take());
                    continue;
                }
                best = known_best;
            }
            let bound = match candidate.ahead.take() {
                Some(ahead) => self.search_child(child, asked, (key, best), ahead)?,
                None => match self.glance(&child.board, asked) {
                    Ok(bound) => of_move(child, bound),
                    Err(ahead) => self.search_child(child, asked, (key, best), ahead)?,
                },
            };
            let bound = bound.min(highest);
            if bound >= beta {
                return Ok(Some((bound, child.pit)));
            }
            so_far.upper = so_far.upper.max(bound);
        }
        Ok(None)
    }
}

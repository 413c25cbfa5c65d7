//! Proof-number search above alpha-beta.
//!
//! Alpha-beta goes through the moves of a board one after the other and stays with each until it is settled, however dear that
//! becomes; its times are heavy-tailed for that. So a question is first given to it with a small budget of positions. If that
//! does not do, the question is kept in a [`ProofTree`] and its moves are asked about in its place, each with the same budget;
//! the tree says which of them comes next. What alpha-beta learns in one leaf it finds in the transposition table at the next,
//! and what the tree learns is remembered there too.
//!
//! All threads work on one tree, each at its own leaf as far as there is a choice.
//!
//! For rules that cannot repeat a position: only there does an answer hold wherever a question stands in the tree.

mod outlook;
#[cfg(test)]
mod tests;
mod tree;

use std::sync::{Mutex, MutexGuard, PoisonError};

use lumbung_engine::Pit;
use lumbung_engine::kernel::{Children, Kernel, Lanes, Status, Then};

use tree::{Move, Outlook, Settled};
pub(crate) use tree::{ProofTree, Question, Unfolded};

use super::{Break, Searcher, of_move, of_move_known};
use crate::order::Ranking;
use crate::transposition::{Known, Transpositions};

/// Positions that alpha-beta may visit for a question before its moves take over. Unit tests have small problems.
const BUDGET: u64 = if cfg!(test) { 8 } else { 128 };
/// How much each further move counts for more, see [`ProofTree`]: without relays; with relays, where the question is whether somebody
/// takes all seeds, which is settled by one good line; and where it is any other question.
const LATENESS: f32 = 1.0;
const RELAY_LATENESS_FOR_ALL: f32 = 4.0;
const RELAY_LATENESS: f32 = 0.25;

/// What was made of a leaf.
enum Answered {
    /// A bound that answers it, which alpha-beta has found and remembered.
    Searched(i32),
    /// A bound that answers it, and a move that reaches what is asked.
    Settled { bound: i32, best: Option<Pit> },
    /// Moves are left to be asked about; the others reach no more than `upper`.
    Open { upper: i32 },
}

/// Room for the moves of a question.
struct Room<B> {
    children: Children<B>,
    replies: Children<B>,
    moves: Vec<Move<B>>,
    settled: Vec<Settled<B>>,
}

/// A tree for a question of a game, which takes up to about so many bytes.
pub(crate) fn tree_for<B: Lanes>(question: Question<B>, bytes: u64, kernel: &Kernel<B>, unfolded: Unfolded) -> ProofTree<B> {
    let most = (bytes / ProofTree::<B>::NODE_BYTES as u64).clamp(1 << 6, 1 << 30) as usize;
    ProofTree::new(question, most, BUDGET, lateness_of(&question, kernel), unfolded)
}

/// How much each further move counts for more in the tree of this question.
fn lateness_of<B: Lanes>(question: &Question<B>, kernel: &Kernel<B>) -> f32 {
    match kernel.relays() {
        true if question.is_of_all() || question.is_of_nothing(kernel.value_step()) => RELAY_LATENESS_FOR_ALL,
        true => RELAY_LATENESS,
        false => LATENESS,
    }
}

impl<B: Lanes, T: Transpositions<B>> Searcher<'_, B, T> {
    /// The answer to the question at the root of `tree`, as [`Searcher::at_least`] gives it; other threads may work on the tree
    /// as well. Under rules that can repeat a position there must be no tree.
    pub(crate) fn prove(&mut self, tree: &Mutex<ProofTree<B>>, thread: usize) -> Result<i32, Break> {
        debug_assert!(!self.kernel.can_repeat());
        let mut room = Room { children: Children::new(), replies: Children::new(), moves: Vec::new(), settled: Vec::new() };
        for number in 0.. {
            let leaf = {
                let mut tree = lock(tree);
                if let Some(bound) = tree.answer() {
                    return Ok(bound);
                }
                tree.choose()
            };
            self.ranking = Ranking::of(self.kernel.relays(), number, thread);
            let before = self.nodes;
            self.yield_at = before.saturating_add(leaf.budget);
            self.check_at = self.check_at.min(self.yield_at);
            let Question { board, seat, beta } = leaf.question;
            let answer = self.at_least(&board, seat, beta);
            self.yield_at = u64::MAX;
            let effort = self.nodes - before;
            let answered = match answer {
                Ok(bound) => Answered::Searched(bound),
                Err(Break::Pause) if self.tell() < self.common.pause_at => self.moves_of(&leaf.question, &mut room),
                Err(why) => {
                    lock(tree).give_back(&leaf, effort);
                    return Err(why);
                }
            };
            let mut tree = lock(tree);
            match answered {
                Answered::Searched(bound) => tree.settle(&leaf, bound, effort),
                Answered::Settled { bound, best } => {
                    tree.settle(&leaf, bound, effort);
                    room.settled.push(Settled { question: leaf.question, bound, best, effort });
                }
                Answered::Open { upper } => tree.expand(&leaf, &room.moves, upper, effort),
            }
            tree.take_settled(&mut room.settled);
            drop(tree);
            for settled in room.settled.drain(..) {
                self.remember(&settled);
            }
        }
        unreachable!("numbers do not end")
    }

    /// Puts what the tree has settled where alpha-beta and the optimal line look.
    fn remember(&self, settled: &Settled<B>) {
        let Question { board, seat, beta } = &settled.question;
        let (key, seeds) = (self.transpositions.key(board, *seat), board.seeds() as i32);
        let known = match settled.bound >= *beta {
            true => Known { low: settled.bound, high: seeds, best: settled.best.map(|pit| pit.0) },
            false => Known { low: -seeds, high: settled.bound, best: None },
        };
        self.transpositions.put(key, seeds, known, settled.effort);
    }

    /// The moves of a question that are open, in their order, into `room.moves`.
    fn moves_of(&mut self, question: &Question<B>, room: &mut Room<B>) -> Answered {
        let Question { board, seat, beta } = *question;
        let Room { children, replies, moves, .. } = room;
        moves.clear();
        match self.kernel.status(&board, seat, children) {
            Status::Over(bound) => return Answered::Settled { bound, best: None },
            Status::Pass => {
                let question = Question { board: board.swap(), seat: self.kernel.other(seat), beta: self.step - beta };
                moves.push(Move { question, other: true, gain: 0, pit: None, outlook: Outlook::EVEN });
                return Answered::Open { upper: i32::MIN };
            }
            Status::ToMove => {}
        }
        let (seeds, best) = (board.seeds() as i32, self.look_up(&board, seat).best.map(Pit));
        children.sort_by_key(|child| {
            let promise = self.ranking.promise(self.kernel, child) + self.common.variation(&child.board);
            std::cmp::Reverse((best == Some(child.pit), promise, child.pit))
        });
        let mut upper = -seeds;
        for child in children.iter() {
            let next = self.next_seat(child, seat);
            let other = child.then == Then::Other;
            let asked = Question { board: child.board, seat: next, beta: self.beta_after(child, beta) };
            let outlook = if child.then == Then::Over {
                Err(child.gain)
            } else if let Some(most) = self.beaten_at_once(child, next, seeds, beta) {
                Err(most)
            } else {
                let (low, high, _) = of_move_known(child, self.look_up(&child.board, next));
                match (low >= beta, high < beta) {
                    (true, _) => Err(low),
                    (_, true) => Err(high),
                    _ => self.outlook(&asked, replies).map_err(|bound| of_move(child, bound)),
                }
            };
            match outlook {
                Ok(outlook) => moves.push(Move { question: asked, other, gain: child.gain, pit: Some(child.pit), outlook }),
                Err(bound) if bound >= beta => return Answered::Settled { bound, best: Some(child.pit) },
                Err(bound) => upper = upper.max(bound),
            }
        }
        if moves.is_empty() { Answered::Settled { bound: upper, best: None } } else { Answered::Open { upper } }
    }
}

/// The tree, for one thread.
pub(crate) fn lock<B>(tree: &Mutex<ProofTree<B>>) -> MutexGuard<'_, ProofTree<B>> {
    // A thread that panics takes the whole search with it.
    tree.lock().unwrap_or_else(PoisonError::into_inner)
}

//! One depth-first explorer of a turn.

use lumbung_engine::Pit;
use lumbung_engine::kernel::{Child, Children, Lanes, Then};

use super::depth_first::Best;
use super::root::Root;
use super::visited::Visited;

/// Which moves an explorer tries first. Which order finds a line soon depends on the board: for Donkers' openings the right-most
/// move first does on most boards, but not within minutes on 16x16, where the left-most move first takes seconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Order {
    /// The last pit of the row first.
    RightMost,
    /// The first pit of the row first.
    LeftMost,
    /// What stores most first.
    HighestStore,
    /// Any, by this state of a generator.
    Random(u64),
}

impl Order {
    /// The order of explorer number `index`.
    pub(super) fn of(index: usize) -> Self {
        match index {
            0 => Order::RightMost,
            1 => Order::LeftMost,
            2 => Order::HighestStore,
            _ => Order::Random(0x9e37_79b9_7f4a_7c15u64.wrapping_mul(index as u64)),
        }
    }

    /// Puts the moves that are to be tried first last: a stack gives them out in reverse.
    fn arrange<B: Lanes>(&mut self, moves: &mut [Child<B>]) {
        match self {
            Order::RightMost => {}
            Order::LeftMost => moves.reverse(),
            Order::HighestStore => moves.sort_by_key(|child| child.gain),
            Order::Random(state) => {
                for i in (1..moves.len()).rev() {
                    // Marsaglia's xorshift.
                    *state ^= *state << 13;
                    *state ^= *state >> 7;
                    *state ^= *state << 17;
                    moves.swap(i, (*state % (i as u64 + 1)) as usize);
                }
            }
        }
    }
}

/// A board to be entered.
#[derive(Clone, Copy, Debug)]
struct Pending<B> {
    board: B,
    /// The move that leads to it.
    pit: Pit,
    /// Moves from the start of the turn, this one included.
    depth: u16,
}

/// A depth-first explorer: boards to be entered, and the way to the last one entered.
///
/// Every pending board of depth `d` is reached by the first `d - 1` moves of `path` and its own.
pub(super) struct Explorer<B> {
    order: Order,
    pending: Vec<Pending<B>>,
    path: Vec<Pit>,
    children: Box<Children<B>>,
}

impl<B: Lanes> Explorer<B> {
    /// An explorer with nothing to do.
    pub(super) fn idle(order: Order) -> Self {
        Explorer { order, pending: Vec::new(), path: Vec::new(), children: Box::default() }
    }

    /// Boards to be entered.
    pub(super) fn pending(&self) -> usize {
        self.pending.len()
    }

    /// Starts at the start of the turn.
    pub(super) fn start(&mut self, root: &Root<'_, B>, best: &Best) {
        self.expand(root, &root.board, best);
    }

    /// Enters up to `boards` pending boards.
    pub(super) fn run(&mut self, root: &Root<'_, B>, visited: &Visited<B>, best: &Best, boards: u64) {
        for _ in 0..boards {
            if best.is_enough() {
                return;
            }
            let Some(next) = self.pending.pop() else { return };
            self.path.truncate(usize::from(next.depth) - 1);
            self.path.push(next.pit);
            if visited.insert(next.board) {
                self.expand(root, &next.board, best);
            }
        }
    }

    /// Gives the half of the pending boards that are nearest the start to `idle`.
    pub(super) fn share_with(&mut self, idle: &mut Self) {
        let half = self.pending.len() / 2;
        idle.pending.extend(self.pending.drain(..half));
        idle.path.clone_from(&self.path);
    }

    fn expand(&mut self, root: &Root<'_, B>, board: &B, best: &Best) {
        if !root.expand(board, &mut self.children) {
            return;
        }
        let store = root.store_at(board);
        for child in self.children.iter() {
            best.note(root.store_after(store, child), &self.path, child.pit);
        }
        self.order.arrange(&mut self.children);
        let depth = self.path.len() as u16 + 1;
        let bonus = self.children.iter().filter(|child| child.then == Then::Again);
        self.pending.extend(bonus.map(|child| Pending { board: child.board, pit: child.pit, depth }));
    }
}

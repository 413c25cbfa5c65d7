//! A glance: what the endgame table alone says of a board's moves.

use lumbung_engine::kernel::{Children, Lanes, Seat, Status, Then};

use super::{Searcher, of_move};
use crate::transposition::Transpositions;

/// A board's moves, made, and what the endgame table says of them.
pub(super) struct Sight<B, K> {
    pub(super) status: Status,
    pub(super) children: Children<B>,
    /// Moves into the endgame table, by their numbers among `children`, and where their values lie.
    tabled: Vec<(u8, u64)>,
    /// The other moves.
    pub(super) open: Vec<u8>,
    /// The best value of a move that ends the game or leads into the table; minus all seeds if there is none.
    pub(super) settled: i32,
    /// Room for the visit of the board.
    pub(super) candidates: Vec<super::plain::Candidate<B, K>>,
    /// Candidates left for later because another thread was at them.
    pub(super) deferred: Vec<u8>,
}

impl<B: Lanes, K> Sight<B, K> {
    pub(super) fn new() -> Self {
        Sight {
            status: Status::Pass,
            children: Children::new(),
            tabled: Vec::new(),
            open: Vec::new(),
            settled: 0,
            candidates: Vec::new(),
            deferred: Vec::new(),
        }
    }
}

impl<B: Lanes, T: Transpositions<B>> Searcher<'_, B, T> {
    /// Makes the moves of a board with so many seeds and asks for the values of those that lead into the endgame table.
    #[inline(always)]
    pub(super) fn unfold(&self, board: &B, seat: Seat, seeds: i32, sight: &mut Sight<B, T::Key>) {
        sight.tabled.clear();
        sight.open.clear();
        sight.settled = -seeds;
        sight.status = self.kernel.status(board, seat, &mut sight.children);
        if sight.status != Status::ToMove {
            return;
        }
        for (number, child) in sight.children.iter().enumerate() {
            if child.then == Then::Over {
                sight.settled = sight.settled.max(child.gain);
                continue;
            }
            // Without relays nothing leaves the board but what the mover gains.
            let left = (seeds - child.gain) as usize;
            debug_assert_eq!(left, child.board.seeds() as usize);
            match self.table {
                Some(table) if table.has(left) => {
                    let index = table.index().rank(&child.board);
                    table.prefetch(left, index);
                    sight.tabled.push((number as u8, index));
                }
                _ => sight.open.push(number as u8),
            }
        }
    }

    /// Whether the moves that end the game or lead into the table settle if the mover gains at least `beta`: a bound that does.
    #[inline(always)]
    pub(super) fn read(&mut self, seeds: i32, beta: i32, sight: &mut Sight<B, T::Key>) -> Option<i32> {
        match sight.status {
            Status::Over(value) => return Some(value),
            Status::Pass => return None,
            Status::ToMove => {}
        }
        if sight.settled >= beta {
            return Some(sight.settled);
        }
        for &(number, index) in sight.tabled.iter().rev() {
            let child = &sight.children[usize::from(number)];
            self.table_hits += 1;
            let value = self.table.and_then(|table| table.value_in((seeds - child.gain) as usize, index));
            let Some(value) = value else {
                sight.open.push(number);
                continue;
            };
            let value = of_move(child, value);
            sight.settled = sight.settled.max(value);
            if value >= beta {
                return Some(value);
            }
        }
        sight.open.is_empty().then_some(sight.settled)
    }
}

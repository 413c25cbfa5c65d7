//! Where a turn starts.

use lumbung_engine::kernel::{Child, Children, Kernel, Lanes, Seat, Status, Then};
use lumbung_engine::{Pit, Position};

/// The start of a turn, and whose it is.
pub(super) struct Root<'k, B> {
    kernel: &'k Kernel<B>,
    seat: Seat,
    pub(super) board: B,
    /// Seeds in play.
    pub(super) seeds: u32,
    /// Seeds in the mover's store.
    pub(super) store: u32,
}

impl<'k, B: Lanes> Root<'k, B> {
    pub(super) fn new(kernel: &'k Kernel<B>, position: &Position) -> Self {
        let board = kernel.pack(position);
        Root {
            kernel,
            seat: kernel.seat(position.to_move),
            board,
            seeds: board.seeds(),
            store: u32::from(position.stores[position.to_move.index()]),
        }
    }

    /// Pits a row, and so the most moves a board has in games with bonus moves.
    pub(super) fn pits(&self) -> usize {
        self.kernel.pits()
    }

    /// Fills `children` with the moves from `board`; `false` if the turn ends there, and `children` then means nothing.
    pub(super) fn expand(&self, board: &B, children: &mut Children<B>) -> bool {
        self.kernel.status(board, self.seat, children) == Status::ToMove
    }

    /// Seeds in the mover's store when `board` has come about: what is no longer in play is there.
    pub(super) fn store_at(&self, board: &B) -> u32 {
        self.store + self.seeds - board.seeds()
    }

    /// Seeds in the mover's store after a move, with `store` before it.
    pub(super) fn store_after(&self, store: u32, child: &Child<B>) -> u32 {
        match child.then {
            Then::Again | Then::Other => store + child.gain as u32,
            // The gain includes the settlement, which is none of the turn's; the board is the one that is settled.
            Then::Over => self.store_at(&child.board),
        }
    }

    /// The moves from `board`, with the mover's store after each; none if the turn ends there.
    pub(super) fn moves<'a>(&'a self, board: &B, children: &'a mut Children<B>) -> impl Iterator<Item = (u32, &'a Child<B>)> {
        let goes_on = self.expand(board, children);
        let store = self.store_at(board);
        children.iter().take(if goes_on { usize::MAX } else { 0 }).map(move |child| (self.store_after(store, child), child))
    }

    /// Seeds in the mover's store after a line; `None` if it is no line of this turn.
    pub(super) fn store_after_line(&self, line: &[Pit]) -> Option<u32> {
        let mut children = Children::new();
        let mut board = Some(self.board);
        let mut store = self.store;
        for pit in line {
            let (after, child) = self.moves(&board?, &mut children).find(|(_, child)| child.pit == *pit)?;
            store = after;
            board = (child.then == Then::Again).then_some(child.board);
        }
        Some(store)
    }
}

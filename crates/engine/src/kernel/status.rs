//! What a position calls for, and the settlement of a finished game.

use super::lanes::Lanes;
use super::moves::Children;
use super::{Kernel, Seat};
use crate::rules::{EndWhen, Feeding, NoMove};

/// What a position calls for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// The player to move plays one of the moves that were filled in.
    ToMove,
    /// The turn passes, the board unchanged.
    Pass,
    /// The game is over; the settlement gives the player to move this much more than the opponent.
    Over(i32),
}

impl<B: Lanes> Kernel<B> {
    /// What `board` calls for with the player on `seat` to move (steps 2 to 6 of the procedure); fills `out` with her legal moves
    /// if she must play one.
    #[inline(always)]
    pub fn status(&self, board: &B, seat: Seat, out: &mut Children<B>) -> Status {
        if self.end.one_each && self.row_seeds(board, seat) == (1, 1) {
            return Status::Over(0);
        }
        if self.end_condition(board, seat) {
            return Status::Over(self.settlement(board, seat));
        }
        self.expand(board, seat, out);
        if out.is_empty() { self.without_a_move(board, seat) } else { Status::ToMove }
    }

    #[inline(always)]
    pub(super) fn end_condition(&self, board: &B, seat: Seat) -> bool {
        match self.end.when {
            EndWhen::MoverEmpty => self.own_is_empty(board, seat),
            EndWhen::AnyRowEmpty => self.own_is_empty(board, seat) || self.other_is_empty(board, seat),
            EndWhen::BothRowsEmpty => *board == B::EMPTY,
            EndWhen::OnlySingletons => board.only_singletons(),
            EndWhen::FewerThan(k) => board.seeds() < u32::from(k),
            EndWhen::NoLegalMove => false,
        }
    }

    #[cold]
    #[inline(never)]
    fn without_a_move(&self, board: &B, seat: Seat) -> Status {
        let may_pass = self.end.no_move == NoMove::Pass || (self.feeding == Feeding::Rescue && self.own_is_empty(board, seat));
        if may_pass {
            let mut replies = Children::new();
            self.expand(&board.swap(), self.other(seat), &mut replies);
            if !replies.is_empty() {
                return Status::Pass;
            }
        }
        Status::Over(self.settlement(board, seat))
    }

    /// What the player to move, on `seat`, gains over the opponent when the game is over on this board.
    #[cold]
    #[inline(never)]
    pub(super) fn settlement(&self, board: &B, seat: Seat) -> i32 {
        let (own, other) = self.row_seeds(board, seat);
        self.end.settlement(own, other)
    }
}

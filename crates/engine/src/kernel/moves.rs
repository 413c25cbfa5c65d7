//! Moves and the legal ones among them.

use super::captures::Captured;
use super::lanes::Lanes;
use super::relay::Stop;
use super::{Kernel, Seat};
use crate::position::{MAX_PITS, Pit};
use crate::rules::{BonusOnEmptyRow, Endless, Feeding, Stores};

/// A legal move, played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Child<B> {
    /// The board after the move, as the player who chooses next sees it. If the move ended the game: before the settlement, as the
    /// mover sees it.
    pub board: B,
    /// What the mover gains by the move over the opponent: seeds stored and captured, and the settlement if the game is over.
    pub gain: i32,
    /// The pit that was chosen.
    pub pit: Pit,
    /// Who chooses next.
    pub then: Then,
}

/// Who chooses next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Then {
    /// The same player: a bonus was earned.
    Again,
    /// The other player.
    Other,
    /// Nobody: the move itself ended the game (a bonus on an empty row, or an endless move).
    Over,
}

/// The legal moves of a position, rising by pit; at most two rows of them.
#[derive(Clone, Debug)]
pub struct Children<B> {
    len: usize,
    moves: [Child<B>; 2 * MAX_PITS],
}

impl<B: Lanes> Children<B> {
    /// Room for the moves of a position, empty.
    pub fn new() -> Self {
        let none = Child { board: B::EMPTY, gain: 0, pit: Pit(0), then: Then::Over };
        Children { len: 0, moves: [none; 2 * MAX_PITS] }
    }

    #[inline(always)]
    fn push(&mut self, child: Child<B>) {
        self.moves[self.len] = child;
        self.len += 1;
    }

    fn retain(&mut self, keep: impl Fn(&Child<B>) -> bool) {
        let mut kept = 0;
        for i in 0..self.len {
            if keep(&self.moves[i]) {
                self.moves[kept] = self.moves[i];
                kept += 1;
            }
        }
        self.len = kept;
    }
}

impl<B: Lanes> Default for Children<B> {
    fn default() -> Self {
        Children::new()
    }
}

impl<B> std::ops::Deref for Children<B> {
    type Target = [Child<B>];
    fn deref(&self) -> &[Child<B>] {
        &self.moves[..self.len]
    }
}

impl<B> std::ops::DerefMut for Children<B> {
    fn deref_mut(&mut self) -> &mut [Child<B>] {
        &mut self.moves[..self.len]
    }
}

impl<B: Lanes> Kernel<B> {
    /// Plays the pit in `lane` for the player on `seat`; `None` if that move is illegal whatever the feeding rule says.
    #[inline(always)]
    pub(super) fn play(&self, board: &B, lane: usize, seat: Seat) -> Option<Child<B>> {
        let sown = self.sow(board, lane);
        let pit = self.pit(lane);
        let mut after = sown.board;
        let mut gain = sown.stored as i32;
        match sown.stop {
            Stop::Pit(last) => match self.capture(&mut after, last, sown.visited, seat) {
                Captured::Seeds(seeds) => gain += seeds as i32,
                Captured::ForbiddenSlam => return None,
            },
            Stop::Store => {
                if let Stores::Sown { bonus: Some(on_empty_row) } = self.stores {
                    if !self.own_is_empty(&after, seat) {
                        return Some(Child { board: after, gain, pit, then: Then::Again });
                    }
                    if on_empty_row == BonusOnEmptyRow::End {
                        gain += self.settlement(&after, seat);
                        return Some(Child { board: after, gain, pit, then: Then::Over });
                    }
                }
            }
            Stop::Endless => match self.endless {
                Endless::Illegal => return None,
                Endless::Pass => after = *board,
                Endless::End => {
                    return Some(Child { board: *board, gain: self.settlement(board, seat), pit, then: Then::Over });
                }
            },
        }
        Some(Child { board: after.swap(), gain, pit, then: Then::Other })
    }

    /// All legal moves of the player on `seat`, rising by pit. Their `board` is seen by whoever chooses next.
    ///
    /// The end condition is not looked at: [`Kernel::status`] says whether this position calls for a move at all.
    #[inline(always)]
    pub fn expand(&self, board: &B, seat: Seat, out: &mut Children<B>) {
        out.len = 0;
        let mut lanes = board.occupied() & self.own[seat.index()];
        while lanes != 0 {
            let lane = lanes.trailing_zeros() as usize;
            lanes &= lanes - 1;
            if self.min_seeds > 1 && board.get(lane) < self.min_seeds {
                continue;
            }
            if let Some(child) = self.play(board, lane, seat) {
                out.push(child);
            }
        }
        if self.feeding != Feeding::None {
            self.keep_what_feeds(board, seat, out);
        }
    }

    fn keep_what_feeds(&self, board: &B, seat: Seat, out: &mut Children<B>) {
        // `child.board` is seen by whoever chooses next; an endless move that ends the game kept the board in the mover's view.
        let leaves_nothing = |child: &Child<B>| match child.then {
            Then::Other => self.own_is_empty(&child.board, self.other(seat)),
            Then::Again | Then::Over => self.other_is_empty(&child.board, seat),
        };
        match self.feeding {
            Feeding::None => {}
            Feeding::MoverMust | Feeding::Rescue => {
                if self.other_is_empty(board, seat) {
                    out.retain(|child| !leaves_nothing(child));
                }
            }
            Feeding::LeaveAMove => {
                if out.iter().any(|child| !leaves_nothing(child)) {
                    out.retain(|child| !leaves_nothing(child));
                }
            }
        }
    }
}

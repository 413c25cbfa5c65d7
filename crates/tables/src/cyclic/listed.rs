//! Boards that no line expresses, worked out one by one: what their moves lead to is listed once and only looked up after that.

use lumbung_engine::kernel::{Children, Lanes, Seat, Status, Then};

use super::game::Game;
use crate::rows::pass_a::NONE;

/// Boards of a layer in work, and what their values follow from.
#[derive(Debug, Default)]
pub(super) struct Listed {
    /// For each board the best of what does not change any more, the end of the game and finished layers; [`NONE`] if there is nothing.
    known: Vec<i8>,
    /// For each board where its successors end; they start where those of the board before end.
    ends: Vec<usize>,
    /// Places in `W` of the successors in the layer, which the other player is to move on.
    successors: Vec<usize>,
}

impl Listed {
    /// Boards a thread works out at a time.
    pub(super) const BOARDS: usize = 1 << 9;

    /// Lists boards of layer `s`; `w` holds the finished layers.
    pub(super) fn new<B: Lanes>(game: &Game<B>, w: &[i8], s: usize, boards: impl Iterator<Item = B>) -> Self {
        let mut listed = Listed::default();
        let mut children = Children::new();
        for board in boards {
            let known = match game.kernel.status(&board, Seat::FIRST, &mut children) {
                Status::Over(settled) => settled as i8,
                Status::Pass => {
                    listed.successors.push(game.place(&board.swap()));
                    NONE
                }
                Status::ToMove => listed.moves(game, w, s, &children),
            };
            listed.known.push(known);
            listed.ends.push(listed.successors.len());
        }
        listed
    }

    /// Lists the successors of a board; the best of the others.
    fn moves<B: Lanes>(&mut self, game: &Game<B>, w: &[i8], s: usize, children: &Children<B>) -> i8 {
        children.iter().fold(NONE, |best, child| match child.then {
            Then::Over => best.max(child.gain as i8),
            _ if child.board.seeds() as usize != s => best.max(child.gain as i8 - w[game.place(&child.board)]),
            _ => {
                debug_assert_eq!(child.then, Then::Other, "without sown stores nobody moves again");
                self.successors.push(game.place(&child.board));
                best
            }
        })
    }

    /// The values of the boards, from `w` as it is now.
    pub(super) fn values(&self, w: &[i8]) -> impl Iterator<Item = i8> {
        let mut from = 0;
        self.known.iter().zip(&self.ends).map(move |(&known, &end)| {
            let successors = &self.successors[std::mem::replace(&mut from, end)..end];
            successors.iter().fold(known, |best, &at| best.max(-w[at]))
        })
    }
}

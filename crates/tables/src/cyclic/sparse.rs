//! The sparse finish: when few values still change, only those are followed up.
//!
//! Boards from which a move leads to a changed one are marked, then worked out again from all their moves; those that change are marked
//! in turn. It ends when nothing changes, and then every value is what its moves say: all others rest on values that have not changed
//! since they were worked out.
//!
//! What captures are worth is in the base of the layer. To look it up in the layers below once more would be to read them in no order,
//! which takes hours where they lie on disk.

use std::sync::atomic::{AtomicBool, Ordering};

use lumbung_engine::kernel::{Children, Lanes, Seat, Status, Then};
use rayon::prelude::*;

use super::game::Game;
use super::irregular;
use super::marks::Marks;
use super::unsow::Unsow;

/// Words of marks that a thread takes at a time.
const WORDS: usize = 1 << 8;

/// Words whose boards are worked out before values are written.
const PORTION: usize = 1 << 14;

/// Follows changes in layer `s` up until there are none. `changed`: the places in the layer that changed in the last sweep.
/// `base` is what is known of the layer from others. `None` if there is not enough memory.
pub(super) fn finish<B: Lanes>(
    game: &Game<B>,
    s: usize,
    w: &mut [i8],
    base: &[i8],
    changed: &Marks,
    irregular: impl Iterator<Item = usize>,
    stop: &AtomicBool,
) -> Option<()> {
    let start = game.splits.layer(s).start;
    let affected = Marks::new(game.splits.layer(s).len())?;
    irregular.for_each(|place| affected.set(place));
    loop {
        predecessors(game, s, changed, &affected);
        let mut any = false;
        for from in (0..affected.words()).step_by(PORTION) {
            if stop.load(Ordering::Relaxed) {
                return Some(());
            }
            let end = affected.words().min(from + PORTION);
            let found: Vec<(usize, i8)> = renewed(game, s, w, base, &affected, from..end);
            any |= !found.is_empty();
            for (place, value) in found {
                w[start + place] = value;
                changed.set(place);
            }
        }
        if !any {
            return Some(());
        }
    }
}

/// Marks the boards from which a move may lead to a changed one, whose marks are removed.
fn predecessors<B: Lanes>(game: &Game<B>, s: usize, changed: &Marks, affected: &Marks) {
    let start = game.splits.layer(s).start;
    portions(0..changed.words()).into_par_iter().for_each(|words| {
        let mut unsow = Unsow::new(game);
        for place in changed.take(words) {
            // The player who has just moved sees it so.
            let board = game.seen_by_the_other(s, start + place);
            unsow.before(&board, |before| affected.set(game.place(&before) - start));
        }
    });
}

/// The values that change of the marked boards of some words.
fn renewed<B: Lanes>(
    game: &Game<B>,
    s: usize,
    w: &[i8],
    base: &[i8],
    affected: &Marks,
    words: std::ops::Range<usize>,
) -> Vec<(usize, i8)> {
    let start = game.splits.layer(s).start;
    let found = portions(words).into_par_iter().map_init(Children::new, |children, words| {
        let mut found = Vec::new();
        for place in affected.take(words) {
            let board = game.seen_by_the_other(s, start + place).swap();
            let now = value(game, s, w, base, &board, children);
            debug_assert_eq!(now, irregular::value(game, w, &board));
            if now != w[start + place] {
                debug_assert!(now.unsigned_abs() > w[start + place].unsigned_abs());
                found.push((place, now));
            }
        }
        found
    });
    found.collect::<Vec<_>>().concat()
}

/// The value of a board of layer `s` from the base and from the layer.
fn value<B: Lanes>(game: &Game<B>, s: usize, w: &[i8], base: &[i8], board: &B, children: &mut Children<B>) -> i8 {
    let has_base = !board.row_is_empty(0) && !board.row_is_empty(1);
    if !has_base || game.kernel.status(board, Seat::FIRST, children) != Status::ToMove {
        return irregular::value(game, w, board);
    }
    let at = game.index.rank(board) - game.index.layer_start(s);
    children.iter().fold(base[at as usize], |best, child| match child.then {
        Then::Over => best.max(child.gain as i8),
        _ if child.board.seeds() as usize != s => best,
        Then::Again => best.max(w[game.place(&child.board)]),
        Then::Other => best.max(-w[game.place(&child.board)]),
    })
}

fn portions(words: std::ops::Range<usize>) -> Vec<std::ops::Range<usize>> {
    let end = words.end;
    words.step_by(WORDS).map(|from| from..end.min(from + WORDS)).collect()
}

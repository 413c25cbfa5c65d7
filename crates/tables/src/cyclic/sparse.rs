//! The sparse finish: when few values still change, only those are followed up.
//!
//! Boards that may change because a move leads to a changed one are marked, then worked out again from all their moves; those that change
//! are marked in turn. It ends when nothing changes, and then every value is what its moves say.
//!
//! A board need not be marked whose value stays what it is, whatever its other moves are worth. Values only move away from 0, so one
//! above 0 can only rise, and does when a move is worth more; and one of 0 or less can only fall or get above 0, and does not fall while a
//! move is worth as much. See [`may_change`].
//!
//! What captures are worth is in the base of the layer. To look it up in the layers below once more would be to read them in no order,
//! which takes hours where they lie on disk.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

use lumbung_engine::kernel::{Children, Lanes, Seat, Status, Then};
use rayon::prelude::*;

use super::game::Game;
use super::irregular;
use super::marks::Marks;
use super::unsow::Unsow;
use crate::rows::rank::Row;

/// Blocks of marks that a thread takes at a time.
const BLOCKS: usize = 4;

/// Words with marks, of at most 64 boards each, that are worked out before values are written, about.
const PORTION: u32 = 1 << 13;

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
        predecessors(game, s, w, changed, &affected);
        let mut any = false;
        let mut end = 0;
        while end < affected.blocks() {
            if stop.load(Ordering::Relaxed) {
                return Some(());
            }
            let (from, mut marked) = (end, 0);
            while end < affected.blocks() && marked < PORTION {
                marked += affected.marked_words(end);
                end += 1;
            }
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

/// Marks the boards that may change because a move may lead to a changed one. The marks of these are removed.
fn predecessors<B: Lanes>(game: &Game<B>, s: usize, w: &[i8], changed: &Marks, affected: &Marks) {
    let start = game.splits.layer(s).start;
    by_blocks(0..changed.blocks()).for_each_init(
        || (Boards::new(game, s), Unsow::new(game)),
        |(boards, unsow), blocks| {
            for place in changed.take(blocks) {
                // The player who has just moved sees it so.
                let board = boards.seen_by_the_other(place);
                let after = w[start + place];
                unsow.before(&board, |before| {
                    let at = game.place(&before);
                    if may_change(w[at], after) {
                        affected.set(at - start);
                    }
                });
            }
        },
    );
}

/// Whether a value may change when that of a successor has become `after`. All other successors that have changed since it was worked out are
/// looked at as well.
#[inline]
fn may_change(value: i8, after: i8) -> bool {
    let worth = -after;
    if worth > 0 { value < worth } else { value <= 0 && value > worth }
}

/// The values that change of the marked boards of some blocks.
fn renewed<B: Lanes>(
    game: &Game<B>,
    s: usize,
    w: &[i8],
    base: &[i8],
    affected: &Marks,
    blocks: Range<usize>,
) -> Vec<(usize, i8)> {
    let start = game.splits.layer(s).start;
    let new = || (Boards::new(game, s), Children::new());
    let found = by_blocks(blocks).map_init(new, |(boards, children), blocks| {
        let mut found = Vec::new();
        for place in affected.take(blocks) {
            let board = boards.seen_by_the_other(place).swap();
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

fn by_blocks(blocks: Range<usize>) -> impl IndexedParallelIterator<Item = Range<usize>> {
    let (end, portions) = (blocks.end, blocks.len().div_ceil(BLOCKS));
    (0..portions).into_par_iter().with_max_len(16).map(move |portion| {
        let from = blocks.start + portion * BLOCKS;
        from..end.min(from + BLOCKS)
    })
}

/// The boards of a layer by their places in it. Those of a split are found faster one after the other.
struct Boards<'g, B> {
    game: &'g Game<B>,
    s: usize,
    /// Places of the split of the last one.
    split: Range<usize>,
    /// The rows that are lines of the split, and columns.
    rows: [&'g [Row]; 2],
}

impl<'g, B: Lanes> Boards<'g, B> {
    fn new(game: &'g Game<B>, s: usize) -> Self {
        Boards { game, s, split: 0..0, rows: [&[], &[]] }
    }

    /// The board of a place, as the player sees it who is not to move.
    #[inline]
    fn seen_by_the_other(&mut self, place: usize) -> B {
        if !self.split.contains(&place) {
            self.find_split(place);
        }
        let (place, [lines, columns]) = (place - self.split.start, self.rows);
        self.game.board(&lines[place / columns.len()], &columns[place % columns.len()])
    }

    fn find_split(&mut self, place: usize) {
        let (splits, rows, s) = (&self.game.splits, &self.game.lists.rows, self.s);
        let start = splits.layer(s).start;
        let ends = |a: usize| splits.start(s, a) - start + splits.len(s, a);
        let a = (0..s).find(|&a| place < ends(a)).unwrap_or(s);
        self.split = ends(a) - splits.len(s, a)..ends(a);
        self.rows = [rows.with_sum(a), rows.with_sum(s - a)];
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The best of two moves, one of which becomes worth something else in a way that a value can change.
    #[test]
    fn what_changes_may_change() {
        let mut changes = 0;
        for (other, old, after) in (-4..=4).flat_map(|o| (-4..=4).flat_map(move |b| (-4..=4).map(move |a: i8| (o, b, a)))) {
            let away_from_0 = after.abs() > i8::abs(old) && after * old >= 0;
            let (value, new) = (i8::max(other, -old), i8::max(other, -after));
            if away_from_0 && new != value {
                assert!(may_change(value, after), "{other}: {old} becomes {after}");
                changes += 1;
            }
        }
        assert!(changes > 0);
        // Another move is worth more; another move is worth as much.
        assert!(!may_change(3, -2) && !may_change(2, 1) && !may_change(-2, 2));
    }
}

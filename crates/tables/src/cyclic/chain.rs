//! Chains of moves at home, in one pass.
//!
//! A move at home raises the rank of its row, so with `x` from the last row to the first
//!
//! * the values with `x` to move follow from those with `y` to move against later rows: line by line, all `y` at once;
//! * the values with `y` to move against `x` follow from those with `x` to move, just found: through the edges of the `y`.
//!
//! *Threads.* Rows that agree in their first pits lie together. A move at home from one of those pits leads to rows where that pit is
//! empty (or keeps the seed that went back into it), which are the last ones of the block where the pits before it agree. So a block is
//! worked out from its tail, where the next pit is empty, and then all other values of that pit at once.

use std::cell::RefCell;
use std::sync::atomic::{AtomicUsize, Ordering};

use rayon::prelude::*;

use super::game::Core;
use super::home::home_move;
use super::irregular::Irregular;
use super::marks::{Marks, settle};
use crate::index::choose;
use crate::rows::pass_a::NONE;
use crate::rows::pass_b::raise_all;
use crate::rows::runs::{Runs, Then};
use crate::rows::transpose::{Shape, transpose};

/// Lines that are transposed at a time.
const PANEL: usize = 64;
/// A block of no more values is one thread's work, whatever the others do.
const SERIAL: usize = 1 << 17;
/// Blocks that the lines of a pair are cut into for each thread, at most, if there are several threads.
const BLOCKS_A_THREAD: usize = 8;

/// A pair of splits whose moves at home are to be followed.
pub(super) struct Chain<'c> {
    game: &'c Core,
    a: usize,
    b: usize,
    columns: usize,
    lines: usize,
    edges: &'c Runs,
    /// Lines `y`, columns `x`, `y` to move.
    v_b: &'c [i8],
    singletons: [Box<[u32]>; 2],
    /// A block of no more values is one thread's work.
    serial: usize,
    irregular: &'c Irregular,
    marks: (Option<&'c Marks>, usize),
    /// Cells without a move are to be found.
    first: bool,
    changed: AtomicUsize,
}

/// Finished lines of `W` after a block.
#[derive(Clone, Copy)]
struct Later<'l> {
    from: usize,
    lines: &'l [i8],
    after: Option<&'l Later<'l>>,
}

/// Lines from one rank on, which agree in their first pits.
struct Block<'b> {
    from: usize,
    /// The first pit that they need not agree in.
    pit: usize,
    /// Seeds in that pit and those after it.
    seeds: usize,
    /// `x` to move.
    v: &'b mut [i8],
    /// `y` to move.
    w: &'b mut [i8],
}

thread_local! {
    static LINES: RefCell<Vec<i8>> = const { RefCell::new(Vec::new()) };
}

impl<'c> Chain<'c> {
    /// Splits `a` and `s - a`; `marks` with the place of the first value of `W`.
    pub(super) fn new(
        game: &'c Core,
        s: usize,
        a: usize,
        v_b: &'c [i8],
        irregular: &'c Irregular,
        marks: (Option<&'c Marks>, usize),
        first: bool,
    ) -> Self {
        let rows = &game.lists.rows;
        // Small blocks are dear, so a single thread takes all lines as one.
        let threads = rayon::current_num_threads();
        let portion = if threads == 1 { v_b.len() } else { v_b.len() / (BLOCKS_A_THREAD * threads) };
        Chain {
            game,
            a,
            b: s - a,
            columns: rows.count(s - a),
            lines: rows.count(a),
            edges: game.edges(s - a),
            v_b,
            singletons: [game.over.singletons(rows, a), game.over.singletons(rows, s - a)],
            serial: game.tuning.serial.unwrap_or(portion.max(SERIAL)),
            irregular,
            marks,
            first,
            changed: AtomicUsize::new(0),
        }
    }

    /// Finishes both matrices: lines `x`, columns `y`, `v` with `x` to move and filled by crossing moves, `w` with `y` to move.
    pub(super) fn follow(&self, v: &mut [i8], w: &mut [i8]) {
        self.block(Block { from: 0, pit: 0, seeds: self.a, v, w }, None);
    }

    /// Values of `w` that changed.
    pub(super) fn changed(&self) -> usize {
        self.changed.load(Ordering::Relaxed)
    }

    fn block(&self, block: Block, later: Option<&Later>) {
        let pits_after = self.game.lists.rows.pits().saturating_sub(1 + block.pit);
        if pits_after == 0 || block.seeds == 0 || block.w.len() <= self.serial {
            return self.one_by_one(block, later);
        }
        let Block { from, pit, seeds, v, w } = block;
        let kept = self.game.kept;
        // Rows with so many seeds in the pit; they follow each other, more seeds first.
        let count = |lifted: usize| {
            let (free, left) = (pits_after as u64, (seeds - lifted) as u64);
            choose(left + free - 1, free - 1).unwrap_or(0) as usize
        };
        let heads: usize = (kept + 1..=seeds).map(count).sum();
        let (v_heads, v_tail) = v.split_at_mut(heads * self.columns);
        let (w_heads, w_tail) = w.split_at_mut(heads * self.columns);
        let sizes = |held: &[usize]| held.iter().map(|&held| (count(held), seeds - held)).collect::<Vec<_>>();
        let tail: Vec<usize> = (0..=kept.min(seeds)).rev().collect();
        let held: Vec<usize> = (kept + 1..=seeds).rev().collect();
        let tails: Vec<Block> = cut((from + heads, pit + 1), sizes(&tail), self.columns, v_tail, &mut *w_tail);
        tails.into_par_iter().with_max_len(1).for_each(|block| self.block(block, later));
        let later = Later { from: from + heads, lines: w_tail, after: later };
        let blocks: Vec<Block> = cut((from, pit + 1), sizes(&held), self.columns, v_heads, w_heads);
        blocks.into_par_iter().with_max_len(1).for_each(|block| self.block(block, Some(&later)));
    }

    fn one_by_one(&self, block: Block, later: Option<&Later>) {
        let Block { from, v, w, .. } = block;
        let (columns, lines) = (self.columns, w.len() / self.columns);
        let mut changed = 0;
        let mut panel = LINES.take();
        panel.resize(PANEL * columns, 0);
        for first in (0..lines).step_by(PANEL).rev() {
            let end = lines.min(first + PANEL);
            let shape = Shape { lines: columns, columns: end - first, stride: self.lines, stride_to: columns };
            transpose(&self.v_b[from + first..], &mut panel, shape);
            for line in (first..end).rev() {
                let x = from + line;
                let (w_line, w_later) = w[line * columns..].split_at_mut(columns);
                let v_line = &mut v[line * columns..][..columns];
                let row = &self.game.lists.rows.with_sum(self.a)[x];
                for pit in 0..self.game.lists.rows.pits() {
                    let Some(after) = home_move(&self.game.lists, row, pit) else { continue };
                    let rank = self.game.lists.rows.rank(&after);
                    let found = if rank < from + lines {
                        &w_later[(rank - x - 1) * columns..][..columns]
                    } else {
                        Later::line(later, rank, columns)
                    };
                    raise_all(v_line, found);
                }
                self.finish(0, x, v_line);
                let new = &mut panel[(line - first) * columns..][..columns];
                self.edges.raise(new, v_line, 0, Then::Other);
                self.finish(1, x, new);
                changed += settle(w_line, new, self.marks.1 + x * columns, self.marks.0);
            }
        }
        LINES.set(panel);
        self.changed.fetch_add(changed, Ordering::Relaxed);
    }

    /// What moves do not tell of line `x`; `side` 0: `x` to move, 1: `y` to move.
    fn finish(&self, side: usize, x: usize, values: &mut [i8]) {
        if self.singletons[0].binary_search(&(x as u32)).is_ok() {
            let (own, other) = if side == 0 { (self.a, self.b) } else { (self.b, self.a) };
            let settlement = self.game.over.settlement(own, other);
            self.singletons[1].iter().for_each(|&rank| values[rank as usize] = settlement);
        }
        if !self.game.may_lack_moves {
            return;
        }
        for cell in self.irregular.line(side, x) {
            values[cell.y as usize] = cell.value;
        }
        if self.first && values.contains(&NONE) {
            for (y, value) in values.iter_mut().enumerate().filter(|(_, value)| **value == NONE) {
                self.irregular.add(side, x, y);
                *value = 0;
            }
        }
    }
}

/// Cuts lines from rank `at.0` on into blocks that need not agree from pit `at.1` on, of so many lines and seeds.
fn cut<'b>(
    at: (usize, usize),
    sizes: Vec<(usize, usize)>,
    columns: usize,
    mut v: &'b mut [i8],
    mut w: &'b mut [i8],
) -> Vec<Block<'b>> {
    let (mut from, pit) = at;
    let mut blocks = Vec::new();
    for (lines, seeds) in sizes {
        let (v_first, v_rest) = v.split_at_mut(lines * columns);
        let (w_first, w_rest) = w.split_at_mut(lines * columns);
        blocks.push(Block { from, pit, seeds, v: v_first, w: w_first });
        from += lines;
        (v, w) = (v_rest, w_rest);
    }
    blocks
}

impl<'l> Later<'l> {
    /// The line of a rank.
    #[inline]
    fn line(later: Option<&Later<'l>>, rank: usize, columns: usize) -> &'l [i8] {
        let mut at = later;
        while let Some(later) = at {
            if rank < later.from + later.lines.len() / columns {
                return &later.lines[(rank - later.from) * columns..][..columns];
            }
            at = later.after;
        }
        unreachable!("a move at home leads to a row that is finished")
    }
}

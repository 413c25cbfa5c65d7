//! A sweep: every value of a layer worked out again, pair of splits by pair of splits.
//!
//! Let `x` be the rows of sum `a` and `y` those of sum `b = s - a >= a`, and either player to move. First all moves that cross into the
//! other row are followed, from `W` as it is: line by line, for `x` to move against all `y` and for `y` to move against all `x`. Then
//! moves at home, which tie the values of the pair to each other and are followed in one pass: see [`super::chain`].
//!
//! A move of `x` that crosses leads to splits whose owner of more seeds than `b` is to move. So with `a` rising those splits have
//! been worked out before in the same sweep.

use std::sync::atomic::{AtomicBool, Ordering};

use lumbung_engine::kernel::Lanes;
use rayon::prelude::*;

use super::base::raise;
use super::chain::Chain;
use super::game::{Core, Game};
use super::irregular::{Irregular, value};
use super::marks::{Marks, settle};
use super::moves::{Moves, Want};
use crate::rows::transpose::{Shape, transpose};

/// Lines taken at a time.
const CHUNK: usize = 64;

/// A layer in work.
pub(super) struct Layer<'l, B> {
    pub(super) game: &'l Game<B>,
    pub(super) s: usize,
    /// All layers up to this one.
    pub(super) w: &'l mut [i8],
    /// What is known of this layer from others, in the order of the index.
    pub(super) base: &'l [i8],
    /// Two matrices of any pair, with any content.
    pub(super) scratch: [&'l mut [i8]; 2],
    /// By pair.
    pub(super) irregular: Vec<Irregular>,
    pub(super) marks: Marks,
    pub(super) stop: &'l AtomicBool,
    /// Sweeps done.
    pub(super) sweeps: usize,
}

impl<B: Lanes> Layer<'_, B> {
    /// Works out every value again; how many changed. Marks them if `mark`.
    pub(super) fn sweep(&mut self, mark: bool) -> usize {
        self.marks.clear();
        let mut changed = self.with_an_empty_row(mark);
        for a in 1..=self.s / 2 {
            if self.stop.load(Ordering::Relaxed) {
                return 0;
            }
            changed += self.pair(a, mark);
        }
        for a in 1..=self.s / 2 {
            changed += self.irregular[a].renew(self.game, self.w, self.s, a);
        }
        self.sweeps += 1;
        changed
    }

    /// Boards with an empty row, one by one: feeding rules make each a case of its own, and they are few.
    fn with_an_empty_row(&mut self, mark: bool) -> usize {
        let (game, s) = (self.game, self.s);
        let mut changed = 0;
        // The player to move owns no seed, or all of them.
        for (split, own) in [(s, 0), (0, s)].into_iter().take(if s == 0 { 1 } else { 2 }) {
            if self.sweeps > 0 && game.over.split(own, s - own).is_some() {
                continue;
            }
            let from = game.splits.start(s, split);
            let len = game.splits.len(s, split);
            let mut new = vec![0; len];
            let w = &*self.w;
            new.par_chunks_mut(CHUNK * 8).enumerate().for_each(|(chunk, new)| {
                let mut board = game.seen_by_the_other(s, from + chunk * CHUNK * 8);
                for new in new {
                    *new = value(game, w, &board.swap());
                    game.index.advance(&mut board);
                }
            });
            let marks = mark.then_some(&self.marks);
            changed += settle(&mut self.w[from..from + len], &new, from - game.splits.layer(s).start, marks);
        }
        changed
    }

    fn pair(&mut self, a: usize, mark: bool) -> usize {
        let (game, s, b) = (self.game, self.s, self.s - a);
        let rows = &game.lists.rows;
        let (na, nb) = (rows.count(a), rows.count(b));
        let layer = game.splits.layer(s).start;
        let marks = mark.then_some(&self.marks);
        if let (Some(of_x), Some(of_y)) = (game.over.split(a, b), game.over.split(b, a)) {
            // The rows of sum `a` are the lines of split `a`, where the player with the other row is to move.
            if self.sweeps == 0 {
                self.w[game.splits.start(s, a)..][..na * nb].fill(of_y);
                self.w[game.splits.start(s, b)..][..na * nb].fill(of_x);
            }
            return 0;
        }
        let [v_a, v_b] = &mut self.scratch;
        let (v_a, v_b) = (&mut v_a[..na * nb], &mut v_b[..na * nb]);
        let (w, base) = (&*self.w, self.base);
        if a == b {
            crossing(game, w, base, s, a, v_a);
            v_b.copy_from_slice(v_a);
        } else {
            rayon::join(|| crossing(game, w, base, s, a, v_a), || crossing(game, w, base, s, b, v_b));
        }
        let first = game.splits.start(s, a);
        let chain = Chain::new(game, s, a, v_b, &self.irregular[a], (marks, first - layer), self.sweeps == 0);
        chain.follow(v_a, &mut self.w[first..][..na * nb]);
        let changed = chain.changed();
        if a == b {
            return changed;
        }
        // To the other order.
        let first = game.splits.start(s, b);
        let w_b = &mut self.w[first..][..na * nb];
        let v_a = &*v_a;
        let settled = w_b.par_chunks_mut(CHUNK * na).enumerate().map_init(Vec::new, |panel, (chunk, lines)| {
            panel.resize(lines.len(), 0);
            let shape = Shape { lines: na, columns: lines.len() / na, stride: nb, stride_to: na };
            transpose(&v_a[chunk * CHUNK..], panel, shape);
            settle(lines, panel, first - layer + chunk * CHUNK * na, marks)
        });
        changed + settled.sum::<usize>()
    }
}

/// Fills the lines of split `own` with the best of what is known and of the moves that cross.
fn crossing(game: &Core, w: &[i8], base: &[i8], s: usize, own: usize, v: &mut [i8]) {
    let rows = &game.lists.rows;
    let columns = rows.count(s - own);
    let base = &base[game.splits.start(s, own) - game.splits.layer(s).start..][..v.len()];
    // Short lines in larger portions.
    let chunk_lines = CHUNK.max((1 << 15) / columns);
    v.par_chunks_mut(chunk_lines * columns).zip(base.par_chunks(chunk_lines * columns)).enumerate().for_each(
        |(chunk, (lines, base))| {
            let mut moves = Moves::new(game, s, own, Want::Layer);
            let rows = &rows.with_sum(own)[chunk * chunk_lines..];
            let lines = lines.chunks_exact_mut(columns).zip(base.chunks_exact(columns));
            for (row, (values, base)) in rows.iter().zip(lines) {
                values.copy_from_slice(base);
                moves.find(row);
                moves.steps.iter().for_each(|step| raise(step, w, values));
            }
        },
    );
}

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
use super::irregular::Irregular;
use super::kept::{Kept, Room};
use super::listed::Listed;
use super::marks::{Marks, settle};
use super::moves::{Moves, Want};
use crate::rows::transpose::{Shape, transpose};

/// Lines that are transposed at a time, at least.
const CHUNK: usize = 64;
/// Values that a thread works out at a time, about.
const PORTION: usize = 1 << 16;

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
    /// Boards with an empty row where the player to move owns no seed, and where she owns all of them; listed by the first sweep.
    pub(super) empty: [Vec<Listed>; 2],
    /// The moves that cross, by split; found by the first sweep.
    pub(super) kept: Vec<Vec<Option<Kept<'l>>>>,
    pub(super) room: Room,
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
        if mark {
            self.marks.clear();
        }
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
        let layer = game.splits.layer(s).start;
        let mut changed = 0;
        // The player to move owns no seed, or all of them.
        for (side, (split, own)) in [(s, 0), (0, s)].into_iter().take(if s == 0 { 1 } else { 2 }).enumerate() {
            let (from, len) = (game.splits.start(s, split), game.splits.len(s, split));
            if self.sweeps == 0 {
                let chunks = (0..len).into_par_iter().step_by(Listed::BOARDS);
                let listed = chunks.map(|first| {
                    let mut next = game.seen_by_the_other(s, from + first);
                    let boards = (first..len.min(first + Listed::BOARDS)).map(|_| {
                        let board = next.swap();
                        game.index.advance(&mut next);
                        board
                    });
                    Listed::new(game, self.w, s, boards)
                });
                self.empty[side] = listed.collect();
            } else if game.over.split(own, s - own).is_some() {
                continue;
            }
            let values = self.empty[side].par_iter().flat_map_iter(|listed| listed.values(self.w));
            let new: Vec<i8> = values.collect();
            let marks = mark.then_some(&self.marks);
            changed += settle(&mut self.w[from..from + len], &new, from - layer, marks);
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
        let (w, base, kept, room) = (&*self.w, self.base, &mut self.kept, &self.room);
        if a == b {
            crossing((&game.core, s, a), w, base, v_a, &mut kept[a], room);
            v_b.par_chunks_mut(PORTION).zip(v_a.par_chunks(PORTION)).for_each(|(to, from)| to.copy_from_slice(from));
        } else {
            let (kept_a, kept_b) = kept.split_at_mut(b);
            let of_a = || crossing((&game.core, s, a), w, base, v_a, &mut kept_a[a], room);
            rayon::join(of_a, || crossing((&game.core, s, b), w, base, v_b, &mut kept_b[0], room));
        }
        let first = game.splits.start(s, a);
        let chain = Chain::new(game, s, a, v_b, &self.irregular[a], (marks, first - layer), self.sweeps == 0);
        let changed = chain.follow(v_a, &mut self.w[first..][..na * nb]);
        if a == b {
            return changed;
        }
        // To the other order.
        let first = game.splits.start(s, b);
        let w_b = &mut self.w[first..][..na * nb];
        let v_a = &*v_a;
        let at_once = CHUNK.max(PORTION / na);
        let chunks = w_b.par_chunks_mut(at_once * na).enumerate().with_max_len(1);
        let settled = chunks.map_init(Vec::new, |panel, (chunk, lines)| {
            panel.resize(lines.len(), 0);
            let shape = Shape { lines: na, columns: lines.len() / na, stride: nb, stride_to: na };
            transpose(&v_a[chunk * at_once..], panel, shape);
            settle(lines, panel, first - layer + chunk * at_once * na, marks)
        });
        changed + settled.sum::<usize>()
    }
}

/// Fills the lines of split `own` with the best of what is known and of the moves that cross, which are kept if there is room.
fn crossing<'g>(
    at: (&'g Core, usize, usize),
    w: &[i8],
    base: &[i8],
    v: &mut [i8],
    kept: &mut Vec<Option<Kept<'g>>>,
    room: &Room,
) {
    let (game, s, own) = at;
    let columns = game.lists.rows.count(s - own);
    let base = &base[game.splits.start(s, own) - game.splits.layer(s).start..][..v.len()];
    let at_once = (PORTION / columns).max(1);
    let first = kept.is_empty();
    kept.resize_with(v.len().div_ceil(at_once * columns), || None);
    let chunks = v.par_chunks_mut(at_once * columns).zip(base.par_chunks(at_once * columns)).zip(kept);
    chunks.enumerate().with_max_len(1).for_each(|(chunk, ((lines, base), kept))| {
        lines.copy_from_slice(base);
        let lines = lines.chunks_exact_mut(columns);
        if let Some(kept) = kept {
            return kept.raise(w, lines);
        }
        let mut keep = (first && room.is_left()).then(Kept::default);
        let mut moves = Moves::new(game, s, own, Want::Layer);
        for (row, values) in game.lists.rows.with_sum(own)[chunk * at_once..].iter().zip(lines) {
            moves.find(row);
            moves.steps.iter().for_each(|step| raise(step, w, values));
            keep = keep.and_then(|mut keep| keep.keep(&moves.steps).map(|()| keep));
        }
        *kept = keep.and_then(|keep| room.take(keep));
    });
}

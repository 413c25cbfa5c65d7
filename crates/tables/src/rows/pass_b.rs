//! Pass B: quiet moves, which stay in the layer.
//!
//! Take the splits of a layer in pairs: `x` the rows of sum `a`, `y` those of sum `b = s - a >= a`, and either player to move. A quiet
//! move of `x` leads to a board where the player with row `y` is to move against a row of higher rank than `x`; one of hers leads to
//! a row of higher rank than `y`. So with `x` from the last row to the first,
//!
//! * the values with `x` to move follow from those with `y` to move against later rows: line by line, all `y` at once;
//! * the values with `y` to move against `x` follow from those with `x` to move, just found: through the edge lists of the `y`.
//!
//! No recursion, no marks, and every value is final when it is written.

use std::sync::atomic::{AtomicBool, Ordering};

use super::Game;
use super::pass_a::{Lines, NONE};
use super::quiet::quiet_move;
use super::rank::Row;
use super::runs::Then;
use super::transpose::{Shape, transpose};
use multiversion::multiversion;

/// Lines that are transposed at a time.
const PANEL: usize = 64;

/// The matrices of a pair of splits.
pub(super) struct Pair<'p> {
    /// The lesser sum.
    pub(super) a: usize,
    /// The other sum.
    pub(super) b: usize,
    /// How pass A fills what it finds for `y` to move: in the order of `V` into `v_b`, or in that of `W` into `w_a`, or into `v_b`
    /// as long as there is no `w_a`.
    pub(super) b_lines: Lines,
    /// `V` of split `a`: lines `x`, columns `y`, `x` to move.
    pub(super) v_a: &'p mut [i8],
    /// `W` of split `a`: lines `x`, columns `y`, `y` to move. `None` only as long as no memory has been found for it.
    pub(super) w_a: Option<&'p mut [i8]>,
    /// `V` of split `b`: lines `y`, columns `x`, `y` to move. `None` if the splits are one.
    pub(super) v_b: Option<&'p mut [i8]>,
    /// `W` of split `b`: lines `y`, columns `x`, `x` to move. `None` if the splits are one, or it is not wanted.
    pub(super) w_b: Option<&'p mut [i8]>,
}

impl<'p> Pair<'p> {
    /// What pass A has to fill: seeds in the mover's row, whose rows the lines are, and the matrix.
    pub(super) fn unfilled(&mut self) -> Vec<(usize, Lines, &mut [i8])> {
        let into_w = self.b_lines == Lines::Other;
        let w_a = self.w_a.as_deref_mut().filter(|_| into_w);
        let of_b = self.v_b.as_deref_mut().map(|v_b| (self.b, self.b_lines, w_a.unwrap_or(v_b)));
        std::iter::once((self.a, Lines::Mover, &mut *self.v_a)).chain(of_b).collect()
    }

    /// The pair with a matrix for the `w_a` that it lacks.
    pub(super) fn with_scratch<'s>(self, w_a: &'s mut [i8]) -> Pair<'s>
    where
        'p: 's,
    {
        if let (Lines::Other, Some(v_b)) = (self.b_lines, &self.v_b) {
            w_a.copy_from_slice(v_b);
        }
        Pair { w_a: Some(w_a), ..self }
    }
}

/// Finishes a pair of splits, or gives up when `stop` is set.
pub(super) fn pass_b(game: &Game, mut pair: Pair, stop: &AtomicBool) {
    let Some(w_a) = pair.w_a else { return };
    let rows = &game.lists.rows;
    let (a, b) = (pair.a, pair.b);
    let (lines, columns) = (rows.count(a), rows.count(b));
    let into_w = |from: usize, to: usize| Shape { lines: columns, columns: to - from, stride: lines, stride_to: columns };
    let out_of_panel = |from: usize, to: usize| Shape { lines: to - from, columns, stride: columns, stride_to: lines };
    if pair.v_b.is_none() {
        transpose(pair.v_a, w_a, into_w(0, lines));
    }
    let pass = PassB::new(game, a, b);
    for from in (0..lines).step_by(PANEL).rev() {
        if stop.load(Ordering::Relaxed) {
            return;
        }
        let to = lines.min(from + PANEL);
        if let (Lines::Mover, Some(v_b)) = (pair.b_lines, &pair.v_b) {
            transpose(&v_b[from..], &mut w_a[from * columns..], into_w(from, to));
        }
        for x in (from..to).rev() {
            let (w, later) = w_a[x * columns..].split_at_mut(columns);
            pass.line(x, &mut pair.v_a[x * columns..][..columns], w, later);
        }
        if let Some(v_b) = &mut pair.v_b {
            transpose(&w_a[from * columns..to * columns], &mut v_b[from..], out_of_panel(from, to));
        }
        if let Some(w_b) = &mut pair.w_b {
            transpose(&pair.v_a[from * columns..to * columns], &mut w_b[from..], out_of_panel(from, to));
        }
    }
}

/// What all lines of a pair share.
struct PassB<'g> {
    game: &'g Game,
    a: usize,
    b: usize,
    /// The game is over with `x` to move, and with `y` to move.
    over: [bool; 2],
    singletons: [Box<[u32]>; 2],
    /// Some player may have no legal move.
    may_lack: bool,
    /// The quiet moves of the `y` are worth listing.
    by_edges: bool,
}

impl<'g> PassB<'g> {
    fn new(game: &'g Game, a: usize, b: usize) -> Self {
        let rows = &game.lists.rows;
        PassB {
            game,
            a,
            b,
            over: [game.over.split(a, b).is_some(), game.over.split(b, a).is_some()],
            singletons: [game.over.singletons(rows, a), game.over.singletons(rows, b)],
            may_lack: a == 0 || game.may_lack_moves,
            by_edges: game.lines_against(b) >= game.least_edges,
        }
    }

    /// Finishes line `x`: `v` its values with `x` to move, `w` those with `y` to move, `later` the finished lines of `W` after it.
    fn line(&self, x: usize, v: &mut [i8], w: &mut [i8], later: &[i8]) {
        let game = self.game;
        let row = &game.lists.rows.with_sum(self.a)[x];
        let ends = self.singletons[0].binary_search(&(x as u32)).is_ok();
        if !self.over[0] {
            self.moves_of_x(x, v, later);
            if ends {
                self.end_by_singletons(v, self.a, self.b);
            }
        }
        if self.may_lack && !self.over[0] && v.contains(&NONE) {
            self.by_turns(row, v, w);
        } else if !self.over[1] {
            self.moves_of_y(row, v, w);
            if self.may_lack {
                self.without_a_move_of_y(v, w);
            }
        }
        if ends && !self.over[1] {
            self.end_by_singletons(w, self.b, self.a);
        }
    }

    fn moves_of_x(&self, x: usize, v: &mut [i8], later: &[i8]) {
        let game = self.game;
        for pit in 0..game.lists.rows.pits() {
            let Some(quiet) = quiet_move(&game.lists, self.a, x, pit, self.b == 0) else { continue };
            let after = &later[(quiet.rank - x - 1) * v.len()..][..v.len()];
            match quiet.needs_empty {
                None => raise_all(v, after),
                Some(pit) => raise_where(v, after, game.quiet.mask(&game.lists, self.b, pit)),
            }
        }
    }

    fn moves_of_y(&self, row: &Row, v: &[i8], w: &mut [i8]) {
        let game = self.game;
        if self.a == 0 && game.over.must_feed() {
            return;
        }
        if !self.by_edges {
            return self.moves_of_y_alone(row, v, w);
        }
        let edges = game.quiet.edges(&game.lists, self.b, self.a == 0);
        edges.always.raise(w, v, 0, Then::Other);
        for (pit, runs) in edges.if_empty.iter().enumerate() {
            if row[pit] == 0 && !runs.is_empty() {
                runs.raise(w, v, 0, Then::Other);
            }
        }
    }

    fn moves_of_y_alone(&self, row: &Row, v: &[i8], w: &mut [i8]) {
        let lists = &self.game.lists;
        for (y, value) in w.iter_mut().enumerate() {
            for pit in 0..lists.rows.pits() {
                let quiet = quiet_move(lists, self.b, y, pit, self.a == 0);
                let legal = quiet.filter(|quiet| quiet.needs_empty.is_none_or(|pit| row[pit] == 0));
                *value = legal.map_or(*value, |quiet| (-v[quiet.rank]).max(*value));
            }
        }
    }

    fn end_by_singletons(&self, values: &mut [i8], own: usize, other: usize) {
        let settlement = self.game.over.settlement(own, other);
        for &rank in &self.singletons[1] {
            values[rank as usize] = settlement;
        }
    }

    /// Settles what is left with `y` to move and no legal move, every value with `x` to move being known and stemming from a move,
    /// unless the game is over with `x` to move.
    fn without_a_move_of_y(&self, v: &[i8], w: &mut [i8]) {
        let over = &self.game.over;
        let settlement = over.settlement(self.b, self.a);
        let passes = over.may_pass(self.b) && !self.over[0];
        for (w, &v) in w.iter_mut().zip(v) {
            if *w == NONE {
                *w = if passes { -v } else { settlement };
            }
        }
    }

    /// Finishes a line where somebody has no legal move. Passing ties a value with `x` to move to that with `y` to move on the same
    /// board, so the two lines are filled side by side, `y` from the last row to the first.
    fn by_turns(&self, row: &Row, v: &mut [i8], w: &mut [i8]) {
        let (game, facing_nothing) = (self.game, self.a == 0);
        let rows = &game.lists.rows;
        let pass = [game.over.may_pass(self.a), game.over.may_pass(self.b)];
        let settled = [game.over.settlement(self.a, self.b), game.over.settlement(self.b, self.a)];
        for y in (0..rows.count(self.b)).rev() {
            let (found, mut answer) = (v[y], w[y]);
            if !(self.over[1] || facing_nothing && game.over.must_feed()) {
                for pit in 0..rows.pits() {
                    if let Some(quiet) = quiet_move(&game.lists, self.b, y, pit, facing_nothing)
                        && quiet.needs_empty.is_none_or(|pit| row[pit] == 0)
                    {
                        answer = answer.max(-v[quiet.rank]);
                    }
                }
            }
            if found == NONE {
                v[y] = if pass[0] && answer != NONE { -answer } else { settled[0] };
            }
            w[y] = match answer {
                NONE if pass[1] && found != NONE => -found,
                NONE => settled[1],
                value => value,
            };
        }
    }
}

/// Raises each value to the negative of the one found.
#[multiversion(targets("x86_64+avx+avx2+bmi1+bmi2+fma+popcnt", "x86_64+sse3+ssse3+sse4.1"))]
pub(crate) fn raise_all(values: &mut [i8], found: &[i8]) {
    for (value, &found) in values.iter_mut().zip(found) {
        *value = (*value).max(found.wrapping_neg());
    }
}

/// Raises each value to the negative of the one found where the mask is open.
#[multiversion(targets("x86_64+avx+avx2+bmi1+bmi2+fma+popcnt", "x86_64+sse3+ssse3+sse4.1"))]
fn raise_where(values: &mut [i8], found: &[i8], mask: &[i8]) {
    for ((value, &found), &mask) in values.iter_mut().zip(found).zip(mask) {
        *value = (*value).max(found.wrapping_neg().min(mask));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lumbung_engine::rules::preset;

    #[test]
    fn quiet_moves_are_answered_from_the_other_side() {
        let game = Game::new(&preset("dakon").unwrap().rules, 2, 3, usize::MAX).unwrap();
        // Layer 1 after pass A: a mover without seeds has lost the last one; with the seed in her second pit she has stored it.
        let (mut v_a, mut v_b) = ([-1, -1], [NONE, 1]);
        let (mut w_a, mut w_b) = ([0; 2], [0; 2]);
        let pair = Pair {
            a: 0,
            b: 1,
            b_lines: Lines::Mover,
            v_a: &mut v_a,
            w_a: Some(&mut w_a),
            v_b: Some(&mut v_b),
            w_b: Some(&mut w_b),
        };
        pass_b(&game, pair, &AtomicBool::new(false));
        // With it in her first pit she moves it on, and the other player has no seed to move.
        assert_eq!((v_b, w_a), ([1, 1], [1, 1]));
        assert_eq!((v_a, w_b), ([-1, -1], [-1, -1]));
    }

    #[test]
    fn players_without_seeds_pass_by_turns() {
        // Sungka: the player without seeds passes, until both rows are empty.
        let game = Game::new(&preset("sungka").unwrap().rules, 2, 3, usize::MAX).unwrap();
        let (mut v_a, mut v_b) = ([NONE, NONE], [NONE, 1]);
        let mut w_a = [0; 2];
        let pair = Pair { a: 0, b: 1, b_lines: Lines::Mover, v_a: &mut v_a, w_a: Some(&mut w_a), v_b: Some(&mut v_b), w_b: None };
        pass_b(&game, pair, &AtomicBool::new(false));
        assert_eq!((v_a, v_b, w_a), ([-1, -1], [1, 1], [1, 1]));
    }

    #[test]
    fn nothing_is_done_after_a_stop() {
        let game = Game::new(&preset("dakon").unwrap().rules, 2, 3, usize::MAX).unwrap();
        let (mut v_a, mut v_b, mut w_a) = ([-1, -1], [NONE, 1], [0; 2]);
        let pair = Pair { a: 0, b: 1, b_lines: Lines::Mover, v_a: &mut v_a, w_a: Some(&mut w_a), v_b: Some(&mut v_b), w_b: None };
        pass_b(&game, pair, &AtomicBool::new(true));
        assert_eq!(v_b, [NONE, 1]);
    }
}

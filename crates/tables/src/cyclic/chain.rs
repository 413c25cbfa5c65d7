//! Chains of moves at home, in one pass.
//!
//! A move at home raises the rank of its row, so with `x` from the last row to the first
//!
//! * the values with `x` to move follow from those with `y` to move against later rows: line by line, all `y` at once;
//! * the values with `y` to move against `x` follow from those with `x` to move, just found: through the edges of the `y`.
//!
//! *Threads.* The rows `y` are cut into parts. A part of a line follows from the same part of later lines and from its own line's later
//! parts, and so do the values of a panel of lines. So the last part of the last panel comes first, and any other is one thread's work as
//! soon as the part after it is finished and the panel after it is: see [`super::wave`].

use std::cell::RefCell;
use std::sync::{Mutex, MutexGuard};

use super::game::{Core, Part};
use super::home::Homes;
use super::irregular::Irregular;
use super::marks::{Marks, settle};
use super::wave;
use crate::rows::pass_a::NONE;
use crate::rows::pass_b::raise_all;
use crate::rows::runs::Then;
use crate::rows::transpose::{Shape, transpose};

/// Lines that are transposed at a time.
const STRIP: usize = 64;
/// Panels of a pair, at least: the fewer there are, the longer some threads wait at the beginning and at the end.
const LEAST_PANELS: usize = 8;

/// A pair of splits whose moves at home are to be followed.
pub(super) struct Chain<'c> {
    game: &'c Core,
    a: usize,
    b: usize,
    columns: usize,
    lines: usize,
    homes: &'c Homes,
    parts: &'c [Part],
    /// Lines `y`, columns `x`, `y` to move.
    v_b: &'c [i8],
    singletons: [Box<[u32]>; 2],
    irregular: &'c Irregular,
    marks: (Option<&'c Marks>, usize),
    /// Cells without a move are to be found.
    first: bool,
}

/// A part of all lines in work.
struct Working<'w> {
    part: &'w Part,
    /// `y` to move: the part of every line.
    w: Vec<&'w mut [i8]>,
    /// Part of some lines after crossing moves, `y` to move, from line `strip_from` on.
    strip: Vec<i8>,
    strip_from: usize,
    changed: usize,
}

thread_local! {
    static STRIPS: RefCell<Vec<Vec<i8>>> = const { RefCell::new(Vec::new()) };
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
        Chain {
            game,
            a,
            b: s - a,
            columns: rows.count(s - a),
            lines: rows.count(a),
            homes: game.homes(a),
            parts: game.parts(s - a),
            v_b,
            singletons: [game.over.singletons(rows, a), game.over.singletons(rows, s - a)],
            irregular,
            marks,
            first,
        }
    }

    /// Finishes both matrices: lines `x`, columns `y`, `v` with `x` to move and filled by crossing moves, `w` with `y` to move. How many
    /// values of `w` changed.
    pub(super) fn follow(&self, v: &mut [i8], w: &mut [i8]) -> usize {
        let mut strips = STRIPS.take();
        let mut parts: Vec<Working> = self
            .parts
            .iter()
            .map(|part| {
                let w = Vec::with_capacity(self.lines);
                Working { part, w, strip: strips.pop().unwrap_or_default(), strip_from: usize::MAX, changed: 0 }
            })
            .collect();
        for mut line in w.chunks_exact_mut(self.columns) {
            for working in &mut parts {
                let (part, rest) = line.split_at_mut(working.part.rows.len());
                working.w.push(part);
                line = rest;
            }
        }
        // A panel lies within a strip.
        let panel = if parts.len() == 1 { STRIP } else { STRIP.min(1 << (self.lines / LEAST_PANELS).max(1).ilog2()) };
        let parts: Vec<Mutex<Working>> = parts.into_iter().map(Mutex::new).collect();
        let panels: Vec<Mutex<&mut [i8]>> = v.chunks_mut(panel * self.columns).map(Mutex::new).collect();
        wave::run(parts.len(), panels.len(), |part, number| {
            self.panel(&mut lock(&parts[part]), number * panel, &mut lock(&panels[number]));
        });
        let mut changed = 0;
        for working in parts {
            let working = working.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner());
            changed += working.changed;
            strips.push(working.strip);
        }
        STRIPS.set(strips);
        changed
    }

    /// Finishes a part of the lines from `first` on, which `v` holds as a whole.
    fn panel(&self, working: &mut Working, first: usize, v: &mut [i8]) {
        let columns = working.part.rows.clone();
        if working.strip_from > first {
            working.take_strip(self.v_b, self.lines, first / STRIP * STRIP);
        }
        for (line, v_line) in v.chunks_exact_mut(self.columns).enumerate().rev() {
            let x = first + line;
            let (w_line, w_later) = working.w.split_at_mut(x + 1);
            let v_part = &mut v_line[columns.clone()];
            for &rank in self.homes.of(x) {
                raise_all(v_part, &*w_later[rank as usize - x - 1]);
            }
            self.finish(0, x, columns.start, v_part);
            let new = &mut working.strip[(x - working.strip_from) * columns.len()..][..columns.len()];
            working.part.edges.raise(new, v_line, 0, Then::Other);
            self.finish(1, x, columns.start, new);
            working.changed += settle(&mut *w_line[x], new, self.marks.1 + x * self.columns + columns.start, self.marks.0);
        }
    }

    /// What moves do not tell of a part of line `x`, from column `from` on; `side` 0: `x` to move, 1: `y` to move.
    fn finish(&self, side: usize, x: usize, from: usize, values: &mut [i8]) {
        if self.singletons[0].binary_search(&(x as u32)).is_ok() {
            let (own, other) = if side == 0 { (self.a, self.b) } else { (self.b, self.a) };
            let settlement = self.game.over.settlement(own, other);
            let here = self.singletons[1].iter().filter_map(|&rank| (rank as usize).checked_sub(from));
            here.for_each(|at| {
                if let Some(value) = values.get_mut(at) {
                    *value = settlement;
                }
            });
        }
        if !self.game.may_lack_moves {
            return;
        }
        for cell in self.irregular.part(side, x, from..from + values.len()) {
            values[cell.y as usize - from] = cell.value;
        }
        if self.first && values.contains(&NONE) {
            for (at, value) in values.iter_mut().enumerate().filter(|(_, value)| **value == NONE) {
                self.irregular.add(side, x, from + at);
                *value = 0;
            }
        }
    }
}

impl Working<'_> {
    /// Fills the strip with lines from `from` on; `v_b` has them, `lines` in all, as columns.
    fn take_strip(&mut self, v_b: &[i8], lines: usize, from: usize) {
        let rows = &self.part.rows;
        let count = STRIP.min(lines - from);
        if self.strip.len() < count * rows.len() {
            self.strip.resize(count * rows.len(), 0);
        }
        let shape = Shape { lines: rows.len(), columns: count, stride: lines, stride_to: rows.len() };
        transpose(&v_b[rows.start * lines + from..], &mut self.strip, shape);
        self.strip_from = from;
    }
}

/// Nobody else has it: see [`wave::run`].
fn lock<'m, T>(mutex: &'m Mutex<T>) -> MutexGuard<'m, T> {
    mutex.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

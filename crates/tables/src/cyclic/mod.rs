//! The fast builder for rules that can repeat a position: sweeps by rows to a fixed point.
//!
//! The plain builder of [`crate::sweep`] works positions out again and again until nothing changes, which is exact whatever the order;
//! see there. This one does the same by rows, with the bones of [`crate::rows`]: what a move does to the rows of the other player is a
//! list that does not depend on the mover's row, and values are read and written in long stretches. One file an idea:
//!
//! * `game`: rules compiled for a board; `moves`: the moves of a row as steps; `home`: those that stay in the row;
//! * `base`: what a layer takes from others; `sweep`, `chain`: every value of a layer worked out again; `kept`: with moves found once;
//!   `wave`: by several threads;
//! * `irregular`: cells that no line expresses; `listed`: how those are worked out; `marks`: which values have changed;
//! * `sparse`, `unsow`: the last changes, followed up one by one, moves being played backwards;
//! * `plan`: what it takes;
//! * `finished`: where finished layers lie, in memory or on disk.
//!
//! All finished layers are kept in one order only: `W`, lines the rows of the player who is not to move. Of the layer in work there is
//! also the base, and two matrices of one pair of splits.

mod base;
mod chain;
mod finished;
mod game;
mod home;
mod irregular;
mod kept;
mod listed;
mod marks;
mod moves;
mod plan;
mod sparse;
mod sweep;
mod unsow;
mod wave;

use std::path::Path;
use std::sync::atomic::Ordering;

use lumbung_engine::Owners;
use lumbung_engine::kernel::{Kernel, Lanes, Visitor, dispatch};
use lumbung_engine::rules::RuleSet;
use rayon::prelude::*;

use crate::both::Both;
use crate::index::Index;
use crate::layers::{Layers, OnlyInMemory};
use crate::rows::memory::zeros;
use crate::rows::transpose::{Shape, transpose};
use crate::rows::{self, Options, Progress, RowsError};
use crate::table::Table;
use crate::values::MAX_BYTE_SEEDS;
use finished::Finished;
use game::{Core, Game};
use irregular::Irregular;
use kept::Room;
use marks::Marks;
pub use plan::{Aside, Parity, aside, can_express, memory, parity_allowed, positions};
use sweep::Layer;

/// Builds the table of all boards with up to `seeds` seeds.
///
/// # Errors
/// See [`RowsError`].
pub fn build(rules: &RuleSet, pits: usize, seeds: usize, options: Options) -> Result<Table, RowsError> {
    build_layers(rules, pits, seeds, Parity::All, options, &OnlyInMemory)
}

/// Builds the table of the layers of a parity, beginning with those that can be read and handing on those that are finished.
///
/// # Errors
/// See [`RowsError`].
pub fn build_layers(
    rules: &RuleSet,
    pits: usize,
    seeds: usize,
    parity: Parity,
    options: Options,
    layers: &dyn Layers,
) -> Result<Table, RowsError> {
    let index = Index::new(pits, seeds).ok_or(RowsError::TooLarge { pits, seeds })?;
    let w = run(rules, pits, seeds, parity, options, layers, true)?;
    Ok(Table::of_layers(index, seeds, parity, Both { bytes: w.into_values(), words: Vec::new() }))
}

/// Builds layers, all or those of one parity, and only hands them on. Where memory does not suffice for all of them, and the layers
/// have a place for it ([`Layers::aside`]), those that are finished lie there meanwhile; see [`aside`].
///
/// # Errors
/// See [`RowsError`].
pub fn hand_on_layers(
    rules: &RuleSet,
    pits: usize,
    seeds: usize,
    parity: Parity,
    options: Options,
    layers: &dyn Layers,
) -> Result<(), RowsError> {
    run(rules, pits, seeds, parity, options, layers, false).map(drop)
}

/// Builds layers; returns their values if the table is wanted.
fn run(
    rules: &RuleSet,
    pits: usize,
    seeds: usize,
    parity: Parity,
    options: Options,
    layers: &dyn Layers,
    as_table: bool,
) -> Result<Finished, RowsError> {
    can_express(rules, pits).map_err(RowsError::CannotExpress)?;
    parity_allowed(rules, parity).map_err(RowsError::CannotExpress)?;
    if pits == 0 || pits > rows::MAX_PITS {
        return Err(RowsError::Pits(pits));
    }
    if seeds > MAX_BYTE_SEEDS {
        return Err(RowsError::Seeds(seeds));
    }
    let pool = rayon::ThreadPoolBuilder::new().num_threads(options.threads).build();
    let pool = pool.map_err(|error| RowsError::Threads(error.to_string()))?;
    let too_large = || RowsError::TooLarge { pits, seeds };
    let mut needed = memory(pits, seeds, parity).ok_or_else(too_large)?;
    let mut aside = None;
    if let Some(allowed) = options.memory.filter(|&allowed| needed > allowed) {
        aside = layers.aside().filter(|_| !as_table);
        if aside.is_some() {
            needed = plan::aside(pits, seeds, parity).ok_or_else(too_large)?.memory;
        }
        if needed > allowed {
            return Err(RowsError::Memory { pits, seeds, needed, allowed });
        }
    }
    let work = Build { rules, seeds, parity, options, layers, aside, as_table, tune: &|_| {} };
    pool.install(|| dispatch(rules, pits, seeds, Owners::rows(pits), work))
}

/// What tests and measurements change of a usual build.
#[derive(Debug)]
pub(crate) struct Tuning {
    /// Passages of fewer rows go on row by row.
    pub(crate) least_passage: usize,
    /// When sweeps give way to the sparse finish: the share of values that the last one changed.
    pub(crate) sparse_below: f64,
    /// Into how many parts the rows of a sum are cut for threads; `None`: as the number of threads suggests.
    pub(crate) parts: Option<usize>,
}

/// A build in a thread pool.
pub(crate) struct Build<'b> {
    pub(crate) rules: &'b RuleSet,
    pub(crate) seeds: usize,
    pub(crate) parity: Parity,
    pub(crate) options: Options<'b>,
    pub(crate) layers: &'b dyn Layers,
    /// Where finished layers lie that are not to be in memory.
    pub(crate) aside: Option<&'b Path>,
    pub(crate) as_table: bool,
    pub(crate) tune: &'b (dyn Fn(&mut Tuning) + Sync),
}

impl Visitor for Build<'_> {
    type Output = Result<Finished, RowsError>;

    fn visit<B: Lanes>(self, kernel: Kernel<B>) -> Self::Output {
        let Build { rules, seeds, parity, options, layers, aside, as_table, tune } = self;
        let pits = kernel.pits();
        let too_large = || RowsError::TooLarge { pits, seeds };
        let values = positions(pits, seeds, parity).ok_or_else(too_large)?;
        let room = if aside.is_some() { plan::room_aside(pits, seeds, parity) } else { Some(plan::room_for_lists(values)) };
        let room = room.ok_or_else(too_large)?;
        let mut game = Game::new(rules, kernel, seeds, |s| parity.wants(s), room).ok_or_else(too_large)?;
        tune(&mut game.core.tuning);
        let total = game.splits.layer(seeds).end;
        let largest = (0..=seeds).map(|s| game.splits.layer(s).len()).max().unwrap_or(0);
        let pair = plan::largest_pair(pits, seeds, parity).ok_or_else(too_large)? as usize;
        let zeros = |len| zeros(len).ok_or_else(too_large);
        let mut w = match aside {
            Some(place) => Finished::on_disk(total, place)?,
            None => Finished::InMemory(zeros(total)?),
        };
        // The base of every layer in turn, where memory suffices for all.
        let mut shared = if aside.is_some() { Vec::new() } else { zeros(largest)? };
        let mut scratch = [zeros(pair)?, zeros(pair)?];
        let ready = if layers.is_whole() { layers.ready() } else { 0 };
        for (number, s) in (0..=seeds).filter(|&s| parity.wants(s)).enumerate() {
            let place = game.splits.layer(s);
            let len = place.len();
            if number < ready {
                layers.read(s, (&mut w[place.clone()]).into())?;
                turn(&game, s, &mut w[place.clone()], &mut scratch);
            } else {
                let fits = |allowed| plan::with_base(pits, seeds, parity, s).is_some_and(|needed| needed <= allowed);
                let mut base = match aside {
                    None => Finished::InMemory(std::mem::take(&mut shared)),
                    Some(_) if options.memory.is_none_or(fits) => Finished::InMemory(zeros(len)?),
                    Some(place) => Finished::on_disk(len, place)?,
                };
                fill_base(&game, s, &w[..place.start], &mut base[..len]);
                if options.stop.load(Ordering::Relaxed) {
                    return Err(RowsError::Stopped);
                }
                base.settle(len)?;
                // Whoever touches memory first waits for the system to clear it, so all threads do.
                w[place.clone()].par_chunks_mut(TOUCHED).for_each(|values| values.fill(0));
                let sparse_below = game.tuning.sparse_below / if base.is_on_disk() { SPARSER_ON_DISK } else { 1.0 };
                let [one, other] = &mut scratch;
                fill(&game, s, &mut w[..place.end], &base[..len], [one, other], sparse_below, options).ok_or_else(too_large)?;
                if options.stop.load(Ordering::Relaxed) {
                    return Err(RowsError::Stopped);
                }
                if aside.is_none() {
                    shared = base.into_values();
                } else {
                    // Its memory is needed for the encoded layer.
                    drop(base);
                }
                if layers.wants(s) {
                    turn(&game, s, &mut w[place.clone()], &mut scratch);
                    layers.finished(s, w[place.clone()].into())?;
                    // No layer looks at the highest one, and unless the table is wanted nobody does.
                    if place.end < total || as_table {
                        turn(&game, s, &mut w[place.clone()], &mut scratch);
                    }
                }
            }
            if place.end < total {
                w.settle(place.end)?;
            }
            (options.progress)(Progress { seeds: s, positions: place.end as u64, total: total as u64 });
        }
        if !as_table {
            return Ok(Finished::InMemory(Vec::new()));
        }
        for s in (0..=seeds).filter(|&s| parity.wants(s)) {
            turn(&game, s, &mut w[game.splits.layer(s)], &mut scratch);
        }
        Ok(w)
    }
}

/// How many times fewer values may still change before sweeps give way to the sparse finish, where the base lies on disk: what the
/// finish looks up there costs a read each, a sweep reads it in order.
const SPARSER_ON_DISK: f64 = 20.0;

/// Lines that are worked out at a time.
const CHUNK: usize = 64;
/// Values that a thread sets to 0 at a time.
const TOUCHED: usize = 4 << 20;

fn fill_base<B: Lanes>(game: &Game<B>, s: usize, below: &[i8], layer: &mut [i8]) {
    let rows = &game.lists.rows;
    // As one list, so that threads begin with different splits and so make different lists.
    let mut chunks = Vec::new();
    for (own, matrix) in game.splits.cut(s, layer).into_iter().enumerate().filter(|&(own, _)| own > 0 && own < s) {
        let lines = matrix.chunks_mut(CHUNK * rows.count(s - own)).enumerate();
        chunks.extend(lines.map(|(chunk, lines)| (own, chunk * CHUNK, lines)));
    }
    let chunks = chunks.into_par_iter().with_max_len(1);
    chunks.for_each(|(own, first, lines)| base::base(game, below, s, own, first, lines));
}

/// Works out layer `s`, the last of `w`. `None` if there is not enough memory.
fn fill<B: Lanes>(
    game: &Game<B>,
    s: usize,
    w: &mut [i8],
    base: &[i8],
    scratch: [&mut [i8]; 2],
    sparse_below: f64,
    options: Options,
) -> Option<()> {
    let place = game.splits.layer(s);
    let marks = Marks::new(place.len())?;
    let irregular = (0..=s / 2).map(|_| Irregular::default()).collect();
    let (empty, kept) = (Default::default(), (0..=s).map(|_| Vec::new()).collect());
    let room = Room::new(plan::room_for_steps(place.len() as u64));
    let mut layer = Layer { game, s, w, base, scratch, empty, kept, room, irregular, marks, stop: options.stop, sweeps: 0 };
    let share = |changed: usize| changed as f64 / place.len() as f64;
    let mut last = 1.0;
    loop {
        let mark = last < 16.0 * sparse_below;
        last = share(layer.sweep(mark));
        if last == 0.0 || options.stop.load(Ordering::Relaxed) {
            return Some(());
        }
        if mark && last < sparse_below {
            break;
        }
    }
    // What only sweeps need gives way to the marks of the sparse finish.
    let Layer { w, base, irregular, marks, empty, kept, .. } = layer;
    drop((empty, kept));
    let rows = &game.lists.rows;
    let cells = irregular.iter().enumerate().flat_map(|(a, irregular)| {
        let (a, b) = (a, s - a);
        let of_x = irregular.cells[0]
            .iter()
            .map(move |cell| game.splits.start(s, b) + cell.y as usize * rows.count(a) + cell.x as usize);
        let of_y = irregular.cells[1]
            .iter()
            .map(move |cell| game.splits.start(s, a) + cell.x as usize * rows.count(b) + cell.y as usize);
        of_x.chain(of_y).map(|at| at - place.start)
    });
    sparse::finish(game, s, w, base, &marks, cells, options.stop)
}

/// Turns a layer from one order to the other, in place: each split's matrix becomes the other one of its pair, lines becoming columns.
/// Done twice it is as before.
fn turn(game: &Core, s: usize, layer: &mut [i8], scratch: &mut [Vec<i8>; 2]) {
    let rows = &game.lists.rows;
    let mut matrices = game.splits.cut(s, layer);
    for a in 0..=s / 2 {
        let b = s - a;
        let (na, nb) = (rows.count(a), rows.count(b));
        let (low, high) = matrices.split_at_mut(b);
        let of_b = &mut *high[0];
        let [turned_a, turned_b] = scratch.each_mut().map(|matrix| &mut matrix[..na * nb]);
        transposed(of_b, na, turned_b);
        if a < b {
            let of_a = &mut *low[a];
            transposed(of_a, nb, turned_a);
            copy(turned_b, of_a);
            copy(turned_a, of_b);
        } else {
            copy(turned_b, of_b);
        }
    }
}

/// Writes the columns of a matrix as lines.
fn transposed(from: &[i8], columns: usize, to: &mut [i8]) {
    let lines = from.len() / columns;
    to.par_chunks_mut(CHUNK * lines).enumerate().for_each(|(chunk, to)| {
        let shape = Shape { lines, columns: to.len() / lines, stride: columns, stride_to: lines };
        transpose(&from[chunk * CHUNK..], to, shape);
    });
}

/// The same values elsewhere.
fn copy(from: &[i8], to: &mut [i8]) {
    const PORTION: usize = 1 << 20;
    to.par_chunks_mut(PORTION).zip(from.par_chunks(PORTION)).for_each(|(to, from)| to.copy_from_slice(from));
}

#[cfg(test)]
mod tests;

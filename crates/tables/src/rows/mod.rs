//! The fast builder: tables by rows, for rules that cannot repeat a position.
//!
//! The plain builder plays every move of every position. This one plays the moves of every *row*, once for all rows the other
//! player may have, and reads and writes values in long stretches; no position is ever unpacked. Its ideas, one file each:
//!
//! * `rank`: rows are numbered so that rows that agree in their first pits lie together;
//! * `split`: a layer is a set of matrices, own row by other row, kept in both orders;
//! * `runs`: what a move does to all rows of the other player, as stretches of ranks; the one thing that touches values;
//! * `sowing`, `taking`: what happens in one row, whatever the other; `sown`: the same looked up;
//! * `passage`, `captures`, `transit`: capture lists, and add lists or transit tables, for rows that have had the same past;
//! * `home`: the same lists for rows of the mover;
//! * `moves`, `pass_a`: moves that store or capture, into finished layers;
//! * `quiet`, `pass_b`: moves that do not, in an order in which every value is final when it is written;
//! * `over`: where the game ends;
//! * `plan`, `room`: the memory of a build, and that of its lists;
//! * `transpose`: from one order to the other.
//!
//! The result is the same, byte by byte, as that of [`crate::plain`].

pub(crate) mod captures;
pub(crate) mod home;
pub(crate) mod memory;
mod moves;
pub(crate) mod over;
pub(crate) mod pass_a;
pub(crate) mod pass_b;
pub(crate) mod passage;
mod plan;
mod quiet;
pub(crate) mod rank;
pub(crate) mod room;
pub(crate) mod runs;
pub(crate) mod sowing;
pub(crate) mod sown;
pub(crate) mod split;
pub(crate) mod taking;
pub(crate) mod transit;
pub(crate) mod transpose;

use std::sync::atomic::{AtomicBool, Ordering};

use lumbung_engine::rules::{BonusOnEmptyRow, CountSide, Feeding, GrandSlam, RuleSet, Rules, Stores};
use rayon::prelude::*;
use thiserror::Error;

use crate::both::Both;
use crate::index::Index;
use crate::layers::{Halt, Layers, OnlyInMemory};
use crate::table::Table;
use crate::values::MAX_BYTE_SEEDS;
use memory::Scratch;
use over::Over;
use pass_a::{Finished, Lines, pass_a};
use pass_b::{Pair, pass_b};
use passage::Lists;
use plan::Plan;
pub use plan::memory;
use quiet::Quiet;
pub use rank::MAX_PITS;
use rank::Rows;
use sowing::Sowing;
use split::Splits;
use taking::Taking;
use transpose::{Shape, transpose};

/// What a build may use, and whom it tells.
#[derive(Clone, Copy)]
pub struct Options<'o> {
    /// Threads; 0 means as many as there are cores.
    pub threads: usize,
    /// Bytes; `None` means no limit.
    pub memory: Option<u64>,
    /// Set to give up.
    pub stop: &'o AtomicBool,
    /// Told whenever a layer is done.
    pub progress: &'o (dyn Fn(Progress) + Sync),
}

/// How far a build has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// The layer that is done.
    pub seeds: usize,
    /// Positions done, of this layer and all before.
    pub positions: u64,
    /// Positions of the whole table.
    pub total: u64,
}

/// A table that cannot be built by rows.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum RowsError {
    /// The rules are beyond this builder.
    #[error("{0}")]
    CannotExpress(String),
    /// Rows too long.
    #[error("{0} pits a row; 1 to {MAX_PITS} can be built by rows, 1 to {most} at all", most = lumbung_engine::position::MAX_PITS)]
    Pits(usize),
    /// Too many seeds.
    #[error("{0} seeds; rows build layers of at most {MAX_BYTE_SEEDS}")]
    Seeds(usize),
    /// More memory than there is or than was allowed.
    #[error("a table of {pits} pits a row and {seeds} seeds takes {needed} bytes to build; {allowed} are allowed")]
    Memory {
        /// Pits a row.
        pits: usize,
        /// Seeds in play.
        seeds: usize,
        /// Bytes needed.
        needed: u64,
        /// Bytes allowed.
        allowed: u64,
    },
    /// More boards than this machine can address.
    #[error("a table of {pits} pits a row and {seeds} seeds, about {:.1e} positions, does not fit into memory", Index::about(*pits, *seeds))]
    TooLarge {
        /// Pits a row.
        pits: usize,
        /// Seeds in play.
        seeds: usize,
    },
    /// Threads could not be started.
    #[error("threads could not be started: {0}")]
    Threads(String),
    /// Finished layers for which there is no memory could not be put on disk.
    #[error("layers that do not fit into memory could not be put aside in {place}: {error}")]
    Aside {
        /// The directory.
        place: String,
        /// What the system said.
        error: String,
    },
    /// The caller asked to stop.
    #[error("stopped")]
    Stopped,
}

impl From<Halt> for RowsError {
    fn from(_: Halt) -> Self {
        RowsError::Stopped
    }
}

/// Rules compiled for a board, with everything that is worked out once.
#[derive(Debug)]
struct Game {
    lists: Lists,
    splits: Splits,
    quiet: Quiet,
    over: Over,
    /// Whether a last seed in the store earns another move, and what if the row is empty then.
    bonus: Option<BonusOnEmptyRow>,
    /// Whether a player with seeds may have no legal move.
    may_lack_moves: bool,
    /// Passages of fewer rows go on row by row.
    least_passage: usize,
    /// Home passages of fewer rows go on row by row.
    least_home: usize,
    /// Moves against fewer rows are played row by row from the start.
    least_root: usize,
    /// Lists of the mover's rows are made where they serve so many rows of the other player; never if `None`.
    least_uses: Option<usize>,
    /// Quiet moves of all rows of a sum are listed where so many lines are filled by them.
    least_edges: usize,
}

/// The least passage that lists are made for, found by trying: 6 and 20 cost a tenth more for Dakon on seven pits.
const LEAST_PASSAGE: usize = 12;

/// The least home passage that lists are made for.
const LEAST_HOME: usize = 4;

/// The fewest rows of the other player that lists are made for.
const LEAST_ROOT: usize = 2;

/// The fewest rows of the other player that lists of the mover's rows are made for.
const LEAST_USES: usize = 4;

/// The fewest lines that quiet moves are listed for.
const LEAST_EDGES: usize = 4;

impl Game {
    fn new(rules: &Rules, pits: usize, seeds: usize, room: usize) -> Option<Self> {
        let bonus = match rules.stores {
            Stores::Sown { bonus } => bonus,
            Stores::Scored => None,
        };
        let rows = Rows::new(pits, seeds)?;
        let splits = Splits::new(&rows, seeds)?;
        let forbids = rules.capture.count.as_ref().is_some_and(|count| count.grand_slam == GrandSlam::Forbidden);
        let lists = Lists::new(rows, seeds, Sowing::new(rules, pits), Taking::new(rules, pits), room);
        Some(Game {
            splits,
            quiet: Quiet::new(pits, seeds),
            over: Over::new(rules),
            bonus,
            may_lack_moves: rules.sowing.min_seeds > 1 || forbids,
            least_passage: LEAST_PASSAGE,
            least_home: LEAST_HOME,
            least_root: LEAST_ROOT,
            least_uses: lists.may_cross.then_some(LEAST_USES),
            least_edges: LEAST_EDGES,
            lists,
        })
    }
}

impl Game {
    /// Which way round pass A fills the boards of layer `s` with `own` seeds in the mover's row: with fewer and longer lines.
    fn lines(&self, s: usize, own: usize) -> Lines {
        let rows = &self.lists.rows;
        // The rows of the other player that the mover's rows of this sum ever meet.
        let meets = rows.count(self.lists.seeds - own);
        if 2 * own > s && self.least_uses.is_some_and(|least| meets >= least) { Lines::Other } else { Lines::Mover }
    }

    /// Rows, in all layers, against which rows of sum `b`, no less than theirs, make quiet moves.
    fn lines_against(&self, b: usize) -> usize {
        let lists = &self.lists;
        (0..=b.min(lists.seeds - b)).map(|a| lists.rows.count(a)).sum()
    }
}

/// Whether this builder serves a rule set.
///
/// # Errors
/// Why it does not, as a sentence without a stop.
pub fn can_express(rules: &Rules) -> Result<(), String> {
    if rules.can_repeat() {
        return Err("these rules can repeat a position (board.stores = \"scored\")".to_owned());
    }
    if rules.feeding == Feeding::LeaveAMove {
        return Err("whether a move that starves is legal depends on all the others (feeding.rule = \"leave-a-move\")".to_owned());
    }
    if let Some(count) = &rules.capture.count
        && count.chain_back
        && count.side == CountSide::Any
    {
        return Err(
            "a chain of captures can run from one row into the other (capture.count.side = \"any\" with chain = \"back\")"
                .to_owned(),
        );
    }
    Ok(())
}

/// Builds the table of all boards with up to `seeds` seeds.
///
/// It takes the memory that [`memory()`] tells.
///
/// # Errors
/// See [`RowsError`].
pub fn build(rules: &RuleSet, pits: usize, seeds: usize, options: Options) -> Result<Table, RowsError> {
    build_layers(rules, pits, seeds, options, &OnlyInMemory)
}

/// Builds the same table, beginning with the layers that can be read and handing on those that are finished. Layers of which only a
/// part can be read are worked out instead, which is faster.
///
/// # Errors
/// See [`RowsError`].
pub fn build_layers(
    rules: &RuleSet,
    pits: usize,
    seeds: usize,
    options: Options,
    layers: &dyn Layers,
) -> Result<Table, RowsError> {
    can_express(rules).map_err(RowsError::CannotExpress)?;
    if pits == 0 || pits > MAX_PITS {
        return Err(RowsError::Pits(pits));
    }
    if seeds > MAX_BYTE_SEEDS {
        return Err(RowsError::Seeds(seeds));
    }
    let too_large = || RowsError::TooLarge { pits, seeds };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(options.threads).build();
    let pool = pool.map_err(|error| RowsError::Threads(error.to_string()))?;
    let Plan { needed, room } = Plan::new(pits, seeds, pool.current_num_threads()).ok_or_else(too_large)?;
    if let Some(allowed) = options.memory.filter(|&allowed| needed > allowed) {
        return Err(RowsError::Memory { pits, seeds, needed, allowed });
    }
    let index = Index::new(pits, seeds).ok_or_else(too_large)?;
    let total = usize::try_from(index.total()).map_err(|_| too_large())?;
    let game = Game::new(rules, pits, seeds, room).ok_or_else(too_large)?;
    let v = pool.install(|| fill(&game, total, seeds, options, layers))?.ok_or_else(too_large)?;
    Ok(Table::new(index, seeds, Both { bytes: v, words: Vec::new() }))
}

/// Works out all layers. `Ok(None)` if there is not enough memory.
fn fill(game: &Game, total: usize, seeds: usize, options: Options, layers: &dyn Layers) -> Result<Option<Vec<i8>>, RowsError> {
    // Nothing looks up the other order of the highest layer.
    let Some((mut v, mut w)) = memory::zeros(total).zip(memory::zeros(game.splits.layer(seeds).start)) else { return Ok(None) };
    let ready = if layers.is_whole() { layers.ready() } else { 0 };
    let hand_on = |s: usize, v: &[i8]| if layers.wants(s) { layers.finished(s, v.into()) } else { Ok(()) };
    for s in 0..=seeds {
        let place = game.splits.layer(s);
        let (v_below, v) = v.split_at_mut(place.start);
        let (v_below, v) = (&*v_below, &mut v[..place.len()]);
        if s < ready {
            layers.read(s, (&mut *v).into())?;
            if w.len() > place.start {
                other_order(game, s, v, &mut w[place.clone()]);
            }
        } else {
            let below = || if s > ready { hand_on(s - 1, &v_below[game.splits.layer(s - 1)]) } else { Ok(()) };
            let (worked_out, handed_on) = rayon::join(|| layer(game, s, v_below, v, &mut w, options.stop), below);
            handed_on?;
            if worked_out.is_none() {
                return Ok(None);
            }
        }
        if options.stop.load(Ordering::Relaxed) {
            return Err(RowsError::Stopped);
        }
        (options.progress)(Progress { seeds: s, positions: place.end as u64, total: total as u64 });
    }
    drop(w);
    if seeds >= ready {
        hand_on(seeds, &v[game.splits.layer(seeds)])?;
    }
    Ok(Some(v))
}

/// Puts a layer into the other order.
fn other_order(game: &Game, s: usize, v: &[i8], w: &mut [i8]) {
    let start = game.splits.layer(s).start;
    game.splits.cut(s, w).into_par_iter().enumerate().for_each(|(own, w)| {
        let from = game.splits.start(s, s - own) - start;
        let (lines, columns) = (game.lists.rows.count(s - own), game.lists.rows.count(own));
        transpose(&v[from..from + w.len()], w, Shape { lines, columns, stride: columns, stride_to: lines });
    });
}

/// Lines that pass A takes at a time, at most, and bytes of lines that it takes if they are long.
const CHUNK: usize = 64;
const CHUNK_BYTES: usize = 1 << 18;

/// Works out a layer, those below being finished. `None` if there is not enough memory.
fn layer(game: &Game, s: usize, v_below: &[i8], v: &mut [i8], w: &mut [i8], stop: &AtomicBool) -> Option<()> {
    let place = game.splits.layer(s);
    let highest = w.len() < place.end;
    let (w_below, w) = w[..if highest { place.start } else { place.end }].split_at_mut(place.start);
    let finished = Finished { v: v_below, w: w_below };
    let w = if highest { (0..=s).map(|_| None).collect() } else { game.splits.cut(s, w).into_iter().map(Some).collect() };
    let mut pairs = pairs(game, s, game.splits.cut(s, v), w);
    let unfilled: Vec<_> = pairs.iter_mut().flat_map(Pair::unfilled).collect();
    unfilled.into_par_iter().for_each(|(own, of, matrix)| {
        let columns = game.lists.rows.count(if of == Lines::Mover { s - own } else { own });
        let at_once = (CHUNK_BYTES / columns).clamp(1, CHUNK);
        matrix.par_chunks_mut(at_once * columns).enumerate().for_each(|(chunk, lines)| {
            if !stop.load(Ordering::Relaxed) {
                pass_a(game, finished, (s, own), of, chunk * at_once, lines);
            }
        });
    });
    let scratch = Scratch::default();
    pairs.into_par_iter().with_max_len(1).try_for_each(|pair| match pair.w_a {
        Some(_) => {
            pass_b(game, pair, stop);
            Some(())
        }
        None => scratch.lend(pair.v_a.len(), |w_a| pass_b(game, pair.with_scratch(w_a), stop)),
    })
}

/// Pairs the matrices of splits `a` and `s - a`.
fn pairs<'p>(game: &Game, s: usize, v: Vec<&'p mut [i8]>, w: Vec<Option<&'p mut [i8]>>) -> Vec<Pair<'p>> {
    let mut matrices: Vec<_> = v.into_iter().zip(w).map(Some).collect();
    let mut pairs = Vec::new();
    for a in (0..=s / 2).rev() {
        let Some((v_a, w_a)) = matrices[a].take() else { continue };
        let (v_b, w_b) = matrices[s - a].take().unzip();
        let b_lines = game.lines(s, s - a);
        pairs.push(Pair { a, b: s - a, b_lines, v_a, w_a, v_b, w_b: w_b.flatten() });
    }
    pairs
}

#[cfg(test)]
mod tests;

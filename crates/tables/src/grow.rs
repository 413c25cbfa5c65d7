//! What the builders that go position by position share: a table that grows layer by layer.

use std::sync::atomic::{AtomicBool, AtomicI8, Ordering};

use lumbung_engine::kernel::{Kernel, Lanes};
use rayon::prelude::*;
use thiserror::Error;

use crate::file::evaluate;
use crate::index::Index;
use crate::layers::{Halt, Layers, OnlyInMemory};
use crate::rows::Progress;
use crate::table::{MAX_TABLE_SEEDS, Table};

/// A table that cannot be built position by position.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum BuildError {
    /// These rules can repeat a position, so a recursion over moves need not end.
    #[error("these rules can repeat a position (board.stores = \"scored\"); this builder serves rules that cannot")]
    CanRepeat,
    /// What endless play is worth depends on how it went.
    #[error(
        "what endless play is worth depends on the position that recurs first (end.cycle = \"row-owner\"); tables need \"zero\""
    )]
    Cycle,
    /// Too many seeds.
    #[error("{0} seeds; a table holds at most {MAX_TABLE_SEEDS}, and no more than the kernel was compiled for")]
    Seeds(usize),
    /// More boards than can be numbered, or than memory has room for.
    #[error("a table of {pits} pits a row and {seeds} seeds does not fit into memory")]
    TooLarge {
        /// Pits a row.
        pits: usize,
        /// Seeds in play.
        seeds: usize,
    },
    /// The caller asked to stop.
    #[error("stopped")]
    Stopped,
}

impl From<Halt> for BuildError {
    fn from(_: Halt) -> Self {
        BuildError::Stopped
    }
}

/// Whom a build listens to and whom it tells.
#[derive(Clone, Copy)]
pub struct Watch<'w> {
    /// Set to give up.
    pub stop: &'w AtomicBool,
    /// Told whenever a layer is done.
    pub progress: &'w (dyn Fn(Progress) + Sync),
    /// Where layers come from and where they go.
    pub layers: &'w dyn Layers,
}

impl<'w> Watch<'w> {
    /// Looks at `stop` and tells nobody.
    pub fn only(stop: &'w AtomicBool) -> Self {
        Watch { stop, progress: &|_| {}, layers: &OnlyInMemory }
    }
}

/// The layer in work.
pub(crate) struct Work<'w, B> {
    pub(crate) kernel: &'w Kernel<B>,
    pub(crate) index: &'w Index,
    /// All values so far; those of the layer in work come last.
    pub(crate) values: &'w [AtomicI8],
    /// Where the layer in work begins.
    pub(crate) start: usize,
    pub(crate) stop: &'w AtomicBool,
}

/// Builds a table layer by layer: each begins with the value `fresh` everywhere, and `layer` works it out unless it can be read.
pub(crate) fn grow<B: Lanes>(
    kernel: &Kernel<B>,
    seeds: usize,
    fresh: i8,
    watch: Watch,
    layer: impl Fn(&Work<B>) + Sync,
) -> Result<Table, BuildError> {
    if seeds > MAX_TABLE_SEEDS || seeds > kernel.max_seeds() {
        return Err(BuildError::Seeds(seeds));
    }
    let too_large = BuildError::TooLarge { pits: kernel.pits(), seeds };
    let index = Index::of_owners(kernel.owners(), seeds).ok_or(too_large.clone())?;
    let total = usize::try_from(index.total()).map_err(|_| too_large.clone())?;
    let mut values: Vec<AtomicI8> = Vec::new();
    values.try_reserve_exact(total).map_err(|_| too_large)?;
    let ready = watch.layers.ready();
    // The layer below, if it is still to be handed on.
    let mut done: Option<(usize, Vec<i8>)> = None;
    let hand_on = |done: Option<(usize, Vec<i8>)>| match done {
        Some((seeds, values)) => watch.layers.finished(seeds, &values),
        None => Ok(()),
    };
    for s in 0..=seeds {
        let (start, len) = (index.layer_start(s) as usize, index.layer_len(s) as usize);
        if s < ready {
            let mut known = vec![0; len];
            let left_out = watch.layers.read(s, &mut known)?;
            values.extend(known.into_iter().map(AtomicI8::new));
            let work = Work { kernel, index: &index, values: &values, start, stop: watch.stop };
            fill_in(&work, left_out);
        } else {
            values.resize_with(start + len, || AtomicI8::new(fresh));
            let work = Work { kernel, index: &index, values: &values, start, stop: watch.stop };
            let below = done.take();
            let ((), handed) = rayon::join(|| layer(&work), || hand_on(below));
            handed?;
        }
        if watch.stop.load(Ordering::Relaxed) {
            return Err(BuildError::Stopped);
        }
        (watch.progress)(Progress { seeds: s, positions: (start + len) as u64, total: total as u64 });
        if s >= ready && watch.layers.wants(s) {
            done = Some((s, values[start..].iter().map(|value| value.load(Ordering::Relaxed)).collect()));
        }
    }
    hand_on(done)?;
    Ok(Table::new(index, seeds, values.into_iter().map(AtomicI8::into_inner).collect()))
}

/// Boards a thread takes at a time.
const CHUNK: usize = 1 << 12;

/// Works out the values that were left out at the beginning of the last layer.
fn fill_in<B: Lanes>(work: &Work<B>, left_out: usize) {
    let Work { kernel, index, values, start, stop } = work;
    values[*start..*start + left_out].par_chunks(CHUNK).enumerate().for_each(|(chunk, places)| {
        if stop.load(Ordering::Relaxed) {
            return;
        }
        let from = (start + chunk * CHUNK) as u64;
        let (mut board, mut seat) = index.at::<B>(from);
        for place in places {
            let found = evaluate(kernel, &board, seat, |board, seat| {
                let value = values[index.place(board, seat) as usize].load(Ordering::Relaxed);
                Ok::<_, std::convert::Infallible>(i32::from(value))
            });
            let Ok(found) = found;
            place.store(found as i8, Ordering::Relaxed);
            index.step(&mut board, &mut seat);
        }
    });
}

//! What the builders that go position by position share: a table that grows layer by layer.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

use lumbung_engine::kernel::{Kernel, Lanes, Seat};
use rayon::prelude::*;
use thiserror::Error;

use crate::both::Layer;
use crate::cells::{Begin, Cells};
use crate::file::evaluate;
use crate::index::Index;
use crate::layers::{Halt, Layers, OnlyInMemory};
use crate::rows::Progress;
use crate::table::{MAX_TABLE_SEEDS, Table};
use crate::values::MAX_BYTE_SEEDS;

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
    #[error("a table of {pits} pits a row and {seeds} seeds, about {:.1e} positions, does not fit into memory", Index::about(*pits, *seeds))]
    TooLarge {
        /// Pits a row.
        pits: usize,
        /// Seeds in play.
        seeds: usize,
    },
    /// Layers that were read are not such as a builder hands on.
    #[error("values that were read lead to an impossible one among the boards with {seeds} seeds")]
    Impossible {
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
    pub(crate) values: &'w Cells,
    /// Where the layer in work begins.
    pub(crate) start: usize,
    pub(crate) stop: &'w AtomicBool,
}

impl<B: Lanes> Work<'_, B> {
    /// Takes the first `len` positions of the layer in work, or all if it has no more, in portions on all threads: where they are, and the
    /// first of them.
    pub(crate) fn portions(&self, len: usize, portion: usize) -> impl IndexedParallelIterator<Item = (Range<usize>, B, Seat)> {
        let end = self.values.len().min(self.start.saturating_add(len));
        (0..(end - self.start).div_ceil(portion)).into_par_iter().map(move |number| {
            let from = self.start + number * portion;
            let (board, seat) = self.index.at::<B>(from as u64);
            (from..end.min(from + portion), board, seat)
        })
    }
}

/// Builds a table layer by layer: each begins with the same value everywhere, and `layer` works it out unless it can be read.
pub(crate) fn grow<B: Lanes>(
    kernel: &Kernel<B>,
    seeds: usize,
    fresh: Begin,
    watch: Watch,
    layer: impl Fn(&Work<B>) + Sync,
) -> Result<Table, BuildError> {
    if seeds > MAX_TABLE_SEEDS || seeds > kernel.max_seeds() {
        return Err(BuildError::Seeds(seeds));
    }
    let too_large = BuildError::TooLarge { pits: kernel.pits(), seeds };
    let index = Index::of_owners(kernel.owners(), seeds).ok_or(too_large.clone())?;
    let positions = |seeds: usize| usize::try_from(index.layer_end(seeds));
    let total = positions(seeds).map_err(|_| too_large.clone())?;
    let as_bytes = positions(seeds.min(MAX_BYTE_SEEDS)).map_err(|_| too_large.clone())?;
    let mut values = Cells::with_room(as_bytes, total - as_bytes).ok_or(too_large)?;
    let ready = watch.layers.ready();
    // The layer below, if it is still to be handed on.
    let mut done: Option<(usize, Layer)> = None;
    let hand_on = |done: Option<(usize, Layer)>| match done {
        Some((seeds, layer)) => watch.layers.finished(seeds, layer.values()),
        None => Ok(()),
    };
    for s in 0..=seeds {
        let (start, len) = (index.layer_start(s) as usize, index.layer_len(s) as usize);
        if s < ready {
            let mut known = Layer::zeros(s, len);
            let left_out = watch.layers.read(s, known.values_mut())?;
            values.push(known);
            fill_in(&Work { kernel, index: &index, values: &values, start, stop: watch.stop }, s, left_out)?;
        } else {
            values.grow(s, len, fresh);
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
            done = Some((s, values.copy(start..start + len)));
        }
    }
    hand_on(done)?;
    Ok(Table::new(index, seeds, values.into_values()))
}

/// Boards a thread takes at a time.
const CHUNK: usize = 1 << 12;

/// Works out the values that were left out at the beginning of the last layer, which has so many seeds.
fn fill_in<B: Lanes>(work: &Work<B>, seeds: usize, left_out: usize) -> Result<(), BuildError> {
    let Work { kernel, index, values, stop, .. } = work;
    work.portions(left_out, CHUNK).try_for_each(|(places, mut board, mut seat)| {
        if stop.load(Ordering::Relaxed) {
            return Ok(());
        }
        for place in places {
            let found = evaluate(kernel, &board, seat, |board, seat| {
                Ok::<_, std::convert::Infallible>(values.get(index.place(board, seat) as usize))
            });
            let Ok(found) = found;
            // Nobody gains or loses more than are in play; more would not have room either.
            if found.unsigned_abs() as usize > seeds {
                return Err(BuildError::Impossible { seeds });
            }
            values.set(place, found);
            index.step(&mut board, &mut seat);
        }
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use lumbung_engine::Owners;
    use lumbung_engine::kernel::Bytes16;
    use lumbung_engine::rules::preset;

    use super::*;
    use crate::values::{Values, ValuesMut};

    /// The layers of a table, those boards left out on which the player to move has fewer seeds; of three seeds this is stored, if anything.
    struct Read(Table, Option<i8>);

    impl Layers for Read {
        fn ready(&self) -> usize {
            4
        }
        fn read(&self, seeds: usize, values: ValuesMut) -> Result<usize, Halt> {
            let (ValuesMut::Bytes(values), Values::Bytes(right)) = (values, self.0.layer(seeds)) else { return Err(Halt) };
            let left_out = (0..seeds.div_ceil(2)).map(|own| (own + 1) * (seeds - own + 1)).sum::<usize>();
            values[left_out..].copy_from_slice(&right[left_out..]);
            if let Some(wrong) = self.1.filter(|_| seeds == 3) {
                values[left_out..].fill(wrong);
            }
            Ok(left_out)
        }
        fn wants(&self, _: usize) -> bool {
            false
        }
        fn finished(&self, _: usize, _: Values) -> Result<(), Halt> {
            Ok(())
        }
    }

    #[test]
    fn what_follows_from_impossible_values_is_refused() {
        let kernel = Kernel::<Bytes16>::new(&preset("kalah").unwrap().rules, 2, 3, Owners::rows(2)).unwrap();
        let stop = AtomicBool::new(false);
        let right = crate::plain::build(&kernel, 3, &stop).unwrap();
        let built = |wrong| {
            let layers = Read(right.clone(), wrong);
            crate::plain::build_layers(&kernel, 3, Watch { stop: &stop, progress: &|_| {}, layers: &layers })
        };
        assert_eq!(built(None).unwrap().layer(3), right.layer(3));
        // The only seed of 1,0/2,0 stays at home, and then it is the other player's turn, who has two.
        for wrong in [i8::MAX, i8::MIN, 4] {
            assert_eq!(built(Some(wrong)).map(|_| ()), Err(BuildError::Impossible { seeds: 3 }), "{wrong}");
        }
    }
}

//! Is every byte of a table what it should be?
//!
//! First each file against its digest in the manifest. Then the values against the rules: each must be the best that its moves lead
//! to, by the values of the boards they lead to. Under rules that cannot repeat a position that settles every value, from the end
//! of the game up: a table in which the equation holds everywhere has no other values than the right ones. Values that the compact
//! encoding leaves out are found by that very equation, so only stored ones need checking.
//!
//! Under rules that can repeat a position it does not settle them: on a cycle, false values can bear each other out. There every value
//! but 0 must also be reached by finite play, see `progress.rs`, and then it is right. That takes all values of a layer, so of a
//! sample only the equation is looked at, and the report says so.

use std::ops::Range;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use lumbung_engine::Position;
use lumbung_engine::kernel::{Kernel, Lanes, Seat, Visitor, dispatch};
use rayon::prelude::*;

use super::directory::Directory;
use super::error::FileError;
use super::evaluate::evaluate;
use super::layer::go_on;
use super::probe::Probe;
use super::stats::Stats;
use super::write::digest;
use crate::progress::first_not_shown;
use crate::table::Table;

/// What to check, and with what.
#[derive(Clone, Copy)]
pub struct Options<'o> {
    /// Check the values of so many positions, drawn at random; all if `None`.
    pub sample: Option<u64>,
    /// Which sample: the same number draws the same positions.
    pub seed: u64,
    /// Bytes of memory to use. All positions can only be checked if the table fits.
    pub memory: u64,
    /// Set to give up.
    pub stop: &'o AtomicBool,
    /// Told now and then how many positions were checked, of how many.
    pub progress: &'o (dyn Fn(u64, u64) + Sync),
}

/// What was checked, and the first thing that is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// Layers whose digests were checked.
    pub layers: usize,
    /// Layers that the table is to have; 0 if its manifest cannot be read.
    pub wanted: usize,
    /// Positions whose values were checked.
    pub positions: u64,
    /// How they were checked.
    pub method: Method,
    /// What is wrong; `None` if nothing is.
    pub fault: Option<Fault>,
}

/// How values are checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// Each against its moves, which settles them all.
    Moves,
    /// Each against its moves, and whether finite play reaches it, which settles them where positions can repeat.
    FinitePlay,
    /// Each against its moves, which does not settle them: positions can repeat.
    MovesOnly,
}

/// Something wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The layer it is in, by its seeds; `None` if it is the manifest.
    pub seeds: Option<usize>,
    /// The position whose value is wrong, where that can be told.
    pub position: Option<Position>,
    /// What is wrong, in a line.
    pub what: String,
}

/// Checks a table.
///
/// # Errors
/// If it cannot be checked. That it is wrong is no error, but is reported.
pub fn verify(path: &Path, options: Options) -> Result<Report, FileError> {
    match Directory::open(path) {
        Ok(directory) => verify_open(&directory, options),
        Err(error) => Ok(Report { layers: 0, wanted: 0, positions: 0, method: Method::Moves, fault: Some(fault(None, error)?) }),
    }
}

/// The fault that an error is, if it is one of the table: a layer of another format than its manifest is one.
fn fault(seeds: Option<usize>, error: FileError) -> Result<Fault, FileError> {
    if is_fault(seeds, &error) { Ok(Fault { seeds, position: None, what: error.to_string() }) } else { Err(error) }
}

/// Whether an error is a fault of the table.
fn is_fault(seeds: Option<usize>, error: &FileError) -> bool {
    error.is_fault_of_the_table() || seeds.is_some() && matches!(error, FileError::Format { .. })
}

/// Checks a table that is open, of which values may have been looked up already: those, and not what has come to lie in its place.
///
/// # Errors
/// As [`verify`].
pub fn verify_open(directory: &Directory, options: Options) -> Result<Report, FileError> {
    let mut method = Method::Moves;
    let most = directory.seeds()?;
    let manifest = directory.manifest();
    let (layers, wanted) = (manifest.layers.len(), manifest.parity.layers(manifest.seeds));
    let report = |method, positions, layers, fault| Ok(Report { layers, wanted, positions, method, fault });
    if directory.rules().can_repeat() {
        method = if options.sample.is_some() { Method::MovesOnly } else { Method::FinitePlay };
    }
    let wanted_layers: Vec<usize> = directory.wanted(most).collect();
    let errors =
        wanted_layers.into_par_iter().filter_map(|seeds| Some((seeds, check_file(directory, seeds, options.stop).err()?)));
    let errors: Vec<(usize, FileError)> = errors.collect();
    // All below the first that was not checked, or is wrong, were.
    let below = errors.first().map_or(layers, |(seeds, _)| manifest.parity.number(*seeds).unwrap_or(0));
    // A fault that was found is told, also if the caller asked to stop before all was checked.
    let wrong = errors.into_iter().min_by_key(|(seeds, error)| (!is_fault(Some(*seeds), error), *seeds));
    if let Some((seeds, error)) = wrong {
        return report(method, 0, below, Some(fault(Some(seeds), error)?));
    }
    let check = Check { directory, most, options };
    let checked = dispatch(directory.rules(), manifest.pits, most, manifest.owners(), check);
    match checked {
        Ok((positions, fault)) => report(method, positions, layers, fault),
        Err(error) => report(method, 0, layers, Some(fault(layer_of(directory, &error), error)?)),
    }
}

/// The seeds of the layer whose file an error is about.
fn layer_of(directory: &Directory, error: &FileError) -> Option<usize> {
    let (FileError::Damaged { path, .. } | FileError::Foreign { path, .. }) = error else { return None };
    let mut layers = directory.manifest().layers.iter();
    layers.find(|layer| path == &directory.path().join(&layer.file)).map(|layer| layer.seeds)
}

/// Holds a layer file against the manifest and itself.
fn check_file(directory: &Directory, seeds: usize, stop: &AtomicBool) -> Result<(), FileError> {
    if stop.load(Ordering::Relaxed) {
        return Err(FileError::Stopped);
    }
    let layer = directory.layer(seeds)?;
    let (size, digest) = digest(layer.path())?;
    let Some(entry) = directory.manifest().layers.iter().find(|entry| entry.seeds == seeds) else { return Ok(()) };
    if (size, &digest) != (entry.size, &entry.digest) {
        return Err(FileError::damaged(layer.path(), "its digest is not the one in the manifest"));
    }
    Ok(())
}

/// Positions a thread checks at a time.
const CHUNK: u64 = 1 << 12;

struct Check<'c> {
    directory: &'c Directory,
    most: usize,
    options: Options<'c>,
}

impl Visitor for Check<'_> {
    type Output = Result<(u64, Option<Fault>), FileError>;

    fn visit<B: Lanes>(self, kernel: Kernel<B>) -> Self::Output {
        match self.options.sample {
            None => self.whole(&kernel),
            Some(sample) => self.sample::<B>(sample),
        }
    }
}

impl Check<'_> {
    fn whole<B: Lanes>(&self, kernel: &Kernel<B>) -> Result<(u64, Option<Fault>), FileError> {
        let table = self.directory.load_until(self.most, self.options.memory, self.options.stop)?;
        let done = AtomicU64::new(0);
        for seeds in self.directory.wanted(self.most) {
            let layer = self.directory.layer(seeds)?;
            if Stats::of(table.layer(seeds)) != layer.header.stats {
                let what = format!("{} has other values than its statistics say", layer.path().display());
                return Ok((done.into_inner(), Some(Fault { seeds: Some(seeds), position: None, what })));
            }
            let first = table.index().layer_start(seeds) + layer.left_out() as u64;
            done.fetch_add(layer.left_out() as u64, Ordering::Relaxed);
            let end = table.index().layer_end(seeds);
            let fault = (0..(end - first).div_ceil(CHUNK)).into_par_iter().find_map_first(|chunk| {
                if self.options.stop.load(Ordering::Relaxed) {
                    return None;
                }
                let from = first + chunk * CHUNK;
                let fault = self.chunk(kernel, &table, seeds, from..end.min(from + CHUNK));
                let checked = done.fetch_add(CHUNK.min(end - from), Ordering::Relaxed);
                (self.options.progress)(checked, table.len());
                fault
            });
            // Found is found, also if the caller asked to stop meanwhile.
            if fault.is_some() {
                return Ok((done.into_inner(), fault));
            }
            go_on(self.options.stop)?;
            let fault = self.not_shown(kernel, &table, seeds)?;
            if fault.is_some() {
                return Ok((done.into_inner(), fault));
            }
        }
        Ok((done.into_inner(), None))
    }

    /// The first wrong value of a layer with an index in `places`.
    fn chunk<B: Lanes>(&self, kernel: &Kernel<B>, table: &Table, seeds: usize, places: Range<u64>) -> Option<Fault> {
        let (mut board, mut seat) = table.index().at::<B>(places.start);
        for place in places {
            let stored = table.value_in(seeds, place);
            let right = evaluate(kernel, &board, seat, |board, seat| table.value_for(board, seat).ok_or(()));
            if stored.ok_or(()) != right {
                return Some(self.fault(kernel, &board, seat, stored.unwrap_or(0), right.unwrap_or(0)));
            }
            table.index().step(&mut board, &mut seat);
        }
        None
    }

    /// The first value of a layer that no finite play reaches, where positions can repeat.
    fn not_shown<B: Lanes>(&self, kernel: &Kernel<B>, table: &Table, seeds: usize) -> Result<Option<Fault>, FileError> {
        if !kernel.can_repeat() {
            return Ok(None);
        }
        let value = |place| table.value_at(place).unwrap_or(0);
        let place = first_not_shown(kernel, table.index(), &value, seeds, self.options.stop);
        if self.options.stop.load(Ordering::Relaxed) {
            return Err(FileError::Stopped);
        }
        Ok(place.map(|place| {
            let (board, seat) = table.index().at::<B>(place);
            let file = self.directory.path().join(super::manifest::layer_name(seeds));
            let position = kernel.position(&board, seat);
            let what = format!("{} says {} of {position}; no finite play reaches that", file.display(), value(place));
            Fault { seeds: Some(seeds), position: Some(position), what }
        }))
    }

    fn sample<B: Lanes>(&self, sample: u64) -> Result<(u64, Option<Fault>), FileError> {
        let Some(probe) = Probe::<B>::new(self.directory) else { return Ok((0, None)) };
        let index = self.directory.index();
        let parity = self.directory.manifest().parity;
        let done = AtomicU64::new(0);
        let check = |number: u64| -> Result<Option<Fault>, FileError> {
            let mut place = draw(self.options.seed, number, index.total());
            let mut again = number;
            while !parity.wants(index.unrank::<B>(place).seeds() as usize) {
                // Left out: another one instead.
                again = again.wrapping_add(sample);
                place = draw(self.options.seed, again, index.total());
            }
            let (mut board, mut seat) = index.at::<B>(place);
            let stored = match probe.stored(&board, seat)? {
                Some(stored) => stored,
                // A value that is left out has nothing to be wrong about; the same board seen by the other player is stored.
                None => {
                    (board, seat) = (board.swap(), probe.kernel().other(seat));
                    probe.value(&board, seat)?
                }
            };
            let right = evaluate(probe.kernel(), &board, seat, |board, seat| probe.value(board, seat))?;
            let checked = done.fetch_add(1, Ordering::Relaxed);
            if checked.is_multiple_of(CHUNK) {
                (self.options.progress)(checked, sample);
            }
            Ok((stored != right).then(|| self.fault(probe.kernel(), &board, seat, stored, right)))
        };
        // Stopping is not an error, which would hide a fault found further on; and a sample may be drawn for years.
        let drawn = (0..sample).into_par_iter().take_any_while(|_| !self.options.stop.load(Ordering::Relaxed));
        let wrong = drawn.find_map_first(|number| check(number).transpose());
        match wrong {
            None => go_on(self.options.stop).map(|()| (sample, None)),
            Some(Ok(fault)) => Ok((done.into_inner(), Some(fault))),
            Some(Err(error)) => Err(error),
        }
    }

    fn fault<B: Lanes>(&self, kernel: &Kernel<B>, board: &B, seat: Seat, stored: i32, right: i32) -> Fault {
        let seeds = board.seeds() as usize;
        let position = kernel.position(board, seat);
        let file = self.directory.path().join(super::manifest::layer_name(seeds));
        let what = format!("{} says {stored} of {position}; by its moves it is {right}", file.display());
        Fault { seeds: Some(seeds), position: Some(position), what }
    }
}

/// The `number`th draw from `0..below` of the sample `seed`: SplitMix64, whose outputs are scaled down.
fn draw(seed: u64, number: u64, below: u64) -> u64 {
    let mut word = seed.wrapping_add(number.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    word = (word ^ word >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    word = (word ^ word >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    word ^= word >> 31;
    ((u128::from(word) * u128::from(below)) >> 64) as u64
}

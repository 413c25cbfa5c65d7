//! A layer of a table as a file that other programs read: a row a position, in the order of the index.
//!
//! The columns: `own_1` to `own_n` and `other_1` to `other_n`, the seeds of the pits of the player to move and of the other, each
//! row in its owner's sowing order; `value`, what the player to move gains from there on; `best`, the first of her best moves as a
//! pit counted from 1 in her sowing order round the board, or 0 where there is none to make. Where pits have other owners than their
//! rows, so that the same pits are another position for South than for North, a first column `mover` says whose move it is; other
//! tables are for either player and have no such column.
//!
//! Numbers of eight bits are enough for values of layers of up to 127 seeds and for pits of layers of up to 255; above that they have sixteen.

mod csv;
mod npy;
mod parquet;

use std::fs::File;
use std::io::BufWriter;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use lumbung_engine::Side;
use lumbung_engine::kernel::{Kernel, Lanes, Seat, Visitor, dispatch};
use lumbung_engine::whole_file;
use rayon::prelude::*;
use thiserror::Error;

use super::directory::Directory;
use super::error::FileError;
use super::evaluate::{Choice, choice};
use crate::table::Table;
use crate::values::{MAX_BYTE_SEEDS, Values};

/// The form of an exported file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Text, a line a position, the first line naming the columns.
    Csv,
    /// A NumPy file: an array of records with the fields `own`, `other`, `value` and `best`, and before them `mover` where it
    /// matters.
    Npy,
    /// An Apache Parquet file.
    Parquet,
}

/// Positions made ready at a time, and those of a row group of a Parquet file: always as many, so that a file is the same bytes
/// whatever memory there was.
const BATCH: usize = 1 << 16;
/// Positions a thread makes ready at a time.
const CHUNK: usize = 1 << 12;

/// Some positions.
struct Batch {
    /// Who is to move, where it matters; otherwise empty.
    movers: Vec<Side>,
    /// Pits of each position: the mover's row, then the other.
    pits: Vec<u16>,
    values: Vec<i16>,
    best: Vec<u8>,
}

impl Batch {
    fn with_room(positions: usize, pits: usize) -> Batch {
        Batch {
            movers: Vec::new(),
            pits: Vec::with_capacity(2 * pits * positions),
            values: Vec::with_capacity(positions),
            best: Vec::with_capacity(positions),
        }
    }
}

/// The kinds of files, as something positions are written to.
trait Sink {
    fn write(&mut self, batch: &Batch) -> std::io::Result<()>;
    fn finish(self: Box<Self>) -> std::io::Result<()>;
}

impl Directory {
    /// Bytes of memory that [`Directory::export`] takes for the layer of `seeds` seeds at least: the values of the layers up to that one,
    /// and rows made ready.
    ///
    /// # Errors
    /// If there is no such layer.
    pub fn export_bytes(&self, seeds: usize) -> Result<u64, FileError> {
        self.loaded_bytes(seeds).map(|values| values.saturating_add(batch_bytes(self, seeds)))
    }

    /// Writes the layer of `seeds` seeds into a file, which appears whole or not at all, and is the same whatever the memory. That, in
    /// bytes, must be [`Directory::export_bytes`] or more; returns the positions written. Gives up, without a file, when `stop` is set.
    ///
    /// # Errors
    /// If there is no such layer, it is damaged or does not fit, or the file lies in the table's own directory or cannot be written; [`FileError::Stopped`].
    pub fn export(&self, seeds: usize, format: Format, out: &Path, memory: u64, stop: &AtomicBool) -> Result<u64, FileError> {
        let place = out.parent().filter(|place| !place.as_os_str().is_empty()).unwrap_or(Path::new("."));
        if let (Ok(place), Ok(own)) = (place.canonicalize(), self.path().canonicalize())
            && place == own
        {
            return Err(FileError::WithinTable { path: out.to_owned() });
        }
        let needed = self.export_bytes(seeds)?;
        if needed > memory {
            let fits = |seeds: &usize| self.export_bytes(*seeds).is_ok_and(|needed| needed <= memory);
            let fitting = (0..seeds).rev().find(fits);
            return Err(FileError::Memory { path: self.path().to_owned(), seeds, needed, allowed: memory, fitting });
        }
        let table = self.load_or_work_out(seeds, memory, stop)?;
        let written = whole_file::write(out, |file| {
            let out = BufWriter::with_capacity(1 << 20, file.try_clone()?);
            write(self, &table, format, out, stop)
        });
        written.map_err(|error| if is_stopped(&error) { FileError::Stopped } else { FileError::io("write", out, error) })?;
        Ok(table.index().layer_len(seeds))
    }
}

/// A file is given up since the caller asked to stop.
#[derive(Debug, Error)]
#[error("stopped")]
struct Stopped;

fn is_stopped(error: &std::io::Error) -> bool {
    error.get_ref().is_some_and(|error| error.is::<Stopped>())
}

/// Bytes of memory that positions made ready at a time take.
fn batch_bytes(directory: &Directory, seeds: usize) -> u64 {
    let index = directory.index();
    // Pits, value, best move and mover, twice where they are put together; a column of a Parquet file and what becomes of it, in that of
    // the movers a text each.
    let column = if index.seats() > 1 { 80 } else { 16 };
    let each = 2 * (2 * 2 * index.pits() as u64 + 4) + column;
    index.layer_len(seeds).min(BATCH as u64) * each
}

fn write(directory: &Directory, table: &Table, format: Format, out: BufWriter<File>, stop: &AtomicBool) -> std::io::Result<()> {
    let pits = table.pits();
    let positions = table.index().layer_len(table.seeds());
    let shape = Shape { pits, with_mover: table.index().seats() > 1, seeds: table.seeds() };
    let sink: Box<dyn Sink> = match format {
        Format::Csv => Box::new(csv::Csv::new(out, shape)?),
        Format::Npy => Box::new(npy::Npy::new(out, shape, positions)?),
        Format::Parquet => Box::new(parquet::Parquet::new(out, shape, &about(directory, table.seeds()))?),
    };
    dispatch(directory.rules(), pits, table.seeds(), directory.manifest().owners(), Rows { table, sink, stop })
}

/// What a file may say of its origin.
fn about(directory: &Directory, seeds: usize) -> Vec<(&'static str, String)> {
    let manifest = directory.manifest();
    vec![
        ("game", manifest.game.clone()),
        ("pits", manifest.pits.to_string()),
        ("owners", manifest.owners().to_string()),
        ("seeds", seeds.to_string()),
        ("rules", manifest.rules.clone()),
        ("fingerprint", manifest.fingerprint.to_string()),
        ("program", manifest.program.clone()),
    ]
}

/// What the rows of a file consist of.
#[derive(Clone, Copy)]
struct Shape {
    /// Pits a row of the board.
    pits: usize,
    /// Whether they say who is to move.
    with_mover: bool,
    /// Seeds in play.
    seeds: usize,
}

impl Shape {
    /// Whether values take two bytes.
    fn wide_values(self) -> bool {
        self.seeds > MAX_BYTE_SEEDS
    }

    /// Whether pits take two bytes.
    fn wide_pits(self) -> bool {
        self.seeds > usize::from(u8::MAX)
    }

    /// The names of the columns.
    fn columns(self) -> Vec<String> {
        let row = |name: &'static str| (1..=self.pits).map(move |pit| format!("{name}_{pit}"));
        let mover = self.with_mover.then(|| "mover".to_owned());
        mover.into_iter().chain(row("own")).chain(row("other")).chain(["value".to_owned(), "best".to_owned()]).collect()
    }
}

/// The player to move, as positions are written: `s` or `n`.
fn letter(mover: Side) -> &'static str {
    match mover {
        Side::South => "s",
        Side::North => "n",
    }
}

struct Rows<'r> {
    table: &'r Table,
    sink: Box<dyn Sink>,
    stop: &'r AtomicBool,
}

impl Visitor for Rows<'_> {
    type Output = std::io::Result<()>;

    fn visit<B: Lanes>(mut self, kernel: Kernel<B>) -> Self::Output {
        let values = self.table.layer(self.table.seeds());
        let start = self.table.index().layer_start(self.table.seeds());
        for from in (0..values.len()).step_by(BATCH) {
            if self.stop.load(Ordering::Relaxed) {
                return Err(std::io::Error::other(Stopped));
            }
            let end = values.len().min(from + BATCH);
            let parts: Vec<Batch> = (0..(end - from).div_ceil(CHUNK))
                .into_par_iter()
                .map(|chunk| {
                    let from = from + chunk * CHUNK;
                    let values = values.part(from..end.min(from + CHUNK));
                    batch(self.table, &kernel, start + from as u64, values)
                })
                .collect();
            let mut whole = Batch::with_room(end - from, self.table.pits());
            // One after the other, so that they are not all there twice.
            for part in parts {
                whole.movers.extend(part.movers);
                whole.pits.extend(part.pits);
                whole.values.extend(part.values);
                whole.best.extend(part.best);
            }
            self.sink.write(&whole)?;
        }
        self.sink.finish()
    }
}

fn batch<B: Lanes>(table: &Table, kernel: &Kernel<B>, from: u64, values: Values) -> Batch {
    let n = kernel.pits();
    let (mut board, mut seat) = table.index().at::<B>(from);
    let with_mover = table.index().seats() > 1;
    let mut batch = Batch::with_room(values.len(), n);
    for value in values.iter() {
        batch.values.push(value as i16);
        if with_mover {
            batch.movers.push(if seat == Seat::FIRST { Side::South } else { Side::North });
        }
        for row in [0, B::STRIDE] {
            batch.pits.extend((row..row + n).map(|lane| board.get(lane) as u16));
        }
        batch.best.push(best(table, kernel, &board, seat));
        table.index().step(&mut board, &mut seat);
    }
    batch
}

fn best<B: Lanes>(table: &Table, kernel: &Kernel<B>, board: &B, seat: Seat) -> u8 {
    match choice(kernel, board, seat, |board, seat| table.value_for(board, seat).ok_or(())) {
        // Of equals the first.
        Ok(Choice::Moves(moves)) => moves.iter().rev().max_by_key(|choice| choice.value).map_or(0, |choice| choice.pit.0 + 1),
        _ => 0,
    }
}

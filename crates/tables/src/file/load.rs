//! A table from disk into memory.
//!
//! The compact encoding leaves out half of the positions of games that cannot repeat one. To fill them in move by move takes many
//! times longer than to work out all values by rows; so where the rules and the memory allow it that is done, and what is in the
//! files is held against it.

use std::path::Path;
use std::sync::atomic::AtomicBool;

use lumbung_engine::Owners;
use lumbung_engine::kernel::{Kernel, Lanes, Seat, Visitor, dispatch};
use lumbung_engine::rules::RuleSet;
use rayon::prelude::*;

use super::directory::Directory;
use super::error::FileError;
use super::evaluate::evaluate;
use super::layer::{Layer, go_on};
use super::manifest::Encoding;
use super::tiles::stores_all;
use crate::both::{Below, Both};
use crate::cyclic::Parity;
use crate::index::Index;
use crate::rows::{self, RowsError};
use crate::table::Table;
use crate::value::Value;
use crate::values::{ValuesMut, bytes_up_to};

/// Reads the layers up to `max_seeds` of a table of these rules and this board, each player owning her own row, or as many as there are and fit into `memory`
/// bytes.
///
/// # Errors
/// If the table is damaged, of other rules or another board, or not even its first layer fits.
pub fn load_table(path: &Path, rules: &RuleSet, pits: usize, max_seeds: usize, memory: u64) -> Result<Table, FileError> {
    load_table_until(path, rules, pits, max_seeds, memory, &AtomicBool::new(false))
}

/// As [`load_table`], until `stop` is set; where all values are worked out, that may take a while.
///
/// # Errors
/// As there, or [`FileError::Stopped`].
pub fn load_table_until(
    path: &Path,
    rules: &RuleSet,
    pits: usize,
    max_seeds: usize,
    memory: u64,
    stop: &AtomicBool,
) -> Result<Table, FileError> {
    let directory = Directory::open_for(path, rules, Owners::rows(pits))?;
    let parity = directory.manifest().parity;
    if parity != Parity::All {
        return Err(FileError::NotAllLayers { path: path.to_owned(), parity: parity.name() });
    }
    let most = directory.seeds()?.min(max_seeds);
    let seeds = (0..=most).rev().find(|&seeds| bytes_up_to(directory.index(), seeds) <= memory);
    let seeds = seeds.unwrap_or(0);
    directory.load_or_work_out(seeds, memory, stop)
}

impl Directory {
    /// The layers of the table with up to `seeds` seeds.
    pub(super) fn wanted(&self, seeds: usize) -> impl Iterator<Item = usize> + use<> {
        let parity = self.manifest().parity;
        (0..=seeds).filter(move |&seeds| parity.wants(seeds))
    }

    /// Bytes of memory that [`Directory::load`] takes for the layers up to `seeds`.
    ///
    /// # Errors
    /// If there are not so many layers.
    pub fn loaded_bytes(&self, seeds: usize) -> Result<u64, FileError> {
        self.check_seeds(seeds)?;
        Ok(bytes_up_to(self.index(), seeds))
    }

    /// The layers up to `seeds`, whichever way is faster: worked out by rows and held against what is in the files, or read.
    pub(super) fn load_or_work_out(&self, seeds: usize, memory: u64, stop: &AtomicBool) -> Result<Table, FileError> {
        match self.worked_out(seeds, memory, stop)? {
            Some(table) => Ok(table),
            None => self.load_until(seeds, memory, stop),
        }
    }

    /// The layers up to `seeds`, worked out by rows and held against what is in the files; `None` if that is not possible, or would
    /// be no faster than reading them.
    fn worked_out(&self, seeds: usize, memory: u64, stop: &AtomicBool) -> Result<Option<Table>, FileError> {
        let (rules, manifest, threads) = (self.rules(), self.manifest(), rayon::current_num_threads());
        let fits = rows::memory(manifest.pits, seeds, threads).is_some_and(|needed| needed <= memory);
        let leaves_out = manifest.encoding == Encoding::Compact && !stores_all(rules, manifest.owners());
        if !fits || !leaves_out || rows::can_express(rules).is_err() {
            return Ok(None);
        }
        self.check_seeds(seeds)?;
        let options = rows::Options { threads, memory: None, stop, progress: &|_| {} };
        let table = match rows::build(rules, manifest.pits, seeds, options) {
            Ok(table) => table,
            Err(RowsError::Stopped) => return Err(FileError::Stopped),
            // What the system refuses it here, it may grant to reading, which takes half the memory and no threads of its own.
            Err(_) => return Ok(None),
        };
        self.wanted(seeds).try_for_each(|seeds| self.layer(seeds)?.agrees_with(table.layer(seeds), stop))?;
        Ok(Some(table))
    }

    /// Reads the layers up to `seeds` into memory, on all threads; `memory` is in bytes. Where the table leaves layers out, so does what
    /// is read: values of other layers mean nothing.
    ///
    /// # Errors
    /// If there are not so many layers, they do not fit, or they are damaged.
    pub fn load(&self, seeds: usize, memory: u64) -> Result<Table, FileError> {
        self.load_until(seeds, memory, &AtomicBool::new(false))
    }

    /// As [`Directory::load`], until `stop` is set.
    ///
    /// # Errors
    /// As there, or [`FileError::Stopped`].
    pub fn load_until(&self, seeds: usize, memory: u64, stop: &AtomicBool) -> Result<Table, FileError> {
        let needed = self.loaded_bytes(seeds)?;
        let too_much = || {
            let fitting = (0..seeds).rev().find(|&seeds| bytes_up_to(self.index(), seeds) <= memory);
            FileError::Memory { path: self.path().to_owned(), seeds, needed, allowed: memory, fitting }
        };
        if needed > memory {
            return Err(too_much());
        }
        let owners = self.manifest().owners();
        let index = Index::of_owners(owners, seeds).ok_or_else(too_much)?;
        let mut values = Both::zeros(&index, seeds).ok_or_else(too_much)?;
        for seeds in self.wanted(seeds) {
            let (start, len) = (index.layer_start(seeds) as usize, index.layer_len(seeds) as usize);
            self.layer(seeds)?.read_into(values.split(start, len, seeds).1, stop)?;
        }
        let fill = Fill { directory: self, index: &index, seeds, values: &mut values, stop };
        dispatch(self.rules(), owners.pits(), seeds, owners, fill)?;
        Ok(Table::new(index, seeds, values))
    }
}

/// Boards a thread takes at a time.
const CHUNK: usize = 1 << 12;

/// Fills in the values that are not stored, layer by layer, as [`super::probe`] explains.
struct Fill<'f> {
    directory: &'f Directory,
    index: &'f Index,
    seeds: usize,
    values: &'f mut Both,
    stop: &'f AtomicBool,
}

impl Visitor for Fill<'_> {
    type Output = Result<(), FileError>;

    fn visit<B: Lanes>(self, kernel: Kernel<B>) -> Self::Output {
        let index = self.index;
        for seeds in self.directory.wanted(self.seeds) {
            let (layer, len) = (self.directory.layer(seeds)?, index.layer_len(seeds) as usize);
            let (below, values) = self.values.split(index.layer_start(seeds) as usize, len, seeds);
            match values {
                ValuesMut::Bytes(values) => fill(&kernel, index, (layer, below), values, self.stop)?,
                ValuesMut::Words(values) => fill(&kernel, index, (layer, below), values, self.stop)?,
            }
        }
        Ok(())
    }
}

/// Fills in the values of a layer that are not stored.
fn fill<B: Lanes, V: Value>(
    kernel: &Kernel<B>,
    index: &Index,
    (layer, below): (&Layer, Below),
    values: &mut [V],
    stop: &AtomicBool,
) -> Result<(), FileError> {
    let start = below.len();
    let (missing, stored) = values.split_at_mut(layer.left_out());
    let first_stored = start + missing.len();
    let value = |board: &B, seat: Seat| {
        let place = index.place(board, seat) as usize;
        let found = match place.checked_sub(first_stored) {
            None => below.get(place),
            Some(place) => stored.get(place).map(|&value| value.into()),
        };
        // Never happens under rules without repetition; others are refused when the table is opened.
        found.ok_or_else(|| FileError::damaged(layer.path(), "a value that is left out depends on another one that is"))
    };
    missing.par_chunks_mut(CHUNK).enumerate().try_for_each(|(chunk, missing)| {
        go_on(stop)?;
        let from = (start + chunk * CHUNK) as u64;
        let (mut board, mut seat) = index.at::<B>(from);
        for place in missing {
            let found = evaluate(kernel, &board, seat, value)?;
            *place = V::try_from(found).map_err(|_| FileError::damaged(layer.path(), "it leads to impossible values"))?;
            index.step(&mut board, &mut seat);
        }
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    use std::fs::{self, File};

    use lumbung_engine::rules::preset;

    use super::*;
    use crate::file::Writer;
    use crate::file::header::{Header, INDEX_ENTRY, checksum};

    /// A raw layer with another value, and with every checksum in it made to fit.
    #[test]
    fn a_raw_layer_is_held_against_its_statistics() {
        let (place, rules, stop) = (tempfile::tempdir().unwrap(), &preset("kalah").unwrap().rules, AtomicBool::new(false));
        let options = rows::Options { threads: 1, memory: None, stop: &stop, progress: &|_| {} };
        let table = rows::build(rules, 2, 4, options).unwrap();
        let mut writer = Writer::new(place.path(), rules, 2, 4, Encoding::Raw).unwrap();
        (0..=4).for_each(|seeds| writer.write_layer(table.layer(seeds)).unwrap());
        drop(writer);
        let path = place.path().join("layer-003.lum");
        let mut bytes = fs::read(&path).unwrap();
        let (mut header, end) = Header::read(&path, &File::open(&path).unwrap(), bytes.len() as u64).unwrap();
        let (end, data) = (end as usize, (end + header.blocks * INDEX_ENTRY) as usize);
        assert_eq!((header.blocks, bytes.len() - data), (1, 20));
        bytes[data + 7] = (bytes[data + 7] as i8 + 2) as u8;
        let block = checksum(&bytes[data..]);
        bytes[end + 4..data].copy_from_slice(&block.to_le_bytes());
        header.index_checksum = checksum(&bytes[end..data]);
        fs::write(&path, [&header.to_bytes().unwrap(), &bytes[end..]].concat()).unwrap();
        let directory = Directory::open(place.path()).unwrap();
        let refused = directory.load(4, u64::MAX).unwrap_err().to_string();
        assert!(refused.ends_with("layer-003.lum is damaged: it has other values than its statistics say"), "{refused}");
        assert_eq!(directory.load(2, u64::MAX).unwrap().layer(2), table.layer(2));
    }

    #[test]
    fn whoever_loads_may_stop() {
        let (place, rules, stop) = (tempfile::tempdir().unwrap(), &preset("kalah").unwrap().rules, AtomicBool::new(false));
        let options = rows::Options { threads: 1, memory: None, stop: &stop, progress: &|_| {} };
        let table = rows::build(rules, 2, 4, options).unwrap();
        for encoding in [Encoding::Raw, Encoding::Compact] {
            let out = place.path().join(encoding.name());
            let mut writer = Writer::new(&out, rules, 2, 4, encoding).unwrap();
            (0..=4).for_each(|seeds| writer.write_layer(table.layer(seeds)).unwrap());
            let directory = Directory::open(&out).unwrap();
            let (stopped, mut values) = (AtomicBool::new(true), table.layer(4).bytes().unwrap().to_vec());
            assert!(matches!(directory.load_until(4, u64::MAX, &stopped), Err(FileError::Stopped)));
            let layer = directory.layer(4).unwrap();
            assert!(matches!(layer.agrees_with((&values).into(), &stopped), Err(FileError::Stopped)));
            assert!(layer.agrees_with((&values).into(), &stop).is_ok());
            values[34] += 2;
            assert!(matches!(layer.agrees_with((&values).into(), &stop), Err(FileError::Damaged { .. })));
        }
    }
}

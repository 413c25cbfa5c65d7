//! A table on disk, open for reading.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use lumbung_engine::kernel::{Lanes as _, Wide};
use lumbung_engine::rules::RuleSet;
use lumbung_engine::{Owners, Position, Side};

use super::error::FileError;
use super::header::Header;
use super::layer::Layer;
use super::manifest::Manifest;
use super::stats::Stats;
use super::tiles::stores_all;
use super::write::same_table;
use crate::index::{Index, choose};
use crate::table::MAX_TABLE_SEEDS;

/// A table on disk. The front of a layer is read when it is first asked for, and every byte is checked before it is believed. No file stays open.
///
/// Look-ups of single boards (see [`Probe`](super::Probe)) map the files into memory. While they are, no other program may write into
/// them or shorten them: the behaviour is then undefined, and nothing in this library can guard against it. One that puts other files in their
/// place does no harm. What goes through whole layers reads the files, and one that shrinks meanwhile is an error like any other.
#[derive(Debug)]
pub struct Directory {
    path: PathBuf,
    manifest: Manifest,
    rules: RuleSet,
    digest: [u8; 32],
    index: Index,
    layers: Vec<OnceLock<Layer>>,
}

impl Directory {
    /// Opens a table, complete or not.
    ///
    /// # Errors
    /// If there is none, its manifest is damaged, or it has another format.
    pub fn open(path: &Path) -> Result<Directory, FileError> {
        let (manifest, rules, digest) = Manifest::read(path)?;
        let damaged = |what: &str| FileError::damaged(&path.join(super::manifest::NAME), what);
        if manifest.pits == 0 || manifest.pits > lumbung_engine::position::MAX_PITS || manifest.seeds > MAX_TABLE_SEEDS {
            return Err(damaged("no table has so many pits or seeds"));
        }
        let most = manifest.complete_to().unwrap_or(0);
        if choose((most + 2 * manifest.pits) as u64, 2 * manifest.pits as u64).is_none() {
            return Err(damaged("it has more positions than can be numbered"));
        }
        let index =
            Index::of_owners(manifest.owners(), most).ok_or_else(|| damaged("it has more positions than can be numbered"))?;
        if manifest.layers.iter().any(|layer| layer.positions != index.layer_len(layer.seeds)) {
            return Err(damaged("its numbers of positions are wrong"));
        }
        let layers = manifest.layers.iter().map(|_| OnceLock::new()).collect();
        Ok(Directory { path: path.to_owned(), manifest, rules, digest: digest.into(), index, layers })
    }

    /// Opens a table that must be of these rules and these owners of the pits.
    ///
    /// # Errors
    /// As [`Directory::open`], or if it is of others.
    pub fn open_for(path: &Path, rules: &RuleSet, owners: Owners) -> Result<Directory, FileError> {
        let directory = Directory::open(path)?;
        directory.must_be_of(rules, owners)?;
        Ok(directory)
    }

    /// Refuses, by name, if this is a table of other rules, another board or other owners.
    ///
    /// # Errors
    /// If it is.
    pub fn must_be_of(&self, rules: &RuleSet, owners: Owners) -> Result<(), FileError> {
        same_table(&self.path, &self.manifest, &self.rules, rules, owners)
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What it says it holds.
    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// The rules it was built by.
    pub fn rules(&self) -> &RuleSet {
        &self.rules
    }

    /// The BLAKE3 digest in the first line of its manifest, which names the rules and the digest of every layer: it stands for the
    /// table as a whole.
    pub fn digest(&self) -> &[u8; 32] {
        &self.digest
    }

    /// The numbering of its boards.
    pub fn index(&self) -> &Index {
        &self.index
    }

    /// The most seeds of a board whose value it can tell.
    ///
    /// # Errors
    /// If not even the first layer was written.
    pub fn seeds(&self) -> Result<usize, FileError> {
        self.manifest.complete_to().ok_or_else(|| FileError::NoLayer { path: self.path.clone() })
    }

    /// Refuses boards with more seeds than it holds.
    pub(super) fn check_seeds(&self, seeds: usize) -> Result<(), FileError> {
        let most = self.seeds()?;
        if seeds > most {
            return Err(FileError::Seeds { path: self.path.clone(), seeds, most });
        }
        self.number(seeds).map(|_| ())
    }

    /// The number of a layer among those that are there.
    fn number(&self, seeds: usize) -> Result<usize, FileError> {
        let parity = self.manifest.parity;
        parity.number(seeds).ok_or_else(|| FileError::Parity { path: self.path.clone(), seeds, parity: parity.name() })
    }

    /// A layer that the manifest speaks of.
    pub(super) fn layer(&self, seeds: usize) -> Result<&Layer, FileError> {
        self.check_seeds(seeds)?;
        let number = self.number(seeds)?;
        let place = &self.layers[number];
        if let Some(layer) = place.get() {
            return Ok(layer);
        }
        // Two threads may open it at once; one of the two is kept.
        let all = stores_all(&self.rules, self.manifest.owners());
        let layer = Layer::open(&self.path, &self.manifest, &self.manifest.layers[number], &self.index, all)?;
        Ok(place.get_or_init(|| layer))
    }

    /// The header of a layer.
    ///
    /// # Errors
    /// If there is no such layer, or its file is damaged or of another table.
    pub fn header(&self, seeds: usize) -> Result<&Header, FileError> {
        Ok(&self.layer(seeds)?.header)
    }

    /// The position with this number within its layer, both stores empty. South is to move unless the table tells the players apart.
    ///
    /// # Errors
    /// If there is no such layer or no such number in it.
    pub fn position(&self, seeds: usize, number: u64) -> Result<Position, FileError> {
        self.check_seeds(seeds)?;
        if number >= self.index.layer_len(seeds) {
            let file = self.path.join(super::manifest::layer_name(seeds));
            return Err(FileError::damaged(&file, format!("it has no position {number}")));
        }
        // Lanes for every board there is.
        let index = self.index.layer_start(seeds) + number;
        let (board, seat) = self.index.at::<Wide<u16, 48>>(index);
        let row = |first: usize| (first..first + self.manifest.pits).map(move |lane| board.get(lane) as u16);
        let (own, other) = (row(0), row(Wide::<u16, 48>::STRIDE));
        let to_move = seat.side();
        let board = match to_move {
            Side::South => own.chain(other).collect(),
            Side::North => other.chain(own).collect(),
        };
        Ok(Position { board, stores: [0, 0], to_move, owners: self.manifest.owners() })
    }

    /// The statistics of a layer.
    ///
    /// # Errors
    /// As [`Directory::header`].
    pub fn stats(&self, seeds: usize) -> Result<&Stats, FileError> {
        Ok(&self.header(seeds)?.stats)
    }
}

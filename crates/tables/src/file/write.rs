//! Writing a table, layer by layer.
//!
//! Every file is written under a temporary name, synced, renamed, and its directory synced; only then does the manifest speak of
//! it. So a run that is killed leaves layers that are whole, perhaps one that the manifest does not know yet, and perhaps a
//! temporary file; the next run keeps the first, writes the second again and removes the third.

use std::fs::{self, File, TryLockError};
use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use lumbung_engine::Owners;
use lumbung_engine::rules::RuleSet;

use super::compact::most_compact_seeds;
use super::encode::{EncodedLayer, Encoder, Parts};
use super::error::FileError;
use super::manifest::{self, Encoding, LayerEntry, Manifest, layer_name};
use crate::cyclic::Parity;
use crate::values::Values;

/// What temporary names end in.
const TEMPORARY: &str = ".tmp";

/// The longest name of a rule set, in bytes, that headers take.
pub(super) const LONGEST_NAME: usize = 1 << 10;

/// A directory that a table is being written into, by one program at a time.
#[derive(Debug)]
pub struct Writer {
    directory: PathBuf,
    manifest: Manifest,
    encoder: Encoder,
    /// Holds the lock until it is closed.
    _lock: File,
    write: Duration,
}

impl Writer {
    /// Begins the table of all boards with up to `seeds` seeds, or goes on with one that was begun: layers that are whole are kept.
    /// A table of fewer seeds is extended.
    ///
    /// # Errors
    /// If the directory cannot be written, holds something else or a table of other rules, another board or another encoding,
    /// or is being written by another program, or if the encoding has no room for so many seeds.
    ///
    /// # Panics
    /// If there are 2^64 boards or more; no builder takes so many.
    pub fn new(directory: &Path, rules: &RuleSet, pits: usize, seeds: usize, encoding: Encoding) -> Result<Writer, FileError> {
        Writer::of_parity(directory, rules, Owners::rows(pits), seeds, encoding, Parity::All)
    }

    /// The same for any owners of the pits and for the layers of one parity, under rules where they do without the others.
    ///
    /// # Errors
    /// As [`Writer::new`].
    ///
    /// # Panics
    /// As [`Writer::new`].
    pub fn of_parity(
        directory: &Path,
        rules: &RuleSet,
        owners: Owners,
        seeds: usize,
        encoding: Encoding,
        parity: Parity,
    ) -> Result<Writer, FileError> {
        if rules.name.len() > LONGEST_NAME {
            return Err(FileError::Name { bytes: rules.name.len() });
        }
        check_room(rules, seeds, encoding)?;
        fs::create_dir_all(directory).map_err(|error| FileError::io("create", directory, error))?;
        let lock = lock(directory)?;
        remove_temporary_files(directory)?;
        let mut writer = Writer {
            directory: directory.to_owned(),
            manifest: Manifest::new(rules, owners, seeds, encoding, parity),
            encoder: Encoder::new(rules, owners, seeds, encoding),
            _lock: lock,
            write: Duration::ZERO,
        };
        match Manifest::read(directory) {
            Ok((found, theirs, _)) => writer.go_on(found, rules, &theirs)?,
            Err(FileError::NoTable { .. }) => {
                let mut entries = fs::read_dir(directory).map_err(|error| FileError::io("read", directory, error))?;
                if entries.next().is_some() {
                    let error = std::io::Error::new(std::io::ErrorKind::DirectoryNotEmpty, "it is not empty and holds no table");
                    return Err(FileError::io("write a table into", directory, error));
                }
                writer.write_manifest()?;
            }
            Err(error) => return Err(error),
        }
        Ok(writer)
    }

    /// Takes over the layers of a table that was begun.
    fn go_on(&mut self, found: Manifest, rules: &RuleSet, theirs: &RuleSet) -> Result<(), FileError> {
        same_table(&self.directory, &found, theirs, rules, self.manifest.owners())?;
        let mine = &self.manifest;
        let other = |key, mine: &dyn ToString, theirs: &dyn ToString| {
            Err(FileError::Other { path: self.directory.clone(), key, mine: mine.to_string(), theirs: theirs.to_string() })
        };
        if found.encoding != mine.encoding {
            return other("encoding", &mine.encoding.name(), &found.encoding.name());
        }
        if found.parity != mine.parity {
            return other("parity", &mine.parity.name(), &found.parity.name());
        }
        if found.program != mine.program {
            return other("program", &mine.program, &found.program);
        }
        if found.seeds > mine.seeds {
            return other("seeds", &mine.seeds, &found.seeds);
        }
        if found.rules != mine.rules {
            // They play the same, but the name or what is said about them differs.
            return other("rules called", &mine.game, &found.game);
        }
        let mut whole = Vec::new();
        for layer in &found.layers {
            match digest(&self.directory.join(&layer.file)) {
                Ok((size, digest)) if (size, &digest) == (layer.size, &layer.digest) => whole.push(layer.clone()),
                // It and all above it are written again.
                _ => break,
            }
        }
        let as_found = whole.len() == found.layers.len() && found.seeds == self.manifest.seeds;
        self.manifest.layers = whole;
        if as_found { Ok(()) } else { self.write_manifest() }
    }

    /// Seeds of the next layer to be written.
    fn next(&self) -> usize {
        self.manifest.parity.layer(self.layers())
    }

    /// Which layers it is to have.
    pub fn parity(&self) -> Parity {
        self.manifest.parity
    }

    /// How many layers are there; they are the lowest ones.
    pub fn layers(&self) -> usize {
        self.manifest.layers.len()
    }

    /// Positions of all layers that are there.
    pub fn positions(&self) -> u64 {
        self.manifest.layers.iter().map(|layer| layer.positions).sum()
    }

    /// Bytes of all layers that are there.
    pub fn bytes(&self) -> u64 {
        self.manifest.layers.iter().map(|layer| layer.size).sum()
    }

    /// Where the table is.
    pub fn directory(&self) -> &Path {
        &self.directory
    }

    /// How its layers are written.
    pub fn encoding(&self) -> Encoding {
        self.manifest.encoding
    }

    /// The time spent on writing so far.
    pub fn spent(&self) -> Duration {
        self.write
    }

    /// Makes layers ready for [`Writer::put`], on any thread.
    pub fn encoder(&self) -> Encoder {
        self.encoder.clone()
    }

    /// Encodes the next layer on all threads and writes it, its values in the order of the index.
    ///
    /// # Errors
    /// If the disk is full or cannot be written, or the encoding has no room for the values. What was there stays as it was.
    ///
    /// # Panics
    /// As [`Encoder::encode`] and [`Writer::put`].
    pub fn write_layer<'v>(&mut self, values: impl Into<Values<'v>>) -> Result<(), FileError> {
        let encoded = self.encoder.encode(self.next(), values)?;
        self.put(encoded)
    }

    /// Writes the next layer.
    ///
    /// # Errors
    /// If the disk is full or cannot be written. What was there stays as it was.
    ///
    /// # Panics
    /// If it is not the next layer.
    pub fn put(&mut self, layer: EncodedLayer) -> Result<(), FileError> {
        let seeds = self.next();
        assert_eq!(layer.seeds, seeds, "layers are written in order");
        let since = Instant::now();
        let file = layer_name(seeds);
        let (size, digest) = replace(&self.directory, &file, &layer.parts)?;
        self.manifest.layers.push(LayerEntry { seeds, positions: layer.positions, file, size, digest });
        self.write_manifest()?;
        self.write += since.elapsed();
        Ok(())
    }

    fn write_manifest(&self) -> Result<(), FileError> {
        let text = self
            .manifest
            .to_text()
            .map_err(|error| FileError::io("write", &self.directory.join(manifest::NAME), std::io::Error::other(error)))?;
        replace(&self.directory, manifest::NAME, &vec![text.into_bytes()]).map(|_| ())
    }
}

/// Refuses more seeds than an encoding has room for.
///
/// # Errors
/// [`FileError::Compact`].
pub fn check_room(rules: &RuleSet, seeds: usize, encoding: Encoding) -> Result<(), FileError> {
    match (encoding, most_compact_seeds(rules)) {
        (Encoding::Compact, most) if seeds > most => Err(FileError::Compact { seeds, most }),
        _ => Ok(()),
    }
}

/// Refuses a table of other rules, another board or other owners, by name.
pub(super) fn same_table(
    directory: &Path,
    found: &Manifest,
    theirs: &RuleSet,
    rules: &RuleSet,
    owners: Owners,
) -> Result<(), FileError> {
    if found.fingerprint != rules.fingerprint() {
        return Err(FileError::Rules {
            path: directory.to_owned(),
            mine: rules.name.clone(),
            theirs: found.game.clone(),
            differences: rules.differences(theirs),
        });
    }
    if found.pits != owners.pits() {
        return Err(FileError::Pits { path: directory.to_owned(), mine: owners.pits(), theirs: found.pits });
    }
    if found.owners() != owners {
        return Err(FileError::Owners { path: directory.to_owned(), mine: owners, theirs: found.owners() });
    }
    Ok(())
}

/// Writes a file whole or not at all; says its size and digest.
fn replace(directory: &Path, name: &str, parts: &Parts) -> Result<(u64, String), FileError> {
    let path = directory.join(name);
    let temporary = directory.join(format!("{name}{TEMPORARY}"));
    let written = write_synced(&temporary, parts).and_then(|()| fs::rename(&temporary, &path)).and_then(|()| {
        // The new name is not safe until the directory is.
        File::open(directory)?.sync_all()
    });
    if let Err(error) = written {
        // What could not be written whole is of no use; if it cannot be removed either, the next run does so.
        let _ = fs::remove_file(&temporary);
        return Err(FileError::io("write", &path, error));
    }
    let mut hasher = blake3::Hasher::new();
    parts.iter().for_each(|part| {
        hasher.update(part);
    });
    Ok((parts.iter().map(|part| part.len() as u64).sum(), hasher.finalize().to_hex().to_string()))
}

fn write_synced(path: &Path, parts: &Parts) -> std::io::Result<()> {
    let mut out = std::io::BufWriter::with_capacity(1 << 20, File::create(path)?);
    parts.iter().try_for_each(|part| out.write_all(part))?;
    out.into_inner().map_err(std::io::IntoInnerError::into_error)?.sync_all()
}

/// The size and digest of a file.
pub(super) fn digest(path: &Path) -> Result<(u64, String), FileError> {
    let wrong = |error| FileError::io("read", path, error);
    let mut file = File::open(path).map_err(wrong)?;
    let mut hasher = blake3::Hasher::new();
    let mut buffer = vec![0; 1 << 20];
    let mut size = 0;
    loop {
        match file.read(&mut buffer).map_err(wrong)? {
            0 => return Ok((size, hasher.finalize().to_hex().to_string())),
            read => {
                hasher.update(&buffer[..read]);
                size += read as u64;
            }
        }
    }
}

/// Keeps other writers out. Where the file system knows no locks, they are not.
fn lock(directory: &Path) -> Result<File, FileError> {
    let handle = File::open(directory).map_err(|error| FileError::io("open", directory, error))?;
    match handle.try_lock() {
        Err(TryLockError::WouldBlock) => Err(FileError::Busy { path: directory.to_owned() }),
        Ok(()) | Err(TryLockError::Error(_)) => Ok(handle),
    }
}

/// Removes what a killed run was writing.
fn remove_temporary_files(directory: &Path) -> Result<(), FileError> {
    let wrong = |error| FileError::io("read", directory, error);
    for entry in fs::read_dir(directory).map_err(wrong)? {
        let path = entry.map_err(wrong)?.path();
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or("");
        let ours = name == format!("{}{TEMPORARY}", manifest::NAME)
            || (name.starts_with("layer-") && name.ends_with(&format!(".lum{TEMPORARY}")));
        if ours {
            fs::remove_file(&path).map_err(|error| FileError::io("remove", &path, error))?;
        }
    }
    Ok(())
}

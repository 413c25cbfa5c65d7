//! A search set aside, to go on later: bounds proven so far and which question was in work, the questions of its proof tree that were unfolded, and the entries of the
//! transposition table that took the most work.
//!
//! **The file.** `lumbung` and a byte `c`; the format (4 bytes, little-endian, as all numbers); the length of the header (4); its
//! checksum (8); the header as [`lumbung_tables::codec`] writes it; the marks of unfolded questions (8 each, as many as the header says); the
//! entries, each as long as the header says; the number of entries (8); the checksum of all bytes before (8). Checksums are XXH3 with 64 bits.
//!
//! Whoever can compute a checksum can forge entries: a checkpoint is the search's own notebook, not evidence.

#[cfg(test)]
pub(crate) mod tests;

use std::fs::{self, File};
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

use bincode::{Decode, Encode};
use lumbung_engine::kernel::Lanes;
use lumbung_engine::rules::Difference;
use lumbung_engine::{Position, RuleSet, whole_file};
use lumbung_tables::codec;
use thiserror::Error;
use xxhash_rust::xxh3::{Xxh3, xxh3_64};

use crate::questions::Course;
use crate::search::proof::Unfolded;
use crate::transposition::Transpositions;

/// The first bytes of every checkpoint.
const MAGIC: [u8; 8] = *b"lumbungc";
/// What the bytes mean. A change of the entries of a transposition table changes it too.
const FORMAT: u32 = 3;
/// Magic, format, length and checksum of the header.
const PRELUDE: usize = 8 + 4 + 4 + 8;
/// Number of entries and checksum.
const FOOTER: u64 = 8 + 8;
/// The most bytes of entries in a file.
const MOST_BYTES: u64 = 1 << 30;
const PROGRAM: &str = concat!("lumbung ", env!("CARGO_PKG_VERSION"));

/// A checkpoint that cannot be written, read or used. Each message is one line and names the file.
#[derive(Debug, Error)]
pub enum CheckpointError {
    /// The system refused.
    #[error("cannot {doing} {}: {error}", path.display())]
    Io {
        /// What was being done, as in "cannot read FILE".
        doing: &'static str,
        /// The file.
        path: PathBuf,
        /// Why not.
        error: io::Error,
    },
    /// Another kind of file.
    #[error("{} is no checkpoint", path.display())]
    NoCheckpoint {
        /// The file.
        path: PathBuf,
    },
    /// The bytes are not those that were written.
    #[error("{} is damaged: {what}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What does not fit.
        what: String,
    },
    /// Written by another version of the program.
    #[error("{} is a checkpoint of {theirs}; this is {mine}", path.display())]
    Version {
        /// The file.
        path: PathBuf,
        /// What wrote it.
        theirs: String,
        /// What this program writes.
        mine: String,
    },
    /// A search under other rules.
    #[error("{} is a checkpoint of {theirs}, not of {mine}: {}", path.display(), listed(differences))]
    Rules {
        /// The file.
        path: PathBuf,
        /// The name of the rules asked for.
        mine: String,
        /// The name of the checkpoint's rules.
        theirs: String,
        /// In which keys they differ: asked for against the checkpoint's.
        differences: Vec<Difference>,
    },
    /// A search of another position.
    #[error("{} is a checkpoint of the position {theirs}, not of {mine}", path.display())]
    Position {
        /// The file.
        path: PathBuf,
        /// The position asked for.
        mine: String,
        /// The position of the checkpoint.
        theirs: String,
    },
}

fn listed(differences: &[Difference]) -> String {
    differences.iter().map(Difference::to_string).collect::<Vec<_>>().join("; ")
}

/// How far a search had come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Progressed {
    /// Proven bounds of the value for the player to move.
    pub(crate) bounds: (i32, i32),
    /// How far the questions about it had come before the one in work.
    pub(crate) course: Course,
    /// Stages begun.
    pub(crate) stage: usize,
    /// Positions left to visit in this stage.
    pub(crate) left: u64,
    /// Seeds of the largest endgame table that was in use.
    pub(crate) table_seeds: Option<usize>,
    /// Positions visited, those of the searches that it goes on from included.
    pub(crate) nodes: u64,
}

#[derive(Clone, Debug, Encode, Decode)]
struct Header {
    program: String,
    rules: String,
    position: String,
    low: i32,
    high: i32,
    asked: u16,
    rises: bool,
    nodes: u64,
    stage: u32,
    left: u64,
    /// Seeds of the endgame table and one; 0 for none.
    table: u16,
    entry_bytes: u32,
    /// Marks of unfolded questions.
    unfolded: u32,
}

impl Header {
    /// How far the search had come.
    fn progressed(&self) -> Progressed {
        Progressed {
            bounds: (self.low, self.high),
            course: Course { asked: self.asked, rises: self.rises },
            stage: self.stage as usize,
            left: self.left,
            table_seeds: usize::from(self.table).checked_sub(1),
            nodes: self.nodes,
        }
    }
}

/// Where the checkpoint of a search is kept.
pub(crate) struct Checkpoint<'a> {
    path: &'a Path,
    rules: &'a RuleSet,
    position: &'a Position,
}

impl<'a> Checkpoint<'a> {
    pub(crate) fn new(path: &'a Path, rules: &'a RuleSet, position: &'a Position) -> Self {
        Checkpoint { path, rules, position }
    }

    /// What it is of.
    pub(crate) fn position(&self) -> &'a Position {
        self.position
    }

    /// Whether the file can be written; it stays as it is.
    pub(crate) fn try_place(&self) -> Result<(), CheckpointError> {
        whole_file::try_place(self.path).map_err(self.io("write"))
    }

    fn io(&self, doing: &'static str) -> impl Fn(io::Error) -> CheckpointError {
        let path = self.path.to_owned();
        move |error| CheckpointError::Io { doing, path: path.clone(), error }
    }

    fn damaged(&self, what: impl Into<String>) -> CheckpointError {
        CheckpointError::Damaged { path: self.path.to_owned(), what: what.into() }
    }

    /// Writes the file, whole or not at all. Threads may go on searching meanwhile.
    pub(crate) fn save<B: Lanes, T: Transpositions<B>>(
        &self,
        table: &T,
        come: Progressed,
        unfolded: &Unfolded,
    ) -> Result<(), CheckpointError> {
        whole_file::write(self.path, |file| self.write(file, table, come, unfolded)).map_err(self.io("write"))
    }

    fn write<B: Lanes, T: Transpositions<B>>(
        &self,
        to: &mut File,
        table: &T,
        come: Progressed,
        unfolded: &Unfolded,
    ) -> io::Result<()> {
        let header = Header {
            program: PROGRAM.to_owned(),
            rules: self.rules.to_toml(),
            position: self.position.to_string(),
            low: come.bounds.0,
            high: come.bounds.1,
            asked: come.course.asked,
            rises: come.course.rises,
            nodes: come.nodes,
            stage: come.stage as u32,
            left: come.left,
            table: come.table_seeds.map_or(0, |seeds| seeds as u16 + 1),
            entry_bytes: T::ENTRY_BYTES as u32,
            unfolded: unfolded.len() as u32,
        };
        let header = codec::encode(&header).ok_or_else(|| io::Error::other("the rules are too long for a header"))?;
        let mut out = Summed { inner: BufWriter::new(to), sum: Xxh3::new() };
        out.write_all(&MAGIC)?;
        out.write_all(&FORMAT.to_le_bytes())?;
        out.write_all(&(header.len() as u32).to_le_bytes())?;
        out.write_all(&xxh3_64(&header).to_le_bytes())?;
        out.write_all(&header)?;
        let mut marks: Vec<u64> = unfolded.iter().copied().collect();
        marks.sort_unstable();
        marks.iter().try_for_each(|mark| out.write_all(&mark.to_le_bytes()))?;
        let most = MOST_BYTES / T::ENTRY_BYTES as u64;
        let mut entries = 0u64;
        let mut failed = None;
        table.save(least_effort(&table.efforts(), most), &mut |entry| {
            // Other threads may have added some since they were counted.
            if entries < most && failed.is_none() {
                failed = out.write_all(entry).err();
                entries += 1;
            }
        });
        if let Some(error) = failed {
            return Err(error);
        }
        out.write_all(&entries.to_le_bytes())?;
        let sum = out.sum.digest();
        out.inner.write_all(&sum.to_le_bytes())?;
        out.inner.flush()
    }

    /// Reads the file into a transposition table that `make` makes for a number of entries and how far the search had come. `None` if there is no such file.
    pub(crate) fn load<B: Lanes, T: Transpositions<B>>(
        &self,
        make: impl FnOnce(u64, &Progressed) -> T,
    ) -> Result<Option<(T, Progressed, Unfolded)>, CheckpointError> {
        // A pipe would be waited for, for ever.
        if fs::metadata(self.path).is_ok_and(|found| !found.is_file()) {
            return Err(CheckpointError::NoCheckpoint { path: self.path.to_owned() });
        }
        let file = match File::open(self.path) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(self.io("read")(error)),
        };
        let size = file.metadata().map_err(self.io("read"))?.len();
        let mut input = Summed { inner: BufReader::new(file), sum: Xxh3::new() };
        let too_short = |error: io::Error| match error.kind() {
            io::ErrorKind::UnexpectedEof => self.damaged("it ends too early"),
            _ => self.io("read")(error),
        };
        let mut prelude = [0; PRELUDE];
        let begun = input.read_exact(&mut prelude);
        if begun.is_err() || prelude[..8] != MAGIC {
            return Err(CheckpointError::NoCheckpoint { path: self.path.to_owned() });
        }
        let number = |at: usize, len: usize| prelude[at..at + len].iter().rev().fold(0u64, |n, &byte| n << 8 | u64::from(byte));
        if number(8, 4) != u64::from(FORMAT) {
            return Err(self.version(&format!("format {}", number(8, 4)), &format!("format {FORMAT}")));
        }
        let len = number(12, 4) as usize;
        if len > codec::LARGEST || (len + PRELUDE) as u64 + FOOTER > size {
            return Err(self.damaged("its header has an impossible length"));
        }
        let mut bytes = vec![0; len];
        input.read_exact(&mut bytes).map_err(too_short)?;
        if xxh3_64(&bytes) != number(16, 8) {
            return Err(self.damaged("the checksum of its header does not match"));
        }
        let header: Header = codec::decode(&bytes).map_err(|what| self.damaged(what))?;
        let come = self.accept::<B, T>(&header)?;
        let marks = 8 * u64::from(header.unfolded);
        let body = (size - FOOTER - (PRELUDE + len) as u64).checked_sub(marks).unwrap_or(u64::MAX);
        let entries = body / T::ENTRY_BYTES as u64;
        if !body.is_multiple_of(T::ENTRY_BYTES as u64) || body > MOST_BYTES {
            return Err(self.damaged(format!("it has {size} bytes, and by its header should not")));
        }
        let mut unfolded = Unfolded::default();
        let mut mark = [0; 8];
        for _ in 0..header.unfolded {
            input.read_exact(&mut mark).map_err(too_short)?;
            unfolded.insert(u64::from_le_bytes(mark));
        }
        let table = make(entries, &come);
        let mut entry = vec![0; T::ENTRY_BYTES];
        for _ in 0..entries {
            input.read_exact(&mut entry).map_err(too_short)?;
            table.restore(&entry).ok_or_else(|| self.damaged("an entry is of no board of this game"))?;
        }
        let mut footer = [0; 8];
        input.read_exact(&mut footer).map_err(too_short)?;
        let counted = u64::from_le_bytes(footer);
        let sum = input.sum.digest();
        input.inner.read_exact(&mut footer).map_err(too_short)?;
        if sum != u64::from_le_bytes(footer) || counted != entries {
            return Err(self.damaged("its checksum does not match"));
        }
        Ok(Some((table, come, unfolded)))
    }

    fn version(&self, theirs: &str, mine: &str) -> CheckpointError {
        CheckpointError::Version { path: self.path.to_owned(), theirs: theirs.to_owned(), mine: mine.to_owned() }
    }

    /// Refuses what is not of this search.
    fn accept<B: Lanes, T: Transpositions<B>>(&self, header: &Header) -> Result<Progressed, CheckpointError> {
        if header.program != PROGRAM {
            return Err(self.version(&header.program, PROGRAM));
        }
        let theirs = RuleSet::from_toml(&header.rules).map_err(|error| self.damaged(format!("its rules: {error}")))?;
        if theirs.fingerprint() != self.rules.fingerprint() {
            let differences = self.rules.differences(&theirs);
            let (mine, theirs) = (self.rules.name.clone(), theirs.name.clone());
            return Err(CheckpointError::Rules { path: self.path.to_owned(), mine, theirs, differences });
        }
        let mine = self.position.to_string();
        if header.position != mine {
            return Err(CheckpointError::Position { path: self.path.to_owned(), mine, theirs: header.position.clone() });
        }
        let seeds = self.position.seeds_in_play() as i32;
        let possible = -seeds <= header.low && header.low <= header.high && header.high <= seeds;
        if !possible || i32::from(header.table) > seeds + 1 || header.stage > 64 || header.entry_bytes != T::ENTRY_BYTES as u32 {
            return Err(self.damaged("its header contradicts itself"));
        }
        Ok(header.progressed())
    }
}

/// The least effort at which no more than `most` entries have so much or more.
fn least_effort(efforts: &[u64; 64], most: u64) -> u8 {
    let mut kept = 0;
    for effort in (1..64).rev() {
        kept += efforts[effort];
        if kept > most {
            return effort as u8 + 1;
        }
    }
    1
}

/// Bytes that pass through, and their checksum.
struct Summed<I> {
    inner: I,
    sum: Xxh3,
}

impl<W: Write> Summed<W> {
    fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.sum.update(bytes);
        self.inner.write_all(bytes)
    }
}

impl<R: Read> Summed<R> {
    fn read_exact(&mut self, bytes: &mut [u8]) -> io::Result<()> {
        self.inner.read_exact(bytes)?;
        self.sum.update(bytes);
        Ok(())
    }
}

//! A search set aside, to go on later: bounds proven so far, the questions of its proof tree that were unfolded, and the entries of the
//! transposition table that took the most work.
//!
//! **The file.** `lumbung` and a byte `c`; the format (4 bytes, little-endian, as all numbers); the length of the header (4); its
//! checksum (8); the header as [`lumbung_tables::codec`] writes it; the marks of unfolded questions (8 each, as many as the header says); the
//! entries, each as long as the header says; the number of entries (8); the checksum of all bytes before (8). Checksums are XXH3 with 64 bits.
//!
//! Whoever can compute a checksum can forge entries: a checkpoint is the search's own notebook, not evidence.

use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

use bincode::{Decode, Encode};
use lumbung_engine::kernel::Lanes;
use lumbung_engine::rules::Difference;
use lumbung_engine::{Position, RuleSet, whole_file};
use lumbung_tables::codec;
use thiserror::Error;
use xxhash_rust::xxh3::{Xxh3, xxh3_64};

use crate::search::proof::Unfolded;
use crate::transposition::Transpositions;

/// The first bytes of every checkpoint.
const MAGIC: [u8; 8] = *b"lumbungc";
/// What the bytes mean. A change of the entries of a transposition table changes it too.
const FORMAT: u32 = 2;
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
    /// Stages begun.
    pub(crate) stage: usize,
    /// Seeds of the endgame table in use.
    pub(crate) table_seeds: Option<usize>,
}

#[derive(Clone, Debug, Encode, Decode)]
struct Header {
    program: String,
    rules: String,
    position: String,
    low: i32,
    high: i32,
    stage: u32,
    /// Seeds of the endgame table and one; 0 for none.
    table: u16,
    entry_bytes: u32,
    /// Marks of unfolded questions.
    unfolded: u32,
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
            stage: come.stage as u32,
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

    /// Reads the file into a transposition table that `make` makes for a number of entries. `None` if there is no such file.
    pub(crate) fn load<B: Lanes, T: Transpositions<B>>(
        &self,
        make: impl FnOnce(u64) -> T,
    ) -> Result<Option<(T, Progressed, Unfolded)>, CheckpointError> {
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
        let table = make(entries);
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
        Ok(Progressed {
            bounds: (header.low, header.high),
            stage: header.stage as usize,
            table_seeds: usize::from(header.table).checked_sub(1),
        })
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

#[cfg(test)]
mod tests {
    use std::sync::atomic::Ordering;

    use lumbung_engine::BoardSize;
    use lumbung_engine::rules::preset;

    use super::*;
    use crate::solve::{Options, Solution, SolveError, solve};
    use crate::{Limits, Quiet, StopReason};
    use std::fs;

    #[test]
    fn the_most_worked_for_entries_are_kept() {
        let mut efforts = [0; 64];
        (efforts[1], efforts[10], efforts[63]) = (100, 10, 1);
        assert_eq!([111, 110, 11, 10, 1, 0].map(|most| least_effort(&efforts, most)), [1, 2, 2, 11, 11, 64]);
    }

    fn rules(name: &str) -> &'static RuleSet {
        &preset(name).unwrap().rules
    }

    fn start(pits: usize, seeds: usize) -> Position {
        Position::start(BoardSize::new(pits, seeds).unwrap())
    }

    /// Solves with a checkpoint, visiting so many positions at most.
    fn step(rules: &RuleSet, position: &Position, path: &Path, nodes: u64) -> Result<Solution, SolveError> {
        let limits = Limits { nodes: Some(nodes), memory: 1 << 22, ..Limits::default() };
        let options = Options { limits, table_seeds: Some(0), checkpoint: Some(path.to_owned()), ..Options::default() };
        solve(rules, position, &options, &Quiet)
    }

    #[test]
    fn a_search_in_many_small_steps_ends_where_one_in_a_single_step_does() {
        let place = tempfile::tempdir().unwrap();
        // The last is too wide for entries by number.
        for (number, (name, pits, seeds)) in [("kalah", 4, 3), ("dakon", 4, 3), ("dakon", 9, 1)].into_iter().enumerate() {
            let (rules, position) = (rules(name), start(pits, seeds));
            let whole = solve(rules, &position, &Options::default(), &Quiet).unwrap();
            let nodes = (whole.nodes / 8).max(5);
            let path = place.path().join(number.to_string());
            let (mut bounds, mut steps) = ((-1000, 1000), 0);
            loop {
                let solution = step(rules, &position, &path, nodes).unwrap();
                assert!(solution.unsaved.is_none());
                // Nothing that was proven is lost.
                assert!(
                    bounds.0 <= solution.margin.0 && solution.margin.1 <= bounds.1,
                    "{name} {bounds:?} {:?}",
                    solution.margin
                );
                bounds = solution.margin;
                if solution.proven {
                    break;
                }
                assert_eq!(solution.stopped, Some(StopReason::Nodes));
                steps += 1;
                assert!(steps < 1000, "{name} gets nowhere");
            }
            assert_eq!(bounds, whole.margin, "{name}");
            assert!(steps > 1, "{name} took {steps} steps");
        }
    }

    #[test]
    fn an_interrupted_search_is_saved() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("kalah");
        let options = Options { checkpoint: Some(path.clone()), ..Options::default() };
        options.limits.interrupt.store(true, Ordering::Relaxed);
        let stopped = solve(rules("kalah"), &start(4, 3), &options, &Quiet).unwrap();
        assert_eq!((stopped.stopped, stopped.margin), (Some(StopReason::Interrupted), (-24, 24)));
        options.limits.interrupt.store(false, Ordering::Relaxed);
        assert!(path.exists() && solve(rules("kalah"), &start(4, 3), &options, &Quiet).unwrap().proven);
        let files: Vec<_> = fs::read_dir(place.path()).unwrap().collect();
        assert_eq!(files.len(), 1, "nothing temporary is left");
    }

    #[test]
    fn every_changed_byte_is_noticed() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("kalah");
        let (kalah, position) = (rules("kalah"), start(2, 2));
        step(kalah, &position, &path, 20).unwrap();
        let good = fs::read(&path).unwrap();
        assert!(good.len() > 100 && good.len() < 8000, "{} bytes", good.len());
        let refused = |bytes: &[u8]| {
            fs::write(&path, bytes).unwrap();
            let error = step(kalah, &position, &path, 20).unwrap_err();
            assert!(matches!(error, SolveError::Checkpoint(_)), "{error}");
            let told = error.to_string();
            assert!(told.contains(path.to_str().unwrap()) && !told.contains('\n'), "{told}");
        };
        for at in 0..good.len() {
            let mut bad = good.clone();
            bad[at] ^= 1 << (at % 8);
            refused(&bad);
        }
        for len in 0..good.len() {
            refused(&good[..len]);
        }
        refused(&[&good[..], &[0]].concat());
        fs::write(&path, &good).unwrap();
        step(kalah, &position, &path, 20).unwrap();
    }

    /// The file with its header changed, all checksums right.
    fn with_header(good: &[u8], change: impl FnOnce(&mut Header)) -> Vec<u8> {
        let len = u32::from_le_bytes(good[12..16].try_into().unwrap()) as usize;
        let mut header: Header = codec::decode(&good[PRELUDE..PRELUDE + len]).unwrap();
        change(&mut header);
        let header = codec::encode(&header).unwrap();
        let body = &good[PRELUDE + len..good.len() - 8];
        let mut bytes = good[..12].to_vec();
        bytes.extend((header.len() as u32).to_le_bytes());
        bytes.extend(xxh3_64(&header).to_le_bytes());
        bytes.extend([&header, body].concat());
        let sum = xxh3_64(&bytes);
        bytes.extend(sum.to_le_bytes());
        bytes
    }

    #[test]
    fn doctored_and_foreign_checkpoints_are_refused_by_name() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("kalah");
        let (kalah, position) = (rules("kalah"), start(2, 2));
        step(kalah, &position, &path, 20).unwrap();
        let good = fs::read(&path).unwrap();
        let refused = |bytes: &[u8], rules: &RuleSet, position: &Position| {
            fs::write(&path, bytes).unwrap();
            step(rules, position, &path, 20).unwrap_err().to_string()
        };
        let other_rules = refused(&good, rules("kalah-empty-capture"), &position);
        assert!(other_rules.contains("of kalah, not of kalah-empty-capture: capture"), "{other_rules}");
        let other_board = refused(&good, kalah, &start(2, 3));
        assert!(other_board.contains("the position 2,2/2,2") && other_board.contains("not of 3,3/3,3"), "{other_board}");
        let refused = |change: fn(&mut Header)| refused(&with_header(&good, change), kalah, &position);
        assert!(refused(|header| header.program = "lumbung 9.9.9".to_owned()).contains("lumbung 9.9.9; this is lumbung"));
        assert!(refused(|header| header.rules.push('?')).contains("damaged: its rules"));
        for change in [
            |header: &mut Header| header.low = -9,
            |header: &mut Header| (header.low, header.high) = (2, 0),
            |header: &mut Header| header.high = i32::MAX,
            |header: &mut Header| header.stage = u32::MAX,
            |header: &mut Header| header.table = u16::MAX,
            |header: &mut Header| header.entry_bytes = 0,
        ] {
            assert!(refused(change).contains("damaged: its header contradicts itself"));
        }
        fs::write(&path, with_header(&good, |_| {})).unwrap();
        step(kalah, &position, &path, 20).unwrap();
    }

    #[test]
    fn a_place_that_cannot_be_written_is_told_before_the_work() {
        let place = tempfile::tempdir().unwrap();
        let error = step(rules("kalah"), &start(2, 2), &place.path().join("no/such/place"), 20).unwrap_err();
        assert!(error.to_string().contains("cannot write"), "{error}");
        let error = step(rules("kalah"), &start(2, 2), place.path(), 20).unwrap_err();
        assert!(matches!(error, SolveError::Checkpoint(_)), "{error}");
    }
}

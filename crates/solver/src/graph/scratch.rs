//! Scratch: long arrays and lists in files without names, for which memory has no room.
//!
//! A file has no name, or where the system cannot make such files none after its first moment: it goes when the program ends, and nobody
//! else can change or shorten it.

use std::fs::File;
use std::io::{self, Read as _, Seek as _, Write as _};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

use memmap2::Mmap;
use zerocopy::{FromBytes, Immutable, IntoBytes};

use super::GraphError;

/// Words written and read at once.
const PORTION: usize = 1 << 13;

/// A directory for files without names.
#[derive(Debug)]
pub(super) struct Scratch<'a> {
    directory: &'a Path,
    /// Bytes written so far.
    written: AtomicU64,
}

impl<'a> Scratch<'a> {
    /// Scratch in this directory, once a file could be made there.
    pub(super) fn new(directory: &'a Path) -> Result<Self, GraphError> {
        let scratch = Scratch { directory, written: AtomicU64::new(0) };
        let is_directory = directory.metadata().map_err(|error| scratch.failed(&error))?.is_dir();
        if !is_directory {
            return Err(scratch.failed(&io::ErrorKind::NotADirectory.into()));
        }
        scratch.file()?;
        Ok(scratch)
    }

    fn file(&self) -> Result<File, GraphError> {
        tempfile::tempfile_in(self.directory).map_err(|error| self.failed(&error))
    }

    /// Bytes written so far.
    pub(super) fn written(&self) -> u64 {
        self.written.load(Ordering::Relaxed)
    }

    fn write(&self, file: &mut File, bytes: &[u8]) -> Result<(), GraphError> {
        self.written.fetch_add(bytes.len() as u64, Ordering::Relaxed);
        file.write_all(bytes).map_err(|error| self.failed(&error))
    }

    fn failed(&self, error: &io::Error) -> GraphError {
        GraphError::Scratch { directory: self.directory.to_path_buf(), error: error.to_string() }
    }

    fn keep(&self, bytes: &[u8]) -> Result<Mmap, GraphError> {
        let mut file = self.file()?;
        self.write(&mut file, bytes)?;
        // What the system could not write must be known before memory is given up: later it would read something else.
        file.sync_data().map_err(|error| self.failed(&error))?;
        // SAFETY: the file has no name (any more) and its only handle ends here, so nothing can change or shorten what is mapped, provided
        // that nobody opened it in the moment in which some file systems have to show it.
        unsafe { Mmap::map(&file) }.map_err(|error| self.failed(&error))
    }
}

/// An array that no longer changes, in memory or in a file.
#[derive(Debug)]
pub(super) enum Stored<T> {
    Memory(Vec<T>),
    Disk(Mmap),
}

impl<T> Default for Stored<T> {
    fn default() -> Self {
        Stored::Memory(Vec::new())
    }
}

impl<T: FromBytes + IntoBytes + Immutable> Stored<T> {
    /// The array. Worth keeping at hand where it is looked at often.
    pub(super) fn get(&self) -> &[T] {
        match self {
            Stored::Memory(values) => values,
            Stored::Disk(map) => <[T]>::ref_from_bytes(map).expect("whole values were written, and a mapping begins with a page"),
        }
    }

    /// Moves the array into a file; if that fails it stays where it is.
    pub(super) fn put_aside(&mut self, scratch: &Scratch) -> Result<(), GraphError> {
        match self {
            Stored::Memory(values) if !values.is_empty() => *self = Stored::Disk(scratch.keep(values.as_bytes())?),
            _ => {}
        }
        Ok(())
    }

    pub(super) fn bytes_in_memory(&self) -> u64 {
        match self {
            Stored::Memory(values) => size_of_val(values.as_slice()) as u64,
            Stored::Disk(_) => 0,
        }
    }
}

/// Words in a file, in portions that were put there one after another.
#[derive(Debug)]
pub(super) struct Runs {
    file: File,
    /// Words of the longest portion.
    pub(super) longest: u64,
}

impl Runs {
    pub(super) fn new(scratch: &Scratch) -> Result<Self, GraphError> {
        Ok(Runs { file: scratch.file()?, longest: 0 })
    }

    /// Adds a portion of words.
    pub(super) fn append(&mut self, words: impl Iterator<Item = u64>, scratch: &Scratch) -> Result<(), GraphError> {
        let mut count = 0;
        let mut portion = Vec::with_capacity(PORTION);
        let mut words = words.peekable();
        while words.peek().is_some() {
            portion.clear();
            portion.extend(words.by_ref().take(PORTION));
            scratch.write(&mut self.file, portion.as_bytes())?;
            count += portion.len() as u64;
        }
        self.longest = self.longest.max(count);
        self.file.sync_data().map_err(|error| scratch.failed(&error))
    }

    /// Hands out all words, as often as they were put there. `each` may end the work.
    pub(super) fn read<E: From<GraphError>>(
        mut self,
        scratch: &Scratch,
        mut each: impl FnMut(&[u64]) -> Result<(), E>,
    ) -> Result<(), E> {
        let failed = |error| E::from(scratch.failed(&error));
        let mut left = self.file.metadata().map_err(failed)?.len() / size_of::<u64>() as u64;
        self.file.rewind().map_err(failed)?;
        let mut portion = vec![0; PORTION];
        while left > 0 {
            let words = &mut portion[..left.min(PORTION as u64) as usize];
            self.file.read_exact(words.as_mut_bytes()).map_err(failed)?;
            left -= words.len() as u64;
            each(words)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_put_aside_stays_as_it_was() {
        let directory = tempfile::tempdir().unwrap();
        let scratch = Scratch::new(directory.path()).unwrap();
        for len in [0, 1, 5000] {
            let values: Vec<i16> = (0..len).map(|at| (at * 31 - 7000) as i16).collect();
            let mut stored = Stored::Memory(values.clone());
            assert_eq!(stored.bytes_in_memory(), 2 * len as u64);
            stored.put_aside(&scratch).unwrap();
            assert_eq!((stored.get(), stored.bytes_in_memory()), (&values[..], 0));
            stored.put_aside(&scratch).unwrap();
            assert_eq!(stored.get(), values);
        }
        assert_eq!(std::fs::read_dir(directory.path()).unwrap().count(), 0, "the files have no names");
    }

    #[test]
    fn runs_come_back_whole() {
        let directory = tempfile::tempdir().unwrap();
        let scratch = Scratch::new(directory.path()).unwrap();
        let mut runs = Runs::new(&scratch).unwrap();
        let portions = [0..0, 5..6, 3..PORTION as u64 + 9, 1..2];
        for portion in portions.clone() {
            runs.append(portion, &scratch).unwrap();
        }
        assert_eq!(runs.longest, PORTION as u64 + 6);
        let mut all = Vec::new();
        runs.read(&scratch, |words| {
            all.extend_from_slice(words);
            Ok::<_, GraphError>(())
        })
        .unwrap();
        assert_eq!(all, portions.into_iter().flatten().collect::<Vec<_>>());
    }

    #[test]
    fn what_is_no_directory_is_refused() {
        let directory = tempfile::tempdir().unwrap();
        let missing = directory.path().join("missing");
        let file = directory.path().join("file");
        std::fs::write(&file, "").unwrap();
        for wrong in [missing, file] {
            let error = Scratch::new(&wrong).unwrap_err();
            assert!(matches!(&error, GraphError::Scratch { directory, .. } if *directory == wrong), "{error:?}");
        }
    }
}

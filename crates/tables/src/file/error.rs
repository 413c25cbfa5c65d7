//! What can be wrong with a table on disk.

use std::path::{Path, PathBuf};

use lumbung_engine::Owners;
use lumbung_engine::rules::Difference;
use thiserror::Error;

/// A table on disk that cannot be written, read or used. Each message is one line and names the file.
#[derive(Debug, Error)]
pub enum FileError {
    /// The system refused.
    #[error("cannot {doing} {}: {error}", path.display())]
    Io {
        /// What was being done, as in "cannot read FILE".
        doing: &'static str,
        /// The file.
        path: PathBuf,
        /// Why not.
        error: std::io::Error,
    },
    /// There is no table here.
    #[error("{} holds no table: there is no {} in it", path.display(), super::manifest::NAME)]
    NoTable {
        /// The directory.
        path: PathBuf,
    },
    /// A table whose build was stopped before its first layer.
    #[error("{} holds no layer yet: its build was stopped; the same command goes on with it", path.display())]
    NoLayer {
        /// The directory.
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
    /// A whole file, but of another table than the directory says.
    #[error("{} does not belong here: {what}", path.display())]
    Foreign {
        /// The file.
        path: PathBuf,
        /// What does not fit.
        what: String,
    },
    /// Written by a program with another idea of the format.
    #[error("{} has format {found}; this program reads format {}", path.display(), super::FORMAT)]
    Format {
        /// The file.
        path: PathBuf,
        /// Its format.
        found: u64,
    },
    /// A file to be written that would take the place of one of the table.
    #[error("{} lies in the directory of the table; choose another place", path.display())]
    WithinTable {
        /// The file.
        path: PathBuf,
    },
    /// A table of other rules.
    #[error("{} is a table of {theirs}, {}: {}", path.display(), unlike(mine, theirs), listed(differences))]
    Rules {
        /// The directory.
        path: PathBuf,
        /// The name of the rules asked for.
        mine: String,
        /// The name of the table's rules.
        theirs: String,
        /// In which keys they differ: asked for against the table's.
        differences: Vec<Difference>,
    },
    /// A table of another board.
    #[error("{} is a table of {theirs} pits a row, not of {mine}", path.display())]
    Pits {
        /// The directory.
        path: PathBuf,
        /// Pits asked for.
        mine: usize,
        /// Pits of the table.
        theirs: usize,
    },
    /// A table for other owners of the pits.
    #[error("{} is a table for owners {theirs}, not {mine}", path.display())]
    Owners {
        /// The directory.
        path: PathBuf,
        /// Owners asked for.
        mine: Owners,
        /// Owners of the table.
        theirs: Owners,
    },
    /// The directory holds a table that was asked for differently.
    #[error("{} already holds a table with {key} {theirs}, not {mine}; choose another directory", path.display())]
    Other {
        /// The directory.
        path: PathBuf,
        /// In what it differs.
        key: &'static str,
        /// As asked for.
        mine: String,
        /// As it is.
        theirs: String,
    },
    /// Another program is building here.
    #[error("{} is being written by another program", path.display())]
    Busy {
        /// The directory.
        path: PathBuf,
    },
    /// More seeds than the table has.
    #[error("{seeds} seeds in play; the table in {} goes up to {most}", path.display())]
    Seeds {
        /// The directory.
        path: PathBuf,
        /// Seeds asked for.
        seeds: usize,
        /// The most it holds.
        most: usize,
    },
    /// A table too large for the memory allowed.
    #[error(
        "the layers up to {seeds} seeds of {} take {needed} bytes of memory; {allowed} are allowed, which is enough for {}",
        path.display(),
        fitting.map_or("none".to_owned(), |seeds| format!("{seeds} seeds"))
    )]
    Memory {
        /// The directory.
        path: PathBuf,
        /// Seeds asked for.
        seeds: usize,
        /// Bytes needed.
        needed: u64,
        /// Bytes allowed.
        allowed: u64,
        /// What would fit.
        fitting: Option<usize>,
    },
    /// Rules with a name that headers have no room for.
    #[error("the rules have a name of {bytes} bytes; a table takes up to {}", super::write::LONGEST_NAME)]
    Name {
        /// Bytes of the name.
        bytes: usize,
    },
    /// More values in a layer than the compact encoding has room for.
    #[error("a layer of {seeds} seeds has {values} values; the compact encoding has room for 256, the raw one for all")]
    Symbols {
        /// Seeds of the layer.
        seeds: usize,
        /// Its values, from the lowest to the highest.
        values: usize,
    },
    /// More seeds than the compact encoding has room for.
    #[error(
        "{seeds} seeds in the compact encoding, which has room for 256 values a layer: under these rules enough for layers of up to \
         {most} seeds; the raw encoding has room for all (--encoding raw)"
    )]
    Compact {
        /// Seeds asked for.
        seeds: usize,
        /// The most seeds there could be.
        most: usize,
    },
    /// A layer that the table leaves out.
    #[error("{} has {parity} layers only, and none of {seeds} seeds in play", path.display())]
    Parity {
        /// The directory.
        path: PathBuf,
        /// Seeds of the layer that was asked for.
        seeds: usize,
        /// Which layers it has.
        parity: &'static str,
    },
    /// A table that leaves layers out where all are needed.
    #[error("{} has {parity} layers only; here all are needed", path.display())]
    NotAllLayers {
        /// The directory.
        path: PathBuf,
        /// Which layers it has.
        parity: &'static str,
    },
    /// The caller asked to stop.
    #[error("stopped")]
    Stopped,
}

impl FileError {
    pub(super) fn io(doing: &'static str, path: &Path, error: std::io::Error) -> Self {
        FileError::Io { doing, path: path.to_owned(), error }
    }

    pub(super) fn damaged(path: &Path, what: impl Into<String>) -> Self {
        FileError::Damaged { path: path.to_owned(), what: what.into() }
    }

    /// Whether it is the table's own bytes that are wrong, not the question or the system.
    pub fn is_fault_of_the_table(&self) -> bool {
        matches!(self, FileError::Damaged { .. } | FileError::Foreign { .. })
    }
}

/// What other rules are that may have the same name.
fn unlike(mine: &str, theirs: &str) -> String {
    if mine == theirs { "but by other rules".to_owned() } else { format!("not of {mine}") }
}

fn listed(differences: &[Difference]) -> String {
    differences.iter().map(Difference::to_string).collect::<Vec<_>>().join("; ")
}

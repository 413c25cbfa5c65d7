//! What may be wrong with a certificate.

use std::fmt;
use std::path::PathBuf;

use lumbung_engine::{Pit, Position};
use thiserror::Error;

use crate::entry::Bound;

/// A certificate that cannot be read or written.
#[derive(Debug, Error)]
pub enum CertificateError {
    /// The system says no.
    #[error("cannot {what} {}: {error}", path.display())]
    Io {
        /// `read`, `write`, ...
        what: &'static str,
        /// The file.
        path: PathBuf,
        /// Why not.
        error: std::io::Error,
    },
    /// The bytes are not those of a certificate.
    #[error("{}: {what}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        what: String,
    },
    /// What should be written is no certificate.
    #[error("no certificate can be written: {0}")]
    Contents(String),
    /// The endgame table that it leans on does not tell a value.
    #[error("the table that it leans on: {0}")]
    Table(TableError),
    /// The caller's flag was raised.
    #[error("stopped")]
    Stopped,
}

/// Why an endgame table does not tell the value of a position.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum TableError {
    /// By its contents: it is damaged, or has no such position. A certificate that leans on it proves nothing.
    #[error("{0}")]
    Contents(String),
    /// It cannot be read just now, which says nothing about the certificate.
    #[error("{0}")]
    Unreadable(String),
}

impl CertificateError {
    /// A system error.
    pub(crate) fn io(what: &'static str, path: &std::path::Path, error: std::io::Error) -> Self {
        CertificateError::Io { what, path: path.to_owned(), error }
    }

    /// Bytes that are wrong.
    pub(crate) fn damaged(path: &std::path::Path, what: impl Into<String>) -> Self {
        CertificateError::Damaged { path: path.to_owned(), what: what.into() }
    }
}

impl fmt::Display for Bound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Bound::AtLeast(value) => write!(f, "at least {value}"),
            Bound::AtMost(value) => write!(f, "at most {value}"),
        }
    }
}

/// The first thing that is wrong with a certificate that can be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The entry, counted from 0 in the order of the file; `None` for a claim.
    pub entry: Option<u64>,
    /// The position of the entry or of the claim.
    pub position: Position,
    /// What it says.
    pub bound: Bound,
    /// What is wrong with it.
    pub why: Why,
}

/// Why an entry or a claim does not stand.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Why {
    /// The entry must come after the one before it.
    #[error("it does not come after the entry before it")]
    Order,
    /// The position cannot be.
    #[error("there is no such position: {0}")]
    Position(String),
    /// The game is over there.
    #[error("the game is over there, and the player to move gains {gain}")]
    Over {
        /// By the settlement.
        gain: i32,
    },
    /// A move is named where there is none to choose.
    #[error("it names a move, and there is none to choose")]
    NeedlessMove,
    /// No move is named where one is to be chosen.
    #[error("it names no move")]
    NoMove,
    /// The move is not legal.
    #[error("its move {pit} is not legal")]
    Illegal {
        /// The move.
        pit: Pit,
    },
    /// The game ends with a move, and not well enough.
    #[error("move {pit} ends the game, and gains {gain}")]
    Ends {
        /// The move.
        pit: Pit,
        /// The gain of the player who makes it.
        gain: i32,
    },
    /// What it leans on is not there.
    #[error("{} leads to {after}, and nothing says that the player to move gains {needed} there", step(*.pit))]
    Missing {
        /// The move; `None` for a pass.
        pit: Option<Pit>,
        /// The position after it.
        after: Box<Position>,
        /// What would have to be known of it.
        needed: Bound,
    },
    /// What it leans on is too weak.
    #[error("{} leads to {after}, where {needed} is needed and the certificate says {found}", step(*.pit))]
    Weak {
        /// The move; `None` for a pass.
        pit: Option<Pit>,
        /// The position after it.
        after: Box<Position>,
        /// What would have to be known of it.
        needed: Bound,
        /// What is.
        found: Bound,
    },
    /// The counter does not fall.
    #[error("{} leads to {after} and nothing is scored, but the counter does not fall: {from} to {to}", step(*.pit))]
    Counter {
        /// The move; `None` for a pass.
        pit: Option<Pit>,
        /// The position after it.
        after: Box<Position>,
        /// The entry's counter.
        from: u32,
        /// That of the entry it leans on.
        to: u32,
    },
    /// It leans on a table, and the certificate names none, or one of fewer seeds.
    #[error("its bound is said to be that of a table, but the certificate names none of so many seeds")]
    NoTable,
    /// The table says otherwise.
    #[error("its bound is said to be that of the table, in which the player to move gains {gain}")]
    Table {
        /// The value of the position in the table.
        gain: i32,
    },
    /// A claim that rests on nothing.
    #[error("the certificate does not say so, or not strongly enough")]
    Claim,
}

fn step(pit: Option<Pit>) -> String {
    pit.map_or_else(|| "the pass".to_owned(), |pit| format!("move {pit}"))
}

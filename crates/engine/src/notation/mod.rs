//! How positions and moves are written, read, replayed and drawn.
//!
//! A position is `<south row>/<north row>/<south store>,<north store>/<s|n>/<owners>`, rows in their owner's sowing order, the
//! last three parts optional:
//!
//! ```
//! use lumbung_engine::{Position, Side};
//!
//! let position: Position = "0,2,0,2,0,0/3,0,0,0,2,0".parse()?;
//! assert_eq!(position.to_move, Side::South);
//! assert_eq!(position.to_string(), "0,2,0,2,0,0/3,0,0,0,2,0/0,0/s");
//! # Ok::<(), lumbung_engine::notation::NotationError>(())
//! ```
//!
//! Moves are pits numbered from 1 in the mover's sowing order, with ` / ` between turns and `-` for a turn that passes
//! ([`MoveText`]); [`replay`] plays them and says where they go wrong.

use std::fmt;

mod draw;
mod moves;
mod position;
mod replay;
mod words;

pub use draw::{Cell, draw, draw_styled};
pub use moves::{MoveText, Token, TokenKind, write_turns};
pub use position::PositionError;
pub use replay::{GameRecord, ReplayError, Turn, replay, replay_traced};
pub use words::{describe_capture, describe_lap, pit_name};

/// A text that is not what it should be, with the place where it goes wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotationError {
    /// What was read: `"position"` or `"moves"`.
    pub what: &'static str,
    /// Byte offset of the place in the text.
    pub offset: usize,
    /// The same place as a character number, from 1.
    pub character: usize,
    /// What is wrong there.
    pub message: String,
}

impl NotationError {
    fn at(what: &'static str, text: &str, offset: usize, message: impl Into<String>) -> Self {
        let character = text.char_indices().take_while(|&(start, _)| start < offset).count() + 1;
        NotationError { what, offset, character, message: message.into() }
    }
}

impl fmt::Display for NotationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, character {}: {}", self.what, self.character, self.message)
    }
}

impl std::error::Error for NotationError {}

/// A piece of the user's text, quoted on one line and cut if it is long.
fn quoted(text: &str) -> String {
    const LONGEST: usize = 20;
    if text.chars().count() <= LONGEST {
        return format!("{text:?}");
    }
    let cut: String = text.chars().take(LONGEST).collect();
    format!("{cut:?}...")
}

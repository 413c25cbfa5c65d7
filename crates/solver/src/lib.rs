//! Exact search in sowing games.
//!
//! * [`solve`]: the exact value of a position by alpha-beta over null windows, with a transposition table of bounds and, below it,
//!   an in-memory endgame table;
//! * [`analyse`]: the exact value of every move;
//! * [`turns`]: all that one player can do in a single turn of bonus moves;
//! * [`perft`]: leaf counts.
//!
//! Nothing here prints; long work reports through [`Progress`] and obeys [`Limits`].

pub mod analyse;
mod busy;
mod limits;
mod line;
mod memo;
mod order;
pub mod perft;
mod search;
mod session;
pub mod solve;
#[cfg(test)]
mod tests;
pub mod turns;

pub use limits::{Limits, Progress, Quiet, Report, StopReason};
pub use line::{LineEnd, PlayedTurn};

//! Exact search in sowing games.
//!
//! * [`solve`]: the exact value of a position by alpha-beta over null windows, with a transposition table of bounds and, below it,
//!   an in-memory endgame table;
//! * [`analyse`]: the exact value of every move;
//! * [`bounds`]: whether positions have given bounds, and moves that prove it, for those who ask many such questions;
//! * [`endgame`]: the endgame tables that searches may have;
//! * [`checkpoint`]: how a search is set aside;
//! * [`mod@matches`]: matches over rounds, and who wins them;
//! * [`turns`]: all that one player can do in a single turn of bonus moves;
//! * [`graph`]: all positions that can arise from a start, with their values; random play;
//! * [`perft`]: leaf counts.
//!
//! Nothing here prints; long work reports through [`Progress`] and obeys [`Limits`].

pub mod analyse;
pub mod bounds;
mod busy;
pub mod certificate;
pub mod checkpoint;
pub mod endgame;
mod forecast;
pub mod graph;
mod limits;
mod line;
pub mod matches;
mod order;
pub mod perft;
mod prehashed;
mod questions;
mod search;
mod session;
mod setup;
pub mod solve;
#[cfg(test)]
mod tests;
mod transposition;
pub mod turns;

pub use limits::{Limits, Progress, Quiet, Report, StopReason};
pub use line::{LineEnd, PlayedTurn};

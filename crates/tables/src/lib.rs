//! Endgame tables: exact values of every position with few seeds in play.
//!
//! [`Index`] numbers the positions; [`Table`] holds the values of all of them up to some number of seeds;
//! [`plain`] builds one by playing every move of every position; [`rows`] plays every move of every row, and is a hundred times faster.

pub mod file;
pub mod index;
pub mod plain;
pub mod rows;
mod table;

pub use index::Index;
pub use table::{MAX_TABLE_SEEDS, Table};

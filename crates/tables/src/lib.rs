//! Endgame tables: exact values of every position with few seeds in play.
//!
//! [`Index`] numbers the positions; [`Table`] holds the values of all of them up to some number of seeds;
//! [`build`] makes one: by [`rows`] where the rules allow it, which plays every move of every row, and else by the [`plain`] builder,
//! which plays every move of every position. Where positions can repeat, [`sweep`] works every layer out again and again until nothing
//! changes. [`layers`] says what becomes of finished layers, and [`file`](mod@file) puts them on disk and reads them.

mod both;
pub mod build;
mod cells;
pub mod codec;
pub mod cyclic;
pub mod file;
mod grow;
pub mod index;
pub mod layers;
pub mod memory;
pub mod plain;
mod progress;
pub mod rows;
mod spill;
pub mod sweep;
mod table;
mod value;
pub mod values;

pub use index::Index;
pub use table::{MAX_TABLE_SEEDS, Table};
pub use values::{MAX_BYTE_SEEDS, Values};

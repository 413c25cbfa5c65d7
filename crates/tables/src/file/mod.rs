//! Tables on disk: a directory with a manifest and one file a layer.
//!
//! The bytes are described in the project's page on the table format. By idea, one file each:
//!
//! * `manifest`, `header`: what a table and a layer say of themselves; `stats`: what values are like;
//! * `tiles`, `model`, `rans`, `compact`: the compact encoding;
//! * [`Encoder`], [`Writer`]: layers from memory to disk, never half; [`Pipeline`]: while the next layer is being worked out;
//! * [`Directory`], `layer`: a table open for reading, nothing believed unchecked;
//! * [`Probe`], `mapped`: single boards; [`load_table`]: whole layers;
//! * [`verify`]: digests and the Bellman equation, or layers built again;
//! * `export`, with the feature of that name: a layer for other programs.

mod clock;
mod compact;
mod directory;
mod encode;
mod error;
mod evaluate;
#[cfg(feature = "export")]
pub mod export;
mod header;
mod layer;
mod load;
mod manifest;
mod mapped;
mod model;
mod pipeline;
mod probe;
mod rans;
mod stats;
mod tiles;
pub mod verify;
mod write;

pub use compact::{compact_counts, most_compact_seeds};
pub use directory::Directory;
pub use encode::{EncodedLayer, Encoder};
pub use error::FileError;
pub use evaluate::{Choice, MoveWorth, choice, evaluate};
pub use header::Header;
pub use load::{load_table, load_table_until};
pub use manifest::{Encoding, LayerEntry, Manifest};
pub use pipeline::{Pipeline, Written};
pub use probe::Probe;
pub use stats::Stats;
pub use tiles::stores_all;
pub use write::{Writer, check_room};

/// The format of tables that this program writes and reads.
pub const FORMAT: u64 = 1;

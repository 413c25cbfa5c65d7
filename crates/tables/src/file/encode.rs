//! A layer of values as the parts of its file.

use std::sync::Arc;
use std::time::Duration;

use lumbung_engine::Owners;
use lumbung_engine::rules::RuleSet;

use super::clock::Clock;
use super::compact::{Alphabet, encode};
use super::error::FileError;
use super::header::{Header, checksum};
use super::layer::RAW_BLOCK;
use super::manifest::{Encoding, program};
use super::stats::Stats;
use super::tiles::{Tiles, stores_all};
use crate::index::Index;
use crate::value::Value;
use crate::values::{MAX_BYTE_SEEDS, Values};

/// Parts of a file, one after the other.
pub(super) type Parts = Vec<Vec<u8>>;

/// A layer, encoded.
#[derive(Debug)]
pub struct EncodedLayer {
    pub(super) seeds: usize,
    pub(super) positions: u64,
    /// Front, models and index, then the blocks.
    pub(super) parts: Parts,
}

/// Encodes the layers of one table; clones count their time together.
#[derive(Clone, Debug)]
pub struct Encoder {
    game: String,
    fingerprint: [u8; 32],
    owners: Owners,
    encoding: Encoding,
    /// Whether the compact encoding stores all positions.
    all: bool,
    index: Arc<Index>,
    spent: Clock,
}

impl Encoder {
    /// # Panics
    /// If there are 2^64 boards or more; no builder takes so many.
    pub(super) fn new(rules: &RuleSet, owners: Owners, seeds: usize, encoding: Encoding) -> Self {
        Encoder {
            game: rules.name.clone(),
            fingerprint: *rules.fingerprint().as_bytes(),
            owners,
            encoding,
            all: stores_all(rules, owners),
            index: Arc::new(Index::of_owners(owners, seeds).expect("builders take no table that cannot be numbered")),
            spent: Clock::default(),
        }
    }

    /// The time that threads have spent on encoding so far, summed over the threads.
    pub fn spent(&self) -> Duration {
        self.spent.read()
    }

    /// Encodes a layer on all threads, its values in the order of the index. The result does not depend on their number.
    ///
    /// # Errors
    /// If the compact encoding has no room for all values of the layer.
    ///
    /// # Panics
    /// If there are not as many values as the layer has positions, they are not of its kind, or it has more seeds than the table.
    pub fn encode<'v>(&self, seeds: usize, values: impl Into<Values<'v>>) -> Result<EncodedLayer, FileError> {
        let values = values.into();
        assert_eq!(values.bytes().is_some(), seeds <= MAX_BYTE_SEEDS, "values of the layer of {seeds} seeds");
        assert_eq!(values.len() as u64, self.index.layer_len(seeds), "values of the layer of {seeds} seeds");
        let stats = Stats::timed(values, &self.spent);
        let alphabet = Alphabet::of(stats.histogram.iter().map(|(value, _)| *value));
        let (models, blocks) = match self.encoding {
            Encoding::Raw => {
                let blocks = self.spent.count(|| match values {
                    Values::Bytes(values) => raw(values),
                    Values::Words(values) => raw(values),
                });
                (Vec::new(), blocks)
            }
            Encoding::Compact if !alphabet.is_compact() => {
                return Err(FileError::Symbols { seeds, values: alphabet.symbols.into() });
            }
            Encoding::Compact => {
                let tiles = Tiles::new(&self.index, seeds, self.all);
                let encoded = match values {
                    Values::Bytes(values) => encode(&tiles, alphabet, values, &self.spent),
                    Values::Words(values) => encode(&tiles, alphabet, values, &self.spent),
                };
                (encoded.models, encoded.blocks)
            }
        };
        let parts = self.spent.count(|| {
            let mut entries = Vec::new();
            for block in &blocks {
                entries.extend_from_slice(&(block.len() as u32).to_le_bytes());
                entries.extend_from_slice(&checksum(block).to_le_bytes());
            }
            let header = Header {
                program: program(),
                game: self.game.clone(),
                fingerprint: self.fingerprint,
                pits: self.owners.pits() as u8,
                south: self.owners.south_bits(),
                seeds: seeds as u16,
                encoding: self.encoding as u8,
                base: alphabet.base,
                step: alphabet.step,
                symbols: alphabet.symbols,
                positions: values.len() as u64,
                stats,
                models_len: models.len() as u64,
                models_checksum: checksum(&models),
                blocks: blocks.len() as u64,
                index_checksum: checksum(&entries),
                data_len: blocks.iter().map(|block| block.len() as u64).sum(),
            };
            let front = header.to_bytes().expect("Writer::new refuses names that are too long");
            [front, models, entries].into_iter().chain(blocks).collect()
        });
        Ok(EncodedLayer { seeds, positions: values.len() as u64, parts })
    }
}

/// The blocks of a raw layer.
fn raw<V: Value>(values: &[V]) -> Parts {
    values.chunks(RAW_BLOCK / V::SIZE).map(V::to_bytes).collect()
}

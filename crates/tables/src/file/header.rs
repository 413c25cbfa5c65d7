//! The front of a layer file: what it is, what its values are like, and where its parts lie.

use std::fs::File;
use std::os::unix::fs::FileExt as _;
use std::path::Path;

use bincode::{Decode, Encode};
use xxhash_rust::xxh3::xxh3_64;

use super::FORMAT;
use super::compact::Alphabet;
use super::error::FileError;
use super::manifest::Encoding;
use super::stats::Stats;
use crate::codec;

/// The first bytes of every layer file; the eighth is the format.
const MAGIC: [u8; 7] = *b"lumbung";
/// Magic, format, length and checksum of the header.
const PRELUDE: usize = 8 + 4 + 8;

/// The header of a layer file, field by field as it stands there.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct Header {
    /// The program that wrote it: `lumbung 0.1.0`.
    pub program: String,
    /// The rule set's own name.
    pub game: String,
    /// The fingerprint of the rules.
    pub fingerprint: [u8; 32],
    /// Pits a row.
    pub pits: u8,
    /// The ring pits that South owns: bit 0 is South's pit 1, bit `pits` North's.
    pub south: u64,
    /// Seeds in play.
    pub seeds: u16,
    /// 0 raw, 1 compact.
    pub encoding: u8,
    /// The value of symbol 0.
    pub base: i16,
    /// From one symbol's value to the next.
    pub step: u8,
    /// How many symbols.
    pub symbols: u16,
    /// Positions of the layer.
    pub positions: u64,
    /// Statistics of all of them.
    pub stats: Stats,
    /// Bytes of the models.
    pub models_len: u64,
    /// Their checksum.
    pub models_checksum: u64,
    /// How many blocks.
    pub blocks: u64,
    /// The checksum of the block index.
    pub index_checksum: u64,
    /// Bytes of all blocks.
    pub data_len: u64,
}

/// Bytes of an entry of the block index: the length of the block and its checksum.
pub(super) const INDEX_ENTRY: u64 = 4 + 8;

/// The checksum of any part of a layer file: XXH3, 64 bits, seed 0.
pub(super) fn checksum(bytes: &[u8]) -> u64 {
    xxh3_64(bytes)
}

impl Header {
    /// The bytes from the beginning of the file to the end of the header.
    pub(super) fn to_bytes(&self) -> Option<Vec<u8>> {
        let header = codec::encode(self)?;
        let mut bytes = MAGIC.to_vec();
        bytes.push(FORMAT as u8);
        bytes.extend_from_slice(&u32::try_from(header.len()).ok()?.to_le_bytes());
        bytes.extend_from_slice(&checksum(&header).to_le_bytes());
        bytes.extend_from_slice(&header);
        Some(bytes)
    }

    /// Reads the header of an open file of `size` bytes; also says where it ends.
    pub(super) fn read(path: &Path, file: &File, size: u64) -> Result<(Header, u64), FileError> {
        let damaged = |what: &str| FileError::damaged(path, what);
        let prelude = read_at(path, file, 0, PRELUDE)?;
        if prelude[..7] != MAGIC {
            return Err(damaged("it does not begin as a layer of a table does"));
        }
        if u64::from(prelude[7]) != FORMAT {
            return Err(FileError::Format { path: path.to_owned(), found: u64::from(prelude[7]) });
        }
        let number = |at: usize, len: usize| prelude[at..at + len].iter().rev().fold(0, |n, &byte| n << 8 | u64::from(byte));
        let len = number(8, 4) as usize;
        if len > codec::LARGEST {
            return Err(damaged("its header has an impossible length"));
        }
        let bytes = read_at(path, file, PRELUDE as u64, len)?;
        if checksum(&bytes) != number(12, 8) {
            return Err(damaged("the checksum of its header does not match"));
        }
        let header: Header = codec::decode(&bytes).map_err(|what| damaged(&what))?;
        let end = (PRELUDE + len) as u64;
        let whole = header
            .blocks
            .checked_mul(INDEX_ENTRY)
            .and_then(|index| index.checked_add(header.models_len)?.checked_add(header.data_len)?.checked_add(end));
        if whole != Some(size) {
            return Err(damaged(&format!("it has {size} bytes, and by its header should not")));
        }
        let alphabet = header.alphabet();
        let has_room = header.encoding != Encoding::Compact as u8 || alphabet.is_compact();
        let fits = alphabet.is_valid(header.seeds.into(), header.stats.histogram.iter().map(|(value, _)| *value)) && has_room;
        if header.encoding > 1 || !fits || header.stats.positions() != header.positions {
            return Err(damaged("its header contradicts itself"));
        }
        Ok((header, end))
    }

    pub(super) fn alphabet(&self) -> Alphabet {
        Alphabet { base: self.base, step: self.step, symbols: self.symbols }
    }
}

/// Reads exactly `len` bytes at `offset`.
pub(super) fn read_at(path: &Path, file: &File, offset: u64, len: usize) -> Result<Vec<u8>, FileError> {
    let mut bytes = vec![0; len];
    file.read_exact_at(&mut bytes, offset).map_err(|error| match error.kind() {
        std::io::ErrorKind::UnexpectedEof => FileError::damaged(path, "it ends too early"),
        _ => FileError::io("read", path, error),
    })?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use lumbung_engine::rules::preset;

    use super::*;
    use crate::file::Writer;

    /// Headers whose checksum is right, and what they say is not.
    #[test]
    fn values_beyond_the_seeds_or_the_histogram_are_refused() {
        let place = tempfile::tempdir().unwrap();
        let mut writer = Writer::new(place.path(), &preset("kalah").unwrap().rules, 1, 2, Encoding::Raw).unwrap();
        // 0/2, 1/1 and 2/0: all values are even, the seeds of each board being those its game shares out.
        let layers: [&[i8]; 3] = [&[0], &[-1, 1], &[-2, 0, 2]];
        layers.into_iter().for_each(|values| writer.write_layer(values).unwrap());
        let path = place.path().join("layer-002.lum");
        let size = fs::metadata(&path).unwrap().len();
        let (whole, end) = Header::read(&path, &File::open(&path).unwrap(), size).unwrap();
        assert_eq!((whole.base, whole.step, whole.symbols), (-2, 2, 3));
        let read = |change: &dyn Fn(&mut Header)| {
            let mut header = whole.clone();
            change(&mut header);
            let mut bytes = header.to_bytes().unwrap();
            bytes.resize(bytes.len() + (size - end) as usize, 0);
            fs::write(&path, &bytes).unwrap();
            Header::read(&path, &File::open(&path).unwrap(), bytes.len() as u64).map(|_| ()).map_err(|error| error.to_string())
        };
        assert_eq!(read(&|_| {}), Ok(()));
        let changes: [&dyn Fn(&mut Header); 7] = [
            &|header| header.base = -1,
            &|header| header.symbols = 4,
            &|header| header.symbols = 0,
            &|header| header.step = 1,
            &|header| header.stats.histogram[0].0 = 0,
            &|header| header.stats.histogram.clear(),
            // Everything agrees, but nobody can win three of two seeds.
            &|header| {
                header.symbols = 4;
                header.stats.histogram[2].0 = 4;
            },
        ];
        for (number, change) in changes.into_iter().enumerate() {
            let refused = read(change).expect_err(&format!("change {number}"));
            assert!(refused.ends_with("its header contradicts itself"), "change {number}: {refused}");
        }
    }
}

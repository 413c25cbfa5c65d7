//! Entries as bytes.
//!
//! A record is a key and what is said of it. The bytes of keys compare as the keys do. A block holds the first bytes of all its
//! records, then their second bytes, and so on, which compresses to about half of what whole records do.

use lumbung_engine::Pit;

use crate::entry::{Entry, Key};

/// The bytes of a key after which bound, move and counter follow.
const REST: usize = 2 + 1 + 4;
/// The byte of the move where the bound is that of an endgame table.
pub(crate) const FROM_TABLE: u8 = u8::MAX;
const NORTH: u8 = 1;
const AT_MOST: u8 = 2;

/// How wide the parts of a record are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Layout {
    /// Pits of the board, both rows.
    pub(crate) ring: usize,
    /// Bytes a pit: 1 or 2.
    pub(crate) pit_bytes: usize,
}

impl Layout {
    /// Bytes of a key.
    pub(crate) fn key(self) -> usize {
        1 + self.ring * self.pit_bytes
    }

    /// Bytes of a record.
    pub(crate) fn record(self) -> usize {
        self.key() + REST
    }

    /// The bytes of a key; `None` if a pit is too large for this layout.
    pub(crate) fn key_bytes(self, key: &Key) -> Option<Vec<u8>> {
        let mut bytes = vec![(u8::from(key.north) * NORTH) | (u8::from(key.at_most) * AT_MOST)];
        for &seeds in &key.pits {
            match self.pit_bytes {
                1 => bytes.push(u8::try_from(seeds).ok()?),
                _ => bytes.extend(seeds.to_be_bytes()),
            }
        }
        Some(bytes)
    }

    /// Reads a record; `None` if its first byte is none that records have.
    pub(crate) fn decode(self, record: &[u8]) -> Option<Entry> {
        let (key, rest) = record.split_at_checked(self.key())?;
        let flags = key[0];
        if flags > NORTH | AT_MOST || rest.len() != REST {
            return None;
        }
        let pits = match self.pit_bytes {
            1 => key[1..].iter().map(|&seeds| u16::from(seeds)).collect(),
            _ => key[1..].chunks_exact(2).map(|two| u16::from_be_bytes([two[0], two[1]])).collect(),
        };
        Some(Entry {
            key: Key { at_most: flags & AT_MOST != 0, north: flags & NORTH != 0, pits },
            value: i16::from_le_bytes([rest[0], rest[1]]),
            pit: rest[2].checked_sub(1).filter(|_| rest[2] != FROM_TABLE).map(Pit),
            counter: u32::from_le_bytes([rest[3], rest[4], rest[5], rest[6]]),
            from_table: rest[2] == FROM_TABLE,
        })
    }
}

/// Records side by side to records one after the other.
pub(crate) fn from_planes(planes: &[u8], width: usize) -> Vec<u8> {
    let count = planes.len() / width;
    (0..count).flat_map(|number| planes.iter().skip(number).step_by(count).copied()).collect()
}

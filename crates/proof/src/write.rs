//! Writing a certificate. What is written is whole or not there, and equal contents give equal bytes.

use std::io::Write as _;
use std::path::Path;

use lumbung_engine::{Owners, RuleSet, whole_file};
use rayon::prelude::*;

use crate::codec;
use crate::entry::{Entry, Key};
use crate::error::CertificateError;
use crate::header::{Claim, ClaimRecord, Header, TableName};
use crate::read::{LEANING, MAGIC, PRELUDE, WHOLE};
use crate::record::{FROM_TABLE, Layout};

/// Entries of a block.
const BLOCK_ENTRIES: usize = 4096;
/// How hard to compress: certificates are written once.
const LEVEL: i32 = 19;

/// What is to be written.
#[derive(Clone, Debug)]
pub struct Contents<'a> {
    /// The program that writes.
    pub program: &'a str,
    /// The rules.
    pub rules: &'a RuleSet,
    /// Who owns which pit, in all claims.
    pub owners: Owners,
    /// What is proven.
    pub claims: &'a [Claim],
    /// What it rests on, in any order, a key once.
    pub entries: Vec<Entry>,
    /// The digest of the endgame table that entries are taken from; without such entries the file does not name it.
    pub table: Option<[u8; 32]>,
}

/// Writes a certificate; says how many bytes it has. Whether it proves its claims is for [`crate::verify`] to say.
///
/// # Errors
/// If the file cannot be written, or the contents do not fit the format.
pub fn write(path: &Path, contents: Contents<'_>) -> Result<u64, CertificateError> {
    let bytes = to_bytes(contents)?;
    let written = whole_file::write(path, |file| file.write_all(&bytes));
    written.map_err(|error| CertificateError::io("write", path, error))?;
    Ok(bytes.len() as u64)
}

/// The bytes of a certificate.
///
/// # Errors
/// If the contents do not fit the format.
pub fn to_bytes(contents: Contents<'_>) -> Result<Vec<u8>, CertificateError> {
    encode(contents).map_err(CertificateError::Contents)
}

fn encode(contents: Contents<'_>) -> Result<Vec<u8>, String> {
    let Contents { program, rules, owners, claims, mut entries, table } = contents;
    let most = entries.iter().flat_map(|entry| &entry.key.pits).max();
    let pit_bytes = if most.is_some_and(|&seeds| seeds > u8::MAX.into()) { 2 } else { 1 };
    let layout = Layout { ring: 2 * owners.pits(), pit_bytes };
    entries.par_sort_unstable_by(|a, b| in_file(&a.key, &b.key));
    if entries.windows(2).any(|two| two[0].key == two[1].key) {
        return Err("a position has two bounds of a kind".to_owned());
    }
    let compressed = |block: &[Entry]| {
        let records: Option<Vec<_>> = block.iter().map(|entry| record(layout, entry)).collect();
        let records = records.ok_or("an entry is of another board")?.concat();
        let bytes = zstd::bulk::compress(&to_planes(&records, layout.record()), LEVEL).map_err(|error| error.to_string())?;
        Ok((records[..layout.key()].to_vec(), bytes))
    };
    let blocks: Vec<(Vec<u8>, Vec<u8>)> = entries.par_chunks(BLOCK_ENTRIES).map(compressed).collect::<Result<_, String>>()?;
    let index: Vec<u8> = blocks
        .iter()
        .flat_map(|(first, bytes)| {
            let (len, checksum) = (bytes.len() as u32, crc32fast::hash(bytes));
            [first.as_slice(), &len.to_le_bytes(), &checksum.to_le_bytes()].concat()
        })
        .collect();
    let header = Header {
        program: program.to_owned(),
        fingerprint: *rules.fingerprint().as_bytes(),
        rules: rules.to_toml(),
        pits: owners.pits() as u8,
        owners: owners.south_bits(),
        pit_bytes: pit_bytes as u8,
        claims: claims.iter().map(ClaimRecord::from).collect(),
        entries: entries.len() as u64,
        block_entries: BLOCK_ENTRIES as u32,
        index_checksum: crc32fast::hash(&index),
    };
    let leaning = entries.iter().filter(|entry| entry.from_table).map(|entry| entry.key.pits.iter().sum()).max();
    let (format, header) = match (leaning, table) {
        (None, _) => (WHOLE, codec::encode(&header)),
        (Some(seeds), Some(digest)) => (LEANING, codec::encode(&(header, TableName { digest, seeds }))),
        (Some(_), None) => return Err("an entry leans on a table that is not named".to_owned()),
    };
    let header = header.ok_or("its rules are too long")?;
    let mut bytes = Vec::with_capacity(PRELUDE + header.len() + index.len());
    bytes.extend(MAGIC);
    bytes.push(format);
    bytes.extend((header.len() as u32).to_le_bytes());
    bytes.extend(crc32fast::hash(&header).to_le_bytes());
    bytes.extend(header);
    bytes.extend(index);
    blocks.iter().for_each(|(_, block)| bytes.extend(block));
    Ok(bytes)
}

impl From<&Claim> for ClaimRecord {
    fn from(claim: &Claim) -> Self {
        ClaimRecord {
            board: claim.start.board.clone(),
            stores: claim.start.stores,
            to_move: claim.start.to_move as u8,
            player: claim.player as u8,
            bound: claim.bound.clamp(i16::MIN.into(), i16::MAX.into()) as i16,
        }
    }
}

/// The order of keys in a file: that of their bytes.
fn in_file(a: &Key, b: &Key) -> std::cmp::Ordering {
    let flags = |key: &Key| (key.at_most, key.north);
    flags(a).cmp(&flags(b)).then_with(|| a.pits.cmp(&b.pits))
}

/// An entry as a record; `None` if it does not fit the layout.
fn record(layout: Layout, entry: &Entry) -> Option<Vec<u8>> {
    let mut bytes = layout.key_bytes(&entry.key)?;
    bytes.extend(entry.value.to_le_bytes());
    bytes.push(if entry.from_table { FROM_TABLE } else { entry.pit.map_or(0, |pit| pit.0 + 1) });
    bytes.extend(entry.counter.to_le_bytes());
    (bytes.len() == layout.record()).then_some(bytes)
}

/// Records one after the other to records side by side.
fn to_planes(records: &[u8], width: usize) -> Vec<u8> {
    (0..width).flat_map(|at| records.iter().skip(at).step_by(width).copied()).collect()
}

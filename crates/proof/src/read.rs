//! Reading a certificate: its header, its index, and entries by number or by key, a block at a time.

use std::fs::File;
use std::os::unix::fs::FileExt as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use lumbung_engine::rules::{Cycle, Rounds};
use lumbung_engine::{Owners, RuleSet};

use crate::codec;
use crate::entry::{Entry, Key};
use crate::error::CertificateError;
use crate::header::{Claim, Header, TableName};
use crate::record::{Layout, from_planes};

/// The bytes a certificate begins with; the format follows.
pub(crate) const MAGIC: [u8; 7] = *b"lumcert";
/// The format of a certificate that stands by itself.
pub(crate) const WHOLE: u8 = 1;
/// The format of a certificate that leans on an endgame table.
pub(crate) const LEANING: u8 = 2;
/// Magic, length and checksum of the header.
pub(crate) const PRELUDE: usize = 16;
/// Bytes of the index beside a key: length and checksum of the block.
pub(crate) const INDEX_REST: usize = 8;
/// The most entries a block may have.
pub(crate) const MOST_BLOCK_ENTRIES: u32 = 1 << 16;

/// A certificate that is open; its header and its index have been read and belong together.
#[derive(Debug)]
pub struct Certificate {
    path: PathBuf,
    file: File,
    rules: RuleSet,
    owners: Owners,
    claims: Vec<Claim>,
    pub(crate) layout: Layout,
    header: Header,
    table: Option<TableName>,
    blocks: Vec<Block>,
    /// Blocks in memory, each with its records one after the other.
    cache: Vec<Mutex<Option<Arc<Vec<u8>>>>>,
    /// Bytes the cache may hold, and does.
    budget: u64,
    held: AtomicU64,
    /// Where to look next for a block to let go.
    hand: AtomicUsize,
}

/// Where a block is.
#[derive(Debug)]
pub(crate) struct Block {
    /// The key of its first record.
    pub(crate) first: Vec<u8>,
    offset: u64,
    len: u32,
    checksum: u32,
}

impl Certificate {
    /// Opens a certificate, of which about `memory` bytes are kept in memory at a time. Entries are not looked at yet.
    ///
    /// # Errors
    /// If the file cannot be read, or is not or no longer a certificate of rules that can be solved.
    pub fn open(path: &Path, memory: u64) -> Result<Certificate, CertificateError> {
        let damaged = |what: &str| CertificateError::damaged(path, what);
        let file = File::open(path).map_err(|error| CertificateError::io("read", path, error))?;
        let size = file.metadata().map_err(|error| CertificateError::io("read", path, error))?.len();
        let prelude = read_at(path, &file, 0, PRELUDE)?;
        if prelude[..7] != MAGIC {
            return Err(damaged("it does not begin as a certificate does"));
        }
        let format = prelude[7];
        if ![WHOLE, LEANING].contains(&format) {
            let known = format!("it is a certificate of format {format}; this program reads formats {WHOLE} and {LEANING}");
            return Err(damaged(&known));
        }
        let len = number(&prelude[8..12]) as usize;
        if len > codec::LARGEST {
            return Err(damaged("its header has an impossible length"));
        }
        let bytes = read_at(path, &file, PRELUDE as u64, len)?;
        if crc32fast::hash(&bytes) != number(&prelude[12..16]) {
            return Err(damaged("the checksum of its header does not match"));
        }
        let decoded: Result<(Header, _), _> = match format {
            WHOLE => codec::decode(&bytes).map(|header| (header, None)),
            _ => codec::decode(&bytes).map(|(header, table)| (header, Some(table))),
        };
        let (header, table) = decoded.map_err(|what| damaged(&what))?;
        let (rules, owners, claims) = meaning(&header).map_err(|what| damaged(&what))?;
        let layout = Layout { ring: 2 * usize::from(header.pits), pit_bytes: header.pit_bytes.into() };
        if header.block_entries == 0 || header.block_entries > MOST_BLOCK_ENTRIES {
            return Err(damaged("its blocks have an impossible size"));
        }
        let count = header.entries.div_ceil(header.block_entries.into());
        let width = layout.key() + INDEX_REST;
        let start = (PRELUDE + len) as u64;
        let too_short = || damaged("it ends too early");
        let index_len = count.checked_mul(width as u64).filter(|&len| start + len <= size).ok_or_else(too_short)?;
        let index = read_at(path, &file, start, index_len as usize)?;
        if crc32fast::hash(&index) != header.index_checksum {
            return Err(damaged("the checksum of its index does not match"));
        }
        let mut offset = start + index_len;
        let mut blocks = Vec::with_capacity(count as usize);
        for entry in index.chunks_exact(width) {
            let (first, rest) = entry.split_at(layout.key());
            let (len, checksum) = (number(&rest[..4]), number(&rest[4..]));
            blocks.push(Block { first: first.to_vec(), offset, len, checksum });
            offset += u64::from(len);
        }
        if offset != size {
            return Err(damaged(&format!("it has {size} bytes, and by its index {offset}")));
        }
        let cache = blocks.iter().map(|_| Mutex::new(None)).collect();
        let (held, hand) = (AtomicU64::new(0), AtomicUsize::new(0));
        let path = path.to_owned();
        Ok(Certificate { path, file, rules, owners, claims, layout, header, table, blocks, cache, budget: memory, held, hand })
    }

    /// The rules it speaks of.
    pub fn rules(&self) -> &RuleSet {
        &self.rules
    }

    /// Who owns which pit.
    pub fn owners(&self) -> Owners {
        self.owners
    }

    /// What it says that it proves.
    pub fn claims(&self) -> &[Claim] {
        &self.claims
    }

    /// The program that wrote it.
    pub fn program(&self) -> &str {
        &self.header.program
    }

    /// The number of entries.
    pub fn entries(&self) -> u64 {
        self.header.entries
    }

    /// The endgame table that it leans on, if it does.
    pub fn table(&self) -> Option<TableName> {
        self.table
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    pub(crate) fn blocks(&self) -> &[Block] {
        &self.blocks
    }

    /// Number of the first entry of a block.
    pub(crate) fn first_of(&self, block: usize) -> u64 {
        block as u64 * u64::from(self.header.block_entries)
    }

    /// The entry with a key, if there is one.
    ///
    /// # Errors
    /// If the block that should have it cannot be read.
    pub fn find(&self, key: &Key) -> Result<Option<Entry>, CertificateError> {
        let Some(bytes) = self.layout.key_bytes(key) else { return Ok(None) };
        let Some(block) = self.blocks.partition_point(|block| block.first <= bytes).checked_sub(1) else { return Ok(None) };
        let records = self.records(block)?;
        let width = self.layout.record();
        let (mut low, mut high) = (0, records.len() / width);
        while low < high {
            let middle = low.midpoint(high);
            let record = &records[middle * width..][..width];
            match record[..bytes.len()].cmp(&bytes) {
                std::cmp::Ordering::Equal => return Ok(self.layout.decode(record)),
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Greater => high = middle,
            }
        }
        Ok(None)
    }

    /// The records of a block, one after the other.
    pub(crate) fn records(&self, block: usize) -> Result<Arc<Vec<u8>>, CertificateError> {
        let slot = &self.cache[block];
        // A thread that panicked can have left nothing half done behind these locks.
        let mut kept = slot.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(records) = &*kept {
            return Ok(Arc::clone(records));
        }
        let records = Arc::new(self.load(block)?);
        *kept = Some(Arc::clone(&records));
        drop(kept);
        let mut held = self.held.fetch_add(records.len() as u64, Ordering::Relaxed) + records.len() as u64;
        for _ in 0..self.cache.len() {
            if held <= self.budget {
                break;
            }
            let other = self.hand.fetch_add(1, Ordering::Relaxed) % self.cache.len();
            // One that is in use just now is worth keeping.
            let let_go = if other == block { None } else { self.cache[other].try_lock().ok().and_then(|mut slot| slot.take()) };
            let freed = let_go.map_or(0, |records| records.len() as u64);
            held = self.held.fetch_sub(freed, Ordering::Relaxed) - freed;
        }
        Ok(records)
    }

    fn load(&self, number: usize) -> Result<Vec<u8>, CertificateError> {
        let block = &self.blocks[number];
        let damaged = |what: &str| CertificateError::damaged(&self.path, format!("block {number}: {what}"));
        let bytes = read_at(&self.path, &self.file, block.offset, block.len as usize)?;
        if crc32fast::hash(&bytes) != block.checksum {
            return Err(damaged("its checksum does not match"));
        }
        let entries = (self.header.entries - self.first_of(number)).min(self.header.block_entries.into());
        let len = entries as usize * self.layout.record();
        match zstd::bulk::decompress(&bytes, len) {
            Ok(planes) if planes.len() == len => Ok(from_planes(&planes, self.layout.record())),
            _ => Err(damaged("it cannot be decompressed")),
        }
    }
}

/// The rules, owners and claims that a header speaks of.
fn meaning(header: &Header) -> Result<(RuleSet, Owners, Vec<Claim>), String> {
    let rules = RuleSet::from_toml(&header.rules).map_err(|error| format!("its rules: {error}"))?;
    if rules.fingerprint().as_bytes() != &header.fingerprint {
        return Err("its rules do not have the fingerprint it names".to_owned());
    }
    if rules.end.cycle == Cycle::RowOwner {
        return Err("end.cycle = \"row-owner\" is a rule for play only; positions have no value under it".to_owned());
    }
    let pits = usize::from(header.pits);
    if pits == 0 || pits > lumbung_engine::position::MAX_PITS || !(1..=2).contains(&header.pit_bytes) {
        return Err("it has an impossible board".to_owned());
    }
    let owners = Owners::from_bits(header.owners, pits);
    if owners.south_bits() != header.owners || (!owners.are_rows() && rules.rounds == Rounds::Single) {
        return Err("it has impossible owners".to_owned());
    }
    let claims = header.claims.iter().map(|claim| claim.read(&rules, owners)).collect::<Result<Vec<_>, _>>();
    let claims = claims.map_err(|error| format!("what it claims cannot be: {error}"))?;
    if claims.is_empty() {
        return Err("it claims nothing".to_owned());
    }
    Ok((rules, owners, claims))
}

/// A little-endian number of four bytes.
fn number(bytes: &[u8]) -> u32 {
    bytes.iter().rev().fold(0, |number, &byte| number << 8 | u32::from(byte))
}

/// Reads exactly `len` bytes at `offset`.
fn read_at(path: &Path, file: &File, offset: u64, len: usize) -> Result<Vec<u8>, CertificateError> {
    let mut bytes = vec![0; len];
    file.read_exact_at(&mut bytes, offset).map_err(|error| match error.kind() {
        std::io::ErrorKind::UnexpectedEof => CertificateError::damaged(path, "it ends too early"),
        _ => CertificateError::io("read", path, error),
    })?;
    Ok(bytes)
}

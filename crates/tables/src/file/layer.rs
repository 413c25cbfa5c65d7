//! One layer file, open for reading.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

use lumbung_engine::Owners;
use rayon::prelude::*;

use super::compact::{self, EMPTY, Room, tile_bytes};
use super::error::FileError;
use super::header::{Header, INDEX_ENTRY, checksum, read_at};
use super::manifest::{Encoding, LayerEntry, Manifest};
use super::mapped::Mapped;
use super::model::{Contexts, Models};
use super::stats::histogram;
use super::tiles::{TILES_A_BLOCK, Tile, Tiles};
use crate::index::Index;
use crate::value::Value;
use crate::values::{MAX_BYTE_SEEDS, Values, ValuesMut, bytes_a_value};

/// Bytes of a block of the raw encoding but for the last, whatever a value takes.
pub(super) const RAW_BLOCK: usize = 1 << 15;

/// A layer that can be read. Its header, models and block index have been checked; each block is whenever it is read, or once if it is mapped.
///
/// The file is open only while it is gone through: a table may have more layers than a program may have files. Should another one lie in its
/// place by then, that is noticed, for its blocks are held against checksums that have been in memory since the first time.
#[derive(Debug)]
pub(super) struct Layer {
    path: PathBuf,
    pub(super) header: Header,
    body: Body,
    /// Where each block begins in the file, and where the last one ends.
    offsets: Vec<u64>,
    checksums: Vec<u64>,
    /// For look-ups of single boards, from the first one on.
    mapped: OnceLock<Mapped>,
}

#[derive(Debug)]
enum Body {
    Raw,
    Compact(Compact),
}

#[derive(Debug)]
struct Compact {
    tiles: Tiles,
    contexts: Contexts,
    models: Box<Models>,
}

impl Compact {
    /// Decodes as much of a tile as tells its symbol number `last`; `None` if its block is not such as an encoder writes.
    #[inline]
    fn decode(&self, block: &[u8], number: usize, tile: &Tile, last: usize, symbols: &mut Room) -> Option<()> {
        let bytes = tile_bytes(block, self.tiles.of_block(number / TILES_A_BLOCK).len(), number % TILES_A_BLOCK)?;
        compact::decode(&self.models, self.contexts, bytes, (tile.width, tile.height), symbols, last)
    }
}

impl Layer {
    /// Opens the layer of a table; `all` says whether the compact encoding stores all of its positions.
    pub(super) fn open(
        directory: &Path,
        manifest: &Manifest,
        entry: &LayerEntry,
        index: &Index,
        all: bool,
    ) -> Result<Layer, FileError> {
        let path = directory.join(&entry.file);
        let damaged = |what: &str| FileError::damaged(&path, what);
        let file = open(&path)?;
        let size = file.metadata().map_err(|error| FileError::io("read", &path, error))?.len();
        let (header, end) = Header::read(&path, &file, size)?;
        check(&path, manifest, entry, &header)?;
        if size != entry.size || header.positions != index.layer_len(entry.seeds) {
            return Err(damaged("it has another size than the table says"));
        }
        let models = read_at(&path, &file, end, header.models_len as usize)?;
        if checksum(&models) != header.models_checksum {
            return Err(damaged("the checksum of its models does not match"));
        }
        let entries = read_at(&path, &file, end + header.models_len, (header.blocks * INDEX_ENTRY) as usize)?;
        if checksum(&entries) != header.index_checksum {
            return Err(damaged("the checksum of its block index does not match"));
        }
        let mut offset = end + header.models_len + header.blocks * INDEX_ENTRY;
        let (mut offsets, mut checksums) = (vec![offset], Vec::new());
        for entry in entries.as_chunks::<{ INDEX_ENTRY as usize }>().0 {
            let [a, b, c, d, check @ ..] = *entry;
            offset += u64::from(u32::from_le_bytes([a, b, c, d]));
            offsets.push(offset);
            checksums.push(u64::from_le_bytes(check));
        }
        let (body, blocks) = match manifest.encoding {
            Encoding::Raw => (Body::Raw, header.positions.div_ceil(RAW_BLOCK as u64 / bytes_a_value(entry.seeds))),
            Encoding::Compact => {
                let tiles = Tiles::new(index, entry.seeds, all);
                let contexts = Contexts::new(usize::from(header.symbols));
                let models = Box::new(Models::from_bytes(contexts, &models).map_err(damaged)?);
                let blocks = tiles.blocks() as u64;
                (Body::Compact(Compact { tiles, contexts, models }), blocks)
            }
        };
        if offset != size || header.blocks != blocks {
            return Err(damaged("its blocks are not those of its layer"));
        }
        Ok(Layer { path, header, body, offsets, checksums, mapped: OnceLock::new() })
    }

    /// Where it is.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Positions before the first one whose value is stored.
    pub(super) fn left_out(&self) -> usize {
        match &self.body {
            Body::Raw => 0,
            Body::Compact(compact) => compact.tiles.left_out,
        }
    }

    /// A block, read and checked.
    fn block(&self, file: &File, block: usize) -> Result<Vec<u8>, FileError> {
        let (from, to) = (self.offsets[block], self.offsets[block + 1]);
        let bytes = read_at(&self.path, file, from, (to - from) as usize)?;
        if checksum(&bytes) != self.checksums[block] {
            return Err(self.wrong_checksum(block));
        }
        Ok(bytes)
    }

    /// A block of the mapped file, checked when it is first touched.
    #[inline]
    fn touched(&self, block: usize) -> Result<&[u8], FileError> {
        let mapped = match self.mapped.get() {
            Some(mapped) => mapped,
            None => self.map()?,
        };
        let place = self.offsets[block]..self.offsets[block + 1];
        mapped.block(block, place, self.checksums[block]).ok_or_else(|| self.wrong_checksum(block))
    }

    #[cold]
    fn map(&self) -> Result<&Mapped, FileError> {
        // What is mapped needs no open file.
        let file = open(&self.path)?;
        let mapped = Mapped::new(&file, self.checksums.len()).map_err(|error| FileError::io("map", &self.path, error))?;
        // Two threads may map it at once; one of the two is kept.
        Ok(self.mapped.get_or_init(|| mapped))
    }

    #[cold]
    fn wrong_checksum(&self, block: usize) -> FileError {
        FileError::damaged(&self.path, format!("the checksum of block {block} does not match"))
    }

    #[cold]
    fn not_as_written(&self, block: usize) -> FileError {
        FileError::damaged(&self.path, format!("block {block} is not such as an encoder writes"))
    }

    /// The value at `place` of the layer; `None` if it is not stored.
    pub(super) fn value(&self, place: usize) -> Result<Option<i32>, FileError> {
        if usize::from(self.header.seeds) <= MAX_BYTE_SEEDS { self.value_of::<i8>(place) } else { self.value_of::<i16>(place) }
    }

    #[inline]
    fn value_of<V: Value>(&self, place: usize) -> Result<Option<i32>, FileError> {
        match &self.body {
            Body::Raw => {
                let in_block = RAW_BLOCK / V::SIZE;
                let block = place / in_block;
                let bytes = self.touched(block)?;
                let value = bytes.get(place % in_block * V::SIZE..).and_then(V::from_bytes);
                Ok(Some(value.ok_or_else(|| self.not_as_written(block))?.into()))
            }
            Body::Compact(compact) => {
                let Some((number, within)) = compact.tiles.locate(place) else { return Ok(None) };
                let block = number / TILES_A_BLOCK;
                let bytes = self.touched(block)?;
                let mut symbols = EMPTY;
                compact
                    .decode(bytes, number, &compact.tiles.tile(number), within, &mut symbols)
                    .ok_or_else(|| self.not_as_written(block))?;
                Ok(Some(self.header.alphabet().value::<V>(symbols[within]).into()))
            }
        }
    }

    /// All stored values of the layer, put into their places of `values`, on all threads, until `stop` is set. Where none is left out, they are
    /// held against the histogram of the header.
    pub(super) fn read_into(&self, mut values: ValuesMut, stop: &AtomicBool) -> Result<(), FileError> {
        match &mut values {
            ValuesMut::Bytes(values) => self.put_into(values, stop)?,
            ValuesMut::Words(values) => self.put_into(values, stop)?,
        }
        if self.left_out() == 0 && histogram(values.values()) != self.header.stats.histogram {
            return Err(FileError::damaged(&self.path, "it has other values than its statistics say"));
        }
        Ok(())
    }

    fn put_into<V: Value>(&self, values: &mut [V], stop: &AtomicBool) -> Result<(), FileError> {
        let file = &open(&self.path)?;
        match &self.body {
            Body::Raw => values.par_chunks_mut(RAW_BLOCK / V::SIZE).enumerate().try_for_each(|(block, values)| {
                go_on(stop)?;
                let bytes = self.block(file, block)?;
                if bytes.len() != size_of_val(values) {
                    return Err(self.not_as_written(block));
                }
                values.iter_mut().zip(V::all_from_bytes(&bytes)).for_each(|(value, stored)| *value = stored);
                Ok(())
            }),
            Body::Compact(compact) => {
                let tiles = &compact.tiles;
                let mut rest = values;
                rest = &mut rest[tiles.left_out..];
                for split in tiles.splits() {
                    let (matrix, others) = rest.split_at_mut(split.lines * split.columns);
                    rest = others;
                    let bands = matrix.par_chunks_mut(split.height * split.columns).enumerate();
                    bands.try_for_each_init(
                        || (usize::MAX, Vec::new()),
                        |(have, block_bytes), (down, band)| {
                            go_on(stop)?;
                            let first = split.first_tile + down * split.across;
                            let offset = split.start + down * split.height * split.columns;
                            for number in first..first + split.across {
                                let block = number / TILES_A_BLOCK;
                                if *have != block {
                                    *block_bytes = self.block(file, block)?;
                                    *have = block;
                                }
                                let tile = tiles.tile(number);
                                let whole = tile.width * tile.height;
                                let mut symbols = EMPTY;
                                compact
                                    .decode(block_bytes, number, &tile, whole - 1, &mut symbols)
                                    .ok_or_else(|| self.not_as_written(block))?;
                                for (line, symbols) in symbols[..whole].chunks(tile.width).enumerate() {
                                    let from = tile.start - offset + line * tile.stride;
                                    for (value, &symbol) in band[from..from + tile.width].iter_mut().zip(symbols) {
                                        *value = self.header.alphabet().value(symbol);
                                    }
                                }
                            }
                            Ok(())
                        },
                    )?;
                }
                Ok(())
            }
        }
    }
}

impl Layer {
    /// Holds all stored values of the layer against what they should be, on all threads, until `stop` is set.
    pub(super) fn agrees_with(&self, values: Values, stop: &AtomicBool) -> Result<(), FileError> {
        match values {
            Values::Bytes(values) => self.agrees(values, stop),
            Values::Words(values) => self.agrees(values, stop),
        }
    }

    fn agrees<V: Value>(&self, values: &[V], stop: &AtomicBool) -> Result<(), FileError> {
        let file = &open(&self.path)?;
        let wrong = || FileError::damaged(&self.path, "it holds values that do not follow from the rules");
        match &self.body {
            Body::Raw => values.par_chunks(RAW_BLOCK / V::SIZE).enumerate().try_for_each(|(block, values)| {
                go_on(stop)?;
                let bytes = self.block(file, block)?;
                let agrees = bytes.len() == size_of_val(values) && V::all_from_bytes(&bytes).eq(values.iter().copied());
                if agrees { Ok(()) } else { Err(wrong()) }
            }),
            Body::Compact(compact) => (0..compact.tiles.blocks()).into_par_iter().try_for_each(|block| {
                go_on(stop)?;
                let bytes = self.block(file, block)?;
                let (alphabet, mut symbols) = (self.header.alphabet(), EMPTY);
                for number in compact.tiles.of_block(block) {
                    let tile = compact.tiles.tile(number);
                    let whole = tile.width * tile.height;
                    compact.decode(&bytes, number, &tile, whole - 1, &mut symbols).ok_or_else(|| self.not_as_written(block))?;
                    let lines = symbols[..whole].chunks(tile.width).zip(values[tile.start..].chunks(tile.stride));
                    for (symbols, values) in lines {
                        if symbols.iter().zip(values).any(|(&symbol, &value)| alphabet.value::<V>(symbol) != value) {
                            return Err(wrong());
                        }
                    }
                }
                Ok(())
            }),
        }
    }
}

/// Opens a layer's file.
fn open(path: &Path) -> Result<File, FileError> {
    File::open(path).map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => FileError::damaged(path, "it is missing"),
        _ => FileError::io("read", path, error),
    })
}

/// An error once the caller has asked to stop.
pub(super) fn go_on(stop: &AtomicBool) -> Result<(), FileError> {
    if stop.load(Ordering::Relaxed) { Err(FileError::Stopped) } else { Ok(()) }
}

/// Whether a layer file is the one its table speaks of.
fn check(path: &Path, manifest: &Manifest, entry: &LayerEntry, header: &Header) -> Result<(), FileError> {
    let foreign = |what: String| Err(FileError::Foreign { path: path.to_owned(), what });
    if header.fingerprint != *manifest.fingerprint.as_bytes() {
        return foreign(format!("it is a layer of {}, by other rules than the table's", header.game));
    }
    if usize::from(header.pits) != manifest.pits {
        return foreign(format!("it is a layer of {} pits a row, in a table of {}", header.pits, manifest.pits));
    }
    if header.south != manifest.owners().south_bits() {
        let theirs = Owners::from_bits(header.south, manifest.pits);
        return foreign(format!("it is a layer for owners {theirs}, in a table for {}", manifest.owners()));
    }
    if usize::from(header.seeds) != entry.seeds {
        return foreign(format!("it is the layer of {} seeds", header.seeds));
    }
    if header.encoding != manifest.encoding as u8 {
        return foreign(format!("its encoding is not {}", manifest.encoding.name()));
    }
    Ok(())
}

//! How the compact encoding cuts a layer into tiles.
//!
//! A layer is one matrix for every split of its seeds: own row by other row. Under rules that cannot repeat a position only the splits
//! in which the player to move has at least as many seeds as the other are stored (see [`super::probe`] for why that is enough);
//! otherwise all are, and where pits have other owners than their rows those of South's boards and then those of North's. Each matrix is cut into tiles of at
//! most [`TILE`] values that are decoded without looking at any other, and tiles are numbered split by split, line by line.

use lumbung_engine::Owners;
use lumbung_engine::rules::RuleSet;

use crate::index::Index;

/// The most values of a tile.
pub(super) const TILE: usize = 448;
/// The widest tile. Neighbours in both directions tell about a value, so tiles are not far from square.
pub(super) const WIDEST: usize = 20;
/// Tiles a block.
pub(super) const TILES_A_BLOCK: usize = 32;

/// The matrix of one split and its tiles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Split {
    /// Seeds in the row of the player to move.
    pub(super) own: usize,
    /// Where the matrix begins within the layer.
    pub(super) start: usize,
    /// Lines: rows with `own` seeds.
    pub(super) lines: usize,
    /// Values a line: rows with the other seeds.
    pub(super) columns: usize,
    /// Tiles side by side.
    pub(super) across: usize,
    /// Columns of a tile but for the last one in a line of tiles.
    pub(super) width: usize,
    /// Lines of a tile but for the last ones.
    pub(super) height: usize,
    /// The number of its first tile.
    pub(super) first_tile: usize,
}

/// A tile within its layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Tile {
    /// Where its first value stands within the layer.
    pub(super) start: usize,
    /// From one of its lines to the next.
    pub(super) stride: usize,
    /// Its columns.
    pub(super) width: usize,
    /// Its lines.
    pub(super) height: usize,
}

/// The tiles of a layer.
#[derive(Clone, Debug)]
pub(super) struct Tiles {
    splits: Vec<Split>,
    /// Positions of the layer that come before the first stored split.
    pub(super) left_out: usize,
    /// How many tiles.
    pub(super) count: usize,
}

/// Whether the compact encoding stores all positions of a table; `probe.rs` says when half of them are enough.
pub fn stores_all(rules: &RuleSet, owners: Owners) -> bool {
    rules.can_repeat() || !owners.are_rows()
}

impl Tiles {
    /// The tiles of the layer with `seeds` seeds, of all its splits or of those in which the player to move has at least half of them.
    pub(super) fn new(index: &Index, seeds: usize, all: bool) -> Tiles {
        let (mut start, mut first_tile) = (0, 0);
        let mut splits = Vec::new();
        let mut left_out = 0;
        for own in (0..index.seats()).flat_map(|_| 0..=seeds) {
            let (lines, columns) = (index.rows(own) as usize, index.rows(seeds - own) as usize);
            if all || own >= seeds - own {
                let across = columns.div_ceil(WIDEST);
                let width = columns.div_ceil(across);
                let height = TILE / width;
                splits.push(Split { own, start, lines, columns, across, width, height, first_tile });
                first_tile += across * lines.div_ceil(height);
            } else {
                left_out += lines * columns;
            }
            start += lines * columns;
        }
        Tiles { splits, left_out, count: first_tile }
    }

    /// The stored splits.
    pub(super) fn splits(&self) -> &[Split] {
        &self.splits
    }

    /// How many blocks.
    pub(super) fn blocks(&self) -> usize {
        self.count.div_ceil(TILES_A_BLOCK)
    }

    /// The numbers of the tiles of a block.
    pub(super) fn of_block(&self, block: usize) -> std::ops::Range<usize> {
        block * TILES_A_BLOCK..self.count.min((block + 1) * TILES_A_BLOCK)
    }

    /// A tile by its number, which is below `count`.
    pub(super) fn tile(&self, number: usize) -> Tile {
        let split = &self.splits[self.splits.partition_point(|split| split.first_tile <= number) - 1];
        let within = number - split.first_tile;
        let (line, column) = (within / split.across * split.height, within % split.across * split.width);
        Tile {
            start: split.start + line * split.columns + column,
            stride: split.columns,
            width: split.width.min(split.columns - column),
            height: split.height.min(split.lines - line),
        }
    }

    /// The tile that holds the value at `place` of the layer, and where in that tile it stands, line by line; `None` if it is not
    /// stored.
    pub(super) fn locate(&self, place: usize) -> Option<(usize, usize)> {
        if place < self.left_out {
            return None;
        }
        let split = &self.splits[self.splits.partition_point(|split| split.start <= place) - 1];
        let within = place - split.start;
        let (line, column) = (within / split.columns, within % split.columns);
        let (down, right) = (line / split.height, column / split.width);
        let width = split.width.min(split.columns - right * split.width);
        let number = split.first_tile + down * split.across + right;
        Some((number, (line - down * split.height) * width + column - right * split.width))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_stored_value_is_in_one_tile_once() {
        for (pits, seeds, all) in [(1, 0, true), (1, 9, false), (2, 7, true), (3, 12, false), (6, 6, false), (4, 9, true)] {
            let index = Index::new(pits, seeds).unwrap();
            let tiles = Tiles::new(&index, seeds, all);
            assert_eq!(tiles.left_out == 0, all || seeds == 0);
            let mut seen = vec![false; index.layer_len(seeds) as usize];
            for number in 0..tiles.count {
                let tile = tiles.tile(number);
                assert!(tile.width * tile.height <= TILE && tile.width * tile.height > 0);
                for line in 0..tile.height {
                    for column in 0..tile.width {
                        let place = tile.start + line * tile.stride + column;
                        assert!(!std::mem::replace(&mut seen[place], true));
                        assert_eq!(tiles.locate(place), Some((number, line * tile.width + column)));
                    }
                }
            }
            for (place, seen) in seen.into_iter().enumerate() {
                assert_eq!(seen, place >= tiles.left_out);
                assert_eq!(tiles.locate(place).is_some(), seen);
            }
        }
    }
}

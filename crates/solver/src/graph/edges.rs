//! The moves within a layer.

use lumbung_engine::position::MAX_PITS;

/// Positions to a block of edges.
pub(super) const BLOCK: usize = 1 << 10;

// A player may own every pit of the board.
const _: () = assert!(BLOCK * 2 * MAX_PITS <= u16::MAX as usize);

/// For each position of a layer the numbers of those that it leads to.
#[derive(Debug, Default)]
pub(super) struct Edges {
    /// Where the edges of a position begin in its block.
    starts: Vec<u16>,
    /// Where the edges of a block begin.
    blocks: Vec<u64>,
    targets: Vec<u32>,
}

impl Edges {
    /// Bytes of an edge, and of a position without its edges.
    pub(super) const BYTES: u64 = 4;
    pub(super) const POSITION_BYTES: u64 = 3;

    /// Room for layers of at most so many positions and edges.
    pub(super) fn with_room(positions: usize, edges: usize) -> Self {
        Edges {
            starts: Vec::with_capacity(positions),
            blocks: Vec::with_capacity(positions.div_ceil(BLOCK)),
            targets: Vec::with_capacity(edges),
        }
    }

    /// Makes room for another layer.
    pub(super) fn clear(&mut self) {
        self.starts.clear();
        self.blocks.clear();
        self.targets.clear();
    }

    /// Adds the next positions, [`BLOCK`] of them unless they are the last ones: how many edges each has, and all of them.
    pub(super) fn push_block(&mut self, degrees: &[u16], targets: &[u32]) {
        let mut end = 0;
        self.starts.extend(degrees.iter().map(|degree| {
            end += degree;
            end - degree
        }));
        self.blocks.push(self.targets.len() as u64);
        self.targets.extend_from_slice(targets);
    }

    pub(super) fn positions(&self) -> usize {
        self.starts.len()
    }

    pub(super) fn of(&self, position: u32) -> &[u32] {
        let at = position as usize;
        let block = self.blocks[at / BLOCK] as usize;
        let from = block + usize::from(self.starts[at]);
        let to = match self.starts.get(at + 1) {
            Some(&next) if at % BLOCK + 1 < BLOCK => block + usize::from(next),
            Some(_) => self.blocks[at / BLOCK + 1] as usize,
            None => self.targets.len(),
        };
        &self.targets[from..to]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_position_has_its_own_edges() {
        for positions in [1, BLOCK - 1, BLOCK, BLOCK + 1, 3 * BLOCK + 5] {
            let targets: Vec<Vec<u32>> = (0..positions).map(|at| (0..at % 5).map(|k| (at * 7 + k) as u32).collect()).collect();
            let mut edges = Edges::with_room(positions, targets.concat().len());
            for block in targets.chunks(BLOCK) {
                edges.push_block(&block.iter().map(|targets| targets.len() as u16).collect::<Vec<_>>(), &block.concat());
            }
            assert_eq!(edges.positions(), positions);
            assert!(targets.iter().enumerate().all(|(at, targets)| edges.of(at as u32) == targets));
        }
    }
}

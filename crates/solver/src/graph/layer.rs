//! The positions of a layer, and what is known of them.

use super::GraphError;
use super::keys::{Keys, View};
use super::scratch::{Scratch, Stored};

/// No length is known: no game of best moves from here ends.
pub(super) const NEVER: u32 = u32::MAX;

/// All positions of a graph with some number of seeds in play, and their values once they are settled.
#[derive(Debug, Default)]
pub(super) struct Layer {
    /// Which positions there are. The arrays go by their numbers.
    pub(super) keys: Keys,
    /// Moves and passes that stay within the layer.
    pub(super) edges: u64,
    /// For each position its value for the player to choose.
    pub(super) values: Stored<i16>,
    /// For each position the moves of the shortest game of best moves, or [`NEVER`].
    pub(super) plies: Stored<u32>,
    /// For each position the most laps of what may remain of a turn; kept where a turn can have several moves.
    pub(super) turn_laps: Stored<u32>,
}

/// A layer to look at.
#[derive(Clone, Copy)]
pub(super) struct LayerView<'a> {
    pub(super) keys: View<'a>,
    pub(super) values: &'a [i16],
    pub(super) plies: &'a [u32],
    pub(super) turn_laps: &'a [u32],
}

impl Layer {
    pub(super) fn new(keys: Keys, edges: u64) -> Self {
        Layer { keys, edges, ..Layer::default() }
    }

    pub(super) fn len(&self) -> usize {
        self.keys.len()
    }

    pub(super) fn view(&self) -> LayerView<'_> {
        let Layer { keys, values, plies, turn_laps, .. } = self;
        LayerView { keys: keys.view(), values: values.get(), plies: plies.get(), turn_laps: turn_laps.get() }
    }

    pub(super) fn bytes_in_memory(&self) -> u64 {
        let Layer { keys, values, plies, turn_laps, .. } = self;
        if self.len() == 0 {
            return 0;
        }
        keys.bytes_in_memory() + values.bytes_in_memory() + plies.bytes_in_memory() + turn_laps.bytes_in_memory()
    }

    pub(super) fn put_aside(&mut self, scratch: &Scratch) -> Result<(), GraphError> {
        if self.len() == 0 {
            return Ok(());
        }
        self.keys.put_aside(scratch)?;
        self.values.put_aside(scratch)?;
        self.plies.put_aside(scratch)?;
        self.turn_laps.put_aside(scratch)
    }
}

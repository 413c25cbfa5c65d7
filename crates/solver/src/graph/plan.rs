//! What it takes to settle a graph.

use lumbung_engine::kernel::Lanes;

use super::components;
use super::edges::Edges;
use super::expand::{BATCH, Moves, PART_BYTES};
use super::layer::Layer;
use super::node::World;
use super::scratch::Scratch;
use super::{Aside, Found, GraphError};

/// Bytes of a position that is settled, its key aside: value, length, and laps where they are kept.
fn settled_bytes<B: Lanes>(world: &World<'_, B>) -> u64 {
    2 + 4 + if world.has_bonus_moves() { 4 } else { 0 }
}

/// Bytes that a layer takes while it is worked on, its key aside.
pub(super) fn bytes_in_work<B: Lanes>(world: &World<'_, B>, layer: &Layer) -> u64 {
    let len = layer.len() as u64;
    len * (settled_bytes(world) + Moves::BYTES + components::BYTES)
        + layer.edges * Edges::BYTES
        + len.min(BATCH as u64) * PART_BYTES
}

/// What is known of a graph once its positions are, and what its values will take.
pub(super) fn found<B: Lanes>(world: &World<'_, B>, layers: &[Layer]) -> Found {
    let positions: u64 = layers.iter().map(|layer| layer.len() as u64).sum();
    let lengths = layers.iter().map(|layer| layer.len() as u64).enumerate();
    let (widest, widest_positions) = lengths.max_by_key(|(_, length)| *length).unwrap_or_default();
    let keys: u64 = layers.iter().map(|layer| layer.keys.bytes()).sum();
    let disk = keys + positions * settled_bytes(world);
    // The values of the layer in work are in what it takes, and among the values of all.
    let extra = |layer: &Layer| bytes_in_work(world, layer) - layer.len() as u64 * settled_bytes(world);
    let memory = disk + layers.iter().map(extra).max().unwrap_or(0);
    let alone = layers.iter().map(|layer| bytes_in_work(world, layer) + layer.keys.bytes()).max().unwrap_or(0);
    Found { positions, widest, widest_positions, memory, aside: Aside { memory: alone, disk } }
}

/// Puts layers on disk until there is room for the one in work: those with the most different numbers of seeds first, which are the last
/// to be looked at.
pub(super) fn make_room(layers: &mut [Layer], seeds: usize, need: u64, limit: u64, scratch: &Scratch) -> Result<(), GraphError> {
    let mut held: u64 = layers.iter().map(Layer::bytes_in_memory).sum();
    let mut farthest: Vec<usize> = (0..layers.len()).filter(|&other| other != seeds).collect();
    farthest.sort_by_key(|other| std::cmp::Reverse(other.abs_diff(seeds)));
    for other in farthest {
        if held + need <= limit {
            break;
        }
        held -= layers[other].bytes_in_memory();
        layers[other].put_aside(scratch)?;
    }
    Ok(())
}

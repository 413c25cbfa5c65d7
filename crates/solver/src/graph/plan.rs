//! What it takes to settle a graph.

use lumbung_engine::kernel::Lanes;

use super::components;
use super::edges::Edges;
use super::expand::{BATCH, Moves, PART_BYTES};
use super::layer::Layer;
use super::node::World;
use super::room::least_to_find;
use super::scratch::Scratch;
use super::{Aside, BESIDE, Found, GraphError};

/// Bytes of a position that is settled, its key aside: value, length, and laps where they are kept.
fn settled_bytes<B: Lanes>(world: &World<'_, B>) -> u64 {
    2 + 4 + if world.has_bonus_moves() { 4 } else { 0 }
}

/// The most positions of a layer, and the most edges.
pub(super) fn most(layers: &[Layer]) -> (usize, usize) {
    let positions = layers.iter().map(Layer::len).max().unwrap_or(0);
    (positions, layers.iter().map(|layer| layer.edges).max().unwrap_or(0) as usize)
}

/// Bytes of what layers are worked on in, whichever is in work.
fn bytes_to_work_in<B: Lanes>(world: &World<'_, B>, layers: &[Layer]) -> u64 {
    let (positions, edges) = most(layers);
    let (positions, edges) = (positions as u64, edges as u64);
    let batch = positions.min(BATCH as u64);
    let edges_of_batch = edges.min(batch * world.most_moves());
    positions * (Moves::BYTES + components::BYTES) + (edges + edges_of_batch) * Edges::BYTES + batch * PART_BYTES
}

/// What is known of a graph once its positions are, and what its values will take.
pub(super) fn found<B: Lanes>(world: &World<'_, B>, layers: &[Layer], finding: u64, written: u64) -> Found {
    let positions: u64 = layers.iter().map(|layer| layer.len() as u64).sum();
    let lengths = layers.iter().map(|layer| layer.len() as u64).enumerate();
    let (widest, widest_positions) = lengths.max_by_key(|(_, length)| *length).unwrap_or_default();
    let keys: u64 = layers.iter().map(|layer| layer.keys.bytes()).sum();
    let disk = keys + positions * settled_bytes(world);
    let aside = Aside { memory: bytes_alone(world, layers).max(least_to_find(world, layers)), disk };
    let memory = BESIDE + bytes_to_work_in(world, layers) + disk;
    Found { positions, widest, widest_positions, finding, written, memory, aside }
}

/// Bytes of memory that values take where all that is not in work is on disk.
pub(super) fn bytes_alone<B: Lanes>(world: &World<'_, B>, layers: &[Layer]) -> u64 {
    let layer = |layer: &Layer| layer.keys.bytes() + layer.len() as u64 * settled_bytes(world);
    BESIDE + bytes_to_work_in(world, layers) + layers.iter().map(layer).max().unwrap_or(0)
}

/// Puts layers on disk until there is room for the one in work: those with the most different numbers of seeds first, which are the last
/// to be looked at.
pub(super) fn make_room<B: Lanes>(
    world: &World<'_, B>,
    layers: &mut [Layer],
    seeds: usize,
    limit: u64,
    scratch: &Scratch,
) -> Result<(), GraphError> {
    let need = BESIDE + bytes_to_work_in(world, layers) + layers[seeds].len() as u64 * settled_bytes(world);
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

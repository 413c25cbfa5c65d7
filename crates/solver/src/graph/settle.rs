//! The values of all positions, from the fewest seeds in play to the most.

use lumbung_engine::Position;
use lumbung_engine::kernel::Lanes;
use lumbung_engine::position::MAX_SEEDS;
use rayon::prelude::*;

use super::components::{Room, components};
use super::edges::BLOCK;
use super::expand::{Counts, Moves, NOTHING, expand};
use super::layer::{Layer, NEVER};
use super::node::World;
use super::scratch::Stored;
use super::{Graph, Halt, LayerFacts, Means, plan};
use crate::limits::{Limits, Report, StopReason};

/// Components between two looks at the clock.
const LOOK: u64 = 1 << 16;

/// Settles all layers, which must fit; what is found is put together.
pub(super) fn settle<B: Lanes>(
    world: &World<'_, B>,
    start: &Position,
    layers: &mut [Layer],
    means: Means,
) -> Result<Graph, Halt> {
    let Means { limits, progress, scratch, .. } = means;
    let all: u64 = layers.iter().map(|layer| layer.len() as u64).sum();
    let stopped = |reason| Halt::Stopped { reason, found: all };
    let mut graph = Graph { positions: all, ..Graph::default() };
    let mut counts = Counts::default();
    let mut settled = 0;
    // Taken once for all layers, so that no layer leaves a hole in memory that is too small for the next one.
    let (most_positions, most_edges) = plan::most(layers);
    let (mut moves, mut room) = (Moves::with_room(most_positions, most_edges), Room::new(most_positions));
    for seeds in 0..layers.len() {
        let positions = layers[seeds].len() as u64;
        if positions == 0 {
            continue;
        }
        progress.report(&Report::Graph { seeds, positions: settled, settling: true });
        if let Some(scratch) = scratch {
            plan::make_room(world, layers, seeds, limits.memory, scratch)?;
        }
        expand(world, layers, seeds, &mut moves, limits).map_err(stopped)?;
        let facts = settle_layer(&mut layers[seeds], &moves, &mut room, limits).map_err(stopped)?;
        layers[seeds].turn_laps = Stored::Memory(std::mem::take(&mut moves.turn_laps));
        count_values(world, &layers[seeds], &mut graph);
        graph.components += facts.components;
        graph.cyclic_components += facts.cyclic;
        graph.largest_component = graph.largest_component.max(facts.largest);
        graph.layers.push(LayerFacts {
            seeds,
            positions,
            terminal: moves.counts.terminal,
            moves: moves.counts.moves,
            largest_component: facts.largest,
        });
        counts = counts.plus(moves.counts);
        settled += positions;
    }
    graph.layers.reverse();
    let top = layers[start.seeds_in_play()].view();
    let at = top.keys.find(world.place(&world.start(start))).expect("the start is the first position found");
    graph.value = top.values[at].into();
    graph.plies = (top.plies[at] != NEVER).then_some(top.plies[at].into());
    tell(&mut graph, counts, world);
    Ok(graph)
}

fn look(limits: &Limits) -> Result<(), StopReason> {
    // The limit on positions is one on those found, which was watched while they were.
    limits.exceeded(0).map_or(Ok(()), Err)
}

/// Adds the values of a layer to the histogram.
fn count_values<B: Lanes>(world: &World<'_, B>, layer: &Layer, graph: &mut Graph) {
    const MOST: i32 = MAX_SEEDS as i32;
    let view = layer.view();
    let none = || vec![0u64; 2 * MAX_SEEDS + 1];
    let count = |mut histogram: Vec<u64>, block: usize| {
        let values = view.values[block * BLOCK..].iter().take(BLOCK);
        for (place, &value) in view.keys.places(block * BLOCK).zip(values) {
            let value = i32::from(value) * if world.is_told_reversed(place) { -1 } else { 1 };
            histogram[(value + MOST) as usize] += 1;
        }
        histogram
    };
    let sum = |one: Vec<u64>, two: Vec<u64>| one.iter().zip(two).map(|(one, two)| one + two).collect();
    let histogram = (0..layer.len().div_ceil(BLOCK)).into_par_iter().fold(none, count).reduce(none, sum);
    for (value, positions) in (-MOST..).zip(histogram).filter(|(_, positions)| *positions > 0) {
        *graph.values.entry(value).or_default() += positions;
    }
}

fn tell<B: Lanes>(graph: &mut Graph, counts: Counts, world: &World<'_, B>) {
    graph.terminal = counts.terminal;
    graph.passing = counts.passing;
    graph.moves = counts.moves;
    graph.ending_moves = counts.ending_moves;
    graph.endless_moves = counts.endless_moves;
    graph.longest_turn_laps = counts.longest.laps;
    graph.longest_turn_position = counts.longest.from.filter(|_| counts.longest.laps > 0).map(|(seeds, place)| {
        let node = world.node(seeds, place);
        world.kernel.position(&node.board, node.seat)
    });
    let choosing = graph.positions - counts.terminal - counts.passing;
    graph.branching = (choosing > 0).then(|| {
        let mean = counts.moves as f64 / choosing as f64;
        let variance = counts.moves_squared as f64 / choosing as f64 - mean * mean;
        (mean, variance.max(0.0).sqrt())
    });
}

#[derive(Clone, Copy, Debug, Default)]
struct Facts {
    components: u64,
    cyclic: u64,
    largest: u64,
}

/// Gives a layer its values and lengths.
fn settle_layer(layer: &mut Layer, moves: &Moves, room: &mut Room, limits: &Limits) -> Result<Facts, StopReason> {
    let mut values = vec![0; layer.len()];
    let mut plies = vec![NEVER; layer.len()];
    let mut facts = Facts::default();
    components(&moves.edges, room, |members| {
        facts.components += 1;
        facts.largest = facts.largest.max(members.len() as u64);
        if facts.components.is_multiple_of(LOOK) {
            look(limits)?;
        }
        let cyclic = match members {
            &[only] => moves.edges.of(only).contains(&only),
            _ => true,
        };
        facts.cyclic += u64::from(cyclic);
        repeat(cyclic, members, limits, |position| {
            let value = value(moves, &values, position);
            std::mem::replace(&mut values[position as usize], value) != value
        })?;
        repeat(cyclic, members, limits, |position| {
            let length = length(moves, &values, &plies, position);
            std::mem::replace(&mut plies[position as usize], length) != length
        })
    })?;
    (layer.values, layer.plies) = (Stored::Memory(values), Stored::Memory(plies));
    Ok(facts)
}

/// Works on the positions of a component, once if it is no cycle, else until `work` changes none of them.
fn repeat(cyclic: bool, members: &[u32], limits: &Limits, mut work: impl FnMut(u32) -> bool) -> Result<(), StopReason> {
    loop {
        let mut changed = false;
        // From the last one back is the order in which they were left: much of what a position leads to comes before it.
        for &position in members.iter().rev() {
            changed |= work(position);
        }
        if !changed || !cyclic {
            return Ok(());
        }
        look(limits)?;
    }
}

/// The best of what leaves the layer and of the moves within it, by the present values.
fn value(moves: &Moves, values: &[i16], position: u32) -> i16 {
    let within = moves.edges.of(position).iter().map(|&target| -values[target as usize]).max();
    let exit = moves.exits[position as usize];
    within.map_or(exit, |within| if exit == NOTHING { within } else { exit.max(within) })
}

/// One more than the shortest length after a best move, by the present lengths; a pass is no move.
fn length(moves: &Moves, values: &[i16], plies: &[u32], position: u32) -> u32 {
    let at = position as usize;
    let more = u32::from(!moves.passes[at]);
    let within = moves.edges.of(position).iter().filter(|&&target| -values[target as usize] == values[at]);
    let within = within.map(|&target| plies[target as usize].saturating_add(more)).min();
    let exit = if moves.exits[at] == values[at] { moves.exit_plies[at] } else { NEVER };
    within.map_or(exit, |within| within.min(exit))
}

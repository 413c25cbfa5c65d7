//! The moves of all positions of a layer: those that leave it by what they are worth, those within it as edges.

use lumbung_engine::kernel::{Children, Lanes};
use rayon::prelude::*;

use super::edges::{BLOCK, Edges};
use super::layer::{Layer, LayerView, NEVER};
use super::node::{Calls, Cursor, Edge, Node, World};
use crate::limits::{Limits, StopReason};

/// No move leaves the layer.
pub(super) const NOTHING: i16 = i16::MIN;
/// Positions between two looks at the limits, and bytes of each of them beside what is kept, its edges aside.
pub(super) const BATCH: usize = BLOCK << 7;
pub(super) const PART_BYTES: u64 = 2 + 4 + 1 + 2 + 4;

/// The moves of a layer.
#[derive(Debug)]
pub(super) struct Moves {
    /// For each position the best it can get by leaving the layer or because the game is over, or [`NOTHING`].
    pub(super) exits: Vec<i16>,
    /// The moves of the shortest game of best moves that begins with such an exit.
    pub(super) exit_plies: Vec<u32>,
    /// For each position whether the turn passes there.
    pub(super) passes: Vec<bool>,
    /// Moves and passes within the layer. None of them gains anything, and all give the choice to the other player.
    pub(super) edges: Edges,
    /// As [`Layer::turn_laps`].
    pub(super) turn_laps: Vec<u32>,
    pub(super) counts: Counts,
}

impl Moves {
    /// Bytes of a position without its edges and laps.
    pub(super) const BYTES: u64 = 2 + 4 + 1 + Edges::POSITION_BYTES;

    /// Room for layers of at most so many positions and edges.
    pub(super) fn with_room(positions: usize, edges: usize) -> Self {
        Moves {
            exits: Vec::with_capacity(positions),
            exit_plies: Vec::with_capacity(positions),
            passes: Vec::with_capacity(positions),
            edges: Edges::with_room(positions, edges),
            turn_laps: Vec::new(),
            counts: Counts::default(),
        }
    }

    /// Makes room for a layer of so many positions.
    fn clear(&mut self, positions: usize, has_bonus_moves: bool) {
        self.exits.clear();
        self.exit_plies.clear();
        self.passes.clear();
        self.edges.clear();
        self.turn_laps = Vec::with_capacity(if has_bonus_moves { positions } else { 0 });
        self.counts = Counts::default();
    }

    fn push(&mut self, part: Part) {
        self.exits.extend(part.exits);
        self.exit_plies.extend(part.exit_plies);
        self.passes.extend(part.passes);
        self.turn_laps.extend(part.turn_laps);
        self.edges.push_block(&part.degrees, &part.targets);
        self.counts = self.counts.plus(part.counts);
    }
}

/// What is counted in a layer.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Counts {
    pub(super) terminal: u64,
    pub(super) passing: u64,
    pub(super) moves: u64,
    /// Sum of the squares of the numbers of moves.
    pub(super) moves_squared: u64,
    pub(super) ending_moves: u64,
    pub(super) endless_moves: u64,
    pub(super) longest: Longest,
}

impl Counts {
    pub(super) fn plus(self, other: Counts) -> Counts {
        Counts {
            terminal: self.terminal + other.terminal,
            passing: self.passing + other.passing,
            moves: self.moves + other.moves,
            moves_squared: self.moves_squared + other.moves_squared,
            ending_moves: self.ending_moves + other.ending_moves,
            endless_moves: self.endless_moves + other.endless_moves,
            longest: self.longest.or(other.longest),
        }
    }
}

/// The longest turn: its laps, and where it begins: the seeds in play and the place of the position.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Longest {
    pub(super) laps: u64,
    pub(super) from: Option<(usize, u64)>,
}

impl Longest {
    /// The longer one; of two of the same length the one with the lower place, so that the order of work does not show.
    fn or(self, other: Longest) -> Longest {
        let rank = |longest: &Longest| (longest.laps, longest.from.map(std::cmp::Reverse));
        if rank(&other) > rank(&self) { other } else { self }
    }
}

/// Looks at every position of the layer with `seeds` seeds in play; the layers below it are settled. Its moves replace those of another
/// layer.
pub(super) fn expand<B: Lanes>(
    world: &World<'_, B>,
    layers: &[Layer],
    seeds: usize,
    moves: &mut Moves,
    limits: &Limits,
) -> Result<(), StopReason> {
    let len = layers[seeds].len();
    let views: Vec<LayerView> = layers[..=seeds].iter().map(Layer::view).collect();
    moves.clear(len, world.has_bonus_moves());
    for from in (0..len).step_by(BATCH) {
        // The limit on positions is one on those found, which was watched while they were.
        if let Some(reason) = limits.exceeded(0) {
            return Err(reason);
        }
        let blocks: Vec<usize> = (from..len.min(from + BATCH)).step_by(BLOCK).collect();
        let parts: Vec<Part> = blocks
            .into_par_iter()
            .map_init(
                || (Cursor::default(), Children::new(), Vec::new()),
                |(cursor, children, edges), from| {
                    let mut part = Part::with_room(BLOCK.min(len - from));
                    for place in views[seeds].keys.places(from).take(BLOCK) {
                        let node = world.next(cursor, seeds, place);
                        part.add(world, &views, (seeds, place, node), children, edges);
                    }
                    part.targets.shrink_to_fit();
                    part
                },
            )
            .collect();
        parts.into_iter().for_each(|part| moves.push(part));
    }
    Ok(())
}

/// The moves of a stretch of a layer.
#[derive(Default)]
struct Part {
    exits: Vec<i16>,
    exit_plies: Vec<u32>,
    passes: Vec<bool>,
    degrees: Vec<u16>,
    targets: Vec<u32>,
    turn_laps: Vec<u32>,
    counts: Counts,
}

impl Part {
    fn with_room(positions: usize) -> Self {
        Part {
            exits: Vec::with_capacity(positions),
            exit_plies: Vec::with_capacity(positions),
            passes: Vec::with_capacity(positions),
            degrees: Vec::with_capacity(positions),
            ..Part::default()
        }
    }

    fn add<B: Lanes>(
        &mut self,
        world: &World<'_, B>,
        layers: &[LayerView],
        (seeds, place, node): (usize, u64, Node<B>),
        children: &mut Children<B>,
        edges: &mut Vec<Edge<B>>,
    ) {
        let calls = world.follow(&node, children, edges);
        let mut exit = match calls {
            Calls::Over(value) => Some((value, 0)),
            Calls::Pass | Calls::Move => None,
        };
        let all_laps = world.laps(&node, calls);
        let (mut degree, mut longest) = (0u16, 0);
        for edge in edges.iter() {
            let laps = edge.pit.map_or(0, |pit| all_laps.of[usize::from(pit.0)]);
            let Some(to) = &edge.to else {
                exit = better(exit, (edge.gain, 1));
                longest = longest.max(laps);
                continue;
            };
            let left = to.board.seeds() as usize;
            let at = layers[left].keys.find(world.place(to)).expect("every position that can arise has been found");
            if left == seeds {
                debug_assert!(edge.gain == 0 && !edge.again);
                self.targets.push(at as u32);
                degree += 1;
                longest = longest.max(laps);
                continue;
            }
            let below = &layers[left];
            let value = i32::from(below.values[at]);
            let plies = below.plies[at];
            let plies = if plies == NEVER { NEVER } else { plies + 1 };
            exit = better(exit, (edge.gain + if edge.again { value } else { -value }, plies));
            longest = longest.max(laps + if edge.again { u64::from(below.turn_laps[at]) } else { 0 });
        }
        let (value, plies) = exit.map_or((NOTHING, NEVER), |(value, plies)| (value as i16, plies));
        self.exits.push(value);
        self.exit_plies.push(plies);
        self.passes.push(calls == Calls::Pass);
        self.degrees.push(degree);
        if world.has_bonus_moves() {
            self.turn_laps.push(longest as u32);
        }
        let moves = if calls == Calls::Move { edges.len() as u64 } else { 0 };
        let ending_moves = edges.iter().filter(|edge| edge.to.is_none()).count() as u64;
        self.counts = self.counts.plus(Counts {
            terminal: u64::from(matches!(calls, Calls::Over(_))),
            passing: u64::from(calls == Calls::Pass),
            moves,
            moves_squared: moves * moves,
            ending_moves,
            endless_moves: all_laps.endless,
            longest: Longest { laps: longest, from: Some((seeds, place)) },
        });
    }
}

/// The better of two exits; of two of the same worth the one with the shorter game.
fn better(exit: Option<(i32, u32)>, other: (i32, u32)) -> Option<(i32, u32)> {
    let rank = |&(value, plies): &(i32, u32)| (value, std::cmp::Reverse(plies));
    exit.into_iter().chain([other]).max_by_key(rank)
}

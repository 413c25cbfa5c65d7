//! All positions that can arise, from the most seeds in play to the fewest.

use std::hash::BuildHasherDefault;
use std::sync::atomic::{AtomicU64, Ordering};

use dashmap::DashMap;
use lumbung_engine::Position;
use lumbung_engine::kernel::{Children, Lanes};
use rayon::prelude::*;

use super::layer::Layer;
use super::node::World;
use crate::limits::{Limits, Progress, Report, StopReason};
use crate::prehashed::Prehashed;

/// Positions between two looks at memory and clock, and those a thread takes at a time.
const BATCH: usize = 1 << 17;
const CHUNK: usize = 1 << 10;
/// Parts of a set, each with its own lock and growing by itself.
const SHARDS: usize = 64;

/// A set of keys that all threads add to. (A map to nothing: the set of the same crate cannot be told its shards.)
struct Keys(DashMap<u64, (), BuildHasherDefault<Prehashed>>);

impl Keys {
    fn new() -> Self {
        Keys(DashMap::with_hasher_and_shard_amount(BuildHasherDefault::default(), SHARDS))
    }

    /// Adds a key; whether it is new.
    fn insert(&self, key: u64) -> bool {
        self.0.insert(key, ()).is_none()
    }

    /// Bytes it may come to hold before the next look at it: a full set is about to double.
    fn bytes(&self) -> u64 {
        // A word and a mark for each place, of which seven in eight may be taken.
        let places = self.0.capacity() as u64 * 8 / 7;
        let full = self.0.len() as u64 * 10 > self.0.capacity() as u64 * 9;
        places * 9 * if full { 2 } else { 1 }
    }
}

/// Why the positions were not all found, and how many were.
type Stopped = (StopReason, u64);

struct Discovery<'a, 'k, B> {
    world: &'a World<'k, B>,
    limits: &'a Limits,
    progress: &'a dyn Progress,
    /// For each number of seeds in play the positions found so far, until their layer is done.
    open: Vec<Keys>,
    done: Vec<Layer>,
    found: AtomicU64,
}

/// Finds all positions that can arise from `start`: one layer for each number of seeds in play.
pub(super) fn discover<B: Lanes>(
    world: &World<'_, B>,
    start: &Position,
    limits: &Limits,
    progress: &dyn Progress,
) -> Result<Vec<Layer>, Stopped> {
    let seeds = start.seeds_in_play();
    let open: Vec<Keys> = (0..=seeds).map(|_| Keys::new()).collect();
    open[seeds].insert(world.key(&world.start(start)));
    let mut discovery = Discovery { world, limits, progress, open, done: Vec::new(), found: AtomicU64::new(1) };
    for layer in (0..=seeds).rev() {
        discovery.complete(layer)?;
    }
    discovery.done.reverse();
    Ok(discovery.done)
}

impl<B: Lanes> Discovery<'_, '_, B> {
    /// Finds all positions of a layer whose entrances are known, and the entrances of lower layers that they lead to.
    fn complete(&mut self, seeds: usize) -> Result<(), Stopped> {
        let mut frontier: Vec<u64> = self.open[seeds].0.iter().map(|entry| *entry.key()).collect();
        while !frontier.is_empty() {
            let mut next = Vec::new();
            for batch in frontier.chunks(BATCH) {
                self.look(seeds, (frontier.len() + next.len()) as u64)?;
                let found = batch.par_chunks(CHUNK).map_init(
                    || (Children::new(), Vec::new()),
                    |(children, edges), keys| {
                        let mut new = Vec::new();
                        let mut below = 0;
                        for &key in keys {
                            self.world.follow(&self.world.node(key), children, edges);
                            for to in edges.iter().filter_map(|edge| edge.to.as_ref()) {
                                let (left, key) = (to.board.seeds() as usize, self.world.key(to));
                                if self.open[left].insert(key) {
                                    if left == seeds { new.push(key) } else { below += 1 }
                                }
                            }
                        }
                        self.found.fetch_add(new.len() as u64 + below, Ordering::Relaxed);
                        new
                    },
                );
                next.extend(found.collect::<Vec<_>>().into_iter().flatten());
            }
            frontier = next;
        }
        let set = std::mem::replace(&mut self.open[seeds], Keys::new());
        self.done.push(Layer::new(set.0.into_iter().map(|(key, ())| key).collect()));
        Ok(())
    }

    fn look(&self, seeds: usize, waiting: u64) -> Result<(), Stopped> {
        let found = self.found.load(Ordering::Relaxed);
        self.progress.report(&Report::Graph { seeds, positions: found, settling: false });
        let done: u64 = self.done.iter().map(|layer| layer.len() as u64).sum();
        let open: u64 = self.open.iter().map(Keys::bytes).sum();
        // Once its set is full, a layer is copied; and the values of all positions are to follow.
        let memory = done * Layer::BYTES + open + waiting * 8;
        let reason = if memory > self.limits.memory { Some(StopReason::Memory) } else { self.limits.exceeded(found) };
        reason.map_or(Ok(()), |reason| Err((reason, found)))
    }
}

//! All positions that can arise, from the most seeds in play to the fewest.

use std::sync::atomic::{AtomicU64, Ordering};

use lumbung_engine::Position;
use lumbung_engine::kernel::{Children, Lanes};
use rayon::prelude::*;

use super::forms::bytes_to_make;
use super::keys::Keys;
use super::layer::Layer;
use super::node::{Cursor, Edge, World};
use super::open::Open;
use super::room::Need;
use super::set::{mark, ones};
use super::waiting::{Batch, Waiting};
use super::{BESIDE, GraphError, Halt, Means};
use crate::limits::Report;

/// Most positions between two looks at memory and clock.
pub(super) const BATCH: usize = 1 << 17;
/// Positions that a thread takes at a time, and words of bits.
pub(super) const CHUNK: usize = 1 << 8;
const WORDS: usize = 1 << 6;

/// What was found so far.
pub(super) struct Discovery<'a, 'k, B> {
    pub(super) world: &'a World<'k, B>,
    pub(super) means: Means<'a>,
    /// For each number of seeds in play the positions found so far, until their layer is done.
    pub(super) open: Vec<Open>,
    /// Layers that are done, from the most seeds down.
    pub(super) done: Vec<Layer>,
    /// Positions found and not put on disk, and moves that stay in the layer in work.
    pub(super) found: AtomicU64,
    edges: AtomicU64,
    /// The most bytes that there had to be room for.
    pub(super) most: u64,
}

/// Finds all positions that can arise from `start`: one layer for each number of seeds in play, and the bytes of memory that there had to
/// be room for.
pub(super) fn discover<B: Lanes>(world: &World<'_, B>, start: &Position, means: Means) -> Result<(Vec<Layer>, u64), Halt> {
    let seeds = start.seeds_in_play();
    let mut discovery = Discovery::new(world, start, means);
    for layer in (0..=seeds).rev() {
        discovery.complete(layer)?;
    }
    discovery.done.reverse();
    Ok((discovery.done, discovery.most))
}

/// What a thread works with.
struct Tools<B> {
    cursor: Cursor<B>,
    children: Children<B>,
    edges: Vec<Edge<B>>,
}

impl<B: Lanes> Tools<B> {
    fn new() -> Self {
        Tools { cursor: Cursor::default(), children: Children::new(), edges: Vec::new() }
    }
}

/// What came of following some positions.
#[derive(Clone, Copy, Default)]
struct Tally {
    found: u64,
    edges: u64,
}

impl<'a, 'k, B: Lanes> Discovery<'a, 'k, B> {
    /// Nothing is found but the start.
    fn new(world: &'a World<'k, B>, start: &Position, means: Means<'a>) -> Self {
        let seeds = start.seeds_in_play();
        let open: Vec<Open> = (0..=seeds).map(|_| Open::new(means.limits.memory.saturating_sub(BESIDE))).collect();
        open[seeds].set.insert(world.place(&world.start(start)));
        Discovery { world, means, open, done: Vec::new(), found: AtomicU64::new(1), edges: AtomicU64::new(0), most: 0 }
    }

    /// Finds all positions of a layer whose entrances are known, and the entrances of lower layers that they lead to.
    fn complete(&mut self, seeds: usize) -> Result<(), Halt> {
        self.recall(seeds)?;
        let none = Waiting::List(Vec::new());
        self.must(seeds, &none, Need::Bytes(Waiting::bytes_of(&self.open[seeds].set)))?;
        let mut waiting = Waiting::all(&self.open[seeds].set);
        self.edges = AtomicU64::new(0);
        loop {
            self.look(seeds)?;
            if waiting.is_empty_list() {
                break;
            }
            let batch = self.prepare(seeds, &mut waiting)?;
            let Some(batch) = waiting.take(batch) else { break };
            self.follow_all(seeds, batch);
        }
        drop(waiting);
        let (places, form) = (self.world.places(seeds), self.means.form);
        self.must(seeds, &none, Need::Bytes(bytes_to_make(&self.open[seeds].set, places, form)))?;
        let Some(Open { set, .. }) = self.open.pop() else { return Ok(()) };
        let positions = set.len();
        let keys = Keys::new(set, places, form).ok_or(GraphError::LayerTooLong { seeds, positions })?;
        self.done.push(Layer::new(keys, self.edges.load(Ordering::Relaxed)));
        Ok(())
    }

    /// Takes back what was found of a layer and put on disk.
    fn recall(&mut self, seeds: usize) -> Result<(), Halt> {
        let (Some(runs), Some(scratch)) = (self.open[seeds].runs.take(), self.means.scratch) else { return Ok(()) };
        let mut none = Waiting::List(Vec::new());
        runs.read(scratch, |mut places| {
            self.look(seeds)?;
            while !places.is_empty() {
                let some;
                (some, places) = places.split_at(self.prepare(seeds, &mut none)?.min(places.len()));
                let set = &self.open[seeds].set;
                let found = some.par_iter().filter(|&&place| set.insert(place)).count();
                self.found.fetch_add(found as u64, Ordering::Relaxed);
            }
            Ok(())
        })
    }

    fn follow_all(&self, seeds: usize, batch: Batch) {
        match batch {
            Batch::List { places, new } => {
                let chunks = places.par_iter().flat_map(|piece| piece.par_chunks(CHUNK));
                let found = chunks.map_init(Tools::new, |tools, places| {
                    let mut new = Vec::new();
                    self.follow(seeds, places.iter().copied(), tools, |place| new.push(place));
                    new.shrink_to_fit();
                    new
                });
                new.extend(found.collect::<Vec<_>>().into_iter().filter(|piece| !piece.is_empty()));
            }
            Batch::Bits { words, bits } => {
                let chunks = bits[words.clone()].par_chunks(WORDS).enumerate();
                chunks.for_each_init(Tools::new, |tools, (chunk, waiting)| {
                    let first = words.start + chunk * WORDS;
                    let places = waiting.iter().enumerate();
                    let places = places.flat_map(|(at, word)| ones(first + at, word.swap(0, Ordering::Relaxed)));
                    self.follow(seeds, places, tools, |place| {
                        mark(bits, place);
                    });
                });
            }
        }
    }

    /// Follows the moves of some positions of a layer; tells the new positions of the same layer.
    fn follow(&self, seeds: usize, places: impl Iterator<Item = u64>, tools: &mut Tools<B>, mut new: impl FnMut(u64)) {
        let mut tally = Tally::default();
        for place in places {
            let node = self.world.next(&mut tools.cursor, seeds, place);
            self.world.follow(&node, &mut tools.children, &mut tools.edges);
            for to in tools.edges.iter().filter_map(|edge| edge.to.as_ref()) {
                let (left, place) = (to.board.seeds() as usize, self.world.place(to));
                let is_new = self.open[left].set.insert(place);
                tally.found += u64::from(is_new);
                tally.edges += u64::from(left == seeds);
                if is_new && left == seeds {
                    new(place);
                }
            }
        }
        self.found.fetch_add(tally.found, Ordering::Relaxed);
        self.edges.fetch_add(tally.edges, Ordering::Relaxed);
    }

    /// Between two batches: tells how far the work is, and sees whether a limit was reached.
    fn look(&self, seeds: usize) -> Result<(), Halt> {
        let Means { limits, progress, .. } = self.means;
        let found = self.found();
        progress.report(&Report::Graph { seeds, positions: found, settling: false });
        limits.exceeded(found).map_or(Ok(()), |reason| Err(Halt::Stopped { reason, found }))
    }

    /// Positions found. What lies on disk may be in memory once more, so of each layer only the most that are sure to be different count.
    pub(super) fn found(&self) -> u64 {
        let aside = self.open.iter().filter_map(|open| Some(open.runs.as_ref()?.longest.saturating_sub(open.set.len())));
        self.found.load(Ordering::Relaxed) + aside.sum::<u64>()
    }
}

#[cfg(test)]
mod tests {
    use lumbung_engine::BoardSize;
    use lumbung_engine::kernel::{Kernel, Visitor, dispatch};
    use lumbung_engine::rules::{RuleSet, preset};

    use super::*;
    use crate::graph::scratch::Scratch;
    use crate::graph::{Counting, Form};
    use crate::limits::{Limits, Quiet};

    /// After every layer all that was found below it goes to disk, where most of it comes to lie several times.
    struct PutAside<'a> {
        rules: &'a RuleSet,
        start: &'a Position,
        scratch: &'a Scratch<'a>,
    }

    impl Visitor for PutAside<'_> {
        type Output = ();

        fn visit<B: Lanes>(self, kernel: Kernel<B>) {
            let world = World::new(self.rules, &kernel, self.start, Counting::Ours).unwrap();
            let limits = Limits::default();
            let means = Means { limits: &limits, progress: &Quiet, form: Form::List, scratch: None };
            let (expected, _) = discover(&world, self.start, means).unwrap();
            let mut discovery = Discovery::new(&world, self.start, Means { scratch: Some(self.scratch), ..means });
            let (mut written, mut read_back) = (0, 0);
            for seeds in (0..expected.len()).rev() {
                discovery.recall(seeds).unwrap();
                read_back += discovery.open[seeds].set.len();
                discovery.complete(seeds).unwrap();
                let (layer, expected) = (discovery.done.last().unwrap(), &expected[seeds]);
                assert_eq!((layer.len(), layer.edges), (expected.len(), expected.edges), "{seeds} seeds");
                assert!(layer.keys.view().places(0).eq(expected.keys.view().places(0)));
                let before = discovery.found();
                for open in &mut discovery.open[..seeds] {
                    let put = open.put_aside(self.scratch).unwrap();
                    discovery.found.fetch_sub(put, Ordering::Relaxed);
                    written += put;
                }
                assert!(discovery.found() <= before);
            }
            let positions = expected.iter().map(|layer| layer.len() as u64).sum::<u64>();
            assert_eq!(discovery.found(), positions);
            assert!(written > read_back, "nothing of the {written} positions on disk was there twice");
        }
    }

    #[test]
    fn what_lies_on_disk_several_times_is_found_once() {
        let directory = tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir()).unwrap();
        let scratch = Scratch::new(directory.path()).unwrap();
        let start = Position::start(BoardSize::new(3, 2).unwrap());
        let rules = &preset("awari").unwrap().rules;
        dispatch(rules, 3, 12, start.owners, PutAside { rules, start: &start, scratch: &scratch });
    }
}

//! Depth-first search of a turn by several explorers that share what they have visited.
//!
//! Work goes in rounds: every explorer enters a few boards, then limits are looked at and explorers that have run dry take over
//! half of what the busiest one has pending. So every preference of moves gets its share of the time on any number of threads,
//! and with one thread the search is reproducible.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use lumbung_engine::Pit;
use lumbung_engine::kernel::Lanes;
use rayon::prelude::*;

use super::Found;
use super::explorer::{Explorer, Order};
use super::line::first_best_line;
use super::root::Root;
use super::ticker::Ticker;
use super::visited::Visited;
use crate::limits::{Limits, Progress, StopReason};

/// Explorers at least: one of each order and some random ones.
const FEWEST_EXPLORERS: usize = 6;
/// Boards an explorer enters in the first round; later rounds double it up to [`LONGEST_ROUND`].
const FIRST_ROUND: u64 = 32;
/// Long enough that threads rarely wait for each other, short enough (some tens of milliseconds on the largest boards) that
/// limits are obeyed promptly.
const LONGEST_ROUND: u64 = 2048;

/// What makes one line better than another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Measure {
    /// Seeds in the store.
    Store,
    /// Moves.
    Length,
}

/// What a sweep is for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Aim {
    pub(super) measure: Measure,
    /// The search ends with a line that measures so much.
    pub(super) enough: u32,
    /// It also ends after about so many boards, without that being called a limit.
    pub(super) boards: u64,
}

/// The best line so far, for all threads.
pub(super) struct Best {
    aim: Aim,
    /// What a line must measure to be better.
    bar: AtomicU32,
    store: AtomicU32,
    enough: AtomicBool,
    line: Mutex<Vec<Pit>>,
}

impl Best {
    fn new(aim: Aim, store: u32) -> Self {
        Best { aim, bar: AtomicU32::new(0), store: AtomicU32::new(store), enough: AtomicBool::new(false), line: Mutex::default() }
    }

    /// Takes note of the line `path` and `last`, with so many seeds in the store after it.
    pub(super) fn note(&self, store: u32, path: &[Pit], last: Pit) {
        if store > self.store.load(Ordering::Relaxed) {
            self.store.fetch_max(store, Ordering::Relaxed);
        }
        let measured = match self.aim.measure {
            Measure::Store => store,
            Measure::Length => path.len() as u32 + 1,
        };
        if measured >= self.bar.load(Ordering::Relaxed) {
            self.keep(measured, path, last);
        }
    }

    #[cold]
    fn keep(&self, measured: u32, path: &[Pit], last: Pit) {
        let mut line = self.line.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        if measured < self.bar.load(Ordering::Relaxed) {
            return;
        }
        line.clear();
        line.extend_from_slice(path);
        line.push(last);
        self.bar.store(measured + 1, Ordering::Relaxed);
        if measured >= self.aim.enough {
            self.enough.store(true, Ordering::Relaxed);
        }
    }

    /// Whether a line is good enough to end the search.
    pub(super) fn is_enough(&self) -> bool {
        self.enough.load(Ordering::Relaxed)
    }
}

/// What a sweep found.
pub(super) struct Sweep<B> {
    pub(super) line: Vec<Pit>,
    pub(super) best_store: u32,
    /// A line measures enough.
    pub(super) enough: bool,
    /// Every board of the turn has been seen.
    pub(super) complete: bool,
    pub(super) stopped: Option<StopReason>,
    pub(super) visited: Visited<B>,
}

impl<B: Lanes> Sweep<B> {
    /// The answer to a goal that is settled by a line that measures enough.
    pub(super) fn found(self) -> Found {
        Found {
            states: self.visited.len(),
            line: self.line,
            best_store: self.best_store,
            reached: self.enough,
            exhaustive: self.enough || self.complete,
            stopped: self.stopped,
        }
    }

    /// As [`Sweep::found`] for a sweep that measured stores. If everything had to be seen, the line is the first of the best
    /// ones and does not depend on the threads, provided that memory and time allow another pass over the boards.
    pub(super) fn settle(self, root: &Root<'_, B>, limits: &Limits) -> Found {
        // The visited set, the list of its boards, and those of them that lead to a best line.
        let bytes = self.visited.len() * 8 * size_of::<B>() as u64;
        if self.enough || !self.complete || bytes > limits.memory {
            return self.found();
        }
        let mut found = Found {
            states: self.visited.len(),
            line: self.line,
            best_store: self.best_store,
            reached: false,
            exhaustive: true,
            stopped: None,
        };
        let boards = self.visited.into_boards();
        if let Some(line) = first_best_line(root, boards, found.best_store, || limits.exceeded(0).is_some()) {
            found.line = line;
        }
        found
    }
}

/// Searches until a line is good enough, everything has been seen, or a limit is met.
pub(super) fn sweep<B: Lanes>(root: &Root<'_, B>, aim: Aim, limits: &Limits, progress: &dyn Progress) -> Sweep<B> {
    let best = Best::new(aim, root.store);
    let visited = Visited::new(limits.memory, 0);
    let mut ticker = Ticker::new(progress);
    let count = FEWEST_EXPLORERS.max(2 * rayon::current_num_threads());
    let mut explorers: Vec<Explorer<B>> = (0..count).map(|index| Explorer::idle(Order::of(index))).collect();
    explorers[0].start(root, &best);
    let mut round = FIRST_ROUND;
    let mut stopped = None;
    while !best.is_enough() && explorers.iter().any(|explorer| explorer.pending() > 0) {
        let states = visited.len();
        if states >= aim.boards {
            break;
        }
        let share = |boards: u64| boards / count as u64;
        let of_memory = share(visited.room());
        let of_nodes = limits.nodes.map_or(u64::MAX, |nodes| share(nodes.saturating_sub(states)).max(1));
        let boards = round.min(of_memory).min(of_nodes);
        stopped = limits.exceeded(states).or((of_memory == 0).then_some(StopReason::Memory));
        if stopped.is_some() {
            break;
        }
        ticker.tick(states, best.store.load(Ordering::Relaxed));
        feed_idle(&mut explorers);
        explorers.par_iter_mut().with_max_len(1).for_each(|explorer| explorer.run(root, &visited, &best, boards));
        round = LONGEST_ROUND.min(2 * round);
    }
    Sweep {
        enough: best.is_enough(),
        complete: explorers.iter().all(|explorer| explorer.pending() == 0),
        best_store: best.store.into_inner(),
        line: best.line.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner()),
        stopped,
        visited,
    }
}

/// Gives explorers that have run dry half of what the busiest one has.
fn feed_idle<B: Lanes>(explorers: &mut [Explorer<B>]) {
    for idle in 0..explorers.len() {
        if explorers[idle].pending() > 0 {
            continue;
        }
        let Some(busiest) = (0..explorers.len()).max_by_key(|&index| explorers[index].pending()) else { return };
        if let Ok([busy, idle]) = explorers.get_disjoint_mut([busiest, idle]) {
            busy.share_with(idle);
        }
    }
}

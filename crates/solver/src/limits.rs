//! What long work may use, and how it tells of its progress.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use lumbung_engine::Pit;

/// How often watched work is held against its limits.
const WATCH_EVERY: Duration = Duration::from_millis(20);

/// What a piece of work may use. The default is no limit and 1 GiB of memory.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Positions it may visit.
    pub nodes: Option<u64>,
    /// When it must stop.
    pub deadline: Option<Instant>,
    /// Bytes of memory for its tables.
    pub memory: u64,
    /// Set by the caller to make it stop, for instance at Ctrl-C.
    pub interrupt: Arc<AtomicBool>,
}

impl Default for Limits {
    fn default() -> Self {
        Limits { nodes: None, deadline: None, memory: 1 << 30, interrupt: Arc::default() }
    }
}

impl Limits {
    /// Whether to stop after `nodes` positions, and why.
    pub fn exceeded(&self, nodes: u64) -> Option<StopReason> {
        if self.interrupt.load(Ordering::Relaxed) {
            Some(StopReason::Interrupted)
        } else if self.nodes.is_some_and(|limit| nodes >= limit) {
            Some(StopReason::Nodes)
        } else if self.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            Some(StopReason::Time)
        } else {
            None
        }
    }

    /// Does work that gives up when it is told to stop, and tells it so once a limit on time is reached or the caller interrupts; also
    /// whether that happened.
    pub fn watch<R>(&self, work: impl FnOnce(&AtomicBool) -> R) -> (R, bool) {
        let (stop, done) = (AtomicBool::new(false), AtomicBool::new(false));
        let result = std::thread::scope(|scope| {
            let watcher = scope.spawn(|| {
                while !done.load(Ordering::Relaxed) {
                    std::thread::park_timeout(WATCH_EVERY);
                    if self.exceeded(0).is_some() {
                        stop.store(true, Ordering::Relaxed);
                    }
                }
            });
            let result = work(&stop);
            done.store(true, Ordering::Relaxed);
            watcher.thread().unpark();
            result
        });
        (result, stop.into_inner())
    }
}

/// Why work ended before it was done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StopReason {
    /// The limit on positions.
    Nodes,
    /// The limit on time.
    Time,
    /// The limit on memory.
    Memory,
    /// The caller interrupted it.
    Interrupted,
}

/// How far work has come.
#[derive(Clone, Debug, PartialEq)]
pub enum Report {
    /// A search.
    Search {
        /// South's final margin is at least and at most this, where the search is for a margin.
        margin: Option<(i32, i32)>,
        /// Positions visited.
        nodes: u64,
        /// Positions visited by the earlier searches that it goes on from.
        before: u64,
        /// Positions that it is likely to visit in all, those before included, to an order of magnitude, where that can be told.
        foreseen: Option<u64>,
        /// Positions visited a second, of late.
        speed: u64,
        /// Seeds of the endgame table in use.
        table_seeds: Option<usize>,
        /// The share of the transposition table in use.
        fill: f64,
        /// The moves that look best so far, turn by turn.
        line: Vec<Vec<Pit>>,
    },
    /// The checkpoint could not be written; the search goes on, and tries again later.
    Unsaved {
        /// Why not, in a line.
        error: String,
    },
    /// An endgame table is being built.
    Table {
        /// Up to so many seeds.
        seeds: usize,
        /// Positions in it.
        positions: u64,
    },
    /// The reachable graph is being found, from the most seeds in play to the fewest, or its values, from the fewest to the most.
    Graph {
        /// Seeds in play of the layer in work.
        seeds: usize,
        /// Positions found, or settled.
        positions: u64,
        /// Whether it is the values that are being found.
        settling: bool,
    },
    /// A turn is being explored.
    Turn {
        /// Boards seen.
        boards: u64,
        /// The most seeds stored so far.
        best_store: u32,
    },
}

/// Where work reports to; several threads may report at once.
pub trait Progress: Sync {
    /// Takes note of how far the work has come. Called at least about once a second.
    fn report(&self, report: &Report);
}

/// Takes no note of anything.
#[derive(Clone, Copy, Debug, Default)]
pub struct Quiet;

impl Progress for Quiet {
    fn report(&self, _report: &Report) {}
}

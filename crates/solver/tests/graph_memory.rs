//! The memory that a graph takes: never more than is allowed, and about what is told.

#[path = "../../tables/tests/counted/mod.rs"]
mod counted;

use std::cell::Cell;
use std::path::Path;

use counted::peak_of;
use lumbung_engine::rules::preset;
use lumbung_engine::{BoardSize, Position};
use lumbung_solver::graph::{BESIDE, Counting, Explored, Found, Graph, Options, explore_telling};
use lumbung_solver::{Limits, Quiet, StopReason};

/// What rules take that are compiled, and each thread at work: of what the program takes beside the graph the part that is allocated.
const ALLOCATED_BESIDE: u64 = 64 << 10;
const ALLOCATED_BY_THREAD: u64 = 32 << 10;

struct Ran {
    explored: Explored,
    found: Option<Found>,
    /// The most bytes that were allocated at once.
    peak: u64,
}

fn run(game: &str, board: (usize, usize), counting: Counting, memory: u64, scratch: Option<&Path>) -> Ran {
    let position = Position::start(BoardSize::new(board.0, board.1).unwrap());
    let limits = Limits { memory, ..Limits::default() };
    let found = Cell::new(None);
    let options = Options { counting, scratch, ..Options::default() };
    let (explored, peak) = peak_of(|| {
        let rules = &preset(game).unwrap().rules;
        explore_telling(rules, &position, options, &limits, &Quiet, &|all| found.set(Some(all))).unwrap()
    });
    Ran { explored, found: found.get(), peak }
}

fn complete(explored: &Explored) -> &Graph {
    match explored {
        Explored::Complete(graph) => graph,
        Explored::Stopped { reason, found } => panic!("stopped at {found}: {reason:?}"),
    }
}

/// One test, since the counters are the process's.
#[test]
fn a_graph_keeps_within_its_memory() {
    let (mut stopped, mut on_disk) = (0, 0);
    for threads in [2, 8] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let (ended, written) = pool.install(|| check(threads as u64));
        (stopped, on_disk) = (stopped + ended, on_disk + written);
    }
    assert!(stopped > 20 && on_disk > 1 << 17, "{stopped} ended for want of memory, {on_disk} bytes went to disk");
}

/// Graphs of each kind: bits, hash sets, both; with cycles and without. How many ended for want of memory, and bytes written to scratch.
fn check(threads: u64) -> (u32, u64) {
    let beside = ALLOCATED_BESIDE + threads * ALLOCATED_BY_THREAD;
    let directory = tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir()).unwrap();
    let (mut stopped, mut on_disk) = (0, 0);
    for (game, board, counting) in [
        ("djenon-abe", (3, 4), Counting::Ours),
        ("kalah", (4, 2), Counting::Ours),
        ("kalah-empty-capture", (6, 1), Counting::Irving),
    ] {
        let run_in = |memory: u64, scratch: Option<&Path>| {
            let ran = run(game, board, counting, memory, scratch);
            let (peak, most) = (ran.peak, memory - BESIDE + beside);
            assert!(peak <= most, "{game} {board:?}: {peak} bytes of {most}, scratch {}, {:?}", scratch.is_some(), ran.found);
            ran
        };
        let whole = run_in(1 << 30, None);
        let (all, graph) = (whole.found.unwrap(), complete(&whole.explored));
        let told = all.memory.max(all.finding);
        assert!(whole.peak <= told - BESIDE + beside && told - BESIDE <= whole.peak * 5 / 4, "{}: {all:?}", whole.peak);
        for eighth in 1..8 {
            let less = BESIDE + (all.finding - BESIDE) * eighth / 8;
            if let Explored::Stopped { reason, .. } = run_in(less, None).explored {
                assert_eq!(reason, StopReason::Memory);
                stopped += 1;
            }
            if let Some(found) = run_in(less, Some(directory.path())).found {
                on_disk += found.written;
                assert_eq!(found.positions, all.positions, "{game} {board:?} in {less}");
                // Later each layer is written once.
                assert!(found.written <= 2 * all.aside.disk, "{game} {board:?} in {less}: {found:?}");
            }
        }
        let least = all.aside.memory.min(told);
        assert_eq!(complete(&run_in(least, Some(directory.path())).explored), graph, "{game} {board:?}");
    }
    (stopped, on_disk)
}

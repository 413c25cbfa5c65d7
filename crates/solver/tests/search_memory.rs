//! The memory that a search takes: never more than it may have, however full its tables, its proof tree and its lines become.

#[path = "../../tables/tests/counted/mod.rs"]
mod counted;

use counted::peak_of;
use lumbung_engine::rules::preset;
use lumbung_engine::{BoardSize, Position};
use lumbung_solver::solve::{Options, solve};
use lumbung_solver::{Limits, Quiet};

/// What is allocated beside what the limit is for: compiled rules, the kernel, and the moves of a line for each thread.
const BESIDE: u64 = 128 << 10;
const BESIDE_BY_THREAD: u64 = 128 << 10;

struct Case {
    game: &'static str,
    board: (usize, usize),
    /// Of an endgame table, if that is not for the search to choose.
    table_seeds: Option<usize>,
    memory: u64,
    /// So many positions that what fills up is full.
    nodes: u64,
}

/// The most bytes that were allocated at once.
fn peak(case: &Case, threads: usize) -> u64 {
    let Case { game, board: (pits, seeds), table_seeds, memory, nodes } = *case;
    let position = Position::start(BoardSize::new(pits, seeds).unwrap());
    let limits = Limits { memory, nodes: Some(nodes), ..Limits::default() };
    let options = Options { table_seeds, limits, ..Options::default() };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    peak_of(|| pool.install(|| solve(&preset(game).unwrap().rules, &position, &options, &Quiet).unwrap())).1
}

/// One test, since the counters are the process's.
#[test]
fn a_search_keeps_within_its_memory() {
    let case =
        |game, board, table_seeds, mebibytes: u64, nodes| Case { game, board, table_seeds, memory: mebibytes << 20, nodes };
    let cases = [
        // Boards of four sizes, whose questions are of four sizes too.
        case("dakon", (8, 3), Some(0), 4, 1_500_000),
        case("dakon", (13, 3), Some(0), 4, 1_500_000),
        case("dakon", (16, 9), Some(0), 6, 1_500_000),
        case("dakon", (18, 18), Some(0), 8, 1_500_000),
        // Tables beside the tree, chosen and fixed.
        case("dakon", (10, 3), None, 48, 1_500_000),
        case("kalah", (6, 4), None, 24, 1_500_000),
        case("kalah", (6, 4), Some(12), 32, 1_500_000),
        // Lines instead of a tree; what they take of the stack is not counted here.
        case("awari", (6, 4), None, 16, 200_000),
    ];
    for case in &cases {
        for threads in [1, 3] {
            let peak = peak(case, threads);
            let most = case.memory + BESIDE + threads as u64 * BESIDE_BY_THREAD;
            let told = format!("{} {:?}", case.game, case.board);
            assert!(peak <= most, "{told}, {threads} threads: {peak} bytes of {most}");
            assert!(peak >= case.memory / 8, "{told}, {threads} threads: {peak} bytes of {most} are no test of a limit");
        }
    }
}

//! Moves a second of the kernel: all legal moves of the positions of a layer, for each preset at 12, 18, 40 and 98 seeds in play.
//! `drawn`: positions drawn evenly, as a search meets them. `in_order`: neighbouring positions, as a table builder walks them; the
//! processor then predicts better how long a relay runs.
//!
//! `cargo bench -p lumbung-engine`. Throughput is moves (of one pit, with all its laps and its capture) a second. For instruction
//! counts see `scripts/bench/kernel`.

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use lumbung_engine::Owners;
use lumbung_engine::kernel::{Bytes16, Children, Kernel, Seat};
use lumbung_engine::rules::{PRESET_NAMES, preset};

mod boards;

fn main() {
    divan::main();
}

fn kernel(name: &str, seeds: usize) -> Kernel<Bytes16> {
    let rules = &preset(name).expect("a preset").rules;
    // The usual board of ohvalhu has eight pits, the others fewer: all fit 16 lanes.
    let pits = rules.usual_board.pits();
    Kernel::new(rules, pits, seeds, Owners::rows(pits)).expect("16 lanes of a byte")
}

fn bench_moves(bencher: Bencher<'_, '_>, kernel: &Kernel<Bytes16>, boards: &[Bytes16]) {
    let mut children = Children::new();
    let moves: usize = boards
        .iter()
        .map(|board| {
            kernel.status(board, Seat::FIRST, &mut children);
            children.len()
        })
        .sum();
    bencher.counter(ItemsCount::new(moves)).bench_local(|| {
        for board in boards {
            black_box(kernel.status(black_box(board), Seat::FIRST, &mut children));
            black_box(&children);
        }
    });
}

/// With many seeds a few relays of these two run for millions of laps, and a benchmark would measure little else.
fn bounded(name: &str, seeds: usize) -> usize {
    if matches!(name, "san-yao" | "djenon-aboure") { seeds.min(18) } else { seeds }
}

#[divan::bench(args = PRESET_NAMES, consts = [12, 18, 40, 98], max_time = 1)]
fn drawn<const SEEDS: usize>(bencher: Bencher<'_, '_>, name: &str) {
    let seeds = bounded(name, SEEDS);
    let kernel = kernel(name, seeds);
    bench_moves(bencher, &kernel, &boards::drawn(&kernel, seeds));
}

#[divan::bench(args = PRESET_NAMES, consts = [12, 18, 40, 98], max_time = 1)]
fn in_order<const SEEDS: usize>(bencher: Bencher<'_, '_>, name: &str) {
    let seeds = bounded(name, SEEDS);
    let kernel = kernel(name, seeds);
    bench_moves(bencher, &kernel, &boards::in_order(&kernel, seeds));
}

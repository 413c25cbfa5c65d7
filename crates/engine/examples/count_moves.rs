//! Plays all moves of 4,096 evenly drawn positions of a preset and prints how many there were: the work of which `scripts/bench/kernel`
//! counts the instructions.
//!
//! `cargo run --release -p lumbung-engine --features measure --example count_moves -- dakon 40`

use std::hint::black_box;

use lumbung_engine::Owners;
use lumbung_engine::kernel::{Bytes16, Children, Kernel, Seat};
use lumbung_engine::rules::preset;

#[path = "../benches/boards/mod.rs"]
mod boards;

/// Kept apart so that a profiler can count this function alone.
#[inline(never)]
fn all_moves(kernel: &Kernel<Bytes16>, boards: &[Bytes16], children: &mut Children<Bytes16>) -> usize {
    let mut moves = 0;
    for board in boards {
        kernel.status(black_box(board), Seat::FIRST, children);
        moves += black_box(children.len());
    }
    moves
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let name = arguments.next().unwrap_or_else(|| "dakon".to_owned());
    let seeds = arguments.next().and_then(|n| n.parse().ok()).unwrap_or(40);
    let Some(rules) = preset(&name).map(|preset| &preset.rules) else {
        eprintln!("no preset {name:?}");
        std::process::exit(2);
    };
    let pits = rules.usual_board.pits();
    let Some(kernel) = Kernel::new(rules, pits, seeds, Owners::rows(pits)) else {
        eprintln!("{seeds} seeds are too many for 16 lanes of a byte");
        std::process::exit(2);
    };
    println!("{}", all_moves(&kernel, &boards::drawn(&kernel, seeds), &mut Children::new()));
}

//! The longest Indian relay that ends, for each number of seeds on a board.
//!
//! A lap can be undone in one way only, so the states of a relay (a board and the pit that is lifted next) form paths and cycles. A path
//! begins with a state that no lap leads to: the pit before the one to be lifted is empty. Following all paths from their beginnings
//! gives the longest; a relay of more laps is endless. By symmetry the first pit is the one that is lifted.
//!
//! `cargo run --release -p lumbung-engine --features measure --example longest_relays -- 5 1 20`: 5 pits a row, 1 to 20 seeds.

use std::process::ExitCode;

/// Follows all paths of boards with `ring` pits and `seeds` seeds: laps of the longest, and states on all of them.
fn follow(ring: usize, seeds: usize) -> (u64, u64) {
    let width = seeds + 1;
    let mut delta = vec![0u128; ring * width];
    for pit in 0..ring {
        let one = |pit: usize| 1u128 << (8 * (pit % ring));
        for count in 1..=seeds {
            let before = delta[pit * width + count - 1];
            delta[pit * width + count] = before.wrapping_add(one(pit + count)).wrapping_sub(one(pit));
        }
    }
    let (mut longest, mut states) = (0, 0);
    // The last pit stays empty.
    let mut board = vec![0usize; ring - 1];
    board[0] = 1;
    board[ring - 2] += seeds - 1;
    loop {
        let mut packed = board.iter().rev().fold(0u128, |packed, &count| packed << 8 | count as u128);
        let (mut pit, mut laps) = (0, 0);
        loop {
            let count = (packed >> (8 * pit)) as u8 as usize;
            if count == 0 {
                break;
            }
            packed = packed.wrapping_add(delta[pit * width + count]);
            pit = (pit + count + 1) % ring;
            laps += 1;
        }
        longest = longest.max(laps);
        states += laps;
        if !next(&mut board) {
            return (longest, states);
        }
    }
}

/// The next board in lexicographic order, with a seed in the first pit at least; false after the last one.
fn next(board: &mut [usize]) -> bool {
    let last = board.len() - 1;
    let least = |pit: usize| usize::from(pit == 0);
    let Some(pit) = (1..=last).rev().find(|&pit| board[pit] > least(pit)) else { return false };
    let rest = board[pit] - 1;
    board[pit] = 0;
    board[pit - 1] += 1;
    board[last] = rest;
    true
}

/// All states: ways to lay the seeds with one in the first pit at least.
fn all_states(ring: usize, seeds: usize) -> u64 {
    let product = (0..ring as u128 - 1).fold(1, |ways, k| ways * (seeds as u128 + ring as u128 - 2 - k) / (k + 1));
    product as u64
}

fn main() -> ExitCode {
    let numbers: Vec<usize> = std::env::args().skip(1).filter_map(|word| word.parse().ok()).collect();
    let [pits @ 2..=8, low @ 1..=255, high @ 1..=255] = numbers[..] else {
        eprintln!("longest_relays PITS FROM TO: 2 to 8 pits a row, 1 to 255 seeds");
        return ExitCode::from(2);
    };
    println!("seeds  longest  states on paths  on cycles, of all states");
    for seeds in low..=high {
        let (longest, states) = follow(2 * pits, seeds);
        let all = all_states(2 * pits, seeds);
        println!("{seeds:5}  {longest:7}  {states:15}  {} of {all}", all - states);
    }
    ExitCode::SUCCESS
}

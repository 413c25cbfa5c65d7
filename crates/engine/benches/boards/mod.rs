//! Positions of a layer to measure with.

use lumbung_engine::Pit;
use lumbung_engine::kernel::{Bytes16, Kernel, Lanes};

const POSITIONS: usize = 4096;

/// Positions of `seeds` seeds, every board equally likely.
pub(crate) fn drawn(kernel: &Kernel<Bytes16>, seeds: usize) -> Vec<Bytes16> {
    let mut state = 1u64;
    let mut below = |bound: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((state >> 33) % bound as u64) as usize
    };
    (0..POSITIONS)
        .map(|_| {
            // Bars among stars: a row of seeds and of borders between pits, in random order.
            let (mut stars, mut bars) = (seeds, 2 * kernel.pits() - 1);
            let mut board = Bytes16::EMPTY;
            let mut pit = 0;
            while stars > 0 {
                if below(stars + bars) < stars {
                    stars -= 1;
                    let lane = kernel.lane(Pit(pit));
                    board.set(lane, board.get(lane) + 1);
                } else {
                    bars -= 1;
                    pit += 1;
                }
            }
            board
        })
        .collect()
}

/// Neighbouring positions of `seeds` seeds: from one drawn at random on, each moves a seed one pit forward and gathers what is
/// behind it.
#[allow(dead_code, reason = "not every user walks a layer")]
pub(crate) fn in_order(kernel: &Kernel<Bytes16>, seeds: usize) -> Vec<Bytes16> {
    let lanes: Vec<usize> = (0..2 * kernel.pits()).map(|pit| kernel.lane(Pit(pit as u8))).collect();
    let mut board = drawn(kernel, seeds)[POSITIONS / 2];
    let last = lanes[lanes.len() - 1];
    let mut boards = Vec::with_capacity(POSITIONS);
    while boards.len() < POSITIONS {
        boards.push(board);
        let tail = board.get(last);
        board.set(last, 0);
        match (0..lanes.len() - 1).rev().find(|&k| board.get(lanes[k]) > 0) {
            Some(k) => {
                board.set(lanes[k], board.get(lanes[k]) - 1);
                board.set(lanes[k + 1], board.get(lanes[k + 1]) + 1 + tail);
            }
            None => board.set(lanes[0], tail),
        }
    }
    boards
}

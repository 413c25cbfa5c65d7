//! The shortest winning turn: breadth first by moves.

use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use lumbung_engine::kernel::{Children, Lanes, Then};
use rayon::prelude::*;

use super::Found;
use super::depth_first::{Aim, Measure, sweep};
use super::line::{Steps, first_best_line, first_line};
use super::root::Root;
use super::ticker::Ticker;
use super::visited::Visited;
use crate::limits::{Limits, Progress, StopReason};

/// Boards of the depth-first search that goes before: enough for a win on nearly every board, some tenths of a second at most.
const PROBE: u64 = 1 << 16;
/// Boards between two looks at the limits.
const CHUNK: usize = 1 << 14;

/// A line of fewest moves after which the store holds `wanted` seeds.
///
/// A short depth-first search first gives an answer to fall back on if a limit is met, and a bound: boards as many moves away
/// from the start as that line is long need not be remembered.
pub(super) fn shortest<B: Lanes>(root: &Root<'_, B>, wanted: u32, limits: &Limits, progress: &dyn Progress) -> Found {
    let probe = sweep(root, Aim { measure: Measure::Store, enough: wanted, boards: PROBE }, limits, progress);
    if probe.complete && !probe.enough {
        return probe.settle(root, limits);
    }
    let fallback = probe.found();
    let bound = if fallback.reached { fallback.line.len() } else { usize::MAX };

    // Besides its place in the set every board is held in a layer, whose vector may be twice as large as it is full.
    let visited = Visited::new(limits.memory, 2 * size_of::<B>());
    let mut ticker = Ticker::new(progress);
    let best = AtomicU32::new(root.store);
    let won = AtomicBool::new(false);
    let mut layers = vec![vec![root.board]];
    loop {
        let depth = layers.len();
        let layer = &layers[depth - 1];
        let mut next = Vec::new();
        for chunk in layer.chunks(CHUNK) {
            let states = visited.len();
            let mut stopped = limits.exceeded(states);
            if visited.room() < (chunk.len() * root.pits()) as u64 {
                stopped = stopped.or(Some(StopReason::Memory));
            }
            if stopped.is_some() {
                let best_store = fallback.best_store.max(best.into_inner());
                return Found { best_store, exhaustive: false, states, stopped, ..fallback };
            }
            ticker.tick(states, best.load(Ordering::Relaxed));
            let found: Vec<B> = chunk
                .par_iter()
                .fold(Vec::new, |mut found, board| {
                    let mut children = Children::new();
                    for (store, child) in root.moves(board, &mut children) {
                        best.fetch_max(store, Ordering::Relaxed);
                        if store >= wanted {
                            won.store(true, Ordering::Relaxed);
                        }
                        // The layer is seen to its end even then, for the numbers and the line not to depend on the threads.
                        let goes_on = child.then == Then::Again && depth < bound && !won.load(Ordering::Relaxed);
                        if goes_on && visited.insert(child.board) {
                            found.push(child.board);
                        }
                    }
                    found
                })
                .flatten_iter()
                .collect();
            next.extend(found);
        }
        // The boards fewer moves away than the shortest win; others have been stored or not as the threads had it.
        let states = layers[1..].iter().map(|layer| layer.len() as u64).sum();
        let best_store = best.load(Ordering::Relaxed);
        let out_of_time = || limits.exceeded(0);
        if won.load(Ordering::Relaxed) {
            let give_up = || out_of_time().is_some();
            return match first_line(root, &layers, Steps::EveryLayer, |store| store >= wanted, give_up) {
                Some(line) => Found { line, best_store, reached: true, exhaustive: true, states, stopped: None },
                None => Found { exhaustive: false, states, stopped: out_of_time(), ..fallback },
            };
        }
        if next.is_empty() {
            let boards = layers.split_off(1).concat();
            let line = first_best_line(root, boards, best_store, || out_of_time().is_some()).unwrap_or(fallback.line);
            return Found { line, best_store, reached: false, exhaustive: true, states, stopped: None };
        }
        layers.push(next);
    }
}

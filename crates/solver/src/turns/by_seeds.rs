//! The longest turn: level by level of seeds in play.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use dashmap::Entry;
use lumbung_engine::kernel::{Children, Lanes, Then};
use rayon::prelude::*;

use super::Found;
use super::depth_first::{Aim, Measure, sweep};
use super::line::{Steps, first_line};
use super::root::Root;
use super::ticker::Ticker;
use super::visited::{Key, Numbers, most_boards, numbers};
use crate::limits::{Limits, Progress, StopReason};

/// Boards of the depth-first search that goes before.
const PROBE: u64 = 1 << 18;
/// Boards between two looks at the limits.
const CHUNK: usize = 1 << 14;

/// A line of most moves.
///
/// Every bonus move takes seeds out of play, so when the boards with some number of seeds in play are looked at, the longest way
/// to each of them is known. A depth-first search first gives a line to fall back on if a limit is met.
pub(super) fn longest<B: Lanes>(root: &Root<'_, B>, limits: &Limits, progress: &dyn Progress) -> Found {
    let probe = sweep(root, Aim { measure: Measure::Length, enough: u32::MAX, boards: PROBE }, limits, progress).found();

    let most = most_boards::<(Key<B>, u16)>(limits.memory, 2 * size_of::<B>());
    let mut ticker = Ticker::new(progress);
    let best_store = AtomicU32::new(probe.best_store);
    let length = AtomicU32::new(0);
    let states = AtomicU64::new(0);
    // The boards still to be looked at, by seeds in play, each with the moves of the longest way to it.
    let mut levels: Vec<OnceLock<Numbers<B>>> = (0..=root.seeds).map(|_| OnceLock::new()).collect();
    levels[root.seeds as usize].get_or_init(numbers).insert(Key(root.board), 0);
    // The boards that have been looked at, by the same number.
    let mut layers: Vec<Vec<B>> = Vec::new();
    while let Some(mut level) = levels.pop() {
        let Some(level) = level.take() else { continue };
        let level: Vec<(B, u16)> = level.into_iter().map(|(Key(board), moves)| (board, moves)).collect();
        for chunk in level.chunks(CHUNK) {
            let seen = states.load(Ordering::Relaxed);
            let mut stopped = limits.exceeded(seen);
            // A chunk adds as many boards as it has bonus moves, seldom more than three for each.
            if most.saturating_sub(seen) < 4 * chunk.len() as u64 {
                stopped = stopped.or(Some(StopReason::Memory));
            }
            if stopped.is_some() {
                return Found {
                    best_store: best_store.into_inner(),
                    exhaustive: false,
                    reached: false,
                    states: seen,
                    stopped,
                    ..probe
                };
            }
            ticker.tick(seen, best_store.load(Ordering::Relaxed));
            chunk.par_iter().for_each_init(Children::new, |children, (board, moves)| {
                for (store, child) in root.moves(board, children) {
                    best_store.fetch_max(store, Ordering::Relaxed);
                    length.fetch_max(u32::from(moves + 1), Ordering::Relaxed);
                    if child.then == Then::Again {
                        let level = levels[child.board.seeds() as usize].get_or_init(numbers);
                        match level.entry(Key(child.board)) {
                            Entry::Occupied(mut known) => {
                                let longest = (*known.get()).max(moves + 1);
                                known.insert(longest);
                            }
                            Entry::Vacant(new) => {
                                new.insert(moves + 1);
                                states.fetch_add(1, Ordering::Relaxed);
                            }
                        }
                    }
                }
            });
        }
        for (board, moves) in level {
            let moves = usize::from(moves);
            if layers.len() <= moves {
                layers.resize_with(moves + 1, Vec::new);
            }
            layers[moves].push(board);
        }
    }
    // Boards as many moves away as the longest turn has are those on which it ended.
    layers.truncate(length.into_inner() as usize);
    let (best_store, states) = (best_store.into_inner(), states.into_inner());
    let out_of_time = || limits.exceeded(0);
    match first_line(root, &layers, Steps::EveryLayer, |_| true, || out_of_time().is_some()) {
        Some(line) => Found { line, best_store, reached: true, exhaustive: true, states, stopped: None },
        None => Found { best_store, reached: false, exhaustive: false, states, stopped: out_of_time(), ..probe },
    }
}

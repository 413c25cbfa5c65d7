//! The laps of one move, to their end or to the proof that they have none.
//!
//! A lap depends on the board and the pit to be lifted, on nothing else, so a move is endless exactly if such a pair recurs at a
//! lap boundary. Laps can lead *into* a cycle that they did not start on (two boards may have the same successor when the first
//! seed goes back into its origin), and cycles of millions of laps exist; Brent's method decides in constant memory and a number
//! of laps proportional to the tail and the cycle, without a limit that could be wrong. On large boards the cycles of Indian laps
//! outlast everybody's patience, so after [`PATIENCE`] laps an invariant is looked for (`docs/san-yao.md`).

use std::collections::HashSet;

use super::lap::{Table, sow};
use super::{Landing, Lap};
use crate::position::{Owners, Position, Side};
use crate::rules::{Origin, Relay, Rules};

/// Laps before anything but a recurrence counts as proof.
const PATIENCE: u64 = 1 << 24;

/// A move without its capture.
pub(super) enum Outcome {
    /// It ended.
    Ends { table: Table, last: Landing, laps: u64 },
    /// It never does: its laps recur every `cycle` laps, sooner or later; not known where nobody waited for it.
    Endless { cycle: Option<u64> },
}

/// What decides the rest of a move: the table and the pit that is lifted next.
#[derive(Clone)]
struct Course<'a> {
    rules: &'a Rules,
    owners: Owners,
    mover: Side,
    table: Table,
    lift: usize,
}

impl<'a> Course<'a> {
    fn new(rules: &'a Rules, position: &Position, pit: usize) -> Self {
        let table = Table { board: position.board.clone(), stores: position.stores, visited: false };
        Course { rules, owners: position.owners, mover: position.to_move, table, lift: pit }
    }

    /// Plays one lap; where the last seed fell, and whether another lap follows.
    fn lap(&mut self) -> (Landing, bool) {
        let last = sow(self.rules, self.owners, self.mover, &mut self.table, self.lift);
        let next = match last {
            Landing::Store => None,
            Landing::Pit(pit) => self.lifted_after(pit),
        };
        if let Some(pit) = next {
            self.lift = pit;
        }
        (last, next.is_some())
    }

    /// The pit that is lifted after a lap that ended in pit `last`, if the move goes on.
    fn lifted_after(&self, last: usize) -> Option<usize> {
        let board = &self.table.board;
        match &self.rules.sowing.relay {
            Relay::Single => None,
            Relay::Landing { stop_at } => (!stop_at.contains(&board[last])).then_some(last),
            Relay::Next => {
                let next = (last + 1) % board.len();
                (board[next] > 0).then_some(next)
            }
        }
    }

    /// Whether an invariant of Indian laps shows that no lap of this course is the last.
    ///
    /// The ring is unrolled, the pit lifted next lies at 0, and every pit was last lifted as many rounds before its next visit as it
    /// holds seeds, and one more. Modulo the pits of the ring and one, these places and the hand's own are only ever exchanged, and
    /// the relay stops where one is the successor of another.
    fn can_never_stop(&self) -> bool {
        if self.rules.sowing.relay != Relay::Next || self.rules.sowing.origin != Origin::Normal {
            return false;
        }
        let board = &self.table.board;
        let ring = board.len() as i64;
        let lifted_at = |ahead: i64| {
            let seeds = i64::from(board[(self.lift + ahead as usize) % board.len()]);
            ahead - (seeds + 1) * ring
        };
        let classes: HashSet<i64> = (0..ring).map(lifted_at).chain([0]).map(|place| place.rem_euclid(ring + 1)).collect();
        classes.iter().all(|class| !classes.contains(&((class + 1) % (ring + 1))))
    }

    /// Whether the same laps follow from both.
    fn recurs(&self, other: &Course<'_>) -> bool {
        self.lift == other.lift && self.table.board == other.table.board
    }
}

/// Plays the laps of the move that starts with ring pit `pit`.
pub(super) fn run(rules: &Rules, position: &Position, pit: usize) -> Outcome {
    let mut course = Course::new(rules, position, pit);
    let mut mark = course.clone();
    let (mut laps, mut since_mark, mut until_mark) = (0u64, 0u64, 1u64);
    loop {
        let (last, goes_on) = course.lap();
        laps += 1;
        if !goes_on {
            return Outcome::Ends { table: course.table, last, laps };
        }
        since_mark += 1;
        if course.recurs(&mark) {
            return Outcome::Endless { cycle: Some(since_mark) };
        }
        if since_mark == until_mark {
            if laps > PATIENCE && course.can_never_stop() {
                return Outcome::Endless { cycle: None };
            }
            mark.clone_from(&course);
            until_mark = until_mark.saturating_mul(2);
            since_mark = 0;
        }
    }
}

/// The number of laps up to the first recurrence, of an endless move that recurs every `cycle` laps.
pub(super) fn laps_to_recurrence(rules: &Rules, position: &Position, pit: usize, cycle: u64) -> u64 {
    let mut behind = Course::new(rules, position, pit);
    let mut ahead = behind.clone();
    for _ in 0..cycle {
        ahead.lap();
    }
    let mut laps = cycle;
    while !behind.recurs(&ahead) {
        behind.lap();
        ahead.lap();
        laps += 1;
    }
    laps
}

/// The first `laps` laps of the move that starts with ring pit `pit`.
pub(super) fn trace(rules: &Rules, position: &Position, pit: usize, laps: u64) -> Vec<Lap> {
    let mut course = Course::new(rules, position, pit);
    let mut traced = Vec::new();
    for _ in 0..laps {
        let from = course.lift;
        let lifted = course.table.board[from];
        let (last, goes_on) = course.lap();
        traced.push(Lap { from, lifted, last, board: course.table.board.clone(), stores: course.table.stores });
        if !goes_on {
            break;
        }
    }
    traced
}

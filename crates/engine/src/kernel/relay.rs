//! One move's sowing: laps until it stops, or the proof that it never does.

use super::Kernel;
use super::lanes::Lanes;

/// Laps before the cycle test starts: nearly every relay has stopped by then, so the test costs nothing.
const UNCHECKED_LAPS: u32 = 64;

/// A move's sowing, before any capture.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sown<B> {
    pub(super) board: B,
    /// Seeds that reached the own store.
    pub(super) stored: u32,
    pub(super) stop: Stop,
    /// A seed fell in the other row.
    pub(super) visited: bool,
}

/// How the sowing of a move came to an end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stop {
    /// The last seed fell in the own store.
    Store,
    /// The last seed fell in this lane.
    Pit(usize),
    /// It never ends.
    Endless,
}

impl<B: Lanes> Kernel<B> {
    /// Sows the pit in `lane`, which must not be empty.
    #[inline(always)]
    pub(super) fn sow(&self, board: &B, lane: usize) -> Sown<B> {
        let laps = &self.laps;
        let mut board = *board;
        let mut index = laps.index(lane, board.get(lane));
        let mut lap = laps.lap(index);
        if !self.relays {
            // Without relays every lap is the last.
            board.add(laps.delta(index));
            let stop = if lap.ends_in_store() { Stop::Store } else { Stop::Pit(lap.last()) };
            return Sown { board, stored: lap.stored(), stop, visited: lap.visits() };
        }
        let mut stored = 0;
        let mut visited = false;
        let mut unchecked = UNCHECKED_LAPS;
        loop {
            board.add(laps.delta(index));
            stored += lap.stored();
            visited |= lap.visits();
            if lap.ends_in_store() {
                return Sown { board, stored, stop: Stop::Store, visited };
            }
            index = lap.base() + board.get(lap.look()) as usize;
            let next = laps.lap(index);
            if next.stops() {
                return Sown { board, stored, stop: Stop::Pit(lap.last()), visited };
            }
            lap = next;
            if laps.can_be_endless {
                unchecked -= 1;
                if unchecked == 0 {
                    if laps.has_invariants && self.is_known_endless(&board, laps.lane(index)) {
                        return Sown { board, stored: 0, stop: Stop::Endless, visited };
                    }
                    return self.sow_watching_for_a_cycle(board, index, visited);
                }
            }
        }
    }

    /// Goes on with a relay whose next lap is entry `index`, watching for a recurrence of (board, pit to be lifted).
    ///
    /// The next state of a relay depends on the present one alone, so it recurs if and only if it never ends; Brent's algorithm
    /// keeps one state, renewed after 1, 2, 4, ... laps, and compares each state with it: exact, without a limit on laps.
    #[cold]
    #[inline(never)]
    fn sow_watching_for_a_cycle(&self, mut board: B, mut index: usize, mut visited: bool) -> Sown<B> {
        let laps = &self.laps;
        let mut kept = (board, index);
        let (mut since, mut renew_at) = (0u64, 64u64);
        // Only relays that pass by no store can be endless, so nothing is stored here.
        loop {
            let lap = laps.lap(index);
            board.add(laps.delta(index));
            visited |= lap.visits();
            index = lap.base() + board.get(lap.look()) as usize;
            if laps.lap(index).stops() {
                return Sown { board, stored: 0, stop: Stop::Pit(lap.last()), visited };
            }
            if (board, index) == kept {
                return Sown { board, stored: 0, stop: Stop::Endless, visited };
            }
            since += 1;
            if since == renew_at {
                kept = (board, index);
                (since, renew_at) = (0, renew_at * 2);
            }
        }
    }
}

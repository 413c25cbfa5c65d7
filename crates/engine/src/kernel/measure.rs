//! What studies of a game ask beyond its moves: how long a move is, and whether the game was over before anybody looked for one.

use super::lanes::Lanes;
use super::{Kernel, Seat};
use crate::position::Pit;

impl<B: Lanes> Kernel<B> {
    /// Whether the game is over on this board before the player on `seat` even looks for a move (steps 2 and 3 of the procedure).
    pub fn has_ended(&self, board: &B, seat: Seat) -> bool {
        (self.end.one_each && self.row_seeds(board, seat) == (1, 1)) || self.end_condition(board, seat)
    }

    /// Whether the laps of a move may never end.
    pub fn can_be_endless(&self) -> bool {
        self.laps.can_be_endless
    }

    /// The pits that the player on `seat` may lift, whatever comes of it: her own with seeds enough.
    pub fn liftable(&self, board: &B, seat: Seat) -> impl Iterator<Item = Pit> {
        let lanes = board.occupied() & self.own[seat.index()];
        (0..B::LANES).filter(move |lane| lanes >> lane & 1 == 1 && board.get(*lane) >= self.min_seeds).map(|lane| self.pit(lane))
    }

    /// The laps of the move that lifts `pit`, which must not be empty; `None` if they never end.
    pub fn laps(&self, board: &B, pit: Pit) -> Option<u64> {
        let laps = &self.laps;
        let lane = self.lane(pit);
        let mut board = *board;
        let mut index = laps.index(lane, board.get(lane));
        // As in `sow`: an invariant shows most endless relays at once, and Brent's cycle test finds the others, since the state of a
        // relay decides its next one and so recurs exactly if it never ends.
        let mut kept = (board, index);
        let (mut count, mut renew_at) = (0u64, 64u64);
        loop {
            let lap = laps.lap(index);
            board.add(laps.delta(index));
            count += 1;
            if lap.ends_in_store() {
                return Some(count);
            }
            index = lap.base() + board.get(lap.look()) as usize;
            if laps.lap(index).stops() {
                return Some(count);
            }
            if (board, index) == kept {
                return None;
            }
            if count == renew_at {
                if count == 64 && laps.has_invariants && self.is_known_endless(&board, laps.lane(index)) {
                    return None;
                }
                kept = (board, index);
                renew_at *= 2;
            }
        }
    }
}

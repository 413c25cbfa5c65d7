//! Which moves are legal, and why the others are not.

use super::{Referee, Sown};
use crate::position::{Pit, Position, Side};
use crate::rules::{Endless, Feeding};

/// Why a pit may not be played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Refusal {
    NotOwned,
    Empty,
    TooFew { seeds: u16, min: u16 },
    Endless,
    Slam,
    MustFeed,
    Starves,
}

impl Refusal {
    /// The reason, in the words of the player who is refused.
    pub(super) fn words(self, mover: Side) -> String {
        let other = mover.other();
        match self {
            Refusal::NotOwned => format!("that pit is {other}'s"),
            Refusal::Empty => "that pit is empty".to_owned(),
            Refusal::TooFew { seeds, min } => format!("it holds {seeds}, and a move lifts at least {min}"),
            Refusal::Endless => "its laps would go on for ever".to_owned(),
            Refusal::Slam => format!("its capture would leave {other} no seed"),
            Refusal::MustFeed => format!("{other} has no seeds, and this move brings none"),
            Refusal::Starves => format!("it would leave {other} no seed while another move does not"),
        }
    }
}

impl Referee<'_> {
    /// For every ring pit, whether the player to move may play it.
    pub(super) fn verdicts(&self, position: &Position) -> Vec<Result<(), Refusal>> {
        let mover = position.to_move;
        let fed = position.row_seeds(mover.other()) > 0;
        let mut starves = vec![false; position.board.len()];
        let mut verdicts: Vec<_> = (0..position.board.len())
            .map(|ring| {
                let feeds = self.tried(position, ring)?;
                starves[ring] = !feeds;
                let must_feed = matches!(self.rules.feeding, Feeding::MoverMust | Feeding::Rescue) && !fed;
                if must_feed && !feeds { Err(Refusal::MustFeed) } else { Ok(()) }
            })
            .collect();
        let leaves_one = (0..verdicts.len()).any(|ring| verdicts[ring].is_ok() && !starves[ring]);
        if self.rules.feeding == Feeding::LeaveAMove && leaves_one {
            for (verdict, starves) in verdicts.iter_mut().zip(starves) {
                if verdict.is_ok() && starves {
                    *verdict = Err(Refusal::Starves);
                }
            }
        }
        verdicts
    }

    /// Tries a ring pit without regard to feeding: whether the other row has seeds afterwards.
    fn tried(&self, position: &Position, ring: usize) -> Result<bool, Refusal> {
        let (seeds, min) = (position.board[ring], self.rules.sowing.min_seeds);
        if position.owners.of(ring) != position.to_move {
            return Err(Refusal::NotOwned);
        }
        if seeds == 0 {
            return Err(Refusal::Empty);
        }
        if seeds < min {
            return Err(Refusal::TooFew { seeds, min });
        }
        let other = position.to_move.other();
        match self.sow_and_capture(position, ring)? {
            Sown::Endless { .. } if self.rules.sowing.endless == Endless::Illegal => Err(Refusal::Endless),
            Sown::Endless { .. } => Ok(position.row_seeds(other) > 0),
            Sown::Ends { after, .. } => Ok(after.row_seeds(other) > 0),
        }
    }

    /// The legal moves, rising as the mover counts her pits. Empty where the game is over for lack of moves or the turn passes;
    /// the end condition of the rules is not looked at (see [`Referee::state`]).
    pub fn legal(&self, position: &Position) -> Vec<Pit> {
        let verdicts = self.verdicts(position);
        let mover = position.to_move;
        let mut pits: Vec<Pit> =
            (0..verdicts.len()).filter(|&ring| verdicts[ring].is_ok()).map(|ring| position.pit(mover, ring)).collect();
        pits.sort_unstable();
        pits
    }

    /// Whether `side` would have a legal move on this board, were it her turn.
    pub(super) fn could_move(&self, position: &Position, side: Side) -> bool {
        let position = Position { to_move: side, ..position.clone() };
        self.verdicts(&position).iter().any(Result::is_ok)
    }
}

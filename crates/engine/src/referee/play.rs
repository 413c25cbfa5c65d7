//! Positions, moves and what follows them.

use super::capture::{Captured, capture};
use super::endgame::{ended, settle};
use super::legal::Refusal;
use super::relay::{Outcome, laps_to_recurrence, run, trace};
use super::{Capture, GameOver, IllegalMove, Landing, MAX_ENDLESS_LAPS, Next, OverReason, Played, Referee, State};
use crate::position::{Pit, Position};
use crate::rules::{BonusOnEmptyRow, Endless, Feeding, NoMove, RuleSet, Stores};

/// A move tried out, before any question of whether it may be played.
pub(super) enum Sown {
    /// Its laps never end, and recur every `cycle` laps, if that is known.
    Endless { cycle: Option<u64> },
    /// It ends; `after` still has the mover to move.
    Ends { after: Position, in_store: bool, capture: Option<Capture>, slam_undone: bool, laps: u64 },
}

impl<'r> Referee<'r> {
    /// A referee for these rules.
    pub fn new(rules: &'r RuleSet) -> Self {
        Referee { rules }
    }

    /// The rules this referee executes.
    pub fn rules(&self) -> &'r RuleSet {
        self.rules
    }

    /// What a position calls for, the player to move being at the start of her turn or choosing again after a bonus.
    pub fn state(&self, position: &Position) -> State {
        if let Some(reason) = ended(self.rules, position) {
            return State::Over(settle(self.rules, position, reason));
        }
        let legal = self.legal(position);
        if !legal.is_empty() {
            return State::ToMove(legal);
        }
        let mover = position.to_move;
        let rescued = self.rules.feeding == Feeding::Rescue && position.row_seeds(mover) == 0;
        if (rescued || self.rules.end.no_move == NoMove::Pass) && self.could_move(position, mover.other()) {
            return State::Pass;
        }
        State::Over(settle(self.rules, position, OverReason::NoMove))
    }

    /// Plays a move, without recording its laps.
    ///
    /// # Errors
    /// If the pit is not a legal move in this position, with the reason in words.
    pub fn play(&self, position: &Position, pit: Pit) -> Result<Played, IllegalMove> {
        self.play_pit(position, pit).map(|(_, played)| played)
    }

    /// Plays a move and records its laps.
    ///
    /// # Errors
    /// As [`Referee::play`].
    pub fn play_traced(&self, position: &Position, pit: Pit) -> Result<Played, IllegalMove> {
        let (ring, mut played) = self.play_pit(position, pit)?;
        let most = MAX_ENDLESS_LAPS as u64;
        let laps = match played.lap_count {
            0 => most,
            laps if played.endless => laps.min(most),
            laps => laps,
        };
        played.laps = trace(self.rules, position, ring, laps);
        Ok(played)
    }

    /// The position after a pass: the same, with the other player to move.
    pub fn pass(&self, position: &Position) -> Position {
        Position { to_move: position.to_move.other(), ..position.clone() }
    }

    /// Settles a game that ends in `position` for the reason given; the player to move is the one the rules speak of.
    pub fn settle(&self, position: &Position, reason: OverReason) -> GameOver {
        settle(self.rules, position, reason)
    }

    /// Plays a move, if it is legal; with its ring pit.
    fn play_pit(&self, position: &Position, pit: Pit) -> Result<(usize, Played), IllegalMove> {
        let side = position.to_move;
        let pits = if position.owners.are_rows() { position.pits() } else { position.board.len() };
        if usize::from(pit.0) >= pits {
            return Err(IllegalMove::NoSuchPit { pit, pits });
        }
        if ended(self.rules, position).is_some() {
            return Err(IllegalMove::NoMove(side));
        }
        let ring = position.ring(side, pit);
        let verdicts = self.verdicts(position);
        if verdicts.iter().all(Result::is_err) {
            return Err(IllegalMove::NoMove(side));
        }
        match verdicts[ring].and_then(|()| self.sow_and_capture(position, ring)) {
            Ok(sown) => Ok((ring, self.follow(position, ring, sown))),
            Err(refusal) => {
                let legal = self.legal(position).iter().map(Pit::to_string).collect::<Vec<_>>().join(" ");
                Err(IllegalMove::NotLegal { side, pit, why: refusal.words(side), legal })
            }
        }
    }

    /// Sows from a ring pit of the player to move and captures. Refuses a forbidden grand slam and nothing else.
    pub(super) fn sow_and_capture(&self, position: &Position, ring: usize) -> Result<Sown, Refusal> {
        let (mut table, last, laps) = match run(self.rules, position, ring) {
            Outcome::Endless { cycle } => return Ok(Sown::Endless { cycle }),
            Outcome::Ends { table, last, laps } => (table, last, laps),
        };
        let captured = match last {
            Landing::Store => Captured::Nothing,
            Landing::Pit(pit) => capture(self.rules, position.owners, position.to_move, &mut table, pit),
        };
        let (capture, slam_undone) = match captured {
            Captured::ForbiddenSlam => return Err(Refusal::Slam),
            Captured::Nothing => (None, false),
            Captured::Taken(capture) => (Some(capture), false),
            Captured::SlamUndone => (None, true),
        };
        let after = Position { board: table.board, stores: table.stores, ..position.clone() };
        Ok(Sown::Ends { after, in_store: last == Landing::Store, capture, slam_undone, laps })
    }

    /// What follows a legal move: a bonus, the other player's turn, or the end.
    fn follow(&self, position: &Position, ring: usize, sown: Sown) -> Played {
        let (after, in_store, capture, slam_undone, lap_count) = match sown {
            Sown::Ends { after, in_store, capture, slam_undone, laps } => (after, in_store, capture, slam_undone, laps),
            Sown::Endless { cycle } => return self.follow_endless(position, ring, cycle),
        };
        let bonus = match self.rules.stores {
            Stores::Sown { bonus } if in_store => bonus,
            _ => None,
        };
        let own_row_empty = after.row_seeds(after.to_move) == 0;
        let (after, next) = match bonus {
            None => (self.pass(&after), Next::Turn { bonus_lapsed: false }),
            Some(_) if !own_row_empty => (after, Next::Bonus),
            Some(BonusOnEmptyRow::Pass) => (self.pass(&after), Next::Turn { bonus_lapsed: true }),
            Some(BonusOnEmptyRow::End) => {
                let over = self.settle(&after, OverReason::BonusOnEmptyRow);
                (over.last.clone(), Next::Over(over))
            }
        };
        Played { laps: Vec::new(), lap_count, endless: false, slam_undone, capture, after, next }
    }

    fn follow_endless(&self, position: &Position, ring: usize, cycle: Option<u64>) -> Played {
        let lap_count = cycle.map_or(0, |cycle| laps_to_recurrence(self.rules, position, ring, cycle));
        let (after, next) = if self.rules.sowing.endless == Endless::End {
            let over = self.settle(position, OverReason::Endless);
            (over.last.clone(), Next::Over(over))
        } else {
            (self.pass(position), Next::Turn { bonus_lapsed: false })
        };
        Played { laps: Vec::new(), lap_count, endless: true, slam_undone: false, capture: None, after, next }
    }
}

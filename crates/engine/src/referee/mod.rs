//! The referee: the procedure of [`crate::rules`] executed word for word, one seed at a time.
//!
//! It is the authority the fast engine is tested against, the engine proofs are checked with, and what draws a move for people.
//! It serves every rule set on every board, is not meant to be fast, and shares no code with the kernel.

mod capture;
mod endgame;
mod lap;
mod legal;
mod play;
mod relay;

use std::fmt;

use thiserror::Error;

use crate::position::{Pit, Position, Side};
use crate::rules::RuleSet;
use play::Sown;

/// Most laps of an endless move that a trace records; [`Played::lap_count`] says how many there are.
pub const MAX_ENDLESS_LAPS: usize = 10_000;

/// Executes the rules literally.
#[derive(Clone, Copy, Debug)]
pub struct Referee<'r> {
    rules: &'r RuleSet,
}

/// What a position calls for, by steps 2 to 6 of the procedure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum State {
    /// The player to move must play one of these (rising).
    ToMove(Vec<Pit>),
    /// She has no move and the turn passes.
    Pass,
    /// The game is over.
    Over(GameOver),
}

/// The end of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameOver {
    /// Why.
    pub reason: OverReason,
    /// The gift, if one was given: from whom, and how many seeds.
    pub gift: Option<(Side, u16)>,
    /// The position after the settlement: `stores` are final; seeds that count for nobody stay on the board.
    pub last: Position,
}

/// Why a game is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OverReason {
    /// A bonus move was earned with the own row empty.
    BonusOnEmptyRow,
    /// Both rows hold exactly one seed.
    OneEach,
    /// The end condition of the rules.
    EndCondition,
    /// Nobody can move, or the player to move cannot and the rules then end the game.
    NoMove,
    /// An endless move was chosen where that ends the game.
    Endless,
    /// A position came back under rules that settle the game then ([`crate::rules::Cycle::RowOwner`]). Only a whole game shows
    /// it: [`crate::notation::replay`] finds it, [`Referee::state`] never does.
    Recurrence,
}

impl fmt::Display for OverReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            OverReason::BonusOnEmptyRow => "a bonus move was earned, and the own row is empty",
            OverReason::OneEach => "each row holds one seed",
            OverReason::EndCondition => "the end condition of the rules is met",
            OverReason::NoMove => "there is no legal move",
            OverReason::Endless => "an endless move was chosen",
            OverReason::Recurrence => "a position came back",
        })
    }
}

/// One lap of a move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lap {
    /// Ring pit that was lifted.
    pub from: usize,
    /// Seeds that were lifted.
    pub lifted: u16,
    /// Where the last seed fell.
    pub last: Landing,
    /// The board after the lap.
    pub board: Vec<u16>,
    /// The stores after the lap.
    pub stores: [u16; 2],
}

/// Where a seed fell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Landing {
    /// The mover's store.
    Store,
    /// A ring pit.
    Pit(usize),
}

/// What a move captured.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Capture {
    /// Which kind of capture.
    pub kind: CaptureKind,
    /// Ring pits that were emptied, in the order of the procedure, with the seeds taken from each.
    pub taken: Vec<(usize, u16)>,
}

/// The kinds of capture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CaptureKind {
    /// The pit opposite (Dakon: nembak).
    Opposite,
    /// Between two equal pits (Dakon: mikul).
    Sandwich,
    /// By count.
    Count,
    /// Beyond the gap.
    BeyondGap,
}

/// A move as it was played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Played {
    /// Every lap, in order, if a trace was asked for. For an endless move: up to the first recurrence, and no more than
    /// [`MAX_ENDLESS_LAPS`].
    pub laps: Vec<Lap>,
    /// The number of laps. For an endless move: up to the first recurrence, or 0 if that is too far away to be waited for.
    pub lap_count: u64,
    /// The laps recur for ever; the board stayed as it was.
    pub endless: bool,
    /// A grand slam that the rules let capture nothing.
    pub slam_undone: bool,
    /// What was captured.
    pub capture: Option<Capture>,
    /// The position after the move, capture done, with the player who chooses next to move. If the game is over by this move
    /// alone, it is the settled position.
    pub after: Position,
    /// What comes next.
    pub next: Next,
}

/// What comes after a move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Next {
    /// The same player moves again.
    Bonus,
    /// The turn passes. `bonus_lapsed`: a bonus was earned with the own row empty, and the rules let it lapse.
    Turn {
        /// See above.
        bonus_lapsed: bool,
    },
    /// The game is over (a bonus on an empty row, or an endless move).
    Over(GameOver),
}

/// A move that the rules do not allow.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum IllegalMove {
    /// No such pit on this board.
    #[error("there is no pit {pit}; the pits are 1 to {pits}")]
    NoSuchPit {
        /// As it was asked for.
        pit: Pit,
        /// Pits that a player may count: those of a row, or of the board where ownership differs from the rows.
        pits: usize,
    },
    /// Not one of the legal moves.
    #[error("{side} may not play pit {pit}: {why}; legal: {legal}")]
    NotLegal {
        /// Who.
        side: Side,
        /// Which pit.
        pit: Pit,
        /// The reason in words.
        why: String,
        /// The legal moves, written for people.
        legal: String,
    },
    /// The game is over, or the turn must pass.
    #[error("{0} has no move in this position")]
    NoMove(Side),
}

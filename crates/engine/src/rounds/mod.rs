//! What one round leads to: totals, debts, conquered pits, the next round's start, the end of the match.
//!
//! A match is played in rounds on a board that is full at every start. `n` pits a row with `s` seeds each make `T = 2ns` seeds. When
//! a round is over each player counts what she has; together that is `T`.
//!
//! 1. A round that never ends is split ([`Repeat::Split`]): what is on the board is shared evenly, an odd seed going to the player who
//!    did not start the round. Or it is void and played again from the same start ([`Repeat::Void`]).
//! 2. Under [`Lending::Debt`] whoever owes from the last division pays, as far as she can.
//! 3. Of unequal totals `W > L`: with `L < s` the match is over and the stronger player has won it. Otherwise she fills
//!    `W div s` pits of the ring with `s` seeds each, hers and as many of the other player's as it takes (the *sons*), lends the
//!    remainder `W mod s` to the other player, who fills the other pits: `L + W mod s` is exactly enough. The stronger player starts.
//! 4. Of equal totals nothing changes hands; each player owns her row. Who starts is a rule ([`TieStarter`]).
//!
//! Sons are those that follow the winner's own row ([`Sons::AfterOwnRow`]) or of her choice ([`Sons::WinnerChooses`]). Ownership is
//! worked out anew after every round.

mod refill;
mod replay;
mod sons;

use std::fmt;

use thiserror::Error;

pub use refill::{Division, Follows, Refill};
pub use replay::{MatchRecord, MatchState, RoundEnd, RoundRecord, replay_match};
pub use sons::SonsError;

use crate::position::{BoardSize, Owners, Position, Side};
use crate::rules::{Lending, Repeat, Rounds, RuleSet, Sons, TieStarter};

/// The rules between rounds, on a board of one size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MatchRules {
    size: BoardSize,
    /// Which pits the winner of a round conquers.
    pub sons: Sons,
    /// Whether a lent remainder is owed.
    pub lending: Lending,
    /// Who starts after equal totals.
    pub tie_starter: TieStarter,
    /// A round that never ends.
    pub repeat: Repeat,
}

/// Rules that know no match.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error(
    "{name} is a game of one round (rounds.kind = \"single\"); a match takes rules with rounds.kind = \"territory\", such as san-yao"
)]
pub struct NoMatch {
    /// The rule set's name.
    pub name: String,
}

/// What the loser of a round owes the winner.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Debt {
    /// Who owes.
    pub debtor: Side,
    /// How many seeds.
    pub seeds: u16,
}

/// The start of a round: every pit is full and the stores are empty, so this is all there is to say.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct RoundStart {
    /// Who owns which pit.
    pub owners: Owners,
    /// Who starts.
    pub starter: Side,
    /// What is owed from the last division; always `None` under [`Lending::Gift`].
    pub debt: Option<Debt>,
}

impl MatchRules {
    /// The rules between rounds of `rules`, on a board of this size.
    ///
    /// # Errors
    /// If the rules know no rounds.
    pub fn new(rules: &RuleSet, size: BoardSize) -> Result<Self, NoMatch> {
        match rules.rounds {
            Rounds::Territory { sons, lending, tie_starter, repeat } => {
                Ok(MatchRules { size, sons, lending, tie_starter, repeat })
            }
            Rounds::Single => Err(NoMatch { name: rules.name.clone() }),
        }
    }

    /// The board.
    pub fn size(&self) -> BoardSize {
        self.size
    }

    /// All seeds.
    pub fn total(&self) -> u16 {
        self.size.total() as u16
    }

    /// The start of a match: each player owns her row, South starts.
    pub fn first(&self) -> RoundStart {
        RoundStart { owners: Owners::rows(self.size.pits()), starter: Side::South, debt: None }
    }

    /// The position a round starts from.
    pub fn position(&self, start: &RoundStart) -> Position {
        Position { to_move: start.starter, owners: start.owners, ..Position::start(self.size) }
    }

    /// The totals of a round from `start` that never ends, with these stores, under [`Repeat::Split`].
    pub fn split(&self, start: &RoundStart, stores: [u16; 2]) -> [u16; 2] {
        let left = self.total() - stores[0] - stores[1];
        let mut totals = stores.map(|store| store + left / 2);
        totals[start.starter.other().index()] += left % 2;
        totals
    }
}

impl fmt::Display for RoundStart {
    /// `sssssssnnn, South starts`, and a debt if there is one.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, {} starts", self.owners, self.starter)?;
        match self.debt {
            Some(Debt { debtor, seeds }) => write!(f, ", {debtor} owes {seeds}"),
            None => Ok(()),
        }
    }
}

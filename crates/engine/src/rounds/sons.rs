//! Conquered pits.

use thiserror::Error;

use super::{Division, MatchRules, RoundStart};
use crate::position::{Owners, Pit, Side};
use crate::rules::Sons;

/// Sons that cannot be chosen.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SonsError {
    /// Another number than she has won.
    #[error("{winner} has won {sons} of the other player's pits and must choose as many, not {named}")]
    Number {
        /// Who chooses.
        winner: Side,
        /// How many she has won.
        sons: usize,
        /// How many were named.
        named: usize,
    },
    /// A pit that is hers, or on no board.
    #[error("pit {pit} is not in the other player's row; {winner} counts that row from {first} to {last}")]
    NotTheirs {
        /// Who chooses.
        winner: Side,
        /// What was named.
        pit: Pit,
        /// The first pit of the other row as she counts.
        first: usize,
        /// The last one.
        last: usize,
    },
    /// A pit was named twice.
    #[error("pit {0} is named twice")]
    Twice(Pit),
    /// The rules leave no choice.
    #[error(
        "under rounds.sons = \"after-own-row\" nobody chooses; only rounds.sons = \"winner-chooses\" lets the winner name her sons"
    )]
    NoChoice,
}

impl MatchRules {
    /// The starts that a division allows: one, or under [`Sons::WinnerChooses`] one for each choice of the winner.
    pub fn starts(&self, division: &Division) -> Vec<RoundStart> {
        let after_own_row = (1u64 << division.sons) - 1;
        match self.sons {
            Sons::AfterOwnRow => vec![self.start_with(division, after_own_row)],
            Sons::WinnerChooses => subsets(self.size.pits(), division.sons).map(|sons| self.start_with(division, sons)).collect(),
        }
    }

    /// The start after the winner has chosen her sons, as she counts the pits.
    ///
    /// # Errors
    /// If the rules leave no choice, or the pits are not as many of the other player's row as she has won.
    pub fn choose(&self, division: &Division, pits: &[Pit]) -> Result<RoundStart, SonsError> {
        if self.sons == Sons::AfterOwnRow {
            return Err(SonsError::NoChoice);
        }
        let (winner, row) = (division.starter, self.size.pits());
        let mut sons = 0u64;
        for &pit in pits {
            let Some(column) = usize::from(pit.0).checked_sub(row).filter(|&column| column < row) else {
                return Err(SonsError::NotTheirs { winner, pit, first: row + 1, last: 2 * row });
            };
            if sons >> column & 1 == 1 {
                return Err(SonsError::Twice(pit));
            }
            sons |= 1 << column;
        }
        if pits.len() != division.sons {
            return Err(SonsError::Number { winner, sons: division.sons, named: pits.len() });
        }
        Ok(self.start_with(division, sons))
    }

    /// The sons of a start as they are written before its moves, with a blank after them: `[6 9] `. Nothing where nobody chooses.
    pub fn written_sons(&self, start: &RoundStart) -> String {
        let row = self.size.pits();
        let ring = |pit: usize| (pit + start.starter.index() * row) % (2 * row);
        let sons: Vec<String> =
            (row..2 * row).filter(|&pit| start.owners.of(ring(pit)) == start.starter).map(|pit| (pit + 1).to_string()).collect();
        match self.sons {
            Sons::WinnerChooses if !sons.is_empty() => format!("[{}] ", sons.join(" ")),
            Sons::WinnerChooses | Sons::AfterOwnRow => String::new(),
        }
    }

    /// `sons`: pits of the loser's row in his sowing order, as bits.
    fn start_with(&self, division: &Division, sons: u64) -> RoundStart {
        let pits = self.size.pits();
        let row = (1u64 << pits) - 1;
        let south = match division.starter {
            Side::South => row | sons << pits,
            Side::North => row & !sons,
        };
        RoundStart { owners: Owners::from_bits(south, pits), starter: division.starter, debt: division.debt }
    }
}

/// All sets of `chosen` out of `of` things, as bits, rising.
fn subsets(of: usize, chosen: usize) -> impl Iterator<Item = u64> {
    (0..1u64 << of).filter(move |set| set.count_ones() as usize == chosen)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::BoardSize;
    use crate::rounds::Follows;
    use crate::rules::preset;

    fn rules(set: &[&str]) -> MatchRules {
        let rules = preset("san-yao").expect("a preset").rules.with_set(set).expect("rules");
        MatchRules::new(&rules, BoardSize::new(5, 5).expect("a board")).expect("rounds")
    }

    fn division(rules: &MatchRules, south: u16) -> Division {
        match rules.refill(&rules.first(), [south, 50 - south]).follows {
            Follows::Round(division) => division,
            Follows::Over { .. } => panic!("{south} ends the match"),
        }
    }

    /// "The pits next after the winner's own last pit in sowing order".
    #[test]
    fn sons_follow_the_winners_own_row() {
        let rules = rules(&[]);
        let owners = |south| {
            let starts = rules.starts(&division(&rules, south));
            assert_eq!(starts.len(), 1);
            starts[0].to_string()
        };
        assert_eq!(owners(38), "sssssssnnn, South starts");
        assert_eq!(owners(12), "nnsssnnnnn, North starts");
        assert_eq!(owners(25), "sssssnnnnn, North starts");
        assert_eq!(rules.choose(&division(&rules, 38), &[Pit(5), Pit(6)]), Err(SonsError::NoChoice));
    }

    /// "About 61 states": the sets of one to four sons of either player, and none.
    #[test]
    fn the_winner_may_choose_any_sons() {
        let rules = rules(&["rounds.sons=winner-chooses"]);
        let mut owners = std::collections::HashSet::new();
        for south in 5..=45 {
            owners.extend(rules.starts(&division(&rules, south)).into_iter().map(|start| start.owners));
        }
        assert_eq!(owners.len(), 61);
        let two = division(&rules, 38);
        let chosen = rules.choose(&two, &[Pit(9), Pit(5)]).map(|start| start.to_string());
        assert_eq!(chosen.as_deref(), Ok("ssssssnnns, South starts"));
        // North counts South's row from 6, so his pit 10 is South's last.
        let chosen = rules.choose(&division(&rules, 17), &[Pit(9)]).map(|start| start.to_string());
        assert_eq!(chosen.as_deref(), Ok("ssssnnnnnn, North starts"));
        let fails = |pits: &[Pit]| rules.choose(&two, pits).map_err(|error| error.to_string());
        assert_eq!(fails(&[Pit(5)]), Err("South has won 2 of the other player's pits and must choose as many, not 1".to_owned()));
        assert_eq!(
            fails(&[Pit(4), Pit(5)]),
            Err("pit 5 is not in the other player's row; South counts that row from 6 to 10".to_owned())
        );
        assert_eq!(fails(&[Pit(5), Pit(5)]), Err("pit 6 is named twice".to_owned()));
    }
}

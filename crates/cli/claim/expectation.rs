//! What a claim can say of a position.

use std::collections::BTreeMap;

use lumbung_engine::Side;
use lumbung_solver::solve::Outcome;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};

use crate::layout;
use crate::start::Start;
use crate::units::counted;

/// Something that is true of a position or not.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub(super) enum Expectation {
    /// The player to move can store more than half of all seeds in one turn; or, if `exists` is false, she cannot.
    WinningFirstTurn {
        /// Whether there is such a turn.
        #[serde(default = "yes")]
        exists: bool,
    },
    /// The player to move can leave the opponent too few seeds to fill a pit for the next round, in one turn; or she cannot.
    /// (Donkers, de Voogt and Uiterwijk 2000: a winning opening of Dakon-n.)
    DonkersOpening {
        /// Whether there is such a turn.
        #[serde(default = "yes")]
        exists: bool,
    },
    /// The player to move can bring her store to so many seeds in one turn; or she cannot.
    FirstTurnStores {
        /// Seeds in her store.
        seeds: u32,
        /// Whether there is such a turn.
        #[serde(default = "yes")]
        exists: bool,
    },
    /// A player wins under best play, or nobody does.
    Winner {
        /// Who.
        player: Winner,
    },
    /// South's final store less North's under best play.
    Margin {
        /// That difference.
        margin: i32,
    },
    /// South's final store less North's under best play is this or more.
    MarginAtLeast {
        /// The least difference.
        margin: i32,
    },
    /// A player wins the match over rounds under best play, or nobody does.
    MatchWinner {
        /// Who.
        player: Winner,
        /// In how many rounds she can force it, if that is claimed.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        rounds: Option<u32>,
    },
    /// So many positions can arise from this one, itself included.
    ReachablePositions {
        /// How many.
        count: u64,
        /// What a position is.
        #[serde(default)]
        counting: CountingName,
    },
    /// A player gets every seed in play under best play.
    TakesEverything {
        /// Who.
        player: Taker,
    },
    /// Of all ways to lay out so many seeds on a board of as many pits, so many have each value for the player to move.
    LayerHistogram {
        /// Seeds in play.
        seeds: usize,
        /// How many positions have each value; all others have none.
        #[serde(deserialize_with = "histogram")]
        histogram: BTreeMap<i32, u64>,
    },
}

/// Keys of a table are texts, whatever they mean; two texts of one value contradict each other or say the same thing twice.
fn histogram<'d, D: Deserializer<'d>>(deserializer: D) -> Result<BTreeMap<i32, u64>, D::Error> {
    let texts = BTreeMap::<String, u64>::deserialize(deserializer)?;
    let value =
        |text: &str| text.parse().map_err(|_| D::Error::custom(format!("histogram: {text:?} is no value, a whole number")));
    let mut histogram = BTreeMap::new();
    for (text, count) in texts {
        let value: i32 = value(&text)?;
        if histogram.insert(value, count).is_some() {
            return Err(D::Error::custom(format!("histogram: {text:?} is the value {value}, which is there already")));
        }
    }
    Ok(histogram)
}

fn yes() -> bool {
    true
}

/// What counts as a position: see `lumbung graph`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum CountingName {
    /// The pits, seen by the player to move.
    #[default]
    Ours,
    /// The pits, both stores and the side to move, as Irving, Donkers and Uiterwijk 2000 count.
    Irving,
}

/// Who wins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Winner {
    /// South.
    South,
    /// North.
    North,
    /// Nobody.
    Draw,
}

/// Who takes everything.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Taker {
    /// South.
    South,
    /// North.
    North,
}

impl Taker {
    pub(super) fn side(self) -> Side {
        match self {
            Taker::South => Side::South,
            Taker::North => Side::North,
        }
    }
}

impl Winner {
    pub(super) fn side(self) -> Option<Side> {
        match self {
            Winner::South => Some(Side::South),
            Winner::North => Some(Side::North),
            Winner::Draw => None,
        }
    }

    pub(super) fn outcome(self) -> Outcome {
        match self {
            Winner::South => Outcome::South,
            Winner::North => Outcome::North,
            Winner::Draw => Outcome::Draw,
        }
    }
}

impl Expectation {
    /// Whether the margin must be known and not only its sign.
    pub(super) fn needs_margin(&self) -> bool {
        matches!(self, Expectation::Margin { .. } | Expectation::MarginAtLeast { .. } | Expectation::TakesEverything { .. })
    }

    /// Whether it is true, as far as bounds of South's final margin tell; only what speaks of one game's end is told by them.
    pub(super) fn told_by(&self, start: &Start, (low, high): (i32, i32)) -> Option<bool> {
        match *self {
            Expectation::WinningFirstTurn { .. }
            | Expectation::DonkersOpening { .. }
            | Expectation::FirstTurnStores { .. }
            | Expectation::MatchWinner { .. }
            | Expectation::ReachablePositions { .. }
            | Expectation::LayerHistogram { .. } => None,
            Expectation::Winner { player } => {
                Outcome::between((low, high)).map(|outcome| outcome == player.outcome()).or_else(|| {
                    let possible = match player {
                        Winner::South => high > 0,
                        Winner::North => low < 0,
                        Winner::Draw => low <= 0 && 0 <= high,
                    };
                    (!possible).then_some(false)
                })
            }
            Expectation::Margin { margin } => exactly(margin, (low, high)),
            Expectation::MarginAtLeast { margin } if margin <= low => Some(true),
            Expectation::MarginAtLeast { margin } => (high < margin).then_some(false),
            Expectation::TakesEverything { player } => {
                let in_play = start.position.seeds_in_play() as i32;
                let most = match player {
                    Taker::South => in_play,
                    Taker::North => -in_play,
                };
                exactly(start.position.margin() + most, (low, high))
            }
        }
    }

    /// What is expected, in words.
    pub(super) fn says(&self, start: Option<&Start>) -> String {
        let mover = start.map_or("the player to move".to_owned(), |start| start.position.to_move.to_string());
        let can = |exists: bool| if exists { "can" } else { "cannot" };
        match *self {
            Expectation::WinningFirstTurn { exists } => {
                format!("{mover} {} store more than half of all seeds in her first turn", can(exists))
            }
            Expectation::DonkersOpening { exists } => {
                format!(
                    "on n pits a row with n seeds each {mover} {} store 2n^2 - n seeds or more in her first turn",
                    can(exists)
                )
            }
            Expectation::FirstTurnStores { seeds, exists } => {
                format!("{mover} {} bring her store to {seeds} seeds in her first turn", can(exists))
            }
            Expectation::Winner { player } => match player.side() {
                Some(side) => format!("{side} wins under best play by both"),
                None => "the game is drawn under best play by both".to_owned(),
            },
            Expectation::Margin { margin } => format!("under best play by both, {}", layout::verdict(margin)),
            Expectation::MarginAtLeast { margin } => {
                format!("under best play by both, South's store less North's ends at {margin} or more")
            }
            Expectation::MatchWinner { player, rounds } => {
                let rounds = rounds.map_or(String::new(), |rounds| format!(" in {}", counted(rounds.into(), "round")));
                match player.side() {
                    Some(side) => format!("{side} wins the match{rounds} under best play by both"),
                    None => "neither player can force a win of the match".to_owned(),
                }
            }
            Expectation::ReachablePositions { count, counting } => {
                let counting = match counting {
                    CountingName::Ours => "",
                    CountingName::Irving => ", counted with both stores and the side to move",
                };
                format!("{} can be reached{counting}", counted(count, "position"))
            }
            Expectation::LayerHistogram { seeds, ref histogram } => format!(
                "the values of all positions with {} in play are distributed over {} as stated",
                counted(seeds as u64, "seed"),
                counted(histogram.len() as u64, "value")
            ),
            Expectation::TakesEverything { player } => format!("under best play by both, {} takes every seed", player.side()),
        }
    }
}

fn exactly(margin: i32, (low, high): (i32, i32)) -> Option<bool> {
    if margin < low || high < margin { Some(false) } else { (low == high).then_some(true) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_histogram_has_each_value_once() {
        let read =
            |keys: &str| toml::from_str::<Expectation>(&format!("kind = \"layer-histogram\"\nseeds = 1\n[histogram]\n{keys}"));
        let right = Expectation::LayerHistogram { seeds: 1, histogram: BTreeMap::from([(-1, 3), (0, 1), (1, 2)]) };
        assert_eq!(read("0 = 1\n1 = 2\n-1 = 3").expect("well formed"), right);
        for twice in ["\"1\" = 2\n\"+1\" = 3", "\"0\" = 1\n\"-0\" = 1", "\"1\" = 2\n\"01\" = 2"] {
            let refused = read(twice).expect_err(twice).to_string();
            assert!(refused.contains("which is there already"), "{refused}");
        }
    }
}

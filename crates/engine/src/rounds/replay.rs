//! A match replayed by the referee, round after round.

use super::{Follows, MatchRules, Refill, RoundStart};
use crate::notation::{GameRecord, MoveText, ReplayError, replay, replay_traced};
use crate::position::{Pit, Side};
use crate::referee::{Referee, State};
use crate::rules::Repeat;

/// A match, or a part of one, as it was played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MatchRecord {
    /// The rules between rounds.
    pub rules: MatchRules,
    /// The rounds, in order; the last one may still be going on.
    pub rounds: Vec<RoundRecord>,
    /// What comes next.
    pub state: MatchState,
}

/// One round of a match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RoundRecord {
    /// How it started.
    pub start: RoundStart,
    /// How it was played.
    pub game: GameRecord,
    /// What it led to, if it is over.
    pub end: Option<RoundEnd>,
}

/// How a round ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RoundEnd {
    /// It was over, or never would have been and was split.
    Counted {
        /// It would never have been over.
        unending: bool,
        /// What the totals lead to.
        refill: Refill,
    },
    /// It would never have been over, and is played again.
    Void,
}

/// What comes after the moves of a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MatchState {
    /// The last round goes on.
    InRound,
    /// The last round is over and another one follows; under [`crate::rules::Sons::WinnerChooses`] its winner has to name her sons first.
    BetweenRounds,
    /// The match is over.
    Over {
        /// Who has won it.
        winner: Side,
    },
}

/// Plays a match on a board of this size from its first round, or from `first` if one is given.
///
/// `moves` are those of [`replay`], with `;` between rounds. A round that is over needs no `;` after its last move if nothing follows.
/// A `;` before the end of a round in which a position has come back says that the round would go on for ever. Where the winner chooses
/// her sons, the next round's moves begin with them in brackets, as she counts the pits: `... ; [6 9] 1 / 3`.
///
/// # Errors
/// At the first thing the rules do not allow.
pub fn replay_match(
    referee: &Referee<'_>,
    rules: MatchRules,
    first: RoundStart,
    moves: &str,
    traced: bool,
) -> Result<MatchRecord, ReplayError> {
    let mut record = MatchRecord { rules, rounds: Vec::new(), state: MatchState::BetweenRounds };
    let mut character = 0;
    let mut number = 0;
    let pieces: Vec<&str> = moves.split(';').collect();
    for (index, piece) in pieces.iter().enumerate() {
        let place = Place { character, number };
        let trailing = index > 0 && index + 1 == pieces.len() && piece.trim().is_empty();
        if trailing {
            // A `;` at the very end: the last round is over and no other has begun.
            break;
        }
        let (sons, text) = place.sons(piece)?;
        let start = if index == 0 { place.no_choice(sons.as_deref()).map(|()| first) } else { next(&record, sons) }
            .map_err(|reason| place.error(piece, reason))?;
        let played = if traced { replay_traced } else { replay };
        let game = played(referee, &rules.position(&start), &place.moves(&text)?).map_err(|error| place.shifted(error))?;
        number += game.played().count();
        let ended = index + 1 < pieces.len();
        let end = end(&rules, &start, &game, ended).map_err(|reason| ReplayError {
            // It is the `;` after the piece that is wrong.
            character: place.character + piece.chars().count() + 1,
            number: number.max(1),
            reason,
        })?;
        record.state = match end {
            None => MatchState::InRound,
            Some(RoundEnd::Counted { refill: Refill { follows: Follows::Over { winner }, .. }, .. }) => {
                MatchState::Over { winner }
            }
            Some(_) => MatchState::BetweenRounds,
        };
        record.rounds.push(RoundRecord { start, game, end });
        character += piece.chars().count() + 1;
    }
    Ok(record)
}

/// What a round that was played so far has led to; `ended` if the moves say that it is over.
fn end(rules: &MatchRules, start: &RoundStart, game: &GameRecord, ended: bool) -> Result<Option<RoundEnd>, String> {
    let counted = |unending, totals| Some(RoundEnd::Counted { unending, refill: rules.refill(start, totals) });
    match &game.state {
        State::Over(over) => Ok(counted(false, over.last.stores)),
        _ if !ended => Ok(None),
        _ if !game.recurred => Err("the round is not over, and no position has come back in it".to_owned()),
        _ => Ok(match rules.repeat {
            Repeat::Split => counted(true, rules.split(start, game.last.stores)),
            Repeat::Void => Some(RoundEnd::Void),
        }),
    }
}

/// The start of the round that follows the last one.
fn next(record: &MatchRecord, sons: Option<Vec<Pit>>) -> Result<RoundStart, String> {
    let Some(RoundRecord { start, end: Some(end), .. }) = record.rounds.last() else {
        return Err("the round before is not over".to_owned());
    };
    let refill = match end {
        RoundEnd::Void if sons.is_some() => return Err("a void round is played again; nobody has won a son".to_owned()),
        RoundEnd::Void => return Ok(*start),
        RoundEnd::Counted { refill, .. } => refill,
    };
    let division = match refill.follows {
        Follows::Over { winner } => return Err(format!("the match is over; {winner} has won it")),
        Follows::Round(division) => division,
    };
    let rules = &record.rules;
    match sons {
        Some(sons) => rules.choose(&division, &sons).map_err(|error| error.to_string()),
        None => match rules.starts(&division)[..] {
            [start] => Ok(start),
            _ => {
                let (winner, sons, row) = (division.starter, division.sons, rules.size().pits());
                let first: Vec<String> = (row + 1..=row + sons).map(|pit| pit.to_string()).collect();
                Err(format!(
                    "{winner} has won {sons} of the other player's pits and must name them, for instance [{}]",
                    first.join(" ")
                ))
            }
        },
    }
}

/// Where the moves of a round stand in the text of the match.
struct Place {
    /// Characters before them.
    character: usize,
    /// Moves before them.
    number: usize,
}

impl Place {
    /// An error at the first word of a piece.
    fn error(&self, piece: &str, reason: String) -> ReplayError {
        let blanks = piece.chars().take_while(|c| c.is_whitespace()).count();
        ReplayError { character: self.character + blanks + 1, number: self.number + 1, reason }
    }

    fn shifted(&self, error: ReplayError) -> ReplayError {
        ReplayError { character: self.character + error.character, number: self.number + error.number, ..error }
    }

    fn no_choice(&self, sons: Option<&[Pit]>) -> Result<(), String> {
        match sons {
            Some(_) => Err("nobody has won a son before the first round".to_owned()),
            None => Ok(()),
        }
    }

    fn moves(&self, text: &str) -> Result<MoveText, ReplayError> {
        text.parse().map_err(|error: crate::notation::NotationError| ReplayError {
            character: self.character + error.character,
            number: self.number + 1,
            reason: error.message,
        })
    }

    /// The sons named at the start of a piece, and the piece with blanks in their place.
    fn sons(&self, piece: &str) -> Result<(Option<Vec<Pit>>, String), ReplayError> {
        let Some(open) = piece.find('[').filter(|&open| piece[..open].trim().is_empty()) else {
            return Ok((None, piece.to_owned()));
        };
        let Some(close) = piece.find(']') else {
            return Err(self.error(piece, "the list of sons is not closed; it ends with ]".to_owned()));
        };
        let named = &piece[open + 1..close];
        let sons = named
            .split_whitespace()
            .map(|word| match word.parse::<u8>() {
                Ok(pit) if pit > 0 => Ok(Pit(pit - 1)),
                _ => Err(self.error(piece, format!("{word:.20} is not a pit; sons are numbers of pits, for instance [6 9]"))),
            })
            .collect::<Result<_, _>>()?;
        let blanks = " ".repeat(piece[..=close].chars().count());
        Ok((Some(sons), blanks + &piece[close + 1..]))
    }
}

impl MatchRecord {
    /// The moves of all rounds as text.
    pub fn moves(&self) -> String {
        let mut text = String::new();
        for (index, round) in self.rounds.iter().enumerate() {
            if index > 0 {
                text += " ; ";
                text += &self.chosen(index);
            }
            text += &round.game.moves();
        }
        text
    }

    /// The sons that were named before a round, where they were to be.
    fn chosen(&self, round: usize) -> String {
        if self.rounds[round - 1].end == Some(RoundEnd::Void) {
            return String::new();
        }
        self.rules.written_sons(&self.rounds[round].start)
    }
}

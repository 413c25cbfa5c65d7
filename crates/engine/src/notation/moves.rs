//! Moves as text.

use std::str::FromStr;

use super::{NotationError, quoted};
use crate::position::{MAX_PITS, Pit};

/// Moves as they are written: pits from 1 as the mover counts them, ` / ` between turns, `-` for a turn that passes.
///
/// Whether a turn is over follows from the rules, so separators and passes may be left out; those that are there must be right
/// ([`super::replay`] sees to it).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MoveText {
    /// The pieces of the text, in order.
    pub tokens: Vec<Token>,
}

/// A piece of a [`MoveText`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token {
    /// What it says.
    pub kind: TokenKind,
    /// Where it stands: a character number, from 1.
    pub character: usize,
}

/// What a piece of a [`MoveText`] says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenKind {
    /// A pit is played.
    Pit(Pit),
    /// The turn passes.
    Pass,
    /// The turn is over.
    EndOfTurn,
}

impl FromStr for MoveText {
    type Err = NotationError;

    fn from_str(text: &str) -> Result<Self, NotationError> {
        let mut tokens: Vec<Token> = Vec::new();
        for (character, offset, piece) in pieces(text) {
            let error = |message| NotationError { what: "moves", offset, character, message };
            let kind = match piece {
                "/" => TokenKind::EndOfTurn,
                "-" => TokenKind::Pass,
                _ => TokenKind::Pit(pit(piece).map_err(error)?),
            };
            let turn_is_empty = tokens.last().is_none_or(|token| token.kind == TokenKind::EndOfTurn);
            if kind == TokenKind::EndOfTurn && turn_is_empty {
                return Err(error("a turn without moves; a turn that passes is written -".to_owned()));
            }
            tokens.push(Token { kind, character });
        }
        Ok(MoveText { tokens })
    }
}

/// Words and slashes, each with its character number and its byte offset.
fn pieces(text: &str) -> Vec<(usize, usize, &str)> {
    let mut pieces = Vec::new();
    let mut word: Option<(usize, usize)> = None;
    let end = (text.chars().count(), (text.len(), ' '));
    for (index, (offset, character)) in text.char_indices().enumerate().chain([end]) {
        let separates = character.is_whitespace() || character == '/';
        if separates && let Some((start_index, start)) = word.take() {
            pieces.push((start_index + 1, start, &text[start..offset]));
        }
        if character == '/' {
            pieces.push((index + 1, offset, &text[offset..offset + 1]));
        }
        if !separates && word.is_none() {
            word = Some((index, offset));
        }
    }
    pieces
}

fn pit(piece: &str) -> Result<Pit, String> {
    if !piece.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(format!("{} is not a pit; pits are numbers from 1", quoted(piece)));
    }
    match piece.parse::<usize>() {
        Ok(number) if (1..=2 * MAX_PITS).contains(&number) => Ok(Pit((number - 1) as u8)),
        _ => Err(format!("there is no pit {piece:.20}; pits are numbered from 1, to {} at most", 2 * MAX_PITS)),
    }
}

/// Turns as text: `1 4 2 / 3`. A turn without moves is one that passed.
pub fn write_turns(turns: impl IntoIterator<Item = impl IntoIterator<Item = Pit>>) -> String {
    let turns = turns.into_iter().map(|turn| {
        let pits: Vec<String> = turn.into_iter().map(|pit| pit.to_string()).collect();
        if pits.is_empty() { "-".to_owned() } else { pits.join(" ") }
    });
    turns.collect::<Vec<_>>().join(" / ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fails(text: &str) -> String {
        text.parse::<MoveText>().map_or_else(|error| error.to_string(), |moves| format!("{moves:?}"))
    }

    #[test]
    fn pits_passes_and_ends_of_turns_are_told_apart() {
        use TokenKind::{EndOfTurn, Pass, Pit as P};
        let moves: MoveText = " 1 4\t12/-  / 3".parse().expect("moves");
        let kinds: Vec<_> = moves.tokens.iter().map(|token| token.kind).collect();
        assert_eq!(kinds, [P(Pit(0)), P(Pit(3)), P(Pit(11)), EndOfTurn, Pass, EndOfTurn, P(Pit(2))]);
        let places: Vec<_> = moves.tokens.iter().map(|token| token.character).collect();
        assert_eq!(places, [2, 4, 6, 8, 9, 12, 14]);
        assert_eq!("".parse(), Ok(MoveText::default()));
    }

    #[test]
    fn errors_point_at_the_character() {
        assert_eq!(fails("1 b"), "moves, character 3: \"b\" is not a pit; pits are numbers from 1");
        assert_eq!(fails("é1"), "moves, character 1: \"é1\" is not a pit; pits are numbers from 1");
        assert_eq!(fails("1 0"), "moves, character 3: there is no pit 0; pits are numbered from 1, to 36 at most");
        assert_eq!(fails("37"), "moves, character 1: there is no pit 37; pits are numbered from 1, to 36 at most");
        assert_eq!(fails("/ 1"), "moves, character 1: a turn without moves; a turn that passes is written -");
        assert_eq!(fails("1 / / 2"), "moves, character 5: a turn without moves; a turn that passes is written -");
    }

    #[test]
    fn turns_are_written_with_passes() {
        assert_eq!(write_turns([vec![Pit(0), Pit(3)], vec![], vec![Pit(2)]]), "1 4 / - / 3");
        assert_eq!(write_turns(Vec::<Vec<Pit>>::new()), "");
    }
}

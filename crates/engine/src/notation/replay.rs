//! Moves replayed by the referee.

use std::collections::HashSet;

use thiserror::Error;

use super::moves::{MoveText, Token, TokenKind, write_turns};
use crate::position::{Pit, Position, Side};
use crate::referee::{GameOver, Next, OverReason, Played, Referee, State};
use crate::rules::Cycle;

/// A game, or a part of one, as it was played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameRecord {
    /// Where it starts.
    pub start: Position,
    /// The turns, in order; the last one may still be going on.
    pub turns: Vec<Turn>,
    /// The position after the last move; the settled one if the game is over.
    pub last: Position,
    /// What that position calls for.
    pub state: State,
    /// Some position came back: the same board, the same player to move.
    pub recurred: bool,
}

/// One turn of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Turn {
    /// Whose.
    pub side: Side,
    /// The moves she made; none if the turn passed.
    pub moves: Vec<(Pit, Played)>,
}

impl GameRecord {
    /// The moves as text, passes and ends of turns included.
    pub fn moves(&self) -> String {
        write_turns(self.turns.iter().map(|turn| turn.moves.iter().map(|(pit, _)| *pit)))
    }

    /// Every move with the player who made it, in order.
    pub fn played(&self) -> impl Iterator<Item = (Side, Pit, &Played)> {
        self.turns.iter().flat_map(|turn| turn.moves.iter().map(|(pit, played)| (turn.side, *pit, played)))
    }
}

/// Moves that cannot be replayed.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("moves, character {character} (move {number}): {reason}")]
pub struct ReplayError {
    /// Where in the text: a character number, from 1.
    pub character: usize,
    /// The number of the move it concerns, from 1; passes and ends of turns are not counted and go with the move before them.
    pub number: usize,
    /// What is wrong.
    pub reason: String,
}

/// Plays `moves` from `start`. Turns that must pass do so by themselves when a move follows; under rules that settle a game at
/// its first recurrence it is over there.
///
/// # Errors
/// At the first move the rules do not allow, pass that is none, or end of a turn that is not over.
pub fn replay(referee: &Referee<'_>, start: &Position, moves: &MoveText) -> Result<GameRecord, ReplayError> {
    run(referee, start, moves, false)
}

/// As [`replay`], with the laps of every move recorded.
///
/// # Errors
/// As [`replay`].
pub fn replay_traced(referee: &Referee<'_>, start: &Position, moves: &MoveText) -> Result<GameRecord, ReplayError> {
    run(referee, start, moves, true)
}

fn run(referee: &Referee<'_>, start: &Position, moves: &MoveText, traced: bool) -> Result<GameRecord, ReplayError> {
    let mut game = Game::new(referee, start, traced);
    for token in &moves.tokens {
        game.token(token).map_err(|reason| ReplayError {
            character: token.character,
            // A pass before all moves stands where the first one should.
            number: (game.played + usize::from(matches!(token.kind, TokenKind::Pit(_)))).max(1),
            reason,
        })?;
    }
    Ok(game.record)
}

/// A game while it is replayed.
struct Game<'r> {
    referee: Referee<'r>,
    record: GameRecord,
    /// The next move starts a turn.
    turn_over: bool,
    played: usize,
    traced: bool,
    seen: HashSet<(Vec<u16>, Side)>,
}

impl<'r> Game<'r> {
    fn new(referee: &Referee<'r>, start: &Position, traced: bool) -> Self {
        let record =
            GameRecord { start: start.clone(), turns: Vec::new(), last: start.clone(), state: State::Pass, recurred: false };
        let mut game = Game { referee: *referee, record, turn_over: true, played: 0, traced, seen: HashSet::new() };
        game.arrive(start.clone());
        game
    }

    fn token(&mut self, token: &Token) -> Result<(), String> {
        match token.kind {
            TokenKind::Pit(pit) => self.play(pit),
            TokenKind::Pass => self.pass(),
            TokenKind::EndOfTurn if self.turn_over || matches!(self.record.state, State::Over(_)) => Ok(()),
            TokenKind::EndOfTurn if self.record.state == State::Pass => self.pass(),
            TokenKind::EndOfTurn => Err(format!("the turn is not over; {} moves again", self.record.last.to_move)),
        }
    }

    fn play(&mut self, pit: Pit) -> Result<(), String> {
        if self.record.state == State::Pass {
            self.pass()?;
        }
        self.refuse_if_over()?;
        let position = &self.record.last;
        let side = position.to_move;
        let played = if self.traced { self.referee.play_traced(position, pit) } else { self.referee.play(position, pit) };
        let played = played.map_err(|illegal| illegal.to_string())?;
        let (after, next) = (played.after.clone(), played.next.clone());
        self.played += 1;
        match self.record.turns.last_mut() {
            Some(turn) if !self.turn_over => turn.moves.push((pit, played)),
            _ => self.record.turns.push(Turn { side, moves: vec![(pit, played)] }),
        }
        self.turn_over = next != Next::Bonus;
        match next {
            Next::Over(over) => self.finish(over),
            Next::Bonus | Next::Turn { .. } => self.arrive(after),
        }
        Ok(())
    }

    fn pass(&mut self) -> Result<(), String> {
        self.refuse_if_over()?;
        let position = &self.record.last;
        let side = position.to_move;
        if self.record.state != State::Pass {
            return Err(format!("{side} can move and may not pass"));
        }
        let after = self.referee.pass(position);
        // A bonus may have been earned before the pass; then the turn that passes is the one that is going on.
        if self.turn_over {
            self.record.turns.push(Turn { side, moves: Vec::new() });
        }
        self.turn_over = true;
        self.arrive(after);
        Ok(())
    }

    fn refuse_if_over(&self) -> Result<(), String> {
        match &self.record.state {
            State::Over(over) => Err(format!("the game is over: {}", over.reason)),
            State::Pass | State::ToMove(_) => Ok(()),
        }
    }

    fn arrive(&mut self, position: Position) {
        let recurs = !self.seen.insert((position.board.clone(), position.to_move));
        self.record.recurred |= recurs;
        let state = self.referee.state(&position);
        self.record.last = position;
        match state {
            State::Over(over) => self.finish(over),
            _ if recurs && self.referee.rules().end.cycle == Cycle::RowOwner => {
                let over = self.referee.settle(&self.record.last, OverReason::Recurrence);
                self.finish(over);
            }
            state => self.record.state = state,
        }
    }

    fn finish(&mut self, over: GameOver) {
        self.record.last = over.last.clone();
        self.record.state = State::Over(over);
    }
}

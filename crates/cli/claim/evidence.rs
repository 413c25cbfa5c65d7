//! Evidence: lines that show what was found, replayed by the referee.

use lumbung_engine::notation::{GameRecord, MoveText, replay};
use lumbung_engine::referee::State;
use lumbung_engine::{Pit, Referee};
use serde::{Deserialize, Serialize};

use super::check::Status;
use super::expectation::Expectation;
use crate::exit::Failure;
use crate::start::Start;

/// A line, and where it leads.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Evidence {
    /// The moves.
    pub(super) line: String,
    /// The position they lead to.
    pub(super) position: String,
    /// The command that replays them.
    pub(super) replay: String,
}

impl Evidence {
    /// A line played from the start of a claim, as evidence for what became of an expectation. `margin` is the exact margin, where
    /// it is known.
    ///
    /// A first turn must be one turn and leave a majority in the store. Best play must end the game, and its settled margin must
    /// show what the status says; a line that stops before the end, or repeats for ever, shows nothing and is no evidence.
    ///
    /// # Errors
    /// A line that cannot be played, or shows something else: a defect of the program that found it.
    pub(super) fn of(
        start: &Start,
        line: &str,
        expectation: &Expectation,
        status: Status,
        margin: Option<i32>,
    ) -> Result<Option<Evidence>, Failure> {
        let fails = |why: String| Failure::Defect(format!("the line {line:?} is no evidence: {why}"));
        let record = played(start, line).map_err(fails)?;
        let found = record.last.margin();
        let turn = match *expectation {
            Expectation::WinningFirstTurn { exists } => Some((start.seeds() / 2 + 1, exists)),
            Expectation::DonkersOpening { exists } => Some((start.seeds() - start.position.pits(), exists)),
            Expectation::FirstTurnStores { seeds, exists } => Some((seeds as usize, exists)),
            _ => None,
        };
        let shown = match turn {
            Some((wanted, exists)) => {
                let store = record.last.stores[start.position.to_move.index()];
                if record.turns.len() != 1 || usize::from(store) < wanted {
                    return Err(fails(format!("after {} turns the store holds {store}", record.turns.len())));
                }
                Some(exists)
            }
            None if !matches!(record.state, State::Over(_)) => return Ok(None),
            None => expectation.told_by(start, (found, found)),
        };
        let known = margin.filter(|_| turn.is_none());
        if known.is_some_and(|margin| margin != found) || status != Status::of(shown) {
            return Err(fails(format!("it ends in a margin of {found}, and the finding is {}", status.word())));
        }
        let replay = format!("lumbung play {} --moves \"{line}\"", start.arguments());
        Ok(Some(Evidence { line: line.to_owned(), position: record.last.to_string(), replay }))
    }
}

fn played(start: &Start, line: &str) -> Result<GameRecord, String> {
    let moves: MoveText = line.parse().map_err(|error: lumbung_engine::notation::NotationError| error.to_string())?;
    replay(&Referee::new(&start.chosen.rules), &start.position, &moves).map_err(|error| error.to_string())
}

/// The moves of a turn as they are written.
pub(super) fn turn_text(line: &[Pit]) -> String {
    line.iter().map(Pit::to_string).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use clap::Parser as _;

    use super::*;
    use crate::args::{Cli, Command};
    use crate::claim::expectation::Winner;

    const SOUTH: Expectation = Expectation::Winner { player: Winner::South };

    fn start(words: &[&str]) -> Start {
        let cli = Cli::try_parse_from([&["lumbung", "turns"], words].concat()).expect("a command line");
        let Command::Turns(turns) = &cli.command else { panic!("not turns") };
        Start::new(&turns.start, &cli.common).expect("a start")
    }

    /// One seed in the last pit is sown into the store; then the row is empty, and the opponent keeps what is in hers.
    fn last_move() -> Start {
        start(&["kalah", "--position", "0,0,1/1,0,0/5,1/s"])
    }

    #[test]
    fn the_end_of_the_game_must_show_what_is_found() {
        let of = |expectation: Expectation, status, margin| Evidence::of(&last_move(), "3", &expectation, status, margin);
        let evidence = of(SOUTH, Status::Holds, Some(4)).expect("it shows it").expect("evidence");
        assert_eq!(evidence.position.split('/').nth(2), Some("6,2"));
        assert!(of(SOUTH, Status::Holds, Some(6)).is_err());
        assert!(of(SOUTH, Status::Refuted, Some(4)).is_err());
        assert!(of(Expectation::Winner { player: Winner::North }, Status::Holds, None).is_err());
        assert!(of(Expectation::Winner { player: Winner::North }, Status::Refuted, None).is_ok_and(|shown| shown.is_some()));
        assert!(of(Expectation::Margin { margin: 4 }, Status::Holds, None).is_ok_and(|shown| shown.is_some()));
        assert!(of(Expectation::Margin { margin: 2 }, Status::Holds, None).is_err());
    }

    #[test]
    fn a_line_that_does_not_end_the_game_is_no_evidence() {
        for expectation in [SOUTH, Expectation::Margin { margin: 0 }] {
            let shown = Evidence::of(&start(&["awari"]), "1 / 1", &expectation, Status::Holds, Some(0));
            assert!(matches!(shown, Ok(None)), "{shown:?}");
        }
    }

    #[test]
    fn a_line_that_cannot_be_played_is_a_defect() {
        let shown = Evidence::of(&start(&["awari"]), "1 / 1 / 1", &SOUTH, Status::Holds, None);
        assert!(matches!(shown, Err(Failure::Defect(_))), "{shown:?}");
    }
}

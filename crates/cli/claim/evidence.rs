//! Evidence: lines that show what was found, replayed by the referee.

use lumbung_engine::notation::{GameRecord, MoveText, replay};
use lumbung_engine::referee::State;
use lumbung_engine::{Pit, Referee};
use serde::{Deserialize, Serialize};

use super::file::Expectation;
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
    /// A line played from the start of a claim, which must show what it is evidence for: for a first turn that wins, that it is
    /// one turn and leaves a majority in the store; for best play to the end, that it ends in `margin`.
    pub(super) fn of(start: &Start, line: &str, expectation: Expectation, margin: Option<i32>) -> Result<Evidence, Failure> {
        let fails = |why: String| Failure::new(format!("the line {line:?} is no evidence: {why}"));
        let record = played(start, line).map_err(fails)?;
        match (expectation, margin) {
            (Expectation::WinningFirstTurn {}, _) => {
                let store = record.last.stores[start.position.to_move.index()];
                if record.turns.len() > 1 || 2 * usize::from(store) <= start.seeds() {
                    return Err(fails(format!("after {} turns the store holds {store}", record.turns.len())));
                }
            }
            (_, Some(margin)) if matches!(record.state, State::Over(_)) && record.last.margin() != margin => {
                return Err(fails(format!("it ends in a margin of {}, not {margin}", record.last.margin())));
            }
            _ => {}
        }
        let replay = format!("lumbung play {} --moves \"{line}\"", start.arguments());
        Ok(Evidence { line: line.to_owned(), position: record.last.to_string(), replay })
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

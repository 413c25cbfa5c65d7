//! Parts that the JSON documents of several commands share.

use lumbung_engine::{BoardSize, Pit, Position, RuleSet, Side};
use serde::Serialize;

use crate::rules::known;

/// Which program wrote a document.
#[derive(Serialize)]
pub(crate) struct Program {
    name: &'static str,
    version: &'static str,
}

impl Program {
    pub(crate) fn this() -> Self {
        Program { name: env!("CARGO_PKG_NAME"), version: env!("CARGO_PKG_VERSION") }
    }
}

/// Which rules were played by, and where they came from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct RulesReport {
    /// The preset, unless the rules came from a file.
    pub(crate) game: Option<String>,
    /// The file, if they came from one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) file: Option<String>,
    /// The rule set's own name.
    pub(crate) name: String,
    pub(crate) readings: Vec<String>,
    pub(crate) set: Vec<String>,
    pub(crate) fingerprint: String,
}

impl RulesReport {
    /// Rules that come with something else, as the preset or the reading of one that they are; the name that they give themselves
    /// proves nothing.
    pub(crate) fn of(rules: &RuleSet) -> RulesReport {
        let known = known(rules);
        RulesReport {
            game: known.as_ref().map(|(game, _)| (*game).to_owned()),
            file: None,
            name: rules.name.clone(),
            readings: known.map_or_else(Vec::new, |(_, readings)| readings),
            set: Vec::new(),
            fingerprint: rules.fingerprint().to_string(),
        }
    }
}

/// What is said of the position a command started from.
#[derive(Serialize)]
pub(crate) struct Start {
    /// The rule set's own name.
    pub(crate) game: String,
    /// `7x7`, or nothing where the position is not the start of a game.
    pub(crate) board: Option<String>,
    pub(crate) rules: RulesReport,
    pub(crate) position: String,
}

/// The board of which `position` is the start, if it is one.
pub(crate) fn board_of(position: &Position) -> Option<BoardSize> {
    let size = BoardSize::new(position.pits(), usize::from(*position.board.first()?)).ok()?;
    (Position::start(size) == *position).then_some(size)
}

/// A digest as it is written.
pub(crate) fn hex(digest: &[u8]) -> String {
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// A player's name in a document.
pub(crate) fn side(side: Side) -> &'static str {
    match side {
        Side::South => "south",
        Side::North => "north",
    }
}

/// A pit's number, from 1.
pub(crate) fn number(pit: Pit) -> u16 {
    u16::from(pit.0) + 1
}

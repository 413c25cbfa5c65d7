//! The games, and the rules of one under the readings asked for.

use serde::Serialize;

use lumbung_engine::rules::PRESET_NAMES;

use super::answer::{Refusal, text};
use super::params::Params;
use crate::games::Game;
use crate::rules::Chosen;

#[derive(Serialize)]
struct Games {
    games: Vec<Game>,
}

/// All games.
pub(super) fn all(query: Option<&str>) -> Result<String, Refusal> {
    Params::parse(query, &[])?;
    let games = PRESET_NAMES.iter().map(|name| Ok(Game::new(&Chosen::preset(name)?))).collect::<Result<_, Refusal>>()?;
    text("lumbung/games/1", &Games { games })
}

/// One of them.
pub(super) fn one(game: &str, query: Option<&str>) -> Result<String, Refusal> {
    // A game that does not exist is an address that does not.
    let known = Chosen::preset(game).map_err(|failure| Refusal::unknown(failure.message().unwrap_or_default()));
    known?;
    let chosen = Params::parse(query, &[&["reading", "set"]])?.rules(game)?;
    text("lumbung/games/1", &Games { games: vec![Game::new(&chosen)] })
}

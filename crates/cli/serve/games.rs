//! The games, and the rules of one under the readings asked for.
//!
//! Besides the games that come with the program there are rules of their own, by which a table or a certificate here goes.
//! Their fingerprint names them, wherever a game is named: what they call themselves may be the name of a game with other rules.

use serde::Serialize;

use lumbung_engine::RuleSet;
use lumbung_engine::rules::PRESET_NAMES;

use super::answer::{Refusal, text};
use super::app::App;
use super::params::Params;
use crate::games::Game;
use crate::rules::Chosen;

#[derive(Serialize)]
struct Games {
    games: Vec<Game>,
    /// Rules of their own.
    own: Vec<Own>,
}

/// Rules of their own, and what goes by them.
#[derive(Serialize)]
struct Own {
    #[serde(flatten)]
    game: Game,
    tables: Vec<String>,
    certificates: Vec<String>,
}

/// All games.
pub(super) fn all(app: &App, query: Option<&str>) -> Result<String, Refusal> {
    Params::parse(query, &[])?;
    let games = PRESET_NAMES.iter().map(|name| Ok(Game::new(&Chosen::preset(name)?))).collect::<Result<_, Refusal>>()?;
    text("lumbung/games/1", &Games { games, own: app.own_rules.iter().map(|rules| own(app, rules)).collect() })
}

fn own(app: &App, rules: &RuleSet) -> Own {
    let fingerprint = rules.fingerprint();
    let tables = app.tables.iter().filter(|table| table.directory.manifest().fingerprint == fingerprint);
    let certificates = app.certificates.iter().filter(|proof| proof.certificate.rules().fingerprint() == fingerprint);
    Own {
        game: Game::new(&Chosen::own(rules.clone())),
        tables: tables.map(|table| table.id.clone()).collect(),
        certificates: certificates.map(|proof| proof.id.clone()).collect(),
    }
}

/// One of them.
pub(super) fn one(app: &App, game: &str, query: Option<&str>) -> Result<String, Refusal> {
    // A game that does not exist is an address that does not.
    let known = app.rules(game).map_err(|refusal| Refusal::unknown(refusal.message))?;
    let chosen = Params::parse(query, &[&["reading", "set"]])?.changed(known)?;
    text("lumbung/games/1", &Games { games: vec![Game::new(&chosen)], own: Vec::new() })
}

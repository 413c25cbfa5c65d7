//! The parameters of a request: `?game=dakon&reading=german-end&moves=7+/+3`.

use std::str::FromStr;
use std::time::Duration;

use lumbung_engine::{BoardSize, Position};

use super::answer::Refusal;
use super::app::App;
use crate::rules::Chosen;
use crate::start::{Start, one_board};
use crate::units;

/// Parameters, of which every name is one that the request knows.
#[derive(Debug)]
pub(super) struct Params(Vec<(String, String)>);

/// The parameters that name rules and a position.
pub(super) const START: [&str; 5] = ["game", "reading", "set", "board", "position"];

impl Params {
    /// Reads the query of an address. A name that nobody knows is refused: it would be a slip that goes unnoticed.
    pub(super) fn parse(query: Option<&str>, known: &[&[&str]]) -> Result<Params, Refusal> {
        let pairs: Vec<(String, String)> = form_urlencoded::parse(query.unwrap_or_default().as_bytes()).into_owned().collect();
        let known = known.concat();
        match pairs.iter().find(|(name, _)| !known.contains(&name.as_str())) {
            None => Ok(Params(pairs)),
            Some((name, _)) if known.is_empty() => {
                Err(Refusal::bad(format!("there is no parameter {name:.40?} here, nor any other")))
            }
            Some((name, _)) => Err(Refusal::bad(format!("there is no parameter {name:.40?}; there is {}", known.join(", ")))),
        }
    }

    /// The value of a parameter that may be given once.
    pub(super) fn one(&self, name: &str) -> Result<Option<&str>, Refusal> {
        let mut values = self.0.iter().filter(|(other, _)| other == name).map(|(_, value)| value.as_str());
        match (values.next(), values.next()) {
            (value, None) => Ok(value),
            (_, Some(_)) => Err(Refusal::bad(format!("{name} is given twice"))),
        }
    }

    /// The value of a parameter that must be given.
    pub(super) fn needed(&self, name: &str) -> Result<&str, Refusal> {
        self.one(name)?.ok_or_else(|| Refusal::bad(format!("{name} is missing")))
    }

    /// All values of a parameter; commas part them too where `commas`.
    fn all(&self, name: &str, commas: bool) -> Vec<String> {
        let values = self.0.iter().filter(|(other, _)| other == name).map(|(_, value)| value.as_str());
        if commas {
            values.flat_map(|value| value.split(',')).filter(|value| !value.is_empty()).map(str::to_owned).collect()
        } else {
            values.map(str::to_owned).collect()
        }
    }

    /// A number of a kind.
    pub(super) fn number<N: FromStr>(&self, name: &str) -> Result<Option<N>, Refusal> {
        let wrong = |value| Refusal::bad(format!("{name}: {value:.40?} is not a number that it can be"));
        self.one(name)?.map(|value| value.parse::<N>().map_err(|_| wrong(value))).transpose()
    }

    /// The time a search may take, at most `most`.
    pub(super) fn limit(&self, most: Duration) -> Result<Duration, Refusal> {
        match self.one("limit")? {
            None => Ok(most),
            Some(text) => units::time(text).map(|limit| limit.min(most)).map_err(|why| Refusal::bad(format!("limit: {why}"))),
        }
    }

    /// These rules under the readings and with the changes that `reading` and `set` name.
    pub(super) fn changed(&self, rules: Chosen) -> Result<Chosen, Refusal> {
        Ok(rules.changed(&self.all("reading", true), &self.all("set", false))?)
    }

    /// The rules and the position that [`START`] names.
    pub(super) fn start(&self, app: &App) -> Result<Start, Refusal> {
        let chosen = self.changed(app.rules(self.needed("game")?)?)?;
        let (board, position) = (self.one("board")?, self.one("position")?);
        if let (Some(_), Some(_)) = (board, position) {
            return Err(Refusal::bad("board and position both say where to start; give one of them"));
        }
        if let Some((name, value)) = board.map(|value| ("board", value)).or(position.map(|value| ("position", value))) {
            one_board(&chosen.set, &format!("{name} {value:.40}"))?;
        }
        let position = match (board, position) {
            (_, Some(text)) => text.parse::<Position>().map_err(Refusal::bad)?,
            (Some(text), None) => Position::start(text.parse::<BoardSize>().map_err(Refusal::bad)?),
            (None, None) => Position::start(chosen.rules.usual_board),
        };
        position.check(&chosen.rules).map_err(Refusal::bad)?;
        Ok(Start { chosen, position })
    }
}

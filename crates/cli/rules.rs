//! The rules a command plays by: a preset or a file, under readings, with keys changed.

use std::fmt;
use std::io::Read as _;
use std::path::Path;

use lumbung_engine::RuleSet;
use lumbung_engine::rules::{PRESET_NAMES, Preset, RuleError, SetError, preset};

use crate::args::Common;
use crate::exit::Failure;
use crate::report::RulesReport;

/// Rule files are a page or two; anything larger is a mistake.
const LARGEST_FILE: u64 = 1 << 20;

/// Rules as they were asked for.
#[derive(Debug)]
pub(crate) struct Chosen {
    pub(crate) rules: RuleSet,
    /// The preset's name, unless the rules came from a file.
    game: Option<&'static str>,
    /// The file, if they came from one.
    file: Option<String>,
    pub(crate) readings: Vec<String>,
    pub(crate) set: Vec<String>,
}

impl Chosen {
    /// The rules of `game` or of `--rules`, under the readings and with the changes asked for.
    pub(crate) fn new(game: Option<&str>, common: &Common) -> Result<Chosen, Failure> {
        let chosen = match (game, &common.rules) {
            (Some(game), None) => Chosen::preset(game)?,
            (None, Some(file)) => Chosen::file(file)?,
            (Some(game), Some(file)) => {
                let file = file.display();
                return Err(Failure::new(format!("{game:?} and --rules {file} both name rules; give one of them")));
            }
            (None, None) => {
                let games = PRESET_NAMES.join(", ");
                return Err(Failure::new(format!("which game? one of {games}; or rules of your own with --rules FILE")));
            }
        };
        chosen.changed(&common.readings, &common.set)
    }

    pub(crate) fn preset(game: &str) -> Result<Chosen, Failure> {
        let Preset { name, rules, .. } = preset(game).ok_or_else(|| Failure::new(unknown(game)))?;
        Ok(Chosen { rules: rules.clone(), game: Some(name), file: None, readings: Vec::new(), set: Vec::new() })
    }

    /// Rules that come with something else, a table for instance.
    pub(crate) fn own(rules: RuleSet) -> Chosen {
        Chosen { rules, game: None, file: None, readings: Vec::new(), set: Vec::new() }
    }

    /// Nothing, if these rules have a reading of this name.
    pub(crate) fn named(&self, reading: &str) -> Result<(), Failure> {
        if self.rules.readings.contains_key(reading) {
            return Ok(());
        }
        // The rules know best how to tell of a name they do not have.
        self.rules.with_changes(&[reading], &[]).map(|_| ()).map_err(|error| Failure::new(self.told(&error)))
    }

    /// Rules of one's own.
    pub(crate) fn file(path: &Path) -> Result<Chosen, Failure> {
        let text = read(path)?;
        let name = path.display().to_string();
        let rules = RuleSet::from_toml(&text).map_err(|error| Failure::new(format!("{name}: {error}")))?;
        Ok(Chosen { rules, game: None, file: Some(name), readings: Vec::new(), set: Vec::new() })
    }

    /// The same rules under further readings and changes.
    pub(crate) fn changed(mut self, readings: &[String], set: &[String]) -> Result<Chosen, Failure> {
        let mut names: Vec<&str> = Vec::new();
        for name in readings {
            if !names.contains(&name.as_str()) {
                names.push(name);
            }
        }
        let sets: Vec<&str> = set.iter().map(String::as_str).collect();
        self.rules = self.rules.with_changes(&names, &sets).map_err(|error| Failure::new(self.told(&error)))?;
        self.readings.extend(names.into_iter().map(str::to_owned));
        self.set.extend_from_slice(set);
        Ok(self)
    }

    /// Why a change cannot be made, and for an unknown key where all keys are seen.
    fn told(&self, error: &SetError) -> String {
        match error {
            SetError::Rules(RuleError::UnknownKey { .. }) => {
                format!("{error}; lumbung games show {} --toml shows its keys", self.game.unwrap_or("dakon"))
            }
            error => error.to_string(),
        }
    }

    /// The comments and all of a preset's file, as long as nothing was changed.
    pub(crate) fn toml(&self) -> String {
        match self.game.and_then(preset) {
            Some(preset) if self.readings.is_empty() && self.set.is_empty() => preset.toml.to_owned(),
            _ => self.rules.to_toml(),
        }
    }

    /// The arguments that name these rules on a command line.
    pub(crate) fn arguments(&self) -> String {
        let mut words: Vec<String> = self.game.map(str::to_owned).into_iter().collect();
        words.extend(self.file.iter().map(|file| format!("--rules {}", quoted(file))));
        words.extend(self.readings.iter().map(|name| format!("--reading {}", quoted(name))));
        words.extend(self.set.iter().map(|change| format!("--set {}", quoted(change))));
        words.join(" ")
    }

    pub(crate) fn report(&self) -> RulesReport {
        RulesReport {
            game: self.game.map(str::to_owned),
            file: self.file.clone(),
            name: self.rules.name.clone(),
            readings: self.readings.clone(),
            set: self.set.clone(),
            fingerprint: self.rules.fingerprint().to_string(),
        }
    }
}

/// The rules for people: `dakon (german-end)`.
impl fmt::Display for Chosen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.rules.name)?;
        let changes: Vec<&str> = self.readings.iter().chain(&self.set).map(String::as_str).collect();
        if changes.is_empty() { Ok(()) } else { write!(f, " ({})", changes.join(", ")) }
    }
}

/// A word as a shell takes it.
pub(crate) fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_.,=/".contains(c);
    if !word.is_empty() && word.chars().all(plain) { word.to_owned() } else { format!("'{}'", word.replace('\'', r"'\''")) }
}

/// Reads a small text file.
pub(crate) fn read(path: &Path) -> Result<String, Failure> {
    let name = path.display();
    let cannot = |error: &dyn fmt::Display| Failure::new(format!("cannot read {name}: {error}"));
    let file = std::fs::File::open(path).map_err(|error| cannot(&error))?;
    let mut text = String::new();
    file.take(LARGEST_FILE + 1).read_to_string(&mut text).map_err(|error| cannot(&error))?;
    if text.len() as u64 > LARGEST_FILE {
        return Err(cannot(&format!("it is larger than {LARGEST_FILE} bytes")));
    }
    Ok(text)
}

/// The rules of all games, each followed by its readings.
pub(crate) fn all_known() -> impl Iterator<Item = (&'static str, Option<String>, RuleSet)> {
    PRESET_NAMES.iter().filter_map(|name| preset(name)).flat_map(|Preset { name, rules, .. }| {
        let own = std::iter::once((*name, None, rules.clone()));
        let readings = rules.readings.keys();
        own.chain(readings.filter_map(move |reading| Some((*name, Some(reading.clone()), rules.with_reading(reading).ok()?))))
    })
}

/// The preset, and the reading of it, that these rules are.
pub(crate) fn known(rules: &RuleSet) -> Option<(&'static str, Vec<String>)> {
    let fingerprint = rules.fingerprint();
    let (name, reading, _) = all_known().find(|(_, _, known)| known.fingerprint() == fingerprint)?;
    Some((name, reading.into_iter().collect()))
}

/// No such preset, and perhaps which one was meant.
fn unknown(game: &str) -> String {
    let near = PRESET_NAMES
        .iter()
        .map(|name| (strsim::jaro_winkler(name, &game.to_lowercase()), name))
        .filter(|(likeness, _)| *likeness > 0.8)
        .max_by(|a, b| a.0.total_cmp(&b.0));
    let games = PRESET_NAMES.join(", ");
    match near {
        Some((_, name)) => format!("there is no game {game:?}; did you mean {name}? The games are {games}"),
        None => format!("there is no game {game:?}; the games are {games}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_near_miss_is_answered_with_the_game_meant() {
        assert!(unknown("dakkon").contains("did you mean dakon?"));
        assert!(unknown("Kalaha").contains("did you mean kalah?"));
        assert!(!unknown("chess").contains("did you mean"));
    }

    #[test]
    fn arguments_survive_a_shell() {
        assert_eq!(quoted("end.when=any-row-empty"), "end.when=any-row-empty");
        assert_eq!(quoted("sowing.stop-at=[1, 2]"), "'sowing.stop-at=[1, 2]'");
        assert_eq!(quoted("it's"), r"'it'\''s'");
    }
}

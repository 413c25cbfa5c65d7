//! Claim files, and where they are found.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use lumbung_engine::Position;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer};

use super::boards;
use super::check::Task;
use super::expectation::Expectation;
use super::readings::{Under, Variant, Variants};
use crate::args::Common;
use crate::exit::Failure;
use crate::rules::{Chosen, read};
use crate::start::{Start, one_board};
use crate::units;

/// The format this program reads.
const FORMAT: &str = "lumbung-claim/1";
/// Where claims are looked for.
const DIRECTORY: &str = "solver-results/claims";
/// Claims that come with the program.
const EMBEDDED: [&str; 16] = [
    include_str!("../../../solver-results/claims/awari-histograms.toml"),
    include_str!("../../../solver-results/claims/congklak-first-turn.toml"),
    include_str!("../../../solver-results/claims/dakon-first-player-win.toml"),
    include_str!("../../../solver-results/claims/dakon-first-player-wins-5-to-9.toml"),
    include_str!("../../../solver-results/claims/dakon-second-player-wins.toml"),
    include_str!("../../../solver-results/claims/dakon-takes-everything.toml"),
    include_str!("../../../solver-results/claims/djenon-abe-second-player-wins.toml"),
    include_str!("../../../solver-results/claims/donkers-no-opening-for-3.toml"),
    include_str!("../../../solver-results/claims/donkers-openings.toml"),
    include_str!("../../../solver-results/claims/kalah-2x5-positions.toml"),
    include_str!("../../../solver-results/claims/kalah-fair-start.toml"),
    include_str!("../../../solver-results/claims/kalah-standard-capture.toml"),
    include_str!("../../../solver-results/claims/najarian-48-own-row.toml"),
    include_str!("../../../solver-results/claims/ohvalhu-first-turn.toml"),
    include_str!("../../../solver-results/claims/san-yao-first-round.toml"),
    include_str!("../../../solver-results/claims/san-yao-match.toml"),
];

/// A claim as it is written.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(super) struct Claim {
    format: String,
    /// Letters, digits and hyphens; results are named after it.
    pub(super) id: String,
    /// One line.
    pub(super) title: String,
    /// The claim in words.
    pub(super) statement: String,
    #[serde(default)]
    pub(super) sources: Vec<String>,
    /// A preset, with readings of it and keys changed.
    game: Option<String>,
    /// A file of rules in place of a preset, named as seen from the claim.
    rules: Option<String>,
    #[serde(default)]
    readings: Vec<String>,
    #[serde(default)]
    set: Vec<String>,
    /// `PITSxSEEDS`; otherwise `boards`, a position, or the usual board.
    board: Option<String>,
    /// Several boards, as [`boards::parse`] reads them; the claim holds if it does on all of them.
    #[serde(default)]
    boards: Vec<String>,
    position: Option<String>,
    /// The readings it is to be checked under besides its own rules: `all`, `each`, or a list.
    #[serde(default)]
    under: Under,
    /// Time for one of its boards under one rule set, so that a board out of reach does not keep the others waiting.
    #[serde(default, deserialize_with = "time")]
    each: Option<Duration>,
    /// What the claim says: it holds if all of these do.
    pub(super) claimed: Vec<Expectation>,
    /// What was found beside it, recorded so that it can be found again; no part of the claim.
    #[serde(default)]
    pub(super) found: Vec<Expectation>,
    /// The file, if it came from one.
    #[serde(skip)]
    pub(super) path: Option<PathBuf>,
}

impl Claim {
    fn parse(text: &str, name: &str) -> Result<Claim, Failure> {
        let wrong = |message: String| Failure::new(format!("{name}: {message}"));
        let claim: Claim = toml::from_str(text).map_err(|error| {
            let offset = error.span().map_or(0, |span| span.start);
            let line = 1 + text.bytes().take(offset).filter(|byte| *byte == b'\n').count();
            wrong(format!("line {line}: {}", error.message()))
        })?;
        if claim.format != FORMAT {
            return Err(wrong(format!("format {:?}; this program reads {FORMAT:?}", claim.format)));
        }
        match (&claim.game, &claim.rules) {
            (Some(_), None) | (None, Some(_)) => {}
            (Some(game), Some(rules)) => {
                let both = "game takes a preset, rules a file of your own; give one of them";
                return Err(wrong(format!("game = {game:?} and rules = {rules:?}: {both}")));
            }
            (None, None) => {
                return Err(wrong(
                    "it names no rules; it needs game = \"NAME\", one of `lumbung games`, or rules = \"FILE\", a file of your own".to_owned(),
                ));
            }
        }
        let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
        if claim.id.is_empty() || !claim.id.chars().all(plain) {
            return Err(wrong(format!("id {:?} is not made of small letters, digits and hyphens", claim.id)));
        }
        if claim.claimed.is_empty() {
            return Err(wrong("it claims nothing; it needs at least one [[claimed]]".to_owned()));
        }
        let named = [claim.board.is_some(), !claim.boards.is_empty(), claim.position.is_some()];
        if named.into_iter().filter(|named| *named).count() > 1 {
            return Err(wrong("it has more than one of board, boards and position; give one of them".to_owned()));
        }
        Ok(claim)
    }

    fn from_file(path: &Path) -> Result<Claim, Failure> {
        if path.is_dir() {
            let name = path.display();
            return Err(Failure::new(format!(
                "{name} is a directory; a claim is a TOML file, or one that `lumbung claim list` lists"
            )));
        }
        let text = read(path)?;
        Ok(Claim { path: Some(path.to_owned()), ..Claim::parse(&text, &path.display().to_string())? })
    }

    /// The directory of its file, if it came from one.
    pub(super) fn directory(&self) -> Option<&Path> {
        let parent = self.path.as_ref()?.parent()?;
        Some(if parent.as_os_str().is_empty() { Path::new(".") } else { parent })
    }

    /// The preset, or the file of rules as the claim names it.
    pub(super) fn game(&self) -> &str {
        self.game.as_deref().or(self.rules.as_deref()).unwrap_or_default()
    }

    /// The rules it starts from, before readings and changes.
    fn base(&self) -> Result<Chosen, Failure> {
        match &self.rules {
            Some(file) => match self.directory() {
                Some(here) if here != Path::new(".") => Chosen::file(&here.join(file)),
                _ => Chosen::file(Path::new(file)),
            },
            None => Chosen::preset(self.game()),
        }
    }

    /// Its name for `claim check`, from the directory that holds its file or, if `elsewhere`, from where it was asked for: the id of a
    /// claim that comes with the program, otherwise the file.
    pub(super) fn name(&self, elsewhere: bool) -> String {
        let Some(path) = &self.path else { return self.id.clone() };
        let is_listed =
            path.parent() == Some(Path::new(DIRECTORY)) && path.file_stem().is_some_and(|stem| stem == self.id.as_str());
        let name = path.file_name().filter(|_| !elsewhere).map_or(path.as_path(), Path::new);
        if is_listed { self.id.clone() } else { name.display().to_string() }
    }

    /// Whether margins must be known and not only who wins.
    pub(super) fn needs_margin(&self) -> bool {
        self.claimed.iter().chain(&self.found).any(|expectation| expectation.needs_margin())
    }

    /// What it speaks of, in short: `7x7`, `5..9x1..12`, or nothing for a position.
    pub(super) fn board(&self) -> Option<String> {
        let boards = self.boards.join(" ");
        self.board.clone().or_else(|| Some(boards).filter(|boards| !boards.is_empty()))
    }

    /// Everything it has to be looked into: the positions it speaks of, under its rules and what the user changes in them, and under
    /// the readings that `under` or else the claim names.
    pub(super) fn task(self, under: Option<Under>, each: Option<Duration>, common: &Common) -> Result<Task, Failure> {
        let name = self.path.as_ref().map_or_else(|| self.id.clone(), |path| path.display().to_string());
        let under = under.unwrap_or_else(|| self.under.clone());
        let set = [&self.set[..], &common.set[..]].concat();
        let own = |added: &[String]| {
            let readings = [&self.readings[..], &common.readings[..], added].concat();
            self.base().and_then(|game| game.changed(&readings, &set))
        };
        let starts = |variants: &Variants| {
            let positions = self.positions(&set, &own(&[])?)?;
            let of_variant = |variant: &Variant| -> Result<Vec<Start>, Failure> {
                let start = |position: &Position| -> Result<Start, Failure> {
                    let chosen = own(&variant.added)?;
                    position.check(&chosen.rules).map_err(Failure::new)?;
                    Ok(Start { chosen, position: position.clone() })
                };
                positions.iter().map(start).collect()
            };
            variants.distinct.iter().map(of_variant).collect::<Result<Vec<_>, Failure>>()
        };
        let rounds = self.claimed.iter().any(|claimed| matches!(claimed, Expectation::MatchWinner { .. }));
        let task = Variants::new(&under, rounds, own).and_then(|variants| Ok((starts(&variants)?, variants)));
        let (starts, variants) = task.map_err(|failure| failure.within(&name))?;
        let each = each.or(self.each);
        let asked = under != Under::Own;
        Ok(Task { claim: self, variants, asked, starts, each })
    }

    fn positions(&self, set: &[String], chosen: &Chosen) -> Result<Vec<Position>, Failure> {
        let named = [("board", self.board()), ("position", self.position.clone())];
        for (key, value) in named.into_iter().filter_map(|(key, value)| Some((key, value?))) {
            one_board(set, &format!("{key} {value:?}"))?;
        }
        if let Some(text) = &self.position {
            return Ok(vec![text.parse::<Position>().map_err(Failure::new)?]);
        }
        let boards: Vec<String> = self.board.iter().chain(&self.boards).cloned().collect();
        let boards =
            if boards.is_empty() { vec![chosen.rules.usual_board] } else { boards::parse(&boards).map_err(Failure::new)? };
        Ok(boards.into_iter().map(Position::start).collect())
    }
}

/// A time as people write it.
fn time<'d, D: Deserializer<'d>>(deserializer: D) -> Result<Option<Duration>, D::Error> {
    let text = String::deserialize(deserializer)?;
    units::time(&text).map(Some).map_err(|why| D::Error::custom(format!("each = {text:?}: {why}")))
}

/// All claims: those of the directory, and those of the program that are not among them.
pub(super) fn all() -> Result<Vec<Claim>, Failure> {
    let mut claims: BTreeMap<String, Claim> = BTreeMap::new();
    for text in EMBEDDED {
        let claim = Claim::parse(text, "a claim of the program")?;
        claims.insert(claim.id.clone(), claim);
    }
    let cannot = |error: std::io::Error| Failure::new(format!("cannot read {DIRECTORY}: {error}"));
    if Path::new(DIRECTORY).is_dir() {
        for entry in std::fs::read_dir(DIRECTORY).map_err(cannot)? {
            let path = entry.map_err(cannot)?.path();
            if path.extension().is_some_and(|extension| extension == "toml") {
                let claim = Claim::from_file(&path)?;
                claims.insert(claim.id.clone(), claim);
            }
        }
    }
    Ok(claims.into_values().collect())
}

/// A claim by its file or its id.
pub(super) fn find(name: &str) -> Result<Claim, Failure> {
    if name.ends_with(".toml") || name.contains(std::path::MAIN_SEPARATOR) {
        return Claim::from_file(Path::new(name));
    }
    let path = Path::new(DIRECTORY).join(format!("{name}.toml"));
    if path.is_file() {
        return Claim::from_file(&path);
    }
    let claims = all()?;
    let known: Vec<String> = claims.iter().map(|claim| claim.id.clone()).collect();
    match claims.into_iter().find(|claim| claim.id == name) {
        Some(claim) => Ok(claim),
        None if Path::new(name).exists() => Claim::from_file(Path::new(name)),
        None => Err(Failure::new(format!("there is no claim {name:?}; the claims are {}", known.join(", ")))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_claims_of_the_program_are_well_formed() {
        for text in EMBEDDED {
            assert!(Claim::parse(text, "embedded").is_ok());
        }
    }

    #[test]
    fn an_id_cannot_leave_the_directory() {
        let id = Claim::parse(EMBEDDED[0], "test").unwrap().id;
        let text = EMBEDDED[0].replace(&format!("id = \"{id}\""), "id = \"../x\"");
        assert_ne!(text, EMBEDDED[0]);
        assert!(Claim::parse(&text, "test").is_err());
    }
}

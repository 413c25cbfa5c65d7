//! Claim files, and where they are found.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use lumbung_engine::{BoardSize, Position, Side};
use serde::{Deserialize, Serialize};

use crate::args::Common;
use crate::exit::Failure;
use crate::rules::{Chosen, read};
use crate::start::{Start, one_board};

/// The format this program reads.
const FORMAT: &str = "lumbung-claim/1";
/// Where claims are looked for.
const DIRECTORY: &str = "solver-results/claims";
/// Claims that come with the program.
const EMBEDDED: [&str; 1] = [include_str!("../../../solver-results/claims/dakon-first-player-win.toml")];

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
    pub(super) game: String,
    #[serde(default)]
    readings: Vec<String>,
    #[serde(default)]
    set: Vec<String>,
    /// `PITSxSEEDS`; otherwise a position, otherwise the usual board.
    pub(super) board: Option<String>,
    position: Option<String>,
    /// What the claim says: it holds if all of these do.
    pub(super) claimed: Vec<Expectation>,
    /// What was found beside it, recorded so that it can be found again; no part of the claim.
    #[serde(default)]
    pub(super) found: Vec<Expectation>,
    /// The file, if it came from one.
    #[serde(skip)]
    pub(super) path: Option<PathBuf>,
}

/// Something that is true of a position or not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub(super) enum Expectation {
    /// The player to move can store more than half of all seeds in one turn.
    WinningFirstTurn {},
    /// A player wins under best play, or nobody does.
    Winner {
        /// Who.
        player: Winner,
    },
    /// South's final store less North's under best play.
    Margin {
        /// That difference.
        margin: i32,
    },
}

/// Who wins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Winner {
    /// South.
    South,
    /// North.
    North,
    /// Nobody.
    Draw,
}

impl Winner {
    /// Who wins by South's store less North's.
    pub(super) fn of(margin: i32) -> Winner {
        match margin.signum() {
            1 => Winner::South,
            0 => Winner::Draw,
            _ => Winner::North,
        }
    }

    pub(super) fn side(self) -> Option<Side> {
        match self {
            Winner::South => Some(Side::South),
            Winner::North => Some(Side::North),
            Winner::Draw => None,
        }
    }
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
        let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
        if claim.id.is_empty() || !claim.id.chars().all(plain) {
            return Err(wrong(format!("id {:?} is not made of small letters, digits and hyphens", claim.id)));
        }
        if claim.claimed.is_empty() {
            return Err(wrong("it claims nothing; it needs at least one [[claimed]]".to_owned()));
        }
        if claim.board.is_some() && claim.position.is_some() {
            return Err(wrong("it has a board and a position; give one of them".to_owned()));
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

    /// The position it speaks of, under its rules and what the user changes in them.
    pub(super) fn start(&self, common: &Common) -> Result<Start, Failure> {
        let name = self.path.as_ref().map_or_else(|| self.id.clone(), |path| path.display().to_string());
        let within = |message: String| Failure::new(format!("{name}: {message}"));
        let readings = [&self.readings[..], &common.readings[..]].concat();
        let set = [&self.set[..], &common.set[..]].concat();
        let chosen =
            Chosen::preset(&self.game).and_then(|game| game.changed(&readings, &set)).map_err(|failure| failure.within(&name))?;
        for (key, value) in [("board", &self.board), ("position", &self.position)] {
            if let Some(value) = value {
                one_board(&set, &format!("{key} {value:?}")).map_err(|failure| failure.within(&name))?;
            }
        }
        let position = match (&self.position, &self.board) {
            (Some(text), _) => text.parse::<Position>().map_err(|error| within(error.to_string()))?,
            (None, Some(board)) => Position::start(board.parse::<BoardSize>().map_err(|error| within(error.to_string()))?),
            (None, None) => Position::start(chosen.rules.usual_board),
        };
        position.check(&chosen.rules).map_err(|error| within(error.to_string()))?;
        Ok(Start { chosen, position })
    }
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
        let text = EMBEDDED[0].replace("id = \"dakon-first-player-win\"", "id = \"../x\"");
        assert_ne!(text, EMBEDDED[0]);
        assert!(Claim::parse(&text, "test").is_err());
    }
}

//! The table that a command reads.

use std::path::{Path, PathBuf};

use clap::Args;
use lumbung_engine::rules::preset;
use lumbung_tables::cyclic::Parity;
use lumbung_tables::file::Directory;
use serde::Serialize;

use crate::args::Common;
use crate::exit::Failure;
use crate::report::RulesReport;
use crate::rules::Chosen;

/// A table's directory.
#[derive(Debug, Args)]
pub(super) struct DirectoryArgs {
    /// The directory of a table; it is refused if rules are asked for (--rules, --reading, --set) that are not its own
    #[arg(value_name = "DIR")]
    pub(super) directory: PathBuf,
}

/// Opens a table, and refuses it if other rules are asked for.
pub(super) fn open(path: &Path, common: &Common) -> Result<Directory, Failure> {
    let directory = Directory::open(path).map_err(Failure::new)?;
    if let Some(chosen) = asked(&directory, common)? {
        directory.must_be_of(&chosen.rules, directory.manifest().owners()).map_err(Failure::new)?;
    }
    Ok(directory)
}

/// The rules that were asked for beside a table, if any were.
fn asked(directory: &Directory, common: &Common) -> Result<Option<Chosen>, Failure> {
    let game = match (&common.rules, common.readings.is_empty() && common.set.is_empty()) {
        (None, true) => return Ok(None),
        (None, false) => Some(directory.manifest().game.as_str()),
        (Some(_), _) => None,
    };
    Chosen::new(game, common).map(Some)
}

/// What every document says of a table.
#[derive(Serialize)]
pub(super) struct About {
    game: String,
    rules: RulesReport,
    table: String,
    pits: usize,
    /// One letter a pit, where pits have other owners than their rows.
    owners: Option<String>,
    seeds: usize,
    encoding: &'static str,
    parity: Parity,
    complete: bool,
}

impl About {
    pub(super) fn new(directory: &Directory, common: &Common) -> About {
        let manifest = directory.manifest();
        let is_preset = preset(&manifest.game).is_some_and(|preset| preset.rules.fingerprint() == manifest.fingerprint);
        About {
            game: manifest.game.clone(),
            rules: RulesReport {
                game: is_preset.then(|| manifest.game.clone()),
                file: None,
                name: manifest.game.clone(),
                readings: common.readings.clone(),
                set: common.set.clone(),
                fingerprint: manifest.fingerprint.to_string(),
            },
            table: directory.path().display().to_string(),
            pits: manifest.pits,
            owners: manifest.owners.clone(),
            seeds: manifest.seeds,
            encoding: manifest.encoding.name(),
            parity: manifest.parity,
            complete: manifest.is_complete(),
        }
    }
}

impl About {
    /// The rule set's own name.
    pub(super) fn game(&self) -> &str {
        &self.game
    }

    /// Pits a row.
    pub(super) fn pits(&self) -> usize {
        self.pits
    }

    /// Who owns which pit, where that has to be stated.
    pub(super) fn owners(&self) -> Option<&str> {
        self.owners.as_deref()
    }

    /// Which layers it has.
    pub(super) fn parity(&self) -> Parity {
        self.parity
    }

    /// How the layers are written.
    pub(super) fn encoding(&self) -> &'static str {
        self.encoding
    }
}

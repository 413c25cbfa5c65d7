//! `table.toml`: what a directory holds.
//!
//! Its first line is the BLAKE3 digest of all that follows, so that no byte of it can change unnoticed. The rest is TOML, and
//! depends on nothing but the rules, the board and the layers.

use std::fs;
use std::io::Read as _;
use std::path::Path;

use lumbung_engine::Owners;
use lumbung_engine::rules::{Fingerprint, RuleSet};
use serde::{Deserialize, Serialize};

use super::FORMAT;
use super::error::FileError;
use crate::cyclic::{Parity, parity_allowed};

/// The manifest's name within its directory.
pub(super) const NAME: &str = "table.toml";
/// Manifests are a few pages; anything larger is none.
const LARGEST: u64 = 1 << 20;

/// How the values of a layer are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Encoding {
    /// A byte a value, two in layers of more than 127 seeds.
    Raw,
    /// A bit and a half or so a value.
    Compact,
}

impl Encoding {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Encoding::Raw => "raw",
            Encoding::Compact => "compact",
        }
    }
}

/// What is written of a table, apart from its values.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// The format of manifest and layers.
    pub format: u64,
    /// The program that wrote it: `lumbung 0.1.0`.
    pub program: String,
    /// The rule set's own name.
    pub game: String,
    /// The fingerprint of the rules.
    pub fingerprint: Fingerprint,
    /// Pits a row.
    pub pits: usize,
    /// Who owns which pit, one letter a pit in ring order; left out where each player owns her own row.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub owners: Option<String>,
    /// The most seeds of the table when it is complete.
    pub seeds: usize,
    /// How its layers are written.
    pub encoding: Encoding,
    /// Which layers it has.
    pub parity: Parity,
    /// The rules, as a rule file.
    pub rules: String,
    /// The layers written so far, rising from no seeds, or from one if only odd layers are wanted.
    #[serde(default)]
    pub layers: Vec<LayerEntry>,
}

/// What the manifest says of a layer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LayerEntry {
    /// Seeds in play.
    pub seeds: usize,
    /// Its positions.
    pub positions: u64,
    /// The name of its file.
    pub file: String,
    /// Bytes of its file.
    pub size: u64,
    /// The BLAKE3 digest of its file.
    pub digest: String,
}

/// The name of the file of a layer.
pub(super) fn layer_name(seeds: usize) -> String {
    format!("layer-{seeds:03}.lum")
}

/// This program's name and version, as it writes them.
pub(super) fn program() -> String {
    format!("lumbung {}", env!("CARGO_PKG_VERSION"))
}

impl Manifest {
    /// The manifest of a table with no layers yet.
    pub(super) fn new(rules: &RuleSet, owners: Owners, seeds: usize, encoding: Encoding, parity: Parity) -> Manifest {
        Manifest {
            format: FORMAT,
            program: program(),
            game: rules.name.clone(),
            fingerprint: rules.fingerprint(),
            pits: owners.pits(),
            owners: owners.stated(),
            seeds,
            encoding,
            parity,
            rules: rules.to_toml(),
            layers: Vec::new(),
        }
    }

    /// Its text.
    pub(super) fn to_text(&self) -> Result<String, String> {
        let text = toml::to_string(self).map_err(|error| error.to_string())?;
        Ok(format!("digest = \"{}\"\n{text}", blake3::hash(text.as_bytes()).to_hex()))
    }

    /// Reads the manifest of a directory, its rules and its digest.
    pub(super) fn read(directory: &Path) -> Result<(Manifest, RuleSet, blake3::Hash), FileError> {
        let path = directory.join(NAME);
        let mut bytes = Vec::new();
        match fs::File::open(&path) {
            Ok(file) => {
                file.take(LARGEST + 1).read_to_end(&mut bytes).map_err(|error| FileError::io("read", &path, error))?;
            }
            Err(error) if error.kind() == std::io::ErrorKind::NotFound && directory.is_dir() => {
                return Err(FileError::NoTable { path: directory.to_owned() });
            }
            Err(error) => return Err(FileError::io("read", &path, error)),
        }
        let damaged = |what: &str| FileError::damaged(&path, what);
        let text = std::str::from_utf8(&bytes).map_err(|_| damaged("it is no text"))?;
        let (digest, rest) = text
            .strip_prefix("digest = \"")
            .and_then(|rest| rest.split_once("\"\n"))
            .ok_or_else(|| damaged("it does not begin with its digest"))?;
        let hash = blake3::hash(rest.as_bytes());
        if digest != hash.to_hex().as_str() {
            return Err(damaged("its digest does not match"));
        }
        // The format is looked at first: other formats may have other fields.
        let table: toml::Table = rest.parse().map_err(|_| damaged("it is no TOML"))?;
        match table.get("format").and_then(toml::Value::as_integer) {
            Some(format) if u64::try_from(format) == Ok(FORMAT) => {}
            Some(format) => return Err(FileError::Format { path, found: u64::try_from(format).unwrap_or(0) }),
            None => return Err(damaged("it names no format")),
        }
        let manifest: Manifest = table.try_into().map_err(|error: toml::de::Error| damaged(error.message()))?;
        let rules = RuleSet::from_toml(&manifest.rules).map_err(|error| damaged(&format!("its rules: {error}")))?;
        if rules.fingerprint() != manifest.fingerprint {
            return Err(damaged("its rules do not have its fingerprint"));
        }
        if manifest.owners.is_some() && manifest.stated_owners().is_none() {
            return Err(damaged("its owners are not those of another board than one with a row for each player"));
        }
        let in_order = manifest.layers.iter().enumerate().all(|(at, layer)| {
            let seeds = manifest.parity.layer(at);
            layer.seeds == seeds && layer.file == layer_name(seeds)
        });
        if !in_order
            || manifest.layers.len() > manifest.parity.layers(manifest.seeds)
            || parity_allowed(&rules, manifest.parity).is_err()
        {
            return Err(damaged("its layers are not those of a table"));
        }
        Ok((manifest, rules, hash))
    }

    /// Who owns which pit. A manifest that was read has none but owners of its board.
    pub fn owners(&self) -> Owners {
        self.stated_owners().unwrap_or(Owners::rows(self.pits))
    }

    /// The owners it states, if they are such as it would be written with.
    fn stated_owners(&self) -> Option<Owners> {
        let owners: Owners = self.owners.as_ref()?.parse().ok()?;
        (owners.pits() == self.pits && !owners.are_rows()).then_some(owners)
    }

    /// The most seeds of which all wanted layers are there.
    pub fn complete_to(&self) -> Option<usize> {
        self.layers.last().map(|layer| layer.seeds)
    }

    /// Whether all layers are there.
    pub fn is_complete(&self) -> bool {
        self.layers.len() == self.parity.layers(self.seeds)
    }
}

//! What the server knows: its settings, tables and certificates, and what it has found out.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::time::Duration;

use lumbung_engine::RuleSet;
use lumbung_proof::Certificate;
use lumbung_tables::file::{Directory, FileError};

use super::answer::{Refusal, under_its_name};
use super::certificates::Proof;
use super::desk::Desk;
use super::values::Found;
use crate::exit::Failure;
use crate::rules::{Chosen, all_known, known};

/// How the server was started.
#[derive(Clone, Debug)]
pub(super) struct Settings {
    /// Searches at a time.
    pub(super) searches: usize,
    /// Bytes for all of them.
    pub(super) memory: u64,
    /// The time a request may take.
    pub(super) limit: Duration,
    /// Only this machine can reach it.
    pub(super) loopback: bool,
}

/// A table that is open.
#[derive(Debug)]
pub(super) struct OpenTable {
    pub(super) id: String,
    pub(super) directory: Directory,
}

impl OpenTable {
    /// What is wrong with it, under its name here: where it lies on this machine is nobody's business.
    pub(super) fn told(&self, error: &FileError) -> String {
        under_its_name(&error.to_string(), self.directory.path(), &self.id)
    }
}

/// See the [module](self).
#[derive(Debug)]
pub(super) struct App {
    pub(super) settings: Settings,
    pub(super) desk: Desk,
    pub(super) tables: Vec<OpenTable>,
    pub(super) certificates: Vec<Proof>,
    /// Rules of these that are no game's, nor a reading of one.
    pub(super) own_rules: Vec<RuleSet>,
    pub(super) found: Found,
}

/// Where certificates are looked for if none are named; absent ones are no matter.
const CERTIFICATES: [&str; 2] = ["solver-results/certificates", "solver-results/claims"];
/// Bytes of each certificate that are kept in memory.
const CERTIFICATE_MEMORY: u64 = 16 << 20;

impl App {
    /// Opens all that was named.
    pub(super) fn open(settings: Settings, tables: &[PathBuf], certificates: &[PathBuf]) -> Result<App, Failure> {
        let mut app = App {
            desk: Desk::new(settings.searches, settings.memory, settings.limit),
            settings,
            tables: Vec::new(),
            certificates: Vec::new(),
            own_rules: Vec::new(),
            found: Found::default(),
        };
        for path in tables {
            let directory = Directory::open(&whole(path)).map_err(Failure::new)?;
            directory.seeds().map_err(Failure::new)?;
            let id = id(path, |id| app.tables.iter().any(|table| table.id == id));
            app.tables.push(OpenTable { id, directory });
        }
        for path in files(certificates)? {
            let path = whole(&path);
            let certificate = Certificate::open(&path, CERTIFICATE_MEMORY).map_err(Failure::new)?;
            let id = id(&path, |id| app.certificates.iter().any(|proof| proof.id == id));
            app.certificates.push(Proof::new(id, path, certificate));
        }
        app.own_rules = app.find_own_rules();
        Ok(app)
    }

    /// Rules of tables and certificates here that are no game's, nor a reading of one.
    fn find_own_rules(&self) -> Vec<RuleSet> {
        let tables = self.tables.iter().map(|table| table.directory.rules());
        let certificates = self.certificates.iter().map(|proof| proof.certificate.rules());
        let mut own: Vec<RuleSet> = Vec::new();
        for rules in tables.chain(certificates) {
            let is_new = own.iter().all(|other| other.fingerprint() != rules.fingerprint());
            if is_new && known(rules).is_none() {
                own.push(rules.clone());
            }
        }
        own
    }

    /// The rules of a game that comes with the program, by its name; or those of a game, of a reading of one or of what is here, by
    /// their fingerprint or how that begins.
    pub(super) fn rules(&self, game: &str) -> Result<Chosen, Refusal> {
        let is_fingerprint = game.len() >= SHORTEST && game.bytes().all(|byte| byte.is_ascii_hexdigit());
        if !is_fingerprint {
            return Ok(Chosen::preset(game)?);
        }
        let game = game.to_ascii_lowercase();
        let begins = |rules: &RuleSet| rules.fingerprint().to_string().starts_with(&game);
        let own = self.own_rules.iter().filter(|rules| begins(rules)).map(|rules| Ok(Chosen::own(rules.clone())));
        let known = all_known().filter(|(_, _, rules)| begins(rules)).map(|(name, reading, _)| {
            let readings: Vec<String> = reading.into_iter().collect();
            Ok(Chosen::preset(name)?.changed(&readings, &[])?)
        });
        let mut meant: Vec<Chosen> = own.chain(known).collect::<Result<_, Refusal>>()?;
        // Some readings are the same rules as another game or reading; the first of them stands for all.
        let mut seen = HashSet::new();
        meant.retain(|chosen| seen.insert(chosen.rules.fingerprint()));
        let first = (!meant.is_empty()).then(|| meant.swap_remove(0));
        match (first, meant.len()) {
            (Some(chosen), 0) => Ok(chosen),
            (None, _) => Err(Refusal::bad(format!(
                "no game, table or certificate here goes by rules with the fingerprint {game:.64}; /api/v1/games lists those that there are"
            ))),
            (Some(_), _) => Err(Refusal::bad(format!("several rule sets here have a fingerprint that begins with {game}"))),
        }
    }

    /// The table of this name.
    pub(super) fn table(&self, id: &str) -> Result<&OpenTable, Refusal> {
        let names = || named(self.tables.iter().map(|table| &table.id));
        self.tables.iter().find(|table| table.id == id).ok_or_else(|| match names() {
            None => Refusal::unknown("there are no tables here; lumbung serve --tables DIR offers one"),
            Some(names) => Refusal::unknown(format!("there is no table {id:.40?}; there is {names}")),
        })
    }

    /// The certificate of this name.
    pub(super) fn certificate(&self, id: &str) -> Result<&Proof, Refusal> {
        let names = || named(self.certificates.iter().map(|proof| &proof.id));
        self.certificates.iter().find(|proof| proof.id == id).ok_or_else(|| match names() {
            None => Refusal::unknown("there are no certificates here; lumbung serve --certificates FILE offers one"),
            Some(names) => Refusal::unknown(format!("there is no certificate {id:.40?}; there is {names}")),
        })
    }
}

/// Digits of the shortest beginning of a fingerprint that names rules.
const SHORTEST: usize = 8;

/// A path from the root on, so that no part of a message can be taken for it; as it is where the system does not tell.
fn whole(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned())
}

fn named<'n>(names: impl Iterator<Item = &'n String>) -> Option<String> {
    let names: Vec<&str> = names.map(String::as_str).collect();
    (!names.is_empty()).then(|| names.join(", "))
}

/// A name for a file or a directory, of letters, digits, dots, hyphens and underscores, that no other one has.
fn id(path: &Path, taken: impl Fn(&str) -> bool) -> String {
    let name = path.canonicalize().ok().and_then(|path| Some(path.file_stem()?.to_string_lossy().into_owned()));
    let plain = |c: char| if c.is_ascii_alphanumeric() || "-_.".contains(c) { c } else { '-' };
    let name: String = name.unwrap_or_default().chars().map(plain).collect();
    let name = if name.is_empty() { "unnamed".to_owned() } else { name };
    let numbered = (2..).map(|number| format!("{name}-{number}"));
    std::iter::once(name.clone()).chain(numbered).find(|name| !taken(name)).unwrap_or(name)
}

/// The certificates named, those of directories in order.
fn files(named: &[PathBuf]) -> Result<Vec<PathBuf>, Failure> {
    let usual: Vec<PathBuf> = CERTIFICATES.iter().map(PathBuf::from).filter(|path| path.is_dir()).collect();
    let mut files = Vec::new();
    for path in if named.is_empty() { &usual } else { named } {
        if !path.is_dir() {
            files.push(path.clone());
            continue;
        }
        let cannot = |error: std::io::Error| Failure::new(format!("cannot read {}: {error}", path.display()));
        let mut inside = Vec::new();
        for entry in std::fs::read_dir(path).map_err(cannot)? {
            let path = entry.map_err(cannot)?.path();
            if path.extension().is_some_and(|extension| extension == "lumcert") {
                inside.push(path);
            }
        }
        if inside.is_empty() && !named.is_empty() {
            return Err(Failure::new(format!("{} holds no certificate: no file ending in .lumcert", path.display())));
        }
        inside.sort();
        files.extend(inside);
    }
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_plain_and_differ() {
        let directory = tempfile::tempdir().expect("a directory");
        let path = directory.path().join("a b.lumcert");
        std::fs::write(&path, "").expect("a file");
        assert_eq!(id(&path, |_| false), "a-b");
        assert_eq!(id(&path, |id| id == "a-b"), "a-b-2");
    }
}

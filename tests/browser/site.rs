//! The server that all tests share, with two tables, the certificates of the project, and one of rules of its own.

use std::process::{Child, Command};
use std::sync::OnceLock;

use serde_json::Value;

use crate::driver::{line, tied};

pub(crate) struct Site {
    /// The address of the page, without the slash at its end.
    pub(crate) page: String,
    /// The directory of the table `k3`.
    pub(crate) table: String,
    _server: Child,
    _tables: tempfile::TempDir,
}

/// What the program prints, which must have gone well.
pub(crate) fn lumbung(words: &[&str]) -> Value {
    let output = Command::new(env!("CARGO_BIN_EXE_lumbung")).args(words).arg("--json").output().expect("the program runs");
    assert!(output.status.success(), "{words:?}: {}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{words:?}: {error}"))
}

static SITE: OnceLock<Site> = OnceLock::new();

pub(crate) fn site() -> &'static Site {
    SITE.get_or_init(|| {
        let tables = tempfile::tempdir().expect("a directory");
        let table = tables.path().join("k3").display().to_string();
        lumbung(&["table", "build", "kalah", "--pits", "3", "--seeds", "8", "--out", &table]);
        // Rules that are no game's: a lap passes over the pit that it was lifted from, and the mover takes what is left.
        let own = ["--set", "sowing.origin=skipped", "--set", "end.remainder=mover"];
        let own_table = tables.path().join("own").display().to_string();
        lumbung(&[&["table", "build", "kalah", "--pits", "2", "--seeds", "4", "--out", &own_table], &own[..]].concat());
        let proof = tables.path().join("own.lumcert").display().to_string();
        lumbung(&[&["solve", "kalah", "--board", "2x2", "--certificate", &proof], &own[..]].concat());
        let binary = env!("CARGO_BIN_EXE_lumbung");
        let certificates = concat!(env!("CARGO_MANIFEST_DIR"), "/solver-results/certificates");
        let mut server =
            tied(&format!("'{binary}' serve --bind 127.0.0.1:0 --limit 20s --tables '{table}' --tables '{own_table}' --certificates '{certificates}' --certificates '{proof}'"));
        let started = line(&mut server, "Lumbung is at ");
        let page = started.trim_start_matches("Lumbung is at ").trim_end_matches('/').to_owned();
        Site { page, table, _server: server, _tables: tables }
    })
}

//! Certificates through the binary: written, checked by both checkers, explained, and refused when anything is wrong.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use lumbung_engine::rules::PRESET_NAMES;
use lumbung_proof::{Certificate, Contents, Entry, Options, Verdict, to_bytes, verify};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::contract;
use crate::run::run;

/// Runs a command with `--json` and holds its document against the schema.
pub(crate) fn document(command: &str, code: i32, words: &[&str]) -> Value {
    contract::document(command, code, &[&[command], words].concat())
}

pub(crate) struct Place(TempDir);

impl Place {
    pub(crate) fn new() -> Self {
        Place(tempfile::tempdir().expect("a temporary directory"))
    }

    pub(crate) fn path(&self, name: &str) -> String {
        self.0.path().join(name).to_str().expect("a path in UTF-8").to_owned()
    }
}

/// Solves with a certificate.
pub(crate) fn certify(file: &str, words: &[&str]) {
    let ran = run(&[&["solve"], words, &["--certificate", file]].concat());
    assert_eq!(ran.code, Some(0), "{words:?}: {}", ran.stderr);
}

#[test]
fn a_margin_is_pinned_by_two_claims() {
    let place = Place::new();
    let file = place.path("dakon.lumcert");
    let solved = document("solve", 0, &["dakon", "--board", "3x5", "--certificate", &file]);
    assert_eq!(solved["margin"], -10);
    let verified = document("verify", 0, &[&file]);
    assert_eq!(verified["valid"], true);
    assert_eq!(verified["entries"], solved["certificate"]["entries"]);
    let proves = verified["proves"].as_array().expect("two claims");
    let pinned: Vec<_> = proves.iter().map(|claim| (claim["player"].clone(), claim["bound"].clone())).collect();
    assert_eq!(pinned, [(json!("south"), json!(-10)), (json!("north"), json!(10))]);
    assert!(proves.iter().all(|claim| claim["game"] == "dakon" && claim["board"] == "3x5"));
    assert_eq!(verified["rules"]["game"], "dakon");
    let text = run(&["verify", &file]);
    assert!(text.text().contains("In dakon on 3x5, North ends at least 10 ahead, whatever South plays."), "{}", text.stdout);
}

#[test]
fn who_wins_is_one_claim() {
    let place = Place::new();
    let file = place.path("dakon.lumcert");
    certify(&file, &["dakon", "--board", "3x5", "--goal", "outcome", "--reading", "german-end"]);
    let verified = document("verify", 0, &[&file]);
    assert_eq!(verified["proves"]["bound"], 1);
    assert_eq!(verified["rules"]["readings"], json!(["german-end"]));
    assert_eq!(run(&["verify", &file, "--reading", "german-end"]).code, Some(0));
    let other = run(&["verify", &file, "--reading", "no-mikul"]);
    assert_eq!(other.code, Some(2));
    assert!(other.stderr.contains("of other rules than those asked for"), "{}", other.stderr);
}

#[test]
fn what_is_wrong_is_told_apart() {
    let place = Place::new();
    let file = place.path("dakon.lumcert");
    certify(&file, &["dakon", "--board", "3x3"]);
    let bytes = fs::read(&file).expect("read");
    for at in [0, 7, 9, 13, 100, bytes.len() - 1] {
        let mut flipped = bytes.clone();
        flipped[at] ^= 0x10;
        fs::write(&file, flipped).expect("written");
        let refused = document("verify", 1, &[&file]);
        assert_eq!((&refused["valid"], &refused["proves"]), (&json!(false), &Value::Null), "byte {at}");
        assert!(refused["fault"]["what"].is_string(), "byte {at}");
    }
    assert_eq!(run(&["verify", &place.path("nothing")]).code, Some(2));
    fs::write(&file, "no certificate").expect("written");
    assert_eq!(run(&["verify", &file]).code, Some(1));
    let nowhere = run(&["solve", "dakon", "--board", "3x3", "--certificate", &place.path("no/such/place")]);
    assert_eq!(nowhere.code, Some(2), "{}", nowhere.stdout);
    fs::write(&file, bytes).expect("written");
    assert_eq!(run(&["verify", &file, "--limit", "1ns"]).code, Some(3));
}

#[test]
fn a_strategy_can_be_played() {
    let place = Place::new();
    let file = place.path("dakon.lumcert");
    certify(&file, &["dakon", "--board", "4x4"]);
    let told = run(&["verify", &file, "--explain"]);
    let text = told.text();
    assert!(text.contains("South ends with a margin of at least 32"), "{text}");
    let one_line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(one_line.contains("Start: 4,4,4,4/4,4,4,4/0,0/s. Rules: dakon, as lumbung has them (fingerprint"), "{text}");
    // The turn that it starts with, played by the referee, must be one that South may play.
    let turn = text.split("South plays ").nth(1).and_then(|rest| rest.split([',', '\n']).next()).expect("a turn");
    let played = run(&["play", "dakon", "--board", "4x4", "--moves", turn, "--json"]);
    assert_eq!(played.code, Some(0), "{}", played.stderr);
    for (name, mark) in [("page.html", "<a href=\"#a2\">board 2</a>"), ("page.md", "[board a2](#board-a2)")] {
        let page = place.path(name);
        certify(&file, &["kalah", "--board", "2x2"]);
        assert_eq!(run(&["verify", &file, "--explain", "--out", &page]).code, Some(0));
        let page = fs::read_to_string(&page).expect("a page");
        assert!(page.contains(mark), "{page}");
    }
}

pub(crate) fn has_python() -> bool {
    let available = Command::new("python3").args(["-c", "import tomllib, zstandard"]).output();
    let is_there = available.is_ok_and(|ran| ran.status.success());
    if !is_there {
        assert!(std::env::var_os("CI").is_none(), "python3 with zstandard must be installed where CI is set");
        eprintln!("skipped: no python3 with zstandard");
    }
    is_there
}

#[test]
fn the_referee_in_python_plays_the_worked_examples() {
    if !has_python() {
        return;
    }
    let script = format!("{}/scripts/check_certificate_test.py", env!("CARGO_MANIFEST_DIR"));
    let ran = Command::new("python3").args(["-B", &script]).output().expect("python3 runs");
    assert_eq!(String::from_utf8_lossy(&ran.stderr), "");
    assert!(ran.status.success());
}

/// Runs the checker in Python on all these files at once; whether it finds each of them valid. Nothing where there is no Python
/// to run it, which is not allowed in CI.
pub(crate) fn python(files: &[String]) -> Option<Vec<bool>> {
    if !has_python() {
        return None;
    }
    let script = format!("{}/scripts/check_certificate.py", env!("CARGO_MANIFEST_DIR"));
    let ran = Command::new("python3").arg(script).args(files).output().expect("python3 runs");
    assert_eq!(String::from_utf8_lossy(&ran.stderr), "");
    let text = String::from_utf8(ran.stdout).expect("UTF-8");
    let verdicts: Vec<bool> =
        files.iter().map(|file| text.lines().any(|line| line.starts_with(&format!("{file}: valid")))).collect();
    let refused = files.iter().filter(|file| text.lines().any(|line| line.starts_with(&format!("{file}: INVALID")))).count();
    assert_eq!(verdicts.iter().filter(|valid| !**valid).count(), refused, "{text}");
    assert_eq!(ran.status.code(), Some(i32::from(refused > 0)));
    Some(verdicts)
}

#[test]
fn the_checker_in_python_agrees() {
    let place = Place::new();
    let mut files = Vec::new();
    for name in PRESET_NAMES {
        let file = place.path(&format!("{name}.lumcert"));
        certify(&file, &[name, "--board", "2x3"]);
        files.push(file);
    }
    for (number, words) in [
        vec!["dakon", "--board", "3x2", "--reading", "german-end"],
        vec!["dakon", "--board", "3x2", "--reading", "must-pass"],
        vec!["dakon", "--board", "3x2", "--reading", "donkers"],
        vec!["djenon-abe", "--board", "3x2", "--reading", "oware-feeding"],
        vec!["awari", "--position", "1,0,2,0,1,1/0,1,0,0,0,2/20,20/s"],
        vec!["awari", "--position", "1,0,2,0,1,1/0,1,0,0,0,2/20,20/n", "--set", "capture.count.grand-slam=forbidden"],
        vec!["san-yao", "--position", "2,2,1/0,2,2/3,0/n/sssssn"],
    ]
    .into_iter()
    .enumerate()
    {
        let file = place.path(&format!("{number}.lumcert"));
        certify(&file, &words);
        files.push(file);
    }
    let Some(verdicts) = python(&files) else { return };
    for (file, valid) in files.iter().zip(verdicts) {
        assert!(valid, "{file}");
        assert_eq!(run(&["verify", file]).code, Some(0), "{file}");
    }
}

fn is_valid(path: &Path) -> bool {
    let certificate = Certificate::open(path, 1 << 20).expect("readable");
    verify(&certificate, Options { stop: &|| false, progress: &|_| (), table: None }).expect("readable") == Verdict::Proven
}

#[test]
fn both_checkers_refuse_the_same_changes() {
    let place = Place::new();
    let mut files = Vec::new();
    for (name, board) in [("dakon", "2x2"), ("djenon-abe", "2x2"), ("awari", "2x2"), ("san-yao", "2x3")] {
        let file = place.path(name);
        certify(&file, &[name, "--board", board]);
        let certificate = Certificate::open(Path::new(&file), 1 << 20).expect("readable");
        let entries = certificate.read_all().expect("readable");
        for number in 0..entries.len().min(12) {
            let entry = &entries[number];
            let changes = [
                None,
                Some(Entry { value: entry.value + 1, ..entry.clone() }),
                Some(Entry { value: entry.value - 1, ..entry.clone() }),
                Some(Entry { counter: 0, ..entry.clone() }),
                Some(Entry { pit: entry.pit.map(|pit| lumbung_engine::Pit(pit.0 ^ 1)), ..entry.clone() }),
            ];
            for (which, change) in changes.into_iter().enumerate() {
                let mut changed = entries.clone();
                changed.splice(number..=number, change);
                let (rules, owners, claims) = (certificate.rules(), certificate.owners(), certificate.claims());
                let contents = Contents { program: "a test", rules, owners, claims, entries: changed, table: None };
                let file = place.path(&format!("{name}-{number}-{which}"));
                fs::write(&file, to_bytes(contents).expect("a certificate")).expect("written");
                files.push(file);
            }
        }
    }
    let Some(verdicts) = python(&files) else { return };
    assert!(verdicts.iter().filter(|valid| !**valid).count() > 40);
    for (file, valid) in files.iter().zip(verdicts) {
        assert_eq!(is_valid(Path::new(file)), valid, "{file}");
    }
}

/// The certificates that are committed.
fn committed() -> Vec<PathBuf> {
    let directory = format!("{}/solver-results/certificates", env!("CARGO_MANIFEST_DIR"));
    let entries = fs::read_dir(&directory).expect(&directory).map(|entry| entry.expect("an entry").path());
    let mut files: Vec<PathBuf> = entries.filter(|path| path.extension().is_some_and(|is| is == "lumcert")).collect();
    files.sort();
    files
}

#[test]
fn committed_certificates_are_valid() {
    let files = committed();
    assert!(!files.is_empty());
    for file in files.iter().filter(|file| file.metadata().is_ok_and(|file| file.len() < 200_000)) {
        assert!(is_valid(file), "{}", file.display());
    }
}

/// Solves 3x3 boards with tables of up to eight seeds, and leaves what these know to them.
pub(crate) fn lean(place: &Place, game: &str) -> (String, String) {
    let (table, file) = (place.path(&format!("{game}-8")), place.path(&format!("{game}.lumcert")));
    let built = run(&["table", "build", game, "--pits", "3", "--seeds", "8", "--out", &table]);
    assert_eq!(built.code, Some(0), "{}", built.stderr);
    let words = ["solve", game, "--board", "3x3", "--tables", &table, "--certificate", &file];
    let whole = document("solve", 0, &words[1..]);
    assert_eq!(whole["certificate"].get("table"), None);
    let solved = document("solve", 0, &[&words[1..], &["--lean-on-table"]].concat());
    let (entries, leaves) = (&solved["certificate"]["entries"], &solved["certificate"]["table"]["leaves"]);
    assert!(leaves.as_u64() > Some(0) && entries.as_u64() < whole["certificate"]["entries"].as_u64(), "{entries}, {leaves}");
    (table, file)
}

#[test]
fn a_proof_may_lean_on_a_table() {
    let place = Place::new();
    for game in ["kalah", "djenon-abe"] {
        let (table, file) = lean(&place, game);
        let provided = document("verify", 3, &[&file]);
        assert_eq!(
            (&provided["valid"], &provided["status"], &provided["proves"]),
            (&json!(false), &json!("provided"), &Value::Null)
        );
        let manifest = fs::read_to_string(Path::new(&table).join("table.toml")).expect("a manifest");
        let digest = provided["table"]["digest"].as_str().expect("a digest");
        assert!(manifest.starts_with(&format!("digest = \"{digest}\"\n")), "{manifest}");
        let told = run(&["verify", &file]);
        assert!(told.stdout.contains("provided that the endgame table it leans on is right"), "{}", told.stdout);
        let whole = document("verify", 0, &[&file, "--tables", &table]);
        assert_eq!(
            (&whole["valid"], &whole["status"], whole["table"]["leaves"].clone()),
            (&json!(true), &json!("valid"), provided["table"]["leaves"].clone())
        );
        assert!(whole["table"]["checked"].as_u64() > Some(1_000), "{whole}");
        let explained = run(&["verify", &file, "--tables", &table, "--explain"]);
        assert!(explained.text().contains("where by the table the player to move gains at"), "{}", explained.stdout);
        if has_python() {
            let script = format!("{}/scripts/check_certificate.py", env!("CARGO_MANIFEST_DIR"));
            let ran = Command::new("python3").args([&script, &file]).output().expect("python3 runs");
            let text = String::from_utf8_lossy(&ran.stdout).into_owned();
            assert_eq!(ran.status.code(), Some(3), "{text}");
            let says =
                format!("valid PROVIDED that {} values of the endgame table of digest {digest}", provided["table"]["leaves"]);
            assert!(text.contains(&says), "{text}");
        }
    }
}

#[test]
fn another_table_is_refused_and_a_doctored_one_found_out() {
    let place = Place::new();
    let (table, file) = lean(&place, "kalah");
    for (game, seeds, says) in
        [("kalah", "7", "is not the table that the certificate leans on"), ("kalah-empty-capture", "8", "kalah")]
    {
        let other = place.path("other");
        let built = run(&["table", "build", game, "--pits", "3", "--seeds", seeds, "--out", &other]);
        assert_eq!(built.code, Some(0), "{}", built.stderr);
        let refused = run(&["verify", &file, "--tables", &other]);
        assert_eq!(refused.code, Some(2), "{}", refused.stdout);
        assert!(refused.stderr.contains(says), "{}", refused.stderr);
        fs::remove_dir_all(&other).expect("removed");
    }
    let layer = Path::new(&table).join("layer-007.lum");
    let good = fs::read(&layer).expect("a layer");
    for at in [20, good.len() / 2, good.len() - 1] {
        let mut doctored = good.clone();
        doctored[at] ^= 1;
        fs::write(&layer, doctored).expect("written");
        let refused = document("verify", 1, &[&file, "--tables", &table]);
        let what = refused["fault"]["what"].as_str().expect("a fault");
        assert!(what.starts_with("the table that it leans on: "), "{what}");
    }
    fs::write(&layer, good).expect("written");
    assert_eq!(run(&["verify", &file, "--tables", &table]).code, Some(0));
    assert_eq!(run(&["verify", &file, "--tables", &table, "--limit", "1ns"]).code, Some(3));
    let without = run(&["solve", "kalah", "--board", "3x3", "--certificate", &file, "--lean-on-table"]);
    assert_eq!(without.code, Some(2), "{}", without.stdout);
}

//! The JSON documents: one per run, schema first, as the committed schemas have it, with the fields that others read.

use jsonschema::Validator;
use serde_json::Value;

use crate::run::run;

fn schema(command: &str) -> Value {
    let path = format!("{}/schemas/{command}.schema.json", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{path}: {error}"))
}

fn validator(command: &str) -> Validator {
    jsonschema::draft202012::new(&schema(command)).unwrap_or_else(|error| panic!("{command}: {error}"))
}

/// Holds a document against the schema of its command.
pub(crate) fn valid(command: &str, document: &Value) {
    let errors: Vec<String> =
        validator(command).iter_errors(document).map(|error| format!("{}: {error}", error.instance_path())).collect();
    assert!(errors.is_empty(), "{command}: {errors:#?}");
}

/// Runs a command with `--json` and holds its document against the schema.
pub(crate) fn document(command: &str, code: i32, words: &[&str]) -> Value {
    let ran = run(&[words, &["--json"]].concat());
    assert_eq!(ran.code, Some(code), "{words:?}: {}", ran.stderr);
    assert_eq!(ran.stderr, "", "{words:?}");
    let first = format!("{{\n  \"schema\": \"lumbung/{command}/1\",\n");
    assert!(ran.stdout.starts_with(&first), "{words:?}: {}", ran.stdout);
    let document = ran.json();
    valid(command, &document);
    document
}

pub(crate) fn has(document: &Value, fields: &[&str]) {
    for field in fields {
        assert!(document.get(field).is_some(), "no {field} in {document}");
    }
}

const DAKON: &[&str] = &["dakon", "--board", "4x4"];

#[test]
fn games() {
    let list = document("games", 0, &["games"]);
    assert_eq!(list["games"].as_array().map(Vec::len), Some(10));
    let one = document("games", 0, &["games", "show", "dakon", "--reading", "german-end"]);
    assert_eq!(one["games"][0]["rules"]["readings"], serde_json::json!(["german-end"]));
}

#[test]
fn play() {
    let fields = ["position", "over", "margin", "legal"];
    let start = document("play", 0, &["play", "dakon"]);
    has(&start, &fields);
    assert_eq!(start["legal"], serde_json::json!([1, 2, 3, 4, 5, 6, 7]));
    assert_eq!(start["rules"]["fingerprint"].as_str().map(str::len), Some(64));
    let over = document("play", 0, &["play", "dakon", "--position", "0,0/0,2/3,1/s"]);
    assert_eq!((&over["over"], &over["margin"]), (&true.into(), &0.into()));
    assert_eq!(over["position"], "0,0/0,0/3,3/s");
    let pass = document("play", 0, &["play", "djenon-abe", "--position", "0,0,0,0,0,0/0,0,0,0,3,1"]);
    assert_eq!((&pass["over"], &pass["must_pass"]), (&false.into(), &true.into()));
    document("play", 0, &["play", "san-yao", "--position", "5,5,5,5,5/5,5,5,5,5/0,0/s/ssssssnnnn", "--moves", "6", "--trace"]);
    for game in ["dakon", "kalah", "awari", "djenon-abe", "djenon-aboure", "san-yao"] {
        let traced = document("play", 0, &["play", game, "--moves", "2", "--trace"]);
        assert_eq!(traced["trace"].as_array().map(Vec::len), Some(1));
    }
}

#[test]
fn perft() {
    let counts = document("perft", 0, &["perft", "awari", "--depth", "3"]);
    has(&counts, &["depth", "moves", "turns"]);
    assert_eq!(counts["rows"].as_array().map(Vec::len), Some(3));
}

#[test]
fn turns() {
    let turn = document("turns", 0, &["turns", "dakon"]);
    has(&turn, &["best_store", "line", "moves", "laps", "exhaustive", "states", "winning"]);
    document("turns", 0, &["turns", "awari", "--goal", "max"]);
    document("turns", 0, &["turns", "dakon", "--position", "0,0/0,2/3,1/s"]);
}

const SOLVE: [&str; 13] = [
    "game",
    "board",
    "rules",
    "position",
    "proven",
    "margin",
    "bounds",
    "outcome",
    "line",
    "nodes",
    "table_hits",
    "threads",
    "seconds",
];

#[test]
fn solve() {
    let solved = document("solve", 0, &[&["solve"], DAKON].concat());
    has(&solved, &SOLVE);
    assert_eq!((&solved["game"], &solved["board"]), (&"dakon".into(), &"4x4".into()));
    document("solve", 0, &[&["solve"], DAKON, &["--goal", "outcome"]].concat());
    document("solve", 0, &["solve", "dakon", "--position", "0,0/0,2/3,1/s"]);
    let position = document("solve", 0, &["solve", "awari", "--position", "0,0,0,0,2,1/1,0,0,0,0,0/22,22/s"]);
    assert_eq!(position["board"], Value::Null);
    let unsettled = document("solve", 3, &["solve", "awari", "--nodes", "1000"]);
    has(&unsettled, &SOLVE);
    assert_eq!((&unsettled["proven"], &unsettled["margin"]), (&false.into(), &Value::Null));
    assert_eq!(unsettled["stopped"], "nodes");
}

#[test]
fn analyse() {
    let values = document("analyse", 0, &[&["analyse"], DAKON].concat());
    has(&values, &["value", "moves"]);
    let moves = values["moves"].as_array().expect("moves");
    assert_eq!(moves.len(), 4);
    moves.iter().for_each(|choice| has(choice, &["pit", "value", "gain", "again"]));
    document("analyse", 0, &["analyse", "dakon", "--position", "0,0/0,2/3,1/s"]);
    let open = document("analyse", 3, &["analyse", "awari", "--nodes", "1000"]);
    assert_eq!(open["stopped"], "nodes");
}

#[test]
fn matches() {
    let solved = document("match", 0, &["match", "san-yao"]);
    has(&solved, &["winner", "rounds", "assumed"]);
    has(&solved["rounds"][0], &["starter", "owners", "margin", "stores", "lent", "debt"]);
    for reading in ["winner-chooses", "debt", "void", "same-starter"] {
        document("match", 0, &["match", "san-yao", "--board", "2x3", "--reading", reading]);
    }
    let open = document("match", 3, &["match", "san-yao", "--board", "7x7", "--limit", "1ms"]);
    assert_eq!((&open["winner"], &open["stopped"]), (&"undecided".into(), &"time".into()));
    let played = document("play", 0, &["play", "san-yao", "--match", "--moves", "1 / 1", "--trace"]);
    assert_eq!((&played["match"]["over"], &played["position"]), (&false.into(), &played["match"]["rounds"][0]["position"]));
}

#[test]
fn claims() {
    let list = document("claim-list", 0, &["claim", "list"]);
    let ids: Vec<_> = list["claims"].as_array().expect("claims").iter().map(|claim| &claim["id"]).collect();
    assert!(ids.contains(&&"dakon-first-player-win".into()), "{ids:?}");
    let checked = document("claim-check", 0, &["claim", "check", "dakon-first-player-win", "--no-write"]);
    let claim = &checked["claims"][0];
    has(claim, &["id", "status", "readings"]);
    has(&claim["readings"][0], &["name", "status"]);
}

/// A schema that let a document without a field pass would not notice its loss.
#[test]
fn schemas_require_what_others_read() {
    let solved = document("solve", 0, &[&["solve"], DAKON].concat());
    let validator = validator("solve");
    for field in SOLVE.iter().chain(&["schema", "program"]) {
        let mut lacking = solved.clone();
        lacking.as_object_mut().expect("an object").remove(*field);
        assert!(!validator.is_valid(&lacking), "valid without {field}");
    }
    let mut other = solved.clone();
    other["schema"] = "lumbung/solve/2".into();
    assert!(!validator.is_valid(&other));
    let mut wrong = solved;
    wrong["line"] = "1,2".into();
    assert!(!validator.is_valid(&wrong));
}

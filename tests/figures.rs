//! Published and independently found values, through the binary.

use serde_json::Value;

use crate::run::run;

fn margin(words: &[&str]) -> i64 {
    let ran = run(&[&["solve"], words, &["--json"]].concat());
    assert_eq!(ran.code, Some(0), "{words:?}: {}", ran.stderr);
    let solved = ran.json();
    assert_eq!(solved["proven"], true, "{words:?}");
    solved["margin"].as_i64().unwrap_or_else(|| panic!("{words:?}: {solved}"))
}

/// The line of a solution, replayed, ends the game with its margin.
fn replayed(words: &[&str], expected: i64) {
    let solved = run(&[&["solve"], words, &["--json"]].concat()).json();
    let line = solved["line"].as_str().expect("a line");
    let played = run(&[&["play"], words, &["--moves", line, "--json"]].concat()).json();
    assert_eq!((&played["over"], &played["margin"]), (&Value::Bool(true), &expected.into()), "{words:?}: {line}");
}

#[test]
fn dakon() {
    for (board, expected) in [("7x7", 98), ("6x6", 72), ("4x4", 32), ("3x5", -10), ("3x7", 0)] {
        let words = ["dakon", "--board", board];
        assert_eq!(margin(&words), expected, "{board}");
        replayed(&words, expected);
    }
}

/// Margins of `PITSx1`, `PITSx2` and so on.
fn margins(game: &str, pits: usize, expected: &[i64]) {
    for (seeds, expected) in (1..).zip(expected) {
        let board = format!("{pits}x{seeds}");
        assert_eq!(margin(&[game, "--board", &board]), *expected, "{game} {board}");
    }
}

/// Irving, Donkers and Uiterwijk 2000, Solving Kalah: the outcomes of Table 10 for up to three pits, whose margins are not
/// printed and were computed independently.
#[test]
fn kalah_with_empty_capture_on_small_boards() {
    let outcomes = [[0, -1, 1, -1, 1, 0], [1, -1, -1, -1, 1, 1], [0, 1, 1, 1, 1, -1]];
    let values: [[i64; 6]; 3] = [[0, -2, 6, -2, 2, 0], [2, -2, -2, -12, 6, 8], [0, 4, 2, 2, 6, -10]];
    for (pits, (values, outcomes)) in (1..).zip(values.iter().zip(outcomes)) {
        assert_eq!(values.map(i64::signum), outcomes);
        margins("kalah-empty-capture", pits, values);
    }
}

/// Table 9 of the same paper.
#[test]
fn kalah_with_empty_capture() {
    margins("kalah-empty-capture", 4, &[2, 6, 8, 2, 2, 0]);
    margins("kalah-empty-capture", 5, &[0, 0, 8, 12]);
    margins("kalah-empty-capture", 6, &[2, 10, 2]);
}

/// Computed independently; not from the paper.
#[test]
fn kalah_with_standard_capture() {
    margins("kalah", 1, &[0, -2, 6, -2, 2, 0]);
    margins("kalah", 2, &[2, -2, -2, -10, 6, 8]);
    margins("kalah", 3, &[0, 4, 2, 2, 6, -8]);
    margins("kalah", 4, &[2, 6, 6, 2, 4, 0]);
    margins("kalah", 5, &[0, 2, 6, 10]);
    margins("kalah", 6, &[2, 6, 2]);
}

#[test]
fn a_rule_file_solves_as_its_preset() {
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("mine.toml");
    let toml = lumbung!("games", "show", "dakon", "--toml");
    std::fs::write(&path, toml.text()).expect("written");
    assert_eq!(margin(&["--rules", path.to_str().expect("a path of letters"), "--board", "4x4"]), 32);
}

#[test]
fn every_move_of_the_start_is_worth_what_play_after_it_is() {
    let values = lumbung!("analyse", "dakon", "--board", "4x4", "--json").json();
    for choice in values["moves"].as_array().expect("moves") {
        let pit = choice["pit"].to_string();
        let after = lumbung!("play", "dakon", "--board", "4x4", "--moves", pit, "--json").json();
        let position = after["position"].as_str().expect("a position").to_owned();
        assert_eq!(margin(&["dakon", "--position", &position]), choice["value"].as_i64().expect("a value"), "pit {pit}");
    }
    assert_eq!(values["value"], 32);
}

/// The numbers that Oware programs agree on.
#[test]
fn perft_of_awari() {
    for reading in ["grand-slam-forbidden", "grand-slam-no-capture"] {
        let counts = lumbung!("perft", "awari", "--reading", reading, "--depth", "6", "--json").json();
        let moves: Vec<_> = counts["rows"].as_array().expect("rows").iter().map(|row| row["moves"].as_u64()).collect();
        assert_eq!(moves, [6, 36, 190, 1014, 5219, 27332].map(Some));
        assert_eq!(counts["moves"], 27332);
        assert_eq!(counts["turns"], 27332);
    }
}

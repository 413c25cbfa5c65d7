//! Searches through the binary: with tables from disk, and in several sittings.

use std::path::Path;

use crate::run::{Ran, run};

fn path(directory: &Path, name: &str) -> String {
    directory.join(name).to_str().expect("a path in UTF-8").to_owned()
}

fn build(words: &[&str], out: &str) {
    let ran = run(&[&["table", "build"], words, &["--out", out]].concat());
    assert_eq!(ran.code, Some(0), "{words:?}: {}", ran.stderr);
}

fn refused(ran: &Ran, says: &[&str]) {
    assert_eq!(ran.code, Some(2), "{} {}", ran.stdout, ran.stderr);
    assert_eq!((ran.stdout.as_str(), ran.stderr.lines().count()), ("", 1), "{}", ran.stderr);
    for words in says {
        assert!(ran.stderr.contains(words), "{words:?} is not in {:?}", ran.stderr);
    }
}

#[test]
fn a_table_from_disk_changes_no_answer_and_is_used() {
    let place = tempfile::tempdir().expect("a temporary directory");
    let dir = path(place.path(), "kalah");
    build(&["kalah", "--pits", "4", "--seeds", "9"], &dir);
    let solve = ["solve", "kalah", "--board", "4x4", "--json"];
    let without = run(&solve).json();
    for more in [&[][..], &["--table-seeds", "6"], &["--table-seeds", "11"], &["--threads", "1"]] {
        let with = run(&[&solve[..], &["--tables", &dir], more].concat()).json();
        assert_eq!((&with["margin"], &with["proven"]), (&without["margin"], &true.into()));
        assert!(with["table_hits"].as_u64() > Some(0), "{with}");
        if let ["--table-seeds", seeds] = more {
            // Exactly so many, also where the files have fewer.
            assert_eq!(with["table_seeds"].to_string(), *seeds);
        } else {
            assert!(with["table_seeds"].as_u64() >= Some(9), "{with}");
        }
    }
    let analyse = ["analyse", "kalah", "--board", "4x3", "--json"];
    let (without, with) = (run(&analyse).json(), run(&[&analyse[..], &["--tables", &dir]].concat()).json());
    assert_eq!((&with["moves"], &with["value"]), (&without["moves"], &without["value"]));
}

#[test]
fn a_table_that_does_not_serve_is_refused_by_name() {
    let place = tempfile::tempdir().expect("a temporary directory");
    let dir = path(place.path(), "kalah");
    build(&["kalah", "--pits", "4", "--seeds", "5"], &dir);
    let other_rules = run(&["solve", "kalah-empty-capture", "--board", "4x4", "--tables", &dir]);
    refused(&other_rules, &[&dir, "is a table of kalah, not of kalah-empty-capture", "capture.opposite"]);
    refused(&run(&["analyse", "kalah", "--board", "5x4", "--tables", &dir]), &[&dir, "4 pits a row, not of 5"]);
    refused(&run(&["solve", "kalah", "--tables", &path(place.path(), "none")]), &["none", "table.toml"]);
    let layer = std::fs::read_dir(&dir).expect("files").map(|file| file.expect("a file").path());
    let layer = layer.filter(|file| file.extension().is_none_or(|kind| kind != "toml" && kind != "json")).max().expect("a layer");
    let mut bytes = std::fs::read(&layer).expect("a layer");
    *bytes.last_mut().expect("bytes") ^= 1;
    std::fs::write(&layer, bytes).expect("written");
    refused(&run(&["solve", "kalah", "--board", "4x4", "--tables", &dir]), &["damaged"]);
}

#[test]
fn a_search_goes_on_where_it_was_stopped() {
    let place = tempfile::tempdir().expect("a temporary directory");
    let file = path(place.path(), "kalah.search");
    let solve = ["solve", "kalah", "--board", "4x4", "--table-seeds", "0", "--checkpoint", &file];
    let whole = run(&["solve", "kalah", "--board", "4x4", "--json"]).json();
    let told = run(&[&solve[..], &["--nodes", "500"]].concat());
    assert_eq!(told.code, Some(3), "{}", told.stderr);
    assert!(told.stdout.contains(&file) && told.stdout.contains("the same command goes on"), "{}", told.stdout);
    let (mut steps, mut nodes) = (1, 500);
    let last = loop {
        let ran = run(&[&solve[..], &["--nodes", "20000", "--json"]].concat()).json();
        let visited = |name: &str| ran[name].as_u64().expect("a number");
        assert!(visited("nodes_before") >= nodes, "{nodes} positions were visited before: {ran}");
        (steps, nodes) = (steps + 1, visited("nodes_before") + visited("nodes"));
        if ran["proven"] == true {
            break ran;
        }
        assert_eq!((&ran["stopped"], &ran["checkpoint"]), (&"nodes".into(), &file.as_str().into()));
        assert!(steps < 100, "it gets nowhere");
    };
    assert_eq!(last["margin"], whole["margin"]);
    assert!(steps > 1 && nodes > 500, "{steps} steps, {nodes} positions");
    refused(&run(&["solve", "dakon", "--board", "4x4", "--checkpoint", &file]), &[&file, "of kalah, not of dakon"]);
    refused(&run(&["solve", "kalah", "--board", "4x3", "--checkpoint", &file]), &[&file, "3,3,3,3"]);
    std::fs::write(&file, "no").expect("written");
    refused(&run(&["solve", "kalah", "--board", "4x4", "--checkpoint", &file]), &[&file, "is no checkpoint"]);
}

/// Whoever reads a pipe waits until somebody writes to it.
#[cfg(unix)]
#[test]
fn a_pipe_is_no_checkpoint_and_is_not_waited_for() {
    let directory = tempfile::tempdir().expect("a directory");
    let pipe = directory.path().join("pipe").to_string_lossy().into_owned();
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().expect("mkfifo").success());
    refused(&run(&["solve", "kalah", "--board", "3x2", "--checkpoint", &pipe]), &[&pipe, "is no checkpoint"]);
}

#[test]
fn a_table_that_is_too_large_is_refused_with_one_that_fits() {
    let ran = run(&["solve", "kalah", "--board", "6x4", "--memory", "64MB", "--table-seeds", "20", "--threads", "1"]);
    refused(&ran, &["20 seeds", "enough for one of 1"]);
}

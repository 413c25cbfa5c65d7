//! The reachable graph and random play, through the binary.

#[cfg(target_os = "linux")]
use std::process::Command;

use serde_json::Value;

use crate::contract::{document, has};
#[cfg(target_os = "linux")]
use crate::run::Ran;

const FACTS: [&str; 8] =
    ["positions", "terminal", "endless_moves", "longest_turn_laps", "branching", "components", "plies", "margin"];

fn margin(words: &[&str]) -> Value {
    document("solve", 0, &[&["solve"], words].concat())["margin"].clone()
}

#[test]
fn the_facts_of_a_graph() {
    let graph = document("graph", 0, &["graph", "san-yao", "--board", "3x3"]);
    has(&graph, &FACTS);
    assert!(FACTS.iter().all(|fact| !graph[fact].is_null()), "{graph}");
    assert_eq!((&graph["counting"], &graph["random"]), (&"ours".into(), &Value::Null));
    assert_eq!(graph["margin"], margin(&["san-yao", "--board", "3x3"]));
    let values = graph["values"].as_object().expect("values");
    assert_eq!(values.values().filter_map(Value::as_u64).sum::<u64>(), graph["positions"].as_u64().expect("positions"));
    let page = lumbung!("graph", "san-yao", "--board", "3x3");
    for says in
        ["positions", "strongly connected components", "Under best play: North wins by 6.", "Values for the player to move"]
    {
        assert!(page.text().contains(says), "no {says:?} in\n{}", page.stdout);
    }
}

/// The graph and the search come to their margins in ways that have nothing in common.
#[test]
fn margins_are_those_of_the_search() {
    for (game, board) in [("djenon-abe", "2x3"), ("djenon-abe", "3x2"), ("dakon", "3x4"), ("kalah", "4x2"), ("awari", "2x3")] {
        for position in [&["--board", board][..], &["--position", "0,3,1/2,0,2/5,1/n"]] {
            let words = [&[game], position].concat();
            assert_eq!(document("graph", 0, &[&["graph"], &words[..]].concat())["margin"], margin(&words), "{words:?}");
        }
    }
    for reading in ["oware-feeding", "no-gift", "unscored", "split", "singles-rest"] {
        let words = ["djenon-abe", "--board", "2x4", "--reading", reading];
        assert_eq!(document("graph", 0, &[&["graph"], &words[..]].concat())["margin"], margin(&words), "{reading}");
    }
}

/// Irving, Donkers and Uiterwijk 2000: Table 3, cell (4,2), and Table 10, where the first player wins.
#[test]
fn irvings_counting() {
    let words = ["graph", "kalah-empty-capture", "--board", "4x2", "--counting", "irving"];
    let graph = document("graph", 0, &words);
    assert_eq!((&graph["positions"], &graph["outcome"], &graph["margin"]), (&226_774.into(), &"south".into(), &Value::Null));
    assert!(crate::run::run(&words).text().contains("Under best play: south."));
}

/// Where best play can go round for ever, the shortest game of best moves need not exist.
#[test]
fn play_that_need_not_end() {
    let words = ["graph", "awari", "--set", "capture.count.counts=[9]", "--position", "1,0,0,0/1,0,0,0"];
    let graph = document("graph", 0, &words);
    assert_eq!((&graph["plies"], &graph["margin"], &graph["cyclic_components"]), (&Value::Null, &0.into(), &1.into()));
    assert!(crate::run::run(&words).text().contains("Best play need never end."));
}

#[test]
fn random_games() {
    let words = ["graph", "djenon-abe", "--random-games", "500", "--seed", "3"];
    let of = |threads: &str| {
        let mut played = document("graph", 0, &[&words[..], &["--threads", threads]].concat());
        for changing in ["seconds", "threads"] {
            played.as_object_mut().expect("an object").remove(changing);
        }
        played
    };
    let played = of("1");
    assert_eq!(played, of("2"));
    let random = &played["random"];
    let number = |field: &str| random[field].as_u64().expect("a number");
    assert_eq!((number("games"), number("seed")), (500, 3));
    assert_eq!(number("south_wins") + number("draws") + number("north_wins") + number("given_up"), 500);
    for estimate in ["moves", "turns", "branching", "margin"] {
        let of = |field: &str| random[estimate][field].as_f64().expect("a number");
        assert!(of("low") < of("mean") && of("mean") < of("high"), "{estimate}: {random}");
    }
    assert!(FACTS.iter().all(|fact| played[fact].is_null()), "{played}");
    assert!(crate::run::run(&words).text().contains("95 % interval"));
}

#[test]
fn a_graph_that_does_not_fit_says_so() {
    let words = ["graph", "awari", "--memory", "32MiB"];
    let stopped = document("graph", 3, &words);
    assert_eq!((&stopped["positions"], &stopped["stopped"]), (&Value::Null, &"memory".into()));
    assert!(stopped["found"].as_u64().is_some_and(|found| found > 10_000), "{stopped}");
    let page = crate::run::run(&words);
    assert_eq!(page.code, Some(3));
    assert!(page.stdout.contains("the memory (--memory) was full"), "{}", page.stdout);
    assert_eq!(document("graph", 3, &["graph", "awari", "--nodes", "1000"])["stopped"], "nodes");
    assert_eq!(document("graph", 3, &["graph", "awari", "--limit", "200ms"])["stopped"], "time");
}

/// Found is found: where only the values do not fit, the count is given, and what they would take.
#[test]
fn positions_without_their_values() {
    let whole = document("graph", 0, &["graph", "san-yao", "--board", "4x4"]);
    let memory = whole["values_memory"].as_u64().expect("bytes");
    assert!(memory > 6 * whole["positions"].as_u64().expect("positions"), "{whole}");
    let less = (memory - 1).to_string();
    let words = ["graph", "san-yao", "--board", "4x4", "--memory", &less];
    let stopped = document("graph", 3, &words);
    assert_eq!((&stopped["stopped"], &stopped["margin"], &stopped["values"]), (&"memory".into(), &Value::Null, &Value::Null));
    for field in ["positions", "found", "values_memory"] {
        assert_eq!(stopped[field], whole[if field == "found" { "positions" } else { field }], "{field}");
    }
    let page = crate::run::run(&words);
    assert_eq!(page.code, Some(3));
    let says = page.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(says.contains("positions were found, but their values would take") && !says.contains("until then"), "{says}");
    let enough = memory.to_string();
    assert_eq!(document("graph", 0, &["graph", "san-yao", "--board", "4x4", "--memory", &enough])["margin"], whole["margin"]);
}

const SAN_YAO: [&str; 4] = ["graph", "san-yao", "--board", "4x4"];

/// With scratch the largest layer must fit, and not the whole graph.
#[test]
fn a_graph_larger_than_memory() {
    let place = tempfile::tempdir().expect("a directory");
    let scratch = place.path().to_str().expect("UTF-8");
    let mut whole = document("graph", 0, &SAN_YAO);
    let least = whole["values_aside"]["memory"].as_u64().expect("bytes").to_string();
    let little = [&SAN_YAO[..], &["--memory", &least]].concat();
    assert_eq!(document("graph", 3, &little)["stopped"], "memory");
    let page = crate::run::run(&little);
    assert!(page.code == Some(3) && page.stdout.contains("--scratch DIR"), "{}", page.stdout);
    let with = [&little[..], &["--scratch", scratch]].concat();
    let mut found = document("graph", 0, &with);
    for document in [&mut whole, &mut found] {
        let document = document.as_object_mut().expect("an object");
        // How it was done, and not what came of it.
        for varying in ["seconds", "finding_memory", "finding_written"] {
            document.remove(varying).expect(varying);
        }
    }
    assert_eq!(found, whole);
    let stopped = document("graph", 3, &["graph", "awari", "--memory", "32MiB", "--limit", "300ms", "--scratch", scratch]);
    assert!(stopped["stopped"] == "time" || stopped["stopped"] == "memory", "{stopped}");
    assert_eq!(std::fs::read_dir(place.path()).expect("a directory").count(), 0);
}

/// A file may not grow beyond some size, which is what a full disk looks like to a program; and a disk that is full, where the system
/// lets anybody mount one.
#[cfg(target_os = "linux")]
#[test]
fn scratch_on_a_full_disk() {
    let place = tempfile::tempdir().expect("a directory");
    let scratch = place.path().to_str().expect("UTF-8");
    let least = document("graph", 0, &SAN_YAO)["values_aside"]["memory"].as_u64().expect("bytes").to_string();
    let words = [&SAN_YAO[..], &["--memory", &least, "--quiet", "--json", "--scratch", scratch]].concat();
    let script = r#"trap '' XFSZ; ulimit -f 24; exec "$0" "$@""#;
    let limited = Command::new("sh").args(["-c", script, env!("CARGO_BIN_EXE_lumbung")]).args(&words).output().expect("a shell");
    let script =
        r#"place="$1"; shift; mount -t tmpfs -o size=160k none "$place" || exit 99; "$0" "$@"; echo "ended $?"; ls "$place""#;
    let mounted = Command::new("unshare")
        .args(["--user", "--map-root-user", "--mount", "sh", "-c", script, env!("CARGO_BIN_EXE_lumbung"), scratch])
        .args(&words)
        .output();
    let limited = Ran::from(limited);
    assert_eq!((limited.code, limited.stdout.as_str()), (Some(2), ""));
    let mut ends = vec![(limited.stderr, "File too large")];
    match mounted.map(Ran::from) {
        Ok(ran) if ran.stdout.contains("ended") => {
            assert_eq!(ran.stdout, "ended 2\n", "{}", ran.stderr);
            ends.push((ran.stderr, "No space left"));
        }
        other => eprintln!("a full disk was not tried, as this system mounts none for us: {:?}", other.map(|ran| ran.stderr)),
    }
    for (told, why) in ends {
        assert!(told.lines().count() == 1 && told.contains("cannot write to") && told.contains(why), "{told}");
    }
    assert_eq!(std::fs::read_dir(place.path()).expect("a directory").count(), 0);
}

#[test]
fn what_has_no_graph_is_refused() {
    for (words, says) in [
        (&["graph", "djenon-abe", "--set", "end.cycle=row-owner"][..], "which position recurs first"),
        (&["graph", "awari", "--counting", "irving"], "sown stores"),
        (&["graph", "dakon", "--board", "18x18"], "too many positions"),
        (&["graph", "dakon", "--seed", "1"], "--random-games"),
        (&["graph", "dakon", "--random-games", "0"], "from 1"),
        (&["graph", "dakon", "--random-games", "9", "--counting", "ours"], "--counting"),
        (&["graph", "dakon", "--random-games", "9", "--scratch", "."], "--scratch"),
        (&["graph", "kalah", "--board", "2x2", "--scratch", "no/such/place"], "cannot write to no/such/place (--scratch)"),
        (&["graph", "kalah", "--board", "2x2", "--scratch", "Cargo.toml"], "cannot write to Cargo.toml (--scratch)"),
    ] {
        let ran = crate::run::run(words);
        assert_eq!((ran.code, ran.stderr.lines().count()), (Some(2), 1), "{words:?}: {}", ran.stderr);
        assert!(ran.stderr.contains(says), "{words:?}: {}", ran.stderr);
    }
}

/// The round of San-Yao on its usual board, as it was counted independently: about three minutes of one core.
#[test]
#[ignore = "takes minutes"]
fn san_yao_on_its_usual_board() {
    let graph = document("graph", 0, &["graph", "san-yao", "--memory", "4GiB"]);
    assert_eq!(graph["positions"], 25_660_458);
    assert_eq!(graph["endless_moves"], 0);
    assert_eq!(graph["longest_turn_laps"], 274);
    assert_eq!(graph["margin"], 24);
}

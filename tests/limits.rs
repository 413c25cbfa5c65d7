//! Limits, interruption, and readers that go away.

use std::process::Stdio;
use std::time::{Duration, Instant};

use crate::run::binary;

/// Awari from the start is far out of reach, so these run until they are stopped.
const ENDLESS_WORK: [&str; 5] = ["solve", "awari", "--memory", "64MiB", "--json"];

#[test]
fn a_limit_on_time_ends_with_what_is_proven() {
    let began = Instant::now();
    let words = [&ENDLESS_WORK[..], &["--limit", "300ms"]].concat();
    let ran = crate::run::run(&words);
    assert_eq!(ran.code, Some(3), "{}", ran.stderr);
    let solved = ran.json();
    assert_eq!((&solved["proven"], &solved["stopped"]), (&false.into(), &"time".into()));
    let bounds: Vec<i64> = solved["bounds"].as_array().expect("bounds").iter().filter_map(serde_json::Value::as_i64).collect();
    assert!(-48 <= bounds[0] && bounds[0] < bounds[1] && bounds[1] <= 48, "{bounds:?}");
    assert!(began.elapsed() < Duration::from_secs(20));
}

#[test]
fn a_limit_on_positions_is_told_to_people_too() {
    let ran = lumbung!("solve", "awari", "--nodes", "1000");
    assert_eq!(ran.code, Some(3));
    assert!(ran.stdout.contains("Not settled: the limit of positions (--nodes) was reached."), "{}", ran.stdout);
    assert!(ran.stdout.contains("South's final margin lies between"), "{}", ran.stdout);
}

/// Searches from the start of Kalah are regular enough to be foreseen. The one published solution of 6x6 took 106 processor days, so
/// it is neither minutes nor years.
#[test]
fn a_search_that_is_stopped_tells_how_long_it_may_yet_be() {
    let solve = ["solve", "kalah", "--nodes", "2000", "--memory", "8GiB", "--json"];
    let foreseen = |with: &[&str]| crate::run::run(&[&solve[..], with].concat()).json()["foreseen_nodes"].clone();
    let all = foreseen(&["--board", "6x6"]).as_u64().expect("a number");
    assert!((10_000_000_000..1_000_000_000_000).contains(&all), "{all}");
    // Nothing is said of what is settled, of positions within a game, or of games with relays.
    assert!(foreseen(&["--board", "2x2"]).is_null());
    assert!(foreseen(&["--position", "6,6,6,6,6,5/6,6,6,6,6,7/0,0/s"]).is_null());
    assert!(
        crate::run::run(&["solve", "dakon", "--board", "12x12", "--nodes", "500", "--json"]).json()["foreseen_nodes"].is_null()
    );
    let ran = lumbung!("solve", "kalah", "--board", "6x6", "--nodes", "2000");
    let said = ran.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(said.contains("positions in all, an order of magnitude"), "{said}");
}

/// Where play can repeat, more time alone need not do; the page says which table would.
#[test]
fn an_unsettled_game_that_can_repeat_is_told_the_table() {
    let ran = lumbung!("solve", "awari", "--nodes", "1000", "--memory", "64MiB");
    let said = ran.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
    for says in ["A table of all 48 seeds", "lumbung table plan awari --pits 6 --seeds 48"] {
        assert!(said.contains(says), "no {says:?} in {said}");
    }
    // That table may be built, and no larger one.
    let advised = said.split("--table-seeds ").nth(1).and_then(|rest| rest.split(' ').next()).expect("a number of seeds");
    let advised: usize = advised.parse().expect("a number");
    let with =
        |seeds: usize| lumbung!("solve", "awari", "--nodes", "10", "--memory", "64MiB", "--table-seeds", &seeds.to_string());
    assert_eq!((with(advised).code, with(advised + 1).code), (Some(3), Some(2)), "{said}");
    // Of 1,008 seeds there is no table, and nobody is sent to plan one.
    let large = lumbung!("solve", "san-yao", "--board", "18x28", "--nodes", "1000", "--memory", "64MiB");
    assert!(large.code == Some(3) && !large.stdout.contains("table plan"), "{}", large.stdout);
    let acyclic = lumbung!("solve", "dakon", "--board", "3x7", "--nodes", "10");
    assert!(acyclic.code == Some(3) && !acyclic.stdout.contains("--table-seeds"), "{}", acyclic.stdout);
}

#[test]
fn perft_prints_the_depths_it_reached() {
    let ran = lumbung!("perft", "awari", "--depth", "40", "--limit", "300ms", "--json");
    assert_eq!(ran.code, Some(3), "{}", ran.stderr);
    let counts = ran.json();
    assert_eq!((&counts["moves"], &counts["stopped"]), (&serde_json::Value::Null, &"time".into()));
    assert_eq!(counts["rows"][0]["moves"], 6);
}

#[cfg(unix)]
#[test]
fn an_interrupt_ends_with_what_is_proven() {
    let mut child = binary().args(ENDLESS_WORK).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the binary runs");
    // Long enough for the program to listen even on a busy machine.
    std::thread::sleep(Duration::from_secs(3));
    assert!(child.try_wait().expect("a child").is_none(), "it ended by itself");
    let sent = std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("kill runs");
    assert!(sent.success());
    let ran = crate::run::Ran::from(child.wait_with_output().expect("it ends"));
    assert_eq!(ran.code, Some(130), "{}", ran.stderr);
    let solved = ran.json();
    assert_eq!((&solved["proven"], &solved["stopped"]), (&false.into(), &"interrupted".into()));
}

#[test]
fn a_reader_that_goes_away_is_no_fault() {
    for words in [&["games"][..], &["games", "--json"], &["games", "show", "dakon", "--toml"], &["--help"]] {
        let mut child = binary().args(words).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the binary runs");
        // Gone long before the program has started.
        drop(child.stdout.take());
        let ran = crate::run::Ran::from(child.wait_with_output().expect("it ends"));
        assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""), "{words:?}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn output_that_cannot_be_written_is_told() {
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").expect("/dev/full");
    let ran = crate::run::Ran::from(binary().args(["games"]).stdout(full).output().expect("the binary runs"));
    assert_eq!(ran.code, Some(2));
    assert!(
        ran.stderr.starts_with("lumbung: cannot write to standard output") && ran.stderr.lines().count() == 1,
        "{}",
        ran.stderr
    );
}

//! Claims: those that hold, those that do not, and what is left behind.

use std::path::Path;

use serde_json::json;

use crate::contract::document;
use crate::run::{Ran, binary, run};

const CLAIM: &str = include_str!("../solver-results/claims/dakon-first-player-win.toml");

fn write(directory: &Path, text: &str) -> String {
    let path = directory.join("claim.toml");
    std::fs::write(&path, text).expect("written");
    path.to_str().expect("a path of letters").to_owned()
}

/// The claim with one thing changed, and under its own rules only.
fn changed(from: &str, to: &str) -> String {
    let plain = CLAIM.replacen("under = \"each\"\n", "", 1);
    let text = plain.replacen(from, to, 1);
    assert_ne!(text, plain);
    text
}

#[test]
fn the_first_player_wins_dakon() {
    let directory = tempfile::tempdir().expect("a directory");
    let file = write(directory.path(), CLAIM);
    let ran = run(&["claim", "check", &file]);
    for word in ["dakon-first-player-win: holds", "of 98 seeds in her first turn", "South wins by 98: South 98, North 0"] {
        assert!(ran.text().contains(word), "no {word:?} in\n{}", ran.stdout);
    }
    let result = std::fs::read_to_string(directory.path().join("dakon-first-player-win.result.json")).expect("a result");
    let result: serde_json::Value = serde_json::from_str(&result).expect("JSON");
    assert_eq!(result["claims"][0]["status"], "holds");
    let page = std::fs::read_to_string(directory.path().join("dakon-first-player-win.md")).expect("a page");
    assert!(page.contains("**The claim holds.**"), "{page}");
}

/// The evidence is a command; played, it shows a store with a majority while North has not moved.
#[test]
fn the_evidence_can_be_replayed() {
    let checked = lumbung!("claim", "check", "dakon-first-player-win", "--no-write", "--json").json();
    let finding = &checked["claims"][0]["readings"][0]["boards"][0]["claimed"][0];
    assert_eq!(finding["kind"], "winning-first-turn");
    let command = finding["replay"].as_str().expect("a command");
    let (words, moves) = command.split_once(" --moves ").expect("moves");
    let words: Vec<&str> = words.split(' ').skip(1).chain(["--moves", moves.trim_matches('"'), "--json"]).collect();
    let played = run(&words).json();
    assert_eq!(played["position"], finding["position"]);
    assert!(played["margin"].as_i64() > Some(49), "{played}");
}

const RESULTS: [&str; 2] = ["dakon-first-player-win.result.json", "dakon-first-player-win.md"];

/// Results that are recorded and still stand are left alone, evidence and all; those that are committed must stand.
#[test]
fn the_committed_result_still_stands() {
    let directory = tempfile::tempdir().expect("a directory");
    let file = write(directory.path(), CLAIM);
    let committed = RESULTS.map(|name| {
        let path = format!("{}/solver-results/claims/{name}", env!("CARGO_MANIFEST_DIR"));
        std::fs::read_to_string(path).expect("a committed result")
    });
    let paths = RESULTS.map(|name| directory.path().join(name));
    for (path, text) in paths.iter().zip(&committed) {
        std::fs::write(path, text).expect("written");
    }
    let ran = run(&["claim", "check", &file]);
    assert!(!ran.text().contains("Written"), "{}", ran.stdout);
    for (path, text) in paths.iter().zip(&committed) {
        assert_eq!(&std::fs::read_to_string(path).expect("still there"), text);
    }
}

#[test]
fn a_recorded_result_that_does_not_stand_is_replaced() {
    let directory = tempfile::tempdir().expect("a directory");
    let file = write(directory.path(), CLAIM);
    let path = directory.path().join(RESULTS[0]);
    let read = || std::fs::read_to_string(&path).expect("a result");
    run(&["claim", "check", &file]).text();
    let good = read();
    // A line that ends elsewhere than it says, and a status that is not what is found.
    for (from, to) in [("\"line\": \"1 ", "\"line\": \"2 "), ("\"holds\"", "\"refuted\"")] {
        let doctored = good.replacen(from, to, 1);
        assert_ne!(doctored, good);
        std::fs::write(&path, &doctored).expect("written");
        assert!(run(&["claim", "check", &file]).text().contains("Written"));
        assert_ne!(read(), doctored);
    }
}

#[test]
fn a_false_claim_is_refuted() {
    let directory = tempfile::tempdir().expect("a directory");
    let file = write(directory.path(), &changed("player = \"south\"", "player = \"north\""));
    let ran = run(&["claim", "check", &file, "--json"]);
    assert_eq!(ran.code, Some(1), "{}", ran.stderr);
    assert_eq!(ran.json()["claims"][0]["status"], "refuted");
}

/// What was found beside a claim is no part of it.
#[test]
fn a_wrong_figure_beside_a_claim_does_not_refute_it() {
    let directory = tempfile::tempdir().expect("a directory");
    let file = write(directory.path(), &changed("margin = 98", "margin = 96"));
    let ran = run(&["claim", "check", &file, "--json"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let reading = ran.json()["claims"][0]["readings"][0].clone();
    assert_eq!((&reading["status"], &reading["boards"][0]["found"][0]["status"]), (&"holds".into(), &"refuted".into()));
}

/// On three pits a row with five seeds each the first player loses by ten.
#[test]
fn a_board_where_the_first_player_loses() {
    let directory = tempfile::tempdir().expect("a directory");
    let file = write(directory.path(), &changed("board = \"7x7\"", "board = \"3x5\"").replace("margin = 98", "margin = -10"));
    let ran = run(&["claim", "check", &file, "--json"]);
    assert_eq!(ran.code, Some(1), "{}", ran.stderr);
    let reading = ran.json()["claims"][0]["readings"][0].clone();
    let statuses: Vec<_> =
        reading["boards"][0]["claimed"].as_array().expect("findings").iter().map(|finding| &finding["status"]).collect();
    assert_eq!(statuses, ["refuted", "refuted"]);
    assert_eq!(reading["boards"][0]["found"][0]["status"], "holds");
}

#[test]
fn a_claim_out_of_reach_stays_open_and_replaces_nothing() {
    let directory = tempfile::tempdir().expect("a directory");
    let awari = changed("game = \"dakon\"\nboard = \"7x7\"", "game = \"awari\"")
        .replace("[[claimed]]\nkind = \"winning-first-turn\"\n", "");
    let file = write(directory.path(), &awari);
    let result = directory.path().join("dakon-first-player-win.result.json");
    std::fs::write(&result, "settled before").expect("written");
    let ran = run(&["claim", "check", &file, "--limit", "200ms", "--memory", "64MiB", "--json"]);
    assert_eq!(ran.code, Some(3), "{}", ran.stderr);
    assert_eq!(ran.json()["claims"][0]["status"], "open");
    let says = ran.json()["claims"][0]["readings"][0]["boards"][0]["claimed"][0]["says"].to_string();
    assert!(says.contains("the time (--limit) was over"), "{says}");
    assert_eq!(std::fs::read_to_string(&result).expect("still there"), "settled before");
}

/// On a row-owner cycle rule nothing has an exact value; the claims beside that one keep their results.
#[test]
fn a_claim_that_cannot_be_checked_takes_nothing_from_the_others() {
    let directory = tempfile::tempdir().expect("a directory");
    let claims = directory.path().join("solver-results/claims");
    std::fs::create_dir_all(&claims).expect("created");
    let no_value = changed("game = \"dakon\"\nboard = \"7x7\"", "game = \"awari\"\nset = [\"end.cycle=row-owner\"]")
        .replace("id = \"dakon-first-player-win\"", "id = \"a-rule-for-play\"")
        .replace("[[claimed]]\nkind = \"winning-first-turn\"\n", "");
    std::fs::write(claims.join("a-rule-for-play.toml"), &no_value).expect("written");
    // Most of the claims take longer than this; they stay open.
    let all = |words: &[&str]| -> Ran {
        let words = [&["claim", "check", "--all", "--readings", "own", "--no-write", "--limit", "4s"], words].concat();
        binary().args(words).current_dir(directory.path()).output().expect("the binary runs").into()
    };
    let ran = all(&["--json"]);
    assert_eq!(ran.code, Some(2), "{}", ran.stderr);
    assert!(ran.stderr.starts_with("lumbung: a-rule-for-play: end.cycle"), "{}", ran.stderr);
    let document = ran.json();
    let claims = document["claims"].as_array().expect("claims");
    let claim = |id: &str| claims.iter().find(|claim| claim["id"] == id).unwrap_or_else(|| panic!("no {id}"));
    let (wrong, right) = (claim("a-rule-for-play"), claim("dakon-first-player-win"));
    assert_eq!((&wrong["status"], &right["status"]), (&"open".into(), &"holds".into()));
    assert!(wrong["error"].as_str().is_some_and(|error| error.contains("end.cycle")) && right["error"].is_null(), "{wrong}");
    let ran = all(&[]);
    assert!(
        ran.stdout.contains("Not checked as a whole") && ran.stdout.contains("dakon-first-player-win: holds"),
        "{}",
        ran.stdout
    );
}

/// Who wins shows at the end of a game only.
#[test]
fn a_recorded_line_that_stops_before_the_end_does_not_stand() {
    let directory = tempfile::tempdir().expect("a directory");
    let text = changed("board = \"7x7\"", "board = \"3x5\"")
        .replace("[[claimed]]\nkind = \"winning-first-turn\"\n", "")
        .replace("player = \"south\"", "player = \"north\"")
        .replace("margin = 98", "margin = -10");
    let file = write(directory.path(), &text);
    let path = directory.path().join(RESULTS[0]);
    run(&["claim", "check", &file]).text();
    let good = std::fs::read_to_string(&path).expect("a result");
    assert!(!run(&["claim", "check", &file]).text().contains("Written"), "it stands");
    // A single legal move instead of the whole game, with the position it leads to.
    let mut doctored: serde_json::Value = serde_json::from_str(&good).expect("JSON");
    let finding = &mut doctored["claims"][0]["readings"][0]["boards"][0]["claimed"][0];
    assert_eq!((&finding["kind"], &finding["status"]), (&"winner".into(), &"holds".into()));
    let command = finding["replay"].as_str().expect("a command").split_once(" --moves ").expect("moves").0.to_owned();
    let words: Vec<&str> = command.split(' ').skip(1).chain(["--moves", "1", "--json"]).collect();
    finding["line"] = "1".into();
    finding["position"] = run(&words).json()["position"].clone();
    finding["replay"] = format!("{command} --moves \"1\"").into();
    std::fs::write(&path, doctored.to_string()).expect("written");
    assert!(run(&["claim", "check", &file]).text().contains("Written"));
    let again = std::fs::read_to_string(&path).expect("a result");
    let again: serde_json::Value = serde_json::from_str(&again).expect("JSON");
    assert_ne!(again["claims"][0]["readings"][0]["boards"][0]["claimed"][0]["line"], "1");
}

/// Away from the repository the claims of the program are still there, and nothing is written.
#[test]
fn claims_come_with_the_program() {
    let directory = tempfile::tempdir().expect("a directory");
    let away = |words: &[&str]| Ran::from(binary().args(words).current_dir(directory.path()).output().expect("the binary runs"));
    assert!(away(&["claim", "list"]).text().contains("dakon-first-player-win"));
    assert!(away(&["claim", "check", "dakon-first-player-win"]).text().contains("dakon-first-player-win: holds"));
    assert_eq!(std::fs::read_dir(directory.path()).expect("a directory").count(), 0);
}

#[test]
fn another_reading_leaves_the_recorded_result_alone() {
    let directory = tempfile::tempdir().expect("a directory");
    let file = write(directory.path(), CLAIM);
    let ran = run(&["claim", "check", &file, "--reading", "german-end", "--json"]);
    assert_eq!(ran.json()["claims"][0]["readings"][0]["name"], "german-end");
    assert_eq!(std::fs::read_dir(directory.path()).expect("a directory").count(), 1);
}

/// On two pits with two seeds South wins by 4 or by something else as the rules are read; what depends on what is reported.
#[test]
fn a_claim_is_held_against_every_combination_of_readings() {
    let directory = tempfile::tempdir().expect("a directory");
    let text = changed("board = \"7x7\"", "board = \"3x2\"")
        .replace("[[claimed]]\nkind = \"winning-first-turn\"\n", "")
        .replace("kind = \"margin\"\nmargin = 98", "kind = \"margin-at-least\"\nmargin = 1");
    let file = write(directory.path(), &text);
    let ran = run(&["claim", "check", &file, "--readings", "all", "--json"]);
    let claim = &ran.json()["claims"][0];
    let readings = claim["readings"].as_array().expect("readings");
    assert_eq!(readings[0]["name"], "default");
    assert!(readings.len() > 20, "{}", readings.len());
    // What is reported is what each reading by itself gives.
    for reading in readings.iter().step_by(7) {
        let names: Vec<&str> =
            reading["rules"]["readings"].as_array().expect("names").iter().filter_map(|n| n.as_str()).collect();
        let words =
            ["solve", "dakon", "--board", "3x2", "--json"].into_iter().chain(names.iter().flat_map(|name| ["--reading", name]));
        let margin = run(&words.collect::<Vec<_>>()).json()["margin"].as_i64().expect("a margin");
        assert_eq!(reading["status"] == "holds", margin > 0, "{reading}");
    }
    let status = |name: &str| readings.iter().find(|reading| reading["name"] == name).map(|reading| reading["status"].clone());
    let depends = claim["depends_on"].as_array().expect("names");
    for name in claim["combined"].as_array().expect("names").iter().filter_map(|name| name.as_str()) {
        if status(name).is_some_and(|status| status != claim["status"]) {
            assert!(depends.contains(&name.into()), "{name} changes it");
        }
    }
    assert_eq!(std::fs::read_dir(directory.path()).expect("a directory").count(), 1, "nothing is written");
    let ran = run(&["claim", "check", &file, "--readings", "nonsense"]);
    assert_eq!(ran.code, Some(2));
    assert!(ran.stderr.contains("nonsense") && ran.stderr.contains("german-end"), "{}", ran.stderr);
}

/// One board of a range refutes the claim for all of them.
#[test]
fn a_claim_about_several_boards_holds_if_it_does_on_each() {
    let directory = tempfile::tempdir().expect("a directory");
    let text = changed("board = \"7x7\"", "boards = [\"3x4..6\"]")
        .replace("[[claimed]]\nkind = \"winning-first-turn\"\n", "")
        .replace("[[found]]\nkind = \"margin\"\nmargin = 98", "");
    let file = write(directory.path(), &text);
    let ran = run(&["claim", "check", &file, "--no-write", "--json"]);
    assert_eq!(ran.code, Some(1), "{}", ran.stderr);
    let boards = &ran.json()["claims"][0]["readings"][0]["boards"];
    let statuses: Vec<_> = boards.as_array().expect("boards").iter().map(|board| &board["status"]).collect();
    assert_eq!(statuses, ["holds", "refuted", "refuted"]);
    let ran = run(&["claim", "check", &file, "--no-write"]);
    assert!(ran.stdout.contains("3 boards") && ran.stdout.contains("NO"), "{}", ran.stdout);
}

/// Irving, Donkers and Uiterwijk 2000, Table 3: 24 positions on 2x2 and 226,774 on 4x2; and a count that is not theirs.
#[test]
fn a_claim_may_count_positions() {
    let directory = tempfile::tempdir().expect("a directory");
    let claim = |board, count| {
        let claimed = format!("kind = \"reachable-positions\"\ncount = {count}\ncounting = \"irving\"");
        let game = format!("game = \"kalah-empty-capture\"\nboard = \"{board}\"");
        let text = changed("game = \"dakon\"\nboard = \"7x7\"", &game);
        let (head, _) = text.split_once("[[claimed]]").expect("a claim");
        write(directory.path(), &format!("{head}[[claimed]]\n{claimed}\n"))
    };
    document("claim-check", 0, &["claim", "check", &claim("2x2", 24), "--no-write"]);
    let refuted = document("claim-check", 1, &["claim", "check", &claim("2x2", 25), "--no-write"]);
    let finding = &refuted["claims"][0]["readings"][0]["boards"][0]["claimed"][0];
    assert_eq!((&finding["count"], &finding["says"]), (&25.into(), &"24 positions can be reached".into()));
    // Values are not asked for, so they need not fit.
    let graph = ["graph", "kalah-empty-capture", "--board", "4x2", "--counting", "irving"];
    let memory = document("graph", 0, &graph)["values_memory"].as_u64().expect("bytes");
    let less = (memory - 1).to_string();
    document("graph", 3, &[&graph[..], &["--memory", &less]].concat());
    document("claim-check", 0, &["claim", "check", &claim("4x2", 226_774), "--no-write", "--memory", &less]);
}

/// On 3x3 the second player wins the match in two rounds.
#[test]
fn a_claim_may_be_about_a_match() {
    let directory = tempfile::tempdir().expect("a directory");
    let claim = |player: &str, rounds: &str| {
        let text = changed("game = \"dakon\"\nboard = \"7x7\"", "game = \"san-yao\"\nboard = \"3x3\"");
        let (head, _) = text.split_once("[[claimed]]").expect("a claim");
        write(directory.path(), &format!("{head}[[claimed]]\nkind = \"match-winner\"\nplayer = \"{player}\"\n{rounds}"))
    };
    document("claim-check", 0, &["claim", "check", &claim("north", "rounds = 2"), "--no-write"]);
    document("claim-check", 0, &["claim", "check", &claim("north", ""), "--no-write"]);
    document("claim-check", 1, &["claim", "check", &claim("north", "rounds = 1"), "--no-write"]);
    document("claim-check", 1, &["claim", "check", &claim("south", ""), "--no-write"]);
    // Rules between rounds are told apart here: they decide matches.
    let each = document("claim-check", 0, &["claim", "check", &claim("north", ""), "--readings", "debt", "--no-write"]);
    assert_eq!(each["claims"][0]["readings"].as_array().map(Vec::len), Some(2));
}

/// A board out of reach stays open and does not keep the others waiting.
#[test]
fn each_board_has_its_share_of_the_time() {
    let directory = tempfile::tempdir().expect("a directory");
    let text = changed("board = \"7x7\"", "boards = [\"9x3\", \"2x2\"]\neach = \"10ms\"");
    let (head, _) = text.split_once("[[claimed]]").expect("a claim");
    let file = write(directory.path(), &format!("{head}[[claimed]]\nkind = \"margin-at-least\"\nmargin = 6\n"));
    let open = document("claim-check", 3, &["claim", "check", &file, "--no-write"]);
    let boards = open["claims"][0]["readings"][0]["boards"].as_array().expect("boards");
    let statuses: Vec<_> = boards.iter().map(|board| &board["status"]).collect();
    assert_eq!(statuses, ["open", "holds"]);
    let wrong = write(directory.path(), &changed("board = \"7x7\"", "board = \"7x7\"\neach = \"soon\""));
    let ran = run(&["claim", "check", &wrong, "--no-write"]);
    assert_eq!(ran.code, Some(2));
    assert!(ran.stderr.contains("each") && ran.stderr.contains("soon"), "{}", ran.stderr);
}

#[test]
fn a_claim_may_be_a_histogram() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    // Lincke 2002, appendix B: Awari's positions with one and with four seeds, by their value.
    let text = |histogram: &str| {
        format!(
            "format = \"lumbung-claim/1\"\nid = \"histograms\"\ntitle = \"t\"\nstatement = \"s\"\ngame = \"awari\"\n\
             [[claimed]]\nkind = \"layer-histogram\"\nseeds = 1\nhistogram = {{ \"-1\" = 7, \"1\" = 5 }}\n\
             [[claimed]]\nkind = \"layer-histogram\"\nseeds = 4\nhistogram = {{ {histogram} }}\n"
        )
    };
    let good = r#""-4" = 532, "-2" = 110, "0" = 143, "2" = 165, "4" = 415"#;
    let file = write(directory.path(), &text(good));
    let holds = document("claim-check", 0, &["claim", "check", &file]);
    let findings = &holds["claims"][0]["readings"][0]["boards"][0]["claimed"];
    assert_eq!((&findings[0]["status"], &findings[1]["histogram"]["-4"]), (&json!("holds"), &json!(532)));
    for (from, to, says) in [
        ("532", "531", "of 1,365 positions 532 have the value -4, and not 531"),
        (", \"4\" = 415", "", "of 1,365 positions 415 have the value 4, and not 0"),
        ("\"0\" = 143", "\"0\" = 143, \"3\" = 1", "of 1,365 positions 0 have the value 3, and not 1"),
    ] {
        let file = write(directory.path(), &text(&good.replace(from, to)));
        let refuted = document("claim-check", 1, &["claim", "check", &file]);
        let finding = &refuted["claims"][0]["readings"][0]["boards"][0]["claimed"][1];
        assert_eq!((&finding["status"], &finding["says"]), (&json!("refuted"), &json!(says)));
    }
    let file = write(directory.path(), &text(good).replace("seeds = 4", "seeds = 30"));
    let open = document("claim-check", 3, &["claim", "check", &file, "--memory", "1MiB"]);
    assert_eq!(open["claims"][0]["status"], "open");
    let file = write(directory.path(), &text(&good.replace("\"-4\"", "\"four\"")));
    let unreadable = crate::run::run(&["claim", "check", &file]);
    assert_eq!(unreadable.code, Some(2));
    assert!(unreadable.stderr.contains("\"four\" is no value"), "{}", unreadable.stderr);
}

/// A claim about rules of one's own, with both files in a directory that is not the present one.
#[test]
fn a_claim_may_bring_its_own_rules() {
    let directory = tempfile::tempdir().expect("a directory");
    let rules = lumbung!("games", "show", "kalah", "--toml").text().replacen("name = \"kalah\"", "name = \"mine\"", 1);
    std::fs::write(directory.path().join("mine.toml"), &rules).expect("written");
    let text = "format = \"lumbung-claim/1\"\nid = \"my-claim\"\ntitle = \"Mine\"\nstatement = \"South wins by ten.\"\n\
                rules = \"mine.toml\"\nset = [\"board.pits=3\", \"board.seeds=3\"]\n\n[[claimed]]\nkind = \"winner\"\n";
    let solved = lumbung!("solve", "kalah", "--board", "3x3", "--json").json();
    let player = if solved["margin"].as_i64() > Some(0) { "south" } else { "north" };
    let text = format!("{text}player = \"{player}\"\n");
    let file = write(directory.path(), &text);
    let checked = document("claim-check", 0, &["claim", "check", &file]);
    let rules = &checked["claims"][0]["readings"][0]["rules"];
    assert_eq!((&rules["name"], &rules["game"]), (&"mine".into(), &serde_json::Value::Null));
    assert_eq!(checked["claims"][0]["board"], "3x3");
    let page = std::fs::read_to_string(directory.path().join("my-claim.md")).expect("a page");
    // Its id says nothing to the program; its file does.
    assert!(page.contains("`lumbung claim check claim.toml`"), "{page}");
    let refused = |ran: Ran, words: &[&str]| {
        assert_eq!(ran.code, Some(2), "{}", ran.stdout);
        assert!(words.iter().all(|word| ran.stderr.contains(word)), "{}", ran.stderr);
    };
    refused(run(&["claim", "check", &file, "--rules", "mine.toml"]), &["--rules mine.toml", "rules = \"FILE\"", "set = [...]"]);
    let none = write(directory.path(), &text.replacen("mine.toml", "yours.toml", 1));
    refused(run(&["claim", "check", &none]), &["yours.toml"]);
    let both = write(directory.path(), &text.replacen("rules =", "game = \"kalah\"\nrules =", 1));
    refused(run(&["claim", "check", &both]), &["kalah", "mine.toml", "give one of them"]);
    let neither = write(directory.path(), &text.replacen("rules = \"mine.toml\"", "", 1));
    refused(run(&["claim", "check", &neither]), &["rules = \"FILE\"", "game = "]);
}

/// Under other rules than its own, nothing is written beside a claim, and that is said; elsewhere the page names the rules.
#[test]
fn a_result_that_is_kept_back_is_told() {
    let directory = tempfile::tempdir().expect("a directory");
    let file = write(directory.path(), &changed("board = \"7x7\"", "board = \"3x5\""));
    let set = ["claim", "check", &file, "--set", "capture.sandwich.enabled=false"];
    let says = run(&set).stdout.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(says.contains("Nothing was written beside the claim") && says.contains("--out DIR"), "{says}");
    assert_eq!(std::fs::read_dir(directory.path()).expect("a directory").count(), 1);
    let forbidden = run(&[&set[..], &["--no-write"]].concat());
    assert!(!forbidden.stdout.contains("Nothing was written"), "{}", forbidden.stdout);
    let out = directory.path().join("out");
    run(&[&set[..], &["--out", out.to_str().expect("a path of letters")]].concat());
    let page = std::fs::read_to_string(out.join("dakon-first-player-win.md")).expect("a page");
    assert!(page.contains(&format!("`lumbung claim check {file} --set capture.sandwich.enabled=false`")), "{page}");
}

/// Readings that were asked for are spoken of even if there are none, and none is listed as different that is not.
#[test]
fn readings_that_change_nothing() {
    let directory = tempfile::tempdir().expect("a directory");
    let claim = |game: &str| {
        let text = format!(
            "format = \"lumbung-claim/1\"\nid = \"small\"\ntitle = \"Small\"\nstatement = \"South loses no more than there is.\"\n\
             game = \"{game}\"\nboard = \"2x1\"\n\n[[claimed]]\nkind = \"margin-at-least\"\nmargin = -4\n"
        );
        let file = write(directory.path(), &text);
        run(&["claim", "check", &file, "--readings", "all"]).text().split_whitespace().collect::<Vec<_>>().join(" ")
    };
    // No margin is less than that of losing all four seeds, under whatever reading.
    let many = claim("dakon");
    assert!(many.contains("It depends on none of the readings.") && !many.contains("Those that differ"), "{many}");
    assert!(!many.contains("default"), "{many}");
    let none = claim("kalah");
    assert!(none.contains("kalah has no other readings.") && !none.contains("default"), "{none}");
}

//! The games and their rules in words.

use serde_json::Value;

const GAMES: [&str; 10] =
    ["dakon", "ohvalhu", "congkak", "sungka", "kalah", "kalah-empty-capture", "awari", "djenon-abe", "djenon-aboure", "san-yao"];

fn first(ran: &crate::run::Ran) -> Value {
    ran.json()["games"][0].clone()
}

#[test]
fn the_list_has_every_game_and_its_board() {
    let list = lumbung!("games");
    for (game, board) in GAMES.into_iter().zip(["7x7", "8x8", "7x7", "7x7", "6x4", "6x4", "6x4", "6x4", "6x4", "5x5"]) {
        let row = |line: &&str| line.split_whitespace().take(2).eq([game, board]);
        assert_eq!(list.text().lines().filter(row).count(), 1, "{game}\n{}", list.stdout);
    }
}

#[test]
fn a_game_shows_its_readings_and_what_is_not_modelled() {
    let page = lumbung!("games", "show", "dakon");
    let said = page.text();
    for word in [
        "Nembak:",
        "nembak: a last seed",
        "mikul: a last seed",
        "german-end",
        "bonus-lapses",
        "must-pass",
        "landing-seed-taken",
        "landing-seed-always",
        "no-mikul",
        "visit-first",
        "donkers",
        "Not modelled",
        "A-D8",
        "Sources",
        "Mancala World",
        "1523665c9befedb06f7a344c97ba0d1525dcd58e202e152a1eb9446bcec9d6ba",
    ] {
        let one_line = said.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(one_line.contains(word), "no {word:?} in\n{said}");
    }
    assert!(!said.contains('\u{1b}'), "colours without a terminal");
}

#[test]
fn a_reading_shows_in_the_keys() {
    let ends = |words: &[&str]| {
        let game = first(&crate::run::run(&[&["games", "show", "dakon", "--json"], words].concat()));
        let sentences = game["sentences"].as_array().expect("sentences").clone();
        sentences.iter().find(|sentence| sentence["key"] == "end.when").expect("end.when")["value"].clone()
    };
    assert_eq!(ends(&[]), "mover-empty");
    assert_eq!(ends(&["--reading", "german-end"]), "any-row-empty");
    assert_eq!(ends(&["--set", "end.when=both-rows-empty"]), "both-rows-empty");
    assert_eq!(ends(&["--reading", "no-mikul,german-end"]), "any-row-empty");
}

/// What `--toml` prints, `--rules` reads: the same rules, the same readings.
#[test]
fn a_game_survives_a_round_through_its_file() {
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("rules.toml");
    let file = path.to_str().expect("a path of letters");
    for game in GAMES {
        for changes in [&[][..], &["--set", "sowing.min-seeds=3"]] {
            let show = [&["games", "show", game], changes].concat();
            let toml = crate::run::run(&[&show[..], &["--toml"]].concat());
            std::fs::write(&path, toml.text()).expect("written");
            let preset = first(&crate::run::run(&[&show[..], &["--json"]].concat()));
            let own = first(&lumbung!("games", "show", "--rules", file, "--json"));
            for field in ["name", "board", "description", "sentences", "readings", "words", "not_modelled", "notes", "sources"] {
                assert_eq!(own[field], preset[field], "{game} {changes:?} {field}");
            }
            assert_eq!(own["rules"]["fingerprint"], preset["rules"]["fingerprint"], "{game} {changes:?}");
        }
    }
}

#[test]
fn readings_have_fingerprints_of_their_own() {
    let fingerprint = |words: &[&str]| {
        let words = [&["games", "show", "dakon", "--json"], words].concat();
        first(&crate::run::run(&words))["rules"]["fingerprint"].as_str().expect("a fingerprint").to_owned()
    };
    assert_ne!(fingerprint(&[]), fingerprint(&["--reading", "german-end"]));
    let keys = ["--set", "end.when=any-row-empty", "--set", "end.remainder=row-owner"];
    assert_eq!(fingerprint(&["--reading", "german-end"]), fingerprint(&keys));
}

#[test]
fn help_teaches_the_notation_and_the_exit_codes() {
    let help = lumbung!("--help");
    let said = help.text();
    for command in ["games", "play", "perft", "turns", "solve", "analyse", "graph", "claim"] {
        assert!(said.contains(&format!("\n  {command} ")), "no {command} in\n{said}");
        let own = lumbung!(command, "--help");
        assert!(own.text().contains("Examples:"), "{command}");
    }
    for word in ["PITSxSEEDS", "1 4 2 / 3", "130 interrupted", "--rules", "--reading", "--set", "--limit"] {
        assert!(said.contains(word), "no {word:?} in\n{said}");
    }
}

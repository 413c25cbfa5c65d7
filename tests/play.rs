//! The worked examples of the rules, played through the binary.

use serde_json::Value;

use crate::run::run;

fn play(words: &[&str]) -> Value {
    let ran = run(&[&["play"], words, &["--json"]].concat());
    assert_eq!(ran.code, Some(0), "{words:?}: {}", ran.stderr);
    ran.json()
}

/// Plays one move and compares the position.
fn leads(game: &str, position: &str, pit: &str, to: &str) -> Value {
    let played = play(&[game, "--position", position, "--moves", pit]);
    assert_eq!(played["position"], to, "{game} {position}: {pit}");
    played
}

#[test]
fn dakon() {
    let start = "7,7,7,7,7,7,7/7,7,7,7,7,7,7";
    // DK1: the last seed in the store, South again.
    leads("dakon", start, "1", "0,8,8,8,8,8,8/7,7,7,7,7,7,7/1,0/s");
    // DK2: a relay from North's row, and nembak of eight.
    leads("dakon", start, "7", "8,8,8,8,8,8,1/0,8,8,8,8,0,8/9,0/n");
    // DK3: nembak, the landing seed stays.
    leads("dakon", "2,0,1,0,0,0,0/1,0,0,5,0,0,0/40,49/s", "3", "2,0,0,1,0,0,0/1,0,0,0,0,0,0/45,49/n");
    // DK4: nothing opposite.
    leads("dakon", "2,0,1,0,0,0,0/1,0,0,0,0,4,0/41,49/s", "3", "2,0,0,1,0,0,0/1,0,0,0,0,4,0/41,49/n");
    // DK5: mikul of seven; North then has nothing, and the game is over.
    let over = leads("dakon", "0,0,0,0,0,0,3/2,0,3,0,0,0,0/45,45/s", "7", "0,0,0,0,0,0,0/0,0,0,0,0,0,0/53,45/n");
    assert_eq!((&over["over"], &over["margin"]), (&true.into(), &8.into()));
    // DK6: unequal neighbours.
    leads("dakon", "0,0,0,0,0,0,3/3,0,3,0,0,0,0/45,44/s", "7", "0,0,0,0,0,0,0/4,1,3,0,0,0,0/46,44/n");
    // DK7: an end pit has one neighbour only.
    leads("dakon", "0,0,0,0,0,0,2/0,4,0,0,0,0,0/46,46/s", "7", "0,0,0,0,0,0,0/1,4,0,0,0,0,0/47,46/n");
    // DK8: a lap of fifteen comes round to its own pit, and captures.
    leads("dakon", "0,0,0,15,0,0,0/0,0,0,0,0,0,0/41,42/s", "4", "1,1,1,1,1,1,1/1,1,1,0,1,1,1/43,42/n");
    // DK9: a bonus with the own row empty ends the game; under the other reading North moves.
    let end = "0,0,0,0,0,0,1/0,0,0,0,0,3,0/46,48/s";
    let over = leads("dakon", end, "7", "0,0,0,0,0,0,0/0,0,0,0,0,0,0/47,51/s");
    assert_eq!((&over["over"], &over["margin"]), (&true.into(), &(-4).into()));
    let lapsed = play(&["dakon", "--reading", "bonus-lapses", "--position", end, "--moves", "7"]);
    assert_eq!((&lapsed["position"], &lapsed["over"]), (&"0,0,0,0,0,0,0/0,0,0,0,0,3,0/47,48/n".into(), &false.into()));
}

#[test]
fn djenon_abe() {
    let game = "djenon-abe";
    // DJ1: five laps.
    leads(game, "4,4,4,4,4,4/4,4,4,4,4,4", "1", "2,7,1,6,1,6/6,6,0,1,6,6/0,0/n");
    // DJ2: the last seed in an empty pit.
    leads(game, "0,0,2,1,0,0/3,0,0,0,0,1", "3", "0,0,0,2,1,0/3,0,0,0,0,1/0,0/n");
    // DJ3: a chain of three, own pits included.
    leads(game, "0,0,0,3,1,3/1,6,0,0,0,5", "4", "0,0,0,0,0,0/0,6,0,0,0,5/8,0/n");
    // DJ4: a relay, then four.
    leads(game, "0,2,0,2,0,0/3,0,0,0,2,0", "2", "0,0,1,0,1,1/0,0,0,0,2,0/4,0/n");
    // DJ5: thirteen seeds refill their own pit.
    leads(game, "13,0,0,0,0,0/0,0,0,0,0,0", "1", "1,0,1,1,1,1/1,1,1,1,1,1/2,0/n");
    // DJ6: North cannot be fed; the gift.
    let over = leads(game, "1,0,0,0,0,1/1,0,0,0,0,0", "6", "0,0,0,0,0,0/0,0,0,0,0,0/2,1/n");
    assert_eq!(over["over"], true);
    // DJ7: a relay round the board.
    leads(game, "1,0,0,0,0,1/5,0,0,0,2,0", "6", "0,0,0,0,0,0/0,1,1,1,3,1/2,0/n");
    // DJ8: North passes and South must feed with her pit 5; under Oware's reading the game is over.
    let rescued = play(&[game, "--position", "0,0,0,0,3,1/1,0,0,0,0,0", "--moves", "6 / - / 5"]);
    assert_eq!((&rescued["position"], &rescued["over"]), (&"0,0,0,0,0,1/1,1,0,0,0,0/2,0/n".into(), &false.into()));
    let over = play(&[game, "--reading", "oware-feeding", "--position", "0,0,0,0,3,1/1,0,0,0,0,0", "--moves", "6"]);
    assert_eq!((&over["position"], &over["over"]), (&"0,0,0,0,0,0/0,0,0,0,0,0/4,1/n".into(), &true.into()));
}

#[test]
fn san_yao() {
    let game = "san-yao";
    leads(game, "5,5,5,5,5/5,5,5,5,5", "1", "3,9,2,9,9/9,0,0,0,0/9,0/n");
    leads(game, "0,2,0,0,0/4,1,0,0,0", "2", "0,0,1,1,0/0,1,0,0,0/4,0/n");
    let over = leads(game, "1,0,0,3,0/6,0,2,0,0", "1", "0,0,0,0,0/0,0,0,0,0/12,0/n");
    assert_eq!(over["over"], true);
    leads(game, "0,0,1,0,0/0,3,0,0,0", "3", "0,0,0,1,0/0,3,0,0,0/0,0/n");
    leads(game, "2,0,1,1,0/0,3,0,0,4", "1", "0,1,2,0,1/0,0,0,0,4/3,0/n");
    leads(game, "1,0,0,2,0/2,0,2,0,2", "1", "0,0,0,0,0/0,0,0,0,0/9,0/n");
    let rest = play(&[game, "--reading", "no-wrap", "--position", "1,0,0,2,0/2,0,2,0,2", "--moves", "1"]);
    assert_eq!(rest["position"], "0,0,0,0,0/0,0,0,0,0/9,0/n");
    assert_eq!(rest["over"], true);
}

/// The published opening of the Maldives: 93 moves, 168 laps, 124 seeds (Donkers, de Voogt and Uiterwijk 2000).
#[test]
fn an_opening_of_168_laps() {
    let moves = "1 8 8 6 4 6 2 3 7 4 5 1 8 8 3 8 4 8 7 8 5 2 7 8 6 5 6 3 7 4 5 2 5 8 8 6 8 3 8 5 8 7 4 8 7 8 7 8 8 6 8 7 8 4 8 6 8 \
                 3 8 6 8 5 8 6 1 8 7 8 5 8 4 6 7 8 8 5 6 8 3 8 1 8 7 8 2 8 6 8 5 8 6 8 3";
    let played = play(&["dakon", "--board", "8x8", "--reading", "donkers", "--moves", moves, "--trace"]);
    assert_eq!(played["position"], "0,0,0,1,0,0,0,0/0,1,0,0,0,1,0,1/124,0/n");
    let trace = played["trace"].as_array().expect("a trace");
    assert_eq!(trace.len(), 93);
    assert_eq!(trace.iter().filter_map(|played| played["lap_count"].as_u64()).sum::<u64>(), 168);
    assert_eq!(trace.iter().filter_map(|played| played["laps"].as_array()).map(Vec::len).sum::<usize>(), 168);
}

#[test]
fn a_trace_names_captures_in_the_games_words() {
    let page = lumbung!("play", "dakon", "--moves", "7", "--trace");
    for word in [
        "Move 1, turn 1: South plays pit 7",
        "lap 1: lifts 7 from pit 7; the last falls in North's pit 6, now 8",
        "lap 2: lifts 8 from North's pit 6; the last falls in pit 7, now 1",
        "nembak: takes 8 from North's pit 1",
        "North to move; legal: 2 3 4 5 7",
    ] {
        assert!(page.text().contains(word), "no {word:?} in\n{}", page.stdout);
    }
    let data = play(&["dakon", "--position", "0,0,0,0,0,0,3/2,0,3,0,0,0,0/45,45/s", "--moves", "7", "--trace"]);
    let capture = &data["trace"][0]["capture"];
    assert_eq!((&capture["kind"], &capture["word"]), (&"sandwich".into(), &"mikul".into()));
    assert_eq!(capture["taken"].as_array().map(Vec::len), Some(3));
}

#[test]
fn a_finished_game_is_settled_in_words() {
    let page = lumbung!("play", "dakon", "--position", "0,0,0,0,0,0,1/0,0,0,0,0,3,0/46,48/s", "--moves", "7");
    for word in ["The game is over: a bonus move was earned", "North wins by 4: South 47, North 51"] {
        assert!(page.text().contains(word), "no {word:?} in\n{}", page.stdout);
    }
}

#[test]
fn moves_come_back_in_their_written_form() {
    assert_eq!(play(&["dakon", "--moves", "  7/3  "])["moves"], "7 / 3");
    assert_eq!(play(&["djenon-abe", "--position", "0,0,0,0,3,1/1,0,0,0,0,0", "--moves", "6 5"])["moves"], "6 / - / 5");
}

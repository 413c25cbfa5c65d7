//! Matches over rounds, solved and played.

use serde_json::Value;

use crate::run::run;

fn solved(words: &[&str]) -> Value {
    let ran = run(&[&["match", "san-yao"], words, &["--json"]].concat());
    assert_eq!(ran.code, Some(0), "{words:?}: {}", ran.stderr);
    ran.json()
}

#[test]
fn south_wins_the_usual_match_in_two_rounds() {
    for words in [&[][..], &["--reading", "winner-chooses"]] {
        let solved = solved(words);
        assert_eq!((&solved["winner"], &solved["in_rounds"], &solved["exact"]), (&"south".into(), &2.into(), &true.into()));
        let first = &solved["rounds"][0];
        assert_eq!((&first["margin"], &first["stores"]), (&24.into(), &serde_json::json!([37, 13])));
        // 37 seeds fill seven pits, two of them sons, and two are left to lend; 13 and 2 fill three.
        assert_eq!((&first["lent"], &first["refill"]["sons"]), (&2.into(), &2.into()));
        assert_eq!(first["refill"]["pits"], serde_json::json!([7, 3]));
        assert_eq!(solved["rounds"][1]["refill"]["match_winner"], "south");
    }
}

#[test]
fn the_second_player_wins_on_three_pits() {
    let solved = solved(&["--board", "3x3"]);
    assert_eq!((&solved["winner"], &solved["in_rounds"]), (&"north".into(), &2.into()));
}

/// What `match` prints as best play is a match that `play` accepts, ends, and gives to the same player.
#[test]
fn best_play_replays() {
    for words in [&[][..], &["--reading", "winner-chooses"], &["--reading", "debt"], &["--board", "3x3"]] {
        let solved = solved(words);
        let lines: Vec<&str> =
            solved["rounds"].as_array().expect("rounds").iter().map(|round| round["line"].as_str().expect("a line")).collect();
        let page = run(&[&["match", "san-yao"], words].concat());
        let command = page.text().lines().find(|line| line.contains("--match --moves")).expect("a command");
        let moves = command.split('"').nth(1).expect("moves in quotes");
        for line in lines {
            assert!(moves.contains(line), "{line} in {moves}");
        }
        let played = run(&[&["play", "san-yao"], words, &["--match", "--moves", moves, "--json"]].concat()).json();
        assert_eq!(played["match"]["over"], true, "{moves}");
        assert_eq!(played["match"]["winner"], solved["winner"]);
        assert_eq!(played["match"]["moves"], moves);
        for (played, solved) in
            played["match"]["rounds"].as_array().expect("rounds").iter().zip(solved["rounds"].as_array().unwrap())
        {
            assert_eq!(played["refill"], solved["refill"]);
            assert_eq!(played["owners"], solved["owners"]);
        }
    }
}

#[test]
fn a_match_may_start_in_a_later_round() {
    let later = solved(&["--position", "5,5,5,5,5/5,5,5,5,5/0,0/s/sssssssnnn"]);
    assert_eq!((&later["winner"], &later["in_rounds"]), (&"south".into(), &1.into()));
    let refused = lumbung!("match", "san-yao", "--position", "5,5,5,5,5/5,5,5,5,4");
    assert_eq!(refused.code, Some(2));
    assert!(refused.stderr.contains("is not the start of a round"), "{}", refused.stderr);
    let refused = lumbung!("match", "dakon");
    assert_eq!(refused.code, Some(2));
    assert!(refused.stderr.contains("dakon is a game of one round"), "{}", refused.stderr);
}

#[test]
fn the_arithmetic_of_a_refill_is_shown() {
    let line = solved(&[])["rounds"][0]["line"].as_str().expect("a line").to_owned();
    let page = lumbung!("play", "san-yao", "--match", "--moves", line, "--trace");
    for words in [
        "Round 1: sssssnnnnn, South starts",
        "Totals: South 37, North 13.",
        "South: 37 div 5 = 7 pits, 2 of North's among them; 2 left over.",
        "North: 13 + 2 given = 3 pits of 5.",
        "South starts.",
    ] {
        assert!(page.text().contains(words), "no {words:?} in\n{}", page.stdout);
    }
    let debt = lumbung!("play", "san-yao", "--reading", "debt", "--match", "--moves", line);
    assert!(debt.text().contains("North: 13 + 2 lent = 3 pits of 5; North owes 2."), "{}", debt.stdout);
}

#[test]
fn rounds_that_may_not_end_there_are_refused() {
    let fails = |words: &[&str]| {
        let ran = run(&[&["play", "san-yao", "--match"], words].concat());
        assert_eq!(ran.code, Some(2), "{words:?}: {}", ran.stdout);
        ran.stderr
    };
    assert!(fails(&["--moves", "1 / 1 ; 2"]).contains("the round is not over, and no position has come back"));
    assert!(fails(&["--moves", "[7] 1"]).contains("nobody has won a son before the first round"));
    assert!(fails(&["--moves", "1 x"]).contains("moves, character 3 (move 1)"));
    // What is wrong there is the `;`, which comes too early.
    let early = fails(&["--moves", "3 / 2 ; 1"]);
    assert!(early.contains("moves, character 7 (move 2): the round is not over"), "{early}");
    assert!(fails(&["--moves", "; 1"]).contains("moves, character 1 (move 1): the round is not over"));
    assert!(fails(&["--moves", "-"]).contains("moves, character 1 (move 1): South can move and may not pass"));
}

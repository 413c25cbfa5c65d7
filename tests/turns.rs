//! Single turns.

use crate::run::run;

#[test]
fn the_first_turn_wins_on_the_standard_board() {
    let turn = lumbung!("turns", "dakon", "--json").json();
    assert_eq!((&turn["winning"], &turn["reached"]), (&true.into(), &true.into()));
    let line = turn["line"].as_str().expect("a line");
    let played = lumbung!("play", "dakon", "--moves", line, "--json").json();
    // North has not moved, so what South is ahead by is what she stored.
    assert!(played["margin"].as_i64() > Some(49), "{played}");
    assert_eq!(played["margin"], turn["line_store"]);
}

/// Donkers, de Voogt and Uiterwijk 2000: openings that store 2n^2 - n seeds exist for every n but 3.
#[test]
fn winning_openings_of_donkers() {
    for (board, exists) in [("1x1", true), ("2x2", true), ("3x3", false), ("4x4", true), ("5x5", true)] {
        let turn = run(&["turns", "dakon", "--board", board, "--reading", "donkers", "--goal", "donkers", "--json"]).json();
        assert_eq!((&turn["reached"], &turn["exhaustive"]), (&exists.into(), &true.into()), "{board}");
    }
    let three = lumbung!("turns", "dakon", "--board", "3x3", "--reading", "donkers", "--goal", "max", "--json").json();
    assert_eq!(three["best_store"], 12);
}

#[test]
fn a_turn_of_one_move_is_not_said_to_come_from_nothing() {
    let turn = lumbung!("turns", "awari", "--goal", "max");
    assert!(turn.text().contains("no further board seen") && !turn.stdout.contains("0 boards"), "{}", turn.stdout);
}

#[test]
fn a_turn_without_bonus_moves_is_one_move() {
    let turn = lumbung!("turns", "awari", "--goal", "longest", "--json").json();
    assert_eq!((&turn["moves"], &turn["exhaustive"]), (&1.into(), &true.into()));
}

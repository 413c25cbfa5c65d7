//! The two engines are one game: equal legal moves, boards, gains, endings and settlements.

use crate::support::{Compare, Random};
use lumbung_engine::kernel::dispatch;
use lumbung_engine::referee::State;
use lumbung_engine::rules::{PRESET_NAMES, Rounds, RuleSet, preset};
use lumbung_engine::{Owners, Pit, Position, Referee, Side};

/// Positions compared for each preset, over all its readings and many boards.
const POSITIONS: usize = 200_000;

/// Compares `count` random positions with up to `most` seeds on boards of `pits` pits a row; returns the moves compared.
fn compare_random(rules: &RuleSet, random: &mut Random, pits: usize, most: usize, count: usize) -> usize {
    let territory = matches!(rules.rounds, Rounds::Territory { .. });
    let mut rows = Vec::new();
    let mut moves = 0;
    for _ in 0..count {
        let seeds = random.below(most + 1);
        let position = random.position(pits, seeds, territory);
        if position.owners.are_rows() {
            rows.push(position);
        } else {
            let one = std::slice::from_ref(&position);
            moves += dispatch(rules, pits, most, position.owners, Compare { rules, positions: one });
        }
    }
    moves + dispatch(rules, pits, most, Owners::rows(pits), Compare { rules, positions: &rows })
}

#[test]
fn presets_and_their_readings_on_random_positions() {
    let mut moves = 0;
    for (number, name) in PRESET_NAMES.iter().enumerate() {
        let base = &preset(name).unwrap().rules;
        let mut variants = vec![base.clone()];
        variants.extend(base.readings.keys().map(|reading| base.with_reading(reading).unwrap()));
        let mut random = Random(number as u64);
        // Small boards meet the rare rules more often, so they get half of the positions.
        let boards = [3, 4, base.usual_board.pits(), base.usual_board.pits()];
        let each = POSITIONS / variants.len() / boards.len();
        for rules in &variants {
            for pits in boards {
                // Endless relays of San-Yao run to millions of laps with many stones: see the next test.
                let most = if *name == "san-yao" { 14 } else { base.usual_board.total().min(14 * pits) };
                moves += compare_random(rules, &mut random, pits, most, each);
            }
        }
    }
    assert!(moves > 2_000_000, "only {moves} moves were compared");
}

/// San-Yao with every number of stones and every share of the pits. The referee waits for endless relays to recur, which takes
/// millions of laps with many stones, so there are few positions of those.
#[test]
fn san_yao_with_all_numbers_of_stones() {
    let base = &preset("san-yao").unwrap().rules;
    let passes = base.with_set(&["sowing.endless=pass"]).unwrap();
    let mut random = Random(50);
    let mut moves = 0;
    for seeds in 0..=50 {
        for round in 0..if seeds <= 32 { 400 } else { 24 } {
            let mut position = random.position(5, seeds, false);
            let share = 1 + random.below(9);
            while position.owners.south_bits().count_ones() != share as u32 {
                position.owners = Owners::from_bits(random.next(), 5);
            }
            let rules = if round % 4 == 0 { &passes } else { base };
            moves += dispatch(rules, 5, 50, position.owners, Compare { rules, positions: &[position] });
        }
    }
    assert!(moves > 25_000, "only {moves} moves were compared");
}

/// Boards whose relay an invariant proves endless, up to the longest cycle that is quickly waited for; found among random ones by
/// the numbers of `docs/san-yao.md`. The referee sees each recur.
#[test]
fn relays_known_to_be_endless_recur() {
    let rules = preset("san-yao").unwrap().rules.with_set(&["sowing.endless=pass"]).unwrap();
    let mut random = Random(11);
    let mut found = 0;
    while found < 60 {
        let pits = 2 + random.below(5);
        let seeds = 2 * pits + random.below(12);
        let position = random.position(pits, seeds, false);
        let ring = 2 * pits;
        let start = position.ring(position.to_move, Pit(0));
        let classes: Vec<usize> =
            (0..ring).map(|k| (k + usize::from(position.board[(start + k) % ring]) + 1) % (ring + 1)).chain([0]).collect();
        if position.board[start] == 0 || classes.iter().any(|c| classes.contains(&((c + 1) % (ring + 1)))) {
            continue;
        }
        found += 1;
        let played = Referee::new(&rules).play(&position, Pit(0)).unwrap();
        assert!(played.endless && played.lap_count > 0, "{position}");
        dispatch(&rules, pits, seeds, position.owners, Compare { rules: &rules, positions: &[position] });
    }
}

#[test]
fn every_board_size_and_packing() {
    let mut random = Random(77);
    for name in ["dakon", "kalah", "congkak", "djenon-abe", "awari", "djenon-aboure"] {
        let rules = &preset(name).unwrap().rules;
        for pits in 1..=18 {
            for most in [12, 60, 255, 300, 1023] {
                // Relays that turn for ever are common on small boards with many seeds, and the referee is slow at them.
                let most = if rules.can_be_endless() { most.min(8 * pits) } else { most };
                compare_random(rules, &mut random, pits, most, 60);
            }
        }
    }
}

mod random_rules {
    use super::*;
    use lumbung_engine::rules::arbitrary::rule_set;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig { cases: 4_000, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn random_rule_sets_on_random_boards(rules in rule_set(), pits in 1usize..=7, seed in any::<u64>()) {
            let most = if rules.can_be_endless() { 14 } else { 6 * pits };
            compare_random(&rules, &mut Random(seed), pits, most, 60);
        }
    }
}

/// Rules without a direction: playing on the board turned by half a circle is the same game with the players exchanged, and no
/// engine may tell South's side from North's.
#[test]
fn the_players_may_be_exchanged() {
    let mut random = Random(3);
    for name in PRESET_NAMES {
        let rules = &preset(name).unwrap().rules;
        let referee = Referee::new(rules);
        let pits = rules.usual_board.pits();
        for _ in 0..500 {
            let seeds = random.below(40);
            let mut position = random.position(pits, seeds.min(14), false);
            position.to_move = Side::South;
            let exchanged = exchange(&position);
            assert_eq!(settled(&referee, &position), settled(&referee, &exchanged).map(|p| exchange(&p)));
            let State::ToMove(pits) = referee.state(&position) else { continue };
            assert_eq!(referee.state(&exchanged), State::ToMove(pits.clone()));
            for pit in pits {
                let (a, b) = (referee.play(&position, pit).unwrap(), referee.play(&exchanged, pit).unwrap());
                assert_eq!(exchange(&a.after), b.after, "{name} {position} pit {pit}");
            }
        }
    }
}

/// The settled position, if the game is over.
fn settled(referee: &Referee<'_>, position: &Position) -> Option<Position> {
    match referee.state(position) {
        State::Over(over) => Some(over.last),
        State::Pass | State::ToMove(_) => None,
    }
}

fn exchange(position: &Position) -> Position {
    let pits = position.pits();
    let mut board = position.board.clone();
    board.rotate_left(pits);
    Position {
        board,
        stores: [position.stores[1], position.stores[0]],
        to_move: position.to_move.other(),
        owners: position.owners,
    }
}

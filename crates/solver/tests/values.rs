//! Exact values: against the literature, against plain minimax, and against themselves under other limits.

use std::collections::HashMap;

use lumbung_engine::referee::{Next, State};
use lumbung_engine::rules::{RuleSet, preset};
use lumbung_engine::{BoardSize, Owners, Position, Referee, Side};
use lumbung_solver::analyse::analyse;
use lumbung_solver::bounds::{BoundsError, with_bounds};
use lumbung_solver::solve::{Goal, Options, Outcome, Solution, solve};
use lumbung_solver::{Limits, LineEnd, Quiet, StopReason};

fn rules(name: &str) -> &'static RuleSet {
    &preset(name).unwrap().rules
}

fn start(pits: usize, seeds: usize) -> Position {
    Position::start(BoardSize::new(pits, seeds).unwrap())
}

fn solved(rules: &RuleSet, position: &Position, options: &Options) -> Solution {
    let solution = solve(rules, position, options, &Quiet).unwrap();
    assert!(solution.proven, "{position} was not settled");
    solution
}

fn margin(rules: &RuleSet, position: &Position) -> i32 {
    solved(rules, position, &Options::default()).margin.0
}

fn table(rows: &toml::Value, key: &str) -> Vec<(usize, Vec<i32>)> {
    let rows = rows[key].as_table().unwrap();
    rows.iter()
        .map(|(name, row)| {
            let cells = match row {
                toml::Value::String(letters) => letters.bytes().map(|b| i32::from(b == b'W') - i32::from(b == b'L')).collect(),
                row => row.as_array().unwrap().iter().map(|cell| cell.as_integer().unwrap() as i32).collect(),
            };
            (name[1..].parse().unwrap(), cells)
        })
        .collect()
}

fn data() -> toml::Value {
    toml::Value::Table(include_str!("data/kalah_values.toml").parse().unwrap())
}

/// Checks every cell of some tables; returns how many there were.
fn check_cells(rules: &RuleSet, rows: &[(usize, Vec<i32>)], of: fn(i32) -> i32) -> usize {
    let mut cells = 0;
    for (pits, row) in rows {
        for (seeds, expected) in row.iter().enumerate() {
            assert_eq!(of(margin(rules, &start(*pits, seeds + 1))), *expected, "{}({pits}, {})", rules.name, seeds + 1);
            cells += 1;
        }
    }
    cells
}

#[test]
fn kalah_with_empty_capture_as_irving_donkers_and_uiterwijk_print_it() {
    let data = &data()["empty_capture"];
    let rules = rules("kalah-empty-capture");
    assert_eq!(check_cells(rules, &table(data, "table_9"), |margin| margin), 13);
    assert_eq!(check_cells(rules, &table(data, "table_10"), i32::signum), 31);
    assert_eq!(check_cells(rules, &table(data, "recomputed"), |margin| margin), 18);
}

#[test]
fn kalah_with_standard_capture() {
    assert_eq!(check_cells(rules("kalah"), &table(&data()["standard_capture"], "recomputed"), |margin| margin), 31);
}

#[test]
fn dakon_boards_won_lost_and_drawn() {
    let dakon = rules("dakon");
    for (pits, seeds, expected) in [(4, 4, 32), (5, 5, 48), (6, 6, 72), (7, 7, 98), (3, 5, -10), (3, 7, 0)] {
        assert_eq!(margin(dakon, &start(pits, seeds)), expected, "{pits}x{seeds}");
    }
}

/// The value for South by following every line with the referee, in the order of the rules and nothing else.
fn minimax(referee: &Referee<'_>, position: &Position, known: &mut HashMap<(Vec<u16>, Side), i32>) -> i32 {
    let key = (position.board.clone(), position.to_move);
    if let Some(&value) = known.get(&key) {
        return value + position.margin();
    }
    let value = match referee.state(position) {
        State::Over(over) => over.last.margin(),
        State::Pass => minimax(referee, &referee.pass(position), known),
        State::ToMove(pits) => {
            let values = pits.into_iter().map(|pit| {
                let played = referee.play(position, pit).unwrap();
                match played.next {
                    Next::Over(over) => over.last.margin(),
                    Next::Bonus | Next::Turn { .. } => minimax(referee, &played.after, known),
                }
            });
            if position.to_move == Side::South { values.max() } else { values.min() }.unwrap()
        }
    };
    known.insert(key, value - position.margin());
    value
}

/// A small, seeded source of random numbers.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % bound
    }

    fn position(&mut self, pits: usize, seeds: usize) -> Position {
        let mut board = vec![0; 2 * pits];
        for _ in 0..seeds {
            board[self.below(2 * pits)] += 1;
        }
        let stores = [self.below(9) as u16, self.below(9) as u16];
        let to_move = [Side::South, Side::North][self.below(2)];
        Position { board, stores, to_move, owners: Owners::rows(pits) }
    }
}

const ACYCLIC: [&str; 6] = ["dakon", "ohvalhu", "congkak", "sungka", "kalah", "kalah-empty-capture"];

/// Every acyclic preset and each of its readings.
fn acyclic_rules() -> Vec<RuleSet> {
    ACYCLIC
        .into_iter()
        .flat_map(|name| {
            let base = rules(name);
            let readings = base.readings.keys().map(|reading| base.with_reading(reading).unwrap());
            std::iter::once(base.clone()).chain(readings.collect::<Vec<_>>())
        })
        .collect()
}

#[test]
fn equal_to_plain_minimax_on_small_boards_under_every_reading() {
    let mut random = Random(5);
    for rules in acyclic_rules() {
        let referee = Referee::new(&rules);
        let mut known = HashMap::new();
        for (pits, seeds) in [(1, 4), (2, 3), (3, 2)] {
            let position = start(pits, seeds);
            assert_eq!(margin(&rules, &position), minimax(&referee, &position, &mut known), "{pits}x{seeds} {}", rules.to_toml());
        }
        for _ in 0..12 {
            let (pits, seeds) = (1 + random.below(4), random.below(12));
            let position = random.position(pits, seeds);
            let expected = minimax(&referee, &position, &mut HashMap::new());
            let solution = solved(&rules, &position, &Options::default());
            assert_eq!(solution.margin, (expected, expected), "{position} {}", rules.to_toml());
            assert_eq!(solution.outcome, Some(Outcome::of(expected)));
            let outcome = Options { goal: Goal::Outcome, ..Options::default() };
            assert_eq!(solved(&rules, &position, &outcome).outcome, Some(Outcome::of(expected)), "{position}");
        }
    }
}

/// What a margin counts for a player.
fn sign(side: Side) -> i32 {
    if side == Side::South { 1 } else { -1 }
}

#[test]
fn bounds_are_those_of_minimax_and_moves_prove_them() {
    let mut random = Random(7);
    let mut moves = 0;
    for rules in acyclic_rules() {
        let referee = Referee::new(&rules);
        let mut known = HashMap::new();
        for _ in 0..3 {
            let (pits, seeds) = (1 + random.below(4), random.below(12));
            let start = random.position(pits, seeds);
            minimax(&referee, &start, &mut known);
            // All that can follow, in one session.
            let all: Vec<Position> = known
                .keys()
                .filter(|(board, _)| {
                    board.len() == start.board.len() && board.iter().sum::<u16>() as usize <= start.seeds_in_play()
                })
                .map(|(board, to_move)| Position { board: board.clone(), to_move: *to_move, stores: [0, 0], ..start.clone() })
                .take(300)
                .collect();
            let proven = with_bounds(&rules, &start, &Options::default(), &Quiet, |bounds| {
                all.iter()
                    .map(|position| {
                        let value = known[&(position.board.clone(), position.to_move)] * sign(position.to_move);
                        assert!(bounds.at_least(position, value).unwrap(), "{position} {}", rules.to_toml());
                        assert!(!bounds.at_least(position, value + 1).unwrap(), "{position} {}", rules.to_toml());
                        assert_eq!(bounds.proven_move(position, value + 1), Ok(None));
                        let (low, high) = bounds.known(position).unwrap();
                        assert!(low <= value && value <= high);
                        (position, value, bounds.proven_move(position, value).unwrap())
                    })
                    .collect::<Vec<_>>()
            });
            for (position, value, pit) in proven.unwrap() {
                let State::ToMove(_) = referee.state(position) else {
                    assert_eq!(pit, None, "{position}");
                    continue;
                };
                let played = referee.play(position, pit.unwrap()).unwrap();
                let margin = match played.next {
                    Next::Over(over) => over.last.margin(),
                    Next::Bonus | Next::Turn { .. } => minimax(&referee, &played.after, &mut known),
                };
                assert_eq!(margin * sign(position.to_move), value, "{position} {}", rules.to_toml());
                moves += 1;
            }
        }
    }
    assert!(moves > 1000, "only {moves} moves");
}

#[test]
fn bounds_of_other_games_are_refused() {
    let foreign = [start(3, 3), Position { owners: Owners::from_bits(1, 2), ..start(2, 2) }, start(2, 3)];
    with_bounds(rules("dakon"), &start(2, 2), &Options::default(), &Quiet, |bounds| {
        for position in foreign {
            assert!(matches!(bounds.at_least(&position, 0), Err(BoundsError::Foreign(_))), "{position}");
            assert!(matches!(bounds.known(&position), Err(BoundsError::Foreign(_))), "{position}");
        }
    })
    .unwrap();
    let limits = Limits { nodes: Some(100), ..Limits::default() };
    let options = Options { limits, ..Options::default() };
    let answer = with_bounds(rules("kalah"), &start(6, 6), &options, &Quiet, |bounds| bounds.at_least(&start(6, 6), 2));
    assert_eq!(answer.unwrap(), Err(BoundsError::Stopped(StopReason::Nodes)));
}

#[test]
fn optimal_lines_are_legal_and_reach_the_margin() {
    for (name, pits, seeds) in [("dakon", 4, 4), ("dakon", 3, 5), ("kalah", 4, 3), ("sungka", 4, 4), ("congkak", 5, 3)] {
        let rules = rules(name);
        let solution = solved(rules, &start(pits, seeds), &Options::default());
        assert_eq!(solution.line_end, LineEnd::GameOver);
        let referee = Referee::new(rules);
        let mut position = start(pits, seeds);
        for turn in &solution.line {
            assert_eq!(turn.side, position.to_move);
            if turn.moves.is_empty() {
                position = referee.pass(&position);
            }
            for &pit in &turn.moves {
                position = referee.play(&position, pit).unwrap().after;
            }
        }
        if let State::Over(over) = referee.state(&position) {
            position = over.last;
        }
        assert_eq!(position, solution.line.last().unwrap().after);
        assert_eq!(position.margin(), solution.margin.0, "{name} {pits}x{seeds}");
    }
}

#[test]
fn a_limit_leaves_true_bounds_and_claims_nothing_more() {
    let kalah = rules("kalah");
    let position = start(5, 3);
    for nodes in [1, 1_000, 10_000] {
        let limits = Limits { nodes: Some(nodes), ..Limits::default() };
        let solution = solve(kalah, &position, &Options { limits, ..Options::default() }, &Quiet).unwrap();
        assert_eq!(solution.stopped, Some(StopReason::Nodes));
        assert!(!solution.proven && solution.line.is_empty());
        assert!(solution.margin.0 <= 6 && 6 <= solution.margin.1 && solution.margin.0 < solution.margin.1);
        assert!(solution.nodes <= nodes.max(1), "{} of {nodes}", solution.nodes);
    }
}

/// South can take the 40 seeds that lie opposite her empty fourth pit, with her third. After that nine seeds are left; after every
/// other move North sows the 40, and a long game begins.
#[test]
fn a_hard_move_leaves_time_for_an_easy_one() {
    let kalah = rules("kalah");
    let position: Position = "1,1,1,0,1,1/1,1,40,1,1,1/0,0/s".parse().unwrap();
    let referee = Referee::new(kalah);
    let capture = referee.play(&position, lumbung_engine::Pit(2)).unwrap().after;
    assert_eq!((capture.stores, capture.seeds_in_play()), ([41, 0], 9));
    let expected = minimax(&referee, &capture, &mut HashMap::new());
    for goal in [Goal::Margin, Goal::Outcome] {
        let limits = Limits { nodes: Some(20_000), ..Limits::default() };
        let analysis = analyse(kalah, &position, &Options { goal, limits, ..Options::default() }, &Quiet).unwrap();
        assert_eq!(analysis.stopped, Some(StopReason::Nodes));
        let of = |pit: u8| analysis.moves.iter().find(|choice| choice.pit.0 == pit).unwrap().value;
        assert_eq!(of(2), (expected, expected), "{goal:?}");
        // The others are open, the first one among them, but not as wide open as 50 seeds in play.
        assert!(of(0).0 < of(0).1, "{goal:?}: {:?}", of(0));
        for choice in &analysis.moves {
            assert!(choice.value.1 - choice.value.0 < 90, "{goal:?}: {choice:?}");
        }
    }
}

//! Leaf counts against published ones, and against the referee counting one move at a time.

use lumbung_engine::referee::{Next, State};
use lumbung_engine::rules::{PRESET_NAMES, preset};
use lumbung_engine::{BoardSize, Position, Referee, RuleSet};
use lumbung_solver::perft::{Perft, moves, perft, turns};
use lumbung_solver::{Limits, StopReason};

fn rules(game: &str, readings: &[&str], sets: &[&str]) -> RuleSet {
    preset(game).expect("a preset").rules.with_changes(readings, sets).expect("a reading of the preset")
}

fn start(board: &str) -> Position {
    Position::start(board.parse().expect("a board"))
}

/// The counts of the perft test of Game::Oware (CPAN), recomputed independently to depth 9: abapa rules, where a grand slam is
/// legal and captures nothing.
const OWARE: [u64; 9] = [6, 36, 190, 1014, 5219, 27332, 139157, 711414, 3592872];

#[test]
fn oware_counts_are_the_published_ones() {
    let oware = rules("awari", &[], &["capture.count.grand-slam=no-capture"]);
    for (depth, leaves) in (1..).zip(&OWARE) {
        let counted = perft(&oware, &start("6x4"), depth, &Limits::default());
        assert_eq!(counted, Ok(Perft { moves: *leaves, turns: *leaves }), "depth {depth}");
    }
}

/// The published counts do not tell these two variants apart up to nine plies; a position with a grand slam does.
#[test]
fn a_grand_slam_tells_the_oware_variants_apart() {
    let slam: Position = "0,0,0,0,1,2/1,1,0,0,0,0".parse().expect("a position");
    let count = |value| moves(&rules("awari", &[], &[value]), &slam, 1, &Limits::default());
    // Pit 6 makes both of North's pits 2 and would take everything.
    assert_eq!(count("capture.count.grand-slam=no-capture"), Ok(2));
    assert_eq!(count("capture.count.grand-slam=forbidden"), Ok(1));
}

/// Sequences of exactly `left` moves, by the referee.
fn moves_by_referee(referee: &Referee<'_>, position: &Position, left: u32) -> u64 {
    if left == 0 {
        return 1;
    }
    match referee.state(position) {
        State::Over(_) => 0,
        State::Pass => moves_by_referee(referee, &referee.pass(position), left),
        State::ToMove(pits) => {
            let after = pits.iter().map(|&pit| referee.play(position, pit).expect("a legal move"));
            after
                .map(|played| match played.next {
                    Next::Over(_) => u64::from(left == 1),
                    Next::Bonus | Next::Turn { .. } => moves_by_referee(referee, &played.after, left - 1),
                })
                .sum()
        }
    }
}

/// Sequences of exactly `left` turns, by the referee: every way to end this turn, and from there every way to play the others.
fn turns_by_referee(referee: &Referee<'_>, position: &Position, left: u32) -> u64 {
    if left == 0 {
        return 1;
    }
    match referee.state(position) {
        State::Over(_) => 0,
        State::Pass => turns_by_referee(referee, &referee.pass(position), left),
        State::ToMove(_) => ends_of_turn(referee, position)
            .iter()
            .map(|end| match end {
                Some(next) => turns_by_referee(referee, next, left - 1),
                None => u64::from(left == 1),
            })
            .sum(),
    }
}

/// The positions at the end of every way to play a turn from here; `None` if the game ends with it.
fn ends_of_turn(referee: &Referee<'_>, position: &Position) -> Vec<Option<Position>> {
    match referee.state(position) {
        State::Over(_) => vec![None],
        State::Pass => vec![Some(referee.pass(position))],
        State::ToMove(pits) => pits
            .iter()
            .flat_map(|&pit| {
                let played = referee.play(position, pit).expect("a legal move");
                match played.next {
                    Next::Bonus => ends_of_turn(referee, &played.after),
                    Next::Turn { .. } => vec![Some(played.after)],
                    Next::Over(_) => vec![None],
                }
            })
            .collect(),
    }
}

#[track_caller]
fn agrees(rules: &RuleSet, position: &Position, depth: u32) -> Perft {
    let referee = Referee::new(rules);
    let expected =
        Perft { moves: moves_by_referee(&referee, position, depth), turns: turns_by_referee(&referee, position, depth) };
    let counted = perft(rules, position, depth, &Limits::default());
    assert_eq!(counted, Ok(expected), "{} from {position}, depth {depth}", rules.name);
    expected
}

#[test]
fn every_preset_counts_as_its_referee_does() {
    for game in PRESET_NAMES {
        let rules = rules(game, &[], &[]);
        let mut leaves = 0;
        for (pits, seeds) in [(1, 1), (1, 3), (2, 1), (2, 2), (3, 1), (3, 2), (3, 4), (4, 3)] {
            let start = Position::start(BoardSize::new(pits, seeds).expect("a board"));
            for depth in 1..=4 {
                leaves += agrees(&rules, &start, depth).moves;
            }
        }
        assert!(leaves > 100, "{game} hardly moves on these boards");
    }
}

#[test]
fn readings_that_pass_count_as_their_referee_does() {
    let must_pass = rules("dakon", &["must-pass"], &[]);
    let bonus_lapses = rules("dakon", &["bonus-lapses"], &[]);
    for seeds in ["0,0,1/1,0,2", "0,1,1/0,0,0", "0,0,1/0,0,1", "1,0,1/1,1,0"] {
        let position: Position = seeds.parse().expect("a position");
        for depth in 1..=6 {
            agrees(&must_pass, &position, depth);
            agrees(&bonus_lapses, &position, depth);
        }
    }
}

/// Dakon on one pit a row with one seed each: the seed goes to the store, the row is empty and the game over. One move, one turn.
#[test]
fn a_finished_game_contributes_nothing() {
    let dakon = rules("dakon", &[], &[]);
    let limits = Limits::default();
    assert_eq!(perft(&dakon, &start("1x1"), 0, &limits), Ok(Perft { moves: 1, turns: 1 }));
    assert_eq!(perft(&dakon, &start("1x1"), 1, &limits), Ok(Perft { moves: 1, turns: 1 }));
    assert_eq!(perft(&dakon, &start("1x1"), 2, &limits), Ok(Perft { moves: 0, turns: 0 }));
}

/// Kalah on two pits a row with one seed each. South's pit 2 ends in the store and earns a move, after which only pit 1 is left;
/// it ends in the empty pit 2 and takes the seed opposite. Her pit 1 ends in the occupied pit 2: the turn passes. Three sequences
/// of moves begin `1 / 1`, `1 / 2` and `2 1`; the turns of one are `1` and `2 1`.
#[test]
fn a_turn_of_two_moves_is_one_turn() {
    let kalah = rules("kalah", &[], &[]);
    let limits = Limits::default();
    assert_eq!(moves(&kalah, &start("2x1"), 1, &limits), Ok(2));
    assert_eq!(moves(&kalah, &start("2x1"), 2, &limits), Ok(3));
    assert_eq!(turns(&kalah, &start("2x1"), 1, &limits), Ok(2));
}

/// A pass is no ply: with South unable to move under the must-pass reading, what counts is North's.
#[test]
fn a_forced_pass_is_no_ply() {
    let rules = rules("dakon", &["must-pass"], &[]);
    let south: Position = "0,0,0/1,1,0/0,0/s".parse().expect("a position");
    let north = Position { to_move: south.to_move.other(), ..south.clone() };
    let limits = Limits::default();
    assert_eq!(moves(&rules, &south, 1, &limits), Ok(2));
    for depth in 1..=4 {
        assert_eq!(perft(&rules, &south, depth, &limits), perft(&rules, &north, depth, &limits));
    }
}

#[test]
fn limits_are_obeyed() {
    let awari = rules("awari", &[], &[]);
    let few = Limits { nodes: Some(1000), ..Limits::default() };
    assert_eq!(moves(&awari, &start("6x4"), 12, &few), Err(StopReason::Nodes));
    let late = Limits { deadline: Some(std::time::Instant::now()), ..Limits::default() };
    assert_eq!(moves(&awari, &start("6x4"), 12, &late), Err(StopReason::Time));
    let interrupted = Limits::default();
    interrupted.interrupt.store(true, std::sync::atomic::Ordering::Relaxed);
    assert_eq!(moves(&awari, &start("6x4"), 12, &interrupted), Err(StopReason::Interrupted));
}

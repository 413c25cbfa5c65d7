//! Searches that go through many stages: in unit tests the first stage has a few dozen positions, so that small problems grow their
//! tables, change their rankings and use all threads.

use std::collections::HashMap;
use std::ops::RangeInclusive;

use lumbung_engine::kernel::Lanes;
use lumbung_engine::referee::{Next, State};
use lumbung_engine::rules::arbitrary::sown_rule_set;
use lumbung_engine::rules::{Cycle, PRESET_NAMES, Rounds, RuleSet, preset};
use lumbung_engine::{Owners, Position, Referee, Side};

use proptest::prelude::*;

use crate::analyse::analyse;
use crate::bounds::{Bounds, with_bounds};
use crate::session::Session;
use crate::setup::{Work, in_session};
use crate::solve::{Goal, Options, Solution, solve};
use crate::transposition::Transpositions;
use crate::{Limits, LineEnd, Quiet, StopReason};

/// A small, seeded source of random numbers.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % bound
    }

    fn position(&mut self, rules: &RuleSet, pits: usize, seeds: usize) -> Position {
        let mut board = vec![0; 2 * pits];
        for _ in 0..seeds {
            board[self.below(2 * pits)] += 1;
        }
        let territory = matches!(rules.rounds, Rounds::Territory { .. }) && self.below(2) == 0;
        let owners = if territory { Owners::from_bits(self.below(1 << (2 * pits)) as u64, pits) } else { Owners::rows(pits) };
        Position { board, stores: [0, 0], to_move: [Side::South, Side::North][self.below(2)], owners }
    }
}

/// Every preset and each of its readings that has exact values.
fn all_rules() -> Vec<RuleSet> {
    let with_readings = |name: &&str| {
        let base = &preset(name).unwrap().rules;
        let readings = base.readings.keys().map(|reading| base.with_reading(reading).unwrap());
        std::iter::once(base.clone()).chain(readings.collect::<Vec<_>>())
    };
    PRESET_NAMES.iter().flat_map(with_readings).filter(|rules| rules.end.cycle != Cycle::RowOwner).collect()
}

type Identity = (Vec<u16>, Side);

/// South's final margin from a position, by the referee and nothing else. Layer by layer, from few seeds to many, the values of all
/// positions that can be reached start at nothing gained and are worked out again from their successors until none changes, so that
/// endless play is worth 0.
fn fixed_point(rules: &RuleSet, start: &Position) -> i32 {
    let referee = Referee::new(rules);
    let identity = |position: &Position| (position.board.clone(), position.to_move);
    let mut graph: HashMap<Identity, Follows> = HashMap::new();
    let mut open = vec![start.clone()];
    while let Some(position) = open.pop() {
        let here = identity(&position);
        if graph.contains_key(&here) {
            continue;
        }
        let mut choices = Vec::new();
        let follows = match referee.state(&position) {
            State::Over(over) => Follows::Over(over.last.margin() - position.margin()),
            State::Pass => {
                let passed = referee.pass(&position);
                choices.push((0, Some(identity(&passed))));
                open.push(passed);
                Follows::Choices(choices)
            }
            State::ToMove(pits) => {
                for pit in pits {
                    let played = referee.play(&position, pit).unwrap();
                    let gain = played.after.margin() - position.margin();
                    if matches!(played.next, Next::Over(_)) {
                        choices.push((gain, None));
                    } else {
                        choices.push((gain, Some(identity(&played.after))));
                        open.push(played.after);
                    }
                }
                Follows::Choices(choices)
            }
        };
        graph.insert(here, follows);
    }
    let mut values: HashMap<&Identity, i32> = graph.keys().map(|position| (position, 0)).collect();
    let seeds = |(board, _): &Identity| board.iter().sum::<u16>();
    for layer in 0..=seeds(&identity(start)) {
        settle_layer(graph.iter().filter(|(position, _)| seeds(position) == layer), &mut values);
    }
    start.margin() + values[&identity(start)]
}

/// What a position leads to: South's gain if the game is over there, otherwise for each choice her gain and the next position, if any.
enum Follows {
    Over(i32),
    Choices(Vec<(i32, Option<Identity>)>),
}

/// Works out the values of a layer until none changes, those below being final.
fn settle_layer<'g>(layer: impl Iterator<Item = (&'g Identity, &'g Follows)>, values: &mut HashMap<&'g Identity, i32>) {
    let layer: Vec<_> = layer.collect();
    loop {
        let mut changed = false;
        for &(position, follows) in &layer {
            let value = match follows {
                Follows::Over(gain) => *gain,
                Follows::Choices(choices) => {
                    let worth = choices.iter().map(|(gain, next)| gain + next.as_ref().map_or(0, |next| values[next]));
                    if position.1 == Side::South { worth.max() } else { worth.min() }.unwrap()
                }
            };
            changed |= values.insert(position, value) != Some(value);
        }
        if !changed {
            return;
        }
    }
}

fn solved(rules: &RuleSet, position: &Position, table_seeds: Option<usize>, memory: u64, threads: usize) -> Solution {
    // Every line of a cyclic game without a table goes round and round, and such a search may take long.
    let nodes = rules.can_repeat().then_some(100_000);
    let limits = Limits { memory, nodes, ..Limits::default() };
    let options = Options { table_seeds, limits, ..Options::default() };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    let solution = pool.install(|| solve(rules, position, &options, &Quiet)).unwrap();
    assert!(solution.proven || solution.nodes >= 100_000, "{position} was not settled under {}", rules.to_toml());
    solution
}

#[test]
fn values_of_every_preset_and_reading_are_those_of_the_fixed_point() {
    let mut random = Random(21);
    let (mut tried, mut settled) = (0, 0);
    for rules in all_rules() {
        for _ in 0..10 {
            let pits = 1 + random.below(4);
            let seeds = random.below(9);
            let position = random.position(&rules, pits, seeds);
            let expected = fixed_point(&rules, &position);
            for (table_seeds, threads) in [(None, 1), (Some(0), 1), (None, 2)] {
                let solution = solved(&rules, &position, table_seeds, 1 << 20, threads);
                tried += 1;
                if !solution.proven {
                    let (low, high) = solution.margin;
                    assert!(low <= expected && expected <= high, "{position} {}", rules.to_toml());
                    continue;
                }
                settled += 1;
                assert_eq!(solution.margin, (expected, expected), "{position} {}", rules.to_toml());
                if let (Some(last), LineEnd::GameOver | LineEnd::Repeats) = (solution.line.last(), solution.line_end) {
                    assert_eq!(last.after.margin(), expected, "the line of {position} {}", rules.to_toml());
                }
            }
            let value = if position.to_move == Side::South { expected } else { -expected };
            for goal in [Goal::Margin, Goal::Outcome] {
                let limits = Limits { nodes: Some(100_000), ..Limits::default() };
                let options = Options { goal, limits, ..Options::default() };
                let (low, high) = analyse(&rules, &position, &options, &Quiet).unwrap().value;
                assert!(low <= value && value <= high && (low == high || rules.can_repeat()), "{position} {}", rules.to_toml());
            }
        }
    }
    assert!(20 * settled > 19 * tried, "only {settled} of {tried} were settled");
}

/// However little each move may cost, and however often its questions are put off, what is said of it is true.
#[test]
fn bounds_of_every_move_are_true_under_any_limit() {
    let mut random = Random(31);
    let (mut open, mut exact) = (0, 0);
    for rules in all_rules() {
        let referee = Referee::new(&rules);
        for round in 0..3 {
            let pits = 2 + random.below(2);
            let position = random.position(&rules, pits, 8);
            let State::ToMove(pits) = referee.state(&position) else { continue };
            let values: Vec<i32> = pits
                .into_iter()
                .map(|pit| {
                    let played = referee.play(&position, pit).unwrap();
                    let margin = match played.next {
                        Next::Over(over) => over.last.margin(),
                        Next::Bonus | Next::Turn { .. } => fixed_point(&rules, &played.after),
                    };
                    (margin - position.margin()) * if position.to_move == Side::South { 1 } else { -1 }
                })
                .collect();
            for nodes in [10, 40, 400] {
                let goal = if round == 0 { Goal::Outcome } else { Goal::Margin };
                let limits = Limits { nodes: Some(nodes), ..Limits::default() };
                let analysis = analyse(&rules, &position, &Options { goal, limits, ..Options::default() }, &Quiet).unwrap();
                assert_eq!(analysis.moves.len(), values.len());
                for (choice, &value) in analysis.moves.iter().zip(&values) {
                    let (low, high) = choice.value;
                    assert!(low <= value && value <= high, "{position} {:?} {}", choice, rules.to_toml());
                    if low == high { exact += 1 } else { open += 1 }
                }
            }
        }
    }
    assert!(open > 100 && exact > 100, "{open} open, {exact} exact");
}

/// The margin of random positions of these rules is the same with each table, each memory and each number of threads; says how many
/// of them went through several stages.
fn same_margins(
    rules: &RuleSet,
    positions: usize,
    pits: RangeInclusive<usize>,
    random: &mut Random,
    ways: impl Fn(usize) -> Vec<(Option<usize>, u64, usize)>,
) -> usize {
    let mut grew = 0;
    for _ in 0..positions {
        let pits = pits.start() + random.below(pits.clone().count());
        let position = random.position(rules, pits, 24);
        let reference = solved(rules, &position, None, 1 << 28, 1);
        grew += usize::from(reference.table_seeds.is_some());
        for (table_seeds, memory, threads) in ways(pits) {
            let solution = solved(rules, &position, table_seeds, memory, threads);
            assert_eq!(solution.margin, reference.margin, "{position} {table_seeds:?} {memory} {threads}");
            assert_eq!(solution.threads, threads);
        }
    }
    grew
}

#[test]
fn the_same_margin_with_any_table_any_memory_and_any_number_of_threads() {
    let mut random = Random(11);
    let mut grew = 0;
    for rules in all_rules().iter().filter(|rules| !rules.can_repeat()) {
        grew += same_margins(rules, 6, 4..=6, &mut random, |pits| {
            let large = if pits == 4 { 14 } else { 10 };
            let tables = [None, Some(0), Some(8), Some(large)];
            let of_table = |table_seeds: Option<usize>| {
                // What is asked for must be allowed; what the solver chooses itself fits any memory.
                let small = if table_seeds.is_some_and(|seeds| seeds > 0) { 1 << 26 } else { 1 << 18 };
                [(small, 1), (1 << 27, 2), (small, 4)].map(|(memory, threads)| (table_seeds, memory, threads))
            };
            tables.into_iter().flat_map(of_table).collect()
        });
    }
    assert!(grew > 10, "only {grew} searches went through several stages");
}

/// The same on hundreds of positions of every preset, with memory for a transposition table of 1 MiB and one of 4 GiB.
#[test]
#[ignore = "takes minutes; with --release"]
fn the_same_margin_of_hundreds_of_positions_with_a_mebibyte_and_with_gibibytes() {
    let mut random = Random(12);
    let presets = PRESET_NAMES.iter().map(|name| &preset(name).unwrap().rules).filter(|rules| !rules.can_repeat());
    let mut games = 0;
    for rules in presets {
        games += 1;
        eprintln!("{}", rules.name);
        same_margins(rules, 300, 3..=5, &mut random, |_| {
            let tables = [None, Some(0), Some(8), Some(14)];
            let of_table = |table_seeds: Option<usize>| {
                // The endgame table on top of it, and what building it takes.
                let small = (1 << 20) + if table_seeds.is_some_and(|seeds| seeds > 0) { 1 << 26 } else { 0 };
                [1, 2, 4].into_iter().flat_map(move |threads| [small, 4 << 30].map(|memory| (table_seeds, memory, threads)))
            };
            tables.into_iter().flat_map(of_table).collect()
        });
    }
    assert_eq!(games, 6);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    /// Rules that nobody thought of together, such as moves that would store a seed and are not allowed.
    #[test]
    fn values_under_random_rules_are_those_of_the_fixed_point(rules in sown_rule_set(), seed in any::<u64>()) {
        let mut random = Random(seed);
        for _ in 0..5 {
            let pits = 1 + random.below(3);
            let seeds = 1 + random.below(8);
            let position = random.position(&rules, pits, seeds);
            let expected = fixed_point(&rules, &position);
            let value = if position.to_move == Side::South { expected } else { -expected };
            // From the most down, so that a false "no" is not hidden by what an easier question has shown.
            let asked = |bounds: &mut dyn Bounds| -> Vec<bool> {
                (-8..=8).rev().map(|beta| bounds.at_least(&position, beta).unwrap()).collect()
            };
            // There are no tables for other owners than those of the rows.
            let table_seeds = if position.owners.are_rows() { random.below(seeds) } else { 0 };
            let options = Options { table_seeds: Some(table_seeds), ..Options::default() };
            let answers = with_bounds(&rules, &position, &options, &Quiet, asked).unwrap();
            let right: Vec<bool> = (-8..=8).rev().map(|beta| value >= beta).collect();
            prop_assert_eq!(answers, right, "{} is worth {} under {}", position, value, rules.to_toml());
        }
    }
}

/// After South's only move North's only one would store a seed, but it takes all of South's seeds, and that is forbidden: so the game is
/// over, and what is left goes to South.
#[test]
fn a_move_that_is_not_allowed_stores_nothing() {
    let changes = [
        "capture.opposite.enabled=false",
        "capture.count.enabled=true",
        "capture.count.counts=[2]",
        "capture.count.grand-slam=forbidden",
        "end.remainder=opponent",
    ];
    let rules = preset("kalah").unwrap().rules.with_set(&changes).unwrap();
    let position: Position = "3/1/0,0/s".parse().unwrap();
    assert_eq!(fixed_point(&rules, &position), 4);
    let options = Options { table_seeds: Some(0), ..Options::default() };
    let takes_all = with_bounds(&rules, &position, &options, &Quiet, |bounds| bounds.at_least(&position, 4));
    assert!(takes_all.unwrap().unwrap());
}

/// Asks whether a position is worth at least each of these, with so many bytes for a line.
struct WithShortLines<'a> {
    position: &'a Position,
    betas: Vec<i32>,
    line_bytes: usize,
}

impl Work for WithShortLines<'_> {
    type Output = Vec<Option<bool>>;

    fn run<B: Lanes, T: Transpositions<B>>(self, session: &mut Session<'_, B, T>) -> Self::Output {
        session.line_bytes = self.line_bytes;
        let (board, seat) = (session.kernel.pack(self.position), session.kernel.seat(self.position.to_move));
        let ask = |beta| match session.at_least(&board, seat, beta) {
            Ok(bound) => Some(bound >= beta),
            Err(reason) => {
                assert_eq!(reason, StopReason::Memory);
                None
            }
        };
        self.betas.into_iter().map(ask).collect()
    }
}

/// Lines that are given up leave questions open, or answer them right.
#[test]
fn lines_that_are_too_long_prove_nothing() {
    let mut random = Random(5);
    let (mut answered, mut open) = (0, 0);
    for rules in all_rules().iter().filter(|rules| rules.can_repeat()) {
        for line_bytes in [1 << 10, 1 << 13, 1 << 14, 1 << 15, 1 << 16] {
            for _ in 0..4 {
                let (pits, seeds) = (2 + random.below(2), 4 + random.below(5));
                let position = random.position(rules, pits, seeds);
                let expected = fixed_point(rules, &position);
                let value = if position.to_move == Side::South { expected } else { -expected };
                let betas: Vec<i32> = (-9..=9).rev().collect();
                let limits = Limits { nodes: Some(100_000), ..Limits::default() };
                let options = Options { table_seeds: Some(0), limits, ..Options::default() };
                let work = WithShortLines { position: &position, betas: betas.clone(), line_bytes };
                for (beta, answer) in betas.into_iter().zip(in_session(rules, &position, &options, &Quiet, work).unwrap()) {
                    match answer {
                        Some(answer) => {
                            assert_eq!(answer, value >= beta, "{position} is worth {value}: {beta}, {}", rules.to_toml());
                            answered += 1;
                        }
                        None => open += 1,
                    }
                }
            }
        }
    }
    assert!(answered > 500 && open > 500, "{answered} answered, {open} open");
}

//! The reachable graph: against the literature, and against a walk by the referee with naive values.

use std::collections::{BTreeMap, HashMap};
use std::path::Path;

use lumbung_engine::referee::{Next, OverReason, State};
use lumbung_engine::rules::arbitrary::rule_set;
use lumbung_engine::rules::{Cycle, PRESET_NAMES, RuleSet, preset};
use lumbung_engine::{BoardSize, Owners, Pit, Position, Referee, Side};
use lumbung_solver::graph::random;
use lumbung_solver::graph::{
    BESIDE, Counting, Explored, Form, Found, Graph, GraphError, Options, explore, explore_telling, margin,
};
use lumbung_solver::{Limits, Quiet, StopReason};
use proptest::prelude::*;

fn rules(name: &str) -> &'static RuleSet {
    &preset(name).unwrap().rules
}

fn start(pits: usize, seeds: usize) -> Position {
    Position::start(BoardSize::new(pits, seeds).unwrap())
}

fn graph(rules: &RuleSet, position: &Position, counting: Counting) -> Graph {
    graph_with(rules, position, Options { counting, ..Options::default() })
}

fn graph_with(rules: &RuleSet, position: &Position, options: Options) -> Graph {
    match explore(rules, position, options, &Limits::default(), &Quiet).unwrap() {
        Explored::Complete(graph) => *graph,
        Explored::Stopped { reason, found } => panic!("stopped at {found}: {reason:?}"),
    }
}

/// A directory for scratch, in memory where the system has such a place: a disk takes its time to confirm that it has written.
fn scratch() -> tempfile::TempDir {
    tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir()).unwrap()
}

/// How often scratch made a graph possible: there was not enough memory for all positions, or for all values.
#[derive(Clone, Copy, Debug, Default)]
struct Rescued {
    finding: usize,
    settling: usize,
}

/// Whatever form positions are kept in, and however little memory there is as long as it suffices, the graph is the same.
fn check_scratch(rules: &RuleSet, position: &Position, expected: &Graph, directory: &Path) -> Rescued {
    let mut rescued = Rescued::default();
    for form in [Form::Smaller, Form::List, Form::Bits] {
        for kib in [4, 6, 8, 12, 14, 16, 20, 28] {
            let limits = Limits { memory: BESIDE + (kib << 10), ..Limits::default() };
            let options = Options { scratch: Some(directory), form, ..Options::default() };
            match explore(rules, position, options, &limits, &Quiet).unwrap() {
                Explored::Complete(graph) => assert_eq!(*graph, *expected, "{position} in {kib} KiB under {}", rules.to_toml()),
                Explored::Stopped { reason, found } => {
                    assert!(reason == StopReason::Memory && found <= expected.positions);
                    continue;
                }
            }
            let all = std::cell::Cell::new(None::<Found>);
            let options = Options { scratch: None, ..options };
            let without = explore_telling(rules, position, options, &limits, &Quiet, &|found| all.set(Some(found))).unwrap();
            rescued.finding += usize::from(all.get().is_none());
            rescued.settling += usize::from(all.get().is_some_and(|all| all.memory > limits.memory));
            assert_eq!(matches!(without, Explored::Complete(_)), all.get().is_some_and(|all| all.memory <= limits.memory));
        }
    }
    assert_eq!(std::fs::read_dir(directory).unwrap().count(), 0, "something was left behind");
    rescued
}

/// The pits from the view of the player to move, and who she is where that matters.
type Identity = (Vec<u16>, Option<Side>);

fn identity(position: &Position) -> Identity {
    let mut board = position.board.clone();
    board.rotate_left(position.to_move.index() * position.pits());
    (board, (!position.owners.are_rows()).then_some(position.to_move))
}

/// What follows a position: for a move the gain of the mover, where it leads, whether she chooses again, and its laps.
struct Followed {
    gain: i32,
    to: Option<Identity>,
    again: bool,
    laps: u64,
}

enum Oracle {
    Over(i32),
    Pass(Identity),
    Moves(Vec<Followed>),
}

/// All positions that can arise, walked by the referee.
struct Walk {
    positions: HashMap<Identity, Oracle>,
    /// Pits that could be lifted but never end; not known where the rules contradict the way this is found out.
    endless: Option<u64>,
}

fn walk(rules: &RuleSet, start: &Position) -> Walk {
    let referee = Referee::new(rules);
    // The same rules with every pit free to be lifted, to see which pits are endless.
    let freed: Vec<&str> = ["sowing.endless=pass", "feeding.rule=none"][usize::from(!rules.can_be_endless())..].to_vec();
    let freed = rules.with_set(&freed).ok();
    let mut walk = Walk { positions: HashMap::new(), endless: freed.as_ref().map(|_| 0) };
    let mut open = vec![start.clone()];
    while let Some(position) = open.pop() {
        if walk.positions.contains_key(&identity(&position)) {
            continue;
        }
        let sign = if position.to_move == Side::South { 1 } else { -1 };
        let gained = |after: &Position| sign * (after.margin() - position.margin());
        let state = referee.state(&position);
        let asked = !matches!(&state, State::Over(over) if over.reason != OverReason::NoMove);
        if let (true, Some(freed), Some(endless)) = (asked, &freed, &mut walk.endless) {
            *endless += endless_pits(freed, &position);
        }
        let oracle = match state {
            State::Over(over) => Oracle::Over(gained(&over.last)),
            State::Pass => {
                let passed = referee.pass(&position);
                open.push(passed.clone());
                Oracle::Pass(identity(&passed))
            }
            State::ToMove(pits) => Oracle::Moves(
                pits.into_iter()
                    .map(|pit| {
                        let played = referee.play(&position, pit).unwrap();
                        // Where no seed is left, there is no position either.
                        let over = matches!(played.next, Next::Over(_)) || played.after.seeds_in_play() == 0;
                        if !over {
                            open.push(played.after.clone());
                        }
                        Followed {
                            gain: gained(&played.after),
                            to: (!over).then(|| identity(&played.after)),
                            again: played.next == Next::Bonus,
                            laps: if played.endless { 0 } else { played.lap_count },
                        }
                    })
                    .collect(),
            ),
        };
        walk.positions.insert(identity(&position), oracle);
    }
    walk
}

fn endless_pits(freed: &RuleSet, position: &Position) -> u64 {
    if !freed.can_be_endless() {
        return 0;
    }
    let referee = Referee::new(freed);
    let pits = (0..position.board.len()).filter(|&ring| {
        let owned = position.owners.of(ring) == position.to_move;
        owned && position.board[ring] >= freed.sowing.min_seeds
    });
    // What the freed rules still refuse is a forbidden grand slam, and that ends.
    pits.filter(|&ring| referee.play(position, position.pit(position.to_move, ring)).is_ok_and(|played| played.endless)).count()
        as u64
}

/// Naive values: all 0, worked out again until none changes.
fn naive_values(walk: &Walk) -> HashMap<&Identity, i32> {
    let mut values: HashMap<&Identity, i32> = walk.positions.keys().map(|position| (position, 0)).collect();
    let mut layers: Vec<(u16, &Identity)> = walk.positions.keys().map(|key| (key.0.iter().sum(), key)).collect();
    layers.sort();
    let mut from = 0;
    while from < layers.len() {
        let to = from + layers[from..].iter().take_while(|(seeds, _)| *seeds == layers[from].0).count();
        loop {
            let mut changed = false;
            for (_, position) in &layers[from..to] {
                let value = match &walk.positions[*position] {
                    Oracle::Over(value) => *value,
                    Oracle::Pass(to) => -values[to],
                    Oracle::Moves(moves) => moves.iter().map(|followed| worth(followed, &values)).max().unwrap(),
                };
                changed |= values.insert(position, value) != Some(value);
            }
            if !changed {
                break;
            }
        }
        from = to;
    }
    values
}

fn worth(followed: &Followed, values: &HashMap<&Identity, i32>) -> i32 {
    let after = followed.to.as_ref().map_or(0, |to| values[to]);
    followed.gain + if followed.again { after } else { -after }
}

/// Moves of the shortest game of best moves from every position that has one, by waiting long enough.
fn naive_plies<'w>(walk: &'w Walk, values: &HashMap<&Identity, i32>) -> HashMap<&'w Identity, u64> {
    let mut plies: HashMap<&Identity, u64> = HashMap::new();
    loop {
        let mut changed = false;
        for (position, oracle) in &walk.positions {
            let shortest = match oracle {
                Oracle::Over(_) => Some(0),
                Oracle::Pass(to) => plies.get(to).copied(),
                Oracle::Moves(moves) => moves
                    .iter()
                    .filter(|followed| worth(followed, values) == values[position])
                    .filter_map(|followed| Some(1 + followed.to.as_ref().map_or(Some(0), |to| plies.get(to).copied())?))
                    .min(),
            };
            if let Some(shortest) = shortest {
                changed |= plies.insert(position, shortest) != Some(shortest);
            }
        }
        if !changed {
            return plies;
        }
    }
}

/// For each position all that can be reached from it, itself only if it comes round; so components are told apart by hand.
fn naive_components(walk: &Walk) -> (u64, u64, u64) {
    let keys: Vec<&Identity> = walk.positions.keys().collect();
    let number: HashMap<&Identity, usize> = keys.iter().enumerate().map(|(at, key)| (*key, at)).collect();
    let next: Vec<Vec<usize>> = keys
        .iter()
        .map(|key| match &walk.positions[*key] {
            Oracle::Over(_) => Vec::new(),
            Oracle::Pass(to) => vec![number[to]],
            Oracle::Moves(moves) => moves.iter().filter_map(|followed| Some(number[followed.to.as_ref()?])).collect(),
        })
        .collect();
    let reached: Vec<Vec<bool>> = (0..keys.len())
        .map(|from| {
            let mut reached = vec![false; keys.len()];
            let mut open = next[from].clone();
            while let Some(at) = open.pop() {
                if !std::mem::replace(&mut reached[at], true) {
                    open.extend(&next[at]);
                }
            }
            reached
        })
        .collect();
    let (mut components, mut cyclic, mut largest) = (0, 0, 0);
    for (from, reach) in reached.iter().enumerate() {
        let members: Vec<usize> = (0..keys.len()).filter(|&to| to == from || reach[to] && reached[to][from]).collect();
        if members[0] == from {
            components += 1;
            cyclic += u64::from(reach[from]);
            largest = largest.max(members.len() as u64);
        }
    }
    (components, cyclic, largest)
}

/// The most laps of a turn that begins in a position.
fn turn_laps(walk: &Walk, position: &Identity) -> u64 {
    let Oracle::Moves(moves) = &walk.positions[position] else { return 0 };
    let laps = moves.iter().map(|followed| {
        let more = followed.to.as_ref().filter(|_| followed.again).map_or(0, |to| turn_laps(walk, to));
        followed.laps + more
    });
    laps.max().unwrap_or(0)
}

/// Compares every fact; returns how many positions there were.
fn check(rules: &RuleSet, start: &Position) -> u64 {
    let case = || format!("{start} under {}", rules.to_toml());
    let graph = graph(rules, start, Counting::Ours);
    let walk = walk(rules, start);
    let values = naive_values(&walk);
    let of = |kind: fn(&Oracle) -> bool| walk.positions.values().filter(|oracle| kind(oracle)).count() as u64;
    assert_eq!(graph.positions, walk.positions.len() as u64, "{}", case());
    assert_eq!(graph.terminal, of(|oracle| matches!(oracle, Oracle::Over(_))), "{}", case());
    assert_eq!(graph.passing, of(|oracle| matches!(oracle, Oracle::Pass(_))), "{}", case());
    let degrees: Vec<u64> = walk
        .positions
        .values()
        .filter_map(|oracle| if let Oracle::Moves(moves) = oracle { Some(moves.len() as u64) } else { None })
        .collect();
    assert_eq!(graph.moves, degrees.iter().sum::<u64>(), "{}", case());
    if let Some((mean, deviation)) = graph.branching {
        let n = degrees.len() as f64;
        let expected = degrees.iter().sum::<u64>() as f64 / n;
        let spread = degrees.iter().map(|&degree| (degree as f64 - expected).powi(2)).sum::<f64>() / n;
        assert!((mean - expected).abs() < 1e-9 && (deviation - spread.sqrt()).abs() < 1e-6, "{}", case());
    } else {
        assert!(degrees.is_empty(), "{}", case());
    }
    assert_eq!(graph.endless_moves, walk.endless.unwrap_or(graph.endless_moves), "{}", case());
    assert_eq!(graph.longest_turn_laps, walk.positions.keys().map(|key| turn_laps(&walk, key)).max().unwrap(), "{}", case());
    if let Some(position) = &graph.longest_turn_position {
        assert_eq!(turn_laps(&walk, &identity(position)), graph.longest_turn_laps, "{}", case());
    }
    let mut histogram = BTreeMap::new();
    values.values().for_each(|&value| *histogram.entry(value).or_insert(0) += 1);
    assert_eq!(graph.values, histogram, "{}", case());
    assert_eq!(graph.value, values[&identity(start)], "{}", case());
    assert_eq!(graph.plies, naive_plies(&walk, &values).get(&identity(start)).copied(), "{}", case());
    if walk.positions.len() < 400 {
        let (components, cyclic, largest) = naive_components(&walk);
        let found = (graph.components, graph.cyclic_components, graph.largest_component);
        assert_eq!(found, (components, cyclic, largest), "{}", case());
    }
    assert_eq!(graph.layers.iter().map(|layer| layer.positions).sum::<u64>(), graph.positions, "{}", case());
    for form in [Form::List, Form::Bits] {
        assert_eq!(graph_with(rules, start, Options { form, ..Options::default() }), graph, "{form:?}: {}", case());
    }
    graph.positions
}

/// Every preset and each of its readings that has exact values.
fn all_rules() -> Vec<RuleSet> {
    let with_readings = |name: &&str| {
        let base = rules(name);
        let readings = base.readings.keys().map(|reading| base.with_reading(reading).unwrap());
        std::iter::once(base.clone()).chain(readings.collect::<Vec<_>>())
    };
    PRESET_NAMES.iter().flat_map(with_readings).filter(|rules| rules.end.cycle != Cycle::RowOwner).collect()
}

#[test]
fn every_preset_and_reading_as_a_walk_by_the_referee_has_it() {
    let mut positions = 0;
    for rules in all_rules() {
        assert!(walk(&rules, &start(1, 1)).endless.is_some(), "{} cannot be freed", rules.name);
        for (pits, seeds) in [(1, 3), (2, 1), (2, 2), (2, 3), (3, 1), (3, 2)] {
            positions += check(&rules, &start(pits, seeds));
        }
    }
    assert!(positions > 40_000, "{positions} positions");
}

#[test]
fn every_preset_and_reading_with_scratch_and_little_memory() {
    let directory = scratch();
    let (mut finding, mut settling) = (0, 0);
    for rules in all_rules() {
        for position in [start(2, 2), start(3, 2)] {
            let expected = graph(&rules, &position, Counting::Ours);
            let rescued = check_scratch(&rules, &position, &expected, directory.path());
            (finding, settling) = (finding + rescued.finding, settling + rescued.settling);
        }
    }
    assert!(finding > 0 && settling > 10, "{finding} graphs were found and {settling} settled only because there was scratch");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 50, ..ProptestConfig::default() })]

    #[test]
    fn any_rules_with_scratch_and_little_memory(rules in rule_set(), pits in 1..4usize, counts in prop::array::uniform6(0..4u16)) {
        prop_assume!(rules.end.cycle != Cycle::RowOwner);
        let position = Position { board: counts[..2 * pits].to_vec(), ..start(pits, 1) };
        let expected = graph(&rules, &position, Counting::Ours);
        check_scratch(&rules, &position, &expected, scratch().path());
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 100, ..ProptestConfig::default() })]

    #[test]
    fn any_rules_as_a_walk_by_the_referee_has_them(rules in rule_set(), pits in 1..4usize, counts in prop::array::uniform6(0..4u16)) {
        prop_assume!(rules.end.cycle != Cycle::RowOwner);
        let position = Position { board: counts[..2 * pits].to_vec(), ..start(pits, 1) };
        // A walk by the referee takes long where the laps of a move recur late.
        prop_assume!(position.seeds_in_play() <= 9);
        check(&rules, &position);
    }
}

/// A player may own any pits; then it matters who sees a board.
#[test]
fn owners_other_than_the_rows() {
    for south in [0b000_111, 0b001_111, 0b010_011, 0b100_000, 0b011_111] {
        for to_move in [Side::South, Side::North] {
            let owners = Owners::from_bits(south, 3);
            let position = Position { owners, to_move, stores: [3, 1], ..start(3, 2) };
            check(rules("san-yao"), &position);
        }
    }
}

#[test]
fn endless_moves_under_each_of_their_rules() {
    // Eight pits with ten seeds have the first endless relays of djenon-abe; this board of six pits has them in san-yao.
    let endless = "0,3,0,4/0,0,3,0".parse::<Position>().unwrap();
    for game in ["djenon-abe", "djenon-aboure", "san-yao"] {
        for rule in ["illegal", "pass", "end"] {
            let rules = rules(game).with_set(&[&format!("sowing.endless={rule}")]).unwrap();
            check(&rules, &endless);
            check(&rules, &start(4, 1));
            check(&rules, &start(3, 2));
        }
    }
    let counted = graph(rules("san-yao"), &start(4, 1), Counting::Ours).endless_moves
        + graph(rules("djenon-abe"), &start(4, 2), Counting::Ours).endless_moves;
    assert!(counted > 0, "no board of this test has an endless move");
}

/// Irving, Donkers and Uiterwijk 2000, Table 3; `None` for the cell (2,5), which is taken for a misprint: it says 58, and the 10
/// nodes beyond the 48 that there are are all counted as draws in Table 5.
const TABLE_3: [&[Option<u64>]; 6] = [
    &[Some(2), Some(2), Some(2), Some(3), Some(4), Some(6)],
    &[Some(8), Some(24), Some(138), Some(168), None, Some(2482)],
    &[Some(73), Some(2941), Some(24936), Some(190_579)],
    &[Some(880), Some(226_774)],
    &[Some(11465)],
    &[Some(178_708)],
];

#[test]
fn irvings_table_3() {
    let kalah = rules("kalah-empty-capture");
    for (pits, row) in (1..).zip(TABLE_3) {
        for (seeds, printed) in (1..).zip(row) {
            let counted = graph(kalah, &start(pits, seeds), Counting::Irving).positions;
            assert_eq!(counted, printed.unwrap_or(48), "({pits},{seeds})");
        }
    }
}

/// Table 5 of the same paper: percentages of nodes that South wins, loses and draws.
#[test]
fn irvings_table_5() {
    let kalah = rules("kalah-empty-capture");
    let printed = [
        (1, 1, [0, 0, 100]),
        (1, 2, [0, 100, 0]),
        (1, 3, [100, 0, 0]),
        (1, 4, [0, 100, 0]),
        (1, 5, [100, 0, 0]),
        (1, 6, [0, 0, 100]),
        (2, 1, [38, 38, 24]),
        (2, 2, [33, 46, 21]),
        (2, 3, [42, 32, 26]),
        (2, 4, [16, 61, 23]),
        (2, 6, [45, 36, 18]),
        (3, 1, [23, 37, 40]),
        (3, 2, [38, 44, 18]),
        (3, 3, [46, 40, 14]),
        (3, 4, [46, 42, 12]),
        (4, 1, [37, 35, 28]),
        (4, 2, [44, 44, 12]),
        (5, 1, [34, 45, 21]),
        (6, 1, [38, 44, 18]),
    ];
    for (pits, seeds, shares) in printed {
        let graph = graph(kalah, &start(pits, seeds), Counting::Irving);
        for (value, share) in [1, -1, 0].into_iter().zip(shares) {
            let counted = 100.0 * graph.values.get(&value).copied().unwrap_or(0) as f64 / graph.positions as f64;
            assert!((counted - f64::from(share)).abs() <= 1.0, "({pits},{seeds}): {counted} of {value}");
        }
    }
}

#[test]
fn margins_and_outcomes_of_the_start() {
    let dakon = graph(rules("dakon"), &start(3, 5), Counting::Ours);
    assert_eq!(margin(&start(3, 5), dakon.value), -10);
    assert_eq!((dakon.components, dakon.cyclic_components), (dakon.positions, 0), "dakon cannot repeat a position");
    // Table 10: (3,6) is lost, (3,1) drawn, (3,2) won by the first player.
    for (seeds, outcome) in [(1, 0), (2, 1), (3, 1)] {
        assert_eq!(graph(rules("kalah-empty-capture"), &start(3, seeds), Counting::Irving).value, outcome);
    }
}

#[test]
fn threads_do_not_show() {
    let directory = scratch();
    let limits = Limits { memory: BESIDE + (64 << 10), ..Limits::default() };
    let of = |threads, form| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let options = Options { form, scratch: Some(directory.path()), ..Options::default() };
        pool.install(|| explore(rules("djenon-abe"), &start(3, 2), options, &limits, &Quiet).unwrap())
    };
    let expected = Explored::Complete(Box::new(graph(rules("djenon-abe"), &start(3, 2), Counting::Ours)));
    for form in [Form::Smaller, Form::List, Form::Bits] {
        for threads in [1, 4] {
            assert_eq!(of(threads, form), expected, "{form:?} with {threads} threads");
        }
    }
}

/// What memory is told to suffice suffices for all of the work, and for values less does not.
#[test]
fn the_memory_told_is_what_it_takes() {
    let directory = scratch();
    for (game, pits, seeds) in [("awari", 3, 3), ("djenon-abe", 3, 3), ("kalah", 3, 3), ("san-yao", 3, 3)] {
        let told = |memory, scratch| {
            let all = std::cell::Cell::new(None::<Found>);
            let limits = Limits { memory, ..Limits::default() };
            let options = Options { scratch, ..Options::default() };
            let explored =
                explore_telling(rules(game), &start(pits, seeds), options, &limits, &Quiet, &|found| all.set(Some(found)));
            (all.get(), matches!(explored.unwrap(), Explored::Complete(_)))
        };
        let all = told(1 << 30, None).0.unwrap();
        assert!(all.aside.disk < all.memory - BESIDE && all.finding > BESIDE && all.written == 0, "{game}: {all:?}");
        for (memory, scratch, suffices) in [
            (all.memory.max(all.finding), None, true),
            (all.memory - 1, None, false),
            (all.aside.memory, Some(directory.path()), true),
        ] {
            let (found, complete) = told(memory, scratch);
            assert_eq!(complete, suffices, "{game} in {memory}: {found:?} of {all:?}");
            if let Some(found) = found {
                assert!(found.finding <= memory, "{game} in {memory}: {found:?}");
                let of = |Found { positions, memory, aside, .. }| (positions, memory, aside);
                assert_eq!(of(found), of(all), "{game} in {memory}");
            }
        }
    }
}

#[test]
fn scratch_where_nothing_can_be_written_is_refused() {
    let directory = scratch();
    let file = directory.path().join("file");
    std::fs::write(&file, "").unwrap();
    for wrong in [file, directory.path().join("missing")] {
        let options = Options { scratch: Some(&wrong), ..Options::default() };
        let error = explore(rules("awari"), &start(2, 2), options, &Limits::default(), &Quiet).unwrap_err();
        assert!(matches!(&error, GraphError::Scratch { directory, .. } if *directory == wrong), "{error:?}");
        assert!(error.to_string().contains("cannot write to"), "{error}");
    }
}

#[test]
fn limits_are_kept() {
    let stopped = |limits: Limits| match explore(rules("awari"), &start(6, 4), Options::default(), &limits, &Quiet).unwrap() {
        Explored::Complete(_) => panic!("all of awari"),
        Explored::Stopped { reason, found } => (reason, found),
    };
    let (reason, found) = stopped(Limits { memory: 48 << 20, ..Limits::default() });
    assert!(reason == StopReason::Memory && (100_000..3_000_000).contains(&found), "{reason:?} {found}");
    let (reason, found) = stopped(Limits { nodes: Some(10_000), ..Limits::default() });
    assert!(reason == StopReason::Nodes && found >= 10_000, "{reason:?} {found}");
}

#[test]
fn what_has_no_graph_is_refused() {
    let refused = |rules: &RuleSet, position: &Position, counting| {
        let options = Options { counting, ..Options::default() };
        explore(rules, position, options, &Limits::default(), &Quiet).map(|_| ()).unwrap_err()
    };
    let row_owner = rules("djenon-abe").with_set(&["end.cycle=row-owner"]).unwrap();
    assert_eq!(refused(&row_owner, &start(2, 2), Counting::Ours), GraphError::RowOwnerCycle);
    assert_eq!(random::play(&row_owner, &start(2, 2), 1, 0, &Limits::default()), Err(GraphError::RowOwnerCycle));
    assert_eq!(refused(rules("awari"), &start(2, 2), Counting::Irving), GraphError::Counting);
    assert_eq!(refused(rules("sungka"), &start(2, 2), Counting::Irving), GraphError::Counting);
    let too_wide = refused(rules("dakon"), &start(18, 18), Counting::Ours);
    assert_eq!(too_wide, GraphError::TooWide { pits: 18, seeds: 648 });
}

/// A board of one pit a row has one move at a time, so every random game is the same one and can be played by hand: in kalah from
/// 1,1 South stores hers and, her row being empty, the game is over.
#[test]
fn random_games_without_a_choice() {
    let played = random::play(rules("kalah"), &start(1, 1), 50, 9, &Limits::default()).unwrap();
    assert_eq!((played.games, played.given_up, played.repeated, played.outcomes), (50, 0, 0, [0, 50, 0]));
    for (estimate, mean) in [(played.moves, 1.0), (played.turns, 1.0), (played.branching, 1.0), (played.margin, 0.0)] {
        let estimate = estimate.unwrap();
        assert_eq!((estimate.mean, estimate.interval), (mean, Some((mean, mean))));
    }
}

/// The expected length, branching and margin of random play on a small board, by following every line with its probability.
#[test]
fn random_games_come_near_what_is_expected() {
    let kalah = rules("kalah");
    let position = start(2, 2);
    let expected = expected_play(&Referee::new(kalah), &position);
    let played = random::play(kalah, &position, 20_000, 1, &Limits::default()).unwrap();
    let near = |estimate: Option<random::Estimate>, expected: f64| {
        let estimate = estimate.unwrap();
        let (low, high) = estimate.interval.unwrap();
        // Twice as wide as the interval: one draw in ten thousand misses it.
        let (middle, half) = ((low + high) / 2.0, high - low);
        assert!((middle - expected).abs() <= half && half < 0.2, "{estimate:?} against {expected}");
        assert!((middle - estimate.mean).abs() < 1e-9);
    };
    near(played.moves, expected.moves);
    near(played.margin, expected.margin);
    near(played.branching, expected.choices / expected.moves);
    // The interval covers the truth about 19 times in 20.
    let covered = (0..100).filter(|&seed| {
        let played = random::play(kalah, &position, 400, 1000 + seed, &Limits::default()).unwrap();
        let (low, high) = played.branching.unwrap().interval.unwrap();
        low <= expected.choices / expected.moves && expected.choices / expected.moves <= high
    });
    assert!((88..=100).contains(&covered.count()));
}

#[derive(Default)]
struct Expected {
    moves: f64,
    choices: f64,
    margin: f64,
}

fn expected_play(referee: &Referee<'_>, position: &Position) -> Expected {
    match referee.state(position) {
        State::Over(over) => Expected { margin: over.last.margin().into(), ..Expected::default() },
        State::Pass => expected_play(referee, &referee.pass(position)),
        State::ToMove(pits) => {
            let share = 1.0 / pits.len() as f64;
            let follow = |pit: &Pit| {
                let played = referee.play(position, *pit).unwrap();
                match played.next {
                    Next::Over(over) => Expected { margin: over.last.margin().into(), ..Expected::default() },
                    Next::Bonus | Next::Turn { .. } => expected_play(referee, &played.after),
                }
            };
            let here = Expected { moves: 1.0, choices: pits.len() as f64, margin: 0.0 };
            pits.iter().map(follow).fold(here, |sum, after| Expected {
                moves: sum.moves + share * after.moves,
                choices: sum.choices + share * after.choices,
                margin: sum.margin + share * after.margin,
            })
        }
    }
}

#[test]
fn random_games_depend_on_the_seed_alone() {
    let of = |threads, seed| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| random::play(rules("djenon-abe"), &start(6, 4), 3000, seed, &Limits::default()).unwrap())
    };
    let one = of(1, 7);
    assert_eq!(one, of(3, 7));
    assert_ne!(one, of(1, 8));
    assert!(one.repeated > 0, "positions of djenon-abe recur in random games");
}

/// Two lone stones that can never meet go round for ever.
#[test]
fn a_random_game_that_never_ends_is_given_up() {
    let position = "1,0,0,0/1,0,0,0".parse::<Position>().unwrap();
    let awari = rules("awari").with_set(&["capture.count.counts=[9]"]).unwrap();
    let played = random::play(&awari, &position, 3, 0, &Limits::default()).unwrap();
    assert_eq!((played.games, played.given_up, played.repeated), (3, 3, 3));
    assert_eq!((played.moves, played.branching, played.moves_between), (None, None, None));
}

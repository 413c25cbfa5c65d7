//! Matches over rounds: against published facts, and against a plain fixpoint over every position of every round.

use std::collections::{BTreeSet, HashMap};

use lumbung_engine::referee::{Next, State};
use lumbung_engine::rounds::{Follows, MatchRules, RoundStart};
use lumbung_engine::rules::{Repeat, RuleSet, preset};
use lumbung_engine::{BoardSize, Position, Referee, Side};
use lumbung_solver::matches::{MatchSolution, MatchValue, solve_match};
use lumbung_solver::{Limits, Quiet};

fn rules(set: &[&str]) -> RuleSet {
    preset("san-yao").unwrap().rules.with_set(set).unwrap()
}

fn board(pits: usize, seeds: usize) -> BoardSize {
    BoardSize::new(pits, seeds).unwrap()
}

fn solved(rules: &RuleSet, size: BoardSize) -> MatchSolution {
    let first = MatchRules::new(rules, size).unwrap().first();
    solve_match(rules, size, &first, &Limits::default(), &Quiet).unwrap()
}

/// Every setting of the keys of `[rounds]`.
fn settings() -> Vec<RuleSet> {
    let mut all = vec![Vec::new()];
    for (default, other) in [
        ("rounds.sons=after-own-row", "rounds.sons=winner-chooses"),
        ("rounds.lending=gift", "rounds.lending=debt"),
        ("rounds.tie-starter=other", "rounds.tie-starter=same"),
        ("rounds.repeat=split", "rounds.repeat=void"),
    ] {
        all = all.iter().flat_map(|set| [[set, &[default][..]].concat(), [set, &[other][..]].concat()]).collect();
    }
    all.iter().map(|set| rules(set)).collect()
}

/// A position of a round with its stores; `Err` is South's total at the end of the round.
type Place = Result<(Vec<u16>, [u16; 2], Side), u16>;

/// All positions of a round, each with what it leads to.
fn round_graph(rules: &RuleSet, start: &Position) -> HashMap<Place, Vec<Place>> {
    let referee = Referee::new(rules);
    let place = |position: &Position| Ok((position.board.clone(), position.stores, position.to_move));
    let mut graph = HashMap::new();
    let mut open = vec![start.clone()];
    while let Some(position) = open.pop() {
        if graph.contains_key(&place(&position)) {
            continue;
        }
        let next = match referee.state(&position) {
            State::Over(over) => vec![Err(over.last.stores[0])],
            State::Pass => {
                open.push(referee.pass(&position));
                vec![place(&referee.pass(&position))]
            }
            State::ToMove(pits) => pits
                .into_iter()
                .map(|pit| {
                    let played = referee.play(&position, pit).unwrap();
                    match played.next {
                        Next::Over(over) => Err(over.last.stores[0]),
                        Next::Bonus | Next::Turn { .. } => {
                            open.push(played.after.clone());
                            place(&played.after)
                        }
                    }
                })
                .collect(),
        };
        graph.insert(place(&position), next);
    }
    graph
}

/// Whether `seeker` can force a total of South's that is wanted. With the stores given, all play without end is worth the same; if it is
/// wanted, positions are good until shown bad, otherwise bad until shown good.
fn forced(
    rules: &MatchRules,
    start: &RoundStart,
    graph: &HashMap<Place, Vec<Place>>,
    seeker: Side,
    wanted: &BTreeSet<u16>,
) -> bool {
    let unending = |stores| rules.repeat == Repeat::Split && wanted.contains(&rules.split(start, stores)[0]);
    let mut good: HashMap<&Place, bool> = graph.keys().map(|place| (place, unending(place.as_ref().unwrap().1))).collect();
    let mut stores: Vec<[u16; 2]> = graph.keys().map(|place| place.as_ref().unwrap().1).collect();
    stores.sort_by_key(|stores| std::cmp::Reverse(stores[0] + stores[1]));
    stores.dedup();
    for stores in stores {
        loop {
            let mut changed = false;
            for (place, next) in graph.iter().filter(|(place, _)| place.as_ref().unwrap().1 == stores) {
                let mut values = next.iter().map(|next| match next {
                    Err(total) => wanted.contains(total),
                    Ok(_) => good[next],
                });
                let value = if place.as_ref().unwrap().2 == seeker { values.any(|v| v) } else { values.all(|v| v) };
                changed |= good.insert(place, value) != Some(value);
            }
            if !changed {
                break;
            }
        }
    }
    let position = rules.position(start);
    good[&Ok((position.board, position.stores, position.to_move))]
}

/// Who wins from each start, in how many rounds, by following the definition and nothing else.
fn naive(rules: &RuleSet, size: BoardSize) -> HashMap<RoundStart, (Side, u32)> {
    let between = MatchRules::new(rules, size).unwrap();
    let mut starts = vec![between.first()];
    let mut graphs = Vec::new();
    while let Some(start) = starts.get(graphs.len()).copied() {
        graphs.push(round_graph(rules, &between.position(&start)));
        for south in 0..=between.total() {
            if let Follows::Round(division) = between.refill(&start, [south, between.total() - south]).follows {
                for next in between.starts(&division) {
                    if !starts.contains(&next) {
                        starts.push(next);
                    }
                }
            }
        }
    }
    let mut won: HashMap<RoundStart, (Side, u32)> = HashMap::new();
    for rounds in 1.. {
        let mut more = Vec::new();
        for (start, graph) in starts.iter().zip(&graphs).filter(|(start, _)| !won.contains_key(*start)) {
            for seeker in [Side::South, Side::North] {
                let is_won = |start: &RoundStart| won.get(start).is_some_and(|won| won.0 == seeker);
                let wanted = (0..=between.total())
                    .filter(|&south| match between.refill(start, [south, between.total() - south]).follows {
                        Follows::Over { winner } => winner == seeker,
                        Follows::Round(division) => {
                            let next = between.starts(&division);
                            if division.starter == seeker { next.iter().any(is_won) } else { next.iter().all(is_won) }
                        }
                    })
                    .collect();
                if forced(&between, start, graph, seeker, &wanted) {
                    more.push((*start, (seeker, rounds)));
                }
            }
        }
        if more.is_empty() {
            break;
        }
        won.extend(more);
    }
    won
}

/// On small boards, under every setting of the rules between rounds.
#[test]
fn as_the_plain_fixpoint_has_it() {
    let (mut drawn, mut searched, mut compared) = (0, 0, 0);
    for rules in settings() {
        for (pits, seeds) in [(1, 1), (1, 3), (2, 1), (2, 2), (2, 3), (3, 1), (3, 2)] {
            let size = board(pits, seeds);
            let expected = naive(&rules, size);
            let solution = solved(&rules, size);
            assert!(solution.exact);
            for known in &solution.starts {
                let value = match expected.get(&known.start) {
                    Some(&(by, rounds)) => MatchValue::Won { by, rounds },
                    None => MatchValue::Drawn,
                };
                assert_eq!(known.value, value, "{size} {} under\n{}", known.start, rules.to_toml());
                drawn += usize::from(value == MatchValue::Drawn);
                compared += 1;
            }
            searched += solution.searched;
        }
    }
    println!("{compared} starts, {drawn} drawn, {searched} searched");
    assert!(compared > 500 && drawn > 20 && searched > 20, "{compared} starts, {drawn} drawn, {searched} searched");
}

/// "South wins in two rounds, wherever the sons lie."
#[test]
fn south_wins_the_usual_match_in_two_rounds() {
    for sons in ["after-own-row", "winner-chooses"] {
        let solution = solved(&rules(&[&format!("rounds.sons={sons}")]), board(5, 5));
        assert_eq!(solution.value, MatchValue::Won { by: Side::South, rounds: 2 });
        assert!(solution.exact);
        assert_eq!(solution.rounds.len(), 2);
        // 37 to 13 in the first round: seven pits for South.
        assert_eq!(solution.rounds[0].outcome.as_ref().map(|outcome| outcome.margin), Some(24));
        let mut with_seven = solution.starts.iter().filter(|known| known.start.owners.south_bits().count_ones() == 7).peekable();
        assert!(with_seven.peek().is_some());
        assert!(with_seven.all(|known| known.value == MatchValue::Won { by: Side::South, rounds: 1 }));
    }
}

/// "On 3x3 the second player wins in two rounds."
#[test]
fn north_wins_the_match_on_three_pits() {
    let solution = solved(&rules(&[]), board(3, 3));
    assert_eq!(solution.value, MatchValue::Won { by: Side::North, rounds: 2 });
    assert!(solution.exact);
}

/// The rounds of a solved match follow from each other, and end it.
#[test]
fn rounds_lead_to_each_other() {
    for rules in settings() {
        for (pits, seeds) in [(2, 3), (3, 2), (4, 2)] {
            let size = board(pits, seeds);
            let between = MatchRules::new(&rules, size).unwrap();
            let solution = solved(&rules, size);
            let MatchValue::Won { by, rounds } = solution.value else { continue };
            assert_eq!(solution.rounds.len() as u32, rounds, "{size} {}", rules.to_toml());
            for (number, round) in solution.rounds.iter().enumerate() {
                let outcome = round.outcome.as_ref().expect("a split");
                assert_eq!(outcome.refill, between.refill(&round.start, outcome.refill.totals));
                match outcome.refill.follows {
                    Follows::Over { winner } => assert_eq!((winner, number + 1), (by, solution.rounds.len())),
                    Follows::Round(division) => {
                        assert!(between.starts(&division).contains(&solution.rounds[number + 1].start));
                    }
                }
            }
        }
    }
}

#[test]
fn a_limit_leaves_the_match_open() {
    let rules = rules(&[]);
    let size = board(6, 6);
    let limits = Limits { deadline: Some(std::time::Instant::now()), ..Limits::default() };
    let first = MatchRules::new(&rules, size).unwrap().first();
    let solution = solve_match(&rules, size, &first, &limits, &Quiet).unwrap();
    assert_eq!(solution.value, MatchValue::Open);
    assert!(solution.stopped.is_some() && !solution.exact);
}

#[test]
fn games_of_one_round_have_no_match() {
    let dakon = &preset("dakon").unwrap().rules;
    let error = MatchRules::new(dakon, board(7, 7)).unwrap_err().to_string();
    assert!(error.starts_with("dakon is a game of one round"), "{error}");
}

//! What holds of every rule set and every position, by the referee alone.

use std::collections::HashSet;

use lumbung_engine::referee::{Landing, Next, Played, State};
use lumbung_engine::rules::arbitrary::{rule_set, scored_rule_set, sown_rule_set};
use lumbung_engine::rules::{PRESET_NAMES, Rounds, preset};
use lumbung_engine::{Owners, Pit, Position, Referee, RuleSet, Side};
use proptest::prelude::*;

/// Any rule set with any position: random rules, and the presets with their readings.
fn any_game() -> impl Strategy<Value = (RuleSet, Position)> {
    let presets = PRESET_NAMES.iter().flat_map(|name| {
        let rules = &preset(name).expect("a preset").rules;
        let readings = rules.readings.keys().map(|reading| rules.with_changes(&[reading], &[]).expect("a reading"));
        std::iter::once(rules.clone()).chain(readings).collect::<Vec<_>>()
    });
    let presets = proptest::sample::select(presets.collect::<Vec<_>>());
    prop_oneof![rule_set().prop_flat_map(position), presets.prop_flat_map(|rules| position_on(rules, 7, 20))]
}

/// Any position of these rules.
///
/// Whether a relay ends can take as many laps as there are ways to lay the seeds, where the numbers that stop it come up
/// seldom; boards are small enough that it takes no more than some hundred thousand.
fn position(rules: RuleSet) -> BoxedStrategy<(RuleSet, Position)> {
    if rules.can_be_endless() {
        prop_oneof![position_on(rules.clone(), 2, 9), position_on(rules.clone(), 3, 2), position_on(rules, 4, 1),].boxed()
    } else {
        position_on(rules, 7, 20).boxed()
    }
}

/// Any position of these rules with up to `most_pits` pits a row and `most_seeds` seeds a pit.
fn position_on(rules: RuleSet, most_pits: usize, most_seeds: u16) -> impl Strategy<Value = (RuleSet, Position)> {
    let few = 4.min(most_seeds);
    let seeds = prop_oneof![3 => Just(0u16), 6 => 1..=few, 1 => few..=most_seeds];
    let board = (1..=most_pits).prop_flat_map(move |pits| proptest::collection::vec(seeds.clone(), 2 * pits));
    (board, any::<[u8; 2]>(), any::<bool>(), any::<u64>()).prop_map(move |(board, stores, north, south_owns)| {
        let pits = board.len() / 2;
        let owners = match rules.rounds {
            Rounds::Single => Owners::rows(pits),
            Rounds::Territory { .. } => Owners::from_bits(south_owns, pits),
        };
        let to_move = if north { Side::North } else { Side::South };
        (rules.clone(), Position { board, stores: stores.map(u16::from), to_move, owners })
    })
}

fn seeds(position: &Position) -> usize {
    position.seeds_in_play() + position.stores.iter().map(|&store| usize::from(store)).sum::<usize>()
}

/// The board seen from the other side: turned by half a turn, with the players exchanged.
fn turned(position: &Position) -> Position {
    let (ring, pits) = (position.board.len(), position.pits());
    let mut board = position.board.clone();
    board.rotate_left(pits);
    let south = (0..ring).filter(|&pit| position.owners.of((pit + pits) % ring) == Side::North);
    Position {
        board,
        stores: [position.stores[1], position.stores[0]],
        to_move: position.to_move.other(),
        owners: Owners::from_bits(south.map(|pit| 1 << pit).sum(), pits),
    }
}

/// What follows a position or a move, without what a settlement leaves on the board: which pit an odd seed stays in says
/// nothing.
fn outline(state: &State) -> String {
    match state {
        State::Over(over) => {
            let gift = over.gift.map(|(_, seeds)| seeds);
            format!("{:?}, gift {gift:?}, {} left", over.reason, over.last.seeds_in_play())
        }
        state => format!("{state:?}"),
    }
}

/// Every position at which a player chooses, in a random game; `choices` picks the moves. Ends with the game or the choices.
fn random_game(referee: &Referee<'_>, start: &Position, choices: &[u8]) -> Vec<(Position, State)> {
    let mut game = Vec::new();
    let mut position = start.clone();
    for &choice in choices {
        let state = referee.state(&position);
        game.push((position.clone(), state.clone()));
        position = match state {
            State::Over(_) => break,
            State::Pass => referee.pass(&position),
            State::ToMove(pits) => {
                let played = referee.play(&position, pits[usize::from(choice) % pits.len()]).expect("a legal move");
                if let Next::Over(_) = played.next {
                    break;
                }
                played.after
            }
        };
    }
    game
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, ..ProptestConfig::default() })]

    #[test]
    fn no_seed_is_lost((rules, start) in any_game()) {
        let referee = Referee::new(&rules);
        match referee.state(&start) {
            State::Over(over) => prop_assert_eq!(seeds(&over.last), seeds(&start)),
            State::Pass => prop_assert_eq!(seeds(&referee.pass(&start)), seeds(&start)),
            State::ToMove(pits) => for pit in pits {
                let played = referee.play_traced(&start, pit).expect("a legal move");
                prop_assert_eq!(seeds(&played.after), seeds(&start));
                for lap in &played.laps {
                    let on_board: usize = lap.board.iter().map(|&seeds| usize::from(seeds)).sum();
                    let stored: usize = lap.stores.iter().map(|&seeds| usize::from(seeds)).sum();
                    prop_assert_eq!(on_board + stored, seeds(&start));
                }
            }
        }
    }

    /// What is legal can be played, what is not is refused, and a trace changes nothing.
    #[test]
    fn legal_moves_are_those_that_can_be_played((rules, start) in any_game()) {
        let referee = Referee::new(&rules);
        let legal = match referee.state(&start) {
            State::ToMove(pits) => pits,
            _ => Vec::new(),
        };
        for pit in (0..start.board.len()).map(|pit| Pit(pit as u8)) {
            match referee.play(&start, pit) {
                Ok(played) => {
                    prop_assert!(legal.contains(&pit));
                    let traced = referee.play_traced(&start, pit).expect("the same move");
                    prop_assert_eq!(&played, &Played { laps: Vec::new(), ..traced.clone() });
                    prop_assert_eq!(traced.laps.len() as u64, traced.lap_count.min(if traced.endless { 10_000 } else { u64::MAX }));
                }
                Err(_) => prop_assert!(!legal.contains(&pit)),
            }
        }
    }

    /// The players are alike: turning the board by half a turn and exchanging them changes nothing else.
    #[test]
    fn the_players_are_alike((rules, start) in any_game()) {
        let referee = Referee::new(&rules);
        let other = turned(&start);
        prop_assert_eq!(&turned(&other), &start);
        let state = referee.state(&start);
        prop_assert_eq!(outline(&state), outline(&referee.state(&other)));
        match (&state, referee.state(&other)) {
            (State::Over(one), State::Over(two)) => {
                prop_assert_eq!(one.last.stores, [two.last.stores[1], two.last.stores[0]]);
            }
            (State::ToMove(pits), _) => for &pit in pits {
                let one = referee.play(&start, pit).expect("a legal move");
                let two = referee.play(&other, pit).expect("a legal move");
                match (&one.next, &two.next) {
                    (Next::Over(one), Next::Over(two)) => {
                        prop_assert_eq!(one.last.stores, [two.last.stores[1], two.last.stores[0]]);
                    }
                    (one_next, two_next) => {
                        prop_assert_eq!(one_next, two_next);
                        prop_assert_eq!(turned(&one.after), two.after);
                    }
                }
            },
            _ => {}
        }
    }

    /// "With sown stores the board order is acyclic": no game comes back to a position, nor does a move go on for ever.
    #[test]
    fn sown_stores_never_repeat_a_position(
        (rules, start) in sown_rule_set().prop_flat_map(position),
        choices in proptest::collection::vec(any::<u8>(), 300),
    ) {
        let mut seen = HashSet::new();
        let referee = Referee::new(&rules);
        for (position, _) in random_game(&referee, &start, &choices) {
            prop_assert!(seen.insert((position.board.clone(), position.to_move)), "{} comes back", position);
        }
    }

    /// The laps of an endless move are recorded up to the first recurrence of a board with the pit that is lifted next.
    #[test]
    fn endless_moves_are_recorded_up_to_the_first_recurrence((rules, start) in scored_rule_set().prop_flat_map(position)) {
        prop_assume!(rules.can_be_endless());
        let rules = rules.with_changes(&[], &["sowing.endless=pass", "feeding.rule=none"]);
        prop_assume!(rules.is_ok());
        let rules = rules.expect("just checked");
        let ring = start.board.len();
        let next = usize::from(rules.sowing.relay == lumbung_engine::rules::Relay::Next);
        for pit in Referee::new(&rules).legal(&start) {
            let Ok(played) = Referee::new(&rules).play_traced(&start, pit) else { continue };
            let mut seen = HashSet::from([(start.board.clone(), start.ring(start.to_move, pit))]);
            let mut recurs = false;
            for lap in &played.laps {
                prop_assert!(!recurs, "a lap after the first recurrence");
                if let Landing::Pit(last) = lap.last {
                    recurs = !seen.insert((lap.board.clone(), (last + next) % ring));
                }
            }
            // The last lap of a move that ends lifts nothing more, whatever pit it ends in.
            prop_assert!(!played.endless || recurs || played.laps.len() < played.lap_count as usize);
        }
    }
}

/// Every way to lay `seeds` seeds into `pits` pits.
fn boards(pits: usize, seeds: u16) -> Vec<Vec<u16>> {
    if pits == 1 {
        return vec![vec![seeds]];
    }
    (0..=seeds)
        .flat_map(|first| {
            boards(pits - 1, seeds - first).into_iter().map(move |mut rest| {
                rest.push(first);
                rest
            })
        })
        .collect()
}

/// The number of endless moves of South on all boards of `pits` pits in all with `seeds` seeds.
fn endless_moves(rules: &RuleSet, pits: usize, seeds: u16) -> usize {
    let referee = Referee::new(rules);
    let mut endless = 0;
    for board in boards(pits, seeds) {
        let position = Position { board, stores: [0, 0], to_move: Side::South, owners: Owners::rows(pits / 2) };
        let moves = referee.legal(&position).into_iter().filter_map(|pit| referee.play(&position, pit).ok());
        endless += moves.filter(|played| played.endless).count();
    }
    endless
}

/// Where endless moves may be chosen, so that they can be counted.
fn choosing_endless(game: &str) -> RuleSet {
    let sets = ["sowing.endless=pass", "feeding.rule=none", "end.one-each=false"];
    preset(game).expect("a preset").rules.with_changes(&[], &sets).expect("rules")
}

/// San-Yao on ten pits: "none with <= 6 stones; 25 at 7, 0 at 8, 205 at 9, 65 at 10 (South to move, all start pits)".
#[test]
fn endless_moves_of_san_yao() {
    let rules = choosing_endless("san-yao");
    let counts: Vec<usize> = (2..=10).map(|seeds| endless_moves(&rules, 10, seeds)).collect();
    assert_eq!(counts, [0, 0, 0, 0, 0, 25, 0, 205, 65]);
}

/// Djenon-abe: "on 8 pits the first appears at 10 seeds, on 6 pits at 15".
#[test]
fn endless_moves_of_djenon_abe() {
    let rules = choosing_endless("djenon-abe");
    for (pits, first) in [(8, 10), (6, 15)] {
        for seeds in 1..first {
            assert_eq!(endless_moves(&rules, pits, seeds), 0, "{pits} pits, {seeds} seeds");
        }
        assert!(endless_moves(&rules, pits, first) > 0, "{pits} pits, {first} seeds");
    }
}

/// Every reading of every preset plays a game from its usual start to an end or a recurrence.
#[test]
fn every_reading_plays() {
    let choices: Vec<u8> = (0..1500u32).map(|step| (step.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
    for name in PRESET_NAMES {
        let rules = &preset(name).expect("a preset").rules;
        for reading in rules.readings.keys() {
            let rules = rules.with_changes(&[reading], &[]).expect("a reading");
            let game = random_game(&Referee::new(&rules), &Position::start(rules.usual_board), &choices);
            assert!(game.len() > 1, "{name}, {reading}");
            let total = rules.usual_board.total();
            assert!(game.iter().all(|(position, _)| seeds(position) == total), "{name}, {reading}");
        }
    }
}

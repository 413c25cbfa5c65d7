//! Whatever is written can be read again, and nothing that is read makes the program fall over.

use lumbung_engine::notation::{MoveText, draw, replay};
use lumbung_engine::position::MAX_SEEDS;
use lumbung_engine::referee::State;
use lumbung_engine::rules::{PRESET_NAMES, preset};
use lumbung_engine::{Owners, Position, Referee, Side};
use proptest::prelude::*;

fn position() -> impl Strategy<Value = Position> {
    let board = (1..=18usize).prop_flat_map(|pits| proptest::collection::vec(0..=25u16, 2 * pits));
    (board, 0..=60u16, 0..=60u16, any::<bool>(), prop_oneof![Just(None), any::<u64>().prop_map(Some)]).prop_map(
        |(board, south, north, to_move, owners)| {
            let pits = board.len() / 2;
            let owners = owners.map_or(Owners::rows(pits), |bits| Owners::from_bits(bits, pits));
            let to_move = if to_move { Side::South } else { Side::North };
            Position { board, stores: [south, north], to_move, owners }
        },
    )
}

proptest! {
    #[test]
    fn a_position_is_read_as_it_is_written(position in position()) {
        prop_assume!(position.seeds_in_play() + 120 <= MAX_SEEDS);
        prop_assert_eq!(position.to_string().parse::<Position>(), Ok(position));
    }

    /// One character of a position is replaced: it is read as another one, or refused with a place within the text.
    #[test]
    fn a_damaged_position_is_refused_in_one_line(position in position(), place in any::<prop::sample::Index>(), with in any::<char>()) {
        let mut text: Vec<char> = position.to_string().chars().collect();
        let place = place.index(text.len());
        text[place] = with;
        let text: String = text.into_iter().collect();
        if let Err(error) = text.parse::<Position>() {
            prop_assert!(error.offset <= text.len() && text.is_char_boundary(error.offset));
            prop_assert!(error.character <= text.chars().count() + 1);
            prop_assert_eq!(error.to_string().lines().count(), 1);
        }
    }

    #[test]
    fn any_text_is_read_or_refused(text in "\\PC{0,40}|[0-9,/sn \\-\u{3000}]{0,40}") {
        let _ = text.parse::<Position>().map_err(|error| error.to_string());
        let _ = text.parse::<MoveText>().map_err(|error| error.to_string());
    }

    /// A line is as long as the next one that holds the same things.
    #[test]
    fn drawings_are_aligned(position in position()) {
        let drawn = draw(&position);
        let rows: Vec<&str> = drawn.lines().filter(|line| line.contains("North") || line.contains("South")).collect();
        prop_assert_eq!(rows.len(), 2);
        prop_assert_eq!(rows[0].len(), rows[1].len());
        let widest = drawn.lines().map(str::len).max();
        let stores = drawn.lines().skip_while(|line| !line.contains("North")).nth(1).map(str::len);
        prop_assert_eq!(widest, stores);
    }

    /// A game that was replayed is written with its passes and ends of turns, and replays to the same record; and so it does
    /// without the separators.
    #[test]
    fn a_game_is_read_as_it_is_written(game in 0..PRESET_NAMES.len(), choices in proptest::collection::vec(any::<u8>(), 0..60)) {
        let rules = &preset(PRESET_NAMES[game]).expect("a preset").rules;
        let referee = Referee::new(rules);
        let start = Position::start(rules.usual_board);
        let mut text = String::new();
        for choice in choices {
            let record = replay(&referee, &start, &text.parse().expect("moves")).expect("legal moves");
            let at = match &record.state {
                State::Pass => referee.pass(&record.last),
                _ => record.last.clone(),
            };
            let State::ToMove(pits) = referee.state(&at) else { break };
            text.push_str(&format!("{} ", pits[usize::from(choice) % pits.len()]));
        }
        let record = replay(&referee, &start, &text.parse().expect("moves")).expect("legal moves");
        let again = replay(&referee, &start, &record.moves().parse().expect("moves"));
        prop_assert_eq!(again.as_ref(), Ok(&record));
    }
}

mod replays {
    use super::*;

    fn fails(game: &str, position: &str, moves: &str) -> String {
        let rules = &preset(game).expect("a preset").rules;
        let start = position.parse().expect("a position");
        replay(&Referee::new(rules), &start, &moves.parse().expect("moves"))
            .map_or_else(|error| error.to_string(), |record| format!("replays to {}", record.last))
    }

    const DAKON: &str = "7,7,7,7,7,7,7/7,7,7,7,7,7,7";

    #[test]
    fn an_illegal_move_is_named_with_its_place_and_reason() {
        assert_eq!(
            fails("dakon", DAKON, "1 1"),
            "moves, character 3 (move 2): South may not play pit 1: that pit is empty; legal: 2 3 4 5 6 7"
        );
        assert_eq!(fails("dakon", DAKON, "8"), "moves, character 1 (move 1): there is no pit 8; the pits are 1 to 7");
    }

    #[test]
    fn a_turn_ends_where_the_rules_end_it() {
        assert_eq!(fails("dakon", DAKON, "1 / 2"), "moves, character 3 (move 1): the turn is not over; South moves again");
        assert_eq!(fails("dakon", DAKON, "1 -"), "moves, character 3 (move 1): South can move and may not pass");
        // DK2 ends the turn.
        let after = "replays to 8,8,8,8,8,8,1/0,8,8,8,8,0,8/9,0/n";
        assert_eq!(fails("dakon", DAKON, "7"), after);
        assert_eq!(fails("dakon", DAKON, "7 /"), after);
        assert_eq!(fails("dakon", DAKON, "7 2 /"), fails("dakon", DAKON, "7 / 2"));
    }

    #[test]
    fn a_pass_may_be_written_or_left_out() {
        // DJ8: North has no seeds and passes, South must feed.
        let start = "0,0,0,0,3,1/1,0,0,0,0,0";
        let fed = "replays to 0,0,0,0,0,1/1,1,0,0,0,0/2,0/n";
        for moves in ["6 / - / 5", "6 - 5", "6 / 5", "6 5"] {
            assert_eq!(fails("djenon-abe", start, moves), fed, "{moves}");
        }
        let rules = &preset("djenon-abe").expect("a preset").rules;
        let record = replay(&Referee::new(rules), &start.parse().expect("a position"), &"6 5".parse().expect("moves"));
        assert_eq!(record.expect("a record").moves(), "6 / - / 5");
    }

    #[test]
    fn nothing_is_played_after_the_end() {
        // DJ6.
        assert_eq!(
            fails("djenon-abe", "1,0,0,0,0,1/1,0,0,0,0,0", "6 / 1"),
            "moves, character 5 (move 2): the game is over: there is no legal move"
        );
    }

    /// Awari's two last seeds run after each other for ever: ring pits 0 and 6 come back after six moves of each player.
    #[test]
    fn a_recurrence_is_noticed_and_ends_the_game_where_the_rules_say_so() {
        let start: Position = "1,0,0,0,0,0/1,0,0,0,0,0/20,26".parse().expect("a position");
        let rules = &preset("awari").expect("a preset").rules;
        // Both run round the board: each crosses to the other row, and is then the other player's.
        let around = "1 1 2 2 3 3 4 4 5 5 6 6";
        let record = replay(&Referee::new(rules), &start, &around.parse().expect("moves")).expect("legal moves");
        assert!(record.recurred);
        assert!(matches!(record.state, State::ToMove(_)));

        let rules = rules.with_changes(&[], &["end.cycle=row-owner"]).expect("rules");
        let record = replay(&Referee::new(&rules), &start, &around.parse().expect("moves")).expect("legal moves");
        let State::Over(over) = &record.state else { panic!("not over: {}", record.last) };
        assert_eq!(over.last.stores, [21, 27]);
    }
}

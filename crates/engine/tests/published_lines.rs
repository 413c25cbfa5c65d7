//! Lines and counts that others have published, replayed by the referee. The figures and their sources are in `data/`.

use lumbung_engine::notation::{MoveText, replay, replay_traced, write_turns};
use lumbung_engine::referee::{Next, OverReason, State};
use lumbung_engine::rules::preset;
use lumbung_engine::{BoardSize, Pit, Position, Referee, RuleSet};
use serde::Deserialize;

fn rules(game: &str, readings: &[&str], sets: &[&str]) -> RuleSet {
    preset(game).expect("a preset").rules.with_changes(readings, sets).expect("a reading of the preset")
}

fn start(pits: usize, seeds: usize) -> Position {
    Position::start(BoardSize::new(pits, seeds).expect("a board"))
}

mod dakon {
    use super::*;

    #[derive(Deserialize)]
    struct Data {
        maldives: Maldives,
        winning: Vec<Winning>,
        best_store: BestStore,
    }

    #[derive(Deserialize)]
    struct Maldives {
        pits: usize,
        moves: Vec<u8>,
        move_count: usize,
        laps: u64,
        seeds_sown: u64,
        final_own: Vec<u16>,
        final_opponent: Vec<u16>,
        final_store: u16,
    }

    #[derive(Deserialize)]
    struct Winning {
        pits: usize,
        moves: Vec<u8>,
    }

    #[derive(Deserialize)]
    struct BestStore {
        n3: u16,
        n4: u16,
    }

    fn data() -> Data {
        toml::from_str(include_str!("data/donkers_2000_dakon.toml")).expect("data")
    }

    fn text(moves: &[u8]) -> MoveText {
        let turn = moves.iter().map(|pit| Pit(pit - 1)).collect::<Vec<_>>();
        write_turns([turn]).parse().expect("moves")
    }

    /// Whether a last seed in an own empty pit with nothing opposite is stored is open in the source: both must agree.
    const OPEN_IN_THE_SOURCE: [&str; 2] = ["donkers", "donkers-empty"];

    #[test]
    fn the_maldivian_opening_takes_168_laps_and_leaves_three_seeds() {
        let line = data().maldives;
        assert_eq!(line.moves.len(), line.move_count);
        for reading in OPEN_IN_THE_SOURCE {
            let rules = rules("dakon", &[reading], &[]);
            let game = replay_traced(&Referee::new(&rules), &start(line.pits, line.pits), &text(&line.moves))
                .expect("the line is legal");
            assert_eq!(game.turns.len(), 1, "one turn");
            let (_, _, last) = game.played().last().expect("moves");
            assert_eq!(last.next, Next::Turn { bonus_lapsed: false });
            assert_eq!(game.played().map(|(_, _, played)| played.lap_count).sum::<u64>(), line.laps);
            let laps = game.played().flat_map(|(_, _, played)| &played.laps);
            assert_eq!(laps.map(|lap| u64::from(lap.lifted)).sum::<u64>(), line.seeds_sown);
            assert_eq!(last.after.board[..8], line.final_own);
            assert_eq!(last.after.board[8..], line.final_opponent);
            assert_eq!(last.after.stores, [line.final_store, 0]);
        }
    }

    #[test]
    fn winning_openings_store_what_leaves_the_opponent_no_pit_to_fill() {
        for line in data().winning {
            let need = 2 * line.pits * line.pits - line.pits;
            for reading in OPEN_IN_THE_SOURCE {
                let rules = rules("dakon", &[reading], &[]);
                let game =
                    replay(&Referee::new(&rules), &start(line.pits, line.pits), &text(&line.moves)).expect("the line is legal");
                assert_eq!(game.turns.len(), 1, "n = {}: one turn", line.pits);
                let stored = game.played().last().expect("moves").2.after.stores[0];
                assert!(usize::from(stored) >= need, "n = {}: {stored} stored, {need} wanted", line.pits);
            }
        }
    }

    /// The most that South can store in her first turn.
    fn best_store(referee: &Referee<'_>, position: &Position, seen: &mut std::collections::HashSet<Vec<u16>>) -> u16 {
        let mut best = position.stores[0];
        if !seen.insert(position.board.clone()) {
            return best;
        }
        for pit in referee.legal(position) {
            let played = referee.play(position, pit).expect("a legal move");
            best = best.max(match played.next {
                Next::Bonus => best_store(referee, &played.after, seen),
                Next::Turn { .. } => played.after.stores[0],
                Next::Over(over) => over.last.stores[0],
            });
        }
        best
    }

    #[test]
    fn no_first_turn_wins_on_three_pits_and_one_does_on_four() {
        let data = data();
        let rules = rules("dakon", &["donkers-empty"], &[]);
        for (pits, best) in [(3, data.best_store.n3), (4, data.best_store.n4)] {
            let found = best_store(&Referee::new(&rules), &start(pits, pits), &mut Default::default());
            assert_eq!(found, best, "n = {pits}");
        }
    }
}

mod kalah {
    use super::*;

    #[derive(Deserialize)]
    struct Data {
        game: Vec<Game>,
    }

    #[derive(Deserialize)]
    struct Game {
        pits: usize,
        seeds: usize,
        margin: i32,
        moves: String,
        misprint: Option<String>,
    }

    fn data() -> Vec<Game> {
        let data: Data = toml::from_str(include_str!("data/irving_2000_kalah.toml")).expect("data");
        assert_eq!(data.game.len(), 17);
        data.game
    }

    /// The published notation in ours, and where in our text each of its tokens begins.
    fn moves(published: &str) -> (String, Vec<usize>) {
        let mut text = String::new();
        let mut starts = Vec::new();
        for token in published.split('-') {
            if !text.is_empty() {
                text.push_str(" / ");
            }
            starts.push(text.len() + 1);
            let pits = token.bytes().map(|digit| Pit(digit - b'0'));
            text.push_str(&write_turns([pits]));
        }
        (text, starts)
    }

    #[test]
    fn perfect_games_end_with_the_printed_margin() {
        let rules = rules("kalah-empty-capture", &[], &[]);
        let referee = Referee::new(&rules);
        for game in data().iter().filter(|game| game.misprint.is_none()) {
            let name = format!("Kalah({},{})", game.pits, game.seeds);
            let (text, _) = moves(&game.moves);
            let record = replay(&referee, &start(game.pits, game.seeds), &text.parse().expect("moves"))
                .unwrap_or_else(|error| panic!("{name}: {error}"));
            assert!(matches!(record.state, State::Over(_)), "{name} is not over: {}", record.last);
            assert_eq!(record.last.margin(), game.margin, "{name}");
            assert_eq!(record.moves(), text, "{name} is written as it was read");
        }
    }

    #[test]
    fn the_misprinted_game_is_refused_at_its_misprint() {
        let rules = rules("kalah-empty-capture", &[], &[]);
        let games = data();
        let game = games.iter().find(|game| game.misprint.is_some()).expect("a misprint");
        let (text, starts) = moves(&game.moves);
        let error =
            replay(&Referee::new(&rules), &start(game.pits, game.seeds), &text.parse().expect("moves")).expect_err("a misprint");
        let token = starts.iter().rposition(|&start| start <= error.character).expect("a token");
        assert_eq!(game.moves.split('-').nth(token), game.misprint.as_deref(), "{error}");
    }
}

mod oware {
    use super::*;

    #[derive(Deserialize)]
    struct Data {
        perft: Perft,
    }

    #[derive(Deserialize)]
    struct Perft {
        counts: Vec<u64>,
    }

    fn perft(referee: &Referee<'_>, position: &Position, depth: usize) -> u64 {
        if depth == 0 {
            return 1;
        }
        match referee.state(position) {
            State::ToMove(pits) => pits
                .into_iter()
                .map(|pit| perft(referee, &referee.play(position, pit).expect("a legal move").after, depth - 1))
                .sum(),
            State::Pass => perft(referee, &referee.pass(position), depth),
            State::Over(_) => 0,
        }
    }

    #[test]
    fn move_counts_agree() {
        let data: Data = toml::from_str(include_str!("data/game_oware_perft.toml")).expect("data");
        for setting in ["no-capture", "forbidden"] {
            let set = format!("capture.count.grand-slam={setting}");
            let rules = rules("awari", &[], &[&set]);
            let referee = Referee::new(&rules);
            for (index, &count) in data.perft.counts.iter().enumerate() {
                assert_eq!(perft(&referee, &start(6, 4), index + 1), count, "{setting}, depth {}", index + 1);
            }
        }
    }

    /// Two seeds from South's last pit make both of North's pits 2: all he has. It is her only move.
    #[test]
    fn a_grand_slam_tells_the_settings_apart() {
        let position: Position = "0,0,0,0,0,2/1,1,0,0,0,0".parse().expect("a position");
        let set = |setting: &str| rules("awari", &[], &[&format!("capture.count.grand-slam={setting}")]);

        let legal = set("legal");
        let played = Referee::new(&legal).play(&position, Pit(5)).expect("the only move");
        assert_eq!(played.after, "0,0,0,0,0,0/0,0,0,0,0,0/4,0/n".parse().expect("a position"));
        assert!(!played.slam_undone);

        let no_capture = set("no-capture");
        let played = Referee::new(&no_capture).play(&position, Pit(5)).expect("the only move");
        assert_eq!(played.after, "0,0,0,0,0,0/2,2,0,0,0,0/0,0/n".parse().expect("a position"));
        assert!(played.slam_undone && played.capture.is_none());

        // Without a move of her own South leaves the rest to North.
        let forbidden = set("forbidden");
        let State::Over(over) = Referee::new(&forbidden).state(&position) else { panic!("South has a move") };
        assert_eq!((over.reason, over.last.stores), (OverReason::NoMove, [0, 4]));
    }

    /// With another move at hand the slam is no choice, unless it captures nothing.
    #[test]
    fn a_grand_slam_with_another_move_at_hand() {
        let position: Position = "0,1,0,0,0,2/1,1,0,0,0,0".parse().expect("a position");
        for (setting, pits) in [("legal", &[1][..]), ("forbidden", &[1]), ("no-capture", &[1, 5])] {
            let rules = rules("awari", &[], &[&format!("capture.count.grand-slam={setting}")]);
            let legal: Vec<u8> = Referee::new(&rules).legal(&position).into_iter().map(|pit| pit.0).collect();
            assert_eq!(legal, pits, "{setting}");
        }
        // Where nobody owes the other a move, a legal slam may be chosen.
        for (setting, pits) in [("legal", &[1, 5][..]), ("forbidden", &[1])] {
            let set = format!("capture.count.grand-slam={setting}");
            let rules = rules("awari", &[], &["feeding.rule=none", &set]);
            let legal: Vec<u8> = Referee::new(&rules).legal(&position).into_iter().map(|pit| pit.0).collect();
            assert_eq!(legal, pits, "{setting}");
        }
    }
}

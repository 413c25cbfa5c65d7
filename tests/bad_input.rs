//! Bad input of every kind: one clear line on standard error, exit code 2, nothing on standard output.

use std::io::Write as _;

use tempfile::NamedTempFile;

use crate::run::{Ran, run};

fn refused(ran: &Ran, says: &[&str]) {
    let Ran { code, stdout, stderr } = ran;
    assert_eq!(*code, Some(2), "{stderr}");
    assert_eq!(stdout, "", "{stderr}");
    assert!(stderr.starts_with("lumbung: ") && stderr.ends_with('\n') && stderr.lines().count() == 1, "{stderr:?}");
    assert!(stderr.chars().count() < 1200, "{} characters", stderr.chars().count());
    for word in says {
        assert!(stderr.contains(word), "{stderr:?} does not say {word:?}");
    }
}

macro_rules! refuses {
    ($($name:ident: [$($word:expr),+] says [$($says:expr),+];)+) => {$(
        #[test]
        fn $name() {
            refused(&run(&[$($word),+]), &[$($says),+]);
        }
    )+};
}

refuses! {
    an_unknown_game: ["solve", "dakkon"] says ["\"dakkon\"", "did you mean dakon?", "san-yao"];
    no_game_at_all: ["play"] says ["which game?", "--rules"];
    an_unknown_command: ["slove", "dakon"] says ["'slove'", "'solve'"];
    an_unknown_option: ["solve", "dakon", "--boad", "7x7"] says ["'--boad'", "'--board'"];
    a_missing_option: ["perft", "dakon"] says ["--depth"];
    an_unknown_reading: ["solve", "dakon", "--reading", "french-end"] says ["\"french-end\"", "german-end"];
    a_reading_of_a_game_without_any: ["play", "kalah", "--reading", "german-end"] says ["\"german-end\""];
    too_many_seeds: ["solve", "dakon", "--board", "18x29"] says ["1044", "1023"];
    too_many_pits: ["solve", "dakon", "--board", "19x1"] says ["19", "18"];
    no_seeds: ["solve", "dakon", "--board", "7x0"] says ["1 seed"];
    a_board_of_another_form: ["solve", "dakon", "--board", "7by7"] says ["\"7by7\"", "7x7"];
    a_board_and_a_position: ["solve", "dakon", "--board", "2x2", "--position", "1,1/1,1"] says ["--board", "--position"];
    a_letter_in_a_position: ["analyse", "dakon", "--position", "4,4,4/4,x,4"] says ["character 9", "\"x\""];
    a_position_of_one_row: ["analyse", "dakon", "--position", "4,4"] says ["character 4", "North's row is missing"];
    rows_of_different_length: ["play", "dakon", "--position", "4,4/4"] says ["character 5"];
    too_many_seeds_in_a_position: ["play", "dakon", "--position", "1000/20/3,1"] says ["character 11", "1023"];
    a_negative_number_of_seeds: ["play", "dakon", "--position", "-1/2"] says ["character 1", "\"-1\""];
    owners_where_there_is_no_territory: ["play", "dakon", "--position", "1,1/1,1/0,0/s/sssn"] says ["sssn", "rounds.kind"];
    an_empty_pit_played: ["play", "dakon", "--moves", "1 1"] says ["character 3", "move 2", "empty", "legal: 2 3 4 5 6 7"];
    a_pit_that_is_not_there: ["play", "dakon", "--moves", "8"] says ["no pit 8", "1 to 7"];
    a_word_among_the_moves: ["play", "dakon", "--moves", "1 x"] says ["character 3", "\"x\""];
    a_turn_ended_too_early: ["play", "dakon", "--moves", "1 / 2"] says ["character 3", "South moves again"];
    a_pass_that_is_none: ["play", "dakon", "--moves", "-"] says ["South can move"];
    an_endless_move: ["play", "san-yao", "--position", "0,1,0,1,1/0,1,0,2,1", "--moves", "5"] says ["pit 5", "for ever"];
    an_unknown_key: ["play", "dakon", "--set", "end.wen=any-row-empty"] says ["end.wen", "end.when"];
    an_unknown_key_in_capitals: ["play", "awari", "--set", "END.WHEN=x"] says ["END.WHEN; near it: end.when; ", "games show awari --toml"];
    an_unknown_key_near_none: ["play", "awari", "--set", "zzz=x"] says ["unknown key zzz; lumbung games show awari --toml shows"];
    a_key_set_twice: ["play", "dakon", "--set", "end.gift=1", "--set", "end.gift=2"] says ["end.gift=1", "end.gift=2"];
    readings_that_differ: ["play", "dakon", "--reading", "donkers,donkers-empty"] says ["reading donkers ", "reading donkers-empty "];
    a_key_of_a_capture_that_is_off: ["play", "awari", "--set", "capture.opposite.require-visit=false"]
        says ["capture.opposite.require-visit=false", "capture.opposite is off", "capture.opposite.enabled=true"];
    two_boards: ["play", "dakon", "--set", "board.pits=8", "--board", "7x7"] says ["board.pits=8", "--board 7x7"];
    a_board_beside_a_position: ["play", "dakon", "--position", "1/1", "--set", "board.seeds = 8"] says ["board.seeds = 8", "--position 1/1"];
    a_value_that_is_not_accepted: ["play", "dakon", "--set", "end.when=never"] says ["end.when", "never", "mover-empty"];
    a_change_without_a_value: ["play", "dakon", "--set", "end.when"] says ["\"end.when\"", "key=value"];
    a_clash_names_both_keys: ["solve", "dakon", "--set", "sowing.origin=first"] says ["sowing.origin", "sowing.min-seeds"];
    bonus_moves_need_sown_stores: ["solve", "dakon", "--set", "board.stores=scored"] says ["board.stores", "sowing.bonus-move"];
    a_game_that_may_repeat_needs_a_rule: ["solve", "awari", "--set", "end.cycle=none"] says ["end.cycle", "board.stores"];
    a_rule_for_play_only: ["solve", "djenon-abe", "--board", "2x2", "--set", "end.cycle=row-owner"] says ["end.cycle", "row-owner"];
    no_threads: ["solve", "dakon", "--threads", "0"] says ["'0'", "--threads", "1 to 256"];
    a_size_that_is_none: ["solve", "dakon", "--memory", "2 elephants"] says ["2 elephants", "2GiB"];
    a_time_without_a_unit: ["solve", "dakon", "--limit", "90"] says ["'90'", "90s"];
    too_many_threads: ["solve", "dakon", "--threads", "257"] says ["'257'", "1 to 256"];
    fewer_threads_than_none: ["solve", "dakon", "--threads", "-1"] says ["'-1'", "1 to 256"];
    no_memory: ["solve", "dakon", "--memory", "0"] says ["'0'", "more than 0"];
    memory_below_zero: ["solve", "dakon", "--memory", "-1GB"] says ["'-1GB'", "more than 0"];
    too_little_memory: ["solve", "dakon", "--memory", "1KiB"] says ["'1KiB'", "at least 64"];
    no_time: ["solve", "dakon", "--limit", "0s"] says ["'0s'", "more than 0"];
    a_time_below_zero: ["solve", "dakon", "--limit", "-1s"] says ["'-1s'", "more than 0"];
    positions_below_zero: ["solve", "dakon", "--nodes", "-1"] says ["'-1'", "--nodes", "a number from 0"];
    positions_in_letters: ["analyse", "dakon", "--nodes", "abc"] says ["'abc'", "--nodes", "a number from 0"];
    a_table_of_no_number: ["solve", "dakon", "--table-seeds", ""] says ["--table-seeds", "0 to 1023"];
    a_table_too_large: ["solve", "dakon", "--table-seeds", "1024"] says ["'1024'", "0 to 1023"];
    a_depth_in_letters: ["perft", "dakon", "--depth", "abc"] says ["'abc'", "1 to 1000"];
    a_goal_that_is_none: ["turns", "dakon", "--goal", "best"] says ["'best'", "shortest-win"];
    a_depth_of_nothing: ["perft", "dakon", "--depth", "0"] says ["'0'", "--depth"];
    a_file_that_is_not_there: ["play", "--rules", "no-such-file.toml"] says ["no-such-file.toml"];
    a_directory_for_a_file: ["play", "--rules", "."] says ["cannot read ."];
    rules_for_the_list_of_games: ["games", "--reading", "donkers"] says ["games show"];
    toml_and_json_at_once: ["games", "show", "dakon", "--toml", "--json"] says ["--toml", "--json"];
    a_directory_for_a_claim: ["claim", "check", "crates"] says ["crates is a directory"];
    a_path_of_a_directory_for_a_claim: ["claim", "check", "solver-results/claims"] says ["solver-results/claims is a directory"];
    an_unknown_claim: ["claim", "check", "the-moon-is-cheese"] says ["\"the-moon-is-cheese\"", "dakon-first-player-win"];
    a_claim_file_that_is_not_there: ["claim", "check", "nowhere/x.toml"] says ["nowhere/x.toml"];
    no_claim_at_all: ["claim", "check"] says ["ID|FILE"];
    rules_for_a_claim: ["claim", "check", "dakon-first-player-win", "--rules", "x.toml"] says ["names its own rules"];
}

fn file(text: &[u8]) -> NamedTempFile {
    let mut file = NamedTempFile::with_suffix(".toml").expect("a temporary file");
    file.write_all(text).expect("written");
    file
}

fn refused_file(text: &[u8], says: &[&str]) {
    let file = file(text);
    let name = file.path().to_str().expect("a path of letters");
    let says = [&[name], says].concat();
    refused(&run(&["games", "show", "--rules", name]), &says);
    refused(&run(&["solve", "--rules", name, "--json"]), &says);
}

#[test]
fn rule_files_are_refused_by_name_and_line() {
    refused_file(b"name = \"x\"\n[end]\nwhen = \"never\"\n", &["line 3", "end.when", "mover-empty"]);
    refused_file(b"name = \"x\"\n[end]\nwen = \"mover-empty\"\n", &["line 3", "end.wen", "end.when"]);
    refused_file(b"name = \"x\"\n[end\n", &["line 2"]);
    refused_file(b"[sowing]\nrelay = \"next\"\n", &["sowing.relay", "board.stores"]);
    refused_file(b"[board]\npits = 18\nseeds = 100\n", &["board.pits", "board.seeds", "3600"]);
}

#[test]
fn foreign_files_are_refused() {
    refused_file(b"\xff\xfe\x00\x01", &["UTF-8"]);
    refused_file(&vec![b'#'; (1 << 20) + 1], &["larger than"]);
    refused_file(b"", &["the file holds no key of a rule set"]);
    refused_file(b"name = \"a\\nb\"\n", &["line 1: name", "a\\nb", "control characters"]);
    // A line feed in a key must not break the one line of the message.
    refused_file(b"\"a\\nb\" = 1\n", &["a\\nb"]);
}

#[test]
fn a_game_and_a_file_are_one_too_many() {
    let file = file(b"name = \"mine\"\n");
    let name = file.path().to_str().expect("a path of letters");
    refused(&run(&["solve", "dakon", "--rules", name]), &["\"dakon\"", name]);
}

#[test]
fn an_argument_cannot_break_the_line() {
    refused(&run(&["play", "da\nkon"]), &["da\\nkon"]);
    refused(&run(&["play", "dakon", "--bo\nard"]), &["'--bo ard'"]);
}

#[test]
fn claim_files_are_refused_by_name() {
    let good = include_str!("../solver-results/claims/dakon-first-player-win.toml");
    let cases: [(&str, &str, &[&str]); 8] = [
        ("lumbung-claim/1", "lumbung-claim/9", &["lumbung-claim/9", "lumbung-claim/1"]),
        ("kind = \"winner\"", "kind = \"looser\"", &["looser", "winner"]),
        ("player = \"south\"", "player = \"east\"", &["east", "south"]),
        ("game = \"dakon\"", "game = \"dakkon\"", &["dakkon", "did you mean dakon?"]),
        ("board = \"7x7\"", "board = \"7x700\"", &["9800", "1023"]),
        ("board = \"7x7\"", "board = \"7x7\"\nposition = \"1/1\"", &["board", "position"]),
        ("board = \"7x7\"", "board = \"7x7\"\nset = [\"board.pits=8\"]", &["board.pits=8", "board \"7x7\""]),
        ("title = ", "tilte = ", &["tilte"]),
    ];
    for (from, to, says) in cases {
        let text = good.replacen(from, to, 1);
        assert_ne!(text, good);
        let file = file(text.as_bytes());
        let name = file.path().to_str().expect("a path of letters");
        refused(&run(&["claim", "check", name]), &[&[name], says].concat());
    }
}

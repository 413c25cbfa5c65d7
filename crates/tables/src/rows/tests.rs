//! Ways that a usual build seldom takes give the same table.

use super::*;
use lumbung_engine::rules::arbitrary::sown_rule_set;
use lumbung_engine::rules::preset;
use proptest::prelude::*;

const ROOM: usize = 1 << 30;

fn table(rules: &RuleSet, pits: usize, seeds: usize, room: usize, change: impl Fn(&mut Game)) -> Vec<i8> {
    let mut game = Game::new(rules, pits, seeds, room).unwrap();
    change(&mut game);
    let total = game.splits.layer(seeds).end;
    let stop = AtomicBool::new(false);
    let options = Options { threads: 1, memory: None, stop: &stop, progress: &|_| {} };
    let table = fill(&game, total, seeds, options, &crate::layers::OnlyInMemory).unwrap().unwrap();
    assert!(game.lists.room.taken() <= room, "{} bytes of lists in room for {room}", game.lists.room.taken());
    table
}

/// Lists for all passages, however small; for none but the roots; for no move away; the other way round or not; for none at all, and
/// for some.
fn assert_all_ways_agree(rules: &RuleSet, pits: usize, seeds: usize) {
    let by_lists = table(rules, pits, seeds, ROOM, |game| (game.least_passage, game.least_home, game.least_root) = (0, 0, 0));
    let by_rows = table(rules, pits, seeds, ROOM, |game| (game.least_passage, game.least_home) = (usize::MAX, usize::MAX));
    let from_the_start = table(rules, pits, seeds, ROOM, |game| game.least_root = usize::MAX);
    let crossed = table(rules, pits, seeds, ROOM, |game| {
        (game.least_passage, game.least_home, game.least_uses) = (0, 0, game.least_uses.map(|_| 0));
    });
    let without_edges = table(rules, pits, seeds, ROOM, |game| game.least_edges = usize::MAX);
    let uncrossed = table(rules, pits, seeds, ROOM, |game| game.least_uses = None);
    let without_lists = table(rules, pits, seeds, 0, |_| {});
    // Room is used up in the midst of the work, in one place or another.
    for room in [1 << 12, 1 << 14, 1 << 16] {
        let with_some =
            table(rules, pits, seeds, room, |game| (game.least_passage, game.least_home, game.least_root) = (2, 2, 0));
        assert!(by_lists == with_some, "{pits} pits, {seeds} seeds, room for {room} bytes of lists, {rules:?}");
    }
    assert!(by_lists == by_rows, "{pits} pits, {seeds} seeds, {rules:?}");
    assert!(by_lists == from_the_start, "{pits} pits, {seeds} seeds, {rules:?}");
    assert!(by_lists == crossed, "{pits} pits, {seeds} seeds, {rules:?}");
    assert!(by_lists == uncrossed, "{pits} pits, {seeds} seeds, {rules:?}");
    assert!(by_lists == without_edges, "{pits} pits, {seeds} seeds, {rules:?}");
    assert!(by_lists == without_lists, "{pits} pits, {seeds} seeds, {rules:?}");
}

#[test]
fn rows_alone_do_what_lists_do() {
    for name in ["dakon", "kalah", "sungka", "kalah-empty-capture"] {
        for (pits, seeds) in [(1, 14), (2, 12), (3, 11), (6, 7)] {
            assert_all_ways_agree(&preset(name).unwrap().rules, pits, seeds);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 80, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn under_random_rules_too(
        (pits, seeds) in prop::sample::select(&[(1, 14), (2, 11), (3, 9), (4, 7)][..]),
        rules in sown_rule_set(),
    ) {
        prop_assume!(can_express(&rules).is_ok());
        assert_all_ways_agree(&rules, pits, seeds);
    }
}

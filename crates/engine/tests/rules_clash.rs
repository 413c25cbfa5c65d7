//! Keys that do not go together are refused, and both are named with their values.

use lumbung_engine::RuleSet;
use lumbung_engine::rules::{RuleSpec, preset};

/// Rules with scored stores to which a case adds what it is about.
const SCORED: &[&str] = &["board.stores=scored", "end.cycle=zero"];

/// Each case: a preset or "" for the defaults, the changes, and the two `key = value` that the refusal must name.
const REFUSED: &[(&str, &[&str], [&str; 2])] = &[
    ("djenon-abe", &["sowing.origin=first"], [r#"sowing.origin = "first""#, "sowing.min-seeds = 1"]),
    ("djenon-aboure", &["sowing.min-seeds=1"], [r#"sowing.origin = "first""#, "sowing.min-seeds = 1"]),
    ("djenon-aboure", &["sowing.stop-at=[2, 4]"], [r#"sowing.origin = "first""#, "sowing.stop-at = [2, 4]"]),
    ("dakon", &["sowing.relay=next"], [r#"sowing.relay = "next""#, r#"board.stores = "sown""#]),
    ("san-yao", &["sowing.stop-at=[1]"], ["sowing.stop-at = [1]", r#"sowing.relay = "next""#]),
    ("djenon-abe", &["sowing.relay=next"], ["sowing.stop-at = [1, 2, 4]", r#"sowing.relay = "next""#]),
    ("kalah", &["sowing.stop-at=[1, 3]"], ["sowing.stop-at = [1, 3]", r#"sowing.relay = "single""#]),
    ("awari", &["sowing.bonus-move=own-store"], [r#"sowing.bonus-move = "own-store""#, r#"board.stores = "scored""#]),
    (
        "dakon",
        &["sowing.bonus-move=none", "sowing.bonus-on-empty-row=pass"],
        [r#"sowing.bonus-on-empty-row = "pass""#, r#"sowing.bonus-move = "none""#],
    ),
    ("awari", &["sowing.bonus-on-empty-row=pass"], [r#"sowing.bonus-on-empty-row = "pass""#, r#"sowing.bonus-move = "none""#]),
    ("dakon", &["sowing.endless=pass"], [r#"sowing.endless = "pass""#, r#"board.stores = "sown""#]),
    ("awari", &["sowing.endless=end"], [r#"sowing.endless = "end""#, r#"sowing.relay = "single""#]),
    ("awari", &["end.cycle=none"], [r#"end.cycle = "none""#, r#"board.stores = "scored""#]),
    ("", &["board.stores=scored"], [r#"end.cycle = "none""#, r#"board.stores = "scored""#]),
    ("dakon", &["end.cycle=zero"], [r#"end.cycle = "zero""#, r#"board.stores = "sown""#]),
    ("kalah", &["end.cycle=row-owner"], [r#"end.cycle = "row-owner""#, r#"board.stores = "sown""#]),
    ("san-yao", &["capture.beyond-gap.enabled=false"], [r#"rounds.kind = "territory""#, "capture.beyond-gap.enabled = false"]),
    ("awari", &["rounds.kind=territory"], [r#"rounds.kind = "territory""#, "capture.beyond-gap.enabled = false"]),
    ("san-yao", &["capture.opposite.enabled=true"], [r#"capture.opposite.enabled = true"#, r#"rounds.kind = "territory""#]),
    ("san-yao", &["capture.sandwich.enabled=true"], [r#"capture.sandwich.enabled = true"#, r#"rounds.kind = "territory""#]),
    ("dakon", &["rounds.kind=territory"], [r#"rounds.kind = "territory""#, r#"board.stores = "sown""#]),
    ("san-yao", &["end.remainder=unscored"], [r#"rounds.kind = "territory""#, r#"end.remainder = "unscored""#]),
    ("san-yao", &["end.remainder=split"], [r#"rounds.kind = "territory""#, r#"end.remainder = "split""#]),
    ("san-yao", &["rounds.repeat=void", "end.cycle=row-owner"], [r#"rounds.repeat = "void""#, r#"end.cycle = "row-owner""#]),
    ("dakon", &["capture.beyond-gap.enabled=true"], ["capture.beyond-gap.enabled = true", r#"board.stores = "sown""#]),
    (
        "san-yao",
        &["capture.beyond-gap.chain=false", "capture.beyond-gap.wrap=false"],
        ["capture.beyond-gap.wrap = false", "capture.beyond-gap.chain = false"],
    ),
    ("djenon-abe", &["capture.count.counts=[3, 5]"], ["capture.count.counts = [3, 5]", "sowing.stop-at = [1, 2, 4]"]),
    ("dakon", &["capture.count.enabled=true"], ["capture.count.counts = [2, 4]", "sowing.stop-at = [1]"]),
    ("dakon", &["sowing.stop-at=[2]"], ["capture.opposite.enabled = true", "sowing.stop-at = [2]"]),
    (
        "dakon",
        &["sowing.stop-at=[2]", "capture.opposite.enabled=false"],
        ["capture.sandwich.enabled = true", "sowing.stop-at = [2]"],
    ),
    ("dakon", &["feeding.rule=rescue"], [r#"feeding.rule = "rescue""#, r#"end.when = "mover-empty""#]),
    ("kalah", &["feeding.rule=rescue"], [r#"feeding.rule = "rescue""#, r#"end.when = "any-row-empty""#]),
    ("kalah", &["feeding.rule=mover-must"], [r#"feeding.rule = "mover-must""#, r#"end.when = "any-row-empty""#]),
    ("dakon", &["end.no-move=pass"], [r#"end.no-move = "pass""#, r#"end.when = "mover-empty""#]),
    ("dakon", &["rounds.sons=winner-chooses"], [r#"rounds.sons = "winner-chooses""#, r#"rounds.kind = "single""#]),
    ("awari", &["rounds.lending=debt"], [r#"rounds.lending = "debt""#, r#"rounds.kind = "single""#]),
    ("awari", &["rounds.tie-starter=same"], [r#"rounds.tie-starter = "same""#, r#"rounds.kind = "single""#]),
    ("awari", &["rounds.repeat=void"], [r#"rounds.repeat = "void""#, r#"rounds.kind = "single""#]),
    ("", &["board.pits=18", "board.seeds=29"], ["board.pits = 18", "board.seeds = 29"]),
];

fn base(name: &str) -> RuleSet {
    if name.is_empty() { RuleSet::from_spec(RuleSpec::default()).unwrap() } else { preset(name).unwrap().rules.clone() }
}

#[test]
fn a_clash_names_both_keys_with_their_values() {
    for (name, sets, keys) in REFUSED {
        let error = base(name).with_set(sets).expect_err(&format!("{name} {sets:?} is accepted")).to_string();
        for key in keys {
            assert!(error.contains(key), "{name} {sets:?}: {error:?} does not name {key}");
        }
        assert_eq!(error.lines().count(), 1, "{error}");
    }
}

/// Each case: what looks like one of the clashes above but has an effect.
const ACCEPTED: &[(&str, &[&str])] = &[
    ("djenon-abe", &["sowing.origin=first", "sowing.min-seeds=2"]),
    ("djenon-abe", &["sowing.relay=next", "sowing.stop-at=default"]),
    ("dakon", &["sowing.relay=single"]),
    ("djenon-abe", &["sowing.endless=pass"]),
    ("san-yao", &["sowing.endless=end"]),
    ("djenon-abe", &["end.cycle=row-owner"]),
    ("san-yao", &["capture.beyond-gap.enabled=false", "rounds.kind=single"]),
    ("san-yao", &["capture.beyond-gap.chain=false"]),
    ("djenon-abe", &["capture.count.counts=[3, 4]"]),
    ("kalah", &["capture.count.enabled=true", "capture.count.counts=[3]"]),
    ("awari", &["feeding.rule=mover-must"]),
    ("dakon", &["end.when=both-rows-empty", "feeding.rule=rescue"]),
    // A player with single seeds only has no move, and yet her row is not empty.
    ("dakon", &["sowing.min-seeds=2", "end.no-move=pass"]),
    ("awari", &["feeding.rule=mover-must", "end.no-move=pass"]),
    ("awari", &["capture.count.grand-slam=forbidden", "end.no-move=pass"]),
    ("djenon-abe", &["feeding.rule=none", "end.when=mover-empty", "end.no-move=pass"]),
    ("dakon", &["capture.count.enabled=false"]),
    ("awari", &["sowing.bonus-on-empty-row=end", "sowing.endless=illegal", "rounds.sons=after-own-row"]),
];

#[test]
fn keys_that_have_an_effect_are_accepted() {
    for (name, sets) in ACCEPTED {
        if let Err(error) = base(name).with_set(sets) {
            panic!("{name} {sets:?}: {error}");
        }
    }
    base("").with_set(SCORED).unwrap();
}

#[test]
fn keys_of_a_table_that_a_file_switches_off_are_dropped() {
    let rules = RuleSet::from_toml("[capture.count]\nenabled = false\ncounts = [900]\n").unwrap();
    assert_eq!(rules, RuleSet::from_spec(RuleSpec::default()).unwrap());
}

/// Each case: an assignment out of range, and the words that say what is accepted.
const OUT_OF_RANGE: &[(&str, &str)] = &[
    ("end.when=fewer-than-0", "K from 1 to 1023"),
    ("end.when=fewer-than-1024", "K from 1 to 1023"),
    ("end.when=fewer-than-", "fewer-than-K"),
    ("end.when=fewer-than-+3", "fewer-than-K"),
    ("end.when=never", "mover-empty, any-row-empty, both-rows-empty, only-singletons, fewer-than-K, no-legal-move"),
    ("sowing.stop-at=[]", "one or more numbers from 1 to 1023"),
    ("sowing.stop-at=[0, 1]", "one or more numbers from 1 to 1023"),
    ("sowing.stop-at=[1, 1024]", "one or more numbers from 1 to 1023"),
    ("capture.count.counts=[]", "one or more numbers from 1 to 1023"),
    ("capture.count.counts=[0]", "one or more numbers from 1 to 1023"),
    ("capture.count.counts=[70000]", "one or more numbers from 1 to 1023"),
    ("sowing.min-seeds=0", "a number from 1 to 1023"),
    ("sowing.min-seeds=1024", "a number from 1 to 1023"),
    ("end.gift=1024", "a number from 0 to 1023"),
    ("end.gift=-1", "a number from 0 to 1023"),
    ("board.pits=0", "a number from 1 to 18"),
    ("board.pits=19", "a number from 1 to 18"),
    ("board.seeds=0", "a number from 1 to 1023"),
    ("board.pits=99999999999999999999", "a number from 1 to 18"),
];

#[test]
fn a_value_out_of_range_is_refused_with_what_is_accepted() {
    for (assignment, accepted) in OUT_OF_RANGE {
        let error = base("").with_set(&[assignment]).expect_err(assignment).to_string();
        let key = assignment.split('=').next().unwrap();
        assert!(error.contains(key) && error.contains(accepted), "{assignment}: {error}");
    }
}

#[test]
fn the_limits_themselves_are_accepted() {
    for assignment in ["end.when=fewer-than-1", "end.when=fewer-than-1023", "sowing.min-seeds=1023", "end.gift=1023"] {
        base("").with_set(&[assignment]).unwrap();
    }
    // 1008 seeds; one more a pit and they are 1044.
    base("").with_set(&["board.pits=18", "board.seeds=28"]).unwrap();
}

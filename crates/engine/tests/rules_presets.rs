//! The presets against the published comparison of the games, cell by cell, and their readings.

use lumbung_engine::rules::{Captures, PRESET_NAMES, Relay, Rounds, RuleSet, Stores, preset, presets};

/// One column a game, one row a key; words as in the comparison of the games in the rules reference.
const TABLE: &[(&str, [&str; 10])] = &[
    (
        "name",
        [
            "dakon",
            "ohvalhu",
            "congkak",
            "sungka",
            "kalah",
            "kalah-empty-capture",
            "awari",
            "djenon-abe",
            "djenon-aboure",
            "san-yao",
        ],
    ),
    ("board", ["7x7", "8x8", "7x7", "7x7", "6x4", "6x4", "6x4", "6x4", "6x4", "5x5"]),
    ("stores", ["sown", "sown", "sown", "sown", "sown", "sown", "scored", "scored", "scored", "scored"]),
    (
        "relay",
        [
            "landing / 1",
            "landing / 1",
            "landing / 1",
            "landing / 1",
            "single",
            "single",
            "single",
            "landing / 1,2,4",
            "landing / 1,2,4",
            "next",
        ],
    ),
    ("origin", ["normal", "normal", "normal", "normal", "normal", "normal", "skipped", "normal", "first", "normal"]),
    ("min-seeds", ["1", "1", "1", "1", "1", "1", "1", "1", "2", "1"]),
    (
        "bonus-move",
        ["own-store", "own-store", "own-store", "own-store", "own-store", "own-store", "none", "none", "none", "none"],
    ),
    ("bonus-on-empty-row", ["end", "end", "end", "pass", "end", "end", "", "", "", ""]),
    ("endless", ["", "", "", "", "", "", "", "illegal", "illegal", "illegal"]),
    (
        "capture",
        [
            "opposite leave; sandwich",
            "opposite take-on-capture",
            "opposite leave",
            "opposite leave",
            "opposite take-on-capture",
            "opposite take",
            "count 2,3 opponent, back, legal",
            "count 2,4 any, back, legal",
            "count 2,4 any, back, legal",
            "beyond-gap chain, wrap",
        ],
    ),
    ("feeding.rule", ["none", "none", "none", "none", "none", "none", "leave-a-move", "rescue", "none", "none"]),
    (
        "end.when",
        [
            "mover-empty",
            "mover-empty",
            "any-row-empty",
            "both-rows-empty",
            "any-row-empty",
            "any-row-empty",
            "mover-empty",
            "no-legal-move",
            "only-singletons",
            "fewer-than-2",
        ],
    ),
    ("end.no-move", ["end", "end", "end", "pass", "end", "end", "end", "end", "pass", "pass"]),
    ("one-each / gift", ["no / 0", "no / 0", "no / 0", "no / 0", "no / 0", "no / 0", "no / 0", "yes / 1", "no / 0", "no / 0"]),
    (
        "remainder",
        [
            "opponent",
            "opponent",
            "row-owner",
            "row-owner",
            "row-owner",
            "row-owner",
            "opponent",
            "row-owner",
            "row-owner",
            "row-owner",
        ],
    ),
    ("cycle", ["none", "none", "none", "none", "none", "none", "zero", "zero", "zero", "zero"]),
    ("rounds.kind", ["single", "single", "single", "single", "single", "single", "single", "single", "single", "territory"]),
];

fn joined(numbers: &[u16]) -> String {
    numbers.iter().map(ToString::to_string).collect::<Vec<_>>().join(",")
}

fn captures(capture: &Captures) -> String {
    let mut kinds = Vec::new();
    if let Some(opposite) = &capture.opposite {
        assert!(!opposite.require_visit);
        kinds.push(format!("opposite {}", opposite.landing_seed));
    }
    if capture.sandwich {
        kinds.push("sandwich".to_owned());
    }
    if let Some(count) = &capture.count {
        let chain = if count.chain_back { "back" } else { "none" };
        kinds.push(format!("count {} {}, {chain}, {}", joined(&count.counts), count.side, count.grand_slam));
    }
    if let Some(gap) = &capture.beyond_gap {
        let named = |on, word| if on { word } else { "-" };
        kinds.push(format!("beyond-gap {}, {}", named(gap.chain, "chain"), named(gap.wrap, "wrap")));
    }
    kinds.join("; ")
}

fn cell(rules: &RuleSet, key: &str) -> String {
    match key {
        "name" => rules.name.clone(),
        "board" => rules.usual_board.to_string(),
        "stores" => if rules.stores == Stores::Scored { "scored" } else { "sown" }.to_owned(),
        "relay" => match &rules.sowing.relay {
            Relay::Single => "single".to_owned(),
            Relay::Landing { stop_at } => format!("landing / {}", joined(stop_at)),
            Relay::Next => "next".to_owned(),
        },
        "origin" => rules.sowing.origin.to_string(),
        "min-seeds" => rules.sowing.min_seeds.to_string(),
        "bonus-move" => if matches!(rules.stores, Stores::Sown { bonus: Some(_) }) { "own-store" } else { "none" }.to_owned(),
        "bonus-on-empty-row" => match rules.stores {
            Stores::Sown { bonus: Some(on_empty_row) } => on_empty_row.to_string(),
            _ => String::new(),
        },
        "endless" if rules.can_be_endless() => rules.sowing.endless.to_string(),
        "endless" => String::new(),
        "capture" => captures(&rules.capture),
        "feeding.rule" => rules.feeding.to_string(),
        "end.when" => rules.end.when.to_string(),
        "end.no-move" => rules.end.no_move.to_string(),
        "one-each / gift" => format!("{} / {}", if rules.end.one_each { "yes" } else { "no" }, rules.end.gift),
        "remainder" => rules.end.remainder.to_string(),
        "cycle" => rules.end.cycle.to_string(),
        "rounds.kind" => if rules.rounds == Rounds::Single { "single" } else { "territory" }.to_owned(),
        other => panic!("no such row: {other}"),
    }
}

#[test]
fn every_cell_is_as_published() {
    for (key, cells) in TABLE {
        for (name, expected) in PRESET_NAMES.iter().zip(cells) {
            assert_eq!(&cell(&preset(name).unwrap().rules, key), expected, "{name}, {key}");
        }
    }
}

/// The readings with the keys they set, from the same reference.
const READINGS: &[(&str, &str, &[&str], &str)] = &[
    ("dakon", "german-end", &["end.when=any-row-empty", "end.remainder=row-owner"], "A-D3"),
    ("dakon", "bonus-lapses", &["sowing.bonus-on-empty-row=pass"], "A-D4"),
    ("dakon", "must-pass", &["end.when=both-rows-empty", "end.no-move=pass", "end.remainder=row-owner"], "A-D5"),
    ("dakon", "landing-seed-taken", &["capture.opposite.landing-seed=take-on-capture"], "A-D2"),
    ("dakon", "landing-seed-always", &["capture.opposite.landing-seed=take"], "A-D2"),
    ("dakon", "no-mikul", &["capture.sandwich.enabled=false"], ""),
    ("dakon", "visit-first", &["capture.opposite.require-visit=true"], "A-D7"),
    ("dakon", "donkers", &["capture.sandwich.enabled=false", "capture.opposite.landing-seed=take-on-capture"], "Donkers"),
    ("dakon", "donkers-empty", &["capture.sandwich.enabled=false", "capture.opposite.landing-seed=take"], "donkers"),
    ("awari", "grand-slam-forbidden", &["capture.count.grand-slam=forbidden"], ""),
    ("awari", "grand-slam-no-capture", &["capture.count.grand-slam=no-capture"], ""),
    ("djenon-abe", "oware-feeding", &["feeding.rule=mover-must"], "A-J1"),
    ("djenon-abe", "no-gift", &["end.gift=0"], "A-J4"),
    ("djenon-abe", "unscored", &["end.remainder=unscored"], "A-J4"),
    ("djenon-abe", "split", &["end.remainder=split"], "A-J4"),
    ("djenon-abe", "singles-rest", &["sowing.min-seeds=2"], "A-J9"),
    ("san-yao", "no-wrap", &["capture.beyond-gap.wrap=false"], "A-Y3"),
    ("san-yao", "winner-chooses", &["rounds.sons=winner-chooses"], "A-Y9"),
    ("san-yao", "debt", &["rounds.lending=debt"], "A-Y11"),
    ("san-yao", "void", &["rounds.repeat=void"], "A-Y6"),
    ("san-yao", "same-starter", &["rounds.tie-starter=same"], "A-Y13"),
];

#[test]
fn every_reading_sets_its_keys_and_is_valid() {
    for (name, reading, sets, code) in READINGS {
        let rules = &preset(name).unwrap().rules;
        let read = rules.with_reading(reading).unwrap_or_else(|error| panic!("{name} {reading}: {error}"));
        assert_eq!(read, rules.with_set(sets).unwrap(), "{name} {reading}");
        assert_ne!(&read, rules, "{name} {reading} changes nothing");
        let about = &rules.readings[*reading].about;
        assert!(about.contains(code) && about.split_whitespace().count() >= 4, "{name} {reading}: {about:?}");
    }
    let carried: usize = presets().iter().map(|preset| preset.rules.readings.len()).sum();
    assert_eq!(carried, READINGS.len());
}

/// Readings of the sources that no key expresses, by the codes of the reference.
const NOT_MODELLED: &[(&str, &[&str])] = &[
    ("dakon", &["A-D6", "A-D8", "A-D10", "A-D11"]),
    ("djenon-abe", &["A-J2", "A-J3", "A-J5", "A-J6", "A-J8", "A-J10"]),
    ("san-yao", &["A-Y1", "A-Y4", "A-Y5", "A-Y7", "A-Y10", "A-Y12", "A-Y14"]),
];

#[test]
fn what_is_not_modelled_is_listed() {
    for (name, codes) in NOT_MODELLED {
        let listed = &preset(name).unwrap().rules.about.not_modelled;
        for code in *codes {
            assert!(listed.iter().any(|line| line.starts_with(&format!("{code}:"))), "{name} does not list {code}");
        }
    }
}

#[test]
fn a_preset_tells_how_it_is_played_where_it_is_from_and_how_sure_that_is() {
    for preset in presets() {
        let about = &preset.rules.about;
        assert!(about.description.split_whitespace().count() > 80, "{}", preset.name);
        assert!(!about.sources.is_empty(), "{}", preset.name);
    }
    for name in ["ohvalhu", "congkak", "sungka", "djenon-abe", "djenon-aboure", "san-yao"] {
        let notes = preset(name).unwrap().rules.about.notes.join(" ");
        assert!(notes.contains("Medium confidence"), "{name}");
    }
}

#[test]
fn there_are_ten_presets_and_no_others() {
    assert_eq!(presets().iter().map(|preset| preset.name).collect::<Vec<_>>(), PRESET_NAMES);
    assert!(preset("oware").is_none());
}

#[test]
fn only_scored_stores_let_a_position_repeat() {
    for preset in presets() {
        let scored = ["awari", "djenon-abe", "djenon-aboure", "san-yao"].contains(&preset.name);
        assert_eq!(preset.rules.can_repeat(), scored, "{}", preset.name);
        assert_eq!(preset.rules.value_parity(), !scored, "{}", preset.name);
        assert_eq!(preset.rules.can_be_endless(), scored && preset.name != "awari", "{}", preset.name);
    }
    let dakon = &preset("dakon").unwrap().rules;
    for remainder in ["split", "unscored"] {
        assert!(!dakon.with_set(&[&format!("end.remainder={remainder}")]).unwrap().value_parity());
    }
}

//! Rule files: defaults, unknown keys, changes by key, readings, and the way back to text.

use lumbung_engine::RuleSet;
use lumbung_engine::rules::arbitrary::rule_set;
use lumbung_engine::rules::{
    Captures, Cycle, EndWhen, Endless, Feeding, LandingSeed, NoMove, OppositeCapture, Origin, Reading, Relay, Remainder, Rounds,
    RuleError, RuleSpec, SetError, Stores, preset, presets,
};
use proptest::prelude::*;
use toml::Value;

#[test]
fn absent_keys_take_the_documented_defaults() {
    let rules = RuleSet::from_spec(RuleSpec::default()).unwrap();
    assert_eq!(rules.name, "unnamed");
    assert_eq!(rules.usual_board.to_string(), "7x7");
    assert_eq!(rules.stores, Stores::Sown { bonus: None });
    assert_eq!(rules.sowing.relay, Relay::Landing { stop_at: vec![1] });
    assert_eq!(rules.sowing.origin, Origin::Normal);
    assert_eq!(rules.sowing.min_seeds, 1);
    assert_eq!(rules.sowing.endless, Endless::Illegal);
    assert_eq!(rules.capture, Captures::default());
    assert_eq!(rules.feeding, Feeding::None);
    assert_eq!(rules.end.when, EndWhen::MoverEmpty);
    assert_eq!(rules.end.no_move, NoMove::End);
    assert!(!rules.end.one_each);
    assert_eq!(rules.end.remainder, Remainder::Opponent);
    assert_eq!(rules.end.gift, 0);
    assert_eq!(rules.end.cycle, Cycle::None);
    assert_eq!(rules.rounds, Rounds::Single);
}

#[test]
fn an_empty_capture_table_takes_the_documented_defaults() {
    let canonical = |table: &str| {
        let text = format!("[board]\nstores = 'scored'\n[sowing]\nrelay = 'single'\n[end]\ncycle = 'zero'\n{table}");
        RuleSet::from_toml(&text).unwrap().canonical()
    };
    for line in ["capture.opposite=on", "capture.opposite.landing-seed=leave", "capture.opposite.require-visit=false"] {
        assert!(canonical("[capture.opposite]").lines().any(|l| l == line), "{line}");
    }
    for line in [
        "capture.count=on",
        "capture.count.counts=2,4",
        "capture.count.side=any",
        "capture.count.chain=back",
        "capture.count.grand-slam=legal",
    ] {
        assert!(canonical("[capture.count]").lines().any(|l| l == line), "{line}");
    }
    for line in ["capture.beyond-gap=on", "capture.beyond-gap.chain=true", "capture.beyond-gap.wrap=true"] {
        assert!(canonical("[capture.beyond-gap]").lines().any(|l| l == line), "{line}");
    }
    assert!(canonical("[capture.sandwich]").lines().any(|l| l == "capture.sandwich=on"));
    assert!(canonical("[capture.sandwich]\nenabled = false").lines().any(|l| l == "capture.sandwich=off"));
}

/// Each case: a rule file, the line of its error, and what the error must name.
const WRONG_TEXTS: &[(&str, usize, &[&str])] = &[
    ("name = 'x'\n[sowing]\nstop-att = [1]", 3, &["sowing.stop-att", "sowing.stop-at"]),
    ("nam = 'x'", 1, &["unknown key nam", "name"]),
    ("[capture.oposite]\nlanding-seed = 'leave'", 1, &["capture.oposite"]),
    ("\n[end]\n\nwhen = 'later'", 4, &["end.when", "later", "fewer-than-K"]),
    ("[sowing]\norigin = 3", 2, &["sowing.origin = 3", "normal, skipped, first"]),
    ("[capture]\nopposite = true", 2, &["capture.opposite", "capture.opposite.enabled"]),
    ("[readings.r]\n\"end.whem\" = 'x'", 2, &["end.whem", "end.when"]),
    ("[readings.r]\n\"end.when\" = 'x'", 2, &["readings.r", "end.when", "mover-empty"]),
    ("[readings.r]\nend.when = 'mover-empty'", 2, &["readings.r", "in quotes"]),
    ("[readings]\nr = 1", 2, &["readings.r"]),
    ("name = 'x'\n[end", 2, &[]),
    ("[end]\n[end]", 2, &[]),
];

#[test]
fn an_error_in_a_text_names_the_key_and_the_line() {
    for (text, line, named) in WRONG_TEXTS {
        let error = RuleSet::from_toml(text).expect_err(text).to_string();
        assert!(error.starts_with(&format!("line {line}: ")), "{text:?}: {error}");
        assert_eq!(error.lines().count(), 1, "{error}");
        for name in *named {
            assert!(error.contains(name), "{text:?}: {error:?} does not name {name}");
        }
    }
}

#[test]
fn other_formats_refuse_unknown_keys_too() {
    let error = serde_json::from_str::<RuleSpec>(r#"{"sowing": {"stop-att": [1]}}"#).unwrap_err().to_string();
    assert!(error.contains("stop-att"), "{error}");
    let spec: RuleSpec = serde_json::from_str(r#"{"name": "x", "sowing": {"stop-at": [1, 2]}}"#).unwrap();
    assert_eq!(RuleSet::from_spec(spec).unwrap().sowing.relay, Relay::Landing { stop_at: vec![1, 2] });
}

#[test]
fn a_spec_made_by_hand_is_checked_like_a_text() {
    let mut spec = RuleSpec::default();
    spec.sowing.min_seeds = Some(0);
    let error = RuleSet::from_spec(spec).unwrap_err();
    assert!(matches!(&error, RuleError::Value { key, .. } if key == "sowing.min-seeds"), "{error}");
    let mut spec = RuleSpec::default();
    let set = [("end.gift".to_owned(), Value::Float(0.5))].into();
    spec.readings.insert("half".to_owned(), Reading { about: String::new(), set });
    assert!(RuleSet::from_spec(spec).unwrap_err().to_string().contains("end.gift"));
}

#[test]
fn lists_are_sorted_and_free_of_repeats() {
    let rules = RuleSet::from_toml("[sowing]\nstop-at = [4, 1, 4, 2]").unwrap();
    assert_eq!(rules.sowing.relay, Relay::Landing { stop_at: vec![1, 2, 4] });
}

#[test]
fn a_description_may_be_wrapped_anywhere() {
    let rules = RuleSet::from_toml("[about]\ndescription = \"\"\"\none\n  two\n\n\nthree\r\nfour\n\"\"\"").unwrap();
    assert_eq!(rules.about.description, "one two\n\nthree four");
}

#[test]
fn values_are_toml_or_bare_words() {
    let dakon = &preset("dakon").unwrap().rules;
    let bare = dakon.with_set(&["end.when=both-rows-empty"]).unwrap();
    assert_eq!(bare.end.when, EndWhen::BothRowsEmpty);
    assert_eq!(dakon.with_set(&["end.when=\"both-rows-empty\""]).unwrap(), bare);
    assert_eq!(dakon.with_set(&[" end.when = both-rows-empty "]).unwrap(), bare);
    assert_eq!(dakon.with_set(&["sowing.stop-at=[2, 1]"]).unwrap().sowing.relay, Relay::Landing { stop_at: vec![1, 2] });
    assert_eq!(dakon.with_set(&["board.pits=8"]).unwrap().usual_board.to_string(), "8x7");
}

#[test]
fn capture_tables_are_made_and_switched_off() {
    let dakon = &preset("dakon").unwrap().rules;
    assert_eq!(dakon.with_set(&["capture.opposite.enabled=false"]).unwrap().capture.opposite, None);
    assert!(!dakon.with_set(&["capture.sandwich.enabled=false"]).unwrap().capture.sandwich);
    let awari = &preset("awari").unwrap().rules;
    let opposite = OppositeCapture { landing_seed: LandingSeed::Leave, require_visit: true };
    let visit = ["capture.opposite.require-visit=true", "capture.opposite.enabled=true"];
    assert_eq!(awari.with_set(&visit).unwrap().capture.opposite, Some(opposite));
    assert!(awari.with_set(&["capture.sandwich.enabled=true"]).unwrap().capture.sandwich);
    // Putting a key of an absent table back to its default must not switch the table on.
    assert_eq!(awari.with_set(&["capture.opposite.enabled=default"]).unwrap(), *awari);
}

#[test]
fn default_puts_a_key_back() {
    let kalah = &preset("kalah").unwrap().rules;
    assert_eq!(kalah.with_set(&["end.remainder=default"]).unwrap().end.remainder, Remainder::Opponent);
    assert_eq!(kalah.with_set(&["sowing.relay=default"]).unwrap().sowing.relay, Relay::Landing { stop_at: vec![1] });
}

#[test]
fn changes_are_validated_together() {
    let kalah = &preset("kalah").unwrap().rules;
    // Each alone is a clash.
    kalah.with_set(&["board.stores=scored"]).unwrap_err();
    kalah.with_set(&["end.cycle=zero"]).unwrap_err();
    kalah.with_set(&["board.stores=scored", "sowing.bonus-move=none", "end.cycle=zero"]).unwrap();
}

#[test]
fn keys_of_a_capture_that_stays_off_are_refused() {
    let awari = &preset("awari").unwrap().rules;
    let dakon = &preset("dakon").unwrap().rules;
    let says = "capture.opposite is off; capture.opposite.enabled=true switches it on";
    for (rules, changes) in [
        (awari, &["capture.opposite.require-visit=false"][..]),
        (awari, &["capture.opposite.require-visit=false", "capture.opposite.enabled=default"]),
        (dakon, &["capture.opposite.landing-seed=take", "capture.opposite.enabled=false"]),
    ] {
        let error = rules.with_set(changes).unwrap_err().to_string();
        assert!(error.contains(says) && error.contains(changes[0]), "{changes:?}: {error}");
    }
    assert_eq!(awari.with_set(&["capture.opposite.require-visit=default"]).unwrap(), *awari);
    // In a file a table that is there is on.
    let text = awari.to_toml() + "\n[capture.opposite]\nrequire-visit = false\n";
    assert!(RuleSet::from_toml(&text).unwrap().capture.opposite.is_some());
}

#[test]
fn a_reading_cannot_switch_a_capture_on_by_the_way() {
    let text = "[readings.visit]\n'capture.opposite.require-visit' = true\n\
                [readings.opposite]\n'capture.opposite.enabled' = true\n";
    let rules = RuleSet::from_toml(text).unwrap();
    let error = rules.with_reading("visit").unwrap_err().to_string();
    assert!(error.contains("reading visit") && error.contains("capture.opposite is off"), "{error}");
    let both = rules.with_changes(&["visit", "opposite"], &[]).unwrap();
    assert!(both.capture.opposite.unwrap().require_visit);
}

#[test]
fn sets_go_over_readings() {
    let dakon = &preset("dakon").unwrap().rules;
    let over = ["capture.sandwich.enabled=true", "capture.opposite.landing-seed=take"];
    let changed = dakon.with_changes(&["donkers", "visit-first"], &over).unwrap();
    assert!(changed.capture.sandwich);
    let opposite = changed.capture.opposite.unwrap();
    assert_eq!((opposite.landing_seed, opposite.require_visit), (LandingSeed::Take, true));
    assert_eq!(dakon.with_changes(&[], &[]).unwrap(), *dakon);
}

#[test]
fn two_values_for_a_key_are_refused() {
    let dakon = &preset("dakon").unwrap().rules;
    let error = |readings: &[&str], sets: &[&str]| dakon.with_changes(readings, sets).unwrap_err().to_string();
    for (error, named) in [
        (error(&[], &["end.gift=1", "end.gift=2"]), ["end.gift", "end.gift=1", "end.gift=2"]),
        (error(&[], &["end.gift=1", "end.gift=default"]), ["end.gift", "end.gift=1", "end.gift=default"]),
        (
            error(&["donkers", "landing-seed-always"], &[]),
            ["capture.opposite.landing-seed", "reading donkers (\"take-on-capture\")", "reading landing-seed-always (\"take\")"],
        ),
    ] {
        assert!(named.iter().all(|name| error.contains(name)), "{error} does not name all of {named:?}");
    }
    // The same said twice is no contradiction.
    assert_eq!(dakon.with_set(&["end.gift=1", "end.gift=1"]).unwrap().end.gift, 1);
    let donkers = dakon.with_reading("donkers").unwrap();
    assert_eq!(dakon.with_changes(&["donkers", "donkers", "no-mikul", "landing-seed-taken"], &[]).unwrap(), donkers);
}

#[test]
fn every_reading_of_a_preset_can_be_taken() {
    for preset in presets() {
        for name in preset.rules.readings.keys() {
            preset.rules.with_reading(name).unwrap_or_else(|error| panic!("{}, {name}: {error}", preset.name));
        }
    }
}

#[test]
fn a_file_without_a_key_is_refused() {
    for text in ["", "\n", "# nothing\n"] {
        assert_eq!(RuleSet::from_toml(text).unwrap_err().to_string(), "the file holds no key of a rule set");
    }
}

#[test]
fn names_have_no_control_characters() {
    let error = RuleSet::from_toml("name = \"a\\u001B[2Jb\"").unwrap_err().to_string();
    assert!(error.starts_with("line 1: name = ") && error.contains("\\u{1b}[2Jb"), "{error}");
    let error = RuleSet::from_toml("[readings.\"a\\nb\"]\n'end.gift' = 1").unwrap_err().to_string();
    assert!(error.contains("readings.a\\nb") && error.lines().count() == 1, "{error}");
    let kalah = &preset("kalah").unwrap().rules;
    assert!(kalah.with_set(&["name=\"a\\tb\""]).unwrap_err().to_string().contains("a\\tb"));
}

#[test]
fn an_unknown_key_is_answered_with_near_ones_alone() {
    let dakon = &preset("dakon").unwrap().rules;
    let error = |assignment: &str| dakon.with_set(&[assignment]).unwrap_err().to_string();
    assert_eq!(error("zzz=1"), "unknown key zzz");
    assert_eq!(error("END.WHEN=mover-empty"), "unknown key END.WHEN; near it: end.when");
    assert!(error("Sowing.Stop-At=[1]").contains("near it: sowing.stop-at"));
}

/// Each case: an assignment that cannot be, and what its error must say.
const WRONG_SETS: &[(&str, &[&str])] = &[
    ("end.wen=mover-empty", &["end.wen", "end.when"]),
    ("when=mover-empty", &["unknown key when", "end.when"]),
    ("zzz=1", &["zzz"]),
    ("capture.sandwich=true", &["capture.sandwich", "capture.sandwich.enabled"]),
    ("end.zzzzzz=1", &["end.zzzzzz", "end.when", "end.gift"]),
    ("end.when", &["end.when", "key=value"]),
    ("=1", &["key=value"]),
    ("sowing.stop-at=1,2", &["sowing.stop-at", "1,2", "a list such as [1, 2]"]),
    ("sowing.min-seeds=two", &["sowing.min-seeds", "two", "a number from 1 to 1023"]),
    ("end.one-each=1", &["end.one-each", "true or false"]),
    ("end.remainder=everybody", &["end.remainder", "everybody", "opponent, row-owner, mover, split, unscored"]),
    ("end.gift=1\nname = 'x'", &["end.gift", "a number"]),
    ("a\nb=1", &["a\\nb"]),
    ("zzz=default", &["zzz"]),
];

#[test]
fn an_assignment_that_cannot_be_says_what_would_be_accepted() {
    let dakon = &preset("dakon").unwrap().rules;
    for (assignment, named) in WRONG_SETS {
        let error = dakon.with_set(&[assignment]).expect_err(assignment).to_string();
        assert_eq!(error.lines().count(), 1, "{error}");
        for name in *named {
            assert!(error.contains(name), "{assignment:?}: {error:?} does not name {name}");
        }
    }
}

#[test]
fn an_unknown_reading_lists_the_known_ones() {
    let error = preset("san-yao").unwrap().rules.with_reading("wrap").unwrap_err();
    assert!(matches!(error, SetError::UnknownReading { .. }));
    for name in ["san-yao", "wrap", "no-wrap", "winner-chooses", "debt", "void", "same-starter"] {
        assert!(error.to_string().contains(name), "{error} does not name {name}");
    }
    assert!(preset("kalah").unwrap().rules.with_reading("x").unwrap_err().to_string().contains("it has none"));
}

#[test]
fn presets_come_back_from_their_text() {
    for preset in presets() {
        assert_eq!(RuleSet::from_toml(&preset.rules.to_toml()).unwrap(), preset.rules, "{}", preset.name);
    }
}

proptest! {
    #[test]
    fn rules_come_back_from_their_text(
        rules in rule_set(),
        name in "\\PC*",
        description in any::<String>(),
        note in any::<String>(),
        reading in "\\PC*",
    ) {
        let mut spec = rules.to_spec();
        spec.name = Some(name);
        spec.about.description = description;
        spec.about.notes = vec![note.clone()];
        let set = [("end.gift".to_owned(), Value::Integer(2)), ("end.when".to_owned(), Value::String("fewer-than-3".to_owned()))];
        spec.readings.insert(reading, Reading { about: note, set: set.into() });
        let rules = RuleSet::from_spec(spec).unwrap();
        prop_assert_eq!(&RuleSet::from_toml(&rules.to_toml()).unwrap(), &rules);
        prop_assert_eq!(&RuleSet::from_spec(rules.to_spec()).unwrap(), &rules);
        prop_assert_eq!(&rules.with_changes(&[], &[]).unwrap(), &rules);
    }

    #[test]
    fn no_text_makes_the_reader_panic(text in "(\\[?(board|sowing|capture|end|readings|name)\\]?(\\.[a-z\"-]{0,6})? ?=? ?[0-9'\"a-z\\[\\]]{0,6}\n?){0,4}") {
        let _ = RuleSet::from_toml(&text);
        let _ = preset("dakon").unwrap().rules.with_set(&[&text]);
    }
}

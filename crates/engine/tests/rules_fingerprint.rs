//! Fingerprints cover what decides play within a round, and nothing else.

use std::collections::BTreeMap;

use lumbung_engine::RuleSet;
use lumbung_engine::rules::arbitrary::rule_set;
use lumbung_engine::rules::{Fingerprint, Reading, preset, presets};
use proptest::prelude::*;

/// The canonical form of dakon, written by hand from its definition and the description of the game.
const DAKON: &str = "lumbung-rules 1
board.stores=sown
sowing.relay=landing
sowing.stop-at=1
sowing.origin=normal
sowing.min-seeds=1
sowing.bonus-move=own-store
sowing.bonus-on-empty-row=end
capture.opposite=on
capture.opposite.landing-seed=leave
capture.opposite.require-visit=false
capture.sandwich=on
capture.count=off
capture.beyond-gap=off
feeding.rule=none
end.when=mover-empty
end.no-move=end
end.one-each=false
end.remainder=opponent
end.gift=0
";

/// The canonical form of san-yao, likewise.
const SAN_YAO: &str = "lumbung-rules 1
board.stores=scored
sowing.relay=next
sowing.origin=normal
sowing.min-seeds=1
sowing.endless=illegal
capture.opposite=off
capture.sandwich=off
capture.count=off
capture.beyond-gap=on
capture.beyond-gap.chain=true
capture.beyond-gap.wrap=true
feeding.rule=none
end.when=fewer-than-2
end.no-move=pass
end.one-each=false
end.remainder=row-owner
end.gift=0
end.cycle=zero
";

/// The canonical form of djenon-abe, likewise.
const DJENON_ABE: &str = "lumbung-rules 1
board.stores=scored
sowing.relay=landing
sowing.stop-at=1,2,4
sowing.origin=normal
sowing.min-seeds=1
sowing.endless=illegal
capture.opposite=off
capture.sandwich=off
capture.count=on
capture.count.counts=2,4
capture.count.side=any
capture.count.chain=back
capture.count.grand-slam=legal
capture.beyond-gap=off
feeding.rule=rescue
end.when=no-legal-move
end.no-move=end
end.one-each=true
end.remainder=row-owner
end.gift=1
end.cycle=zero
";

fn rules(name: &str) -> RuleSet {
    preset(name).unwrap().rules.clone()
}

#[test]
fn the_canonical_form_is_as_documented() {
    for (name, text) in [("dakon", DAKON), ("san-yao", SAN_YAO), ("djenon-abe", DJENON_ABE)] {
        assert_eq!(rules(name).canonical(), text, "{name}");
    }
}

/// The digests were computed by a separate implementation of BLAKE3, from the texts above.
#[test]
fn the_fingerprint_is_the_hash_of_the_canonical_form() {
    assert_eq!(rules("dakon").fingerprint().to_string(), "1523665c9befedb06f7a344c97ba0d1525dcd58e202e152a1eb9446bcec9d6ba");
    assert_eq!(rules("san-yao").fingerprint().to_string(), "266efb02d62e2bb1dcae9ec3e42399336a37218607157a0819b1cef4b7bd2570");
    assert_eq!(rules("djenon-abe").fingerprint().to_string(), "5b06fb1de6edbf95c336eebac4dc7820b1c0f3f6cf678947c34a9fbda2a88584");
    assert_eq!(rules("dakon").fingerprint().short(), "1523665c9bef");
}

#[test]
fn presets_and_their_readings_of_play_differ() {
    let mut seen: BTreeMap<Fingerprint, String> = BTreeMap::new();
    for preset in presets() {
        if let Some(other) = seen.insert(preset.rules.fingerprint(), preset.name.to_owned()) {
            panic!("{other} and {} have one fingerprint", preset.name);
        }
    }
    let dakon = rules("dakon");
    for name in dakon.readings.keys() {
        assert_ne!(dakon.with_reading(name).unwrap().fingerprint(), dakon.fingerprint(), "{name}");
    }
}

#[test]
fn rounds_are_no_part_of_it() {
    let san_yao = rules("san-yao");
    for name in ["winner-chooses", "debt", "void", "same-starter"] {
        let reading = san_yao.with_reading(name).unwrap();
        assert_ne!(reading.rounds, san_yao.rounds, "{name}");
        assert_eq!(reading.fingerprint(), san_yao.fingerprint(), "{name}");
    }
    let single = san_yao.with_set(&["rounds.kind=single"]).unwrap();
    assert_eq!(single.fingerprint(), san_yao.fingerprint());
}

#[test]
fn a_difference_is_named_with_both_values() {
    let dakon = rules("dakon");
    let german = dakon.with_reading("german-end").unwrap();
    let shown: Vec<String> = dakon.differences(&german).iter().map(ToString::to_string).collect();
    assert_eq!(shown, ["end.when: mover-empty against any-row-empty", "end.remainder: opponent against row-owner"]);
    let single = dakon.with_set(&["sowing.relay=single"]).unwrap();
    let shown: Vec<String> = single.differences(&dakon).iter().map(ToString::to_string).collect();
    assert_eq!(shown, ["sowing.relay: single against landing", "sowing.stop-at: (no effect) against 1"]);
}

#[test]
fn only_64_lower_case_digits_are_a_fingerprint() {
    let fingerprint = rules("dakon").fingerprint();
    let text = fingerprint.to_string();
    assert_eq!(text.parse::<Fingerprint>().unwrap(), fingerprint);
    let long = format!("{text}00");
    let umlaut = format!("{}ä", &text[..62]);
    for wrong in ["", &text[..63], &long, &text.to_uppercase(), &umlaut, &text.replace('a', "g")] {
        assert!(wrong.parse::<Fingerprint>().unwrap_err().to_string().contains("64 hexadecimal digits"), "{wrong:?}");
    }
    let json = serde_json::to_string(&fingerprint).unwrap();
    assert_eq!(json, format!("\"{text}\""));
    assert_eq!(serde_json::from_str::<Fingerprint>(&json).unwrap(), fingerprint);
    assert!(serde_json::from_str::<Fingerprint>("\"12\"").is_err());
}

/// Everything that decides play within a round, as the typed rules hold it.
fn play(rules: &RuleSet) -> String {
    format!("{:?}", (rules.stores, &rules.sowing, &rules.capture, rules.feeding, rules.end))
}

/// Single changes that many rule sets take.
const CHANGES: &[&str] = &[
    "end.gift=2",
    "end.one-each=true",
    "end.remainder=mover",
    "end.when=fewer-than-3",
    "end.no-move=pass",
    "end.cycle=row-owner",
    "sowing.min-seeds=2",
    "sowing.stop-at=[1, 3]",
    "sowing.endless=pass",
    "sowing.origin=skipped",
    "sowing.bonus-on-empty-row=pass",
    "feeding.rule=leave-a-move",
    "capture.sandwich.enabled=true",
    "capture.opposite.landing-seed=take",
    "capture.count.grand-slam=forbidden",
    "capture.beyond-gap.wrap=false",
];

proptest! {
    #[test]
    fn equal_play_and_equal_fingerprints_go_together(one in rule_set(), change in proptest::sample::select(CHANGES), other in rule_set()) {
        for other in [other, one.with_set(&[change]).unwrap_or_else(|_| one.clone())] {
            let same = play(&one) == play(&other);
            prop_assert_eq!(one.canonical() == other.canonical(), same);
            prop_assert_eq!(one.fingerprint() == other.fingerprint(), same);
            prop_assert_eq!(one.differences(&other).is_empty(), same);
        }
    }

    #[test]
    fn what_does_not_decide_play_is_no_part_of_it(rules in rule_set(), name in "\\PC*") {
        let mut spec = rules.to_spec();
        spec.name = Some(name.clone());
        spec.about.description = name;
        spec.board.pits = Some(9);
        spec.board.seeds = Some(9);
        spec.readings.insert("r".to_owned(), Reading { about: String::new(), set: [("end.gift".to_owned(), 2.into())].into() });
        let other = RuleSet::from_spec(spec).unwrap();
        prop_assert_ne!(&rules, &other);
        prop_assert_eq!(rules.fingerprint(), other.fingerprint());
    }
}

//! The fast builder and the plain one give the same tables, byte by byte.

use std::sync::atomic::AtomicBool;

use lumbung_engine::Owners;
use lumbung_engine::kernel::{Kernel, Lanes, Visitor, dispatch};
use lumbung_engine::rules::arbitrary::sown_rule_set;
use lumbung_engine::rules::{RuleSet, preset, presets};
use lumbung_tables::{Table, plain, rows};
use proptest::prelude::*;

struct Plain(usize);

impl Visitor for Plain {
    type Output = Table;
    fn visit<B: Lanes>(self, kernel: Kernel<B>) -> Table {
        plain::build(&kernel, self.0, &AtomicBool::new(false)).expect("rules that cannot repeat")
    }
}

fn assert_same(rules: &RuleSet, what: &str, pits: usize, seeds: usize, threads: usize) {
    let stop = AtomicBool::new(false);
    let options = rows::Options { threads, memory: None, stop: &stop, progress: &|_| {} };
    let fast = rows::build(rules, pits, seeds, options).expect("a small table");
    let plain = dispatch(rules, pits, seeds, Owners::rows(pits), Plain(seeds));
    for s in 0..=seeds {
        let differs = fast.layer(s).iter().zip(plain.layer(s).iter()).position(|(fast, plain)| fast != plain);
        let at = differs.map(|at| (plain.index().layer_start(s) + at as u64, fast.layer(s).get(at), plain.layer(s).get(at)));
        assert_eq!(at, None, "{what}, {pits} pits, layer {s}: the first (index, by rows, by moves) that differs");
    }
}

/// Pits a row and seeds, by what is affordable.
const BOARDS: [(usize, usize); 10] = [(1, 20), (2, 16), (3, 13), (4, 11), (5, 9), (6, 8), (7, 7), (8, 6), (9, 5), (10, 5)];

#[test]
fn every_acyclic_preset_and_reading() {
    let mut sets = 0;
    for preset in presets().iter().filter(|preset| !preset.rules.can_repeat()) {
        let names = std::iter::once(None).chain(preset.rules.readings.keys().map(Some));
        for name in names {
            let rules = match name {
                None => preset.rules.clone(),
                Some(name) => preset.rules.with_reading(name).expect("a reading of the preset"),
            };
            assert_eq!(rows::can_express(&rules), Ok(()));
            for (pits, seeds) in BOARDS {
                assert_same(&rules, &format!("{} {name:?}", preset.name), pits, seeds, 1);
            }
            sets += 1;
        }
    }
    assert_eq!(sets, 6 + 9, "six presets, nine readings of dakon");
}

#[test]
fn switches_that_no_preset_turns() {
    for (name, changes) in [
        ("kalah", &["sowing.bonus-move=none"][..]),
        ("kalah", &["sowing.origin=skipped"]),
        ("dakon", &["sowing.origin=skipped"]),
        ("kalah", &["sowing.min-seeds=2", "sowing.origin=first"]),
        ("dakon", &["sowing.min-seeds=2", "sowing.origin=first", "end.no-move=pass"]),
        ("dakon", &["sowing.stop-at=[1,3]"]),
        ("kalah", &["end.when=only-singletons", "end.no-move=pass"]),
        ("kalah", &["end.when=fewer-than-4", "end.gift=1"]),
        ("sungka", &["feeding.rule=rescue", "end.no-move=end"]),
        ("dakon", &["feeding.rule=mover-must", "end.when=no-legal-move"]),
        (
            "kalah",
            &[
                "capture.count.enabled=true",
                "capture.count.counts=[2,3]",
                "capture.count.side=opponent",
                "capture.count.grand-slam=forbidden",
            ],
        ),
        (
            "kalah",
            &[
                "capture.count.enabled=true",
                "capture.count.counts=[1,2]",
                "capture.count.chain=none",
                "capture.count.grand-slam=no-capture",
            ],
        ),
        ("dakon", &["end.one-each=true", "end.remainder=split"]),
    ] {
        let rules = preset(name).unwrap().rules.with_set(changes).unwrap();
        for (pits, seeds) in [(1, 20), (2, 14), (3, 11), (4, 9), (5, 7)] {
            assert_same(&rules, &format!("{name} {changes:?}"), pits, seeds, 1);
        }
    }
}

#[test]
fn the_number_of_threads_changes_nothing() {
    for name in ["dakon", "kalah", "sungka"] {
        for threads in [2, 3] {
            assert_same(&preset(name).unwrap().rules, name, 6, 9, threads);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn random_rules(
        (pits, seeds) in prop::sample::select(&[(1, 16), (2, 12), (3, 10), (4, 8), (5, 6)][..]),
        rules in sown_rule_set(),
    ) {
        prop_assume!(rows::can_express(&rules).is_ok());
        assert_same(&rules, &format!("{rules:?}"), pits, seeds, 1);
    }
}

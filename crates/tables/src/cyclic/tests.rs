//! The fast builder and the plain one give the same layers.

use super::*;
use lumbung_engine::rules::arbitrary::scored_rule_set;
use lumbung_engine::rules::preset;
use proptest::prelude::*;
use std::sync::atomic::AtomicBool;

struct Plain(usize);

impl Visitor for Plain {
    type Output = Table;
    fn visit<B: Lanes>(self, kernel: Kernel<B>) -> Table {
        crate::sweep::build(&kernel, self.0, &AtomicBool::new(false)).expect("small")
    }
}

fn plain(rules: &RuleSet, pits: usize, seeds: usize) -> Table {
    dispatch(rules, pits, seeds, Owners::rows(pits), Plain(seeds))
}

type Tune<'t> = &'t (dyn Fn(&mut usize, &mut f64) + Sync);

fn layers(rules: &RuleSet, pits: usize, seeds: usize, parity: Parity, tune: Tune) -> Vec<(usize, Vec<i8>)> {
    let stop = AtomicBool::new(false);
    let options = Options { threads: 1, memory: None, stop: &stop, progress: &|_| {} };
    let mut layers = Vec::new();
    let mut take = |s: usize, layer: &[i8]| {
        layers.push((s, layer.to_vec()));
        Ok(())
    };
    let mut known = |_: usize, _: &mut [i8]| Ok(false);
    let work = Build { rules, seeds, parity, options, known: &mut known, take: &mut take, tune };
    dispatch(rules, pits, seeds, Owners::rows(pits), work).unwrap();
    layers
}

fn assert_same(rules: &RuleSet, what: &str, pits: usize, seeds: usize, tune: Tune) {
    let plain = plain(rules, pits, seeds);
    for (s, layer) in layers(rules, pits, seeds, Parity::All, tune) {
        let differs = layer.iter().zip(plain.layer(s)).position(|(fast, plain)| fast != plain);
        let at = differs.map(|at| {
            let board = plain.index().unrank::<lumbung_engine::kernel::Wide<u8, 32>>(plain.index().layer_start(s) + at as u64);
            (board, layer[at], plain.layer(s)[at])
        });
        assert_eq!(at, None, "{what}, {pits} pits, layer {s}: the first (board, by rows, by moves) that differs");
    }
}

/// As usual; sweeps to the end; the sparse finish after the first sweep; and no lists.
const WAYS: [Tune<'static>; 4] = [
    &|_, _| {},
    &|_, sparse_below| *sparse_below = 0.0,
    &|_, sparse_below| *sparse_below = 2.0,
    &|least_passage, _| *least_passage = usize::MAX,
];

#[test]
fn presets_every_way() {
    for name in ["awari", "djenon-abe", "djenon-aboure"] {
        for (pits, seeds) in [(1, 16), (2, 12), (3, 10), (4, 8), (6, 5)] {
            for way in WAYS {
                assert_same(&preset(name).unwrap().rules, name, pits, seeds, way);
            }
        }
    }
}

/// Switches that no preset turns, and the readings of the presets.
#[test]
fn switches() {
    for (name, changes) in [
        ("awari", &["sowing.origin=normal"][..]),
        ("awari", &["sowing.origin=first", "sowing.min-seeds=2", "end.no-move=pass"]),
        ("awari", &["feeding.rule=none"]),
        ("awari", &["feeding.rule=mover-must"]),
        ("awari", &["feeding.rule=none", "capture.count.grand-slam=forbidden"]),
        ("awari", &["feeding.rule=mover-must", "capture.count.grand-slam=no-capture"]),
        ("awari", &["feeding.rule=none", "capture.count.grand-slam=forbidden", "end.when=no-legal-move", "end.no-move=pass"]),
        ("awari", &["capture.count.grand-slam=forbidden", "end.remainder=split"]),
        ("awari", &["capture.count.counts=[1,4]", "end.when=any-row-empty", "end.remainder=row-owner"]),
        ("awari", &["capture.count.side=any", "end.gift=1"]),
        ("awari", &["capture.count.side=any", "capture.count.chain=none", "feeding.rule=none"]),
        ("awari", &["capture.count.side=any", "capture.count.grand-slam=no-capture", "feeding.rule=none"]),
        ("awari", &["capture.count.enabled=false", "end.when=fewer-than-3"]),
        ("awari", &["end.one-each=true", "end.when=both-rows-empty", "end.no-move=pass"]),
        ("awari", &["end.when=only-singletons", "end.no-move=pass", "end.remainder=mover"]),
        ("djenon-abe", &["feeding.rule=mover-must"]),
        ("djenon-abe", &["feeding.rule=none"]),
        ("djenon-abe", &["feeding.rule=none", "end.no-move=pass"]),
        ("djenon-abe", &["end.gift=0", "end.one-each=false"]),
        ("djenon-abe", &["end.remainder=unscored", "sowing.min-seeds=2"]),
        ("djenon-abe", &["sowing.endless=pass"]),
        ("djenon-abe", &["sowing.endless=end"]),
        ("djenon-abe", &["sowing.origin=skipped"]),
        ("djenon-abe", &["capture.count.side=opponent", "capture.count.chain=none"]),
        ("djenon-abe", &["capture.count.grand-slam=forbidden"]),
        ("djenon-abe", &["capture.count.grand-slam=no-capture"]),
        ("djenon-abe", &["sowing.stop-at=[1,2]", "capture.count.counts=[1,2]"]),
        ("djenon-abe", &["sowing.stop-at=[1]", "capture.count.counts=[1]"]),
        ("djenon-aboure", &["end.no-move=end", "sowing.endless=pass"]),
        ("djenon-aboure", &["sowing.stop-at=[1,2,3]"]),
    ] {
        let rules = preset(name).unwrap().rules.with_set(changes).unwrap();
        for (pits, seeds) in [(1, 12), (2, 10), (3, 8), (4, 6)] {
            for way in WAYS {
                assert_same(&rules, &format!("{name} {changes:?}"), pits, seeds, way);
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn random_rules(
        (pits, seeds) in prop::sample::select(&[(1, 12), (2, 9), (3, 8), (4, 6), (5, 5)][..]),
        rules in scored_rule_set(),
        way in 0..WAYS.len(),
    ) {
        let mut rules = rules;
        if can_express(&rules, pits).is_err() {
            let changes = ["capture.opposite.enabled=false", "capture.sandwich.enabled=false", "capture.beyond-gap.enabled=false",
                "rounds=default", "end.cycle=zero"];
            match rules.with_set(&changes[..3]).or_else(|_| rules.with_set(&changes[..2])) {
                Ok(changed) => rules = changed,
                Err(_) => return Err(TestCaseError::reject("rules beyond this builder")),
            }
        }
        prop_assume!(can_express(&rules, pits).is_ok());
        assert_same(&rules, &format!("{rules:?}"), pits, seeds, WAYS[way]);
    }
}

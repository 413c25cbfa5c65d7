//! The random rule sets that other property tests lean on: all cases turn up, and nothing is thrown away.

use std::collections::BTreeSet;

use lumbung_engine::RuleSet;
use lumbung_engine::rules::arbitrary::{rule_set, scored_rule_set, sown_rule_set};
use lumbung_engine::rules::{Rounds, Stores};
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

fn sample(strategy: impl Strategy<Value = RuleSet>) -> Vec<RuleSet> {
    // No rejection at all: what clashes is to be put right, not drawn again.
    let config = Config { max_local_rejects: 0, ..Config::default() };
    let mut runner = TestRunner::new_with_rng(config, TestRng::deterministic_rng(RngAlgorithm::ChaCha));
    (0..4000).map(|_| strategy.new_tree(&mut runner).unwrap().current()).collect()
}

/// Lines of canonical forms that must turn up.
const LINES: &[&str] = &[
    "board.stores=sown board.stores=scored sowing.relay=single sowing.relay=landing sowing.relay=next",
    "sowing.stop-at=1 sowing.stop-at=1,2,4 sowing.origin=normal sowing.origin=skipped sowing.origin=first",
    "sowing.min-seeds=1 sowing.min-seeds=2 sowing.bonus-move=none sowing.bonus-move=own-store",
    "sowing.bonus-on-empty-row=end sowing.bonus-on-empty-row=pass",
    "sowing.endless=illegal sowing.endless=pass sowing.endless=end",
    "capture.opposite=on capture.opposite=off capture.opposite.landing-seed=leave",
    "capture.opposite.landing-seed=take-on-capture capture.opposite.landing-seed=take",
    "capture.opposite.require-visit=true capture.opposite.require-visit=false capture.sandwich=on capture.sandwich=off",
    "capture.count=on capture.count=off capture.count.side=opponent capture.count.side=any",
    "capture.count.chain=none capture.count.chain=back capture.count.grand-slam=legal",
    "capture.count.grand-slam=forbidden capture.count.grand-slam=no-capture capture.beyond-gap=on capture.beyond-gap=off",
    "capture.beyond-gap.chain=true capture.beyond-gap.chain=false capture.beyond-gap.wrap=true capture.beyond-gap.wrap=false",
    "feeding.rule=none feeding.rule=mover-must feeding.rule=rescue feeding.rule=leave-a-move",
    "end.when=mover-empty end.when=any-row-empty end.when=both-rows-empty end.when=only-singletons end.when=fewer-than-2",
    "end.when=no-legal-move end.no-move=end end.no-move=pass end.one-each=true end.one-each=false",
    "end.remainder=opponent end.remainder=row-owner end.remainder=mover end.remainder=split end.remainder=unscored",
    "end.gift=0 end.gift=1 end.cycle=zero end.cycle=row-owner",
];

#[test]
fn every_case_turns_up() {
    let drawn = sample(rule_set());
    let seen: BTreeSet<String> =
        drawn.iter().flat_map(|rules| rules.canonical().lines().map(str::to_owned).collect::<Vec<_>>()).collect();
    for line in LINES.iter().flat_map(|lines| lines.split(' ')) {
        assert!(seen.contains(line), "{line} is never drawn");
    }
    assert!(drawn.iter().any(|rules| matches!(rules.rounds, Rounds::Territory { .. })));
    let different: BTreeSet<_> = drawn.iter().map(|rules| rules.fingerprint()).collect();
    assert!(different.len() > drawn.len() / 2, "only {} different rule sets", different.len());
}

#[test]
fn the_stores_are_as_asked_for() {
    assert!(sample(scored_rule_set()).iter().all(|rules| rules.stores == Stores::Scored));
    assert!(sample(sown_rule_set()).iter().all(|rules| rules.stores != Stores::Scored));
}

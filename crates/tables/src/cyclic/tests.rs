//! The fast builder and the plain one give the same layers.

use super::*;
use crate::values::{Values, ValuesMut};
use lumbung_engine::kernel::Wide;
use lumbung_engine::rules::arbitrary::scored_rule_set;
use lumbung_engine::rules::preset;
use proptest::prelude::*;
use std::collections::BTreeMap;
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

type Tune<'t> = &'t (dyn Fn(&mut Tuning) + Sync);

fn by_rows(rules: &RuleSet, pits: usize, seeds: usize, parity: Parity, tune: Tune) -> Vec<i8> {
    let stop = AtomicBool::new(false);
    let options = Options { threads: 1, memory: None, stop: &stop, progress: &|_| {} };
    let work = Build { rules, seeds, parity, options, layers: &OnlyInMemory, aside: None, as_table: true, tune };
    dispatch(rules, pits, seeds, Owners::rows(pits), work).unwrap().into_values()
}

fn assert_same(rules: &RuleSet, what: &str, pits: usize, seeds: usize, tune: Tune) {
    let (fast, plain) = (by_rows(rules, pits, seeds, Parity::All, tune), plain(rules, pits, seeds));
    assert_eq!(fast.len() as u64, plain.len());
    let differs = (0..).zip(&fast).find(|&(place, &value)| plain.value_at(place) != Some(i32::from(value)));
    let at = differs.map(|(place, value)| (plain.index().unrank::<Wide<u8, 32>>(place), value, plain.value_at(place)));
    assert_eq!(at, None, "{what}, {pits} pits: the first (board, by rows, by moves) that differs");
}

/// As usual; sweeps to the end; the sparse finish after the first sweep; no lists; and lines cut for threads, into few parts or many.
const WAYS: [Tune<'static>; 6] = [
    &|_| {},
    &|tuning| tuning.sparse_below = 0.0,
    &|tuning| tuning.sparse_below = 2.0,
    &|tuning| tuning.least_passage = usize::MAX,
    &|tuning| tuning.parts = Some(2),
    &|tuning| tuning.parts = Some(9),
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
        ("awari", &["end.when=fewer-than-5", "end.remainder=row-owner"]),
        (
            "awari",
            &["capture.count.side=any", "capture.count.grand-slam=no-capture", "feeding.rule=none", "capture.count.counts=[1,2]"],
        ),
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
        let Ok(rules) = rules.with_set(&["capture.opposite.enabled=false", "capture.sandwich.enabled=false", "end.cycle=zero"]) else {
            return Err(TestCaseError::reject("rules beyond this builder"));
        };
        prop_assume!(can_express(&rules, pits).is_ok());
        assert_same(&rules, &format!("{rules:?}"), pits, seeds, WAYS[way]);
    }
}

#[test]
fn layers_of_one_parity_are_those_of_the_table() {
    let rules = &preset("djenon-abe").unwrap().rules;
    let whole = plain(rules, 3, 9);
    for parity in [Parity::Even, Parity::Odd] {
        let layers = (0..=9).filter(|&s| parity.wants(s));
        let expected: Vec<i8> = layers.flat_map(|s| whole.layer(s).bytes().unwrap().to_vec()).collect();
        assert_eq!(by_rows(rules, 3, 9, parity, WAYS[0]), expected);
        let stop = AtomicBool::new(false);
        let options = Options { threads: 1, memory: None, stop: &stop, progress: &|_| {} };
        let table = crate::build::build_parity(rules, 3, 5, parity, options, None).unwrap().table;
        // The layers of the smaller table are read, not worked out again.
        let table = crate::build::build_parity(rules, 3, 9, parity, options, Some(&table)).unwrap().table;
        for s in 0..=10 {
            assert_eq!(table.has(s), s < 10 && parity.wants(s));
        }
        for place in 0..whole.len() {
            let board = whole.index().unrank::<Wide<u8, 32>>(place);
            let seeds = board.seeds() as usize;
            let expected = whole.value_at(place).filter(|_| parity.wants(seeds));
            assert_eq!(
                (table.value(&board), table.value_at(place), table.value_in(seeds, place)),
                (expected, expected, expected)
            );
        }
        assert!((0..=9).all(|s| table.layer(s) == if parity.wants(s) { whole.layer(s) } else { Values::NONE }));
        assert_eq!(parity_allowed(rules, parity), Ok(()));
        assert!(parity_allowed(&preset("awari").unwrap().rules, parity).is_err());
    }
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let stop = AtomicBool::new(false);
    for name in ["awari", "djenon-abe"] {
        let rules = &preset(name).unwrap().rules;
        let options = |threads| Options { threads, memory: None, stop: &stop, progress: &|_| {} };
        let one = build(rules, 5, 11, options(1)).unwrap();
        let three = build(rules, 5, 11, options(3)).unwrap();
        assert!((0..=11).all(|s| one.layer(s) == three.layer(s)), "{name}");
    }
}

#[derive(serde::Deserialize)]
struct Printed {
    layer: Vec<PrintedLayer>,
}

#[derive(serde::Deserialize)]
struct PrintedLayer {
    seeds: usize,
    positions: u64,
    histogram: BTreeMap<String, u64>,
}

/// Lincke 2002, appendix B, every cell up to 13 stones; `scripts/cyclic-tables --only awari` compares all 20.
#[test]
fn awari_as_lincke_prints_it() {
    let printed: Printed = toml::from_str(include_str!("../../tests/data/lincke_2002_awari.toml")).unwrap();
    let stop = AtomicBool::new(false);
    let options = Options { threads: 1, memory: None, stop: &stop, progress: &|_| {} };
    let table = build(&preset("awari").unwrap().rules, 6, 13, options).unwrap();
    for layer in printed.layer.iter().filter(|layer| layer.seeds <= 13) {
        let mut counted = BTreeMap::new();
        for value in table.layer(layer.seeds).iter() {
            *counted.entry(value.to_string()).or_insert(0) += 1;
        }
        assert_eq!(counted, layer.histogram, "{} stones", layer.seeds);
        assert_eq!(counted.values().sum::<u64>(), layer.positions);
    }
    assert_eq!(printed.layer.len(), 21);
}

#[cfg(target_os = "linux")]
/// Keeps what is handed on; has a place for what does not fit into memory.
struct HandedOn {
    place: tempfile::TempDir,
    /// How many layers are there already, and their values.
    ready: usize,
    known: Vec<Vec<i8>>,
    layers: std::sync::Mutex<Vec<Vec<i8>>>,
}

#[cfg(target_os = "linux")]
impl Layers for HandedOn {
    fn ready(&self) -> usize {
        self.ready
    }

    fn read(&self, seeds: usize, values: ValuesMut) -> Result<usize, crate::layers::Halt> {
        let ValuesMut::Bytes(values) = values else { panic!("rows build bytes") };
        values.copy_from_slice(&self.known[seeds]);
        Ok(0)
    }

    fn aside(&self) -> Option<&Path> {
        Some(self.place.path())
    }

    fn wants(&self, seeds: usize) -> bool {
        seeds >= self.ready
    }

    fn finished(&self, _: usize, values: Values) -> Result<(), crate::layers::Halt> {
        self.layers.lock().unwrap().push(values.bytes().unwrap().to_vec());
        Ok(())
    }
}

#[cfg(target_os = "linux")]
#[test]
fn finished_layers_may_lie_on_disk() {
    let (rules, pits, seeds) = (&preset("awari").unwrap().rules, 5, 11);
    let stop = AtomicBool::new(false);
    let options = |memory| Options { threads: 2, memory: Some(memory), stop: &stop, progress: &|_| {} };
    let table = build(rules, pits, seeds, options(u64::MAX)).unwrap();
    let known: Vec<Vec<i8>> = (0..=seeds).map(|s| table.layer(s).bytes().unwrap().to_vec()).collect();
    let takes = aside(pits, seeds, Parity::All).unwrap().memory;
    assert!(takes < memory(pits, seeds, Parity::All).unwrap());
    // With the base of the highest layers on disk, of the highest alone, of none.
    let bases = [
        takes,
        plan::with_base(pits, seeds, Parity::All, seeds - 1).unwrap().max(takes),
        takes + table.layer(seeds).len() as u64,
    ];
    for (ready, memory) in [(0, bases[0]), (1, bases[1]), (9, bases[0]), (0, bases[2])] {
        let place = tempfile::tempdir().unwrap();
        let layers = HandedOn { place, ready, known: known.clone(), layers: Default::default() };
        hand_on_layers(rules, pits, seeds, Parity::All, options(memory), &layers).unwrap();
        assert_eq!(*layers.layers.lock().unwrap(), known[ready..], "{ready} layers were there");
        // Less than that is too little, and a table that is wanted itself is in memory.
        let refused = hand_on_layers(rules, pits, seeds, Parity::All, options(takes - 1), &layers).unwrap_err();
        assert_eq!(refused, RowsError::Memory { pits, seeds, needed: takes, allowed: takes - 1 });
        assert!(build_layers(rules, pits, seeds, Parity::All, options(takes), &layers).is_err());
    }
    let place = tempfile::tempdir().unwrap();
    let missing = HandedOn { place, ready: 0, known, layers: Default::default() };
    std::fs::remove_dir(missing.place.path()).unwrap();
    let error = hand_on_layers(rules, pits, seeds, Parity::All, options(takes), &missing).unwrap_err();
    assert!(matches!(error, RowsError::Aside { .. }), "{error}");
}

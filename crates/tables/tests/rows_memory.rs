//! The memory that a build takes is what it said.

mod counted;

use std::sync::atomic::AtomicBool;

use counted::peak_of;
use lumbung_engine::rules::preset;
use lumbung_tables::{cyclic, rows};

/// One test, since the counters are the process's.
#[test]
fn builds_keep_within_their_plans() {
    // Relays would fill any memory with lists on the narrow boards of Dakon; on the wide ones, a single list may take as much as there
    // is room for all.
    let boards = [
        ("kalah", 6, 14),
        ("dakon", 7, 11),
        ("kalah", 2, 60),
        ("dakon", 4, 18),
        ("dakon", 2, 60),
        ("kalah", 16, 7),
        ("dakon", 16, 7),
        ("dakon", 12, 8),
    ];
    for (name, pits, seeds) in boards {
        keeps_within_its_plan(name, &[], pits, seeds);
    }
    // A table of the lifted rows of seven seeds would take more than all the room, when most of it is taken.
    keeps_within_its_plan("dakon", &["sowing.origin=skipped"], 15, 7);
    for (name, pits, seeds) in [("awari", 6, 13), ("djenon-abe", 6, 12), ("djenon-abe", 2, 40), ("djenon-aboure", 4, 16)] {
        let stop = AtomicBool::new(false);
        let options = rows::Options { threads: 2, memory: None, stop: &stop, progress: &|_| {} };
        let (table, peak) = peak_of(|| cyclic::build(&preset(name).unwrap().rules, pits, seeds, options).unwrap());
        let plan = cyclic::memory(pits, seeds, cyclic::Parity::All).unwrap();
        assert!(peak > table.len() && peak <= plan + plan / 5, "{name} {pits} {seeds}: {peak} bytes taken, {plan} planned");
    }
}

/// Builds a table by rows of a preset's rules with some switches turned.
fn keeps_within_its_plan(name: &str, changes: &[&str], pits: usize, seeds: usize) {
    let rules = preset(name).unwrap().rules.with_set(changes).unwrap();
    let stop = AtomicBool::new(false);
    let options = rows::Options { threads: 2, memory: None, stop: &stop, progress: &|_| {} };
    let (table, peak) = peak_of(|| rows::build(&rules, pits, seeds, options).unwrap());
    let plan = rows::memory(pits, seeds, 2).unwrap();
    assert!(
        peak > table.len() && peak <= plan + plan / 5,
        "{name} {changes:?} {pits} {seeds}: {peak} bytes taken, {plan} planned"
    );
}

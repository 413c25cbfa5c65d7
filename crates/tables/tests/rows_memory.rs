//! The memory that a build takes is what it said.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use lumbung_engine::rules::preset;
use lumbung_tables::{cyclic, rows};

/// The system's allocator, counting.
struct Counting;

static NOW: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);

fn took(bytes: usize) {
    let now = NOW.fetch_add(bytes, Ordering::Relaxed) + bytes;
    PEAK.fetch_max(now, Ordering::Relaxed);
}

// SAFETY: every request goes to the system's allocator as it is.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        took(layout.size());
        // SAFETY: the caller's promise is passed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        took(layout.size());
        // SAFETY: the caller's promise is passed on.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        NOW.fetch_sub(layout.size(), Ordering::Relaxed);
        // SAFETY: the caller's promise is passed on.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

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
        let before = NOW.load(Ordering::Relaxed);
        PEAK.store(before, Ordering::Relaxed);
        let options = rows::Options { threads: 2, memory: None, stop: &stop, progress: &|_| {} };
        let table = cyclic::build(&preset(name).unwrap().rules, pits, seeds, options).unwrap();
        let peak = (PEAK.load(Ordering::Relaxed) - before) as u64;
        let plan = cyclic::memory(pits, seeds, cyclic::Parity::All).unwrap();
        assert!(peak > table.len() && peak <= plan + plan / 5, "{name} {pits} {seeds}: {peak} bytes taken, {plan} planned");
    }
}

/// Builds a table by rows of a preset's rules with some switches turned.
fn keeps_within_its_plan(name: &str, changes: &[&str], pits: usize, seeds: usize) {
    let rules = preset(name).unwrap().rules.with_set(changes).unwrap();
    let stop = AtomicBool::new(false);
    let before = NOW.load(Ordering::Relaxed);
    PEAK.store(before, Ordering::Relaxed);
    let options = rows::Options { threads: 2, memory: None, stop: &stop, progress: &|_| {} };
    let table = rows::build(&rules, pits, seeds, options).unwrap();
    let peak = (PEAK.load(Ordering::Relaxed) - before) as u64;
    let plan = rows::memory(pits, seeds, 2).unwrap();
    assert!(
        peak > table.len() && peak <= plan + plan / 5,
        "{name} {changes:?} {pits} {seeds}: {peak} bytes taken, {plan} planned"
    );
}

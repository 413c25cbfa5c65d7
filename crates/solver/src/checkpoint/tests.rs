//! Checkpoints that are written, read, changed and refused.

use std::sync::atomic::Ordering;

use lumbung_engine::BoardSize;
use lumbung_engine::rules::preset;

use super::*;
use crate::solve::{Options, Solution, SolveError, solve};
use crate::{Limits, Quiet, StopReason};
use std::fs;

#[test]
fn the_most_worked_for_entries_are_kept() {
    let mut efforts = [0; 64];
    (efforts[1], efforts[10], efforts[63]) = (100, 10, 1);
    assert_eq!([111, 110, 11, 10, 1, 0].map(|most| least_effort(&efforts, most)), [1, 2, 2, 11, 11, 64]);
}

pub(crate) fn rules(name: &str) -> &'static RuleSet {
    &preset(name).unwrap().rules
}

pub(crate) fn start(pits: usize, seeds: usize) -> Position {
    Position::start(BoardSize::new(pits, seeds).unwrap())
}

/// Solves with a checkpoint, visiting so many positions at most.
fn step(rules: &RuleSet, position: &Position, path: &Path, nodes: u64) -> Result<Solution, SolveError> {
    let limits = Limits { nodes: Some(nodes), memory: 1 << 22, ..Limits::default() };
    let options = Options { limits, table_seeds: Some(0), checkpoint: Some(path.to_owned()), ..Options::default() };
    solve(rules, position, &options, &Quiet)
}

#[test]
fn a_search_in_many_small_steps_ends_where_one_in_a_single_step_does() {
    let place = tempfile::tempdir().unwrap();
    // The last is too wide for entries by number.
    for (number, (name, pits, seeds)) in [("kalah", 4, 3), ("dakon", 4, 3), ("dakon", 9, 1)].into_iter().enumerate() {
        let (rules, position) = (rules(name), start(pits, seeds));
        let whole = solve(rules, &position, &Options::default(), &Quiet).unwrap();
        let nodes = (whole.nodes / 8).max(5);
        let path = place.path().join(number.to_string());
        let (mut bounds, mut steps) = ((-1000, 1000), 0);
        loop {
            let solution = step(rules, &position, &path, nodes).unwrap();
            assert!(solution.unsaved.is_none());
            // Nothing that was proven is lost.
            assert!(bounds.0 <= solution.margin.0 && solution.margin.1 <= bounds.1, "{name} {bounds:?} {:?}", solution.margin);
            bounds = solution.margin;
            if solution.proven {
                break;
            }
            assert_eq!(solution.stopped, Some(StopReason::Nodes));
            steps += 1;
            assert!(steps < 1000, "{name} gets nowhere");
        }
        assert_eq!(bounds, whole.margin, "{name}");
        assert!(steps > 1, "{name} took {steps} steps");
    }
}

#[test]
fn an_interrupted_search_is_saved() {
    let place = tempfile::tempdir().unwrap();
    let path = place.path().join("kalah");
    let options = Options { checkpoint: Some(path.clone()), ..Options::default() };
    options.limits.interrupt.store(true, Ordering::Relaxed);
    let stopped = solve(rules("kalah"), &start(4, 3), &options, &Quiet).unwrap();
    assert_eq!((stopped.stopped, stopped.margin), (Some(StopReason::Interrupted), (-24, 24)));
    options.limits.interrupt.store(false, Ordering::Relaxed);
    assert!(path.exists() && solve(rules("kalah"), &start(4, 3), &options, &Quiet).unwrap().proven);
    let files: Vec<_> = fs::read_dir(place.path()).unwrap().collect();
    assert_eq!(files.len(), 1, "nothing temporary is left");
}

#[test]
fn every_changed_byte_is_noticed() {
    let place = tempfile::tempdir().unwrap();
    let path = place.path().join("kalah");
    let (kalah, position) = (rules("kalah"), start(2, 2));
    step(kalah, &position, &path, 20).unwrap();
    let good = fs::read(&path).unwrap();
    assert!(good.len() > 100 && good.len() < 8000, "{} bytes", good.len());
    let refused = |bytes: &[u8]| {
        fs::write(&path, bytes).unwrap();
        let error = step(kalah, &position, &path, 20).unwrap_err();
        assert!(matches!(error, SolveError::Checkpoint(_)), "{error}");
        let told = error.to_string();
        assert!(told.contains(path.to_str().unwrap()) && !told.contains('\n'), "{told}");
    };
    for at in 0..good.len() {
        let mut bad = good.clone();
        bad[at] ^= 1 << (at % 8);
        refused(&bad);
    }
    for len in 0..good.len() {
        refused(&good[..len]);
    }
    refused(&[&good[..], &[0]].concat());
    fs::write(&path, &good).unwrap();
    step(kalah, &position, &path, 20).unwrap();
}

/// The file with its header changed, all checksums right.
fn with_header(good: &[u8], change: impl FnOnce(&mut Header)) -> Vec<u8> {
    let len = u32::from_le_bytes(good[12..16].try_into().unwrap()) as usize;
    let mut header: Header = codec::decode(&good[PRELUDE..PRELUDE + len]).unwrap();
    change(&mut header);
    let header = codec::encode(&header).unwrap();
    let body = &good[PRELUDE + len..good.len() - 8];
    let mut bytes = good[..12].to_vec();
    bytes.extend((header.len() as u32).to_le_bytes());
    bytes.extend(xxh3_64(&header).to_le_bytes());
    bytes.extend([&header, body].concat());
    let sum = xxh3_64(&bytes);
    bytes.extend(sum.to_le_bytes());
    bytes
}

/// How far the search of a file had come.
pub(crate) fn come_to(path: &Path) -> Progressed {
    let bytes = fs::read(path).unwrap();
    let len = u32::from_le_bytes(bytes[12..16].try_into().unwrap()) as usize;
    let header: Header = codec::decode(&bytes[PRELUDE..PRELUDE + len]).unwrap();
    header.progressed()
}

/// Makes the search of a file have come to another stage, table and number of positions.
pub(crate) fn pretend(path: &Path, stage: u32, table_seeds: Option<usize>, nodes: u64) {
    let table = table_seeds.map_or(0, |seeds| seeds as u16 + 1);
    let change = |header: &mut Header| (header.stage, header.left, header.table, header.nodes) = (stage, u64::MAX, table, nodes);
    fs::write(path, with_header(&fs::read(path).unwrap(), change)).unwrap();
}

#[test]
fn a_checkpoint_of_the_format_before_is_refused_by_name() {
    let place = tempfile::tempdir().unwrap();
    let path = place.path().join("kalah");
    step(rules("kalah"), &start(2, 2), &path, 20).unwrap();
    let mut bytes = fs::read(&path).unwrap();
    bytes[8..12].copy_from_slice(&2u32.to_le_bytes());
    fs::write(&path, &bytes).unwrap();
    let error = step(rules("kalah"), &start(2, 2), &path, 20).unwrap_err().to_string();
    assert!(error.contains("is a checkpoint of format 2; this is format 3"), "{error}");
}

#[test]
fn doctored_and_foreign_checkpoints_are_refused_by_name() {
    let place = tempfile::tempdir().unwrap();
    let path = place.path().join("kalah");
    let (kalah, position) = (rules("kalah"), start(2, 2));
    step(kalah, &position, &path, 20).unwrap();
    let good = fs::read(&path).unwrap();
    let refused = |bytes: &[u8], rules: &RuleSet, position: &Position| {
        fs::write(&path, bytes).unwrap();
        step(rules, position, &path, 20).unwrap_err().to_string()
    };
    let other_rules = refused(&good, rules("kalah-empty-capture"), &position);
    assert!(other_rules.contains("of kalah, not of kalah-empty-capture: capture"), "{other_rules}");
    let other_board = refused(&good, kalah, &start(2, 3));
    assert!(other_board.contains("the position 2,2/2,2") && other_board.contains("not of 3,3/3,3"), "{other_board}");
    let refused = |change: fn(&mut Header)| refused(&with_header(&good, change), kalah, &position);
    assert!(refused(|header| header.program = "lumbung 9.9.9".to_owned()).contains("lumbung 9.9.9; this is lumbung"));
    assert!(refused(|header| header.rules.push('?')).contains("damaged: its rules"));
    for change in [
        |header: &mut Header| header.low = -9,
        |header: &mut Header| (header.low, header.high) = (2, 0),
        |header: &mut Header| header.high = i32::MAX,
        |header: &mut Header| header.stage = u32::MAX,
        |header: &mut Header| header.table = u16::MAX,
        |header: &mut Header| header.entry_bytes = 0,
    ] {
        assert!(refused(change).contains("damaged: its header contradicts itself"));
    }
    fs::write(&path, with_header(&good, |header| (header.asked, header.nodes) = (u16::MAX, u64::MAX))).unwrap();
    step(kalah, &position, &path, 20).unwrap();
}

#[test]
fn a_place_that_cannot_be_written_is_told_before_the_work() {
    let place = tempfile::tempdir().unwrap();
    let error = step(rules("kalah"), &start(2, 2), &place.path().join("no/such/place"), 20).unwrap_err();
    assert!(error.to_string().contains("cannot write"), "{error}");
    let error = step(rules("kalah"), &start(2, 2), place.path(), 20).unwrap_err();
    assert!(matches!(error, SolveError::Checkpoint(_)), "{error}");
}

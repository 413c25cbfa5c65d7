//! Tables on disk: what is written is read, whatever is wrong is noticed, and a build that was cut short goes on.

use crate::from_above;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use lumbung_engine::Owners;
use lumbung_engine::kernel::{Kernel, Lanes, Seat, Visitor, dispatch};
use lumbung_engine::rules::{RuleSet, preset};
use lumbung_tables::build::{self, BuildError, Builder};
use lumbung_tables::file::{Directory, Encoding, FileError, Pipeline, Probe, Writer, load_table, verify};
use lumbung_tables::rows::{Options, RowsError};
use lumbung_tables::{Table, plain, sweep};

const ACYCLIC: [&str; 6] = ["dakon", "ohvalhu", "congkak", "sungka", "kalah", "kalah-empty-capture"];
pub(crate) const ALL_MEMORY: u64 = u64::MAX;

pub(crate) fn rules(game: &str) -> &'static RuleSet {
    &preset(game).unwrap().rules
}

struct Plain(usize);

impl Visitor for Plain {
    type Output = Table;
    fn visit<B: Lanes>(self, kernel: Kernel<B>) -> Table {
        let (seeds, stop) = (self.0, AtomicBool::new(false));
        if kernel.can_repeat() { sweep::build(&kernel, seeds, &stop) } else { plain::build(&kernel, seeds, &stop) }.unwrap()
    }
}

pub(crate) fn table(rules: &RuleSet, pits: usize, seeds: usize) -> Table {
    dispatch(rules, pits, seeds, Owners::rows(pits), Plain(seeds))
}

pub(crate) fn write(directory: &Path, rules: &RuleSet, table: &Table, encoding: Encoding) -> Result<(), FileError> {
    let mut writer = Writer::new(directory, rules, table.pits(), table.seeds(), encoding)?;
    for seeds in writer.layers()..=table.seeds() {
        writer.write_layer(table.layer(seeds))?;
    }
    Ok(())
}

/// Builds a table straight into a directory, or goes on with it, and stops after the layer of `last` seeds.
pub(crate) fn build_into(
    directory: &Path,
    rules: &RuleSet,
    pits: usize,
    seeds: usize,
    encoding: Encoding,
    last: usize,
    threads: usize,
) -> usize {
    let plan = build::plan(rules, pits, seeds, threads).unwrap();
    let pipeline = Pipeline::new(Writer::new(directory, rules, pits, seeds, encoding).unwrap(), &plan.builder).unwrap();
    let stop = AtomicBool::new(false);
    let progress = |done: lumbung_tables::rows::Progress| {
        stop.store(done.seeds == last && last < seeds, std::sync::atomic::Ordering::Relaxed);
    };
    let options = Options { threads, memory: None, stop: &stop, progress: &progress };
    match build::build_layers(rules, Owners::rows(pits), seeds, options, &pipeline) {
        Ok(_) => assert_eq!(last, seeds),
        Err(BuildError::Rows(RowsError::Stopped) | BuildError::Plain(plain::BuildError::Stopped)) => assert!(last < seeds),
        Err(error) => panic!("{error}"),
    }
    pipeline.finish().unwrap().writer.layers()
}

/// The files of a directory and their bytes.
pub(crate) fn bytes(directory: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = fs::read_dir(directory).unwrap().map(|entry| entry.unwrap());
    entries.map(|entry| (entry.file_name().into_string().unwrap(), fs::read(entry.path()).unwrap())).collect()
}

pub(crate) fn checked(directory: &Path, sample: Option<u64>) -> Result<verify::Report, FileError> {
    let stop = AtomicBool::new(false);
    verify::verify(directory, verify::Options { sample, seed: 1, memory: ALL_MEMORY, stop: &stop, progress: &|_, _| {} })
}

pub(crate) struct Same<'s>(pub(crate) &'s Directory, pub(crate) &'s Table);

impl Visitor for Same<'_> {
    type Output = ();
    /// Every board looked up must have the value it has in memory.
    fn visit<B: Lanes>(self, _: Kernel<B>) {
        let Same(directory, table) = self;
        let probe = Probe::<B>::new(directory).unwrap();
        for seeds in 0..=table.seeds() {
            let mut board: B = table.index().unrank(table.index().layer_start(seeds));
            loop {
                assert_eq!(probe.value(&board, Seat::FIRST).unwrap(), table.value(&board).unwrap(), "{board:?}");
                if !table.index().advance(&mut board) {
                    break;
                }
            }
        }
    }
}

#[test]
fn what_is_written_is_read() {
    for game in ACYCLIC {
        for (pits, seeds) in [(1, 9), (2, 9), (3, 8), (6, 5), (9, 3)] {
            let table = table(rules(game), pits, seeds);
            for encoding in [Encoding::Raw, Encoding::Compact] {
                let place = tempfile::tempdir().unwrap();
                write(place.path(), rules(game), &table, encoding).unwrap();
                let loaded = load_table(place.path(), rules(game), pits, usize::MAX, ALL_MEMORY).unwrap();
                assert_eq!(loaded.seeds(), seeds);
                (0..=seeds).for_each(|s| assert_eq!(loaded.layer(s), table.layer(s), "{game} {pits} {s} {encoding:?}"));
                let directory = Directory::open_for(place.path(), rules(game), Owners::rows(pits)).unwrap();
                dispatch(rules(game), pits, seeds, Owners::rows(pits), Same(&directory, &table));
                let whole = checked(place.path(), None).unwrap();
                assert_eq!((whole.layers, whole.positions, whole.fault), (seeds + 1, table.len(), None));
                assert_eq!(checked(place.path(), Some(500)).unwrap().fault, None);
            }
        }
    }
}

/// Where positions can repeat no value is left out, and all must be reached by finite play.
#[test]
fn games_that_repeat_positions_have_tables_too() {
    for (game, pits, seeds) in [("awari", 3, 8), ("djenon-abe", 2, 9), ("san-yao", 4, 5)] {
        let table = table(rules(game), pits, seeds);
        for encoding in [Encoding::Raw, Encoding::Compact] {
            let place = tempfile::tempdir().unwrap();
            write(place.path(), rules(game), &table, encoding).unwrap();
            let loaded = load_table(place.path(), rules(game), pits, usize::MAX, ALL_MEMORY).unwrap();
            (0..=seeds).for_each(|s| assert_eq!(loaded.layer(s), table.layer(s), "{game} {s} {encoding:?}"));
            let directory = Directory::open_for(place.path(), rules(game), Owners::rows(pits)).unwrap();
            dispatch(rules(game), pits, seeds, Owners::rows(pits), Same(&directory, &table));
            let whole = checked(place.path(), None).unwrap();
            assert_eq!((whole.method, whole.layers, whole.positions), (verify::Method::FinitePlay, seeds + 1, table.len()));
            assert_eq!(whole.fault, None);
            let sample = checked(place.path(), Some(500)).unwrap();
            assert_eq!((sample.method, sample.fault), (verify::Method::MovesOnly, None));
        }
    }
}

/// Values that satisfy the equation everywhere and are false all the same: a cycle of positions each of which is worth 2 only because
/// the next one is. The equation cannot see it; that no finite play reaches it does.
#[test]
fn a_false_value_on_a_cycle_is_found() {
    let mut found = 0;
    // A position that can be kept up for ever is worth 0 if nothing can be forced: raise such values to what still satisfies the
    // equation, by iterating it downwards from above instead of upwards from 0.
    for (game, pits, seeds) in [("awari", 2, 4), ("awari", 3, 3), ("djenon-abe", 2, 5)] {
        let right = table(rules(game), pits, seeds);
        let Some(false_values) = from_above::false_values(rules(game), &right) else { continue };
        found += 1;
        let place = tempfile::tempdir().unwrap();
        let mut writer = Writer::new(place.path(), rules(game), pits, seeds, Encoding::Raw).unwrap();
        (0..seeds).for_each(|s| writer.write_layer(right.layer(s)).unwrap());
        writer.write_layer(&false_values).unwrap();
        drop(writer);
        assert_eq!(checked(place.path(), Some(5_000)).unwrap().fault, None, "{game}: the equation holds");
        let fault = checked(place.path(), None).unwrap().fault.unwrap();
        assert_eq!(fault.seeds, Some(seeds));
        assert!(fault.what.contains("no finite play reaches that"), "{}", fault.what);
    }
    assert!(found > 0);
}

#[test]
fn memory_decides_how_much_is_loaded() {
    let (place, table) = (tempfile::tempdir().unwrap(), table(rules("kalah"), 3, 6));
    write(place.path(), rules("kalah"), &table, Encoding::Compact).unwrap();
    let up_to = |memory| load_table(place.path(), rules("kalah"), 3, 6, memory).map(|table| table.seeds());
    assert_eq!(up_to(table.len()).unwrap(), 6);
    assert_eq!(up_to(table.len() - 1).unwrap(), 5);
    assert_eq!(load_table(place.path(), rules("kalah"), 3, 4, ALL_MEMORY).unwrap().seeds(), 4);
    assert!(matches!(up_to(0), Err(FileError::Memory { needed: 1, .. })));
}

#[test]
fn one_thread_and_three_write_the_same_bytes() {
    let table = table(rules("kalah"), 6, 8);
    let written = |threads| {
        let place = tempfile::tempdir().unwrap();
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| write(place.path(), rules("kalah"), &table, Encoding::Compact)).unwrap();
        bytes(place.path())
    };
    assert_eq!(written(1), written(3));
}

#[test]
fn a_build_goes_on_where_it_was_cut_short() {
    let table = table(rules("dakon"), 4, 7);
    let whole = tempfile::tempdir().unwrap();
    write(whole.path(), rules("dakon"), &table, Encoding::Compact).unwrap();
    let whole = bytes(whole.path());
    let place = tempfile::tempdir().unwrap();
    let begin = || Writer::new(place.path(), rules("dakon"), 4, 7, Encoding::Compact).unwrap();
    for seeds in 0..3 {
        begin().write_layer(table.layer(seeds)).unwrap();
    }
    // Killed after a layer took its name and before the manifest knew, and while the manifest was being written.
    fs::write(place.path().join("layer-003.lum"), &whole["layer-003.lum"]).unwrap();
    fs::write(place.path().join("layer-004.lum.tmp"), &whole["layer-004.lum"][..50]).unwrap();
    fs::write(place.path().join("table.toml.tmp"), "digest").unwrap();
    assert_eq!(Directory::open(place.path()).unwrap().seeds().unwrap(), 2);
    let mut writer = begin();
    assert_eq!(writer.layers(), 3);
    assert!(matches!(Writer::new(place.path(), rules("dakon"), 4, 7, Encoding::Compact), Err(FileError::Busy { .. })));
    writer.write_layer(table.layer(3)).unwrap();
    drop(writer);
    // A layer that is no longer what it was is written again, with all above it.
    fs::write(place.path().join("layer-002.lum"), &whole["layer-003.lum"]).unwrap();
    assert_eq!(begin().layers(), 2);
    write(place.path(), rules("dakon"), &table, Encoding::Compact).unwrap();
    assert_eq!(bytes(place.path()), whole);
}

/// Whatever the builder, the encoding and the threads, and wherever the build was stopped: the same files.
#[test]
fn a_table_is_written_while_it_is_built() {
    let starving = rules("kalah").with_set(&["feeding.rule=leave-a-move"]).unwrap();
    for (rules, builder) in [
        (rules("kalah"), "rows"),
        (rules("sungka"), "rows"),
        (&starving, "moves"),
        (rules("awari"), "row-sweeps"),
        (rules("san-yao"), "sweeps"),
    ] {
        let by = match build::plan(rules, 3, 7, 1).unwrap().builder {
            Builder::Rows => "rows",
            Builder::Plain { .. } => "moves",
            Builder::RowSweeps => "row-sweeps",
            Builder::Sweep { .. } => "sweeps",
        };
        assert_eq!(by, builder);
        let table = table(rules, 3, 7);
        for encoding in [Encoding::Raw, Encoding::Compact] {
            let whole = tempfile::tempdir().unwrap();
            write(whole.path(), rules, &table, encoding).unwrap();
            let whole = bytes(whole.path());
            for (stops, threads) in [(&[7][..], 1), (&[7], 3), (&[0, 3, 5, 7], 2), (&[6, 6, 7], 1)] {
                let place = tempfile::tempdir().unwrap();
                for &last in stops {
                    let layers = build_into(place.path(), rules, 3, 7, encoding, last, threads);
                    // The layer in work when the build stops is lost, and perhaps the one that was to be handed on.
                    assert!(layers == last || layers == last + 1, "{layers} layers after {last} seeds");
                }
                assert_eq!(bytes(place.path()), whole, "{} {encoding:?} {stops:?} {threads}", rules.name);
            }
        }
    }
}

/// Layers that are there are read, not built again: a false value in one of them is built upon.
#[test]
fn layers_that_are_there_are_read() {
    for (game, encoding) in [("kalah", Encoding::Raw), ("awari", Encoding::Raw), ("awari", Encoding::Compact)] {
        let right = table(rules(game), 3, 6);
        let place = tempfile::tempdir().unwrap();
        let mut writer = Writer::new(place.path(), rules(game), 3, 6, encoding).unwrap();
        (0..3).for_each(|seeds| writer.write_layer(right.layer(seeds)).unwrap());
        let false_values: Vec<i8> = right.layer(3).iter().map(|value| (value / 3) as i8).collect();
        writer.write_layer(&false_values).unwrap();
        drop(writer);
        build_into(place.path(), rules(game), 3, 6, encoding, 6, 1);
        let built = load_table(place.path(), rules(game), 3, 6, ALL_MEMORY).unwrap();
        assert_eq!(built.layer(2), right.layer(2));
        assert_eq!(built.layer(3), (&false_values).into());
        assert_ne!(built.layer(5), right.layer(5), "{game}");
        assert!(checked(place.path(), None).unwrap().fault.is_some());
    }
}

#[test]
fn a_table_grows_to_more_seeds() {
    let large = table(rules("kalah"), 3, 7);
    let (grown, whole) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    write(grown.path(), rules("kalah"), &table(rules("kalah"), 3, 4), Encoding::Raw).unwrap();
    write(grown.path(), rules("kalah"), &large, Encoding::Raw).unwrap();
    write(whole.path(), rules("kalah"), &large, Encoding::Raw).unwrap();
    assert_eq!(bytes(grown.path()), bytes(whole.path()));
}

#[test]
fn other_tables_are_refused_by_name() {
    let (place, table) = (tempfile::tempdir().unwrap(), table(rules("kalah"), 3, 3));
    write(place.path(), rules("kalah"), &table, Encoding::Raw).unwrap();
    let said = |result: Result<Writer, FileError>| result.map(|_| ()).unwrap_err().to_string();
    let path = place.path();
    let message = said(Writer::new(path, rules("dakon"), 3, 3, Encoding::Raw));
    assert!(message.contains("is a table of kalah, not of dakon: sowing.relay: landing against single"), "{message}");
    let empty = rules("kalah-empty-capture");
    let message = said(Writer::new(path, empty, 3, 3, Encoding::Raw));
    assert!(message.contains("capture.opposite.landing-seed: take against take-on-capture"), "{message}");
    assert!(said(Writer::new(path, rules("kalah"), 4, 3, Encoding::Raw)).contains("3 pits a row, not of 4"));
    assert!(said(Writer::new(path, rules("kalah"), 3, 3, Encoding::Compact)).contains("encoding raw, not compact"));
    assert!(said(Writer::new(path, rules("kalah"), 3, 2, Encoding::Raw)).contains("seeds 3, not 2"));
    let message = load_table(path, empty, 3, 3, ALL_MEMORY).unwrap_err().to_string();
    assert!(message.contains("is a table of kalah"), "{message}");
    fs::write(path.join("other"), "").unwrap();
    fs::remove_file(path.join("table.toml")).unwrap();
    assert!(said(Writer::new(path, rules("kalah"), 3, 3, Encoding::Raw)).contains("it is not empty and holds no table"));
    let begun = path.join("begun");
    drop(Writer::new(&begun, rules("kalah"), 3, 3, Encoding::Raw).unwrap());
    assert!(Directory::open(&begun).unwrap().seeds().unwrap_err().to_string().contains("no layer yet"));
    assert!(matches!(Directory::open(path), Err(FileError::NoTable { .. })));
}

#[test]
fn a_layer_of_another_table_is_refused() {
    let [kalah, dakon] = ["kalah", "dakon"].map(|game| {
        let place = tempfile::tempdir().unwrap();
        write(place.path(), rules(game), &table(rules(game), 3, 4), Encoding::Compact).unwrap();
        place
    });
    fs::copy(dakon.path().join("layer-004.lum"), kalah.path().join("layer-004.lum")).unwrap();
    let message = load_table(kalah.path(), rules("kalah"), 3, 4, ALL_MEMORY).unwrap_err().to_string();
    assert!(message.contains("layer-004.lum does not belong here: it is a layer of dakon, by other rules"), "{message}");
    fs::copy(kalah.path().join("layer-003.lum"), kalah.path().join("layer-004.lum")).unwrap();
    assert_eq!(checked(kalah.path(), None).unwrap().fault.unwrap().seeds, Some(4));
}

/// Any byte of any file, changed in any of several ways, is noticed by `verify`; and whoever reads on regardless is refused or
/// finds the right values.
#[test]
fn every_byte_counts() {
    for encoding in [Encoding::Raw, Encoding::Compact] {
        let (place, table) = (tempfile::tempdir().unwrap(), table(rules("kalah"), 2, 3));
        write(place.path(), rules("kalah"), &table, encoding).unwrap();
        for (name, whole) in bytes(place.path()) {
            let path = place.path().join(&name);
            for at in 0..whole.len() {
                for change in [1u8, 0x80] {
                    let mut bytes = whole.clone();
                    bytes[at] ^= change;
                    fs::write(&path, &bytes).unwrap();
                    let what = format!("byte {at} of {name}, changed by {change}, {encoding:?}");
                    match checked(place.path(), Some(5)) {
                        Ok(report) => assert!(report.fault.is_some(), "{what}"),
                        Err(error) => assert!(matches!(error, FileError::Format { .. }), "{what}: {error}"),
                    }
                    if let Ok(loaded) = load_table(place.path(), rules("kalah"), 2, 3, ALL_MEMORY) {
                        (0..=3).for_each(|s| assert_eq!(loaded.layer(s), table.layer(s), "{what}"));
                    }
                }
            }
            for len in 0..whole.len() {
                fs::write(&path, &whole[..len]).unwrap();
                assert!(checked(place.path(), Some(5)).unwrap().fault.is_some(), "{name} cut to {len} bytes");
            }
            fs::write(&path, [&whole[..], b"x"].concat()).unwrap();
            assert!(checked(place.path(), Some(5)).unwrap().fault.is_some(), "{name} with a byte more");
            fs::write(&path, &whole).unwrap();
        }
        assert_eq!(checked(place.path(), None).unwrap().fault, None);
    }
}

/// A wrong value under right checksums and digests is found by the rules, and named.
#[test]
fn a_wrong_value_is_found_by_its_moves() {
    let right = table(rules("kalah"), 3, 5);
    for encoding in [Encoding::Raw, Encoding::Compact] {
        for wrong_at in [0, 17, 130, 251] {
            let place = tempfile::tempdir().unwrap();
            let mut writer = Writer::new(place.path(), rules("kalah"), 3, 5, encoding).unwrap();
            for seeds in 0..=5 {
                let mut values = right.layer(seeds).bytes().unwrap().to_vec();
                if seeds == 5 {
                    // The last positions of a layer are those with the fuller own row.
                    let place = values.len() - 1 - wrong_at % 126;
                    values[place] += if values[place] > 0 { -2 } else { 2 };
                }
                writer.write_layer(&values).unwrap();
            }
            drop(writer);
            let fault = checked(place.path(), None).unwrap().fault.unwrap();
            assert_eq!(fault.seeds, Some(5));
            assert!(fault.position.is_some() && fault.what.contains("by its moves it is"), "{}", fault.what);
            assert!(checked(place.path(), Some(20_000)).unwrap().fault.is_some());
            // Where all values are worked out again when a table is loaded, this is noticed then, too.
            match load_table(place.path(), rules("kalah"), 3, 5, ALL_MEMORY) {
                Err(FileError::Damaged { what, .. }) => assert!(what.contains("do not follow from the rules"), "{what}"),
                loaded => assert!(loaded.is_ok() && encoding == Encoding::Raw),
            }
        }
    }
}

/// A sample of more positions than could be drawn in a lifetime ends when it is told to.
#[test]
fn a_sample_without_end_can_be_stopped() {
    let place = tempfile::tempdir().unwrap();
    build_into(place.path(), rules("kalah"), 2, 4, Encoding::Raw, 4, 1);
    let stop = AtomicBool::new(false);
    let progress = |_, of| stop.store(of == u64::MAX, std::sync::atomic::Ordering::Relaxed);
    let options = verify::Options { sample: Some(u64::MAX), seed: 1, memory: ALL_MEMORY, stop: &stop, progress: &progress };
    assert!(matches!(verify::verify(place.path(), options), Err(FileError::Stopped)));
}

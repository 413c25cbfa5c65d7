//! Layers of more than 127 seeds, whose values take two bytes: the same values as the referee's, the same care for every byte.

use std::collections::HashMap;
use std::fs;
use std::sync::atomic::AtomicBool;

use lumbung_engine::kernel::{Kernel, Lanes, Visitor, dispatch};
use lumbung_engine::referee::{Next, State};
use lumbung_engine::rules::preset;
use lumbung_engine::{Owners, Position, Referee, RuleSet, Side};
use lumbung_tables::build::{self, BuildError, Builder};
use lumbung_tables::cyclic::Parity;
use lumbung_tables::file::{Directory, Encoding, FileError, Writer, load_table, verify};
use lumbung_tables::rows::Options;
use tempfile::TempDir;

use lumbung_tables::{MAX_BYTE_SEEDS, MAX_TABLE_SEEDS, Table, plain};

use crate::file::{ALL_MEMORY, Same, build_into, bytes, checked, rules, write};

/// A place for tables. They have many small layers, each of which waits for the disk: in memory if that can be.
pub(crate) fn place() -> TempDir {
    tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir()).unwrap()
}

fn built(rules: &RuleSet, pits: usize, seeds: usize, threads: usize) -> Table {
    let stop = AtomicBool::new(false);
    let options = Options { threads, memory: None, stop: &stop, progress: &|_| {} };
    let built = build::build(rules, pits, seeds, options).unwrap();
    assert!(matches!(built.builder, Builder::Plain { .. } | Builder::Sweep { .. }));
    built.table
}

/// What the player to move gains by the referee, `value` telling the same of the boards that follow.
fn by_referee(rules: &RuleSet, position: &Position, value: &mut dyn FnMut(&Position) -> i32) -> i32 {
    let (referee, mover) = (Referee::new(rules), position.to_move);
    let gained = |position: &Position| match mover {
        Side::South => position.margin(),
        Side::North => -position.margin(),
    };
    let mut after = |next: &Position| {
        let rest = value(&Position { stores: [0, 0], ..next.clone() });
        if next.to_move == mover { rest } else { -rest }
    };
    match referee.state(position) {
        State::Over(over) => gained(&over.last),
        State::Pass => after(&referee.pass(position)),
        State::ToMove(pits) => {
            let worth = pits.into_iter().map(|pit| {
                let played = referee.play(position, pit).unwrap();
                match played.next {
                    Next::Over(over) => gained(&over.last),
                    Next::Bonus | Next::Turn { .. } => gained(&played.after) + after(&played.after),
                }
            });
            worth.max().unwrap()
        }
    }
}

/// Holds the values of a table at some indices against the referee and the values of the boards that follow.
struct Held<'h>(&'h RuleSet, &'h Table, &'h mut dyn Iterator<Item = u64>);

impl Visitor for Held<'_> {
    type Output = usize;
    fn visit<B: Lanes>(self, kernel: Kernel<B>) -> usize {
        let Held(rules, table, places) = self;
        let mut held = 0;
        for place in places {
            let (board, seat) = table.index().at::<B>(place);
            let position = kernel.position(&board, seat);
            let mut value = |next: &Position| table.value_for(&kernel.pack(next), kernel.seat(next.to_move)).unwrap();
            assert_eq!(table.value_for(&board, seat), Some(by_referee(rules, &position, &mut value)), "{position}");
            held += 1;
        }
        held
    }
}

fn held(rules: &RuleSet, table: &Table, places: &mut dyn Iterator<Item = u64>) -> usize {
    dispatch(rules, table.pits(), table.seeds(), Owners::rows(table.pits()), Held(rules, table, places))
}

/// All indices of a layer.
fn layer(table: &Table, seeds: usize) -> std::ops::Range<u64> {
    let start = table.index().layer_start(seeds);
    start..start + table.index().layer_len(seeds)
}

#[test]
fn values_are_those_of_the_referee() {
    for game in ["dakon", "ohvalhu", "congkak", "sungka", "kalah", "kalah-empty-capture", "awari", "djenon-abe"] {
        let table = built(rules(game), 1, 300, 1);
        // C(302, 2) boards.
        assert_eq!(table.len(), 45_451);
        let mut layers = [127, 128, 129, 254, 255, 256, 299, 300].into_iter().flat_map(|seeds| layer(&table, seeds));
        assert_eq!(held(rules(game), &table, &mut layers), 1756);
    }
    let table = built(rules("kalah"), 2, 129, 2);
    // C(132, 3) boards of the highest layer; every 61st of them.
    assert_eq!(table.layer(129).len(), 374_660);
    assert_eq!(held(rules("kalah"), &table, &mut layer(&table, 129).step_by(61)), 6142);
}

/// Nothing but the referee and what it has told before.
#[test]
fn a_minimax_of_its_own_agrees() {
    fn minimax(rules: &RuleSet, position: &Position, known: &mut HashMap<Position, i32>) -> i32 {
        if let Some(value) = known.get(position) {
            return *value;
        }
        let value = by_referee(rules, position, &mut |next| minimax(rules, next, known));
        known.insert(position.clone(), value);
        value
    }
    for game in ["dakon", "kalah"] {
        let table = built(rules(game), 1, 140, 1);
        let mut known = HashMap::new();
        let mut lowest = 0;
        for own in 0..=140u16 {
            let position: Position = format!("{own}/{}/0,0/s", 140 - own).parse().unwrap();
            let value = minimax(rules(game), &position, &mut known);
            // The rank rises with the seeds in the own row.
            assert_eq!(table.layer(140).get(own.into()), Some(value), "{game} {position}");
            lowest = lowest.min(value);
        }
        assert_eq!(lowest, -140, "beyond a byte");
    }
}

/// Layers up to 127 seeds are the same bytes, whether rows build them or, below wide ones, moves.
#[test]
fn low_layers_are_the_same_bytes() {
    for game in ["dakon", "kalah", "awari"] {
        let stop = AtomicBool::new(false);
        let options = |memory| Options { threads: 1, memory, stop: &stop, progress: &|_| {} };
        let (wide, low) = (built(rules(game), 1, 132, 2), build::build(rules(game), 1, 127, options(None)).unwrap());
        assert!(matches!(low.builder, Builder::Rows | Builder::RowSweeps));
        (0..=127).for_each(|seeds| assert_eq!(wide.layer(seeds), low.table.layer(seeds), "{game} {seeds}"));
        (0..=132).for_each(|seeds| assert_eq!(wide.layer(seeds).bytes().is_some(), seeds <= MAX_BYTE_SEEDS));
        let options = options(Some(9_565));
        let refused = build::build(rules(game), 1, 132, options).unwrap_err();
        assert!(refused.to_string().contains("takes 9566 bytes to build; 9565 are allowed"), "{refused}");
    }
}

#[test]
fn the_most_seeds_and_one_more() {
    let kalah = rules("kalah");
    let table = built(kalah, 1, MAX_TABLE_SEEDS, 2);
    // C(1025, 2) boards.
    assert_eq!((table.seeds(), table.len()), (1023, 524_800));
    assert_eq!(held(kalah, &table, &mut layer(&table, 1023)), 1024);
    assert_eq!(table.layer(1023).iter().min(), Some(-1023));
    assert_eq!(build::plan(kalah, 1, 1024, 1).unwrap_err(), plain::BuildError::Seeds(1024).into());
    let place = place();
    let mut writer = Writer::new(place.path(), kalah, 1, 1023, Encoding::Raw).unwrap();
    writer.write_layer(table.layer(0)).unwrap();
    assert_eq!(writer.encoder().encode(1023, table.layer(1023)).map(|_| ()).map_err(|error| error.to_string()), Ok(()));
}

#[test]
fn what_is_written_is_read() {
    for (game, encodings) in [("kalah", &[Encoding::Raw, Encoding::Compact][..]), ("awari", &[Encoding::Raw])] {
        let table = built(rules(game), 1, 131, 1);
        for &encoding in encodings {
            let place = place();
            write(place.path(), rules(game), &table, encoding).unwrap();
            let loaded = load_table(place.path(), rules(game), 1, usize::MAX, ALL_MEMORY).unwrap();
            (0..=131).for_each(|s| assert_eq!(loaded.layer(s), table.layer(s), "{game} {s} {encoding:?}"));
            let directory = Directory::open_for(place.path(), rules(game), Owners::rows(1)).unwrap();
            dispatch(rules(game), 1, 131, Owners::rows(1), Same(&directory, &table));
            // 129 + 130 + 131 + 132 values of two bytes.
            assert_eq!(directory.loaded_bytes(131).unwrap(), table.len() + 522);
            let whole = checked(place.path(), None).unwrap();
            assert_eq!((whole.layers, whole.positions, whole.fault), (132, table.len(), None));
            assert_eq!(checked(place.path(), Some(500)).unwrap().fault, None);
            every_byte_counts(place.path(), rules(game), &table);
        }
    }
}

/// Whatever byte of a wide layer is changed, it is noticed.
fn every_byte_counts(place: &std::path::Path, rules: &RuleSet, table: &Table) {
    let path = place.join("layer-130.lum");
    let whole = fs::read(&path).unwrap();
    for at in (0..whole.len()).step_by(127).chain(whole.len() - 20..whole.len()) {
        let mut bytes = whole.clone();
        bytes[at] ^= 0x40;
        fs::write(&path, &bytes).unwrap();
        assert!(checked(place, Some(1)).unwrap().fault.is_some_and(|fault| fault.seeds == Some(130)), "byte {at}");
        assert!(load_table(place, rules, 1, 131, ALL_MEMORY).is_err(), "byte {at}");
        // Whoever looks on regardless is refused or finds the right value.
        let directory = Directory::open(place).unwrap();
        let position = "65/65/0,0/s".parse().unwrap();
        match dispatch(rules, 1, 131, Owners::rows(1), LookUp(&directory, &position)) {
            Ok(value) => assert_eq!(Some(value), table.layer(130).get(65)),
            Err(error) => assert!(error.is_fault_of_the_table(), "{error}"),
        }
    }
    fs::write(&path, &whole).unwrap();
}

struct LookUp<'l>(&'l Directory, &'l Position);

impl Visitor for LookUp<'_> {
    type Output = Result<i32, FileError>;
    fn visit<B: Lanes>(self, kernel: Kernel<B>) -> Self::Output {
        let probe = lumbung_tables::file::Probe::<B>::new(self.0).unwrap();
        probe.value(&kernel.pack(self.1), kernel.seat(self.1.to_move))
    }
}

#[test]
fn a_wrong_value_is_found_by_its_moves() {
    let right = built(rules("kalah"), 1, 130, 1);
    for (encoding, at) in [(Encoding::Raw, 3), (Encoding::Raw, 130), (Encoding::Compact, 100)] {
        let place = place();
        let mut writer = Writer::new(place.path(), rules("kalah"), 1, 130, encoding).unwrap();
        (0..130).for_each(|seeds| writer.write_layer(right.layer(seeds)).unwrap());
        let mut values = right.layer(130).words().unwrap().to_vec();
        values[at] += if values[at] > 0 { -2 } else { 2 };
        writer.write_layer(&values).unwrap();
        drop(writer);
        let fault = checked(place.path(), None).unwrap().fault.unwrap();
        assert!(fault.seeds == Some(130) && fault.what.contains("by its moves it is"), "{}", fault.what);
        assert!(checked(place.path(), Some(80_000)).unwrap().fault.is_some());
        // C(131, 2) positions below that layer, and the stored ones of it: whoever stops right there learns of the fault.
        let stop = AtomicBool::new(false);
        let stop_there = |done, _| stop.store(done >= 8515, std::sync::atomic::Ordering::Relaxed);
        let options = verify::Options { sample: None, seed: 1, memory: ALL_MEMORY, stop: &stop, progress: &stop_there };
        let found = verify::verify(place.path(), options).unwrap().fault.unwrap();
        assert!(found == fault && stop.into_inner(), "{}", found.what);
    }
}

/// More layers than a program may have files: none stays open. And should another file lie in a layer's place by then, it is refused.
#[test]
#[cfg(target_os = "linux")]
fn no_layer_stays_open() {
    let (place, table) = (place(), built(rules("kalah"), 1, 131, 1));
    write(place.path(), rules("kalah"), &table, Encoding::Raw).unwrap();
    let open = || {
        let files = fs::read_dir("/proc/self/fd").unwrap().filter_map(|file| fs::read_link(file.ok()?.path()).ok());
        files.filter(|file| file.starts_with(place.path())).count()
    };
    let held = fs::File::open(place.path().join("table.toml")).unwrap();
    assert_eq!(open(), 1, "what is open is counted");
    drop(held);
    let directory = Directory::open(place.path()).unwrap();
    (0..=131).for_each(|seeds| assert_eq!(usize::from(directory.header(seeds).unwrap().seeds), seeds));
    dispatch(rules("kalah"), 1, 131, Owners::rows(1), Same(&directory, &table));
    assert_eq!(directory.load(131, ALL_MEMORY).unwrap().len(), table.len());
    assert_eq!(open(), 0);
    let other = tempfile::tempdir().unwrap();
    let mut writer = Writer::new(other.path(), rules("kalah"), 1, 131, Encoding::Raw).unwrap();
    for seeds in 0..=130 {
        match table.layer(seeds).words() {
            Some(values) if seeds == 130 => writer.write_layer(&values.iter().map(|value| -value).collect::<Vec<_>>()).unwrap(),
            _ => writer.write_layer(table.layer(seeds)).unwrap(),
        }
    }
    fs::copy(other.path().join("layer-130.lum"), place.path().join("new")).unwrap();
    fs::rename(place.path().join("new"), place.path().join("layer-130.lum")).unwrap();
    let refused = directory.load(131, ALL_MEMORY).unwrap_err();
    assert!(refused.to_string().contains("layer-130.lum is damaged"), "{refused}");
    fs::remove_file(place.path().join("layer-130.lum")).unwrap();
    let refused = directory.load(131, ALL_MEMORY).unwrap_err();
    assert!(refused.is_fault_of_the_table() && refused.to_string().contains("it is missing"), "{refused}");
}

/// A table of one parity is of no use to one of all layers, and does not get in its way.
#[test]
fn layers_of_one_parity_are_not_handed_on() {
    let stop = AtomicBool::new(false);
    let options = Options { threads: 1, memory: None, stop: &stop, progress: &|_| {} };
    let djenon = rules("djenon-abe");
    let even = build::build_parity(djenon, 1, 126, Parity::Even, options, None).unwrap().table;
    assert!(even.has(126) && !even.has(125));
    let all = build::build_parity(djenon, 1, 130, Parity::All, options, Some(&even)).unwrap().table;
    let alone = built(djenon, 1, 130, 1);
    (0..=130).for_each(|seeds| assert_eq!(all.layer(seeds), alone.layer(seeds), "{seeds}"));
    (0..=126).step_by(2).for_each(|seeds| assert_eq!(even.layer(seeds), alone.layer(seeds), "{seeds}"));
}

/// One thread or three, in one go or stopped below the first wide layer and above it: the same files.
#[test]
fn threads_and_interruptions_do_not_show() {
    for (game, encoding) in [("dakon", Encoding::Compact), ("kalah", Encoding::Raw), ("awari", Encoding::Raw)] {
        let whole = place();
        build_into(whole.path(), rules(game), 1, 131, encoding, 131, 3);
        let stopped = place();
        for last in [100, 129, 131] {
            let layers = build_into(stopped.path(), rules(game), 1, 131, encoding, last, 1);
            assert!(layers == last || layers == last + 1, "{layers} layers after {last} seeds");
        }
        assert_eq!(bytes(stopped.path()), bytes(whole.path()), "{game} {encoding:?}");
    }
}

#[test]
fn what_there_is_no_room_for_is_refused_by_name() {
    let place = place();
    let uneven = preset("kalah").unwrap().rules.with_set(&["end.remainder=unscored"]).unwrap();
    for (rules, seeds, most) in [(rules("kalah"), 256, 255), (rules("awari"), 128, 127), (&uneven, 128, 127)] {
        match Writer::new(&place.path().join("none"), rules, 1, seeds, Encoding::Compact) {
            Err(FileError::Compact { seeds: asked, most: found }) => assert_eq!((asked, found), (seeds, most)),
            other => panic!("{other:?}"),
        }
        assert!(Writer::new(&place.path().join(format!("{}{seeds}", rules.name)), rules, 1, most, Encoding::Compact).is_ok());
    }
    assert!(!place.path().join("none").exists());
    let odd = build::plan_layers(rules("djenon-abe"), Owners::rows(1), 129, Parity::Odd, 1);
    assert_eq!(odd.unwrap_err(), BuildError::WideParity { seeds: 129 });
}

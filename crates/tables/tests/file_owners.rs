//! Tables for pits that have other owners than the rows they lie in: San-Yao's later rounds.

use std::fs;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use lumbung_engine::kernel::{Kernel, Lanes, Seat, Visitor, dispatch};
use lumbung_engine::rules::{RuleSet, preset};
use lumbung_engine::{Owners, Side};
use lumbung_tables::build::{self, BuildError, Builder};
use lumbung_tables::cyclic::Parity;
use lumbung_tables::file::{Directory, Encoding, FileError, Pipeline, Probe, Writer, verify};
use lumbung_tables::rows::Options;
use lumbung_tables::{Table, sweep};

const PITS: usize = 3;
const SEEDS: usize = 7;

fn san_yao() -> &'static RuleSet {
    &preset("san-yao").unwrap().rules
}

fn owners(text: &str) -> Owners {
    text.parse().unwrap()
}

/// The same board seen from the other side: who was North is South.
fn mirrored(owners: Owners) -> Owners {
    let ring = 2 * owners.pits();
    let south = (0..ring).filter(|&pit| owners.of((pit + owners.pits()) % ring) == Side::North);
    Owners::from_bits(south.fold(0, |bits, pit| bits | 1 << pit), owners.pits())
}

fn table(of: Owners) -> Table {
    dispatch(san_yao(), PITS, SEEDS, of, Sweep)
}

struct Sweep;

impl Visitor for Sweep {
    type Output = Table;
    fn visit<B: Lanes>(self, kernel: Kernel<B>) -> Table {
        sweep::build(&kernel, SEEDS, &AtomicBool::new(false)).unwrap()
    }
}

fn build_into(directory: &Path, of: Owners, encoding: Encoding, threads: usize) {
    let plan = build::plan_layers(san_yao(), of, SEEDS, Parity::All, threads).unwrap();
    assert!(matches!(&plan.builder, Builder::Sweep { .. }));
    let writer = Writer::of_parity(directory, san_yao(), of, SEEDS, encoding, Parity::All).unwrap();
    let pipeline = Pipeline::new(writer, &plan.builder).unwrap();
    let stop = AtomicBool::new(false);
    let options = Options { threads, memory: Some(plan.memory), stop: &stop, progress: &|_| {} };
    build::hand_on_layers(san_yao(), of, SEEDS, Parity::All, options, &pipeline).unwrap();
    pipeline.finish().unwrap();
}

/// Holds a table against the one of the same game with the players' names exchanged.
struct Mirrored<'m>(&'m Table, &'m Table);

impl Visitor for Mirrored<'_> {
    type Output = usize;
    /// How many boards are worth something else to South than to North.
    fn visit<B: Lanes>(self, _: Kernel<B>) -> usize {
        let Mirrored(table, mirrored) = self;
        let index = table.index();
        let mut different = 0;
        for seeds in 0..=SEEDS {
            let mut board: B = index.unrank(index.layer_start(seeds));
            loop {
                let [south, north] = [Seat::FIRST, Seat::SECOND].map(|seat| table.value_for(&board, seat));
                assert_eq!(south, mirrored.value_for(&board, Seat::SECOND), "{board:?}");
                assert_eq!(north, mirrored.value_for(&board, Seat::FIRST), "{board:?}");
                different += usize::from(south != north);
                if !index.advance(&mut board) {
                    break;
                }
            }
        }
        different
    }
}

#[test]
fn exchanging_the_players_exchanges_the_values() {
    for of in ["ssssnn", "snnnnn", "sssssn", "snssnn"].map(owners) {
        let (table, other) = (table(of), table(mirrored(of)));
        assert!(dispatch(san_yao(), PITS, SEEDS, of, Mirrored(&table, &other)) > 100, "{of}");
    }
}

struct LookedUp<'l>(&'l Directory, &'l Table);

impl Visitor for LookedUp<'_> {
    type Output = ();
    fn visit<B: Lanes>(self, kernel: Kernel<B>) {
        let LookedUp(directory, table) = self;
        let (probe, index) = (Probe::<B>::new(directory).unwrap(), table.index());
        for place in 0..index.total() {
            let (board, seat) = index.at::<B>(place);
            assert_eq!(probe.value(&board, seat).unwrap(), table.value_at(place).unwrap(), "{board:?} {seat:?}");
            let seeds = board.seeds() as usize;
            let position = directory.position(seeds, place - index.layer_start(seeds)).unwrap();
            assert_eq!((kernel.pack(&position), kernel.seat(position.to_move)), (board, seat));
            assert_eq!(position.owners, kernel.owners());
        }
    }
}

#[test]
fn what_is_written_is_read_and_stands_verification() {
    let of = owners("ssssnn");
    let table = table(of);
    for encoding in [Encoding::Raw, Encoding::Compact] {
        let places = [1, 2].map(|threads| {
            let place = tempfile::tempdir().unwrap();
            build_into(place.path(), of, encoding, threads);
            place
        });
        let layer = |place: &tempfile::TempDir| fs::read(place.path().join("layer-007.lum")).unwrap();
        assert_eq!(layer(&places[0]), layer(&places[1]));
        let directory = Directory::open_for(places[0].path(), san_yao(), of).unwrap();
        dispatch(san_yao(), PITS, SEEDS, of, LookedUp(&directory, &table));
        let stop = AtomicBool::new(false);
        for sample in [None, Some(300)] {
            let options = verify::Options { sample, seed: 1, memory: u64::MAX, stop: &stop, progress: &|_, _| {} };
            let report = verify::verify(places[0].path(), options).unwrap();
            assert_eq!((report.fault, report.layers), (None, SEEDS + 1));
            assert_eq!(report.positions, sample.unwrap_or(table.len()));
        }
    }
}

#[test]
fn other_owners_are_refused_by_name() {
    let (mine, other) = (owners("ssssnn"), owners("sssssn"));
    let places = [mine, other].map(|of| {
        let place = tempfile::tempdir().unwrap();
        build_into(place.path(), of, Encoding::Raw, 1);
        place
    });
    let said = |result: Result<Directory, FileError>| result.unwrap_err().to_string();
    let message = said(Directory::open_for(places[0].path(), san_yao(), other));
    assert!(message.contains("owners ssssnn, not sssssn"), "{message}");
    assert!(said(Directory::open_for(places[0].path(), san_yao(), Owners::rows(PITS))).contains("not sssnnn"));
    let again = Writer::of_parity(places[0].path(), san_yao(), other, SEEDS, Encoding::Raw, Parity::All);
    assert!(again.unwrap_err().to_string().contains("owners ssssnn, not sssssn"));
    // A layer of the other table has the same size here.
    let file = "layer-007.lum";
    fs::copy(places[1].path().join(file), places[0].path().join(file)).unwrap();
    let directory = Directory::open(places[0].path()).unwrap();
    let message = directory.stats(SEEDS).unwrap_err().to_string();
    assert!(message.contains("for owners sssssn, in a table for ssssnn"), "{message}");
}

#[test]
fn owners_are_for_rules_with_territory_and_all_layers() {
    let of = owners("ssssnn");
    let kalah = build::plan_layers(&preset("kalah").unwrap().rules, of, 3, Parity::All, 1);
    assert_eq!(kalah.unwrap_err(), BuildError::Owners { owners: of.to_string() });
    let even = build::plan_layers(san_yao(), of, 3, Parity::Even, 1);
    assert!(even.is_err());
}

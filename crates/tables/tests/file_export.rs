//! A layer in Parquet, read back.

use std::fs::File;

use lumbung_engine::rules::preset;
use lumbung_engine::{Owners, Position, Side};
use lumbung_tables::build;
use lumbung_tables::cyclic::Parity;
use lumbung_tables::file::export::Format;
use lumbung_tables::file::{Directory, Encoding, FileError, Pipeline, Writer};
use lumbung_tables::rows;
use parquet::file::reader::{FileReader as _, SerializedFileReader};
use parquet::record::RowAccessor as _;
use std::sync::atomic::AtomicBool;

#[test]
fn parquet_names_its_columns_and_holds_the_layer() {
    let rules = &preset("kalah").unwrap().rules;
    let stop = AtomicBool::new(false);
    let options = rows::Options { threads: 1, memory: None, stop: &stop, progress: &|_| {} };
    let table = rows::build(rules, 3, 6, options).unwrap();
    let place = tempfile::tempdir().unwrap();
    let mut writer = Writer::new(&place.path().join("k6"), rules, 3, 6, Encoding::Compact).unwrap();
    (0..=6).for_each(|seeds| writer.write_layer(table.layer(seeds)).unwrap());
    drop(writer);
    let out = place.path().join("k6.parquet");
    let directory = Directory::open(&place.path().join("k6")).unwrap();
    let positions = directory.export(6, Format::Parquet, &out, u64::MAX, &stop).unwrap();
    let reader = SerializedFileReader::new(File::open(&out).unwrap()).unwrap();
    let metadata = reader.metadata().file_metadata();
    assert_eq!(metadata.num_rows() as u64, positions);
    let columns: Vec<&str> = metadata.schema_descr().columns().iter().map(|column| column.name()).collect();
    assert_eq!(columns, ["own_1", "own_2", "own_3", "other_1", "other_2", "other_3", "value", "best"]);
    let about = metadata.key_value_metadata().unwrap();
    assert!(about.iter().any(|entry| entry.key == "lumbung.game" && entry.value.as_deref() == Some("kalah")));
    for (row, value) in reader.get_row_iter(None).unwrap().zip(table.layer(6).iter()) {
        let row = row.unwrap();
        assert_eq!(i32::from(row.get_byte(6).unwrap()), value);
        let seeds: u32 = (0..6).map(|column| u32::from(row.get_ubyte(column).unwrap())).sum();
        assert_eq!(seeds, 6);
        assert!(row.get_ubyte(7).unwrap() <= 3);
    }
}

/// A caller who asks to stop is heard, and no file is left; and where memory only allows to read the values, they are the same.
#[test]
fn an_export_can_be_stopped_and_needs_little_more_memory_than_the_values() {
    let rules = &preset("dakon").unwrap().rules;
    let stop = AtomicBool::new(false);
    let options = rows::Options { threads: 1, memory: None, stop: &stop, progress: &|_| {} };
    let table = rows::build(rules, 3, 5, options).unwrap();
    let place = tempfile::tempdir().unwrap();
    let mut writer = Writer::new(&place.path().join("d5"), rules, 3, 5, Encoding::Compact).unwrap();
    (0..=5).for_each(|seeds| writer.write_layer(table.layer(seeds)).unwrap());
    drop(writer);
    let directory = Directory::open(&place.path().join("d5")).unwrap();
    let export = |name: &str, memory, stop| {
        let out = place.path().join(name);
        directory.export(5, Format::Csv, &out, memory, &AtomicBool::new(stop)).map(|_| std::fs::read(out).unwrap())
    };
    assert!(matches!(export("stopped.csv", u64::MAX, true), Err(FileError::Stopped)));
    let least = directory.export_bytes(5).unwrap();
    // C(11, 6) values and C(10, 5) rows of six pits, made ready.
    assert_eq!((table.len(), least), (462, 462 + 252 * (2 * (6 * 2 + 4) + 16)));
    assert!(matches!(export("stopped.csv", least, true), Err(FileError::Stopped)));
    assert!(!place.path().join("stopped.csv").exists());
    assert_eq!(export("worked_out.csv", u64::MAX, false).unwrap(), export("read.csv", least, false).unwrap());
    assert!(matches!(export("none.csv", least - 1, false), Err(FileError::Memory { fitting: Some(4), .. })));
}

/// San-Yao where South has won a pit of North's row: the same pits are worth something else to each, and each row of the file says whose
/// they are to move.
#[test]
fn rows_say_who_is_to_move_where_it_matters() {
    let rules = &preset("san-yao").unwrap().rules;
    let (stop, owners): (_, Owners) = (AtomicBool::new(false), "ssssnn".parse().unwrap());
    let options = rows::Options { threads: 1, memory: None, stop: &stop, progress: &|_| {} };
    let place = tempfile::tempdir().unwrap();
    let path = place.path().join("sons");
    let writer = Writer::of_parity(&path, rules, owners, 4, Encoding::Compact, Parity::All).unwrap();
    let plan = build::plan_layers(rules, owners, 4, Parity::All, 1).unwrap();
    let pipeline = Pipeline::new(writer, &plan.builder).unwrap();
    build::hand_on_layers(rules, owners, 4, Parity::All, options, &pipeline).unwrap();
    pipeline.finish().unwrap();
    let out = place.path().join("sons.parquet");
    let directory = Directory::open(&path).unwrap();
    let positions = directory.export(4, Format::Parquet, &out, u64::MAX, &stop).unwrap();
    // Boards of six pits with four seeds, C(9, 5), for each of the two.
    assert_eq!(positions, 2 * 126);
    let reader = SerializedFileReader::new(File::open(&out).unwrap()).unwrap();
    let columns: Vec<String> =
        reader.metadata().file_metadata().schema_descr().columns().iter().map(|column| column.name().to_owned()).collect();
    assert_eq!(columns, ["mover", "own_1", "own_2", "own_3", "other_1", "other_2", "other_3", "value", "best"]);
    let table = directory.load(4, u64::MAX).unwrap();
    let mut seen = [0; 2];
    for (number, (row, value)) in (0..).zip(reader.get_row_iter(None).unwrap().zip(table.layer(4).iter())) {
        let row = row.unwrap();
        let to_move = if row.get_string(0).unwrap() == "s" { Side::South } else { Side::North };
        seen[to_move as usize] += 1;
        let pits = |from: usize| (from..from + 3).map(|column| u16::from(row.get_ubyte(column).unwrap())).collect::<Vec<_>>();
        let rows = if to_move == Side::South { [pits(1), pits(4)] } else { [pits(4), pits(1)] };
        let position = Position { board: rows.concat(), stores: [0, 0], to_move, owners };
        assert_eq!((position, i32::from(row.get_byte(7).unwrap())), (directory.position(4, number).unwrap(), value));
    }
    assert_eq!(seen, [126, 126]);
}

/// Values take two bytes in layers of more than 127 seeds, pits in those of more than 255.
#[test]
fn wide_layers_have_wider_columns() {
    let rules = &preset("kalah").unwrap().rules;
    let stop = AtomicBool::new(false);
    let options = rows::Options { threads: 1, memory: None, stop: &stop, progress: &|_| {} };
    let table = build::build(rules, 1, 256, options).unwrap().table;
    let place = crate::wide::place();
    let mut writer = Writer::new(&place.path().join("k256"), rules, 1, 256, Encoding::Raw).unwrap();
    (0..=256).for_each(|seeds| writer.write_layer(table.layer(seeds)).unwrap());
    drop(writer);
    let directory = Directory::open(&place.path().join("k256")).unwrap();
    for (seeds, types, record) in [
        (127, "('own', '|u1', (1,)), ('other', '|u1', (1,)), ('value', '|i1'), ('best', '|u1')", 4),
        (128, "('own', '|u1', (1,)), ('other', '|u1', (1,)), ('value', '<i2'), ('best', '|u1')", 5),
        (256, "('own', '<u2', (1,)), ('other', '<u2', (1,)), ('value', '<i2'), ('best', '|u1')", 7),
    ] {
        let out = place.path().join("layer.npy");
        directory.export(seeds, Format::Npy, &out, u64::MAX, &stop).unwrap();
        let bytes = std::fs::read(&out).unwrap();
        let header = 10 + usize::from(u16::from_le_bytes([bytes[8], bytes[9]]));
        assert!(String::from_utf8_lossy(&bytes[..header]).contains(types), "{seeds}");
        let records: Vec<&[u8]> = bytes[header..].chunks(record).collect();
        assert_eq!(records.len(), seeds + 1);
        let number = |bytes: &[u8]| bytes.iter().rev().fold(0i32, |number, &byte| number << 8 | i32::from(byte));
        for (own, (bytes, value)) in records.iter().zip(table.layer(seeds).iter()).enumerate() {
            let (pits, rest) = bytes.split_at(if seeds > 255 { 4 } else { 2 });
            let (mine, other) = pits.split_at(pits.len() / 2);
            assert_eq!((number(mine), number(other)), (own as i32, (seeds - own) as i32));
            let found = if rest.len() == 3 { i16::from_le_bytes([rest[0], rest[1]]).into() } else { i32::from(rest[0] as i8) };
            assert_eq!(found, value);
        }
        let out = place.path().join("layer.parquet");
        directory.export(seeds, Format::Parquet, &out, u64::MAX, &stop).unwrap();
        let reader = SerializedFileReader::new(File::open(&out).unwrap()).unwrap();
        for ((own, row), value) in (0..).zip(reader.get_row_iter(None).unwrap()).zip(table.layer(seeds).iter()) {
            let row = row.unwrap();
            let found = if seeds > 127 { row.get_short(2).map(i32::from) } else { row.get_byte(2).map(i32::from) };
            assert_eq!(found.unwrap(), value);
            let pit = if seeds > 255 { row.get_ushort(0) } else { row.get_ubyte(0).map(u16::from) };
            assert_eq!(pit.unwrap(), own);
        }
    }
}

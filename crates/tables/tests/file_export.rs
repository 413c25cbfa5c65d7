//! A layer in Parquet, read back.

use std::fs::File;

use lumbung_engine::rules::preset;
use lumbung_tables::file::export::Format;
use lumbung_tables::file::{Directory, Encoding, Writer};
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
    let positions = directory.export(6, Format::Parquet, &out, u64::MAX).unwrap();
    let reader = SerializedFileReader::new(File::open(&out).unwrap()).unwrap();
    let metadata = reader.metadata().file_metadata();
    assert_eq!(metadata.num_rows() as u64, positions);
    let columns: Vec<&str> = metadata.schema_descr().columns().iter().map(|column| column.name()).collect();
    assert_eq!(columns, ["own_1", "own_2", "own_3", "other_1", "other_2", "other_3", "value", "best"]);
    let about = metadata.key_value_metadata().unwrap();
    assert!(about.iter().any(|entry| entry.key == "lumbung.game" && entry.value.as_deref() == Some("kalah")));
    for (row, &value) in reader.get_row_iter(None).unwrap().zip(table.layer(6)) {
        let row = row.unwrap();
        assert_eq!(row.get_byte(6).unwrap(), value);
        let seeds: u32 = (0..6).map(|column| u32::from(row.get_ubyte(column).unwrap())).sum();
        assert_eq!(seeds, 6);
        assert!(row.get_ubyte(7).unwrap() <= 3);
    }
}

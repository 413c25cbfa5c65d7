//! Certificates that lean on a table: by which table they are borne out, and by which they are not.

use std::fs;
use std::path::Path;

use lumbung_engine::rules::{RuleSet, preset};
use lumbung_engine::{Owners, Position, Side};
use lumbung_proof::{Bound, Certificate, Claim, Contents, Entry, Key};
use lumbung_tables::Table;
use lumbung_tables::file::{Directory, Encoding, Writer};
use serde_json::{Value, json};

use crate::from_above::false_values;
use crate::run::run;
use crate::verify::{Place, certify, document, lean, python};

fn rules(game: &str) -> &'static RuleSet {
    &preset(game).expect("a preset").rules
}

fn load(table: &str) -> (Directory, Table) {
    let directory = Directory::open(Path::new(table)).expect("a table");
    let values = directory.load(directory.seeds().expect("layers"), u64::MAX).expect("values");
    (directory, values)
}

/// Writes a table of any values, with the checksums, statistics and digests that belong to them, of which not all layers need be there;
/// its digest.
fn forge(table: &str, game: &str, pits: usize, seeds: usize, layers: &[Vec<i8>]) -> [u8; 32] {
    let mut writer = Writer::new(Path::new(table), rules(game), pits, seeds, Encoding::Raw).expect("a table");
    layers.iter().for_each(|values| writer.write_layer(values).expect("a layer"));
    drop(writer);
    *Directory::open(Path::new(table)).expect("a table").digest()
}

/// Writes a certificate again with another table named in it.
fn name_another(file: &str, digest: [u8; 32]) {
    let certificate = Certificate::open(Path::new(file), 1 << 20).expect("readable");
    let entries = certificate.read_all().expect("readable");
    let (rules, owners, claims) = (certificate.rules(), certificate.owners(), certificate.claims());
    let contents = Contents { program: "a test", rules, owners, claims, entries, table: Some(digest) };
    lumbung_proof::write(Path::new(file), contents).expect("written");
}

/// What is wrong with it, by `verify --tables`.
fn fault(file: &str, table: &str) -> String {
    let refused = document("verify", 1, &[file, "--tables", table]);
    assert_eq!((&refused["status"], &refused["proves"]), (&json!("invalid"), &Value::Null));
    refused["fault"]["what"].as_str().expect("a fault").to_owned()
}

/// What a command says, however it is broken into lines.
fn told(code: i32, words: &[&str]) -> String {
    let ran = run(words);
    assert_eq!(ran.code, Some(code), "{words:?}: {}", ran.stderr);
    ran.stdout.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Every look-up bears the certificate out and every digest is right: only by the rules can it be seen that a value is false.
#[test]
fn a_forged_value_is_found_by_its_moves() {
    let place = Place::new();
    let (table, file) = lean(&place, "kalah");
    let (directory, right) = load(&table);
    let certificate = Certificate::open(Path::new(&file), 1 << 20).expect("readable");
    let entries = certificate.read_all().expect("readable");
    let leaves = entries.iter().filter(|entry| entry.from_table && matches!(entry.bound(), Bound::AtLeast(_)));
    let (mut forged, mut tried) = (place.path("forged"), 0);
    for leaf in leaves.step_by(3).take(3) {
        let position = leaf.key.position(certificate.owners());
        let seeds = position.seeds_in_play();
        let mut layers: Vec<Vec<i8>> =
            (0..=right.seeds()).map(|seeds| right.layer(seeds).bytes().expect("bytes").to_vec()).collect();
        let number = (0..layers[seeds].len()).find(|&at| directory.position(seeds, at as u64).expect("it") == position);
        layers[seeds][number.expect("a position of the layer")] += 2;
        let digest = forge(&forged, "kalah", 3, 8, &layers);
        name_another(&file, digest);
        document("verify", 3, &[&file]);
        let what = fault(&file, &forged);
        assert!(what.contains(&format!("layer-{seeds:03}.lum says")) && what.contains("by its moves it is"), "{what}");
        (forged, tried) = (forged + "-again", tried + 1);
    }
    assert!(tried > 1);
    // The same without a forgery.
    let layers: Vec<Vec<i8>> = (0..=right.seeds()).map(|seeds| right.layer(seeds).bytes().expect("bytes").to_vec()).collect();
    name_another(&file, forge(&forged, "kalah", 3, 8, &layers));
    document("verify", 0, &[&file, "--tables", &forged]);
}

/// A claim that is false, and a table in which false values bear each other out on a cycle: no value contradicts its moves.
#[test]
fn forged_values_on_a_cycle_are_found_by_finite_play() {
    let place = Place::new();
    let mut found = 0;
    for (game, pits, seeds) in [("awari", 2, 4), ("awari", 3, 3), ("djenon-abe", 2, 5)] {
        let (table, forged, file) = (place.path("right"), place.path("forged"), place.path("false.lumcert"));
        let (count, most) = (pits.to_string(), seeds.to_string());
        let built = run(&["table", "build", game, "--pits", &count, "--seeds", &most, "--out", &table]);
        assert_eq!(built.code, Some(0), "{}", built.stderr);
        let (directory, right) = load(&table);
        if let Some(values) = false_values(rules(game), &right) {
            found += 1;
            let at = (0..values.len())
                .find(|&at| values[at] > right.layer(seeds).bytes().expect("bytes")[at])
                .expect("a value above the right one");
            let start: Position = directory.position(seeds, at as u64).expect("a position");
            let bound = Bound::AtLeast(values[at].into());
            let mut layers: Vec<Vec<i8>> = (0..seeds).map(|seeds| right.layer(seeds).bytes().expect("bytes").to_vec()).collect();
            let value = values[at].into();
            layers.push(values);
            let digest = forge(&forged, game, pits, seeds, &layers);
            let entries = vec![Entry { key: Key::new(&start, bound), value, pit: None, counter: 0, from_table: true }];
            let claims = [Claim { start, player: Side::South, bound: value.into() }];
            let (program, rules, owners) = ("a test", rules(game), Owners::rows(pits));
            let contents = Contents { program, rules, owners, claims: &claims, entries, table: Some(digest) };
            lumbung_proof::write(Path::new(&file), contents).expect("written");
            document("verify", 3, &[&file]);
            let what = fault(&file, &forged);
            assert!(what.contains("no finite play reaches that"), "{what}");
            fs::remove_dir_all(&forged).expect("removed");
        }
        fs::remove_dir_all(&table).expect("removed");
    }
    assert!(found > 0);
}

/// What is not there says nothing about the certificate; that the table it names does not reach so far does.
#[test]
fn a_table_that_cannot_be_read_is_no_fault_of_the_certificate() {
    let place = Place::new();
    let (table, file) = lean(&place, "kalah");
    let (_, right) = load(&table);
    for layer in ["layer-000.lum", "layer-004.lum", "layer-008.lum"] {
        let (layer, aside) = (Path::new(&table).join(layer), place.path("aside"));
        fs::rename(&layer, &aside).expect("moved");
        let refused = run(&["verify", &file, "--tables", &table]);
        assert_eq!(refused.code, Some(2), "{}", refused.stdout);
        assert!(refused.stderr.contains("cannot read") && refused.stderr.contains("layer-00"), "{}", refused.stderr);
        fs::rename(&aside, &layer).expect("moved");
    }
    assert_eq!(run(&["verify", &file, "--tables", &table]).code, Some(0));
    let low: Vec<Vec<i8>> = (0..=5).map(|seeds| right.layer(seeds).bytes().expect("bytes").to_vec()).collect();
    for (name, seeds) in [("low", 5), ("unfinished", 8)] {
        name_another(&file, forge(&place.path(name), "kalah", 3, seeds, &low));
        let what = fault(&file, &place.path(name));
        assert!(what.contains("goes up to 5"), "{what}");
    }
}

#[test]
fn a_start_that_is_left_to_the_table_has_its_own_words() {
    let place = Place::new();
    let (table, _) = lean(&place, "kalah");
    let file = place.path("start.lumcert");
    certify(&file, &["kalah", "--board", "3x1", "--tables", &table, "--lean-on-table"]);
    let text = told(3, &["verify", &file, "--explain"]);
    assert!(text.contains("the start is already left to the endgame table: by it South to move gains at least"), "{text}");
    assert!(!text.contains("Nothing need be played"), "{text}");
}

fn crc32(bytes: &[u8]) -> u32 {
    let bit = |crc: u32| if crc & 1 == 1 { crc >> 1 ^ 0xedb8_8320 } else { crc >> 1 };
    !bytes.iter().fold(!0, |crc, &byte| (0..8).fold(crc ^ u32::from(byte), |crc, _| bit(crc)))
}

/// No program writes such a file, but it is one, and a proof by itself.
#[test]
fn a_table_that_is_named_in_vain_is_not_leant_on() {
    let place = Place::new();
    let (table, _) = lean(&place, "kalah");
    let file = place.path("whole.lumcert");
    certify(&file, &["kalah", "--board", "3x3"]);
    let bytes = fs::read(&file).expect("read");
    let (prelude, rest) = bytes.split_at(16);
    let (header, blocks) = rest.split_at(u32::from_le_bytes([prelude[8], prelude[9], prelude[10], prelude[11]]) as usize);
    let header = [header, load(&table).0.digest(), &8_u16.to_le_bytes()].concat();
    let prelude = [b"lumcert\x02", &(header.len() as u32).to_le_bytes()[..], &crc32(&header).to_le_bytes()].concat();
    fs::write(&file, [&prelude, &header, blocks].concat()).expect("written");
    for words in [&[file.as_str()][..], &[&file, "--tables", &table]] {
        let verified = document("verify", 0, words);
        let table = &verified["table"];
        assert_eq!(
            (&table["leaves"], &table["directory"], &table["checked"]),
            (&json!(0), &Value::Null, &Value::Null),
            "{words:?}"
        );
        let text = told(0, &[&["verify"], words].concat());
        assert!(text.contains("but leaves no position to it"), "{text}");
    }
    if let Some(verdicts) = python(&[file]) {
        assert_eq!(verdicts, [true]);
    }
}

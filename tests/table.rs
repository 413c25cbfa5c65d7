//! Endgame tables through the binary: the documents, the literature, and what happens when things go wrong.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use serde_json::Value;
use tempfile::TempDir;

use crate::contract;
use crate::run::{Ran, binary, run};

/// Runs `lumbung table` with `--json` and holds its document against the schema.
fn document(command: &str, code: i32, words: &[&str]) -> Value {
    contract::document(&format!("table-{command}"), code, &[&["table", command][..], words].concat())
}

/// A place for tables that is removed in the end.
struct Place(TempDir);

impl Place {
    fn new() -> Self {
        Place(tempfile::tempdir().expect("a temporary directory"))
    }

    fn join(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn path(&self, name: &str) -> String {
        self.join(name).to_str().expect("a path in UTF-8").to_owned()
    }
}

const KALAH: [&str; 5] = ["kalah", "--pits", "4", "--seeds", "8"];

fn build(words: &[&str], out: &str) -> Ran {
    let ran = run(&[&["table", "build"], words, &["--out", out]].concat());
    assert_eq!(ran.code, Some(0), "{words:?}: {}", ran.stderr);
    ran
}

/// The files of a directory and their bytes.
fn bytes(directory: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = fs::read_dir(directory).expect("a directory").map(|entry| entry.expect("an entry"));
    entries.map(|entry| (entry.file_name().into_string().expect("UTF-8"), fs::read(entry.path()).expect("a file"))).collect()
}

/// A refusal: exit code 2 and one line that says all of this.
fn refused(words: &[&str], parts: &[&str]) {
    let ran = run(words);
    assert_eq!(ran.code, Some(2), "{words:?}: {} {}", ran.stdout, ran.stderr);
    assert_eq!((ran.stdout.as_str(), ran.stderr.lines().count()), ("", 1), "{words:?}: {}", ran.stderr);
    parts.iter().for_each(|part| assert!(ran.stderr.contains(part), "{words:?}: no {part:?} in {}", ran.stderr));
}

#[test]
fn documents() {
    let place = Place::new();
    let out = place.path("k8");
    let plan = document("plan", 0, &KALAH);
    // Boards of 8 pits with up to 8 seeds: C(16, 8).
    assert_eq!((&plan["positions"], &plan["fits"]), (&12870.into(), &true.into()));
    let built = document("build", 0, &[&KALAH[..], &["--out", &out]].concat());
    assert_eq!((&built["positions"], &built["complete"], &built["kept"]), (&12870.into(), &true.into(), &0.into()));
    ["compute", "encode", "write", "total"].iter().for_each(|part| assert!(built["seconds"][part].is_number(), "{built}"));
    let again = document("build", 0, &[&KALAH[..], &["--out", &out]].concat());
    assert_eq!((&again["kept"], &again["bytes"]), (&9.into(), &built["bytes"]));
    let info = document("info", 0, &[&out]);
    assert_eq!((&info["positions"], &info["bytes"]), (&built["positions"], &built["bytes"]));
    let stats = document("stats", 0, &[&out]);
    assert_eq!(stats["layers"].as_array().map(Vec::len), Some(9));
    // No seeds: nobody gains. One seed: it stays with the player in whose row it is.
    assert_eq!(stats["layers"][0]["histogram"], serde_json::json!({"0": 1}));
    assert_eq!(stats["layers"][1]["histogram"], serde_json::json!({"-1": 4, "1": 4}));
    let layer = document("stats", 0, &[&out, "--seeds", "8"]);
    let extreme = document("query", 0, &[&out, "--position", layer["layers"][0]["max_position"].as_str().expect("a position")]);
    assert_eq!(extreme["value"], layer["layers"][0]["max"]);
    let whole = document("verify", 0, &[&out]);
    assert_eq!((&whole["valid"], &whole["positions"], &whole["fault"]), (&true.into(), &12870.into(), &Value::Null));
    let sample = document("verify", 0, &[&out, "--sample", "1000", "--seed", "3"]);
    assert_eq!((&sample["sample"], &sample["positions"]), (&1000.into(), &1000.into()));
    document("export", 0, &[&out, "--seeds", "2", "--format", "parquet", "--out", &place.path("k2.parquet")]);
    for words in [&["info"][..], &["stats"], &["stats", "--seeds", "3"], &["verify"], &["query", "--position", "1,0,0,2/0,1,0,0"]]
    {
        assert!(!run(&[&["table", words[0], &out], &words[1..]].concat()).text().is_empty());
    }
}

/// One seed in play, six pits a row, by hand: in her last pit it is stored; elsewhere in her row she moves it on and he, with an
/// empty row, has no move, so the game ends and she keeps it; in his row it is his as she has no move.
#[test]
fn one_seed() {
    let place = Place::new();
    let out = place.path("k1");
    build(&["kalah", "--pits", "6", "--seeds", "1"], &out);
    for (position, value) in [("0,0,0,0,0,1/0,0,0,0,0,0", 1), ("1,0,0,0,0,0/0,0,0,0,0,0", 1), ("0,0,0,0,0,0/0,1,0,0,0,0", -1)] {
        let found = document("query", 0, &[&out, "--position", position]);
        assert_eq!(found["value"], value, "{position}");
    }
}

/// Irving, Donkers, Uiterwijk 2000, Table 8: Kalah(6), positions with up to n counters and no empty row. The first figure printed
/// is for 17 counters; the formula behind all of them is C(n+12, 12) - 2 C(n+6, 6) + 1.
#[test]
fn counts_of_irving_table_8() {
    let place = Place::new();
    let out = place.path("k17");
    build(&["kalah", "--pits", "6", "--seeds", "17"], &out);
    let info = document("info", 0, &[&out]);
    let choose = |n: u64, k: u64| (1..=k).fold(1, |product, i| product * (n - k + i) / i);
    let layers = info["layers"].as_array().expect("layers");
    for (seeds, layer) in layers.iter().enumerate() {
        let n = seeds as u64;
        assert_eq!(layer["no_empty_row_up_to"], choose(n + 12, 12) + 1 - 2 * choose(n + 6, 6), "{n} counters");
    }
    assert_eq!(layers[17]["no_empty_row_up_to"], 51_694_042);
    assert!(info["bits_a_position"].as_f64().is_some_and(|bits| bits < 1.4), "{}", info["bits_a_position"]);
}

/// Games that can repeat a position go through the same commands, and `verify` says how it checked them.
#[test]
fn games_that_repeat_positions() {
    let place = Place::new();
    for (game, pits, seeds) in [("awari", "3", "7"), ("djenon-abe", "3", "6"), ("san-yao", "3", "5")] {
        let out = place.path(game);
        let which = [game, "--pits", pits, "--seeds", seeds];
        let builder = if game == "san-yao" { "sweeps" } else { "row-sweeps" };
        assert_eq!(document("plan", 0, &which)["builder"], builder);
        document("build", 0, &[&which[..], &["--out", &out]].concat());
        let stats = document("stats", 0, &[&out]);
        assert_eq!(document("verify", 0, &[&out])["method"], "finite-play");
        assert_eq!(document("verify", 0, &[&out, "--sample", "100"])["method"], "moves-only");
        assert!(run(&["table", "verify", &out, "--sample", "100"]).text().contains("Not proven"));
        for layer in stats["layers"].as_array().expect("layers").iter().skip(3) {
            for extreme in ["max", "min"] {
                let position = layer[format!("{extreme}_position")].as_str().expect("a position");
                let found = document("query", 0, &[&out, "--position", position]);
                assert_eq!(found["value"], layer[extreme]);
                let searched = lumbung!("analyse", game, "--position", position, "--json").json();
                assert_eq!(found["value"], searched["value"], "{game} {position}");
            }
        }
        document("export", 0, &[&out, "--seeds", "4", "--format", "csv", "--out", &place.path("layer.csv")]);
    }
}

#[test]
fn look_ups_agree_with_search() {
    let place = Place::new();
    for game in ["kalah", "dakon", "kalah-empty-capture", "sungka"] {
        let out = place.path(game);
        build(&[game, "--pits", "5", "--seeds", "7"], &out);
        for position in [
            "0,1,0,2,0/3,0,0,1,0",
            "0,0,1,0,0/0,2,2,0,2",
            "1,0,0,0,6/0,0,0,0,0",
            "0,0,0,0,0/1,1,1,0,0",
            "2,1,1,0,0/0,1,2,0,0/9,3/n",
        ] {
            let found = document("query", 0, &[&out, "--position", position]);
            let searched = lumbung!("analyse", game, "--position", position, "--json").json();
            assert_eq!(found["value"], searched["value"], "{game} {position}");
            let moves = searched["moves"].as_array().expect("moves");
            assert_eq!(found["moves"].as_array().map(Vec::len), Some(moves.len()));
            for (at, choice) in moves.iter().enumerate() {
                for field in ["pit", "value", "gain", "again"] {
                    assert_eq!(found["moves"][at][field], choice[field], "{game} {position} {field}");
                }
            }
            // The line is legal, and ends with the value.
            let line = found["line"].as_str().expect("a line");
            let whole = found["position"].as_str().expect("a position");
            if !line.is_empty() {
                let played = lumbung!("play", game, "--position", whole, "--moves", line, "--json").json();
                let before = lumbung!("play", game, "--position", whole, "--json").json();
                let sign = if whole.ends_with("/n") { -1 } else { 1 };
                let gained = played["margin"].as_i64().expect("a margin") - before["margin"].as_i64().expect("a margin");
                assert_eq!(
                    (&played["over"], Some(sign * gained)),
                    (&true.into(), found["value"].as_i64()),
                    "{game} {position} {line}"
                );
            }
        }
    }
}

/// In San-Yao's later rounds a player owns pits of the other's row, and both see a game of their own.
#[test]
fn look_ups_agree_with_search_for_any_owners() {
    let place = Place::new();
    let out = place.path("sons");
    let built = build(&["san-yao", "--pits", "3", "--seeds", "8", "--owners", "ssssnn"], &out);
    assert!(built.stdout.contains("owners ssssnn"), "{}", built.stdout);
    assert_eq!(document("info", 0, &[&out])["owners"], "ssssnn");
    document("stats", 0, &[&out]);
    for position in [
        "1,2,1/0,3,1/0,0/s/ssssnn",
        "1,2,1/0,3,1/0,0/n/ssssnn",
        "0,0,0/4,0,2/2,1/s/ssssnn",
        "3,0,1/0,2,2/0,0/n/ssssnn",
        "0,5,0/0,1,0/3,0/s/ssssnn",
    ] {
        let found = document("query", 0, &[&out, "--position", position]);
        let searched = lumbung!("analyse", "san-yao", "--position", position, "--json").json();
        assert_eq!(found["value"], searched["value"], "{position}");
        for (at, choice) in searched["moves"].as_array().expect("moves").iter().enumerate() {
            assert_eq!(
                (&found["moves"][at]["pit"], &found["moves"][at]["value"]),
                (&choice["pit"], &choice["value"]),
                "{position}"
            );
        }
    }
    assert_eq!(document("verify", 0, &[&out])["method"], "finite-play");
    exports_say_who_is_to_move(&place, &out);
    let mine = ["table", "query", out.as_str(), "--position"];
    refused(&[&mine[..], &["1,2,1/0,3,1"]].concat(), &["owners ssssnn, not sssnnn"]);
    refused(&[&mine[..], &["1,2,1/0,3,1/0,0/s/snsnsn"]].concat(), &["not snsnsn"]);
    let plan = |words: &[&'static str]| [&["table", "plan"], words].concat();
    refused(&plan(&["san-yao", "--pits", "3", "--seeds", "4", "--owners", "ssssnx"]), &["'x'", "s or n"]);
    refused(&plan(&["san-yao", "--pits", "3", "--seeds", "4", "--owners", "sssn"]), &["4 owners", "6 pits"]);
    refused(&plan(&["kalah", "--pits", "3", "--seeds", "4", "--owners", "ssssnn"]), &["rounds.kind", "territory"]);
    refused(&["solve", "san-yao", "--position", "1,0,2/3,0,1", "--tables", &out], &["owners ssssnn, not sssnnn"]);
}

/// Every row of an exported layer, looked up again with the player it names; and NumPy's file says the same.
fn exports_say_who_is_to_move(place: &Place, table: &str) {
    let export = |format: &str| {
        let file = place.path(&format!("sons.{format}"));
        document("export", 0, &[table, "--seeds", "3", "--format", format, "--out", &file]);
        fs::read(file).expect("a file")
    };
    let (csv, npy) = (String::from_utf8(export("csv")).expect("text"), export("npy"));
    let mut lines = csv.lines();
    assert_eq!(lines.next(), Some("mover,own_1,own_2,own_3,other_1,other_2,other_3,value,best"));
    assert!(npy.windows(16).any(|bytes| bytes == b"('mover', '|S1')"));
    // Boards of six pits with three seeds, C(8, 5), for each of the two; nine bytes a record.
    let records = &npy[npy.len() - 2 * 56 * 9..];
    let mut seen = 0;
    for (line, record) in lines.zip(records.chunks(9)) {
        let (mover, numbers) = line.split_once(',').expect("columns");
        let numbers: Vec<i64> = numbers.split(',').map(|number| number.parse().expect("a number")).collect();
        let same: Vec<i64> = record
            .iter()
            .enumerate()
            .skip(1)
            .map(|(at, &byte)| if at == 7 { (byte as i8).into() } else { byte.into() })
            .collect();
        assert_eq!((mover.as_bytes(), &numbers), (&record[..1], &same));
        seen += 1;
        // One in ten, of both halves, is looked up.
        if seen % 10 != 0 {
            continue;
        }
        let row = |pits: &[i64]| pits.iter().map(i64::to_string).collect::<Vec<_>>().join(",");
        let (own, other) = (row(&numbers[..3]), row(&numbers[3..6]));
        let rows = if mover == "s" { format!("{own}/{other}") } else { format!("{other}/{own}") };
        let found = document("query", 0, &[table, "--position", &format!("{rows}/0,0/{mover}/ssssnn")]);
        assert_eq!(found["value"], numbers[6], "{line}");
    }
    assert_eq!((seen, csv.matches("\ns,").count(), csv.matches("\nn,").count()), (112, 56, 56));
}

#[test]
fn threads_do_not_show() {
    let place = Place::new();
    for (game, pits, seeds, encoding) in [("kalah", "6", "9", "compact"), ("dakon", "7", "6", "raw")] {
        let made = ["1", "2"].map(|threads| {
            let out = place.path(&format!("{game}-{threads}"));
            build(&[game, "--pits", pits, "--seeds", seeds, "--encoding", encoding, "--threads", threads], &out);
            bytes(Path::new(&out))
        });
        assert_eq!(made[0], made[1]);
    }
}

/// Bad luck a hundred times: the build is killed at some moment, and the next one goes on. Whatever is there in between is a table
/// or none, never half a file under a whole one's name; the end is the same as without bad luck.
#[test]
fn killed_at_random_moments() {
    let place = Place::new();
    let words = ["kalah", "--pits", "5", "--seeds", "9", "--threads", "1"];
    build(&words, &place.path("whole"));
    let whole = bytes(&place.join("whole"));
    let mut finished = 0;
    let mut word = 20_261_129u64;
    for round in 0..100 {
        word = word.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let out = place.path(&format!("killed-{finished}"));
        let mut child = binary()
            .args([&["table", "build"], &words[..], &["--out", &out, "--quiet"]].concat())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("the binary runs");
        std::thread::sleep(Duration::from_micros(word >> 33 & 0x7fff));
        child.kill().expect("it can be killed");
        child.wait().expect("it ends");
        for (name, found) in bytes_if_any(&place.join(&format!("killed-{finished}"))) {
            if name.ends_with(".lum") {
                assert_eq!(found, whole[&name], "round {round}: {name}");
            }
        }
        let info = lumbung!("table", "info", &out);
        assert!(
            info.code == Some(0) || info.stderr.contains("holds no table") || info.stderr.contains("No such file"),
            "{}",
            info.stderr
        );
        if info.code == Some(0) && !info.stdout.contains("Not complete") {
            assert_eq!(bytes(Path::new(&out)), whole);
            finished += 1;
        }
    }
    let out = place.path(&format!("killed-{finished}"));
    build(&words, &out);
    assert_eq!(bytes(Path::new(&out)), whole);
}

fn bytes_if_any(directory: &Path) -> BTreeMap<String, Vec<u8>> {
    if directory.is_dir() { bytes(directory) } else { BTreeMap::new() }
}

/// A file may not grow beyond some size, which is what a full disk looks like to a program: one clear line, and what was there
/// stays.
#[test]
fn a_full_disk() {
    let place = Place::new();
    let out = place.path("full");
    build(&["kalah", "--pits", "6", "--seeds", "6"], &out);
    let before = bytes(Path::new(&out));
    // 24 blocks of 512 bytes; the signal that comes with it is ignored, so that the write fails.
    let script = r#"trap '' XFSZ; ulimit -f 24; exec "$0" "$@""#;
    let words = ["table", "build", "kalah", "--pits", "6", "--seeds", "11", "--encoding", "compact", "--quiet", "--json"];
    let ran: Ran = Command::new("sh")
        .args(["-c", script, env!("CARGO_BIN_EXE_lumbung")])
        .args(words)
        .args(["--out", &out])
        .output()
        .expect("a shell")
        .into();
    assert_eq!(ran.code, Some(2), "{} {}", ran.stdout, ran.stderr);
    assert_eq!(ran.stderr.lines().count(), 1, "{}", ran.stderr);
    assert!(ran.stderr.contains("cannot write") && ran.stderr.contains("layer-0"), "{}", ran.stderr);
    let after = bytes(Path::new(&out));
    before.iter().filter(|(name, _)| name.ends_with(".lum")).for_each(|(name, bytes)| assert_eq!(&after[name], bytes));
    assert!(after.keys().all(|name| !name.ends_with(".tmp")), "{:?}", after.keys());
    assert_eq!(lumbung!("table", "verify", &out).code, Some(0));
    let export = ["table", "export", &out, "--seeds", "6", "--format", "csv", "--out", &place.path("k6.csv")];
    let ran: Ran =
        Command::new("sh").args(["-c", script, env!("CARGO_BIN_EXE_lumbung")]).args(export).output().expect("a shell").into();
    assert_eq!((ran.code, ran.stderr.lines().count()), (Some(2), 1), "{}", ran.stderr);
    assert!(!place.join("k6.csv").exists() && !place.join("k6.csv.tmp").exists());
    build(&["kalah", "--pits", "6", "--seeds", "11"], &out);
    build(&["kalah", "--pits", "6", "--seeds", "11"], &place.path("whole"));
    assert_eq!(bytes(Path::new(&out)), bytes(&place.join("whole")));
}

/// A disk that is full: a file system of 160 KiB, mounted in a namespace of its own, which many systems let anybody make.
#[test]
fn no_space_left_on_the_device() {
    let script = r#"
        mount -t tmpfs -o size=160k none "$0" || exit 99
        "$1" table build kalah --pits 6 --seeds 6 --out "$0/t" --quiet > "$0/log" || exit 98
        rm "$0/log"
        "$1" table build kalah --pits 6 --seeds 12 --out "$0/t" --quiet --json; echo "build $?"
        "$1" table verify "$0/t" --json > "$2"; echo "verify $?"
        "$1" table export "$0/t" --seeds 6 --format csv --out "$0/t.csv" --json; echo "export $?"
        cd "$0" && ls . t
    "#;
    let place = Place::new();
    let disk = place.path("disk");
    fs::create_dir(&disk).expect("a directory");
    let ran: Ran = Command::new("unshare")
        .args(["--user", "--map-root-user", "--mount", "sh", "-c", script, &disk, env!("CARGO_BIN_EXE_lumbung")])
        .arg(place.path("verified"))
        .output()
        .map_or(Ran { code: None, stdout: String::new(), stderr: "there is no unshare".to_owned() }, Ran::from);
    if ran.code == Some(98) || !ran.stdout.contains("build ") {
        assert_ne!(ran.code, Some(98), "{}", ran.stderr);
        eprintln!("skipped, as this system mounts nothing for us: {}", ran.stderr);
        return;
    }
    let (said, files) = ran.stdout.split_once("export 2\n").unwrap_or_else(|| panic!("{} {}", ran.stdout, ran.stderr));
    assert_eq!(said, "build 2\nverify 0\n");
    let verified: Value = serde_json::from_slice(&fs::read(place.join("verified")).expect("a document")).expect("JSON");
    assert!(verified["layers"].as_u64().is_some_and(|layers| (7..12).contains(&layers)), "{verified}");
    let complaints: Vec<&str> = ran.stderr.lines().collect();
    assert_eq!(complaints.len(), 2, "{complaints:?}");
    assert!(complaints.iter().all(|line| line.contains("cannot write") && line.contains("No space left")), "{complaints:?}");
    assert!(!files.contains(".tmp") && !files.contains("csv"), "{files}");
}

#[test]
fn other_rules_are_refused_by_name() {
    let place = Place::new();
    let out = place.path("k8");
    build(&KALAH, &out);
    let other = ["a table of kalah, but by other rules: ", "capture.opposite.landing-seed"];
    for words in [&["verify"][..], &["info"], &["stats"], &["query", "--position", "1,0,0,0/0,0,0,1"]] {
        let words = [&["table", words[0], &out], &words[1..], &["--set", "capture.opposite.landing-seed=take"]].concat();
        refused(&words, &other);
    }
    refused(&["table", "build", "dakon", "--pits", "4", "--seeds", "8", "--out", &out], &["a table of kalah, not of dakon"]);
    refused(&["table", "build", "kalah", "--pits", "5", "--seeds", "8", "--out", &out], &["4 pits a row, not of 5"]);
    // The same rules from a file.
    let rules = place.path("rules.toml");
    fs::write(&rules, run(&["games", "show", "kalah", "--toml"]).text()).expect("written");
    document("verify", 0, &[&out, "--rules", &rules]);
}

#[test]
fn bad_questions() {
    let place = Place::new();
    let out = place.path("k8");
    build(&KALAH, &out);
    let query = |position| ["table", "query", out.as_str(), "--position", position];
    refused(&query("1,0,0/0,0,1"), &["a table of 4 pits a row, not of 3"]);
    refused(&query("9,0,0,0/0,0,0,0"), &["9 seeds in play", "up to 8"]);
    refused(&query("x"), &["x"]);
    refused(&["table", "stats", &out, "--seeds", "9"], &["9 seeds in play", "up to 8"]);
    refused(&["table", "info", &place.path("nothing")], &["nothing"]);
    refused(&["table", "info", place.0.path().to_str().expect("UTF-8")], &["holds no table"]);
    refused(
        &["table", "build", "kalah", "--pits", "4", "--seeds", "8", "--out", place.0.path().to_str().expect("UTF-8")],
        &["it is not empty"],
    );
    let new = place.path("row-owner");
    for work in [&["table", "plan"][..], &["table", "build", "--out", &new]] {
        for game in ["awari", "djenon-abe"] {
            let board = [game, "--pits", "6", "--seeds", "8", "--set", "end.cycle=row-owner"];
            refused(&[work, &board].concat(), &["the position that recurs first", "end.cycle", "tables need \"zero\""]);
        }
    }
    assert!(!std::path::Path::new(&new).exists());
    for (pits, seeds, parts) in [
        ("19", "8", ["'19'", "1 to 18"]),
        ("0", "8", ["'0'", "1 to 18"]),
        ("six", "8", ["'six'", "1 to 18"]),
        ("6", "1024", ["'1024'", "0 to 1023"]),
        ("6", "-1", ["'-1'", "0 to 1023"]),
        ("6", "few", ["'few'", "0 to 1023"]),
    ] {
        refused(&["table", "plan", "kalah", "--pits", pits, "--seeds", seeds], &parts);
    }
    refused(&["table", "stats", &out, "--seeds", "x"], &["'x'", "0 to 1023"]);
    refused(&["table", "export", &out, "--seeds", "1.5", "--format", "csv", "--out", "x.csv"], &["'1.5'", "0 to 1023"]);
    refused(&["table", "verify", &out, "--sample", "0"], &["'0'", "from 1"]);
    refused(
        &["table", "plan", "kalah", "--pits", "6", "--seeds", "8", "--parity", "even"],
        &["--parity even", "needs layers of the other parity"],
    );
    let large = ["kalah", "--pits", "6", "--seeds", "30", "--memory", "100MB"];
    let plan = document("plan", 0, &large);
    let fitting = plan["fitting_seeds"].as_u64().expect("some seeds fit");
    // A byte a position: up to 19 seeds they are 141 million, up to 13 seeds 5 million.
    assert!((14..19).contains(&fitting) && plan["fits"] == false, "{plan}");
    for (seeds, fits) in [(fitting, true), (fitting + 1, false)] {
        let plan = document("plan", 0, &["kalah", "--pits", "6", "--seeds", &seeds.to_string(), "--memory", "100MB"]);
        assert_eq!(plan["fits"], fits, "{plan}");
    }
    refused(
        &[&["table", "build"], &large[..], &["--out", &place.path("k30")]].concat(),
        &["30 seeds", "95.4 MiB may be used", &format!("enough for {fitting} seeds")],
    );
    assert!(!place.join("k30").exists());
    // 125,970 positions: more than the least memory that may be given.
    let k12 = place.path("k12");
    build(&["kalah", "--pits", "4", "--seeds", "12"], &k12);
    refused(&["table", "verify", &k12, "--memory", "64KiB"], &["--sample"]);
}

#[test]
fn one_flipped_byte() {
    let place = Place::new();
    let out = place.path("k8");
    build(&KALAH, &out);
    let path = place.join("k8").join("layer-007.lum");
    let whole = fs::read(&path).expect("a layer");
    for at in (0..whole.len()).step_by(whole.len() / 12) {
        let mut bytes = whole.clone();
        bytes[at] ^= 4;
        fs::write(&path, &bytes).expect("written");
        let report = run(&["table", "verify", &out, "--json"]);
        assert_eq!(report.code, Some(1), "byte {at}: {}", report.stderr);
        let report = report.json();
        assert_eq!((&report["valid"], &report["fault"]["seeds"]), (&false.into(), &7.into()), "byte {at}");
        // To whoever only reads it is bad input, or the damage is elsewhere.
        let found = run(&["table", "query", &out, "--position", "0,0,0,7/0,0,0,0", "--json"]);
        match found.code {
            Some(0) => assert_eq!(found.json()["value"], 7),
            code => assert_eq!((code, found.stderr.contains("layer-007.lum is damaged")), (Some(2), true), "{}", found.stderr),
        }
    }
}

#[test]
fn exports_agree() {
    let place = Place::new();
    let out = place.path("k8");
    build(&KALAH, &out);
    let export = |format: &str| {
        let file = place.path(&format!("k5.{format}"));
        let document = document("export", 0, &[&out, "--seeds", "5", "--format", format, "--out", &file]);
        // Boards of 8 pits with 5 seeds: C(12, 7).
        assert_eq!(document["positions"], 792);
        fs::read(file).expect("a file")
    };
    let csv = String::from_utf8(export("csv")).expect("text");
    let mut lines = csv.lines();
    assert_eq!(lines.next(), Some("own_1,own_2,own_3,own_4,other_1,other_2,other_3,other_4,value,best"));
    let npy = export("npy");
    let records = &npy[npy.len() - 792 * 10..];
    for (line, record) in lines.zip(records.chunks(10)) {
        let numbers: Vec<i64> = line.split(',').map(|number| number.parse().expect("a number")).collect();
        let same: Vec<i64> =
            record.iter().enumerate().map(|(at, &byte)| if at == 8 { (byte as i8).into() } else { byte.into() }).collect();
        assert_eq!(numbers, same);
        let row = |pits: &[i64]| pits.iter().map(i64::to_string).collect::<Vec<_>>().join(",");
        if numbers[0] == 1 && numbers[4] == 0 && numbers[7] == 1 {
            let found = document("query", 0, &[&out, "--position", &format!("{}/{}", row(&numbers[..4]), row(&numbers[4..8]))]);
            assert_eq!(found["value"], numbers[8]);
            let best = found["moves"].as_array().expect("moves").iter().find(|choice| choice["value"] == numbers[8]);
            assert_eq!(best.map_or(0.into(), |choice| choice["pit"].clone()), numbers[9]);
        }
    }
    assert!(export("parquet").starts_with(b"PAR1"));
}

/// The page for people with notebooks, run as it stands there.
#[test]
fn ten_lines_of_python() {
    let has_numpy = Command::new("python3").args(["-c", "import numpy"]).output().is_ok_and(|ran| ran.status.success());
    if !has_numpy {
        assert!(std::env::var_os("CI").is_none(), "python3 with numpy must be installed where CI is set");
        eprintln!("skipped: no python3 with numpy");
        return;
    }
    let page = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/reading-tables.md")).expect("the page");
    let code = page.split("```python\n").nth(1).and_then(|rest| rest.split("```").next()).expect("a block of Python");
    let place = Place::new();
    build(&KALAH, &place.path("k8"));
    run(&["table", "export", &place.path("k8"), "--seeds", "8", "--format", "npy", "--out", &place.path("k8.npy")]).text();
    let ran: Ran = Command::new("python3").args(["-c", code]).current_dir(place.0.path()).output().expect("python3").into();
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let stats = document("stats", 0, &[&place.path("k8"), "--seeds", "8"]);
    let layer = &stats["layers"][0];
    // Boards of 8 pits with 8 seeds: C(15, 7).
    assert!(ran.stdout.starts_with(&format!("6435 positions, {} of them won", layer["win"])), "{}", ran.stdout);
    assert!(ran.stdout.contains(&format!("lowest {} highest {}", layer["min"], layer["max"])), "{}", ran.stdout);
    let found = document("query", 0, &[&place.path("k8"), "--position", "2,0,1,1/0,3,0,1"]);
    assert!(ran.stdout.contains(&format!("2,0,1,1/0,3,0,1: {} by pit", found["value"])), "{}", ran.stdout);
}

/// What is no table's own fault elsewhere is one within it: a layer of another format, a file that would take the place of its own.
#[test]
fn a_table_is_kept_from_harm() {
    let place = Place::new();
    let table = place.path("k3");
    build(&["kalah", "--pits", "2", "--seeds", "3"], &table);
    for file in ["table.toml", "layer-003.lum", "new.csv"] {
        let out = format!("{table}/{file}");
        refused(&["table", "export", &table, "--seeds", "3", "--format", "csv", "--out", &out], &[file, "choose another place"]);
    }
    let checked = document("verify", 0, &[&table]);
    assert_eq!((&checked["layers"], &checked["wanted"]), (&4.into(), &4.into()));
    let path = format!("{table}/layer-003.lum");
    let mut bytes = std::fs::read(&path).expect("a layer");
    bytes[7] ^= 8;
    std::fs::write(&path, bytes).expect("a layer of another format");
    let fault = document("verify", 1, &[&table]);
    assert!(fault["fault"]["what"].as_str().is_some_and(|what| what.contains("has format 9")), "{fault}");
}

/// Less memory than all layers take, but enough for the highest: the others lie on disk until the table is built.
#[cfg(target_os = "linux")]
#[test]
fn layers_that_do_not_fit_into_memory() {
    let place = Place::new();
    let (usual, tight) = (place.path("usual"), place.path("tight"));
    let which = ["awari", "--pits", "5", "--seeds", "11"];
    let planned = document("plan", 0, &which);
    let least = planned["aside"]["memory"].as_u64().expect("layers can lie on disk");
    assert!(least < planned["memory"].as_u64().expect("bytes"), "{planned}");
    // Boards of 10 pits with up to 11 seeds: C(21, 10); the base of the highest layer takes its place there.
    assert_eq!(planned["aside"]["disk"], 352_716, "{planned}");
    let memory = least.to_string();
    let tightly = [&which[..], &["--memory", &memory]].concat();
    assert!(run(&[&["table", "plan"], &tightly[..]].concat()).text().contains("on disk for finished layers"));
    document("build", 0, &[&which[..], &["--out", &usual]].concat());
    document("build", 0, &[&tightly[..], &["--out", &tight]].concat());
    assert_eq!(document("info", 0, &[&usual])["layers"], document("info", 0, &[&tight])["layers"]);
    // One byte too little for all in memory: what the plan says of the disk holds as well.
    let memory = (planned["memory"].as_u64().expect("bytes") - 1).to_string();
    let nearly = [&which[..], &["--memory", &memory]].concat();
    assert!(run(&[&["table", "plan"], &nearly[..]].concat()).text().contains("on disk for finished layers"));
    document("build", 0, &[&nearly[..], &["--out", &place.path("nearly")]].concat());
    assert_eq!(document("info", 0, &[&usual])["layers"], document("info", 0, &[&place.path("nearly")])["layers"]);
    let memory = (least - 1).to_string();
    refused(&[&["table", "build"], &which[..], &["--memory", &memory, "--out", &tight]].concat(), &["11 seeds", "enough for 10"]);
}

/// Captures of Djenon-abe are even, so its even layers do without the odd ones.
#[test]
fn layers_of_one_parity() {
    let place = Place::new();
    let (all, even) = (place.path("all"), place.path("even"));
    let which = ["djenon-abe", "--pits", "3", "--seeds", "8"];
    let planned = document("plan", 0, &[&which[..], &["--parity", "even"]].concat());
    let built = document("build", 0, &[&which[..], &["--parity", "even", "--out", &even]].concat());
    // Boards of 6 pits with 0, 2, 4, 6 and 8 seeds: 1 + 21 + 126 + 462 + 1287.
    assert_eq!((&planned["positions"], &built["positions"]), (&1897.into(), &1897.into()));
    assert_eq!((&built["parity"], &built["layers"], &built["complete"]), (&"even".into(), &5.into(), &true.into()));
    document("build", 0, &[&which[..], &["--out", &all]].concat());
    let (of_all, of_even) = (document("stats", 0, &[&all]), document("stats", 0, &[&even]));
    let layers = of_all["layers"].as_array().expect("layers").iter().step_by(2).cloned().collect::<Vec<_>>();
    assert_eq!(of_even["layers"].as_array(), Some(&layers));
    assert!(run(&["table", "info", &even]).text().contains("Only even layers."));
    let checked = document("verify", 0, &[&even]);
    assert_eq!((&checked["method"], &checked["positions"]), (&"finite-play".into(), &1897.into()));
    document("verify", 0, &[&even, "--sample", "50"]);
    document("export", 0, &[&even, "--seeds", "6", "--format", "csv", "--out", &place.path("six.csv")]);
    refused(&["table", "query", &even, "--position", "1,1,0/0,0,1"], &["even layers only", "none of 3 seeds"]);
    refused(&["table", "stats", &even, "--seeds", "3"], &["even layers only"]);
    refused(&["table", "build", "djenon-abe", "--pits", "3", "--seeds", "8", "--out", &even], &["parity", "even"]);
    refused(
        &["table", "plan", "awari", "--pits", "3", "--seeds", "8", "--parity", "odd"],
        &["--parity odd", "capture.count.counts"],
    );
}

/// Layers of more than 127 seeds, whose values take two bytes: every command takes them, and a search on them finds what it finds without.
#[test]
fn more_seeds_than_a_byte_holds() {
    let place = Place::new();
    let out = place.path("k140");
    let board = ["kalah", "--pits", "1", "--seeds", "140"];
    let plan = document("plan", 0, &board);
    // Boards of 2 pits with up to 140 seeds: C(142, 2).
    assert_eq!((&plan["positions"], &plan["builder"]), (&10_011.into(), &"moves".into()));
    let page = run(&[&["table", "plan"], &board[..]].concat());
    assert!(
        page.text().contains("move by move, which takes long: values of layers above 127 seeds take two bytes"),
        "{}",
        page.stdout
    );
    document("build", 0, &[&board[..], &["--out", &out]].concat());
    let info = document("info", 0, &[&out]);
    assert_eq!((&info["positions"], info["layers"].as_array().map(Vec::len)), (&10_011.into(), Some(141)));
    // No move, and the other player stores everything.
    let lost = format!("0/{}/0,0/s", 140);
    let stats = document("stats", 0, &[&out, "--seeds", "140"]);
    assert_eq!((&stats["layers"][0]["min"], &stats["layers"][0]["min_position"]), (&(-140).into(), &lost.as_str().into()));
    assert_eq!(document("query", 0, &[&out, "--position", &lost])["value"], -140);
    let whole = document("verify", 0, &[&out]);
    assert_eq!((&whole["valid"], &whole["positions"]), (&true.into(), &10_011.into()));
    assert_eq!(document("verify", 0, &[&out, "--sample", "500"])["valid"], true);
    let csv = place.path("k140.csv");
    document("export", 0, &[&out, "--seeds", "140", "--format", "csv", "--out", &csv]);
    let text = fs::read_to_string(&csv).expect("text");
    assert_eq!((text.lines().count(), text.lines().nth(1)), (142, Some("0,140,-140,0")));
    for start in [&["--board", "1x70"][..], &["--position", "3/134/0,0/s"]] {
        let solve =
            |more: &[&str]| contract::document("solve", 0, &[&["solve", "kalah"], start, more].concat())["margin"].clone();
        assert_eq!(solve(&["--tables", &out]), solve(&[]), "{start:?}");
    }
    for (game, seeds, most) in [("kalah", "256", "255"), ("awari", "128", "127")] {
        for command in [&["table", "plan"][..], &["table", "build", "--out", &place.path("none")]] {
            let words = [command, &[game, "--pits", "1", "--seeds", seeds]].concat();
            refused(&words, &["256 values a layer", &format!("up to {most} seeds"), "--encoding raw"]);
        }
        document("plan", 0, &[game, "--pits", "1", "--seeds", seeds, "--encoding", "raw"]);
    }
    refused(
        &["table", "plan", "djenon-abe", "--pits", "1", "--seeds", "129", "--parity", "odd", "--encoding", "raw"],
        &["127 seeds"],
    );
    assert!(!place.join("none").exists());
}

/// Programs read a document of stopped work too; and who wants quiet gets no plan.
#[test]
fn stopped_work_says_so() {
    let place = Place::new();
    let (out, csv) = (place.path("k12"), place.path("k12.csv"));
    let quiet = build(&["kalah", "--pits", "6", "--seeds", "12", "--quiet"], &out);
    assert!(!quiet.stdout.contains("of memory") && quiet.stdout.contains("2,704,156 positions"), "{}", quiet.stdout);
    let report = document("verify", 3, &[&out, "--limit", "10ms"]);
    assert_eq!((&report["stopped"], &report["valid"], &report["wanted"]), (&"time".into(), &Value::Null, &13.into()));
    assert!(report["positions"].as_u64().is_some_and(|positions| positions < 2_704_156), "{report}");
    let export = document("export", 3, &[&out, "--seeds", "12", "--format", "csv", "--out", &csv, "--limit", "10ms"]);
    assert_eq!((&export["stopped"], &export["positions"]), (&"time".into(), &0.into()));
    assert!(!Path::new(&csv).exists());
    assert_eq!(document("verify", 0, &[&out, "--sample", "50"])["stopped"], Value::Null);
    // The values take 2,704,156 bytes, rows made ready 65,536 times 72 and the program itself 12 MiB.
    let tight = ["table", "export", &out, "--seeds", "12", "--format", "csv", "--out", &csv, "--memory", "14MiB"];
    refused(&tight, &["7422748 bytes", "the program itself takes 12", "--memory"]);
}

#[test]
fn a_plan_beyond_counting_tells_how_many() {
    // C(163, 36) boards.
    let words = ["table", "plan", "kalah", "--pits", "18", "--seeds", "127"];
    refused(&words, &["18 pits a row and 127 seeds", "about 1.8e36 positions", "does not fit into memory"]);
    // C(938, 8) boards can be counted, but not their bytes; of C(886, 8) these too, but not what a build takes.
    for (seeds, about) in [("930", "1.4e19"), ("878", "9.1e18")] {
        let words = ["table", "plan", "kalah", "--pits", "4", "--seeds", seeds, "--encoding", "raw"];
        refused(
            &words,
            &[&format!("4 pits a row and {seeds} seeds"), &format!("about {about} positions"), "does not fit into memory"],
        );
    }
}

//! Certificates of small boards: extracted, checked, and changed in every way.

mod leaning;

use std::fs;
use std::path::{Path, PathBuf};

use crate::support::Naive;
use lumbung_engine::rules::{PRESET_NAMES, preset};
use lumbung_engine::{BoardSize, Pit, Position, RuleSet, Side};
use lumbung_proof::{Certificate, CertificateError, Claim, Contents, Entry, Fault, Options, Verdict, Why, to_bytes, verify};
use lumbung_solver::StopReason;
use lumbung_solver::certificate::{Effort, ExtractError, Task, extract};

struct Place(tempfile::TempDir);

impl Place {
    fn new() -> Self {
        Place(tempfile::tempdir().expect("a temporary directory"))
    }

    fn file(&self) -> PathBuf {
        self.0.path().join("proof.lumcert")
    }
}

fn rules(name: &str) -> RuleSet {
    preset(name).expect("a preset").rules.clone()
}

fn start(pits: usize, seeds: usize) -> Position {
    Position::start(BoardSize::new(pits, seeds).expect("a board"))
}

/// Both claims that pin the value of a position, and what they rest on.
fn pinned(rules: &RuleSet, start: &Position) -> (Vec<Claim>, Vec<Entry>) {
    let mut naive = Naive::new(rules);
    let value = naive.value(start);
    let margin = start.margin() + if start.to_move == Side::South { value } else { -value };
    let claim = |player, bound| Claim { start: start.clone(), player, bound };
    let claims = vec![claim(Side::South, margin), claim(Side::North, -margin)];
    let task = Task { rules, claims: &claims, table_seeds: None, watch: &|_| None };
    let entries = extract(task, &mut naive, Effort::First).expect("a certificate");
    (claims, entries)
}

fn put(path: &Path, rules: &RuleSet, claims: &[Claim], entries: Vec<Entry>) {
    let owners = claims[0].start.owners;
    let bytes = to_bytes(Contents { program: "a test", rules, owners, claims, entries, table: None }).expect("a certificate");
    fs::write(path, bytes).expect("written");
}

const PLAIN: Options<'static> = Options { stop: &|| false, progress: &|_| (), table: None };

/// The first fault of a certificate that leans on nothing.
fn check(path: &Path) -> Result<Option<Fault>, CertificateError> {
    let certificate = Certificate::open(path, 1 << 20)?;
    Ok(match verify(&certificate, PLAIN)? {
        Verdict::Proven => None,
        Verdict::Refuted(fault) => Some(fault),
        Verdict::Provided { leaves } => panic!("{leaves} positions are left to a table"),
    })
}

/// Boards small enough for naive values, in every game.
fn boards() -> Vec<(RuleSet, Position)> {
    let mut boards = Vec::new();
    for name in PRESET_NAMES {
        for (pits, seeds) in [(2, 2), (3, 1), (2, 3)] {
            boards.push((rules(name), start(pits, seeds)));
        }
    }
    boards.push((rules("djenon-abe"), start(3, 2)));
    boards.push((rules("awari"), "2,0,1/0,3,0/5,4/n".parse().expect("a position")));
    for text in ["1,0,2,1/0,1,0,2/12,13/s", "1,2,0,1/0,1,1,0/0,0/s"] {
        boards.push((rules("awari"), text.parse().expect("a position")));
    }
    boards.push((rules("san-yao"), "2,2,1/0,2,2/3,0/n/sssssn".parse().expect("a position")));
    boards.push((rules("san-yao"), start(3, 2)));
    let german = rules("dakon").with_reading("german-end").expect("a reading");
    boards.push((german, start(3, 2)));
    boards
}

#[test]
fn what_is_extracted_passes_and_pins_the_margin() {
    let place = Place::new();
    for (rules, start) in boards() {
        let (claims, entries) = pinned(&rules, &start);
        let mut naive = Naive::new(&rules);
        for entry in &entries {
            assert!(naive.agrees(entry, start.owners), "{} {start}: {entry:?}", rules.name);
        }
        put(&place.file(), &rules, &claims, entries);
        let fault = check(&place.file()).expect("readable");
        assert_eq!(fault, None, "{} {start}", rules.name);
    }
}

#[test]
fn small_ones_pass_too_and_are_no_larger() {
    let place = Place::new();
    let mut smaller = 0;
    for (rules, start) in boards() {
        let (claims, first) = pinned(&rules, &start);
        let task = Task { rules: &rules, claims: &claims, table_seeds: None, watch: &|_| None };
        let small = extract(task, &mut Naive::new(&rules), Effort::Small).expect("a certificate");
        assert!(small.len() <= first.len(), "{} {start}: {} against {}", rules.name, small.len(), first.len());
        smaller += usize::from(small.len() < first.len());
        put(&place.file(), &rules, &claims, small);
        assert_eq!(check(&place.file()).expect("readable"), None, "{} {start}", rules.name);
    }
    assert!(smaller > 5, "{smaller}");
}

#[test]
fn a_limit_ends_the_work() {
    let (rules, start) = (rules("dakon"), start(3, 3));
    let (claims, _) = pinned(&rules, &start);
    let task = Task { rules: &rules, claims: &claims, table_seeds: None, watch: &|_| Some(StopReason::Time) };
    let stopped = extract(task, &mut Naive::new(&rules), Effort::First);
    assert_eq!(stopped, Err(ExtractError::Stopped(StopReason::Time)));
}

#[test]
fn a_certificate_larger_than_its_memory_is_checked() {
    let place = Place::new();
    let (rules, start) = (rules("kalah"), start(3, 3));
    let (claims, entries) = pinned(&rules, &start);
    assert!(entries.len() > 100);
    put(&place.file(), &rules, &claims, entries);
    let certificate = Certificate::open(&place.file(), 0).expect("a certificate");
    assert_eq!(verify(&certificate, PLAIN).expect("readable"), Verdict::Proven);
    let stopped = verify(&certificate, Options { stop: &|| true, ..PLAIN });
    assert!(matches!(stopped, Err(CertificateError::Stopped)));
}

#[test]
fn a_claim_that_is_too_high_is_not_extracted_and_does_not_pass() {
    let place = Place::new();
    for (rules, start) in boards() {
        let (mut claims, entries) = pinned(&rules, &start);
        for number in 0..2 {
            claims[number].bound += 1;
            let task = Task { rules: &rules, claims: &claims, table_seeds: None, watch: &|_| None };
            let refused = extract(task, &mut Naive::new(&rules), Effort::First);
            assert!(matches!(refused, Err(ExtractError::False(_))), "{} {start}", rules.name);
            put(&place.file(), &rules, &claims, entries.clone());
            let fault = check(&place.file()).expect("readable").expect("a fault");
            assert_eq!((fault.entry, fault.why), (None, Why::Claim), "{} {start}", rules.name);
            claims[number].bound -= 1;
        }
    }
}

/// Every single change of an entry, one after the other.
fn changes(entry: &Entry, pits: usize) -> Vec<Entry> {
    let mut changed = Vec::new();
    for value in [-2, -1, 1, 2].map(|step| entry.value + step) {
        changed.push(Entry { value, ..entry.clone() });
    }
    for pit in (0..2 * pits as u8).map(|pit| Some(Pit(pit))).chain([None]) {
        changed.push(Entry { pit, ..entry.clone() });
    }
    for counter in [0, entry.counter.wrapping_sub(1), entry.counter + 1, u32::MAX] {
        changed.push(Entry { counter, ..entry.clone() });
    }
    let mut other = entry.clone();
    other.key.at_most = !other.key.at_most;
    changed.push(other);
    for ring in 0..entry.key.pits.len() {
        let mut moved = entry.clone();
        if moved.key.pits[ring] > 0 {
            moved.key.pits[ring] -= 1;
            moved.key.pits[(ring + 1) % (2 * pits)] += 1;
            changed.push(moved);
        }
    }
    changed.retain(|change| change != entry);
    changed
}

#[test]
fn no_single_change_slips_through() {
    let place = Place::new();
    let (mut refused, mut harmless) = (0, 0);
    for (rules, start) in boards() {
        let (claims, entries) = pinned(&rules, &start);
        if entries.len() > 60 {
            continue;
        }
        let mut naive = Naive::new(&rules);
        let mut held_against = |entries: Vec<Entry>, what: String| {
            put(&place.file(), &rules, &claims, entries.clone());
            match check(&place.file()) {
                Err(_) | Ok(Some(_)) => refused += 1,
                Ok(None) => {
                    harmless += 1;
                    for entry in &entries {
                        assert!(naive.agrees(entry, start.owners), "{} {start}: {what}: {entry:?}", rules.name);
                    }
                }
            }
        };
        for number in 0..entries.len() {
            let mut fewer = entries.clone();
            let gone = fewer.remove(number);
            held_against(fewer, format!("without {gone:?}"));
            for change in changes(&entries[number], start.pits()) {
                if entries.iter().any(|entry| entry.key == change.key && entry.key != entries[number].key) {
                    continue;
                }
                let mut other = entries.clone();
                other[number] = change;
                let what = format!("{:?} changed", entries[number]);
                held_against(other, what);
            }
        }
    }
    assert!(refused > 3_000, "{refused} refused, {harmless} harmless");
}

#[test]
fn no_flipped_byte_slips_through() {
    let place = Place::new();
    for (name, pits, seeds) in [("dakon", 3, 2), ("djenon-abe", 2, 2), ("san-yao", 3, 1)] {
        let (rules, start) = (rules(name), start(pits, seeds));
        let (claims, entries) = pinned(&rules, &start);
        put(&place.file(), &rules, &claims, entries);
        let bytes = fs::read(place.file()).expect("read");
        for at in 0..bytes.len() {
            for mask in [1 << (at % 8), 0xff] {
                let mut flipped = bytes.clone();
                flipped[at] ^= mask;
                fs::write(place.file(), flipped).expect("written");
                let damaged = check(&place.file());
                assert!(matches!(damaged, Err(CertificateError::Damaged { .. })), "{name}, byte {at}: {damaged:?}");
            }
        }
        for len in [0, 7, 15, 40, bytes.len() - 1] {
            fs::write(place.file(), &bytes[..len]).expect("written");
            assert!(matches!(check(&place.file()), Err(CertificateError::Damaged { .. })), "{name}, {len} bytes");
        }
        fs::write(place.file(), [bytes.as_slice(), b"x"].concat()).expect("written");
        assert!(matches!(check(&place.file()), Err(CertificateError::Damaged { .. })), "{name}, a byte more");
    }
}

#[test]
fn other_rules_need_another_proof() {
    let place = Place::new();
    let start = start(3, 2);
    let dakon = rules("dakon");
    let (claims, entries) = pinned(&dakon, &start);
    let mut valid = 0;
    for reading in dakon.readings.keys() {
        let other = dakon.with_reading(reading).expect("a reading");
        put(&place.file(), &other, &claims, entries.clone());
        if check(&place.file()).expect("readable").is_none() {
            valid += 1;
            let mut naive = Naive::new(&other);
            assert!(entries.iter().all(|entry| naive.agrees(entry, start.owners)), "{reading}");
        }
    }
    assert!(valid < dakon.readings.len());
}

#[test]
fn a_bounded_question_is_answered_truly_or_not_at_all() {
    use lumbung_solver::Quiet;
    use lumbung_solver::bounds::with_bounds;
    use lumbung_solver::solve::Options as Solving;
    for (name, pits, seeds) in [("dakon", 3, 3), ("kalah", 3, 2), ("awari", 3, 2)] {
        let (rules, start) = (rules(name), start(pits, seeds));
        let value = Naive::new(&rules).value(&start);
        let most = start.seeds_in_play() as i32;
        let (mut settled, mut left) = (0, 0);
        for beta in -most..=most + 1 {
            for nodes in [0, 1, 3, 1 << 16] {
                let attempt = nodes as usize % 3;
                let ask = |bounds: &mut dyn lumbung_solver::bounds::Bounds| {
                    let before = bounds.nodes();
                    let answer = bounds.at_least_within(&start, beta, nodes, attempt).expect("no limit");
                    (answer, bounds.nodes() - before, bounds.at_least(&start, beta), bounds.at_least_within(&start, beta, 0, 0))
                };
                let options = Solving { table_seeds: Some(0), ..Solving::default() };
                let asked = with_bounds(&rules, &start, &options, &Quiet, ask);
                let (answer, visited, whole, known) = asked.expect("a session");
                let right = value >= beta;
                assert!(answer.is_none_or(|answer| answer == right), "{name} {beta} within {nodes}");
                assert!(visited <= nodes, "{name} {beta}: {visited} of {nodes}");
                assert_eq!((whole, known), (Ok(right), Ok(Some(right))), "{name} {beta}");
                settled += usize::from(answer.is_some());
                left += usize::from(answer.is_none());
            }
        }
        assert!(settled > 0 && left > 0, "{name}: {settled} settled, {left} left");
    }
}

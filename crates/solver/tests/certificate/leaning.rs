//! Certificates that leave endgames to a table; here the table is the naive values.

use std::fs;
use std::path::Path;
use std::sync::Mutex;

use lumbung_engine::{Position, RuleSet, Side};
use lumbung_proof::{Certificate, CertificateError, Claim, Contents, Entry, Options, Verdict, Why, to_bytes, verify};
use lumbung_solver::certificate::{Effort, Task, extract};

use super::{PLAIN, Place, boards, changes};
use crate::support::Naive;

const DIGEST: [u8; 32] = [0xd1; 32];

/// Both claims that pin the value of a position, and what they rest on beside the values of a table of so many seeds.
fn pinned(rules: &RuleSet, start: &Position, seeds: usize, effort: Effort) -> (Vec<Claim>, Vec<Entry>) {
    let mut naive = Naive::new(rules);
    let value = naive.value(start);
    let margin = start.margin() + if start.to_move == Side::South { value } else { -value };
    let claim = |player, bound| Claim { start: start.clone(), player, bound };
    let claims = vec![claim(Side::South, margin), claim(Side::North, -margin)];
    let task = Task { rules, claims: &claims, table_seeds: Some(seeds), watch: &|_| None };
    let entries = extract(task, &mut naive, effort).expect("a certificate");
    (claims, entries)
}

fn bytes(rules: &RuleSet, claims: &[Claim], entries: Vec<Entry>) -> Vec<u8> {
    let owners = claims[0].start.owners;
    to_bytes(Contents { program: "a test", rules, owners, claims, entries, table: Some(DIGEST) }).expect("a certificate")
}

/// Checks a certificate with the values of a table, each of them `wrong` by so much.
fn check(path: &Path, naive: &Mutex<Naive<'_>>, wrong: i32) -> Result<Verdict, CertificateError> {
    let certificate = Certificate::open(path, 1 << 20)?;
    let value = |position: &Position| Ok(naive.lock().expect("not poisoned").value(position) + wrong);
    verify(&certificate, Options { table: Some(&value), ..PLAIN })
}

#[test]
fn they_hold_as_far_as_the_table_does() {
    let place = Place::new();
    let (mut leaning, mut refused) = (0, 0);
    for (rules, start) in boards() {
        for effort in [Effort::First, Effort::Small] {
            let seeds = start.seeds_in_play() / 2;
            let (claims, entries) = pinned(&rules, &start, seeds, effort);
            let leaves = entries.iter().filter(|entry| entry.from_table).count() as u64;
            let most = entries.iter().filter(|entry| entry.from_table).map(|entry| entry.key.pits.iter().sum::<u16>()).max();
            let naive = Mutex::new(Naive::new(&rules));
            fs::write(place.file(), bytes(&rules, &claims, entries)).expect("written");
            let certificate = Certificate::open(&place.file(), 1 << 20).expect("readable");
            assert_eq!(certificate.table().map(|table| (table.digest, table.seeds)), most.map(|most| (DIGEST, most)));
            let expected = if leaves == 0 { Verdict::Proven } else { Verdict::Provided { leaves } };
            assert_eq!(verify(&certificate, PLAIN).expect("readable"), expected, "{} {start}", rules.name);
            assert_eq!(check(&place.file(), &naive, 0).expect("readable"), expected, "{} {start}", rules.name);
            leaning += u64::from(leaves > 0);
            // No bound that needs an entry admits both of these.
            let wrong = [100, -100].map(|wrong| check(&place.file(), &naive, wrong).expect("readable"));
            if leaves > 0 {
                let by_the_table =
                    |verdict: &Verdict| matches!(verdict, Verdict::Refuted(fault) if matches!(fault.why, Why::Table { .. }));
                refused += u64::from(wrong.iter().any(by_the_table));
            } else {
                assert_eq!(wrong, [Verdict::Proven, Verdict::Proven]);
            }
        }
    }
    assert!(leaning > 40 && refused == leaning, "{leaning} lean, {refused} refused");
}

#[test]
fn no_single_change_slips_through() {
    let place = Place::new();
    let (mut refused, mut harmless) = (0, 0);
    for (rules, start) in boards() {
        let (claims, entries) = pinned(&rules, &start, start.seeds_in_play() / 2, Effort::First);
        if entries.len() > 40 || !entries.iter().any(|entry| entry.from_table) {
            continue;
        }
        let naive = Mutex::new(Naive::new(&rules));
        for number in 0..entries.len() {
            let entry = &entries[number];
            let mut all = changes(entry, start.pits());
            all.push(Entry { from_table: !entry.from_table, ..entry.clone() });
            for change in all {
                if entries.iter().any(|other| other.key == change.key && other.key != entry.key) {
                    continue;
                }
                let mut changed = entries.clone();
                changed[number] = change;
                fs::write(place.file(), bytes(&rules, &claims, changed.clone())).expect("written");
                match check(&place.file(), &naive, 0) {
                    Err(_) | Ok(Verdict::Refuted(_)) => refused += 1,
                    Ok(Verdict::Proven | Verdict::Provided { .. }) => {
                        harmless += 1;
                        let mut naive = naive.lock().expect("not poisoned");
                        for entry in &changed {
                            assert!(naive.agrees(entry, start.owners), "{} {start}: {entry:?}", rules.name);
                        }
                    }
                }
            }
        }
    }
    assert!(refused > 500, "{refused} refused, {harmless} harmless");
}

#[test]
fn no_flipped_byte_slips_through() {
    let place = Place::new();
    for (rules, start) in boards()
        .into_iter()
        .filter(|(rules, start)| ["dakon", "djenon-abe"].contains(&rules.name.as_str()) && start.seeds_in_play() == 8)
    {
        let (claims, entries) = pinned(&rules, &start, 5, Effort::First);
        assert!(entries.iter().any(|entry| entry.from_table), "{} {start}", rules.name);
        let good = bytes(&rules, &claims, entries);
        assert_eq!(good[7], 2);
        for at in 0..good.len() {
            for mask in if at == 7 { vec![3, 0xff] } else { vec![1 << (at % 8)] } {
                let mut flipped = good.clone();
                flipped[at] ^= mask;
                fs::write(place.file(), flipped).expect("written");
                let damaged = Certificate::open(&place.file(), 1 << 20).and_then(|certificate| verify(&certificate, PLAIN));
                assert!(matches!(damaged, Err(CertificateError::Damaged { .. })), "{}, byte {at}: {damaged:?}", rules.name);
            }
        }
    }
}

#[test]
fn a_table_must_be_named() {
    let (rules, start) = boards().swap_remove(0);
    let (claims, entries) = pinned(&rules, &start, 5, Effort::First);
    let owners = start.owners;
    let written = to_bytes(Contents { program: "a test", rules: &rules, owners, claims: &claims, entries, table: None });
    assert!(matches!(written, Err(CertificateError::Contents(_))), "{written:?}");
}

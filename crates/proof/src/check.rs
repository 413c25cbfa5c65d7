//! The checker: does every entry follow from the rules and from the entries it leans on?
//!
//! It looks at one entry at a time and does what conditions 1 to 4 of the [crate] say, with the referee as the only judge of moves.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use lumbung_engine::position::MAX_SEEDS;
use lumbung_engine::referee::{Next, State};
use lumbung_engine::{Pit, Position, Referee};
use rayon::prelude::*;

use crate::entry::{Bound, Entry, Key};
use crate::error::{CertificateError, Fault, TableError, Why};
use crate::read::Certificate;

/// How to check.
#[derive(Clone, Copy)]
pub struct Options<'a> {
    /// Asked at every entry whether to give up.
    pub stop: &'a (dyn Fn() -> bool + Sync),
    /// Told once in a while how many entries have been checked.
    pub progress: &'a (dyn Fn(u64) + Sync),
    /// What the player to move gains from a position on, by the endgame table that the certificate names; without it, what is said
    /// of that table is taken as it stands.
    pub table: Option<&'a Values<'a>>,
}

/// The values of an endgame table, or why one cannot be told.
pub type Values<'a> = dyn Fn(&Position) -> Result<i32, TableError> + Sync + 'a;

/// What came of a check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It proves what it claims.
    Proven,
    /// It proves what it claims if the endgame table that it names is right about so many of its entries.
    Provided {
        /// Entries whose bounds are those of the table.
        leaves: u64,
    },
    /// It proves nothing; this is the first thing that is wrong, entries in the order of the file before claims.
    Refuted(Fault),
}

/// Checks all claims and entries of a certificate, on all threads.
///
/// # Errors
/// If the file cannot be read, is damaged, or the caller has given up.
pub fn verify(certificate: &Certificate, options: Options<'_>) -> Result<Verdict, CertificateError> {
    let referee = Referee::new(certificate.rules());
    let checker = Checker { certificate, referee, table: options.table, leaves: AtomicU64::new(0) };
    let checked = AtomicU64::new(0);
    let faults = (0..certificate.blocks().len()).into_par_iter().map(|block| {
        let fault = checker.block(block, options.stop)?;
        let entries = certificate.first_of(block + 1) - certificate.first_of(block);
        (options.progress)((checked.fetch_add(entries, Relaxed) + entries).min(certificate.entries()));
        Ok(fault)
    });
    if let Some(first) = faults.find_map_first(Result::transpose) {
        return first.map(Verdict::Refuted);
    }
    for claim in certificate.claims() {
        let needed = claim.needed();
        if checker.known(&claim.start, needed, None)?.is_err() {
            let (position, why) = (claim.start.clone(), Why::Claim);
            return Ok(Verdict::Refuted(Fault { entry: None, position, bound: needed, why }));
        }
    }
    Ok(match checker.leaves.into_inner() {
        0 => Verdict::Proven,
        leaves => Verdict::Provided { leaves },
    })
}

struct Checker<'c> {
    certificate: &'c Certificate,
    referee: Referee<'c>,
    table: Option<&'c Values<'c>>,
    /// Entries of the table met so far.
    leaves: AtomicU64,
}

/// A bound that is not known.
enum Unknown {
    Missing,
    Weak { found: Bound },
    Counter { from: u32, to: u32 },
}

impl Unknown {
    fn after(self, pit: Option<Pit>, after: &Position, needed: Bound) -> Why {
        let after = Box::new(after.clone());
        match self {
            Unknown::Missing => Why::Missing { pit, after, needed },
            Unknown::Weak { found } => Why::Weak { pit, after, needed, found },
            Unknown::Counter { from, to } => Why::Counter { pit, after, from, to },
        }
    }
}

impl Checker<'_> {
    /// The first entry of a block that does not stand.
    fn block(&self, block: usize, stop: &dyn Fn() -> bool) -> Result<Option<Fault>, CertificateError> {
        let layout = self.certificate.layout;
        let records = self.certificate.records(block)?;
        let next = self.certificate.blocks().get(block + 1).map(|next| next.first.as_slice());
        let mut before: Option<&[u8]> = None;
        for (number, record) in (self.certificate.first_of(block)..).zip(records.chunks_exact(layout.record())) {
            if stop() {
                return Err(CertificateError::Stopped);
            }
            let key = &record[..layout.key()];
            let entry = layout.decode(record);
            let rises = match before {
                Some(before) => before < key,
                None => self.certificate.blocks()[block].first == key,
            };
            before = Some(key);
            let why = match &entry {
                Some(_) if !rises || next.is_some_and(|next| key >= next) => Some(Why::Order),
                Some(entry) => self.entry(entry)?.err(),
                None => return Err(CertificateError::damaged(self.certificate.path(), format!("entry {number} is none"))),
            };
            if let (Some(entry), Some(why)) = (entry, why) {
                let position = entry.key.position(self.certificate.owners());
                return Ok(Some(Fault { entry: Some(number), position, bound: entry.bound(), why }));
            }
        }
        Ok(None)
    }

    /// Conditions 1, 2 and 4 for one entry.
    fn entry(&self, entry: &Entry) -> Result<Result<(), Why>, CertificateError> {
        let bound = entry.bound();
        let position = entry.key.position(self.certificate.owners());
        if position.seeds_in_play() > MAX_SEEDS {
            return Ok(Err(Why::Position(format!("{} seeds", position.seeds_in_play()))));
        }
        if entry.key.north && self.certificate.owners().are_rows() {
            return Ok(Err(Why::Position("the player to move is named where it makes no difference".to_owned())));
        }
        if entry.from_table {
            return self.leaf(&position, bound);
        }
        let pits = match self.referee.state(&position) {
            State::Over(over) => {
                let gain = gain(&position, &over.last);
                return Ok(if entry.pit.is_some() {
                    Err(Why::NeedlessMove)
                } else if bound.admits(gain) {
                    Ok(())
                } else {
                    Err(Why::Over { gain })
                });
            }
            State::Pass if entry.pit.is_some() => return Ok(Err(Why::NeedlessMove)),
            State::Pass => return self.leads(entry, None, &self.referee.pass(&position), bound.after(0, false)),
            State::ToMove(pits) => pits,
        };
        let pits = match (bound, entry.pit) {
            (Bound::AtMost(_), None) => pits,
            (Bound::AtMost(_), Some(_)) => return Ok(Err(Why::NeedlessMove)),
            (Bound::AtLeast(_), None) => return Ok(Err(Why::NoMove)),
            (Bound::AtLeast(_), Some(pit)) => vec![pit],
        };
        for pit in pits {
            let Ok(played) = self.referee.play(&position, pit) else { return Ok(Err(Why::Illegal { pit })) };
            let gain = gain(&position, &played.after);
            let stands = match played.next {
                Next::Over(_) if bound.admits(gain) => Ok(()),
                Next::Over(_) => Err(Why::Ends { pit, gain }),
                Next::Bonus => self.leads(entry, Some(pit), &played.after, bound.after(gain, true))?,
                Next::Turn { .. } => self.leads(entry, Some(pit), &played.after, bound.after(gain, false))?,
            };
            if stands.is_err() {
                return Ok(stands);
            }
        }
        Ok(Ok(()))
    }

    /// An entry that leans on the table.
    fn leaf(&self, position: &Position, bound: Bound) -> Result<Result<(), Why>, CertificateError> {
        if self.certificate.table().is_none_or(|table| position.seeds_in_play() > table.seeds.into()) {
            return Ok(Err(Why::NoTable));
        }
        self.leaves.fetch_add(1, Relaxed);
        let gain = self.table.map(|value| value(position)).transpose().map_err(CertificateError::Table)?;
        Ok(match gain {
            Some(gain) if !bound.admits(gain) => Err(Why::Table { gain }),
            _ => Ok(()),
        })
    }

    /// Whether what an entry needs is known of the position it leads to.
    fn leads(&self, entry: &Entry, pit: Option<Pit>, to: &Position, needed: Bound) -> Result<Result<(), Why>, CertificateError> {
        let quiet = to.seeds_in_play() == entry.key.pits.iter().map(|&seeds| usize::from(seeds)).sum::<usize>();
        let must_fall = self.certificate.rules().can_repeat() && quiet && entry.bound().for_prover() > 0;
        let known = self.known(to, needed, must_fall.then_some(entry.counter))?;
        Ok(known.map_err(|unknown| unknown.after(pit, to, needed)))
    }

    /// Condition 3, and 4 for the entry that is leant on: its counter must be below `counter`, if one is given.
    fn known(&self, position: &Position, needed: Bound, counter: Option<u32>) -> Result<Result<(), Unknown>, CertificateError> {
        if needed.is_trivial(position.seeds_in_play()) {
            return Ok(Ok(()));
        }
        let unknown = match self.certificate.find(&Key::new(position, needed))? {
            Some(found) if !needed.admits(found.value.into()) => Unknown::Weak { found: found.bound() },
            Some(found) => match counter {
                Some(from) if !found.from_table && found.counter >= from => Unknown::Counter { from, to: found.counter },
                _ => return Ok(Ok(())),
            },
            None => Unknown::Missing,
        };
        match self.referee.state(position) {
            State::Over(over) if needed.admits(gain(position, &over.last)) => Ok(Ok(())),
            _ => Ok(Err(unknown)),
        }
    }
}

/// What the player to move in `before` has gained when play has come to `after`.
fn gain(before: &Position, after: &Position) -> i32 {
    let margin = after.margin() - before.margin();
    match before.to_move {
        lumbung_engine::Side::South => margin,
        lumbung_engine::Side::North => -margin,
    }
}

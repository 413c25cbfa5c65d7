//! `solve --certificate`: what was found, as evidence.

use std::path::{Path, PathBuf};

use lumbung_engine::Side;
use lumbung_proof::{Claim, Contents};
use lumbung_solver::StopReason;
use lumbung_solver::bounds::{Bounds, with_bounds};
use lumbung_solver::certificate::{Effort, ExtractError, Searching, Task, extract};
use lumbung_solver::solve::{Goal, Options, Outcome, Solution};
use serde::Serialize;

use crate::exit::Failure;
use crate::report::hex;
use crate::start::Start;
use crate::units::counted;
use crate::work::{self, Work};

/// What became of a certificate.
pub(crate) enum Written {
    NotAsked,
    /// There was nothing proven to write down.
    Unsettled,
    Stopped(StopReason),
    Done(Report),
}

/// What is said of a certificate that was written.
#[derive(Clone, Serialize)]
pub(crate) struct Report {
    file: PathBuf,
    entries: usize,
    bytes: u64,
    /// What it took to extract it, after the solution was there.
    seconds: f64,
    /// The table that it leans on.
    #[serde(skip_serializing_if = "Option::is_none")]
    table: Option<TableReport>,
}

#[derive(Clone, Serialize)]
struct TableReport {
    directory: PathBuf,
    digest: String,
    /// The most seeds of a position whose bound is that of the table.
    seeds: u16,
    /// Positions whose bounds are those of the table.
    leaves: usize,
}

/// A table that a certificate is to lean on.
pub(super) struct Leaning {
    pub(super) path: PathBuf,
    pub(super) digest: [u8; 32],
    pub(super) seeds: usize,
}

impl Written {
    pub(super) fn report(&self) -> Option<Report> {
        match self {
            Written::Done(report) => Some(report.clone()),
            _ => None,
        }
    }

    pub(super) fn words(&self) -> String {
        match self {
            Written::NotAsked => String::new(),
            Written::Unsettled => "\nNo certificate: nothing was settled.\n".to_owned(),
            Written::Stopped(reason) => format!("\nNo certificate: {}.\n", work::why(Some(*reason))),
            Written::Done(Report { file, entries, bytes, seconds, table }) => {
                let quoted = |path: &Path| crate::rules::quoted(&path.display().to_string());
                let (leaves, tables) = table.as_ref().map_or_else(Default::default, |table| {
                    let leaves = format!(" ({} of them left to the table)", counted(table.leaves as u64, "position"));
                    (leaves, format!(" --tables {}", quoted(&table.directory)))
                });
                format!(
                    "\nCertificate: {}, {}{leaves} in {}, extracted in {}. To check it:\n  lumbung verify {}{tables}\n",
                    file.display(),
                    counted(*entries as u64, "position"),
                    counted(*bytes, "byte"),
                    work::time(*seconds),
                    quoted(file),
                )
            }
        }
    }
}

/// Refuses a file that could not be written, before any work.
pub(super) fn place(path: &Path) -> Result<(), Failure> {
    let directory = match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    if path.is_dir() || !directory.is_dir() {
        return Err(Failure::new(format!("cannot write {}: there is no such place for a file", path.display())));
    }
    Ok(())
}

/// Extracts and writes the certificate of what a search has proven, by searching again.
pub(crate) fn write(path: &Path, start: &Start, options: &Options, solution: &Solution, work: &Work) -> Result<Written, Failure> {
    let write = |bounds: &mut dyn Bounds| write_by(bounds, path, start, options.goal, solution, None, work);
    with_bounds(&start.chosen.rules, &start.position, options, &work.progress, write).map_err(Failure::new)?
}

/// The same, by what a search knows.
pub(super) fn write_by(
    bounds: &mut dyn Bounds,
    path: &Path,
    start: &Start,
    goal: Goal,
    solution: &Solution,
    leaning: Option<&Leaning>,
    work: &Work,
) -> Result<Written, Failure> {
    let Some(claims) = claims(start, goal, solution) else { return Ok(Written::Unsettled) };
    let since = work.seconds();
    let watch = |entries| {
        work.progress.tell(&format!("writing the certificate, {} so far", counted(entries as u64, "position")));
        work.limits.exceeded(0)
    };
    let rules = &start.chosen.rules;
    let task = Task { rules, claims: &claims, table_seeds: leaning.map(|table| table.seeds), watch: &watch };
    let entries = match extract(task, &mut Searching(bounds), Effort::Small) {
        Ok(entries) => entries,
        Err(ExtractError::Stopped(reason)) => return Ok(Written::Stopped(reason)),
        Err(error) => return Err(Failure::Defect(format!("the certificate: {error}"))),
    };
    let count = entries.len();
    let program = format!("{} {}", env!("CARGO_PKG_NAME"), env!("CARGO_PKG_VERSION"));
    let leaves = entries.iter().filter(|entry| entry.from_table);
    let (leaves, most) = (leaves.clone().count(), leaves.map(|entry| entry.key.pits.iter().sum()).max());
    let table = leaning.zip(most).map(|(table, seeds)| TableReport {
        directory: table.path.clone(),
        digest: hex(&table.digest),
        seeds,
        leaves,
    });
    let digest = leaning.map(|table| table.digest);
    let contents = Contents { program: &program, rules, owners: start.position.owners, claims: &claims, entries, table: digest };
    let bytes = lumbung_proof::write(path, contents).map_err(Failure::new)?;
    let seconds = work::milliseconds(work.seconds() - since);
    Ok(Written::Done(Report { file: path.to_owned(), entries: count, bytes, seconds, table }))
}

/// What there is to prove: both sides of a margin, or who wins.
fn claims(start: &Start, goal: Goal, solution: &Solution) -> Option<Vec<Claim>> {
    let claim = |player, bound| Claim { start: start.position.clone(), player, bound };
    let (low, high) = solution.margin;
    let pinned = |margin: i32| vec![claim(Side::South, margin), claim(Side::North, -margin)];
    match (goal, solution.outcome) {
        _ if !solution.proven => None,
        (Goal::Margin, _) => (low == high).then(|| pinned(low)),
        (Goal::Outcome, Some(Outcome::South)) => Some(vec![claim(Side::South, 1)]),
        (Goal::Outcome, Some(Outcome::North)) => Some(vec![claim(Side::North, 1)]),
        (Goal::Outcome, Some(Outcome::Draw)) => Some(pinned(0)),
        (Goal::Outcome, None) => None,
    }
}

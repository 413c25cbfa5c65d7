//! Results of claims: as a document, and beside the claim.

use std::path::Path;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::certificate::Proof;
use super::check::{Cell, Checked, Finding, Status};
use super::evidence::Evidence;
use super::expectation::Expectation;
use super::page;
use crate::exit::Failure;
use crate::output::{self, replace};
use crate::report::{RulesReport, board_of};
use crate::start::Start;
use crate::work;

/// The document of `claim check`.
#[derive(Serialize)]
struct Document<'c> {
    machine: Machine,
    claims: Vec<Claim<'c>>,
    seconds: f64,
}

/// Where it was checked.
#[derive(Serialize)]
struct Machine {
    os: &'static str,
    architecture: &'static str,
    /// Threads that may run at once.
    cores: usize,
}

impl Machine {
    fn this() -> Self {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        Machine { os: std::env::consts::OS, architecture: std::env::consts::ARCH, cores }
    }
}

#[derive(Serialize)]
struct Claim<'c> {
    id: &'c str,
    title: &'c str,
    statement: &'c str,
    sources: &'c [String],
    status: Status,
    /// The board or boards, as the claim names them.
    board: Option<String>,
    /// Why it could not be looked into as a whole.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
    /// The readings that were combined.
    combined: &'c [String],
    /// Those of them on which the status depends.
    depends_on: &'c [String],
    /// Combinations that contradict themselves.
    contradicting: usize,
    readings: Vec<Reading<'c>>,
    /// The proof of what was found about best play, if it was written.
    #[serde(skip_serializing_if = "Option::is_none")]
    certificate: Option<&'c Proof>,
    seconds: f64,
}

/// The claim under one reading of its game.
#[derive(Serialize)]
struct Reading<'c> {
    name: &'c str,
    status: Status,
    rules: RulesReport,
    boards: Vec<Board<'c>>,
}

/// The claim on one board.
#[derive(Serialize)]
struct Board<'c> {
    board: Option<String>,
    position: String,
    status: Status,
    claimed: Vec<Finding>,
    #[serde(skip_serializing_if = "<[Finding]>::is_empty")]
    found: &'c [Finding],
}

/// Lines are given for the claim's own rules, and for so many boards.
const WITH_LINES: usize = 20;

impl Checked {
    fn document(&self) -> Claim<'_> {
        let readings = self.readings.iter().enumerate().map(|(place, reading)| Reading {
            name: &reading.name,
            status: reading.status(),
            rules: reading.cells[0].start.chosen.report(),
            boards: reading.cells.iter().map(|cell| cell.document(place == 0 && reading.cells.len() <= WITH_LINES)).collect(),
        });
        Claim {
            id: &self.claim.id,
            title: &self.claim.title,
            statement: self.claim.statement.trim(),
            sources: &self.claim.sources,
            status: self.status(),
            board: self.claim.board().or_else(|| board_of(&self.own().cells[0].start.position).map(|board| board.to_string())),
            error: self.failure.as_ref().and_then(Failure::message),
            combined: &self.combined,
            depends_on: &self.depends_on,
            contradicting: self.contradicting,
            readings: readings.collect(),
            certificate: self.certificate.as_ref(),
            seconds: work::milliseconds(self.seconds),
        }
    }
}

impl Cell {
    fn document(&self, with_lines: bool) -> Board<'_> {
        let shown = |finding: &Finding| Finding { evidence: finding.evidence.clone().filter(|_| with_lines), ..finding.clone() };
        Board {
            board: board_of(&self.start.position).map(|board| board.to_string()),
            position: self.start.position.to_string(),
            status: self.status(),
            claimed: self.claimed.iter().map(shown).collect(),
            found: &self.found,
        }
    }
}

/// Results as a document.
pub(super) fn json(checked: &[Checked], seconds: f64) -> Result<String, Failure> {
    let claims = checked.iter().map(Checked::document).collect();
    output::document(super::CHECK, &Document { machine: Machine::this(), claims, seconds })
}

/// Writes the result of a claim to a directory, and returns the files. An open result replaces nothing, and a recorded one that
/// still stands is left as it is, so that only what is new changes files.
pub(super) fn write(checked: &Checked, directory: &Path) -> Result<Vec<String>, Failure> {
    let id = &checked.claim.id;
    let (data, page) = (directory.join(format!("{id}.result.json")), directory.join(format!("{id}.md")));
    if stands(checked, &data) && page.exists() || checked.status() == Status::Open && data.exists() {
        return Ok(Vec::new());
    }
    let files = [(data, json(std::slice::from_ref(checked), checked.seconds)?), (page, page::markdown(checked))];
    for (path, text) in &files {
        replace(path, text).map_err(|error| Failure::new(format!("cannot write {}: {error}", path.display())))?;
    }
    Ok(files.map(|(path, _)| path.display().to_string()).to_vec())
}

/// Whether a recorded result says the same as this one, by the same program, with evidence of its own that still replays.
fn stands(checked: &Checked, path: &Path) -> bool {
    let Ok(now) = json(std::slice::from_ref(checked), 0.0) else { return false };
    let read = |text: &str| serde_json::from_str::<Value>(text).ok();
    let Some((mut recorded, mut now)) = std::fs::read_to_string(path).ok().and_then(|text| read(&text).zip(read(&now))) else {
        return false;
    };
    let starts = checked.readings.iter().flat_map(|reading| &reading.cells).map(|cell| &cell.start);
    let recorded_boards = boards(&mut recorded);
    let replays = starts.clone().count() == recorded_boards.len()
        && starts.zip(recorded_boards).all(|(start, board)| findings(board).into_iter().all(|finding| replays(start, finding)));
    for document in [&mut recorded, &mut now] {
        // Time passes, and other lines may show the same.
        for finding in boards(document).into_iter().flat_map(findings).filter_map(Value::as_object_mut) {
            finding.retain(|field, _| !["line", "position", "replay", "says"].contains(&field.as_str()));
        }
        let claims = document.get_mut("claims").and_then(Value::as_array_mut).into_iter().flatten();
        let unsteady = |field: &str| field == "seconds" || (field == "certificate" && checked.certificate.is_none());
        claims.filter_map(Value::as_object_mut).for_each(|claim| claim.retain(|field, _| !unsteady(field)));
        if let Some(document) = document.as_object_mut() {
            document.retain(|field, _| !["seconds", "machine"].contains(&field.as_str()));
        }
    }
    replays && recorded == now
}

/// Whether the line of a recorded finding, if it has one, shows what it should and leads where it says.
fn replays(start: &Start, finding: &Value) -> bool {
    if finding.get("line").is_none() {
        return true;
    }
    let Ok(evidence) = Evidence::deserialize(finding) else { return false };
    let expectation: Map<String, Value> = ["kind", "player", "margin", "seeds", "exists"]
        .iter()
        .filter_map(|&field| Some((field.to_owned(), finding.get(field)?.clone())))
        .collect();
    let Ok(expectation) = Expectation::deserialize(Value::Object(expectation)) else { return false };
    let Some(status) = finding.get("status").and_then(|status| Status::deserialize(status).ok()) else { return false };
    Evidence::of(start, &evidence.line, &expectation, status, None).is_ok_and(|again| again == Some(evidence))
}

fn each(value: Option<&mut Value>) -> impl Iterator<Item = &mut Value> {
    value.and_then(Value::as_array_mut).into_iter().flatten()
}

/// The boards of a result document, reading by reading.
fn boards(document: &mut Value) -> Vec<&mut Value> {
    each(document.get_mut("claims"))
        .flat_map(|claim| each(claim.get_mut("readings")))
        .flat_map(|reading| each(reading.get_mut("boards")))
        .collect()
}

/// The findings of a board.
fn findings(board: &mut Value) -> Vec<&mut Value> {
    let fields = board.as_object_mut().into_iter().flatten();
    fields.filter(|(name, _)| *name == "claimed" || *name == "found").flat_map(|(_, findings)| each(Some(findings))).collect()
}

macro_rules! results {
    ($($id:literal),+ $(,)?) => {
        &[$(($id, include_str!(concat!("../../../solver-results/claims/", $id, ".result.json")))),+]
    };
}

/// Results that come with the program.
const EMBEDDED: &[(&str, &str)] = results![
    "awari-histograms",
    "congklak-first-turn",
    "dakon-first-player-win",
    "dakon-first-player-wins-5-to-9",
    "dakon-second-player-wins",
    "dakon-takes-everything",
    "djenon-abe-second-player-wins",
    "donkers-no-opening-for-3",
    "donkers-openings",
    "kalah-2x5-positions",
    "kalah-fair-start",
    "kalah-standard-capture",
    "najarian-48-own-row",
    "ohvalhu-first-turn",
    "san-yao-first-round",
    "san-yao-match",
];

/// The result of a claim: the one beside it, or else, if the claim came with the program, the program's.
pub(super) fn document(directory: Option<&Path>, id: &str) -> Option<Value> {
    let text = match directory {
        Some(directory) => std::fs::read_to_string(directory.join(format!("{id}.result.json"))).ok()?,
        None => EMBEDDED.iter().find(|(known, _)| *known == id)?.1.to_owned(),
    };
    serde_json::from_str(&text).ok()
}

/// What the result beside a claim says, if there is one that can be read.
pub(super) fn recorded(directory: &Path, id: &str) -> Option<Status> {
    #[derive(Deserialize)]
    struct Result {
        claims: Vec<Entry>,
    }
    #[derive(Deserialize)]
    struct Entry {
        id: String,
        status: Status,
    }
    let text = std::fs::read_to_string(directory.join(format!("{id}.result.json"))).ok()?;
    let result: Result = serde_json::from_str(&text).ok()?;
    result.claims.into_iter().find(|entry| entry.id == id).map(|entry| entry.status)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_result_that_is_kept_comes_with_the_program() {
        let directory = concat!(env!("CARGO_MANIFEST_DIR"), "/solver-results/claims");
        let mut kept: Vec<String> = std::fs::read_dir(directory)
            .expect("the claims")
            .filter_map(|entry| Some(entry.ok()?.file_name().to_str()?.strip_suffix(".result.json")?.to_owned()))
            .collect();
        kept.sort();
        assert_eq!(kept, EMBEDDED.iter().map(|(id, _)| (*id).to_owned()).collect::<Vec<_>>());
        assert!(EMBEDDED.iter().all(|(id, _)| document(None, id).is_some()));
    }
}

//! Results of claims: on the screen, as a document, and beside the claim.

use std::path::Path;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::check::{Checked, Finding, Status};
use super::evidence::Evidence;
use super::file::Expectation;
use crate::exit::Failure;
use crate::layout;
use crate::output::{self, FAINT, HEADING, STRONG, styled};
use crate::report::{RulesReport, board_of};
use crate::work;

/// The document of `claim check`.
#[derive(Serialize)]
struct Document<'c> {
    claims: Vec<Claim<'c>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    seconds: Option<f64>,
}

#[derive(Serialize)]
struct Claim<'c> {
    id: &'c str,
    title: &'c str,
    statement: &'c str,
    sources: &'c [String],
    status: Status,
    board: Option<String>,
    position: String,
    /// Why it could not be looked into as a whole.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
    readings: [Reading<'c>; 1],
}

/// The claim under one reading of its game.
#[derive(Serialize)]
struct Reading<'c> {
    name: String,
    status: Status,
    rules: RulesReport,
    claimed: &'c [Finding],
    found: &'c [Finding],
}

impl Checked {
    fn document(&self) -> Claim<'_> {
        let changes = [&self.start.chosen.readings[..], &self.start.chosen.set[..]].concat();
        let name = if changes.is_empty() { "default".to_owned() } else { changes.join("+") };
        let status = self.status();
        Claim {
            id: &self.claim.id,
            title: &self.claim.title,
            statement: self.claim.statement.trim(),
            sources: &self.claim.sources,
            status,
            board: board_of(&self.start.position).map(|board| board.to_string()),
            position: self.start.position.to_string(),
            error: self.failure.as_ref().and_then(Failure::message),
            readings: [Reading { name, status, rules: self.start.chosen.report(), claimed: &self.claimed, found: &self.found }],
        }
    }
}

/// Results as a document; without the time it takes they come out the same again.
pub(super) fn json(checked: &[Checked], seconds: Option<f64>) -> Result<String, Failure> {
    output::document(super::CHECK, &Document { claims: checked.iter().map(Checked::document).collect(), seconds })
}

/// Results for people.
pub(super) fn pages(checked: &[Checked], seconds: f64) -> String {
    let mut text: String = checked.iter().map(page).collect();
    text += &format!("{}\n", styled(FAINT, work::time(seconds)));
    text
}

fn page(checked: &Checked) -> String {
    let mut page = format!("{}: {}\n\n", styled(STRONG, &checked.claim.id), styled(STRONG, checked.status().word()));
    page += &layout::paragraphs(checked.claim.statement.trim(), "  ");
    page += &format!("\n  {}\n", styled(FAINT, format!("Rules and board: {}", checked.start.title())));
    for (title, findings) in [("Claimed", &checked.claimed), ("Found beside it", &checked.found)] {
        if findings.is_empty() {
            continue;
        }
        page += &format!("\n{}\n", styled(HEADING, title));
        for finding in findings {
            page += &finding_text(checked, finding);
        }
    }
    if let Some(error) = checked.failure.as_ref().and_then(Failure::message) {
        page += &format!("\n{}", layout::paragraphs(&format!("Not checked as a whole: {error}."), "  "));
    }
    for file in &checked.written {
        page += &format!("\nWritten to {file}");
    }
    page + if checked.written.is_empty() { "\n" } else { "\n\n" }
}

fn finding_text(checked: &Checked, finding: &Finding) -> String {
    let says = finding.expectation.says(&checked.start);
    let mut text = layout::item(&format!("{}: {says}.", styled(STRONG, finding.status.word())));
    text += &layout::paragraphs(&format!("{}.", layout::capital(&finding.says)), "    ");
    if let Some(evidence) = &finding.evidence {
        text += &format!("    {}\n", evidence.replay);
    }
    text
}

/// The result as a page in Markdown.
fn markdown(checked: &Checked) -> String {
    let claim = &checked.claim;
    let rules = checked.start.chosen.report();
    let mut page = format!("# {}\n\n**The claim {}.**\n\n", claim.title, words(checked.status()));
    page += &format!("{}\n\n", claim.statement.trim());
    page += &format!("* Rules: {}, fingerprint `{}`\n", checked.start.title(), rules.fingerprint);
    page += &format!("* Checked by Lumbung {} with\n  `lumbung claim check {}`\n", env!("CARGO_PKG_VERSION"), claim.id);
    if !claim.sources.is_empty() {
        page += "\n## Sources\n\n";
        page.extend(claim.sources.iter().map(|source| format!("* {source}\n")));
    }
    for (title, findings) in [("What is claimed", &checked.claimed), ("What was found beside it", &checked.found)] {
        if findings.is_empty() {
            continue;
        }
        page += &format!("\n## {title}\n");
        for finding in findings {
            let expected = layout::capital(&finding.expectation.says(&checked.start));
            page += &format!("\n{expected}: **{}**. {}.\n", finding.status.word(), layout::capital(&finding.says));
            if let Some(evidence) = &finding.evidence {
                page += &format!("\n```sh\n{}\n```\n\nIt ends in `{}`.\n", evidence.replay, evidence.position);
            }
        }
    }
    page
}

fn words(status: Status) -> &'static str {
    match status {
        Status::Holds => "holds",
        Status::Refuted => "is refuted",
        Status::Open => "stays open",
    }
}

/// Writes the result of a claim to a directory, and returns the files. An open result replaces nothing, and a recorded one that
/// still stands is left as it is, so that only what is new changes files.
pub(super) fn write(checked: &Checked, directory: &Path) -> Result<Vec<String>, Failure> {
    let id = &checked.claim.id;
    let (data, page) = (directory.join(format!("{id}.result.json")), directory.join(format!("{id}.md")));
    if stands(checked, &data) && page.exists() || checked.status() == Status::Open && data.exists() {
        return Ok(Vec::new());
    }
    let files = [(data, json(std::slice::from_ref(checked), None)?), (page, markdown(checked))];
    for (path, text) in &files {
        replace(path, text).map_err(|error| Failure::new(format!("cannot write {}: {error}", path.display())))?;
    }
    Ok(files.map(|(path, _)| path.display().to_string()).to_vec())
}

/// Whether a recorded result says the same as this one, by the same program, with evidence of its own that still replays.
fn stands(checked: &Checked, path: &Path) -> bool {
    let Ok(now) = json(std::slice::from_ref(checked), None) else { return false };
    let read = |text: &str| serde_json::from_str::<Value>(text).ok();
    let Some((mut recorded, mut now)) = std::fs::read_to_string(path).ok().and_then(|text| read(&text).zip(read(&now))) else {
        return false;
    };
    let replays = findings(&mut recorded).into_iter().all(|finding| replays(checked, finding));
    for finding in findings(&mut recorded).into_iter().chain(findings(&mut now)) {
        // Other lines may show the same.
        if let Some(finding) = finding.as_object_mut() {
            finding.retain(|field, _| !["line", "position", "replay", "says"].contains(&field.as_str()));
        }
    }
    replays && recorded == now
}

/// Whether the line of a recorded finding, if it has one, shows what it should and leads where it says.
fn replays(checked: &Checked, finding: &Value) -> bool {
    if finding.get("line").is_none() {
        return true;
    }
    let Ok(evidence) = Evidence::deserialize(finding) else { return false };
    let expectation: Map<String, Value> =
        ["kind", "player", "margin"].iter().filter_map(|&field| Some((field.to_owned(), finding.get(field)?.clone()))).collect();
    let Ok(expectation) = Expectation::deserialize(Value::Object(expectation)) else { return false };
    let Some(status) = finding.get("status").and_then(|status| Status::deserialize(status).ok()) else { return false };
    Evidence::of(&checked.start, &evidence.line, expectation, status, None).is_ok_and(|again| again == Some(evidence))
}

/// The findings of a result document.
fn findings(document: &mut Value) -> Vec<&mut Value> {
    fn each(value: Option<&mut Value>) -> impl Iterator<Item = &mut Value> {
        value.and_then(Value::as_array_mut).into_iter().flatten()
    }
    each(document.get_mut("claims"))
        .flat_map(|claim| each(claim.get_mut("readings")))
        .filter_map(Value::as_object_mut)
        .flat_map(|reading| reading.iter_mut().filter(|(name, _)| *name == "claimed" || *name == "found"))
        .flat_map(|(_, findings)| each(Some(findings)))
        .collect()
}

/// Writes a file as a whole or not at all.
fn replace(path: &Path, text: &str) -> std::io::Result<()> {
    let temporary = path.with_extension(format!("{}.tmp", std::process::id()));
    std::fs::write(&temporary, text).and_then(|()| std::fs::rename(&temporary, path)).inspect_err(|_| {
        // Nothing was replaced; a leftover is all that could remain.
        let _ = std::fs::remove_file(&temporary);
    })
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

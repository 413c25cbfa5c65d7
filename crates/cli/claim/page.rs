//! Results of claims for people: on the screen and as a page.

use std::collections::BTreeMap;

use super::certificate::Proof;
use super::check::{Cell, Checked, Finding, Status};
use crate::exit::Failure;
use crate::layout::{self, Align};
use crate::output::{FAINT, HEADING, STRONG, styled};
use crate::report::board_of;
use crate::units::counted;
use crate::work;

/// So many readings are told one by one.
const FEW: usize = 12;

/// Results on the screen.
pub(super) fn screen(checked: &[Checked], seconds: f64) -> String {
    let mut text: String = checked.iter().map(one).collect();
    text += &format!("{}\n", styled(FAINT, work::time(seconds)));
    text
}

fn one(checked: &Checked) -> String {
    let mut page = format!("{}: {}\n\n", styled(STRONG, &checked.claim.id), styled(STRONG, checked.status().word()));
    page += &layout::paragraphs(checked.claim.statement.trim(), "  ");
    match &checked.own().cells[..] {
        [cell] => {
            page += &format!("\n  {}\n", styled(FAINT, format!("Rules and board: {}", cell.start.title())));
            for (title, findings) in [("Claimed", &cell.claimed), ("Found beside it", &cell.found)] {
                if findings.is_empty() {
                    continue;
                }
                page += &format!("\n{}\n", styled(HEADING, title));
                for finding in findings {
                    page += &finding_text(cell, finding);
                }
            }
        }
        cells => {
            let rules = format!("Rules: {}, on {}", cells[0].start.chosen, counted(cells.len() as u64, "board"));
            page += &format!("\n  {}\n\n{}\n", styled(FAINT, rules), styled(HEADING, "Claimed of each"));
            for expectation in &checked.claim.claimed {
                page += &layout::item(&format!("{}.", layout::capital(&expectation.says(None))));
            }
            page += &format!("\n{}\n", layout::indented(&grid(cells)));
        }
    }
    if checked.asked {
        page += &format!("\n{}\n{}", styled(HEADING, "Under other readings"), layout::item(&robustness(checked)));
        let rows: Vec<Vec<String>> = told(checked).map(|(name, status)| vec![name.to_owned(), status.to_owned()]).collect();
        if !rows.is_empty() {
            page += &layout::indented(&layout::table(&[Align::Left, Align::Left], &rows));
        }
    }
    if let Some(error) = checked.failure.as_ref().and_then(Failure::message) {
        page += &format!("\n{}", layout::paragraphs(&format!("Not checked as a whole: {error}."), "  "));
    }
    if let Some(Proof { file, entries }) = &checked.certificate {
        page += &format!("\nProven by the certificate {file} of {}, which was checked", counted(*entries, "position"));
    }
    for file in &checked.written {
        page += &format!("\nWritten to {file}");
    }
    if checked.kept_back {
        let why =
            "Nothing was written beside the claim: it was checked under other rules than it names. --out DIR writes the result.";
        page += &format!("\n{}", layout::paragraphs(why, ""));
    }
    page + if checked.written.is_empty() { "\n" } else { "\n\n" }
}

fn finding_text(cell: &Cell, finding: &Finding) -> String {
    let says = finding.expectation.says(Some(&cell.start));
    let mut text = layout::item(&format!("{}: {says}.", styled(STRONG, finding.status.word())));
    text += &layout::paragraphs(&format!("{}.", layout::capital(&finding.says)), "    ");
    if let Some(evidence) = &finding.evidence {
        text += &format!("    {}\n", evidence.replay);
    }
    text
}

/// What became of each board, pits a row across and seeds a pit down: the margin where it is known, and a mark.
fn grid(cells: &[Cell]) -> String {
    let mut pits: Vec<usize> = Vec::new();
    let mut rows: BTreeMap<usize, BTreeMap<usize, String>> = BTreeMap::new();
    for cell in cells {
        let Some(board) = board_of(&cell.start.position) else { continue };
        if !pits.contains(&board.pits()) {
            pits.push(board.pits());
        }
        rows.entry(board.seeds()).or_default().insert(board.pits(), mark(cell));
    }
    pits.sort_unstable();
    let mut table = vec![std::iter::once("seeds".to_owned()).chain(pits.iter().map(|pits| format!("{pits} pits"))).collect()];
    for (seeds, row) in rows {
        let cells = pits.iter().map(|pits| row.get(pits).cloned().unwrap_or_default());
        table.push(std::iter::once(seeds.to_string()).chain(cells).collect());
    }
    layout::table(&vec![Align::Right; pits.len() + 1], &table)
}

fn mark(cell: &Cell) -> String {
    let margin = cell.claimed.iter().filter_map(|finding| finding.bounds).find(|(low, high)| low == high);
    let margin = margin.map_or(String::new(), |(margin, _)| format!("{margin:+} "));
    let mark = match cell.status() {
        Status::Holds => "yes",
        Status::Refuted => "NO",
        Status::Open => "open",
    };
    format!("{margin}{mark}")
}

/// Whether the claim fares otherwise under some reading than under its own rules.
fn differs(checked: &Checked) -> bool {
    checked.readings.iter().any(|reading| reading.status() != checked.status())
}

/// Readings and what became of the claim under them, if there are others than its own rules: all if there are few, and otherwise those
/// that differ from its own rules, which come first; nothing where none does.
fn told(checked: &Checked) -> impl Iterator<Item = (&str, &'static str)> {
    let all = checked.readings.len() <= FEW;
    let own = checked.status();
    let readings = if checked.readings.len() > 1 && (all || differs(checked)) { &checked.readings[..] } else { &[] };
    readings
        .iter()
        .enumerate()
        .filter(move |(place, reading)| all || *place == 0 || reading.status() != own)
        .map(|(_, reading)| (reading.name.as_str(), reading.status().word()))
}

fn robustness(checked: &Checked) -> String {
    if checked.readings.len() == 1 {
        let contradicting = if checked.contradicting == 0 { "" } else { " without contradicting themselves" };
        return match &checked.combined[..] {
            [] => format!("{} has no other readings.", checked.own().cells[0].start.chosen),
            names => format!("There are none: {} change nothing here{contradicting}.", names.join(", ")),
        };
    }
    let count = |status| checked.readings.iter().filter(|reading| reading.status() == status).count();
    let counts: Vec<String> = [(Status::Holds, "holds"), (Status::Refuted, "is refuted"), (Status::Open, "is open")]
        .into_iter()
        .filter(|(status, _)| count(*status) > 0)
        .map(|(status, verb)| format!("{verb} under {}", count(status)))
        .collect();
    let contradicting = match checked.contradicting {
        0 => String::new(),
        count => format!(" ({count} more contradict themselves)"),
    };
    let open = count(Status::Open) > 0;
    let depends = match (&checked.depends_on[..], open) {
        ([], false) => "It depends on none of the readings".to_owned(),
        ([], true) => "As far as it is settled it depends on none of the readings".to_owned(),
        (names, _) => format!("It depends on {}", names.join(", ")),
    };
    let distinct = counted(checked.readings.len() as u64, "distinct rule set");
    let mut says = format!("Of {distinct}{contradicting} it {}. {depends}.", counts.join(", "));
    if checked.readings.len() > FEW && differs(checked) {
        says += " Those that differ:";
    }
    says
}

/// The result as a page in Markdown.
pub(super) fn markdown(checked: &Checked) -> String {
    let claim = &checked.claim;
    let own = checked.own();
    let first = &own.cells[0].start;
    let mut page = format!("# {}\n\n**The claim {}.**\n\n", claim.title, words(checked.status()));
    page += &format!("{}\n\n", claim.statement.trim());
    let rules = match &own.cells[..] {
        [cell] => cell.start.title(),
        cells => format!("{}, on {}", first.chosen, counted(cells.len() as u64, "board")),
    };
    page += &format!("* Rules: {rules}, fingerprint `{}`\n", first.chosen.report().fingerprint);
    page += &format!("* Checked by Lumbung {} with\n  `{}`\n", env!("CARGO_PKG_VERSION"), checked.command);
    if !claim.sources.is_empty() {
        page += "\n## Sources\n\n";
        page.extend(claim.sources.iter().map(|source| format!("* {source}\n")));
    }
    match &own.cells[..] {
        [cell] => {
            for (title, findings) in [("What is claimed", &cell.claimed), ("What was found beside it", &cell.found)] {
                if findings.is_empty() {
                    continue;
                }
                page += &format!("\n## {title}\n");
                for finding in findings {
                    let expected = layout::capital(&finding.expectation.says(Some(&cell.start)));
                    page += &format!("\n{expected}: **{}**. {}.\n", finding.status.word(), layout::capital(&finding.says));
                    if let Some(evidence) = &finding.evidence {
                        page += &format!("\n```sh\n{}\n```\n\nIt ends in `{}`.\n", evidence.replay, evidence.position);
                    }
                }
            }
        }
        cells => {
            page += "\n## What is claimed of each board\n\n";
            page.extend(claim.claimed.iter().map(|expectation| format!("* {}\n", layout::capital(&expectation.says(None)))));
            // A file has no colours.
            page += &format!("\n```text\n{}```\n", anstream::adapter::strip_str(&grid(cells)));
        }
    }
    if let Some(Proof { file, entries }) = &checked.certificate {
        let positions = counted(*entries, "position");
        page += &format!("\n## Proof\n\n[{file}]({file}), a certificate of {positions}:\n\n```sh\nlumbung verify {file}\n```\n");
    }
    if checked.asked {
        page += &format!("\n## Under other readings\n\n{}\n", robustness(checked));
        let rows: Vec<String> = told(checked).map(|(name, status)| format!("| {name} | {status} |\n")).collect();
        if !rows.is_empty() {
            page += &format!("\n| reading | status |\n|---|---|\n{}", rows.concat());
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

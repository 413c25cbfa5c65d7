//! A reproduction on the screen, as a document and as a page.

use std::path::Path;

use serde::Serialize;

use super::cell::{Cell, Need, Status};
use super::papers::Paper;
use crate::exit::Failure;
use crate::layout::{self, Align};
use crate::output::{self, FAINT, HEADING, STRONG, replace, styled};
use crate::units::counted;
use crate::work;

#[derive(Serialize)]
struct Document<'c> {
    paper: &'c str,
    title: &'c str,
    source: &'c str,
    cells: Counts,
    details: &'c [Cell],
    seconds: f64,
}

/// How many cells came out how.
#[derive(Debug, Default, Serialize)]
pub(super) struct Counts {
    pub(super) agrees: usize,
    pub(super) differs: usize,
    pub(super) depends: usize,
    pub(super) out_of_reach: usize,
    pub(super) misprint: usize,
}

impl Counts {
    pub(super) fn of(cells: &[Cell]) -> Self {
        let count = |status| cells.iter().filter(|cell| cell.status == status).count();
        Counts {
            agrees: count(Status::Agrees),
            differs: count(Status::Differs),
            depends: count(Status::Depends),
            out_of_reach: count(Status::OutOfReach),
            misprint: count(Status::Misprint),
        }
    }

    fn words<'c>(cells: impl IntoIterator<Item = &'c Cell>) -> String {
        let cells: Vec<&Cell> = cells.into_iter().collect();
        let count = |status| cells.iter().filter(|cell| cell.status == status).count();
        let words: Vec<String> = Status::ALL
            .into_iter()
            .filter(|status| count(*status) > 0)
            .map(|status| format!("{} {}", count(status), status.word().to_lowercase()))
            .collect();
        format!("{}: {}", counted(cells.len() as u64, "cell"), words.join(", "))
    }
}

pub(super) fn json(paper: &Paper, cells: &[Cell], seconds: f64) -> Result<String, Failure> {
    let document =
        Document { paper: paper.id, title: paper.title, source: paper.source, cells: Counts::of(cells), details: cells, seconds };
    output::document(super::SCHEMA, &document)
}

pub(super) fn screen(paper: &Paper, cells: &[Cell], written: &[String], seconds: f64) -> String {
    let mut text = format!("{}\n{}\n", styled(STRONG, paper.title), layout::paragraphs(paper.source, "  "));
    for (table, cells) in by_table(cells) {
        text += &format!("\n{}\n", styled(HEADING, format!("{table} ({})", Counts::words(cells.iter().copied()))));
        let mut rows = vec![["cell", "printed", "found", "", ""].map(str::to_owned).to_vec()];
        rows.extend(cells.iter().map(|cell| row(cell)));
        text += &layout::indented(&layout::table(&[Align::Left, Align::Right, Align::Right, Align::Left, Align::Left], &rows));
    }
    text += &format!("\n{}\n", styled(STRONG, Counts::words(cells)));
    for file in written {
        text += &format!("Written to {file}\n");
    }
    text + &format!("{}\n", styled(FAINT, work::time(seconds)))
}

fn row(cell: &Cell) -> Vec<String> {
    let remark = cell.note.clone().or_else(|| cell.need.as_ref().map(Need::words)).unwrap_or_default();
    let found = cell.found.clone().unwrap_or_default();
    vec![cell.cell.clone(), cell.printed.clone(), found, cell.status.word().to_owned(), remark]
}

fn by_table(cells: &[Cell]) -> Vec<(&str, Vec<&Cell>)> {
    let mut tables: Vec<(&str, Vec<&Cell>)> = Vec::new();
    for cell in cells {
        match tables.iter_mut().find(|(table, _)| *table == cell.table) {
            Some((_, cells)) => cells.push(cell),
            None => tables.push((&cell.table, vec![cell])),
        }
    }
    tables
}

fn markdown(paper: &Paper, cells: &[Cell]) -> String {
    let mut page = format!("# {}\n\n{}\n\n**{}.**\n\n", paper.title, paper.source, Counts::words(cells));
    page += &format!("Made by Lumbung {} with `lumbung reproduce {}`.\n", env!("CARGO_PKG_VERSION"), paper.id);
    for (table, cells) in by_table(cells) {
        page += &format!("\n## {table}\n\n| cell | printed | found | | |\n|---|--:|--:|---|---|\n");
        for cell in cells {
            page += &format!("| {} |\n", row(cell).iter().map(|text| text.replace('|', "\\|")).collect::<Vec<_>>().join(" | "));
        }
    }
    page
}

/// Writes the page and the document to a directory, and returns the files.
pub(super) fn write(paper: &Paper, cells: &[Cell], seconds: f64, directory: &Path) -> Result<Vec<String>, Failure> {
    let files = [("json", json(paper, cells, seconds)?), ("md", markdown(paper, cells))];
    let mut written = Vec::new();
    for (extension, text) in files {
        let path = directory.join(format!("{}.{extension}", paper.id));
        replace(&path, &text).map_err(|error| Failure::new(format!("cannot write {}: {error}", path.display())))?;
        written.push(path.display().to_string());
    }
    Ok(written)
}

//! `reproduce`: published figures recomputed, cell by cell.

mod cell;
mod desk;
mod donkers;
mod herik;
mod irving;
mod lincke;
mod papers;
mod rawlings;
mod report;
mod romein;

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use serde::Serialize;

use crate::args::Common;
use crate::exit::{Exit, Failure};
use crate::layout::{self, Align};
use crate::output;
use crate::units;
use crate::work::Work;
use desk::Desk;
use papers::{PAPERS, find};
use report::Counts;

const SCHEMA: &str = "lumbung/reproduce/1";
const LIST: &str = "lumbung/reproduce-list/1";

const AFTER: &str = "\
Examples:
  lumbung reproduce list
  lumbung reproduce irving-2000
  lumbung reproduce irving-2000 --each 10m --out solver-results/reproductions

Every printed cell is one of: agrees; differs, with both numbers; depends on a reading of the rules, which is named; misprint, with
the evidence; or out of reach here, with what it would take.";

/// Recompute the figures of a paper and compare them with what is printed, cell by cell
#[derive(Debug, Args)]
#[command(after_help = AFTER)]
pub(crate) struct ReproduceArgs {
    /// A paper that `lumbung reproduce list` lists
    #[arg(value_name = "list|PAPER")]
    paper: String,
    /// Spend at most this much time on one figure
    #[arg(long, value_name = "TIME", default_value = "60s", value_parser = units::time)]
    each: Duration,
    /// Write a page and a document to this directory
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

pub(crate) fn run(args: &ReproduceArgs, common: &Common) -> Result<Exit, Failure> {
    if common.rules.is_some() || !common.readings.is_empty() || !common.set.is_empty() {
        return Err(Failure::new("a paper has its own rules; leave out --rules, --reading and --set"));
    }
    if args.paper == "list" {
        return list(common);
    }
    let paper = find(&args.paper)?;
    if let Some(directory) = &args.out {
        std::fs::create_dir_all(directory)
            .map_err(|error| Failure::new(format!("cannot create {}: {error}", directory.display())))?;
    }
    let work = Work::begin(common, None)?;
    let cells = (paper.cells)(&Desk { work: &work, each: args.each })?;
    work.progress.finish();
    let written = match &args.out {
        Some(directory) => report::write(paper, &cells, work.seconds(), directory)?,
        None => Vec::new(),
    };
    if common.json {
        output::plain(&report::json(paper, &cells, work.seconds())?)?;
    } else {
        output::text(&report::screen(paper, &cells, &written, work.seconds()))?;
    }
    let counts = Counts::of(&cells);
    Ok(if work.limits.exceeded(0) == Some(lumbung_solver::StopReason::Interrupted) {
        Exit::Interrupted
    } else if counts.differs > 0 {
        Exit::Refuted
    } else {
        Exit::Done
    })
}

/// A paper in the list.
#[derive(Serialize)]
struct Listed {
    paper: &'static str,
    title: &'static str,
    source: &'static str,
}

#[derive(Serialize)]
struct List {
    papers: Vec<Listed>,
}

fn list(common: &Common) -> Result<Exit, Failure> {
    let papers = PAPERS.iter().map(|paper| Listed { paper: paper.id, title: paper.title, source: paper.source }).collect();
    if common.json {
        output::json(LIST, &List { papers })?;
        return Ok(Exit::Done);
    }
    let rows: Vec<Vec<String>> = PAPERS.iter().map(|paper| vec![paper.id.to_owned(), paper.title.to_owned()]).collect();
    let table = layout::table(&[Align::Left, Align::Left], &rows);
    output::text(&format!("{table}\nTo recompute one: lumbung reproduce PAPER\n"))?;
    Ok(Exit::Done)
}

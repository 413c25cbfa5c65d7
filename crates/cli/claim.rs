//! `claim`: published claims, and whether they hold.

mod boards;
mod certificate;
mod check;
mod evidence;
mod expectation;
mod facts;
mod file;
mod layers;
mod page;
pub(crate) mod readings;
mod result;

use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::{Args, Subcommand};
use serde::Serialize;

use crate::args::Common;
use crate::exit::{Exit, Failure};
use crate::layout::{self, Align};
use crate::output;
use crate::rules::quoted;
use crate::units;
use crate::work::Work;
use check::{Checked, Status, Task, check};
use file::Claim;
use readings::Under;

const LIST: &str = "lumbung/claim-list/1";
const CHECK: &str = "lumbung/claim-check/1";

const AFTER: &str = "\
Examples:
  lumbung claim list
  lumbung claim check dakon-first-player-win
  lumbung claim check --all
  lumbung claim check dakon-first-player-win --reading german-end  under another reading
  lumbung claim check dakon-first-player-win --readings all        under every combination of them
  lumbung claim check my-claim.toml --no-write

A claim is a small TOML file. Claims are looked for in solver-results/claims, then among those
that come with the program. It names a game (game = \"dakon\") or a file of rules of your own
(rules = \"my-kalah.toml\", as seen from the claim; --rules is not for claims). The result of a claim
file is written beside it, as <id>.result.json and <id>.md, unless it was checked under other rules
than it names.";

/// Check published claims: each holds, is refuted, or stays open within the limits
#[derive(Debug, Args)]
#[command(after_help = AFTER)]
pub(crate) struct ClaimArgs {
    #[command(subcommand)]
    command: ClaimCommand,
}

#[derive(Debug, Subcommand)]
enum ClaimCommand {
    /// The claims there are, and what was found when they were last checked
    List,
    Check(CheckArgs),
}

/// Settle a claim and show the evidence; exit code 0 it holds, 1 it is refuted, 3 it stays open
#[derive(Debug, Args)]
#[command(after_help = AFTER)]
struct CheckArgs {
    /// A claim that `lumbung claim list` lists, or a claim file
    #[arg(value_name = "ID|FILE", required_unless_present = "all", conflicts_with = "all")]
    claim: Option<String>,
    /// Check all claims
    #[arg(long)]
    all: bool,
    /// Check it besides under other readings: `all` for every combination, `each` for one at a time, NAMES for every
    /// combination of these, or `own` for none [default: as the claim says]
    #[arg(long = "readings", value_name = "own|all|each|NAME,...", value_delimiter = ',')]
    under: Vec<String>,
    /// Spend at most this much time on one board under one rule set [default: as the claim says]
    #[arg(long, value_name = "TIME", value_parser = units::time)]
    each: Option<Duration>,
    /// Write the results to this directory
    #[arg(long, value_name = "DIR", conflicts_with = "no_write")]
    out: Option<PathBuf>,
    /// Write a certificate beside each result that has one position and a margin, and check it
    #[arg(long, conflicts_with = "no_write")]
    certificates: bool,
    /// Write no result
    #[arg(long)]
    no_write: bool,
}

pub(crate) fn run(args: &ClaimArgs, common: &Common) -> Result<Exit, Failure> {
    if let Some(file) = &common.rules {
        return Err(Failure::new(format!(
            "--rules {}: a claim names its own rules; write rules = \"FILE\" in the claim, in place of game, or set = [...] beside it",
            file.display()
        )));
    }
    match &args.command {
        ClaimCommand::List => list(common),
        ClaimCommand::Check(args) => run_check(args, common),
    }
}

/// A claim in the list.
#[derive(Serialize)]
struct Listed {
    id: String,
    title: String,
    game: String,
    board: Option<String>,
    file: Option<String>,
    /// What the result beside the claim says.
    status: Option<Status>,
}

#[derive(Serialize)]
struct List {
    claims: Vec<Listed>,
}

/// A claim with what was found when it was last checked.
pub(crate) struct Recorded {
    pub(crate) id: String,
    pub(crate) title: String,
    pub(crate) statement: String,
    pub(crate) sources: Vec<String>,
    /// The preset, or the file of rules as the claim names it.
    pub(crate) game: String,
    pub(crate) board: Option<String>,
    /// The document of its check: the one beside the claim, or the one that comes with the program.
    pub(crate) result: Option<serde_json::Value>,
}

/// All claims with their results.
pub(crate) fn recorded() -> Result<Vec<Recorded>, Failure> {
    let of_claim = |claim: Claim| Recorded {
        result: result::document(claim.directory(), &claim.id),
        board: claim.board(),
        game: claim.game().to_owned(),
        id: claim.id,
        title: claim.title,
        statement: claim.statement,
        sources: claim.sources,
    };
    Ok(file::all()?.into_iter().map(of_claim).collect())
}

fn list(common: &Common) -> Result<Exit, Failure> {
    if !common.readings.is_empty() || !common.set.is_empty() {
        return Err(Failure::new("the list of claims takes no rules; a check does: lumbung claim check ID --reading NAME"));
    }
    let claims = file::all()?
        .into_iter()
        .map(|claim| Listed {
            status: claim.directory().and_then(|directory| result::recorded(directory, &claim.id)),
            file: claim.path.as_ref().map(|path| path.display().to_string()),
            board: claim.board(),
            game: claim.game().to_owned(),
            id: claim.id,
            title: claim.title,
        })
        .collect();
    let list = List { claims };
    if common.json {
        output::json(LIST, &list)?;
        return Ok(Exit::Done);
    }
    let mut rows = vec![["claim", "game", "board", "result", ""].map(str::to_owned).to_vec()];
    rows.extend(list.claims.iter().map(|claim| {
        let board = claim.board.clone().unwrap_or_default();
        let status = claim.status.map_or("not checked", Status::word).to_owned();
        vec![claim.id.clone(), claim.game.clone(), board, status, claim.title.clone()]
    }));
    let table = layout::table(&[Align::Left, Align::Left, Align::Right, Align::Left, Align::Left], &rows);
    output::text(&format!("{table}\nTo check one: lumbung claim check CLAIM\n"))?;
    Ok(Exit::Done)
}

fn run_check(args: &CheckArgs, common: &Common) -> Result<Exit, Failure> {
    let claims = match &args.claim {
        Some(claim) => vec![file::find(claim)?],
        None => file::all()?,
    };
    // All input is looked at before any work is done.
    let under = (!args.under.is_empty()).then(|| Under::words(&args.under));
    let tasks =
        claims.into_iter().map(|claim| claim.task(under.clone(), args.each, common)).collect::<Result<Vec<Task>, Failure>>()?;
    if let Some(directory) = &args.out {
        std::fs::create_dir_all(directory)
            .map_err(|error| Failure::new(format!("cannot create {}: {error}", directory.display())))?;
    }
    let work = Work::begin(common, None)?;
    let mut checked = Vec::new();
    for task in tasks {
        let mut result = check(task, &work);
        result.command = command(args, common, &result.claim);
        result.kept_back = !args.no_write && target(args, common, &result.claim).is_none() && result.claim.directory().is_some();
        if result.failure.is_none()
            && let Some(directory) = target(args, common, &result.claim).map(Path::to_owned)
        {
            let proof = if args.certificates { certificate::prove(&result, &directory, &work) } else { Ok(None) };
            let written = proof.and_then(|proof| {
                result.certificate = proof;
                result::write(&result, &directory)
            });
            match written {
                Ok(written) => result.written = written,
                Err(failure) => result.failure = Some(failure),
            }
        }
        if !args.all
            && let Some(failure) = result.failure.take()
        {
            return Err(failure);
        }
        checked.push(result);
    }
    work.progress.finish();
    if common.json {
        output::plain(&result::json(&checked, work.seconds())?)?;
    } else {
        output::text(&page::screen(&checked, work.seconds()))?;
    }
    // What was found is out; now what was not.
    match checked.iter_mut().find_map(|result| result.failure.take()) {
        Some(failure) => Err(failure),
        None => Ok(exit(&checked)),
    }
}

/// The command that checks a claim as it was checked, from the directory that its page is in if that is beside its file.
fn command(args: &CheckArgs, common: &Common, claim: &Claim) -> String {
    let mut words = format!("lumbung claim check {}", quoted(&claim.name(args.out.is_some())));
    let options = common.readings.iter().map(|name| ("--reading", name)).chain(common.set.iter().map(|change| ("--set", change)));
    for (option, value) in options {
        words += &format!(" {option} {}", quoted(value));
    }
    if !args.under.is_empty() {
        words += &format!(" --readings {}", quoted(&args.under.join(",")));
    }
    words
}

/// Where the result of a claim goes: beside its file, unless it was checked under other rules than it names.
fn target<'p>(args: &'p CheckArgs, common: &Common, claim: &'p Claim) -> Option<&'p Path> {
    let own_rules = common.readings.is_empty() && common.set.is_empty() && args.under.is_empty();
    match &args.out {
        Some(directory) => Some(directory),
        None if args.no_write || !own_rules => None,
        None => claim.directory(),
    }
}

/// The worst of all results counts: refuted, then interrupted, then open.
fn exit(checked: &[Checked]) -> Exit {
    let any = |status| checked.iter().any(|result| result.status() == status);
    if any(Status::Refuted) {
        Exit::Refuted
    } else if !any(Status::Open) {
        Exit::Done
    } else if checked.iter().any(|result| result.interrupted) {
        Exit::Interrupted
    } else {
        Exit::Unsettled
    }
}

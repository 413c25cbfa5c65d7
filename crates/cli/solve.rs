//! `solve`: the exact value of a position.

mod advice;
pub(crate) mod certificate;

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use lumbung_engine::notation::write_turns;
use lumbung_solver::bounds::Bounds;
use lumbung_solver::solve::{Goal, Options, Outcome, Solution, solve_then};
use lumbung_solver::{LineEnd, PlayedTurn};
use lumbung_tables::file::Directory;
use serde::Serialize;

use self::certificate::{Leaning, Written};
use crate::args::Common;
use crate::exit::{Exit, Failure};
use crate::layout;
use crate::output::{self, FAINT, HEADING, STRONG, styled};
use crate::progress;
use crate::report;
use crate::start::{Start, StartArgs};
use crate::units::{self, counted};
use crate::work::{self, Work};

const AFTER: &str = "\
Examples:
  lumbung solve dakon                              the standard board, 7x7
  lumbung solve dakon --board 3x5                  a board on which the first player loses
  lumbung solve kalah --board 4x3 --goal outcome   only who wins
  lumbung solve dakon --reading german-end         under another reading of the rules
  lumbung solve awari --position 0,0,0,0,2,1/1,0,0,0,0,0/22,22/s
  lumbung solve dakon --board 8x8 --limit 10m      at most ten minutes
  lumbung solve dakon --certificate dakon.lumcert  with a proof that lumbung verify checks
  lumbung solve kalah --tables k14 --certificate kalah.lumcert --lean-on-table
                                                   a smaller proof, which that table is a part of
  lumbung solve kalah --board 6x5 --checkpoint kalah-6x5.search
                                                   may be stopped and goes on later

The margin is South's final store minus North's, under best play by both. What is printed as
proven is proven.";

/// Solve a position: who wins, by how much, and how, under best play by both
#[derive(Debug, Args)]
#[command(after_help = AFTER)]
pub(crate) struct SolveArgs {
    #[command(flatten)]
    start: StartArgs,
    /// What to settle: by how much the winner wins, or only who wins
    #[arg(long, value_name = "GOAL", value_enum, default_value_t = GoalArg::Margin)]
    goal: GoalArg,
    /// Write what was found to this file as a certificate, which `lumbung verify` checks without a search
    #[arg(long, value_name = "FILE")]
    certificate: Option<PathBuf>,
    /// Leave the endgames of the certificate to the table of --tables: it is smaller, and proves only what that table bears out
    #[arg(long, requires = "certificate", requires = "tables")]
    lean_on_table: bool,
    /// Set the search aside in this file every few minutes and when it is stopped, and go on from it if it is there
    #[arg(long, value_name = "FILE")]
    checkpoint: Option<PathBuf>,
    #[command(flatten)]
    search: SearchArgs,
}

/// How to search.
#[derive(Debug, Args)]
pub(crate) struct SearchArgs {
    /// Begin with the table in this directory, which must be of the same rules and pits a row
    #[arg(long, value_name = "DIR")]
    tables: Option<PathBuf>,
    /// Keep all positions of up to K seeds in a table in memory, 0 for none [default: chosen as the search goes]
    #[arg(long, value_name = "K", value_parser = units::table_seeds, allow_hyphen_values = true)]
    table_seeds: Option<usize>,
    /// Stop after visiting N positions
    #[arg(long, value_name = "N", value_parser = units::nodes, allow_hyphen_values = true)]
    nodes: Option<u64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum GoalArg {
    /// By how much the winner wins
    Margin,
    /// Only who wins
    Outcome,
}

impl SearchArgs {
    /// The table on disk, for a certificate to lean on.
    fn table(&self, start: &Start) -> Result<Leaning, Failure> {
        let Some(path) = &self.tables else { return Err(Failure::new("--lean-on-table: which table? --tables names it")) };
        let directory = Directory::open_for(path, &start.chosen.rules, start.position.owners).map_err(Failure::new)?;
        let most = directory.seeds().map_err(Failure::new)?;
        Ok(Leaning {
            path: path.clone(),
            digest: *directory.digest(),
            seeds: self.table_seeds.map_or(most, |seeds| seeds.min(most)),
        })
    }

    pub(crate) fn nodes(&self) -> Option<u64> {
        self.nodes
    }

    pub(crate) fn options(&self, goal: Goal, work: &Work) -> Options {
        Options {
            goal,
            table_seeds: self.table_seeds,
            tables: self.tables.clone(),
            limits: work.limits.clone(),
            ..Options::default()
        }
    }
}

pub(crate) fn run(args: &SolveArgs, common: &Common) -> Result<Exit, Failure> {
    let start = Start::new(&args.start, common)?;
    let work = Work::begin(common, args.search.nodes())?;
    let goal = match args.goal {
        GoalArg::Margin => Goal::Margin,
        GoalArg::Outcome => Goal::Outcome,
    };
    let options = Options { checkpoint: args.checkpoint.clone(), ..args.search.options(goal, &work) };
    if let Some(path) = &args.certificate {
        certificate::place(path)?;
    }
    let table = if args.lean_on_table { Some(args.search.table(&start)?) } else { None };
    let then = |solution: &Solution, bounds: &mut dyn Bounds| {
        let seconds = work.seconds();
        let written = match &args.certificate {
            Some(path) => certificate::write_by(bounds, path, &start, goal, solution, table.as_ref(), &work)?,
            None => Written::NotAsked,
        };
        Ok::<_, Failure>((seconds, written))
    };
    let solved = solve_then(&start.chosen.rules, &start.position, &options, &work.progress, then).map_err(Failure::new)?;
    let (solution, then) = solved;
    let (seconds, written) = then?;
    work.progress.finish();
    if common.json {
        // The document has no place for it, and says only that there is no checkpoint.
        if let Some(error) = &solution.unsaved {
            work.progress.warn(&lost(error));
        }
        output::json("lumbung/solve/1", &document(args, &start, goal, &solution, seconds, &written))?;
    } else {
        let advice = advice::advice(&start, &solution, work.limits.memory);
        output::text(&(page(args, &start, &solution, advice, seconds) + &written.words()))?;
    }
    Ok(match written {
        Written::Stopped(reason) => work::exit(false, Some(reason)),
        _ => work::exit(solution.proven, solution.stopped),
    })
}

/// That a checkpoint could not be written. There may be one from earlier, which is kept.
fn lost(error: &str) -> String {
    format!("What was learnt and is not in a checkpoint yet is lost: {error}.")
}

fn page(args: &SolveArgs, start: &Start, solution: &Solution, advice: Option<String>, seconds: f64) -> String {
    let mut page =
        format!("{}\n\n{}\n", styled(STRONG, start.title()), styled(STRONG, layout::capital(&verdict(start, solution))));
    if !solution.proven {
        page += &format!("Not settled: {}.\n", work::why(solution.stopped));
        if let Some(all) = solution.foreseen {
            let visited = solution.nodes_before.saturating_add(solution.nodes);
            let were = if visited == 1 { "was" } else { "were" };
            let (all, visited) = (units::count(units::about(all)), counted(visited, "position"));
            page += &layout::paragraphs(
                &format!(
                    "By the seeds in play it may take some {all} positions in all, an order of magnitude that is often wrong by a \
                     factor of three; {visited} {were} visited."
                ),
                "",
            );
        }
        page += &advice.map(|advice| layout::paragraphs(&advice, "")).unwrap_or_default();
        if let Some(error) = &solution.unsaved {
            page += &format!("{}\n", lost(error));
        } else if let Some(path) = &args.checkpoint {
            page += &format!("What was learnt is in {}; the same command goes on from there.\n", path.display());
        }
    } else if let Some(error) = &solution.unsaved {
        page += &layout::paragraphs(&format!("This is not in the checkpoint: {error}."), "");
    }
    if !solution.line.is_empty() {
        page += &format!("\n{}\n", styled(HEADING, "Best play"));
        page += &layout::indented(&layout::board(&start.position));
        page += &turns(&solution.line);
        page += line_end(solution.line_end);
        let replay = format!("lumbung play {} --moves \"{}\"", start.arguments(), line(solution));
        page += &format!("\nTo replay it:\n  {replay}\n");
    }
    let table = match solution.table_seeds {
        Some(seeds) => format!(", table of up to {} ({})", counted(seeds as u64, "seed"), counted(solution.table_hits, "hit")),
        None => String::new(),
    };
    let threads = counted(solution.threads as u64, "thread");
    let before = progress::earlier(solution.nodes_before).map(|before| format!(" {before}")).unwrap_or_default();
    let visited = counted(solution.nodes, "position");
    let figures = format!("{visited} visited{before}{table}, {threads}, {}", work::time(seconds));
    page + &format!("\n{}\n", styled(FAINT, figures))
}

/// The result in a line.
pub(crate) fn verdict(start: &Start, solution: &Solution) -> String {
    let (low, high) = solution.margin;
    if low == high {
        return exact(start, solution, low);
    }
    let by = |least: i32, most: i32| format!("by {} to {}", least.abs(), most.abs());
    match solution.outcome {
        Some(Outcome::South) => format!("South wins {}", by(low, high)),
        Some(Outcome::North) => format!("North wins {}", by(high, low)),
        Some(Outcome::Draw) => layout::verdict(0),
        None => format!("South's final margin lies between {low} and {high}"),
    }
}

/// A known margin, with the final stores where they are known too.
fn exact(start: &Start, solution: &Solution, margin: i32) -> String {
    match (solution.line_end, solution.line.last()) {
        (LineEnd::GameOver, Some(last)) => layout::result(last.after.stores.map(i32::from)),
        _ if start.chosen.rules.value_parity() => {
            // Every seed ends in a store, and there are at most as many as a position may hold.
            let seeds = start.seeds() as i32;
            layout::result([(seeds + margin) / 2, (seeds - margin) / 2])
        }
        _ => layout::verdict(margin),
    }
}

/// Every turn of a line, the board drawn after it.
pub(crate) fn turns(line: &[PlayedTurn]) -> String {
    let mut text = String::new();
    for (number, turn) in (1..).zip(line) {
        let moves = write_turns([&turn.moves].map(|moves| moves.iter().copied()));
        let passes = turn.moves.is_empty();
        let said = if passes { format!("{} passes", turn.side) } else { format!("{}: {moves}", turn.side) };
        text += &layout::paragraphs(&format!("{number}. {said}"), "  ");
        text += &layout::indented(&layout::board(&turn.after));
    }
    text
}

fn line_end(end: LineEnd) -> &'static str {
    match end {
        LineEnd::GameOver => "  The game is over.\n",
        LineEnd::Repeats => "  From here on play repeats for ever, and neither side can do better.\n",
        LineEnd::Unfinished => "  The limits did not allow to follow the line to its end.\n",
    }
}

/// The line as moves are written.
pub(crate) fn line(solution: &Solution) -> String {
    write_turns(solution.line.iter().map(|turn| turn.moves.iter().copied()))
}

/// The document of `solve`.
#[derive(Serialize)]
struct Document {
    #[serde(flatten)]
    start: report::Start,
    goal: &'static str,
    proven: bool,
    margin: Option<i32>,
    bounds: [i32; 2],
    outcome: Option<&'static str>,
    line: String,
    line_end: Option<&'static str>,
    nodes: u64,
    nodes_before: u64,
    table_hits: u64,
    table_seeds: Option<usize>,
    foreseen_nodes: Option<u64>,
    threads: usize,
    seconds: f64,
    stopped: Option<&'static str>,
    checkpoint: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    certificate: Option<certificate::Report>,
}

fn document(args: &SolveArgs, start: &Start, goal: Goal, solution: &Solution, seconds: f64, written: &Written) -> Document {
    let (low, high) = solution.margin;
    let exact = low == high;
    Document {
        start: start.report(),
        goal: match goal {
            Goal::Margin => "margin",
            Goal::Outcome => "outcome",
        },
        proven: solution.proven,
        margin: exact.then_some(low),
        bounds: [low, high],
        outcome: solution.outcome.map(Outcome::name),
        line: line(solution),
        line_end: exact.then_some(match solution.line_end {
            LineEnd::GameOver => "game-over",
            LineEnd::Repeats => "repeats",
            LineEnd::Unfinished => "unfinished",
        }),
        nodes: solution.nodes,
        nodes_before: solution.nodes_before,
        table_hits: solution.table_hits,
        table_seeds: solution.table_seeds,
        foreseen_nodes: solution.foreseen,
        threads: solution.threads,
        seconds,
        stopped: solution.stopped.map(work::word),
        checkpoint: args.checkpoint.as_ref().filter(|_| solution.unsaved.is_none()).map(|path| path.display().to_string()),
        certificate: written.report(),
    }
}

//! `perft`: how many ways there are to play on.

use clap::{Args, ValueEnum};
use lumbung_engine::{Position, RuleSet};
use lumbung_solver::{Limits, StopReason, perft};
use serde::Serialize;

use crate::args::Common;
use crate::exit::{Exit, Failure};
use crate::layout::{self, Align};
use crate::output::{self, FAINT, STRONG, styled};
use crate::report;
use crate::start::{Start, StartArgs};
use crate::units::{self, count};
use crate::work::{self, Work};

const AFTER: &str = "\
Examples:
  lumbung perft awari --depth 7
  lumbung perft dakon --board 2x2 --depth 6
  lumbung perft dakon --depth 5 --by moves       turns of bonus moves are too many

A move is one chosen pit and all it forces; a turn is all the moves a player makes before play
passes. Sequences are counted, so positions that are reached in several ways count several
times; a game that is over earlier does not count, and a turn that must pass is neither a move
nor a turn.";

/// Count the sequences of exactly D moves, and of exactly D turns: a check of rules against other programs
#[derive(Debug, Args)]
#[command(after_help = AFTER)]
pub(crate) struct PerftArgs {
    #[command(flatten)]
    start: StartArgs,
    /// How deep to count
    #[arg(long, value_name = "D", value_parser = units::depth, allow_hyphen_values = true)]
    depth: u32,
    /// What to count
    #[arg(long, value_name = "UNIT", value_enum, default_value_t = By::Both)]
    by: By,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum By {
    /// Sequences of moves
    Moves,
    /// Sequences of turns
    Turns,
    /// Both
    Both,
}

/// The counts of a depth; none where they were not asked for or a limit came first.
#[derive(Serialize)]
struct Row {
    depth: u32,
    moves: Option<u64>,
    turns: Option<u64>,
}

type Counter = fn(&RuleSet, &Position, u32, &Limits) -> Result<u64, StopReason>;

pub(crate) fn run(args: &PerftArgs, common: &Common) -> Result<Exit, Failure> {
    let start = Start::new(&args.start, common)?;
    let work = Work::begin(common, None)?;
    let column = |wanted: bool, unit: &str, counter: Counter| {
        if wanted { counts(&start, args.depth, &work, unit, counter) } else { (Vec::new(), None) }
    };
    let (moves, moves_stopped) = column(args.by != By::Turns, "moves", perft::moves);
    let (turns, turns_stopped) = column(args.by != By::Moves, "turns", perft::turns);
    let stopped = moves_stopped.or(turns_stopped);
    work.progress.finish();
    let deepest = moves.len().max(turns.len());
    let rows: Vec<Row> = (1..)
        .zip(0..deepest)
        .map(|(depth, index)| Row { depth, moves: moves.get(index).copied(), turns: turns.get(index).copied() })
        .collect();
    if common.json {
        output::json("lumbung/perft/1", &document(&start, args.depth, rows, stopped, work.seconds()))?;
    } else {
        output::text(&page(&start, &rows, stopped, work.seconds()))?;
    }
    Ok(work::exit(stopped.is_none(), stopped))
}

/// The counts of every depth that the limits allow.
fn counts(start: &Start, deepest: u32, work: &Work, unit: &str, counter: Counter) -> (Vec<u64>, Option<StopReason>) {
    let mut counts = Vec::new();
    for depth in 1..=deepest {
        work.progress.say(format!("counting by {unit}, depth {depth}"));
        match counter(&start.chosen.rules, &start.position, depth, &work.limits) {
            Ok(count) => counts.push(count),
            Err(reason) => return (counts, Some(reason)),
        }
    }
    (counts, None)
}

fn page(start: &Start, rows: &[Row], stopped: Option<StopReason>, seconds: f64) -> String {
    let shown = |number: Option<u64>| number.map_or_else(|| "-".to_owned(), count);
    let mut lines = vec![["depth", "by moves", "by turns"].map(str::to_owned).to_vec()];
    lines.extend(rows.iter().map(|row| vec![row.depth.to_string(), shown(row.moves), shown(row.turns)]));
    let mut page = format!("{}\n\n", styled(STRONG, start.title()));
    page += &layout::table(&[Align::Right; 3], &lines);
    if stopped.is_some() {
        page += &format!("\nNot done: {}.\n", work::why(stopped));
    }
    page + &format!("\n{}\n", styled(FAINT, work::time(seconds)))
}

/// The document of `perft`; `moves` and `turns` are those of the depth that was asked for.
#[derive(Serialize)]
struct Document {
    #[serde(flatten)]
    start: report::Start,
    depth: u32,
    moves: Option<u64>,
    turns: Option<u64>,
    rows: Vec<Row>,
    seconds: f64,
    stopped: Option<&'static str>,
}

fn document(start: &Start, depth: u32, rows: Vec<Row>, stopped: Option<StopReason>, seconds: f64) -> Document {
    let last = rows.last().filter(|row| row.depth == depth);
    Document {
        start: start.report(),
        depth,
        moves: last.and_then(|row| row.moves),
        turns: last.and_then(|row| row.turns),
        rows,
        seconds,
        stopped: stopped.map(work::word),
    }
}

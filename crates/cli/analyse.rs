//! `analyse`: what every move is worth.

use clap::Args;
use lumbung_solver::analyse::{Analysis, Calls, MoveValue, analyse};
use lumbung_solver::solve::Goal;
use serde::Serialize;

use crate::args::Common;
use crate::exit::{Exit, Failure};
use crate::layout::{self, Align};
use crate::output::{self, FAINT, STRONG, styled};
use crate::report;
use crate::solve::SearchArgs;
use crate::start::{Start, StartArgs};
use crate::units::counted;
use crate::work::{self, Work};

const AFTER: &str = "\
Examples:
  lumbung analyse dakon --board 4x4
  lumbung analyse kalah --position 0,1,0,2,0,1/3,0,0,0,1,0/20,20/s
  lumbung analyse djenon-abe --position 0,0,2,1,0,0/3,0,0,0,0,1 --json

The value of a move is what its player gains over the other from here on, under best play by
both after it. It depends on the pits alone; the stores are not counted in.";

/// What every legal move of a position is worth
#[derive(Debug, Args)]
#[command(after_help = AFTER)]
pub(crate) struct AnalyseArgs {
    #[command(flatten)]
    start: StartArgs,
    #[command(flatten)]
    search: SearchArgs,
}

pub(crate) fn run(args: &AnalyseArgs, common: &Common) -> Result<Exit, Failure> {
    let start = Start::new(&args.start, common)?;
    let work = Work::begin(common, args.search.nodes())?;
    let options = args.search.options(Goal::Margin, &work);
    let analysis = analyse(&start.chosen.rules, &start.position, &options, &work.progress).map_err(Failure::new)?;
    work.progress.finish();
    let seconds = work.seconds();
    if common.json {
        output::json("lumbung/analyse/1", &document(&start, &analysis, seconds))?;
    } else {
        output::text(&page(&start, &analysis, seconds))?;
    }
    Ok(work::exit(settled(&analysis), analysis.stopped))
}

fn exact((low, high): (i32, i32)) -> Option<i32> {
    (low == high).then_some(low)
}

fn settled(analysis: &Analysis) -> bool {
    exact(analysis.value).is_some() && analysis.moves.iter().all(|choice| exact(choice.value).is_some())
}

/// A value with its sign, or its bounds.
fn shown(value: (i32, i32)) -> String {
    match exact(value) {
        Some(value) => format!("{value:+}"),
        None => format!("{:+} to {:+}", value.0, value.1),
    }
}

fn page(start: &Start, analysis: &Analysis, seconds: f64) -> String {
    let side = start.position.to_move;
    let mut page = format!("{}\n\n", styled(STRONG, start.title()));
    page += &layout::indented(&layout::board(&start.position));
    page += "\n";
    match analysis.calls {
        Calls::Over => page += "The game is over.\n",
        Calls::Pass => page += &format!("{side} has no move and must pass.\n"),
        Calls::Move => page += &table(analysis),
    }
    let worth = format!("{side} gains {} over {} from here on", shown(analysis.value), side.other());
    page += &format!("\n{}\n", styled(STRONG, worth));
    if !settled(analysis) {
        page += &format!("Not settled: {}.\n", work::why(analysis.stopped));
    }
    let figures = format!("{} visited, {}", counted(analysis.nodes, "position"), work::time(seconds));
    page + &format!("\n{}\n", styled(FAINT, figures))
}

fn table(analysis: &Analysis) -> String {
    let mut rows = vec![["pit", "value", "gain at once", ""].map(str::to_owned).to_vec()];
    rows.extend(analysis.moves.iter().map(|choice| {
        let best = exact(choice.value).is_some_and(|value| Some(value) == exact(analysis.value));
        let remarks: Vec<&str> = [(best, "best"), (choice.again, "moves again")]
            .into_iter()
            .filter(|(holds, _)| *holds)
            .map(|(_, word)| word)
            .collect();
        vec![choice.pit.to_string(), shown(choice.value), format!("{:+}", choice.gain), remarks.join(", ")]
    }));
    layout::table(&[Align::Right, Align::Right, Align::Right, Align::Left], &rows)
}

/// The document of `analyse`.
#[derive(Serialize)]
struct Document {
    #[serde(flatten)]
    start: report::Start,
    state: &'static str,
    value: Option<i32>,
    bounds: [i32; 2],
    moves: Vec<Move>,
    nodes: u64,
    seconds: f64,
    stopped: Option<&'static str>,
}

#[derive(Serialize)]
struct Move {
    pit: u16,
    value: Option<i32>,
    bounds: [i32; 2],
    gain: i32,
    again: bool,
}

fn document(start: &Start, analysis: &Analysis, seconds: f64) -> Document {
    let choice = |choice: &MoveValue| Move {
        pit: report::number(choice.pit),
        value: exact(choice.value),
        bounds: choice.value.into(),
        gain: choice.gain,
        again: choice.again,
    };
    Document {
        start: start.report(),
        state: match analysis.calls {
            Calls::Move => "move",
            Calls::Pass => "pass",
            Calls::Over => "over",
        },
        value: exact(analysis.value),
        bounds: analysis.value.into(),
        moves: analysis.moves.iter().map(choice).collect(),
        nodes: analysis.nodes,
        seconds,
        stopped: analysis.stopped.map(work::word),
    }
}

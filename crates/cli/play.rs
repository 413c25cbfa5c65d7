//! `play`: moves replayed by the referee.

mod rounds;
mod trace;

use clap::Args;
use lumbung_engine::notation::{GameRecord, MoveText, replay, replay_traced, write_turns};
use lumbung_engine::referee::State;
use lumbung_engine::rules::Rules;
use lumbung_engine::{Pit, Referee};
use serde::Serialize;

use crate::args::Common;
use crate::exit::{Exit, Failure};
use crate::layout;
use crate::output::{self, STRONG, styled};
use crate::report;
use crate::start::{Start, StartArgs};
pub(crate) use rounds::match_document;

const AFTER: &str = "\
Examples:
  lumbung play dakon                                          the start, and what South may play
  lumbung play dakon --moves \"7 / 3\"                South plays her pit 7, then North his pit 3
  lumbung play dakon --moves 7 --trace                        every lap drawn
  lumbung play djenon-abe --position 0,0,0,3,1,3/1,6,0,0,0,5 --moves 4 --trace
  lumbung play san-yao --board 3x2 --match --moves \"1 / 3 / 3 ; 1\"   a match, \";\" between rounds

Pits are numbered from 1 in the mover's sowing order; blanks part moves, \" / \" parts turns. A
turn that must pass may be written \"-\" or left out.

With --match, a round in which a position has come back may be called endless by the \";\" that
ends it. Where the winner chooses the pits she conquers, the next round's moves begin with them,
as she counts: \"... ; [6 9] 1 / 3\".";

/// Replay moves: the board at the end and the legal moves; with --trace every lap
#[derive(Debug, Args)]
#[command(after_help = AFTER)]
pub(crate) struct PlayArgs {
    #[command(flatten)]
    start: StartArgs,
    /// The moves, for instance "1 4 2 / 3"
    #[arg(long, value_name = "MOVES", default_value = "", hide_default_value = true, allow_hyphen_values = true)]
    moves: String,
    /// Show every lap and name every capture
    #[arg(long)]
    trace: bool,
    /// Play a match, round after round, with ";" between the rounds
    #[arg(long = "match")]
    whole_match: bool,
}

pub(crate) fn run(args: &PlayArgs, common: &Common) -> Result<Exit, Failure> {
    let start = Start::new(&args.start, common)?;
    let referee = Referee::new(&start.chosen.rules);
    if args.whole_match {
        return rounds::run(&start, &referee, &args.moves, args.trace, common);
    }
    let moves: MoveText = args.moves.parse().map_err(Failure::new)?;
    let play = if args.trace { replay_traced } else { replay };
    let record = play(&referee, &start.position, &moves).map_err(Failure::new)?;
    if common.json {
        output::json("lumbung/play/1", &document(&start, &record, args.trace))?;
    } else {
        output::text(&page(&start, &record, args.trace))?;
    }
    Ok(Exit::Done)
}

fn page(start: &Start, record: &GameRecord, traced: bool) -> String {
    format!("{}\n\n{}", styled(STRONG, start.title()), page_of(&start.chosen.rules, record, traced))
}

/// A game as it was played, and what its last position calls for.
fn page_of(rules: &Rules, record: &GameRecord, traced: bool) -> String {
    let mut page = String::new();
    if traced {
        page += &layout::indented(&layout::board(&record.start));
        page += "\n";
        page += &trace::text(rules, record);
    } else {
        for (number, turn) in (1..).zip(&record.turns) {
            let moves = write_turns([turn.moves.iter().map(|(pit, _)| *pit)]);
            page += &layout::paragraphs(&format!("{number}. {}: {moves}", turn.side), "  ");
        }
        if !record.turns.is_empty() {
            page += "\n";
        }
    }
    page += &layout::indented(&layout::board(&record.last));
    page += "\n";
    page += &ending(record);
    page
}

/// What the last position calls for, in words.
fn ending(record: &GameRecord) -> String {
    let side = record.last.to_move;
    let mut text = String::new();
    if record.recurred {
        text += "A position has come back.\n";
    }
    match &record.state {
        State::ToMove(legal) => text += &format!("{side} to move; legal: {}\n", numbers(legal)),
        State::Pass => text += &format!("{side} has no move and must pass (-).\n"),
        State::Over(over) => {
            text += &format!("The game is over: {}.\n", over.reason);
            if let Some((giver, seeds)) = over.gift {
                text += &format!("{giver} gave {seeds} to {}.\n", giver.other());
            }
            let left = over.last.seeds_in_play();
            if left > 0 {
                text += &format!("Left on the board, for nobody: {left}.\n");
            }
            text += &format!("{}\n", styled(STRONG, layout::capital(&layout::result(over.last.stores.map(i32::from)))));
        }
    }
    text
}

fn numbers(pits: &[Pit]) -> String {
    pits.iter().map(Pit::to_string).collect::<Vec<_>>().join(" ")
}

/// The document of `play`.
#[derive(Serialize)]
pub(crate) struct Document {
    game: String,
    board: Option<String>,
    rules: report::RulesReport,
    start: String,
    moves: String,
    position: String,
    over: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    margin: i32,
    legal: Vec<u16>,
    must_pass: bool,
    recurred: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    trace: Option<Vec<trace::Move>>,
}

pub(crate) fn document(start: &Start, record: &GameRecord, traced: bool) -> Document {
    let report::Start { game, board, rules, position } = start.report();
    let (reason, legal) = match &record.state {
        State::Over(over) => (Some(over.reason.to_string()), &[][..]),
        State::Pass => (None, &[][..]),
        State::ToMove(legal) => (None, &legal[..]),
    };
    Document {
        game,
        board,
        rules,
        start: position,
        moves: record.moves(),
        position: record.last.to_string(),
        over: reason.is_some(),
        reason,
        margin: record.last.margin(),
        legal: legal.iter().map(|&pit| report::number(pit)).collect(),
        must_pass: record.state == State::Pass,
        recurred: record.recurred,
        trace: traced.then(|| trace::moves(&start.chosen.rules, record)),
    }
}

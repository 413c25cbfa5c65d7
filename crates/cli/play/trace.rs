//! The laps and captures of a game, in words and drawings or as data.

use lumbung_engine::notation::{GameRecord, describe_capture, describe_lap};
use lumbung_engine::referee::{Capture, CaptureKind, Landing, Lap, Next, Played};
use lumbung_engine::rules::Rules;
use lumbung_engine::{Pit, Position, Side};
use serde::Serialize;

use crate::layout;
use crate::output::{HEADING, styled};
use crate::report;
use crate::units::counted;

/// The game's own word for a kind of capture.
fn word(rules: &Rules, kind: CaptureKind) -> Option<&str> {
    rules.about.words.get(key(kind)).map(String::as_str)
}

fn key(kind: CaptureKind) -> &'static str {
    match kind {
        CaptureKind::Opposite => "opposite",
        CaptureKind::Sandwich => "sandwich",
        CaptureKind::Count => "count",
        CaptureKind::BeyondGap => "beyond-gap",
    }
}

/// Every turn, move and lap, the board drawn after each.
pub(super) fn text(rules: &Rules, record: &GameRecord) -> String {
    let mut text = String::new();
    let mut before = record.start.clone();
    let mut number = 0;
    for (turn_number, turn) in (1..).zip(&record.turns) {
        if turn.moves.is_empty() {
            text += &format!("{}\n\n", styled(HEADING, format!("Turn {turn_number}: {} passes", turn.side)));
        }
        for (pit, played) in &turn.moves {
            number += 1;
            let heading = format!("Move {number}, turn {turn_number}: {} plays pit {pit}", turn.side);
            text += &format!("{}\n", styled(HEADING, heading));
            text += &move_text(rules, &before, turn.side, played);
            before = played.after.clone();
        }
        // The turn is over; whoever moves next, a drawing of a lap shows the mover of its own turn.
        before.to_move = turn.side.other();
    }
    text
}

fn move_text(rules: &Rules, before: &Position, side: Side, played: &Played) -> String {
    let mut text = String::new();
    for (number, lap) in (1..).zip(&played.laps) {
        text += &format!("  lap {number}: {}\n", describe_lap(before, side, lap));
        text += &layout::indented(&layout::board(&after_lap(before, side, lap)));
    }
    if played.endless && played.lap_count == 0 {
        text += "  the laps go on for ever\n";
    } else if played.endless {
        text += &format!("  the laps go on for ever, and first recur after {}\n", counted(played.lap_count, "lap"));
    }
    if played.slam_undone {
        text += "  a capture of all the other player's seeds: nothing is taken\n";
    }
    if let Some(capture) = &played.capture {
        text += &format!("  {}\n", describe_capture(before, side, capture, word(rules, capture.kind)));
        text += &layout::indented(&layout::board(&Position { to_move: side, ..played.after.clone() }));
    }
    text += &match &played.next {
        Next::Bonus => format!("  {side} moves again\n"),
        Next::Turn { bonus_lapsed: true } => "  the bonus lapses, the own row being empty\n".to_owned(),
        Next::Turn { bonus_lapsed: false } => String::new(),
        Next::Over(over) => format!("  the game is over: {}\n", over.reason),
    };
    text + "\n"
}

fn after_lap(before: &Position, side: Side, lap: &Lap) -> Position {
    Position { board: lap.board.clone(), stores: lap.stores, to_move: side, owners: before.owners }
}

/// A move as data.
#[derive(Serialize)]
pub(super) struct Move {
    turn: usize,
    side: &'static str,
    /// None where the turn passed.
    pit: Option<u16>,
    laps: Vec<LapReport>,
    lap_count: u64,
    endless: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    capture: Option<CaptureReport>,
    next: &'static str,
    position: String,
}

#[derive(Serialize)]
struct LapReport {
    from: Place,
    lifted: u16,
    last: Place,
    position: String,
}

#[derive(Serialize)]
struct CaptureReport {
    kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    word: Option<String>,
    taken: Vec<Taken>,
}

#[derive(Serialize)]
struct Taken {
    #[serde(flatten)]
    place: Place,
    seeds: u16,
}

/// A pit of a row, numbered from 1 in the order in which the row's own player sows, or her store.
#[derive(Serialize)]
struct Place {
    row: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pit: Option<u16>,
}

fn place(position: &Position, ring: usize) -> Place {
    let row = if ring < position.pits() { Side::South } else { Side::North };
    Place { row: report::side(row), pit: Some(report::number(position.pit(row, ring))) }
}

/// Every move and every pass, in order.
pub(super) fn moves(rules: &Rules, record: &GameRecord) -> Vec<Move> {
    let mut all = Vec::new();
    let mut before = record.start.clone();
    for (number, turn) in (1..).zip(&record.turns) {
        if turn.moves.is_empty() {
            before.to_move = turn.side.other();
            all.push(passed(number, turn.side, &before));
        }
        for (pit, played) in &turn.moves {
            all.push(played_move(rules, number, turn.side, *pit, &before, played));
            before = played.after.clone();
        }
    }
    all
}

fn passed(turn: usize, side: Side, after: &Position) -> Move {
    Move {
        turn,
        side: report::side(side),
        pit: None,
        laps: Vec::new(),
        lap_count: 0,
        endless: false,
        capture: None,
        next: "turn",
        position: after.to_string(),
    }
}

fn played_move(rules: &Rules, turn: usize, side: Side, pit: Pit, before: &Position, played: &Played) -> Move {
    let lap = |lap: &Lap| LapReport {
        from: place(before, lap.from),
        lifted: lap.lifted,
        last: match lap.last {
            Landing::Store => Place { row: report::side(side), pit: None },
            Landing::Pit(ring) => place(before, ring),
        },
        position: after_lap(before, side, lap).to_string(),
    };
    let capture = |capture: &Capture| CaptureReport {
        kind: key(capture.kind),
        word: word(rules, capture.kind).map(str::to_owned),
        taken: capture.taken.iter().map(|&(ring, seeds)| Taken { place: place(before, ring), seeds }).collect(),
    };
    Move {
        turn,
        side: report::side(side),
        pit: Some(report::number(pit)),
        laps: played.laps.iter().map(lap).collect(),
        lap_count: played.lap_count,
        endless: played.endless,
        capture: played.capture.as_ref().map(capture),
        next: match played.next {
            Next::Bonus => "bonus",
            Next::Turn { .. } => "turn",
            Next::Over(_) => "over",
        },
        position: played.after.to_string(),
    }
}

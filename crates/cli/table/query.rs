//! `table query`: a position looked up.

use std::collections::HashSet;

use clap::Args;
use lumbung_engine::kernel::{Kernel, Lanes, Seat, Then, Visitor, dispatch};
use lumbung_engine::notation::write_turns;
use lumbung_engine::{Pit, Position};
use lumbung_tables::file::{Choice, Directory, FileError, Probe, choice};
use serde::Serialize;

use super::open::{About, DirectoryArgs, open};
use crate::args::Common;
use crate::exit::{Exit, Failure};
use crate::layout::{self, Align};
use crate::output::{self, STRONG, styled};
use crate::report;

/// Look a position up: its value, what every move is worth, and a line of best play
#[derive(Debug, Args)]
pub(super) struct QueryArgs {
    #[command(flatten)]
    directory: DirectoryArgs,
    // Written as an attribute: in a doc comment the angle brackets would be taken for HTML.
    #[arg(help = "The position: <south row>/<north row>[/<south store>,<north store>[/<s|n>[/<owners>]]]")]
    #[arg(long, value_name = "POSITION", allow_hyphen_values = true)]
    position: String,
}

#[derive(Serialize)]
struct Document {
    #[serde(flatten)]
    about: About,
    position: String,
    state: &'static str,
    value: i32,
    moves: Vec<Move>,
    line: String,
    /// Whether the line ends only because positions repeat from there on.
    repeats: bool,
}

#[derive(Serialize)]
struct Move {
    pit: u16,
    value: i32,
    gain: i32,
    again: bool,
}

pub(super) fn run(args: &QueryArgs, common: &Common) -> Result<Exit, Failure> {
    let directory = open(&args.directory.directory, common)?;
    let position = args.position.parse::<Position>().map_err(Failure::new)?;
    position.check(directory.rules()).map_err(Failure::new)?;
    let pits = directory.manifest().pits;
    directory.must_be_of(directory.rules(), position.owners).map_err(Failure::new)?;
    let seeds = position.seeds_in_play();
    directory.header(seeds).map_err(Failure::new)?;
    let look_up = LookUp { directory: &directory, position: &position };
    let found = dispatch(directory.rules(), pits, directory.index().max_seeds(), position.owners, look_up);
    let Found { state, value, moves, line, repeats } = found.map_err(Failure::new)?;
    let about = About::new(&directory, common);
    let document = Document { about, position: position.to_string(), state, value, moves, line: write_turns(line), repeats };
    if common.json {
        output::json("lumbung/table-query/1", &document)?;
    } else {
        output::text(&page(&document, &position))?;
    }
    Ok(Exit::Done)
}

struct Found {
    state: &'static str,
    value: i32,
    moves: Vec<Move>,
    line: Vec<Vec<Pit>>,
    repeats: bool,
}

struct LookUp<'l> {
    directory: &'l Directory,
    position: &'l Position,
}

impl Visitor for LookUp<'_> {
    type Output = Result<Found, FileError>;

    fn visit<B: Lanes>(self, kernel: Kernel<B>) -> Self::Output {
        let Some(probe) = Probe::<B>::new(self.directory) else { unreachable!("dispatch chose a board that fits the table") };
        let (board, seat) = (kernel.pack(self.position), kernel.seat(self.position.to_move));
        let (state, moves) = match choice(&kernel, &board, seat, |board, seat| probe.value(board, seat))? {
            Choice::Over(_) => ("over", Vec::new()),
            Choice::Pass => ("pass", Vec::new()),
            Choice::Moves(moves) => ("move", moves),
        };
        let moves = moves.iter().map(|choice| Move {
            pit: report::number(choice.pit),
            value: choice.value,
            gain: choice.gain,
            again: choice.then == Then::Again,
        });
        let (line, repeats) = line(&kernel, &probe, board, seat)?;
        Ok(Found { state, value: probe.value(&board, seat)?, moves: moves.collect(), line, repeats })
    }
}

/// Turns of best play to the end, of equal moves the first that does not repeat a position; whether it ends because all of them do.
fn line<B: Lanes>(
    kernel: &Kernel<B>,
    probe: &Probe<'_, B>,
    mut board: B,
    mut seat: Seat,
) -> Result<(Vec<Vec<Pit>>, bool), FileError> {
    let (mut turns, mut turn) = (Vec::new(), Vec::new());
    let mut seen = HashSet::from([(board, seat)]);
    let repeats = loop {
        match choice(kernel, &board, seat, |board, seat| probe.value(board, seat))? {
            Choice::Over(_) => break false,
            Choice::Pass => {
                turns.push(Vec::new());
                (board, seat) = (board.swap(), kernel.other(seat));
                seen.insert((board, seat));
            }
            Choice::Moves(moves) => {
                let best = moves.iter().map(|choice| choice.value).max();
                let mut best = moves.iter().filter(|choice| Some(choice.value) == best);
                let next = |then| if then == Then::Other { kernel.other(seat) } else { seat };
                let best = best.find(|choice| choice.then == Then::Over || seen.insert((choice.board, next(choice.then))));
                let Some(best) = best else { break true };
                turn.push(best.pit);
                (board, seat) = (best.board, next(best.then));
                if best.then != Then::Again {
                    turns.push(std::mem::take(&mut turn));
                }
                if best.then == Then::Over {
                    break false;
                }
            }
        }
    };
    if !turn.is_empty() {
        turns.push(turn);
    }
    Ok((turns, repeats))
}

fn page(document: &Document, position: &Position) -> String {
    let side = position.to_move;
    let mut page = layout::indented(&layout::board(position));
    page += "\n";
    match document.state {
        "over" => page += "The game is over.\n",
        "pass" => page += &format!("{side} has no move and must pass.\n"),
        _ => {
            let mut rows = vec![["pit", "value", "gain at once", ""].map(str::to_owned).to_vec()];
            rows.extend(document.moves.iter().map(|choice| {
                let remarks = [(choice.value == document.value, "best"), (choice.again, "moves again")];
                let remarks: Vec<&str> = remarks.into_iter().filter(|(holds, _)| *holds).map(|(_, word)| word).collect();
                vec![choice.pit.to_string(), format!("{:+}", choice.value), format!("{:+}", choice.gain), remarks.join(", ")]
            }));
            page += &layout::table(&[Align::Right, Align::Right, Align::Right, Align::Left], &rows);
        }
    }
    let worth = format!("{side} gains {:+} over {} from here on", document.value, side.other());
    page += &format!("\n{}\n", styled(STRONG, worth));
    if !document.line.is_empty() {
        page += &format!("Best play: {}\n", document.line);
    }
    if document.repeats {
        page += "From there on positions repeat.\n";
    }
    page
}

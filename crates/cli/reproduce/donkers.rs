//! Donkers, de Voogt and Uiterwijk 2000: winning openings of Dakon-n.
//!
//! Whether a last seed in an own empty pit with nothing opposite is stored is open in the source. Existence is tried under the reading
//! `donkers` and, where that disagrees, with `landing-seed-always` too.

use lumbung_engine::notation::{MoveText, replay, write_turns};
use lumbung_engine::{Pit, Referee, RuleSet, Side};
use lumbung_solver::turns::Goal;
use serde::Deserialize;

use super::cell::{Cell, Need, Status};
use super::desk::{Desk, figures, rules, start};
use crate::exit::Failure;
use crate::units::counted;
use crate::work;

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
struct Figures {
    searched_up_to: usize,
    without_opening: Vec<usize>,
    line_8: Line,
}

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
struct Line {
    moves: Vec<u8>,
    move_count: usize,
    laps: u64,
    left_with_opponent: usize,
}

pub(super) fn cells(desk: &Desk) -> Result<Vec<Cell>, Failure> {
    let figures: Figures = figures(include_str!("figures/donkers-2000.toml"))?;
    let donkers = rules("dakon", &["donkers"])?;
    let mut cells = line(&donkers, &figures.line_8)?;
    for n in 1..=figures.searched_up_to {
        cells.push(opening(desk, &donkers, n, !figures.without_opening.contains(&n))?);
    }
    Ok(cells)
}

fn opening(desk: &Desk, donkers: &RuleSet, n: usize, exists: bool) -> Result<Cell, Failure> {
    let word = |exists: bool| if exists { "exists" } else { "none exists" };
    let turn = desk.first_turn(donkers, &start(n, n)?, Goal::Donkers)?;
    let name = format!("winning opening, n = {n}");
    if !turn.reached && !turn.exhaustive {
        let says = format!("more than {} boards: {}", crate::units::count(turn.states), work::why(turn.stopped));
        return Ok(Cell::out_of_reach("existence", name, word(exists), Need { says, ..Need::default() }));
    }
    let mut cell = Cell::new("existence", name, word(exists), word(turn.reached));
    cell = if turn.reached {
        cell.note(format!("{}: {}", counted(turn.line.len() as u64, "move"), write_turns([turn.line])))
    } else {
        cell.note(format!("all {} boards of the first turn were seen; at best {} seeds", turn.states, turn.best_store))
    };
    if cell.status == Status::Differs {
        let other = desk.first_turn(&rules("dakon", &["donkers", "landing-seed-always"])?, &start(n, n)?, Goal::Donkers)?;
        if other.reached == exists && (other.reached || other.exhaustive) {
            cell.status = Status::Depends;
            cell = cell.note("agrees under landing-seed-always");
        }
    }
    Ok(cell)
}

/// The published line for eight pits, replayed by the referee.
fn line(rules: &RuleSet, line: &Line) -> Result<Vec<Cell>, Failure> {
    let turn: Vec<Pit> = line.moves.iter().map(|pit| Pit(pit - 1)).collect();
    let defect = |error: &dyn std::fmt::Display| Failure::Defect(error.to_string());
    let moves: MoveText = write_turns([turn]).parse().map_err(|error| defect(&error))?;
    let table = "line of Dakon-8";
    let record = match replay(&Referee::new(rules), &start(8, 8)?, &moves) {
        Ok(record) => record,
        Err(error) => return Ok(vec![Cell::new(table, "moves", line.move_count, error)]),
    };
    let played = record.played().count();
    let laps: u64 = record.played().map(|(_, _, played)| played.lap_count).sum();
    Ok(vec![
        Cell::new(table, "moves", line.move_count, played),
        Cell::new(table, "laps", line.laps, laps),
        Cell::new(table, "seeds left with the opponent", line.left_with_opponent, record.last.row_seeds(Side::North)),
    ])
}

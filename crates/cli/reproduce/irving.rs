//! Irving, Donkers and Uiterwijk 2000, Solving Kalah.
//!
//! Their Kalah is the preset `kalah-empty-capture`. Table 1 comes from randomised play and Table 4 from an average that is not
//! stated; neither can be recomputed. Table 6 counts the positions of Table 3 on one board by both stores, which the reachable graph
//! does not keep apart; Table 7 measures a program.

mod graphs;

use std::collections::BTreeMap;

use lumbung_engine::notation::{MoveText, replay, write_turns};
use lumbung_engine::referee::State;
use lumbung_engine::{Pit, Position, Referee, RuleSet};
use lumbung_solver::solve::{Goal, Outcome};
use serde::Deserialize;

use super::cell::{Cell, Need, Printed, scientific};
use super::desk::{Desk, choose, figures, rules, start, start_of};
use crate::exit::Failure;

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
struct Figures {
    table_2: Rows<String>,
    table_3: Rows<u64>,
    table_5: Rows<String>,
    table_8: Table8,
    table_9: Rows<i32>,
    table_9_games: BTreeMap<String, String>,
    table_10: Rows<String>,
    /// What boards need that are not solved in a minute or two.
    needs: BTreeMap<String, Need>,
}

#[derive(Deserialize)]
struct Rows<T> {
    rows: Vec<Vec<T>>,
}

impl<T> Rows<T> {
    /// Each figure with its pits a row and seeds a pit.
    fn each(&self, first_pits: usize) -> impl Iterator<Item = (usize, usize, &T)> {
        (first_pits..).zip(&self.rows).flat_map(|(pits, row)| (1..).zip(row).map(move |(seeds, figure)| (pits, seeds, figure)))
    }
}

#[derive(Deserialize)]
struct Table8 {
    seeds: Vec<u64>,
    positions: Vec<u64>,
}

pub(super) fn cells(desk: &Desk) -> Result<Vec<Cell>, Failure> {
    let figures: Figures = figures(include_str!("figures/irving-2000.toml"))?;
    let rules = rules("kalah-empty-capture", &[])?;
    let mut cells = table_2(&figures);
    cells.extend(graphs::cells(desk, &rules, &figures)?);
    cells.extend(table_8(&figures));
    cells.extend(tables_9_and_10(desk, &rules, &figures)?);
    cells.extend(games(&rules, &figures)?);
    Ok(cells)
}

/// Positions of a board: 2 C(2mn + 2m + 1, 2m + 1), all ways to spread 2mn seeds over 2m pits and two stores, with either player
/// to move.
fn table_2(figures: &Figures) -> Vec<Cell> {
    let evidence = "the formula 2 C(2mn + 2m + 1, 2m + 1) gives every other cell of the table";
    figures
        .table_2
        .each(1)
        .map(|(pits, seeds, printed)| {
            let (m, n) = (pits as u64, seeds as u64);
            let positions = 2 * choose(2 * m * n + 2 * m + 1, 2 * m + 1);
            let found = match printed.split_once('e') {
                Some((mantissa, _)) => scientific(positions, mantissa.len() - 2),
                None => positions.to_string(),
            };
            let how = Printed::of(positions, printed);
            let cell = Cell::new("2", format!("{pits}x{seeds}"), printed, found).agreeing(how != Printed::Other);
            let cell = if how == Printed::Cut { cell.note("printed with its last places cut off, not rounded") } else { cell };
            match (pits, seeds) {
                (2, 5) => cell.misprint(106_260, evidence),
                (6, 2) => cell.misprint("7.12e9", evidence),
                _ => cell,
            }
        })
        .collect()
}

/// Positions of an endgame table: all boards with up to n seeds in 2m pits, without those that have an empty row.
fn table_8(figures: &Figures) -> Vec<Cell> {
    let table = &figures.table_8;
    let positions = |seeds: u64| choose(seeds + 12, 12) - 2 * choose(seeds + 6, 6) + 1;
    let cell = |(seeds, printed): (&u64, &u64)| Cell::new("8", format!("{seeds} seeds"), printed, positions(*seeds));
    table.seeds.iter().zip(&table.positions).map(cell).collect()
}

fn tables_9_and_10(desk: &Desk, rules: &RuleSet, figures: &Figures) -> Result<Vec<Cell>, Failure> {
    let mut cells = Vec::new();
    let margins: BTreeMap<(usize, usize), i32> =
        figures.table_9.each(4).map(|(pits, seeds, margin)| ((pits, seeds), *margin)).collect();
    for (pits, seeds, printed) in figures.table_10.each(1) {
        let board = format!("{pits}x{seeds}");
        let margin = margins.get(&(pits, seeds));
        let goal = if margin.is_some() { Goal::Margin } else { Goal::Outcome };
        let solved = desk.solve(rules, &start(pits, seeds)?, goal)?;
        let solution = &solved.solution;
        if let Some(printed) = margin {
            cells.push(match solution.margin {
                (low, high) if low == high => Cell::new("9", &board, printed, low),
                _ => Cell::out_of_reach("9", &board, printed, desk.more_than(&solved, figures.needs.get(&board))),
            });
        }
        cells.push(match solution.outcome {
            Some(outcome) => Cell::new("10", &board, printed, letter(outcome)),
            None => Cell::out_of_reach("10", &board, printed, desk.more_than(&solved, figures.needs.get(&board))),
        });
    }
    Ok(cells)
}

fn letter(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::South => "W",
        Outcome::North => "L",
        Outcome::Draw => "D",
    }
}

/// The printed games, replayed by the referee: each must end with the margin that Table 9 prints.
fn games(rules: &RuleSet, figures: &Figures) -> Result<Vec<Cell>, Failure> {
    let margins: BTreeMap<String, i32> =
        figures.table_9.each(4).map(|(pits, seeds, margin)| (format!("{pits}x{seeds}"), *margin)).collect();
    let mut cells = Vec::new();
    for (board, game) in &figures.table_9_games {
        let printed = format!("a game that ends at {}", margins.get(board).copied().unwrap_or_default());
        let found = match played(rules, &start_of(board)?, game) {
            Ok(margin) => format!("a game that ends at {margin}"),
            Err(why) => why,
        };
        let cell = Cell::new("9, games", board, printed, &found);
        cells.push(match board.as_str() {
            "4x6" => cell.misprint(found, "a token of the printed game cannot be played; its value stands"),
            _ => cell,
        });
    }
    Ok(cells)
}

fn played(rules: &RuleSet, start: &Position, game: &str) -> Result<i32, String> {
    let mut turns = Vec::new();
    for turn in game.split('-') {
        let pits: Option<Vec<Pit>> = turn.bytes().map(|digit| digit.is_ascii_digit().then(|| Pit(digit - b'0'))).collect();
        turns.push(pits.ok_or_else(|| format!("{turn:?} is no turn"))?);
    }
    let moves: MoveText = write_turns(turns).parse().map_err(|_| "moves that cannot be read".to_owned())?;
    let record = replay(&Referee::new(rules), start, &moves).map_err(|error| error.to_string())?;
    match record.state {
        State::Over(_) => Ok(record.last.margin()),
        _ => Err("a game that is not over".to_owned()),
    }
}

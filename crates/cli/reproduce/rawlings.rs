//! Rawlings 2015: the values of Kalah with six pits a row under both capture rules.

use std::collections::BTreeMap;

use lumbung_solver::solve::Goal;
use serde::Deserialize;

use super::cell::{Cell, Need};
use super::desk::{Desk, figures, rules, start_of};
use crate::exit::Failure;

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
struct Figures {
    value: Vec<Value>,
    first_turns_6x6: BTreeMap<String, i32>,
    first_turn_need: Need,
}

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
struct Value {
    board: String,
    rules: String,
    margin: Option<i32>,
    at_least: Option<i32>,
    /// What it takes, where that is more than minutes.
    need: Option<Need>,
}

pub(super) fn cells(desk: &Desk) -> Result<Vec<Cell>, Failure> {
    let figures: Figures = figures(include_str!("figures/rawlings-2015.toml"))?;
    let mut cells = Vec::new();
    for value in &figures.value {
        let solved = desk.solve(&rules(&value.rules, &[])?, &start_of(&value.board)?, Goal::Margin)?;
        let solution = &solved.solution;
        let (low, high) = solution.margin;
        let name = format!("{} on {}", value.rules, value.board);
        let cell = match (value.margin, value.at_least) {
            (Some(margin), _) if low == high => Cell::new("values", name, margin, low),
            (None, Some(least)) if low >= least => {
                Cell::new("values", name, format!("at least {least}"), format!("at least {low}")).agreeing(true)
            }
            (None, Some(least)) if high < least => {
                Cell::new("values", name, format!("at least {least}"), format!("at most {high}"))
            }
            (margin, least) => {
                let printed =
                    margin.map_or_else(|| format!("at least {}", least.unwrap_or_default()), |margin| margin.to_string());
                Cell::out_of_reach("values", name, printed, desk.more_than(&solved, value.need.as_ref()))
            }
        };
        cells.push(cell);
    }
    for (turn, margin) in &figures.first_turns_6x6 {
        let need = figures.first_turn_need.clone();
        cells.push(Cell::out_of_reach("first turns of 6x6, empty capture", turn, margin, need));
    }
    Ok(cells)
}

//! Histograms of layers of endgame tables, held against the table itself.
//!
//! All that a claim asks of one board is told by one table, which is built once: up to the most seeds asked for that fit the memory.

use std::collections::BTreeMap;

use lumbung_solver::{Limits, Progress, StopReason};
use lumbung_tables::build::plan;
use lumbung_tables::{Table, Values};

use super::check::Status;
use super::expectation::Expectation;
use crate::endgame;
use crate::exit::Failure;
use crate::start::Start;
use crate::units::{bytes, count, counted};
use crate::work;

/// What became of a question, in words, and what stopped it.
type Held = (Status, String, Option<StopReason>);

/// See the [module](self).
pub(super) struct Layers {
    /// The seeds of all layers that are asked for, rising.
    asked: Vec<usize>,
    table: Option<Table>,
}

impl Layers {
    pub(super) fn new(asked: &[&Expectation]) -> Layers {
        let seeds = asked.iter().filter_map(|expectation| match expectation {
            Expectation::LayerHistogram { seeds, .. } => Some(*seeds),
            _ => None,
        });
        let mut asked: Vec<usize> = seeds.collect();
        asked.sort_unstable();
        Layers { asked, table: None }
    }

    /// Whether the values of a layer are distributed as claimed.
    pub(super) fn hold(
        &mut self,
        start: &Start,
        seeds: usize,
        claimed: &BTreeMap<i32, u64>,
        limits: &Limits,
        progress: &dyn Progress,
    ) -> Result<Held, Failure> {
        if !start.position.owners.are_rows() {
            return Err(Failure::new("a histogram is claimed of boards on which each player owns her own row"));
        }
        let table = match self.table.take_if(|table| table.seeds() >= seeds) {
            Some(table) => table,
            None => match self.build(start, seeds, limits, progress)? {
                Ok(table) => table,
                Err((says, reason)) => return Ok((Status::Open, says, reason)),
            },
        };
        let (status, says) = compare(table.layer(seeds), seeds, claimed);
        self.table = Some(table);
        Ok((status, says, None))
    }

    /// Builds the table, with no other one beside it; or says why not.
    fn build(
        &mut self,
        start: &Start,
        seeds: usize,
        limits: &Limits,
        progress: &dyn Progress,
    ) -> Result<Result<Table, (String, Option<StopReason>)>, Failure> {
        self.table = None;
        let (rules, pits) = (&start.chosen.rules, start.position.pits());
        let memory = |seeds| plan(rules, pits, seeds, rayon::current_num_threads()).map(|plan| plan.memory).map_err(Failure::new);
        let needed = memory(seeds)?;
        if needed > limits.memory {
            let why = work::why(Some(StopReason::Memory));
            let says = format!("the table of up to {} takes {}: {why}", counted(seeds as u64, "seed"), bytes(needed));
            return Ok(Err((says, Some(StopReason::Memory))));
        }
        // A larger one that cannot be planned is refused when its own layer is asked for.
        let fits = |more: &usize| *more > seeds && memory(*more).is_ok_and(|needed| needed <= limits.memory);
        let most = self.asked.iter().rev().copied().find(fits).unwrap_or(seeds);
        Ok(match endgame::table(rules, pits, most, limits, progress)? {
            Some(built) => Ok(built.table),
            None => {
                let reason = limits.exceeded(0);
                Err((format!("the table was not built to the end: {}", work::why(reason)), reason))
            }
        })
    }
}

/// Holds the values of a layer against what is claimed of them.
fn compare(values: Values, seeds: usize, claimed: &BTreeMap<i32, u64>) -> (Status, String) {
    let mut found: BTreeMap<i32, u64> = BTreeMap::new();
    for value in values.iter() {
        *found.entry(value).or_default() += 1;
    }
    let number = |histogram: &BTreeMap<i32, u64>, value| histogram.get(value).copied().unwrap_or(0);
    let differs = found.keys().chain(claimed.keys()).find(|value| number(&found, value) != number(claimed, value));
    let positions = counted(values.len() as u64, "position");
    match differs {
        None => (
            Status::Holds,
            format!("the table has {positions} with {} in play, with these values", counted(seeds as u64, "seed")),
        ),
        Some(value) => {
            let (found, claimed) = (number(&found, value), number(claimed, value));
            (Status::Refuted, format!("of {positions} {} have the value {value}, and not {}", count(found), count(claimed)))
        }
    }
}

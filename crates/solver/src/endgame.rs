//! The endgame table that a search stands on: which layers it needs, and what they take.

use lumbung_engine::{Owners, RuleSet};
use lumbung_tables::MAX_TABLE_SEEDS;
use lumbung_tables::build::{BuildError, Plan, plan_layers};
use lumbung_tables::cyclic::{Parity, can_express, parity_allowed};

/// The layers that play from a position with `in_play` seeds can come to: where all captures are even, those of the same parity.
pub(crate) fn layers(rules: &RuleSet, pits: usize, in_play: usize) -> Parity {
    let parity = if in_play.is_multiple_of(2) { Parity::Even } else { Parity::Odd };
    let suffices = parity_allowed(rules, parity).and_then(|()| can_express(rules, pits));
    if suffices.is_ok() { parity } else { Parity::All }
}

/// What a table of up to `seeds` seeds takes under a search from a position with `in_play` seeds.
///
/// # Errors
/// If there can be no such table.
pub fn table_plan(rules: &RuleSet, pits: usize, in_play: usize, seeds: usize, threads: usize) -> Result<Plan, BuildError> {
    plan_layers(rules, Owners::rows(pits), seeds, layers(rules, pits, in_play), threads)
}

/// The largest table that a search from a position with `in_play` seeds may be given with so many bytes of memory: its seeds, and
/// what it takes. The layer of the position itself may be in it, which settles the search.
pub fn largest_table(rules: &RuleSet, pits: usize, in_play: usize, memory: u64, threads: usize) -> Option<(usize, Plan)> {
    let plans = (1..=in_play.min(MAX_TABLE_SEEDS)).map_while(|seeds| {
        let plan = table_plan(rules, pits, in_play, seeds, threads).ok()?;
        (plan.memory <= memory).then_some((seeds, plan))
    });
    plans.last()
}

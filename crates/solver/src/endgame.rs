//! The endgame table that a search stands on: which layers it needs, and what they take.

use lumbung_engine::{Owners, RuleSet};
use lumbung_tables::build::{BuildError, Plan, plan_layers};
use lumbung_tables::cyclic::{Parity, can_express, parity_allowed};
use lumbung_tables::{MAX_BYTE_SEEDS, MAX_TABLE_SEEDS};

use crate::session::first_transpositions;

/// The layers of a table of up to `seeds` seeds that play from a position with `in_play` seeds can come to: where all captures are even,
/// those of the same parity. Tables with wide layers are not built by rows, and so have all layers.
pub(crate) fn layers(rules: &RuleSet, pits: usize, in_play: usize, seeds: usize) -> Parity {
    if seeds > MAX_BYTE_SEEDS {
        return Parity::All;
    }
    let parity = if in_play.is_multiple_of(2) { Parity::Even } else { Parity::Odd };
    let suffices = parity_allowed(rules, parity).and_then(|()| can_express(rules, pits));
    if suffices.is_ok() { parity } else { Parity::All }
}

/// What a table of up to `seeds` seeds takes under a search from a position with `in_play` seeds.
///
/// # Errors
/// If there can be no such table.
pub fn table_plan(rules: &RuleSet, pits: usize, in_play: usize, seeds: usize, threads: usize) -> Result<Plan, BuildError> {
    plan_layers(rules, Owners::rows(pits), seeds, layers(rules, pits, in_play, seeds), threads)
}

/// The largest table that a search from a position with `in_play` seeds may be given with so many bytes of memory, beside the
/// transposition table that it begins with: its seeds, and what it takes. The layer of the position itself may be in it, which settles the search.
pub fn largest_table(rules: &RuleSet, pits: usize, in_play: usize, memory: u64, threads: usize) -> Option<(usize, Plan)> {
    let plans = (1..=in_play.min(MAX_TABLE_SEEDS)).map_while(|seeds| {
        let plan = table_plan(rules, pits, in_play, seeds, threads).ok()?;
        (plan.memory <= memory.saturating_sub(first_transpositions(memory))).then_some((seeds, plan))
    });
    plans.last()
}

#[cfg(test)]
mod tests {
    use super::*;
    use lumbung_engine::rules::preset;

    /// Layers of one parity suffice for Djenon-abe, but above 127 seeds nobody builds them alone.
    #[test]
    fn wide_tables_have_all_layers() {
        let rules = &preset("djenon-abe").unwrap().rules;
        let positions = |seeds| table_plan(rules, 1, 140, seeds, 1).map(|plan| plan.positions);
        // 1 + 3 + ... + 127 boards with an even number of seeds; C(130, 2) and C(142, 2) with any.
        assert_eq!(positions(126), Ok(4_096));
        assert_eq!(positions(127), Ok(4_096));
        assert_eq!(positions(128), Ok(8_385));
        assert_eq!(positions(140), Ok(10_011));
        assert_eq!(largest_table(rules, 1, 140, u64::MAX, 1).map(|(seeds, _)| seeds), Some(140));
    }
}

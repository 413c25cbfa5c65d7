//! What to do about a position that can repeat and was not settled.

use lumbung_solver::endgame::largest_table;
use lumbung_solver::solve::Solution;
use lumbung_tables::build::plan;

use crate::start::Start;
use crate::units::{bytes, counted};

/// Which table would settle what a search alone may never settle; nothing if there is no such advice to give.
pub(super) fn advice(start: &Start, solution: &Solution, memory: u64) -> Option<String> {
    if solution.proven || !start.chosen.rules.can_repeat() {
        return None;
    }
    let position = &start.position;
    let seeds = position.seeds_in_play();
    let mut words = "Play can come back to a position here, which a search alone may follow for ever.".to_owned();
    if !position.owners.are_rows() {
        return Some(words + " lumbung graph settles it if all positions that can arise fit into memory.");
    }
    let fits = largest_table(&start.chosen.rules, position.pits(), seeds, memory, solution.threads);
    if let Some((fits, plan)) = fits.as_ref().filter(|(fits, _)| solution.table_seeds.is_none_or(|used| used < *fits)) {
        let size = bytes(plan.positions);
        words += &format!(" The largest table that the memory has room for helps most: --table-seeds {fits} ({size}).");
    }
    // None but what `table plan` accepts.
    if fits.is_none_or(|(fits, _)| fits < seeds) && plan(&start.chosen.rules, position.pits(), seeds, solution.threads).is_ok() {
        let (game, pits) = (start.chosen.arguments(), position.pits());
        let all = counted(seeds as u64, "seed");
        words += &format!(
            " A table of all {all} would settle it for certain; lumbung table plan {game} --pits {pits} --seeds {seeds} says what \
             that takes."
        );
    }
    Some(words)
}

//! One board under one reading: what is recorded of it.

use lumbung_solver::solve::{Outcome, Solution};
use serde::{Deserialize, Serialize};

/// See the [module](self). The fields are the columns of the data set.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Cell {
    /// `default`, or readings joined by `+`.
    pub(super) reading: String,
    /// Pits a row.
    pub(super) pits: usize,
    /// Seeds a pit.
    pub(super) seeds: usize,
    /// South's final margin is at least this.
    pub(super) low: i32,
    /// And at most this.
    pub(super) high: i32,
    /// Turns and moves of a line of best play; nothing if the margin is not exact.
    pub(super) turns: Option<usize>,
    pub(super) moves: Option<usize>,
    /// Moves of the shortest first turn that stores more than half of all seeds; nothing if there is none, or it was not looked for.
    pub(super) winning_first_turn: Option<usize>,
    /// That was found out with certainty.
    pub(super) first_turn_settled: bool,
    /// Positions visited.
    pub(super) nodes: u64,
}

impl Cell {
    pub(super) fn new(
        reading: &str,
        (pits, seeds): (usize, usize),
        solution: &Solution,
        turn: Option<(Option<usize>, bool)>,
    ) -> Cell {
        let exact = solution.margin.0 == solution.margin.1;
        let (winning_first_turn, first_turn_settled) = turn.unwrap_or((None, false));
        // More than half of all seeds are a margin of two at least, whatever the search has proven.
        let low = if winning_first_turn.is_some() { solution.margin.0.max(2) } else { solution.margin.0 };
        Cell {
            reading: reading.to_owned(),
            pits,
            seeds,
            low,
            high: solution.margin.1,
            turns: exact.then_some(solution.line.len()),
            moves: exact.then(|| solution.line.iter().map(|turn| turn.moves.len()).sum()),
            winning_first_turn,
            first_turn_settled,
            nodes: solution.nodes,
        }
    }

    /// This cell, with what an earlier run has proven of it.
    pub(super) fn besides(self, earlier: &Cell) -> Cell {
        if earlier.proven() && !self.proven() {
            return earlier.clone();
        }
        let first_turn = if self.first_turn_settled { &self } else { earlier };
        Cell {
            low: self.low.max(earlier.low),
            high: self.high.min(earlier.high),
            winning_first_turn: first_turn.winning_first_turn,
            first_turn_settled: first_turn.first_turn_settled,
            ..self
        }
    }

    /// The margin is exact.
    pub(super) fn proven(&self) -> bool {
        self.low == self.high
    }

    /// Who wins, where it is settled.
    pub(super) fn outcome(&self) -> Option<Outcome> {
        Outcome::between((self.low, self.high))
    }

    /// A player takes every seed.
    pub(super) fn everything(&self) -> bool {
        self.proven() && self.low.unsigned_abs() as usize == 2 * self.pits * self.seeds
    }

    /// `+98`, `0`, or `-4 to 6`.
    pub(super) fn margin(&self) -> String {
        let signed = |margin: i32| if margin == 0 { "0".to_owned() } else { format!("{margin:+}") };
        if self.proven() { signed(self.low) } else { format!("{} to {}", signed(self.low), signed(self.high)) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cell(low: i32, high: i32, first_turn_settled: bool) -> Cell {
        Cell {
            reading: "default".to_owned(),
            pits: 7,
            seeds: 12,
            low,
            high,
            turns: None,
            moves: None,
            winning_first_turn: first_turn_settled.then_some(9),
            first_turn_settled,
            nodes: 1,
        }
    }

    #[test]
    fn what_was_proven_stays_proven() {
        let both = cell(-20, 60, false).besides(&cell(-40, 12, true));
        assert_eq!((both.low, both.high, both.winning_first_turn), (-20, 12, Some(9)));
        assert_eq!(cell(-40, 60, false).besides(&cell(4, 4, true)), cell(4, 4, true));
        assert_eq!(cell(4, 4, true).besides(&cell(-40, 60, false)), cell(4, 4, true));
    }
}

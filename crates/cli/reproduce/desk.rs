//! Where figures are found: games solved, turns explored, tables built, each within its share of the limits.

use std::time::{Duration, Instant};

use lumbung_engine::rules::preset;
use lumbung_engine::{BoardSize, Position, RuleSet};
use lumbung_solver::solve::{self, Solution};
use lumbung_solver::{Limits, turns};

use super::cell::Need;
use crate::exit::Failure;
use crate::units::counted;
use crate::work::{self, Work};

/// See the [module](self).
pub(super) struct Desk<'w> {
    pub(super) work: &'w Work,
    /// Time for one figure.
    pub(super) each: Duration,
}

/// What came of a search, and how long it took: less than its share of time where that of all figures was over.
pub(super) struct Solved {
    pub(super) solution: Solution,
    took: Duration,
}

impl Desk<'_> {
    /// The limits of one figure.
    pub(super) fn limits(&self) -> Limits {
        let share = Instant::now().checked_add(self.each);
        let deadline = match (share, self.work.limits.deadline) {
            (Some(share), Some(all)) => Some(share.min(all)),
            (share, all) => share.or(all),
        };
        Limits { deadline, ..self.work.limits.clone() }
    }

    pub(super) fn solve(&self, rules: &RuleSet, position: &Position, goal: solve::Goal) -> Result<Solved, Failure> {
        let begun = Instant::now();
        let options = solve::Options { goal, limits: self.limits(), ..solve::Options::default() };
        self.work.progress.say(format!("{} from {position}", rules.name));
        let solution = solve::solve(rules, position, &options, &self.work.progress).map_err(Failure::new)?;
        Ok(Solved { solution, took: begun.elapsed() })
    }

    pub(super) fn first_turn(&self, rules: &RuleSet, position: &Position, goal: turns::Goal) -> Result<turns::Turn, Failure> {
        let options = turns::Options { goal, limits: self.limits() };
        turns::explore(rules, position, &options, &self.work.progress).map_err(Failure::from)
    }

    /// What a search that was stopped would have needed: `known`, where it is, and that this was not enough.
    pub(super) fn more_than(&self, Solved { solution, took }: &Solved, known: Option<&Need>) -> Need {
        let (low, high) = solution.margin;
        let says = if solution.nodes <= 1 {
            format!("not tried: {}", work::why(solution.stopped))
        } else {
            format!(
                "more than {} in {}: {}; the margin lies between {low} and {high}",
                counted(solution.nodes, "position"),
                work::time(took.as_secs_f64()),
                work::why(solution.stopped),
            )
        };
        match known {
            Some(need) => Need { says: format!("{}; here {says}", need.says), ..need.clone() },
            None => Need { says, ..Need::default() },
        }
    }
}

/// The rules of a preset under readings of it.
pub(super) fn rules(game: &str, readings: &[&str]) -> Result<RuleSet, Failure> {
    let preset = preset(game).ok_or_else(|| Failure::Defect(format!("there is no preset {game}")))?;
    preset.rules.with_changes(readings, &[]).map_err(|error| Failure::Defect(error.to_string()))
}

/// The start of a game.
pub(super) fn start(pits: usize, seeds: usize) -> Result<Position, Failure> {
    BoardSize::new(pits, seeds).map(Position::start).map_err(|error| Failure::Defect(error.to_string()))
}

/// The start of a game on a board written `6x4`.
pub(super) fn start_of(board: &str) -> Result<Position, Failure> {
    board.parse::<BoardSize>().map(Position::start).map_err(|error| Failure::Defect(error.to_string()))
}

/// C(n, k).
pub(super) fn choose(n: u64, k: u64) -> u128 {
    (1..=u128::from(k)).fold(1, |product, i| product * (u128::from(n) - u128::from(k) + i) / i)
}

/// Figures of a paper that come with the program.
pub(super) fn figures<T: serde::de::DeserializeOwned>(text: &str) -> Result<T, Failure> {
    toml::from_str(text).map_err(|error| Failure::Defect(format!("figures of the program: {error}")))
}

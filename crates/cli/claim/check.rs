//! Claims settled, expectation by expectation.

use lumbung_solver::solve::{self, Outcome, Solution};
use lumbung_solver::{Limits, StopReason, turns};
use serde::{Deserialize, Serialize};

use super::evidence::{Evidence, turn_text};
use super::file::{Claim, Expectation, Winner};
use crate::exit::Failure;
use crate::layout;
use crate::solve::{line, verdict};
use crate::start::Start;
use crate::units::counted;
use crate::work::{self, Work};

/// Boards that may be seen in looking for the shortest turn.
const EASILY: u64 = 1_000_000;

/// What became of a claim or an expectation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Status {
    /// Proven.
    Holds,
    /// Disproven.
    Refuted,
    /// Not settled within the limits.
    Open,
}

impl Status {
    pub(super) fn word(self) -> &'static str {
        match self {
            Status::Holds => "holds",
            Status::Refuted => "refuted",
            Status::Open => "open",
        }
    }

    pub(super) fn of(settled: Option<bool>) -> Self {
        match settled {
            Some(true) => Status::Holds,
            Some(false) => Status::Refuted,
            None => Status::Open,
        }
    }
}

/// An expectation that was looked into.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(super) struct Finding {
    #[serde(flatten)]
    pub(super) expectation: Expectation,
    pub(super) status: Status,
    /// What was found, in words.
    pub(super) says: String,
    #[serde(flatten)]
    pub(super) evidence: Option<Evidence>,
}

/// A claim that was looked into.
pub(super) struct Checked {
    pub(super) claim: Claim,
    pub(super) start: Start,
    pub(super) claimed: Vec<Finding>,
    pub(super) found: Vec<Finding>,
    pub(super) interrupted: bool,
    /// What went wrong, if anything did; the findings it left out are open.
    pub(super) failure: Option<Failure>,
    /// Files that hold the result.
    pub(super) written: Vec<String>,
}

impl Checked {
    /// A claim holds if all that it says does, and is refuted by anything that does not.
    pub(super) fn status(&self) -> Status {
        let any = |status| self.claimed.iter().any(|finding| finding.status == status);
        if any(Status::Refuted) {
            Status::Refuted
        } else if any(Status::Open) {
            Status::Open
        } else {
            Status::Holds
        }
    }
}

/// Looks into everything a claim expects, and goes on where something goes wrong.
pub(super) fn check(claim: Claim, start: Start, work: &Work) -> Checked {
    let mut facts =
        Facts { start: &start, work, needs_margin: needs_margin(&claim), turn: None, shortest: false, solution: None };
    let mut failure = None;
    let mut findings = |expectations: &[Expectation]| -> Vec<Finding> {
        expectations.iter().map(|expectation| facts.look(*expectation, &mut failure)).collect()
    };
    let (claimed, found) = (findings(&claim.claimed), findings(&claim.found));
    let interrupted = facts.interrupted();
    let failure = failure.map(|failure: Failure| failure.within(&claim.id));
    Checked { claim, start, claimed, found, interrupted, failure, written: Vec::new() }
}

fn needs_margin(claim: &Claim) -> bool {
    claim.claimed.iter().chain(&claim.found).any(|expectation| matches!(expectation, Expectation::Margin { .. }))
}

/// What is known of a position; each question is answered once.
struct Facts<'a> {
    start: &'a Start,
    work: &'a Work,
    needs_margin: bool,
    turn: Option<turns::Turn>,
    /// The turn is the shortest that wins.
    shortest: bool,
    solution: Option<Solution>,
}

impl Facts<'_> {
    /// The finding, or an open one that says what went wrong.
    fn look(&mut self, expectation: Expectation, failure: &mut Option<Failure>) -> Finding {
        self.finding(expectation).unwrap_or_else(|error| {
            let says = error.message().unwrap_or_default();
            failure.get_or_insert(error);
            Finding { expectation, status: Status::Open, says, evidence: None }
        })
    }

    fn finding(&mut self, expectation: Expectation) -> Result<Finding, Failure> {
        match expectation {
            Expectation::WinningFirstTurn {} => self.first_turn(expectation),
            Expectation::Winner { player } => self.winner(expectation, player),
            Expectation::Margin { margin } => self.margin(expectation, margin),
        }
    }

    fn first_turn(&mut self, expectation: Expectation) -> Result<Finding, Failure> {
        let turn = self.turn()?;
        let side = self.start.position.to_move;
        let seeds = counted(self.start.seeds() as u64, "seed");
        let status = Status::of(if turn.reached { Some(true) } else { turn.exhaustive.then_some(false) });
        let says = match status {
            Status::Holds => {
                let moves = counted(turn.line.len() as u64, "move");
                let shortest = if self.shortest { ", and no shorter one wins" } else { "" };
                format!("{side} stores {} of {seeds} in her first turn of {moves}{shortest}", turn.line_store)
            }
            Status::Refuted => format!("every first turn was tried; at best {side} stores {} of {seeds}", turn.best_store),
            Status::Open => {
                let why = work::why(turn.stopped);
                format!("not found: {why}; at best {side} stores {} of {seeds}", turn.best_store)
            }
        };
        let line = turn_text(&turn.line);
        let evidence = if turn.reached { Evidence::of(self.start, &line, expectation, status, None)? } else { None };
        Ok(Finding { expectation, status, says, evidence })
    }

    fn winner(&mut self, expectation: Expectation, player: Winner) -> Result<Finding, Failure> {
        let mover = self.start.position.to_move;
        if self.turn.as_ref().is_some_and(|turn| turn.reached) {
            let says = format!("{mover} wins: after the first turn her store holds more than half of all seeds");
            return Ok(Finding { expectation, status: Status::of(Some(player.side() == Some(mover))), says, evidence: None });
        }
        let solution = self.solution()?;
        let status = Status::of(solution.outcome.map(|outcome| outcome == expected(player)));
        Ok(Finding {
            expectation,
            status,
            says: self.says(status, &solution),
            evidence: self.best_play(expectation, status, &solution)?,
        })
    }

    fn margin(&mut self, expectation: Expectation, margin: i32) -> Result<Finding, Failure> {
        let solution = self.solution()?;
        let (low, high) = solution.margin;
        let settled = if low == high || margin < low || high < margin { Some(low == high && low == margin) } else { None };
        let status = Status::of(settled);
        Ok(Finding {
            expectation,
            status,
            says: self.says(status, &solution),
            evidence: self.best_play(expectation, status, &solution)?,
        })
    }

    fn turn(&mut self) -> Result<turns::Turn, Failure> {
        if let Some(turn) = &self.turn {
            return Ok(turn.clone());
        }
        let rules = &self.start.chosen.rules;
        let explore = |goal, limits| {
            let options = turns::Options { goal, limits };
            turns::explore(rules, &self.start.position, &options, &self.work.progress).map_err(Failure::from)
        };
        // A short line is the better evidence, where it is easily found.
        let short = Limits { nodes: Some(EASILY), ..self.work.limits.clone() };
        let mut turn = explore(turns::Goal::ShortestWin, short)?;
        self.shortest = turn.exhaustive;
        if !turn.exhaustive {
            turn = explore(turns::Goal::Win, self.work.limits.clone())?;
        }
        self.turn = Some(turn.clone());
        Ok(turn)
    }

    fn solution(&mut self) -> Result<Solution, Failure> {
        if let Some(solution) = &self.solution {
            return Ok(solution.clone());
        }
        let goal = if self.needs_margin { solve::Goal::Margin } else { solve::Goal::Outcome };
        let options = solve::Options { goal, limits: self.work.limits.clone(), ..solve::Options::default() };
        let solution = solve::solve(&self.start.chosen.rules, &self.start.position, &options, &self.work.progress);
        let solution = solution.map_err(Failure::new)?;
        self.solution = Some(solution.clone());
        Ok(solution)
    }

    fn interrupted(&self) -> bool {
        let stopped = [self.turn.as_ref().and_then(|turn| turn.stopped), self.solution.as_ref().and_then(|found| found.stopped)];
        stopped.contains(&Some(StopReason::Interrupted))
    }

    /// The line of best play.
    fn best_play(&self, expectation: Expectation, status: Status, solution: &Solution) -> Result<Option<Evidence>, Failure> {
        if solution.line.is_empty() {
            return Ok(None);
        }
        Evidence::of(self.start, &line(solution), expectation, status, Some(solution.margin.0))
    }

    /// What is proven, and what was the reason if that is not enough.
    fn says(&self, status: Status, solution: &Solution) -> String {
        let proven = verdict(self.start, solution);
        if status == Status::Open { format!("{proven}; not settled: {}", work::why(solution.stopped)) } else { proven }
    }
}

fn expected(player: Winner) -> Outcome {
    match player {
        Winner::South => Outcome::South,
        Winner::North => Outcome::North,
        Winner::Draw => Outcome::Draw,
    }
}

impl Expectation {
    /// What is expected, in words.
    pub(super) fn says(self, start: &Start) -> String {
        match self {
            Expectation::WinningFirstTurn {} => {
                format!("{} can store more than half of all seeds in her first turn", start.position.to_move)
            }
            Expectation::Winner { player } => match player.side() {
                Some(side) => format!("{side} wins under best play by both"),
                None => "the game is drawn under best play by both".to_owned(),
            },
            Expectation::Margin { margin } => format!("under best play by both, {}", layout::verdict(margin)),
        }
    }
}

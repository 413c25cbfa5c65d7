//! Claims settled, board by board and reading by reading.

use std::time::Duration;

use lumbung_solver::solve::Solution;
use serde::{Deserialize, Serialize};

use super::certificate::Proof;
use super::evidence::Evidence;
use super::expectation::Expectation;
use super::facts::Facts;
use super::file::Claim;
use super::readings::Variants;
use crate::exit::Failure;
use crate::start::Start;
use crate::work::Work;

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

    /// What holds if all of these do, and is refuted by anything that does not.
    pub(super) fn all(statuses: impl IntoIterator<Item = Status>) -> Self {
        statuses.into_iter().fold(Status::Holds, |all, one| match (all, one) {
            (Status::Refuted, _) | (_, Status::Refuted) => Status::Refuted,
            (Status::Open, _) | (_, Status::Open) => Status::Open,
            (Status::Holds, Status::Holds) => Status::Holds,
        })
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
    /// Between which South's final margin is proven to lie, where it was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) bounds: Option<(i32, i32)>,
    #[serde(flatten)]
    pub(super) evidence: Option<Evidence>,
}

/// A board, or a position, that was looked into.
pub(super) struct Cell {
    pub(super) start: Start,
    pub(super) claimed: Vec<Finding>,
    pub(super) found: Vec<Finding>,
    /// Best play, if it was looked for.
    pub(super) solution: Option<Solution>,
}

impl Cell {
    pub(super) fn status(&self) -> Status {
        Status::all(self.claimed.iter().map(|finding| finding.status))
    }
}

/// A reading under which all boards were looked into.
pub(super) struct Reading {
    pub(super) name: String,
    pub(super) cells: Vec<Cell>,
}

impl Reading {
    pub(super) fn status(&self) -> Status {
        Status::all(self.cells.iter().map(Cell::status))
    }
}

/// A claim that was looked into.
pub(super) struct Checked {
    pub(super) claim: Claim,
    /// The claim's own rules first.
    pub(super) readings: Vec<Reading>,
    /// The readings that change what became of it, of those that were combined.
    pub(super) depends_on: Vec<String>,
    /// Readings were combined at all.
    pub(super) combined: Vec<String>,
    /// Combinations left out because they contradict themselves.
    pub(super) contradicting: usize,
    pub(super) interrupted: bool,
    /// What went wrong, if anything did; the findings it left out are open.
    pub(super) failure: Option<Failure>,
    /// Time it took.
    pub(super) seconds: f64,
    /// The proof of what was found about best play, if it was written.
    pub(super) certificate: Option<Proof>,
    /// Files that hold the result.
    pub(super) written: Vec<String>,
    /// Nothing was written beside the claim, though nobody forbade it: the rules were not its own.
    pub(super) kept_back: bool,
    /// Other readings were asked for.
    pub(super) asked: bool,
    /// The command that checks it in this way.
    pub(super) command: String,
}

impl Checked {
    /// What became of the claim under its own rules.
    pub(super) fn status(&self) -> Status {
        self.own().status()
    }

    /// What was found under the claim's own rules.
    pub(super) fn own(&self) -> &Reading {
        &self.readings[0]
    }
}

/// A claim with everything it has to be looked into under, found fit.
pub(super) struct Task {
    pub(super) claim: Claim,
    pub(super) variants: Variants,
    /// As many as distinct rule sets.
    pub(super) starts: Vec<Vec<Start>>,
    /// Other readings were asked for.
    pub(super) asked: bool,
    /// Time for one position under one rule set.
    pub(super) each: Option<Duration>,
}

/// Looks into everything a claim expects, and goes on where something goes wrong.
pub(super) fn check(task: Task, work: &Work) -> Checked {
    let since = work.seconds();
    let Task { claim, variants, asked, starts, each } = task;
    let (mut failure, mut interrupted) = (None, false);
    let mut readings = Vec::new();
    for (variant, starts) in variants.distinct.iter().zip(starts) {
        // What was found beside a claim was found under its own rules.
        let found: &[Expectation] = if variant.mask == 0 { &claim.found } else { &[] };
        let asked: Vec<&Expectation> = claim.claimed.iter().chain(found).collect();
        let mut cells = Vec::new();
        for start in starts {
            let mut facts = Facts::new(&start, work, each, &asked);
            let mut look = |expectations: &[Expectation]| -> Vec<Finding> {
                expectations.iter().map(|expectation| facts.look(expectation, &mut failure)).collect()
            };
            let (claimed, found) = (look(&claim.claimed), look(found));
            interrupted |= facts.interrupted();
            let solution = facts.into_solution();
            cells.push(Cell { start, claimed, found, solution });
        }
        readings.push(Reading { name: variant.name.clone(), cells });
    }
    let statuses: Vec<Status> = readings.iter().map(Reading::status).collect();
    Checked {
        depends_on: variants.depends_on(&statuses),
        combined: variants.names,
        contradicting: variants.contradicting,
        readings,
        interrupted,
        failure: failure.map(|failure: Failure| failure.within(&claim.id)),
        seconds: work.seconds() - since,
        certificate: None,
        written: Vec::new(),
        kept_back: false,
        asked,
        command: String::new(),
        claim,
    }
}

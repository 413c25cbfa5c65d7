//! What is found out about one position under one rule set, each question once.

use std::cell::Cell;
use std::time::{Duration, Instant};

use lumbung_solver::graph::{Counting, Explored, Found, Options, explore_telling};
use lumbung_solver::matches::{MatchValue, solve_match};
use lumbung_solver::solve::{self, Outcome, Solution};
use lumbung_solver::{Limits, StopReason, turns};

use super::check::{Finding, Status};
use super::evidence::{Evidence, turn_text};
use super::expectation::{CountingName, Expectation, Winner};
use super::layers::Layers;
use crate::exit::Failure;
use crate::matches;
use crate::solve::{line, verdict};
use crate::start::Start;
use crate::units::counted;
use crate::work::{self, Work};

/// Boards that may be seen in looking for the shortest turn.
const EASILY: u64 = 1_000_000;
/// Boards that may be seen in looking for a turn that wins at once, before a search.
const VERY_EASILY: u64 = 100_000;

/// See the [module](self).
pub(super) struct Facts<'a> {
    start: &'a Start,
    work: &'a Work,
    /// For all that is asked of this position.
    limits: Limits,
    /// The margin must be known and not only who wins.
    needs_margin: bool,
    turns: Vec<(turns::Goal, Turn)>,
    solution: Option<Solution>,
    layers: Layers,
    /// What stopped a match, a graph or a table.
    stopped: Option<StopReason>,
}

#[derive(Clone)]
struct Turn {
    turn: turns::Turn,
    /// No shorter one reaches the goal.
    shortest: bool,
}

impl<'a> Facts<'a> {
    /// For all that is going to be asked.
    pub(super) fn new(start: &'a Start, work: &'a Work, each: Option<Duration>, asked: &[&Expectation]) -> Self {
        let needs_margin = asked.iter().any(|expectation| expectation.needs_margin());
        let share = each.and_then(|each| Instant::now().checked_add(each));
        let deadline = share.into_iter().chain(work.limits.deadline).min();
        let limits = Limits { deadline, ..work.limits.clone() };
        Facts { start, work, limits, needs_margin, turns: Vec::new(), solution: None, layers: Layers::new(asked), stopped: None }
    }

    /// The finding, or an open one that says what went wrong.
    pub(super) fn look(&mut self, expectation: &Expectation, failure: &mut Option<Failure>) -> Finding {
        self.finding(expectation.clone()).unwrap_or_else(|error| {
            let says = error.message().unwrap_or_default();
            failure.get_or_insert(error);
            Finding { expectation: expectation.clone(), status: Status::Open, says, bounds: None, evidence: None }
        })
    }

    pub(super) fn interrupted(&self) -> bool {
        let turns = self.turns.iter().map(|(_, found)| found.turn.stopped);
        turns
            .chain([self.solution.as_ref().and_then(|found| found.stopped), self.stopped])
            .any(|why| why == Some(StopReason::Interrupted))
    }

    /// Best play, if it was looked for.
    pub(super) fn into_solution(self) -> Option<Solution> {
        self.solution
    }

    fn finding(&mut self, expectation: Expectation) -> Result<Finding, Failure> {
        match expectation {
            Expectation::WinningFirstTurn { exists } => self.first_turn(expectation, turns::Goal::Win, exists),
            Expectation::DonkersOpening { exists } => self.first_turn(expectation, turns::Goal::Donkers, exists),
            Expectation::FirstTurnStores { seeds, exists } => self.first_turn(expectation, turns::Goal::AtLeast(seeds), exists),
            Expectation::Winner { player } if self.wins_at_once()? => {
                let mover = self.start.position.to_move;
                let says = format!("{mover} wins: after the first turn her store holds more than half of all seeds");
                let status = Status::of(Some(player.side() == Some(mover)));
                Ok(Finding { expectation, status, says, bounds: None, evidence: None })
            }
            Expectation::MatchWinner { player, rounds } => self.match_winner(expectation, player, rounds),
            Expectation::ReachablePositions { count, counting } => self.reachable(expectation, count, counting),
            Expectation::LayerHistogram { seeds, ref histogram } => {
                let (status, says, stopped) =
                    self.layers.hold(self.start, seeds, histogram, &self.limits, &self.work.progress)?;
                self.stopped = self.stopped.or(stopped);
                Ok(Finding { expectation, status, says, bounds: None, evidence: None })
            }
            _ => self.best_play(expectation),
        }
    }

    /// Whether the first turn is known to win, or easily found to where no margin is asked for: that settles who wins without a search.
    fn wins_at_once(&mut self) -> Result<bool, Failure> {
        if !self.needs_margin && self.turns.iter().all(|(goal, _)| *goal != turns::Goal::Win) {
            let limits = Limits { nodes: Some(VERY_EASILY), ..self.limits.clone() };
            for goal in [turns::Goal::ShortestWin, turns::Goal::Win] {
                let turn = self.explore(goal, limits.clone())?;
                if turn.reached {
                    let shortest = goal == turns::Goal::ShortestWin && turn.exhaustive;
                    self.turns.push((turns::Goal::Win, Turn { turn, shortest }));
                    break;
                }
                if turn.exhaustive {
                    break;
                }
            }
        }
        Ok(self.turns.iter().any(|(goal, found)| *goal == turns::Goal::Win && found.turn.reached))
    }

    fn explore(&self, goal: turns::Goal, limits: Limits) -> Result<turns::Turn, Failure> {
        let options = turns::Options { goal, limits };
        let (rules, start) = (&self.start.chosen.rules, &self.start.position);
        turns::explore(rules, start, &options, &self.work.progress).map_err(Failure::from)
    }

    fn first_turn(&mut self, expectation: Expectation, goal: turns::Goal, exists: bool) -> Result<Finding, Failure> {
        let Turn { turn, shortest } = self.turn(goal)?;
        let side = self.start.position.to_move;
        let seeds = counted(self.start.seeds() as u64, "seed");
        let found = if turn.reached { Some(true) } else { turn.exhaustive.then_some(false) };
        let status = Status::of(found.map(|found| found == exists));
        let says = match found {
            Some(true) => {
                let moves = counted(turn.line.len() as u64, "move");
                let shortest = if shortest { ", and no shorter one wins" } else { "" };
                format!("{side} stores {} of {seeds} in her first turn of {moves}{shortest}", turn.line_store)
            }
            Some(false) => format!(
                "every first turn was tried ({}); at best {side} stores {} of {seeds}",
                counted(turn.states, "board"),
                turn.best_store
            ),
            None => {
                let why = work::why(turn.stopped);
                format!("not found: {why}; at best {side} stores {} of {seeds}", turn.best_store)
            }
        };
        let evidence =
            if turn.reached { Evidence::of(self.start, &turn_text(&turn.line), &expectation, status, None)? } else { None };
        Ok(Finding { expectation, status, says, bounds: None, evidence })
    }

    fn best_play(&mut self, expectation: Expectation) -> Result<Finding, Failure> {
        let solution = self.solution()?;
        let status = Status::of(expectation.told_by(self.start, solution.margin));
        let proven = verdict(self.start, &solution);
        let says = match status {
            Status::Open => format!("{proven}; not settled: {}", work::why(solution.stopped)),
            _ => proven,
        };
        let evidence = match &solution.line[..] {
            [] => None,
            _ => Evidence::of(self.start, &line(&solution), &expectation, status, Some(solution.margin.0))?,
        };
        Ok(Finding { expectation, status, says, bounds: Some(solution.margin), evidence })
    }

    fn match_winner(&mut self, expectation: Expectation, player: Winner, rounds: Option<u32>) -> Result<Finding, Failure> {
        let (rules, first) = matches::match_rules(self.start)?;
        let solved = solve_match(&self.start.chosen.rules, rules.size(), &first, &self.limits, &self.work.progress);
        let solution = solved.map_err(Failure::new)?;
        self.stopped = self.stopped.or(solution.stopped);
        let found = match solution.value {
            MatchValue::Won { by, rounds: found } if player.side() == Some(by) => match rounds {
                Some(wanted) if found < wanted || (solution.exact && found != wanted) => Some(false),
                Some(_) if !solution.exact => None,
                _ => Some(true),
            },
            MatchValue::Won { .. } => Some(false),
            MatchValue::Drawn => Some(player.outcome() == Outcome::Draw),
            MatchValue::Open => None,
        };
        Ok(Finding { expectation, status: Status::of(found), says: matches::verdict(&solution), bounds: None, evidence: None })
    }

    fn reachable(&mut self, expectation: Expectation, wanted: u64, counting: CountingName) -> Result<Finding, Failure> {
        let counting = match counting {
            CountingName::Ours => Counting::Ours,
            CountingName::Irving => Counting::Irving,
        };
        let start = self.start;
        let options = Options { counting, ..Options::default() };
        // Their values are not asked for: whether there is room for these does not matter.
        let all = Cell::new(None);
        let tell = |found: Found| all.set(Some(found.positions));
        let rules = &start.chosen.rules;
        let explored = explore_telling(rules, &start.position, options, &self.limits, &self.work.progress, &tell);
        let decided = |positions| (Some(positions == wanted), format!("{} can be reached", counted(positions, "position")));
        let (found, says) = match (explored.map_err(Failure::new)?, all.get()) {
            (Explored::Stopped { reason, found }, None) => {
                self.stopped = self.stopped.or(Some(reason));
                // More than claimed are too many, however many there are.
                let refuted = (found > wanted).then_some(false);
                (refuted, format!("{} were found before it ended: {}", counted(found, "position"), work::why(Some(reason))))
            }
            (Explored::Stopped { .. }, Some(positions)) => decided(positions),
            (Explored::Complete(graph), _) => decided(graph.positions),
        };
        Ok(Finding { expectation, status: Status::of(found), says, bounds: None, evidence: None })
    }

    fn turn(&mut self, goal: turns::Goal) -> Result<Turn, Failure> {
        if let Some((_, turn)) = self.turns.iter().find(|(asked, _)| *asked == goal) {
            return Ok(turn.clone());
        }
        let mut found = None;
        if goal == turns::Goal::Win {
            // A short line is the better evidence, where it is easily found.
            let short = Limits { nodes: Some(EASILY), ..self.limits.clone() };
            found = Some(self.explore(turns::Goal::ShortestWin, short)?).filter(|turn| turn.exhaustive);
        }
        let shortest = found.is_some();
        let turn = match found {
            Some(turn) => turn,
            None => self.explore(goal, self.limits.clone())?,
        };
        let turn = Turn { turn, shortest };
        self.turns.push((goal, turn.clone()));
        Ok(turn)
    }

    fn solution(&mut self) -> Result<Solution, Failure> {
        if let Some(solution) = &self.solution {
            return Ok(solution.clone());
        }
        let options = options(self.needs_margin, &self.limits);
        let solution = solve::solve(&self.start.chosen.rules, &self.start.position, &options, &self.work.progress);
        let solution = solution.map_err(Failure::new)?;
        self.solution = Some(solution.clone());
        Ok(solution)
    }
}

/// How best play is looked for.
pub(super) fn options(needs_margin: bool, limits: &Limits) -> solve::Options {
    let goal = if needs_margin { solve::Goal::Margin } else { solve::Goal::Outcome };
    solve::Options { goal, limits: limits.clone(), ..solve::Options::default() }
}

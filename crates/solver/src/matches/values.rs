//! Rounds, asked whether a player can force one of some splits.

use std::collections::{HashMap, HashSet};

use lumbung_engine::notation::write_turns;
use lumbung_engine::rounds::RoundStart;
use lumbung_engine::rules::Repeat;
use lumbung_engine::{Owners, Position, RuleSet, Side};

use super::force::{Question, can_force};
use super::graph::Graph;
use super::{MatchError, SolveError};
use crate::limits::{Limits, Progress, StopReason};
use crate::line::LineEnd;
use crate::solve::{Options, solve};

/// Positions a round may take at the first attempt; those that need more wait until the others are solved.
const FIRST_ATTEMPT: u64 = 1 << 20;

/// Whether a player can force one of some splits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Forced {
    Yes,
    No,
    /// Not settled within the limits.
    Unknown,
}

/// A round as the player sees it who starts it: the same for South and North, whatever is owed.
#[derive(Clone, Debug)]
struct Round {
    /// Bounds of the starter's margin.
    margin: (i32, i32),
    /// Best play, if it was followed to the end.
    line: Option<String>,
    unending: bool,
    /// No limit but those of the whole work was in its way.
    tried: bool,
}

/// The rounds of a match.
pub(super) struct Values<'a> {
    rules: &'a RuleSet,
    graph: &'a Graph,
    limits: &'a Limits,
    progress: &'a dyn Progress,
    rounds: HashMap<Owners, Round>,
    answers: HashMap<(usize, Side, Vec<bool>), bool>,
    pub(super) nodes: u64,
    pub(super) stopped: Option<StopReason>,
}

/// Who owns what, the board turned so that the starter sits South.
fn as_south(start: &RoundStart) -> Owners {
    let pits = start.owners.pits();
    let own = |ring: usize| start.owners.of((ring + start.starter.index() * pits) % (2 * pits)) == start.starter;
    let south = (0..2 * pits).filter(|&ring| own(ring)).fold(0, |south, ring| south | 1 << ring);
    Owners::from_bits(south, pits)
}

impl<'a> Values<'a> {
    pub(super) fn new(rules: &'a RuleSet, graph: &'a Graph, limits: &'a Limits, progress: &'a dyn Progress) -> Self {
        let (rounds, answers) = (HashMap::new(), HashMap::new());
        Values { rules, graph, limits, progress, rounds, answers, nodes: 0, stopped: None }
    }

    /// Starts whose rounds were searched for a set of splits.
    pub(super) fn searched(&self) -> usize {
        self.answers.keys().map(|(start, _, _)| start).collect::<HashSet<_>>().len()
    }

    /// Bounds of South's margin in the round from a start, as far as they were asked for.
    pub(super) fn margin(&self, id: usize) -> Option<(i32, i32)> {
        let start = &self.graph.starts[id];
        let (low, high) = self.rounds.get(&as_south(start))?.margin;
        Some(if start.starter == Side::South { (low, high) } else { (-high, -low) })
    }

    /// Best play for seeds from a start, as moves, if it is known to its end; and whether it goes round for ever.
    pub(super) fn line(&self, id: usize) -> (Option<String>, bool) {
        match self.rounds.get(&as_south(&self.graph.starts[id])) {
            Some(round) => (round.line.clone(), round.unending),
            None => (None, false),
        }
    }

    /// Solves the round from a start for its margin: with a few positions at first, and if it is `patient` with all that the limits
    /// allow. Whether there was anything to do.
    pub(super) fn solve(&mut self, id: usize, patient: bool) -> Result<bool, SolveError> {
        let owners = as_south(&self.graph.starts[id]);
        let enough = |round: &Round| round.tried || !patient || round.margin.0 == round.margin.1;
        if self.stopped.is_some() || self.rounds.get(&owners).is_some_and(enough) {
            return Ok(false);
        }
        let nodes = if patient { None } else { Some(FIRST_ATTEMPT) };
        let options = Options { limits: Limits { nodes, ..self.limits.clone() }, ..Options::default() };
        let position = Position { owners, ..Position::start(self.graph.rules.size()) };
        let solution = solve(self.rules, &position, &options, self.progress)?;
        self.nodes += solution.nodes;
        self.stopped = solution.stopped.filter(|&reason| reason != StopReason::Nodes);
        let ends = matches!(solution.line_end, LineEnd::GameOver | LineEnd::Repeats);
        let line = ends.then(|| write_turns(solution.line.iter().map(|turn| turn.moves.iter().copied())));
        let unending = solution.line_end == LineEnd::Repeats;
        self.rounds.insert(owners, Round { margin: solution.margin, line, unending, tried: patient });
        Ok(true)
    }

    /// Bounds of a player's total in the round from a start, if the value of the round speaks of totals.
    fn totals(&self, id: usize, side: Side) -> Option<(u16, u16)> {
        let start = &self.graph.starts[id];
        let (low, high) = self.margin(id)?;
        let of = |margin| self.south_total(start, margin);
        let total = self.graph.rules.total();
        Some(if side == Side::South { (of(low), of(high)) } else { (total - of(high), total - of(low)) })
    }

    /// South's total at the end of a round with this margin; if seeds are left over in a round without end, after their split.
    pub(super) fn south_total(&self, start: &RoundStart, margin: i32) -> u16 {
        let total = i32::from(self.graph.rules.total());
        // The margin has the parity of the seeds stored; where that is odd, so is what is left on the board.
        let odd_one = margin.rem_euclid(2) * i32::from(start.starter == Side::North);
        ((total + margin).div_euclid(2) + odd_one) as u16
    }

    /// Whether `side` can force the round from a start to end in a split that is `wanted`, by South's total.
    pub(super) fn can_force(&mut self, id: usize, side: Side, wanted: &[bool]) -> Result<Forced, MatchError> {
        let total = self.graph.rules.total();
        // From here on by the player's own total.
        let own = |own: u16| wanted[usize::from(if side == Side::South { own } else { total - own })];
        let Some(least) = (0..=total).find(|&t| own(t)) else { return Ok(Forced::No) };
        // All splits from here up are wanted.
        let upper = (0..=total).rev().take_while(|&t| own(t)).last();
        if let Some((low, high)) = self.totals(id, side) {
            if high < least {
                return Ok(Forced::No);
            }
            // What a value promises may rest on a round without end, which may be void.
            let split = self.graph.rules.repeat == Repeat::Split;
            if split && upper.is_some_and(|upper| low >= upper) {
                return Ok(Forced::Yes);
            }
            if low != high {
                return Ok(Forced::Unknown);
            }
            if upper == Some(least) && high < least {
                return Ok(Forced::No);
            }
        } else {
            return Ok(Forced::Unknown);
        }
        self.search(id, side, wanted)
    }

    /// Searches the round itself.
    pub(super) fn search(&mut self, id: usize, side: Side, wanted: &[bool]) -> Result<Forced, MatchError> {
        let key = (id, side, wanted.to_vec());
        if let Some(&answer) = self.answers.get(&key) {
            return Ok(if answer { Forced::Yes } else { Forced::No });
        }
        if self.stopped.is_some() {
            return Ok(Forced::Unknown);
        }
        let start = self.graph.starts[id];
        let question = Question { rules: self.rules, matches: &self.graph.rules, start: &start, seeker: side, wanted };
        let searched = can_force(&question, self.limits).map_err(MatchError::Thread)?;
        self.nodes += searched.nodes;
        match searched.answer {
            Ok(answer) => {
                self.answers.insert(key, answer);
                Ok(if answer { Forced::Yes } else { Forced::No })
            }
            Err(reason) => {
                self.stopped = Some(reason);
                Ok(Forced::Unknown)
            }
        }
    }
}

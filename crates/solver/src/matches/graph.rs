//! The starts of rounds and where each split leads.

use std::collections::HashMap;

use lumbung_engine::Side;
use lumbung_engine::rounds::{Follows, MatchRules, RoundStart};

use super::MatchError;

/// The most starts that are served.
const MOST_STARTS: usize = 20_000;

/// Where a split leads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum After {
    /// The match is over.
    Over(Side),
    /// One of these starts, by the choice of that player.
    Choice(Side, Vec<usize>),
}

/// All starts that can come up from the first, which is number 0.
pub(super) struct Graph {
    pub(super) rules: MatchRules,
    pub(super) starts: Vec<RoundStart>,
    /// For each start and each total of South's, an index into `afters`.
    leads: Vec<Vec<usize>>,
    afters: Vec<After>,
}

impl Graph {
    pub(super) fn new(rules: MatchRules, first: &RoundStart) -> Result<Self, MatchError> {
        let mut graph = Graph { rules, starts: vec![*first], leads: Vec::new(), afters: Vec::new() };
        let mut numbers = HashMap::from([(*first, 0)]);
        let mut known: HashMap<Follows, usize> = HashMap::new();
        while let Some(&start) = graph.starts.get(graph.leads.len()) {
            let mut leads = Vec::new();
            for south in 0..=rules.total() {
                let follows = rules.refill(&start, [south, rules.total() - south]).follows;
                let after = match known.get(&follows) {
                    Some(&after) => after,
                    None => {
                        let after = graph.after(&follows, &mut numbers)?;
                        graph.afters.push(after);
                        known.insert(follows, graph.afters.len() - 1);
                        graph.afters.len() - 1
                    }
                };
                leads.push(after);
            }
            graph.leads.push(leads);
        }
        Ok(graph)
    }

    fn after(&mut self, follows: &Follows, numbers: &mut HashMap<RoundStart, usize>) -> Result<After, MatchError> {
        let division = match follows {
            Follows::Over { winner } => return Ok(After::Over(*winner)),
            Follows::Round(division) => division,
        };
        let mut choice = Vec::new();
        for start in self.rules.starts(division) {
            let number = *numbers.entry(start).or_insert(self.starts.len());
            if number == self.starts.len() {
                self.starts.push(start);
            }
            choice.push(number);
        }
        if self.starts.len() > MOST_STARTS {
            return Err(MatchError::TooManyStarts { most: MOST_STARTS });
        }
        Ok(After::Choice(division.starter, choice))
    }

    /// Where the round from a start leads if South ends it with so many seeds.
    pub(super) fn after_split(&self, start: usize, south: u16) -> &After {
        &self.afters[self.leads[start][usize::from(south)]]
    }
}

//! Matches over rounds: who wins, in how many rounds.
//!
//! The board is full at every start of a round, so the starts of rounds ([`RoundStart`]: owners, starter, debt) make a small graph. A
//! round is a game over final splits of the seeds, and a split leads to the next start, to a choice of the winner among several, or to
//! the end of the match.
//!
//! **The fixpoint.** A start is won by a player in one round if she can force a split that ends the match in her favour, in `k` rounds
//! if she can force a split after which she wins in `k - 1` or fewer (whoever chooses sons choosing as suits her). Starts that neither
//! player ever wins are drawn: the match goes on for ever. Nothing here says that more seeds are better.
//!
//! **Margin play.** What a round must be asked is thus: can this player force one of *these* splits? Where they are an upper set (if a
//! split is good for her, so is every one with more seeds for her), the round's value answers: yes if it gives her the least
//! of them. A position that recurs gains nothing further, so the value speaks of the store margin at which play goes round for ever, and
//! the even split ([`MatchRules::split`]) never falls as that margin grows; hence the comparison is exact. Where the splits are no
//! upper set, or where a round without end is void, so that a value may rest on what never counts, the round is searched for that set of
//! splits itself (`force`).

mod fixpoint;
mod force;
mod graph;
mod playout;
mod values;

use lumbung_engine::rounds::{MatchRules, NoMatch, RoundStart};
use lumbung_engine::{BoardSize, RuleSet, Side};
use thiserror::Error;

use crate::limits::{Limits, Progress, StopReason};
use crate::solve::SolveError;

pub use playout::{RoundOutcome, RoundResult};

/// What a start of a round is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MatchValue {
    /// This player wins the match, in so many rounds at most, counting this one.
    Won {
        /// Who.
        by: Side,
        /// In how many rounds.
        rounds: u32,
    },
    /// Neither player can ever win: the match goes on for ever.
    Drawn,
    /// Not settled within the limits.
    Open,
}

/// A start of a round, and what is known of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StartValue {
    /// The start.
    pub start: RoundStart,
    /// Bounds of South's margin in the round under best play for seeds; `None` if nobody asked.
    pub margin: Option<(i32, i32)>,
    /// What it is worth in the match.
    pub value: MatchValue,
}

/// A match, solved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MatchSolution {
    /// What the first start is worth.
    pub value: MatchValue,
    /// Whether the number of rounds is the least that can be forced; false if some rounds could not be solved.
    pub exact: bool,
    /// The match under best play by both.
    pub rounds: Vec<RoundResult>,
    /// All starts that can come up.
    pub starts: Vec<StartValue>,
    /// Starts at which the splits a player wants were no upper set, or a void round mattered, so that the round itself was searched.
    pub searched: usize,
    /// Positions visited in all rounds.
    pub nodes: u64,
    /// The limit that ended the work, if one did.
    pub stopped: Option<StopReason>,
}

/// A match that cannot be solved.
#[derive(Debug, Error)]
pub enum MatchError {
    /// The rules know no rounds.
    #[error(transparent)]
    NoMatch(#[from] NoMatch),
    /// A round cannot be solved under these rules.
    #[error(transparent)]
    Round(#[from] SolveError),
    /// Too many starts of rounds.
    #[error("more than {most} starts of rounds can come up on this board; with rounds.sons = \"after-own-row\" there are fewer")]
    TooManyStarts {
        /// The most that are served.
        most: usize,
    },
    /// The system would not start a thread.
    #[error("cannot start the searching thread: {0}")]
    Thread(String),
}

/// Solves the match from a start of a round ([`MatchRules::first`] for a whole match) on a board of this size.
///
/// # Errors
/// See [`MatchError`].
pub fn solve_match(
    rules: &RuleSet,
    size: BoardSize,
    first: &RoundStart,
    limits: &Limits,
    progress: &dyn Progress,
) -> Result<MatchSolution, MatchError> {
    let match_rules = MatchRules::new(rules, size)?;
    let graph = graph::Graph::new(match_rules, first)?;
    let mut values = values::Values::new(rules, &graph, limits, progress);
    let solved = fixpoint::solve(&graph, &mut values)?;
    let rounds = playout::play_out(&graph, &mut values, &solved)?;
    let starts = graph
        .starts
        .iter()
        .enumerate()
        .map(|(id, &start)| StartValue { start, margin: values.margin(id), value: solved.value(id) })
        .collect();
    Ok(MatchSolution {
        value: solved.value(0),
        exact: solved.exact,
        rounds,
        starts,
        searched: values.searched(),
        nodes: values.nodes,
        stopped: values.stopped.filter(|_| solved.value(0) == MatchValue::Open || !solved.exact),
    })
}

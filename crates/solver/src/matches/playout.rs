//! A match under best play, round by round.

use lumbung_engine::Side;
use lumbung_engine::rounds::{Refill, RoundStart};
use lumbung_engine::rules::Repeat;

use super::fixpoint::Solved;
use super::graph::{After, Graph};
use super::values::{Forced, Values};
use super::{MatchError, MatchValue};

/// A round of a match under best play.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RoundResult {
    /// How it starts.
    pub start: RoundStart,
    /// What best play leads to; `None` if that is not settled.
    pub outcome: Option<RoundOutcome>,
}

/// What best play of a round leads to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RoundOutcome {
    /// South's total minus North's, where the round is scored.
    pub margin: i32,
    /// What the totals lead to.
    pub refill: Refill,
    /// Best play of the round as moves, where it is known to its end.
    pub line: Option<String>,
    /// That line goes round for ever.
    pub unending: bool,
}

/// Plays the match out: each player wins it as soon as she can, puts off losing it as long as she can, and for the rest plays for seeds.
pub(super) fn play_out(graph: &Graph, values: &mut Values<'_>, solved: &Solved) -> Result<Vec<RoundResult>, MatchError> {
    let mut rounds: Vec<RoundResult> = Vec::new();
    let mut id = 0;
    loop {
        let start = graph.starts[id];
        if rounds.iter().any(|round| round.start == start) {
            return Ok(rounds);
        }
        let outcome = match solved.value(id) {
            MatchValue::Open => None,
            MatchValue::Won { .. } | MatchValue::Drawn => outcome(graph, values, solved, id)?,
        };
        let total = outcome.as_ref().map(|outcome| outcome.refill.totals[0]);
        rounds.push(RoundResult { start, outcome });
        match total.map(|south| graph.after_split(id, south)) {
            None | Some(After::Over(_)) => return Ok(rounds),
            Some(After::Choice(chooser, starts)) => {
                // The first of the best.
                let best = starts.iter().copied().rev().max_by_key(|&next| solved.worth_of_start(next, *chooser));
                id = best.unwrap_or(id);
            }
        }
    }
}

fn outcome(graph: &Graph, values: &mut Values<'_>, solved: &Solved, id: usize) -> Result<Option<RoundOutcome>, MatchError> {
    let start = graph.starts[id];
    let total = graph.rules.total();
    let seeker = match solved.value(id) {
        MatchValue::Won { by, .. } => by,
        _ => Side::South,
    };
    // What a split is worth to the seeker, and then her seeds, by South's total.
    let worth: Vec<(i64, u16)> = (0..=total)
        .map(|south| {
            let own = if seeker == Side::South { south } else { total - south };
            (solved.worth(graph.after_split(id, south), seeker), own)
        })
        .collect();
    let Some((margin, high)) = values.margin(id) else { return Ok(None) };
    if margin != high {
        return Ok(None);
    }
    let rising = |own: u16| worth[usize::from(if seeker == Side::South { own } else { total - own })].0;
    let more_is_better = (1..=total).all(|own| rising(own - 1) <= rising(own));
    let split = graph.rules.repeat == Repeat::Split;
    let by_value = values.south_total(&start, margin);
    let drawn = solved.value(id) == MatchValue::Drawn;
    let (south, by_seeds) = if more_is_better && split {
        (by_value, true)
    } else if !split && drawn {
        return Ok(None);
    } else {
        match best_forced(values, id, seeker, &worth)? {
            Some(south) => (south, south == by_value),
            None => return Ok(None),
        }
    };
    let (line, unending) = match values.line(id) {
        // The line of a void round does not end it.
        (_, true) if !split => (None, false),
        line if by_seeds => line,
        _ => (None, false),
    };
    let totals = [south, total - south];
    let refill = graph.rules.refill(&start, totals);
    Ok(Some(RoundOutcome { margin: i32::from(totals[0]) - i32::from(totals[1]), refill, line, unending }))
}

/// The best split by `worth` that the seeker can force, as South's total.
fn best_forced(values: &mut Values<'_>, id: usize, seeker: Side, worth: &[(i64, u16)]) -> Result<Option<u16>, MatchError> {
    let mut order: Vec<u16> = (0..worth.len() as u16).collect();
    order.sort_by_key(|&south| worth[usize::from(south)]);
    // At least the split number `low` of that order is forced, and none from `high` on.
    let (mut low, mut high) = (None, order.len());
    while low.map_or(0, |low| low + 1) < high {
        let middle = (low.map_or(0, |low| low + 1) + high) / 2;
        let least = worth[usize::from(order[middle])];
        let wanted: Vec<bool> = worth.iter().map(|&worth| worth >= least).collect();
        match values.search(id, seeker, &wanted)? {
            Forced::Yes => low = Some(middle),
            Forced::No => high = middle,
            Forced::Unknown => return Ok(None),
        }
    }
    Ok(low.map(|low| order[low]))
}

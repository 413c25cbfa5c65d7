//! Which starts who wins, by rising numbers of rounds.

use lumbung_engine::Side;

use super::graph::{After, Graph};
use super::values::{Forced, Values};
use super::{MatchError, MatchValue};

/// The starts that are won.
pub(super) struct Solved {
    won: Vec<Option<(Side, u32)>>,
    /// Every question was answered.
    pub(super) exact: bool,
}

impl Solved {
    pub(super) fn value(&self, id: usize) -> MatchValue {
        match self.won[id] {
            Some((by, rounds)) => MatchValue::Won { by, rounds },
            None if self.exact => MatchValue::Drawn,
            None => MatchValue::Open,
        }
    }

    /// What a split is worth to `side` in rounds still to be played, the more the better: the match won at once is the best.
    pub(super) fn worth(&self, after: &After, side: Side) -> i64 {
        match after {
            After::Over(winner) if *winner == side => i64::from(u32::MAX),
            After::Over(_) => -i64::from(u32::MAX),
            After::Choice(chooser, starts) => {
                let worths = starts.iter().map(|&id| self.worth_of_start(id, side));
                let best = if *chooser == side { worths.max() } else { worths.min() };
                best.unwrap_or(0)
            }
        }
    }

    /// What a start is worth to `side`.
    pub(super) fn worth_of_start(&self, id: usize, side: Side) -> i64 {
        match self.won[id] {
            Some((by, rounds)) if by == side => i64::from(u32::MAX - rounds),
            Some((_, rounds)) => -i64::from(u32::MAX - rounds),
            None => 0,
        }
    }
}

/// Solves the graph; number 0 first of all if time is short.
pub(super) fn solve(graph: &Graph, values: &mut Values<'_>) -> Result<Solved, MatchError> {
    let order = likely_first(graph, values)?;
    for &id in &order {
        values.solve(id, false)?;
    }
    let mut solved = rounds(graph, values)?;
    for &id in &order {
        if solved.exact || solved.won[0].is_some() {
            break;
        }
        if values.solve(id, true)? {
            solved = rounds(graph, values)?;
        }
    }
    Ok(solved)
}

/// All starts, those first that come up if both players play for seeds.
fn likely_first(graph: &Graph, values: &mut Values<'_>) -> Result<Vec<usize>, MatchError> {
    let mut order = vec![0];
    while let Some(&id) = order.last() {
        values.solve(id, false)?;
        let Some((margin, _)) = values.margin(id) else { break };
        match graph.after_split(id, values.south_total(&graph.starts[id], margin)) {
            After::Choice(_, next) if !order.contains(&next[0]) => order.push(next[0]),
            After::Choice(..) | After::Over(_) => break,
        }
    }
    order.extend((0..graph.starts.len()).filter(|id| !order.contains(id)).collect::<Vec<_>>());
    Ok(order)
}

/// The fixpoint: what is won in one round, then in two, and so on until nothing is added.
fn rounds(graph: &Graph, values: &mut Values<'_>) -> Result<Solved, MatchError> {
    let mut solved = Solved { won: vec![None; graph.starts.len()], exact: true };
    let mut asked = vec![[Vec::new(), Vec::new()]; graph.starts.len()];
    let mut unknown = vec![[false; 2]; graph.starts.len()];
    for rounds in 1.. {
        let mut won = Vec::new();
        for id in (0..graph.starts.len()).filter(|&id| solved.won[id].is_none()) {
            for side in [Side::South, Side::North] {
                let wanted: Vec<bool> =
                    (0..=graph.rules.total()).map(|south| solved.worth(graph.after_split(id, south), side) > 0).collect();
                if asked[id][side.index()] == wanted {
                    continue;
                }
                let forced = values.can_force(id, side, &wanted)?;
                // A no covers all that was wanted before, a yes does not.
                let unknown = &mut unknown[id][side.index()];
                *unknown = forced == Forced::Unknown || (forced == Forced::Yes && *unknown);
                asked[id][side.index()] = wanted;
                if forced == Forced::Yes {
                    won.push((id, side));
                    break;
                }
            }
        }
        if won.is_empty() {
            break;
        }
        for (id, side) in won {
            solved.won[id] = Some((side, rounds));
        }
    }
    solved.exact = solved.won.iter().zip(unknown).all(|(won, unknown)| match won {
        Some((by, _)) => !unknown[by.index()],
        None => unknown == [false; 2],
    });
    Ok(solved)
}

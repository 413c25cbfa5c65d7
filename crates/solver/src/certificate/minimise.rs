//! Small certificates.
//!
//! Under rules that cannot repeat a position, the walk is repeated many times, each time choosing among the moves that keep the bound
//! by chance. All positions met stay, so that in the end there are several proven moves on many of them; among these the ones with the
//! smallest proofs are chosen, first as if nothing were shared, then by trying every other choice and counting what is left. Around
//! what comes out, all moves that keep the bound are then followed and every choice is tried again, as long as that helps.
//! Under the others whole certificates are made by several tastes, and the smallest is kept.

use super::graph::{Graph, MUCH_WORK, Node, Taste};
use super::{Entries, ExtractError, Oracle, Task, counters};
use crate::limits::StopReason;

/// How hard to try for a small certificate.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Effort {
    /// The first one will do.
    First,
    /// As small as is cheap.
    #[default]
    Small,
}

/// Certificates with more entries are kept as they are.
const CHEAP: usize = 20_000;
/// Positions that may be walked through again, in all passes.
const PASSES_POSITIONS: usize = 160_000;
const MOST_PASSES: usize = 1_600;
/// Positions that the oracle may visit for further passes: this share of what it visited for solution and first certificate, or this
/// many.
const PASSES_SHARE: u64 = 4;
const PASSES_WORK: u64 = 1 << 22;
/// Work on one move in a further pass: what takes more is seldom worth it.
const PASSES_PATIENCE: u64 = 1 << 13;
/// Rounds of following all moves around a certificate and choosing anew. Each makes it smaller, or is the last.
const MOST_ROUNDS: usize = 16;
/// Larger ones are not tried choice by choice.
const CHOICE_BY_CHOICE: usize = 1_000;

/// The entries of a certificate for the claims of a task, unordered. The first certificate depends on nothing but the task; how many
/// attempts at a smaller one there are depends on what the oracle's answers take.
///
/// # Errors
/// If a claim does not hold, a limit ends the work, or the oracle contradicts itself.
pub fn extract(task: Task<'_>, oracle: &mut impl Oracle, effort: Effort) -> Result<Entries, ExtractError> {
    let mut graph = once(task, oracle, Taste::FewestSeeds)?;
    let mut best = entries(&graph);
    if effort == Effort::First || best.len() > CHEAP || best.is_empty() {
        return Ok(best);
    }
    let work = oracle.work();
    let enough = work + (work / PASSES_SHARE).max(PASSES_WORK);
    (graph.patience, graph.enough) = (if task.rules.can_repeat() { MUCH_WORK } else { PASSES_PATIENCE }, enough);
    let passes = (PASSES_POSITIONS / best.len()).clamp(2, MOST_PASSES) as u64;
    let mut keep = |found: Entries| {
        if found.len() < best.len() {
            best = found;
        }
    };
    let tastes = [Taste::RightMost, Taste::LeftMost].into_iter().chain((0..passes).map(Taste::Chance));
    for taste in tastes {
        if oracle.work() > enough {
            break;
        }
        let tried = if task.rules.can_repeat() {
            once(task, oracle, taste).map(|other| keep(entries(&other)))
        } else {
            graph.wander(taste, oracle).map(|()| keep(entries(&graph)))
        };
        match tried {
            Ok(()) => {}
            // One certificate is there already; what was being walked is not whole.
            Err(ExtractError::Stopped(_)) => return Ok(best),
            Err(error) => return Err(error),
        }
    }
    if !task.rules.can_repeat() {
        (0..graph.nodes.len()).for_each(|number| graph.complete(number));
        without_sharing(&mut graph);
        let mut size = graph.needed().len();
        let stopped = size <= CHOICE_BY_CHOICE && choice_by_choice(&mut graph, task).is_err();
        keep(entries(&graph));
        graph.enough = oracle.work() + (work / PASSES_SHARE).max(PASSES_WORK);
        for _ in 0..if stopped { 0 } else { MOST_ROUNDS } {
            if size > CHOICE_BY_CHOICE {
                break;
            }
            let before = graph.needed().len();
            // What is there is whole only once all around has been walked to the end; after that, whenever the choices stop changing.
            match all_around(&mut graph, oracle) {
                Ok(()) => {}
                Err(ExtractError::Stopped(_)) => break,
                Err(error) => return Err(error),
            }
            let stopped = choice_by_choice(&mut graph, task).is_err();
            keep(entries(&graph));
            size = graph.needed().len();
            if stopped || size >= before {
                break;
            }
        }
    }
    Ok(best)
}

fn once<'a>(task: Task<'a>, oracle: &mut impl Oracle, taste: Taste) -> Result<Graph<'a>, ExtractError> {
    let mut graph = Graph::new(task, taste);
    graph.walk(oracle)?;
    if task.rules.can_repeat() {
        counters::count(&mut graph, oracle)?;
    }
    Ok(graph)
}

fn entries(graph: &Graph<'_>) -> Entries {
    graph.needed().into_iter().map(|number| graph.entry(number)).collect()
}

/// Chooses at every node the move whose proof is smallest if every position is counted as often as it is reached. Needs a graph
/// without circles.
fn without_sharing(graph: &mut Graph<'_>) {
    const UNKNOWN: f64 = -1.0;
    let mut costs = vec![UNKNOWN; graph.nodes.len()];
    let mut open = graph.roots.clone();
    while let Some(&number) = open.last() {
        if costs[number] >= 0.0 {
            open.pop();
            continue;
        }
        let waiting = open.len();
        let children = graph.nodes[number].choices.iter().filter_map(|choice| choice.edge);
        open.extend(children.map(|edge| edge.to).filter(|&to| costs[to] < 0.0));
        if open.len() > waiting {
            continue;
        }
        let worth = |node: &Node, index: usize| node.choices[index].edge.map_or(0.0, |edge| costs[edge.to]);
        let node = &graph.nodes[number];
        let all = 0..node.choices.len();
        costs[number] = if node.over {
            0.0
        } else if node.chooses() {
            let best = all.min_by(|&a, &b| worth(node, a).total_cmp(&worth(node, b))).unwrap_or(0);
            let cost = 1.0 + worth(node, best);
            graph.nodes[number].choices.swap(0, best);
            cost
        } else {
            1.0 + all.map(|index| worth(node, index)).sum::<f64>()
        };
    }
}

/// Follows all moves that are seen to keep the bound wherever the prover moves in the certificate as it is; her choices stay.
fn all_around(graph: &mut Graph<'_>, oracle: &mut impl Oracle) -> Result<(), ExtractError> {
    for number in graph.needed() {
        if !graph.nodes[number].chooses() {
            continue;
        }
        graph.look_around(number, oracle)?;
    }
    graph.close(oracle)
}

/// Rounds in which choices may change without making the certificate smaller.
const PATIENCE: usize = 4;

/// Tries every other choice and keeps those that make the certificate no larger, until that has stopped helping or the task is stopped;
/// either way the graph is whole.
fn choice_by_choice(graph: &mut Graph<'_>, task: Task<'_>) -> Result<(), StopReason> {
    let mut size = graph.needed().len();
    let mut patience = PATIENCE;
    while patience > 0 {
        let before = size;
        for number in graph.needed() {
            if let Some(reason) = (task.watch)(size) {
                return Err(reason);
            }
            for index in 1..graph.nodes[number].choices.len() {
                if !graph.nodes[number].chooses() {
                    break;
                }
                graph.nodes[number].choices.swap(0, index);
                match graph.needed().len() {
                    // One of the same size may open the way to a smaller one.
                    other if other <= size => size = other,
                    _ => graph.nodes[number].choices.swap(0, index),
                }
            }
        }
        patience = if size < before { PATIENCE } else { patience - 1 };
    }
    Ok(())
}

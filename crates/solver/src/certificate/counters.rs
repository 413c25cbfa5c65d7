//! Counters for rules that can repeat a position.

use super::graph::Graph;
use super::{ExtractError, Oracle};

/// Gives every needed node whose bound is above 0 a counter that falls along quiet moves, choosing other moves and following
/// further ones where those chosen first go round in circles.
pub(super) fn count(graph: &mut Graph<'_>, oracle: &mut impl Oracle) -> Result<(), ExtractError> {
    loop {
        let without = sweep(graph);
        let Some(&first) = without.first() else { return Ok(()) };
        let mut widened = false;
        for number in without {
            if graph.nodes[number].chooses() && !graph.nodes[number].all {
                graph.widen(number, oracle)?;
                widened = true;
            }
        }
        graph.close(oracle)?;
        if !widened {
            return Err(ExtractError::Unforced { position: Box::new(graph.position(first)) });
        }
    }
}

/// Works counters out backwards over all nodes, and makes the choice that earned the counter the first. Returned are the nodes that
/// need a counter and have none: those that the claims rest on, and all that these could lean on.
fn sweep(graph: &mut Graph<'_>) -> Vec<usize> {
    let count = graph.nodes.len();
    // For each node, who leans on it by a quiet move, and with which of its choices.
    let mut leaning: Vec<Vec<(u32, u16)>> = vec![Vec::new(); count];
    // Choices that still wait for a counter.
    let mut waits = vec![0u32; count];
    let mut settled = vec![false; count];
    let mut queue = std::collections::VecDeque::new();
    for number in 0..count {
        let node = &graph.nodes[number];
        if node.is_known() || node.bound.for_prover() <= 0 {
            settled[number] = true;
            continue;
        }
        let mut waiting = 0;
        let mut free = None;
        for (index, choice) in node.choices.iter().enumerate() {
            match choice.edge {
                Some(edge) if edge.quiet && !graph.nodes[edge.to].is_known() => {
                    leaning[edge.to].push((number as u32, index as u16));
                    waiting += 1;
                }
                _ => free = free.or(Some(index)),
            }
        }
        waits[number] = waiting;
        match free {
            Some(index) if node.chooses() => {
                settled[number] = true;
                graph.nodes[number].choices.swap(0, index);
                graph.nodes[number].counter = 0;
                queue.push_back(number);
            }
            _ if waiting == 0 => {
                settled[number] = true;
                graph.nodes[number].counter = 0;
                queue.push_back(number);
            }
            _ => {}
        }
    }
    // Breadth first, so counters rise and the first choice to earn one earns the smallest.
    while let Some(number) = queue.pop_front() {
        for &(leans, index) in &leaning[number] {
            let leans = leans as usize;
            if settled[leans] {
                continue;
            }
            waits[leans] -= 1;
            let chooses = graph.nodes[leans].chooses();
            if chooses || waits[leans] == 0 {
                settled[leans] = true;
                let counter = graph.nodes[number].counter + 1;
                let node = &mut graph.nodes[leans];
                node.counter = counter;
                if chooses {
                    node.choices.swap(0, index.into());
                }
                queue.push_back(leans);
            }
        }
    }
    let mut open: Vec<usize> = graph.needed().into_iter().filter(|&number| !settled[number]).collect();
    let mut without = Vec::new();
    while let Some(number) = open.pop() {
        // Marked so that it is taken up once.
        if std::mem::replace(&mut settled[number], true) {
            continue;
        }
        without.push(number);
        open.extend(graph.nodes[number].choices.iter().filter_map(|choice| choice.edge).map(|edge| edge.to));
    }
    without
}

//! Strongly connected components by Pearce's algorithm, without recursion: a path can be millions of positions long.
//!
//! D. J. Pearce, "A space-efficient algorithm for finding strongly connected components", Information Processing Letters 116 (2016).
//! It is Tarjan's with one number a position in place of two, which says of a position on the way the earliest one that it is known to
//! reach, and of others which component they belong to; and both stacks share one array, as no position is on both.

use super::edges::Edges;

const UNSEEN: u32 = 0;

/// A position on the path leads back to an earlier one; in the lower bits is the number of its next edge.
const BACK: u8 = 1 << 7;

/// Bytes that it takes for each position, the edges aside.
pub(super) const BYTES: u64 = 4 + 4 + 1;

/// What the algorithm works in.
#[derive(Debug)]
pub(super) struct Room {
    /// On the way: when a position was first seen, counted from 1, lowered to the earliest one that it is known to reach. Later: the
    /// number of its component, counted down from the highest, so that it is no lower than any number of the first kind.
    reached: Vec<u32>,
    /// The path to the position looked at grows up from the beginning, what was left but has no component yet down from the end.
    stack: Vec<u32>,
    /// For each position of the path the number of its next edge, and [`BACK`].
    steps: Vec<u8>,
}

impl Room {
    /// Room for layers of at most so many positions.
    pub(super) fn new(positions: usize) -> Self {
        let numbers = || Vec::with_capacity(positions);
        Room { reached: numbers(), stack: numbers(), steps: Vec::with_capacity(positions) }
    }

    fn clear(&mut self, positions: usize) {
        for numbers in [&mut self.reached, &mut self.stack] {
            numbers.clear();
            numbers.resize(positions, UNSEEN);
        }
        self.steps.clear();
    }
}

/// Calls `each` with every component, those that it leads to before it; `each` may stop the work with an error.
pub(super) fn components<E>(edges: &Edges, room: &mut Room, mut each: impl FnMut(&[u32]) -> Result<(), E>) -> Result<(), E> {
    let positions = edges.positions();
    room.clear(positions);
    let Room { reached, stack, steps } = room;
    let (mut seen, mut component) = (0, u32::MAX);
    let mut left = positions;
    for root in 0..positions as u32 {
        if reached[root as usize] != UNSEEN {
            continue;
        }
        let mut enter = Some(root);
        loop {
            if let Some(position) = enter.take() {
                seen += 1;
                reached[position as usize] = seen;
                stack[steps.len()] = position;
                steps.push(0);
            }
            let depth = steps.len();
            let Some(step) = steps.last_mut() else { break };
            let position = stack[depth - 1];
            if let Some(&target) = edges.of(position).get(usize::from(*step & !BACK)) {
                match reached[target as usize] {
                    // The edge is looked at once more on the way back.
                    UNSEEN => enter = Some(target),
                    number => {
                        if number < reached[position as usize] {
                            reached[position as usize] = number;
                            *step |= BACK;
                        }
                        *step += 1;
                    }
                }
                continue;
            }
            let leads_back = *step & BACK != 0;
            steps.pop();
            // The place of the position on the path is free now, so there is one for it on the other stack.
            let mut end = left;
            left -= 1;
            stack[left] = position;
            if leads_back {
                continue;
            }
            let first = reached[position as usize];
            while end < positions && reached[stack[end] as usize] >= first {
                end += 1;
            }
            for &member in &stack[left..end] {
                reached[member as usize] = component;
            }
            component -= 1;
            seen -= (end - left) as u32;
            each(&stack[left..end])?;
            left = end;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Who reaches whom, by following edges until nothing is new.
    fn reach(targets: &[Vec<u32>]) -> Vec<Vec<bool>> {
        let of = |from: usize| {
            let mut reached = vec![false; targets.len()];
            let mut open = vec![from as u32];
            while let Some(at) = open.pop() {
                if !std::mem::replace(&mut reached[at as usize], true) {
                    open.extend(&targets[at as usize]);
                }
            }
            reached
        };
        (0..targets.len()).map(of).collect()
    }

    proptest! {
        #[test]
        fn components_are_those_that_reach_each_other(targets in (1..40usize).prop_flat_map(|n| {
            prop::collection::vec(prop::collection::vec(0..n as u32, 0..4), n)
        })) {
            let mut edges = Edges::with_room(targets.len(), 0);
            edges.push_block(&targets.iter().map(|targets| targets.len() as u16).collect::<Vec<_>>(), &targets.concat());
            // What an earlier layer left behind does not show.
            let mut room = Room::new(1);
            let Ok(()) = components(&edges, &mut room, |_| Ok::<_, std::convert::Infallible>(()));
            let reach = reach(&targets);
            let mut done = vec![false; targets.len()];
            components(&edges, &mut room, |members| {
                for &member in members {
                    let at = member as usize;
                    prop_assert!(!done[at]);
                    for other in 0..targets.len() {
                        let together = reach[at][other] && reach[other][at];
                        prop_assert_eq!(together, members.contains(&(other as u32)));
                        prop_assert!(together || !reach[at][other] || done[other], "{} before {}", at, other);
                    }
                }
                members.iter().for_each(|&member| done[member as usize] = true);
                Ok(())
            })?;
            prop_assert!(done.iter().all(|&done| done));
        }
    }
}

//! Strongly connected components by Tarjan's algorithm, without recursion: a path can be millions of positions long.

/// Edges of positions `0..n` by position: those of `i` are `targets[starts[i]..starts[i + 1]]`.
#[derive(Debug, Default)]
pub(super) struct Edges {
    pub(super) starts: Vec<usize>,
    pub(super) targets: Vec<u32>,
}

impl Edges {
    pub(super) fn of(&self, position: u32) -> &[u32] {
        &self.targets[self.starts[position as usize]..self.starts[position as usize + 1]]
    }
}

const UNSEEN: u32 = 0;
/// Its component is complete.
const DONE: u32 = u32::MAX;

/// Calls `each` with every component, those that it leads to before it; `each` may stop the work with an error.
pub(super) fn components<E>(edges: &Edges, mut each: impl FnMut(&[u32]) -> Result<(), E>) -> Result<(), E> {
    let positions = edges.starts.len().saturating_sub(1);
    // For each position when it was first seen, lowered to the earliest one it is known to reach; counted from 1.
    let mut low = vec![UNSEEN; positions];
    let mut seen = 0;
    // Positions whose component is not complete, and the path to the one being looked at with the next edge of each.
    let mut pending: Vec<u32> = Vec::new();
    let mut path: Vec<(u32, u32, usize)> = Vec::new();
    for root in 0..positions as u32 {
        if low[root as usize] != UNSEEN {
            continue;
        }
        let mut enter = Some(root);
        loop {
            if let Some(position) = enter.take() {
                seen += 1;
                low[position as usize] = seen;
                pending.push(position);
                path.push((position, seen, edges.starts[position as usize]));
            }
            let Some((position, first_seen, next)) = path.last_mut() else { break };
            let (position, first_seen) = (*position, *first_seen);
            if *next < edges.starts[position as usize + 1] {
                let target = edges.targets[*next];
                *next += 1;
                match low[target as usize] {
                    UNSEEN => enter = Some(target),
                    DONE => {}
                    reached => low[position as usize] = low[position as usize].min(reached),
                }
                continue;
            }
            path.pop();
            let reached = low[position as usize];
            if let Some(&(above, ..)) = path.last() {
                low[above as usize] = low[above as usize].min(reached);
            }
            if reached == first_seen {
                let from = pending.iter().rposition(|&other| other == position).unwrap_or(0);
                for &member in &pending[from..] {
                    low[member as usize] = DONE;
                }
                each(&pending[from..])?;
                pending.truncate(from);
            }
        }
    }
    Ok(())
}

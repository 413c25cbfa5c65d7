//! Room for more questions in a graph that is full.

use lumbung_engine::kernel::Lanes;
use smallvec::SmallVec;

use super::node::{Edge, Node, State};
use super::{ProofTree, ROOT};

impl<B: Lanes> ProofTree<B> {
    /// Bytes of memory that a question takes, about: itself, its place among all (of which there are more than twice as many after they have
    /// grown), two moves to it with what their list takes, and 24 for what keeps its mark for the next tree or the checkpoint and for what
    /// giving up questions needs. Where most moves lead to the same boards it may be more.
    pub(crate) const NODE_BYTES: usize = size_of::<Node<B>>() + 5 * (size_of::<u32>() + 1) / 2 + 2 * size_of::<Edge>() + 8 + 24;

    /// Whether so many questions can be added, after those that are not needed any more have made room.
    pub(super) fn has_room_for(&mut self, more: usize) -> bool {
        let has_room = |tree: &Self| tree.nodes.len() - tree.free.len() + more <= tree.most;
        if !has_room(self) {
            if self.sweep_in == 0 {
                self.sweep();
                // A sweep takes as long as the tree is large: one that gave up an eighth of it has paid for itself.
                self.sweep_in = if self.free.len() < self.most / 8 { self.most / 8 } else { 0 };
            } else {
                self.sweep_in -= 1;
            }
        }
        has_room(self)
    }

    /// Gives up all questions that no open one needs and no thread is at.
    fn sweep(&mut self) {
        let mut needed = vec![false; self.nodes.len()];
        // A thread may be at a question that another thread has unfolded meanwhile, so what those stand on is needed as well.
        let busy = self.nodes.iter().enumerate().filter(|(_, node)| node.busy > 0).map(|(id, _)| id as u32);
        let mut open: Vec<u32> = std::iter::once(ROOT).chain(busy).collect();
        while let Some(id) = open.pop() {
            if !std::mem::replace(&mut needed[id as usize], true) {
                open.extend(self.node_at(id).edges().into_iter().flatten().map(|edge| edge.child));
            }
        }
        self.ids.retain(|id| needed[*id as usize]);
        self.free = (0..self.nodes.len() as u32).filter(|&id| !needed[id as usize]).collect();
        for node in &mut self.nodes {
            node.parents.retain(|parent| needed[*parent as usize]);
        }
        for &id in &self.free {
            let node = &mut self.nodes[id as usize];
            (node.state, node.parents) = (State::Leaf, SmallVec::new());
        }
    }
}

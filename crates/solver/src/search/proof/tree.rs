//! Questions and the questions that answer them, as a graph that knows which of them to search next.
//!
//! A question is whether the player to move on a board gains at least `beta`. It is answered by its moves: "yes" if one of them
//! reaches `beta`, "no" if none does. Each open question carries how much effort "yes" and "no" are thought to take (its proof
//! and disproof numbers: L. V. Allis, M. van der Meulen, H. J. van den Herik, *Proof-number search*, 1994). For "yes" that is the
//! least of its moves; for "no" it is the most of them and one for each other, since moves that must all be refuted lead to the
//! same boards again and again, and a sum would count those many times (weak proof numbers: T. Ueda, T. Hashimoto, J. Hashimoto,
//! H. Iida 2008). Whoever follows the least effort for "yes" down from the root comes to the question whose answer counts most.
//!
//! *A move that comes later in the order of moves counts for more*: its effort for "yes" is multiplied by a factor that grows
//! with its place, in a whole tree as its root question wants it. So what the order of moves knows is not lost, but a move that turns
//! out dear gives way to the next.
//!
//! The graph has room for so many questions. Once it is full, those that no open one needs any more make room; if none do, a leaf
//! stays a leaf and is searched again with twice the effort.

mod node;
mod room;

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashSet};
use std::hash::BuildHasherDefault;

use hashbrown::HashTable;
use hashbrown::hash_table::Entry;
use lumbung_engine::Pit;
use lumbung_engine::kernel::Lanes;

use crate::prehashed::Prehashed;
use node::{Edge, Node, State};
pub(crate) use node::{Outlook, Question};

/// Questions whose moves had taken over in a tree that is gone, by their marks: they need not be searched before they do so
/// again. A question that is here by accident is treated in the same way, which costs time only.
pub(crate) type Unfolded = HashSet<u64, BuildHasherDefault<Prehashed>>;

/// A move of a question that is not settled yet.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Move<B> {
    /// What it asks of the board it leads to; for `other`, of the opponent.
    pub(crate) question: Question<B>,
    /// The opponent chooses next, so that "no" there is "yes" here.
    pub(crate) other: bool,
    /// What the mover gains by it.
    pub(crate) gain: i32,
    /// Nothing where the turn passes.
    pub(crate) pit: Option<Pit>,
    /// The outlook of its question.
    pub(crate) outlook: Outlook,
}

/// A leaf to be searched, with so much effort; without any if its moves are to take over at once.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Leaf<B> {
    id: u32,
    pub(crate) question: Question<B>,
    pub(crate) budget: u64,
}

/// A question that the answers of others have settled.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Settled<B> {
    pub(crate) question: Question<B>,
    /// At least `beta`, and the value is no less; or below it, and the value is no more.
    pub(crate) bound: i32,
    /// A move that reaches `beta`.
    pub(crate) best: Option<Pit>,
    /// Positions visited for it that were not counted for another question before.
    pub(crate) effort: u64,
}

/// See the [module](self).
#[derive(Debug)]
pub(crate) struct ProofTree<B> {
    nodes: Vec<Node<B>>,
    /// Places of `nodes` that nothing refers to.
    free: Vec<u32>,
    /// The places of all others, by the marks of their questions.
    ids: HashTable<u32>,
    settled: Vec<Settled<B>>,
    /// Of trees before this one.
    unfolded: Unfolded,
    /// Questions that it has room for.
    most: usize,
    /// So many times more a leaf has to stay one before those that are not needed any more are looked for again.
    sweep_in: usize,
    /// Positions that a leaf is searched for the first time.
    budget: u64,
    /// How much each further move counts for more.
    lateness: f32,
}

const ROOT: u32 = 0;
/// What a leaf counts for more for each thread that is at it, so that others go elsewhere where there is a choice.
const BUSY: f64 = 4.0;

impl<B: Lanes> ProofTree<B> {
    /// A graph of one question, with room for `most`; its leaves are searched for `budget` positions at first, and each further
    /// move counts for `lateness` more. What trees before it had unfolded it unfolds at once.
    pub(crate) fn new(question: Question<B>, most: usize, budget: u64, lateness: f32, unfolded: Unfolded) -> Self {
        let (nodes, free, ids, settled) = (Vec::new(), Vec::new(), HashTable::new(), Vec::new());
        let mut tree = ProofTree { nodes, free, ids, settled, unfolded, most, sweep_in: 0, budget, lateness };
        tree.node(question, Outlook::EVEN);
        tree
    }

    /// Whether this is the question at its root.
    pub(crate) fn is_about(&self, question: &Question<B>) -> bool {
        self.root().question() == *question
    }

    /// The open questions whose moves have taken over, and those of the trees before it that did not come up here.
    pub(crate) fn unfolded(&self) -> Unfolded {
        let open = self.nodes.iter().filter(|node| node.edges().is_some()).map(|node| node.question().mark());
        open.chain(self.unfolded.iter().copied()).take(self.most).collect()
    }

    /// Those of the trees before it alone.
    pub(crate) fn take_earlier(&mut self) -> Unfolded {
        std::mem::take(&mut self.unfolded)
    }

    /// The answer, once there is one: see [`Settled::bound`].
    pub(crate) fn answer(&self) -> Option<i32> {
        self.root().bound()
    }

    /// The question whose answer counts most; whoever takes it gives it back by [`ProofTree::settle`], [`ProofTree::expand`] or
    /// [`ProofTree::give_back`].
    pub(crate) fn choose(&mut self) -> Leaf<B> {
        let mut id = ROOT;
        while let Some(edges) = self.node_at(id).edges() {
            let yes = |edge: &&Edge| edge.outlook(self.node_at(edge.child).outlook).yes;
            let open = edges.iter().filter(|edge| self.node_at(edge.child).bound().is_none());
            match open.min_by(|a, b| yes(a).total_cmp(&yes(b))) {
                Some(edge) => id = edge.child,
                None => unreachable!("a question without open moves is settled"),
            }
        }
        let node = self.node_mut(id);
        node.busy += 1;
        node.outlook = node.outlook.times(BUSY);
        let (question, tries) = (node.question(), node.tries);
        self.tell_parents(id);
        let is_known = !self.unfolded.is_empty() && self.unfolded.remove(&question.mark());
        let budget = if is_known { 0 } else { self.budget.saturating_mul(1 << tries.min(40)) };
        Leaf { id, question, budget }
    }

    /// Gives a leaf back as it was, but for the positions visited.
    pub(crate) fn give_back(&mut self, leaf: &Leaf<B>, effort: u64) {
        if leaf.budget == 0 {
            self.unfolded.insert(leaf.question.mark());
        }
        if self.returned(leaf, effort) {
            self.tell_parents(leaf.id);
        }
    }

    /// The leaf is answered by a bound as in [`Settled::bound`].
    pub(crate) fn settle(&mut self, leaf: &Leaf<B>, bound: i32, effort: u64) {
        self.returned(leaf, effort);
        let node = self.node_mut(leaf.id);
        if node.bound().is_none() {
            node.state = State::Settled(bound);
            self.tell_parents(leaf.id);
        }
    }

    /// The search of the leaf has not answered it: from now on its moves do, of which those that are left out reach no more than
    /// `upper`. Moves are in their order, the most promising first, and there is one at least.
    pub(crate) fn expand(&mut self, leaf: &Leaf<B>, moves: &[Move<B>], upper: i32, effort: u64) {
        let is_leaf = self.node_at(leaf.id).is_leaf();
        // Room is made while the leaf is still busy, so that it is not given up itself.
        let has_room = is_leaf && self.has_room_for(moves.len());
        self.returned(leaf, effort);
        if !is_leaf {
            return;
        }
        if !has_room {
            // Its place may be left out of what is looked at next, so it must look dearer.
            let node = self.node_mut(leaf.id);
            node.tries = node.tries.saturating_add(1);
            node.outlook = node.outlook.times(2.0);
            self.tell_parents(leaf.id);
            return;
        }
        let mut edges = Vec::with_capacity(moves.len());
        for (place, m) in moves.iter().enumerate() {
            let child = self.node(m.question, m.outlook);
            // What is settled already has nothing more to tell.
            if self.node_at(child).bound().is_none() {
                self.node_mut(child).parents.push(leaf.id);
            }
            edges.push(Edge { child, gain: m.gain, pit: m.pit, other: m.other, factor: 1.0 + self.lateness * place as f32 });
        }
        let node = self.node_mut(leaf.id);
        node.state = State::Moves { edges: edges.into(), upper };
        // Those above still count it as busy, and must be told also where its moves make of it what it was.
        let mut changed = [(Reverse(node.height), leaf.id)].into();
        self.push_parents(leaf.id, &mut changed);
        self.update(changed);
    }

    /// Whether every question whose moves have taken over is open, and has the outlook that they make.
    #[cfg(test)]
    pub(crate) fn is_consistent(&self) -> bool {
        self.nodes.iter().all(|node| self.worked_out(node).is_none_or(|now| now == Ok(node.outlook)))
    }

    /// Questions in it.
    #[cfg(test)]
    pub(crate) fn len(&self) -> usize {
        self.nodes.len() - self.free.len()
    }

    /// The questions settled since the last time, other than leaves.
    pub(crate) fn take_settled(&mut self, into: &mut Vec<Settled<B>>) {
        into.append(&mut self.settled);
    }

    fn root(&self) -> &Node<B> {
        &self.nodes[ROOT as usize]
    }

    fn node_at(&self, id: u32) -> &Node<B> {
        &self.nodes[id as usize]
    }

    fn node_mut(&mut self, id: u32) -> &mut Node<B> {
        &mut self.nodes[id as usize]
    }

    /// The node of a question, made if there is none.
    fn node(&mut self, question: Question<B>, outlook: Outlook) -> u32 {
        let ProofTree { nodes, free, ids, most, .. } = self;
        let entry = ids.entry(
            question.mark(),
            |&id| nodes[id as usize].question() == question,
            |&id| nodes[id as usize].question().mark(),
        );
        match entry {
            Entry::Occupied(entry) => *entry.get(),
            Entry::Vacant(entry) => {
                let id = free.pop().unwrap_or(nodes.len() as u32);
                entry.insert(id);
                let node = Node::new(question, outlook);
                match nodes.get_mut(id as usize) {
                    Some(place) => *place = node,
                    None => {
                        if nodes.len() == nodes.capacity() {
                            // Doubled, but never beyond what there may be.
                            let left = most.saturating_sub(nodes.len()).max(1);
                            nodes.reserve_exact(nodes.len().max(64).min(left));
                        }
                        nodes.push(node);
                    }
                }
                id
            }
        }
    }

    /// A thread is done with a leaf; whether it still is a leaf that is open.
    fn returned(&mut self, leaf: &Leaf<B>, effort: u64) -> bool {
        let node = self.node_mut(leaf.id);
        node.busy -= 1;
        node.effort = node.effort.saturating_add(effort);
        let is_leaf = node.is_leaf();
        if is_leaf {
            node.outlook = node.outlook.times(1.0 / BUSY);
        }
        is_leaf
    }

    /// Works out again what stands on a question.
    fn tell_parents(&mut self, id: u32) {
        let mut changed = BinaryHeap::new();
        self.push_parents(id, &mut changed);
        self.update(changed);
    }

    /// Those that stand on a question and are open: others are forgotten, and all of them once it is settled, for there is
    /// nothing more to tell.
    fn push_parents(&mut self, id: u32, changed: &mut BinaryHeap<(Reverse<u32>, u32)>) {
        let mut parents = std::mem::take(&mut self.node_mut(id).parents);
        parents.retain(|parent| self.node_at(*parent).edges().is_some());
        changed.extend(parents.iter().map(|&parent| (Reverse(self.node_at(parent).height), parent)));
        if self.node_at(id).bound().is_none() {
            self.node_mut(id).parents = parents;
        }
    }

    /// Works out questions, by their heights, and those above them again, as far as that changes anything.
    fn update(&mut self, mut changed: BinaryHeap<(Reverse<u32>, u32)>) {
        while let Some((height, at)) = changed.pop() {
            while changed.peek() == Some(&(height, at)) {
                changed.pop();
            }
            let Some(now) = self.worked_out(self.node_at(at)) else { continue };
            let node = self.node_mut(at);
            match now {
                Ok(outlook) if outlook == node.outlook => continue,
                Ok(outlook) => node.outlook = outlook,
                Err((bound, best)) => self.settle_by_moves(at, bound, best),
            }
            self.push_parents(at, &mut changed);
        }
    }

    /// What the moves of a question make of it, if they have taken over: an outlook, or a bound that settles it and the move that does.
    fn worked_out(&self, node: &Node<B>) -> Option<Result<Outlook, (i32, Option<Pit>)>> {
        let State::Moves { edges, upper } = &node.state else { return None };
        let (mut upper, mut open) = (*upper, 0u32);
        let (mut yes, mut most) = (f64::INFINITY, 0.0f64);
        for edge in edges {
            let child = self.node_at(edge.child);
            let Some(bound) = child.bound() else {
                let outlook = edge.outlook(child.outlook);
                (yes, most, open) = (yes.min(outlook.yes), most.max(outlook.no), open + 1);
                continue;
            };
            let bound = edge.of_move(bound);
            if bound >= node.beta {
                return Some(Err((bound, edge.pit)));
            }
            upper = upper.max(bound);
        }
        Some(if open == 0 { Err((upper, None)) } else { Ok(Outlook { yes, no: most + f64::from(open - 1) }) })
    }

    fn settle_by_moves(&mut self, id: u32, bound: i32, best: Option<Pit>) {
        let State::Moves { edges, .. } = std::mem::replace(&mut self.node_mut(id).state, State::Settled(bound)) else {
            unreachable!("a question that its moves settle has moves")
        };
        // A question that several stand on has been worked for once: its effort goes to the first of them that is settled.
        let passed_on = edges.iter().map(|edge| std::mem::take(&mut self.node_mut(edge.child).effort));
        let effort = passed_on.fold(0, u64::saturating_add).saturating_add(self.node_at(id).effort);
        let node = self.node_mut(id);
        node.effort = effort;
        let question = node.question();
        self.settled.push(Settled { question, bound, best, effort });
    }
}

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
//! with its place. So what the order of moves knows is not lost, but a move that turns out dear gives way to the next.
//!
//! The graph has room for so many questions. Once it is full, those that no open one needs any more make room; if none do, a leaf
//! stays a leaf and is searched again with twice the effort.

use std::cmp::Reverse;
use std::collections::hash_map::Entry;
use std::collections::{BinaryHeap, HashSet};
use std::hash::{BuildHasher as _, BuildHasherDefault};

use lumbung_engine::Pit;
use lumbung_engine::kernel::{Lanes, Seat};
use lumbung_engine::position::MAX_SEEDS;

use crate::prehashed::{Numbered, NumberedMap, Prehashed};

/// Whether the player to move, on `seat`, gains at least `beta` from `board` on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Question<B> {
    pub(crate) board: B,
    pub(crate) seat: Seat,
    pub(crate) beta: i32,
}

impl<B: Lanes> Question<B> {
    /// What tells questions apart.
    fn key(&self) -> Numbered<B> {
        Numbered(self.board, 2 * self.beta + self.seat.index() as i32)
    }

    /// What tells questions apart, but for the rarest accident.
    fn mark(&self) -> u64 {
        BuildHasherDefault::<Prehashed>::default().hash_one(self.key())
    }
}

/// Questions whose moves had taken over in a tree that is gone, by their marks: they need not be searched before they do so
/// again. A question that is here by accident is treated in the same way, which costs time only.
pub(crate) type Unfolded = HashSet<u64, BuildHasherDefault<Prehashed>>;

/// How much effort the answers of a question are thought to take, in any unit; 1 is the least.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Outlook {
    pub(crate) yes: f64,
    pub(crate) no: f64,
}

impl Outlook {
    /// Nothing is known.
    pub(crate) const EVEN: Outlook = Outlook { yes: 1.0, no: 1.0 };
    /// The most; numbers that are multiplied all the way down stay comparable.
    const MOST: f64 = 1e300;

    fn times(self, factor: f64) -> Self {
        Outlook { yes: (self.yes * factor).min(Self::MOST), no: (self.no * factor).min(Self::MOST) }
    }
}

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

#[derive(Clone, Copy, Debug)]
struct Edge {
    child: u32,
    gain: i32,
    pit: Option<Pit>,
    other: bool,
    /// What the effort for "yes" is multiplied by.
    factor: f32,
}

#[derive(Debug)]
struct Node<B> {
    question: Question<B>,
    /// Falls with every move, so that questions can be worked out before those that stand on them.
    height: u32,
    outlook: Outlook,
    /// Present once it is settled.
    bound: Option<i32>,
    /// The moves that were not settled when they were made; nothing for a leaf, and once it is settled.
    moves: Option<Box<[Edge]>>,
    /// No move that is not among `moves` reaches more than this.
    upper: i32,
    parents: Vec<u32>,
    /// Threads that search it.
    busy: u16,
    /// How often it was searched and stayed a leaf.
    tries: u16,
    /// Positions visited for it that are not counted elsewhere.
    effort: u64,
}

/// See the [module](self).
#[derive(Debug)]
pub(crate) struct ProofTree<B> {
    nodes: Vec<Node<B>>,
    /// Places of `nodes` that nothing refers to.
    free: Vec<u32>,
    ids: NumberedMap<B, u32>,
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
    /// Bytes of memory that a question takes, about: itself, in the map of all (which is up to half empty), its parents, and four
    /// moves to it or from it; where most moves lead to the same boards it may be more.
    pub(crate) const NODE_BYTES: usize =
        size_of::<Node<B>>() + 2 * (size_of::<(Numbered<B>, u32)>() + 1) + 64 + 4 * size_of::<Edge>();

    /// A graph of one question, with room for `most`; its leaves are searched for `budget` positions at first, and each further
    /// move counts for `lateness` more. What trees before it had unfolded it unfolds at once.
    pub(crate) fn new(question: Question<B>, most: usize, budget: u64, lateness: f32, unfolded: Unfolded) -> Self {
        let (nodes, free, ids, settled) = (Vec::new(), Vec::new(), NumberedMap::default(), Vec::new());
        let mut tree = ProofTree { nodes, free, ids, settled, unfolded, most, sweep_in: 0, budget, lateness };
        tree.node(question, Outlook::EVEN);
        tree
    }

    /// Whether this is the question at its root.
    pub(crate) fn is_about(&self, question: &Question<B>) -> bool {
        self.root().question == *question
    }

    /// The open questions whose moves have taken over, and those of the trees before it that did not come up here.
    pub(crate) fn unfolded(&self) -> Unfolded {
        let open = self.nodes.iter().filter(|node| node.moves.is_some()).map(|node| node.question.mark());
        open.chain(self.unfolded.iter().copied()).take(self.most).collect()
    }

    /// Those of the trees before it alone.
    pub(crate) fn take_earlier(&mut self) -> Unfolded {
        std::mem::take(&mut self.unfolded)
    }

    /// The answer, once there is one: see [`Settled::bound`].
    pub(crate) fn answer(&self) -> Option<i32> {
        self.root().bound
    }

    /// The question whose answer counts most; whoever takes it gives it back by [`ProofTree::settle`], [`ProofTree::expand`] or
    /// [`ProofTree::give_back`].
    pub(crate) fn choose(&mut self) -> Leaf<B> {
        let mut id = ROOT;
        while let Some(moves) = &self.node_at(id).moves {
            let yes = |edge: &&Edge| self.outlook_of(edge).yes;
            let open = moves.iter().filter(|edge| self.node_at(edge.child).bound.is_none());
            match open.min_by(|a, b| yes(a).total_cmp(&yes(b))) {
                Some(edge) => id = edge.child,
                None => unreachable!("a question without open moves is settled"),
            }
        }
        let node = self.node_mut(id);
        node.busy += 1;
        node.outlook = node.outlook.times(BUSY);
        let (question, tries) = (node.question, node.tries);
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
        if node.bound.is_none() {
            (node.bound, node.moves) = (Some(bound), None);
            self.tell_parents(leaf.id);
        }
    }

    /// The search of the leaf has not answered it: from now on its moves do, of which those that are left out reach no more than
    /// `upper`. Moves are in their order, the most promising first, and there is one at least.
    pub(crate) fn expand(&mut self, leaf: &Leaf<B>, moves: &[Move<B>], upper: i32, effort: u64) {
        let is_leaf = self.node_at(leaf.id).bound.is_none() && self.node_at(leaf.id).moves.is_none();
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
            if self.node_at(child).bound.is_none() {
                self.node_mut(child).parents.push(leaf.id);
            }
            edges.push(Edge { child, gain: m.gain, pit: m.pit, other: m.other, factor: 1.0 + self.lateness * place as f32 });
        }
        let node = self.node_mut(leaf.id);
        (node.moves, node.upper) = (Some(edges.into()), upper);
        // Those above still count it as busy, and must be told also where its moves make of it what it was.
        let mut changed = [(Reverse(node.height), leaf.id)].into();
        self.push_parents(leaf.id, &mut changed);
        self.update(changed);
    }

    /// Whether every question whose moves have taken over is open, and has the outlook that they make.
    #[cfg(test)]
    pub(crate) fn is_consistent(&self) -> bool {
        let with_moves = self.nodes.iter().filter_map(|node| node.moves.as_deref().map(|moves| (node, moves)));
        with_moves.into_iter().all(|(node, moves)| node.bound.is_none() && self.worked_out(node, moves) == Ok(node.outlook))
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
        match self.ids.entry(question.key()) {
            Entry::Occupied(entry) => *entry.get(),
            Entry::Vacant(entry) => {
                let node = Node {
                    question,
                    height: height(&question.board),
                    outlook,
                    bound: None,
                    moves: None,
                    upper: i32::MIN,
                    parents: Vec::new(),
                    busy: 0,
                    tries: 0,
                    effort: 0,
                };
                let id = match self.free.pop() {
                    Some(id) => {
                        self.nodes[id as usize] = node;
                        id
                    }
                    None => {
                        self.nodes.push(node);
                        (self.nodes.len() - 1) as u32
                    }
                };
                *entry.insert(id)
            }
        }
    }

    /// The outlook of a move, as its mover sees it.
    fn outlook_of(&self, edge: &Edge) -> Outlook {
        let Outlook { yes, no } = self.node_at(edge.child).outlook;
        let (yes, no) = if edge.other { (no, yes) } else { (yes, no) };
        Outlook { yes: (yes * f64::from(edge.factor)).min(Outlook::MOST), no }
    }

    /// A thread is done with a leaf; whether it still is a leaf that is open.
    fn returned(&mut self, leaf: &Leaf<B>, effort: u64) -> bool {
        let node = self.node_mut(leaf.id);
        node.busy -= 1;
        node.effort = node.effort.saturating_add(effort);
        let is_open = node.bound.is_none() && node.moves.is_none();
        if is_open {
            node.outlook = node.outlook.times(1.0 / BUSY);
        }
        is_open
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
        parents.retain(|&parent| self.node_at(parent).moves.is_some());
        changed.extend(parents.iter().map(|&parent| (Reverse(self.node_at(parent).height), parent)));
        if self.node_at(id).bound.is_none() {
            self.node_mut(id).parents = parents;
        }
    }

    /// Works out questions, by their heights, and those above them again, as far as that changes anything.
    fn update(&mut self, mut changed: BinaryHeap<(Reverse<u32>, u32)>) {
        while let Some((height, at)) = changed.pop() {
            while changed.peek() == Some(&(height, at)) {
                changed.pop();
            }
            let Some(moves) = self.node_at(at).moves.as_deref() else { continue };
            let now = self.worked_out(self.node_at(at), moves);
            let node = self.node_mut(at);
            match now {
                Ok(outlook) if outlook == node.outlook => continue,
                Ok(outlook) => node.outlook = outlook,
                Err((bound, best)) => self.settle_by_moves(at, bound, best),
            }
            self.push_parents(at, &mut changed);
        }
    }

    /// What the moves make of a question: an outlook, or a bound that settles it and the move that does.
    fn worked_out(&self, node: &Node<B>, moves: &[Edge]) -> Result<Outlook, (i32, Option<Pit>)> {
        let (mut upper, mut open) = (node.upper, 0u32);
        let (mut yes, mut most) = (f64::INFINITY, 0.0f64);
        for edge in moves {
            let Some(bound) = self.node_at(edge.child).bound else {
                let outlook = self.outlook_of(edge);
                (yes, most, open) = (yes.min(outlook.yes), most.max(outlook.no), open + 1);
                continue;
            };
            let bound = if edge.other { edge.gain - bound } else { edge.gain + bound };
            if bound >= node.question.beta {
                return Err((bound, edge.pit));
            }
            upper = upper.max(bound);
        }
        if open == 0 { Err((upper, None)) } else { Ok(Outlook { yes, no: most + f64::from(open - 1) }) }
    }

    fn settle_by_moves(&mut self, id: u32, bound: i32, best: Option<Pit>) {
        let moves = self.node_mut(id).moves.take().unwrap_or_default();
        // A question that several stand on has been worked for once: its effort goes to the first of them that is settled.
        let passed_on = moves.iter().map(|edge| std::mem::take(&mut self.node_mut(edge.child).effort));
        let effort = passed_on.fold(0, u64::saturating_add).saturating_add(self.node_at(id).effort);
        let node = self.node_mut(id);
        (node.bound, node.effort) = (Some(bound), effort);
        let question = node.question;
        self.settled.push(Settled { question, bound, best, effort });
    }

    /// Whether so many questions can be added, after those that are not needed any more have made room.
    fn has_room_for(&mut self, more: usize) -> bool {
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
                open.extend(self.node_at(id).moves.iter().flatten().map(|edge| edge.child));
            }
        }
        self.ids.retain(|_, id| needed[*id as usize]);
        self.free = (0..self.nodes.len() as u32).filter(|&id| !needed[id as usize]).collect();
        for node in &mut self.nodes {
            node.parents.retain(|&parent| needed[parent as usize]);
        }
        for &id in &self.free {
            let node = &mut self.nodes[id as usize];
            (node.moves, node.parents) = (None, Vec::new());
        }
    }
}

/// Orders boards so that every move goes down: by the seeds, of which some are stored, or else, where seeds only went forward in
/// the mover's row, by how far all of them are from the stores. A pass leaves the board as it is. Any order would do, since
/// questions do not stand on each other in circles; in this one each is worked out again once.
fn height<B: Lanes>(board: &B) -> u32 {
    let far: u32 = (0..B::LANES).map(|lane| board.get(lane) * (B::STRIDE - lane % B::STRIDE) as u32).sum();
    let most = MAX_SEEDS as u32 * B::STRIDE as u32;
    board.seeds() * (most + 1) + far
}

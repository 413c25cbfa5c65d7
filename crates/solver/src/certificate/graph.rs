//! The walk from the claims: positions, their bounds, and the moves that keep them.

use std::collections::hash_map::Entry as Slot;
use std::collections::{HashMap, HashSet};

use lumbung_engine::referee::{Next, State};
use lumbung_engine::{Owners, Pit, Position, Referee, Side};
use lumbung_proof::{Bound, Entry, Key};

use super::{ExtractError, Oracle, Task};

/// A move, or a pass, to another node.
#[derive(Clone, Copy, Debug)]
pub(super) struct Edge {
    pub(super) to: usize,
    /// No seed leaves the board.
    pub(super) quiet: bool,
}

/// What the prover may choose at a node of hers, or what the other may reply.
#[derive(Clone, Debug)]
pub(super) struct Choice {
    pub(super) pit: Option<Pit>,
    /// `None` where the move leads to what is known without an entry.
    pub(super) edge: Option<Edge>,
}

/// A position with a bound that is to be proven.
#[derive(Clone, Debug)]
pub(super) struct Node {
    pub(super) bound: Bound,
    /// The game is over here: known, and no entry is needed.
    pub(super) over: bool,
    /// Left to an endgame table: known, by an entry that leads nowhere.
    pub(super) from_table: bool,
    /// The prover chooses one of these, the first as long as nothing speaks against it; of the other's all count.
    pub(super) choices: Vec<Choice>,
    /// All moves of the prover that keep the bound are among the choices.
    pub(super) all: bool,
    /// Its choices are those of its bound.
    done: bool,
    pub(super) counter: u32,
}

impl Node {
    /// Whether it is known without anything that follows from it.
    pub(super) fn is_known(&self) -> bool {
        self.over || self.from_table
    }

    /// Whether the prover is to choose.
    pub(super) fn chooses(&self) -> bool {
        matches!(self.bound, Bound::AtLeast(_)) && self.choices.first().is_some_and(|choice| choice.pit.is_some())
    }

    /// The choices that count: the prover's first, or all replies.
    pub(super) fn counted(&self) -> &[Choice] {
        if self.chooses() { &self.choices[..1] } else { &self.choices }
    }
}

/// How to choose among moves that keep the bound, all else being equal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Taste {
    /// Fewest seeds left in play.
    FewestSeeds,
    /// Right-most first.
    RightMost,
    /// Left-most first.
    LeftMost,
    /// By chance.
    Chance(u64),
}

/// Which of the moves that keep a bound are wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Which {
    /// One, whatever it takes.
    One,
    /// The first for which it is seen with patience, maybe none.
    FirstCheap,
    /// Those for which it is seen with patience, maybe none.
    Cheap,
    /// All.
    All,
}

/// Work for which each move is looked at in the first round.
pub(super) const FIRST_WORK: u64 = 1 << 10;
/// How much more it is in each round through the moves.
const IMPATIENCE: u64 = 4;
/// From here on a move is looked at until it is settled.
pub(super) const MUCH_WORK: u64 = 1 << 24;

/// The positions met so far.
pub(super) struct Graph<'a> {
    task: Task<'a>,
    referee: Referee<'a>,
    owners: Owners,
    taste: Taste,
    numbers: HashMap<Key, usize>,
    pub(super) nodes: Vec<Node>,
    keys: Vec<Key>,
    pub(super) roots: Vec<usize>,
    open: Vec<usize>,
    /// Moves to positions that are there already come first.
    pub(super) shares: bool,
    /// Work at first on whether a move keeps a bound, before the next move is looked at; 0: only what is known already.
    pub(super) patience: u64,
    /// From so much of the oracle's work on there is no patience.
    pub(super) enough: u64,
    steps: u64,
}

/// A move that may be chosen, before it is.
struct Candidate {
    pit: Pit,
    /// The position after it and what has to be known of it, unless the move settles the matter.
    next: Option<(Position, Bound)>,
    rank: (u8, u64),
}

impl<'a> Graph<'a> {
    pub(super) fn new(task: Task<'a>, taste: Taste) -> Graph<'a> {
        let owners = task.claims.first().map_or(Owners::rows(1), |claim| claim.start.owners);
        Graph {
            task,
            referee: Referee::new(task.rules),
            owners,
            taste,
            numbers: HashMap::new(),
            nodes: Vec::new(),
            keys: Vec::new(),
            roots: Vec::new(),
            open: Vec::new(),
            shares: true,
            patience: if task.rules.can_repeat() { MUCH_WORK } else { FIRST_WORK },
            enough: u64::MAX,
            steps: 0,
        }
    }

    /// Walks from all claims.
    pub(super) fn walk(&mut self, oracle: &mut impl Oracle) -> Result<(), ExtractError> {
        let task = self.task;
        for claim in task.claims {
            let needed = claim.needed();
            let start = Position { stores: [0, 0], ..claim.start.clone() };
            if !oracle.holds(&start, needed)? {
                return Err(ExtractError::False(format!("{} can reach a margin of {}", claim.player, claim.bound)));
            }
            if !needed.is_trivial(start.seeds_in_play()) {
                let root = self.node(&start, needed);
                self.roots.push(root);
            }
        }
        self.close(oracle)
    }

    /// Goes on until every node that was met has its choices.
    pub(super) fn close(&mut self, oracle: &mut impl Oracle) -> Result<(), ExtractError> {
        while let Some(number) = self.open.pop() {
            if self.nodes[number].done {
                continue;
            }
            let which = if self.nodes[number].all { Which::All } else { Which::One };
            self.expand(number, which, oracle)?;
        }
        Ok(())
    }

    /// Walks from all claims once more, by another taste; the prover's moves met on the way are added to her choices.
    pub(super) fn wander(&mut self, taste: Taste, oracle: &mut impl Oracle) -> Result<(), ExtractError> {
        (self.taste, self.shares) = (taste, false);
        let mut seen = HashSet::new();
        let mut open = self.roots.clone();
        while let Some(number) = open.pop() {
            if !seen.insert(number) {
                continue;
            }
            if !self.nodes[number].done {
                self.expand(number, Which::One, oracle)?;
            } else if self.nodes[number].chooses() {
                self.choose_again(number, oracle)?;
            }
            open.extend(self.nodes[number].counted().iter().filter_map(|choice| choice.edge).map(|edge| edge.to));
        }
        self.shares = true;
        self.close(oracle)
    }

    /// Puts the move that this taste prefers before the other choices of a node.
    fn choose_again(&mut self, number: usize, oracle: &mut impl Oracle) -> Result<(), ExtractError> {
        let (position, bound) = (self.position(number), self.nodes[number].bound);
        let State::ToMove(pits) = self.referee.state(&position) else { return Ok(()) };
        let candidates = pits.into_iter().filter_map(|pit| self.candidate(&position, pit, bound)).collect();
        let Some(choice) = self.choose(&position, candidates, Which::FirstCheap, oracle)?.pop() else { return Ok(()) };
        let node = &mut self.nodes[number];
        match node.choices.iter().position(|other| other.pit == choice.pit) {
            Some(index) => node.choices.swap(0, index),
            None => node.choices.insert(0, choice),
        }
        Ok(())
    }

    /// Adds to the choices of a node all moves that lead to what is known, or to nodes that know enough.
    pub(super) fn complete(&mut self, number: usize) {
        let (position, bound) = (self.position(number), self.nodes[number].bound);
        if !self.nodes[number].chooses() {
            return;
        }
        let State::ToMove(pits) = self.referee.state(&position) else { return };
        for pit in pits {
            let Some(Candidate { next, .. }) = self.candidate(&position, pit, bound) else { continue };
            let there = next.as_ref().is_none_or(|(after, needed)| self.has(after, *needed));
            if there && self.nodes[number].choices.iter().all(|choice| choice.pit != Some(pit)) {
                let edge = self.edge(&position, next);
                self.nodes[number].choices.push(Choice { pit: Some(pit), edge });
            }
        }
    }

    /// Follows all moves of a node's prover that keep the bound.
    pub(super) fn widen(&mut self, number: usize, oracle: &mut impl Oracle) -> Result<(), ExtractError> {
        self.nodes[number].all = true;
        self.expand(number, Which::All, oracle)
    }

    /// Follows the moves of a node's prover that are seen to keep the bound with patience; her choices stay.
    pub(super) fn look_around(&mut self, number: usize, oracle: &mut impl Oracle) -> Result<(), ExtractError> {
        let (position, bound) = (self.position(number), self.nodes[number].bound);
        let State::ToMove(pits) = self.referee.state(&position) else { return Ok(()) };
        let candidates = pits.into_iter().filter_map(|pit| self.candidate(&position, pit, bound)).collect();
        for choice in self.choose(&position, candidates, Which::Cheap, oracle)? {
            if self.nodes[number].choices.iter().all(|other| other.pit != choice.pit) {
                self.nodes[number].choices.push(choice);
            }
        }
        Ok(())
    }

    pub(super) fn position(&self, number: usize) -> Position {
        self.keys[number].position(self.owners)
    }

    /// The entry of a node.
    pub(super) fn entry(&self, number: usize) -> Entry {
        let node = &self.nodes[number];
        let pit = if node.chooses() { node.choices[0].pit } else { None };
        // A board holds at most 1,023 seeds.
        Entry {
            key: self.keys[number].clone(),
            value: node.bound.value() as i16,
            pit,
            counter: node.counter,
            from_table: node.from_table,
        }
    }

    /// The node of a position, which is to know at least this bound.
    fn node(&mut self, position: &Position, needed: Bound) -> usize {
        let key = Key::new(position, needed);
        match self.numbers.entry(key) {
            Slot::Occupied(slot) => {
                let number = *slot.get();
                let node = &mut self.nodes[number];
                if needed.for_prover() > node.bound.for_prover() {
                    node.bound = needed;
                    if !node.over {
                        node.done = false;
                        self.open.push(number);
                    }
                }
                number
            }
            Slot::Vacant(slot) => {
                let number = self.nodes.len();
                self.keys.push(slot.key().clone());
                slot.insert(number);
                self.nodes.push(Node {
                    bound: needed,
                    over: false,
                    from_table: false,
                    choices: Vec::new(),
                    all: false,
                    done: false,
                    counter: 0,
                });
                self.open.push(number);
                number
            }
        }
    }

    fn edge(&mut self, from: &Position, next: Option<(Position, Bound)>) -> Option<Edge> {
        let (after, needed) = next?;
        let quiet = after.seeds_in_play() == from.seeds_in_play();
        Some(Edge { to: self.node(&after, needed), quiet })
    }

    fn expand(&mut self, number: usize, which: Which, oracle: &mut impl Oracle) -> Result<(), ExtractError> {
        self.steps += 1;
        if self.steps.is_multiple_of(16)
            && let Some(reason) = (self.task.watch)(self.nodes.len())
        {
            return Err(ExtractError::Stopped(reason));
        }
        self.nodes[number].done = true;
        let position = self.position(number);
        let bound = self.nodes[number].bound;
        let contradiction = || ExtractError::Contradiction { position: Box::new(position.clone()) };
        let choices = match self.referee.state(&position) {
            State::Over(over) => {
                if !bound.admits(gain(&position, &over.last)) {
                    return Err(contradiction());
                }
                self.nodes[number].over = true;
                Vec::new()
            }
            _ if self.task.table_seeds.is_some_and(|most| position.seeds_in_play() <= most) => {
                self.nodes[number].from_table = true;
                Vec::new()
            }
            State::Pass => {
                let next = Some((self.referee.pass(&position), bound.after(0, false)));
                vec![Choice { pit: None, edge: self.edge(&position, next) }]
            }
            State::ToMove(pits) => {
                let mut candidates = Vec::new();
                for pit in pits {
                    match self.candidate(&position, pit, bound) {
                        Some(candidate) => candidates.push(candidate),
                        None if matches!(bound, Bound::AtMost(_)) => return Err(contradiction()),
                        None => {}
                    }
                }
                match bound {
                    Bound::AtMost(_) => {
                        let edges = candidates.into_iter();
                        edges.map(|c| Choice { pit: Some(c.pit), edge: self.edge(&position, c.next) }).collect()
                    }
                    Bound::AtLeast(_) => self.choose(&position, candidates, which, oracle)?,
                }
            }
        };
        if choices.is_empty() && !self.nodes[number].is_known() {
            return Err(contradiction());
        }
        self.nodes[number].choices = choices;
        Ok(())
    }

    /// Moves of the prover that keep the bound, in order of preference.
    fn choose(
        &mut self,
        position: &Position,
        mut candidates: Vec<Candidate>,
        which: Which,
        oracle: &mut impl Oracle,
    ) -> Result<Vec<Choice>, ExtractError> {
        candidates.sort_by_key(|candidate| candidate.rank);
        let mut choices = Vec::new();
        let (mut work, mut attempt) = if which == Which::All { (MUCH_WORK, 0) } else { (self.patience(oracle), 0) };
        loop {
            let mut open = Vec::new();
            let waiting = candidates.len();
            for candidate in candidates {
                let holds = match &candidate.next {
                    None => Some(true),
                    Some((after, needed)) if self.has(after, *needed) => Some(true),
                    // The bound holds here, so one of the moves keeps it.
                    Some(_) if which == Which::One && waiting == 1 => Some(true),
                    Some((after, needed)) => {
                        let after = Position { stores: [0, 0], ..after.clone() };
                        match work {
                            0..MUCH_WORK => oracle.holds_within(&after, *needed, work, attempt)?,
                            MUCH_WORK.. => Some(oracle.holds(&after, *needed)?),
                        }
                    }
                };
                match holds {
                    Some(true) => {
                        let edge = self.edge(position, candidate.next);
                        choices.push(Choice { pit: Some(candidate.pit), edge });
                        if matches!(which, Which::One | Which::FirstCheap) {
                            return Ok(choices);
                        }
                    }
                    Some(false) => {}
                    None => open.push(candidate),
                }
            }
            candidates = open;
            if which != Which::One || candidates.is_empty() {
                return Ok(choices);
            }
            // Others may be easier to settle than the one that is preferred.
            (work, attempt) = (work.saturating_mul(IMPATIENCE).max(FIRST_WORK), attempt + 1);
        }
    }

    fn patience(&self, oracle: &impl Oracle) -> u64 {
        if oracle.work() < self.enough { self.patience } else { 0 }
    }

    /// Whether a node knows at least this much.
    fn has(&self, position: &Position, needed: Bound) -> bool {
        self.known_to_node(position, needed).is_some_and(|bound| bound.for_prover() >= needed.for_prover())
    }

    fn known_to_node(&self, position: &Position, needed: Bound) -> Option<Bound> {
        self.numbers.get(&Key::new(position, needed)).map(|&number| self.nodes[number].bound)
    }

    /// A move, and how soon to try it; `None` if it ends the game against the bound.
    fn candidate(&self, position: &Position, pit: Pit, bound: Bound) -> Option<Candidate> {
        // The referee has just called it legal.
        let played = self.referee.play(position, pit).ok()?;
        let gain = gain(position, &played.after);
        let again = match played.next {
            Next::Over(_) => {
                return bound.admits(gain).then_some(Candidate { pit, next: None, rank: (0, 0) });
            }
            Next::Bonus => true,
            Next::Turn { .. } => false,
        };
        let (after, needed) = (played.after, bound.after(gain, again));
        let seeds = after.seeds_in_play();
        if needed.is_trivial(seeds) {
            return Some(Candidate { pit, next: None, rank: (0, 0) });
        }
        let class = match self.known_to_node(&after, needed) {
            Some(known) if self.shares && known.for_prover() >= needed.for_prover() => 1,
            _ => 2,
        };
        let number = u64::from(pit.0);
        let taste = match self.taste {
            Taste::FewestSeeds => (seeds as u64) << 8 | (255 - number),
            Taste::RightMost => 255 - number,
            Taste::LeftMost => number,
            Taste::Chance(seed) => {
                use std::hash::{DefaultHasher, Hash as _, Hasher as _};
                let mut hasher = DefaultHasher::new();
                (seed, &after.board).hash(&mut hasher);
                hasher.finish()
            }
        };
        Some(Candidate { pit, next: Some((after, needed)), rank: (class, taste) })
    }

    /// The nodes that the claims rest on by the moves chosen, without those that need no entry.
    pub(super) fn needed(&self) -> Vec<usize> {
        let mut seen = vec![false; self.nodes.len()];
        let mut open = self.roots.clone();
        let mut needed = Vec::new();
        while let Some(number) = open.pop() {
            if std::mem::replace(&mut seen[number], true) || self.nodes[number].over {
                continue;
            }
            needed.push(number);
            open.extend(self.nodes[number].counted().iter().filter_map(|choice| choice.edge).map(|edge| edge.to));
        }
        needed
    }
}

fn gain(before: &Position, after: &Position) -> i32 {
    let margin = after.margin() - before.margin();
    if before.to_move == Side::South { margin } else { -margin }
}

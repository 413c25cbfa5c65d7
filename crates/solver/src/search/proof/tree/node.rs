//! What a [`ProofTree`](super::ProofTree) is made of.

use std::hash::{BuildHasher as _, BuildHasherDefault};

use lumbung_engine::Pit;
use lumbung_engine::kernel::{Lanes, Seat};
use lumbung_engine::position::MAX_SEEDS;
use smallvec::SmallVec;

use crate::prehashed::{Numbered, Prehashed};

/// Whether the player to move, on `seat`, gains at least `beta` from `board` on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Question<B> {
    pub(crate) board: B,
    pub(crate) seat: Seat,
    pub(crate) beta: i32,
}

impl<B: Lanes> Question<B> {
    /// Whether "yes" means that the player to move takes all seeds.
    pub(crate) fn is_of_all(&self) -> bool {
        self.beta == self.board.seeds() as i32
    }

    /// Whether "no" means that the opponent takes all seeds, where values are `step` apart.
    pub(crate) fn is_of_nothing(&self, step: i32) -> bool {
        self.beta == step - self.board.seeds() as i32
    }

    /// What tells questions apart, but for the rarest accident.
    pub(super) fn mark(&self) -> u64 {
        let whose = 2 * self.beta + self.seat.index() as i32;
        BuildHasherDefault::<Prehashed>::default().hash_one(Numbered(self.board, whose))
    }
}

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

    pub(super) fn times(self, factor: f64) -> Self {
        Outlook { yes: (self.yes * factor).min(Self::MOST), no: (self.no * factor).min(Self::MOST) }
    }
}

/// A move of a question, to the question of its board.
#[derive(Clone, Copy, Debug)]
pub(super) struct Edge {
    pub(super) child: u32,
    pub(super) gain: i32,
    pub(super) pit: Option<Pit>,
    /// The opponent chooses next, so that "no" there is "yes" here.
    pub(super) other: bool,
    /// What the effort for "yes" is multiplied by.
    pub(super) factor: f32,
}

impl Edge {
    /// A bound of the value of the move, from one of the value of its board.
    pub(super) fn of_move(&self, bound: i32) -> i32 {
        if self.other { self.gain - bound } else { self.gain + bound }
    }

    /// The outlook of the move as its mover sees it, from that of its board.
    pub(super) fn outlook(&self, of_board: Outlook) -> Outlook {
        let Outlook { yes, no } = of_board;
        let (yes, no) = if self.other { (no, yes) } else { (yes, no) };
        Outlook { yes: (yes * f64::from(self.factor)).min(Outlook::MOST), no }
    }
}

/// How far a question has come.
#[derive(Debug)]
pub(super) enum State {
    /// It is searched itself.
    Leaf,
    /// Its moves have taken over, those that were not settled when they were made. No other reaches more than `upper`.
    Moves { edges: Box<[Edge]>, upper: i32 },
    /// A bound as in [`Settled::bound`](super::Settled::bound).
    Settled(i32),
}

/// A question in the graph. There are millions, so its board lies beside the smaller fields, where alignment costs nothing.
#[derive(Debug)]
pub(super) struct Node<B> {
    board: B,
    pub(super) outlook: Outlook,
    pub(super) state: State,
    pub(super) parents: SmallVec<[u32; 4]>,
    /// Positions visited for it that are not counted elsewhere.
    pub(super) effort: u64,
    pub(super) beta: i32,
    /// Falls with every move, so that questions can be worked out before those that stand on them.
    pub(super) height: u32,
    /// Threads that search it.
    pub(super) busy: u16,
    /// How often it was searched and stayed a leaf.
    pub(super) tries: u16,
    seat: Seat,
}

impl<B: Lanes> Node<B> {
    pub(super) fn new(question: Question<B>, outlook: Outlook) -> Self {
        let Question { board, seat, beta } = question;
        let (state, parents, height) = (State::Leaf, SmallVec::new(), height(&board));
        Node { board, outlook, state, parents, effort: 0, beta, height, busy: 0, tries: 0, seat }
    }

    pub(super) fn question(&self) -> Question<B> {
        Question { board: self.board, seat: self.seat, beta: self.beta }
    }

    pub(super) fn is_leaf(&self) -> bool {
        matches!(self.state, State::Leaf)
    }

    /// The moves that have taken over from it.
    pub(super) fn edges(&self) -> Option<&[Edge]> {
        if let State::Moves { edges, .. } = &self.state { Some(edges) } else { None }
    }

    /// Present once it is settled.
    pub(super) fn bound(&self) -> Option<i32> {
        if let State::Settled(bound) = self.state { Some(bound) } else { None }
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

//! What a certificate is made of.

use lumbung_engine::{Owners, Pit, Position, Side};

/// A bound on what the player to move gains over the other from a position on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Bound {
    /// At least so much: she has the move that keeps it.
    AtLeast(i32),
    /// At most so much: whatever she plays.
    AtMost(i32),
}

impl Bound {
    /// What is bounded.
    pub fn value(self) -> i32 {
        match self {
            Bound::AtLeast(value) | Bound::AtMost(value) => value,
        }
    }

    /// The same bound, what the prover gains at least.
    pub fn for_prover(self) -> i32 {
        match self {
            Bound::AtLeast(value) => value,
            Bound::AtMost(value) => -value,
        }
    }

    /// Whether a final gain of the player to move keeps to it.
    pub fn admits(self, gain: i32) -> bool {
        match self {
            Bound::AtLeast(value) => gain >= value,
            Bound::AtMost(value) => gain <= value,
        }
    }

    /// Whether the player to move knows it without looking, with so many seeds in play.
    pub fn is_trivial(self, seeds: usize) -> bool {
        self.for_prover() <= -(seeds as i32)
    }

    /// What remains to be shown after a move with this gain for the player who made it; `again`: she moves again.
    pub fn after(self, gain: i32, again: bool) -> Bound {
        match (self, again) {
            (Bound::AtLeast(value), true) => Bound::AtLeast(value - gain),
            (Bound::AtLeast(value), false) => Bound::AtMost(gain - value),
            (Bound::AtMost(value), true) => Bound::AtMost(value - gain),
            (Bound::AtMost(value), false) => Bound::AtLeast(gain - value),
        }
    }
}

/// A position without stores, and which kind of bound an entry has for it.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Key {
    /// The bound is an upper one, and the prover is the player who waits.
    pub at_most: bool,
    /// The player to move is North. Always false where each player owns her own row: then it makes no difference.
    pub north: bool,
    /// Seeds of all pits as the player to move counts them: her own row first.
    pub pits: Vec<u16>,
}

impl Key {
    /// The key of a bound of this kind on a position. Stores are left out of it.
    pub fn new(position: &Position, bound: Bound) -> Key {
        let mut pits = position.board.clone();
        if position.to_move == Side::North {
            pits.rotate_left(position.pits());
        }
        let north = position.to_move == Side::North && !position.owners.are_rows();
        Key { at_most: matches!(bound, Bound::AtMost(_)), north, pits }
    }

    /// The position, with empty stores; where it makes no difference who is to move, South is.
    pub fn position(&self, owners: Owners) -> Position {
        let mut board = self.pits.clone();
        let to_move = if self.north { Side::North } else { Side::South };
        if self.north {
            board.rotate_left(self.pits.len() / 2);
        }
        Position { board, stores: [0, 0], to_move, owners }
    }
}

/// One position of a certificate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Where, and which kind of bound.
    pub key: Key,
    /// The bound.
    pub value: i16,
    /// The move that keeps a lower bound; `None` where the prover waits, the turn passes or the game is over.
    pub pit: Option<Pit>,
    /// Falls along quiet moves from bounds that need progress, under rules that can repeat a position; see the [crate].
    pub counter: u32,
    /// The bound is not shown here but is that of an endgame table; it has neither move nor counter.
    pub from_table: bool,
}

impl Entry {
    /// Its bound.
    pub fn bound(&self) -> Bound {
        let value = i32::from(self.value);
        if self.key.at_most { Bound::AtMost(value) } else { Bound::AtLeast(value) }
    }
}

//! Boards, players and positions.
//!
//! A [`Position`] is what the referee plays on and what people read and write: seeds in ring order, stores, the player to move
//! and who owns which pit. Ring index `0..n` is South's row in her sowing order, `n..2n` North's row in his.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

/// Most pits a row may have.
pub const MAX_PITS: usize = 18;
/// Most seeds a board may hold, stores included.
pub const MAX_SEEDS: usize = 1023;

/// One of the two players. South moves first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Side {
    /// Owns ring pits `0..n`.
    South,
    /// Owns ring pits `n..2n`.
    North,
}

impl Side {
    /// The opponent.
    pub fn other(self) -> Side {
        match self {
            Side::South => Side::North,
            Side::North => Side::South,
        }
    }

    /// 0 for South, 1 for North.
    pub fn index(self) -> usize {
        self as usize
    }
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Side::South => "South",
            Side::North => "North",
        })
    }
}

/// A pit as its mover counts it: 0 is her own first pit, `n` the other row's first, in sowing order. Shown from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Pit(pub u8);

impl fmt::Display for Pit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", u16::from(self.0) + 1)
    }
}

/// The size of a board at the start of a game: pits a row and seeds a pit, written `7x7`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BoardSize {
    pits: u8,
    seeds: u16,
}

/// A board that cannot be.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum BoardError {
    /// Not of the form `PITSxSEEDS`.
    #[error("board {0:?} is not of the form PITSxSEEDS, for instance 7x7")]
    Form(String),
    /// Too few or too many pits.
    #[error("{0} pits a row; a row has 1 to {MAX_PITS} pits")]
    Pits(usize),
    /// No seeds.
    #[error("a board needs at least 1 seed a pit")]
    NoSeeds,
    /// Too many seeds.
    #[error("{0} seeds in all; a board holds at most {MAX_SEEDS}")]
    Seeds(usize),
}

impl BoardSize {
    /// A board of `pits` pits a row with `seeds` seeds in each.
    ///
    /// # Errors
    /// If a row would not have 1 to [`MAX_PITS`] pits, or the board not 1 to [`MAX_SEEDS`] seeds.
    pub fn new(pits: usize, seeds: usize) -> Result<Self, BoardError> {
        if pits == 0 || pits > MAX_PITS {
            return Err(BoardError::Pits(pits));
        }
        if seeds == 0 {
            return Err(BoardError::NoSeeds);
        }
        let total = seeds.saturating_mul(2 * pits);
        if total > MAX_SEEDS {
            return Err(BoardError::Seeds(total));
        }
        Ok(BoardSize { pits: pits as u8, seeds: seeds as u16 })
    }

    /// Pits a row.
    pub fn pits(self) -> usize {
        usize::from(self.pits)
    }

    /// Seeds a pit at the start.
    pub fn seeds(self) -> usize {
        usize::from(self.seeds)
    }

    /// Seeds in all.
    pub fn total(self) -> usize {
        2 * self.pits() * self.seeds()
    }
}

impl fmt::Display for BoardSize {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}x{}", self.pits, self.seeds)
    }
}

impl FromStr for BoardSize {
    type Err = BoardError;
    fn from_str(s: &str) -> Result<Self, BoardError> {
        let form = || BoardError::Form(s.to_owned());
        let (pits, seeds) = s.split_once('x').ok_or_else(form)?;
        let number = |t: &str| {
            if t.is_empty() || !t.bytes().all(|b| b.is_ascii_digit()) {
                return Err(form());
            }
            Ok(t.parse::<usize>().unwrap_or(usize::MAX))
        };
        BoardSize::new(number(pits)?, number(seeds)?)
    }
}

/// Who owns which pit: a set of ring pits that South owns, the others are North's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Owners {
    south: u64,
    pits: u8,
}

impl Owners {
    /// Each player owns her own row of `pits` pits.
    pub fn rows(pits: usize) -> Self {
        Owners { south: (1 << pits) - 1, pits: pits as u8 }
    }

    /// South owns the ring pits whose bit is set in `south`, on a board of `pits` pits a row.
    pub fn from_bits(south: u64, pits: usize) -> Self {
        Owners { south: south & ((1 << (2 * pits)) - 1), pits: pits as u8 }
    }

    /// The owner of a ring pit.
    pub fn of(self, ring: usize) -> Side {
        if self.south >> ring & 1 == 1 { Side::South } else { Side::North }
    }

    /// Pits a row of the board these owners are for.
    pub fn pits(self) -> usize {
        usize::from(self.pits)
    }

    /// The ring pits that South owns, as bits.
    pub fn south_bits(self) -> u64 {
        self.south
    }

    /// Whether each player owns her own row.
    pub fn are_rows(self) -> bool {
        self == Owners::rows(usize::from(self.pits))
    }
}

/// A position: seeds, stores, the player to move and the owners of the pits.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    /// Seeds of the `2n` ring pits.
    pub board: Vec<u16>,
    /// Seeds in South's and North's store.
    pub stores: [u16; 2],
    /// Who is to move.
    pub to_move: Side,
    /// Who owns which pit.
    pub owners: Owners,
}

impl Position {
    /// The start of a game: `seeds` in every pit, empty stores, South to move.
    pub fn start(size: BoardSize) -> Self {
        Position {
            board: vec![size.seeds() as u16; 2 * size.pits()],
            stores: [0, 0],
            to_move: Side::South,
            owners: Owners::rows(size.pits()),
        }
    }

    /// Pits a row.
    pub fn pits(&self) -> usize {
        self.board.len() / 2
    }

    /// Seeds in play: those on the board.
    pub fn seeds_in_play(&self) -> usize {
        self.board.iter().map(|&c| usize::from(c)).sum()
    }

    /// Seeds in the pits that `side` owns.
    pub fn row_seeds(&self, side: Side) -> usize {
        (0..self.board.len()).filter(|&r| self.owners.of(r) == side).map(|r| usize::from(self.board[r])).sum()
    }

    /// South's store minus North's.
    pub fn margin(&self) -> i32 {
        i32::from(self.stores[0]) - i32::from(self.stores[1])
    }

    /// The ring index of a pit as `side` counts it.
    pub fn ring(&self, side: Side, pit: Pit) -> usize {
        (usize::from(pit.0) + side.index() * self.pits()) % self.board.len()
    }

    /// A ring pit as `side` counts it.
    pub fn pit(&self, side: Side, ring: usize) -> Pit {
        Pit(((ring + self.board.len() - side.index() * self.pits()) % self.board.len()) as u8)
    }
}

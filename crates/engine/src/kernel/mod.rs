//! The kernel: the procedure of [`crate::rules`] on packed boards, for solvers and table builders.
//!
//! * [`Lanes`] is a packed board, always seen by the player to move: her row first. Passing the turn swaps the rows.
//! * `laps` compiles sowing: for each pit and each number of seeds in it, one entry says what the lap adds to the board
//!   and where it ends, so that a lap is one addition and two look-ups, and every sowing switch is a matter of the table.
//! * [`Kernel`] plays moves, captures, filters the legal ones and settles the end.
//!
//! A relay that never stops is recognised by an invariant or found by Brent's cycle test: exact, no lap limit, and free for the
//! short relays that are the rule.

mod bonus;
mod captures;
mod count;
mod dispatch;
mod endless;
mod lanes;
mod laps;
mod measure;
mod moves;
mod relay;
mod status;
mod words;

pub use count::Count;
pub use dispatch::{Visitor, dispatch};
pub use lanes::{Bytes16, Lanes, Wide};
pub use moves::{Child, Children, Then};
pub use status::Status;
pub use words::{ABOVE_BITS, MAX_WORDS, Words};

use crate::position::{MAX_SEEDS, Owners, Pit, Position, Side};
use crate::rules::{Captures, End, Feeding, Relay, RuleSet, Stores};
use laps::Laps;

/// A chair at the board, from which a packed board is seen. Where each player owns her own row, both see the same game and
/// there is only [`Seat::FIRST`]; otherwise South sits on the first and North on the second.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Seat(u8);

impl Seat {
    /// South's seat, and everybody's where the game looks the same to both.
    pub const FIRST: Seat = Seat(0);
    /// North's seat, where the game does not look the same to both.
    pub const SECOND: Seat = Seat(1);

    /// 0 or 1.
    pub fn index(self) -> usize {
        usize::from(self.0)
    }

    /// Who sits there; South where the seat is everybody's.
    pub fn side(self) -> Side {
        if self == Seat::FIRST { Side::South } else { Side::North }
    }
}

/// A rule set compiled for a number of pits a row, a most number of seeds, and owners.
#[derive(Clone, Debug)]
pub struct Kernel<B> {
    pits: usize,
    max_seeds: usize,
    laps: Laps<B>,
    /// See [`Kernel::bonus_pits`].
    reach_store: Vec<B>,
    /// The fewest seeds with which each own pit stores one, if a player who can move such a pit surely may.
    storing: Option<B>,
    capture: Captures,
    count_bits: Vec<bool>,
    feeding: Feeding,
    end: End,
    stores: Stores,
    min_seeds: u32,
    endless: crate::rules::Endless,
    /// Lanes of the pits that belong to whoever sits on a seat, in her view.
    own: [u64; 2],
    owners: Owners,
    /// Each player owns her own row.
    rows: bool,
    /// All lanes that are pits.
    pits_mask: u64,
    value_parity: bool,
    relays: bool,
}

impl<B: Lanes> Kernel<B> {
    /// Compiles `rules` for `pits` pits a row and boards of at most `max_seeds` seeds.
    ///
    /// Returns `None` if boards of this size do not fit into `B`; [`dispatch`] chooses a `B` that fits.
    pub fn new(rules: &RuleSet, pits: usize, max_seeds: usize, owners: Owners) -> Option<Self> {
        if pits == 0 || pits > B::STRIDE || max_seeds > B::MAX_COUNT as usize || max_seeds > MAX_SEEDS {
            return None;
        }
        let row = (1u64 << pits) - 1;
        let south = owners.south_bits();
        let north = !south & ((1u64 << (2 * pits)) - 1);
        let lanes = |ring: u64, first: usize| {
            (0..2 * pits)
                .filter(|k| ring >> ((k + first) % (2 * pits)) & 1 == 1)
                .fold(0u64, |m, k| m | 1 << lane_of::<B>(k, pits))
        };
        let mut count_bits = vec![false; max_seeds + 1];
        if let Some(count) = &rules.capture.count {
            for &c in &count.counts {
                if let Some(bit) = count_bits.get_mut(usize::from(c)) {
                    *bit = true;
                }
            }
        }
        let laps = Laps::compile(rules, pits, max_seeds);
        Some(Kernel {
            pits,
            max_seeds,
            reach_store: bonus::reach_store(pits, max_seeds),
            storing: bonus::storing(rules, pits, max_seeds, &laps).filter(|_| owners.are_rows()),
            laps,
            capture: rules.capture.clone(),
            count_bits,
            feeding: rules.feeding,
            end: rules.end,
            stores: rules.stores,
            min_seeds: u32::from(rules.sowing.min_seeds),
            endless: rules.sowing.endless,
            own: [lanes(south, 0), lanes(north, pits)],
            owners,
            rows: owners.are_rows(),
            pits_mask: row | row << B::STRIDE,
            value_parity: rules.value_parity(),
            relays: rules.sowing.relay != Relay::Single,
        })
    }

    /// Pits a row.
    pub fn pits(&self) -> usize {
        self.pits
    }

    /// The most seeds a board of this kernel may hold.
    pub fn max_seeds(&self) -> usize {
        self.max_seeds
    }

    /// Who owns which pit.
    pub fn owners(&self) -> Owners {
        self.owners
    }

    /// Whether both players see the same game, so that [`Seat`] never matters.
    pub fn is_symmetric(&self) -> bool {
        self.rows
    }

    /// Whether play can come back to a position. Kernels of rules with sown stores cannot.
    pub fn can_repeat(&self) -> bool {
        self.stores == Stores::Scored
    }

    /// Distance of two values of one board: 2 where values have the parity of the seeds in play.
    pub fn value_step(&self) -> i32 {
        if self.value_parity { 2 } else { 1 }
    }

    /// Whether a move can be more than one lap.
    pub fn relays(&self) -> bool {
        self.relays
    }

    /// Whether every value has the parity of the seeds in play, because every seed ends in a store.
    pub fn value_parity(&self) -> bool {
        self.value_parity
    }

    /// The seat of a player.
    pub fn seat(&self, side: Side) -> Seat {
        if self.rows { Seat::FIRST } else { Seat(side.index() as u8) }
    }

    /// The seat of the other player.
    pub fn other(&self, seat: Seat) -> Seat {
        if self.rows { seat } else { Seat(1 - seat.0) }
    }

    /// Packs the pits of a position as its player to move sees them.
    ///
    /// # Panics
    /// If the position has other pits a row or more seeds than this kernel was compiled for.
    pub fn pack(&self, position: &Position) -> B {
        assert_eq!(position.pits(), self.pits, "a position of another board");
        assert!(position.seeds_in_play() <= self.max_seeds, "a position of more seeds");
        let mut board = B::EMPTY;
        for k in 0..2 * self.pits {
            let ring = position.ring(position.to_move, Pit(k as u8));
            board.set(lane_of::<B>(k, self.pits), u32::from(position.board[ring]));
        }
        board
    }

    /// The ring-ordered seeds of a packed board, for a player to move.
    pub fn unpack(&self, board: &B, to_move: Side) -> Vec<u16> {
        let mut seeds = vec![0; 2 * self.pits];
        for k in 0..2 * self.pits {
            let ring = (k + to_move.index() * self.pits) % (2 * self.pits);
            seeds[ring] = board.get(lane_of::<B>(k, self.pits)) as u16;
        }
        seeds
    }

    /// The position of a packed board that the player on `seat` is to move on, both stores empty.
    pub fn position(&self, board: &B, seat: Seat) -> Position {
        let to_move = seat.side();
        Position { board: self.unpack(board, to_move), stores: [0, 0], to_move, owners: self.owners }
    }

    /// The lane of the mover's pit `k` of `0..2n`.
    pub fn lane(&self, pit: Pit) -> usize {
        lane_of::<B>(usize::from(pit.0), self.pits)
    }

    /// The mover's pit in a lane.
    pub fn pit(&self, lane: usize) -> Pit {
        Pit(if lane < B::STRIDE { lane } else { lane - B::STRIDE + self.pits } as u8)
    }

    fn own_is_empty(&self, board: &B, seat: Seat) -> bool {
        if self.rows { board.row_is_empty(0) } else { board.occupied() & self.own[seat.index()] == 0 }
    }

    fn other_is_empty(&self, board: &B, seat: Seat) -> bool {
        if self.rows { board.row_is_empty(1) } else { board.occupied() & self.pits_mask & !self.own[seat.index()] == 0 }
    }

    /// Seeds in the rows of the player on `seat`, whose view this is, and of the other.
    fn row_seeds(&self, board: &B, seat: Seat) -> (u32, u32) {
        if self.rows {
            return (board.row_seeds(0), board.row_seeds(1));
        }
        let mut seeds = [0, 0];
        for lane in (0..B::LANES).filter(|l| self.pits_mask >> l & 1 == 1) {
            seeds[usize::from(self.own[seat.index()] >> lane & 1 == 0)] += board.get(lane);
        }
        (seeds[0], seeds[1])
    }
}

/// The lane of ring step `k` of `0..2n` in the mover's view: her row fills the first half of the lanes from the start, the other
/// row the second.
fn lane_of<B: Lanes>(k: usize, pits: usize) -> usize {
    if k < pits { k } else { B::STRIDE + k - pits }
}

//! What a certificate says of itself: the rules, what it proves, and where its entries are.

use bincode::{Decode, Encode};
use lumbung_engine::{Owners, Position, RuleSet, Side};

use crate::entry::Bound;

/// What a certificate proves: whatever the opponent does, `player` ends with a margin of at least `bound` if play starts from
/// `start`, whose stores count.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim {
    /// Where play starts.
    pub start: Position,
    /// Who can bring it about.
    pub player: Side,
    /// Her final store minus her opponent's is no less than this.
    pub bound: i32,
}

impl Claim {
    /// What has to be known of the start: a bound on the gain of the player to move from there on.
    pub fn needed(&self) -> Bound {
        let so_far = match self.player {
            Side::South => self.start.margin(),
            Side::North => -self.start.margin(),
        };
        if self.start.to_move == self.player { Bound::AtLeast(self.bound - so_far) } else { Bound::AtMost(so_far - self.bound) }
    }
}

/// The endgame table that a certificate leans on: whatever the file proves, it proves if the values of this table are right.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode)]
pub struct TableName {
    /// The digest of the table's manifest, which has those of its layers: the first line of its `table.toml`.
    pub digest: [u8; 32],
    /// The most seeds in play of a position whose bound is taken from it.
    pub seeds: u16,
}

/// The header as it stands in the file; in format 2 a [`TableName`] follows it.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub(crate) struct Header {
    pub(crate) program: String,
    pub(crate) fingerprint: [u8; 32],
    pub(crate) rules: String,
    pub(crate) pits: u8,
    pub(crate) owners: u64,
    pub(crate) pit_bytes: u8,
    pub(crate) claims: Vec<ClaimRecord>,
    pub(crate) entries: u64,
    pub(crate) block_entries: u32,
    pub(crate) index_checksum: u32,
}

/// A claim as it stands in the header.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub(crate) struct ClaimRecord {
    pub(crate) board: Vec<u16>,
    pub(crate) stores: [u16; 2],
    pub(crate) to_move: u8,
    pub(crate) player: u8,
    pub(crate) bound: i16,
}

impl ClaimRecord {
    /// The claim, on a board that is as it should be.
    pub(crate) fn read(&self, rules: &RuleSet, owners: Owners) -> Result<Claim, String> {
        let side = |byte| match byte {
            0 => Ok(Side::South),
            1 => Ok(Side::North),
            _ => Err(format!("{byte} is no player")),
        };
        let start = Position { board: self.board.clone(), stores: self.stores, to_move: side(self.to_move)?, owners };
        start.check(rules).map_err(|error| error.to_string())?;
        Ok(Claim { start, player: side(self.player)?, bound: self.bound.into() })
    }
}

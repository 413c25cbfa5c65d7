//! Extraction of certificates: from what a search knows to evidence that needs no search.
//!
//! An [`Oracle`] answers whether the player to move gains at least so much. [`extract`] walks from the start of each claim: where the
//! prover moves it chooses one move that keeps the bound, where the other moves it follows all replies, until only positions remain
//! whose bound is trivial. What comes out are entries for [`lumbung_proof::write`]; whether they prove anything is not for this
//! module to say but for the checker, which trusts none of it.
//!
//! Under rules that can repeat a position the moves chosen may go round in a circle without ever earning a bound above 0. Counters
//! are then worked out backwards from what is known ([`counters`](self)): an entry gets a counter when its move, or every reply,
//! leads to something scored or to an entry that has one. Where that leaves entries over, all their moves that keep the bound are
//! followed, and the move that earns a counter first is the one that is kept. A bound above 0 that holds is forced in finitely many
//! moves, each of which keeps it, so in the end every entry gets one.

mod counters;
mod graph;
mod minimise;
mod oracle;

use lumbung_engine::{Position, RuleSet};
use lumbung_proof::{Claim, Entry};
use thiserror::Error;

use crate::limits::StopReason;
pub use minimise::{Effort, extract};
pub use oracle::{Oracle, Searching};

/// Why there is no certificate.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ExtractError {
    /// A limit of the caller.
    #[error("the limits did not allow to extract it")]
    Stopped(StopReason),
    /// The oracle does not know this game.
    #[error("{0} is no position of this game")]
    Foreign(String),
    /// The claim does not hold.
    #[error("it does not hold that {0}")]
    False(String),
    /// The oracle contradicts itself, which is a defect.
    #[error("contradictory answers at {position}")]
    Contradiction {
        /// Where.
        position: Box<Position>,
    },
    /// A bound above 0 that nothing forces, which is a defect.
    #[error("nothing forces the bound at {position}")]
    Unforced {
        /// Where.
        position: Box<Position>,
    },
}

/// What is to be proven, and what may stop it.
#[derive(Clone, Copy)]
pub struct Task<'a> {
    /// The rules.
    pub rules: &'a RuleSet,
    /// What is to be proven; all starts have the same owners.
    pub claims: &'a [Claim],
    /// Positions with up to so many seeds in play are left to an endgame table.
    pub table_seeds: Option<usize>,
    /// Asked once in a while, with the number of entries so far, whether to stop.
    pub watch: &'a (dyn Fn(usize) -> Option<StopReason> + Sync),
}

/// The entries that prove the claims of a task.
pub type Entries = Vec<Entry>;

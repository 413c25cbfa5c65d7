//! Rule sets as data, and the procedure they parameterise.
//!
//! A [`Rules`] value says everything that decides play; a [`RuleSet`] is one that has passed validation, so both engines may
//! rely on what validation refuses. [`RuleSpec`] is its written form, key by key as in a TOML file.
//!
//! # The procedure
//!
//! Both engines implement the following text; where it and an engine differ, the engine is wrong.
//!
//! **Board.** A ring of `2n` pits. Ring index `0..n` is South's row in her sowing order, `n..2n` North's row in his. Opposite of
//! ring pit `r` is `2n-1-r`. With sown stores the mover's own store is a slot of the circuit between her own last pit and the
//! other row's first pit; the other player's store never is. A player's *row* is the set of pits she owns; without an owners
//! list (and always with sown stores) that is her own side.
//!
//! **Lap.** Lift all seeds of a pit, then drop one per slot starting at the next slot. [`Origin::Normal`]: the emptied pit is a
//! slot like any other. [`Origin::Skipped`]: it is passed over for the whole of that lap. [`Origin::First`]: the first seed goes
//! back into it, the others start at the next slot (and on a later round it is an ordinary slot).
//!
//! **Move.** Choose a pit of one's own row that holds at least `min_seeds`, lift it and sow. After each lap:
//! * last seed in the own store: the move ends there, without capture; with a bonus move the same player moves again;
//! * [`Relay::Single`]: the move ends;
//! * [`Relay::Landing`]: it ends if the last pit now holds a number in `stop_at`; otherwise that pit is lifted for the next lap;
//! * [`Relay::Next`]: it ends if the pit after the last one is empty; otherwise *that* pit is lifted for the next lap.
//!
//! A move whose laps recur for ever is *endless*. It is never carried out: the board stays as it was.
//!
//! **Capture**, when a move ends in a pit. The kinds are tried in this order and the first that takes a seed is the capture of
//! the move; captured seeds go to the mover's store.
//! 1. *Opposite*: the last pit is in the mover's row and now holds exactly 1 (and, with `require_visit`, some seed of this move
//!    was dropped in a pit of the other row): take all seeds opposite. The landing seed stays ([`LandingSeed::Leave`]), goes
//!    along if something was opposite ([`LandingSeed::TakeOnCapture`]), or goes along always ([`LandingSeed::Take`]).
//! 2. *Sandwich*: the last pit is in the other row, not at either end of it, and now holds exactly 1, and its two neighbours hold
//!    equal numbers greater than 0: take both neighbours and the landing seed.
//! 3. *Count*: the last pit holds a number in `counts` (and is in the other row if [`CountSide::Opponent`]): take it; with
//!    `chain_back` go on backwards along the ring, taking each pit while the same condition holds. If the other player's row is
//!    then empty this was a *grand slam*: [`GrandSlam::Legal`] leaves it at that, [`GrandSlam::Forbidden`] makes the move
//!    illegal, [`GrandSlam::NoCapture`] undoes the capture, and the move captures nothing.
//! 4. *Beyond the gap*: with `q` the last pit, if pit `q+1` is empty and pit `q+2` is not, take `q+2`; with `chain` go on from
//!    `q = q+2`. Unless `wrap`, a chain never takes the last pit itself.
//!
//! **Legal moves** of player `p` on a board: the pits of her row with at least `min_seeds`, less
//! * endless ones if [`Endless::Illegal`] (otherwise choosing one means: the turn passes, [`Endless::Pass`], or the game is over
//!   at once with `p` the player to move, [`Endless::End`]), and forbidden grand slams;
//! * under [`Feeding::MoverMust`] and [`Feeding::Rescue`], if the other row is empty: every move after which (captures done) it
//!   is still empty;
//! * under [`Feeding::LeaveAMove`]: every move after which the other row is empty, as long as some other move remains.
//!
//! An endless move leaves the board as it was, and counts so for the feeding rules.
//!
//! **Before every choice** of player `p` (at the start of a turn and again after each bonus), in this order:
//! 1. only after a move that earned a bonus, if `p`'s row is empty: [`BonusOnEmptyRow::End`], the game is over with `p` the
//!    player to move; [`BonusOnEmptyRow::Pass`], the turn passes and the other player starts at step 2;
//! 2. `one_each` and both rows hold exactly one seed: over, each player stores the seed of her own row;
//! 3. the end condition: [`EndWhen::MoverEmpty`] `p`'s row is empty; [`EndWhen::AnyRowEmpty`] either row is;
//!    [`EndWhen::BothRowsEmpty`] both are; [`EndWhen::OnlySingletons`] no pit holds more than one seed;
//!    [`EndWhen::FewerThan`]`(k)` fewer than `k` seeds are on the board; [`EndWhen::NoLegalMove`] never by itself: over;
//! 4. `p` has a legal move: she must play one;
//! 5. otherwise the turn passes if [`Feeding::Rescue`], `p`'s row is empty and the other player has a legal move, or if
//!    [`NoMove::Pass`] and the other player has a legal move on this board;
//! 6. otherwise the game is over.
//!
//! **Settlement**, when the game is over with `p` the player to move: first, if exactly one row has seeds, `gift` seeds of it (or
//! as many as there are) go to the other player's store. Then the rest goes to the other player of `p`
//! ([`Remainder::Opponent`]), to `p` ([`Remainder::Mover`]), row by row to the owners ([`Remainder::RowOwner`]), half to each
//! ([`Remainder::Split`]; an odd seed counts for neither), or to nobody ([`Remainder::Unscored`]).
//! Infinite play is worth nothing further to either side under [`Cycle::Zero`].

use std::collections::BTreeMap;
use std::ops::Deref;

use serde::{Deserialize, Serialize};

#[cfg(feature = "arbitrary")]
pub mod arbitrary;
mod check;
mod clash;
mod convert;
mod error;
pub mod fingerprint;
mod keys;
mod presets;
mod set;
pub mod spec;
mod words;

pub use error::{RuleError, SetError};
pub use fingerprint::{Difference, Fingerprint, FingerprintError};
pub use presets::{PRESET_NAMES, Preset, preset, presets};
pub use spec::RuleSpec;

use crate::position::BoardSize;

/// Rules that have been validated: no two keys contradict each other.
///
/// Read access only (through `Deref`); build one with [`RuleSet::from_spec`], [`RuleSet::from_toml`] or [`preset`], and change
/// one with [`RuleSet::with_changes`].
///
/// ```
/// use lumbung_engine::rules::{EndWhen, preset};
///
/// let dakon = &preset("dakon").expect("a preset").rules;
/// let german = dakon.with_reading("german-end")?;
/// assert_eq!(german.end.when, EndWhen::AnyRowEmpty);
/// assert_ne!(german.fingerprint(), dakon.fingerprint());
///
/// let clash = dakon.with_set(&["sowing.relay=next"]).unwrap_err();
/// assert!(clash.to_string().starts_with(r#"sowing.relay = "next" does not go with board.stores = "sown""#));
/// # Ok::<(), lumbung_engine::rules::SetError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuleSet(Rules);

impl Deref for RuleSet {
    type Target = Rules;
    fn deref(&self) -> &Rules {
        &self.0
    }
}

/// Everything that decides play. See the [module](self) for what each case means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rules {
    /// The rule set's own name; it decides nothing.
    pub name: String,
    /// What is said about the rules; it decides nothing.
    pub about: About,
    /// The board this game is usually played on; commands may choose another.
    pub usual_board: BoardSize,
    /// What the stores are for.
    pub stores: Stores,
    /// How seeds are sown.
    pub sowing: Sowing,
    /// What a move captures.
    pub capture: Captures,
    /// What a player owes an opponent without seeds.
    pub feeding: Feeding,
    /// When the game ends and who gets the rest.
    pub end: End,
    /// What one round leads to.
    pub rounds: Rounds,
    /// Named readings: for each name, keys and the values they take.
    pub readings: BTreeMap<String, Reading>,
}

impl Rules {
    /// Whether play can come back to an earlier position: unless stores are sown.
    ///
    /// With sown stores every move stores a seed for good or moves seeds forward within the own row, and a turn that passes
    /// leaves the board alone, so positions never recur.
    pub fn can_repeat(&self) -> bool {
        self.stores == Stores::Scored
    }

    /// Whether a move can be endless: a relay on a circuit that never swallows a seed.
    pub fn can_be_endless(&self) -> bool {
        self.sowing.relay != Relay::Single && self.stores == Stores::Scored
    }

    /// Whether the value of every position has the parity of its seeds in play, because every seed ends in a store.
    ///
    /// False where seeds may stay unscored: infinite play, an uneven split, an unscored remainder.
    pub fn value_parity(&self) -> bool {
        !self.can_repeat() && !matches!(self.end.remainder, Remainder::Split | Remainder::Unscored)
    }
}

/// What is said about a rule set: for people, it decides nothing and is no part of the fingerprint.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct About {
    /// The rules in words, one line a paragraph, paragraphs parted by an empty line.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub description: String,
    /// Where the rules are described.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub sources: Vec<String>,
    /// How certain the description is, and whatever else a user should know.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// Readings of the sources that no key expresses.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub not_modelled: Vec<String>,
    /// The game's own words for `opposite`, `sandwich`, `count`, `beyond-gap`, `store` and `son`.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub words: BTreeMap<String, String>,
}

/// A reading of a rule set: several keys changed at once, under a name.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Reading {
    /// What the reading says, for people. In a rule file the reserved key `about` of the reading.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub about: String,
    /// Keys (`"end.when"`) with the values they take.
    #[serde(flatten)]
    pub set: BTreeMap<String, toml::Value>,
}

// `toml::Value` holds floats and so is not `Eq`; no key accepts a float, so the readings of a `RuleSet` never hold one.
impl Eq for Reading {}

/// What the stores are for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stores {
    /// They receive captures and the settlement only.
    Scored,
    /// The own store is also a slot of the circuit. Rules with sown stores can never repeat a position.
    Sown {
        /// Whether a last seed in the own store earns another move, and what happens then if the own row is empty.
        bonus: Option<BonusOnEmptyRow>,
    },
}

/// A bonus move was earned, and the own row is empty.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BonusOnEmptyRow {
    /// The game is over.
    #[default]
    End,
    /// The bonus lapses and the turn passes.
    Pass,
}

/// How seeds are sown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sowing {
    /// What follows a lap.
    pub relay: Relay,
    /// What becomes of the pit a lap was lifted from.
    pub origin: Origin,
    /// The smallest pit that may be chosen; at least 1.
    pub min_seeds: u16,
    /// What choosing an endless move means. Kept at `Illegal` where no move can be endless.
    pub endless: Endless,
}

/// What follows a lap that ended in a pit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Relay {
    /// Nothing: a move is one lap.
    Single,
    /// The last pit is lifted, unless it now holds one of these numbers (sorted, at least 1).
    Landing {
        /// Numbers in the last pit that end the move.
        stop_at: Vec<u16>,
    },
    /// The pit after the last one is lifted, unless it is empty (an Indian lap).
    Next,
}

/// What becomes of the pit a lap was lifted from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Origin {
    /// It is an ordinary slot.
    #[default]
    Normal,
    /// It is passed over.
    Skipped,
    /// The first seed goes back into it.
    First,
}

/// What choosing a relay that never stops means.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Endless {
    /// It may not be chosen.
    #[default]
    Illegal,
    /// The turn passes, the board unchanged.
    Pass,
    /// The game is over, the board unchanged.
    End,
}

/// The captures of a rule set; each kind is off or on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Captures {
    /// Own empty landing pit: the pit opposite. Dakon's nembak.
    pub opposite: Option<OppositeCapture>,
    /// Between two equal pits of the other row. Dakon's mikul.
    pub sandwich: bool,
    /// By the number in the last pit.
    pub count: Option<CountCapture>,
    /// The pit beyond the empty one that stopped the move. San-Yao.
    pub beyond_gap: Option<BeyondGapCapture>,
}

/// Capture of the pit opposite an own empty landing pit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OppositeCapture {
    /// What becomes of the landing seed.
    pub landing_seed: LandingSeed,
    /// Only if this move has sown on the other side.
    pub require_visit: bool,
}

/// What becomes of the landing seed of an opposite capture.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LandingSeed {
    /// It stays.
    #[default]
    Leave,
    /// It is taken if something was taken opposite.
    TakeOnCapture,
    /// It is taken always (Kalah's empty capture).
    Take,
}

/// Capture by the number of seeds in the last pit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CountCapture {
    /// The numbers that are taken (sorted, at least 1).
    pub counts: Vec<u16>,
    /// Where.
    pub side: CountSide,
    /// Whether pits before the last one are taken too.
    pub chain_back: bool,
    /// What becomes of a capture that leaves the other player no seed.
    pub grand_slam: GrandSlam,
}

/// Where a count capture may take.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CountSide {
    /// Only in the other row.
    Opponent,
    /// Anywhere.
    #[default]
    Any,
}

/// A count capture that leaves the other player no seed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum GrandSlam {
    /// It is a capture like any other.
    #[default]
    Legal,
    /// The move is illegal.
    Forbidden,
    /// The move is legal and captures nothing.
    NoCapture,
}

/// Capture of the pit beyond the empty one that stopped the move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BeyondGapCapture {
    /// Goes on as long as single empty pits alternate with occupied ones.
    pub chain: bool,
    /// A chain may come round to the last pit itself.
    pub wrap: bool,
}

/// What a player owes an opponent without seeds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Feeding {
    /// Nothing.
    #[default]
    None,
    /// Facing an empty row, only moves that leave it non-empty are legal.
    MoverMust,
    /// As `MoverMust`, and a player without seeds passes while the other can feed.
    Rescue,
    /// Moves that leave the other player without seeds are illegal while another exists.
    LeaveAMove,
}

/// When the game ends and who gets the rest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct End {
    /// The end condition.
    pub when: EndWhen,
    /// The player to move has no legal move.
    pub no_move: NoMove,
    /// Also over when both rows hold exactly one seed.
    pub one_each: bool,
    /// Who gets the seeds left on the board.
    pub remainder: Remainder,
    /// Seeds that the only side with seeds gives to the other.
    pub gift: u16,
    /// What infinite play is worth.
    pub cycle: Cycle,
}

impl End {
    /// What a player gains over the other when the game is over with `own` seeds in her row and `other` in the other: first the gift,
    /// then the remainder. (The referee settles by itself.)
    pub fn settlement(&self, own: u32, other: u32) -> i32 {
        let (mut own, mut other) = (own as i32, other as i32);
        let mut gain = 0;
        let gift = i32::from(self.gift);
        if own > 0 && other == 0 {
            gain -= gift.min(own);
            own -= gift.min(own);
        } else if other > 0 && own == 0 {
            gain += gift.min(other);
            other -= gift.min(other);
        }
        gain + match self.remainder {
            Remainder::Opponent => -own - other,
            Remainder::Mover => own + other,
            Remainder::RowOwner => own - other,
            Remainder::Split | Remainder::Unscored => 0,
        }
    }
}

/// The end condition, tested before every choice.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum EndWhen {
    /// The row of the player to move is empty.
    #[default]
    MoverEmpty,
    /// A row is empty.
    AnyRowEmpty,
    /// Both rows are empty.
    BothRowsEmpty,
    /// No pit holds more than one seed.
    OnlySingletons,
    /// Fewer than this many seeds are on the board.
    FewerThan(u16),
    /// Only when nobody can move.
    NoLegalMove,
}

/// The player to move has no legal move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum NoMove {
    /// The game is over.
    #[default]
    End,
    /// The turn passes if the other player has one.
    Pass,
}

/// Who gets the seeds left on the board.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Remainder {
    /// The other player of the one to move.
    #[default]
    Opponent,
    /// Each the seeds of her own row.
    RowOwner,
    /// The player to move.
    Mover,
    /// Half each.
    Split,
    /// Nobody.
    Unscored,
}

/// What infinite play is worth.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Cycle {
    /// The rules cannot repeat a position.
    #[default]
    None,
    /// Nothing further to either side.
    Zero,
    /// At the first recurrence each player stores her row. It depends on which position recurs first, so it is a rule for
    /// play only and solvers refuse it.
    RowOwner,
}

/// What one round leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rounds {
    /// The game is one round.
    Single,
    /// Rounds are refilled, and the winner conquers pits (San-Yao).
    Territory {
        /// Which pits the winner conquers.
        sons: Sons,
        /// Whether a lent remainder is owed.
        lending: Lending,
        /// Who starts after equal totals.
        tie_starter: TieStarter,
        /// A round that never ends.
        repeat: Repeat,
    },
}

/// Which pits the winner of a round conquers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Sons {
    /// The ones that follow her own row in sowing order.
    #[default]
    AfterOwnRow,
    /// The ones she chooses.
    WinnerChooses,
}

/// Whether a lent remainder is owed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Lending {
    /// It is not.
    #[default]
    Gift,
    /// It is repaid before the next division and before the end of the match is tested.
    Debt,
}

/// Who starts the next round after equal totals.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TieStarter {
    /// The player who did not start the last one.
    #[default]
    Other,
    /// The player who started the last one.
    Same,
}

/// A round that never ends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Repeat {
    /// The rest is split evenly, an odd stone going to the player who did not start the round.
    #[default]
    Split,
    /// The round is void and played again.
    Void,
}

//! The written form of rules: a TOML document whose absent keys take documented defaults.
//!
//! Every field of a [`RuleSpec`] is optional; `None` stands for the default that its comment names. Turning a spec into a
//! [`RuleSet`](super::RuleSet) checks each value, refuses contradictions and drops keys that have no effect. A capture table that is absent is
//! off, one that is present is on unless it says `enabled = false`; a table that is off may hold any accepted values, they are
//! dropped.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{
    About, BonusOnEmptyRow, CountSide, Cycle, EndWhen, Endless, Feeding, GrandSlam, LandingSeed, Lending, NoMove, Origin,
    Reading, Remainder, Repeat, RuleError, Sons, TieStarter, check,
};

/// Rules as they are written, not yet checked.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct RuleSpec {
    /// The rule set's own name; default `unnamed`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// What is said about the rules.
    #[serde(skip_serializing_if = "is_default")]
    pub about: About,
    /// `[board]`.
    #[serde(skip_serializing_if = "is_default")]
    pub board: BoardSpec,
    /// `[sowing]`.
    #[serde(skip_serializing_if = "is_default")]
    pub sowing: SowingSpec,
    /// `[capture]`.
    #[serde(skip_serializing_if = "is_default")]
    pub capture: CaptureSpec,
    /// `[feeding]`.
    #[serde(skip_serializing_if = "is_default")]
    pub feeding: FeedingSpec,
    /// `[end]`.
    #[serde(skip_serializing_if = "is_default")]
    pub end: EndSpec,
    /// `[rounds]`.
    #[serde(skip_serializing_if = "is_default")]
    pub rounds: RoundsSpec,
    /// `[readings.NAME]`.
    #[serde(skip_serializing_if = "is_default")]
    pub readings: BTreeMap<String, Reading>,
}

/// Declares one table of the written form: every key optional, left out of the text where it is `None`.
macro_rules! table {
    ($(#[$doc:meta])* $name:ident { $($(#[$field_doc:meta])* $field:ident: $type:ty),+ $(,)? }) => {
        $(#[$doc])*
        #[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
        #[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
        pub struct $name {
            $($(#[$field_doc])* #[serde(skip_serializing_if = "Option::is_none")] pub $field: Option<$type>,)+
        }
    };
}

table! {
    /// `[board]`: the usual board, and what the stores are for.
    BoardSpec {
        /// Pits a row; default 7.
        pits: u16,
        /// Seeds a pit at the start; default 7.
        seeds: u16,
        /// Default `sown`.
        stores: StoresKind,
    }
}

table! {
    /// `[sowing]`.
    SowingSpec {
        /// Default `landing`.
        relay: RelayKind,
        /// Default `[1]`; only with `relay = "landing"`.
        stop_at: Vec<u16>,
        /// Default `normal`.
        origin: Origin,
        /// Default 1.
        min_seeds: u16,
        /// Default `none`.
        bonus_move: BonusMove,
        /// Default `end`.
        bonus_on_empty_row: BonusOnEmptyRow,
        /// Default `illegal`.
        endless: Endless,
    }
}

table! {
    /// `[capture]`: one table a kind, absent ones are off.
    CaptureSpec {
        /// `[capture.opposite]`.
        opposite: OppositeSpec,
        /// `[capture.sandwich]`.
        sandwich: SandwichSpec,
        /// `[capture.count]`.
        count: CountSpec,
        /// `[capture.beyond-gap]`.
        beyond_gap: BeyondGapSpec,
    }
}

table! {
    /// `[capture.opposite]`.
    OppositeSpec {
        /// Default true.
        enabled: bool,
        /// Default `leave`.
        landing_seed: LandingSeed,
        /// Default false.
        require_visit: bool,
    }
}

table! {
    /// `[capture.sandwich]`.
    SandwichSpec {
        /// Default true.
        enabled: bool,
    }
}

table! {
    /// `[capture.count]`.
    CountSpec {
        /// Default true.
        enabled: bool,
        /// Default `[2, 4]`.
        counts: Vec<u16>,
        /// Default `any`.
        side: CountSide,
        /// Default `back`.
        chain: Chain,
        /// Default `legal`.
        grand_slam: GrandSlam,
    }
}

table! {
    /// `[capture.beyond-gap]`.
    BeyondGapSpec {
        /// Default true.
        enabled: bool,
        /// Default true.
        chain: bool,
        /// Default true.
        wrap: bool,
    }
}

table! {
    /// `[feeding]`.
    FeedingSpec {
        /// Default `none`.
        rule: Feeding,
    }
}

table! {
    /// `[end]`.
    EndSpec {
        /// Default `mover-empty`.
        when: EndWhen,
        /// Default `end`.
        no_move: NoMove,
        /// Default false.
        one_each: bool,
        /// Default `opponent`.
        remainder: Remainder,
        /// Default 0.
        gift: u16,
        /// Default `none`.
        cycle: Cycle,
    }
}

table! {
    /// `[rounds]`.
    RoundsSpec {
        /// Default `single`.
        kind: RoundsKind,
        /// Default `after-own-row`.
        sons: Sons,
        /// Default `gift`.
        lending: Lending,
        /// Default `other`.
        tie_starter: TieStarter,
        /// Default `split`.
        repeat: Repeat,
    }
}

/// The word of `board.stores`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum StoresKind {
    /// The own store is a slot of the circuit.
    #[default]
    Sown,
    /// Stores receive captures and the settlement only.
    Scored,
}

/// The word of `sowing.relay`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RelayKind {
    /// A move is one lap.
    Single,
    /// The last pit is lifted.
    #[default]
    Landing,
    /// The pit after the last one is lifted.
    Next,
}

/// The word of `sowing.bonus-move`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BonusMove {
    /// No bonus move.
    #[default]
    None,
    /// A last seed in the own store earns one.
    OwnStore,
}

/// The word of `capture.count.chain`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Chain {
    /// Only the last pit is taken.
    None,
    /// Pits before it are taken too while they qualify.
    #[default]
    Back,
}

/// The word of `rounds.kind`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RoundsKind {
    /// The game is one round.
    #[default]
    Single,
    /// Rounds are refilled, and the winner conquers pits.
    Territory,
}

impl RuleSpec {
    /// Reads the written form from TOML and checks every key and value, though not yet how they go together.
    ///
    /// # Errors
    /// If the text is not TOML, or has an unknown key or a value that its key does not take.
    pub fn from_toml(text: &str) -> Result<RuleSpec, RuleError> {
        let table: toml::Table = text.parse().map_err(|error| check::syntax(text, &error))?;
        if table.is_empty() {
            return Err(RuleError::Empty);
        }
        RuleSpec::from_table(table).map_err(|error| check::locate(text, error))
    }

    pub(super) fn from_table(table: toml::Table) -> Result<RuleSpec, RuleError> {
        check::check(&table)?;
        // The check above has accepted every key and value by name, so this only fails if it and the types disagree.
        table.try_into().map_err(|error: toml::de::Error| RuleError::Syntax { line: 1, message: error.message().to_owned() })
    }

    pub(super) fn to_table(&self) -> toml::Table {
        // A spec holds strings, numbers, flags and tables with string keys: all of TOML's own kinds.
        toml::Table::try_from(self).unwrap_or_default()
    }
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

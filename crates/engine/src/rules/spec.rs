//! The written form of rules: a TOML document whose absent keys take documented defaults.
//!
//! Every field of a [`RuleSpec`] is optional; `None` stands for the default that its comment names. Turning a spec into a
//! [`RuleSet`] checks each value, refuses contradictions and drops keys that have no effect. A capture table that is absent is
//! off, one that is present is on unless it says `enabled = false`; a table that is off may hold any accepted values, they are
//! dropped.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{
    About, BeyondGapCapture, BonusOnEmptyRow, Captures, CountCapture, CountSide, Cycle, End, EndWhen, Endless, Feeding,
    GrandSlam, LandingSeed, Lending, NoMove, OppositeCapture, Origin, Reading, Relay, Remainder, Repeat, Rounds, RuleError,
    RuleSet, Rules, Sons, Sowing, Stores, TieStarter, clash, keys,
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

/// Default of `sowing.stop-at`.
pub(super) const STOP_AT: &[u16] = &[1];
const COUNTS: &[u16] = &[2, 4];
const UNNAMED: &str = "unnamed";

impl RuleSet {
    /// Reads rules from TOML.
    ///
    /// # Errors
    /// If the text is not TOML, has an unknown key or a value that its key does not take, or its keys contradict each other.
    pub fn from_toml(text: &str) -> Result<RuleSet, RuleError> {
        RuleSet::from_spec(RuleSpec::from_toml(text)?)
    }

    /// Checks rules and drops the keys that have no effect.
    ///
    /// # Errors
    /// If a value is not one its key takes, or two keys contradict each other.
    pub fn from_spec(spec: RuleSpec) -> Result<RuleSet, RuleError> {
        keys::check(&spec.to_table())?;
        clash::check(&spec)?;
        let usual_board = clash::board(&spec.board)?;
        Ok(RuleSet(Rules {
            name: spec.name.unwrap_or_else(|| UNNAMED.to_owned()),
            about: tidy(spec.about),
            usual_board,
            stores: stores(&spec.board, &spec.sowing),
            sowing: sowing(spec.sowing),
            capture: captures(spec.capture),
            feeding: spec.feeding.rule.unwrap_or_default(),
            end: end(&spec.end),
            rounds: rounds(&spec.rounds),
            readings: spec.readings,
        }))
    }

    /// The written form: every key that has an effect, defaults included.
    pub fn to_spec(&self) -> RuleSpec {
        let sowing = SowingSpec {
            relay: Some(match self.sowing.relay {
                Relay::Single => RelayKind::Single,
                Relay::Landing { .. } => RelayKind::Landing,
                Relay::Next => RelayKind::Next,
            }),
            stop_at: match &self.sowing.relay {
                Relay::Landing { stop_at } => Some(stop_at.clone()),
                _ => None,
            },
            origin: Some(self.sowing.origin),
            min_seeds: Some(self.sowing.min_seeds),
            bonus_move: match self.stores {
                Stores::Scored => None,
                Stores::Sown { bonus: None } => Some(BonusMove::None),
                Stores::Sown { bonus: Some(_) } => Some(BonusMove::OwnStore),
            },
            bonus_on_empty_row: match self.stores {
                Stores::Sown { bonus } => bonus,
                Stores::Scored => None,
            },
            endless: self.can_be_endless().then_some(self.sowing.endless),
        };
        RuleSpec {
            name: Some(self.name.clone()),
            about: self.about.clone(),
            board: BoardSpec {
                pits: Some(self.usual_board.pits() as u16),
                seeds: Some(self.usual_board.seeds() as u16),
                stores: Some(if self.stores == Stores::Scored { StoresKind::Scored } else { StoresKind::Sown }),
            },
            sowing,
            capture: capture_spec(&self.capture),
            feeding: FeedingSpec { rule: Some(self.feeding) },
            end: EndSpec {
                when: Some(self.end.when),
                no_move: Some(self.end.no_move),
                one_each: Some(self.end.one_each),
                remainder: Some(self.end.remainder),
                gift: Some(self.end.gift),
                cycle: self.can_repeat().then_some(self.end.cycle),
            },
            rounds: rounds_spec(self.rounds),
            readings: self.readings.clone(),
        }
    }

    /// The rules as TOML, with every key that has an effect; [`RuleSet::from_toml`] reads it back to the same rules.
    pub fn to_toml(&self) -> String {
        let mut rest = self.to_spec();
        let words = RuleSpec { name: rest.name.take(), about: std::mem::take(&mut rest.about), ..RuleSpec::default() };
        // Long texts read well over several lines, short lists on one. A spec holds nothing that TOML cannot write.
        let words = toml::to_string_pretty(&words).unwrap_or_default();
        let rest = toml::to_string(&rest).unwrap_or_default();
        format!("{words}\n{rest}")
    }
}

impl RuleSpec {
    /// Reads the written form from TOML and checks every key and value, though not yet how they go together.
    ///
    /// # Errors
    /// If the text is not TOML, or has an unknown key or a value that its key does not take.
    pub fn from_toml(text: &str) -> Result<RuleSpec, RuleError> {
        let table: toml::Table = text.parse().map_err(|error| keys::syntax(text, &error))?;
        RuleSpec::from_table(table).map_err(|error| keys::locate(text, error))
    }

    pub(super) fn from_table(table: toml::Table) -> Result<RuleSpec, RuleError> {
        keys::check(&table)?;
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

fn sorted(mut numbers: Vec<u16>) -> Vec<u16> {
    numbers.sort_unstable();
    numbers.dedup();
    numbers
}

/// Joins the lines of a paragraph, so that a text may be wrapped in the file and anew on the screen.
fn tidy(mut about: About) -> About {
    let paragraphs: Vec<String> = about
        .description
        .replace("\r\n", "\n")
        .split("\n\n")
        .map(|paragraph| paragraph.split_whitespace().collect::<Vec<_>>().join(" "))
        .filter(|paragraph| !paragraph.is_empty())
        .collect();
    about.description = paragraphs.join("\n\n");
    about
}

fn stores(board: &BoardSpec, sowing: &SowingSpec) -> Stores {
    match board.stores.unwrap_or_default() {
        StoresKind::Scored => Stores::Scored,
        StoresKind::Sown => Stores::Sown {
            bonus: match sowing.bonus_move.unwrap_or_default() {
                BonusMove::None => None,
                BonusMove::OwnStore => Some(sowing.bonus_on_empty_row.unwrap_or_default()),
            },
        },
    }
}

fn sowing(spec: SowingSpec) -> Sowing {
    Sowing {
        relay: match spec.relay.unwrap_or_default() {
            RelayKind::Single => Relay::Single,
            RelayKind::Landing => Relay::Landing { stop_at: sorted(spec.stop_at.unwrap_or_else(|| STOP_AT.to_vec())) },
            RelayKind::Next => Relay::Next,
        },
        origin: spec.origin.unwrap_or_default(),
        min_seeds: spec.min_seeds.unwrap_or(1),
        endless: spec.endless.unwrap_or_default(),
    }
}

fn captures(spec: CaptureSpec) -> Captures {
    Captures {
        opposite: spec.opposite.filter(|table| table.enabled.unwrap_or(true)).map(|table| OppositeCapture {
            landing_seed: table.landing_seed.unwrap_or_default(),
            require_visit: table.require_visit.unwrap_or(false),
        }),
        sandwich: spec.sandwich.is_some_and(|table| table.enabled.unwrap_or(true)),
        count: spec.count.filter(|table| table.enabled.unwrap_or(true)).map(|table| CountCapture {
            counts: table.counts(),
            side: table.side.unwrap_or_default(),
            chain_back: table.chain.unwrap_or_default() == Chain::Back,
            grand_slam: table.grand_slam.unwrap_or_default(),
        }),
        beyond_gap: spec
            .beyond_gap
            .filter(|table| table.enabled.unwrap_or(true))
            .map(|table| BeyondGapCapture { chain: table.chain.unwrap_or(true), wrap: table.wrap.unwrap_or(true) }),
    }
}

impl CountSpec {
    /// The numbers that are taken, sorted.
    pub(super) fn counts(&self) -> Vec<u16> {
        sorted(self.counts.clone().unwrap_or_else(|| COUNTS.to_vec()))
    }
}

fn capture_spec(capture: &Captures) -> CaptureSpec {
    CaptureSpec {
        opposite: capture.opposite.map(|opposite| OppositeSpec {
            enabled: None,
            landing_seed: Some(opposite.landing_seed),
            require_visit: Some(opposite.require_visit),
        }),
        sandwich: capture.sandwich.then_some(SandwichSpec { enabled: Some(true) }),
        count: capture.count.as_ref().map(|count| CountSpec {
            enabled: None,
            counts: Some(count.counts.clone()),
            side: Some(count.side),
            chain: Some(if count.chain_back { Chain::Back } else { Chain::None }),
            grand_slam: Some(count.grand_slam),
        }),
        beyond_gap: capture.beyond_gap.map(|gap| BeyondGapSpec {
            enabled: None,
            chain: Some(gap.chain),
            wrap: gap.chain.then_some(gap.wrap),
        }),
    }
}

fn end(spec: &EndSpec) -> End {
    End {
        when: spec.when.unwrap_or_default(),
        no_move: spec.no_move.unwrap_or_default(),
        one_each: spec.one_each.unwrap_or(false),
        remainder: spec.remainder.unwrap_or_default(),
        gift: spec.gift.unwrap_or(0),
        cycle: spec.cycle.unwrap_or_default(),
    }
}

fn rounds(spec: &RoundsSpec) -> Rounds {
    match spec.kind.unwrap_or_default() {
        RoundsKind::Single => Rounds::Single,
        RoundsKind::Territory => Rounds::Territory {
            sons: spec.sons.unwrap_or_default(),
            lending: spec.lending.unwrap_or_default(),
            tie_starter: spec.tie_starter.unwrap_or_default(),
            repeat: spec.repeat.unwrap_or_default(),
        },
    }
}

fn rounds_spec(rounds: Rounds) -> RoundsSpec {
    match rounds {
        Rounds::Single => RoundsSpec { kind: Some(RoundsKind::Single), ..RoundsSpec::default() },
        Rounds::Territory { sons, lending, tie_starter, repeat } => RoundsSpec {
            kind: Some(RoundsKind::Territory),
            sons: Some(sons),
            lending: Some(lending),
            tie_starter: Some(tie_starter),
            repeat: Some(repeat),
        },
    }
}

/// The board that absent keys stand for.
pub(super) fn board_size(spec: &BoardSpec) -> (u16, u16) {
    (spec.pits.unwrap_or(7), spec.seeds.unwrap_or(7))
}

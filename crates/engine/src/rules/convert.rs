//! Between the written form of rules and the typed one.

use super::spec::{
    BeyondGapSpec, BoardSpec, BonusMove, CaptureSpec, Chain, CountSpec, EndSpec, FeedingSpec, OppositeSpec, RelayKind,
    RoundsKind, RoundsSpec, SandwichSpec, SowingSpec, StoresKind,
};
use super::{
    About, BeyondGapCapture, Captures, CountCapture, End, OppositeCapture, Relay, Rounds, RuleError, RuleSet, RuleSpec, Rules,
    Sowing, Stores, check, clash,
};

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
        check::check(&spec.to_table())?;
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

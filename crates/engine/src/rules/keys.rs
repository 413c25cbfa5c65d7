//! The keys of rule files: which there are, and what each takes.

use toml::Value;

use super::spec::{BonusMove, Chain, RelayKind, RoundsKind, StoresKind};
use super::{
    BonusOnEmptyRow, CountSide, Cycle, EndWhen, Endless, Feeding, GrandSlam, LandingSeed, Lending, NoMove, Origin, Remainder,
    Repeat, Sons, TieStarter,
};
use crate::position::{MAX_PITS, MAX_SEEDS};

/// One key.
pub(super) struct Key {
    /// Dotted path.
    pub(super) path: &'static str,
    kind: Kind,
}

/// What a key takes.
enum Kind {
    Text,
    Texts,
    Flag,
    Number(i64, i64),
    Numbers,
    Choice(&'static [&'static str]),
    EndWhen,
}

const SEEDS: i64 = MAX_SEEDS as i64;
const PITS: i64 = MAX_PITS as i64;

const fn key(path: &'static str, kind: Kind) -> Key {
    Key { path, kind }
}

/// All keys, in the order in which they are documented.
pub(super) const KEYS: &[Key] = &[
    key("name", Kind::Text),
    key("about.description", Kind::Text),
    key("about.sources", Kind::Texts),
    key("about.notes", Kind::Texts),
    key("about.not-modelled", Kind::Texts),
    key("about.words.opposite", Kind::Text),
    key("about.words.sandwich", Kind::Text),
    key("about.words.count", Kind::Text),
    key("about.words.beyond-gap", Kind::Text),
    key("about.words.store", Kind::Text),
    key("about.words.son", Kind::Text),
    key("board.pits", Kind::Number(1, PITS)),
    key("board.seeds", Kind::Number(1, SEEDS)),
    key("board.stores", Kind::Choice(StoresKind::WORDS)),
    key("sowing.relay", Kind::Choice(RelayKind::WORDS)),
    key("sowing.stop-at", Kind::Numbers),
    key("sowing.origin", Kind::Choice(Origin::WORDS)),
    key("sowing.min-seeds", Kind::Number(1, SEEDS)),
    key("sowing.bonus-move", Kind::Choice(BonusMove::WORDS)),
    key("sowing.bonus-on-empty-row", Kind::Choice(BonusOnEmptyRow::WORDS)),
    key("sowing.endless", Kind::Choice(Endless::WORDS)),
    key("capture.opposite.enabled", Kind::Flag),
    key("capture.opposite.landing-seed", Kind::Choice(LandingSeed::WORDS)),
    key("capture.opposite.require-visit", Kind::Flag),
    key("capture.sandwich.enabled", Kind::Flag),
    key("capture.count.enabled", Kind::Flag),
    key("capture.count.counts", Kind::Numbers),
    key("capture.count.side", Kind::Choice(CountSide::WORDS)),
    key("capture.count.chain", Kind::Choice(Chain::WORDS)),
    key("capture.count.grand-slam", Kind::Choice(GrandSlam::WORDS)),
    key("capture.beyond-gap.enabled", Kind::Flag),
    key("capture.beyond-gap.chain", Kind::Flag),
    key("capture.beyond-gap.wrap", Kind::Flag),
    key("feeding.rule", Kind::Choice(Feeding::WORDS)),
    key("end.when", Kind::EndWhen),
    key("end.no-move", Kind::Choice(NoMove::WORDS)),
    key("end.one-each", Kind::Flag),
    key("end.remainder", Kind::Choice(Remainder::WORDS)),
    key("end.gift", Kind::Number(0, SEEDS)),
    key("end.cycle", Kind::Choice(Cycle::WORDS)),
    key("rounds.kind", Kind::Choice(RoundsKind::WORDS)),
    key("rounds.sons", Kind::Choice(Sons::WORDS)),
    key("rounds.lending", Kind::Choice(Lending::WORDS)),
    key("rounds.tie-starter", Kind::Choice(TieStarter::WORDS)),
    key("rounds.repeat", Kind::Choice(Repeat::WORDS)),
];

impl Key {
    /// Whether the key takes this value.
    pub(super) fn accepts(&self, value: &Value) -> bool {
        let number = |value: &Value, low, high| value.as_integer().is_some_and(|n| (low..=high).contains(&n));
        match (&self.kind, value) {
            (Kind::Text, value) => value.is_str(),
            (Kind::Texts, Value::Array(texts)) => texts.iter().all(Value::is_str),
            (Kind::Flag, value) => value.is_bool(),
            (Kind::Number(low, high), value) => number(value, *low, *high),
            (Kind::Numbers, Value::Array(numbers)) => !numbers.is_empty() && numbers.iter().all(|value| number(value, 1, SEEDS)),
            (Kind::Choice(words), Value::String(word)) => words.contains(&word.as_str()),
            (Kind::EndWhen, Value::String(word)) => match word.parse() {
                Ok(EndWhen::FewerThan(seeds)) => (1..=SEEDS).contains(&i64::from(seeds)),
                Ok(_) => true,
                Err(()) => false,
            },
            _ => false,
        }
    }

    /// What the key takes, in words.
    pub(super) fn accepted(&self) -> String {
        match &self.kind {
            Kind::Text => "a text".to_owned(),
            Kind::Texts => "a list of texts".to_owned(),
            Kind::Flag => "true or false".to_owned(),
            Kind::Number(low, high) => format!("a number from {low} to {high}"),
            Kind::Numbers => format!("a list such as [1, 2] of one or more numbers from 1 to {SEEDS}"),
            Kind::Choice(words) => format!("one of {}", words.join(", ")),
            Kind::EndWhen => format!("one of {} (K from 1 to {SEEDS})", EndWhen::WORDS.join(", ")),
        }
    }
}

/// The key of this path.
pub(super) fn find(path: &str) -> Option<&'static Key> {
    KEYS.iter().find(|key| key.path == path)
}

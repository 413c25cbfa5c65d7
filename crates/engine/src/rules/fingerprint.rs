//! Fingerprints of rules, and the canonical text they are taken from.
//!
//! # The canonical form
//!
//! UTF-8 text; every line ends with one line feed, the last one too. The first line is `lumbung-rules 1`. Then one line
//! `key=value` for every key that has an effect under these rules, defaults included, in the order of the table below. Words and
//! numbers stand as in a rule file but without quotes, flags as `true` and `false`, lists rising, without repeats and joined by
//! commas (`1,2,4`).
//!
//! | Key | Written |
//! |---|---|
//! | `board.stores`, `sowing.relay` | always |
//! | `sowing.stop-at` | with `relay=landing` |
//! | `sowing.origin`, `sowing.min-seeds` | always |
//! | `sowing.bonus-move` | with `stores=sown` |
//! | `sowing.bonus-on-empty-row` | with `bonus-move=own-store` |
//! | `sowing.endless` | with `stores=scored` and a relay other than `single` |
//! | `capture.opposite`, then `.landing-seed`, `.require-visit` | `on` or `off` always, the others if `on` |
//! | `capture.sandwich` | `on` or `off` always |
//! | `capture.count`, then `.counts`, `.side`, `.chain`, `.grand-slam` | `on` or `off` always, the others if `on` |
//! | `capture.beyond-gap`, then `.chain`, `.wrap` | `on` or `off` always, `.chain` if `on`, `.wrap` if `chain=true` |
//! | `feeding.rule`, `end.when`, `end.no-move`, `end.one-each`, `end.remainder`, `end.gift` | always |
//! | `end.cycle` | with `stores=scored` |
//!
//! The fingerprint is the BLAKE3 hash (32 bytes) of that text. It covers what decides play within a round: the name, what is said
//! about the rules, their readings and `[rounds]` are left out, and so is the usual board. Whoever states a fingerprint states
//! the board beside it; a table of seven pits a row then serves every start on seven pits.

use std::collections::BTreeMap;
use std::fmt::{self, Write as _};
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use thiserror::Error;

use super::{Relay, RuleSet, Stores};

/// The BLAKE3 hash of the canonical form of a rule set; written as 64 hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Fingerprint([u8; 32]);

/// Not a fingerprint.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0:?} is not a fingerprint: 64 hexadecimal digits, lower case")]
pub struct FingerprintError(String);

/// A canonical line in which two rule sets differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The key.
    pub key: String,
    /// Its value here; `None` where the key has no effect.
    pub mine: Option<String>,
    /// Its value there.
    pub theirs: Option<String>,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shown = |value: &Option<String>| value.clone().unwrap_or_else(|| "(no effect)".to_owned());
        write!(f, "{}: {} against {}", self.key, shown(&self.mine), shown(&self.theirs))
    }
}

impl Fingerprint {
    /// From its 32 bytes.
    pub fn from_bytes(bytes: [u8; 32]) -> Self {
        Fingerprint(bytes)
    }

    /// Its 32 bytes.
    pub fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }

    /// The first 12 digits: enough to tell rule sets apart on a screen, not to trust one.
    pub fn short(&self) -> String {
        self.to_string()[..12].to_owned()
    }
}

impl fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Fingerprint({self})")
    }
}

impl FromStr for Fingerprint {
    type Err = FingerprintError;

    fn from_str(text: &str) -> Result<Self, FingerprintError> {
        let wrong = || FingerprintError(text.to_owned());
        let digits: Vec<u8> = text
            .bytes()
            .map(|digit| match digit {
                b'0'..=b'9' => Some(digit - b'0'),
                b'a'..=b'f' => Some(digit - b'a' + 10),
                _ => None,
            })
            .collect::<Option<_>>()
            .ok_or_else(wrong)?;
        let bytes: Vec<u8> = digits.chunks(2).map(|pair| pair.iter().fold(0, |byte, digit| byte * 16 + digit)).collect();
        if digits.len() != 64 {
            return Err(wrong());
        }
        Ok(Fingerprint(bytes.try_into().map_err(|_| wrong())?))
    }
}

impl Serialize for Fingerprint {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Fingerprint {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

impl RuleSet {
    /// The fingerprint of what decides play within a round. State the board beside it.
    pub fn fingerprint(&self) -> Fingerprint {
        Fingerprint(*blake3::hash(self.canonical().as_bytes()).as_bytes())
    }

    /// The canonical text, as the [module](self) of fingerprints defines it.
    pub fn canonical(&self) -> String {
        let mut text = String::from("lumbung-rules 1\n");
        for (key, value) in self.canonical_lines() {
            // Writing to a string cannot fail.
            let _ = writeln!(text, "{key}={value}");
        }
        text
    }

    /// The keys in which play under these rules differs from play under `other`, in canonical order.
    pub fn differences(&self, other: &RuleSet) -> Vec<Difference> {
        let mine = self.canonical_lines();
        let theirs = other.canonical_lines();
        let their: BTreeMap<&str, &String> = theirs.iter().map(|(key, value)| (*key, value)).collect();
        let my: BTreeMap<&str, &String> = mine.iter().map(|(key, value)| (*key, value)).collect();
        let only_theirs = theirs.iter().filter(|(key, _)| !my.contains_key(key));
        mine.iter()
            .chain(only_theirs)
            .map(|(key, _)| Difference {
                key: (*key).to_owned(),
                mine: my.get(key).map(|value| (*value).clone()),
                theirs: their.get(key).map(|value| (*value).clone()),
            })
            .filter(|difference| difference.mine != difference.theirs)
            .collect()
    }

    fn canonical_lines(&self) -> Vec<(&'static str, String)> {
        let mut lines = Vec::new();
        let mut line = |key, value: &dyn fmt::Display| lines.push((key, value.to_string()));
        let on = |on| if on { "on" } else { "off" };
        line("board.stores", if self.stores == Stores::Scored { &"scored" } else { &"sown" });
        match &self.sowing.relay {
            Relay::Single => line("sowing.relay", &"single"),
            Relay::Landing { stop_at } => {
                line("sowing.relay", &"landing");
                line("sowing.stop-at", &joined(stop_at));
            }
            Relay::Next => line("sowing.relay", &"next"),
        }
        line("sowing.origin", &self.sowing.origin);
        line("sowing.min-seeds", &self.sowing.min_seeds);
        match self.stores {
            Stores::Sown { bonus: None } => line("sowing.bonus-move", &"none"),
            Stores::Sown { bonus: Some(on_empty_row) } => {
                line("sowing.bonus-move", &"own-store");
                line("sowing.bonus-on-empty-row", &on_empty_row);
            }
            Stores::Scored => {}
        }
        if self.can_be_endless() {
            line("sowing.endless", &self.sowing.endless);
        }
        line("capture.opposite", &on(self.capture.opposite.is_some()));
        if let Some(opposite) = &self.capture.opposite {
            line("capture.opposite.landing-seed", &opposite.landing_seed);
            line("capture.opposite.require-visit", &opposite.require_visit);
        }
        line("capture.sandwich", &on(self.capture.sandwich));
        line("capture.count", &on(self.capture.count.is_some()));
        if let Some(count) = &self.capture.count {
            line("capture.count.counts", &joined(&count.counts));
            line("capture.count.side", &count.side);
            line("capture.count.chain", if count.chain_back { &"back" } else { &"none" });
            line("capture.count.grand-slam", &count.grand_slam);
        }
        line("capture.beyond-gap", &on(self.capture.beyond_gap.is_some()));
        if let Some(gap) = &self.capture.beyond_gap {
            line("capture.beyond-gap.chain", &gap.chain);
            if gap.chain {
                line("capture.beyond-gap.wrap", &gap.wrap);
            }
        }
        line("feeding.rule", &self.feeding);
        line("end.when", &self.end.when);
        line("end.no-move", &self.end.no_move);
        line("end.one-each", &self.end.one_each);
        line("end.remainder", &self.end.remainder);
        line("end.gift", &self.end.gift);
        if self.can_repeat() {
            line("end.cycle", &self.end.cycle);
        }
        lines
    }
}

fn joined(numbers: &[u16]) -> String {
    numbers.iter().map(u16::to_string).collect::<Vec<_>>().join(",")
}

//! Under which readings a claim is checked, and which of them it depends on.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::check::Status;
use crate::exit::Failure;
use crate::rules::Chosen;

/// Combinations beyond these would take longer than anybody waits.
const MOST_READINGS: usize = 12;

/// Which readings besides the claim's own rules.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(from = "Words")]
pub(crate) enum Under {
    /// None.
    #[default]
    Own,
    /// Each named reading of the game, alone.
    Each,
    /// Every combination of the game's named readings.
    All,
    /// Every combination of these.
    Of(Vec<String>),
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Words {
    One(String),
    Many(Vec<String>),
}

impl From<Words> for Under {
    fn from(words: Words) -> Self {
        match words {
            Words::One(word) => Under::words(&[word]),
            Words::Many(words) => Under::words(&words),
        }
    }
}

impl Under {
    /// `own`, `all`, `each`, or names.
    pub(crate) fn words(words: &[String]) -> Self {
        match words {
            [] => Under::Own,
            [word] if word == "own" => Under::Own,
            [word] if word == "all" => Under::All,
            [word] if word == "each" => Under::Each,
            names => Under::Of(names.to_vec()),
        }
    }
}

/// Rules that a claim is checked under.
#[derive(Debug)]
pub(crate) struct Variant {
    /// Which of [`Variants::names`], a bit each.
    pub(crate) mask: u32,
    /// `default`, or the readings and changes joined by `+`.
    pub(crate) name: String,
    /// The readings added to the claim's own.
    pub(crate) added: Vec<String>,
}

/// The claim's own rules, and those under which it is to be checked besides.
#[derive(Debug)]
pub(crate) struct Variants {
    /// The readings that are combined.
    pub(crate) names: Vec<String>,
    /// Distinct rule sets, the claim's own first.
    pub(crate) distinct: Vec<Variant>,
    /// Combinations that decide play as a distinct one does: their bits, and its place.
    same: Vec<(u32, usize)>,
    /// Combinations that give a key two values, or rules that contradict each other.
    pub(crate) contradicting: usize,
}

impl Variants {
    /// Combines the readings that `under` asks for with `own` rules; `own` makes these afresh.
    ///
    /// The rules between rounds, which the fingerprint leaves out, tell rule sets apart if `rounds` says so.
    ///
    /// # Errors
    /// If a reading is unknown, or there are too many to combine.
    pub(crate) fn new(
        under: &Under,
        rounds: bool,
        own: impl Fn(&[String]) -> Result<Chosen, Failure>,
    ) -> Result<Variants, Failure> {
        let base = own(&[])?;
        let known: Vec<String> =
            base.rules.readings.keys().filter(|name| !base.readings.contains(name)).map(|name| name.to_string()).collect();
        let names = match under {
            Under::Own => Vec::new(),
            Under::Each | Under::All => known,
            Under::Of(names) => {
                // An unknown name is told as it is everywhere.
                for name in names {
                    own(&[])?.named(name)?;
                }
                names.clone()
            }
        };
        if names.len() > MOST_READINGS && *under != Under::Each {
            let count = names.len();
            return Err(Failure::new(format!(
                "{count} readings have too many combinations; name at most {MOST_READINGS}, or `each`"
            )));
        }
        let masks: Vec<u32> = match under {
            Under::Each => std::iter::once(0).chain((0..names.len()).map(|reading| 1 << reading)).collect(),
            _ => {
                let mut masks: Vec<u32> = (0..1 << names.len()).collect();
                masks.sort_by_key(|mask| (mask.count_ones(), mask.reverse_bits()));
                masks
            }
        };
        let mut variants = Variants { names, distinct: Vec::new(), same: Vec::new(), contradicting: 0 };
        let mut seen = BTreeMap::new();
        for mask in masks {
            let added: Vec<String> =
                variants.names.iter().enumerate().filter(|(bit, _)| mask >> bit & 1 == 1).map(|(_, name)| name.clone()).collect();
            let chosen = match own(&added) {
                Ok(chosen) => chosen,
                Err(failure) if mask == 0 => return Err(failure),
                Err(_) => {
                    variants.contradicting += 1;
                    continue;
                }
            };
            let next = variants.distinct.len();
            let between_rounds = rounds.then_some(chosen.rules.rounds);
            let plays = format!("{} {between_rounds:?}", chosen.rules.fingerprint());
            let place = *seen.entry(plays).or_insert(next);
            if place == next {
                let changes = [&chosen.readings[..], &chosen.set[..]].concat();
                let name = if changes.is_empty() { "default".to_owned() } else { changes.join("+") };
                variants.distinct.push(Variant { mask, name, added });
            }
            variants.same.push((mask, place));
        }
        Ok(variants)
    }

    /// The readings with which the status changes, other things being equal; open statuses tell nothing.
    pub(in crate::claim) fn depends_on(&self, statuses: &[Status]) -> Vec<String> {
        let settled: BTreeMap<u32, Status> = self
            .same
            .iter()
            .filter_map(|&(mask, place)| Some((mask, *statuses.get(place)?)))
            .filter(|(_, status)| *status != Status::Open)
            .collect();
        let matters = |bit: usize| {
            settled.iter().any(|(mask, status)| settled.get(&(mask ^ (1 << bit))).is_some_and(|other| other != status))
        };
        self.names.iter().enumerate().filter(|(bit, _)| matters(*bit)).map(|(_, name)| name.clone()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn own(added: &[String]) -> Result<Chosen, Failure> {
        Chosen::preset("dakon")?.changed(added, &[])
    }

    #[test]
    fn combinations_are_distinct_rule_sets() {
        let variants = Variants::new(&Under::All, false, own).unwrap();
        assert_eq!(variants.distinct[0].name, "default");
        let names: Vec<&str> = variants.distinct.iter().map(|variant| variant.name.as_str()).collect();
        assert!(names.contains(&"german-end") && names.contains(&"german-end+no-mikul"), "{names:?}");
        // german-end and must-pass end the game in different ways.
        assert!(!names.contains(&"german-end+must-pass"), "{names:?}");
        assert!(variants.contradicting > 0);
        let each = Variants::new(&Under::Each, false, own).unwrap();
        assert!(each.distinct.len() <= 1 + each.names.len());
        assert!(Variants::new(&Under::Of(vec!["nonsense".to_owned()]), false, own).is_err());
    }

    #[test]
    fn a_claim_depends_on_a_reading_if_the_reading_alone_changes_it() {
        let names = ["no-mikul", "visit-first"].map(str::to_owned).to_vec();
        let variants = Variants::new(&Under::Of(names), false, own).unwrap();
        assert_eq!(variants.distinct.len(), 4);
        let place = |name: &str| variants.distinct.iter().position(|variant| variant.name == name).unwrap();
        let mut statuses = [Status::Holds; 4];
        assert!(variants.depends_on(&statuses).is_empty());
        statuses[place("no-mikul")] = Status::Refuted;
        statuses[place("no-mikul+visit-first")] = Status::Refuted;
        assert_eq!(variants.depends_on(&statuses), ["no-mikul"]);
        statuses[place("no-mikul+visit-first")] = Status::Open;
        assert_eq!(variants.depends_on(&statuses), ["no-mikul"]);
    }
}

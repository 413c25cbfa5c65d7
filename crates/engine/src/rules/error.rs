//! What can be wrong with rules, each in one line that names the key and what would be accepted.

use thiserror::Error;

use crate::position::BoardError;

/// Rules that cannot be.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum RuleError {
    /// Not TOML.
    #[error("line {line}: {message}")]
    Syntax {
        /// Line of the text, from 1.
        line: usize,
        /// What the reader stumbled over.
        message: String,
    },
    /// A file that says nothing at all.
    #[error("the file holds no key of a rule set")]
    Empty,
    /// A key that no rule has.
    #[error("{}unknown key {key}{}", place(*.line), after(.hint))]
    UnknownKey {
        /// The dotted path.
        key: String,
        /// Line of the text, from 1, if the key came from a text.
        line: Option<usize>,
        /// Near keys, or the keys of the table; empty if nothing is near.
        hint: String,
    },
    /// A value that the key does not take.
    #[error("{}{key} = {value} is not accepted; {key} is {accepted}", place(*.line))]
    Value {
        /// The dotted path.
        key: String,
        /// The value as written.
        value: String,
        /// What would be accepted.
        accepted: String,
        /// Line of the text, from 1, if the value came from a text.
        line: Option<usize>,
    },
    /// A usual board that cannot be.
    #[error("board.pits = {pits} with board.seeds = {seeds}: {source}")]
    Board {
        /// Pits a row.
        pits: u16,
        /// Seeds a pit.
        seeds: u16,
        /// Why.
        source: BoardError,
    },
    /// Two keys that contradict each other, or of which one leaves the other without effect.
    #[error("{key} = {value} does not go with {other} = {other_value}: {why}")]
    Clash {
        /// One key.
        key: &'static str,
        /// Its value.
        value: String,
        /// The other key.
        other: &'static str,
        /// Its value.
        other_value: String,
        /// Why they clash.
        why: &'static str,
    },
}

/// A change of rules that cannot be made.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SetError {
    /// Not of the form `key=value`.
    #[error("{0:?} is not of the form key=value, for instance end.when=any-row-empty")]
    Form(String),
    /// The rule set has no reading of this name.
    #[error("{rules} has no reading {name:?}; {}", names(.known))]
    UnknownReading {
        /// The rule set's name.
        rules: String,
        /// The reading asked for.
        name: String,
        /// The readings it has.
        known: Vec<String>,
    },
    /// Two sources of equal rank give a key different values.
    #[error("{key} is set twice, by {first} and by {second}; give one of them")]
    Twice {
        /// The dotted path.
        key: String,
        /// The reading or the assignment that came first.
        first: String,
        /// The one that contradicts it.
        second: String,
    },
    /// A key of a capture that is off.
    #[error("{by}: {capture} is off; {capture}.enabled=true switches it on")]
    Off {
        /// The dotted path.
        key: String,
        /// The reading or the assignment that sets it.
        by: String,
        /// The capture, as a dotted path.
        capture: String,
    },
    /// The rules that would result cannot be.
    #[error(transparent)]
    Rules(#[from] RuleError),
}

fn place(line: Option<usize>) -> String {
    line.map(|line| format!("line {line}: ")).unwrap_or_default()
}

fn after(hint: &str) -> String {
    if hint.is_empty() { String::new() } else { format!("; {hint}") }
}

fn names(names: &[String]) -> String {
    if names.is_empty() { "it has none".to_owned() } else { format!("it has {}", names.join(", ")) }
}

//! A printed figure, and what became of it here.

use std::fmt::Display;

use serde::{Deserialize, Serialize};

use crate::units::{self, counted};
use crate::work;

/// What became of a printed figure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Status {
    /// The same was found.
    Agrees,
    /// Something else was found.
    Differs,
    /// The same was found under another reading of the rules than the paper's.
    Depends,
    /// Not found within the limits.
    OutOfReach,
    /// Something else was found, and there is evidence that the figure is misprinted.
    Misprint,
}

impl Status {
    pub(super) const ALL: [Status; 5] = [Status::Agrees, Status::Differs, Status::Depends, Status::OutOfReach, Status::Misprint];

    pub(super) fn word(self) -> &'static str {
        match self {
            Status::Agrees => "agrees",
            Status::Differs => "DIFFERS",
            Status::Depends => "depends",
            Status::OutOfReach => "out of reach",
            Status::Misprint => "misprint",
        }
    }
}

/// What it would take to find a figure that is out of reach.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Need {
    /// Positions to be visited, or of the table.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) positions: Option<u64>,
    /// Bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) memory: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) seconds: Option<f64>,
    /// Where these figures come from.
    pub(super) says: String,
}

impl Need {
    /// In a line: `1,234 positions, 2.0 GiB, 3 h 20 min: what says so`.
    pub(super) fn words(&self) -> String {
        let figures: Vec<String> = [
            self.positions.map(|positions| counted(positions, "position")),
            self.memory.map(units::bytes),
            self.seconds.map(work::time),
        ]
        .into_iter()
        .flatten()
        .collect();
        if figures.is_empty() { self.says.clone() } else { format!("{}: {}", figures.join(", "), self.says) }
    }
}

/// See the [module](self).
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct Cell {
    pub(super) table: String,
    pub(super) cell: String,
    pub(super) printed: String,
    /// Nothing, if it is out of reach.
    pub(super) found: Option<String>,
    pub(super) status: Status,
    /// Evidence for a misprint, a reading, how it was found.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) note: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) need: Option<Need>,
}

impl Cell {
    /// A figure against what was found.
    pub(super) fn new(table: &str, cell: impl Display, printed: impl Display, found: impl Display) -> Cell {
        let (printed, found) = (printed.to_string(), found.to_string());
        let status = if printed == found { Status::Agrees } else { Status::Differs };
        Cell { table: table.to_owned(), cell: cell.to_string(), printed, found: Some(found), status, note: None, need: None }
    }

    /// A figure that was not found.
    pub(super) fn out_of_reach(table: &str, cell: impl Display, printed: impl Display, need: Need) -> Cell {
        Cell {
            table: table.to_owned(),
            cell: cell.to_string(),
            printed: printed.to_string(),
            found: None,
            status: Status::OutOfReach,
            note: None,
            need: Some(need),
        }
    }

    /// Whether it agrees, told by other means than equal words.
    pub(super) fn agreeing(mut self, agrees: bool) -> Cell {
        self.status = if agrees { Status::Agrees } else { Status::Differs };
        self
    }

    pub(super) fn note(mut self, note: impl Into<String>) -> Cell {
        self.note = Some(note.into());
        self
    }

    /// A figure known to be misprinted, if what was found is what the evidence says; otherwise it differs.
    pub(super) fn misprint(mut self, expected: impl Display, evidence: &str) -> Cell {
        if self.status == Status::Differs && self.found.as_deref() == Some(&expected.to_string()) {
            self.status = Status::Misprint;
            self.note = Some(evidence.to_owned());
        }
        self
    }
}

/// How a number was printed: `106206`, `4.11e9`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Printed {
    /// In full, or correctly rounded.
    Rounded,
    /// With its last places cut off.
    Cut,
    /// It is another number.
    Other,
}

impl Printed {
    pub(super) fn of(number: u128, printed: &str) -> Self {
        let Some((mantissa, exponent)) = printed.split_once('e') else {
            return if number.to_string() == printed { Printed::Rounded } else { Printed::Other };
        };
        let digits = mantissa.replace('.', "");
        if scientific(number, digits.len() - 1) == printed {
            return Printed::Rounded;
        }
        let number = number.to_string();
        let as_long = exponent.parse().is_ok_and(|exponent: usize| number.len() == exponent + 1);
        if as_long && number.starts_with(&digits) { Printed::Cut } else { Printed::Other }
    }
}

/// A number with so many places behind the point: `4.11e9`.
pub(super) fn scientific(number: u128, places: usize) -> String {
    format!("{:.places$e}", number as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounded_figures_are_held_against_rounded_numbers() {
        assert_eq!(Printed::of(106_206, "106206"), Printed::Rounded);
        assert_eq!(Printed::of(106_260, "106206"), Printed::Other);
        assert_eq!(Printed::of(4_113_257_120, "4.11e9"), Printed::Rounded);
        assert_eq!(Printed::of(4_123_257_120, "4.11e9"), Printed::Other);
        assert_eq!(Printed::of(17_962_972_000, "1.80e10"), Printed::Rounded);
        assert_eq!(Printed::of(6_318_923_936, "6.31e9"), Printed::Cut);
        assert_eq!(Printed::of(63_189_239_360, "6.31e9"), Printed::Other);
    }

    #[test]
    fn a_misprint_needs_the_number_that_the_evidence_names() {
        let cell = Cell::new("2", "2x5", 106_206, 106_260);
        assert_eq!(cell.status, Status::Differs);
        assert_eq!(cell.clone().misprint(106_260, "formula").status, Status::Misprint);
        assert_eq!(cell.misprint(106_261, "formula").status, Status::Differs);
        assert_eq!(Cell::new("2", "2x5", 7, 7).misprint(7, "formula").status, Status::Agrees);
    }
}

//! Positions as text, and whether one fits the rules.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use super::{NotationError, quoted};
use crate::position::{MAX_PITS, MAX_SEEDS, Owners, Position, Side};
use crate::rules::{Rounds, Rules};

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (south, north) = self.board.split_at(self.pits());
        write_row(f, south)?;
        f.write_str("/")?;
        write_row(f, north)?;
        write!(f, "/{},{}/{}", self.stores[0], self.stores[1], letter(self.to_move))?;
        if self.owners.are_rows() { Ok(()) } else { write!(f, "/{}", self.owners) }
    }
}

impl fmt::Display for Owners {
    /// One letter a pit in ring order: `sssssssnnn`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (0..2 * self.pits()).try_for_each(|ring| write!(f, "{}", letter(self.of(ring))))
    }
}

fn write_row(f: &mut fmt::Formatter<'_>, row: &[u16]) -> fmt::Result {
    for (pit, seeds) in row.iter().enumerate() {
        write!(f, "{}{seeds}", if pit == 0 { "" } else { "," })?;
    }
    Ok(())
}

/// `s` or `n`.
pub(super) fn letter(side: Side) -> char {
    match side {
        Side::South => 's',
        Side::North => 'n',
    }
}

impl FromStr for Position {
    type Err = NotationError;

    fn from_str(text: &str) -> Result<Self, NotationError> {
        let mut reader = Reader { text, total: 0 };
        let parts = split(text, 0, text, '/');
        let &(at, south) = parts.first().unwrap_or(&(0, ""));
        let mut board = reader.row(at, south)?;
        let pits = board.len();
        let Some(&(at, north)) = parts.get(1) else {
            return Err(reader.error(text.len(), "North's row is missing; a position starts <south row>/<north row>"));
        };
        let north = reader.row(at, north)?;
        if north.len() != pits {
            return Err(reader.error(at, format!("North's row has {}, South's {pits}", counted(north.len(), "pit"))));
        }
        board.extend(north);
        let stores = parts.get(2).map_or(Ok([0, 0]), |&(at, part)| reader.stores(at, part))?;
        let to_move = parts.get(3).map_or(Ok(Side::South), |&(at, part)| reader.side(at, part))?;
        let owners = parts.get(4).map_or(Ok(Owners::rows(pits)), |&(at, part)| reader.owners(at, part, pits))?;
        if let Some(&(at, _)) = parts.get(5) {
            return Err(reader.error(at, "nothing may follow the owners"));
        }
        Ok(Position { board, stores, to_move, owners })
    }
}

impl Owners {
    /// One letter a pit, where that has to be stated: `None` where each player owns her own row.
    pub fn stated(self) -> Option<String> {
        (!self.are_rows()).then(|| self.to_string())
    }
}

impl FromStr for Owners {
    type Err = NotationError;

    /// Reads one letter a pit, in ring order: `sssssssnnn`.
    fn from_str(text: &str) -> Result<Self, NotationError> {
        let error = |message| Err(NotationError::at("owners", text, text.len(), message));
        let named = text.chars().count();
        if named == 0 || named % 2 == 1 || named > 2 * MAX_PITS {
            return error(format!("{} for the pits of a board, which has two rows of 1 to {MAX_PITS}", counted(named, "owner")));
        }
        let south = letters(text, named).map_err(|(offset, message)| NotationError::at("owners", text, offset, message))?;
        Ok(Owners::from_bits(south, named / 2))
    }
}

/// The pits among the first `most` that South owns, as bits, from one letter a pit; or where a letter is wrong, and how.
fn letters(text: &str, most: usize) -> Result<u64, (usize, String)> {
    let owners = text.char_indices().take(most).enumerate();
    owners
        .map(|(ring, (offset, owner))| match owner {
            's' => Ok(1 << ring),
            'n' => Ok(0),
            _ => Err((offset, format!("{owner:?} is not an owner; write s or n"))),
        })
        .sum()
}

/// Reads the parts of a position, counting its seeds.
struct Reader<'t> {
    text: &'t str,
    total: usize,
}

impl Reader<'_> {
    fn error(&self, offset: usize, message: impl Into<String>) -> NotationError {
        NotationError::at("position", self.text, offset, message)
    }

    fn row(&mut self, at: usize, part: &str) -> Result<Vec<u16>, NotationError> {
        let numbers = split(self.text, at, part, ',');
        if let Some(&(at, _)) = numbers.get(MAX_PITS) {
            let message = format!("a row has at most {MAX_PITS} pits, this one {}", numbers.len());
            return Err(self.error(at, message));
        }
        numbers.into_iter().map(|(at, number)| self.seeds(at, number)).collect()
    }

    fn seeds(&mut self, at: usize, number: &str) -> Result<u16, NotationError> {
        if number.is_empty() {
            return Err(self.error(at, "a number of seeds is missing"));
        }
        if !number.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(self.error(at, format!("{} is not a number of seeds", quoted(number))));
        }
        let seeds = number.parse().ok().filter(|&seeds| usize::from(seeds) <= MAX_SEEDS);
        let Some(seeds) = seeds else {
            return Err(self.error(at, format!("{number:.20} seeds are too many; a board holds at most {MAX_SEEDS}")));
        };
        self.total += usize::from(seeds);
        if self.total > MAX_SEEDS {
            let message = format!("{} seeds up to here; a board holds at most {MAX_SEEDS}, stores included", self.total);
            return Err(self.error(at, message));
        }
        Ok(seeds)
    }

    fn stores(&mut self, at: usize, part: &str) -> Result<[u16; 2], NotationError> {
        let numbers = split(self.text, at, part, ',');
        let [(south_at, south), (north_at, north)] = numbers[..] else {
            let message = format!("{} is not South's store and North's, for instance 0,0", quoted(part));
            return Err(self.error(at, message));
        };
        Ok([self.seeds(south_at, south)?, self.seeds(north_at, north)?])
    }

    fn side(&self, at: usize, part: &str) -> Result<Side, NotationError> {
        match part {
            "s" => Ok(Side::South),
            "n" => Ok(Side::North),
            _ => Err(self.error(at, format!("{} is not a player to move; write s or n", quoted(part)))),
        }
    }

    fn owners(&self, at: usize, part: &str, pits: usize) -> Result<Owners, NotationError> {
        let south = letters(part, 2 * pits).map_err(|(offset, message)| self.error(at + offset, message))?;
        let named = part.chars().count();
        if named != 2 * pits {
            // Where the first owner too many stands, or where the next one is missing.
            let offset = part.char_indices().nth(2 * pits).map_or(part.len(), |(offset, _)| offset);
            return Err(self.error(at + offset, format!("{} for {} pits", counted(named, "owner"), 2 * pits)));
        }
        Ok(Owners::from_bits(south, pits))
    }
}

/// The pieces of `part`, which starts at byte `at` of `text`, without the blanks around them; each with its byte offset.
fn split<'t>(text: &str, at: usize, part: &'t str, separator: char) -> Vec<(usize, &'t str)> {
    debug_assert!(text[at..].starts_with(part));
    let mut offset = at;
    part.split(separator)
        .map(|piece| {
            let trimmed = piece.trim_start();
            let start = offset + piece.len() - trimmed.len();
            offset += piece.len() + separator.len_utf8();
            (start, trimmed.trim_end())
        })
        .collect()
}

fn counted(number: usize, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}

/// A position that the rules know nothing of.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum PositionError {
    /// The board is not two rows of 1 to [`MAX_PITS`] pits.
    #[error("a board of {0} pits; it needs two rows of 1 to {MAX_PITS} pits each")]
    Pits(usize),
    /// Too many seeds.
    #[error("{0} seeds in all; a board holds at most {MAX_SEEDS}, stores included")]
    Seeds(usize),
    /// The owners are those of another board.
    #[error("owners for {owners} pits a row, on a board with {pits}")]
    OwnersOfAnotherBoard {
        /// Pits a row that the owners are for.
        owners: usize,
        /// Pits a row of the board.
        pits: usize,
    },
    /// Somebody owns a pit outside her row under rules that know no territory.
    #[error("owners {owners} under rules with rounds.kind = \"single\"; only \"territory\" lets pits change owner")]
    Owners {
        /// One letter a pit.
        owners: String,
    },
}

impl Position {
    /// Whether the position is one that these rules can speak of. What [`FromStr`] reads has everything but the last point
    /// checked; positions built by hand may fail any of them.
    ///
    /// # Errors
    /// If the board has rows of no or too many pits, too many seeds, owners that do not fit it, or owners other than the rows
    /// where the rules know no territory.
    pub fn check(&self, rules: &Rules) -> Result<(), PositionError> {
        let ring = self.board.len();
        if !ring.is_multiple_of(2) || ring == 0 || ring / 2 > MAX_PITS {
            return Err(PositionError::Pits(ring));
        }
        let seeds = self.seeds_in_play() + self.stores.iter().map(|&store| usize::from(store)).sum::<usize>();
        if seeds > MAX_SEEDS {
            return Err(PositionError::Seeds(seeds));
        }
        if self.owners.pits() != self.pits() {
            return Err(PositionError::OwnersOfAnotherBoard { owners: self.owners.pits(), pits: self.pits() });
        }
        if !self.owners.are_rows() && rules.rounds == Rounds::Single {
            return Err(PositionError::Owners { owners: self.owners.to_string() });
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fails(text: &str) -> String {
        match text.parse::<Position>() {
            Ok(position) => format!("read as {position}"),
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn the_last_three_parts_are_optional() {
        let full: Position = "4,4,4/0,12,3/7,6/n/sssnsn".parse().expect("a position");
        assert_eq!(full.board, [4, 4, 4, 0, 12, 3]);
        assert_eq!(full.stores, [7, 6]);
        assert_eq!(full.to_move, Side::North);
        assert_eq!(full.owners, Owners::from_bits(0b010111, 3));
        assert_eq!(full.to_string(), "4,4,4/0,12,3/7,6/n/sssnsn");
        for short in ["1/2", "1/2/0,0", "1/2/0,0/s", "1/2/0,0/s/sn", " 1 / 2 "] {
            let position: Position = short.parse().expect("a position");
            assert_eq!(position.to_string(), "1/2/0,0/s", "{short}");
        }
    }

    #[test]
    fn errors_point_at_the_character() {
        assert_eq!(fails("4,4,4/4,x,4"), "position, character 9: \"x\" is not a number of seeds");
        assert_eq!(fails("4,4,é/4,x,4"), "position, character 5: \"é\" is not a number of seeds");
        assert_eq!(fails("4,,4/4,4,4"), "position, character 3: a number of seeds is missing");
        assert_eq!(fails(""), "position, character 1: a number of seeds is missing");
        assert_eq!(fails("-1/2"), "position, character 1: \"-1\" is not a number of seeds");
        assert_eq!(fails("4,4"), "position, character 4: North's row is missing; a position starts <south row>/<north row>");
        assert_eq!(fails("4,4/4"), "position, character 5: North's row has 1 pit, South's 2");
        assert_eq!(fails("1/2/3"), "position, character 5: \"3\" is not South's store and North's, for instance 0,0");
        assert_eq!(fails("1/2/3,4/x"), "position, character 9: \"x\" is not a player to move; write s or n");
        assert_eq!(fails("1/2/3,4/s/sx"), "position, character 12: 'x' is not an owner; write s or n");
        assert_eq!(fails("1/2/3,4/s/s"), "position, character 12: 1 owner for 2 pits");
        assert_eq!(fails("1/2/3,4/s/sns"), "position, character 13: 3 owners for 2 pits");
        assert_eq!(fails("1/2/3,4/s/sn/"), "position, character 14: nothing may follow the owners");
    }

    #[test]
    fn the_limits_of_a_board_hold() {
        let row = vec!["1"; 18].join(",");
        assert!(format!("{row}/{row}").parse::<Position>().is_ok());
        assert_eq!(fails(&format!("{row},1/{row}")), "position, character 37: a row has at most 18 pits, this one 19");
        assert!("1023/0".parse::<Position>().is_ok());
        assert_eq!(fails("1024/0"), "position, character 1: 1024 seeds are too many; a board holds at most 1023");
        assert_eq!(
            fails("1000/20/3,1"),
            "position, character 11: 1024 seeds up to here; a board holds at most 1023, stores included"
        );
        assert!(fails(&format!("{}/1", "9".repeat(5000))).len() < 120);
    }
}

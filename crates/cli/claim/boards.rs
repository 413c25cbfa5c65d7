//! The boards a claim speaks of: one, or a range of them.

use lumbung_engine::BoardSize;

use crate::units::range;

/// Boards a claim may name together.
const MOST: usize = 1024;

/// Boards written `5..9x1..12`, `7x7` or `1..18xn` (as many seeds a pit as pits a row).
pub(super) fn parse(patterns: &[String]) -> Result<Vec<BoardSize>, String> {
    let mut boards = Vec::new();
    for pattern in patterns {
        let unreadable =
            || format!("board {pattern:?} is not PITSxSEEDS with numbers or ranges, for instance 7x7, 5..9x1..12 or 2..18xn");
        let (pits, seeds) = pattern.split_once('x').ok_or_else(unreadable)?;
        let (first, last) = range(pits).map_err(|_| unreadable())?;
        for pits in first..=last {
            let (fewest, most) = if seeds == "n" { (pits, pits) } else { range(seeds).map_err(|_| unreadable())? };
            for seeds in fewest..=most {
                let board = BoardSize::new(pits, seeds).map_err(|error| format!("board {pattern:?}: {error}"))?;
                if !boards.contains(&board) {
                    boards.push(board);
                }
                if boards.len() > MOST {
                    return Err(format!("board {pattern:?}: a claim may name {MOST} boards"));
                }
            }
        }
    }
    Ok(boards)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(patterns: &[&str]) -> Result<Vec<String>, String> {
        let patterns: Vec<String> = patterns.iter().map(|pattern| (*pattern).to_owned()).collect();
        parse(&patterns).map(|boards| boards.iter().map(ToString::to_string).collect())
    }

    #[test]
    fn ranges_are_inclusive_and_name_each_board_once() {
        assert_eq!(names(&["7x7"]).unwrap(), ["7x7"]);
        assert_eq!(names(&["5..6x1..2", "6x2", "2..3xn"]).unwrap(), ["5x1", "5x2", "6x1", "6x2", "2x2", "3x3"]);
    }

    #[test]
    fn what_cannot_be_read_is_named() {
        for wrong in ["7", "x", "7x", "9..5x1", "7x-1", "+7x7", "99x1", "1..18x1..70"] {
            assert!(names(&[wrong]).unwrap_err().contains(wrong), "{wrong}");
        }
    }
}

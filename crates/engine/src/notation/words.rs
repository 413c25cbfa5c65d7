//! Laps and captures in words.

use crate::position::{Position, Side};
use crate::referee::{Capture, CaptureKind, Landing, Lap};

/// A ring pit as one speaks of it when `mover` moves: `pit 3` in her own row, `North's pit 3` in the other one. Where ownership
/// differs from the rows, pits go by the mover's numbers alone.
pub fn pit_name(position: &Position, mover: Side, ring: usize) -> String {
    let row = if ring < position.pits() { Side::South } else { Side::North };
    if row == mover || !position.owners.are_rows() {
        format!("pit {}", position.pit(mover, ring))
    } else {
        format!("{row}'s pit {}", position.pit(row, ring))
    }
}

/// A lap of a move that `mover` made in `position`: `lifts 5 from pit 3; the last falls in North's pit 1, now 2`.
pub fn describe_lap(position: &Position, mover: Side, lap: &Lap) -> String {
    let from = pit_name(position, mover, lap.from);
    let (place, now) = match lap.last {
        Landing::Store => ("the store".to_owned(), lap.stores[mover.index()]),
        Landing::Pit(ring) => (pit_name(position, mover, ring), lap.board[ring]),
    };
    let seeds = if lap.lifted == 1 { "it" } else { "the last" };
    format!("lifts {} from {from}; {seeds} falls in {place}, now {now}", lap.lifted)
}

/// A capture of a move that `mover` made in `position`: `nembak: takes 5 from North's pit 4`. `word` is the game's own word for
/// it, if it has one.
pub fn describe_capture(position: &Position, mover: Side, capture: &Capture, word: Option<&str>) -> String {
    let word = word.unwrap_or(match capture.kind {
        CaptureKind::Opposite => "capture opposite",
        CaptureKind::Sandwich => "capture between two equal pits",
        CaptureKind::Count => "capture by count",
        CaptureKind::BeyondGap => "capture beyond the gap",
    });
    let parts: Vec<String> =
        capture.taken.iter().map(|&(ring, seeds)| format!("{seeds} from {}", pit_name(position, mover, ring))).collect();
    let all = match &parts[..] {
        [] => "nothing".to_owned(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    };
    format!("{word}: takes {all}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lap_and_a_capture_read_as_sentences() {
        let position: Position = "0,0,2/1,0,0".parse().expect("a position");
        let lap = Lap { from: 2, lifted: 2, last: Landing::Pit(4), board: vec![0, 0, 0, 2, 1, 0], stores: [0, 0] };
        let said = describe_lap(&position, Side::South, &lap);
        assert_eq!(said, "lifts 2 from pit 3; the last falls in North's pit 2, now 1");
        let single = Lap { from: 5, lifted: 1, last: Landing::Store, board: vec![0; 6], stores: [0, 9] };
        assert_eq!(describe_lap(&position, Side::North, &single), "lifts 1 from pit 3; it falls in the store, now 9");
        let capture = Capture { kind: CaptureKind::Sandwich, taken: vec![(3, 4), (5, 4), (4, 1)] };
        assert_eq!(
            describe_capture(&position, Side::South, &capture, Some("mikul")),
            "mikul: takes 4 from North's pit 1, 4 from North's pit 3 and 1 from North's pit 2"
        );
    }

    #[test]
    fn territory_is_named_by_the_movers_numbers() {
        let position: Position = "1,1/1,1/0,0/n/sssn".parse().expect("a position");
        assert_eq!(pit_name(&position, Side::North, 2), "pit 1");
        assert_eq!(pit_name(&position, Side::North, 0), "pit 3");
    }
}

//! A board drawn for people.

use super::position::letter;
use crate::position::{Position, Side};

/// A part of the drawing that holds seeds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cell {
    /// A ring pit.
    Pit(usize),
    /// A player's store.
    Store(Side),
}

/// The board as text: North's row above from right to left, South's below from left to right, so that sowing runs
/// counter-clockwise; each store at the right hand of its player; `>` before the player to move and her pit numbers at her side
/// of the board. Where ownership differs from the rows, an owner's letter stands by every pit and the numbers, which then are
/// the mover's for the whole board, on both sides. Ends with a line feed.
///
/// ```
/// let position: lumbung_engine::Position = "4,4,10/4,0,4/2,6".parse()?;
/// assert_eq!(
///     lumbung_engine::notation::draw(&position),
///     [
///         "  North       4   0   4",
///         "          6               2",
///         "> South       4   4  10",
///         "              1   2   3\n",
///     ]
///     .join("\n")
/// );
/// # Ok::<(), lumbung_engine::notation::NotationError>(())
/// ```
pub fn draw(position: &Position) -> String {
    draw_styled(position, |_, text| text.to_owned())
}

/// As [`draw`]; every number of seeds goes through `style`, which may add what takes no room (colour). It gets the number as it
/// will be shown, padded on the left.
pub fn draw_styled(position: &Position, style: impl Fn(Cell, &str) -> String) -> String {
    let drawing = Drawing { position, width: widest(position), style };
    let mut lines = Vec::new();
    let unusual = !position.owners.are_rows();
    if unusual || position.to_move == Side::North {
        lines.push(drawing.labels(Side::North, |ring| drawing.number(ring)));
    }
    if unusual {
        lines.push(drawing.labels(Side::North, |ring| letter(position.owners.of(ring)).to_string()));
    }
    lines.push(drawing.row(Side::North));
    lines.push(drawing.stores());
    lines.push(drawing.row(Side::South));
    if unusual {
        lines.push(drawing.labels(Side::South, |ring| letter(position.owners.of(ring)).to_string()));
    }
    if unusual || position.to_move == Side::South {
        lines.push(drawing.labels(Side::South, |ring| drawing.number(ring)));
    }
    lines.iter().flat_map(|line| [line.trim_end(), "\n"]).collect()
}

/// The room of the largest number, or of a pit number.
fn widest(position: &Position) -> usize {
    let seeds = position.board.iter().chain(&position.stores).max().map_or(1, |most| most.to_string().len());
    seeds.max(position.board.len().to_string().len())
}

struct Drawing<'p, S> {
    position: &'p Position,
    width: usize,
    style: S,
}

/// Room for `> North`.
const NAME: usize = 7;

impl<S: Fn(Cell, &str) -> String> Drawing<'_, S> {
    /// The ring pits of a side from left to right.
    fn pits(&self, side: Side) -> Vec<usize> {
        let pits = self.position.pits();
        match side {
            Side::South => (0..pits).collect(),
            Side::North => (pits..2 * pits).rev().collect(),
        }
    }

    fn seeds(&self, cell: Cell) -> String {
        let seeds = match cell {
            Cell::Pit(ring) => self.position.board[ring],
            Cell::Store(side) => self.position.stores[side.index()],
        };
        let text = format!("{seeds:>width$}", width = self.width);
        format!("  {}", (self.style)(cell, &text))
    }

    fn number(&self, ring: usize) -> String {
        self.position.pit(self.position.to_move, ring).to_string()
    }

    fn row(&self, side: Side) -> String {
        let mark = if self.position.to_move == side { '>' } else { ' ' };
        let name = format!("{mark} {side}");
        let seeds: String = self.pits(side).into_iter().map(|ring| self.seeds(Cell::Pit(ring))).collect();
        format!("{name:NAME$}{:store$}{seeds}", "", store = self.width + 2)
    }

    fn labels(&self, side: Side, label: impl Fn(usize) -> String) -> String {
        let labels: String =
            self.pits(side).into_iter().map(|ring| format!("  {:>width$}", label(ring), width = self.width)).collect();
        format!("{:NAME$}{:store$}{labels}", "", "", store = self.width + 2)
    }

    fn stores(&self) -> String {
        let between = self.position.pits() * (self.width + 2);
        let (north, south) = (self.seeds(Cell::Store(Side::North)), self.seeds(Cell::Store(Side::South)));
        format!("{:NAME$}{north}{:between$}{south}", "", "")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unusual_owners_stand_by_their_pits() {
        // North, to move, counts ring pits 2, 3, 0, 1 as her pits 1 to 4; South owns ring pits 0, 1 and 2.
        let position: Position = "9,120/0,3/0,7/n/sssn".parse().expect("a position");
        let expected = [
            "                2    1",
            "                n    s",
            "> North         3    0",
            "           7              0",
            "  South         9  120",
            "                s    s",
            "                3    4",
            "",
        ];
        assert_eq!(draw(&position), expected.join("\n"));
    }

    #[test]
    fn a_style_is_given_every_cell_as_it_will_be_shown() {
        let position: Position = "9,10/0,3/0,7/s".parse().expect("a position");
        let drawn = draw_styled(&position, |cell, text| match cell {
            Cell::Pit(1) => format!("<{text}>"),
            Cell::Store(Side::North) => format!("[{text}]"),
            _ => text.to_owned(),
        });
        assert!(drawn.contains("   9  <10>\n"), "{drawn}");
        assert!(drawn.contains("  [ 7]"), "{drawn}");
    }
}

//! Text laid out for people: tables, paragraphs, boards.

use lumbung_engine::notation::{Cell, draw_styled};
use lumbung_engine::{Position, Side};

use crate::output::{FAINT, STRONG, styled};

/// The widest line that reads well.
const WIDEST: usize = 100;

/// The room for a line.
pub(crate) fn width() -> usize {
    textwrap::termwidth().clamp(40, WIDEST)
}

/// Lines of the room there is; words with hyphens, such as keys, stay whole.
fn lines<'a>(first: &'a str, further: &'a str) -> textwrap::Options<'a> {
    textwrap::Options::new(width())
        .initial_indent(first)
        .subsequent_indent(further)
        .break_words(false)
        .word_splitter(textwrap::WordSplitter::NoHyphenation)
}

/// Paragraphs wrapped to the room there is, every line after `indent`; ends with a line feed.
pub(crate) fn paragraphs(text: &str, indent: &str) -> String {
    let joined = |paragraph: &str| paragraph.split_whitespace().collect::<Vec<_>>().join(" ");
    let wrapped: Vec<String> =
        text.trim().split("\n\n").map(|paragraph| textwrap::fill(&joined(paragraph), lines(indent, indent))).collect();
    wrapped.join("\n\n") + "\n"
}

/// An entry of a list, its further lines under the first.
pub(crate) fn item(text: &str) -> String {
    textwrap::fill(text, lines("  * ", "    ")) + "\n"
}

/// A sentence with a capital letter.
pub(crate) fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

/// The board, empty pits faint and stores strong.
pub(crate) fn board(position: &Position) -> String {
    draw_styled(position, |cell, text| match cell {
        Cell::Store(_) => styled(STRONG, text),
        Cell::Pit(ring) if position.board[ring] == 0 => styled(FAINT, text),
        Cell::Pit(_) => text.to_owned(),
    })
}

/// Every line of a text after four blanks.
pub(crate) fn indented(text: &str) -> String {
    text.lines().map(|line| format!("    {line}\n")).collect()
}

/// Where a column's entries stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Align {
    Left,
    Right,
}

/// Rows in aligned columns, the first row being the heads.
pub(crate) fn table(columns: &[Align], rows: &[Vec<String>]) -> String {
    // Colours take no room.
    let wide = |text: &String| anstream::adapter::strip_str(text).to_string().chars().count();
    let widths: Vec<usize> =
        (0..columns.len()).map(|column| rows.iter().filter_map(|row| row.get(column)).map(wide).max().unwrap_or(0)).collect();
    let line = |row: &Vec<String>| {
        let cells: Vec<String> = row
            .iter()
            .zip(columns)
            .zip(&widths)
            .map(|((text, align), width)| {
                let blank = " ".repeat(width - wide(text));
                match align {
                    Align::Left => text.clone() + &blank,
                    Align::Right => blank + text,
                }
            })
            .collect();
        cells.join("  ").trim_end().to_owned()
    };
    rows.iter().enumerate().map(|(index, row)| if index == 0 { styled(FAINT, line(row)) } else { line(row) } + "\n").collect()
}

/// A margin in words: `South wins by 98: South 98, North 0`.
pub(crate) fn result(stores: [i32; 2]) -> String {
    format!("{}: South {}, North {}", verdict(stores[0] - stores[1]), stores[0], stores[1])
}

/// `South wins by 98`, or `a draw`.
pub(crate) fn verdict(margin: i32) -> String {
    match winner(margin) {
        Some(side) => format!("{side} wins by {}", margin.abs()),
        None => "a draw".to_owned(),
    }
}

/// Who a margin lets win.
fn winner(margin: i32) -> Option<Side> {
    match margin.signum() {
        1 => Some(Side::South),
        -1 => Some(Side::North),
        _ => None,
    }
}

/// Words within HTML or SVG: rules of one's own may have any name.
pub(crate) fn escaped(words: &str) -> String {
    words.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_align() {
        let rows = [vec!["a".to_owned(), "n".to_owned()], vec!["long".to_owned(), "10".to_owned()]];
        let drawn = anstream::adapter::strip_str(&table(&[Align::Left, Align::Right], &rows)).to_string();
        assert_eq!(drawn, "a      n\nlong  10\n");
    }

    #[test]
    fn a_result_names_the_winner() {
        assert_eq!(result([98, 0]), "South wins by 98: South 98, North 0");
        assert_eq!(result([47, 51]), "North wins by 4: South 47, North 51");
        assert_eq!(result([24, 24]), "a draw: South 24, North 24");
    }
}

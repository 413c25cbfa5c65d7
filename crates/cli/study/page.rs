//! The data set as a page to read, and as coloured cells in a terminal.

use anstyle::{AnsiColor, Style};
use lumbung_solver::solve::Outcome;

use super::cell::Cell;
use super::store::Data;
use crate::layout::{self, Align};
use crate::output::{HEADING, styled};

/// Cells of one reading as rows of words, pits down and seeds across; `word` words a cell.
fn table(cells: &[&Cell], word: impl Fn(&Cell) -> String) -> Vec<Vec<String>> {
    let distinct = |of: fn(&Cell) -> usize| {
        let mut values: Vec<usize> = cells.iter().map(|cell| of(cell)).collect();
        values.sort_unstable();
        values.dedup();
        values
    };
    let (pits, seeds) = (distinct(|cell| cell.pits), distinct(|cell| cell.seeds));
    let mut rows =
        vec![std::iter::once("pits \\ seeds".to_owned()).chain(seeds.iter().map(usize::to_string)).collect::<Vec<_>>()];
    for pits in pits {
        let cell = |seeds: &usize| cells.iter().find(|cell| cell.pits == pits && cell.seeds == *seeds);
        let words = seeds.iter().map(|seeds| cell(seeds).map_or(String::new(), |cell| word(cell)));
        rows.push(std::iter::once(pits.to_string()).chain(words).collect());
    }
    rows
}

fn markdown_table(rows: &[Vec<String>]) -> String {
    let mut text = String::new();
    for (place, row) in rows.iter().enumerate() {
        text += &format!("| {} |\n", row.join(" | "));
        if place == 0 {
            text += &format!("|{}\n", "--:|".repeat(row.len()));
        }
    }
    text
}

/// The margins in a terminal, coloured by who wins.
pub(super) fn screen(data: &Data, reading: &str) -> String {
    let cells: Vec<&Cell> = data.cells.iter().filter(|cell| cell.reading == reading).collect();
    let (south, north) =
        (Style::new().fg_color(Some(AnsiColor::Green.into())), Style::new().fg_color(Some(AnsiColor::Magenta.into())));
    let coloured = |cell: &Cell| match cell.outcome() {
        Some(Outcome::South) => styled(south, cell.margin()),
        Some(Outcome::North) => styled(north, cell.margin()),
        _ => cell.margin(),
    };
    let rows = table(&cells, coloured);
    let columns = vec![Align::Right; rows.first().map_or(1, Vec::len)];
    format!("{}\n{}", styled(HEADING, format!("{} ({reading})", data.game)), layout::table(&columns, &rows))
}

/// Who wins how often, in words.
fn summary(cells: &[&Cell]) -> String {
    let count = |outcome: Option<Outcome>| cells.iter().filter(|cell| cell.outcome() == outcome).count();
    let everything = cells.iter().filter(|cell| cell.everything() && cell.low > 0).count();
    format!(
        "South wins on {} of {} boards (and takes every seed on {everything}), North on {}; {} are drawn, on {} it is not settled who wins.",
        count(Some(Outcome::South)),
        cells.len(),
        count(Some(Outcome::North)),
        count(Some(Outcome::Draw)),
        count(None)
    )
}

/// The page. `command` has made all margins, or added its own to `others` that earlier commands had made.
pub(super) fn markdown(data: &Data, command: &str, others: bool) -> String {
    const VERSION: &str = env!("CARGO_PKG_VERSION");
    let made = match others {
        false => format!("Made by Lumbung {VERSION} with"),
        true => format!("Made by several commands, the last of them by Lumbung {VERSION}:"),
    };
    let mut page = format!(
        "# {}: margins on a grid of boards\n\nSouth's margin under best play by both. Bold: the winner takes every seed; two numbers: \
         the margin is proven to lie between them. {made}\n`{command}`; the data are in [grid.csv](grid.csv) and \
         [grid.json](grid.json).\n",
        data.game
    );
    for reading in &data.readings {
        let cells: Vec<&Cell> = data.cells.iter().filter(|cell| cell.reading == reading.name).collect();
        let bold = |cell: &Cell| if cell.everything() { format!("**{}**", cell.margin()) } else { cell.margin() };
        page += &format!(
            "\n## Reading: {}\n\n{}\n\n![Heat map of the margins](margins-{}.svg)\n\n{}",
            reading.name,
            summary(&cells),
            reading.name,
            markdown_table(&table(&cells, bold))
        );
        if cells.iter().any(|cell| cell.first_turn_settled) {
            let first = |cell: &Cell| match (cell.winning_first_turn, cell.first_turn_settled) {
                (Some(moves), true) => moves.to_string(),
                (Some(moves), false) => format!("at most {moves}"),
                (None, true) => "none".to_owned(),
                (None, false) => "?".to_owned(),
            };
            page += &format!(
                "\nMoves of the shortest first turn that stores more than half of all seeds:\n\n{}",
                markdown_table(&table(&cells, first))
            );
        }
        let moves = |cell: &Cell| cell.moves.map_or("?".to_owned(), |moves| moves.to_string());
        page += &format!("\nMoves of a game under best play:\n\n{}", markdown_table(&table(&cells, moves)));
    }
    if data.readings.len() > 1 {
        page += &format!("\n## Which readings matter\n\n{}", effects(data));
        page += &format!("\n## Share of readings under which South wins\n\n{}", shares(data));
    }
    page
}

/// On how many boards each reading changes the margin, and the winner, of the first one.
fn effects(data: &Data) -> String {
    let Some((own, others)) = data.readings.split_first() else { return String::new() };
    let find = |reading: &str, board: &Cell| {
        data.cells.iter().find(|cell| cell.reading == reading && (cell.pits, cell.seeds) == (board.pits, board.seeds))
    };
    let mut rows = vec![
        ["reading", "boards settled under both", "other margin", "other winner", "boards with another winner"]
            .map(str::to_owned)
            .to_vec(),
    ];
    for reading in others {
        let pairs = || {
            let own = data.cells.iter().filter(|cell| cell.reading == own.name);
            own.filter_map(|cell| Some((cell, find(&reading.name, cell)?)))
        };
        let settled = pairs().filter(|(cell, other)| cell.proven() && other.proven());
        let turned: Vec<String> = pairs()
            .filter(|(cell, other)| matches!((cell.outcome(), other.outcome()), (Some(one), Some(two)) if one != two))
            .map(|(cell, other)| format!("{}x{} ({}, here {})", cell.pits, cell.seeds, cell.margin(), other.margin()))
            .collect();
        rows.push(vec![
            reading.name.clone(),
            settled.clone().count().to_string(),
            settled.filter(|(cell, other)| cell.low != other.low).count().to_string(),
            turned.len().to_string(),
            turned.join(", "),
        ]);
    }
    format!("Held against {}:\n\n{}", own.name, markdown_table(&rows))
}

/// On each board, of how many readings South wins.
fn shares(data: &Data) -> String {
    let own: Vec<&Cell> =
        data.cells.iter().filter(|cell| Some(&cell.reading) == data.readings.first().map(|reading| &reading.name)).collect();
    let share = |board: &Cell| {
        let same = data.cells.iter().filter(|cell| (cell.pits, cell.seeds) == (board.pits, board.seeds));
        let won = same.clone().filter(|cell| cell.outcome() == Some(Outcome::South)).count();
        format!("{won} of {}", same.count())
    };
    markdown_table(&table(&own, share))
}

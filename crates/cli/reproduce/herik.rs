//! Van den Herik, Uiterwijk and van Rijswijck 2002, Games solved: what it says of sowing games.

use lumbung_solver::solve::{Goal, Outcome};
use serde::Deserialize;

use super::cell::{Cell, Need};
use super::desk::{Desk, choose, figures, rules, start};
use crate::exit::Failure;

/// What a position of a large table of Awari takes to be computed: see `docs/cyclic-tables.md`.
pub(super) const AWARI_SECONDS: f64 = 40e-9;

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
struct Figures {
    kalah: Kalah,
    kalah_need: Need,
    awari: Awari,
}

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
struct Kalah {
    instances: usize,
    first_player_wins: usize,
    instances_of_three_and_more: usize,
    first_player_wins_of_three_and_more: usize,
}

#[derive(Deserialize)]
struct Awari {
    board: String,
    value: String,
}

pub(super) fn cells(desk: &Desk) -> Result<Vec<Cell>, Failure> {
    let figures: Figures = figures(include_str!("figures/herik-2002.toml"))?;
    let rules = rules("kalah-empty-capture", &[])?;
    let mut outcomes = Vec::new();
    for (pits, seeds) in (1..=6).flat_map(|pits| (1..=6).map(move |seeds| (pits, seeds))).filter(|board| *board != (6, 6)) {
        let solution = desk.solve(&rules, &start(pits, seeds)?, Goal::Outcome)?.solution;
        outcomes.push((pits.min(seeds) >= 3, solution.outcome));
    }
    let kalah = &figures.kalah;
    let mut cells = vec![
        wins(
            "all boards of 1 to 6 pits and seeds but 6x6",
            (kalah.first_player_wins, kalah.instances),
            outcomes.iter().map(|found| found.1),
            &figures.kalah_need,
        ),
        wins(
            "those of three and more",
            (kalah.first_player_wins_of_three_and_more, kalah.instances_of_three_and_more),
            outcomes.iter().filter(|found| found.0).map(|found| found.1),
            &figures.kalah_need,
        ),
    ];
    let positions = (0..=36).map(|seeds| choose(seeds + 11, 11)).sum::<u128>() as u64;
    let need = Need {
        positions: Some(positions),
        memory: Some(choose(36 + 11, 11) as u64),
        seconds: Some(positions as f64 * AWARI_SECONDS),
        says: "endgame tables of Awari up to 36 seeds, the last layer in memory, the others on disk; at 40 ns a position"
            .to_owned(),
    };
    cells.push(Cell::out_of_reach("Awari", &figures.awari.board, &figures.awari.value, need));
    Ok(cells)
}

fn wins(name: &str, (wins, of): (usize, usize), outcomes: impl Iterator<Item = Option<Outcome>> + Clone, need: &Need) -> Cell {
    let table = "Kalah, first player wins";
    let printed = format!("{wins} of {of}");
    let count = |wanted: Option<Outcome>| outcomes.clone().filter(|outcome| *outcome == wanted).count();
    let (found, open) = (count(Some(Outcome::South)), count(None));
    if open > 0 && found <= wins && wins <= found + open {
        let says = format!("{found} are won and {open} were not settled here; {}", need.says);
        return Cell::out_of_reach(table, name, printed, Need { says, ..need.clone() });
    }
    Cell::new(table, name, printed, format!("{found} of {}", outcomes.count()))
}

//! Romein and Bal 2002 and 2003: Awari is solved. What can be recomputed here are the sizes of its state space.

use serde::Deserialize;

use super::cell::{Cell, Need};
use super::desk::{Desk, choose, figures};
use super::herik::AWARI_SECONDS;
use crate::exit::Failure;

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
struct Figures {
    positions: u64,
    largest_database_positions: String,
    largest_database_bytes: String,
    value: String,
    only_move_that_does_not_lose: u8,
}

/// Boards of six pits a row with so many seeds.
fn boards(seeds: u64) -> u128 {
    choose(seeds + 11, 11)
}

/// Those on which the opponent of the player to move has no empty pit. No sowing leads to them: the last move began in one of his
/// pits and left it empty.
fn unreachable(seeds: u64) -> u128 {
    if seeds < 6 { 0 } else { choose(seeds - 6 + 11, 11) }
}

pub(super) fn cells(_: &Desk) -> Result<Vec<Cell>, Failure> {
    let figures: Figures = figures(include_str!("figures/romein-bal-2003.toml"))?;
    // 47 seeds cannot be in play: the first capture takes two or three.
    let layers = || (0..=48).filter(|seeds| *seeds != 47);
    let positions = 1 + layers().map(|seeds| boards(seeds) - unreachable(seeds)).sum::<u128>();
    let largest = boards(48) - unreachable(48);
    let all: u128 = layers().map(boards).sum();
    let need = |says: &str| Need {
        positions: Some(all as u64),
        memory: Some(boards(48) as u64),
        seconds: Some(all as f64 * AWARI_SECONDS),
        says: says.to_owned(),
    };
    let tables =
        "all endgame tables up to 48 seeds, the last layer in memory, the others on disk; at 40 ns a position on one core";
    Ok(vec![
        Cell::new("state space", "positions", figures.positions, positions)
            .note("boards on which the opponent has no empty pit cannot be reached and are left out, the start excepted"),
        Cell::new(
            "state space",
            "positions with 48 seeds",
            &figures.largest_database_positions,
            format!("{} billion", (largest + 500_000_000) / 1_000_000_000),
        )
        .note(format!("{largest}")),
        Cell::new(
            "state space",
            "bytes of them",
            &figures.largest_database_bytes,
            format!("{} GB", (largest * 7 / 8 + 500_000_000) / 1_000_000_000),
        )
        .note("at seven bits a position, enough for values from -48 to 48"),
        Cell::out_of_reach("value", "start", &figures.value, need(tables)),
        Cell::out_of_reach("value", "the only first move that does not lose", figures.only_move_that_does_not_lose, need(tables)),
    ])
}

//! Lincke 2002: histograms of Awari's endgame tables.

use std::collections::BTreeMap;

use lumbung_tables::Table;
use lumbung_tables::build::plan;
use serde::Deserialize;

use super::cell::{Cell, Need};
use super::desk::{Desk, figures, rules};
use crate::endgame;
use crate::exit::Failure;

#[derive(Deserialize)]
struct Figures {
    layer: Vec<Layer>,
}

#[derive(Deserialize)]
struct Layer {
    seeds: usize,
    positions: usize,
    histogram: BTreeMap<String, usize>,
}

const PITS: usize = 6;

pub(super) fn cells(desk: &Desk) -> Result<Vec<Cell>, Failure> {
    let figures: Figures = figures(include_str!("figures/lincke-2002.toml"))?;
    let most = figures.layer.iter().map(|layer| layer.seeds).max().unwrap_or(0);
    let (table, need) = table(desk, most)?;
    let built = table.as_ref().map_or(0, |table| table.seeds() + 1);
    let mut cells = Vec::new();
    for layer in &figures.layer {
        let name = format!("{} seeds", layer.seeds);
        let Some(table) = table.as_ref().filter(|_| layer.seeds < built) else {
            cells.push(Cell::out_of_reach(&name, "positions", layer.positions, need.clone()));
            cells.extend(
                layer
                    .histogram
                    .iter()
                    .map(|(value, printed)| Cell::out_of_reach(&name, value_name(value), printed, need.clone())),
            );
            continue;
        };
        let values = table.layer(layer.seeds);
        let mut found: BTreeMap<String, usize> = BTreeMap::new();
        for value in values.iter() {
            *found.entry(value.to_string()).or_default() += 1;
        }
        cells.push(Cell::new(&name, "positions", layer.positions, values.len()));
        let names: std::collections::BTreeSet<&String> = layer.histogram.keys().chain(found.keys()).collect();
        for value in names {
            let count = |histogram: &BTreeMap<String, usize>| histogram.get(value).copied().unwrap_or(0);
            cells.push(Cell::new(&name, value_name(value), count(&layer.histogram), count(&found)));
        }
    }
    Ok(cells)
}

fn value_name(value: &str) -> String {
    format!("value {value}")
}

/// The largest table of at most so many seeds that memory and time allow, and what the whole would need.
fn table(desk: &Desk, most: usize) -> Result<(Option<Table>, Need), Failure> {
    let rules = rules("awari", &[])?;
    let threads = rayon::current_num_threads();
    let all = plan(&rules, PITS, most, threads).map_err(Failure::new)?;
    let need = Need {
        positions: Some(all.positions),
        memory: Some(all.memory),
        seconds: None,
        says: format!("the endgame table of Awari up to {most} seeds"),
    };
    let affordable = (0..=most)
        .rev()
        .find(|seeds| plan(&rules, PITS, *seeds, threads).is_ok_and(|plan| plan.memory <= desk.work.limits.memory));
    let Some(seeds) = affordable else { return Ok((None, need)) };
    let built = endgame::table(&rules, PITS, seeds, &desk.limits(), &desk.work.progress)?;
    Ok((built.map(|built| built.table), need))
}

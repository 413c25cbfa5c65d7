//! Tables: which there are, and what their values are like.

use lumbung_tables::file::Directory;
use serde::Serialize;

use super::answer::{Refusal, text};
use super::app::{App, OpenTable};
use super::params::Params;
use crate::report::RulesReport;
use crate::rules::{Chosen, known};
use crate::table::stats::{Layer, layer};

/// What is said of a table. Where it lies on this machine is nobody's business.
#[derive(Serialize)]
struct About {
    id: String,
    game: String,
    rules: RulesReport,
    pits: usize,
    /// One letter a pit, where pits have other owners than their rows.
    owners: Option<String>,
    /// The most seeds of a layer that is there.
    seeds: usize,
    encoding: &'static str,
    parity: &'static str,
    complete: bool,
    positions: u64,
    bytes: u64,
}

impl About {
    fn new(table: &OpenTable) -> About {
        let manifest = table.directory.manifest();
        About {
            id: table.id.clone(),
            game: manifest.game.clone(),
            rules: chosen(&table.directory).report(),
            pits: manifest.pits,
            owners: manifest.owners.clone(),
            seeds: manifest.complete_to().unwrap_or(0),
            encoding: manifest.encoding.name(),
            parity: manifest.parity.name(),
            complete: manifest.is_complete(),
            positions: manifest.layers.iter().map(|layer| layer.positions).sum(),
            bytes: manifest.layers.iter().map(|layer| layer.size).sum(),
        }
    }
}

/// The rules of a table, and whose they are: a preset's or a reading's of it, or its own.
pub(super) fn chosen(directory: &Directory) -> Chosen {
    let own = directory.rules();
    known(own)
        .and_then(|(game, readings)| Chosen::preset(game).ok()?.changed(&readings, &[]).ok())
        .unwrap_or_else(|| Chosen::own(own.clone()))
}

#[derive(Serialize)]
struct Tables {
    tables: Vec<About>,
}

/// All tables.
pub(super) fn all(app: &App, query: Option<&str>) -> Result<String, Refusal> {
    Params::parse(query, &[])?;
    text("lumbung/api-tables/1", &Tables { tables: app.tables.iter().map(About::new).collect() })
}

#[derive(Serialize)]
struct Stats {
    table: About,
    layers: Vec<Layer>,
}

/// The statistics of a table, of one layer if `seeds` names one.
pub(super) fn stats(app: &App, id: &str, query: Option<&str>) -> Result<String, Refusal> {
    let params = Params::parse(query, &[&["seeds"]])?;
    let table = app.table(id)?;
    let wanted: Option<usize> = params.number("seeds")?;
    let layers = table.directory.manifest().layers.iter().map(|layer| layer.seeds);
    let layers: Vec<usize> = layers.filter(|seeds| wanted.is_none_or(|wanted| wanted == *seeds)).collect();
    if let (Some(wanted), true) = (wanted, layers.is_empty()) {
        return Err(Refusal::bad(format!("seeds: the table {id} has no layer of {wanted} seeds")));
    }
    let layers =
        layers.into_iter().map(|seeds| layer(&table.directory, seeds).map_err(|error| Refusal::defect(table.told(&error))));
    let layers = layers.collect::<Result<_, Refusal>>()?;
    text("lumbung/api-table-stats/1", &Stats { table: About::new(table), layers })
}

//! `table stats`: what the values of each layer are like.

use std::collections::BTreeMap;

use clap::Args;
use lumbung_tables::file::{Directory, FileError};
use serde::Serialize;

use super::open::{About, DirectoryArgs, open};
use crate::args::Common;
use crate::exit::{Exit, Failure};
use crate::layout::{self, Align};
use crate::output::{self, STRONG, styled};
use crate::units::{self, count};

/// Count wins, draws and losses, and how often each value occurs, layer by layer
#[derive(Debug, Args)]
pub(super) struct StatsArgs {
    #[command(flatten)]
    directory: DirectoryArgs,
    /// Only the layer with so many seeds, its values one by one
    #[arg(long, value_name = "S", value_parser = units::table_seeds, allow_hyphen_values = true)]
    seeds: Option<usize>,
}

#[derive(Serialize)]
struct Document {
    #[serde(flatten)]
    about: About,
    layers: Vec<Layer>,
}

/// The values of a layer, those of the player to move.
#[derive(Serialize)]
pub(crate) struct Layer {
    seeds: usize,
    positions: u64,
    win: u64,
    draw: u64,
    loss: u64,
    mean: f64,
    min: i16,
    max: i16,
    /// The first position with that value; the player to move is South unless the table tells the players apart.
    min_position: String,
    max_position: String,
    histogram: BTreeMap<i16, u64>,
}

pub(super) fn run(args: &StatsArgs, common: &Common) -> Result<Exit, Failure> {
    let directory = open(&args.directory.directory, common)?;
    let layers = match args.seeds {
        Some(seeds) => vec![layer(&directory, seeds).map_err(Failure::new)?],
        None => {
            // Refused if there is no layer yet.
            directory.seeds().map_err(Failure::new)?;
            let layers = directory.manifest().layers.iter().map(|entry| layer(&directory, entry.seeds));
            layers.collect::<Result<_, _>>().map_err(Failure::new)?
        }
    };
    let document = Document { about: About::new(&directory, common), layers };
    if common.json {
        output::json("lumbung/table-stats/1", &document)?;
    } else {
        output::text(&page(&document, args.seeds.is_some()))?;
    }
    Ok(Exit::Done)
}

/// What the values of the layer with so many seeds are like.
pub(crate) fn layer(directory: &Directory, seeds: usize) -> Result<Layer, FileError> {
    let stats = directory.stats(seeds)?;
    let position = |number: u64| directory.position(seeds, number).map(|position| position.to_string());
    Ok(Layer {
        seeds,
        positions: stats.positions(),
        win: stats.win,
        draw: stats.draw,
        loss: stats.loss,
        mean: (stats.mean() * 1e6).round() / 1e6,
        min: stats.min,
        max: stats.max,
        min_position: position(stats.first_min)?,
        max_position: position(stats.first_max)?,
        histogram: stats.histogram.iter().copied().collect(),
    })
}

fn page(document: &Document, one: bool) -> String {
    use Align::Right;
    let mut page = format!("{}\n\n", styled(STRONG, format!("{}, values of the player to move", document.about.game())));
    let mut rows = vec![["seeds", "positions", "win", "draw", "loss", "mean", "lowest", "highest"].map(str::to_owned).to_vec()];
    rows.extend(document.layers.iter().map(|layer| {
        vec![
            layer.seeds.to_string(),
            count(layer.positions),
            count(layer.win),
            count(layer.draw),
            count(layer.loss),
            format!("{:+.3}", layer.mean),
            format!("{:+}", layer.min),
            format!("{:+}", layer.max),
        ]
    }));
    page += &layout::table(&[Right; 8], &rows);
    if let (true, Some(layer)) = (one, document.layers.first()) {
        page += &format!(
            "\nFirst with {:+}: {}\nFirst with {:+}: {}\n\n",
            layer.min, layer.min_position, layer.max, layer.max_position
        );
        let mut rows = vec![vec!["value".to_owned(), "positions".to_owned()]];
        rows.extend(layer.histogram.iter().map(|(value, positions)| vec![format!("{value:+}"), count(*positions)]));
        page += &layout::table(&[Right; 2], &rows);
    }
    page
}

//! `table info`: what is in a directory.

use clap::Args;
use lumbung_tables::cyclic::Parity;
use serde::Serialize;

use super::open::{About, DirectoryArgs, open};
use super::plan::of_owners;
use crate::args::Common;
use crate::exit::{Exit, Failure};
use crate::layout::{self, Align};
use crate::output::{self, STRONG, styled};
use crate::units::{bytes, count, counted};

/// Show what a table holds: rules, layers, sizes, digests
#[derive(Debug, Args)]
pub(super) struct InfoArgs {
    #[command(flatten)]
    directory: DirectoryArgs,
}

#[derive(Serialize)]
struct Document {
    #[serde(flatten)]
    about: About,
    written_by: String,
    positions: u64,
    bytes: u64,
    bits_a_position: f64,
    layers: Vec<Layer>,
}

#[derive(Serialize)]
struct Layer {
    seeds: usize,
    positions: u64,
    /// Of this layer and all below.
    positions_up_to: u64,
    /// The same without those in which a row is empty.
    no_empty_row_up_to: u64,
    file: String,
    bytes: u64,
    digest: String,
}

pub(super) fn run(args: &InfoArgs, common: &Common) -> Result<Exit, Failure> {
    let directory = open(&args.directory.directory, common)?;
    let manifest = directory.manifest();
    let mut layers = Vec::new();
    let (mut positions, mut empty) = (0, 0);
    for layer in &manifest.layers {
        // Opening a layer checks its size and its header.
        directory.header(layer.seeds).map_err(Failure::new)?;
        positions += layer.positions;
        let index = directory.index();
        empty += index.seats() as u64 * if layer.seeds == 0 { 1 } else { 2 * index.rows(layer.seeds) };
        layers.push(Layer {
            seeds: layer.seeds,
            positions: layer.positions,
            positions_up_to: positions,
            no_empty_row_up_to: positions - empty,
            file: layer.file.clone(),
            bytes: layer.size,
            digest: layer.digest.clone(),
        });
    }
    let size = layers.iter().map(|layer| layer.bytes).sum::<u64>();
    let document = Document {
        about: About::new(&directory, common),
        written_by: manifest.program.clone(),
        positions,
        bytes: size,
        bits_a_position: (size as f64 * 8000.0 / positions.max(1) as f64).round() / 1000.0,
        layers,
    };
    if common.json {
        output::json("lumbung/table-info/1", &document)?;
    } else {
        output::text(&page(&document, &manifest.fingerprint.short(), manifest.seeds))?;
    }
    Ok(Exit::Done)
}

fn page(document: &Document, fingerprint: &str, seeds: usize) -> String {
    let about = &document.about;
    let title = format!(
        "{}, {} a row, up to {}{}",
        about.game(),
        counted(about.pits() as u64, "pit"),
        counted(seeds as u64, "seed"),
        of_owners(about.owners())
    );
    let mut page = format!("{}\n", styled(STRONG, title));
    page += &format!("Rules {fingerprint}, written by {}, {}.\n", document.written_by, about.encoding());
    if about.parity() != Parity::All {
        page += &format!("Only {} layers.\n", about.parity().name());
    }
    let layers = about.parity().layers(seeds);
    if document.layers.len() < layers {
        page += &format!("Not complete: {} of {layers} layers are written.\n", document.layers.len());
    }
    page += &format!(
        "{}, {}, {:.3} bits a position.\n\n",
        counted(document.positions, "position"),
        bytes(document.bytes),
        document.bits_a_position
    );
    let mut rows = vec![["seeds", "positions", "all up to here", "no row empty", "bytes", "digest"].map(str::to_owned).to_vec()];
    rows.extend(document.layers.iter().map(|layer| {
        vec![
            layer.seeds.to_string(),
            count(layer.positions),
            count(layer.positions_up_to),
            count(layer.no_empty_row_up_to),
            count(layer.bytes),
            layer.digest.chars().take(12).collect(),
        ]
    }));
    use Align::{Left, Right};
    page + &layout::table(&[Right, Right, Right, Right, Right, Left], &rows)
}

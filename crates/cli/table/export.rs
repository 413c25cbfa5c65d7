//! `table export`: a layer for other programs.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use lumbung_tables::file::FileError;
use lumbung_tables::file::export::Format;
use serde::Serialize;

use super::open::{About, DirectoryArgs, open};
use crate::args::Common;
use crate::exit::{Exit, Failure};
use crate::output;
use crate::units::{self, bytes, counted};
use crate::work::{Stop, Work};

/// Write a layer to a file for other programs: a row a position, with its pits, its value and the best move
#[derive(Debug, Args)]
pub(super) struct ExportArgs {
    #[command(flatten)]
    directory: DirectoryArgs,
    /// The layer with so many seeds
    #[arg(long, value_name = "S", value_parser = units::table_seeds, allow_hyphen_values = true)]
    seeds: usize,
    /// The form of the file
    #[arg(long, value_name = "FORMAT", value_enum)]
    format: FormatArg,
    /// The file to write
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum FormatArg {
    /// Text
    Csv,
    /// NumPy
    Npy,
    /// Apache Parquet
    Parquet,
}

#[derive(Serialize)]
struct Document {
    #[serde(flatten)]
    about: About,
    layer: usize,
    out: String,
    positions: u64,
    bytes: u64,
    seconds: f64,
}

pub(super) fn run(args: &ExportArgs, common: &Common) -> Result<Exit, Failure> {
    let directory = open(&args.directory.directory, common)?;
    let work = Work::begin(common, None)?;
    let stop = Stop::new(&work);
    let format = match args.format {
        FormatArg::Csv => Format::Csv,
        FormatArg::Npy => Format::Npy,
        FormatArg::Parquet => Format::Parquet,
    };
    let positions = match directory.export(args.seeds, format, &args.out, work.limits.memory, &work.limits.interrupt) {
        Ok(positions) => positions,
        Err(FileError::Stopped) => {
            work.progress.finish();
            eprintln!("lumbung: stopped before the file was written; {} is as it was", args.out.display());
            return Ok(stop.exit());
        }
        Err(error) => return Err(Failure::new(error)),
    };
    let out = args.out.display().to_string();
    let size = std::fs::metadata(&args.out).map_err(|error| Failure::new(format!("cannot read {out}: {error}")))?.len();
    if common.json {
        let about = About::new(&directory, common);
        let document = Document { about, layer: args.seeds, out, positions, bytes: size, seconds: work.seconds() };
        output::json("lumbung/table-export/1", &document)?;
    } else {
        output::text(&format!("{} in {out}, {}\n", counted(positions, "position"), bytes(size)))?;
    }
    Ok(Exit::Done)
}

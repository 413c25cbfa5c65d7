//! `table export`: a layer for other programs.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use lumbung_tables::file::FileError;
use lumbung_tables::file::export::Format;
use serde::Serialize;

use super::open::{About, DirectoryArgs, open};
use super::plan::PROGRAM;
use crate::args::Common;
use crate::exit::{Exit, Failure};
use crate::output;
use crate::units::{self, bytes, counted};
use crate::work::{self, Stop, Work};

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
    /// Positions and bytes written; none if it was stopped.
    positions: u64,
    bytes: u64,
    seconds: f64,
    /// What stopped it; then there is no new file.
    stopped: Option<&'static str>,
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
    let document = |positions, bytes, stopped| {
        let (about, out) = (About::new(&directory, common), args.out.display().to_string());
        let document = Document { about, layer: args.seeds, out, positions, bytes, seconds: work.seconds(), stopped };
        output::json("lumbung/table-export/1", &document)
    };
    let memory = work.limits.memory.saturating_sub(PROGRAM);
    let positions = match directory.export(args.seeds, format, &args.out, memory, &work.limits.interrupt) {
        Ok(positions) => positions,
        Err(FileError::Stopped) => {
            work.progress.finish();
            if common.json {
                document(0, 0, Some(work::word(stop.reason())))?;
            } else {
                eprintln!("lumbung: stopped before the file was written; {} is as it was", args.out.display());
            }
            return Ok(stop.exit());
        }
        Err(error @ FileError::Memory { .. }) => {
            let (all, own) = (bytes(work.limits.memory), bytes(PROGRAM));
            return Err(Failure::new(format!(
                "{error}: of the {all} that may be used the program itself takes {own} (see --memory)"
            )));
        }
        Err(error) => return Err(Failure::new(error)),
    };
    let out = args.out.display().to_string();
    let size = std::fs::metadata(&args.out).map_err(|error| Failure::new(format!("cannot read {out}: {error}")))?.len();
    if common.json {
        document(positions, size, None)?;
    } else {
        output::text(&format!("{} in {out}, {}\n", counted(positions, "position"), bytes(size)))?;
    }
    Ok(Exit::Done)
}

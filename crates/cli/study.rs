//! `study`: analyses that nobody has printed yet, as data sets.

mod cell;
mod grid;
mod heat;
mod page;
mod store;
mod tables;

use clap::{Args, Subcommand};

use crate::args::Common;
use crate::exit::{Exit, Failure};

/// Compute a data set of our own: who wins, by how much, on many boards and under many readings
#[derive(Debug, Args)]
pub(crate) struct StudyArgs {
    #[command(subcommand)]
    command: StudyCommand,
}

#[derive(Debug, Subcommand)]
enum StudyCommand {
    Grid(grid::GridArgs),
    Tables(tables::TablesArgs),
}

pub(crate) fn run(args: &StudyArgs, common: &Common) -> Result<Exit, Failure> {
    match &args.command {
        StudyCommand::Grid(args) => grid::run(args, common),
        StudyCommand::Tables(args) => tables::run(args, common),
    }
}

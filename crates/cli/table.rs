//! `table`: endgame tables on disk.

mod build;
mod export;
mod info;
mod open;
mod plan;
mod query;
pub(crate) mod stats;
mod verify;

use clap::{Args, Subcommand};

use crate::args::Common;
use crate::exit::{Exit, Failure};

const AFTER: &str = "\
Examples:
  lumbung table plan kalah --pits 6 --seeds 16              what it would take
  lumbung table build kalah --pits 6 --seeds 16 --out k16   about 30 million positions, 5 MB
  lumbung table info k16                                    rules, layers, sizes, digests
  lumbung table stats k16                                   wins, draws, losses, all values
  lumbung table query k16 --position 0,1,0,2,0,1/3,0,0,0,1,0
  lumbung table verify k16                                  every byte and every value
  lumbung table export k16 --seeds 10 --format npy --out k10.npy

A table holds the exact value of every position of a game with up to so many seeds in play:
what the player to move gains over the other from there on, under best play by both. A build
that was stopped goes on when the same command is given again.";

/// Endgame tables: plan, build, look up, verify and export the values of all positions with few seeds in play
#[derive(Debug, Args)]
#[command(after_help = AFTER)]
pub(crate) struct TableArgs {
    #[command(subcommand)]
    command: TableCommand,
}

#[derive(Debug, Subcommand)]
enum TableCommand {
    Plan(plan::PlanArgs),
    Build(build::BuildArgs),
    Info(info::InfoArgs),
    Stats(stats::StatsArgs),
    Query(query::QueryArgs),
    Verify(verify::VerifyArgs),
    Export(export::ExportArgs),
}

pub(crate) fn run(args: &TableArgs, common: &Common) -> Result<Exit, Failure> {
    match &args.command {
        TableCommand::Plan(args) => plan::run(args, common),
        TableCommand::Build(args) => build::run(args, common),
        TableCommand::Info(args) => info::run(args, common),
        TableCommand::Stats(args) => stats::run(args, common),
        TableCommand::Query(args) => query::run(args, common),
        TableCommand::Verify(args) => verify::run(args, common),
        TableCommand::Export(args) => export::run(args, common),
    }
}

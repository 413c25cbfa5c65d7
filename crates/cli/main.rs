//! The command line of Lumbung. Each command has its file; none knows more of a game than what the engine and the solver tell.

mod args;
mod exit;
mod games;
mod layout;
mod output;
mod play;
mod report;
mod rules;
mod sentences;
mod start;
mod units;

use std::process::ExitCode;

use clap::Parser;

use crate::args::{Cli, Command};
use crate::exit::{Exit, Failure};

fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => return exit::usage(&error),
    };
    match run(&cli) {
        Ok(exit) => exit.code(),
        Err(failure) => failure.tell(),
    }
}

fn run(cli: &Cli) -> Result<Exit, Failure> {
    match &cli.command {
        Command::Games(args) => games::run(args, &cli.common),
        Command::Play(args) => play::run(args, &cli.common),
    }
}

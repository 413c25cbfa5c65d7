//! The command line of Lumbung. Each command has its file; none knows more of a game than what the engine and the solver tell.

mod analyse;
mod args;
mod claim;
mod endgame;
mod exit;
mod games;
mod graph;
mod heap;
mod layout;
mod lost;
mod matches;
mod output;
mod perft;
mod play;
mod progress;
mod refill;
mod report;
mod reproduce;
mod rules;
mod sentences;
mod serve;
mod shelf;
mod solve;
mod start;
mod study;
mod table;
mod turns;
mod units;
mod verify;
mod work;

use std::process::ExitCode;

use clap::Parser;

use crate::args::{Cli, Command};
use crate::exit::{Exit, Failure};

fn main() -> ExitCode {
    heap::set_up();
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => return exit::usage(&error),
    };
    match lost::listen().and_then(|()| run(&cli)) {
        Ok(exit) => exit.code(),
        Err(failure) => failure.tell(),
    }
}

fn run(cli: &Cli) -> Result<Exit, Failure> {
    match &cli.command {
        Command::Games(args) => games::run(args, &cli.common),
        Command::Play(args) => play::run(args, &cli.common),
        Command::Perft(args) => perft::run(args, &cli.common),
        Command::Turns(args) => turns::run(args, &cli.common),
        Command::Solve(args) => solve::run(args, &cli.common),
        Command::Analyse(args) => analyse::run(args, &cli.common),
        Command::Match(args) => matches::run(args, &cli.common),
        Command::Graph(args) => graph::run(args, &cli.common),
        Command::Claim(args) => claim::run(args, &cli.common),
        Command::Reproduce(args) => reproduce::run(args, &cli.common),
        Command::Study(args) => study::run(args, &cli.common),
        Command::Table(args) => table::run(args, &cli.common),
        Command::Verify(args) => verify::run(args, &cli.common),
        Command::Serve(args) => serve::run(args, &cli.common),
        Command::Completions(args) => shelf::completions(args),
        Command::Man(args) => shelf::man(args),
    }
}

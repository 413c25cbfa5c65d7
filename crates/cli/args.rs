//! The command line as it is parsed: the commands, and the options that every command takes.

use std::path::PathBuf;
use std::time::Duration;

use clap::builder::styling::{AnsiColor, Styles};
use clap::{Args, Parser, Subcommand};

use crate::{
    analyse, claim, games, graph, matches, perft, play, reproduce, serve, shelf, solve, study, table, turns, units, verify,
};

const STYLES: Styles = Styles::styled()
    .header(AnsiColor::Yellow.on_default().bold())
    .usage(AnsiColor::Yellow.on_default().bold())
    .literal(AnsiColor::Green.on_default());

const AFTER: &str = "\
First steps:
  lumbung claim check dakon-first-player-win     settle a published claim, with evidence
  lumbung games                                  the games it knows
  lumbung games show dakon                       the rules of one, in words
  lumbung play dakon --moves \"7 / 3\" --trace     play a few moves and see every lap
  lumbung solve dakon --board 4x4                who wins, by how much, and how
  lumbung serve --open                           play and explore in the browser

Boards are written PITSxSEEDS: 7x7 is 7 pits a row with 7 seeds in each. South moves first. The
margin of a game is South's store minus North's at its end; the value of a position is what the
player to move gains from here on.

Moves are pits numbered from 1 in the mover's sowing order, with blanks between moves and \" / \"
between turns: \"1 4 2 / 3\".

Positions are <south row>/<north row>/<south store>,<north store>/<s|n>, rows in their owner's
sowing order, for instance 0,0,1/0,4,0/40,53/n. The stores and the player to move may be left
out; they are then 0,0/s.

Exit codes: 0 done, the claim holds, the proof is valid; 1 the claim is refuted, the certificate or
table is invalid, a published figure differs; 2 bad input; 3 not settled within the limits;
130 interrupted; 101 an internal error: a defect of the program, which no input excuses.

Manual pages and completions: lumbung man --out DIR, lumbung completions SHELL.";

/// Solves sowing (mancala) games exactly: Dakon, Kalah, Awari, Djenon-abe, San-Yao and others, by any reading of their rules
#[derive(Debug, Parser)]
#[command(name = "lumbung", version, styles = STYLES, after_help = AFTER, max_term_width = 110, infer_long_args = false)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
    #[command(flatten)]
    pub(crate) common: Common,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Games(games::GamesArgs),
    Play(play::PlayArgs),
    Perft(perft::PerftArgs),
    Turns(turns::TurnsArgs),
    Solve(solve::SolveArgs),
    Analyse(analyse::AnalyseArgs),
    Match(matches::MatchArgs),
    Graph(graph::GraphArgs),
    Claim(claim::ClaimArgs),
    Reproduce(reproduce::ReproduceArgs),
    Study(study::StudyArgs),
    Table(table::TableArgs),
    Verify(verify::VerifyArgs),
    Serve(serve::ServeArgs),
    Completions(shelf::CompletionsArgs),
    Man(shelf::ManArgs),
}

/// What every command takes.
#[derive(Debug, Args)]
#[command(next_help_heading = "Options of every command")]
pub(crate) struct Common {
    /// Take the rules from this TOML file, in place of a GAME (start from `lumbung games show dakon --toml`)
    #[arg(long, value_name = "FILE", global = true)]
    pub(crate) rules: Option<PathBuf>,
    /// Play by named readings of the game, listed by `lumbung games show GAME`; repeatable, or separated by commas
    #[arg(long = "reading", value_name = "NAME", global = true, value_delimiter = ',')]
    pub(crate) readings: Vec<String>,
    /// Change one rule, for instance end.when=any-row-empty; repeatable
    #[arg(long = "set", value_name = "KEY=VALUE", global = true, allow_hyphen_values = true)]
    pub(crate) set: Vec<String>,
    /// Print one JSON document on standard output and nothing else there
    #[arg(long, global = true)]
    pub(crate) json: bool,
    /// Use so many threads [default: all]
    #[arg(long, value_name = "N", global = true, value_parser = units::threads, allow_hyphen_values = true)]
    pub(crate) threads: Option<usize>,
    /// Use at most this much memory for tables, for instance 2GiB or 500MB [default: half of what is free]
    #[arg(long, value_name = "SIZE", global = true, value_parser = units::size, allow_hyphen_values = true)]
    pub(crate) memory: Option<u64>,
    /// Stop after this time with what has been proven, for instance 90s, 10m or 2h
    #[arg(long, value_name = "TIME", global = true, value_parser = units::time, allow_hyphen_values = true)]
    pub(crate) limit: Option<Duration>,
    /// Show no progress
    #[arg(long, short, global = true)]
    pub(crate) quiet: bool,
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::Cli;

    #[test]
    fn the_command_line_is_well_formed() {
        Cli::command().debug_assert();
    }
}

//! `completions` and `man`: what a shell and a reader of manual pages want, made from the command line as it is parsed.

use std::path::PathBuf;

use clap::{Args, CommandFactory as _};
use clap_complete::Shell;

use crate::args::Cli;
use crate::exit::{Exit, Failure};
use crate::output;

const COMPLETIONS: &str = "\
Examples:
  lumbung completions bash > ~/.local/share/bash-completion/completions/lumbung
  lumbung completions zsh > ~/.zfunc/_lumbung
  lumbung completions fish > ~/.config/fish/completions/lumbung.fish";

/// Print a completion script for a shell
#[derive(Debug, Args)]
#[command(after_help = COMPLETIONS)]
pub(crate) struct CompletionsArgs {
    /// The shell
    #[arg(value_name = "SHELL", value_enum)]
    shell: Shell,
}

const MAN: &str = "\
Examples:
  lumbung man --out ~/.local/share/man/man1      then: man lumbung, man lumbung-solve
  lumbung man | man -l -                         look at the first one";

/// Write manual pages, one a command, or print that of the program
#[derive(Debug, Args)]
#[command(after_help = MAN)]
pub(crate) struct ManArgs {
    /// Write the pages of all commands to this directory
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

pub(crate) fn completions(args: &CompletionsArgs) -> Result<Exit, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "lumbung", &mut script);
    let script = String::from_utf8(script).map_err(|error| Failure::Defect(error.to_string()))?;
    output::plain(&script)?;
    Ok(Exit::Done)
}

pub(crate) fn man(args: &ManArgs) -> Result<Exit, Failure> {
    let Some(directory) = &args.out else {
        let mut page = Vec::new();
        clap_mangen::Man::new(Cli::command()).render(&mut page).map_err(Failure::new)?;
        output::plain(&String::from_utf8(page).map_err(|error| Failure::Defect(error.to_string()))?)?;
        return Ok(Exit::Done);
    };
    let cannot = |error: std::io::Error| Failure::new(format!("cannot write to {}: {error}", directory.display()));
    std::fs::create_dir_all(directory).map_err(cannot)?;
    clap_mangen::generate_to(Cli::command(), directory).map_err(cannot)?;
    let pages = std::fs::read_dir(directory).map_err(cannot)?.count();
    output::text(&format!("{pages} pages in {}\n", directory.display()))?;
    Ok(Exit::Done)
}

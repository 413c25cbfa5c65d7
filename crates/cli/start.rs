//! The position a command starts from.

use clap::Args;
use lumbung_engine::{BoardSize, Position};

use crate::args::Common;
use crate::exit::Failure;
use crate::report::{self, board_of};
use crate::rules::{Chosen, quoted};

/// A game and a position of it.
#[derive(Debug, Args)]
pub(crate) struct StartArgs {
    /// One of the games that `lumbung games` lists; leave it out with --rules
    #[arg(value_name = "GAME")]
    pub(crate) game: Option<String>,
    /// Start a game on this board, PITSxSEEDS [default: the game's usual board]
    #[arg(long, value_name = "BOARD", conflicts_with = "position", allow_hyphen_values = true)]
    pub(crate) board: Option<String>,
    /// Start from this position: SOUTH/NORTH[/STORES[/s|n]], for instance 0,0,1/0,4,0/40,53/n
    #[arg(long, value_name = "POSITION", allow_hyphen_values = true)]
    pub(crate) position: Option<String>,
}

/// Refuses changes of the usual board where another board or position was named.
pub(crate) fn one_board(set: &[String], other: &str) -> Result<(), Failure> {
    let of_the_board = |change: &&String| {
        let key = change.split_once('=').map_or("", |(key, _)| key.trim());
        ["board.pits", "board.seeds"].contains(&key)
    };
    match set.iter().find(of_the_board) {
        Some(change) => Err(Failure::new(format!("--set {change} and {other} both choose the board; give one of them"))),
        None => Ok(()),
    }
}

/// Rules, and a position to start from.
#[derive(Debug)]
pub(crate) struct Start {
    pub(crate) chosen: Chosen,
    pub(crate) position: Position,
}

impl Start {
    pub(crate) fn new(args: &StartArgs, common: &Common) -> Result<Start, Failure> {
        let chosen = Chosen::new(args.game.as_deref(), common)?;
        let named = [("--board", &args.board), ("--position", &args.position)];
        for (option, value) in named.into_iter().filter_map(|(option, value)| Some((option, value.as_ref()?))) {
            one_board(&common.set, &format!("{option} {value}"))?;
        }
        let position = match (&args.position, &args.board) {
            (Some(text), _) => text.parse::<Position>().map_err(Failure::new)?,
            (None, Some(board)) => Position::start(board.parse::<BoardSize>().map_err(Failure::new)?),
            (None, None) => Position::start(chosen.rules.usual_board),
        };
        position.check(&chosen.rules).map_err(Failure::new)?;
        Ok(Start { chosen, position })
    }

    /// All seeds, those in the stores included.
    pub(crate) fn seeds(&self) -> usize {
        self.position.seeds_in_play() + self.position.stores.iter().map(|&store| usize::from(store)).sum::<usize>()
    }

    /// `dakon on 7x7`, or `dakon, from 1,0/0,2/3,4/s`.
    pub(crate) fn title(&self) -> String {
        match board_of(&self.position) {
            Some(board) => format!("{} on {board}", self.chosen),
            None => format!("{}, from {}", self.chosen, self.position),
        }
    }

    /// The arguments that name this start on a command line.
    pub(crate) fn arguments(&self) -> String {
        let start = match board_of(&self.position) {
            Some(board) => format!("--board {board}"),
            None => format!("--position {}", quoted(&self.position.to_string())),
        };
        format!("{} {start}", self.chosen.arguments())
    }

    pub(crate) fn report(&self) -> report::Start {
        report::Start {
            game: self.chosen.rules.name.clone(),
            board: board_of(&self.position).map(|board| board.to_string()),
            rules: self.chosen.report(),
            position: self.position.to_string(),
        }
    }
}

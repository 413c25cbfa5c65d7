//! `turns`: all that one player can do in a single turn.

use clap::Args;
use lumbung_engine::notation::write_turns;
use lumbung_solver::turns::{Goal, Options, Turn, TurnEnd, explore};
use serde::Serialize;

use crate::args::Common;
use crate::exit::{Exit, Failure};
use crate::layout;
use crate::output::{self, FAINT, HEADING, STRONG, styled};
use crate::report;
use crate::start::{Start, StartArgs};
use crate::units::{count, counted};
use crate::work::{self, Work};

const AFTER: &str = "\
Examples:
  lumbung turns dakon                              a first turn that wins
  lumbung turns dakon --board 5x5 --goal max       the most seeds one turn can store
  lumbung turns dakon --goal shortest-win          the fewest moves that win
  lumbung turns dakon --board 8x8 --reading donkers --goal donkers
  lumbung turns ohvalhu --goal 100                 a turn that brings the store to 100

Goals: win (more than half of all seeds in the store), max (as many as can be), shortest-win,
longest (as many moves as can be), donkers (2n^2 - n seeds on a board of n pits a row with n
seeds each: the other player cannot fill a pit), or a number of seeds.";

/// Explore all that the player to move can do in one turn of bonus moves
#[derive(Debug, Args)]
#[command(after_help = AFTER)]
pub(crate) struct TurnsArgs {
    #[command(flatten)]
    pub(crate) start: StartArgs,
    /// What to look for: win, max, shortest-win, longest, donkers, or a number of seeds
    #[arg(long, value_name = "GOAL", default_value = "win", value_parser = goal)]
    goal: Goal,
}

fn goal(text: &str) -> Result<Goal, String> {
    Ok(match text {
        "win" => Goal::Win,
        "max" => Goal::Max,
        "shortest-win" => Goal::ShortestWin,
        "longest" => Goal::Longest,
        "donkers" => Goal::Donkers,
        number => match number.parse() {
            Ok(seeds @ 1..) => Goal::AtLeast(seeds),
            _ => return Err("a goal is win, max, shortest-win, longest, donkers or a number of seeds".to_owned()),
        },
    })
}

fn goal_word(goal: Goal) -> String {
    match goal {
        Goal::Win => "win".to_owned(),
        Goal::Max => "max".to_owned(),
        Goal::ShortestWin => "shortest-win".to_owned(),
        Goal::Longest => "longest".to_owned(),
        Goal::Donkers => "donkers".to_owned(),
        Goal::AtLeast(seeds) => seeds.to_string(),
    }
}

pub(crate) fn run(args: &TurnsArgs, common: &Common) -> Result<Exit, Failure> {
    let start = Start::new(&args.start, common)?;
    let work = Work::begin(common, None)?;
    let options = Options { goal: args.goal, limits: work.limits.clone() };
    let turn = explore(&start.chosen.rules, &start.position, &options, &work.progress)?;
    work.progress.finish();
    let found = Found { start, goal: args.goal, turn, seconds: work.seconds() };
    if common.json {
        output::json("lumbung/turns/1", &found.document())?;
    } else {
        output::text(&found.page())?;
    }
    Ok(work::exit(found.turn.exhaustive, found.turn.stopped))
}

/// What was found, and where.
struct Found {
    start: Start,
    goal: Goal,
    turn: Turn,
    seconds: f64,
}

impl Found {
    /// Whether a turn wins, if that is settled.
    fn winning(&self) -> Option<bool> {
        let wins = 2 * self.turn.best_store as usize > self.start.seeds();
        let every_turn_seen = self.turn.exhaustive && !self.turn.reached;
        (wins || every_turn_seen || matches!(self.goal, Goal::Max | Goal::Longest) && self.turn.exhaustive).then_some(wins)
    }

    fn line(&self) -> String {
        if self.turn.line.is_empty() { String::new() } else { write_turns([self.turn.line.iter().copied()]) }
    }

    fn page(&self) -> String {
        let Found { start, turn, .. } = self;
        let mut page = format!("{}\n\n{}\n", styled(STRONG, start.title()), styled(STRONG, layout::capital(&self.verdict())));
        if !turn.exhaustive {
            page += &format!("Not settled: {}.\n", work::why(turn.stopped));
        }
        if !turn.line.is_empty() {
            let moves = counted(turn.line.len() as u64, "move");
            let heading =
                format!("{moves}, {}, {} in the store", counted(turn.laps, "lap"), counted(turn.line_store.into(), "seed"));
            page += &format!("\n{}\n{}", styled(HEADING, heading), layout::paragraphs(&self.line(), "  "));
            page += end_words(turn.end);
            page += &format!("\nTo replay it:\n  lumbung play {} --moves \"{}\"\n", start.arguments(), self.line());
        }
        // A turn of one move leaves no board behind from which she plays on.
        let seen = match turn.states {
            0 => "no further board".to_owned(),
            boards => counted(boards, "board"),
        };
        let figures = format!("{seen} seen, {}", work::time(self.seconds));
        page + &format!("\n{}\n", styled(FAINT, figures))
    }

    fn verdict(&self) -> String {
        let side = self.start.position.to_move;
        let Turn { best_store, line, reached, exhaustive, .. } = &self.turn;
        let of = format!("{} of {}", count((*best_store).into()), counted(self.start.seeds() as u64, "seed"));
        let moves = counted(line.len() as u64, "move");
        if line.is_empty() && *exhaustive {
            return match reached {
                true => format!("{side} needs no move for it: {of} are in her store"),
                false => format!("{side} can play no turn for it: {of} are in her store"),
            };
        }
        match (self.goal, reached, exhaustive) {
            (Goal::Win | Goal::Donkers | Goal::AtLeast(_), true, _) => {
                let seeds = count(self.turn.line_store.into());
                format!("{side} can do it: {seeds} of {} in one turn of {moves}", counted(self.start.seeds() as u64, "seed"))
            }
            (Goal::ShortestWin, true, true) => format!("{side} can win in one turn of {moves}, and in no shorter one"),
            (Goal::ShortestWin, true, false) => format!("{side} can win in one turn of {moves}, perhaps in a shorter one"),
            (Goal::Max, _, true) => format!("{side} can store {of} in one turn, and no more"),
            (Goal::Longest, _, true) => format!("{side}'s longest turn has {moves}; at best a turn stores {of}"),
            (_, false, true) => format!("{side} cannot do it in one turn; at best she stores {of}"),
            (_, _, false) => format!("the best turn found stores {of}"),
        }
    }

    fn document(&self) -> Document {
        let Turn { best_store, line, line_store, laps, reached, exhaustive, states, end, stopped, .. } = &self.turn;
        Document {
            start: self.start.report(),
            goal: goal_word(self.goal),
            best_store: *best_store,
            winning: self.winning(),
            reached: *reached,
            exhaustive: *exhaustive,
            line: self.line(),
            line_store: *line_store,
            line_end: (!line.is_empty()).then(|| end_word(*end)),
            moves: line.len(),
            laps: *laps,
            states: *states,
            seconds: self.seconds,
            stopped: stopped.map(work::word),
        }
    }
}

fn end_word(end: TurnEnd) -> &'static str {
    match end {
        TurnEnd::Passes => "turn",
        TurnEnd::GameOver => "over",
        TurnEnd::Pending => "bonus",
    }
}

fn end_words(end: TurnEnd) -> &'static str {
    match end {
        TurnEnd::Passes => "  Then the turn passes.\n",
        TurnEnd::GameOver => "  Then the game is over.\n",
        TurnEnd::Pending => "  She still has a bonus move.\n",
    }
}

/// The document of `turns`.
#[derive(Serialize)]
struct Document {
    #[serde(flatten)]
    start: report::Start,
    goal: String,
    best_store: u32,
    winning: Option<bool>,
    reached: bool,
    exhaustive: bool,
    line: String,
    line_store: u32,
    line_end: Option<&'static str>,
    moves: usize,
    laps: u64,
    states: u64,
    seconds: f64,
    stopped: Option<&'static str>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn goals_are_words_or_numbers_of_seeds() {
        for word in ["win", "max", "shortest-win", "longest", "donkers", "100"] {
            assert_eq!(goal(word).map(goal_word), Ok(word.to_owned()));
        }
        for wrong in ["0", "-3", "best", ""] {
            assert!(goal(wrong).is_err(), "{wrong:?}");
        }
    }
}

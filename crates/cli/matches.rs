//! `match`: a game over several rounds, solved.

use clap::Args;
use lumbung_engine::BoardSize;
use lumbung_engine::rounds::{MatchRules, RoundStart};
use lumbung_engine::rules::{Lending, Repeat, Rounds, Sons, TieStarter};
use lumbung_solver::matches::{MatchSolution, MatchValue, RoundResult, StartValue, solve_match};
use serde::Serialize;

use crate::args::Common;
use crate::exit::{Exit, Failure};
use crate::layout::{self, Align};
use crate::output::{self, FAINT, HEADING, STRONG, styled};
use crate::refill::{RefillReport, StartReport, arithmetic};
use crate::report;
use crate::start::{Start, StartArgs};
use crate::units::counted;
use crate::work::{self, Work};

const AFTER: &str = "\
Examples:
  lumbung match san-yao                              who wins the match, round by round
  lumbung match san-yao --board 3x3                  on a small board
  lumbung match san-yao --reading winner-chooses     the winner chooses the pits she conquers
  lumbung match san-yao --reading debt,void          other readings of the rules between rounds
  lumbung match san-yao --position 5,5,5,5,5/5,5,5,5,5/0,0/n/sssnnnnnnn      from a later round

A match that goes on for ever is a draw. Play a match of your own with lumbung play --match.";

/// Solve a match over rounds: who wins it, in how many rounds, and how each round ends
#[derive(Debug, Args)]
#[command(after_help = AFTER)]
pub(crate) struct MatchArgs {
    #[command(flatten)]
    start: StartArgs,
}

pub(crate) fn run(args: &MatchArgs, common: &Common) -> Result<Exit, Failure> {
    let start = Start::new(&args.start, common)?;
    let (match_rules, first) = match_rules(&start)?;
    let work = Work::begin(common, None)?;
    let solution =
        solve_match(&start.chosen.rules, match_rules.size(), &first, &work.limits, &work.progress).map_err(Failure::new)?;
    work.progress.finish();
    let seconds = work.seconds();
    if common.json {
        output::json("lumbung/match/1", &document(&start, &match_rules, &solution, seconds))?;
    } else {
        output::text(&page(&start, &match_rules, &solution, seconds))?;
    }
    Ok(work::exit(solution.value != MatchValue::Open, solution.stopped))
}

/// The start of a round that a position is: a full board, empty stores.
fn round_start(start: &Start) -> Result<(BoardSize, RoundStart), Failure> {
    let position = &start.position;
    let refuse = || {
        Failure::new(format!(
            "{position} is not the start of a round; a round starts with equally many seeds in every pit and empty stores"
        ))
    };
    let seeds = usize::from(*position.board.first().ok_or_else(refuse)?);
    let size = BoardSize::new(position.pits(), seeds).map_err(|_| refuse())?;
    if position.stores != [0, 0] || position.board.iter().any(|&pit| usize::from(pit) != seeds) {
        return Err(refuse());
    }
    Ok((size, RoundStart { owners: position.owners, starter: position.to_move, debt: None }))
}

/// `South wins the match in 2 rounds`.
pub(crate) fn verdict(solution: &MatchSolution) -> String {
    match solution.value {
        MatchValue::Won { by, rounds } => {
            let most = if solution.exact { "" } else { "at most " };
            format!("{by} wins the match in {most}{}", counted(rounds.into(), "round"))
        }
        MatchValue::Drawn => "Neither player can force a win: the match goes on for ever, a draw".to_owned(),
        MatchValue::Open => "The match is not settled".to_owned(),
    }
}

/// What the result rests on besides the rules of a round.
fn assumed(rules: &MatchRules, solution: &MatchSolution) -> Vec<String> {
    let mut assumed = vec![match rules.sons {
        Sons::AfterOwnRow => "sons are the pits that follow the winner's own row".to_owned(),
        Sons::WinnerChooses => "the winner chooses her sons".to_owned(),
    }];
    assumed.push(match rules.lending {
        Lending::Gift => "what is lent is given for good".to_owned(),
        Lending::Debt => {
            "what is lent is paid back before the next division and before the end of the match is tested".to_owned()
        }
    });
    assumed.push(match rules.tie_starter {
        TieStarter::Other => "after equal totals the other player starts".to_owned(),
        TieStarter::Same => "after equal totals the same player starts".to_owned(),
    });
    assumed.push(match rules.repeat {
        Repeat::Split => {
            "of a round that never ends the rest is split evenly, an odd seed going to the player who did not start it".to_owned()
        }
        Repeat::Void => "a round that never ends is void and played again".to_owned(),
    });
    assumed.push("a match that never ends is a draw".to_owned());
    assumed.push(match solution.searched {
        0 => "rounds were solved for the most seeds; that this is best for the match was checked for every split that decides it".to_owned(),
        searched => format!(
            "rounds were solved for the most seeds, but {} searched for the very splits that win the match, as the most seeds need not be \
             the best there",
            counted(searched as u64, "start")
        ),
    });
    assumed
}

fn page(start: &Start, rules: &MatchRules, solution: &MatchSolution, seconds: f64) -> String {
    let mut page = format!("{}\n\n{}\n", styled(STRONG, start.title()), styled(STRONG, verdict(solution)));
    if solution.value == MatchValue::Open {
        page += &format!("Not settled: {}.\n", work::why(solution.stopped));
    }
    for (number, round) in (1..).zip(&solution.rounds) {
        page += &format!("\n{}\n", styled(HEADING, format!("Round {number}: {} starts", round.start.starter)));
        page += &layout::indented(&layout::board(&rules.position(&round.start)));
        match &round.outcome {
            Some(outcome) => {
                if let Some(line) = &outcome.line {
                    page += &layout::paragraphs(&format!("Best play: {line}"), "  ");
                }
                if outcome.unending {
                    page += "  That would go on for ever; what is left is split.\n";
                }
                for step in arithmetic(rules, &outcome.refill) {
                    page += &layout::paragraphs(&step, "  ");
                }
            }
            None if solution.value == MatchValue::Drawn => page += "  Neither player can force an end of this round that wins.\n",
            None => page += "  Not settled.\n",
        }
    }
    if solution.value == MatchValue::Drawn && solution.rounds.last().is_some_and(|round| round.outcome.is_some()) {
        page += "\nThe next round starts as one before.\n";
    }
    if let Some(moves) = replayed(rules, &solution.rounds) {
        page += &format!("\nTo replay it:\n  lumbung play {} --match --moves \"{moves}\"\n", start.arguments());
    }
    page += &format!("\n{}\n", styled(HEADING, "All starts of rounds"));
    page += &table(&solution.starts);
    page += &format!("\n{}\n", styled(HEADING, "What this rests on"));
    page += &assumed(rules, solution).iter().map(|line| layout::item(line)).collect::<String>();
    let figures = format!("{} visited, {}", counted(solution.nodes, "position"), work::time(seconds));
    page + &format!("\n{}\n", styled(FAINT, figures))
}

/// Most starts that are listed for people.
const LISTED: usize = 80;

fn table(starts: &[StartValue]) -> String {
    let mut rows = vec![["owners", "starter", "owes", "margin", "match"].map(str::to_owned).to_vec()];
    for StartValue { start, margin, value } in starts.iter().take(LISTED) {
        let owes = start.debt.map_or(String::new(), |debt| format!("{} {}", debt.debtor, debt.seeds));
        let margin = match margin {
            Some((low, high)) if low == high => format!("{low:+}"),
            Some((low, high)) => format!("{low:+} to {high:+}"),
            None => String::new(),
        };
        let value = match value {
            MatchValue::Won { by, rounds } => format!("{by} in {rounds}"),
            MatchValue::Drawn => "for ever".to_owned(),
            MatchValue::Open => "not settled".to_owned(),
        };
        rows.push(vec![start.owners.to_string(), start.starter.to_string(), owes, margin, value]);
    }
    let columns = [Align::Left, Align::Left, Align::Left, Align::Right, Align::Left];
    let mut table = layout::indented(&layout::table(&columns, &rows));
    if starts.len() > LISTED {
        table += &format!("    and {} more; --json lists all\n", starts.len() - LISTED);
    }
    table
}

/// The moves of all rounds, with the sons that were chosen, where they are known.
fn replayed(rules: &MatchRules, rounds: &[RoundResult]) -> Option<String> {
    let mut moves = String::new();
    for (number, round) in rounds.iter().enumerate() {
        if number > 0 {
            moves += " ; ";
            moves += &rules.written_sons(&round.start);
        }
        moves += round.outcome.as_ref()?.line.as_deref()?;
    }
    Some(moves)
}

/// The document of `match`.
#[derive(Serialize)]
struct Document {
    #[serde(flatten)]
    start: report::Start,
    winner: &'static str,
    /// Rounds in which the winner wins.
    in_rounds: Option<u32>,
    /// That number is the least she can force.
    exact: bool,
    rounds: Vec<RoundDocument>,
    assumed: Vec<String>,
    starts: Vec<StartDocument>,
    searched: usize,
    nodes: u64,
    seconds: f64,
    stopped: Option<&'static str>,
}

#[derive(Serialize)]
struct RoundDocument {
    #[serde(flatten)]
    start: StartReport,
    margin: Option<i32>,
    stores: Option<[u16; 2]>,
    lent: Option<u16>,
    refill: Option<RefillReport>,
    line: Option<String>,
    unending: bool,
}

#[derive(Serialize)]
struct StartDocument {
    #[serde(flatten)]
    start: StartReport,
    bounds: Option<[i32; 2]>,
    winner: &'static str,
    in_rounds: Option<u32>,
}

fn winner(value: MatchValue) -> (&'static str, Option<u32>) {
    match value {
        MatchValue::Won { by, rounds } => (report::side(by), Some(rounds)),
        MatchValue::Drawn => ("draw", None),
        MatchValue::Open => ("undecided", None),
    }
}

fn document(start: &Start, rules: &MatchRules, solution: &MatchSolution, seconds: f64) -> Document {
    let round = |round: &RoundResult| {
        let outcome = round.outcome.as_ref();
        let refill = outcome.map(|outcome| RefillReport::new(&outcome.refill));
        RoundDocument {
            start: StartReport::new(&round.start),
            margin: outcome.map(|outcome| outcome.margin),
            stores: refill.as_ref().map(|refill| refill.stores),
            lent: refill.as_ref().map(|refill| refill.lent),
            refill,
            line: outcome.and_then(|outcome| outcome.line.clone()),
            unending: outcome.is_some_and(|outcome| outcome.unending),
        }
    };
    let of_start = |known: &StartValue| {
        let (winner, in_rounds) = winner(known.value);
        let bounds = known.margin.map(|(low, high)| [low, high]);
        StartDocument { start: StartReport::new(&known.start), bounds, winner, in_rounds }
    };
    let (winner, in_rounds) = winner(solution.value);
    Document {
        start: start.report(),
        winner,
        in_rounds,
        exact: solution.exact,
        rounds: solution.rounds.iter().map(round).collect(),
        assumed: assumed(rules, solution),
        starts: solution.starts.iter().map(of_start).collect(),
        searched: solution.searched,
        nodes: solution.nodes,
        seconds,
        stopped: solution.stopped.map(work::word),
    }
}

/// The rules of a match, for commands that play one.
pub(crate) fn match_rules(start: &Start) -> Result<(MatchRules, RoundStart), Failure> {
    if start.chosen.rules.rounds == Rounds::Single {
        let size = start.chosen.rules.usual_board;
        MatchRules::new(&start.chosen.rules, size).map_err(Failure::new)?;
    }
    let (size, first) = round_start(start)?;
    Ok((MatchRules::new(&start.chosen.rules, size).map_err(Failure::new)?, first))
}

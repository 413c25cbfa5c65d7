//! Positions, what may be played in them, and what a move does, lap by lap.

use lumbung_engine::notation::{GameRecord, MoveText, replay, replay_traced};
use lumbung_engine::referee::{Next, State};
use lumbung_engine::rounds::{Follows, RoundEnd};
use lumbung_engine::{Position, Referee, Side};
use serde::Serialize;

use super::answer::{Refusal, text};
use super::app::App;
use super::params::{Params, START};
use crate::play::{Document, document, match_document};
use crate::refill::arithmetic;
use crate::report;
use crate::start::Start;

/// Seeds of a position, row by row, for programs that do not read its text.
#[derive(Serialize)]
pub(super) struct Seeds {
    /// Each row in its owner's sowing order.
    south: Vec<u16>,
    north: Vec<u16>,
    /// South's store and North's.
    stores: [u16; 2],
    to_move: &'static str,
    /// Who owns which pit, in the order of the ring, where it is not the row's own player.
    #[serde(skip_serializing_if = "Option::is_none")]
    owners: Option<String>,
}

impl Seeds {
    pub(super) fn new(position: &Position) -> Seeds {
        let (south, north) = position.board.split_at(position.pits());
        Seeds {
            south: south.to_vec(),
            north: north.to_vec(),
            stores: position.stores,
            to_move: report::side(position.to_move),
            owners: position.owners.stated(),
        }
    }
}

/// A move of the game so far.
#[derive(Serialize)]
struct Step {
    side: &'static str,
    /// None where the turn passed.
    pit: Option<u16>,
    /// She moves again.
    again: bool,
    position: String,
}

/// The answer of `position` and `laps`.
#[derive(Serialize)]
struct Answer {
    #[serde(flatten)]
    play: Document,
    seeds: Seeds,
    /// Every move, and the position after it.
    steps: Vec<Step>,
    /// Seeds given at the end, and by whom.
    #[serde(skip_serializing_if = "Option::is_none")]
    gift: Option<Gift>,
}

#[derive(Serialize)]
struct Gift {
    from: &'static str,
    seeds: u16,
}

/// The position after some moves, and what may be played in it; `traced`: with every lap of the moves.
pub(super) fn position(app: &App, query: Option<&str>, traced: bool) -> Result<String, Refusal> {
    let params = Params::parse(query, &[&START, &["moves"]])?;
    let start = params.start(app)?;
    let moves: MoveText = params.one("moves")?.unwrap_or_default().parse().map_err(Refusal::bad)?;
    let referee = Referee::new(&start.chosen.rules);
    let play = if traced { replay_traced } else { replay };
    let record = play(&referee, &start.position, &moves).map_err(Refusal::bad)?;
    let schema = if traced { "lumbung/api-laps/1" } else { "lumbung/api-position/1" };
    text(schema, &answer(&start, &record, traced))
}

fn answer(start: &Start, record: &GameRecord, traced: bool) -> Answer {
    let gift = match &record.state {
        State::Over(over) => over.gift.map(|(from, seeds)| Gift { from: report::side(from), seeds }),
        State::ToMove(_) | State::Pass => None,
    };
    Answer { play: document(start, record, traced), seeds: Seeds::new(&record.last), steps: steps(record), gift }
}

fn steps(record: &GameRecord) -> Vec<Step> {
    let mut steps = Vec::new();
    let mut before = record.start.clone();
    let mut step = |side: Side, pit, again, after: &Position| {
        steps.push(Step { side: report::side(side), pit, again, position: after.to_string() });
    };
    for turn in &record.turns {
        if turn.moves.is_empty() {
            before.to_move = turn.side.other();
            step(turn.side, None, false, &before);
        }
        for (pit, played) in &turn.moves {
            step(turn.side, Some(report::number(*pit)), played.next == Next::Bonus, &played.after);
            before = played.after.clone();
        }
    }
    steps
}

/// A match over rounds, and what the last round that is over leads to.
#[derive(Serialize)]
struct MatchAnswer<D: Serialize> {
    #[serde(flatten)]
    play: D,
    seeds: Seeds,
    /// The arithmetic after the last round that is over, a sentence a step.
    between: Vec<String>,
    /// The starts that may follow it: one, or one for each choice of sons, the pits that follow the winner's row first.
    next: Vec<NextRound>,
}

/// The start of a round.
#[derive(Serialize)]
struct NextRound {
    position: String,
    /// What is written before the moves of the round, where the winner chooses her sons: `[6 9] `.
    sons: String,
}

/// A winner of many pits on a large board could choose among too many starts to list.
const MOST_STARTS: usize = 500;

/// The rounds of a match, `;` between them.
pub(super) fn rounds(app: &App, query: Option<&str>) -> Result<String, Refusal> {
    let params = Params::parse(query, &[&START, &["moves"]])?;
    let start = params.start(app)?;
    let (record, play) = match_document(&start, params.one("moves")?.unwrap_or_default())?;
    let rules = &record.rules;
    let last = record.rounds.iter().rev().find_map(|round| round.end.map(|end| (round.start, end)));
    let (between, starts) = match last {
        Some((_, RoundEnd::Counted { unending, refill })) => {
            let split = unending.then(|| "The round would go on for ever: what is left is split.".to_owned());
            let starts = match refill.follows {
                Follows::Round(division) => rules.starts(&division),
                Follows::Over { .. } => Vec::new(),
            };
            (split.into_iter().chain(arithmetic(rules, &refill)).collect(), starts)
        }
        Some((start, RoundEnd::Void)) => {
            (vec!["The round would go on for ever: it is void and played again.".to_owned()], vec![start])
        }
        None => (Vec::new(), Vec::new()),
    };
    let next = starts
        .iter()
        .take(MOST_STARTS)
        .map(|start| NextRound { position: rules.position(start).to_string(), sons: rules.written_sons(start) });
    let next = next.collect();
    let seeds = Seeds::new(&record.rounds[record.rounds.len() - 1].game.last);
    text("lumbung/api-match/1", &MatchAnswer { play, seeds, between, next })
}

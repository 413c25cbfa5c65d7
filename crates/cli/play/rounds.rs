//! A match replayed, round after round.

use lumbung_engine::Referee;
use lumbung_engine::rounds::{MatchRecord, MatchState, RoundEnd, RoundRecord, replay_match};
use serde::Serialize;

use super::{Document, document, page_of};
use crate::args::Common;
use crate::exit::{Exit, Failure};
use crate::layout;
use crate::matches::match_rules;
use crate::output::{self, HEADING, STRONG, styled};
use crate::refill::{RefillReport, StartReport, arithmetic};
use crate::report;
use crate::start::Start;

pub(super) fn run(start: &Start, referee: &Referee<'_>, moves: &str, traced: bool, common: &Common) -> Result<Exit, Failure> {
    let record = record(start, referee, moves, traced)?;
    if common.json {
        output::json("lumbung/play/1", &whole(start, &record, traced))?;
    } else {
        output::text(&page(start, &record, traced))?;
    }
    Ok(Exit::Done)
}

fn record(start: &Start, referee: &Referee<'_>, moves: &str, traced: bool) -> Result<MatchRecord, Failure> {
    let (rules, first) = match_rules(start)?;
    replay_match(referee, rules, first, moves, traced).map_err(Failure::new)
}

/// A match replayed, and its document.
pub(crate) fn match_document(start: &Start, moves: &str) -> Result<(MatchRecord, MatchDocument), Failure> {
    let record = record(start, &Referee::new(&start.chosen.rules), moves, false)?;
    let document = whole(start, &record, false);
    Ok((record, document))
}

fn page(start: &Start, record: &MatchRecord, traced: bool) -> String {
    let mut page = format!("{}\n", styled(STRONG, format!("{}, a match", start.title())));
    for (number, round) in (1..).zip(&record.rounds) {
        page += &format!("\n{}\n\n", styled(HEADING, format!("Round {number}: {}", round.start)));
        page += &page_of(&start.chosen.rules, &round.game, traced);
        if let Some(end) = &round.end {
            page += "\n";
            page += &between(record, end);
        }
    }
    match record.state {
        MatchState::Over { winner } => page += &format!("\n{}\n", styled(STRONG, format!("{winner} wins the match"))),
        MatchState::BetweenRounds => page += "\nThe next round may begin; write its moves after a \";\".\n",
        MatchState::InRound => {}
    }
    page
}

/// What a round that is over leads to.
fn between(record: &MatchRecord, end: &RoundEnd) -> String {
    let mut steps = Vec::new();
    match end {
        RoundEnd::Void => steps.push("The round would go on for ever: it is void and played again.".to_owned()),
        RoundEnd::Counted { unending, refill } => {
            if *unending {
                steps.push("The round would go on for ever: what is left is split.".to_owned());
            }
            steps.extend(arithmetic(&record.rules, refill));
        }
    }
    steps.iter().map(|step| layout::paragraphs(step, "  ")).collect()
}

/// The document of `play --match`: that of its last round, and the match.
#[derive(Serialize)]
pub(crate) struct MatchDocument {
    #[serde(flatten)]
    round: Document,
    #[serde(rename = "match")]
    whole: Match,
}

#[derive(Serialize)]
struct Match {
    moves: String,
    over: bool,
    winner: Option<&'static str>,
    rounds: Vec<Round>,
}

#[derive(Serialize)]
struct Round {
    #[serde(flatten)]
    start: StartReport,
    moves: String,
    position: String,
    over: bool,
    unending: bool,
    void: bool,
    refill: Option<RefillReport>,
}

fn whole(start: &Start, record: &MatchRecord, traced: bool) -> MatchDocument {
    let round = |round: &RoundRecord| {
        let (unending, refill) = match round.end {
            Some(RoundEnd::Counted { unending, refill }) => (unending, Some(RefillReport::new(&refill))),
            Some(RoundEnd::Void) => (true, None),
            None => (false, None),
        };
        Round {
            start: StartReport::new(&round.start),
            moves: round.game.moves(),
            position: round.game.last.to_string(),
            over: round.end.is_some(),
            unending,
            void: round.end == Some(RoundEnd::Void),
            refill,
        }
    };
    let winner = match record.state {
        MatchState::Over { winner } => Some(report::side(winner)),
        MatchState::InRound | MatchState::BetweenRounds => None,
    };
    let last = &record.rounds[record.rounds.len() - 1].game;
    MatchDocument {
        round: document(start, last, traced),
        whole: Match { moves: record.moves(), over: winner.is_some(), winner, rounds: record.rounds.iter().map(round).collect() },
    }
}

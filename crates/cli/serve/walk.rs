//! A certificate as a proof to walk through: what is known of a position, the proving player's move, or the other's replies.

use lumbung_engine::referee::{Next, State};
use lumbung_engine::{Pit, Position, Referee, RuleSet, Side};
use lumbung_proof::{Bound, Claim, Key};
use serde::Serialize;

use super::answer::{Refusal, text};
use super::app::App;
use super::certificates::Proof;
use super::params::Params;
use super::play::Seeds;
use crate::report;
use crate::verify::ClaimReport;

#[derive(Serialize)]
struct Answer {
    certificate: String,
    /// The number of the claim that is walked through, from 0.
    claim: usize,
    claims: Vec<ClaimReport>,
    position: String,
    seeds: Seeds,
    /// What is to be done: `move`, `pass` or `over`.
    state: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    /// Whether it is the proving player who is to move.
    prover_to_move: bool,
    #[serde(flatten)]
    knows: Knows,
    /// Her final margin if all goes on as it is known: what she has so far and what she gains at least.
    margin: Option<i32>,
    /// The proving player's move, where the certificate names one.
    pit: Option<u16>,
    /// What may be played, and what is known of each move.
    moves: Vec<Move>,
}

/// What is known of a position.
#[derive(Clone, Copy, Serialize)]
struct Knows {
    /// Why: `entry`, the certificate has one; `table`, the endgame table that it leans on has one; `few-seeds`, what is left cannot change the claim; `over`, the game is; or nothing,
    /// where the walk has left the proof.
    known: Option<&'static str>,
    /// What the proving player gains at least from here on.
    bound: Option<i32>,
    /// Moves after which a seed has left the board for good, where the proof counts them.
    within: Option<u32>,
}

#[derive(Serialize)]
struct Move {
    pit: u16,
    again: bool,
    /// The position after it; settled if the game is over.
    position: String,
    over: bool,
    #[serde(flatten)]
    knows: Knows,
    /// The proving player's final margin is at least this.
    margin: Option<i32>,
}

/// Answers `certificates/{certificate}/walk`.
pub(super) fn walk(app: &App, id: &str, query: Option<&str>) -> Result<String, Refusal> {
    let params = Params::parse(query, &[&["claim", "position"]])?;
    let proof = app.certificate(id)?;
    let certificate = &proof.certificate;
    let number: usize = params.number("claim")?.unwrap_or(0);
    let claims = certificate.claims();
    let Some(claim) = claims.get(number) else {
        return Err(Refusal::bad(format!("claim: there is none {number}; the certificate has {}, from 0", claims.len())));
    };
    let rules = certificate.rules();
    let position = match params.one("position")? {
        None => claim.start.clone(),
        Some(text) => text.parse::<Position>().map_err(Refusal::bad)?,
    };
    position.check(rules).map_err(Refusal::bad)?;
    if position.pits() != claim.start.pits() || position.owners != claim.start.owners {
        return Err(Refusal::bad(format!("{position} is of another board than {}, from which the proof begins", claim.start)));
    }
    let walker = Walker { proof, rules, claim, referee: Referee::new(rules) };
    let knows = walker.knows(&position)?;
    let state = walker.referee.state(&position);
    let prover_to_move = position.to_move == claim.player;
    let answer = Answer {
        certificate: id.to_owned(),
        claim: number,
        claims: claims.iter().map(|claim| ClaimReport::new(rules, claim)).collect(),
        position: position.to_string(),
        seeds: Seeds::new(&position),
        state: match state {
            State::ToMove(_) => "move",
            State::Pass => "pass",
            State::Over(_) => "over",
        },
        reason: match &state {
            State::Over(over) => Some(over.reason.to_string()),
            State::ToMove(_) | State::Pass => None,
        },
        prover_to_move,
        margin: walker.margin(&position, knows.bound),
        pit: if prover_to_move { walker.entry(&position)?.and_then(|entry| entry.pit).map(report::number) } else { None },
        moves: match &state {
            State::ToMove(pits) => pits.iter().map(|&pit| walker.after(&position, pit)).collect::<Result<_, _>>()?,
            State::Pass | State::Over(_) => Vec::new(),
        },
        knows,
    };
    text("lumbung/api-walk/1", &answer)
}

struct Walker<'w> {
    proof: &'w Proof,
    rules: &'w RuleSet,
    claim: &'w Claim,
    referee: Referee<'w>,
}

impl Walker<'_> {
    fn so_far(&self, position: &Position) -> i32 {
        match self.claim.player {
            Side::South => position.margin(),
            Side::North => -position.margin(),
        }
    }

    fn margin(&self, position: &Position, bound: Option<i32>) -> Option<i32> {
        Some(self.so_far(position) + bound?)
    }

    fn entry(&self, position: &Position) -> Result<Option<lumbung_proof::Entry>, Refusal> {
        let kind = if position.to_move == self.claim.player { Bound::AtLeast(0) } else { Bound::AtMost(0) };
        self.proof.certificate.find(&Key::new(position, kind)).map_err(|error| self.proof.told(&error))
    }

    fn knows(&self, position: &Position) -> Result<Knows, Refusal> {
        let nothing = Knows { known: None, bound: None, within: None };
        if let State::Over(over) = self.referee.state(position) {
            let gains = self.so_far(&over.last) - self.so_far(position);
            return Ok(Knows { known: Some("over"), bound: Some(gains), ..nothing });
        }
        let few = -(position.seeds_in_play() as i32);
        if let Some(entry) = self.entry(position)? {
            let bound = entry.bound().for_prover();
            // The counter is one of a rule by which play must go on, and binds where something is still to be gained.
            let within = (self.rules.can_repeat() && bound > 0 && !entry.from_table).then(|| entry.counter.saturating_add(1));
            let known = Some(if entry.from_table { "table" } else { "entry" });
            return Ok(Knows { known, bound: Some(bound), within });
        }
        if self.claim.bound - self.so_far(position) <= few {
            return Ok(Knows { known: Some("few-seeds"), bound: Some(few), ..nothing });
        }
        Ok(nothing)
    }

    fn after(&self, position: &Position, pit: Pit) -> Result<Move, Refusal> {
        let played = self.referee.play(position, pit).map_err(Refusal::defect)?;
        let again = played.next == Next::Bonus;
        let over = match (played.next, self.referee.state(&played.after)) {
            (Next::Over(over), _) | (_, State::Over(over)) => Some(over.last),
            _ => None,
        };
        let knows = match over {
            Some(_) => Knows { known: Some("over"), bound: Some(0), within: None },
            None => self.knows(&played.after)?,
        };
        let (over, after) = (over.is_some(), over.unwrap_or(played.after));
        Ok(Move {
            pit: report::number(pit),
            again,
            margin: self.margin(&after, knows.bound),
            position: after.to_string(),
            over,
            knows,
        })
    }
}

//! What one round leads to, in words and as data.

use lumbung_engine::Side;
use lumbung_engine::rounds::{Debt, Division, Follows, MatchRules, Refill, RoundStart};
use serde::Serialize;

use crate::report;
use crate::units::counted;

/// The arithmetic between two rounds, a sentence a step.
pub(crate) fn arithmetic(rules: &MatchRules, refill: &Refill) -> Vec<String> {
    let both = |totals: [u16; 2]| format!("South {}, North {}", totals[0], totals[1]);
    let mut steps = vec![format!("Totals: {}.", both(refill.totals))];
    if let Some(Debt { debtor, seeds }) = refill.repaid {
        steps.push(format!("{debtor} pays back {seeds}: {}.", both(refill.divided)));
    }
    let seeds = rules.size().seeds();
    let of = |side: Side| refill.divided[side.index()];
    match refill.follows {
        Follows::Over { winner } => {
            let loser = winner.other();
            steps.push(format!("{} of {loser}'s fill no pit of {seeds}: {winner} has won the match.", of(loser)));
        }
        Follows::Round(Division { sons: 0, lent: 0, starter, .. }) if refill.stronger.is_none() => {
            steps.push(format!("Nothing changes hands. {starter} starts."));
        }
        Follows::Round(Division { pits, sons, lent, starter: winner, debt }) => {
            let loser = winner.other();
            let count = |side: Side| counted(pits[side.index()] as u64, "pit");
            let conquers = match sons {
                0 => format!("no pit of {loser}'s among them"),
                _ => format!("{sons} of {loser}'s among them"),
            };
            steps.push(format!("{winner}: {} div {seeds} = {}, {conquers}; {lent} left over.", of(winner), count(winner)));
            steps.push(match (lent, debt) {
                (0, _) => format!("{loser}: {} = {} of {seeds}.", of(loser), count(loser)),
                (_, None) => format!("{loser}: {} + {lent} given = {} of {seeds}.", of(loser), count(loser)),
                (_, Some(_)) => {
                    format!("{loser}: {} + {lent} lent = {} of {seeds}; {loser} owes {lent}.", of(loser), count(loser))
                }
            });
            steps.push(format!("{winner} starts."));
        }
    }
    steps
}

/// What is owed, as data.
#[derive(Serialize)]
pub(crate) struct DebtReport {
    debtor: &'static str,
    seeds: u16,
}

pub(crate) fn debt(debt: Option<Debt>) -> Option<DebtReport> {
    debt.map(|Debt { debtor, seeds }| DebtReport { debtor: report::side(debtor), seeds })
}

/// The start of a round, as data.
#[derive(Serialize)]
pub(crate) struct StartReport {
    starter: &'static str,
    owners: String,
    /// What is owed from the division before.
    debt: Option<DebtReport>,
}

impl StartReport {
    pub(crate) fn new(start: &RoundStart) -> Self {
        StartReport { starter: report::side(start.starter), owners: start.owners.to_string(), debt: debt(start.debt) }
    }
}

/// What a round leads to, as data.
#[derive(Serialize)]
pub(crate) struct RefillReport {
    /// South's and North's totals at the end of the round.
    pub(crate) stores: [u16; 2],
    repaid: u16,
    divided: [u16; 2],
    /// Pits that South and North fill for the next round; none if the match is over.
    pits: Option<[usize; 2]>,
    sons: usize,
    pub(crate) lent: u16,
    /// Who has won the match by it.
    match_winner: Option<&'static str>,
}

impl RefillReport {
    pub(crate) fn new(refill: &Refill) -> Self {
        let (division, winner) = match refill.follows {
            Follows::Over { winner } => (None, Some(report::side(winner))),
            Follows::Round(division) => (Some(division), None),
        };
        RefillReport {
            stores: refill.totals,
            repaid: refill.repaid.map_or(0, |debt| debt.seeds),
            divided: refill.divided,
            pits: division.map(|division| division.pits),
            sons: division.map_or(0, |division| division.sons),
            lent: division.map_or(0, |division| division.lent),
            match_winner: winner,
        }
    }
}

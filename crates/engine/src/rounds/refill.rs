//! The arithmetic between two rounds.

use super::{Debt, MatchRules, RoundStart};
use crate::position::Side;
use crate::rules::{Lending, TieStarter};

/// What the totals of a round lead to, step by step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Refill {
    /// What South and North had at the end of the round.
    pub totals: [u16; 2],
    /// What was paid back of an earlier loan: by whom, and how much.
    pub repaid: Option<Debt>,
    /// What South and North have after that; the division is made with these.
    pub divided: [u16; 2],
    /// Who has more of them.
    pub stronger: Option<Side>,
    /// What follows.
    pub follows: Follows,
}

/// What follows a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Follows {
    /// The match is over: the other player cannot fill a pit.
    Over {
        /// Who has won it.
        winner: Side,
    },
    /// Another round.
    Round(Division),
}

/// How the seeds are divided for the next round.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Division {
    /// Pits that South and North fill.
    pub pits: [usize; 2],
    /// How many of the stronger player's pits are the other player's by right.
    pub sons: usize,
    /// What the stronger player lends to the other.
    pub lent: u16,
    /// Who starts.
    pub starter: Side,
    /// What is owed from now on.
    pub debt: Option<Debt>,
}

impl MatchRules {
    /// What follows the round from `start` that ended with these totals, which are all seeds.
    pub fn refill(&self, start: &RoundStart, totals: [u16; 2]) -> Refill {
        debug_assert_eq!(totals[0] + totals[1], self.total());
        let mut divided = totals;
        let repaid = start.debt.map(|debt| {
            let paid = debt.seeds.min(divided[debt.debtor.index()]);
            divided[debt.debtor.index()] -= paid;
            divided[debt.debtor.other().index()] += paid;
            Debt { seeds: paid, ..debt }
        });
        let stronger = match divided[0].cmp(&divided[1]) {
            std::cmp::Ordering::Greater => Some(Side::South),
            std::cmp::Ordering::Less => Some(Side::North),
            std::cmp::Ordering::Equal => None,
        };
        let follows = match stronger {
            Some(winner) => self.divide(winner, divided),
            None => {
                let starter = match self.tie_starter {
                    TieStarter::Other => start.starter.other(),
                    TieStarter::Same => start.starter,
                };
                let pits = self.size.pits();
                Follows::Round(Division { pits: [pits, pits], sons: 0, lent: 0, starter, debt: None })
            }
        };
        Refill { totals, repaid, divided, stronger, follows }
    }

    fn divide(&self, winner: Side, divided: [u16; 2]) -> Follows {
        let seeds = self.size.seeds() as u16;
        let (most, least) = (divided[winner.index()], divided[winner.other().index()]);
        if least < seeds {
            return Follows::Over { winner };
        }
        let mut pits = [0; 2];
        pits[winner.index()] = usize::from(most / seeds);
        pits[winner.other().index()] = 2 * self.size.pits() - pits[winner.index()];
        let lent = most % seeds;
        let owed = self.lending == Lending::Debt && lent > 0;
        Follows::Round(Division {
            pits,
            sons: pits[winner.index()] - self.size.pits(),
            lent,
            starter: winner,
            debt: owed.then_some(Debt { debtor: winner.other(), seeds: lent }),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::BoardSize;
    use crate::rules::preset;
    use proptest::prelude::*;

    fn rules(pits: usize, seeds: usize, set: &[&str]) -> MatchRules {
        let rules = preset("san-yao").expect("a preset").rules.with_set(set).expect("rules");
        MatchRules::new(&rules, BoardSize::new(pits, seeds).expect("a board")).expect("rounds")
    }

    fn after(rules: &MatchRules, south: u16) -> Refill {
        rules.refill(&rules.first(), [south, rules.total() - south])
    }

    /// Every row of the refill table, from either side.
    #[test]
    fn the_refill_table() {
        let rules = rules(5, 5, &[]);
        // Winner's total; pits of the winner, sons, lent, pits of the loser.
        let rows = [(29, 5, 0, 4, 5), (33, 6, 1, 3, 4), (38, 7, 2, 3, 3), (43, 8, 3, 3, 2), (45, 9, 4, 0, 1)];
        for (most, winners, sons, lent, losers) in rows {
            for (side, south) in [(Side::South, most), (Side::North, 50 - most)] {
                let refill = after(&rules, south);
                assert_eq!(refill.stronger, Some(side));
                let Follows::Round(division) = refill.follows else { panic!("{most} ends the match") };
                let pits = if side == Side::South { [winners, losers] } else { [losers, winners] };
                let expected = Division { pits, sons, lent, starter: side, debt: None };
                assert_eq!(division, expected, "{most}");
            }
        }
        assert_eq!(after(&rules, 46).follows, Follows::Over { winner: Side::South });
        assert_eq!(after(&rules, 4).follows, Follows::Over { winner: Side::North });
        // 25 to 25: nothing changes hands and the other player starts.
        let tie = after(&rules, 25);
        assert_eq!(tie.stronger, None);
        let expected = Division { pits: [5, 5], sons: 0, lent: 0, starter: Side::North, debt: None };
        assert_eq!(tie.follows, Follows::Round(expected));
    }

    #[test]
    fn after_equal_totals_the_same_player_may_start() {
        let rules = rules(5, 5, &["rounds.tie-starter=same"]);
        let north = RoundStart { starter: Side::North, ..rules.first() };
        for start in [rules.first(), north] {
            let Follows::Round(division) = rules.refill(&start, [25, 25]).follows else { panic!("a tie ends nothing") };
            assert_eq!(division.starter, start.starter);
        }
    }

    /// "A debt is repaid before the next division and before the end of the match is tested."
    #[test]
    fn a_debt_is_repaid_first() {
        let rules = rules(5, 5, &["rounds.lending=debt"]);
        let Follows::Round(division) = after(&rules, 33).follows else { panic!("33 to 17 goes on") };
        assert_eq!((division.lent, division.debt), (3, Some(Debt { debtor: Side::North, seeds: 3 })));
        let start = RoundStart { debt: division.debt, ..rules.first() };
        // 43 and 7: North pays 3, and with 4 left cannot fill a pit.
        let refill = rules.refill(&start, [43, 7]);
        assert_eq!((refill.repaid, refill.divided), (division.debt, [46, 4]));
        assert_eq!(refill.follows, Follows::Over { winner: Side::South });
        // 22 and 28: after the payment 25 each.
        let refill = rules.refill(&start, [22, 28]);
        assert_eq!((refill.divided, refill.stronger), ([25, 25], None));
        // 49 and 1: she pays what she has.
        assert_eq!(rules.refill(&start, [49, 1]).repaid, Some(Debt { debtor: Side::North, seeds: 1 }));
    }

    proptest! {
        /// "The board is always full, stores always empty, at a round start": nobody fills less than she has or more than she gets.
        #[test]
        fn the_board_is_full_after_every_division(pits in 1usize..=18, seeds in 1usize..=20, part in 0.0f64..=1.0) {
            let rules = rules(pits, seeds, &[]);
            let south = (part * f64::from(rules.total())) as u16;
            let refill = after(&rules, south);
            let least = refill.divided[0].min(refill.divided[1]);
            match refill.follows {
                Follows::Over { winner } => {
                    prop_assert_eq!(Some(winner), refill.stronger);
                    prop_assert!(usize::from(least) < seeds);
                }
                Follows::Round(Division { pits: filled, sons, lent, .. }) => {
                    prop_assert!(usize::from(least) >= seeds && usize::from(lent) < seeds);
                    prop_assert_eq!(filled[0] + filled[1], 2 * pits);
                    for (index, side) in [(0, Side::South), (1, Side::North)] {
                        let gives = if refill.stronger == Some(side) { -i32::from(lent) } else { i32::from(lent) };
                        prop_assert_eq!(i32::from(refill.divided[index]) + gives, (filled[index] * seeds) as i32);
                    }
                    prop_assert_eq!(filled[0].max(filled[1]), pits + sons);
                }
            }
        }
    }
}

//! Random valid rule sets for property tests.
//!
//! Every case of every choice turns up. What would clash is put right while a rule set is drawn, so nothing is thrown away;
//! captures and relays are drawn oftener than not, since rules without them teach little.

use std::collections::BTreeMap;

use proptest::prelude::*;
use proptest::sample::{select, subsequence};

use super::{
    About, BeyondGapCapture, BonusOnEmptyRow, Captures, CountCapture, CountSide, Cycle, End, EndWhen, Endless, Feeding,
    GrandSlam, LandingSeed, Lending, NoMove, OppositeCapture, Origin, Relay, Remainder, Repeat, Rounds, RuleSet, Rules, Sons,
    Sowing, Stores, TieStarter,
};
use crate::position::BoardSize;

/// Any valid rule set.
pub fn rule_set() -> impl Strategy<Value = RuleSet> {
    prop_oneof![sown_rule_set(), scored_rule_set()]
}

/// Any valid rule set with sown stores: one that cannot repeat a position.
pub fn sown_rule_set() -> impl Strategy<Value = RuleSet> {
    let bonus = prop_oneof![1 => Just(None), 4 => select(BonusOnEmptyRow::ALL).prop_map(Some)];
    bonus.prop_flat_map(|bonus| with_stores(Stores::Sown { bonus }))
}

/// Any valid rule set with scored stores: one that can repeat a position.
pub fn scored_rule_set() -> impl Strategy<Value = RuleSet> {
    with_stores(Stores::Scored)
}

fn with_stores(stores: Stores) -> impl Strategy<Value = RuleSet> {
    (board(), sowing(), captures(), select(Feeding::ALL), end(), rounds()).prop_filter_map(
        "a clash that is not put right",
        move |(usual_board, sowing, capture, feeding, end, rounds)| {
            let mut rules = Rules {
                name: "random".to_owned(),
                about: About::default(),
                usual_board,
                stores,
                sowing,
                capture,
                feeding,
                end,
                rounds,
                readings: BTreeMap::new(),
            };
            put_right(&mut rules);
            RuleSet::from_spec(RuleSet(rules).to_spec()).ok()
        },
    )
}

/// Small boards, where captures, empty rows and ends are frequent.
fn board() -> impl Strategy<Value = BoardSize> {
    (1..=8usize, 1..=7usize).prop_filter_map("a board within the limits", |(pits, seeds)| BoardSize::new(pits, seeds).ok())
}

fn numbers() -> impl Strategy<Value = Vec<u16>> {
    subsequence((1..=6u16).collect::<Vec<_>>(), 1..=4)
}

fn sowing() -> impl Strategy<Value = Sowing> {
    let relay = prop_oneof![
        2 => Just(Relay::Single),
        2 => Just(Relay::Landing { stop_at: vec![1] }),
        3 => numbers().prop_map(|stop_at| Relay::Landing { stop_at }),
        2 => Just(Relay::Next),
    ];
    let min_seeds = prop_oneof![3 => Just(1u16), 1 => 2..=3u16];
    (relay, select(Origin::ALL), min_seeds, select(Endless::ALL)).prop_map(|(relay, origin, min_seeds, endless)| Sowing {
        relay,
        origin,
        min_seeds,
        endless,
    })
}

fn captures() -> impl Strategy<Value = Captures> {
    let opposite = (select(LandingSeed::ALL), any::<bool>())
        .prop_map(|(landing_seed, require_visit)| OppositeCapture { landing_seed, require_visit });
    let count = (numbers(), select(CountSide::ALL), any::<bool>(), select(GrandSlam::ALL))
        .prop_map(|(counts, side, chain_back, grand_slam)| CountCapture { counts, side, chain_back, grand_slam });
    let beyond_gap = (any::<bool>(), any::<bool>()).prop_map(|(chain, wrap)| BeyondGapCapture { chain, wrap });
    (
        proptest::option::weighted(0.6, opposite),
        proptest::bool::weighted(0.4),
        proptest::option::weighted(0.6, count),
        proptest::option::weighted(0.5, beyond_gap),
    )
        .prop_map(|(opposite, sandwich, count, beyond_gap)| Captures { opposite, sandwich, count, beyond_gap })
}

fn end() -> impl Strategy<Value = End> {
    let when = prop_oneof![
        2 => Just(EndWhen::MoverEmpty),
        2 => Just(EndWhen::AnyRowEmpty),
        2 => Just(EndWhen::BothRowsEmpty),
        1 => Just(EndWhen::OnlySingletons),
        1 => (1..=6u16).prop_map(EndWhen::FewerThan),
        2 => Just(EndWhen::NoLegalMove),
    ];
    let gift = prop_oneof![2 => Just(0u16), 1 => 1..=3u16];
    (when, select(NoMove::ALL), any::<bool>(), select(Remainder::ALL), gift, select(Cycle::ALL))
        .prop_map(|(when, no_move, one_each, remainder, gift, cycle)| End { when, no_move, one_each, remainder, gift, cycle })
}

fn rounds() -> impl Strategy<Value = Rounds> {
    let territory = (select(Sons::ALL), select(Lending::ALL), select(TieStarter::ALL), select(Repeat::ALL))
        .prop_map(|(sons, lending, tie_starter, repeat)| Rounds::Territory { sons, lending, tie_starter, repeat });
    prop_oneof![Just(Rounds::Single), territory]
}

/// Changes what clashes, keeping as much as possible of what was drawn.
fn put_right(rules: &mut Rules) {
    let sown = rules.stores != Stores::Scored;
    if sown && rules.sowing.relay == Relay::Next {
        rules.sowing.relay = Relay::Single;
    }
    if rules.sowing.origin == Origin::First {
        rules.sowing.min_seeds = rules.sowing.min_seeds.max(2);
    }
    if !rules.can_be_endless() {
        rules.sowing.endless = Endless::Illegal;
    }
    put_captures_right(rules, sown);
    put_end_right(rules, sown);
    let capture = &rules.capture;
    let by_sides = capture.opposite.is_some() || capture.sandwich;
    let unscored = matches!(rules.end.remainder, Remainder::Split | Remainder::Unscored);
    if sown || by_sides || unscored || capture.beyond_gap.is_none() {
        rules.rounds = Rounds::Single;
    }
    if let Rounds::Territory { repeat, .. } = &mut rules.rounds
        && rules.end.cycle == Cycle::RowOwner
    {
        *repeat = Repeat::Split;
    }
}

fn put_captures_right(rules: &mut Rules, sown: bool) {
    let capture = &mut rules.capture;
    if sown {
        capture.beyond_gap = None;
    }
    if let Some(gap) = &mut capture.beyond_gap {
        gap.wrap |= !gap.chain;
    }
    if let Relay::Landing { stop_at } = &mut rules.sowing.relay {
        let needs_one = capture.opposite.is_some() || capture.sandwich || rules.sowing.origin == Origin::First;
        if needs_one && !stop_at.contains(&1) {
            stop_at.insert(0, 1);
        }
        if let Some(count) = &mut capture.count
            && !count.counts.iter().any(|number| stop_at.contains(number))
        {
            count.counts.push(stop_at[stop_at.len() - 1]);
            count.counts.sort_unstable();
        }
    }
}

fn put_end_right(rules: &mut Rules, sown: bool) {
    let end = &mut rules.end;
    end.cycle = match (sown, end.cycle) {
        (true, _) => Cycle::None,
        (false, Cycle::None) => Cycle::Zero,
        (false, cycle) => cycle,
    };
    rules.feeding = match (rules.feeding, end.when) {
        (Feeding::Rescue, EndWhen::MoverEmpty) => Feeding::MoverMust,
        (Feeding::Rescue | Feeding::MoverMust, EndWhen::AnyRowEmpty) => Feeding::None,
        (feeding, _) => feeding,
    };
    let forbids = rules.capture.count.as_ref().is_some_and(|count| count.grand_slam == GrandSlam::Forbidden);
    let endless = rules.sowing.relay != Relay::Single && !sown && rules.sowing.endless == Endless::Illegal;
    let can_lack_a_move = rules.sowing.min_seeds > 1 || forbids || endless || rules.feeding == Feeding::MoverMust;
    if matches!(end.when, EndWhen::MoverEmpty | EndWhen::AnyRowEmpty) && !can_lack_a_move {
        end.no_move = NoMove::End;
    }
}

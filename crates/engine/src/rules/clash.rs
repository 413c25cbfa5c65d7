//! Which keys do not go together.
//!
//! Two principles: rules must be playable, and a key that has no effect may only hold its default, so that nobody believes to
//! have changed the game when she has not. Every refusal names both keys with their values.

use std::fmt::Display;

use super::convert::STOP_AT;
use super::spec::{BoardSpec, BonusMove, RelayKind, RoundsKind, RuleSpec, StoresKind};
use super::{BonusOnEmptyRow, Cycle, EndWhen, Endless, Feeding, GrandSlam, NoMove, Origin, Remainder, Repeat, RuleError};
use crate::position::BoardSize;

/// The usual board.
pub(super) fn board(spec: &BoardSpec) -> Result<BoardSize, RuleError> {
    let (pits, seeds) = (spec.pits.unwrap_or(7), spec.seeds.unwrap_or(7));
    BoardSize::new(usize::from(pits), usize::from(seeds)).map_err(|source| RuleError::Board { pits, seeds, source })
}

/// A key with its value, as it is named in a refusal.
struct Named {
    key: &'static str,
    value: String,
}

fn word(key: &'static str, value: impl Display) -> Named {
    Named { key, value: format!("\"{value}\"") }
}

fn plain(key: &'static str, value: impl Display) -> Named {
    Named { key, value: value.to_string() }
}

fn numbers(key: &'static str, values: &[u16]) -> Named {
    Named { key, value: format!("{values:?}") }
}

fn refuse(clash: bool, one: Named, other: Named, why: &'static str) -> Result<(), RuleError> {
    if !clash {
        return Ok(());
    }
    Err(RuleError::Clash { key: one.key, value: one.value, other: other.key, other_value: other.value, why })
}

/// The spec with defaults filled in, as far as clashes ask for it.
struct Resolved<'s> {
    spec: &'s RuleSpec,
    stores: StoresKind,
    relay: RelayKind,
    stop_at: Vec<u16>,
    origin: Origin,
    min_seeds: u16,
    bonus: BonusMove,
    endless: Endless,
    opposite: bool,
    sandwich: bool,
    beyond_gap: bool,
    grand_slam: Option<GrandSlam>,
    feeding: Feeding,
    when: EndWhen,
    remainder: Remainder,
    cycle: Cycle,
    rounds: RoundsKind,
}

/// Refuses keys that do not go together.
pub(super) fn check(spec: &RuleSpec) -> Result<(), RuleError> {
    let capture = &spec.capture;
    let resolved = Resolved {
        spec,
        stores: spec.board.stores.unwrap_or_default(),
        relay: spec.sowing.relay.unwrap_or_default(),
        stop_at: spec.sowing.stop_at.clone().unwrap_or_else(|| STOP_AT.to_vec()),
        origin: spec.sowing.origin.unwrap_or_default(),
        min_seeds: spec.sowing.min_seeds.unwrap_or(1),
        bonus: spec.sowing.bonus_move.unwrap_or_default(),
        endless: spec.sowing.endless.unwrap_or_default(),
        opposite: capture.opposite.as_ref().is_some_and(|table| table.enabled.unwrap_or(true)),
        sandwich: capture.sandwich.as_ref().is_some_and(|table| table.enabled.unwrap_or(true)),
        beyond_gap: capture.beyond_gap.as_ref().is_some_and(|table| table.enabled.unwrap_or(true)),
        grand_slam: capture
            .count
            .as_ref()
            .filter(|table| table.enabled.unwrap_or(true))
            .map(|table| table.grand_slam.unwrap_or_default()),
        feeding: spec.feeding.rule.unwrap_or_default(),
        when: spec.end.when.unwrap_or_default(),
        remainder: spec.end.remainder.unwrap_or_default(),
        cycle: spec.end.cycle.unwrap_or_default(),
        rounds: spec.rounds.kind.unwrap_or_default(),
    };
    resolved.sowing()?;
    resolved.bonus()?;
    resolved.captures()?;
    resolved.end()?;
    resolved.rounds()
}

impl Resolved<'_> {
    fn stores_named(&self) -> Named {
        word("board.stores", self.stores)
    }

    fn relay_named(&self) -> Named {
        word("sowing.relay", self.relay)
    }

    fn stop_at_named(&self) -> Named {
        numbers("sowing.stop-at", &self.stop_at)
    }

    fn when_named(&self) -> Named {
        word("end.when", self.when)
    }

    fn sown(&self) -> bool {
        self.stores == StoresKind::Sown
    }

    /// Whether a landing relay goes on from a pit that now holds one seed.
    fn relays_from_one(&self) -> bool {
        self.relay == RelayKind::Landing && !self.stop_at.contains(&1)
    }

    fn sowing(&self) -> Result<(), RuleError> {
        refuse(
            self.relay == RelayKind::Next && self.sown(),
            self.relay_named(),
            self.stores_named(),
            "a lap that ends in a store has no next pit",
        )?;
        refuse(
            self.relay != RelayKind::Landing && self.spec.sowing.stop_at.is_some(),
            self.stop_at_named(),
            self.relay_named(),
            "only a landing relay looks at the number in the last pit (sowing.stop-at=default takes the key back)",
        )?;
        refuse(
            self.origin == Origin::First && self.min_seeds == 1,
            word("sowing.origin", self.origin),
            plain("sowing.min-seeds", self.min_seeds),
            "a single seed would go back into its pit and the board stay as it was",
        )?;
        refuse(
            self.origin == Origin::First && self.relays_from_one(),
            word("sowing.origin", self.origin),
            self.stop_at_named(),
            "a single seed would be lifted and put back for ever; stop-at must hold 1",
        )?;
        let endless = self.endless != Endless::Illegal;
        let named = || word("sowing.endless", self.endless);
        refuse(endless && self.sown(), named(), self.stores_named(), "with sown stores every relay ends")?;
        refuse(endless && self.relay == RelayKind::Single, named(), self.relay_named(), "a move of one lap always ends")
    }

    fn bonus(&self) -> Result<(), RuleError> {
        let bonus = || word("sowing.bonus-move", self.bonus);
        refuse(
            self.bonus == BonusMove::OwnStore && !self.sown(),
            bonus(),
            self.stores_named(),
            "no seed is ever sown into a store",
        )?;
        let on_empty = self.spec.sowing.bonus_on_empty_row.unwrap_or_default();
        refuse(
            on_empty != BonusOnEmptyRow::End && self.bonus == BonusMove::None,
            word("sowing.bonus-on-empty-row", on_empty),
            bonus(),
            "no bonus is ever earned",
        )
    }

    fn captures(&self) -> Result<(), RuleError> {
        let on = |key| plain(key, true);
        let from_one = "it needs a last pit that holds 1, and from there the relay goes on; stop-at must hold 1";
        refuse(self.opposite && self.relays_from_one(), on("capture.opposite.enabled"), self.stop_at_named(), from_one)?;
        refuse(self.sandwich && self.relays_from_one(), on("capture.sandwich.enabled"), self.stop_at_named(), from_one)?;
        if let Some(count) = self.spec.capture.count.as_ref().filter(|_| self.grand_slam.is_some()) {
            let counts = count.counts();
            refuse(
                self.relay == RelayKind::Landing && !counts.iter().any(|count| self.stop_at.contains(count)),
                numbers("capture.count.counts", &counts),
                self.stop_at_named(),
                "the relay goes on from every pit that could be taken; the two lists must share a number",
            )?;
        }
        refuse(
            self.beyond_gap && self.sown(),
            on("capture.beyond-gap.enabled"),
            self.stores_named(),
            "the gap and the pit beyond it are counted on a circuit without stores",
        )?;
        if let Some(gap) = self.spec.capture.beyond_gap.as_ref().filter(|_| self.beyond_gap) {
            refuse(
                gap.wrap == Some(false) && gap.chain == Some(false),
                plain("capture.beyond-gap.wrap", false),
                plain("capture.beyond-gap.chain", false),
                "only a chain comes round to the landing pit",
            )?;
        }
        Ok(())
    }

    fn end(&self) -> Result<(), RuleError> {
        let feeding = || word("feeding.rule", self.feeding);
        refuse(
            self.feeding == Feeding::Rescue && matches!(self.when, EndWhen::MoverEmpty | EndWhen::AnyRowEmpty),
            feeding(),
            self.when_named(),
            "the game is over before an empty player could be fed",
        )?;
        refuse(
            self.feeding == Feeding::MoverMust && self.when == EndWhen::AnyRowEmpty,
            feeding(),
            self.when_named(),
            "the game is over before anyone faces an empty row",
        )?;
        let no_move = self.spec.end.no_move.unwrap_or_default();
        refuse(
            no_move == NoMove::Pass && matches!(self.when, EndWhen::MoverEmpty | EndWhen::AnyRowEmpty) && !self.can_lack_a_move(),
            word("end.no-move", no_move),
            self.when_named(),
            "a player without a move has an empty row, and then the game is over already",
        )?;
        let cycle = || word("end.cycle", self.cycle);
        refuse(
            self.cycle == Cycle::None && !self.sown(),
            cycle(),
            self.stores_named(),
            "without sown stores positions can repeat; say what infinite play is worth",
        )?;
        refuse(self.cycle != Cycle::None && self.sown(), cycle(), self.stores_named(), "with sown stores no position can repeat")
    }

    /// Whether a player with seeds in her row may have no legal move.
    fn can_lack_a_move(&self) -> bool {
        self.min_seeds > 1
            || (self.endless == Endless::Illegal && self.relay != RelayKind::Single && !self.sown())
            || self.grand_slam == Some(GrandSlam::Forbidden)
            || self.feeding == Feeding::MoverMust
    }

    fn rounds(&self) -> Result<(), RuleError> {
        let kind = || word("rounds.kind", self.rounds);
        let rounds = &self.spec.rounds;
        let repeat = rounds.repeat.unwrap_or_default();
        if self.rounds == RoundsKind::Single {
            let why = "a game of one round is never refilled";
            let lending = rounds.lending.unwrap_or_default();
            let sons = rounds.sons.unwrap_or_default();
            let starter = rounds.tie_starter.unwrap_or_default();
            refuse(sons != Default::default(), word("rounds.sons", sons), kind(), why)?;
            refuse(lending != Default::default(), word("rounds.lending", lending), kind(), why)?;
            refuse(starter != Default::default(), word("rounds.tie-starter", starter), kind(), why)?;
            return refuse(repeat != Default::default(), word("rounds.repeat", repeat), kind(), why);
        }
        refuse(self.sown(), kind(), self.stores_named(), "conquered pits are defined on a circuit without stores")?;
        refuse(
            !self.beyond_gap,
            kind(),
            plain("capture.beyond-gap.enabled", false),
            "territory is played with captures beyond the gap",
        )?;
        let why = "in later rounds a player owns pits on both sides, and this capture is about the two sides of the board";
        refuse(self.opposite, kind(), plain("capture.opposite.enabled", true), why)?;
        refuse(self.sandwich, kind(), plain("capture.sandwich.enabled", true), why)?;
        refuse(
            matches!(self.remainder, Remainder::Split | Remainder::Unscored),
            kind(),
            word("end.remainder", self.remainder),
            "the refill divides all seeds, so none may stay unscored",
        )?;
        refuse(
            repeat == Repeat::Void && self.cycle == Cycle::RowOwner,
            word("rounds.repeat", repeat),
            word("end.cycle", self.cycle),
            "a round that repeats is over and scored, so none is void",
        )
    }
}

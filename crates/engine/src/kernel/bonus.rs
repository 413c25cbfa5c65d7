//! Pits whose seeds reach the own store.

use super::lanes::Lanes;
use super::laps::Laps;
use super::{Kernel, Seat};
use crate::rules::{Feeding, GrandSlam, RuleSet, Stores};

/// For each number of full circuits, the board on which every pit of the mover's row holds as many seeds as bring the last one to her
/// store. Lanes beyond the row hold a number that no board has there.
pub(super) fn reach_store<B: Lanes>(pits: usize, max_seeds: usize) -> Vec<B> {
    let circuit = 2 * pits + 1;
    let after = |circuits: usize| {
        let mut board = B::EMPTY;
        for lane in 0..B::STRIDE {
            let seeds = if lane < pits { pits - lane + circuits * circuit } else { 1 };
            board.set(lane, seeds.min(B::MAX_COUNT as usize) as u32);
        }
        board
    };
    (0..=max_seeds / circuit).map(after).collect()
}

/// See [`Kernel::surely_stores`]; `None` where no seed is sown into a store, or where such a move may be illegal.
pub(super) fn storing<B: Lanes>(rules: &RuleSet, pits: usize, max_seeds: usize, laps: &Laps<B>) -> Option<B> {
    // A move that captures by count may be one that is not allowed.
    let forbids = rules.capture.count.as_ref().is_some_and(|count| count.grand_slam == GrandSlam::Forbidden);
    let may_be_illegal = rules.feeding != Feeding::None || forbids || laps.can_be_endless;
    if !matches!(rules.stores, Stores::Sown { .. }) || may_be_illegal || rules.end.one_each {
        return None;
    }
    let mut storing = B::EMPTY;
    for lane in 0..B::STRIDE {
        let stores = |&seeds: &usize| laps.lap(laps.index(lane, seeds as u32)).stored() > 0;
        let fewest = match lane < pits {
            true => (usize::from(rules.sowing.min_seeds).max(1)..=max_seeds).find(stores).unwrap_or(max_seeds + 1),
            false => 1,
        };
        storing.set(lane, u32::try_from(fewest).ok().filter(|&fewest| fewest < 128)?);
    }
    Some(storing)
}

impl<B: Lanes> Kernel<B> {
    /// Pits of the row of the player to move whose seeds would reach her store exactly, sown in one lap over every pit on the way: what
    /// moves may be ranked by, and no more, because rules of sowing that skip the origin are not looked at.
    #[inline(always)]
    pub fn bonus_pits(&self, board: &B) -> u32 {
        let mut pits = board.same_in_row(&self.reach_store[0]);
        let circuit = 2 * self.pits + 1;
        let seeds = board.row_seeds(0) as usize;
        if seeds > circuit {
            pits += self.reach_store[1..].iter().take(seeds / circuit).map(|reach| board.same_in_row(reach)).sum::<u32>();
        }
        pits
    }

    /// Whether the player on `seat`, who is to move, has a move that stores a seed, as far as a glance tells: `true` is certain.
    #[inline(always)]
    pub fn surely_stores(&self, board: &B, seat: Seat) -> bool {
        self.storing.as_ref().is_some_and(|storing| board.any_at_least(storing)) && !self.end_condition(board, seat)
    }
}

#[cfg(test)]
mod tests {
    use super::super::lanes::{Bytes16, Wide};
    use super::*;
    use crate::kernel::{Children, Status};
    use crate::position::Owners;
    use crate::rules::{PRESET_NAMES, preset};
    use proptest::prelude::*;

    proptest! {
        // By the rule itself: one seed to each pit after the origin, then one to the store, and round.
        #[test]
        fn bonus_pits_are_those_whose_last_seed_falls_in_the_store(row in prop::collection::vec(prop_oneof![0u32..8, 0u32..40], 1..=8)) {
            fn check<B: Lanes>(row: &[u32]) {
                let kernel = Kernel::<B>::new(&preset("kalah").unwrap().rules, row.len(), 255, Owners::rows(row.len())).unwrap();
                let mut board = B::EMPTY;
                for (pit, &seeds) in row.iter().enumerate() {
                    board.set(pit, seeds);
                    board.set(B::STRIDE + pit, 1);
                }
                let reaches = |&(pit, &seeds): &(usize, &u32)| {
                    let mut circuit = (0..2 * row.len() + 1).cycle().skip(pit + 1);
                    seeds > 0 && circuit.nth(seeds as usize - 1) == Some(row.len())
                };
                let expected = row.iter().enumerate().filter(reaches).count();
                assert_eq!(kernel.bonus_pits(&board) as usize, expected, "{row:?}");
            }
            prop_assume!(row.iter().sum::<u32>() <= 240);
            check::<Bytes16>(&row);
            check::<Wide<u8, 32>>(&row);
            check::<Wide<u16, 48>>(&row);
        }
    }

    /// What a glance takes for certain is true of the moves.
    #[test]
    fn who_surely_stores_has_a_move_that_stores() {
        let (mut sure, mut open) = (0, 0);
        for name in PRESET_NAMES {
            let rules = &preset(name).unwrap().rules;
            let kernel = Kernel::<Wide<u8, 32>>::new(rules, 3, 9, Owners::rows(3)).unwrap();
            let mut children = Children::new();
            for number in 0..4096u32 {
                let mut board = Wide::<u8, 32>::EMPTY;
                // At most nine seeds: five pits of at most one, and one of up to four.
                for k in 0..5 {
                    board.set(k % 3 + k / 3 * 16, number >> k & 1);
                }
                board.set((number >> 5) as usize % 3, (number >> 7) % 5);
                let moves = kernel.status(&board, Seat::FIRST, &mut children) == Status::ToMove;
                let stores = moves && children.iter().any(|child| child.board.seeds() < board.seeds());
                if kernel.surely_stores(&board, Seat::FIRST) {
                    assert!(stores, "{name} {board:?}");
                    sure += 1;
                } else if stores {
                    open += 1;
                }
            }
        }
        assert!(sure > 1000 && open > 100, "{sure} {open}");
    }
}

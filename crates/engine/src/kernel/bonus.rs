//! Pits whose seeds reach the own store exactly.

use super::Kernel;
use super::lanes::Lanes;

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
}

#[cfg(test)]
mod tests {
    use super::super::lanes::{Bytes16, Wide};
    use super::*;
    use crate::position::Owners;
    use crate::rules::preset;
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
}

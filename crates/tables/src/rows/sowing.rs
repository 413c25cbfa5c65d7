//! A hand of seeds on its way through one row.
//!
//! Everything that sowing does inside a row depends on that row alone: laps that are lifted and sown on within it, until the move
//! stops in one of its pits or the hand leaves it with seeds to spare. So it is worked out once for a row and serves every row
//! that the other player may have.

use lumbung_engine::rules::{Origin, Relay, Rules};

use super::rank::Row;

/// The sowing rules of one row.
#[derive(Debug)]
pub(crate) struct Sowing {
    pits: usize,
    min_seeds: u16,
    /// Whether a last pit that now holds so many seeds ends the move.
    stops: [bool; 256],
    /// A lap passes over the pit it was lifted from.
    skips_origin: bool,
    /// The first seed of a lap goes back into the pit it was lifted from.
    back_first: bool,
    /// Whole laps can be sown at once.
    by_laps: bool,
}

/// One seed in each of so many pits, eight bits a pit.
const ONES: [u64; 9] =
    [0, 0x1, 0x101, 0x1_0101, 0x101_0101, 0x1_0101_0101, 0x101_0101_0101, 0x1_0101_0101_0101, 0x101_0101_0101_0101];

/// What becomes of a hand in a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Way {
    /// The move stops in this pit, before any capture.
    Stops {
        /// The pit of the last seed.
        pit: usize,
    },
    /// Seeds are left after the last pit of the row.
    Leaves {
        /// How many.
        hand: usize,
        /// The pit of this row that they were lifted from, if they were lifted on this way through it.
        lifted: Option<u8>,
    },
}

impl Sowing {
    pub(crate) fn new(rules: &Rules, pits: usize) -> Self {
        let stops = std::array::from_fn(|seeds| match &rules.sowing.relay {
            Relay::Single | Relay::Next => true,
            Relay::Landing { stop_at } => stop_at.contains(&(seeds as u16)),
        });
        Sowing {
            pits,
            min_seeds: rules.sowing.min_seeds,
            stops,
            skips_origin: rules.sowing.origin == Origin::Skipped,
            back_first: rules.sowing.origin == Origin::First,
            by_laps: pits <= 8 && rules.sowing.origin == Origin::Normal,
        }
    }

    /// Whether a lap passes over its origin, so that the origin of a hand must be remembered.
    pub(crate) fn skips_origin(&self) -> bool {
        self.skips_origin
    }

    /// Whether a pit may be chosen.
    #[inline(always)]
    pub(crate) fn may_lift(&self, seeds: u8) -> bool {
        seeds > 0 && u16::from(seeds) >= self.min_seeds
    }

    /// Lifts a pit, which must not be empty, and sows it through the rest of its row.
    #[inline(always)]
    pub(crate) fn lift(&self, row: &mut Row, pit: usize) -> Way {
        if self.by_laps {
            return self.in_lanes(row, |lanes| {
                let hand = (*lanes >> (8 * pit)) as usize & 0xff;
                *lanes &= !(0xff << (8 * pit));
                self.sow_laps(lanes, pit + 1, hand)
            });
        }
        let hand = self.take(row, pit);
        let skip = self.skips_origin.then_some(pit as u8);
        match self.sow(row, pit + 1, hand, skip) {
            Way::Leaves { hand, lifted } => Way::Leaves { hand, lifted: lifted.or(skip) },
            stops => stops,
        }
    }

    /// Sows `hand` seeds, at least one, from pit `at` on through a row, passing over `skip`.
    #[inline(always)]
    pub(crate) fn sow(&self, row: &mut Row, at: usize, mut hand: usize, mut skip: Option<u8>) -> Way {
        if self.by_laps && skip.is_none() {
            return self.in_lanes(row, |lanes| self.sow_laps(lanes, at, hand));
        }
        let mut lifted = None;
        for pit in at..self.pits {
            if skip == Some(pit as u8) {
                continue;
            }
            row[pit] += 1;
            hand -= 1;
            if hand == 0 {
                if self.stops[usize::from(row[pit])] {
                    return Way::Stops { pit };
                }
                hand = self.take(row, pit);
                if self.skips_origin {
                    skip = Some(pit as u8);
                    lifted = skip;
                }
            }
        }
        Way::Leaves { hand, lifted }
    }

    /// Works on a row of at most eight pits as one number, eight bits a pit, the first lowest.
    #[inline(always)]
    fn in_lanes(&self, row: &mut Row, work: impl FnOnce(&mut u64) -> Way) -> Way {
        // The pits beyond are not there, and 0.
        let mut lanes = u128::from_le_bytes(*row) as u64;
        let way = work(&mut lanes);
        *row = u128::from(lanes).to_le_bytes();
        way
    }

    /// Sows lap by lap where no pit is passed over and all seeds of a pit are sown.
    #[inline(always)]
    fn sow_laps(&self, lanes: &mut u64, mut at: usize, mut hand: usize) -> Way {
        loop {
            let pits = self.pits - at;
            if hand > pits {
                *lanes += ONES[pits] << ((8 * at) & 63);
                return Way::Leaves { hand: hand - pits, lifted: None };
            }
            *lanes += ONES[hand] << ((8 * at) & 63);
            let pit = at + hand - 1;
            let seeds = *lanes >> (8 * pit) & 0xff;
            if self.stops[seeds as usize] {
                return Way::Stops { pit };
            }
            *lanes &= !(0xff << (8 * pit));
            (at, hand) = (pit + 1, seeds as usize);
        }
    }

    /// Lifts a pit and, if the first seed goes back, puts it back.
    #[inline(always)]
    fn take(&self, row: &mut Row, pit: usize) -> usize {
        let back = u8::from(self.back_first);
        usize::from(std::mem::replace(&mut row[pit], back) - back)
    }
}

#[cfg(test)]
mod tests {
    use super::super::rank::MAX_PITS;
    use super::*;
    use lumbung_engine::rules::preset;

    fn row(seeds: &[u8]) -> Row {
        let mut row = [0; MAX_PITS];
        row[..seeds.len()].copy_from_slice(seeds);
        row
    }

    fn lift(name: &str, changes: &[&str], seeds: &[u8], pit: usize) -> (Vec<u8>, Way) {
        let rules = preset(name).unwrap().rules.with_set(changes).unwrap();
        let mut row = row(seeds);
        let way = Sowing::new(&rules, seeds.len()).lift(&mut row, pit);
        (row[..seeds.len()].to_vec(), way)
    }

    #[test]
    fn a_single_lap_stops_or_leaves() {
        assert_eq!(lift("kalah", &[], &[2, 1, 0, 3], 0), (vec![0, 2, 1, 3], Way::Stops { pit: 2 }));
        assert_eq!(lift("kalah", &[], &[2, 1, 0, 3], 3), (vec![2, 1, 0, 0], Way::Leaves { hand: 3, lifted: None }));
        // A lap that ends with the last seed in the store leaves with that seed in hand.
        assert_eq!(lift("kalah", &[], &[0, 0, 2, 0], 2), (vec![0, 0, 0, 1], Way::Leaves { hand: 1, lifted: None }));
    }

    #[test]
    fn a_relay_goes_on_from_an_occupied_pit() {
        // 1 falls on the second pit, now 2; they are lifted and end in the fourth, which was empty.
        assert_eq!(lift("dakon", &[], &[1, 1, 0, 0], 0), (vec![0, 0, 1, 1], Way::Stops { pit: 3 }));
        // The last of 2 falls on the third pit, now 4: one for the fourth, three leave.
        assert_eq!(lift("dakon", &[], &[2, 0, 3, 0], 0), (vec![0, 1, 0, 1], Way::Leaves { hand: 3, lifted: None }));
    }

    #[test]
    fn the_origin_is_remembered_where_it_is_skipped() {
        let skipped = ["sowing.origin=skipped"];
        assert_eq!(lift("kalah", &skipped, &[2, 0, 0, 3], 3), (vec![2, 0, 0, 0], Way::Leaves { hand: 3, lifted: Some(3) }));
        assert_eq!(lift("dakon", &skipped, &[2, 0, 3, 0], 0), (vec![0, 1, 0, 1], Way::Leaves { hand: 3, lifted: Some(2) }));
        let first = ["sowing.origin=first", "sowing.min-seeds=2"];
        assert_eq!(lift("kalah", &first, &[3, 0, 0, 0], 0), (vec![1, 1, 1, 0], Way::Stops { pit: 2 }));
    }

    #[test]
    fn a_hand_passes_over_its_origin() {
        let rules = preset("kalah").unwrap().rules.with_set(&["sowing.origin=skipped"]).unwrap();
        let mut own = row(&[1, 0, 1]);
        let way = Sowing::new(&rules, 3).sow(&mut own, 0, 2, Some(1));
        assert_eq!((&own[..3], way), (&[2, 0, 2][..], Way::Stops { pit: 2 }));
    }

    #[test]
    fn whole_laps_do_what_single_seeds_do() {
        use super::super::rank::Rows;
        for name in ["kalah", "dakon", "djenon-abe"] {
            for pits in [1, 3, 8] {
                let by_laps = Sowing::new(&preset(name).unwrap().rules, pits);
                let by_seeds = Sowing { by_laps: false, ..Sowing::new(&preset(name).unwrap().rules, pits) };
                assert!(by_laps.by_laps);
                let rows = Rows::new(pits, 6).unwrap();
                for row in (0..=6).flat_map(|sum| rows.with_sum(sum)) {
                    for (at, hand) in (0..=pits).flat_map(|at| (1..=20).map(move |hand| (at, hand))) {
                        let (mut one, mut other) = (*row, *row);
                        let ways = (by_laps.sow(&mut one, at, hand, None), by_seeds.sow(&mut other, at, hand, None));
                        assert_eq!((ways.0, one), (ways.1, other), "{name}: {hand} from {at} on in {row:?}");
                    }
                }
            }
        }
    }
}

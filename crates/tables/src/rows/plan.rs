//! How much memory a build takes.
//!
//! Every value is there in both orders, but for those of the highest layer, of which one order is the result; each thread has a matrix
//! of that layer in the other order while it works on it. Then there is what belongs to each row. What is left of two bytes a position
//! is for lists.

use super::MAX_PITS;
use crate::index::Index;
use crate::values::MAX_BYTE_SEEDS;

/// Bytes that a build takes at its peak, the finished table included; `None` if there are too many boards to count or pits a row.
pub fn memory(pits: usize, seeds: usize, threads: usize) -> Option<u64> {
    Plan::new(pits, seeds, threads).map(|plan| plan.needed)
}

/// Bytes a position that a build takes in all, if that is enough for lists.
const BYTES_A_POSITION: u64 = 2;

/// Bytes that lists may always take: small tables take little in any case.
const LEAST_ROOM: u64 = 8 << 20;

/// What lists may take at most, however much is left: so many bytes, or a part of the positions. Seldom used up: lists of lists grow
/// without end only where relays go round and round, on boards with few pits and many seeds.
const MOST_ROOM_PART: u64 = 12;
const MOST_ROOM: u64 = 40 << 20;

/// The memory of a build.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Plan {
    /// Bytes in all.
    pub(super) needed: u64,
    /// Bytes of them for lists.
    pub(super) room: usize,
}

impl Plan {
    /// The memory of a build of boards with up to `seeds` seeds; `None` as for [`memory`].
    pub(super) fn new(pits: usize, seeds: usize, threads: usize) -> Option<Self> {
        if pits == 0 || pits > MAX_PITS || seeds > MAX_BYTE_SEEDS {
            return None;
        }
        let total = Index::count(pits, seeds)?;
        let both_orders = total.checked_add(total - Index::count_layer(pits, seeds)?)?;
        let rows = (0..=seeds).map(|a| Index::count_rows(pits, a)).collect::<Option<Vec<u64>>>()?;
        let pair = (0..=seeds).map(|a| rows[a].saturating_mul(rows[seeds - a])).max()?;
        let pairs_at_once = threads.min(seeds / 2 + 1) as u64;
        let of_rows = rows.iter().sum::<u64>().checked_mul(bytes_a_row(pits))?;
        let values = both_orders.checked_add(pair.checked_mul(pairs_at_once)?)?.checked_add(of_rows)?;
        let left = total.saturating_mul(BYTES_A_POSITION).saturating_sub(values);
        let room = left.min(MOST_ROOM.max(total / MOST_ROOM_PART)).max(LEAST_ROOM);
        Some(Plan { needed: values.checked_add(room)?, room: usize::try_from(room).ok()? })
    }
}

/// What a row takes: itself, its place in the passage of all rows, its masks, its quiet moves.
fn bytes_a_row(pits: usize) -> u64 {
    24 + 2 * pits as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn a_position(pits: usize, seeds: usize, threads: usize) -> f64 {
        memory(pits, seeds, threads).unwrap() as f64 / Index::count(pits, seeds).unwrap() as f64
    }

    #[test]
    fn two_bytes_a_position_are_enough() {
        for (pits, seeds, threads) in [
            (7, 14, 1),
            (7, 16, 1),
            (7, 16, 2),
            (6, 16, 1),
            (6, 18, 2),
            (6, 22, 1),
            (6, 22, 2),
            (6, 26, 2),
            (8, 16, 2),
            (10, 12, 2),
        ] {
            let taken = a_position(pits, seeds, threads);
            assert!(taken > 1.5 && taken <= 2.0, "{pits} pits, {seeds} seeds, {threads} threads: {taken}");
        }
    }

    #[test]
    fn small_tables_have_room_for_lists_all_the_same() {
        let plan = Plan::new(6, 4, 1).unwrap();
        assert_eq!(plan.room, 8 << 20);
        assert!(plan.needed < 9 << 20);
    }

    #[test]
    fn boards_that_cannot_be_counted_have_no_plan() {
        assert_eq!((memory(0, 4, 1), memory(17, 4, 1), memory(6, 128, 1), memory(16, 127, 1)), (None, None, None, None));
    }
}

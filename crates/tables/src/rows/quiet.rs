//! Quiet moves: those that store and capture nothing.
//!
//! They stay in the mover's own row, carry seeds forward there and so raise its rank; the other row only decides whether the move
//! is quiet, by being empty opposite the last pit. They are what ties the values of a layer to each other.

use std::sync::OnceLock;

use lumbung_engine::rules::LandingSeed;

use super::passage::{Lists, Once};
use super::rank::Row;
use super::runs::Runs;
use super::sown::Came;
use super::taking::Taken;

/// A quiet move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct QuietMove {
    /// The rank of the mover's row after it.
    pub(super) rank: usize,
    /// The pit of the other row that must be empty, or else the move captures.
    pub(super) needs_empty: Option<usize>,
}

/// The quiet move from a pit of the row of this sum and rank, if there is one. `facing_nothing`: the other row is empty.
#[inline]
pub(super) fn quiet_move(lists: &Lists, sum: usize, rank: usize, pit: usize, facing_nothing: bool) -> Option<QuietMove> {
    let sown = lists.lift(sum, rank, pit)?;
    let Came::Stops { pit: last, last: seeds } = sown.came() else { return None };
    let needs_empty = match lists.taking.opposite(last, seeds, false) {
        Some((_, LandingSeed::Take)) => return None,
        Some((opposite, _)) => Some(opposite),
        None => None,
    };
    if lists.taking.takes_at_home(seeds) {
        let mut row = lists.rows.with_sum(sum)[sown.rank as usize];
        if lists.taking.at_home(&mut row, last, facing_nothing) != Taken::Seeds(0) {
            return None;
        }
    }
    Some(QuietMove { rank: sown.rank as usize, needs_empty })
}

/// The quiet moves of all rows of a sum, for one row of the other player at a time.
#[derive(Debug)]
pub(super) struct Edges {
    /// From rows after to rows before: moves that are always quiet.
    pub(super) always: Runs,
    /// By the pit of the other row that must be empty.
    pub(super) if_empty: Box<[Runs]>,
}

impl Edges {
    fn new(lists: &Lists, sum: usize, facing_nothing: bool) -> Self {
        let pits = lists.rows.pits();
        let mut pairs = vec![Vec::new(); pits + 1];
        // Pit by pit: rows that lie next to each other make the same move from the same pit, and so form runs.
        for pit in 0..pits {
            for before in 0..lists.rows.count(sum) {
                if let Some(quiet) = quiet_move(lists, sum, before, pit, facing_nothing) {
                    pairs[quiet.needs_empty.unwrap_or(pits)].push((before as u32, quiet.rank as u32));
                }
            }
        }
        let lens = (lists.rows.count(sum), lists.rows.count(sum));
        let always = Runs::new(&pairs.pop().unwrap_or_default(), lens);
        Edges { always, if_empty: pairs.iter().map(|pairs| Runs::new(pairs, lens)).collect() }
    }
}

/// The quiet moves of all sums, and the rows with an empty pit; each worked out when first asked for.
#[derive(Debug)]
pub(super) struct Quiet {
    /// By sum; `[1]`: facing an empty row.
    edges: Vec<[OnceLock<Edges>; 2]>,
    /// By sum and pit.
    masks: Vec<Box<[Once<[i8]>]>>,
}

impl Quiet {
    pub(super) fn new(pits: usize, seeds: usize) -> Self {
        Quiet {
            edges: (0..=seeds).map(|_| Default::default()).collect(),
            masks: (0..=seeds).map(|_| (0..pits).map(|_| OnceLock::new()).collect()).collect(),
        }
    }

    /// The quiet moves of the rows of a sum.
    pub(super) fn edges(&self, lists: &Lists, sum: usize, facing_nothing: bool) -> &Edges {
        // Whether the other row is empty only matters to captures at home.
        let facing_nothing = facing_nothing && lists.taking.on_both_sides();
        self.edges[sum][usize::from(facing_nothing)].get_or_init(|| Edges::new(lists, sum, facing_nothing))
    }

    /// For the rows of a sum, the largest value where `pit` is empty and the smallest where it is not.
    pub(super) fn mask(&self, lists: &Lists, sum: usize, pit: usize) -> &[i8] {
        let mask = |row: &Row| if row[pit] == 0 { i8::MAX } else { i8::MIN };
        self.masks[sum][pit].get_or_init(|| lists.rows.with_sum(sum).iter().map(mask).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::super::rank::{MAX_PITS, Rows};
    use super::super::runs::Then;
    use super::super::sowing::Sowing;
    use super::super::taking::Taking;
    use super::*;
    use lumbung_engine::rules::preset;

    fn lists(name: &str, pits: usize, seeds: usize) -> Lists {
        let rules = &preset(name).unwrap().rules;
        Lists::new(Rows::new(pits, seeds).unwrap(), seeds, Sowing::new(rules, pits), Taking::new(rules, pits), usize::MAX)
    }

    fn row(seeds: &[u8]) -> Row {
        let mut row = [0; MAX_PITS];
        row[..seeds.len()].copy_from_slice(seeds);
        row
    }

    #[test]
    fn a_move_is_quiet_if_it_stays_and_takes_nothing() {
        let kalah = lists("kalah", 4, 9);
        let of = |lists: &Lists, seeds: &[u8], pit| {
            let sum = seeds.iter().map(|&seeds| usize::from(seeds)).sum();
            let quiet = quiet_move(lists, sum, lists.rows.rank(&row(seeds)), pit, false)?;
            Some((lists.rows.with_sum(sum)[quiet.rank], quiet.needs_empty))
        };
        let quiet = |seeds: &[u8], pit| of(&kalah, seeds, pit);
        assert_eq!(quiet(&[2, 1, 3, 0], 0), Some((row(&[0, 2, 4, 0]), None)));
        // An empty last pit: quiet if pit 0 opposite is empty.
        assert_eq!(quiet(&[0, 1, 1, 0], 2), Some((row(&[0, 1, 0, 1]), Some(0))));
        assert_eq!(quiet(&[2, 1, 3, 0], 2), None);
        assert_eq!(quiet(&[2, 1, 3, 0], 3), None);
        // The landing seed is stored in any case.
        let empty_capture = lists("kalah-empty-capture", 4, 9);
        assert_eq!(of(&empty_capture, &[0, 1, 1, 0], 2), None);
    }

    #[test]
    fn edges_are_the_quiet_moves_of_every_row() {
        for name in ["kalah", "dakon"] {
            let (lists, sum) = (lists(name, 4, 6), 6);
            let edges = Edges::new(&lists, sum, false);
            let count = lists.rows.count(sum);
            for other in lists.rows.with_sum(3) {
                let found: Vec<i8> = (0..count).map(|rank| -(rank as i8)).collect();
                let mut values = vec![i8::MIN; count];
                edges.always.raise(&mut values, &found, 0, Then::Other);
                for (pit, runs) in edges.if_empty.iter().enumerate().filter(|&(pit, _)| other[pit] == 0) {
                    assert!(pit < 4);
                    runs.raise(&mut values, &found, 0, Then::Other);
                }
                // The largest rank that a quiet move leads to.
                for (before, &value) in values.iter().enumerate() {
                    let moves = (0..4).filter_map(|pit| quiet_move(&lists, sum, before, pit, false));
                    let legal = moves.filter(|quiet| quiet.needs_empty.is_none_or(|pit| other[pit] == 0));
                    let ranks: Vec<usize> = legal.map(|quiet| quiet.rank).collect();
                    assert!(ranks.iter().all(|&after| after > before));
                    assert_eq!(value, ranks.iter().max().map_or(i8::MIN, |&rank| rank as i8));
                }
            }
        }
    }

    #[test]
    fn masks_open_where_the_pit_is_empty() {
        let lists = lists("kalah", 3, 4);
        let quiet = Quiet::new(3, 4);
        for (row, &mask) in lists.rows.with_sum(4).iter().zip(quiet.mask(&lists, 4, 1)) {
            assert_eq!(mask, if row[1] == 0 { 127 } else { -128 });
        }
    }
}

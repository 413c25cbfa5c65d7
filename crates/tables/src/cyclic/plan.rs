//! What a build takes, and which rules can be built so.

use lumbung_engine::rules::{Cycle, Feeding, Relay, Rules, Stores};

use serde::{Deserialize, Serialize};

use crate::index::Index;
use crate::rows;
use crate::spill;
use crate::values::MAX_BYTE_SEEDS;

/// Which layers a table has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Parity {
    /// All.
    #[default]
    All,
    /// Those with an even number of seeds.
    Even,
    /// Those with an odd number of seeds.
    Odd,
}

impl Parity {
    /// Whether a layer is among them.
    pub fn wants(self, seeds: usize) -> bool {
        match self {
            Parity::All => true,
            Parity::Even => seeds.is_multiple_of(2),
            Parity::Odd => !seeds.is_multiple_of(2),
        }
    }

    /// The seeds of a layer by its number among them.
    pub fn layer(self, number: usize) -> usize {
        match self {
            Parity::All => number,
            Parity::Even => 2 * number,
            Parity::Odd => 2 * number + 1,
        }
    }

    /// The number of a layer among them, if it is.
    pub fn number(self, seeds: usize) -> Option<usize> {
        self.wants(seeds).then_some(if self == Parity::All { seeds } else { seeds / 2 })
    }

    /// How many of them have up to `seeds` seeds.
    pub fn layers(self, seeds: usize) -> usize {
        match self {
            Parity::All => seeds + 1,
            Parity::Even => seeds / 2 + 1,
            Parity::Odd => seeds.div_ceil(2),
        }
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Parity::All => "all",
            Parity::Even => "even",
            Parity::Odd => "odd",
        }
    }
}

/// Whether this builder serves a rule set.
///
/// # Errors
/// Why it does not, as a sentence without a stop.
pub fn can_express(rules: &Rules, pits: usize) -> Result<(), String> {
    let no = |why: &str| Err(why.to_owned());
    if rules.stores != Stores::Scored {
        return no("these rules cannot repeat a position (board.stores = \"sown\")");
    }
    if rules.end.cycle != Cycle::Zero {
        return no("what infinite play is worth depends on which position recurs first (end.cycle = \"row-owner\")");
    }
    if rules.sowing.relay == Relay::Next {
        return no("whether a relay goes on depends on the pit after the last one (sowing.relay = \"next\")");
    }
    if rules.capture.opposite.is_some() || rules.capture.sandwich || rules.capture.beyond_gap.is_some() {
        return no("only captures by count go by rows where positions can repeat (capture.count)");
    }
    if rules.feeding == Feeding::LeaveAMove && rules.sowing.relay != Relay::Single {
        return no("a relay may starve without a capture (feeding.rule = \"leave-a-move\" with sowing.relay = \"landing\")");
    }
    if pits > rows::MAX_PITS {
        return Err(rows::RowsError::Pits(pits).to_string());
    }
    Ok(())
}

/// Whether layers of one parity can do without the others.
///
/// # Errors
/// Why they cannot, as a sentence without a stop.
pub fn parity_allowed(rules: &Rules, parity: Parity) -> Result<(), String> {
    if parity == Parity::All {
        return Ok(());
    }
    let even = |count: &u16| count.is_multiple_of(2);
    let others = rules.capture.opposite.is_some() || rules.capture.sandwich || rules.capture.beyond_gap.is_some();
    if rules.stores == Stores::Scored && !others && rules.capture.count.as_ref().is_none_or(|count| count.counts.iter().all(even))
    {
        return Ok(());
    }
    Err("a layer needs layers of the other parity; only where all captures are even does it not (capture.count.counts)"
        .to_owned())
}

/// Positions of all layers of a table.
pub fn positions(pits: usize, seeds: usize, parity: Parity) -> Option<u64> {
    Index::count(pits, seeds)?;
    (0..=seeds).filter(|&s| parity.wants(s)).map(|s| Index::count_layer(pits, s)).sum()
}

/// Bytes that [`super::build_layers`] takes at its peak; `None` if there are too many boards to count.
///
/// That is every value once, those of the highest layer twice, two matrices of a pair of splits, two bits for each position of the
/// highest layer, its kept steps, and the lists.
pub fn memory(pits: usize, seeds: usize, parity: Parity) -> Option<u64> {
    let positions = positions(pits, seeds, parity)?;
    let base = highest(pits, seeds, parity)?;
    in_work(pits, seeds, parity, seeds)?.checked_add(base)?.checked_add(positions)?.checked_add(room_for_lists(positions) as u64)
}

/// What [`super::hand_on_layers`] takes where finished layers lie on disk as long as the build lasts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Aside {
    /// Bytes of memory at the peak. With more of it, less is read from the disk again and again.
    pub memory: u64,
    /// Bytes on disk at most, beside what the layers take that are handed on.
    pub disk: u64,
}

/// See [`Aside`]; `None` if there are too many boards to count, or if this system cannot do it.
///
/// In memory are the values of the highest layer, two matrices of a pair of splits, two bits for each position of that layer, the steps
/// that are kept, and the lists. On disk are all layers below it, and its base.
pub fn aside(pits: usize, seeds: usize, parity: Parity) -> Option<Aside> {
    if !spill::IS_POSSIBLE {
        return None;
    }
    let highest = highest(pits, seeds, parity)?;
    let memory = in_work(pits, seeds, parity, seeds)?.checked_add(highest)?;
    let memory = memory.checked_add(room_aside(pits, seeds, parity)? as u64)?;
    Some(Aside { memory, disk: positions(pits, seeds, parity)? })
}

/// Bytes that it takes to work out the layer of `s` seeds on the way to `seeds` if its base is in memory and other layers are on disk.
pub(super) fn with_base(pits: usize, seeds: usize, parity: Parity, s: usize) -> Option<u64> {
    let room = room_aside(pits, seeds, parity)? as u64;
    in_work(pits, seeds, parity, s)?.checked_add(highest(pits, s, parity)?.checked_mul(2)?)?.checked_add(room)
}

/// Bytes beside the values themselves, the base and the lists, when the layer of `s` seeds is worked out on the way to `seeds`.
fn in_work(pits: usize, seeds: usize, parity: Parity, s: usize) -> Option<u64> {
    if pits == 0 || pits > rows::MAX_PITS || seeds > MAX_BYTE_SEEDS {
        return None;
    }
    Index::count(pits, seeds)?;
    let rows = (0..=seeds).map(|a| Index::count_rows(pits, a)).sum::<Option<u64>>()?;
    let highest = highest(pits, s, parity)?;
    (highest / 4)
        .checked_add(highest / 4 / 64 + room_for_steps(highest) as u64)?
        .checked_add(largest_pair(pits, seeds, parity)?.checked_mul(2)?)?
        .checked_add(rows.checked_mul(BYTES_A_ROW)?)
}

/// Positions of the highest layer.
fn highest(pits: usize, seeds: usize, parity: Parity) -> Option<u64> {
    (0..=seeds).rev().find(|&s| parity.wants(s)).map_or(Some(0), |s| Index::count_layer(pits, s))
}

/// What a row takes: itself, its place in the roots of lists, its moves at home twice, and where the other row is empty what they lead to.
const BYTES_A_ROW: u64 = 80;

/// Boards of the largest split.
pub(super) fn largest_pair(pits: usize, seeds: usize, parity: Parity) -> Option<u64> {
    let rows = (0..=seeds).map(|a| Index::count_rows(pits, a)).collect::<Option<Vec<u64>>>()?;
    let layers = (0..=seeds).filter(|&s| parity.wants(s));
    layers.flat_map(|s| (0..=s).map(move |a| (a, s - a))).map(|(a, b)| rows[a].saturating_mul(rows[b])).max().or(Some(0))
}

/// Bytes that lists may take where finished layers lie on disk.
pub(super) fn room_aside(pits: usize, seeds: usize, parity: Parity) -> Option<usize> {
    highest(pits, seeds, parity).map(room_for_lists)
}

/// Bytes that lists may take beside so many values.
pub(super) fn room_for_lists(values: u64) -> usize {
    (values / 16).max(32 << 20) as usize
}

/// Bytes that kept steps may take beside a layer of so many values.
pub(super) fn room_for_steps(values: u64) -> usize {
    (values / 4).min(64 << 20) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn layers_of_a_parity_are_numbered() {
        for parity in [Parity::All, Parity::Even, Parity::Odd] {
            for most in 0..9 {
                let wanted: Vec<usize> = (0..=most).filter(|&seeds| parity.wants(seeds)).collect();
                assert_eq!(parity.layers(most), wanted.len());
                assert!(wanted.iter().enumerate().all(|(number, &seeds)| parity.layer(number) == seeds));
                assert!((0..=most).all(|seeds| parity.number(seeds) == wanted.iter().position(|&other| other == seeds)));
            }
        }
    }

    #[test]
    fn a_plan_counts_every_layer_and_what_one_in_work_takes() {
        // C(28, 12) boards of up to 16 seeds; C(27, 11) of them in the highest layer.
        assert_eq!(positions(6, 16, Parity::All), Some(30_421_755));
        let planned = memory(6, 16, Parity::All).unwrap();
        let least = 30_421_755 + 13_037_895;
        assert!(planned > least && planned < least + least / 5 + (40 << 20), "{planned}");
        assert!(memory(6, 16, Parity::Even).unwrap() < planned);
        if !spill::IS_POSSIBLE {
            return;
        }
        // With all others on disk, and its base.
        let Aside { memory, disk } = aside(6, 16, Parity::All).unwrap();
        assert_eq!(disk, 30_421_755);
        assert_eq!(memory, planned - disk);
        assert_eq!(with_base(6, 16, Parity::All, 16).unwrap(), memory + 13_037_895);
        assert!(with_base(6, 16, Parity::All, 15).unwrap() < memory + 13_037_895);
        let Aside { disk, .. } = aside(6, 17, Parity::Even).unwrap();
        assert_eq!(disk, positions(6, 16, Parity::Even).unwrap());
    }
}

//! What the values of a layer are like.

use bincode::{Decode, Encode};
use rayon::prelude::*;

use super::clock::Clock;
use crate::values::Values;

/// Statistics of a layer; values are those of the player to move.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct Stats {
    /// Positions with a value above 0.
    pub win: u64,
    /// Positions with the value 0.
    pub draw: u64,
    /// Positions with a value below 0.
    pub loss: u64,
    /// The lowest value.
    pub min: i16,
    /// The highest value.
    pub max: i16,
    /// The sum of all values; divided by the positions it is their mean.
    pub sum: i64,
    /// The number, within the layer and from 0, of the first position with the lowest value.
    pub first_min: u64,
    /// The number of the first position with the highest value.
    pub first_max: u64,
    /// The values there are, rising, and how many positions have each.
    pub histogram: Vec<(i16, u64)>,
}

/// Values a thread counts at a time.
const CHUNK: usize = 1 << 16;

impl Stats {
    /// The statistics of a layer, which has at least one position.
    pub fn of<'v>(values: impl Into<Values<'v>>) -> Stats {
        Stats::timed(values.into(), &Clock::default())
    }

    /// The same, counting the time it takes.
    pub(super) fn timed(values: Values, clock: &Clock) -> Stats {
        let histogram = counted(values, clock);
        let sum_where = |holds: fn(i16) -> bool| histogram.iter().filter(|(v, _)| holds(*v)).map(|(_, n)| n).sum();
        let (min, max) = (histogram.first().map_or(0, |(v, _)| *v), histogram.last().map_or(0, |(v, _)| *v));
        let first = |value: i16| values.iter().position(|v| v == i32::from(value)).unwrap_or(0) as u64;
        Stats {
            win: sum_where(|v| v > 0),
            draw: sum_where(|v| v == 0),
            loss: sum_where(|v| v < 0),
            min,
            max,
            sum: histogram.iter().map(|&(v, n)| i64::from(v) * n as i64).sum(),
            first_min: first(min),
            first_max: first(max),
            histogram,
        }
    }

    /// Positions counted.
    pub fn positions(&self) -> u64 {
        self.win + self.draw + self.loss
    }

    /// The mean value.
    pub fn mean(&self) -> f64 {
        self.sum as f64 / self.positions() as f64
    }
}

/// The values there are, rising, and how many positions have each.
pub(super) fn histogram(values: Values) -> Vec<(i16, u64)> {
    counted(values, &Clock::default())
}

fn counted(values: Values, clock: &Clock) -> Vec<(i16, u64)> {
    match values {
        Values::Bytes(values) => counted_bytes(values, clock),
        Values::Words(values) => counted_words(values, clock),
    }
}

fn counted_words(values: &[i16], clock: &Clock) -> Vec<(i16, u64)> {
    let (lowest, highest) = clock.count(|| (values.iter().min(), values.iter().max()));
    let (Some(&lowest), Some(&highest)) = (lowest, highest) else { return Vec::new() };
    let all = || vec![0u64; usize::from(lowest.abs_diff(highest)) + 1];
    let counts = values.par_chunks(CHUNK).map(|values| {
        clock.count(|| {
            let mut counts = all();
            values.iter().for_each(|value| counts[usize::from(lowest.abs_diff(*value))] += 1);
            counts
        })
    });
    let counts = counts.reduce(all, |mut sum, more| {
        sum.iter_mut().zip(&more).for_each(|(sum, more)| *sum += more);
        sum
    });
    (lowest..=highest).zip(counts).filter(|&(_, positions)| positions > 0).collect()
}

fn counted_bytes(values: &[i8], clock: &Clock) -> Vec<(i16, u64)> {
    let counts = values.par_chunks(CHUNK).map(|values| clock.count(|| count(values)));
    let counts = counts.reduce(|| [0; 256], |a, b| std::array::from_fn(|value| a[value] + b[value]));
    (i16::from(i8::MIN)..=i16::from(i8::MAX)).zip(counts).filter(|&(_, positions)| positions > 0).collect()
}

/// How often each value occurs, from -128 upwards.
fn count(values: &[i8]) -> [u64; 256] {
    // Equal values stand together; four counters keep one addition from waiting for the last.
    let mut counts = [[0u32; 256]; 4];
    for chunk in values.chunks(4) {
        for (counts, &value) in counts.iter_mut().zip(chunk) {
            counts[usize::from(value as u8 ^ 0x80)] += 1;
        }
    }
    std::array::from_fn(|value| counts.iter().map(|counts| u64::from(counts[value])).sum())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statistics_of_a_few_values() {
        let stats = Stats::of(&[1i8, -3, 0, -3, 5, 5, -128][..]);
        assert_eq!((stats.win, stats.draw, stats.loss), (3, 1, 3));
        assert_eq!((stats.min, stats.max, stats.sum), (-128, 5, -123));
        assert_eq!((stats.first_min, stats.first_max), (6, 4));
        assert_eq!(stats.histogram, [(-128, 1), (-3, 2), (0, 1), (1, 1), (5, 2)]);
        assert_eq!(stats.positions(), 7);
    }

    #[test]
    fn bytes_and_words_are_counted_alike() {
        let words: Vec<i16> = (0..200_000).map(|at: i64| ((at * at) % 255 - 127) as i16).collect();
        let bytes: Vec<i8> = words.iter().map(|&value| value as i8).collect();
        assert_eq!(Stats::of(&words), Stats::of(&bytes));
        assert_eq!(Stats::of(&[i16::MIN, i16::MAX, 0, i16::MAX][..]).histogram, [(i16::MIN, 1), (0, 1), (i16::MAX, 2)]);
    }
}

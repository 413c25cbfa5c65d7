//! Runs: what a move does to all rows of the other player, as stretches of ranks.
//!
//! A move of one row maps the other player's rows `y` to rows `y'`, and the rank of `y'` rises with that of `y`. Where both step
//! by one the pairs form a run, and a run is one vector operation; see [`super::rank`] why most runs are long. Runs are kept by
//! length, so that no length is ever looked at where the work is done: single pairs, then runs of 4 and more, 8 and more, 16 and
//! more, each done with two blocks that may overlap (a maximum may be taken twice), and long runs.

use multiversion::multiversion;

/// `to` and `from`: the value of rank `from` is a candidate for that of rank `to`.
pub(super) type Pair = (u32, u32);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Run {
    to: u32,
    from: u32,
    len: u32,
}

/// The least lengths of the classes of runs that are done in blocks of that size.
const BLOCKS: [u32; 4] = [4, 8, 16, 32];

/// A list of pairs, as runs.
#[derive(Debug, Default)]
pub(super) struct Runs {
    singles: Box<[Pair]>,
    /// By class: 4 to 7, 8 to 15, 16 to 31, 32 and more.
    runs: Box<[Run]>,
    /// Where the classes end in `runs`.
    ends: [u32; BLOCKS.len()],
    /// One more than the largest `to` and `from`.
    bounds: Pair,
}

/// How a value read becomes a candidate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Then {
    /// The other player chooses next: her value counts against the mover.
    Other,
    /// The mover chooses again.
    Again,
}

impl Runs {
    /// Groups pairs, rising by `to`, into runs.
    pub(super) fn new(pairs: impl IntoIterator<Item = Pair>) -> Self {
        let mut singles = Vec::new();
        let mut classes: [Vec<Run>; BLOCKS.len()] = Default::default();
        let mut bounds = (0, 0);
        let mut close = |run: Run| match BLOCKS.iter().rposition(|&block| run.len >= block) {
            Some(class) => classes[class].push(run),
            None => singles.extend((0..run.len).map(|i| (run.to + i, run.from + i))),
        };
        let mut open: Option<Run> = None;
        for (to, from) in pairs {
            bounds = (bounds.0.max(to + 1), bounds.1.max(from + 1));
            match &mut open {
                Some(run) if run.to + run.len == to && run.from + run.len == from => run.len += 1,
                _ => {
                    if let Some(run) = open.replace(Run { to, from, len: 1 }) {
                        close(run);
                    }
                }
            }
        }
        if let Some(run) = open {
            close(run);
        }
        let mut ends = [0; BLOCKS.len()];
        let mut end = 0;
        for (class, runs) in classes.iter().enumerate() {
            end += runs.len() as u32;
            ends[class] = end;
        }
        Runs { singles: singles.into(), runs: classes.concat().into(), ends, bounds }
    }

    /// Whether there are none.
    pub(super) fn is_empty(&self) -> bool {
        self.bounds == (0, 0)
    }

    /// Bytes this takes.
    pub(super) fn bytes(&self) -> usize {
        size_of::<Self>() + self.singles.len() * size_of::<Pair>() + self.runs.len() * size_of::<Run>()
    }

    /// Raises `values[to]` to `add` plus or minus `found[from]` for all pairs.
    #[inline]
    pub(super) fn raise(&self, values: &mut [i8], found: &[i8], add: i8, then: Then) {
        match then {
            Then::Other => raise_against(self, values, found, add),
            Then::Again => raise_with(self, values, found, add),
        }
    }

    /// Raises `values[to]` to `value` for all pairs.
    pub(super) fn raise_to(&self, values: &mut [i8], value: i8) {
        for &(to, _) in &self.singles {
            let at = &mut values[to as usize];
            *at = (*at).max(value);
        }
        for run in &self.runs {
            for at in &mut values[run.to as usize..][..run.len as usize] {
                *at = (*at).max(value);
            }
        }
    }

    /// The pairs, in no particular order.
    #[cfg(test)]
    pub(super) fn pairs(&self) -> Vec<Pair> {
        let runs = self.runs.iter().flat_map(|run| (0..run.len).map(|i| (run.to + i, run.from + i)));
        self.singles.iter().copied().chain(runs).collect()
    }

    #[inline(always)]
    fn class(&self, class: usize) -> &[Run] {
        let start = if class == 0 { 0 } else { self.ends[class - 1] };
        &self.runs[start as usize..self.ends[class] as usize]
    }

    #[inline(always)]
    fn raise_by(&self, values: &mut [i8], found: &[i8], candidate: impl Fn(i8) -> i8 + Copy) {
        let values = &mut values[..];
        for &(to, from) in &self.singles {
            let at = &mut values[to as usize];
            *at = (*at).max(candidate(found[from as usize]));
        }
        two_blocks::<4>(self.class(0), values, found, candidate);
        two_blocks::<8>(self.class(1), values, found, candidate);
        two_blocks::<16>(self.class(2), values, found, candidate);
        for run in self.class(3) {
            let (to, from, len) = (run.to as usize, run.from as usize, run.len as usize);
            let (values, found) = (&mut values[to..to + len], &found[from..from + len]);
            for (at, &value) in values.iter_mut().zip(found) {
                *at = (*at).max(candidate(value));
            }
        }
    }
}

/// Does runs of `N` to `2 N` pairs, each with a block at its start and one at its end. Both blocks are read before either is
/// written: a load that overlaps a store just made would have to wait for it.
#[inline(always)]
fn two_blocks<const N: usize>(runs: &[Run], values: &mut [i8], found: &[i8], candidate: impl Fn(i8) -> i8 + Copy) {
    for run in runs {
        let (to, from, len) = (run.to as usize, run.from as usize, run.len as usize);
        let (values, found) = (&mut values[to..to + len], &found[from..from + len]);
        let first = raised::<N>(&values[..N], &found[..N], candidate);
        let last = raised::<N>(&values[len - N..], &found[len - N..], candidate);
        values[..N].copy_from_slice(&first);
        values[len - N..].copy_from_slice(&last);
    }
}

#[inline(always)]
fn raised<const N: usize>(values: &[i8], found: &[i8], candidate: impl Fn(i8) -> i8) -> [i8; N] {
    let mut block = [0; N];
    for i in 0..N {
        block[i] = values[i].max(candidate(found[i]));
    }
    block
}

#[multiversion(targets("x86_64+avx+avx2+bmi1+bmi2+fma+popcnt", "x86_64+sse3+ssse3+sse4.1"))]
fn raise_against(runs: &Runs, values: &mut [i8], found: &[i8], add: i8) {
    runs.raise_by(values, found, |value| add.wrapping_sub(value));
}

#[multiversion(targets("x86_64+avx+avx2+bmi1+bmi2+fma+popcnt", "x86_64+sse3+ssse3+sse4.1"))]
fn raise_with(runs: &Runs, values: &mut [i8], found: &[i8], add: i8) {
    runs.raise_by(values, found, |value| add.wrapping_add(value));
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn pairs_that_step_together_form_runs() {
        let pairs = (0..3).map(|i| (i, i + 2)).chain((5..10).map(|i| (i, i + 5))).chain((10..100).map(|i| (i, i + 7)));
        let runs = Runs::new(pairs);
        assert_eq!(*runs.singles, [(0, 2), (1, 3), (2, 4)]);
        assert_eq!(*runs.runs, [Run { to: 5, from: 10, len: 5 }, Run { to: 10, from: 17, len: 90 }]);
        assert_eq!(runs.bounds, (100, 107));
    }

    proptest! {
        // Whatever the runs, the result is that of the pairs one by one.
        #[test]
        fn runs_do_what_their_pairs_do(
            steps in prop::collection::vec((1..3u32, 1..4u32, 1..70u32), 1..12),
            add in 0..20i8,
            values in prop::collection::vec(-20..20i8, 1200),
            found in prop::collection::vec(-20..20i8, 1200),
        ) {
            let (mut to, mut from, mut pairs) = (0, 0, Vec::new());
            for (skip, jump, len) in steps {
                pairs.extend((0..len).map(|i| (to + i, from + i)));
                to += len + skip;
                from += len + jump;
            }
            let runs = Runs::new(pairs.iter().copied());
            for then in [Then::Other, Then::Again] {
                let mut expected = values.clone();
                for &(to, from) in &pairs {
                    let value = found[from as usize];
                    let candidate = if then == Then::Other { add - value } else { add + value };
                    expected[to as usize] = expected[to as usize].max(candidate);
                }
                let mut got = values.clone();
                runs.raise(&mut got, &found, add, then);
                prop_assert_eq!(got, expected);
            }
            let mut expected = values.clone();
            pairs.iter().for_each(|&(to, _)| expected[to as usize] = expected[to as usize].max(add));
            let mut got = values.clone();
            runs.raise_to(&mut got, add);
            prop_assert_eq!(got, expected);
        }
    }
}

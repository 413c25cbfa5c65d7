//! Runs: what a move does to all rows of the other player, as stretches of ranks.
//!
//! A move of one row maps the other player's rows `y` to rows `y'`, and the rank of `y'` mostly rises with that of `y`. Where both
//! step by one the pairs form a run; see [`super::rank`] why long runs are frequent. A long run is one loop over vectors. The rest is
//! covered by windows: 16 values from some rank on, shuffled into 16 places, which does all pairs that lie within it at once.

mod vector;

/// `to` and `from`: the value of rank `from` is a candidate for that of rank `to`.
pub(crate) type Pair = (u32, u32);

/// The values that a step of a move raises.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Places<'g> {
    /// From the places of a line to those of the values.
    Rows(&'g Runs),
    /// The value of this rank alone.
    Row(u32),
}

/// Values in a window.
const WINDOW: usize = 16;

/// The least length of a run that is not done by windows.
const LONG: u32 = 64;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Run {
    to: u32,
    from: u32,
    len: u32,
}

/// Sixteen ranks from `from` on, shuffled into the sixteen from `to` on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Window {
    to: u32,
    from: u32,
    /// For each place the lane it takes its candidate from; [`NOWHERE`] for none.
    lanes: [u8; WINDOW],
}

/// A place of a window that takes nothing. The vector instruction that shuffles looks at the highest bit.
const NOWHERE: u8 = 0x80;

/// A list of pairs, as runs and windows.
#[derive(Debug)]
pub(crate) struct Runs {
    /// Pairs of lines too short for a window.
    singles: Box<[Pair]>,
    windows: Box<[Window]>,
    long: Box<[Run]>,
    /// The lengths of the lines: written and read.
    lens: (usize, usize),
}

/// How a value read becomes a candidate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Then {
    /// The other player chooses next: her value counts against the mover.
    Other,
    /// The mover chooses again.
    Again,
}

impl Runs {
    /// Groups pairs of ranks below `lens.0` and `lens.1`. Pairs that follow each other may form a run.
    pub(crate) fn new(pairs: &[Pair], lens: (usize, usize)) -> Self {
        debug_assert!(pairs.iter().all(|&(to, from)| (to as usize) < lens.0 && (from as usize) < lens.1));
        let mut runs = Runs { singles: Box::default(), windows: Box::default(), long: Box::default(), lens };
        if lens.0 < WINDOW || lens.1 < WINDOW {
            runs.singles = pairs.into();
            return runs;
        }
        let mut long = Vec::new();
        let mut short = Vec::new();
        for run in pairs.chunk_by(|a, b| (a.0 + 1, a.1 + 1) == *b) {
            match run {
                &[(to, from), ..] if run.len() >= LONG as usize => long.push(Run { to, from, len: run.len() as u32 }),
                _ => short.extend_from_slice(run),
            }
        }
        runs.long = long.into();
        runs.windows = windows(short, lens).into();
        runs
    }

    /// The length of the lines it reads from.
    #[inline(always)]
    pub(crate) fn read(&self) -> usize {
        self.lens.1
    }

    /// Bytes this takes, apart from itself.
    pub(crate) fn bytes(&self) -> usize {
        size_of_val(&*self.singles) + size_of_val(&*self.windows) + size_of_val(&*self.long)
    }

    /// Whether there are none.
    pub(crate) fn is_empty(&self) -> bool {
        self.singles.is_empty() && self.windows.is_empty() && self.long.is_empty()
    }

    /// Raises `values[to]` to `add` plus or minus `found[from]` for all pairs. The two are lines of the lengths given to
    /// [`Runs::new`].
    #[inline]
    pub(crate) fn raise(&self, values: &mut [i8], found: &[i8], add: i8, then: Then) {
        vector::raise(self, values, found, add, then);
    }

    /// Raises `values[to]` to `value` for all pairs.
    pub(crate) fn raise_to(&self, values: &mut [i8], value: i8) {
        // A line of zeros to read from would do, but this is rare and short.
        for (to, _) in self.pairs() {
            let at = &mut values[to as usize];
            *at = (*at).max(value);
        }
    }

    /// The pairs, in no particular order.
    pub(crate) fn pairs(&self) -> impl Iterator<Item = Pair> {
        let long = self.long.iter().flat_map(|run| (0..run.len).map(|i| (run.to + i, run.from + i)));
        let windows = self.windows.iter().flat_map(|window| {
            let places = (0..).zip(window.lanes).filter(|&(_, lane)| lane != NOWHERE);
            places.map(|(place, lane)| (window.to + place, window.from + u32::from(lane)))
        });
        self.singles.iter().copied().chain(long).chain(windows)
    }
}

/// Covers pairs with windows. Each starts at a multiple of its width, or ends with the line, so that windows written one after the
/// other never overlap by a part: the second would have to wait for the first. For the same reason windows of the same places
/// are kept apart: first come the first windows of all places, then the second ones, and so on.
fn windows(mut pairs: Vec<Pair>, lens: (usize, usize)) -> Vec<Window> {
    let width = WINDOW as u32;
    let last = (lens.0 as u32 - width, lens.1 as u32 - width);
    // Lists come as a few rising sequences, which a stable sort merges.
    pairs.sort_by_key(|&(to, from)| (to / width, from));
    let mut windows: Vec<(usize, Window)> = Vec::new();
    for places in pairs.chunk_by(|a, b| a.0 / width == b.0 / width) {
        let to = (places[0].0 / width * width).min(last.0);
        let first = windows.len();
        for &(place, from) in places {
            let fits = |window: &Window| from < window.from + width && window.lanes[(place - to) as usize] == NOWHERE;
            let at = match (first..windows.len()).find(|&at| fits(&windows[at].1)) {
                Some(at) => at,
                None => {
                    windows.push((windows.len() - first, Window { to, from: from.min(last.1), lanes: [NOWHERE; WINDOW] }));
                    windows.len() - 1
                }
            };
            let window = &mut windows[at].1;
            window.lanes[(place - to) as usize] = (from - window.from) as u8;
        }
    }
    windows.sort_by_key(|&(turn, window)| (turn, window.to));
    windows.into_iter().map(|(_, window)| window).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn pairs_that_step_together_form_runs_and_windows() {
        // Two pairs and a run of 90, the first pairs within one window.
        let pairs: Vec<Pair> = [(0, 2), (3, 7)].into_iter().chain((10..100).map(|i| (i, i + 7))).collect();
        let runs = Runs::new(&pairs, (100, 107));
        assert_eq!(*runs.long, [Run { to: 10, from: 17, len: 90 }]);
        let mut lanes = [NOWHERE; WINDOW];
        (lanes[0], lanes[3]) = (0, 5);
        assert_eq!(*runs.windows, [Window { to: 0, from: 2, lanes }]);
    }

    #[test]
    fn a_window_at_the_end_of_its_line_ends_with_it() {
        let runs = Runs::new(&[(18, 19)], (19, 20));
        let mut lanes = [NOWHERE; WINDOW];
        lanes[15] = 15;
        assert_eq!(*runs.windows, [Window { to: 3, from: 4, lanes }]);
        assert_eq!(*Runs::new(&[(14, 3)], (15, 20)).singles, [(14, 3)]);
    }

    proptest! {
        // Whatever the pairs, the result is that of each by itself.
        #[test]
        fn runs_do_what_their_pairs_do(
            steps in prop::collection::vec((0..100u32, 0..100u32, 1..90u32), 0..12),
            add in 0..20i8,
            lens in (1..200usize, 1..200usize),
            values in prop::collection::vec(-20..20i8, 200),
            found in prop::collection::vec(-20..20i8, 200),
        ) {
            let pairs = steps.iter().flat_map(|&(to, from, len)| (0..len).map(move |i| (to + i, from + i)));
            let pairs: Vec<Pair> = pairs.filter(|&(to, from)| (to as usize) < lens.0 && (from as usize) < lens.1).collect();
            let runs = Runs::new(&pairs, lens);
            let (values, found) = (&values[..lens.0], &found[..lens.1]);
            let mut listed: Vec<Pair> = runs.pairs().collect();
            let mut expected = pairs.clone();
            listed.sort_unstable();
            expected.sort_unstable();
            prop_assert_eq!(listed, expected);
            for then in [Then::Other, Then::Again] {
                let mut expected = values.to_vec();
                for &(to, from) in &pairs {
                    let value = found[from as usize];
                    let candidate = if then == Then::Other { add - value } else { add + value };
                    expected[to as usize] = expected[to as usize].max(candidate);
                }
                for raise in [vector::raise, vector::raise_portably] {
                    let mut got = values.to_vec();
                    raise(&runs, &mut got, found, add, then);
                    prop_assert_eq!(&got, &expected);
                }
            }
            let mut expected = values.to_vec();
            pairs.iter().for_each(|&(to, _)| expected[to as usize] = expected[to as usize].max(add));
            let mut got = values.to_vec();
            runs.raise_to(&mut got, add);
            prop_assert_eq!(got, expected);
        }
    }
}

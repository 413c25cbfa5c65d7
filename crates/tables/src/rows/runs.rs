//! Runs: what a move does to all rows of a player, the other's or (where the other's row is held fixed) the mover's, as stretches of ranks.
//!
//! A move maps rows `y` to rows `y'`, and the rank of `y'` mostly rises with that of `y`. Where both
//! step by one the pairs form a run; see [`super::rank`] why long runs are frequent. A long run is one loop over vectors. The rest is
//! covered by windows: 16 values from some rank on, shuffled into 16 places, which does all pairs that lie within it at once; where the
//! processor can shuffle that many, 64.

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
const NARROW: usize = 16;
/// The same where the processor has the instructions.
const WIDE: usize = 64;

/// The fewest pairs that a window is made for.
const LEAST_NARROW: u32 = 2;
const LEAST_WIDE: u32 = 3;

/// The least length of a run that is not done by windows.
const LONG: u32 = 64;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Run {
    to: u32,
    from: u32,
    len: u32,
}

/// `N` ranks from `from` on, shuffled into the `N` from `to` on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Window<const N: usize> {
    to: u32,
    from: u32,
    /// For each place the lane it takes its candidate from; [`NOWHERE`] for none.
    lanes: [u8; N],
}

/// A place of a window that takes nothing. The vector instructions that shuffle look at the highest bit.
const NOWHERE: u8 = 0x80;

/// The windows of a list.
#[derive(Debug)]
enum Windows {
    Narrow(Box<[Window<NARROW>]>),
    Wide(Box<[Window<WIDE>]>),
}

/// A list of pairs, as runs and windows.
#[derive(Debug)]
pub(crate) struct Runs {
    /// Pairs of lines too short for a window, and pairs that would be alone in one or nearly so.
    singles: Box<[Pair]>,
    windows: Windows,
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
        Runs::of_width(pairs, lens, vector::has_wide())
    }

    fn of_width(pairs: &[Pair], lens: (usize, usize), wide: bool) -> Self {
        debug_assert!(pairs.iter().all(|&(to, from)| (to as usize) < lens.0 && (from as usize) < lens.1));
        let shorter = lens.0.min(lens.1);
        if shorter < NARROW {
            return Runs { singles: pairs.into(), windows: Windows::Narrow(Box::default()), long: Box::default(), lens };
        }
        let mut long = Vec::new();
        let mut short = Vec::new();
        for run in pairs.chunk_by(|a, b| (a.0 + 1, a.1 + 1) == *b) {
            match run {
                &[(to, from), ..] if run.len() >= LONG as usize => long.push(Run { to, from, len: run.len() as u32 }),
                _ => short.extend_from_slice(run),
            }
        }
        let mut singles = Vec::new();
        let windows = if wide && shorter >= WIDE {
            Windows::Wide(windows(short, lens, LEAST_WIDE, &mut singles).into())
        } else {
            Windows::Narrow(windows(short, lens, LEAST_NARROW, &mut singles).into())
        };
        Runs { singles: singles.into(), windows, long: long.into(), lens }
    }

    /// The length of the lines it reads from.
    #[inline(always)]
    pub(crate) fn read(&self) -> usize {
        self.lens.1
    }

    /// The most bytes that a list of so many pairs takes, apart from itself.
    pub(crate) fn most_bytes(pairs: usize) -> usize {
        let a_window = if vector::has_wide() {
            size_of::<Window<WIDE>>().div_ceil(LEAST_WIDE as usize)
        } else {
            size_of::<Window<NARROW>>().div_ceil(LEAST_NARROW as usize)
        };
        pairs * a_window.max(size_of::<Pair>()).max(size_of::<Run>() / LONG as usize)
    }

    /// Bytes this takes, apart from itself.
    pub(crate) fn bytes(&self) -> usize {
        let windows = match &self.windows {
            Windows::Narrow(windows) => size_of_val(&**windows),
            Windows::Wide(windows) => size_of_val(&**windows),
        };
        size_of_val(&*self.singles) + windows + size_of_val(&*self.long)
    }

    /// Whether there are none.
    pub(crate) fn is_empty(&self) -> bool {
        self.bytes() == 0
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
        let (narrow, wide): (&[_], &[_]) = match &self.windows {
            Windows::Narrow(windows) => (windows, &[]),
            Windows::Wide(windows) => (&[], windows),
        };
        let windows = narrow.iter().flat_map(Window::pairs).chain(wide.iter().flat_map(Window::pairs));
        self.singles.iter().copied().chain(long).chain(windows)
    }
}

impl<const N: usize> Window<N> {
    fn pairs(&self) -> impl Iterator<Item = Pair> {
        let places = (0..).zip(self.lanes).filter(|&(_, lane)| lane != NOWHERE);
        places.map(|(place, lane)| (self.to + place, self.from + u32::from(lane)))
    }
}

/// Covers pairs with windows. Each starts at a multiple of its width, or ends with the line, so that windows written one after the
/// other never overlap by a part: the second would have to wait for the first. For the same reason windows of the same places
/// are kept apart: first come the first windows of all places, then the second ones, and so on.
///
/// Pairs of windows with fewer than `least` are put among the singles instead.
fn windows<const N: usize>(mut pairs: Vec<Pair>, lens: (usize, usize), least: u32, singles: &mut Vec<Pair>) -> Vec<Window<N>> {
    let width = N as u32;
    let last = (lens.0 as u32 - width, lens.1 as u32 - width);
    // Lists come as a few rising sequences, often as one.
    if !pairs.is_sorted_by_key(|&(to, _)| to / width) {
        pairs = by_places(&pairs, lens.0 as u32, width);
    }
    let mut turns: Vec<Vec<Window<N>>> = Vec::new();
    // Where each window of the places at hand begins, and which of them it has a candidate for, a bit each.
    let mut here: Vec<(u32, u64)> = Vec::new();
    let mut chosen: Vec<u32> = Vec::new();
    for places in pairs.chunk_by_mut(|a, b| a.0 / width == b.0 / width) {
        places.sort_unstable_by_key(|&(_, from)| from);
        let to = (places[0].0 / width * width).min(last.0);
        here.clear();
        chosen.clear();
        // Windows that begin too early for what is to come.
        let mut past = 0;
        for &(place, from) in &*places {
            while past < here.len() && from >= here[past].0 + width {
                past += 1;
            }
            let bit = 1u64 << (place - to);
            let at = match here[past..].iter().position(|window| window.1 & bit == 0) {
                Some(at) => past + at,
                None => {
                    here.push((from.min(last.1), 0));
                    here.len() - 1
                }
            };
            here[at].1 |= bit;
            chosen.push(at as u32);
        }
        // From the number of a window here to its turn.
        let mut turn = 0;
        for window in &mut here {
            if window.1.count_ones() < least {
                window.1 = u64::MAX;
                continue;
            }
            if turn == turns.len() {
                turns.push(Vec::new());
            }
            turns[turn].push(Window { to, from: window.0, lanes: [NOWHERE; N] });
            window.1 = turn as u64;
            turn += 1;
        }
        for (&(place, from), &at) in places.iter().zip(&chosen) {
            match turns.get_mut(here[at as usize].1 as usize).and_then(|turn| turn.last_mut()) {
                Some(window) => window.lanes[(place - to) as usize] = (from - window.from) as u8,
                None => singles.push((place, from)),
            }
        }
    }
    match turns.len() {
        1 => turns.swap_remove(0),
        _ => turns.concat(),
    }
}

/// Pairs by the windows of their places, in the order they had within each.
fn by_places(pairs: &[Pair], len: u32, width: u32) -> Vec<Pair> {
    let mut next = vec![0u32; (len / width) as usize + 2];
    for &(to, _) in pairs {
        next[(to / width) as usize + 1] += 1;
    }
    for at in 1..next.len() {
        next[at] += next[at - 1];
    }
    let mut sorted = vec![(0, 0); pairs.len()];
    for &pair in pairs {
        let at = &mut next[(pair.0 / width) as usize];
        sorted[*at as usize] = pair;
        *at += 1;
    }
    sorted
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn narrow(runs: &Runs) -> &[Window<NARROW>] {
        match &runs.windows {
            Windows::Narrow(windows) => windows,
            Windows::Wide(_) => panic!("wide windows"),
        }
    }

    #[test]
    fn pairs_that_step_together_form_runs_and_windows() {
        // Three pairs and a run of 90, the first pairs within one window.
        let pairs: Vec<Pair> = [(0, 2), (3, 7), (4, 8)].into_iter().chain((10..100).map(|i| (i, i + 7))).collect();
        let runs = Runs::of_width(&pairs, (100, 107), false);
        assert_eq!(*runs.long, [Run { to: 10, from: 17, len: 90 }]);
        let mut lanes = [NOWHERE; NARROW];
        (lanes[0], lanes[3], lanes[4]) = (0, 5, 6);
        assert_eq!(narrow(&runs), [Window { to: 0, from: 2, lanes }]);
        let mut lanes = [NOWHERE; WIDE];
        (lanes[0], lanes[3], lanes[4]) = (0, 5, 6);
        let runs = Runs::of_width(&pairs, (100, 107), true);
        assert!(matches!(&runs.windows, Windows::Wide(windows) if **windows == [Window { to: 0, from: 2, lanes }]));
        // Lines of less than 64 values have no room for a wide window.
        assert!(narrow(&Runs::of_width(&pairs[..3], (63, 107), true)).len() == 1);
    }

    #[test]
    fn a_window_at_the_end_of_its_line_ends_with_it() {
        let runs = Runs::new(&[(17, 16), (18, 19)], (19, 20));
        let mut lanes = [NOWHERE; NARROW];
        (lanes[14], lanes[15]) = (12, 15);
        assert_eq!(narrow(&runs), [Window { to: 3, from: 4, lanes }]);
        assert_eq!(*Runs::new(&[(14, 3)], (15, 20)).singles, [(14, 3)]);
        // A pair alone has no window.
        assert_eq!(*Runs::new(&[(18, 3)], (19, 20)).singles, [(18, 3)]);
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
            let (values, found) = (&values[..lens.0], &found[..lens.1]);
            for runs in [false, true].map(|wide| Runs::of_width(&pairs, lens, wide)) {
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
            }
            let runs = Runs::new(&pairs, lens);
            let mut expected = values.to_vec();
            pairs.iter().for_each(|&(to, _)| expected[to as usize] = expected[to as usize].max(add));
            let mut got = values.to_vec();
            runs.raise_to(&mut got, add);
            prop_assert_eq!(got, expected);
        }
    }
}

//! The one loop that touches values, for the processors that have vectors and for those that have not.

use super::{NOWHERE, Runs, Then, Window, Windows};

/// Whether the processor does wide windows.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
pub(super) fn has_wide() -> bool {
    std::arch::is_x86_feature_detected!("avx2")
        && std::arch::is_x86_feature_detected!("avx512bw")
        && std::arch::is_x86_feature_detected!("avx512vbmi")
}

/// Whether the processor does wide windows.
#[cfg(not(target_arch = "x86_64"))]
pub(super) fn has_wide() -> bool {
    false
}

/// Raises the values of a list; see [`Runs::raise`].
#[inline]
pub(super) fn raise(runs: &Runs, values: &mut [i8], found: &[i8], add: i8, then: Then) {
    #[cfg(target_arch = "x86_64")]
    match &runs.windows {
        Windows::Wide(windows) if has_wide() => {
            // SAFETY: the processor has just been found to have what this function asks for.
            return unsafe { x86::raise_wide(runs, windows, values, found, add, then) };
        }
        Windows::Narrow(windows) if std::arch::is_x86_feature_detected!("avx2") => {
            // SAFETY: the processor has just been found to have AVX2, the only thing this function asks for.
            return unsafe { x86::raise_narrow(runs, windows, values, found, add, then) };
        }
        _ => {}
    }
    raise_portably(runs, values, found, add, then);
}

/// The same without asking for any processor.
pub(super) fn raise_portably(runs: &Runs, values: &mut [i8], found: &[i8], add: i8, then: Then) {
    fn all<const N: usize>(windows: &[Window<N>], values: &mut [i8], found: &[i8], candidate: impl Fn(i8) -> i8) {
        for window in windows {
            let values = &mut values[window.to as usize..][..N];
            let found = &found[window.from as usize..][..N];
            for (value, &lane) in values.iter_mut().zip(&window.lanes).filter(|&(_, &lane)| lane != NOWHERE) {
                *value = (*value).max(candidate(found[usize::from(lane)]));
            }
        }
    }
    each(runs, values, found, (add, then), |values, found| {
        let candidate = |value: i8| if then == Then::Other { add.wrapping_sub(value) } else { add.wrapping_add(value) };
        match &runs.windows {
            Windows::Narrow(windows) => all(windows, values, found, candidate),
            Windows::Wide(windows) => all(windows, values, found, candidate),
        }
    });
}

/// Raises all values of a list; `windows` does that for the windows.
#[inline(always)]
fn each(runs: &Runs, values: &mut [i8], found: &[i8], (add, then): (i8, Then), windows: impl Fn(&mut [i8], &[i8])) {
    match then {
        Then::Other => each_by(runs, values, found, |value| add.wrapping_sub(value), windows),
        Then::Again => each_by(runs, values, found, |value| add.wrapping_add(value), windows),
    }
}

#[inline(always)]
fn each_by(
    runs: &Runs,
    values: &mut [i8],
    found: &[i8],
    candidate: impl Fn(i8) -> i8 + Copy,
    windows: impl Fn(&mut [i8], &[i8]),
) {
    let (values, found) = (&mut values[..runs.lens.0], &found[..runs.lens.1]);
    // Long runs first: they fetch most of both lines in order, and windows then find them near.
    for run in &runs.long {
        let (to, from, len) = (run.to as usize, run.from as usize, run.len as usize);
        long_run(&mut values[to..to + len], &found[from..from + len], candidate);
    }
    windows(values, found);
    for &(to, from) in &runs.singles {
        let value = &mut values[to as usize];
        *value = (*value).max(candidate(found[from as usize]));
    }
}

/// Values done at a time in a long run.
const STRETCH: usize = 32;

/// Does a run stretch by stretch. What is left at its end is done by a stretch that overlaps the one before, and is worked out first: a
/// value just written would have to be waited for.
#[inline(always)]
fn long_run(values: &mut [i8], found: &[i8], candidate: impl Fn(i8) -> i8 + Copy) {
    let raised = |values: &[i8; STRETCH], found: &[i8; STRETCH]| {
        let mut raised = *values;
        raised.iter_mut().zip(found).for_each(|(value, &found)| *value = (*value).max(candidate(found)));
        raised
    };
    let last = values.last_chunk().zip(found.last_chunk()).map(|(values, found)| raised(values, found));
    for (values, found) in values.as_chunks_mut().0.iter_mut().zip(found.as_chunks().0) {
        *values = raised(values, found);
    }
    if let (Some(values), Some(last)) = (values.last_chunk_mut(), last) {
        *values = last;
    }
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use super::super::{NARROW, Runs, Then, WIDE, Window};
    use super::each;
    use std::arch::x86_64::{
        _mm_add_epi8, _mm_loadu_si128, _mm_max_epi8, _mm_set1_epi8, _mm_shuffle_epi8, _mm_storeu_si128, _mm_sub_epi8,
        _mm_xor_si128, _mm512_add_epi8, _mm512_loadu_si512, _mm512_mask_max_epi8, _mm512_movepi8_mask, _mm512_permutexvar_epi8,
        _mm512_set1_epi8, _mm512_storeu_si512, _mm512_sub_epi8,
    };

    #[target_feature(enable = "avx2")]
    pub(super) fn raise_narrow(runs: &Runs, windows: &[Window<NARROW>], values: &mut [i8], found: &[i8], add: i8, then: Then) {
        each(runs, values, found, (add, then), |values, found| match then {
            Then::Other => narrow::<true>(runs.lens, windows, values, found, add),
            Then::Again => narrow::<false>(runs.lens, windows, values, found, add),
        });
    }

    #[target_feature(enable = "avx2,avx512bw,avx512vbmi")]
    pub(super) fn raise_wide(runs: &Runs, windows: &[Window<WIDE>], values: &mut [i8], found: &[i8], add: i8, then: Then) {
        each(runs, values, found, (add, then), |values, found| match then {
            Then::Other => wide::<true>(runs.lens, windows, values, found, add),
            Then::Again => wide::<false>(runs.lens, windows, values, found, add),
        });
    }

    /// Candidates are shuffled with their highest bit flipped, so that the 0 which the shuffle puts in an empty place becomes the
    /// least value of all when the bit is flipped back.
    #[target_feature(enable = "avx2")]
    fn narrow<const AGAINST: bool>(lens: (usize, usize), windows: &[Window<NARROW>], values: &mut [i8], found: &[i8], add: i8) {
        assert!(values.len() >= lens.0 && found.len() >= lens.1);
        let flip = _mm_set1_epi8(i8::MIN);
        let add = _mm_set1_epi8(add ^ i8::MIN);
        for window in windows {
            let (to, from) = (window.to as usize, window.from as usize);
            debug_assert!(to + NARROW <= values.len() && from + NARROW <= found.len());
            // SAFETY: `Runs::new` starts each window at least 16 before the ends of lines of the lengths `lens`, and the lines are not
            // shorter, so the 16 bytes from `from` and `to` on lie within them; `lanes` is 16 bytes long. None of the
            // instructions asks for an alignment.
            unsafe {
                let values = values.as_mut_ptr().add(to).cast();
                let found = _mm_loadu_si128(found.as_ptr().add(from).cast());
                let lanes = _mm_loadu_si128(window.lanes.as_ptr().cast());
                let candidates = if AGAINST { _mm_sub_epi8(add, found) } else { _mm_add_epi8(add, found) };
                let candidates = _mm_xor_si128(_mm_shuffle_epi8(candidates, lanes), flip);
                _mm_storeu_si128(values, _mm_max_epi8(_mm_loadu_si128(values), candidates));
            }
        }
    }

    /// Empty places, whose lanes have the highest bit set, are left as they are.
    #[target_feature(enable = "avx2,avx512bw,avx512vbmi")]
    fn wide<const AGAINST: bool>(lens: (usize, usize), windows: &[Window<WIDE>], values: &mut [i8], found: &[i8], add: i8) {
        assert!(values.len() >= lens.0 && found.len() >= lens.1);
        let add = _mm512_set1_epi8(add);
        for window in windows {
            let (to, from) = (window.to as usize, window.from as usize);
            debug_assert!(to + WIDE <= values.len() && from + WIDE <= found.len());
            // SAFETY: as above, with 64 bytes for 16.
            unsafe {
                let values = values.as_mut_ptr().add(to).cast();
                let found = _mm512_loadu_si512(found.as_ptr().add(from).cast());
                let lanes = _mm512_loadu_si512(window.lanes.as_ptr().cast());
                let candidates = if AGAINST { _mm512_sub_epi8(add, found) } else { _mm512_add_epi8(add, found) };
                let candidates = _mm512_permutexvar_epi8(lanes, candidates);
                let now = _mm512_loadu_si512(values);
                _mm512_storeu_si512(values, _mm512_mask_max_epi8(now, !_mm512_movepi8_mask(lanes), now, candidates));
            }
        }
    }
}

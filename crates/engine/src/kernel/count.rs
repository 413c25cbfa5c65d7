//! The number types of lanes, and sixteen lanes at once.
//!
//! Left to itself, the compiler takes the loop of a relay lane by lane: on boards of 32 lanes that is half of what a search costs. So
//! where every processor has vectors of 128 bits, they are asked for.

use std::fmt::Debug;
use std::hash::Hash;

/// Lanes that are worked on at once.
pub(super) const AT_ONCE: usize = 16;

/// The number types of [`super::Wide`] lanes.
pub trait Count: Copy + Eq + Hash + Debug + Send + Sync + 'static {
    /// The largest number.
    const MAX: u32;
    /// Zero.
    const ZERO: Self;
    /// Widened.
    fn widen(self) -> u32;
    /// Narrowed; the value fits.
    fn narrow(value: u32) -> Self;
    /// Sum modulo the width.
    fn plus(self, other: Self) -> Self;
    /// Difference modulo the width.
    fn less(self, other: Self) -> Self;
    /// [`Count::plus`] of sixteen lanes.
    fn add(lanes: &mut [Self; AT_ONCE], more: &[Self; AT_ONCE]);
    /// Which of sixteen lanes are not zero, as bits.
    fn occupied(lanes: &[Self; AT_ONCE]) -> u64;
}

macro_rules! count {
    ($t:ty, $add:ident, $occupied:ident) => {
        impl Count for $t {
            const MAX: u32 = <$t>::MAX as u32;
            const ZERO: Self = 0;
            #[inline(always)]
            fn widen(self) -> u32 {
                u32::from(self)
            }
            #[inline(always)]
            fn narrow(value: u32) -> Self {
                value as $t
            }
            #[inline(always)]
            fn plus(self, other: Self) -> Self {
                self.wrapping_add(other)
            }
            #[inline(always)]
            fn less(self, other: Self) -> Self {
                self.wrapping_sub(other)
            }
            #[inline(always)]
            fn add(lanes: &mut [Self; AT_ONCE], more: &[Self; AT_ONCE]) {
                #[cfg(target_arch = "x86_64")]
                vectors::$add(lanes, more);
                #[cfg(not(target_arch = "x86_64"))]
                lanes.iter_mut().zip(more).for_each(|(lane, &more)| *lane = lane.plus(more));
            }
            #[inline(always)]
            fn occupied(lanes: &[Self; AT_ONCE]) -> u64 {
                #[cfg(target_arch = "x86_64")]
                return vectors::$occupied(lanes);
                #[cfg(not(target_arch = "x86_64"))]
                lanes.iter().enumerate().fold(0, |bits, (i, &lane)| bits | u64::from(lane != 0) << i)
            }
        }
    };
}
count!(u8, add_bytes, occupied_bytes);
count!(u16, add_words, occupied_words);

/// Every x86-64 processor has the instructions of SSE2.
#[cfg(target_arch = "x86_64")]
mod vectors {
    use std::arch::x86_64::{
        __m128i, _mm_add_epi8, _mm_add_epi16, _mm_cmpeq_epi8, _mm_cmpeq_epi16, _mm_loadu_si128, _mm_movemask_epi8,
        _mm_packs_epi16, _mm_setzero_si128, _mm_storeu_si128,
    };

    use super::AT_ONCE;

    const BYTES: usize = size_of::<__m128i>();
    const _: () = assert!(size_of::<[u8; AT_ONCE]>() == BYTES && size_of::<[u16; AT_ONCE]>() == 2 * BYTES);

    #[inline(always)]
    pub(super) fn add_bytes(lanes: &mut [u8; AT_ONCE], more: &[u8; AT_ONCE]) {
        // SAFETY: both arrays are one vector long, and these loads and stores ask for no alignment.
        unsafe {
            let to: *mut __m128i = lanes.as_mut_ptr().cast();
            _mm_storeu_si128(to, _mm_add_epi8(_mm_loadu_si128(to), _mm_loadu_si128(more.as_ptr().cast())));
        }
    }

    #[inline(always)]
    pub(super) fn add_words(lanes: &mut [u16; AT_ONCE], more: &[u16; AT_ONCE]) {
        // SAFETY: both arrays are two vectors long, and these loads and stores ask for no alignment.
        unsafe {
            let (to, more): (*mut __m128i, *const __m128i) = (lanes.as_mut_ptr().cast(), more.as_ptr().cast());
            for half in 0..2 {
                let sum = _mm_add_epi16(_mm_loadu_si128(to.add(half)), _mm_loadu_si128(more.add(half)));
                _mm_storeu_si128(to.add(half), sum);
            }
        }
    }

    #[inline(always)]
    pub(super) fn occupied_bytes(lanes: &[u8; AT_ONCE]) -> u64 {
        // SAFETY: the array is one vector long, and this load asks for no alignment.
        let empty = unsafe { _mm_movemask_epi8(_mm_cmpeq_epi8(_mm_loadu_si128(lanes.as_ptr().cast()), _mm_setzero_si128())) };
        !empty as u64 & 0xffff
    }

    #[inline(always)]
    pub(super) fn occupied_words(lanes: &[u16; AT_ONCE]) -> u64 {
        let from: *const __m128i = lanes.as_ptr().cast();
        // SAFETY: the array is two vectors long, and these loads ask for no alignment.
        let empty = unsafe {
            let zero = _mm_setzero_si128();
            let [first, second] = [0, 1].map(|half| _mm_cmpeq_epi16(_mm_loadu_si128(from.add(half)), zero));
            _mm_movemask_epi8(_mm_packs_epi16(first, second))
        };
        !empty as u64 & 0xffff
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sixteen_lanes_at_once_are_each_by_itself() {
        fn check<T: Count>() {
            let mut state = 1u64;
            for _ in 0..2000 {
                let mut random = || {
                    state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                    std::array::from_fn::<T, AT_ONCE, _>(|i| {
                        let word = state.rotate_left(7 * i as u32) as u32;
                        // Zeros, the ends of the range, and anything.
                        T::narrow([0, T::MAX, T::MAX / 2 + 1, 256 & T::MAX, word & T::MAX][(word >> 13) as usize % 5])
                    })
                };
                let (before, more) = (random(), random());
                let mut sum = before;
                T::add(&mut sum, &more);
                let occupied = T::occupied(&before);
                for i in 0..AT_ONCE {
                    assert_eq!(sum[i], before[i].plus(more[i]));
                    assert_eq!(occupied >> i & 1 == 1, before[i] != T::ZERO);
                }
                assert_eq!(occupied >> AT_ONCE, 0);
            }
        }
        check::<u8>();
        check::<u16>();
    }
}

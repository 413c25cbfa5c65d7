//! A bijection of 64-bit words that spreads numbers evenly, so that what is kept by them needs no other hash.

/// An odd factor and its inverse modulo 2^64.
const FACTOR: u64 = 0xd6e8_feb8_6659_fd93;
const INVERSE: u64 = inverse(FACTOR);

const fn inverse(odd: u64) -> u64 {
    // Newton's iteration doubles the number of right bits; an odd number is its own inverse modulo 8.
    let mut inverse = odd;
    let mut round = 0;
    while round < 5 {
        inverse = inverse.wrapping_mul(2u64.wrapping_sub(odd.wrapping_mul(inverse)));
        round += 1;
    }
    inverse
}

/// A bijection that spreads numbers evenly.
pub(super) fn mix(number: u64) -> u64 {
    let word = (number ^ number >> 32).wrapping_mul(FACTOR);
    let word = (word ^ word >> 32).wrapping_mul(FACTOR);
    word ^ word >> 32
}

pub(super) fn unmix(word: u64) -> u64 {
    let word = (word ^ word >> 32).wrapping_mul(INVERSE);
    let word = (word ^ word >> 32).wrapping_mul(INVERSE);
    word ^ word >> 32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mixing_is_undone() {
        for number in [0, 1, 2, 12_345_678_901, u64::MAX, 1 << 63] {
            assert_eq!(unmix(mix(number)), number);
        }
    }
}

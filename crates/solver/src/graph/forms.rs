//! Which form of a layer takes less memory, and how much.

use super::Form;
use super::keys::{BUCKET, LINE};
use super::set::{Set, bytes_of_bits};

/// Bytes of so many positions as a list.
pub(super) fn bytes_as_list(len: u64) -> u64 {
    len * 8 + (len / BUCKET as u64 + 2) * 4
}

/// Bytes of a layer of so many places as bits.
pub(super) fn bytes_as_bits(places: u64) -> u64 {
    bytes_of_bits(places) + bytes_of_bits(places).div_ceil(8 * LINE as u64) * 4
}

/// Whether the keys of a set of `len` positions become bits.
pub(super) fn as_bits(set: &Set, len: u64, places: u64, form: Form) -> bool {
    match form {
        Form::List => false,
        // Bits there are if there was room for them.
        Form::Bits => matches!(set, Set::Bits(_)),
        Form::Smaller => bytes_as_bits(places) <= bytes_as_list(len),
    }
}

/// Bytes that it takes to make keys of a set, beside those of the set.
pub(super) fn bytes_to_make(set: &Set, places: u64, form: Form) -> u64 {
    let len = set.len();
    match set {
        // The words become the keys where they are.
        Set::Bits(_) if as_bits(set, len, places, form) => bytes_of_bits(places).div_ceil(8 * LINE as u64) * 4,
        Set::List(_) if as_bits(set, len, places, form) => bytes_as_bits(places),
        _ => bytes_as_list(len),
    }
}

//! The one place that knows bincode: the header as bytes and back.
//!
//! Numbers are little-endian and of their own width, lengths of texts and lists are 8 bytes, arrays have none; fields follow each
//! other in order without padding. That is bincode 2 with fixed-width integers, and is spelt out in the format page.

use bincode::config::{Configuration, Fixint, Limit, LittleEndian};
use bincode::{Decode, Encode};

/// The most bytes a header may have. No length read from a file makes the decoder allocate more than this.
pub(crate) const LARGEST: usize = 1 << 20;

const CONFIG: Configuration<LittleEndian, Fixint, Limit<LARGEST>> =
    bincode::config::standard().with_little_endian().with_fixed_int_encoding().with_limit::<LARGEST>();

/// The bytes of a header, or `None` if it is larger than [`LARGEST`].
pub(crate) fn encode<T: Encode>(value: &T) -> Option<Vec<u8>> {
    bincode::encode_to_vec(value, CONFIG).ok().filter(|bytes| bytes.len() <= LARGEST)
}

/// The header that these bytes, all of them, are; or what is wrong.
pub(crate) fn decode<T: Decode<()>>(bytes: &[u8]) -> Result<T, String> {
    match bincode::decode_from_slice(bytes, CONFIG) {
        Ok((value, read)) if read == bytes.len() => Ok(value),
        Ok((_, read)) => Err(format!("the header ends after {read} of its {} bytes", bytes.len())),
        Err(error) => Err(format!("the header cannot be read: {error}")),
    }
}

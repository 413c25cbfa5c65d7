//! The one place that knows bincode: headers as bytes and back.
//!
//! Numbers are little-endian and of their own width, lengths of texts and lists are 8 bytes, arrays have none; fields follow each
//! other in order without padding. That is bincode 2 with fixed-width integers, and is spelt out in the format page.

use bincode::config::{Configuration, Fixint, Limit, LittleEndian};
use bincode::{Decode, Encode};

/// The most bytes a header may have. No length read from a file makes the decoder allocate more than this.
pub const LARGEST: usize = 1 << 20;

const CONFIG: Configuration<LittleEndian, Fixint, Limit<LARGEST>> =
    bincode::config::standard().with_little_endian().with_fixed_int_encoding().with_limit::<LARGEST>();

/// The bytes of a header, or `None` if it is larger than [`LARGEST`].
pub fn encode<T: Encode>(value: &T) -> Option<Vec<u8>> {
    bincode::encode_to_vec(value, CONFIG).ok().filter(|bytes| bytes.len() <= LARGEST)
}

/// The header that these bytes, all of them, are.
///
/// # Errors
/// What is wrong with them, in words.
pub fn decode<T: Decode<()>>(bytes: &[u8]) -> Result<T, String> {
    match bincode::decode_from_slice(bytes, CONFIG) {
        Ok((value, read)) if read == bytes.len() => Ok(value),
        Ok((_, read)) => Err(format!("the header ends after {read} of its {} bytes", bytes.len())),
        Err(error) => Err(format!("the header cannot be read: {error}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bytes_are_those_of_the_format_page() {
        let header = (7u8, -2i16, "ab".to_owned(), [9u8; 2], vec![(1i16, 3u64)]);
        let bytes = encode(&header).unwrap();
        let expected: Vec<u8> = [
            &[7][..],
            &[0xfe, 0xff],
            &[2, 0, 0, 0, 0, 0, 0, 0],
            b"ab",
            &[9, 9],
            &[1, 0, 0, 0, 0, 0, 0, 0],
            &[1, 0],
            &[3, 0, 0, 0, 0, 0, 0, 0],
        ]
        .concat();
        assert_eq!(bytes, expected);
        assert_eq!(decode::<(u8, i16, String, [u8; 2], Vec<(i16, u64)>)>(&bytes).unwrap(), header);
    }

    #[test]
    fn lengths_are_not_believed() {
        let endless = u64::MAX.to_le_bytes();
        assert!(decode::<Vec<u64>>(&endless).is_err());
        assert!(decode::<String>(&[200, 0, 0, 0, 0, 0, 0, 0, b'a']).is_err());
        assert!(decode::<u8>(&[1, 2]).is_err());
    }
}

//! A value as a number of one byte or of two, in memory and in files.

/// A number that a value is kept as.
pub(crate) trait Value: Copy + Eq + Send + Sync + Into<i16> + Into<i32> + TryFrom<i32> + 'static {
    /// Bytes it takes.
    const SIZE: usize = size_of::<Self>();

    /// The value that this symbol of a file stands for; what no encoder writes becomes something.
    fn wrapping(value: i16) -> Self;

    /// From the first of these bytes of a file.
    fn from_bytes(bytes: &[u8]) -> Option<Self>;

    /// From the bytes of a file, as many as there are.
    fn all_from_bytes(bytes: &[u8]) -> impl Iterator<Item = Self>;

    /// Their bytes in a file.
    fn to_bytes(values: &[Self]) -> Vec<u8>;
}

impl Value for i8 {
    #[inline(always)]
    fn wrapping(value: i16) -> i8 {
        value as i8
    }

    #[inline(always)]
    fn from_bytes(bytes: &[u8]) -> Option<i8> {
        bytes.first().map(|&byte| byte as i8)
    }

    fn all_from_bytes(bytes: &[u8]) -> impl Iterator<Item = i8> {
        bytes.iter().map(|&byte| byte as i8)
    }

    fn to_bytes(values: &[i8]) -> Vec<u8> {
        values.iter().map(|&value| value as u8).collect()
    }
}

impl Value for i16 {
    #[inline(always)]
    fn wrapping(value: i16) -> i16 {
        value
    }

    #[inline(always)]
    fn from_bytes(bytes: &[u8]) -> Option<i16> {
        bytes.first_chunk().map(|&bytes| i16::from_le_bytes(bytes))
    }

    fn all_from_bytes(bytes: &[u8]) -> impl Iterator<Item = i16> {
        bytes.as_chunks().0.iter().map(|&bytes| i16::from_le_bytes(bytes))
    }

    fn to_bytes(values: &[i16]) -> Vec<u8> {
        values.iter().flat_map(|value| value.to_le_bytes()).collect()
    }
}

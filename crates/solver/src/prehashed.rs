//! A hasher for keys that are spread evenly already: it passes on the one word that they write.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hash, Hasher};

use lumbung_engine::kernel::Lanes;

/// See the [module](self).
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Prehashed(u64);

impl Hasher for Prehashed {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = self.0.rotate_left(8) ^ u64::from(byte);
        }
    }

    fn write_u64(&mut self, word: u64) {
        self.0 = word;
    }
}

/// A board and a number beside it, which hash by [`Lanes::hash`] and the number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Numbered<B>(pub(crate) B, pub(crate) i32);

impl<B: Lanes> Hash for Numbered<B> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        // Numbers are small; odd multiples of a number without pattern keep them apart.
        state.write_u64(Lanes::hash(&self.0) ^ (self.1 as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    }
}

/// A map from boards with numbers.
pub(crate) type NumberedMap<B, T> = HashMap<Numbered<B>, T, BuildHasherDefault<Prehashed>>;

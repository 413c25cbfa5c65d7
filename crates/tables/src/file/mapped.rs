//! A layer file as the processor sees it: mapped into memory, each block checked when it is first touched.
//!
//! **Invariant.** Bytes are only handed out as a block, and a block only if at some time since the file was mapped its bytes had the
//! checksum that the block index says. A check that fails is not kept: the block is checked again when it is next asked for.
//!
//! **Danger.** What is mapped is the file, not a copy of it. Another program that changes it meanwhile is beyond what can be guarded
//! against here: to the language, bytes that change while they are lent out are undefined behaviour, whatever they change to. In
//! practice one that writes into it changes what has been checked already, and one that shortens it takes pages away: whoever touches them
//! then gets a signal (SIGBUS), not an error. This project's own writers never do either, they put a new file in the place of the old
//! one. So only look-ups of single boards map files. Whatever goes through a whole layer reads it.

use std::fs::File;
use std::io;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

use memmap2::Mmap;

use super::header::checksum;

/// See the [module](self).
#[derive(Debug)]
pub(super) struct Mapped {
    bytes: Mmap,
    /// A bit for each block: whether it has been found right.
    checked: Box<[AtomicU64]>,
}

impl Mapped {
    /// Maps a file of so many blocks.
    pub(super) fn new(file: &File, blocks: usize) -> io::Result<Mapped> {
        // SAFETY: the bytes are only read, and only as numbers, every one of which is allowed for: indices made of them are checked
        // wherever they are used, also in blocks found right before. What remains is that nobody changes the file while it is mapped. This
        // cannot be shown here, nor be guarded against: it is the condition, told in the documentation of `Directory` and `Probe`, on
        // which look-ups are defined at all. This project's writers keep it.
        let bytes = unsafe { Mmap::map(file) }?;
        let checked = (0..blocks.div_ceil(64)).map(|_| AtomicU64::new(0)).collect();
        Ok(Mapped { bytes, checked })
    }

    /// The block with this number, which lies at `place` and has the checksum `wanted`; `None` if it does not.
    #[inline]
    pub(super) fn block(&self, number: usize, place: Range<u64>, wanted: u64) -> Option<&[u8]> {
        let bytes = self.bytes.get(place.start as usize..place.end as usize)?;
        let (word, bit) = (self.checked.get(number / 64)?, 1 << (number % 64));
        // No order is needed: the bits say something of bytes that this program does not write.
        if word.load(Ordering::Relaxed) & bit == 0 {
            if checksum(bytes) != wanted {
                return None;
            }
            word.fetch_or(bit, Ordering::Relaxed);
        }
        Some(bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::FileExt as _;

    /// 70 blocks of three bytes.
    fn whole() -> Vec<u8> {
        (0..210u8).collect()
    }

    #[test]
    fn a_block_is_handed_out_once_it_was_right() {
        let file = tempfile::tempfile().unwrap();
        let bytes = whole();
        file.write_all_at(&bytes, 0).unwrap();
        let mapped = Mapped::new(&file, 70).unwrap();
        let block = |number: usize| {
            let place = 3 * number..3 * number + 3;
            mapped.block(number, place.start as u64..place.end as u64, checksum(&bytes[place]))
        };
        file.write_all_at(&[99], 3 * 65).unwrap();
        // A failed check is not kept, and says nothing of the other blocks.
        assert_eq!((block(65), block(65)), (None, None));
        assert_eq!((block(64), block(66), block(1)), (Some(&bytes[192..195]), Some(&bytes[198..201]), Some(&bytes[3..6])));
        // Number 1 has the same place in its word of bits.
        assert_eq!(block(65), None);
        file.write_all_at(&bytes[195..196], 195).unwrap();
        assert_eq!(block(65), Some(&bytes[195..198]));
        // What was right once is not checked again: it comes as it is now.
        file.write_all_at(&[99], 195).unwrap();
        assert_eq!(block(65), Some(&[99, bytes[196], bytes[197]][..]));
        assert_eq!(block(66), Some(&bytes[198..201]));
        // Beyond the file there is nothing.
        assert_eq!(mapped.block(69, 207..211, 0), None);
        assert_eq!(mapped.block(64, u64::MAX - 1..u64::MAX, 0), None);
    }
}

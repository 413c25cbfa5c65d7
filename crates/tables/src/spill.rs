//! Spill: a long array whose finished part lies on disk.
//!
//! A builder writes an array from its beginning to its end, layer by layer. What lies before the layer in work is only read, so it need
//! not be in memory: [`Spill::settle`] writes it to a file without a name and puts the file's pages in its place, at the same addresses.
//! The system then holds as many of them in memory as it has room for. Whoever uses the array sees one slice and notices nothing.
//!
//! The file has no name from the beginning (it goes when the program ends, however that ends), so nobody else can change or shorten it.

use std::fs::File;
use std::io;
use std::ops::{Deref, DerefMut};
use std::path::Path;

/// See the [module](self). The values are 0 at first.
#[derive(Debug)]
pub(crate) struct Spill {
    values: Pages,
    file: File,
    /// Values written to the file, the first ones.
    written: usize,
}

/// Bytes written at once.
const PORTION: usize = 16 << 20;

impl Spill {
    /// An array of `len` values, whose file is to lie in `directory`.
    pub(crate) fn new(len: usize, directory: &Path) -> io::Result<Spill> {
        let file = tempfile::tempfile_in(directory)?;
        Ok(Spill { values: Pages::new(len)?, file, written: 0 })
    }

    /// The first `end` values are final: from now on they lie on disk.
    ///
    /// # Errors
    /// If they cannot be written; then they stay in memory.
    pub(crate) fn settle(&mut self, end: usize) -> io::Result<()> {
        for portion in self.values[self.written.min(end)..end].chunks(PORTION) {
            // The same bits, as bytes.
            write_at(&self.file, &portion.iter().map(|&value| value as u8).collect::<Vec<u8>>(), self.written as u64)?;
            self.written += portion.len();
        }
        // What the system could not write must be known before memory is given up: later it would read something else.
        self.file.sync_data()?;
        self.values.back_by(&self.file, self.written)
    }
}

#[cfg(unix)]
fn write_at(file: &File, bytes: &[u8], at: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::write_all_at(file, bytes, at)
}

#[cfg(not(unix))]
fn write_at(_: &File, _: &[u8], _: u64) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

/// Whether this system can do it.
pub(crate) const IS_POSSIBLE: bool = cfg!(target_os = "linux");

impl Deref for Spill {
    type Target = [i8];
    fn deref(&self) -> &[i8] {
        &self.values
    }
}

impl DerefMut for Spill {
    fn deref_mut(&mut self) -> &mut [i8] {
        &mut self.values
    }
}

#[cfg(target_os = "linux")]
pub(crate) use linux::Pages;
#[cfg(not(target_os = "linux"))]
pub(crate) use other::Pages;

#[cfg(target_os = "linux")]
mod linux {
    use std::fs::File;
    use std::io;
    use std::ops::{Deref, DerefMut};
    use std::ptr::{NonNull, null_mut};

    use rustix::mm::{MapFlags, MremapFlags, ProtFlags, mmap, mmap_anonymous, mremap_fixed, munmap};
    use rustix::param::page_size;

    use crate::memory::advise_huge_pages;

    /// Memory of its own, the first pages of which may be those of a file.
    ///
    /// **Invariant.** `start` points to a mapping of `len.max(1)` bytes that can be read and written, belongs to this value alone and is
    /// private: what is written to it never reaches a file.
    #[derive(Debug)]
    pub(crate) struct Pages {
        start: NonNull<i8>,
        len: usize,
        /// Bytes from the beginning that are pages of a file, a whole number of pages.
        backed: usize,
    }

    // SAFETY: the memory belongs to this value alone, like that of a `Vec`.
    unsafe impl Send for Pages {}
    // SAFETY: shared references only read it.
    unsafe impl Sync for Pages {}

    const BOTH: ProtFlags = ProtFlags::READ.union(ProtFlags::WRITE);

    impl Pages {
        pub(super) fn new(len: usize) -> io::Result<Pages> {
            // Only a part of it will be in memory at any time, so the system is not asked to set all of it aside.
            let flags = MapFlags::PRIVATE | MapFlags::NORESERVE;
            // SAFETY: a new mapping at an address of the system's choice touches no other memory.
            let start = unsafe { mmap_anonymous(null_mut(), len.max(1), BOTH, flags) }?;
            let start = NonNull::new(start.cast()).ok_or(io::ErrorKind::OutOfMemory)?;
            let mut pages = Pages { start, len, backed: 0 };
            advise_huge_pages(&mut pages);
            Ok(pages)
        }

        /// Puts the pages of `file` in the place of the first ones, as far as they are whole within the first `end` bytes. The file
        /// must hold the same `end` bytes, and never change there again.
        pub(super) fn back_by(&mut self, file: &File, end: usize) -> io::Result<()> {
            let end = end.min(self.len) / page_size() * page_size();
            if end <= self.backed {
                return Ok(());
            }
            let flags = MapFlags::PRIVATE | MapFlags::NORESERVE;
            let len = end - self.backed;
            // First at an address of the system's choice, where a failure changes nothing.
            // SAFETY: a new mapping touches no other memory; it can be read and written and holds the bytes of `backed..end`.
            let pages = unsafe { mmap(null_mut(), len, BOTH, flags, file, self.backed as u64) }?;
            // SAFETY: the new pages are moved over `backed..end`, whole pages within the mapping, which belongs to `self`, borrowed
            // mutably, so nothing refers to them.
            let moved = unsafe {
                let to = self.start.as_ptr().add(self.backed).cast();
                mremap_fixed(pages, len, len, MremapFlags::MAYMOVE, to)
            };
            if moved.is_err() {
                // The system may have taken the old pages away already. Then nothing that reads them could go on, and to unmap them
                // might hit whatever has come to lie there.
                std::process::abort();
            }
            self.backed = end;
            Ok(())
        }
    }

    impl Deref for Pages {
        type Target = [i8];
        fn deref(&self) -> &[i8] {
            // SAFETY: by the invariant; every byte of a mapping is initialised, and `self` is borrowed as long as the slice lives.
            unsafe { std::slice::from_raw_parts(self.start.as_ptr(), self.len) }
        }
    }

    impl DerefMut for Pages {
        fn deref_mut(&mut self) -> &mut [i8] {
            // SAFETY: as above, and `self` is borrowed mutably.
            unsafe { std::slice::from_raw_parts_mut(self.start.as_ptr(), self.len) }
        }
    }

    impl Drop for Pages {
        fn drop(&mut self) {
            // SAFETY: by the invariant, and nothing can refer to the mapping any more. If it fails the memory is lost, no more.
            let _ = unsafe { munmap(self.start.as_ptr().cast(), self.len.max(1)) };
        }
    }
}

#[cfg(not(target_os = "linux"))]
mod other {
    use std::fs::File;
    use std::io;

    /// There are none on this system.
    #[derive(Debug)]
    pub(crate) struct Pages(Vec<i8>);

    impl Pages {
        pub(super) fn new(_: usize) -> io::Result<Pages> {
            Err(io::ErrorKind::Unsupported.into())
        }

        pub(super) fn back_by(&mut self, _: &File, _: usize) -> io::Result<()> {
            Err(io::ErrorKind::Unsupported.into())
        }
    }

    impl std::ops::Deref for Pages {
        type Target = [i8];
        fn deref(&self) -> &[i8] {
            &self.0
        }
    }

    impl std::ops::DerefMut for Pages {
        fn deref_mut(&mut self) -> &mut [i8] {
            &mut self.0
        }
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn what_is_settled_stays_as_it_was() {
        let directory = tempfile::tempdir().unwrap();
        let len = 3 * PORTION + 12_345;
        let mut spill = Spill::new(len, directory.path()).unwrap();
        assert!(spill.iter().all(|&value| value == 0));
        let value = |at: usize| (at % 251) as u8 as i8;
        // Ends that are whole pages and ends that are not, more than a portion and nothing at all.
        let mut done = 0;
        for end in [0, 1, 4095, 4096, 5000, 5000, 8192, PORTION, 2 * PORTION + 77, len - 1, len] {
            for (at, place) in spill.iter_mut().enumerate().take(end).skip(done) {
                *place = value(at);
            }
            done = end;
            spill.settle(end).unwrap();
            assert!(spill.iter().enumerate().all(|(at, &found)| found == if at < done { value(at) } else { 0 }), "{end}");
        }
        assert_eq!(spill.file.metadata().unwrap().len(), len as u64);
        assert_eq!(std::fs::read_dir(directory.path()).unwrap().count(), 0, "the file has no name");
        assert!(Spill::new(0, directory.path()).unwrap().is_empty());
        assert!(Spill::new(1, &directory.path().join("missing")).is_err());
    }
}

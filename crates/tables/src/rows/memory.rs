//! Memory for values: in huge pages where the system has them.
//!
//! A build writes each byte a few times only, so the first touch of a page costs as much as the work on it; pages of 2 MiB make it
//! several times cheaper, and spare the translation of addresses later.

use std::sync::Mutex;

use crate::memory::advise_huge_pages;

/// Allocators serve requests of this size with memory fresh from the system, which is zero and untouched. Smaller ones may be touched
/// to be zeroed, and so must be advised on before.
const FRESH: usize = 64 << 20;

/// Zeros, in huge pages if possible. `None` if there is not enough memory.
pub(crate) fn zeros(len: usize) -> Option<Vec<i8>> {
    let mut bytes = Vec::new();
    bytes.try_reserve_exact(len).ok()?;
    if len < FRESH {
        advise_huge_pages(bytes.spare_capacity_mut());
        bytes.resize(len, 0);
    } else {
        // Gives the memory back and asks for it again, as zeros: a failure of `vec!` would end the program.
        drop(bytes);
        bytes = vec![0; len];
        advise_huge_pages(&mut bytes);
    }
    Some(bytes)
}

/// Matrices that are needed while a pair of splits is worked on, used again and again.
#[derive(Debug, Default)]
pub(crate) struct Scratch(Mutex<Vec<Vec<i8>>>);

impl Scratch {
    /// Lends a matrix of `len` bytes with any content; `None` if there is not enough memory.
    pub(crate) fn lend<R>(&self, len: usize, work: impl FnOnce(&mut [i8]) -> R) -> Option<R> {
        let free = || self.0.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        let mut matrix = match free().pop() {
            Some(matrix) if matrix.len() >= len => matrix,
            _ => zeros(len)?,
        };
        let result = work(&mut matrix[..len]);
        free().push(matrix);
        Some(result)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zeros_are_zeros_of_any_length() {
        for len in [0, 1, 4096, 5 << 20] {
            let bytes = zeros(len).unwrap();
            assert_eq!(bytes.len(), len);
            assert!(bytes.iter().all(|&byte| byte == 0));
        }
    }

    #[test]
    fn memory_that_is_not_there_is_no_panic() {
        assert!(zeros(isize::MAX as usize).is_none());
    }

    #[test]
    fn scratch_is_used_again() {
        let scratch = Scratch::default();
        scratch.lend(8, |matrix| matrix.fill(7)).unwrap();
        assert_eq!(scratch.lend(5, |matrix| matrix.to_vec()), Some(vec![7; 5]));
        assert_eq!(scratch.lend(9, |matrix| matrix.len()), Some(9));
    }
}

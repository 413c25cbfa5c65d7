//! Room: the memory that lists may take.
//!
//! Lists save work and nothing else, so they get what memory a build has to spare, and where that is used up moves go on row by row.
//! A list first takes as much room as it could fill at most, and gives back what it did not when it is made: so the room is never
//! exceeded, however large a single list is and however many threads make one at the same time.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Bytes that a piece of memory takes beside its content, about.
pub(super) const ALLOCATION: usize = 16;

/// Memory for lists, in bytes.
#[derive(Debug)]
pub(crate) struct Room {
    bytes: usize,
    taken: AtomicUsize,
}

impl Room {
    /// So many bytes, none of them taken.
    pub(crate) fn new(bytes: usize) -> Self {
        Room { bytes, taken: AtomicUsize::new(0) }
    }

    /// What is in `place`; if that is empty, it is made, provided that there is room for `most` bytes, the most that it could take.
    /// `bytes` tells how many it did take.
    #[inline(always)]
    pub(super) fn once<'p, T>(
        &self,
        place: &'p OnceLock<T>,
        most: impl FnOnce() -> usize,
        make: impl FnOnce() -> T,
        bytes: impl FnOnce(&T) -> usize,
    ) -> Option<&'p T> {
        match place.get() {
            Some(made) => Some(made),
            None => self.make(place, most(), make, bytes),
        }
    }

    #[cold]
    #[inline(never)]
    fn make<'p, T>(
        &self,
        place: &'p OnceLock<T>,
        most: usize,
        make: impl FnOnce() -> T,
        bytes: impl FnOnce(&T) -> usize,
    ) -> Option<&'p T> {
        let take = |taken: usize| taken.checked_add(most).filter(|&taken| taken <= self.bytes);
        self.taken.try_update(Ordering::Relaxed, Ordering::Relaxed, take).ok()?;
        // Another thread may be making the same, and then it is the one that keeps its bytes.
        let mut took = 0;
        let made = place.get_or_init(|| {
            let made = make();
            took = bytes(&made);
            debug_assert!(took <= most, "{took} bytes taken, {most} expected at most");
            made
        });
        self.taken.fetch_sub(most.saturating_sub(took), Ordering::Relaxed);
        Some(made)
    }

    /// A table of `len` places, all of them empty at first.
    #[inline(always)]
    pub(super) fn table<'p, T>(
        &self,
        table: &'p OnceLock<Box<[OnceLock<T>]>>,
        len: impl FnOnce() -> usize,
    ) -> Option<&'p [OnceLock<T>]> {
        if let Some(table) = table.get() {
            return Some(table);
        }
        let len = len();
        let make = || (0..len).map(|_| OnceLock::new()).collect();
        self.make(table, len * size_of::<OnceLock<T>>(), make, |table| size_of_val(&**table)).map(|table| &**table)
    }

    /// Bytes taken.
    #[cfg(test)]
    pub(crate) fn taken(&self) -> usize {
        self.taken.load(Ordering::Relaxed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(room: &Room, place: &OnceLock<Box<[u8]>>, most: usize, len: usize) -> Option<usize> {
        room.once(place, || most, || vec![0; len].into(), |list| list.len()).map(|list| list.len())
    }

    #[test]
    fn a_list_gives_back_what_it_does_not_fill() {
        let (room, places) = (Room::new(100), [const { OnceLock::new() }; 3]);
        assert_eq!(list(&room, &places[0], 80, 30), Some(30));
        assert_eq!(room.taken(), 30);
        // Might need 71 where 70 are left.
        assert_eq!(list(&room, &places[1], 71, 1), None);
        assert_eq!(list(&room, &places[1], 70, 70), Some(70));
        assert_eq!(list(&room, &places[2], 1, 1), None);
        assert_eq!(room.taken(), 100);
    }

    #[test]
    fn what_is_there_is_not_made_again() {
        let (room, place) = (Room::new(100), OnceLock::new());
        assert_eq!(list(&room, &place, 60, 60), Some(60));
        assert_eq!(list(&room, &place, 60, 50), Some(60));
        assert_eq!(room.taken(), 60);
    }

    #[test]
    fn a_list_that_two_threads_want_takes_its_room_once() {
        let (room, place) = (Room::new(1000), OnceLock::new());
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| list(&room, &place, 100, 40));
            }
        });
        assert_eq!(room.taken(), 40);
    }

    #[test]
    fn room_for_more_than_there_are_numbers_is_refused() {
        let (room, places) = (Room::new(usize::MAX), [const { OnceLock::new() }; 2]);
        assert_eq!(list(&room, &places[0], 1, 1), Some(1));
        assert_eq!(list(&room, &places[1], usize::MAX, 0), None);
    }
}

//! Sets of boards.

use std::collections::HashSet;
use std::hash::{BuildHasherDefault, Hash, Hasher};

use dashmap::DashMap;
use lumbung_engine::kernel::Lanes;

use crate::prehashed::Prehashed;

/// Boards that any search may remember, however little memory it is given.
const FEWEST: u64 = 4096;

/// A board that hashes by [`Lanes::hash`], which mixes well enough to be used as it is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Key<B>(pub(super) B);

impl<B: Lanes> Hash for Key<B> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(Lanes::hash(&self.0));
    }
}

/// A set of boards for one thread.
pub(super) type Boards<B> = HashSet<Key<B>, BuildHasherDefault<Prehashed>>;

/// A number for every board, for all threads.
pub(super) type Numbers<B> = DashMap<Key<B>, u16, BuildHasherDefault<Prehashed>>;

fn shards() -> usize {
    (4 * rayon::current_num_threads()).next_power_of_two()
}

/// An empty [`Numbers`].
pub(super) fn numbers<B: Lanes>() -> Numbers<B> {
    DashMap::with_hasher_and_shard_amount(BuildHasherDefault::default(), shards())
}

/// The boards that have been entered, for all threads. (A map to nothing: the set of the same crate cannot be told its shards.)
pub(super) struct Visited<B> {
    set: DashMap<Key<B>, (), BuildHasherDefault<Prehashed>>,
    most: u64,
}

impl<B: Lanes> Visited<B> {
    /// A set that, with `beside` further bytes for every board, is to stay within `memory` bytes.
    pub(super) fn new(memory: u64, beside: usize) -> Self {
        let map = DashMap::with_hasher_and_shard_amount(BuildHasherDefault::default(), shards());
        Visited { set: map, most: most_boards::<Key<B>>(memory, beside) }
    }

    /// Adds a board; whether it is new.
    pub(super) fn insert(&self, board: B) -> bool {
        self.set.insert(Key(board), ()).is_none()
    }

    /// Boards in the set.
    pub(super) fn len(&self) -> u64 {
        self.set.len() as u64
    }

    /// Boards that may still be added before the memory is used up.
    pub(super) fn room(&self) -> u64 {
        self.most.saturating_sub(self.len())
    }

    /// The boards, in no particular order.
    pub(super) fn into_boards(self) -> Vec<B> {
        self.set.into_iter().map(|(Key(board), ())| board).collect()
    }
}

/// The boards that a table of `Entry`s within `memory` bytes can hold, if each takes `beside` further bytes elsewhere.
///
/// A table has a power of two of slots, of which seven in eight may be taken, and doubles when they are; so the memory is used up
/// when the next doubling would exceed it.
pub(super) fn most_boards<Entry>(memory: u64, beside: usize) -> u64 {
    let slot = size_of::<Entry>() as u64 + 1;
    let bytes = |slots: u64| slots * slot + slots / 8 * 7 * beside as u64;
    let mut slots = 8 * shards() as u64;
    while bytes(2 * slots) <= memory {
        slots *= 2;
    }
    // Shards fill unevenly: the fullest doubles first.
    let most = slots / 8 * 7;
    FEWEST.max(most - most / 16)
}

#[cfg(test)]
mod tests {
    use super::*;
    use lumbung_engine::kernel::{Bytes16, Wide};

    #[test]
    fn the_memory_of_the_limits_bounds_the_set() {
        for memory in [1u64 << 20, 3 << 20, 1 << 30, 5 << 30] {
            for (most, board) in [
                (most_boards::<Bytes16>(memory, 0), 16),
                (most_boards::<Wide<u16, 48>>(memory, 0), 96),
                (most_boards::<Bytes16>(memory, 40), 56),
            ] {
                assert!(most * board <= memory, "{most} boards of {board} bytes are more than {memory}");
                assert!(most * board * 3 >= memory, "{most} boards of {board} bytes waste most of {memory}");
            }
        }
    }

    #[test]
    fn a_few_boards_are_always_allowed() {
        assert_eq!(most_boards::<Bytes16>(0, 0), FEWEST);
    }

    #[test]
    fn a_board_is_new_once() {
        let visited = Visited::<Bytes16>::new(1 << 20, 0);
        let room = visited.room();
        assert!(visited.insert(Bytes16(7)));
        assert!(!visited.insert(Bytes16(7)));
        assert_eq!((visited.len(), visited.room()), (1, room - 1));
        assert_eq!(visited.into_boards(), [Bytes16(7)]);
    }
}

//! Transposition tables: bounds on the values of boards met before.
//!
//! The key is the board alone, never the stores, because the value of a position depends on the pits alone. A table of bounded size
//! forgets, but it never lies: each entry carries a full key, so what it answers was stored for that very board.
//!
//! * [`Compact`]: one 64-bit word an entry, read and written whole, so that threads share it without locks. It serves boards whose
//!   number (see [`lumbung_tables::Index`]) leaves room for the bounds in the word.
//! * [`Whole`]: entries that hold the board itself, a counter a bucket, by which readers know what they read whole; it serves every board.

mod compact;
mod whole;

pub(crate) use compact::Compact;
pub(crate) use whole::Whole;

use lumbung_engine::kernel::{Lanes, Seat};

/// What is known about the value of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Known {
    /// The value is at least this.
    pub(crate) low: i32,
    /// The value is at most this.
    pub(crate) high: i32,
    /// The mover's pit that did best the last time.
    pub(crate) best: Option<u8>,
}

/// A shared store of [`Known`] bounds.
pub(crate) trait Transpositions<B: Lanes>: Sync + Sized {
    /// What identifies a board to this table.
    type Key: Copy;
    /// The key of a board as seen from a seat.
    fn key(&self, board: &B, seat: Seat) -> Self::Key;
    /// Asks for the memory of a key ahead of [`Transpositions::get`].
    fn prefetch(&self, key: Self::Key);
    /// What is known, if the board is in the table. `seeds` are those on the board.
    fn get(&self, key: Self::Key, seeds: i32) -> Option<Known>;
    /// Remembers bounds, merged with those already there. `nodes` is the work it took to find them: the least worked-for entry of
    /// a full bucket makes room.
    fn put(&self, key: Self::Key, seeds: i32, known: Known, nodes: u64);
    /// Bytes of an entry in a checkpoint.
    const ENTRY_BYTES: usize;
    /// Hands over every entry that took at least `least` effort, as bytes. Others may read and write the table meanwhile.
    fn save(&self, least: u8, entry: &mut dyn FnMut(&[u8]));
    /// Puts back an entry that was saved from a table of the same boards; `None` if there is no such entry.
    fn restore(&self, entry: &[u8]) -> Option<()>;
    /// How many entries took each effort, of 64; those of effort 0 are empty.
    fn efforts(&self) -> [u64; 64];
    /// The share of a small part of the table that is in use.
    fn fill(&self) -> f64;
    /// Bytes of memory that a board takes in a full table.
    const BYTES: usize;
    /// Bytes of memory.
    fn bytes(&self) -> usize;
    /// The same entries in a table of about `bytes`.
    fn grown(&self, bytes: usize) -> Self;
}

/// Entries looked at to tell how full a table is.
const SAMPLE: usize = 1 << 12;

/// Effort in 1..=63: twice the binary logarithm of the number of nodes, roughly.
fn effort(nodes: u64) -> u8 {
    let nodes = nodes.max(1);
    let log = 63 - nodes.leading_zeros() as u8;
    let half = if log > 0 { (nodes >> (log - 1)) as u8 & 1 } else { 0 };
    (2 * log + half + 1).min(63)
}

#[cfg(test)]
mod tests {
    use super::*;
    use lumbung_engine::kernel::Bytes16;

    /// What either table must do: remember, merge, keep boards apart, and survive growth.
    fn behaves<T: Transpositions<Bytes16>>(table: T) {
        let board = |a: u128, b: u128| Bytes16(a | b << 64 | 3 << 16);
        let (first, second) = (board(1, 2), board(2, 1));
        let seeds = 6;
        let known = |low, high| Known { low, high, best: Some(1) };
        let key = |table: &T, b: &Bytes16| table.key(b, Seat::FIRST);
        assert_eq!(table.get(key(&table, &first), seeds), None);
        table.put(key(&table, &first), seeds, known(-2, 6), 10);
        assert_eq!(table.get(key(&table, &first), seeds), Some(known(-2, 6)));
        assert_eq!(table.get(key(&table, &second), seeds), None);
        table.put(key(&table, &first), seeds, known(-6, 4), 10);
        assert_eq!(table.get(key(&table, &first), seeds), Some(known(-2, 4)));
        let grown = table.grown(4 * table.bytes());
        assert!(grown.bytes() > table.bytes());
        assert_eq!(grown.get(key(&grown, &first), seeds), Some(known(-2, 4)));
        assert_eq!(grown.get(key(&grown, &second), seeds), None);
    }

    #[test]
    fn both_tables_remember_and_never_mix_boards_up() {
        behaves(Compact::for_boards(3, 18, true, true, 1 << 20).unwrap());
        behaves(Compact::for_boards(3, 18, false, false, 1 << 20).unwrap());
        behaves(Whole::<Bytes16>::new(1 << 20));
    }

    /// What is saved and restored is the same, and bytes that no table saves are refused.
    fn survives_a_checkpoint<M: Transpositions<Bytes16>>(saved: M, restored: M) {
        let index = lumbung_tables::Index::new(3, 6).unwrap();
        let boards = || (0..index.total()).map(|number| index.unrank::<Bytes16>(number));
        for (nodes, board) in (1..).zip(boards()) {
            let seeds = board.seeds() as i32;
            let known =
                Known { low: -seeds, high: seeds - 2 * (nodes as i32 % 3).min(seeds), best: (nodes % 2 == 0).then_some(1) };
            saved.put(saved.key(&board, Seat::FIRST), seeds, known, nodes);
        }
        let mut entries = 0;
        saved.save(effort(100), &mut |entry| {
            assert_eq!(entry.len(), M::ENTRY_BYTES);
            restored.restore(entry).unwrap();
            entries += 1;
        });
        assert_eq!(entries, saved.efforts()[usize::from(effort(100))..].iter().sum::<u64>());
        assert!(saved.fill() > restored.fill() && restored.fill() > 0.0);
        for (nodes, board) in (1..).zip(boards()) {
            let (key, seeds) = (saved.key(&board, Seat::FIRST), board.seeds() as i32);
            let expected = saved.get(key, seeds).filter(|_| effort(nodes) >= effort(100));
            assert_eq!(restored.get(restored.key(&board, Seat::FIRST), seeds), expected);
        }
        assert!(entries > 100 && restored.restore(&vec![0xff; M::ENTRY_BYTES]).is_none());
        assert!(restored.restore(&vec![0; M::ENTRY_BYTES]).is_none());
    }

    #[test]
    fn tables_survive_a_checkpoint() {
        let compact = |bytes| Compact::for_boards(3, 6, true, true, bytes).unwrap();
        survives_a_checkpoint(compact(1 << 14), compact(1 << 16));
        survives_a_checkpoint(Whole::<Bytes16>::new(1 << 17), Whole::<Bytes16>::new(1 << 18));
    }

    /// Every board of a small index is stored in a table that is far too small, with bounds made from its number. Whatever is still
    /// there must be the board's own.
    fn never_lies<T: Transpositions<Bytes16>>(table: T) {
        let index = lumbung_tables::Index::new(3, 9).unwrap();
        let known =
            |number: u64, seeds: i32| Known { low: -seeds, high: seeds - 2 * (number % 3).min(seeds as u64) as i32, best: None };
        let check = |table: &T| {
            let mut found = 0;
            for number in 0..index.total() {
                let board = index.unrank::<Bytes16>(number);
                let seeds = board.seeds() as i32;
                if let Some(got) = table.get(table.key(&board, Seat::FIRST), seeds) {
                    assert_eq!(got, known(number, seeds), "{board:?}");
                    found += 1;
                }
            }
            found
        };
        for number in 0..index.total() {
            let board = index.unrank::<Bytes16>(number);
            let seeds = board.seeds() as i32;
            table.put(table.key(&board, Seat::FIRST), seeds, known(number, seeds), number + 1);
        }
        let (before, grown) = (check(&table), table.grown(8 * table.bytes()));
        assert!(before > 0 && before < index.total(), "{before} of {} boards", index.total());
        assert!(check(&grown) > 0);
    }

    #[test]
    fn tables_that_overflow_forget_but_do_not_lie() {
        never_lies(Compact::for_boards(3, 9, true, true, 64).unwrap());
        never_lies(Compact::for_boards(3, 9, true, false, 1024).unwrap());
        never_lies(Whole::<Bytes16>::new(1024));
    }

    #[test]
    fn sizes_at_the_edge_of_a_word_are_refused_or_work() {
        for (pits, seeds) in [(7, 98), (7, 133), (8, 96), (6, 200), (8, 64)] {
            for bytes in [64, 1 << 16] {
                if let Some(table) = Compact::for_boards(pits, seeds, true, true, bytes) {
                    behaves_on(&table, seeds as i32);
                }
            }
        }
        assert!(Compact::for_boards(8, 10, false, false, 1 << 20).is_none(), "sixteen pits and none need five bits");
    }

    fn behaves_on<T: Transpositions<Bytes16>>(table: &T, seeds: i32) {
        let board = Bytes16(seeds as u128);
        let known = Known { low: -seeds, high: seeds, best: Some(0) };
        table.put(table.key(&board, Seat::FIRST), seeds, known, 1);
        assert_eq!(table.get(table.key(&board, Seat::FIRST), seeds), Some(known));
    }

    #[test]
    fn effort_grows_with_the_work() {
        let efforts: Vec<u8> = (0..50).map(|i| effort(1 << i)).collect();
        assert!(efforts.windows(2).all(|w| w[0] < w[1] || w[0] == 63));
        assert!(efforts.iter().all(|e| (1..=63).contains(e)));
    }
}

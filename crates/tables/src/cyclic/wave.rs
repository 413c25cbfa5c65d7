//! Waves: work in columns and rows, each piece to be done after the one in the next column and the one in the next row.
//!
//! The last piece comes first, and from it the work spreads like a wave to all that may be done at once.

use std::sync::atomic::{AtomicU8, Ordering};

use rayon::Scope;

/// Does `work(column, row)` for all columns and rows, each when those of `(column + 1, row)` and of `(column, row + 1)` have returned.
/// So no two pieces of one column are done at once, and none of one row.
pub(super) fn run(columns: usize, rows: usize, work: impl Fn(usize, usize) + Sync) {
    if columns == 0 || rows == 0 {
        return;
    }
    if columns == 1 {
        return (0..rows).rev().for_each(|row| work(0, row));
    }
    let awaited = |column, row| u8::from(column + 1 < columns) + u8::from(row + 1 < rows);
    let awaits = (0..columns).flat_map(|column| (0..rows).map(move |row| AtomicU8::new(awaited(column, row)))).collect();
    let wave = Wave { rows, awaits, work };
    rayon::scope(|scope| wave.from(scope, columns - 1, rows - 1));
}

struct Wave<W> {
    rows: usize,
    /// How many pieces each still waits for.
    awaits: Vec<AtomicU8>,
    work: W,
}

impl<W: Fn(usize, usize) + Sync> Wave<W> {
    /// Does a piece and then what may be done after it.
    fn from<'s>(&'s self, scope: &Scope<'s>, mut column: usize, mut row: usize) {
        loop {
            (self.work)(column, row);
            let beside = column > 0 && self.is_next(column - 1, row);
            let below = row > 0 && self.is_next(column, row - 1);
            match (beside, below) {
                (true, true) => {
                    let (column, row) = (column - 1, row);
                    scope.spawn(move |scope| self.from(scope, column, row));
                }
                (true, false) => {
                    column -= 1;
                    continue;
                }
                (false, true) => {}
                (false, false) => return,
            }
            row -= 1;
        }
    }

    /// One of the pieces that this one waits for is done; whether it was the last.
    fn is_next(&self, column: usize, row: usize) -> bool {
        self.awaits[column * self.rows + row].fetch_sub(1, Ordering::AcqRel) == 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Mutex;

    #[test]
    fn every_piece_comes_after_those_it_waits_for() {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(3).build().unwrap();
        for (columns, rows) in [(0, 3), (3, 0), (1, 1), (1, 7), (7, 1), (2, 2), (5, 40)] {
            let done = Mutex::new(Vec::new());
            pool.install(|| {
                run(columns, rows, |column, row| {
                    let is_done = |piece| done.lock().unwrap().contains(&piece);
                    assert!(column + 1 == columns || is_done((column + 1, row)));
                    assert!(row + 1 == rows || is_done((column, row + 1)));
                    done.lock().unwrap().push((column, row));
                });
            });
            let mut done = done.into_inner().unwrap();
            done.sort_unstable();
            let all: Vec<_> = (0..columns).flat_map(|column| (0..rows).map(move |row| (column, row))).collect();
            assert_eq!(done, all);
        }
    }
}

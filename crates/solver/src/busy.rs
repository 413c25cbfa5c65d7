//! Which boards are being searched at this moment, so that threads divide the work.
//!
//! Threads that search one question together would follow the same line. So a thread that is about to search a move other than the
//! first looks whether another is at that very board, and if so takes its other moves first; when it comes back the answer is as a
//! rule in the transposition table (the idea of ABDADA, in the simplified form of T. Kerrigan). This is advice only: a missed or false mark
//! costs work, never a wrong answer.

use std::sync::atomic::{AtomicU64, Ordering};

const MARKS: usize = 1 << 14;

/// Marks of boards under search; shared by all threads.
pub(crate) struct Busy {
    marks: Vec<AtomicU64>,
}

impl Busy {
    pub(crate) fn new() -> Self {
        Busy { marks: (0..MARKS).map(|_| AtomicU64::new(0)).collect() }
    }

    fn mark(&self, board: u64) -> &AtomicU64 {
        &self.marks[(board >> 40) as usize % MARKS]
    }

    /// Whether a thread is at the board with this hash.
    pub(crate) fn is_taken(&self, board: u64) -> bool {
        self.mark(board).load(Ordering::Relaxed) == board
    }

    pub(crate) fn take(&self, board: u64) {
        self.mark(board).store(board, Ordering::Relaxed);
    }

    pub(crate) fn release(&self, board: u64) {
        let mark = self.mark(board);
        if mark.load(Ordering::Relaxed) == board {
            mark.store(0, Ordering::Relaxed);
        }
    }
}

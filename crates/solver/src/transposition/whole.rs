//! A transposition table whose entries hold the packed board itself, for boards whose number does not fit into a word.

use std::sync::{Mutex, PoisonError};

use lumbung_engine::kernel::{Lanes, Seat};

use super::{Known, SAMPLE, Transpositions, effort};

const WAYS: usize = 4;

#[derive(Clone, Copy)]
struct Entry<B> {
    board: B,
    low: i16,
    high: i16,
    seat: u8,
    best: Option<u8>,
    /// 0 marks an empty entry.
    effort: u8,
}

/// See the [module](self).
pub(crate) struct Whole<B> {
    buckets: Vec<Mutex<[Entry<B>; WAYS]>>,
    bucket_bits: u32,
}

impl<B: Lanes> Whole<B> {
    /// A table of at most `bytes`, but no less than two buckets.
    pub(crate) fn new(bytes: usize) -> Self {
        let empty = Entry { board: B::EMPTY, low: 0, high: 0, seat: 0, best: None, effort: 0 };
        let bucket_bits = (bytes / size_of::<Mutex<[Entry<B>; WAYS]>>()).max(2).ilog2();
        Whole { buckets: (0..1usize << bucket_bits).map(|_| Mutex::new([empty; WAYS])).collect(), bucket_bits }
    }

    fn bucket(&self, board: &B) -> &Mutex<[Entry<B>; WAYS]> {
        &self.buckets[(Lanes::hash(board) >> (64 - self.bucket_bits)) as usize]
    }

    fn place(&self, new: Entry<B>) {
        // A bucket is written in one go, so one that a panicking thread left is still whole.
        let mut bucket = self.bucket(&new.board).lock().unwrap_or_else(PoisonError::into_inner);
        let mut place = 0;
        for (i, old) in bucket.iter().enumerate() {
            if old.effort > 0 && old.board == new.board && old.seat == new.seat {
                let merged =
                    Entry { low: old.low.max(new.low), high: old.high.min(new.high), best: new.best.or(old.best), ..new };
                bucket[i] = merged;
                return;
            }
            if old.effort < bucket[place].effort {
                place = i;
            }
        }
        bucket[place] = new;
    }
}

impl<B: Lanes> Transpositions<B> for Whole<B> {
    type Key = (B, Seat);

    fn key(&self, board: &B, seat: Seat) -> (B, Seat) {
        (*board, seat)
    }

    fn prefetch(&self, _key: (B, Seat)) {}

    fn get(&self, (board, seat): (B, Seat), _seeds: i32) -> Option<Known> {
        let bucket = self.bucket(&board).lock().unwrap_or_else(PoisonError::into_inner);
        bucket
            .iter()
            .find(|entry| entry.effort > 0 && entry.board == board && usize::from(entry.seat) == seat.index())
            .map(|entry| Known { low: i32::from(entry.low), high: i32::from(entry.high), best: entry.best })
    }

    fn put(&self, (board, seat): (B, Seat), _seeds: i32, known: Known, nodes: u64) {
        self.place(Entry {
            board,
            low: known.low as i16,
            high: known.high as i16,
            seat: seat.index() as u8,
            best: known.best,
            effort: effort(nodes),
        });
    }

    /// Lanes, two bytes each, the bounds likewise, seat, best pit (255 for none) and effort.
    const ENTRY_BYTES: usize = 2 * B::LANES + 7;

    fn save(&self, least: u8, entry: &mut dyn FnMut(&[u8])) {
        for bucket in &self.buckets {
            // A copy, so that searching threads need not wait for whoever writes it down.
            let bucket = *bucket.lock().unwrap_or_else(PoisonError::into_inner);
            for e in bucket.iter().filter(|e| e.effort >= least.max(1)) {
                let mut bytes: Vec<u8> = (0..B::LANES).flat_map(|lane| (e.board.get(lane) as u16).to_le_bytes()).collect();
                bytes.extend([e.low, e.high].iter().flat_map(|bound| bound.to_le_bytes()));
                bytes.extend([e.seat, e.best.unwrap_or(u8::MAX), e.effort]);
                entry(&bytes);
            }
        }
    }

    fn restore(&self, entry: &[u8]) -> Option<()> {
        let number = |at: usize| Some(u16::from_le_bytes([*entry.get(at)?, *entry.get(at + 1)?]));
        let mut board = B::EMPTY;
        for lane in 0..B::LANES {
            let seeds = u32::from(number(2 * lane)?);
            if seeds > B::MAX_COUNT {
                return None;
            }
            board.set(lane, seeds);
        }
        let at = 2 * B::LANES;
        let [seat, best, effort] = *entry.get(at + 4..)? else { return None };
        let (low, high) = (number(at)? as i16, number(at + 2)? as i16);
        if seat > 1 || effort == 0 || effort > 63 || low > high {
            return None;
        }
        self.place(Entry { board, low, high, seat, best: (best != u8::MAX).then_some(best), effort });
        Some(())
    }

    fn efforts(&self) -> [u64; 64] {
        let mut efforts = [0; 64];
        for bucket in &self.buckets {
            for entry in bucket.lock().unwrap_or_else(PoisonError::into_inner).iter() {
                efforts[usize::from(entry.effort.min(63))] += 1;
            }
        }
        efforts
    }

    fn fill(&self) -> f64 {
        let sample = &self.buckets[..self.buckets.len().min(SAMPLE / WAYS)];
        let used = |bucket: &Mutex<[Entry<B>; WAYS]>| {
            bucket.lock().unwrap_or_else(PoisonError::into_inner).iter().filter(|entry| entry.effort > 0).count()
        };
        sample.iter().map(used).sum::<usize>() as f64 / (WAYS * sample.len()) as f64
    }

    fn bytes(&self) -> usize {
        self.buckets.len() * size_of::<Mutex<[Entry<B>; WAYS]>>()
    }

    fn grown(&self, bytes: usize) -> Self {
        let grown = Whole::new(bytes.max(Transpositions::<B>::bytes(self)));
        for bucket in &self.buckets {
            for entry in bucket.lock().unwrap_or_else(PoisonError::into_inner).iter().filter(|e| e.effort > 0) {
                grown.place(*entry);
            }
        }
        grown
    }
}

//! A transposition table whose entries hold the board itself, for boards whose number does not fit into a word.
//!
//! **Entry**: the [`Words`] of the board, then one word of what is known: effort (6 bits, 0 marks an empty entry), best pit (6, 63 for
//! none), low and high (11 each, counted up from -1,023), and as the rest of the key the seat (1) and the lanes above 255 (18). A
//! matching entry was stored for that board and seat and no other.
//!
//! **Bucket**: a counter and as many entries as its cache lines have room for.
//!
//! **Threads** share the buckets without locks. The counter is odd while a thread writes, and every writing raises it by two.
//!
//! * A *writer* makes an even counter odd by compare-exchange; if another writes, it gives up, which costs time only. Then it writes, and
//!   stores the next even number with release ordering. A compare-exchange that succeeds reads, with acquire ordering, what the last
//!   writer stored at its end, so a writer builds on the whole of what was written before.
//! * A *reader* loads the counter with acquire ordering, reads, and loads the counter again behind an acquire fence. It believes what it
//!   read only if both loads gave the same even number.
//!
//! *Why a torn read is never believed.* Say both loads gave the even number `c`. Acquire: everything written up to the end of the writing
//! that stored `c` is visible, so no word read is older. Suppose a word came from a later writing. That writer's release fence stands
//! between its making the counter `c' + 1 > c` and that store, and the reader's acquire fence stands between the load of that word and
//! its second load of the counter: the fences synchronise, so the second load sees `c' + 1` or something later. Counters only rise
//! (64 bits do not come round), so it would not be `c`.

use std::marker::PhantomData;
use std::sync::atomic::{AtomicU64, Ordering, fence};

use lumbung_engine::kernel::{ABOVE_BITS, Lanes, MAX_WORDS, Seat, Words};
use lumbung_engine::position::MAX_SEEDS;
use lumbung_tables::memory::{advise_huge_pages, prefetch};

use super::{Known, SAMPLE, Transpositions, effort};

const WORDS_A_LINE: usize = 8;

/// A cache line.
#[repr(align(64))]
struct Line([AtomicU64; WORDS_A_LINE]);

const EFFORT_BITS: u32 = 6;
const BEST_BITS: u32 = 6;
const BOUND_BITS: u32 = 11;
const LOW_AT: u32 = EFFORT_BITS + BEST_BITS;
const HIGH_AT: u32 = LOW_AT + BOUND_BITS;
const SEAT_AT: u32 = HIGH_AT + BOUND_BITS;
const ABOVE_AT: u32 = SEAT_AT + 1;
const _: () = assert!(ABOVE_AT + ABOVE_BITS <= u64::BITS && 2 * MAX_SEEDS < 1 << BOUND_BITS);

const NO_BEST: u64 = mask(BEST_BITS);
/// Added to a bound where it stands in a word.
const OFFSET: i32 = MAX_SEEDS as i32;

const fn mask(bits: u32) -> u64 {
    (1 << bits) - 1
}

fn effort_of(known: u64) -> u64 {
    known & mask(EFFORT_BITS)
}

/// The part of an entry's last word that belongs to the key.
fn key_of(known: u64) -> u64 {
    known >> SEAT_AT
}

fn unpack(word: u64) -> Known {
    let bound = |at: u32| (word >> at & mask(BOUND_BITS)) as i32 - OFFSET;
    let best = word >> EFFORT_BITS & NO_BEST;
    Known { low: bound(LOW_AT), high: bound(HIGH_AT), best: (best != NO_BEST).then_some(best as u8) }
}

fn pack(known: Known, effort: u64, key: u64) -> u64 {
    let bound = |value: i32| (value + OFFSET) as u64;
    let best = known.best.map_or(NO_BEST, u64::from);
    effort | best << EFFORT_BITS | bound(known.low) << LOW_AT | bound(known.high) << HIGH_AT | key << SEAT_AT
}

/// A board as the table knows it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Key {
    words: [u64; MAX_WORDS],
    /// The rest of the key, see [`key_of`].
    rest: u64,
    hash: u64,
}

impl Key {
    #[inline(always)]
    fn new<B: Lanes>(words: &Words, seat: usize) -> Self {
        let hash = words.hash(B::WORDS) ^ (seat as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        Key { words: words.low, rest: seat as u64 | u64::from(words.above) << (ABOVE_AT - SEAT_AT), hash }
    }
}

/// See the [module](self).
pub(crate) struct Whole<B> {
    lines: Vec<Line>,
    buckets: u64,
    boards: PhantomData<fn() -> B>,
}

/// The lines of one bucket.
#[derive(Clone, Copy)]
struct Bucket<'a, B> {
    lines: &'a [Line],
    boards: PhantomData<fn() -> B>,
}

impl<'a, B: Lanes> Bucket<'a, B> {
    const ENTRY_WORDS: usize = B::WORDS + 1;
    const LINES: usize = if B::WORDS <= 4 { 2 } else { 3 };
    const WAYS: usize = (Self::LINES * WORDS_A_LINE - 1) / Self::ENTRY_WORDS;

    #[inline(always)]
    fn word(self, at: usize) -> &'a AtomicU64 {
        &self.lines[at / WORDS_A_LINE].0[at % WORDS_A_LINE]
    }

    #[inline(always)]
    fn counter(self) -> &'a AtomicU64 {
        self.word(0)
    }

    /// The last word of an entry.
    #[inline(always)]
    fn known(self, way: usize) -> &'a AtomicU64 {
        self.word((way + 1) * Self::ENTRY_WORDS)
    }

    /// A word of the board of an entry.
    #[inline(always)]
    fn board(self, way: usize, at: usize) -> &'a AtomicU64 {
        self.word(1 + way * Self::ENTRY_WORDS + at)
    }

    #[inline(always)]
    fn is_of(self, way: usize, known: u64, key: &Key) -> bool {
        let same = |at: usize| self.board(way, at).load(Ordering::Relaxed) == key.words[at];
        effort_of(known) > 0 && key_of(known) == key.rest && (0..B::WORDS).all(same)
    }

    /// What is read of a bucket while nobody writes, or `None` if somebody does.
    #[inline(always)]
    fn read<R>(self, reading: impl FnOnce() -> R) -> Option<R> {
        let before = self.counter().load(Ordering::Acquire);
        if before & 1 == 1 {
            return None;
        }
        let read = reading();
        fence(Ordering::Acquire);
        (self.counter().load(Ordering::Relaxed) == before).then_some(read)
    }

    /// Puts an entry where it costs least, merged with an older one of the same board or else over the least worked-for; nothing if
    /// another thread writes in the bucket. `new` holds the effort, and the key's rest.
    fn place(self, key: &Key, new: u64) {
        let before = self.counter().load(Ordering::Relaxed);
        let claim = |counter: &AtomicU64| counter.compare_exchange(before, before + 1, Ordering::Acquire, Ordering::Relaxed);
        if before & 1 == 1 || claim(self.counter()).is_err() {
            return;
        }
        fence(Ordering::Release);
        let (mut place, mut least, mut merged) = (0, u64::MAX, new);
        for way in 0..Self::WAYS {
            let old = self.known(way).load(Ordering::Relaxed);
            if self.is_of(way, old, key) {
                let (old, new) = (unpack(old), unpack(new));
                let both = Known { low: old.low.max(new.low), high: old.high.min(new.high), best: new.best.or(old.best) };
                (place, merged) = (way, pack(both, effort_of(merged), key.rest));
                break;
            }
            if effort_of(old) < least {
                (place, least) = (way, effort_of(old));
            }
        }
        for (at, &word) in key.words[..B::WORDS].iter().enumerate() {
            self.board(place, at).store(word, Ordering::Relaxed);
        }
        self.known(place).store(merged, Ordering::Relaxed);
        self.counter().store(before + 2, Ordering::Release);
    }

    /// All entries, as they were at one time.
    fn entries(self) -> Vec<(Words, u64)> {
        loop {
            let entries = self.read(|| {
                let entry = |way| {
                    let known = self.known(way).load(Ordering::Relaxed);
                    let word = |at| if at < B::WORDS { self.board(way, at).load(Ordering::Relaxed) } else { 0 };
                    let above = (known >> ABOVE_AT & mask(ABOVE_BITS)) as u32;
                    (Words { low: std::array::from_fn(word), above }, known)
                };
                (0..Self::WAYS).map(entry).filter(|&(_, known)| effort_of(known) > 0).collect()
            });
            match entries {
                Some(entries) => return entries,
                // A writing takes nanoseconds, and nothing in it can fail.
                None => std::hint::spin_loop(),
            }
        }
    }
}

impl<B: Lanes> Whole<B> {
    /// A table of at most `bytes`, but no less than one bucket.
    pub(crate) fn new(bytes: usize) -> Self {
        let buckets = (bytes / (Bucket::<B>::LINES * size_of::<Line>())).max(1);
        let mut lines: Vec<Line> = Vec::with_capacity(buckets * Bucket::<B>::LINES);
        // Most look-ups go to another page than the last one, and huge pages are few.
        advise_huge_pages(lines.spare_capacity_mut());
        lines.extend((0..buckets * Bucket::<B>::LINES).map(|_| Line(std::array::from_fn(|_| AtomicU64::new(0)))));
        Whole { lines, buckets: buckets as u64, boards: PhantomData }
    }

    #[inline(always)]
    fn at(&self, number: usize) -> Bucket<'_, B> {
        let first = number * Bucket::<B>::LINES;
        Bucket { lines: &self.lines[first..first + Bucket::<B>::LINES], boards: PhantomData }
    }

    #[inline(always)]
    fn bucket(&self, hash: u64) -> Bucket<'_, B> {
        // The hash as a fraction of all buckets.
        self.at(((u128::from(hash) * u128::from(self.buckets)) >> 64) as usize)
    }

    fn all(&self) -> impl Iterator<Item = Bucket<'_, B>> {
        (0..self.buckets as usize).map(|number| self.at(number))
    }

    /// The last words of the entries of some buckets.
    fn known_words<'a>(buckets: impl Iterator<Item = Bucket<'a, B>>) -> impl Iterator<Item = u64>
    where
        B: 'a,
    {
        buckets.flat_map(|bucket| (0..Bucket::<B>::WAYS).map(move |way| bucket.known(way).load(Ordering::Relaxed)))
    }
}

impl<B: Lanes> Transpositions<B> for Whole<B> {
    type Key = Key;

    #[inline(always)]
    fn key(&self, board: &B, seat: Seat) -> Key {
        Key::new::<B>(&Words::of(board), seat.index())
    }

    #[inline(always)]
    fn prefetch(&self, key: Key) {
        self.bucket(key.hash).lines.iter().for_each(prefetch);
    }

    #[inline(always)]
    fn get(&self, key: Key, _seeds: i32) -> Option<Known> {
        let bucket = self.bucket(key.hash);
        let of_this_board = |way| {
            let known = bucket.known(way).load(Ordering::Relaxed);
            bucket.is_of(way, known, &key).then_some(known)
        };
        bucket.read(|| (0..Bucket::<B>::WAYS).find_map(of_this_board))?.map(unpack)
    }

    fn put(&self, key: Key, _seeds: i32, known: Known, nodes: u64) {
        self.bucket(key.hash).place(&key, pack(known, u64::from(effort(nodes)), key.rest));
    }

    const BYTES: usize = (Bucket::<B>::LINES * size_of::<Line>()).div_ceil(Bucket::<B>::WAYS);

    /// Lanes, two bytes each, the bounds likewise, seat, best pit (255 for none) and effort.
    const ENTRY_BYTES: usize = 2 * B::LANES + 7;

    fn save(&self, least: u8, entry: &mut dyn FnMut(&[u8])) {
        for (words, word) in self.all().flat_map(Bucket::entries) {
            let (board, known, effort) = (words.board::<B>(), unpack(word), effort_of(word) as u8);
            if effort >= least {
                let mut bytes: Vec<u8> = (0..B::LANES).flat_map(|lane| (board.get(lane) as u16).to_le_bytes()).collect();
                bytes.extend([known.low, known.high].iter().flat_map(|&bound| (bound as i16).to_le_bytes()));
                bytes.extend([(word >> SEAT_AT & 1) as u8, known.best.unwrap_or(u8::MAX), effort]);
                entry(&bytes);
            }
        }
    }

    fn restore(&self, entry: &[u8]) -> Option<()> {
        let number = |at: usize| Some(u16::from_le_bytes([*entry.get(at)?, *entry.get(at + 1)?]));
        let mut board = B::EMPTY;
        let mut all = 0;
        for lane in 0..B::LANES {
            let seeds = u32::from(number(2 * lane)?);
            all += seeds;
            if seeds > B::MAX_COUNT || all as usize > MAX_SEEDS {
                return None;
            }
            board.set(lane, seeds);
        }
        let at = 2 * B::LANES;
        let [seat, best, effort] = *entry.get(at + 4..)? else { return None };
        let (low, high) = (i32::from(number(at)? as i16), i32::from(number(at + 2)? as i16));
        let best = (best != u8::MAX).then_some(best);
        let is_bound = |value: i32| value.abs() <= all as i32;
        if effort == 0 || effort > 63 || low > high || !is_bound(low) || !is_bound(high) {
            return None;
        }
        if seat > 1 || best.is_some_and(|pit| u64::from(pit) >= NO_BEST) {
            return None;
        }
        let key = Key::new::<B>(&Words::of(&board), usize::from(seat));
        self.bucket(key.hash).place(&key, pack(Known { low, high, best }, u64::from(effort), key.rest));
        Some(())
    }

    fn efforts(&self) -> [u64; 64] {
        let mut efforts = [0; 64];
        Self::known_words(self.all()).for_each(|known| efforts[effort_of(known) as usize] += 1);
        efforts
    }

    fn fill(&self) -> f64 {
        let sample = (SAMPLE / Bucket::<B>::WAYS).min(self.buckets as usize);
        let used = Self::known_words(self.all().take(sample)).filter(|&known| effort_of(known) > 0).count();
        used as f64 / (sample * Bucket::<B>::WAYS) as f64
    }

    fn bytes(&self) -> usize {
        size_of_val(self.lines.as_slice())
    }

    fn grown(&self, bytes: usize) -> Self {
        let grown = Whole::new(bytes.max(Transpositions::<B>::bytes(self)));
        for (words, known) in self.all().flat_map(Bucket::entries) {
            let key = Key::new::<B>(&words, (known >> SEAT_AT & 1) as usize);
            grown.bucket(key.hash).place(&key, known);
        }
        grown
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lumbung_engine::kernel::{Bytes16, Wide};

    /// Boards of which any mixture is one as well, so that a torn read would pass for another board.
    fn board<B: Lanes>(number: usize) -> B {
        let mut board = B::EMPTY;
        for word in 0..B::WORDS {
            board.set(8 * word, 1 + (number >> word & 1) as u32);
        }
        board
    }

    fn known(number: usize) -> Known {
        let mixed = (number as u32).wrapping_mul(0x9e37_79b1) >> 20;
        Known { low: (mixed & 1023) as i32 - 1023, high: (mixed >> 2) as i32, best: Some((mixed % 36) as u8) }
    }

    fn threads_see_what_was_put<B: Lanes>() {
        let boards = 1 << B::WORDS;
        let table = Whole::<B>::new(1024);
        let found: usize = std::thread::scope(|scope| {
            let searcher = |thread: usize| {
                let table = &table;
                move || {
                    let mut state = thread as u64;
                    let mut found = 0;
                    for _ in 0..60_000 {
                        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                        let number = (state >> 33) as usize % boards;
                        let key = Transpositions::<B>::key(table, &board::<B>(number), Seat::FIRST);
                        if state >> 62 == 0 {
                            table.put(key, 0, known(number), state >> 50);
                        } else if let Some(got) = table.get(key, 0) {
                            assert_eq!(got, known(number), "board {number}");
                            found += 1;
                        }
                    }
                    found
                }
            };
            let threads: Vec<_> = (0..4).map(|thread| scope.spawn(searcher(thread))).collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).sum()
        });
        assert!(found > 1000, "only {found} were found");
    }

    #[test]
    fn threads_see_what_was_put_and_nothing_else() {
        threads_see_what_was_put::<Bytes16>();
        threads_see_what_was_put::<Wide<u8, 32>>();
        threads_see_what_was_put::<Wide<u16, 32>>();
        threads_see_what_was_put::<Wide<u16, 48>>();
    }

    #[test]
    fn a_bucket_that_another_thread_writes_is_neither_read_nor_written() {
        let table = Whole::<Bytes16>::new(0);
        let key = table.key(&board(5), Seat::FIRST);
        table.put(key, 0, known(5), 1);
        assert_eq!(table.get(key, 0), Some(known(5)));
        table.bucket(key.hash).counter().fetch_add(1, Ordering::Relaxed);
        let other = table.key(&board(6), Seat::FIRST);
        table.put(other, 0, known(6), 1);
        assert_eq!((table.get(key, 0), table.get(other, 0)), (None, None));
        table.bucket(key.hash).counter().fetch_add(1, Ordering::Relaxed);
        assert_eq!((table.get(key, 0), table.get(other, 0)), (Some(known(5)), None));
    }

    #[test]
    fn boards_above_255_seeds_a_lane_and_both_seats_are_kept_apart() {
        let table = Whole::<Wide<u16, 32>>::new(1 << 16);
        let mut boards = Vec::new();
        for (lane, seeds) in [(0, 44), (0, 300), (0, 556), (1, 300), (3, 1023), (31, 767)] {
            let mut board = Wide::<u16, 32>::EMPTY;
            board.set(lane, seeds);
            boards.extend([(board, Seat::FIRST), (board, Seat::SECOND)]);
        }
        for (number, (board, seat)) in boards.iter().enumerate() {
            table.put(table.key(board, *seat), 0, known(number), 1);
        }
        for table in [&table, &table.grown(1 << 17)] {
            for (number, (board, seat)) in boards.iter().enumerate() {
                assert_eq!(table.get(table.key(board, *seat), 0), Some(known(number)));
            }
        }
    }
}

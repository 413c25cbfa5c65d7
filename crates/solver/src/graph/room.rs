//! The memory in which positions are found: counted before it is taken, and made free where there is scratch.

use lumbung_engine::kernel::Lanes;

use super::discover::{BATCH, CHUNK, Discovery};
use super::forms::{bytes_as_bits, bytes_as_list};
use super::layer::Layer;
use super::node::World;
use super::set::{FIRST, GROWN, Set, bytes_of_bits, shards};
use super::waiting::Waiting;
use super::{BESIDE, Form, Halt};
use crate::limits::StopReason;

/// Bytes of a place that waits in a list; and of one that a thread has just found, while the list of it grows.
const WAITS: u64 = 8;
const FRESH: u64 = 16;
/// Fewest positions to follow at once, unless there is no room for so many.
const FEW: u64 = 1 << 10;
/// So small a part of the memory is the least that is put on disk at once, and a batch of which no more may come is not made smaller before
/// something is.
const PART: u64 = 64;

/// What there must be room for.
#[derive(Clone, Copy)]
pub(super) enum Need {
    /// So many bytes.
    Bytes(u64),
    /// So many places that are found, each in any of the layers.
    Places(u64),
}

/// What is in memory.
struct Account {
    /// All of it.
    held: u64,
    /// Of this, layers that are done.
    done: u64,
    /// Of this, hash sets of layers to come.
    lists: u64,
    /// Bytes that are needed besides.
    need: u64,
}

impl<B: Lanes> Discovery<'_, '_, B> {
    fn limit(&self) -> u64 {
        self.means.limits.memory.saturating_sub(BESIDE)
    }

    /// How many positions to follow next: there is room for all that may come of them.
    pub(super) fn prepare(&mut self, seeds: usize, waiting: &mut Waiting) -> Result<usize, Halt> {
        self.choose_forms(seeds, waiting)?;
        let moves = self.world.most_moves();
        let positions_in = |bytes: u64| bytes / (moves * (GROWN + WAITS + FRESH));
        let least = positions_in(self.limit() / PART).clamp(1, FEW);
        // What may come is a small part of what is there, so that little memory is set apart in vain.
        let mut batch = positions_in(self.account(seeds, waiting, Need::Bytes(0)).held / 8).clamp(FEW, BATCH as u64);
        while !self.ensure(seeds, waiting, Need::Places(batch * moves), batch <= least)? {
            if batch == 1 {
                return Err(self.full());
            }
            batch = if batch > least { (batch / 4).max(least) } else { (batch / 4).max(1) };
        }
        Ok(batch as usize)
    }

    /// The work ends for want of memory.
    pub(super) fn full(&self) -> Halt {
        Halt::Stopped { reason: StopReason::Memory, found: self.found() }
    }

    /// As [`Discovery::ensure`] where nothing less will do.
    pub(super) fn must(&mut self, seeds: usize, waiting: &Waiting, need: Need) -> Result<(), Halt> {
        if self.ensure(seeds, waiting, need, true)? { Ok(()) } else { Err(self.full()) }
    }

    /// Whether there is room for what is needed; where there is scratch it is made. Unless it is `urgent`, something less would do too,
    /// and little is not put on disk for it.
    pub(super) fn ensure(&mut self, seeds: usize, waiting: &Waiting, need: Need, urgent: bool) -> Result<bool, Halt> {
        loop {
            let account = self.account(seeds, waiting, need);
            let all = account.held + account.need;
            if all <= self.limit() {
                self.most = self.most.max(BESIDE + all);
                return Ok(true);
            }
            if !self.put_some_aside(seeds, &account, urgent)? {
                return Ok(false);
            }
        }
    }

    fn account(&self, seeds: usize, waiting: &Waiting, need: Need) -> Account {
        let done = self.done.iter().map(Layer::bytes_in_memory).sum();
        let mut account = Account { held: done + waiting.bytes(), done, lists: 0, need: 0 };
        let (mut grows, mut longest) = (false, 0);
        for (left, open) in self.open[..=seeds].iter().enumerate() {
            let bytes = open.set.bytes();
            account.held += bytes + open.set.least_bytes();
            if let Set::List(_) = open.set {
                grows = true;
                account.lists += if left < seeds { bytes } else { 0 };
                if let Need::Places(places) = need {
                    let doubling = open.set.doubling(places.min(self.world.places(left)));
                    account.need += doubling.bytes;
                    longest = longest.max(doubling.longest);
                }
            }
        }
        let threads = rayon::current_num_threads() as u64;
        account.need += match need {
            Need::Bytes(bytes) => bytes,
            Need::Places(places) => {
                // What threads double at the same time is twice there, and no more than can double at all.
                let grown = account.need + if grows { places * GROWN } else { 0 };
                let in_sets = grown - account.need + grown.min(threads * longest);
                let chunk = places.min(CHUNK as u64 * self.world.most_moves());
                in_sets + if let Waiting::List(_) = waiting { places * WAITS + threads * chunk * FRESH } else { 0 }
            }
        };
        account
    }

    /// Lets sets become bits where these take less than the hash set, or would once it has doubled.
    pub(super) fn choose_forms(&mut self, seeds: usize, waiting: &mut Waiting) -> Result<(), Halt> {
        for left in (0..=seeds).rev() {
            let set = &self.open[left].set;
            let bits = bytes_of_bits(self.world.places(left));
            let wanted = match self.means.form {
                _ if matches!(set, Set::Bits(_)) => false,
                Form::Smaller => bits < set.bytes() + set.doubling(FEW * self.world.most_moves()).bytes,
                Form::List => false,
                Form::Bits => bits <= self.limit(),
            };
            // There are both for a moment. What is to come can go to disk as well.
            if wanted && self.fits(seeds, waiting, bits, left == seeds)? {
                self.open[left].set.become_bits(self.world.places(left));
            }
        }
        let bits = bytes_of_bits(self.world.places(seeds));
        let as_bits = matches!(self.open[seeds].set, Set::Bits(_)) && bits < waiting.bytes();
        if as_bits && self.fits(seeds, waiting, bits, true)? {
            waiting.become_bits(self.world.places(seeds));
        }
        Ok(())
    }

    fn fits(&mut self, seeds: usize, waiting: &Waiting, bytes: u64, make_room: bool) -> Result<bool, Halt> {
        if make_room {
            return self.ensure(seeds, waiting, Need::Bytes(bytes), true);
        }
        let all = self.account(seeds, waiting, Need::Bytes(bytes)).held + bytes;
        let fits = all <= self.limit();
        if fits {
            self.most = self.most.max(BESIDE + all);
        }
        Ok(fits)
    }

    /// Where there is scratch: puts on disk what is not needed now; whether there was something worth it.
    fn put_some_aside(&mut self, seeds: usize, account: &Account, urgent: bool) -> Result<bool, Halt> {
        let Some(scratch) = self.means.scratch else { return Ok(false) };
        if account.done > 0 {
            for layer in &mut self.done {
                layer.put_aside(scratch)?;
            }
            return Ok(true);
        }
        let limit = self.limit();
        let room = limit.saturating_sub(account.held - account.lists + account.need);
        let worth = room >= limit / PART && account.lists > if urgent { 0 } else { limit / 8 };
        if !worth {
            return Ok(false);
        }
        // Every time takes a moment, and what is found once more is written once more: so the largest go, and half of the room is made.
        let mut lists = account.lists;
        while lists > room / 2 {
            let sets = self.open[..seeds].iter_mut().filter(|open| matches!(open.set, Set::List(_)));
            let Some(largest) = sets.max_by_key(|open| open.set.bytes()) else { break };
            lists -= largest.set.bytes();
            let put = largest.put_aside(scratch)?;
            self.found.fetch_sub(put, std::sync::atomic::Ordering::Relaxed);
        }
        Ok(true)
    }
}

/// Bytes with which these layers are found where there is scratch: so much is enough, whatever the order of work.
pub(super) fn least_to_find<B: Lanes>(world: &World<'_, B>, layers: &[Layer]) -> u64 {
    let threads = rayon::current_num_threads() as u64;
    let (mut bits_below, mut most, mut longest) = (0, 0, 0);
    for (seeds, layer) in layers.iter().enumerate() {
        let (len, bits) = (layer.len() as u64, bytes_of_bits(world.places(seeds)));
        // The hash set, which may be about to double, and what waits or the keys; or bits twice, and once more while they are made.
        let as_list = len * (2 * GROWN + WAITS) + bytes_as_list(len);
        let as_bits = 2 * bits + bytes_as_bits(world.places(seeds));
        most = most.max(bits_below + as_list.min(as_bits));
        longest = longest.max((len * GROWN).min(bits));
        // Sets of layers to come that are bits stay in memory, and they are bits only where there are enough positions.
        bits_below += if bits < len * 2 * GROWN { bits } else { 0 };
    }
    let shards = shards(most);
    let sets = layers.len() as u64 * shards * 3 * FIRST;
    let all = most + threads.min(shards) * (longest / shards) + sets + threads * FEW;
    // A batch and the sets of layers to come take a part each.
    BESIDE + all + 3 * all / PART
}

//! The entropy coder: range asymmetric numeral systems (Duda 2009), bytewise, one state.
//!
//! Frequencies of a model sum to [`SCALE`]. The state stays in `LOWEST..256 * LOWEST`. To decode a symbol: the low 12 bits of the
//! state say which, since symbols own stretches of `0..SCALE` as long as their frequencies; then
//! `state = frequency * (state / SCALE) + (state % SCALE) - start of the stretch`, and bytes are taken in while the state is below
//! `LOWEST`. Encoding undoes that step by step from the last symbol to the first.

/// Bits of a frequency.
pub(super) const SCALE_BITS: u32 = 12;
/// The sum of the frequencies of a model.
pub(super) const SCALE: u32 = 1 << SCALE_BITS;
/// The lowest state. It is also the state in which encoding begins, hence the one in which decoding must end.
pub(super) const LOWEST: u32 = 1 << 16;
/// Bytes of a state in a file.
pub(super) const STATE_BYTES: usize = 3;

/// Encodes symbols from the last to the first.
pub(super) struct Encoder {
    state: u32,
    /// The bytes to come, the last one first.
    bytes: Vec<u8>,
}

impl Encoder {
    pub(super) fn new() -> Self {
        Encoder { state: LOWEST, bytes: Vec::with_capacity(512) }
    }

    /// Puts a symbol with this stretch before those already encoded.
    #[inline(always)]
    pub(super) fn put(&mut self, start: u32, frequency: u32) {
        // The step below multiplies the state by SCALE / frequency.
        let most = frequency << (16 + 8 - SCALE_BITS);
        while self.state >= most {
            self.bytes.push(self.state as u8);
            self.state >>= 8;
        }
        self.state = (self.state / frequency) << SCALE_BITS | (self.state % frequency + start);
    }

    /// Appends the state and the bytes to `out`, and begins afresh.
    pub(super) fn finish(&mut self, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.state.to_le_bytes()[..STATE_BYTES]);
        out.extend(self.bytes.drain(..).rev());
        self.state = LOWEST;
    }

    /// Appends the same from the last byte to the first, for a decoder that reads backwards.
    pub(super) fn finish_backwards(&mut self, out: &mut Vec<u8>) {
        out.append(&mut self.bytes);
        out.extend(self.state.to_le_bytes()[..STATE_BYTES].iter().rev());
        self.state = LOWEST;
    }
}

/// Bytes that there is room for, a power of two. A tile has far fewer.
const ROOM: usize = 1 << 10;
/// Bytes before and after them.
const MARGIN: usize = 2;

/// The bytes of a tile with room about them, so that no end need be looked for while decoding: whoever decodes does so afterwards.
pub(super) struct Bytes {
    room: [u8; MARGIN + ROOM + MARGIN],
    len: usize,
}

impl Bytes {
    /// A copy of these bytes. `None` if there is no state, or more bytes than any tile has.
    #[inline(always)]
    pub(super) fn new(bytes: &[u8]) -> Option<Self> {
        let mut room = [0; MARGIN + ROOM + MARGIN];
        room[MARGIN..ROOM].get_mut(..bytes.len())?.copy_from_slice(bytes);
        (bytes.len() >= STATE_BYTES).then_some(Bytes { room, len: bytes.len() })
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// The next two bytes after `taken` ones, read from the first to the last or the other way, the first in the upper half.
    #[inline(always)]
    fn next_two<const BACKWARDS: bool>(&self, taken: usize) -> u32 {
        // Within the room whatever has been taken, so that nothing need be checked.
        let next = if BACKWARDS {
            let at = self.len.wrapping_sub(taken) & (ROOM - 1);
            u16::from_le_bytes([self.room[at], self.room[at + 1]])
        } else {
            let at = taken & (ROOM - 1);
            u16::from_be_bytes([self.room[MARGIN + at], self.room[MARGIN + at + 1]])
        };
        u32::from(next)
    }
}

/// Decodes symbols from the first to the last, out of bytes that are read from the first to the last or the other way.
pub(super) struct Decoder<const BACKWARDS: bool> {
    state: u32,
    /// Bytes taken in.
    taken: usize,
}

impl<const BACKWARDS: bool> Decoder<BACKWARDS> {
    /// Begins with the state, which comes lowest byte first.
    #[inline(always)]
    pub(super) fn new(bytes: &Bytes) -> Self {
        let (low, high) = (bytes.next_two::<BACKWARDS>(0), bytes.next_two::<BACKWARDS>(2));
        Decoder { state: low >> 8 | (low & 0xff) << 8 | (high >> 8) << 16, taken: STATE_BYTES }
    }

    /// Which number of `0..SCALE` is next.
    #[inline(always)]
    pub(super) fn slot(&self) -> u32 {
        self.state & (SCALE - 1)
    }

    /// Goes on past the symbol whose stretch the slot lies in.
    #[inline(always)]
    pub(super) fn take(&mut self, bytes: &Bytes, start: u32, frequency: u32) {
        let state = frequency * (self.state >> SCALE_BITS) + self.slot() - start;
        // An encoder's states never need more than two bytes; without a branch, for how many they need is hard to foresee.
        let wanted = usize::from(state < LOWEST) + usize::from(state < LOWEST >> 8);
        self.state = state << (8 * wanted) | bytes.next_two::<BACKWARDS>(self.taken) >> (16 - 8 * wanted);
        self.taken += wanted;
    }

    /// Bytes taken in so far, the state included.
    pub(super) fn taken(&self) -> usize {
        self.taken
    }

    /// Whether this is the state in which the encoder began.
    pub(super) fn is_at_start(&self) -> bool {
        self.state == LOWEST
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn what_goes_in_comes_out(cuts in prop::collection::btree_set(1..SCALE, 0..9), picks in prop::collection::vec(0usize..9, 0..600)) {
            let ends: Vec<u32> = cuts.into_iter().chain([SCALE]).collect();
            let starts: Vec<u32> = [0].into_iter().chain(ends.iter().copied()).take(ends.len()).collect();
            let symbols: Vec<usize> = picks.into_iter().map(|pick| pick % ends.len()).collect();
            let mut encoder = Encoder::new();
            for &symbol in symbols.iter().rev() {
                encoder.put(starts[symbol], ends[symbol] - starts[symbol]);
            }
            let mut forwards = Vec::new();
            encoder.finish(&mut forwards);
            for &symbol in symbols.iter().rev() {
                encoder.put(starts[symbol], ends[symbol] - starts[symbol]);
            }
            let mut backwards = Vec::new();
            encoder.finish_backwards(&mut backwards);
            prop_assert!(backwards.iter().rev().eq(&forwards));
            let (forwards, backwards) = (Bytes::new(&forwards).unwrap(), Bytes::new(&backwards).unwrap());
            let (mut one, mut two) = (Decoder::<false>::new(&forwards), Decoder::<true>::new(&backwards));
            for &symbol in &symbols {
                let slot = one.slot();
                prop_assert_eq!((ends.partition_point(|&end| end <= slot), slot), (symbol, two.slot()));
                one.take(&forwards, starts[symbol], ends[symbol] - starts[symbol]);
                two.take(&backwards, starts[symbol], ends[symbol] - starts[symbol]);
            }
            prop_assert!(one.is_at_start() && two.is_at_start());
            prop_assert_eq!((one.taken(), two.taken()), (forwards.len, forwards.len));
        }
    }
}

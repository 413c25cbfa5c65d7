//! Endless Indian relays, recognised from one look at the board.
//!
//! Their cycles grow to millions of laps on the usual board and beyond all patience on larger ones, so waiting for a recurrence
//! is no way to find them. Two invariants prove nearly all of them endless at once; `docs/san-yao.md` has the argument at length.
//!
//! Unroll the ring of `N` pits into a line, so that the hand only moves forward and visits position `y` and `y + N` at the same
//! pit. A lap that lifts `c` seeds at `x` is followed by one that lifts at `x + c + 1`. Seeds come into a pit one a visit, so the
//! pit visited next at position `y` and holding `c` seeds was last lifted at `u = y - (c + 1) * N`, and with `c = 0` lifted there
//! (so the relay stops) exactly if it was lifted the visit before. Two facts follow for every lap at `x` of a pit last lifted at
//! `u`, the next lap being at `x'`:
//!
//! * modulo `N + 1`, `x'` equals `u`. So a lap merely exchanges two numbers: the hand's position and the pit's `u`. The set of
//!   these `N + 1` residues never changes. A relay stops only by `u = x - N`, that is `u` equal to `x + 1` modulo `N + 1`. If no
//!   two of the residues are neighbours, it never does.
//! * if for some `m > 1` without a common factor with `N` every `u` equals `x` modulo `m`, then `c + 1` is a multiple of `m`, so
//!   `x'` equals `x` too and all stays as it is, and `c` is never 0.
//!
//! Endless relays without either invariant exist; those met have short cycles, and Brent's test finds them.

use super::Kernel;
use super::lanes::Lanes;

impl<B: Lanes> Kernel<B> {
    /// Whether an invariant shows that an Indian relay whose next lap lifts `lane` never ends. `false` says nothing.
    pub(super) fn is_known_endless(&self, board: &B, lane: usize) -> bool {
        let ring = 2 * self.pits as i64;
        // The position of the lap to come is 0.
        let (mut residues, mut common) = (1u64, 0u64);
        let mut lane = lane;
        for y in 0..ring {
            let last_lifted = y - (i64::from(board.get(lane)) + 1) * ring;
            residues |= 1 << last_lifted.rem_euclid(ring + 1);
            common = gcd(common, last_lifted.unsigned_abs());
            lane = usize::from(self.laps.next[lane]);
        }
        let successors = residues << 1 | residues >> ring;
        if residues & successors & ((1 << (ring + 1)) - 1) == 0 {
            return true;
        }
        loop {
            match gcd(common, ring as u64) {
                1 => return common > 1,
                shared => common /= shared,
            }
        }
    }
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

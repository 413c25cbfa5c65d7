//! Which move to search first.
//!
//! Bonus moves come before others: the position after one is still the mover's, and what she cannot finish she has not lost. How
//! bonus moves are ranked among themselves matters by a factor of 2 to 100 for a single board of a relay game, and no ranking is
//! best on all boards: run times are heavy-tailed. So a search of a relay game changes its ranking from leaf to leaf of its proof
//! tree, or from stage to stage where positions can repeat and there is no tree, keeping what it has learnt; a bad ranking then
//! costs its share, not the day. Without relays, right-most first is best or near it everywhere.

use lumbung_engine::kernel::{Child, Kernel, Lanes, Then};

/// What a bonus move promises at least; other moves promise less.
pub(crate) const BONUS: i32 = 1 << 24;

/// A way of ranking bonus moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ranking {
    /// The most seeds gained, then right-most.
    Gain,
    /// The most pits that would each earn another bonus with a single lap, then right-most.
    Chances,
    /// The most pits that would each earn another bonus with a single lap, then the fewest seeds kept in the own row.
    ChancesFewKept,
    /// The most seeds kept in the own row, then right-most.
    Kept,
    /// The fewest seeds kept in the own row, then right-most.
    FewKept,
    /// Right-most.
    Rightmost,
    /// By chance: a hash of the board.
    Chance,
}

/// The rankings that the leaves of a proof tree go through by turns in a relay game; the two that do best on most boards have two
/// turns.
const RELAY_RANKINGS: [Ranking; 8] = [
    Ranking::ChancesFewKept,
    Ranking::FewKept,
    Ranking::Chances,
    Ranking::Gain,
    Ranking::ChancesFewKept,
    Ranking::FewKept,
    Ranking::Kept,
    Ranking::Chance,
];

impl Ranking {
    /// The ranking number `number` of a thread; three further on for each thread, so that they differ as a rule.
    pub(crate) fn of(relays: bool, number: usize, thread: usize) -> Self {
        if relays { RELAY_RANKINGS[(number + 3 * thread) % RELAY_RANKINGS.len()] } else { Ranking::Rightmost }
    }

    /// How promising a move is; moves of the same promise are searched right-most first.
    #[inline(always)]
    pub(crate) fn promise<B: Lanes>(self, kernel: &Kernel<B>, child: &Child<B>) -> i32 {
        if child.then != Then::Again {
            // Without relays a pit that earns a bonus now is likely to earn it: one is worth a seed.
            let threats = self == Ranking::Rightmost && child.then == Then::Other && !kernel.can_repeat();
            return child.gain - if threats { kernel.bonus_pits(&child.board) as i32 } else { 0 };
        }
        let kept = || child.board.row_seeds(0) as i32;
        BONUS
            + match self {
                Ranking::Gain => child.gain,
                Ranking::Chances => kernel.bonus_pits(&child.board) as i32,
                Ranking::ChancesFewKept => ((kernel.bonus_pits(&child.board) as i32) << 12) - kept(),
                Ranking::Kept => kept(),
                Ranking::FewKept => -kept(),
                Ranking::Rightmost => 0,
                Ranking::Chance => (Lanes::hash(&child.board) >> 48) as i32,
            }
    }
}

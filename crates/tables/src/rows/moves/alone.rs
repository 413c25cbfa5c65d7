//! Moves that go on with one row of the other player alone.
//!
//! Long relays part the rows of a passage until a handful or one is left; lists for so few would cost more to make and to walk
//! through than playing the rest of the move. On boards with few pits and many seeds nearly every row goes its own way, and lists
//! of ways would fill any memory. So this is the way out, for any passage at any time.

use super::{Course, Moves, Outcome, Places, Reached, goes_along};
use crate::rows::passage::Passage;
use crate::rows::sown::{Came, Sown};

/// A row of the other player: its sum and rank.
pub(super) type Other = (usize, usize);

impl<'g> Moves<'g> {
    /// Goes on with every row of a passage; `go_on` gets the rank of the row before the move and what it is now.
    #[inline(always)]
    pub(super) fn each_alone(&mut self, passage: &Passage, mut go_on: impl FnMut(&mut Self, u32, Other)) {
        for &(before, rank) in passage.pairs() {
            go_on(self, before, (passage.sum(), rank as usize));
        }
    }

    /// Goes on after a hand has gone its way through the mover's row.
    pub(super) fn alone(&mut self, mut course: Course, sown: Sown, before: u32, other: Other) {
        match sown.came() {
            Came::Stops { pit, last } => self.stops_at_home_alone(course, sown, (pit, last), before, other),
            Came::Leaves { hand, lifted } => {
                course.leaves(lifted);
                if hand == 1 {
                    let reached = Reached { rank: sown.rank as usize, gain: course.stored, sum: other.0, other: other.1 };
                    self.ends_in_the_store(reached, Places::Row(before));
                } else {
                    self.away_alone(course, sown, hand - 1, before, other);
                }
            }
        }
    }

    /// Sends a hand through the other row.
    pub(super) fn away_alone(&mut self, mut course: Course, sown: Sown, hand: usize, before: u32, (sum, rank): Other) {
        let lists = &self.game.lists;
        let away = lists.send(sum, rank, hand, course.skips.1);
        match away.outcome {
            Outcome::Ended(seeds, _) => {
                let seeds = usize::from(seeds);
                let (gain, other) = (course.stored + seeds, away.rank as usize);
                let reached = Reached { rank: sown.rank as usize, gain, sum: sum + hand - seeds, other };
                self.ends(reached, Places::Row(before));
            }
            Outcome::Exit(left, lifted) => {
                let left = usize::from(left);
                course.returns(lifted);
                let sown = lists.sow(usize::from(sown.sum), sown.rank as usize, left, course.skips.0);
                self.alone(course, sown, before, (sum + hand - left, away.rank as usize));
            }
            Outcome::Illegal => {}
        }
    }

    fn stops_at_home_alone(&mut self, course: Course, sown: Sown, last: (usize, u8), before: u32, (sum, rank): Other) {
        let lists = &self.game.lists;
        if let Some((opposite, landing_seed)) = lists.taking.opposite(last.0, last.1, course.visited) {
            let mut other = lists.rows.with_sum(sum)[rank];
            let taken = usize::from(std::mem::take(&mut other[opposite]));
            let along = goes_along(landing_seed, taken);
            if taken > 0 || along {
                let rank = if along { self.without(sown, last.0) } else { sown.rank as usize };
                let (gain, other) = (course.stored + taken + usize::from(along), lists.rows.rank(&other));
                return self.ends(Reached { rank, gain, sum: sum - taken, other }, Places::Row(before));
            }
        }
        if let Some(reached) = self.by_count(course, sown, last, (sum, rank)) {
            self.ends(reached, Places::Row(before));
        }
    }
}

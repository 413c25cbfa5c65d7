//! Moves that go on with one row of the other player alone.
//!
//! Long relays part the rows of a passage until a handful or one is left; lists for so few would cost more to make and to walk
//! through than playing the rest of the move. On boards with few pits and many seeds nearly every row goes its own way, and lists
//! of ways would fill any memory. So this is the way out, for any passage at any time.

use super::{Course, Moves, Places, Reached, Source, goes_along, without};
use crate::rows::passage::Passage;
use crate::rows::rank::Row;
use crate::rows::sowing::Way;
use crate::rows::taking::Taken;

impl<'g> Moves<'g> {
    /// Goes on with every row of a passage; `go_on` gets the rank of the row before the move and what it is now.
    pub(super) fn each_alone(&mut self, course: &Course, passage: &Passage, mut go_on: impl FnMut(&mut Self, Course, u32, Row)) {
        let now = self.game.lists.rows.with_sum(passage.sum());
        for &(before, rank) in passage.pairs() {
            go_on(self, *course, before, now[rank as usize]);
        }
    }

    /// Goes on after a hand has gone its way through the mover's row.
    pub(super) fn alone(&mut self, mut course: Course, way: Way, before: u32, other: Row) {
        match way {
            Way::Stops { pit } => self.stops_at_home_alone(&course, pit, before, other),
            Way::Leaves { hand, lifted } => {
                course.leaves(lifted);
                if hand == 1 {
                    let rank = self.game.lists.rows.rank(&course.row);
                    let reached = Reached { rank, gain: course.stored, sum: sum(&other) };
                    let first = self.steps.len();
                    self.ends_in_the_store(reached, Places::Row(before));
                    self.place(first, &other);
                } else {
                    self.away_alone(course, hand - 1, before, other);
                }
            }
        }
    }

    /// Sends a hand through the other row.
    pub(super) fn away_alone(&mut self, mut course: Course, hand: usize, before: u32, mut other: Row) {
        let lists = &self.game.lists;
        match lists.sowing.sow(&mut other, 0, hand, course.skips.1) {
            Way::Stops { pit } => {
                if let Taken::Seeds(seeds) | Taken::Through(seeds) = lists.taking.away(&mut other, pit) {
                    let rank = lists.rows.rank(&course.row);
                    self.ends_alone(Reached { rank, gain: course.stored + seeds, sum: sum(&other) }, before, &other);
                }
            }
            Way::Leaves { hand, lifted } => {
                course.returns(lifted);
                let way = lists.sowing.sow(&mut course.row, 0, hand, course.skips.0);
                self.alone(course, way, before, other);
            }
        }
    }

    fn stops_at_home_alone(&mut self, course: &Course, last: usize, before: u32, mut other: Row) {
        let lists = &self.game.lists;
        if let Some((opposite, landing_seed)) = lists.taking.opposite(&course.row, last, course.visited) {
            let taken = usize::from(std::mem::take(&mut other[opposite]));
            let along = goes_along(landing_seed, taken);
            if taken > 0 || along {
                let row = if along { without(&course.row, last) } else { course.row };
                let gain = course.stored + taken + usize::from(along);
                return self.ends_alone(Reached { rank: lists.rows.rank(&row), gain, sum: sum(&other) }, before, &other);
            }
        }
        let first = self.steps.len();
        self.takes_by_count(course, last, sum(&other), || Places::Row(before));
        self.place(first, &other);
    }

    fn ends_alone(&mut self, reached: Reached, before: u32, other: &Row) {
        let first = self.steps.len();
        self.ends(reached, Places::Row(before));
        self.place(first, other);
    }

    /// Steps from `first` on look up the place of this row in their lines.
    fn place(&mut self, first: usize, other: &Row) {
        let rank = self.game.lists.rows.rank(other);
        for step in &mut self.steps[first..] {
            match &mut step.source {
                Source::Against(at) | Source::Again(at) => *at += rank,
                Source::Over => {}
            }
        }
    }
}

fn sum(row: &Row) -> usize {
    row.iter().map(|&seeds| usize::from(seeds)).sum()
}

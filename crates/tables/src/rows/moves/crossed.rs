//! Moves found the other way round: those of all rows of the mover, against one row of the other player.
//!
//! Lists are over the mover's rows here, see [`super::super::home`], and it is the other row that is played through. Values to look up
//! lie side by side for all rows of the mover: in `V` where the other player chooses next, in `W` where the mover does.

use super::{Course, Moves, Outcome, Places, Reached, goes_along};
use crate::rows::home::{Left, Stopped, Ways};
use crate::rows::sown::Sown;

use super::alone::Other;

impl<'g> Moves<'g> {
    /// Finds the steps of all rows against the other row of this rank in place of those found before.
    pub(in crate::rows) fn find_against(&mut self, rank: usize) {
        self.steps.clear();
        let (lists, other) = (&self.game.lists, (self.s - self.own, rank));
        let course = Course { stored: 0, visited: false, skips: (None, None) };
        if let Some(ways) = lists.lifted(self.own) {
            return self.go(course, ways, other);
        }
        for rank in 0..lists.rows.count(self.own) {
            for pit in 0..lists.rows.pits() {
                if let Some(sown) = lists.lift(self.own, rank, pit) {
                    self.alone(course, sown, rank as u32, other);
                }
            }
        }
    }

    fn go(&mut self, course: Course, ways: &'g Ways, other: Other) {
        for stopped in &ways.stops {
            self.stops_against(course, stopped, other);
        }
        for left in &ways.leaves {
            if left.passage.pairs().len() < self.game.least_home {
                self.leaves_alone(course, left, other);
            } else {
                self.leaves_against(course, left, other);
            }
        }
    }

    fn leaves_against(&mut self, mut course: Course, left: &'g Left, (sum, rank): Other) {
        let lists = &self.game.lists;
        if left.hand == 1 {
            let reached = Reached { rank: 0, gain: course.stored + 1, sum, other: rank };
            return match left.passage.whole(lists) {
                Some(whole) => self.ends_in_the_store(reached, Places::Rows(whole)),
                None => self.leaves_alone(course, left, (sum, rank)),
            };
        }
        let hand = left.hand - 1;
        let away = lists.send(sum, rank, hand, None);
        match away.outcome {
            Outcome::Ended(seeds, _) => {
                let (seeds, other) = (usize::from(seeds), away.rank as usize);
                let reached = Reached { rank: 0, gain: course.stored + 1 + seeds, sum: sum + hand - seeds, other };
                match left.passage.whole(lists) {
                    Some(whole) => self.ends(reached, Places::Rows(whole)),
                    None => self.leaves_alone(course, left, (sum, rank)),
                }
            }
            Outcome::Exit(back, _) => match left.passage.enter(lists, usize::from(back)) {
                Some(ways) => {
                    course.leaves(None);
                    course.returns(None);
                    self.go(course, ways, (sum + hand - usize::from(back), away.rank as usize));
                }
                None => self.leaves_alone(course, left, (sum, rank)),
            },
            Outcome::Illegal => {}
        }
    }

    fn leaves_alone(&mut self, course: Course, left: &Left, other: Other) {
        for &(before, now) in left.passage.pairs() {
            self.alone(course, Sown::leaving(left.passage.sum(), now, left.hand), before, other);
        }
    }

    fn stops_against(&mut self, course: Course, stopped: &'g Stopped, (sum, rank): Other) {
        let lists = &self.game.lists;
        let captures = stopped.pit.and_then(|pit| lists.taking.opposite(pit, 1, true));
        let (mut taken, mut along, mut other) = (0, false, rank);
        if let Some((opposite, landing_seed)) = captures {
            let mut row = lists.rows.with_sum(sum)[rank];
            taken = usize::from(std::mem::take(&mut row[opposite]));
            along = goes_along(landing_seed, taken);
            other = lists.rows.rank(&row);
        }
        let gain = course.stored + taken + usize::from(along);
        // A move that has gained nothing is quiet: pass B.
        if gain == 0 {
            return;
        }
        let reached = Reached { rank: 0, gain, sum: sum - taken, other };
        match stopped.runs(lists, along) {
            Some(runs) => self.ends(reached, Places::Rows(runs)),
            None => {
                for (before, now) in stopped.pairs(lists, along) {
                    self.ends(Reached { rank: now as usize, ..reached }, Places::Row(before));
                }
            }
        }
    }
}

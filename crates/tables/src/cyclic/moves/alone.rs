//! Moves that go on with one row of the other player alone, to the letter of the rules: for passages too small for lists, for lists
//! that have no room, for chains of captures that come round, and for moves that may be endless.

use lumbung_engine::rules::{Endless, GrandSlam};

use super::{Course, Moves, Places, Step, Want};
use crate::rows::rank::Row;
use crate::rows::sowing::Way;

impl Moves<'_> {
    /// Goes on after a hand has gone its way through the mover's row; `before` is the rank of the other row before the move.
    pub(super) fn alone(&mut self, mut course: Course, mut way: Way, before: u32, mut other: Row) {
        let lists = &self.game.lists;
        // Brent: one state is kept, renewed after 1, 2, 4, ... rounds. The next state depends on the present one alone, so a move is
        // endless if and only if one recurs.
        let mut kept = None;
        let (mut since, mut renew_at) = (0u64, 1u64);
        loop {
            let (hand, lifted) = match way {
                Way::Stops { pit } => return self.stops_alone(&course, other, pit, before),
                Way::Leaves { hand, lifted } => (hand, lifted),
            };
            if lifted.is_some() {
                course.skips = (lifted, None);
            }
            course.rounds = 0;
            if kept == Some((course, other, hand)) {
                return self.endless_alone(before);
            }
            since += 1;
            if since == renew_at {
                kept = Some((course, other, hand));
                (since, renew_at) = (0, renew_at * 2);
            }
            course.visited = true;
            let pits = lists.rows.pits();
            match lists.sowing.sow(&mut other, 0, hand, course.skips.1) {
                Way::Stops { pit } => return self.stops_alone(&course, other, pits + pit, before),
                Way::Leaves { hand, lifted } => {
                    if lifted.is_some() {
                        course.skips = (None, lifted);
                    }
                    way = lists.sowing.sow(&mut course.row, 0, hand, course.skips.0);
                }
            }
        }
    }

    /// The move ends in pit `last`, counted on through the other row.
    fn stops_alone(&mut self, course: &Course, other: Row, last: usize, before: u32) {
        let taking = &self.game.lists.taking;
        let pits = self.game.lists.rows.pits();
        let mut rows = [course.row, other];
        let mut pit = last;
        let mut gain = 0;
        loop {
            let (row, at) = (pit / pits, pit % pits);
            let (taken, through) =
                if row == 1 || taking.takes_at_home(rows[0][at]) { taking.chain(&mut rows[row], at, 0) } else { (0, false) };
            gain += taken;
            if !through || (row == 1 && !taking.on_both_sides()) {
                break;
            }
            pit = (1 - row) * pits + pits - 1;
        }
        let empty = rows[1].iter().all(|&seeds| seeds == 0);
        if gain > 0 && empty {
            match taking.grand_slam() {
                GrandSlam::Legal => {}
                GrandSlam::Forbidden => return,
                GrandSlam::NoCapture => (rows, gain) = ([course.row, other], 0),
            }
        }
        if gain == 0 && !course.visited && !taking.takes_at_home(course.row[last % pits]) {
            // A move at home.
            return;
        }
        if (gain == 0) == (self.want == Want::Layer) {
            let at = self.place(&rows[0], &rows[1], self.s - gain);
            let starves = rows[1].iter().all(|&seeds| seeds == 0);
            self.steps.push(Step { places: Places::Row(before), at: Some(at), gain: gain as i8, starves });
        }
    }

    fn endless_alone(&mut self, before: u32) {
        let own = self.from.iter().map(|&seeds| usize::from(seeds)).sum::<usize>();
        match (self.game.endless, self.want) {
            (Endless::Pass, Want::Layer) => {
                let rows = &self.game.lists.rows;
                let at = self.game.splits.start(self.s, own) + rows.rank(&self.from) * rows.count(self.s - own);
                let at = Some(at + before as usize);
                self.steps.push(Step { places: Places::Row(before), at, gain: 0, starves: false });
            }
            (Endless::End, Want::Below) => {
                let gain = self.game.over.settlement(own, self.s - own);
                self.steps.push(Step { places: Places::Row(before), at: None, gain, starves: false });
            }
            _ => {}
        }
    }

    fn place(&self, row: &Row, other: &Row, s: usize) -> usize {
        let rows = &self.game.lists.rows;
        let sum = other.iter().map(|&seeds| usize::from(seeds)).sum::<usize>();
        self.game.splits.start(s, s - sum) + rows.rank(row) * rows.count(sum) + rows.rank(other)
    }
}

//! The moves of one row of the mover that store or capture, each played once for all rows of the other player.
//!
//! Where such a move leads to, the mover's row and the layer are the same for all rows of a passage that take the same way, so the
//! values to look up lie in one line of a matrix. A move thus comes down to steps: a line, and a list of runs. Where a passage has
//! become too small for that to pay, or lists have filled the memory they may take, its rows go on one by one: see [`alone`].
//! Where the mover has the more seeds it is done the other way round: see [`crossed`].

mod alone;
mod crossed;

use lumbung_engine::rules::{BonusOnEmptyRow, LandingSeed};

use super::Game;
use super::pass_a::{Finished, Lines};
use super::passage::Passage;
use super::runs::Places;
use super::sown::{Came, Outcome, Sown};
use super::taking::Taken;
use crate::memory::prefetch;

/// Candidates for the values of some of the other player's rows, or of the mover's if it is done the other way round.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step<'g> {
    pub(super) places: Places<'g>,
    pub(super) source: Source,
    /// What the mover has gained by then.
    pub(super) gain: i8,
}

/// Where the candidates of a step come from: where a line starts, or for a single row where the value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Source {
    /// In `W`, or crossed in `V`: the other player chooses next.
    Against(usize),
    /// In `V`, or crossed in `W`: the mover chooses again.
    Again(usize),
    /// The move ends the game, and there is nothing to look up.
    Over,
}

/// The steps of a row's moves.
pub(super) struct Moves<'g> {
    game: &'g Game,
    /// Crossed, `V` and `W` have changed places.
    pub(super) finished: Finished<'g>,
    s: usize,
    own: usize,
    /// Lines are the other player's rows.
    crossed: bool,
    /// The other row is empty.
    facing_nothing: bool,
    root: &'g Passage,
    pub(super) steps: Vec<Step<'g>>,
}

/// A move as far as it is the same for all rows of the other player.
#[derive(Clone, Copy)]
struct Course {
    /// Seeds stored.
    stored: usize,
    /// A seed has fallen in the other row.
    visited: bool,
    /// The pit of the mover's row that the hand passes over, and that of the other row; one at most.
    skips: (Option<u8>, Option<u8>),
}

impl Course {
    /// A hand leaves the mover's row and drops a seed in the store.
    fn leaves(&mut self, lifted: Option<u8>) {
        self.stored += 1;
        if lifted.is_some() {
            self.skips = (lifted, None);
        }
    }

    /// A hand has come out of the other row.
    fn returns(&mut self, lifted: Option<u8>) {
        self.visited = true;
        if lifted.is_some() {
            self.skips = (None, lifted);
        }
    }
}

/// Where a move has led.
#[derive(Clone, Copy)]
struct Reached {
    /// The rank of the mover's row; 0, where a line starts, for the rows of a home passage.
    rank: usize,
    /// Seeds stored and captured.
    gain: usize,
    /// The sum of the other row.
    sum: usize,
    /// The rank of the other row; 0, where a line starts, for the rows of a passage.
    other: usize,
}

impl<'g> Moves<'g> {
    /// Moves of rows with `own` seeds in layer `s`; see [`super::pass_a::Lines`] for the way round.
    pub(super) fn new(game: &'g Game, finished: Finished<'g>, s: usize, own: usize, lines: Lines) -> Self {
        let crossed = lines == Lines::Other;
        let finished = if crossed { Finished { v: finished.w, w: finished.v } } else { finished };
        Moves { game, finished, s, own, crossed, facing_nothing: s == own, root: game.lists.root(s - own), steps: Vec::new() }
    }

    /// Finds the steps of the row of this rank in place of those found before.
    pub(super) fn find(&mut self, rank: usize) {
        self.steps.clear();
        let lists = &self.game.lists;
        for pit in 0..lists.rows.pits() {
            let Some(sown) = lists.lift(self.own, rank, pit) else { continue };
            let course = Course { stored: 0, visited: false, skips: (None, None) };
            if self.root.pairs().len() < self.game.least_root {
                self.each_alone(self.root, |moves, before, other| moves.alone(course, sown, before, other));
            } else {
                self.at_home(course, sown, self.root);
            }
        }
    }

    /// Goes on after a hand has gone its way through the mover's row.
    fn at_home(&mut self, mut course: Course, sown: Sown, passage: &'g Passage) {
        match sown.came() {
            Came::Stops { pit, last } => self.stops_at_home(course, sown, (pit, last), passage),
            Came::Leaves { hand: 1, .. } => {
                let reached = Reached { rank: sown.rank as usize, gain: course.stored + 1, sum: passage.sum(), other: 0 };
                match passage.whole(&self.game.lists) {
                    Some(whole) => self.ends_in_the_store(reached, Places::Rows(whole)),
                    None => self.each_alone(passage, |moves, before, other| moves.alone(course, sown, before, other)),
                }
            }
            Came::Leaves { hand, lifted } => {
                course.leaves(lifted);
                self.away(course, sown, hand - 1, passage);
            }
        }
    }

    /// Sends a hand through the other row; `sown` is the mover's row.
    fn away(&mut self, course: Course, sown: Sown, hand: usize, passage: &'g Passage) {
        let game = self.game;
        let Some(transit) = passage.enter(&game.lists, hand, course.skips.1) else {
            return self.each_alone(passage, |moves, before, other| moves.away_alone(course, sown, hand, before, other));
        };
        for end in &transit.ends {
            let reached = Reached { rank: sown.rank as usize, gain: course.stored + end.seeds, sum: end.sum, other: 0 };
            self.ends(reached, Places::Rows(&end.runs));
        }
        for exit in &transit.exits {
            let mut course = course;
            course.returns(exit.lifted);
            let sown = game.lists.sow(usize::from(sown.sum), sown.rank as usize, exit.hand, course.skips.0);
            if exit.passage.pairs().len() < game.least_passage {
                self.each_alone(&exit.passage, |moves, before, other| moves.alone(course, sown, before, other));
            } else {
                self.at_home(course, sown, &exit.passage);
            }
        }
    }

    /// `last`: the pit in which the move stops, and its seeds.
    fn stops_at_home(&mut self, course: Course, sown: Sown, last: (usize, u8), passage: &'g Passage) {
        let game = self.game;
        let Some((opposite, landing_seed)) = game.lists.taking.opposite(last.0, last.1, course.visited) else {
            let Some(reached) = self.by_count(course, sown, last, (passage.sum(), 0)) else { return };
            return match passage.whole(&game.lists) {
                Some(whole) => self.ends(reached, Places::Rows(whole)),
                None => self.each_alone(passage, |moves, before, other| moves.alone(course, sown, before, other)),
            };
        };
        let Some(list) = passage.opposite(&game.lists, opposite) else {
            return self.each_alone(passage, |moves, before, other| moves.alone(course, sown, before, other));
        };
        for group in list {
            let gain = course.stored + group.seeds;
            if goes_along(landing_seed, group.seeds) {
                let reached = Reached { rank: self.without(sown, last.0), gain: gain + 1, sum: group.sum, other: 0 };
                self.ends(reached, Places::Rows(&group.runs));
            } else if group.seeds > 0 {
                let reached = Reached { rank: sown.rank as usize, gain, sum: group.sum, other: 0 };
                self.ends(reached, Places::Rows(&group.runs));
            } else if let Some(reached) = self.by_count(course, sown, last, (group.sum, 0)) {
                self.ends(reached, Places::Rows(&group.runs));
            }
        }
    }

    /// The rank of a row with one pit emptied.
    fn without(&self, sown: Sown, pit: usize) -> usize {
        let rows = &self.game.lists.rows;
        let mut row = rows.with_sum(usize::from(sown.sum))[sown.rank as usize];
        row[pit] = 0;
        rows.rank(&row)
    }

    /// Where a move leads that stops at home and has taken nothing opposite; `None` if it is illegal, or quiet: then it is for pass B.
    #[inline(always)]
    fn by_count(&self, course: Course, sown: Sown, last: (usize, u8), (sum, other): (usize, usize)) -> Option<Reached> {
        let lists = &self.game.lists;
        let (mut rank, mut seeds) = (sown.rank as usize, 0);
        if lists.taking.takes_at_home(last.1) {
            let mut row = lists.rows.with_sum(usize::from(sown.sum))[rank];
            match lists.taking.at_home(&mut row, last.0, sum == 0) {
                Taken::Seeds(taken) | Taken::Through(taken) => seeds = taken,
                Taken::ForbiddenSlam => return None,
            }
            rank = lists.rows.rank(&row);
        }
        let gain = course.stored + seeds;
        (gain > 0).then_some(Reached { rank, gain, sum, other })
    }

    fn ends_in_the_store(&mut self, reached: Reached, places: Places<'g>) {
        let Some(on_empty_row) = self.game.bonus else { return self.ends(reached, places) };
        if self.own(reached) > 0 {
            self.step(reached, places, Source::Again(self.at(reached)));
        } else if on_empty_row == BonusOnEmptyRow::Pass {
            self.ends(reached, places);
        } else {
            self.step(reached, places, Source::Over);
        }
    }

    /// The turn passes.
    fn ends(&mut self, reached: Reached, places: Places<'g>) {
        self.step(reached, places, Source::Against(self.at(reached)));
    }

    /// The sum of the mover's row.
    #[inline(always)]
    fn own(&self, reached: Reached) -> usize {
        self.s - reached.gain - reached.sum
    }

    /// Where the line to look up starts, or where in it the value is.
    #[inline(always)]
    fn at(&self, reached: Reached) -> usize {
        let (splits, rows, own) = (&self.game.splits, &self.game.lists.rows, self.own(reached));
        if self.crossed {
            splits.start(self.s - reached.gain, reached.sum) + reached.other * rows.count(own) + reached.rank
        } else {
            splits.start(self.s - reached.gain, own) + reached.rank * rows.count(reached.sum) + reached.other
        }
    }

    /// Lines are far apart, and each has to be waited for; the steps are taken when all have been found.
    #[inline(always)]
    fn fetch(&self, source: Source) {
        let first = match source {
            Source::Against(at) => self.finished.w.get(at),
            Source::Again(at) => self.finished.v.get(at),
            Source::Over => None,
        };
        first.into_iter().for_each(prefetch);
    }

    #[inline]
    fn step(&mut self, reached: Reached, places: Places<'g>, source: Source) {
        // The feeding rule may forbid a move that leaves the other row empty.
        if self.facing_nothing && reached.sum == 0 && self.game.over.must_feed() {
            return;
        }
        let mut gain = reached.gain as i8;
        if source == Source::Over {
            gain += self.game.over.settlement(self.own(reached), reached.sum);
        }
        self.fetch(source);
        self.steps.push(Step { places, source, gain });
    }
}

/// Whether the landing seed of an opposite capture goes along.
fn goes_along(landing_seed: LandingSeed, taken: usize) -> bool {
    match landing_seed {
        LandingSeed::Leave => false,
        LandingSeed::TakeOnCapture => taken > 0,
        LandingSeed::Take => true,
    }
}

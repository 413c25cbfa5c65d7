//! The moves of one row of the mover that store or capture, each played once for all rows of the other player.
//!
//! Where such a move leads to, the mover's row and the layer are the same for all rows of a passage that take the same way, so the
//! values to look up lie in one line of a matrix. A move thus comes down to steps: a line, and a list of runs. Where a passage has
//! become too small for that to pay, or lists have filled the memory they may take, its rows go on one by one: see [`alone`].

mod alone;

use lumbung_engine::rules::{BonusOnEmptyRow, LandingSeed};

use super::Game;
use super::passage::Passage;
use super::rank::Row;
use super::runs::Places;
use super::sowing::Way;
use super::taking::Taken;

/// Candidates for the values of some of the other player's rows.
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
    /// In `W`: the other player chooses next.
    Against(usize),
    /// In `V`: the mover chooses again.
    Again(usize),
    /// The move ends the game, and there is nothing to look up.
    Over,
}

/// The steps of a row's moves.
pub(super) struct Moves<'g> {
    game: &'g Game,
    s: usize,
    /// The other row is empty.
    facing_nothing: bool,
    root: &'g Passage,
    pub(super) steps: Vec<Step<'g>>,
}

/// A move as far as it is the same for all rows of the other player.
#[derive(Clone, Copy)]
struct Course {
    /// The mover's row.
    row: Row,
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
    /// The rank of the mover's row.
    rank: usize,
    /// Seeds stored and captured.
    gain: usize,
    /// The sum of the other row.
    sum: usize,
}

impl<'g> Moves<'g> {
    /// Moves of rows with `own` seeds in layer `s`.
    pub(super) fn new(game: &'g Game, s: usize, own: usize) -> Self {
        Moves { game, s, facing_nothing: s == own, root: game.lists.root(s - own), steps: Vec::new() }
    }

    /// Finds the steps of a row in place of those found before.
    pub(super) fn find(&mut self, row: &Row) {
        self.steps.clear();
        for pit in 0..self.game.lists.rows.pits() {
            if self.game.lists.sowing.may_lift(row[pit]) {
                let mut course = Course { row: *row, stored: 0, visited: false, skips: (None, None) };
                let way = self.game.lists.sowing.lift(&mut course.row, pit);
                self.at_home(course, way, self.root);
            }
        }
    }

    /// Goes on after a hand has gone its way through the mover's row.
    fn at_home(&mut self, mut course: Course, way: Way, passage: &'g Passage) {
        match way {
            Way::Stops { pit } => self.stops_at_home(&course, pit, passage),
            Way::Leaves { hand, lifted } => {
                course.leaves(lifted);
                if hand == 1 {
                    let rank = self.game.lists.rows.rank(&course.row);
                    let reached = Reached { rank, gain: course.stored, sum: passage.sum() };
                    self.ends_in_the_store(reached, Places::Rows(passage.whole(&self.game.lists)));
                } else {
                    self.away(&course, hand - 1, passage);
                }
            }
        }
    }

    /// Sends a hand through the other row.
    fn away(&mut self, course: &Course, hand: usize, passage: &'g Passage) {
        let game = self.game;
        let Some(transit) = passage.enter(&game.lists, hand, course.skips.1) else {
            return self.each_alone(course, passage, |moves, course, before, row| moves.away_alone(course, hand, before, row));
        };
        let rank = game.lists.rows.rank(&course.row);
        for end in &transit.ends {
            self.ends(Reached { rank, gain: course.stored + end.seeds, sum: end.sum }, Places::Rows(&end.runs));
        }
        for exit in &transit.exits {
            let mut course = *course;
            course.returns(exit.lifted);
            let way = game.lists.sowing.sow(&mut course.row, 0, exit.hand, course.skips.0);
            if exit.passage.pairs().len() < game.least_passage {
                self.each_alone(&course, &exit.passage, |moves, course, before, row| moves.alone(course, way, before, row));
            } else {
                self.at_home(course, way, &exit.passage);
            }
        }
    }

    fn stops_at_home(&mut self, course: &Course, last: usize, passage: &'g Passage) {
        let game = self.game;
        let Some((opposite, landing_seed)) = game.lists.taking.opposite(&course.row, last, course.visited) else {
            return self.takes_by_count(course, last, passage.sum(), || Places::Rows(passage.whole(&game.lists)));
        };
        let Some(list) = passage.opposite(&game.lists, opposite) else {
            return self.each_alone(course, passage, |moves, course, before, row| {
                moves.alone(course, Way::Stops { pit: last }, before, row);
            });
        };
        let rank = game.lists.rows.rank(&course.row);
        let rank_without_last = game.lists.rows.rank(&without(&course.row, last));
        for group in list {
            let gain = course.stored + group.seeds;
            if goes_along(landing_seed, group.seeds) {
                let reached = Reached { rank: rank_without_last, gain: gain + 1, sum: group.sum };
                self.ends(reached, Places::Rows(&group.runs));
            } else if group.seeds > 0 {
                self.ends(Reached { rank, gain, sum: group.sum }, Places::Rows(&group.runs));
            } else {
                self.takes_by_count(course, last, group.sum, || Places::Rows(&group.runs));
            }
        }
    }

    /// The last step of a move that stops at home and has taken nothing opposite.
    fn takes_by_count(&mut self, course: &Course, last: usize, sum: usize, places: impl Fn() -> Places<'g>) {
        let mut row = course.row;
        match self.game.lists.taking.at_home(&mut row, last, sum == 0) {
            // Such a move is quiet: pass B.
            Taken::Seeds(0) if course.stored == 0 => {}
            Taken::Seeds(seeds) | Taken::Through(seeds) => {
                let rank = self.game.lists.rows.rank(&row);
                self.ends(Reached { rank, gain: course.stored + seeds, sum }, places());
            }
            Taken::ForbiddenSlam => {}
        }
    }

    fn ends_in_the_store(&mut self, reached: Reached, places: Places<'g>) {
        let Some(on_empty_row) = self.game.bonus else { return self.ends(reached, places) };
        if self.own(reached) > 0 {
            self.step(reached, places, Source::Again(self.line(reached)));
        } else if on_empty_row == BonusOnEmptyRow::Pass {
            self.ends(reached, places);
        } else {
            self.step(reached, places, Source::Over);
        }
    }

    /// The turn passes.
    fn ends(&mut self, reached: Reached, places: Places<'g>) {
        self.step(reached, places, Source::Against(self.line(reached)));
    }

    /// The sum of the mover's row.
    fn own(&self, reached: Reached) -> usize {
        self.s - reached.gain - reached.sum
    }

    /// Where the line of the mover's row starts, in either order.
    fn line(&self, reached: Reached) -> usize {
        let start = self.game.splits.start(self.s - reached.gain, self.own(reached));
        start + reached.rank * self.game.lists.rows.count(reached.sum)
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

/// A row with one pit emptied.
fn without(row: &Row, pit: usize) -> Row {
    let mut row = *row;
    row[pit] = 0;
    row
}

//! The moves of one row of the mover, each played once for all rows of the other player.
//!
//! As under rules that cannot repeat, a move comes down to steps: a line of `W` and a list of runs, or a single value where a move
//! goes on with one row alone. A step that has captured leads into a finished layer, any other into the layer in work. Moves at home
//! are not among them: see [`super::home`]. Neither row is empty here.

mod alone;

use lumbung_engine::rules::GrandSlam;

use super::game::Core;
use crate::rows::passage::Passage;
use crate::rows::rank::Row;
use crate::rows::runs::Places;
use crate::rows::sowing::Way;
use crate::rows::transit::Ended;

/// Candidates for the values of some of the other player's rows.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step<'g> {
    pub(super) places: Places<'g>,
    /// Where in `W` the line starts, or for a single row where the value is. `None` if the move ends the game.
    pub(super) at: Option<usize>,
    /// Seeds gained.
    pub(super) gain: i8,
    /// The other row is empty afterwards.
    pub(super) starves: bool,
}

/// Which steps are wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Want {
    /// Those into the layer in work.
    Layer,
    /// Those into finished layers, and those that end the game.
    Below,
}

/// The steps of a row's moves.
pub(super) struct Moves<'g> {
    game: &'g Core,
    s: usize,
    want: Want,
    root: &'g Passage,
    /// The row whose moves are found.
    from: Row,
    pub(super) steps: Vec<Step<'g>>,
}

/// A move as far as it is the same for all rows of the other player.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Course {
    /// The mover's row.
    row: Row,
    /// A seed has fallen in the other row.
    visited: bool,
    /// The pit of the mover's row that the hand passes over, and that of the other row; one at most.
    skips: (Option<u8>, Option<u8>),
    /// How often the hand has come round.
    rounds: u32,
}

/// Rounds after which rows go on alone, watched for endless moves. Nearly all moves have stopped by then.
const MOST_ROUNDS: u32 = 24;

impl<'g> Moves<'g> {
    /// Moves of rows with `own` seeds in layer `s`.
    pub(super) fn new(game: &'g Core, s: usize, own: usize, want: Want) -> Self {
        Moves { game, s, want, root: game.lists.root(s - own), from: Row::default(), steps: Vec::new() }
    }

    /// Finds the steps of a row in place of those found before.
    #[inline]
    pub(super) fn find(&mut self, row: &Row) {
        self.steps.clear();
        self.from = *row;
        for pit in 0..self.game.lists.rows.pits() {
            if self.game.lists.sowing.may_lift(row[pit]) {
                let mut course = Course { row: *row, visited: false, skips: (None, None), rounds: 0 };
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
                if lifted.is_some() {
                    course.skips = (lifted, None);
                }
                self.away(&course, hand, passage);
            }
        }
    }

    /// Sends a hand through the other row.
    fn away(&mut self, course: &Course, hand: usize, passage: &'g Passage) {
        let game = self.game;
        let transit = if course.rounds < MOST_ROUNDS { passage.enter(&game.lists, hand, course.skips.1) } else { None };
        let Some(transit) = transit else {
            let now = game.lists.rows.with_sum(passage.sum());
            for &(before, rank) in passage.pairs() {
                self.alone(*course, Way::Leaves { hand, lifted: None }, before, now[rank as usize]);
            }
            return;
        };
        for end in &transit.ends {
            self.ends_away(course, hand, passage, end);
        }
        for exit in &transit.exits {
            let mut course = Course { visited: true, rounds: course.rounds + 1, ..*course };
            if exit.lifted.is_some() {
                course.skips = (None, exit.lifted);
            }
            let rows = exit.passage.pairs();
            if rows.len() < game.tuning.least_passage {
                let now = game.lists.rows.with_sum(exit.passage.sum());
                for &(before, rank) in rows {
                    let mut course = course;
                    let way = game.lists.sowing.sow(&mut course.row, 0, exit.hand, course.skips.0);
                    self.alone(course, way, before, now[rank as usize]);
                }
            } else {
                let way = game.lists.sowing.sow(&mut course.row, 0, exit.hand, course.skips.0);
                self.at_home(course, way, &exit.passage);
            }
        }
    }

    /// The rows where a move ends away with the same capture.
    #[inline]
    fn ends_away(&mut self, course: &Course, hand: usize, passage: &'g Passage, end: &'g Ended) {
        if !end.through {
            return self.ends(&course.row, end.sum, end.seeds, Places::Rows(&end.runs));
        }
        let lists = &self.game.lists;
        // What has been taken stays taken, unless the chain comes round to a grand slam that is undone.
        if self.want == Want::Layer && lists.taking.grand_slam() != GrandSlam::NoCapture {
            return;
        }
        let mut row = course.row;
        let (taken, all) = lists.taking.chain(&mut row, lists.rows.pits() - 1, 0);
        if !all {
            return self.ends(&row, end.sum, end.seeds + taken, Places::Rows(&end.runs));
        }
        // The chain comes round into the other row again.
        let now = lists.rows.with_sum(passage.sum());
        for (before, _) in end.runs.pairs() {
            if let Ok(at) = passage.pairs().binary_search_by_key(&before, |pair| pair.0) {
                let other = now[passage.pairs()[at].1 as usize];
                self.alone(*course, Way::Leaves { hand, lifted: None }, before, other);
            }
        }
    }

    fn stops_at_home(&mut self, course: &Course, last: usize, passage: &'g Passage) {
        let lists = &self.game.lists;
        let takes = lists.taking.takes_at_home(course.row[last]);
        if !takes && !course.visited {
            return;
        }
        let mut row = course.row;
        let (taken, through) = if takes { lists.taking.chain(&mut row, last, 0) } else { (0, false) };
        let slams = lists.taking.grand_slam() != GrandSlam::Legal;
        let may_slam = takes && (through || (slams && passage.sum() == 0));
        if !may_slam && let Some(whole) = passage.whole(lists) {
            return self.ends(&row, passage.sum(), taken, Places::Rows(whole));
        }
        let chained = if may_slam && !slams { passage.chained(lists) } else { None };
        let Some(chained) = chained else {
            let now = lists.rows.with_sum(passage.sum());
            for &(before, rank) in passage.pairs() {
                self.alone(*course, Way::Stops { pit: last }, before, now[rank as usize]);
            }
            return;
        };
        for end in chained {
            let (mut row, mut taken) = (row, taken + end.seeds);
            if end.through && last + 1 < lists.rows.pits() {
                taken += lists.taking.chain(&mut row, lists.rows.pits() - 1, last + 1).0;
            }
            self.ends(&row, end.sum, taken, Places::Rows(&end.runs));
        }
    }

    /// The turn passes.
    #[inline]
    fn ends(&mut self, row: &Row, sum: usize, gain: usize, places: Places<'g>) {
        if (gain == 0) != (self.want == Want::Layer) {
            return;
        }
        let game = self.game;
        let s = self.s - gain;
        let at = game.splits.start(s, s - sum) + game.lists.rows.rank(row) * game.lists.rows.count(sum);
        self.steps.push(Step { places, at: Some(at), gain: gain as i8, starves: sum == 0 });
    }
}

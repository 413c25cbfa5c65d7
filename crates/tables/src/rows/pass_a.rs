//! Pass A: moves that store or capture, into layers that are finished.
//!
//! For each row of the mover, each of her moves is played once for all rows of the other player. Where it leads to, her row and the
//! layer are the same for all rows of a passage that take the same way, so the values looked up lie in one line of a matrix.

use lumbung_engine::rules::{BonusOnEmptyRow, LandingSeed};

use super::Game;
use super::passage::Passage;
use super::rank::Row;
use super::runs::{Runs, Then};
use super::sowing::Way;
use super::taking::Taken;

/// No move yet. No value of a board with at most 127 seeds is this low.
pub(super) const NONE: i8 = i8::MIN;

/// The finished layers, as matrices of both kinds; see [`super::split`].
#[derive(Clone, Copy, Debug)]
pub(super) struct Finished<'f> {
    pub(super) v: &'f [i8],
    pub(super) w: &'f [i8],
}

/// Fills lines of the `V` matrix of split `own` of layer `s` with the best of the moves that store or capture, from line `first` on.
pub(super) fn pass_a(game: &Game, finished: Finished, s: usize, own: usize, first: usize, lines: &mut [i8]) {
    if let Some(value) = game.over.split(own, s - own) {
        lines.fill(value);
        return;
    }
    lines.fill(NONE);
    let columns = game.lists.rows.count(s - own);
    let root = game.lists.root(s - own);
    let rows = &game.lists.rows.with_sum(own)[first..];
    for (row, values) in rows.iter().zip(lines.chunks_exact_mut(columns)) {
        let mut moves = Moves { game, finished, s, facing_nothing: s == own, values };
        for pit in 0..game.lists.rows.pits() {
            if game.lists.sowing.may_lift(row[pit]) {
                let mut after = *row;
                let way = game.lists.sowing.lift(&mut after, pit);
                let skips = Skips::default();
                moves.at_home(after, way, skips, 0, false, root);
            }
        }
    }
}

/// The pits that the hand passes over, in the mover's row and in the other; one at most.
#[derive(Clone, Copy, Debug, Default)]
struct Skips {
    home: Option<u8>,
    away: Option<u8>,
}

/// The moves of one row of the mover.
struct Moves<'a> {
    game: &'a Game,
    finished: Finished<'a>,
    s: usize,
    /// The other row is empty.
    facing_nothing: bool,
    /// The line of values that is raised: one for each row of the other player.
    values: &'a mut [i8],
}

/// A move, as far as it has come.
#[derive(Clone, Copy)]
struct Reached {
    /// The mover's row.
    row: Row,
    /// Seeds stored and captured.
    gain: usize,
    /// The sum of the other row.
    sum: usize,
}

impl Moves<'_> {
    /// Goes on after a hand has gone its way through the mover's row.
    fn at_home(&mut self, row: Row, way: Way, mut skips: Skips, stored: usize, visited: bool, passage: &Passage) {
        match way {
            Way::Stops { pit } => self.stops_at_home(row, pit, stored, visited, passage),
            Way::Leaves { hand, lifted } => {
                if lifted.is_some() {
                    skips = Skips { home: lifted, away: None };
                }
                // The first seed that leaves falls in the store.
                let reached = Reached { row, gain: stored + 1, sum: passage.sum() };
                if hand == 1 {
                    self.ends_in_the_store(reached, passage);
                } else {
                    self.away(reached, hand - 1, skips, passage);
                }
            }
        }
    }

    /// Sends a hand through the other row.
    fn away(&mut self, reached: Reached, hand: usize, skips: Skips, passage: &Passage) {
        let game = self.game;
        let transit = passage.enter(&game.lists, hand, skips.away);
        for end in &transit.ends {
            self.ends(Reached { gain: reached.gain + end.seeds, sum: end.sum, ..reached }, &end.runs);
        }
        for exit in &transit.exits {
            let mut row = reached.row;
            let skips = if exit.lifted.is_some() { Skips { home: None, away: exit.lifted } } else { skips };
            let way = game.lists.sowing.sow(&mut row, 0, exit.hand, skips.home);
            self.at_home(row, way, skips, reached.gain, true, &exit.passage);
        }
    }

    fn stops_at_home(&mut self, row: Row, last: usize, gain: usize, visited: bool, passage: &Passage) {
        let game = self.game;
        let Some((opposite, landing_seed)) = game.lists.taking.opposite(&row, last, visited) else {
            return self.takes_by_count(Reached { row, gain, sum: passage.sum() }, last, None, passage);
        };
        for group in passage.opposite(&game.lists.rows, opposite) {
            let along = match landing_seed {
                LandingSeed::Leave => false,
                LandingSeed::TakeOnCapture => group.seeds > 0,
                LandingSeed::Take => true,
            };
            let mut reached = Reached { row, gain: gain + group.seeds + usize::from(along), sum: group.sum };
            if group.seeds == 0 && !along {
                self.takes_by_count(reached, last, Some(&group.runs), passage);
            } else {
                if along {
                    reached.row[last] = 0;
                }
                self.ends(reached, &group.runs);
            }
        }
    }

    /// The last step of a move that stops at home and has taken nothing opposite; `runs` are the rows if not all of the passage.
    fn takes_by_count(&mut self, mut reached: Reached, last: usize, runs: Option<&Runs>, passage: &Passage) {
        match self.game.lists.taking.at_home(&mut reached.row, last, reached.sum == 0) {
            Taken::Seeds(seeds) => {
                reached.gain += seeds;
                // Otherwise the move is quiet: pass B.
                if reached.gain > 0 {
                    self.ends(reached, runs.unwrap_or_else(|| passage.whole(&self.game.lists.rows)));
                }
            }
            Taken::ForbiddenSlam => {}
        }
    }

    fn ends_in_the_store(&mut self, reached: Reached, passage: &Passage) {
        let game = self.game;
        let Some(on_empty_row) = game.bonus else { return self.ends(reached, passage.whole(&self.game.lists.rows)) };
        let own = self.s - reached.gain - reached.sum;
        if own > 0 {
            self.raise(reached, passage.whole(&self.game.lists.rows), Then::Again);
        } else if on_empty_row == BonusOnEmptyRow::Pass {
            self.ends(reached, passage.whole(&self.game.lists.rows));
        } else if !self.starves(reached.sum) {
            let value = reached.gain as i8 + game.over.settlement(own, reached.sum);
            passage.whole(&self.game.lists.rows).raise_to(self.values, value);
        }
    }

    /// The turn passes.
    fn ends(&mut self, reached: Reached, runs: &Runs) {
        self.raise(reached, runs, Then::Other);
    }

    /// Whether the feeding rule forbids a move that leaves so many seeds in the other row.
    fn starves(&self, sum: usize) -> bool {
        self.facing_nothing && sum == 0 && self.game.over.must_feed()
    }

    #[inline]
    fn raise(&mut self, reached: Reached, runs: &Runs, then: Then) {
        if self.starves(reached.sum) {
            return;
        }
        let Reached { row, gain, sum } = reached;
        let (rows, s) = (&self.game.lists.rows, self.s - gain);
        let columns = rows.count(sum);
        let start = self.game.splits.start(s, s - sum) + rows.rank(&row) * columns;
        let matrices = match then {
            Then::Other => self.finished.w,
            Then::Again => self.finished.v,
        };
        runs.raise(self.values, &matrices[start..start + columns], gain as i8, then);
    }
}

//! A search over several questions and several stages of effort.
//!
//! A stage has a transposition table of some size, an endgame table of some size and a budget of positions. When the budget is
//! spent, both tables grow and the same question goes on with all that was learnt. So small problems cost nothing, and large ones
//! get the memory they may have.

use std::cell::Cell;
use std::time::{Duration, Instant};

use lumbung_engine::kernel::{Kernel, Lanes, Seat};
use lumbung_tables::{Index, Table, plain};

use crate::limits::{Limits, Progress, Report, StopReason};
use crate::memo::{Known, Memo};
use crate::search::{Break, Searcher};

/// Transposition table of the first stage.
const FIRST_MEMO_BYTES: u64 = 1 << 20;
/// Positions of the first stage.
const FIRST_BUDGET: u64 = 1 << 16;
/// How much more each stage gets.
const GROWTH: u64 = 4;
/// Endgame positions a stage may add for each position visited so far: the time they take to build is then a small part of the
/// search's.
const TABLE_POSITIONS_PER_NODE: u64 = 2;
/// Seconds between reports.
const REPORT_EVERY: Duration = Duration::from_millis(250);

/// See the [module](self).
pub(crate) struct Session<'a, B: Lanes, M: Memo<B>> {
    pub(crate) kernel: &'a Kernel<B>,
    memo: M,
    table: Option<Table>,
    /// The caller fixed the size of the endgame table.
    table_is_fixed: bool,
    limits: &'a Limits,
    progress: &'a dyn Progress,
    pub(crate) nodes: u64,
    pub(crate) table_hits: u64,
    budget: u64,
    pause_at: u64,
    /// Bounds of the margin, for reports.
    pub(crate) margin: Cell<(i32, i32)>,
    reported: Cell<Instant>,
}

impl<'a, B: Lanes, M: Memo<B>> Session<'a, B, M> {
    /// `memo` makes a transposition table of about so many bytes, if one of that size can be.
    pub(crate) fn new(
        kernel: &'a Kernel<B>,
        memo: impl Fn(usize) -> Option<M>,
        limits: &'a Limits,
        progress: &'a dyn Progress,
    ) -> Option<Self> {
        let most = (limits.memory / 2).max(1 << 16) as usize;
        // A table of exact short keys may need a certain size at least.
        let mut bytes = most.min(FIRST_MEMO_BYTES as usize);
        let memo = loop {
            match memo(bytes) {
                Some(memo) => break memo,
                None if bytes >= most => return None,
                None => bytes = (2 * bytes).min(most),
            }
        };
        Some(Session {
            kernel,
            memo,
            table: None,
            table_is_fixed: false,
            limits,
            progress,
            nodes: 0,
            table_hits: 0,
            budget: FIRST_BUDGET,
            pause_at: FIRST_BUDGET,
            margin: Cell::new((0, 0)),
            reported: Cell::new(Instant::now()),
        })
    }

    /// Uses an endgame table of exactly `seeds` seeds; none at all for 0.
    pub(crate) fn fix_table(&mut self, seeds: usize) -> Result<(), SessionError> {
        self.table_is_fixed = true;
        if seeds > 0 && !self.kernel.can_repeat() {
            self.build_table(seeds)?;
        }
        Ok(())
    }

    /// Seeds of the endgame table in use.
    pub(crate) fn table_seeds(&self) -> Option<usize> {
        self.table.as_ref().map(Table::seeds)
    }

    fn build_table(&mut self, seeds: usize) -> Result<(), SessionError> {
        let positions = Index::new(self.kernel.pits(), seeds).map_or(u64::MAX, |index| index.total());
        self.progress.report(&Report::Table { seeds, positions });
        // The old one goes first: both together may be too much.
        self.table = None;
        match plain::build(self.kernel, seeds, &self.limits.interrupt) {
            Ok(table) => {
                self.table = Some(table);
                Ok(())
            }
            Err(plain::BuildError::Stopped) => Err(SessionError::Stopped(StopReason::Interrupted)),
            Err(error) => Err(SessionError::Table(error)),
        }
    }

    /// The next stage: more memory, more positions.
    fn grow(&mut self) -> Result<(), StopReason> {
        self.budget = self.budget.saturating_mul(GROWTH);
        self.pause_at = self.nodes.saturating_add(self.budget);
        // While it grows, old and new exist together.
        let most = self.limits.memory / 3;
        let bytes = (self.memo.bytes() as u64).saturating_mul(GROWTH).min(most) as usize;
        if bytes >= 2 * self.memo.bytes() {
            self.memo = self.memo.grown(bytes);
        }
        if !self.table_is_fixed && !self.kernel.can_repeat() {
            let positions = (self.nodes * TABLE_POSITIONS_PER_NODE).min(self.limits.memory / 4);
            let affordable = |seeds: usize| Index::new(self.kernel.pits(), seeds).is_some_and(|index| index.total() <= positions);
            let most = self.kernel.max_seeds().min(lumbung_tables::MAX_TABLE_SEEDS);
            let seeds = (1..=most).take_while(|&seeds| affordable(seeds)).last();
            if let Some(seeds) = seeds
                && self.table_seeds().is_none_or(|have| have < seeds)
            {
                match self.build_table(seeds) {
                    // Without room for a table the search goes on without one.
                    Ok(()) | Err(SessionError::Table(_)) => {}
                    Err(SessionError::Stopped(reason)) => return Err(reason),
                }
            }
        }
        Ok(())
    }

    /// See [`Searcher::at_least`]; goes through as many stages as it takes.
    pub(crate) fn at_least(&mut self, board: &B, seat: Seat, beta: i32) -> Result<i32, StopReason> {
        self.with_searcher(|searcher| searcher.at_least(board, seat, beta))
    }

    /// What is known of a board without search.
    pub(crate) fn look_up(&mut self, board: &B, seat: Seat) -> Known {
        self.with_searcher(|searcher| Ok(searcher.look_up(board, seat))).expect("a look-up visits no position")
    }

    /// Lets `work` search, again in the next stage whenever a budget is spent.
    pub(crate) fn with_searcher<T>(
        &mut self,
        mut work: impl FnMut(&mut Searcher<'_, B, M>) -> Result<T, Break>,
    ) -> Result<T, StopReason> {
        loop {
            let (progress, reported) = (self.progress, &self.reported);
            let (margin, table_seeds) = (self.margin.get(), self.table_seeds());
            let on_tick = |nodes: u64| {
                if reported.get().elapsed() >= REPORT_EVERY {
                    reported.set(Instant::now());
                    progress.report(&Report::Search { margin, nodes, table_seeds });
                }
            };
            let mut searcher =
                Searcher::new(self.kernel, &self.memo, self.table.as_ref(), self.limits, self.nodes, self.pause_at, &on_tick);
            let result = work(&mut searcher);
            let (nodes, table_hits) = (searcher.nodes, searcher.table_hits);
            self.nodes = nodes;
            self.table_hits += table_hits;
            match result {
                Ok(done) => return Ok(done),
                Err(Break::Stop(reason)) => return Err(reason),
                Err(Break::Pause) => self.grow()?,
            }
        }
    }
}

/// A session that cannot go on.
#[derive(Debug)]
pub(crate) enum SessionError {
    Stopped(StopReason),
    Table(plain::BuildError),
}

//! A search over several questions and several stages of effort.
//!
//! A stage has a transposition table of some size, an endgame table of some size and a budget of positions. When the budget is
//! spent, both tables grow and the same question goes on with all that was learnt. So small problems cost nothing, and large ones
//! get the memory they may have.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use lumbung_engine::RuleSet;
use lumbung_engine::kernel::{Kernel, Lanes, Seat};
use lumbung_tables::build::{BuildError, Builder, build, plan};
use lumbung_tables::rows::{Options, Progress as Layer};
use lumbung_tables::{Index, MAX_TABLE_SEEDS, Table, sweep};
use rayon::ThreadPool;

use crate::busy::Busy;
use crate::limits::{Limits, Progress, Report, StopReason};
use crate::memo::{Known, Memo};
use crate::search::{Break, Common, Searcher};

/// Transposition table of the first stage.
const FIRST_MEMO_BYTES: u64 = 1 << 20;
/// Positions of the first stage, which one thread searches: waking the others would take longer than most of these searches.
/// Unit tests have small ones, to go through many stages with small problems.
const FIRST_BUDGET: u64 = if cfg!(test) { 64 } else { 1 << 15 };
/// How much more positions each stage gets.
const BUDGET_GROWTH: u64 = 2;
/// How much larger the transposition table gets when it does.
const MEMO_GROWTH: u64 = 4;
/// Bytes of transposition table for each position to be visited, at least.
const MEMO_BYTES_PER_NODE: u64 = 16;
/// Endgame positions a stage may build for each position visited so far, by rows and by moves. Building takes about 10 and 200 ns a
/// position and a visit about a microsecond, so the tables take less time than the search.
const ROWS_POSITIONS_PER_NODE: u64 = 40;
const PLAIN_POSITIONS_PER_NODE: u64 = 2;
/// The same for rules that can repeat a position, whose tables take several sweeps.
const SWEPT_POSITIONS_PER_NODE: u64 = 8;
/// How often a running build is held against the limits.
const WATCH_EVERY: Duration = Duration::from_millis(20);
/// Time between reports.
const REPORT_EVERY: Duration = Duration::from_millis(250);

/// See the [module](self).
pub(crate) struct Session<'a, B: Lanes, M: Memo<B>> {
    rules: &'a RuleSet,
    pub(crate) kernel: &'a Kernel<B>,
    memo: M,
    table: Option<Table>,
    /// The caller fixed the size of the endgame table.
    table_is_fixed: bool,
    limits: &'a Limits,
    progress: &'a dyn Progress,
    /// The searching threads, with stacks as deep as a line of play may be long.
    pool: &'a ThreadPool,
    /// Positions visited.
    pub(crate) nodes: u64,
    pub(crate) table_hits: u64,
    stage: usize,
    budget: u64,
    pause_at: u64,
    /// Bounds of the margin, for reports.
    pub(crate) margin: (i32, i32),
    reported: Mutex<Instant>,
}

impl<'a, B: Lanes, M: Memo<B>> Session<'a, B, M> {
    /// `memo` makes a transposition table of about so many bytes, if one of that size can be.
    pub(crate) fn new(
        rules: &'a RuleSet,
        kernel: &'a Kernel<B>,
        memo: impl Fn(usize) -> Option<M>,
        limits: &'a Limits,
        progress: &'a dyn Progress,
        pool: &'a ThreadPool,
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
            rules,
            kernel,
            memo,
            table: None,
            table_is_fixed: false,
            limits,
            progress,
            pool,
            nodes: 0,
            table_hits: 0,
            stage: 0,
            budget: FIRST_BUDGET,
            pause_at: FIRST_BUDGET,
            margin: (0, 0),
            reported: Mutex::new(Instant::now()),
        })
    }

    /// Uses an endgame table of exactly `seeds` seeds; none at all for 0.
    pub(crate) fn fix_table(&mut self, seeds: usize) -> Result<(), SessionError> {
        self.table_is_fixed = true;
        if seeds == 0 {
            return Ok(());
        }
        let needed = if self.kernel.can_repeat() {
            Index::new(self.kernel.pits(), seeds).map_or(u64::MAX, |index| index.total())
        } else {
            plan(self.rules, self.kernel.pits(), seeds, self.threads()).map_err(SessionError::Table)?.memory
        };
        if needed > self.limits.memory {
            return Err(SessionError::Memory { needed });
        }
        self.build_table(seeds)
    }

    /// Seeds of the endgame table in use.
    pub(crate) fn table_seeds(&self) -> Option<usize> {
        self.table.as_ref().map(Table::seeds)
    }

    fn build_table(&mut self, seeds: usize) -> Result<(), SessionError> {
        // The old one goes first: both together may be too much.
        self.table = None;
        let limits = self.limits;
        let (stop, built) = (AtomicBool::new(false), AtomicBool::new(false));
        let progress = |layer: Layer| self.progress.report(&Report::Table { seeds: layer.seeds, positions: layer.total });
        let options = Options { threads: self.threads(), memory: Some(limits.memory), stop: &stop, progress: &progress };
        let result = std::thread::scope(|scope| {
            let watcher = scope.spawn(|| {
                while !built.load(Ordering::Relaxed) {
                    std::thread::park_timeout(WATCH_EVERY);
                    if limits.exceeded(0).is_some() {
                        stop.store(true, Ordering::Relaxed);
                    }
                }
            });
            let result = self.pool.install(|| {
                if self.kernel.can_repeat() {
                    sweep::build(self.kernel, seeds, &stop).map_err(BuildError::from)
                } else {
                    build(self.rules, self.kernel.pits(), seeds, options).map(|built| built.table)
                }
            });
            built.store(true, Ordering::Relaxed);
            watcher.thread().unpark();
            result
        });
        match result {
            Ok(table) => {
                self.table = Some(table);
                Ok(())
            }
            Err(_) if stop.into_inner() => Err(SessionError::Stopped(limits.exceeded(0).unwrap_or(StopReason::Interrupted))),
            Err(error) => Err(SessionError::Table(error)),
        }
    }

    /// Seeds of the largest table that the search may afford after so many positions.
    fn affordable_table(&self) -> Option<usize> {
        let most = self.kernel.max_seeds().min(MAX_TABLE_SEEDS);
        (1..=most)
            .take_while(|&seeds| {
                if self.kernel.can_repeat() {
                    let most = self.nodes.saturating_mul(SWEPT_POSITIONS_PER_NODE).min(self.limits.memory / 3);
                    return self.kernel.is_symmetric()
                        && Index::new(self.kernel.pits(), seeds).is_some_and(|index| index.total() <= most);
                }
                plan(self.rules, self.kernel.pits(), seeds, self.threads()).is_ok_and(|plan| {
                    let per_node = match plan.builder {
                        Builder::Rows => ROWS_POSITIONS_PER_NODE,
                        Builder::Plain { .. } => PLAIN_POSITIONS_PER_NODE,
                        Builder::Sweep => SWEPT_POSITIONS_PER_NODE,
                    };
                    plan.positions <= self.nodes.saturating_mul(per_node) && plan.memory <= self.limits.memory / 3
                })
            })
            .last()
    }

    /// The next stage: more memory, more positions.
    fn grow(&mut self) -> Result<(), StopReason> {
        self.stage += 1;
        self.budget = self.budget.saturating_mul(BUDGET_GROWTH);
        self.pause_at = self.nodes.saturating_add(self.budget);
        let now = self.memo.bytes() as u64;
        // While it grows, old and new exist together.
        let grown = (now * MEMO_GROWTH).min(self.limits.memory / 3);
        if now < self.pause_at.saturating_mul(MEMO_BYTES_PER_NODE) && grown >= 2 * now {
            self.memo = self.memo.grown(grown as usize);
        }
        if !self.table_is_fixed
            && let Some(seeds) = self.affordable_table()
            && self.table_seeds().is_none_or(|have| have < seeds)
        {
            match self.build_table(seeds) {
                // Without room for a table the search goes on without one.
                Ok(()) | Err(SessionError::Table(_) | SessionError::Memory { .. }) => {}
                Err(SessionError::Stopped(reason)) => return Err(reason),
            }
        }
        Ok(())
    }

    /// See [`Searcher::at_least`]; goes through as many stages as it takes, with all threads.
    pub(crate) fn at_least(&mut self, board: &B, seat: Seat, beta: i32) -> Result<i32, StopReason> {
        self.in_stages(|session| {
            if session.stage == 0 || session.threads() == 1 {
                session.alone(|searcher| searcher.at_least(board, seat, beta))
            } else {
                session.together(board, seat, beta)
            }
        })
    }

    /// What is known of a board without search.
    pub(crate) fn look_up(&mut self, board: &B, seat: Seat) -> Known {
        self.alone(|searcher| searcher.look_up(board, seat))
    }

    /// Lets one thread search, again in the next stage whenever a budget is spent.
    pub(crate) fn with_searcher<T>(
        &mut self,
        mut work: impl FnMut(&mut Searcher<'_, B, M>) -> Result<T, Break>,
    ) -> Result<T, StopReason> {
        self.in_stages(|session| session.alone(&mut work))
    }

    /// Threads that search.
    pub(crate) fn threads(&self) -> usize {
        self.pool.current_num_threads()
    }

    fn in_stages<T>(&mut self, mut work: impl FnMut(&mut Self) -> Result<T, Break>) -> Result<T, StopReason> {
        loop {
            match work(self) {
                Ok(done) => return Ok(done),
                Err(Break::Stop(reason)) => return Err(reason),
                Err(Break::Pause | Break::Overtaken) => self.grow()?,
            }
        }
    }

    fn alone<T>(&mut self, work: impl FnOnce(&mut Searcher<'_, B, M>) -> T) -> T {
        let nodes = AtomicU64::new(self.nodes);
        let done = AtomicBool::new(false);
        let on_tick = |nodes| self.tick(nodes);
        let common = self.common(&nodes, &done, None, &on_tick);
        let mut searcher = Searcher::new(&common, 0);
        let result = work(&mut searcher);
        let (all, hits) = (searcher.tell(), searcher.table_hits);
        self.nodes = all;
        self.table_hits += hits;
        result
    }

    /// All threads search the same question, each in its own order; the first to answer it, or to run into a limit, ends it.
    fn together(&mut self, board: &B, seat: Seat, beta: i32) -> Result<i32, Break> {
        let nodes = AtomicU64::new(self.nodes);
        let done = AtomicBool::new(false);
        let hits = AtomicU64::new(0);
        let busy = Busy::new();
        let on_tick = |nodes| self.tick(nodes);
        let common = self.common(&nodes, &done, Some(&busy), &on_tick);
        let answers = self.pool.broadcast(|thread| {
            let mut searcher = Searcher::new(&common, thread.index());
            let answer = searcher.at_least(board, seat, beta);
            done.store(true, Ordering::Relaxed);
            searcher.tell();
            hits.fetch_add(searcher.table_hits, Ordering::Relaxed);
            answer
        });
        self.nodes = nodes.into_inner();
        self.table_hits += hits.into_inner();
        // An answer is worth more than a limit, and either more than having been overtaken.
        let rank = |answer: &Result<i32, Break>| match answer {
            Ok(_) => 0,
            Err(Break::Stop(_)) => 1,
            Err(Break::Pause) => 2,
            Err(Break::Overtaken) => 3,
        };
        answers.into_iter().min_by_key(rank).unwrap_or(Err(Break::Pause))
    }

    fn common<'c>(
        &'c self,
        nodes: &'c AtomicU64,
        done: &'c AtomicBool,
        busy: Option<&'c Busy>,
        on_tick: &'c (dyn Fn(u64) + Sync),
    ) -> Common<'c, B, M> {
        Common {
            kernel: self.kernel,
            memo: &self.memo,
            table: self.table.as_ref(),
            limits: self.limits,
            nodes,
            pause_at: self.pause_at,
            stage: self.stage,
            busy,
            done,
            on_tick,
        }
    }

    /// Reports once in a while.
    fn tick(&self, nodes: u64) {
        if let Ok(mut reported) = self.reported.try_lock()
            && reported.elapsed() >= REPORT_EVERY
        {
            *reported = Instant::now();
            self.progress.report(&Report::Search { margin: self.margin, nodes, table_seeds: self.table_seeds() });
        }
    }
}

/// A session that cannot go on.
#[derive(Debug)]
pub(crate) enum SessionError {
    Stopped(StopReason),
    Table(BuildError),
    /// The table that was asked for takes more than the limits allow.
    Memory {
        needed: u64,
    },
}

//! A search over several questions and several stages of effort.
//!
//! A stage has a transposition table of some size, an endgame table of some size and a budget of positions. When the budget is
//! spent, both tables grow and the same question goes on with all that was learnt. So small problems cost nothing, and large ones
//! get the memory they may have.

mod growth;
mod keeping;
mod report;

use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use lumbung_engine::RuleSet;
use lumbung_engine::kernel::{Kernel, Lanes, Seat};
use lumbung_tables::Table;
use lumbung_tables::build::BuildError;
use lumbung_tables::file::{FileError, load_table_until};
use rayon::ThreadPool;

use crate::busy::Busy;
use crate::checkpoint::CheckpointError;
use crate::limits::{Limits, Progress, StopReason};
use crate::questions::Questions;
use crate::search::proof::{self, ProofTree, Question, Unfolded, lock};
use crate::search::{Break, Common, Searcher};
use crate::transposition::{Known, Transpositions};
use keeping::Keeping;
use report::Telling;

/// Transposition table of the first stage.
const FIRST_TRANSPOSITION_BYTES: u64 = 1 << 20;
/// Positions of the first stage, which one thread searches: waking the others would take longer than most of these searches.
/// Unit tests have small ones, to go through many stages with small problems.
const FIRST_BUDGET: u64 = if cfg!(test) { 64 } else { 1 << 15 };
/// How much more positions each stage gets.
const BUDGET_GROWTH: u64 = 2;
/// The most bytes of a transposition table of the first stage.
fn most_first_transpositions(memory: u64) -> u64 {
    (memory / 2).max(1 << 16)
}

/// Bytes of a transposition table of the first stage, where one of that size can be.
pub(crate) fn first_transpositions(memory: u64) -> u64 {
    most_first_transpositions(memory).min(FIRST_TRANSPOSITION_BYTES)
}

/// See the [module](self).
pub(crate) struct Session<'a, B: Lanes, T: Transpositions<B>> {
    rules: &'a RuleSet,
    pub(crate) kernel: &'a Kernel<B>,
    transpositions: T,
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
    pub(crate) ordering: u64,
    budget: u64,
    pause_at: u64,
    /// Positions at which a question is put off, see [`Session::ask`].
    recess_at: u64,
    telling: Telling<B>,
    /// Bytes of memory that the line of a thread may take, its stack among them.
    pub(crate) line_bytes: usize,
    /// The question in work, or that was put off last, as far as it was searched; none under rules that can repeat a position.
    tree: Option<Arc<Mutex<ProofTree<B>>>>,
    /// What the trees before it had unfolded, while there is none.
    unfolded: Unfolded,
    /// Present if a checkpoint is kept.
    keeping: Option<Keeping<'a>>,
}

impl<'a, B: Lanes, T: Transpositions<B>> Session<'a, B, T> {
    /// `transpositions` makes a transposition table of about so many bytes, if one of that size can be.
    pub(crate) fn new(
        rules: &'a RuleSet,
        kernel: &'a Kernel<B>,
        transpositions: impl Fn(usize) -> Option<T>,
        limits: &'a Limits,
        progress: &'a dyn Progress,
        pool: &'a ThreadPool,
    ) -> Option<Self> {
        let most = most_first_transpositions(limits.memory) as usize;
        // A table of exact short keys may need a certain size at least.
        let mut bytes = first_transpositions(limits.memory) as usize;
        let transpositions = loop {
            match transpositions(bytes) {
                Some(transpositions) => break transpositions,
                None if bytes >= most => return None,
                None => bytes = (2 * bytes).min(most),
            }
        };
        Some(Session {
            rules,
            kernel,
            transpositions,
            table: None,
            table_is_fixed: false,
            limits,
            progress,
            pool,
            nodes: 0,
            table_hits: 0,
            stage: 0,
            ordering: 0,
            budget: FIRST_BUDGET,
            pause_at: FIRST_BUDGET,
            recess_at: u64::MAX,
            telling: Telling::new(),
            line_bytes: growth::line_bytes(limits.memory, pool.current_num_threads()),
            tree: None,
            unfolded: Unfolded::default(),
            keeping: None,
        })
    }

    /// Uses an endgame table of exactly `seeds` seeds; none at all for 0.
    pub(crate) fn fix_table(&mut self, seeds: usize) -> Result<(), SessionError> {
        self.table_is_fixed = true;
        if seeds == 0 {
            return Ok(());
        }
        let needed = self.plan(seeds)?.memory;
        let allowed = self.limits.memory.saturating_sub(self.transpositions.bytes() as u64);
        if needed > allowed {
            let fits = (1..seeds).rev().find(|&fewer| self.plan(fewer).is_ok_and(|plan| plan.memory <= allowed));
            return Err(SessionError::Memory { needed, allowed, fits });
        }
        self.build_table(seeds)
    }

    /// Begins with a table on disk: of exactly `fixed` seeds, to which it is added if there are fewer, or else of as many as are there
    /// and fit, to which the search may add.
    pub(crate) fn load_table(&mut self, path: &Path, fixed: Option<usize>) -> Result<(), SessionError> {
        self.table_is_fixed = fixed.is_some();
        let most = fixed.unwrap_or(self.kernel.max_seeds());
        // The rest is for the transposition table, and for a proof tree or long lines.
        let memory = (self.limits.memory / 2).saturating_sub(self.working_bytes());
        let (rules, pits) = (self.rules, self.kernel.pits());
        let load = |stop: &AtomicBool| self.pool.install(|| load_table_until(path, rules, pits, most, memory, stop));
        let (table, _) = self.limits.watch(load);
        if let Some(reason) = self.limits.exceeded(0) {
            return Err(SessionError::Stopped(reason));
        }
        self.table = Some(table.map_err(SessionError::File)?);
        match fixed {
            // What the files lack is worked out.
            Some(seeds) if self.table_seeds() < Some(seeds) => self.fix_table(seeds),
            _ => Ok(()),
        }
    }

    /// Seeds of the endgame table in use.
    pub(crate) fn table_seeds(&self) -> Option<usize> {
        self.table.as_ref().map(Table::seeds)
    }

    /// See [`Searcher::at_least`]; goes through as many stages as it takes, with all threads.
    pub(crate) fn at_least(&mut self, board: &B, seat: Seat, beta: i32) -> Result<i32, StopReason> {
        loop {
            if let Some(bound) = self.at_least_or_recess(board, seat, beta)? {
                return Ok(bound);
            }
        }
    }

    /// The same; nothing if the question has to be put off.
    fn at_least_or_recess(&mut self, board: &B, seat: Seat, beta: i32) -> Result<Option<i32>, StopReason> {
        // Most questions of a caller who asks many are settled by what is known.
        let known = self.look_up(board, seat);
        if known.low >= beta {
            return Ok(Some(known.low));
        }
        if known.high < beta {
            return Ok(Some(known.high));
        }
        let question = Question { board: *board, seat, beta };
        let tree = (!self.kernel.can_repeat()).then(|| self.tree_for(question));
        let answer = self.in_stages(|session| session.search(question, tree.as_deref()));
        if matches!(answer, Ok(Some(_)))
            && let Some(tree) = self.tree.take()
        {
            self.unfolded = lock(&tree).take_earlier();
        }
        answer
    }

    /// The tree of a question: that which was put off last, or a new one.
    fn tree_for(&mut self, question: Question<B>) -> Arc<Mutex<ProofTree<B>>> {
        let same = self.tree.as_ref().filter(|tree| lock(tree).is_about(&question)).cloned();
        same.unwrap_or_else(|| {
            let unfolded = self.tree.as_ref().map_or_else(|| std::mem::take(&mut self.unfolded), |tree| lock(tree).unfolded());
            let tree = proof::tree_for(question, self.tree_bytes(), self.kernel, unfolded);
            Arc::clone(self.tree.insert(Arc::new(Mutex::new(tree))))
        })
    }

    /// Searches a question until a stage ends: in the first stage by one thread.
    fn search(&mut self, question: Question<B>, tree: Option<&Mutex<ProofTree<B>>>) -> Result<i32, Break> {
        let Question { board, seat, beta } = question;
        let search = |searcher: &mut Searcher<'_, B, T>, thread| match tree {
            Some(tree) => searcher.prove(tree, thread),
            None => searcher.at_least(&board, seat, beta),
        };
        if self.stage == 0 || self.threads() == 1 { self.alone(|searcher| search(searcher, 0)) } else { self.together(search) }
    }

    /// Whether the value of a board is at least `beta`, which need not be a value that it can have.
    pub(crate) fn reaches(&mut self, board: &B, seat: Seat, beta: i32) -> Result<bool, StopReason> {
        match self.possible(board, beta) {
            Ok(beta) => self.at_least(board, seat, beta).map(|bound| bound >= beta),
            Err(reaches) => Ok(reaches),
        }
    }

    /// The next value up from `beta` that the board can have, or whether any is as large.
    fn possible(&self, board: &B, beta: i32) -> Result<i32, bool> {
        let seeds = board.seeds() as i32;
        if beta <= -seeds || beta > seeds {
            return Err(beta <= -seeds);
        }
        Ok(beta + (beta + seeds) % self.kernel.value_step())
    }

    /// As [`Session::reaches`], but gives up after about so many positions, which do not count for the stage; `attempt` chooses a ranking.
    pub(crate) fn reaches_within(
        &mut self,
        board: &B,
        seat: Seat,
        beta: i32,
        nodes: u64,
        attempt: usize,
    ) -> Result<Option<bool>, StopReason> {
        let beta = match self.possible(board, beta) {
            Ok(beta) => beta,
            Err(reaches) => return Ok(Some(reaches)),
        };
        let known = self.look_up(board, seat);
        if known.low >= beta || known.high < beta || nodes == 0 {
            return Ok(if known.low >= beta { Some(true) } else { (known.high < beta).then_some(false) });
        }
        let (pause_at, before) = (self.pause_at, self.nodes);
        self.pause_at = before.saturating_add(nodes);
        let answer = self.alone_by(self.stage + attempt, |searcher| searcher.at_least(board, seat, beta));
        self.pause_at = pause_at.saturating_add(self.nodes - before);
        match answer {
            Ok(bound) => Ok(Some(bound >= beta)),
            Err(Break::Stop(reason)) => Err(reason),
            Err(Break::Pause | Break::TooLong | Break::Overtaken) => Ok(None),
        }
    }

    /// Narrows bounds of the value of a board until they are `enough`; also says what stopped that, if anything did.
    pub(crate) fn narrow(
        &mut self,
        board: &B,
        seat: Seat,
        mut bounds: (i32, i32),
        mut questions: Questions,
        enough: impl Fn((i32, i32)) -> bool,
    ) -> ((i32, i32), Option<StopReason>) {
        while !enough(bounds) {
            // Before the question, so that it is asked again if it stays open.
            self.note(board, seat, bounds, &questions);
            let beta = questions.next(bounds);
            if let Err(reason) = self.ask(board, seat, &mut bounds, beta, u64::MAX) {
                return (bounds, Some(reason));
            }
        }
        self.note(board, seat, bounds, &questions);
        self.telling.bounds = bounds;
        (bounds, None)
    }

    /// Asks whether the value of a board is at least `beta`, and narrows its bounds by the answer. The question is put off, and the
    /// answer to this one `false`, once it has taken `effort` positions; what was learnt on the way stays in the tables.
    pub(crate) fn ask(
        &mut self,
        board: &B,
        seat: Seat,
        bounds: &mut (i32, i32),
        beta: i32,
        effort: u64,
    ) -> Result<bool, StopReason> {
        self.telling.root = Some((*board, seat));
        self.telling.bounds = *bounds;
        self.recess_at = self.nodes.saturating_add(effort);
        let answer = self.at_least_or_recess(board, seat, beta);
        self.recess_at = u64::MAX;
        match answer? {
            Some(bound) if bound >= beta => bounds.0 = bounds.0.max(bound),
            Some(bound) => bounds.1 = bounds.1.min(bound),
            None => return Ok(false),
        }
        Ok(true)
    }

    /// What is known of a board without search.
    pub(crate) fn look_up(&mut self, board: &B, seat: Seat) -> Known {
        self.alone(|searcher| searcher.look_up(board, seat))
    }

    /// Whether a limit on time or positions may end the work.
    pub(crate) fn is_limited(&self) -> bool {
        self.limits.nodes.is_some() || self.limits.deadline.is_some()
    }

    /// Threads that search.
    pub(crate) fn threads(&self) -> usize {
        self.pool.current_num_threads()
    }

    /// Works through as many stages as it takes; nothing if the work has to be put off.
    fn in_stages<R>(&mut self, mut work: impl FnMut(&mut Self) -> Result<R, Break>) -> Result<Option<R>, StopReason> {
        loop {
            match work(self) {
                Ok(done) => return Ok(Some(done)),
                Err(Break::Stop(reason)) => return Err(reason),
                Err(_) if self.nodes >= self.recess_at => return Ok(None),
                Err(Break::Pause | Break::Overtaken) => self.grow()?,
                // A larger table leaves shorter lines.
                Err(Break::TooLong) => {
                    let had = self.table_seeds();
                    self.grow()?;
                    if self.table_seeds() == had {
                        return Err(StopReason::Memory);
                    }
                }
            }
        }
    }

    fn alone<R>(&mut self, work: impl FnOnce(&mut Searcher<'_, B, T>) -> R) -> R {
        self.alone_by(self.stage, work)
    }

    /// One thread, with the ranking of this number.
    fn alone_by<R>(&mut self, ranking: usize, work: impl FnOnce(&mut Searcher<'_, B, T>) -> R) -> R {
        let nodes = AtomicU64::new(self.nodes);
        let done = AtomicBool::new(false);
        let on_tick = |nodes| self.tick(nodes);
        let common = self.common(&nodes, &done, ranking, None, &on_tick);
        let mut searcher = Searcher::new(&common, 0);
        let result = work(&mut searcher);
        let (all, hits) = (searcher.tell(), searcher.table_hits);
        self.nodes = all;
        self.table_hits += hits;
        result
    }

    /// All threads search the same question; the first to answer it, or to run into a limit, ends it.
    fn together(&mut self, search: impl Fn(&mut Searcher<'_, B, T>, usize) -> Result<i32, Break> + Sync) -> Result<i32, Break> {
        let nodes = AtomicU64::new(self.nodes);
        let done = AtomicBool::new(false);
        let hits = AtomicU64::new(0);
        let busy = Busy::new();
        let on_tick = |nodes| self.tick(nodes);
        let common = self.common(&nodes, &done, self.stage, Some(&busy), &on_tick);
        let answers = self.pool.broadcast(|thread| {
            let mut searcher = Searcher::new(&common, thread.index());
            let answer = search(&mut searcher, thread.index());
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
            Err(Break::TooLong) => 3,
            Err(Break::Overtaken) => 4,
        };
        answers.into_iter().min_by_key(rank).unwrap_or(Err(Break::Pause))
    }

    fn common<'c>(
        &'c self,
        nodes: &'c AtomicU64,
        done: &'c AtomicBool,
        ranking: usize,
        busy: Option<&'c Busy>,
        on_tick: &'c (dyn Fn(u64) + Sync),
    ) -> Common<'c, B, T> {
        Common {
            kernel: self.kernel,
            transpositions: &self.transpositions,
            table: self.table.as_ref(),
            limits: self.limits,
            nodes,
            pause_at: self.pause_at.min(self.recess_at),
            ranking,
            ordering: self.ordering,
            line_bytes: self.line_bytes,
            busy,
            done,
            on_tick,
        }
    }
}

/// A session that cannot go on.
#[derive(Debug)]
pub(crate) enum SessionError {
    Stopped(StopReason),
    Table(BuildError),
    /// No table where the players see different games.
    Owners,
    File(FileError),
    Checkpoint(CheckpointError),
    /// The table that was asked for takes more than the limits allow.
    Memory {
        needed: u64,
        /// What the transposition table leaves.
        allowed: u64,
        /// Seeds of the largest table for which that is enough.
        fits: Option<usize>,
    },
}

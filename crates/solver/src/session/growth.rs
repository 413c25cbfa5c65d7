//! How the tables of a session grow from stage to stage.

use std::time::Instant;

use lumbung_engine::Pit;
use lumbung_engine::kernel::Lanes;
use lumbung_tables::build::{Builder, Plan, build_parity};
use lumbung_tables::rows::{Options, Progress as Layer};
use lumbung_tables::{MAX_TABLE_SEEDS, Table};

use super::{BUDGET_GROWTH, FIRST_BUDGET, Session, SessionError};
use crate::endgame::{layers, table_plan};
use crate::forecast::{self, Choice};
use crate::limits::{Report, StopReason};
use crate::setup::STACK_BYTES;
use crate::transposition::Transpositions;

/// How much larger the transposition table gets when it does.
const TRANSPOSITION_GROWTH: u64 = 4;
/// Bytes of transposition table for each position to be visited, at least. Where that many can be foreseen it is an entry for
/// each: there what glances settle is not remembered, and clearing memory that stays empty took a twentieth of the time.
const TRANSPOSITION_BYTES_PER_NODE: u64 = 16;
/// Endgame positions a stage may build for each position visited so far, by rows and by moves. Building takes about 3.5 and 200
/// ns a position and thread, and a visit 0.7 microseconds: so without relays tables take about as long as the search before them.
/// Each two seeds more spare half of the positions that are left to visit; with relays they cost more and spare less. Without
/// relays a table built by rows is chosen by a forecast first, and grows like this once that has proven too low by far.
const ROWS_POSITIONS_PER_NODE: u64 = 200;
const RELAY_ROWS_POSITIONS_PER_NODE: u64 = 20;
const PLAIN_POSITIONS_PER_NODE: u64 = 2;
/// The same for rules that can repeat a position, by sweeps of rows and of positions.
const ROW_SWEEPS_POSITIONS_PER_NODE: u64 = 40;
const SWEPT_POSITIONS_PER_NODE: u64 = 1;
/// So many times the positions foreseen must be visited before a forecast is given up.
const FORECAST_SLACK: f64 = 2.0;
/// Nanoseconds that a position built by rows takes a thread, at most, and the share of the time left that a table may take.
const ROWS_NANOSECONDS: f64 = 8.0;
const TABLE_TIME_SHARE: f64 = 0.25;
/// Nanoseconds that a byte of a transposition table takes until it is cleared, at most, and the share of the time left that a table of
/// the size foreseen may take for that.
const CLEARING_NANOSECONDS: f64 = 2.0;
const CLEARING_TIME_SHARE: f64 = 0.125;

/// The share of all memory that the lines of all threads may take under rules that can repeat a position, and the least bytes of a
/// thread.
const LINES_SHARE: usize = 8;
const LEAST_LINE_BYTES: usize = 8 << 20;

/// The share of all memory that the tree of a question may take, and the most bytes, with and without relays. With relays searches are
/// longer than endgame tables can help. Tables that such a search chooses take a third each at most, and the transposition table with
/// the one it replaces no more than half, so a sixth is left.
const RELAY_TREE_SHARE: u64 = 6;
const RELAY_TREE_BYTES: u64 = 2 << 30;
const TREE_SHARE: u64 = 16;
const TREE_BYTES: u64 = 1 << 30;
/// The share that it may take of what a table leaves that is larger than the search would choose.
const TREE_SHARE_OF_REST: u64 = 4;

/// Bytes of memory that the line of each of so many threads may take.
pub(super) fn line_bytes(memory: u64, threads: usize) -> usize {
    let share = usize::try_from(memory).unwrap_or(usize::MAX) / LINES_SHARE / threads;
    share.clamp(LEAST_LINE_BYTES, STACK_BYTES / 2)
}

impl<B: Lanes, T: Transpositions<B>> Session<'_, B, T> {
    /// Builds the table of up to `seeds` seeds in place of the one that is there.
    pub(super) fn build_table(&mut self, seeds: usize) -> Result<(), SessionError> {
        let limits = self.limits;
        let parity = layers(self.rules, self.kernel.pits(), self.kernel.max_seeds(), seeds);
        // What is there already is not worked out again, unless both together are too much.
        let with_both = |plan: Plan| Plan { memory: plan.memory.saturating_add(self.table_bytes()), ..plan };
        let both_fit = self.plan(seeds).map(with_both).is_ok_and(|plan| self.fits(&plan));
        let old = self.table.take().filter(|_| both_fit);
        let progress = |layer: Layer| self.progress.report(&Report::Table { seeds: layer.seeds, positions: layer.total });
        let (result, stopped) = limits.watch(|stop| {
            let options = Options { threads: self.threads(), memory: Some(limits.memory), stop, progress: &progress };
            self.pool.install(|| build_parity(self.rules, self.kernel.pits(), seeds, parity, options, old.as_ref()))
        });
        match result {
            Ok(built) => {
                self.table = Some(built.table);
                Ok(())
            }
            Err(error) => {
                self.table = old;
                match stopped {
                    true => Err(SessionError::Stopped(limits.exceeded(0).unwrap_or(StopReason::Interrupted))),
                    false => Err(SessionError::Table(error)),
                }
            }
        }
    }

    /// What a table of so many seeds takes.
    pub(super) fn plan(&self, seeds: usize) -> Result<Plan, SessionError> {
        if !self.kernel.is_symmetric() {
            return Err(SessionError::Owners);
        }
        let plan = table_plan(self.rules, self.kernel.pits(), self.kernel.max_seeds(), seeds, self.threads());
        plan.map_err(SessionError::Table)
    }

    /// Bytes of the endgame table.
    fn table_bytes(&self) -> u64 {
        self.table.as_ref().map_or(0, Table::bytes)
    }

    /// Bytes of memory that the tree of a question may take.
    pub(super) fn tree_bytes(&self) -> u64 {
        let memory = self.limits.memory;
        let (share, most) = match self.kernel.relays() {
            true => (RELAY_TREE_SHARE, RELAY_TREE_BYTES),
            false => (TREE_SHARE, TREE_BYTES),
        };
        (memory / share).min(most).min(memory.saturating_sub(self.table_bytes()) / TREE_SHARE_OF_REST)
    }

    /// Bytes of memory that a question takes beside the tables: its tree, or its lines where a position can be repeated.
    pub(super) fn working_bytes(&self) -> u64 {
        if self.kernel.can_repeat() { self.threads() as u64 * self.line_bytes as u64 } else { self.tree_bytes() }
    }

    /// Whether the effort of the search can be foreseen, and a table by rows be chosen accordingly.
    fn can_foresee(&self) -> bool {
        !self.kernel.relays() && self.plan(1).is_ok_and(|plan| plan.builder == Builder::Rows)
    }

    /// What a table takes that a forecast may choose: one by rows, for whose speed forecasts are made.
    fn foreseen_plan(&self, seeds: usize) -> Option<Plan> {
        self.plan(seeds).ok().filter(|plan| plan.builder == Builder::Rows)
    }

    /// Whether there is memory for a table. Where it is chosen once and for all it may have what the transposition table and a
    /// proof tree leave, if it leaves half of all to that when it is built; otherwise a third.
    pub(super) fn fits(&self, plan: &Plan) -> bool {
        let memory = self.limits.memory;
        if self.can_foresee() {
            let beside = self.transpositions.bytes() as u64 + self.working_bytes();
            plan.memory.saturating_add(beside) <= memory && plan.bytes <= memory / 2
        } else {
            plan.memory <= memory / 3
        }
    }

    /// Seeds of the largest table that the search may afford after so many positions.
    fn affordable_table(&self) -> Option<usize> {
        let affordable = |plan: Plan| {
            let per_node = match plan.builder {
                Builder::Rows if self.kernel.relays() => RELAY_ROWS_POSITIONS_PER_NODE,
                Builder::Rows => ROWS_POSITIONS_PER_NODE,
                Builder::Plain { .. } => PLAIN_POSITIONS_PER_NODE,
                Builder::RowSweeps => ROW_SWEEPS_POSITIONS_PER_NODE,
                Builder::Sweep { .. } => SWEPT_POSITIONS_PER_NODE,
            };
            plan.positions <= self.nodes_in_all().saturating_mul(per_node) && self.fits(&plan)
        };
        let most = self.kernel.max_seeds().min(MAX_TABLE_SEEDS);
        (1..=most).take_while(|&seeds| self.plan(seeds).is_ok_and(affordable)).last()
    }

    /// A choice for so many seeds in play, of which `left` positions may be visited yet, beside the table that is there.
    fn choice_for(&self, in_play: usize, left: f64) -> Choice {
        let (pits, have) = (self.kernel.pits(), self.table_seeds().unwrap_or(0));
        Choice { pits, in_play, have, left, built_per_visit: ROWS_POSITIONS_PER_NODE as f64 }
    }

    /// What a table is to be chosen by; nothing where the effort cannot be foreseen, or was and has turned out much larger.
    fn choice(&self) -> Option<Choice> {
        // A search that is set aside goes on another time, and a table pays then.
        let limit = self.limits.nodes.filter(|_| self.keeping.is_none());
        let left = limit.map_or(f64::INFINITY, |nodes| nodes.saturating_sub(self.nodes) as f64);
        let choice = self.choice_for(self.kernel.max_seeds(), left);
        let foreseen = forecast::visits(choice.pits, choice.in_play, choice.have);
        let holds = self.can_foresee() && (self.nodes_in_all() as f64) < FORECAST_SLACK * foreseen;
        holds.then_some(choice)
    }

    /// Positions that a search of the start of a game is likely to take in all, to an order of magnitude: with the table that it
    /// has, or would choose if it had the time, and the first stage. Nothing for other positions, whose searches are not regular
    /// enough, and nothing any more once as many were visited: `nodes` in this session and those before it.
    pub(crate) fn foreseen(&self, nodes: u64) -> Option<u64> {
        let (board, _) = self.telling.root.filter(|(board, _)| self.is_start(board) && self.can_foresee())?;
        let choice = self.choice_for(board.seeds() as usize, f64::INFINITY);
        let positions = |seeds| self.foreseen_plan(seeds).filter(|plan| self.fits(plan)).map(|plan| plan.positions);
        let seeds = if self.table_is_fixed { choice.have } else { choice.best(positions) };
        let all = FIRST_BUDGET.saturating_add(choice.visits(seeds) as u64);
        (self.nodes_before().saturating_add(nodes) < all).then_some(all)
    }

    /// Nanoseconds until the deadline, if there is one.
    fn time_left(&self) -> Option<f64> {
        self.limits.deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()).as_nanos() as f64)
    }

    /// Whether all pits hold the same.
    fn is_start(&self, board: &B) -> bool {
        let pits = (0..2 * self.kernel.pits()).map(|pit| board.get(self.kernel.lane(Pit(pit as u8))));
        pits.clone().min() == pits.max()
    }

    /// Seeds of the table with which building it and searching on together are likely to take the least; nothing where that cannot
    /// be told, or was told and has turned out wrong.
    fn foreseen_table(&self) -> Option<usize> {
        let choice = self.choice()?;
        let all_threads = TABLE_TIME_SHARE * self.threads() as f64;
        let most = self.time_left().map_or(f64::INFINITY, |time| all_threads * time / ROWS_NANOSECONDS);
        Some(choice.best(|seeds| {
            let plan = self.foreseen_plan(seeds)?;
            (plan.positions as f64 <= most && self.fits(&plan)).then_some(plan.positions)
        }))
    }

    /// The next stage: more memory, more positions.
    pub(super) fn grow(&mut self) -> Result<(), StopReason> {
        self.stage += 1;
        self.budget = self.budget.saturating_mul(BUDGET_GROWTH);
        self.pause_at = self.nodes.saturating_add(self.budget);
        if !self.table_is_fixed
            && let Some(seeds) = self.foreseen_table().or_else(|| self.affordable_table())
            && self.table_seeds().unwrap_or(0) < seeds
        {
            // Without room for a table the search goes on without one.
            if let Err(SessionError::Stopped(reason)) = self.build_table(seeds) {
                return Err(reason);
            }
        }
        self.grow_transpositions(1);
        Ok(())
    }

    /// Positions visited by this session and those that it goes on from.
    fn nodes_in_all(&self) -> u64 {
        self.nodes_before().saturating_add(self.nodes)
    }

    /// A larger transposition table, if so many stages have begun that need one and there is memory: while it grows, old and new
    /// exist together.
    pub(super) fn grow_transpositions(&mut self, stages: usize) {
        let now = self.transpositions.bytes() as u64;
        let room = self.limits.memory.saturating_sub(self.table_bytes().saturating_add(self.working_bytes()).saturating_add(now));
        let (room, per_node) = match self.can_foresee() {
            true => (room, T::BYTES as u64),
            false => (room.min(self.limits.memory / 3), TRANSPOSITION_BYTES_PER_NODE),
        };
        let enough = self.nodes_before().saturating_add(self.pause_at).saturating_mul(per_node);
        let mut next = now;
        for _ in 0..stages {
            if next < enough {
                next = next.saturating_mul(TRANSPOSITION_GROWTH);
            }
        }
        // One large enough from the beginning need not be filled again; but who has little time must not spend it on memory.
        let wanted = self.choice().map_or(0, |choice| (choice.visits(choice.have) as u64).saturating_mul(per_node));
        let clearable = self.time_left().map_or(u64::MAX, |time| (CLEARING_TIME_SHARE * time / CLEARING_NANOSECONDS) as u64);
        let wanted = wanted.checked_next_power_of_two().unwrap_or(u64::MAX).min(clearable);
        let grown = next.max(wanted).min(room);
        if grown >= 2 * now {
            self.transpositions = self.transpositions.grown(grown as usize);
        }
    }
}

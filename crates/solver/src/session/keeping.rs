//! What a session keeps of its search in a checkpoint, and how it goes on from one.
//!
//! What is kept of the position are bounds that are proven of itself. Questions about other boards, of which an analysis or a
//! certificate asks many, narrow what is reported, and leave it as it is.

#[cfg(test)]
mod tests;

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use lumbung_engine::kernel::{Lanes, Seat};
use lumbung_tables::build::Plan;

use super::{BUDGET_GROWTH, FIRST_BUDGET, Session, SessionError};
use crate::checkpoint::{Checkpoint, CheckpointError, Progressed};
use crate::limits::Report;
use crate::questions::{Course, Questions};
use crate::search::proof::{Unfolded, lock};
use crate::transposition::Transpositions;

/// Time between checkpoints.
const SAVE_EVERY: Duration = Duration::from_secs(180);

/// The checkpoint of a session, and what goes into it that the session does not know otherwise.
pub(super) struct Keeping<'a> {
    checkpoint: Checkpoint<'a>,
    /// Proven bounds of the value of the checkpoint's position, and how far the questions had come before the one in work.
    reached: ((i32, i32), Course),
    /// Seeds of the endgame table of an earlier search, which this one may not have yet, or no memory for.
    table_seeds: Option<usize>,
    /// Positions that earlier searches visited.
    nodes: u64,
    saved: Mutex<Instant>,
    error: Mutex<Option<CheckpointError>>,
}

impl Keeping<'_> {
    fn error(&self) -> MutexGuard<'_, Option<CheckpointError>> {
        self.error.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<'a, B: Lanes, T: Transpositions<B>> Session<'a, B, T> {
    /// Goes on from a checkpoint, if there is one, and keeps it up to date from now on. `fixed` are the seeds of the endgame table
    /// that is to be built, if it is not for the search to choose.
    pub(crate) fn keep(&mut self, checkpoint: Checkpoint<'a>, fixed: Option<usize>) -> Result<(), SessionError> {
        let loaded = checkpoint.load(|entries, earlier: &Progressed| {
            let wanted = entries.saturating_mul(2 * T::ENTRY_BYTES as u64);
            self.transpositions.grown(wanted.min(self.room_to_load(earlier, fixed)) as usize)
        });
        let seeds = self.kernel.max_seeds() as i32;
        let earlier = match loaded.map_err(SessionError::Checkpoint)? {
            Some((transpositions, earlier, unfolded)) => {
                // What had no room is lost once the file is replaced, so that is not done before there is something to be saved.
                checkpoint.try_place().map_err(SessionError::Checkpoint)?;
                self.transpositions = transpositions;
                self.unfolded = unfolded;
                self.stage = earlier.stage;
                self.budget = FIRST_BUDGET.saturating_mul(BUDGET_GROWTH.saturating_pow(self.stage as u32));
                // Searches that are shorter than a stage come to its end together.
                self.pause_at = earlier.left.clamp(1, self.budget);
                Some(earlier)
            }
            None => None,
        };
        self.keeping = Some(Keeping {
            checkpoint,
            reached: earlier.map_or(((-seeds, seeds), Course::default()), |earlier| (earlier.bounds, earlier.course)),
            table_seeds: earlier.and_then(|earlier| earlier.table_seeds),
            nodes: earlier.map_or(0, |earlier| earlier.nodes),
            saved: Mutex::new(Instant::now()),
            error: Mutex::new(None),
        });
        if earlier.is_none() {
            // A place that cannot be written is better known before the work than after it.
            self.save(0);
        }
        self.save_error().map_or(Ok(()), |error| Err(SessionError::Checkpoint(error)))
    }

    /// Bytes for the entries of an earlier search: at most a third of all, and what its endgame table leaves, which is built next.
    fn room_to_load(&self, earlier: &Progressed, fixed: Option<usize>) -> u64 {
        let plan = match fixed {
            Some(seeds) => self.plan(seeds).ok(),
            None => self.largest_table_up_to(earlier.table_seeds).map(|(_, plan)| plan),
        };
        let table = plan.map_or(0, |plan| plan.memory);
        let memory = self.limits.memory;
        (memory / 3).min(memory.saturating_sub(self.working_bytes().saturating_add(table)))
    }

    /// The largest table for which there is memory, of no more than so many seeds and of more than the one that is there.
    fn largest_table_up_to(&self, seeds: Option<usize>) -> Option<(usize, Plan)> {
        let larger = self.table_seeds().unwrap_or(0) + 1..=seeds?;
        larger.rev().find_map(|seeds| self.plan(seeds).ok().filter(|plan| self.fits(plan)).map(|plan| (seeds, plan)))
    }

    /// Builds the endgame table that the earlier search had come to, or as much of it as there is memory for, and gives the stage that
    /// it had come to a transposition table.
    pub(crate) fn build_earlier_table(&mut self) -> Result<(), SessionError> {
        let seeds = self.keeping.as_ref().and_then(|keeping| keeping.table_seeds).filter(|_| !self.table_is_fixed);
        if let Some((seeds, _)) = self.largest_table_up_to(seeds)
            && let Err(SessionError::Stopped(reason)) = self.build_table(seeds)
        {
            // Without room for a table the search goes on without one.
            return Err(SessionError::Stopped(reason));
        }
        if self.keeping.is_some() && self.stage > 0 {
            self.grow_transpositions(self.stage);
        }
        Ok(())
    }

    /// Proven bounds of the value of the checkpoint's position and how far the questions about it have come, if one is kept.
    pub(crate) fn reached(&self) -> Option<((i32, i32), Course)> {
        self.keeping.as_ref().map(|keeping| keeping.reached)
    }

    /// Notes what is proven of a board, and how far the questions about it have come, if the checkpoint is of its position.
    pub(super) fn note(&mut self, board: &B, seat: Seat, bounds: (i32, i32), questions: &Questions) {
        let kernel = self.kernel;
        let Some(keeping) = &mut self.keeping else { return };
        let position = keeping.checkpoint.position();
        if kernel.pack(position) == *board && kernel.seat(position.to_move) == seat {
            keeping.reached = (bounds, questions.course());
        }
    }

    /// Positions that earlier searches visited which this one goes on from.
    pub(crate) fn nodes_before(&self) -> u64 {
        self.keeping.as_ref().map_or(0, |keeping| keeping.nodes)
    }

    /// Writes the checkpoint, if one is kept, after so many positions.
    pub(crate) fn save(&self, nodes: u64) {
        let Some(keeping) = &self.keeping else { return };
        let (bounds, course) = keeping.reached;
        let come = Progressed {
            bounds,
            course,
            stage: self.stage.min(64),
            left: self.pause_at.saturating_sub(nodes),
            table_seeds: self.table_seeds().max(keeping.table_seeds),
            nodes: keeping.nodes.saturating_add(nodes),
        };
        let result = keeping.checkpoint.save(&self.transpositions, come, &self.unfolded());
        *keeping.error() = result.err();
    }

    /// Writes the checkpoint once in a while, and tells if that fails.
    pub(super) fn save_when_due(&self, nodes: u64) {
        if let Some(keeping) = &self.keeping
            && let Ok(mut saved) = keeping.saved.try_lock()
            && saved.elapsed() >= SAVE_EVERY
        {
            self.save(nodes);
            let error = keeping.error().as_ref().map(CheckpointError::to_string);
            if let Some(error) = error {
                self.progress.report(&Report::Unsaved { error });
            }
            *saved = Instant::now();
        }
    }

    /// Why the checkpoint could not be written the last time.
    pub(crate) fn save_error(&self) -> Option<CheckpointError> {
        self.keeping.as_ref().and_then(|keeping| keeping.error().take())
    }

    /// For a checkpoint: the questions whose moves have taken over, and that are open as far as that is known.
    fn unfolded(&self) -> Unfolded {
        self.tree.as_ref().map_or_else(|| self.unfolded.clone(), |tree| lock(tree).unfolded())
    }
}

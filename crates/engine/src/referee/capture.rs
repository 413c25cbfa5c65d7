//! The captures, in the order in which they are tried.

use super::lap::Table;
use super::{Capture, CaptureKind};
use crate::position::{Owners, Side};
use crate::rules::{BeyondGapCapture, CountCapture, CountSide, GrandSlam, LandingSeed, OppositeCapture, Rules};

/// What a move that ended in a pit captured.
pub(super) enum Captured {
    /// Nothing.
    Nothing,
    /// Something; the seeds are in the mover's store.
    Taken(Capture),
    /// A grand slam that may not be played.
    ForbiddenSlam,
    /// A grand slam that captures nothing; the board is as the sowing left it.
    SlamUndone,
}

/// Carries out the capture of a move of `mover` whose last seed fell in ring pit `last`.
pub(super) fn capture(rules: &Rules, owners: Owners, mover: Side, table: &mut Table, last: usize) -> Captured {
    let scene = Scene { owners, mover, last };
    if let Some(rule) = rules.capture.opposite {
        let taken = scene.opposite(rule, table);
        if !taken.is_empty() {
            return Captured::Taken(Capture { kind: CaptureKind::Opposite, taken });
        }
    }
    if rules.capture.sandwich {
        let taken = scene.sandwich(table);
        if !taken.is_empty() {
            return Captured::Taken(Capture { kind: CaptureKind::Sandwich, taken });
        }
    }
    if let Some(rule) = &rules.capture.count {
        let before = table.clone();
        let taken = scene.count(rule, table);
        if !taken.is_empty() {
            if scene.is_slam(table) && rule.grand_slam == GrandSlam::Forbidden {
                return Captured::ForbiddenSlam;
            }
            if scene.is_slam(table) && rule.grand_slam == GrandSlam::NoCapture {
                *table = before;
                return Captured::SlamUndone;
            }
            return Captured::Taken(Capture { kind: CaptureKind::Count, taken });
        }
    }
    if let Some(rule) = rules.capture.beyond_gap {
        let taken = scene.beyond_gap(rule, table);
        if !taken.is_empty() {
            return Captured::Taken(Capture { kind: CaptureKind::BeyondGap, taken });
        }
    }
    Captured::Nothing
}

/// Who captures, and from where.
#[derive(Clone, Copy)]
struct Scene {
    owners: Owners,
    mover: Side,
    last: usize,
}

impl Scene {
    fn opposite(self, rule: OppositeCapture, table: &mut Table) -> Vec<(usize, u16)> {
        let mut taken = Vec::new();
        if !self.is_own(self.last) || table.board[self.last] != 1 || (rule.require_visit && !table.visited) {
            return taken;
        }
        let across = table.board.len() - 1 - self.last;
        self.take(table, across, &mut taken);
        let with_landing_seed = match rule.landing_seed {
            LandingSeed::Leave => false,
            LandingSeed::TakeOnCapture => !taken.is_empty(),
            LandingSeed::Take => true,
        };
        if with_landing_seed {
            self.take(table, self.last, &mut taken);
        }
        taken
    }

    fn sandwich(self, table: &mut Table) -> Vec<(usize, u16)> {
        let mut taken = Vec::new();
        let pits = table.board.len() / 2;
        let column = self.last % pits;
        if self.is_own(self.last) || table.board[self.last] != 1 || column == 0 || column == pits - 1 {
            return taken;
        }
        let (before, after) = (self.last - 1, self.last + 1);
        if table.board[before] == table.board[after] && table.board[before] > 0 {
            for pit in [before, after, self.last] {
                self.take(table, pit, &mut taken);
            }
        }
        taken
    }

    fn count(self, rule: &CountCapture, table: &mut Table) -> Vec<(usize, u16)> {
        let ring = table.board.len();
        let takes = |table: &Table, pit: usize| {
            rule.counts.contains(&table.board[pit]) && (rule.side == CountSide::Any || !self.is_own(pit))
        };
        let mut taken = Vec::new();
        let mut pit = self.last;
        // Each pit is emptied when it is taken, and 0 is no count: the chain ends after one round at the latest.
        while takes(table, pit) {
            self.take(table, pit, &mut taken);
            if !rule.chain_back {
                break;
            }
            pit = (pit + ring - 1) % ring;
        }
        taken
    }

    fn beyond_gap(self, rule: BeyondGapCapture, table: &mut Table) -> Vec<(usize, u16)> {
        let ring = table.board.len();
        let mut taken = Vec::new();
        let mut from = self.last;
        loop {
            let (gap, beyond) = ((from + 1) % ring, (from + 2) % ring);
            if table.board[gap] != 0 || table.board[beyond] == 0 || (beyond == self.last && !rule.wrap) {
                return taken;
            }
            self.take(table, beyond, &mut taken);
            if !rule.chain {
                return taken;
            }
            from = beyond;
        }
    }

    fn is_slam(self, table: &Table) -> bool {
        (0..table.board.len()).all(|pit| self.is_own(pit) || table.board[pit] == 0)
    }

    fn is_own(self, pit: usize) -> bool {
        self.owners.of(pit) == self.mover
    }

    fn take(self, table: &mut Table, pit: usize, taken: &mut Vec<(usize, u16)>) {
        let seeds = std::mem::take(&mut table.board[pit]);
        table.stores[self.mover.index()] += seeds;
        if seeds > 0 {
            taken.push((pit, seeds));
        }
    }
}

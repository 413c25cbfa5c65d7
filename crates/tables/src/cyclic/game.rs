//! Rules compiled for a board, with everything that is worked out once.

use std::ops::Deref;
use std::sync::OnceLock;

use lumbung_engine::kernel::{Kernel, Lanes};
use lumbung_engine::rules::{Endless, Feeding, GrandSlam, NoMove, Origin, Relay, Rules};

use crate::index::Index;
use crate::rows::over::Over;
use crate::rows::passage::Lists;
use crate::rows::rank::{Row, Rows};
use crate::rows::runs::Runs;
use crate::rows::sowing::Sowing;
use crate::rows::split::Splits;
use crate::rows::taking::Taking;

use super::Tuning;
use super::home::edges;

/// Rules compiled for a board: what does not depend on how boards are packed.
pub(super) struct Core {
    pub(super) lists: Lists,
    pub(super) splits: Splits,
    pub(super) over: Over,
    pub(super) relay: Relay,
    pub(super) origin: Origin,
    pub(super) min_seeds: u8,
    pub(super) endless: Endless,
    /// Moves that leave the other row empty are illegal while another exists.
    pub(super) leave_a_move: bool,
    /// A player with seeds may have no legal move.
    pub(super) may_lack_moves: bool,
    /// A turn may leave the board alone.
    pub(super) may_pass: bool,
    /// Seeds that a pit keeps when it is lifted.
    pub(super) kept: usize,
    pub(super) tuning: Tuning,
    edges: Vec<OnceLock<Runs>>,
}

/// The same with a kernel, which plays single boards.
pub(super) struct Game<B> {
    pub(super) core: Core,
    pub(super) kernel: Kernel<B>,
    pub(super) index: Index,
}

impl<B> Deref for Game<B> {
    type Target = Core;
    fn deref(&self) -> &Core {
        &self.core
    }
}

/// The least passage that lists are made for; see the acyclic builder.
const LEAST_PASSAGE: usize = 1;

/// A sweep costs about as much as to follow up this share of all values one by one.
const SPARSE_BELOW: f64 = 0.002;

impl Core {
    /// The moves of the rows of a sum that stay at home.
    pub(super) fn edges(&self, sum: usize) -> &Runs {
        self.edges[sum].get_or_init(|| edges(&self.lists, sum))
    }
}

impl<B: Lanes> Game<B> {
    /// `None` if there are too many boards to number.
    pub(super) fn new(
        rules: &Rules,
        kernel: Kernel<B>,
        seeds: usize,
        layers: impl Fn(usize) -> bool,
        room: usize,
    ) -> Option<Self> {
        let pits = kernel.pits();
        let rows = Rows::new(pits, seeds)?;
        let splits = Splits::of_layers(&rows, seeds, layers)?;
        let forbids = rules.capture.count.as_ref().is_some_and(|count| count.grand_slam == GrandSlam::Forbidden);
        let endless_is_illegal = rules.can_be_endless() && rules.sowing.endless == Endless::Illegal;
        let core = Core {
            lists: Lists::new(rows, seeds, Sowing::new(rules, pits), Taking::new(rules, pits), room),
            splits,
            over: Over::new(rules),
            relay: rules.sowing.relay.clone(),
            origin: rules.sowing.origin,
            min_seeds: rules.sowing.min_seeds.min(255) as u8,
            endless: rules.sowing.endless,
            leave_a_move: rules.feeding == Feeding::LeaveAMove,
            may_lack_moves: rules.sowing.min_seeds > 1 || forbids || endless_is_illegal,
            may_pass: rules.end.no_move == NoMove::Pass
                || rules.feeding == Feeding::Rescue
                || (rules.can_be_endless() && rules.sowing.endless == Endless::Pass),
            kept: usize::from(rules.sowing.origin == Origin::First),
            tuning: Tuning { least_passage: LEAST_PASSAGE, sparse_below: SPARSE_BELOW, serial: None },
            edges: (0..=seeds).map(|_| OnceLock::new()).collect(),
        };
        Some(Game { core, kernel, index: Index::new(pits, seeds)? })
    }

    /// Where the value of a board lies in `W`, for whoever is to move on it.
    #[inline(always)]
    pub(super) fn place(&self, board: &B) -> usize {
        self.place_seen_by_the_other(&board.swap())
    }

    /// The same for a board as the player sees it who is not to move.
    #[inline(always)]
    pub(super) fn place_seen_by_the_other(&self, board: &B) -> usize {
        let s = board.seeds() as usize;
        let skipped = self.index.layer_start(s) - self.splits.layer(s).start as u64;
        (self.index.rank(board) - skipped) as usize
    }

    /// The board of a place in layer `s` of `W`, as the player sees it who is not to move.
    pub(super) fn seen_by_the_other(&self, s: usize, place: usize) -> B {
        let within = (place - self.splits.layer(s).start) as u64;
        self.index.unrank(self.index.layer_start(s) + within)
    }

    /// The board with these rows.
    pub(super) fn board(&self, own: &Row, other: &Row) -> B {
        let mut board = B::EMPTY;
        for pit in 0..self.lists.rows.pits() {
            board.set(pit, u32::from(own[pit]));
            board.set(B::STRIDE + pit, u32::from(other[pit]));
        }
        board
    }
}

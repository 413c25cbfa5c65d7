//! Rules compiled for a board, with everything that is worked out once.

use std::ops::{Deref, Range};
use std::sync::OnceLock;

use lumbung_engine::kernel::{Kernel, Lanes};
use lumbung_engine::rules::{Endless, Feeding, GrandSlam, NoMove, Origin, Relay, Rules};
use rayon::prelude::*;

use crate::index::Index;
use crate::rows::over::Over;
use crate::rows::passage::Lists;
use crate::rows::rank::{Row, Rows};
use crate::rows::runs::Runs;
use crate::rows::sowing::Sowing;
use crate::rows::split::Splits;
use crate::rows::taking::Taking;

use super::Tuning;
use super::home::{Homes, edges};

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
    pub(super) tuning: Tuning,
    homes: Vec<OnceLock<Homes>>,
    edges: Vec<OnceLock<Box<[Part]>>>,
}

/// The rows of a sum from one rank to another, whose values one thread works out at a time.
#[derive(Debug)]
pub(super) struct Part {
    pub(super) rows: Range<usize>,
    /// Their moves at home: see [`edges`].
    pub(super) edges: Runs,
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
const SPARSE_BELOW: f64 = 0.001;

/// Rows of a part, at least: shorter stretches of lines are dear.
const LEAST_PART: usize = 512;
/// Parts for each thread, if there are several.
const PARTS_A_THREAD: usize = 2;

impl Core {
    /// The moves at home of the rows of a sum, row by row.
    pub(super) fn homes(&self, sum: usize) -> &Homes {
        self.homes[sum].get_or_init(|| Homes::new(&self.lists, sum))
    }

    /// The rows of a sum in parts, with their moves at home. Only one thread may ask, and at no time when others could: all of them help.
    pub(super) fn parts(&self, sum: usize) -> &[Part] {
        self.edges[sum].get_or_init(|| {
            let rows = self.lists.rows.count(sum);
            let threads = rayon::current_num_threads();
            let usual = || if threads == 1 { 1 } else { (rows / LEAST_PART).min(PARTS_A_THREAD * threads) };
            let parts = self.tuning.parts.unwrap_or_else(usual).clamp(1, rows);
            let part = |number: usize| {
                let rows = rows * number / parts..rows * (number + 1) / parts;
                Part { edges: edges(&self.lists, sum, rows.clone()), rows }
            };
            (0..parts).into_par_iter().with_max_len(1).map(part).collect()
        })
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
            tuning: Tuning { least_passage: LEAST_PASSAGE, sparse_below: SPARSE_BELOW, parts: None },
            homes: (0..=seeds).map(|_| OnceLock::new()).collect(),
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

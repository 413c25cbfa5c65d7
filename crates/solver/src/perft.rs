//! Leaf counts: how many ways there are to play on from a position.
//!
//! They prove nothing about a game and much about an engine, since any slip in its rules shows in some count. A sequence that
//! ends the game before it has the full depth contributes nothing. A turn that must pass is no ply: it is neither a move nor a
//! turn, and what follows it counts at the same depth (in Oware and every other game without bonus moves a turn is a move, so
//! both counts agree there). Repeated positions are not looked for: a sequence goes on through them.

use std::sync::atomic::{AtomicU64, Ordering};

use lumbung_engine::kernel::{Children, Kernel, Lanes, Seat, Status, Then, Visitor, dispatch};
use lumbung_engine::{Position, RuleSet};
use rayon::prelude::*;

use crate::limits::{Limits, StopReason};

/// Leaf counts at one depth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Perft {
    /// Sequences of exactly so many moves.
    pub moves: u64,
    /// Sequences of exactly so many turns: a turn is over when it passes to the other player or the game is over.
    pub turns: u64,
}

/// Counts the sequences of `depth` moves and those of `depth` turns from a position.
///
/// Under rules with bonus moves a single turn can be played in more ways than can ever be counted (on the usual board of Dakon
/// it can); [`moves`] and [`turns`] count one kind.
///
/// # Errors
/// If a limit was met: nothing has been counted then.
///
/// # Panics
/// If the position is beyond the limits of [`lumbung_engine::position`].
pub fn perft(rules: &RuleSet, position: &Position, depth: u32, limits: &Limits) -> Result<Perft, StopReason> {
    Ok(Perft { moves: moves(rules, position, depth, limits)?, turns: turns(rules, position, depth, limits)? })
}

/// Counts the sequences of `depth` moves from a position.
///
/// # Errors
/// If a limit was met.
///
/// # Panics
/// As [`perft`].
pub fn moves(rules: &RuleSet, position: &Position, depth: u32, limits: &Limits) -> Result<u64, StopReason> {
    run(rules, position, depth, Unit::Moves, limits)
}

/// Counts the sequences of `depth` turns from a position, whose player to move is at the start of one.
///
/// # Errors
/// If a limit was met.
///
/// # Panics
/// As [`perft`].
pub fn turns(rules: &RuleSet, position: &Position, depth: u32, limits: &Limits) -> Result<u64, StopReason> {
    run(rules, position, depth, Unit::Turns, limits)
}

fn run(rules: &RuleSet, position: &Position, depth: u32, unit: Unit, limits: &Limits) -> Result<u64, StopReason> {
    if depth == 0 {
        return Ok(1);
    }
    let count = Count { position, depth, unit, limits };
    dispatch(rules, position.pits(), position.seeds_in_play(), position.owners, count)
}

/// What depth is measured in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Unit {
    Moves,
    Turns,
}

/// A board to be played on from.
#[derive(Clone, Copy, Debug)]
struct Node<B> {
    board: B,
    seat: Seat,
    /// Moves or turns to be played, the one that is going on included; at least 1.
    left: u32,
    /// A turn is going on: its player earned a bonus.
    in_turn: bool,
}

/// A count waiting for its kernel.
struct Count<'a> {
    position: &'a Position,
    depth: u32,
    unit: Unit,
    limits: &'a Limits,
}

/// Nodes that are enough to keep all threads busy.
const SHARES: usize = 1024;
/// Nodes between two looks at the limits.
const LOOK: u64 = 1 << 12;

impl Visitor for Count<'_> {
    type Output = Result<u64, StopReason>;

    fn visit<B: Lanes>(self, kernel: Kernel<B>) -> Result<u64, StopReason> {
        let (board, seat) = (kernel.pack(self.position), kernel.seat(self.position.to_move));
        let visited = AtomicU64::new(0);
        // Widened ply by ply until there is enough to share.
        let mut nodes = vec![Node { board, seat, left: self.depth, in_turn: false }];
        let mut leaves = 0;
        let mut children = Children::new();
        while !nodes.is_empty() && nodes.len() < SHARES {
            self.look(&visited, nodes.len() as u64)?;
            let mut next = Vec::new();
            for node in &nodes {
                leaves += self.unit.play(&kernel, node, &mut children, &mut next);
            }
            nodes = next;
        }
        let counts = nodes.into_par_iter().map_init(Children::new, |children, node| {
            let mut pending = vec![node];
            let (mut leaves, mut unreported) = (0, 0);
            while let Some(node) = pending.pop() {
                leaves += self.unit.play(&kernel, &node, children, &mut pending);
                unreported += 1;
                if unreported == LOOK {
                    self.look(&visited, unreported)?;
                    unreported = 0;
                }
            }
            self.look(&visited, unreported)?;
            Ok(leaves)
        });
        counts.try_reduce(|| 0, |a, b| Ok(a + b)).map(|counted: u64| leaves + counted)
    }
}

impl Count<'_> {
    fn look(&self, visited: &AtomicU64, more: u64) -> Result<(), StopReason> {
        let before = visited.fetch_add(more, Ordering::Relaxed);
        self.limits.exceeded(before).map_or(Ok(()), Err)
    }
}

impl Unit {
    /// Plays every move of a node: the leaves among what follows are counted, the rest is added to `pending`.
    fn play<B: Lanes>(self, kernel: &Kernel<B>, node: &Node<B>, children: &mut Children<B>, pending: &mut Vec<Node<B>>) -> u64 {
        let Node { ref board, seat, left, in_turn } = *node;
        // A turn that is going on is over when it passes and when the game ends.
        let ends_a_turn = self == Unit::Turns && in_turn;
        match kernel.status(board, seat, children) {
            Status::Over(_) => u64::from(ends_a_turn && left == 1),
            Status::Pass => {
                let left = if ends_a_turn { left - 1 } else { left };
                if left == 0 {
                    return 1;
                }
                pending.push(Node { board: board.swap(), seat: kernel.other(seat), left, in_turn: false });
                0
            }
            Status::ToMove if self == Unit::Moves && left == 1 => children.len() as u64,
            Status::ToMove => {
                let mut leaves = 0;
                for child in children.iter() {
                    let goes_on = child.then == Then::Again;
                    let left = if self == Unit::Turns && goes_on { left } else { left - 1 };
                    if left == 0 {
                        leaves += 1;
                    } else if child.then != Then::Over {
                        let seat = if goes_on { seat } else { kernel.other(seat) };
                        pending.push(Node { board: child.board, seat, left, in_turn: goes_on });
                    }
                }
                leaves
            }
        }
    }
}

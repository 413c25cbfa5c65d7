//! Alpha-beta over null windows.
//!
//! [`Searcher::search`] answers one question about a board: *does the player to move gain at least `beta` from here on?* Its answer
//! is a bound: at least `beta`, and the value is no less than it; below `beta`, and the value is no more. Exact values come from
//! asking several questions ([`crate::solve`]); what was learnt stays in the [`Memo`].
//!
//! Before any move is searched, all moves are looked up: a move known to reach `beta` ends the question, and moves known to miss it
//! need no search.
//!
//! # Rules that can repeat a position
//!
//! Infinite play gains nothing further for either side. A board that comes up again on the line being searched is therefore
//! answered with 0, and every answer carries the depth of the shallowest board it leans on in this way. An answer is remembered only
//! if it leans on nothing above its own board: it then holds however the board was reached. At the root nothing is above, so the
//! final answer is exact. *Why*: a player gains at least `t > 0` (so wants the finite outcome) exactly if she can force it in finitely
//! many moves; a shortest way of forcing it never comes back to a board, so counting a recurrence as a failure costs her nothing. And
//! where she cannot force it, the opponent can always keep to boards where she cannot, on which each line ends below `t`, recurs (0,
//! below `t`) or meets a remembered answer below `t`. For `t <= 0` the players change places.

use lumbung_engine::kernel::{Child, Children, Kernel, Lanes, Seat, Status, Then};
use lumbung_tables::Table;

use crate::limits::{Limits, StopReason};
use crate::memo::{Known, Memo};

/// An answer leans on no board above.
const NOTHING: u32 = u32::MAX;

/// A bound of a value, and the shallowest board of the line above that it depends on.
#[derive(Clone, Copy, Debug)]
struct Answer {
    bound: i32,
    leans_on: u32,
}

/// Searches boards of one kernel. A thread has its own; they share the memo and the table.
pub(crate) struct Searcher<'a, B: Lanes, M: Memo<B>> {
    kernel: &'a Kernel<B>,
    pub(crate) memo: &'a M,
    table: Option<&'a Table>,
    limits: &'a Limits,
    /// Positions visited, here and before.
    pub(crate) nodes: u64,
    pub(crate) table_hits: u64,
    /// When to look at the clock again.
    check_at: u64,
    /// When to give up and let the caller enlarge the tables.
    pause_at: u64,
    /// Distance of two values of one board.
    step: i32,
    spare: Vec<Box<Frame<B>>>,
    /// The line to the board being searched; kept only under rules that can repeat.
    path: Vec<(B, Seat)>,
    on_tick: &'a dyn Fn(u64),
}

/// Why a search ended without an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Break {
    /// A limit of the caller.
    Stop(StopReason),
    /// The node budget of this stage is spent.
    Pause,
}

/// Room for the moves of one board.
struct Frame<B> {
    children: Children<B>,
    moves: Vec<Move>,
}

/// What is known of a move before it is searched.
#[derive(Clone, Copy)]
struct Move {
    index: u8,
    high: i32,
    order: i32,
}

/// Nodes between looks at the clock.
const TICK: u64 = 1 << 12;

impl<'a, B: Lanes, M: Memo<B>> Searcher<'a, B, M> {
    pub(crate) fn new(
        kernel: &'a Kernel<B>,
        memo: &'a M,
        table: Option<&'a Table>,
        limits: &'a Limits,
        nodes: u64,
        pause_at: u64,
        on_tick: &'a dyn Fn(u64),
    ) -> Self {
        Searcher {
            kernel,
            memo,
            table,
            limits,
            nodes,
            table_hits: 0,
            check_at: nodes,
            pause_at,
            step: if kernel.value_parity() { 2 } else { 1 },
            spare: Vec::new(),
            path: Vec::new(),
            on_tick,
        }
    }

    /// Distance of two values of one board: 2 where values have the parity of the seeds in play.
    pub(crate) fn step(&self) -> i32 {
        self.step
    }

    /// Whether the value of `board` for the player to move is at least `beta`: a bound that is at least `beta` if so (and then the
    /// value is no less), and below it if not (and then it is no more). `beta` must be a value the board can have.
    pub(crate) fn at_least(&mut self, board: &B, seat: Seat, beta: i32) -> Result<i32, Break> {
        let known = self.look_up(board, seat);
        if known.low >= beta {
            return Ok(known.low);
        }
        if known.high < beta {
            return Ok(known.high);
        }
        self.path.clear();
        let answer = if self.kernel.can_repeat() {
            self.search::<true>(board, seat, beta)?
        } else {
            self.search::<false>(board, seat, beta)?
        };
        debug_assert_eq!(answer.leans_on, NOTHING);
        Ok(answer.bound)
    }

    /// What tables and memo know of a board.
    pub(crate) fn look_up(&mut self, board: &B, seat: Seat) -> Known {
        let seeds = board.seeds() as i32;
        if let Some(value) = self.table.and_then(|table| table.value(board)) {
            self.table_hits += 1;
            return Known { low: value, high: value, best: None };
        }
        self.memo.get(self.memo.key(board, seat), seeds).unwrap_or(Known { low: -seeds, high: seeds, best: None })
    }

    fn check(&mut self) -> Result<(), Break> {
        self.check_at = (self.nodes + TICK).min(self.pause_at);
        if let Some(limit) = self.limits.nodes {
            self.check_at = self.check_at.min(limit);
        }
        (self.on_tick)(self.nodes);
        match self.limits.exceeded(self.nodes) {
            Some(reason) => Err(Break::Stop(reason)),
            None if self.nodes >= self.pause_at => Err(Break::Pause),
            None => Ok(()),
        }
    }

    fn search<const CAN_REPEAT: bool>(&mut self, board: &B, seat: Seat, beta: i32) -> Result<Answer, Break> {
        if CAN_REPEAT {
            if let Some(above) = self.recurrence(board, seat) {
                return Ok(Answer { bound: 0, leans_on: above });
            }
            self.path.push((*board, seat));
        }
        let mut frame = self.spare.pop().unwrap_or_else(|| Box::new(Frame { children: Children::new(), moves: Vec::new() }));
        let result = self.expand_and_search::<CAN_REPEAT>(board, seat, beta, &mut frame);
        self.spare.push(frame);
        if !CAN_REPEAT {
            return result;
        }
        self.path.pop();
        result.map(|answer| {
            let own = self.path.len() as u32;
            Answer { leans_on: if answer.leans_on >= own { NOTHING } else { answer.leans_on }, ..answer }
        })
    }

    /// The depth at which the line came through this board before.
    fn recurrence(&self, board: &B, seat: Seat) -> Option<u32> {
        let seeds = board.seeds();
        let line = self.path.iter().enumerate().rev();
        // A board recurs only as long as nothing leaves the board.
        line.take_while(|(_, (above, _))| above.seeds() == seeds)
            .find(|(_, above)| **above == (*board, seat))
            .map(|(depth, _)| depth as u32)
    }

    fn expand_and_search<const CAN_REPEAT: bool>(
        &mut self,
        board: &B,
        seat: Seat,
        beta: i32,
        frame: &mut Frame<B>,
    ) -> Result<Answer, Break> {
        self.nodes += 1;
        if self.nodes >= self.check_at {
            self.check()?;
        }
        let started = self.nodes;
        let exact = |bound| Ok(Answer { bound, leans_on: NOTHING });
        let Frame { children, moves } = frame;
        match self.kernel.status(board, seat, children) {
            Status::Over(value) => return exact(value),
            Status::Pass => {
                let answer = self.search::<CAN_REPEAT>(&board.swap(), self.kernel.other(seat), self.step - beta)?;
                return Ok(Answer { bound: -answer.bound, ..answer });
            }
            Status::ToMove => {}
        }

        let seeds = board.seeds() as i32;
        let key = self.memo.key(board, seat);
        let best_before = self.memo.get(key, seeds).and_then(|known| known.best);
        // `low` and `high` bound the value by what is known of all moves; `missed` bounds the moves that need no search.
        let (mut low, mut high, mut missed) = (-seeds, -seeds, -seeds);
        moves.clear();
        for (index, child) in children.iter().enumerate() {
            let (move_low, move_high, order) = self.bounds(child, seat);
            low = low.max(move_low);
            high = high.max(move_high);
            if move_low >= beta {
                self.remember(key, seeds, Known { low, high: seeds, best: Some(child.pit.0) }, 1);
                return exact(low);
            }
            if move_high >= beta {
                let order = if best_before == Some(child.pit.0) { i32::MAX } else { order };
                moves.push(Move { index: index as u8, high: move_high, order });
            } else {
                missed = missed.max(move_high);
            }
        }
        if high < beta {
            self.remember(key, seeds, Known { low, high, best: None }, 1);
            return exact(high);
        }
        // Right-most first among equals.
        moves.sort_unstable_by_key(|m| (std::cmp::Reverse(m.order), std::cmp::Reverse(m.index)));

        let mut leans_on = NOTHING;
        let mut upper = missed;
        for m in moves.iter() {
            let child = &children[usize::from(m.index)];
            let (bound, leans) = match child.then {
                Then::Over => (m.high, NOTHING),
                Then::Again => {
                    let answer = self.search::<CAN_REPEAT>(&child.board, seat, beta - child.gain)?;
                    (child.gain + answer.bound, answer.leans_on)
                }
                Then::Other => {
                    let theirs = child.gain - beta + self.step;
                    let answer = self.search::<CAN_REPEAT>(&child.board, self.kernel.other(seat), theirs)?;
                    (child.gain - answer.bound, answer.leans_on)
                }
            };
            if bound >= beta {
                let bound = bound.max(low);
                if self.may_remember::<CAN_REPEAT>(leans) {
                    let known = Known { low: bound, high: seeds, best: Some(child.pit.0) };
                    self.remember(key, seeds, known, self.nodes - started + 1);
                }
                return Ok(Answer { bound, leans_on: leans });
            }
            upper = upper.max(bound.min(m.high));
            leans_on = leans_on.min(leans);
        }
        if self.may_remember::<CAN_REPEAT>(leans_on) {
            self.remember(key, seeds, Known { low, high: upper, best: None }, self.nodes - started + 1);
        }
        Ok(Answer { bound: upper, leans_on })
    }

    /// Whether an answer about the board at the end of the line holds however it was reached.
    fn may_remember<const CAN_REPEAT: bool>(&self, leans_on: u32) -> bool {
        !CAN_REPEAT || leans_on as usize + 1 >= self.path.len()
    }

    fn remember(&self, key: M::Key, seeds: i32, known: Known, nodes: u64) {
        self.memo.put(key, seeds, known, nodes);
    }

    /// What is known of a move, for the player to move, and how promising it is.
    #[inline(always)]
    fn bounds(&mut self, child: &Child<B>, seat: Seat) -> (i32, i32, i32) {
        match child.then {
            Then::Over => (child.gain, child.gain, 0),
            Then::Again => {
                let known = self.look_up(&child.board, seat);
                (child.gain + known.low, child.gain + known.high, (1 << 16) + child.gain)
            }
            Then::Other => {
                let known = self.look_up(&child.board, self.kernel.other(seat));
                (child.gain - known.high, child.gain - known.low, child.gain)
            }
        }
    }
}

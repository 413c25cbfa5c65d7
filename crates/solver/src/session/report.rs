//! What a session tells of its search while it is at work.

use std::sync::Mutex;
use std::time::{Duration, Instant};

use lumbung_engine::kernel::{Children, Lanes, Seat, Status, Then};
use lumbung_engine::{Pit, Side};

use super::Session;
use crate::limits::Report;
use crate::transposition::Transpositions;

/// Time between reports.
const REPORT_EVERY: Duration = Duration::from_millis(250);
/// Moves of the line in a report.
const REPORTED_MOVES: usize = 8;

/// What the reports of a session are about.
pub(super) struct Telling<B> {
    /// Bounds of the value in question.
    pub(super) bounds: (i32, i32),
    /// The board whose value is in question, for the line.
    pub(super) root: Option<(B, Seat)>,
    /// Whose value it is, and South's margin so far, if it decides a margin.
    told_as: Option<(Side, i32)>,
    /// When was last reported, and the positions visited until then.
    reported: Mutex<(Instant, u64)>,
}

impl<B> Telling<B> {
    pub(super) fn new() -> Self {
        Telling { bounds: (0, 0), root: None, told_as: None, reported: Mutex::new((Instant::now(), 0)) }
    }

    /// The bounds as bounds of South's margin.
    fn margin(&self) -> Option<(i32, i32)> {
        let (low, high) = self.bounds;
        self.told_as.map(|(side, so_far)| match side {
            Side::South => (so_far + low, so_far + high),
            Side::North => (so_far - high, so_far - low),
        })
    }
}

impl<B: Lanes, T: Transpositions<B>> Session<'_, B, T> {
    /// From now on the value in question is that of `side`, with South's margin so far, and decides a margin.
    pub(crate) fn tell_as(&mut self, side: Side, so_far: i32) {
        self.telling.told_as = Some((side, so_far));
    }

    /// Reports and saves once in a while.
    pub(super) fn tick(&self, nodes: u64) {
        if let Ok(mut reported) = self.telling.reported.try_lock()
            && reported.0.elapsed() >= REPORT_EVERY
        {
            let speed = ((nodes - reported.1.min(nodes)) as f64 / reported.0.elapsed().as_secs_f64()) as u64;
            let (table_seeds, fill, line) = (self.table_seeds(), self.transpositions.fill(), self.line_so_far());
            let (margin, before, foreseen) = (self.telling.margin(), self.nodes_before(), self.foreseen(nodes));
            self.progress.report(&Report::Search { margin, nodes, before, foreseen, speed, table_seeds, fill, line });
            *reported = (Instant::now(), nodes);
        }
        self.save_when_due(nodes);
    }

    /// The moves that did best so far.
    fn line_so_far(&self) -> Vec<Vec<Pit>> {
        let mut line = vec![Vec::new()];
        let mut children = Children::new();
        let mut next = self.telling.root;
        for _ in 0..REPORTED_MOVES {
            let Some((board, seat)) = next else { break };
            let known = self.transpositions.get(self.transpositions.key(&board, seat), board.seeds() as i32);
            let Some(best) = known.and_then(|known| known.best) else { break };
            if self.kernel.status(&board, seat, &mut children) != Status::ToMove {
                break;
            }
            let Some(child) = children.iter().find(|child| child.pit.0 == best) else { break };
            if let Some(turn) = line.last_mut() {
                turn.push(child.pit);
            }
            next = match child.then {
                Then::Again => Some((child.board, seat)),
                Then::Other => {
                    line.push(Vec::new());
                    Some((child.board, self.kernel.other(seat)))
                }
                Then::Over => None,
            };
        }
        line.retain(|turn| !turn.is_empty());
        line
    }
}

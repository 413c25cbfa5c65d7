//! Pass A: moves that store or capture, into layers that are finished.

use super::Game;
use super::moves::{Moves, Places, Source, Step};
use super::rank::Row;
use super::runs::{Then, prefetch};

/// No move yet. No value of a board with at most 127 seeds is this low.
pub(super) const NONE: i8 = i8::MIN;

/// The finished layers, as matrices of both kinds; see [`super::split`].
#[derive(Clone, Copy, Debug)]
pub(super) struct Finished<'f> {
    pub(super) v: &'f [i8],
    pub(super) w: &'f [i8],
}

/// Fills lines of the `V` matrix of split `own` of layer `s` with the best of the moves that store or capture, from line `first` on.
pub(super) fn pass_a(game: &Game, finished: Finished, s: usize, own: usize, first: usize, lines: &mut [i8]) {
    if let Some(value) = game.over.split(own, s - own) {
        lines.fill(value);
        return;
    }
    lines.fill(NONE);
    let rows = &game.lists.rows.with_sum(own)[first..];
    let mut lines = rows.iter().zip(lines.chunks_exact_mut(game.lists.rows.count(s - own)));
    // The lines that the moves of a row look up lie far apart, so they are asked for while the moves of the row before are done.
    let (mut now, mut next) = (Moves::new(game, s, own), Moves::new(game, s, own));
    let mut line = lines.next().map(|(row, values)| {
        find(&mut now, finished, row);
        values
    });
    while let Some(values) = line {
        line = lines.next().map(|(row, values)| {
            find(&mut next, finished, row);
            values
        });
        now.steps.iter().for_each(|step| take(step, finished, values));
        std::mem::swap(&mut now, &mut next);
    }
}

fn find(moves: &mut Moves, finished: Finished, row: &Row) {
    moves.find(row);
    for step in &moves.steps {
        let read = match step.places {
            Places::Rows(runs) => runs.read(),
            Places::Row(_) => 1,
        };
        match step.source {
            Source::Against(start) => prefetch(&finished.w[start..][..read]),
            Source::Again(start) => prefetch(&finished.v[start..][..read]),
            Source::Over => {}
        }
    }
}

#[inline]
fn take(step: &Step, finished: Finished, values: &mut [i8]) {
    match (step.places, step.source) {
        (Places::Rows(runs), Source::Against(at)) => runs.raise(values, &finished.w[at..][..runs.read()], step.gain, Then::Other),
        (Places::Rows(runs), Source::Again(at)) => runs.raise(values, &finished.v[at..][..runs.read()], step.gain, Then::Again),
        (Places::Rows(runs), Source::Over) => runs.raise_to(values, step.gain),
        (Places::Row(rank), source) => {
            let value = &mut values[rank as usize];
            *value = (*value).max(match source {
                Source::Against(at) => step.gain - finished.w[at],
                Source::Again(at) => step.gain + finished.v[at],
                Source::Over => step.gain,
            });
        }
    }
}

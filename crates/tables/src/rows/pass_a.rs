//! Pass A: moves that store or capture, into layers that are finished.

use super::Game;
use super::moves::{Moves, Places, Source, Step};
use super::runs::Then;

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
    let mut moves = Moves::new(game, s, own);
    for (row, values) in rows.iter().zip(lines.chunks_exact_mut(game.lists.rows.count(s - own))) {
        moves.find(row);
        moves.steps.iter().for_each(|step| take(step, finished, values));
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

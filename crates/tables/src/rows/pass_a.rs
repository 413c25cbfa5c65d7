//! Pass A: moves that store or capture, into layers that are finished.

use super::Game;
use super::moves::{Moves, Source, Step};
use super::runs::{Places, Then};

/// No move yet. No value of a board with at most [`MAX_BYTE_SEEDS`](crate::MAX_BYTE_SEEDS) seeds is this low.
pub(crate) const NONE: i8 = i8::MIN;

/// The finished layers, as matrices of both kinds; see [`super::split`].
#[derive(Clone, Copy, Debug)]
pub(super) struct Finished<'f> {
    pub(super) v: &'f [i8],
    pub(super) w: &'f [i8],
}

/// Whose rows the lines of a matrix are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Lines {
    /// The mover's, as in `V`.
    Mover,
    /// The other player's, as in `W`.
    Other,
}

/// Fills lines of the matrix of boards of layer `s` with `own` seeds in the mover's row with the best of the moves that store or capture,
/// from line `first` on.
pub(super) fn pass_a(game: &Game, finished: Finished, (s, own): (usize, usize), of: Lines, first: usize, lines: &mut [i8]) {
    if let Some(value) = game.over.split(own, s - own) {
        lines.fill(value);
        return;
    }
    lines.fill(NONE);
    let mut moves = Moves::new(game, finished, s, own, of);
    let columns = game.lists.rows.count(if of == Lines::Mover { s - own } else { own });
    for (rank, values) in (first..).zip(lines.chunks_exact_mut(columns)) {
        match of {
            Lines::Mover => moves.find(rank),
            Lines::Other => moves.find_against(rank),
        }
        moves.steps.iter().for_each(|step| take(step, moves.finished, values));
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

#[cfg(test)]
mod tests {
    use super::*;
    use lumbung_engine::rules::preset;

    fn line(name: &str, s: usize, own: usize, finished: Finished) -> Vec<i8> {
        let game = Game::new(&preset(name).unwrap().rules, 2, 3, usize::MAX).unwrap();
        let mut lines = vec![99; game.splits.len(s, own)];
        pass_a(&game, finished, (s, own), Lines::Mover, 0, &mut lines);
        let mut crossed = vec![99; lines.len()];
        pass_a(&game, finished, (s, own), Lines::Other, 0, &mut crossed);
        let (rows, columns) = (game.lists.rows.count(own), game.lists.rows.count(s - own));
        let turned: Vec<i8> = (0..lines.len()).map(|at| crossed[at % columns * rows + at / columns]).collect();
        assert_eq!(lines, turned);
        lines
    }

    #[test]
    fn a_seed_in_the_store_counts_and_quiet_moves_wait() {
        // The board without seeds is worth nothing.
        let finished = Finished { v: &[0], w: &[0] };
        // Dakon, one seed in the mover's row. In the first pit it moves quietly; in the second it is stored and ends the game.
        assert_eq!(line("dakon", 1, 1, finished), [NONE, 1]);
        // The mover's row is empty: the other player stores the rest.
        assert_eq!(line("dakon", 1, 0, finished), [-1, -1]);
    }

    #[test]
    fn a_capture_looks_up_the_layer_below() {
        // Layers 0 and 1 of Dakon: V of split 0 against (1,0) and (0,1), then of split 1; W has the same values by the other row.
        let finished = Finished { v: &[0, -1, -1, 1, 1], w: &[0, 1, 1, -1, -1] };
        // One seed each. From the first pit the seed captures what is opposite its end, the other's first pit: +1, and the other
        // player, now without seeds, leaves the last seed to the mover: +1. From the second pit it is stored, and the game over:
        // +1, and -1 for the seed left to the other player.
        assert_eq!(line("dakon", 2, 1, finished), [2, NONE, 0, 0]);
    }
}

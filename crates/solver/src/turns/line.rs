//! The first line, in the order of pits, through boards that are known.

use lumbung_engine::Pit;
use lumbung_engine::kernel::{Children, Lanes, Then};
use rayon::prelude::*;

use super::root::Root;
use super::visited::{Boards, Key};

/// Which boards a line may go through.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Steps {
    /// One board of every layer; the last move leaves a board of the last layer.
    EveryLayer,
    /// Boards of any layers; every bonus move leads to a later one, and any board may be the last.
    AnyLayer,
}

/// Of all lines that end with a move whose store `is_last` accepts, the one with the smallest pit where they first differ.
///
/// `layers` hold the boards, the first of them the start of the turn alone. A look back from the last layer finds the boards
/// from which such a move can be reached, then a walk forward finds the line. `None` if there is none, or `give_up` says so,
/// which is asked at every layer.
pub(super) fn first_line<B: Lanes>(
    root: &Root<'_, B>,
    layers: &[impl AsRef<[B]> + Sync],
    steps: Steps,
    is_last: impl Fn(u32) -> bool + Sync,
    give_up: impl Fn() -> bool,
) -> Option<Vec<Pit>> {
    let set_of = |layer: usize| if steps == Steps::AnyLayer { 0 } else { layer };
    let may_end = |layer: usize| steps == Steps::AnyLayer || layer + 1 == layers.len();
    let mut leading: Vec<Boards<B>> = vec![Boards::default(); layers.len() + 1];
    for (layer, boards) in layers.iter().enumerate().rev() {
        if give_up() {
            return None;
        }
        let next = &leading[set_of(layer + 1)];
        let leads = |children: &mut Children<B>, board: &B| {
            root.moves(board, children).any(|(store, child)| {
                (may_end(layer) && is_last(store)) || (child.then == Then::Again && next.contains(&Key(child.board)))
            })
        };
        let found: Vec<B> = boards
            .as_ref()
            .par_iter()
            .map_init(Children::new, |children, board| leads(children, board).then_some(*board))
            .flatten_iter()
            .collect();
        leading[set_of(layer)].extend(found.into_iter().map(Key));
    }

    let mut line = Vec::new();
    let mut board = root.board;
    let mut children = Children::new();
    loop {
        let layer = line.len().min(layers.len() - 1);
        let next = &leading[set_of(layer + 1)];
        let (ends, child) = root.moves(&board, &mut children).find_map(|(store, child)| {
            let ends = may_end(layer) && is_last(store);
            (ends || (child.then == Then::Again && next.contains(&Key(child.board)))).then_some((ends, *child))
        })?;
        line.push(child.pit);
        if ends {
            return Some(line);
        }
        board = child.board;
    }
}

/// The first of the lines that store `best_store` seeds, where that is the most and `boards` are all boards of the turn.
pub(super) fn first_best_line<B: Lanes>(
    root: &Root<'_, B>,
    mut boards: Vec<B>,
    best_store: u32,
    give_up: impl Fn() -> bool,
) -> Option<Vec<Pit>> {
    boards.par_sort_unstable_by_key(|board| std::cmp::Reverse(board.seeds()));
    let start = [root.board];
    let layers: Vec<&[B]> = std::iter::once(&start[..]).chain(boards.chunk_by(|a, b| a.seeds() == b.seeds())).collect();
    first_line(root, &layers, Steps::AnyLayer, |store| store == best_store, give_up)
}

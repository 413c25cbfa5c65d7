//! The Bellman equation: the value of a board from those of its successors.

use lumbung_engine::kernel::{Children, Kernel, Lanes, Seat, Status, Then};

/// What the player on `seat`, who is to move, gains from here on, `value` telling the values of other boards for whoever is to move on
/// them.
///
/// # Errors
/// Those of `value`.
pub fn evaluate<B: Lanes, E>(
    kernel: &Kernel<B>,
    board: &B,
    seat: Seat,
    mut value: impl FnMut(&B, Seat) -> Result<i32, E>,
) -> Result<i32, E> {
    let mut children = Children::new();
    match kernel.status(board, seat, &mut children) {
        Status::Over(settled) => Ok(settled),
        // A pass is never answered by a pass, so the other board is one on which a move is made.
        Status::Pass => Ok(-value(&board.swap(), kernel.other(seat))?),
        Status::ToMove => {
            let mut best = i32::MIN;
            for child in children.iter() {
                best = best.max(child.gain + after(kernel, child.then, &child.board, seat, &mut value)?);
            }
            Ok(best)
        }
    }
}

/// What the player on `seat`, who has just moved, gains from then on.
fn after<B: Lanes, E>(
    kernel: &Kernel<B>,
    then: Then,
    board: &B,
    seat: Seat,
    value: &mut impl FnMut(&B, Seat) -> Result<i32, E>,
) -> Result<i32, E> {
    match then {
        Then::Over => Ok(0),
        Then::Again => value(board, seat),
        Then::Other => Ok(-value(board, kernel.other(seat))?),
    }
}

/// A legal move and what it is worth to its player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MoveWorth<B> {
    /// The pit, as its player counts it.
    pub pit: lumbung_engine::Pit,
    /// What the move gains at once.
    pub gain: i32,
    /// What it is worth in all.
    pub value: i32,
    /// Who moves next.
    pub then: Then,
    /// The board after it, as the next player sees it.
    pub board: B,
}

/// What a board calls for, with the worth of every move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Choice<B> {
    /// The game is over, and this is what the player to move gains.
    Over(i32),
    /// The turn passes.
    Pass,
    /// One of these is to be played; rising by pit.
    Moves(Vec<MoveWorth<B>>),
}

/// What a board calls for from the player on `seat`, `value` telling the values of other boards.
///
/// # Errors
/// Those of `value`.
pub fn choice<B: Lanes, E>(
    kernel: &Kernel<B>,
    board: &B,
    seat: Seat,
    mut value: impl FnMut(&B, Seat) -> Result<i32, E>,
) -> Result<Choice<B>, E> {
    let mut children = Children::new();
    match kernel.status(board, seat, &mut children) {
        Status::Over(settled) => Ok(Choice::Over(settled)),
        Status::Pass => Ok(Choice::Pass),
        Status::ToMove => children
            .iter()
            .map(|child| {
                let worth = child.gain + after(kernel, child.then, &child.board, seat, &mut value)?;
                Ok(MoveWorth { pit: child.pit, gain: child.gain, value: worth, then: child.then, board: child.board })
            })
            .collect::<Result<_, _>>()
            .map(Choice::Moves),
    }
}

//! Optimal lines.

use lumbung_engine::kernel::{Child, Children, Lanes, Status, Then};
use lumbung_engine::{Pit, Position, Referee, RuleSet, Side};

use crate::session::Session;
use crate::transposition::Transpositions;

/// A turn of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayedTurn {
    /// Who played it.
    pub side: Side,
    /// Her moves; none if the turn passed.
    pub moves: Vec<Pit>,
    /// The position after it; settled if the game is over.
    pub after: Position,
}

/// How a line ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineEnd {
    /// The game is over.
    GameOver,
    /// Play comes back to a position from which neither side can gain anything: they go round for ever.
    Repeats,
    /// It was not followed to the end: a limit was reached, or moves that keep the value came back to a position before they realised
    /// it.
    Unfinished,
}

/// Follows best play from a position whose exact value for the player to move is `value`.
///
/// Every move of the line is one that the search proves to keep the value, and is played by the referee. A limit of the caller cuts
/// the line short.
pub(crate) fn optimal_line<B: Lanes, T: Transpositions<B>>(
    rules: &RuleSet,
    session: &mut Session<'_, B, T>,
    start: &Position,
    mut value: i32,
) -> (Vec<PlayedTurn>, LineEnd) {
    let kernel = session.kernel;
    let referee = Referee::new(rules);
    let mut line: Vec<PlayedTurn> = Vec::new();
    let mut position = start.clone();
    let mut met = Vec::new();
    let mut children = Children::new();
    loop {
        let identity = (position.board.clone(), position.to_move);
        if kernel.can_repeat() && met.contains(&identity) {
            // Going round gains nothing. If there is something left to gain, this line is not the way to it.
            let end = if value == 0 { LineEnd::Repeats } else { LineEnd::Unfinished };
            return (line, end);
        }
        met.push(identity);
        let (board, seat) = (kernel.pack(&position), kernel.seat(position.to_move));
        match kernel.status(&board, seat, &mut children) {
            Status::Over(_) => {
                if let lumbung_engine::referee::State::Over(over) = referee.state(&position)
                    && let Some(last) = line.last_mut()
                {
                    last.after = over.last;
                }
                return (line, LineEnd::GameOver);
            }
            Status::Pass => {
                let side = position.to_move;
                position = referee.pass(&position);
                line.push(PlayedTurn { side, moves: Vec::new(), after: position.clone() });
                value = -value;
                continue;
            }
            Status::ToMove => {}
        }
        // The question after each move: whether the mover gets `value - gain`, or the opponent more than `gain - value`.
        let mut chosen = None;
        let mut open = Vec::new();
        // Whoever has something to gain must get on: boards met before come last.
        let side = position.to_move;
        let been_there = |child: &Child<B>| {
            let next_side = if child.then == Then::Other { side.other() } else { side };
            value != 0 && kernel.can_repeat() && met.contains(&(kernel.unpack(&child.board, next_side), next_side))
        };
        for child in children.iter() {
            let (next, low, high) = match child.then {
                Then::Over => (seat, 0, 0),
                Then::Again => {
                    let known = session.look_up(&child.board, seat);
                    (seat, known.low, known.high)
                }
                Then::Other => {
                    let next = kernel.other(seat);
                    let known = session.look_up(&child.board, next);
                    (next, -known.high, -known.low)
                }
            };
            if child.gain + low >= value && !been_there(child) {
                chosen = Some(*child);
                break;
            }
            if child.gain + high >= value {
                open.push((*child, next));
            }
        }
        // A board's proving move is remembered as a rule, but what is known of the board it leads to may be no more than a glance away.
        let best = session.look_up(&board, seat).best;
        open.sort_by_key(|(child, _)| (been_there(child), best != Some(child.pit.0)));
        for (child, next) in open {
            if chosen.is_some() {
                break;
            }
            let keeps = match child.then {
                Then::Over => Ok(false),
                Then::Again => {
                    let least = value - child.gain;
                    session.at_least(&child.board, next, least).map(|bound| bound >= least)
                }
                Then::Other => {
                    let most = child.gain - value;
                    session.at_least(&child.board, next, most + kernel.value_step()).map(|bound| bound <= most)
                }
            };
            match keeps {
                Ok(true) => chosen = Some(child),
                Ok(false) => {}
                Err(_) => return (line, LineEnd::Unfinished),
            }
        }
        let Some(child) = chosen else { return (line, LineEnd::Unfinished) };
        let Ok(played) = referee.play(&position, child.pit) else { return (line, LineEnd::Unfinished) };
        // A pass and the end of a turn both change sides.
        let goes_on = line.last().is_some_and(|turn| turn.side == side);
        position = played.after;
        if goes_on && let Some(turn) = line.last_mut() {
            turn.moves.push(child.pit);
            turn.after = position.clone();
        } else {
            line.push(PlayedTurn { side, moves: vec![child.pit], after: position.clone() });
        }
        match child.then {
            Then::Over => return (line, LineEnd::GameOver),
            Then::Again => value -= child.gain,
            Then::Other => value = child.gain - value,
        }
    }
}

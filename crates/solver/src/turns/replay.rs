//! What was found, replayed by the referee.

use lumbung_engine::referee::{Next, Played, State};
use lumbung_engine::{Position, Referee, RuleSet};

use super::{Found, Turn, TurnEnd, TurnsError};

/// Replays the line, from what the kernel says of it to what the referee says of it.
///
/// # Errors
/// If the two differ: a move is illegal, follows the end of the turn, or the seeds stored are others; or the line does not store
/// the `wanted` seeds that it is said to reach.
pub(super) fn confirm(
    rules: &RuleSet,
    position: &Position,
    found: Found,
    kernel_store: Option<u32>,
    wanted: Option<u32>,
) -> Result<Turn, TurnsError> {
    let referee = Referee::new(rules);
    let mover = position.to_move.index();
    let line: Vec<String> = found.line.iter().map(ToString::to_string).collect();
    let defect = |what: String| TurnsError::Internal(format!("{what} (line {} from {position})", line.join(" ")));

    let mut at = position.clone();
    let mut store = u32::from(position.stores[mover]);
    let mut laps = 0;
    let mut end = end_at(&referee, position, TurnEnd::Pending);
    for (index, &pit) in found.line.iter().enumerate() {
        if end != TurnEnd::Pending {
            return Err(defect(format!("move {} comes after the end of the turn", index + 1)));
        }
        let played =
            referee.play_traced(&at, pit).map_err(|illegal| defect(format!("move {} is illegal: {illegal}", index + 1)))?;
        store = stored(&played, mover).unwrap_or(store);
        laps += played.lap_count;
        end = match played.next {
            Next::Bonus => end_at(&referee, &played.after, TurnEnd::Pending),
            Next::Turn { .. } => end_at(&referee, &played.after, TurnEnd::Passes),
            Next::Over(_) => TurnEnd::GameOver,
        };
        at = played.after;
    }

    if kernel_store != Some(store) {
        return Err(defect(format!("the referee stores {store} seeds, the kernel {kernel_store:?}")));
    }
    if found.best_store < store || (found.reached && wanted.is_some_and(|wanted| store < wanted)) {
        return Err(defect(format!("{store} seeds stored, {} the most, {wanted:?} wanted", found.best_store)));
    }
    let all: usize = position.seeds_in_play() + position.stores.iter().map(|&seeds| usize::from(seeds)).sum::<usize>();
    Ok(Turn {
        best_store: found.best_store,
        line: found.line,
        line_store: store,
        laps,
        end,
        wins: 2 * store as usize > all,
        reached: found.reached,
        exhaustive: found.exhaustive,
        states: found.states,
        stopped: found.stopped,
    })
}

/// Seeds in the mover's store after a move and before any settlement; `None` if the move left it as it was.
fn stored(played: &Played, mover: usize) -> Option<u32> {
    if played.endless {
        return None;
    }
    let sown = u32::from(played.laps.last()?.stores[mover]);
    let captured = played.capture.iter().flat_map(|capture| &capture.taken).map(|&(_, seeds)| u32::from(seeds));
    Some(sown + captured.sum::<u32>())
}

/// How a turn stands in `position`, where it goes on or passes as `otherwise` says if the player to move can move.
fn end_at(referee: &Referee<'_>, position: &Position, otherwise: TurnEnd) -> TurnEnd {
    match referee.state(position) {
        State::ToMove(_) => otherwise,
        State::Pass => TurnEnd::Passes,
        State::Over(_) => TurnEnd::GameOver,
    }
}

//! What a turn may be asked to achieve.

use lumbung_engine::Position;

use super::TurnsError;

/// What a turn is to achieve.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Goal {
    /// More than half of all seeds, stores included, in the mover's store.
    Win,
    /// As many seeds in the mover's store as possible.
    Max,
    /// A win in as few moves as possible.
    ShortestWin,
    /// As many moves as possible.
    Longest,
    /// At least so many seeds in the mover's store.
    AtLeast(u32),
    /// Donkers' winning opening on a board of n pits a row with n seeds each: at least 2n^2 - n seeds, so that the opponent
    /// cannot fill a single pit for the next round (Donkers, de Voogt and Uiterwijk 2000).
    Donkers,
}

impl Goal {
    /// The seeds that the mover's store must come to hold; `None` if no number of seeds is the goal.
    pub(super) fn store_wanted(self, position: &Position) -> Result<Option<u32>, TurnsError> {
        let store = u32::from(position.stores[position.to_move.index()]);
        let most = store + position.seeds_in_play() as u32;
        match self {
            Goal::Win | Goal::ShortestWin => {
                let all = position.seeds_in_play() as u32 + position.stores.iter().map(|&s| u32::from(s)).sum::<u32>();
                Ok(Some(all / 2 + 1))
            }
            Goal::Max | Goal::Longest => Ok(None),
            Goal::AtLeast(asked) if asked > most => Err(TurnsError::TooMany { asked, most }),
            Goal::AtLeast(asked) => Ok(Some(asked)),
            Goal::Donkers => {
                let pits = position.pits();
                let is_start = position.stores == [0, 0] && position.board.iter().all(|&seeds| usize::from(seeds) == pits);
                if !is_start {
                    return Err(TurnsError::NotDonkers { pits, position: position.to_string() });
                }
                Ok(Some((2 * pits * pits - pits) as u32))
            }
        }
    }
}

//! Where the game is over before a choice, and what it is worth then.
//!
//! Nearly all end conditions look only at how many seeds each row holds, so they hold for whole splits. Only-singletons is the one
//! that looks at pits; it holds for a product of rows.

use lumbung_engine::rules::{End, EndWhen, Feeding, NoMove, Rules};

use super::rank::{Row, Rows};

/// The end of the game.
#[derive(Debug)]
pub(crate) struct Over {
    end: End,
    feeding: Feeding,
}

impl Over {
    pub(crate) fn new(rules: &Rules) -> Self {
        Over { end: rules.end, feeding: rules.feeding }
    }

    /// What the player to move gets on every board with `own` seeds in her row and `other` in the other, if the game is over on
    /// all of them.
    pub(crate) fn split(&self, own: usize, other: usize) -> Option<i8> {
        if self.end.one_each && (own, other) == (1, 1) {
            return Some(0);
        }
        let over = match self.end.when {
            EndWhen::MoverEmpty => own == 0,
            EndWhen::AnyRowEmpty => own == 0 || other == 0,
            EndWhen::BothRowsEmpty => own + other == 0,
            EndWhen::FewerThan(seeds) => own + other < usize::from(seeds),
            EndWhen::OnlySingletons | EndWhen::NoLegalMove => false,
        };
        over.then(|| self.settlement(own, other))
    }

    /// The ranks of the rows of a sum that end the game when they meet each other.
    pub(crate) fn singletons(&self, rows: &Rows, sum: usize) -> Box<[u32]> {
        if self.end.when != EndWhen::OnlySingletons || sum > rows.pits() {
            return Box::default();
        }
        let only_singletons = |row: &Row| row.iter().all(|&seeds| seeds <= 1);
        (0..).zip(rows.with_sum(sum)).filter(|(_, row)| only_singletons(row)).map(|(rank, _)| rank).collect()
    }

    /// What the player to move gains when the game is over with these seeds in her row and in the other.
    pub(crate) fn settlement(&self, own: usize, other: usize) -> i8 {
        self.end.settlement(own as u32, other as u32) as i8
    }

    /// Whether a player without a legal move passes if the other player has one.
    pub(crate) fn may_pass(&self, own: usize) -> bool {
        self.end.no_move == NoMove::Pass || (self.feeding == Feeding::Rescue && own == 0)
    }

    /// Whether only moves that feed are legal against an empty row.
    pub(crate) fn must_feed(&self) -> bool {
        matches!(self.feeding, Feeding::MoverMust | Feeding::Rescue)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lumbung_engine::rules::preset;

    fn over(name: &str, changes: &[&str]) -> Over {
        Over::new(&preset(name).unwrap().rules.with_set(changes).unwrap())
    }

    #[test]
    fn presets_end_on_whole_splits() {
        // Dakon: the mover is empty and the other player stores the rest.
        assert_eq!((over("dakon", &[]).split(0, 5), over("dakon", &[]).split(5, 0)), (Some(-5), None));
        // Kalah: either row is empty and each player keeps hers.
        assert_eq!((over("kalah", &[]).split(0, 5), over("kalah", &[]).split(5, 0)), (Some(-5), Some(5)));
        assert_eq!((over("sungka", &[]).split(0, 5), over("sungka", &[]).split(0, 0)), (None, Some(0)));
        assert_eq!(over("kalah", &["end.when=fewer-than-3"]).split(2, 0), Some(2));
        assert_eq!(over("dakon", &["end.one-each=true"]).split(1, 1), Some(0));
    }

    #[test]
    fn a_gift_comes_from_the_only_row_with_seeds() {
        let gift = over("kalah", &["end.gift=2"]);
        assert_eq!((gift.settlement(5, 0), gift.settlement(0, 5), gift.settlement(1, 0), gift.settlement(3, 2)), (1, -1, -1, 1));
    }

    #[test]
    fn singletons_are_rows() {
        let rows = Rows::new(3, 4).unwrap();
        let over = over("kalah", &["end.when=only-singletons"]);
        let ones = over.singletons(&rows, 2);
        assert_eq!(
            ones.iter().map(|&rank| &rows.with_sum(2)[rank as usize][..3]).collect::<Vec<_>>(),
            [[1, 1, 0], [1, 0, 1], [0, 1, 1]]
        );
        assert!(over.singletons(&rows, 4).is_empty());
    }
}

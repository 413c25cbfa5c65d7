//! What several test files need: random positions, and one comparison of kernel and referee.

use lumbung_engine::kernel::{Children, Kernel, Lanes, Status, Then, Visitor};
use lumbung_engine::referee::{Next, State};
use lumbung_engine::{Owners, Position, Referee, RuleSet, Side};

/// A small, seeded source of random numbers (splitmix64).
#[derive(Debug)]
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    pub(crate) fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }

    /// A position of `seeds` seeds: evenly spread, or in a few pits, or mostly on one side, so that rare rules come up.
    pub(crate) fn position(&mut self, pits: usize, seeds: usize, any_owners: bool) -> Position {
        let mut board = vec![0u16; 2 * pits];
        let (first, span) = match self.below(4) {
            0 => (self.below(2) * pits, pits),
            _ => (0, 2 * pits),
        };
        let few = 1 + self.below(span);
        for _ in 0..seeds {
            board[first + (self.below(few) * 7 + few) % span] += 1;
        }
        let owners = if any_owners && self.below(2) == 0 { Owners::from_bits(self.next(), pits) } else { Owners::rows(pits) };
        Position { board, stores: [0, 0], to_move: [Side::South, Side::North][self.below(2)], owners }
    }
}

/// Compares everything the two engines say about some positions of one board size, one set of owners.
pub(crate) struct Compare<'a> {
    pub(crate) rules: &'a RuleSet,
    pub(crate) positions: &'a [Position],
}

impl Visitor for Compare<'_> {
    /// Legal moves compared.
    type Output = usize;

    fn visit<B: Lanes>(self, kernel: Kernel<B>) -> usize {
        self.positions.iter().map(|position| compare(&kernel, self.rules, position)).sum()
    }
}

/// What the player to move has gained over the opponent from `before` to `after`.
fn gained(before: &Position, after: &Position) -> i32 {
    let margin = after.margin() - before.margin();
    if before.to_move == Side::South { margin } else { -margin }
}

pub(crate) fn compare<B: Lanes>(kernel: &Kernel<B>, rules: &RuleSet, position: &Position) -> usize {
    let referee = Referee::new(rules);
    let board = kernel.pack(position);
    let seat = kernel.seat(position.to_move);
    assert_eq!(kernel.unpack(&board, position.to_move), position.board);
    let mut children = Children::new();
    let status = kernel.status(&board, seat, &mut children);
    let context = || format!("{position} under\n{}", rules.to_toml());
    match (referee.state(position), status) {
        (State::Over(over), Status::Over(value)) => {
            assert_eq!(gained(position, &over.last), value, "settlement of {}", context());
            0
        }
        (State::Pass, Status::Pass) => 0,
        (State::ToMove(pits), Status::ToMove) => {
            assert_eq!(children.iter().map(|c| c.pit).collect::<Vec<_>>(), pits, "legal moves of {}", context());
            for child in children.iter() {
                let played = referee.play(position, child.pit).unwrap();
                let about = || format!("pit {} of {}", child.pit, context());
                assert_eq!(gained(position, &played.after), child.gain, "gain, {}", about());
                match (&played.next, child.then) {
                    (Next::Bonus, Then::Again) => {
                        assert_eq!(played.after.to_move, position.to_move);
                        assert_eq!(kernel.unpack(&child.board, position.to_move), played.after.board, "{}", about());
                    }
                    (Next::Turn { .. }, Then::Other) => {
                        assert_eq!(played.after.to_move, position.to_move.other());
                        assert_eq!(kernel.unpack(&child.board, played.after.to_move), played.after.board, "{}", about());
                    }
                    (Next::Over(_), Then::Over) => {}
                    (referee, kernel) => panic!("{referee:?} against {kernel:?}, {}", about()),
                }
            }
            children.len()
        }
        (referee, kernel) => panic!("{referee:?} against {kernel:?}, {}", context()),
    }
}

//! The tree against games made up for it, whose values plain minimax knows.

use lumbung_engine::kernel::{Bytes16, Kernel, Lanes, Seat};
use lumbung_engine::position::Owners;
use lumbung_engine::rules::preset;
use lumbung_engine::{Pit, Position};
use proptest::prelude::*;

use super::lateness_of;
use super::tree::{Leaf, Move, Outlook, ProofTree, Question, Settled, Unfolded};

/// A game on boards of two rows in which a move takes one seed from a pit of the mover's row, so that moves in another order lead
/// to the same board. It is over when the mover's row is empty. Gains, who moves next, and the value at the end are made from the
/// boards and a number.
#[derive(Clone, Copy)]
struct Game {
    seed: u64,
}

const PITS: usize = 3;

/// A board and whose turn it is, on which gains depend as well.
type Place = (Bytes16, Seat);

struct Played {
    after: Place,
    gain: i32,
    other: bool,
    pit: Pit,
}

impl Game {
    fn start() -> Bytes16 {
        let mut board = Bytes16::EMPTY;
        for pit in 0..PITS {
            board.set(pit, 2);
            board.set(Bytes16::STRIDE + pit, 1);
        }
        board
    }

    fn mixed(self, (board, seat): Place) -> u64 {
        (Lanes::hash(&board) ^ self.seed ^ seat.index() as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40
    }

    fn moves(self, place: Place) -> Vec<Played> {
        let (board, seat) = place;
        let pits = (0..PITS).filter(|&pit| board.get(pit) > 0);
        let moves = pits.map(|pit| {
            let mut after = board;
            after.set(pit, board.get(pit) - 1);
            let mixed = self.mixed((after, seat)) ^ self.mixed(place) >> 3;
            let (other, gain, pit) = (mixed & 3 != 0, (mixed >> 2 & 3) as i32 - 1, Pit(pit as u8));
            let opposite = if seat == Seat::FIRST { Seat::SECOND } else { Seat::FIRST };
            Played { after: if other { (after.swap(), opposite) } else { (after, seat) }, gain, other, pit }
        });
        moves.collect()
    }

    /// What the player to move gains.
    fn value(self, place: Place) -> i32 {
        let moves = self.moves(place).into_iter();
        moves.map(|played| self.value_of(&played)).max().unwrap_or((self.mixed(place) % 3) as i32 - 1)
    }

    fn value_of(self, played: &Played) -> i32 {
        let after = self.value(played.after);
        if played.other { played.gain - after } else { played.gain + after }
    }
}

fn question(board: Bytes16, beta: i32) -> Question<Bytes16> {
    Question { board, seat: Seat::FIRST, beta }
}

/// Answers the question at the root by expanding leaves; a leaf with no moves, or any after so many tries, is settled by its
/// value. Checks all that is settled.
fn prove(game: Game, tree: &mut ProofTree<Bytes16>) -> i32 {
    let mut expanded = 0;
    let mut others: Vec<Leaf<Bytes16>> = Vec::new();
    loop {
        if let Some(bound) = tree.answer() {
            return bound;
        }
        assert!(tree.is_consistent());
        let leaf = tree.choose();
        assert!(tree.is_consistent());
        assert!(expanded < 100_000, "it does not end");
        // Now and then another thread takes its leaf before the first is back.
        if others.len() < 2 && expanded % 3 == 0 {
            others.push(leaf);
            expanded += 1;
            continue;
        }
        for leaf in others.drain(..).chain([leaf]) {
            let Question { board, seat, beta } = leaf.question;
            let moves = game.moves((board, seat));
            let searched = leaf.budget > 8;
            expanded += 1;
            if moves.is_empty() || searched {
                tree.settle(&leaf, game.value((board, seat)), 1);
            } else if expanded % 7 == 5 {
                tree.give_back(&leaf, 1);
            } else {
                let asked = |Played { after: (board, seat), gain, other, pit }| Move {
                    question: Question { board, seat, beta: if other { gain - beta + 1 } else { beta - gain } },
                    other,
                    gain,
                    pit: Some(pit),
                    outlook: Outlook { yes: 1.0, no: f64::from(board.seeds()) },
                };
                let value = |played: &Played| game.value_of(played);
                // Some moves that fail are known to, and left out.
                let (left_out, moves): (Vec<_>, Vec<_>) = moves.into_iter().partition(|m| expanded % 5 < 2 && value(m) < beta);
                let upper = left_out.iter().map(value).max().unwrap_or(i32::MIN);
                let moves: Vec<_> = moves.into_iter().map(asked).collect();
                if moves.is_empty() { tree.settle(&leaf, upper, 1) } else { tree.expand(&leaf, &moves, upper, 1) }
            }
        }
        let mut settled: Vec<Settled<Bytes16>> = Vec::new();
        tree.take_settled(&mut settled);
        for Settled { question: Question { board, seat, beta }, bound, best, .. } in settled {
            let value = game.value((board, seat));
            assert!(if bound >= beta { bound <= value } else { value <= bound }, "{board:?} {beta}: {bound}, and not {value}");
            assert_eq!(best.is_some(), bound >= beta);
            if let Some(pit) = best {
                let played = game.moves((board, seat)).into_iter().find(|m| m.pit == pit).unwrap();
                let reached = game.value_of(&played);
                assert!(reached >= bound, "{board:?}: pit {pit} reaches {reached}, not {bound}");
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    /// Whatever leaf comes first, and with hardly any room, what the tree settles is what plain minimax finds.
    #[test]
    fn answers_are_those_of_minimax(seed: u64, beta in -3i32..=4, lateness in 0u8..8, small: bool) {
        let game = Game { seed };
        let (start, value) = (Game::start(), game.value((Game::start(), Seat::FIRST)));
        let most = if small { 12 } else { 1 << 12 };
        let mut tree = ProofTree::new(question(start, beta), most, 1, f32::from(lateness) / 4.0, Unfolded::default());
        let bound = prove(game, &mut tree);
        prop_assert!(if value >= beta { (beta..=value).contains(&bound) } else { (value..beta).contains(&bound) }, "{bound} for {value}");
        prop_assert!(tree.len() <= most, "{} questions", tree.len());
    }
}

/// The leaf chosen first is that of the most promising move; a move that turns out dear gives way to the next.
#[test]
fn a_dear_move_gives_way() {
    let boards: Vec<Bytes16> = (1..=5).map(Bytes16).collect();
    let mut tree = ProofTree::new(question(boards[0], 1), 100, 16, 1.0, Unfolded::default());
    let again = |board, no| Move {
        question: question(board, 1),
        other: false,
        gain: 0,
        pit: Some(Pit(0)),
        outlook: Outlook { yes: no, no: 1.0 },
    };
    let root = tree.choose();
    assert_eq!((root.question.board, root.budget), (boards[0], 16));
    tree.expand(&root, &[again(boards[1], 1.0), again(boards[2], 1.0)], -9, 16);
    let first = tree.choose();
    assert_eq!(first.question.board, boards[1]);
    // While a thread is there another goes to the second move, which counts double for coming late, but no more.
    let second = tree.choose();
    assert_eq!(second.question.board, boards[2]);
    tree.give_back(&second, 0);
    tree.expand(&first, &[again(boards[3], 3.0), again(boards[4], 9.0)], -9, 16);
    assert_eq!(tree.choose().question.board, boards[2], "2 is less than 3");
    // Another tree for the same question does not search again what this one has unfolded.
    let mut next = ProofTree::new(question(boards[0], 1), 100, 16, 1.0, tree.unfolded());
    assert_eq!(next.choose().budget, 0);
    let mut other = ProofTree::new(question(boards[0], 2), 100, 16, 1.0, tree.unfolded());
    assert_eq!(other.choose().budget, 16);
}

/// Only with relays, and only where a good line settles it, a later move counts for much more.
#[test]
fn how_much_later_moves_count_depends_on_the_question() {
    let lateness_of = |game: &str, beta: i32| {
        let kernel = Kernel::<Bytes16>::new(&preset(game).unwrap().rules, 3, 12, Owners::rows(3)).unwrap();
        lateness_of(&question(kernel.pack(&Position::start("3x2".parse().unwrap())), beta), &kernel)
    };
    for (beta, lateness) in [(12, 4.0), (-10, 4.0), (10, 0.25), (0, 0.25), (-8, 0.25)] {
        assert_eq!(lateness_of("dakon", beta), lateness, "dakon, {beta}");
        assert_eq!(lateness_of("kalah", beta), 1.0, "kalah, {beta}");
    }
}

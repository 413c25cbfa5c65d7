//! The search under rules that can repeat a position, held against the values of the graph on every position that can arise.
//!
//! Without an endgame table each line of play goes round and round, so this is where an answer that leans on the way it was reached
//! would be remembered by mistake. Many positions are searched in one session, which shares what it remembers.

use lumbung_engine::kernel::{Kernel, Lanes, Seat, Visitor, dispatch};
use lumbung_engine::rules::arbitrary::scored_rule_set;
use lumbung_engine::rules::{Cycle, RuleSet, preset};
use lumbung_engine::{BoardSize, Position};
use proptest::prelude::*;

use super::layer::{Layer, LayerView};
use super::node::World;
use super::{Counting, Form, Means, discover, settle};
use crate::limits::{Limits, Quiet};
use crate::questions::Questions;
use crate::session::Session;
use crate::setup::{Work, in_session};
use crate::solve::Options;
use crate::transposition::Transpositions;

/// Positions searched in one session, and the positions it may visit: a layer in which all play goes round can take more than any
/// patience.
const SHARED: usize = 64;
const NODES: u64 = 30_000;

/// Every position of a graph, with its exact value.
struct Settled<'a> {
    rules: &'a RuleSet,
    start: &'a Position,
}

impl Visitor for Settled<'_> {
    type Output = Vec<(Position, i32)>;

    fn visit<B: Lanes>(self, kernel: Kernel<B>) -> Self::Output {
        let limits = Limits::default();
        let world = World::new(self.rules, &kernel, self.start, Counting::Ours).unwrap();
        let means = Means { limits: &limits, progress: &Quiet, form: Form::Smaller, scratch: None };
        let (mut layers, _) = discover::discover(&world, self.start, means).unwrap();
        settle::settle(&world, self.start, &mut layers, means).unwrap();
        let position = |seeds: usize, place: u64| {
            let node = world.node(seeds, place);
            assert_eq!(node.seat, Seat::FIRST);
            Position { board: kernel.unpack(&node.board, self.start.to_move), stores: [0, 0], ..self.start.clone() }
        };
        let of = |(seeds, layer): (usize, &Layer)| {
            let LayerView { keys, values, .. } = layer.view();
            keys.places(0).zip(values).map(|(place, &value)| (position(seeds, place), value.into())).collect::<Vec<_>>()
        };
        layers.iter().enumerate().flat_map(of).collect()
    }
}

/// Searches every position; how many values were found out.
struct SearchAll<'a> {
    expected: &'a [(Position, i32)],
}

impl Work for SearchAll<'_> {
    type Output = usize;

    fn run<B: Lanes, T: Transpositions<B>>(self, session: &mut Session<'_, B, T>) -> usize {
        let mut settled = 0;
        for (position, value) in self.expected {
            let (board, seat) = (session.kernel.pack(position), session.kernel.seat(position.to_move));
            let seeds = board.seeds() as i32;
            let questions = Questions::new(session.kernel, None);
            let ((low, high), stopped) = session.narrow(&board, seat, (-seeds, seeds), questions, |(low, high)| low == high);
            assert!(low <= *value && *value <= high, "{position} is worth {value}, and not {low} to {high}");
            assert_eq!(stopped.is_none(), low == high);
            settled += usize::from(low == high);
        }
        settled
    }
}

/// Holds the search against the graph; how many positions there were, and how many of them were settled.
fn check(rules: &RuleSet, start: &Position) -> (usize, usize) {
    let mut expected = dispatch(rules, start.pits(), start.seeds_in_play(), start.owners, Settled { rules, start });
    // From the most seeds down, so that little is known of what lies below; then each seeds' positions in the order of their keys,
    // which is as good as none.
    expected.reverse();
    let limits = Limits { nodes: Some(NODES), memory: 4 << 20, ..Limits::default() };
    let options = Options { table_seeds: Some(0), limits, ..Options::default() };
    let settled =
        expected.chunks(SHARED).map(|expected| in_session(rules, start, &options, &Quiet, SearchAll { expected }).unwrap());
    (expected.len(), settled.sum())
}

fn start(pits: usize, seeds: usize) -> Position {
    Position::start(BoardSize::new(pits, seeds).unwrap())
}

#[test]
fn every_position_of_small_boards() {
    let (mut positions, mut settled) = (0, 0);
    for game in ["djenon-abe", "awari", "djenon-aboure", "san-yao"] {
        let base = &preset(game).unwrap().rules;
        let readings = base.readings.keys().map(|reading| base.with_reading(reading).unwrap());
        for rules in std::iter::once(base.clone()).chain(readings) {
            for (pits, seeds) in [(2, 1), (2, 2), (2, 3), (3, 1)] {
                let (all, done) = check(&rules, &start(pits, seeds));
                (positions, settled) = (positions + all, settled + done);
            }
        }
    }
    assert!(positions > 500 && settled * 2 > positions, "{settled} of {positions} were settled");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 50, ..ProptestConfig::default() })]

    #[test]
    fn every_position_under_any_rules(rules in scored_rule_set(), pits in 1..4usize, counts in prop::array::uniform6(0..3u16)) {
        prop_assume!(rules.end.cycle != Cycle::RowOwner);
        let position = Position { board: counts[..2 * pits].to_vec(), ..start(pits, 1) };
        check(&rules, &position);
    }
}

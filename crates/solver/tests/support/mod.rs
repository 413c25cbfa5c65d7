//! Exact values by the referee and nothing else, for small boards.

use std::collections::{BTreeMap, HashMap};

use lumbung_engine::referee::{Next, State};
use lumbung_engine::{Position, Referee, RuleSet, Side};
use lumbung_proof::{Bound, Entry, Key};
use lumbung_solver::certificate::{ExtractError, Oracle};

/// Values of positions for the player to move, worked out when they are first asked for. Layer by layer, from few seeds to many,
/// values start at nothing gained and are worked out again from their successors until none changes, so that endless play is
/// worth 0.
pub(crate) struct Naive<'r> {
    rules: &'r RuleSet,
    values: HashMap<Key, i32>,
}

enum Follows {
    Over(i32),
    /// Gain, where to, and whether the same player moves there.
    Moves(Vec<(i32, Option<Key>, bool)>),
}

fn gain(before: &Position, after: &Position) -> i32 {
    let margin = after.margin() - before.margin();
    if before.to_move == Side::South { margin } else { -margin }
}

fn key(position: &Position) -> Key {
    Key::new(position, Bound::AtLeast(0))
}

impl<'r> Naive<'r> {
    pub(crate) fn new(rules: &'r RuleSet) -> Self {
        Naive { rules, values: HashMap::new() }
    }

    pub(crate) fn value(&mut self, position: &Position) -> i32 {
        let wanted = key(position);
        if !self.values.contains_key(&wanted) {
            self.work_out(position);
        }
        self.values[&wanted]
    }

    fn work_out(&mut self, start: &Position) {
        let referee = Referee::new(self.rules);
        let mut layers: BTreeMap<usize, HashMap<Key, Follows>> = BTreeMap::new();
        let mut open = vec![start.clone()];
        while let Some(position) = open.pop() {
            let here = key(&position);
            let seeds = position.seeds_in_play();
            if self.values.contains_key(&here) || layers.get(&seeds).is_some_and(|layer| layer.contains_key(&here)) {
                continue;
            }
            let follows = match referee.state(&position) {
                State::Over(over) => Follows::Over(gain(&position, &over.last)),
                State::Pass => {
                    open.push(referee.pass(&position));
                    Follows::Moves(vec![(0, Some(key(&referee.pass(&position))), false)])
                }
                State::ToMove(pits) => {
                    let mut moves = Vec::new();
                    for pit in pits {
                        let played = referee.play(&position, pit).expect("legal");
                        let gain = gain(&position, &played.after);
                        match played.next {
                            Next::Over(_) => moves.push((gain, None, false)),
                            Next::Bonus => moves.push((gain, Some(key(&played.after)), true)),
                            Next::Turn { .. } => moves.push((gain, Some(key(&played.after)), false)),
                        }
                        if !matches!(played.next, Next::Over(_)) {
                            open.push(played.after);
                        }
                    }
                    Follows::Moves(moves)
                }
            };
            layers.entry(seeds).or_default().insert(here, follows);
        }
        for layer in layers.into_values() {
            self.values.extend(layer.keys().map(|key| (key.clone(), 0)));
            let mut changed = true;
            while changed {
                changed = false;
                for (key, follows) in &layer {
                    let value = match follows {
                        Follows::Over(gain) => *gain,
                        Follows::Moves(moves) => {
                            let worth = |(gain, to, again): &(i32, Option<Key>, bool)| {
                                let rest = to.as_ref().map_or(0, |to| self.values[to]);
                                gain + if *again { rest } else { -rest }
                            };
                            moves.iter().map(worth).max().expect("a move")
                        }
                    };
                    changed |= self.values.insert(key.clone(), value) != Some(value);
                }
            }
        }
    }

    /// Whether what an entry says of its position is true.
    pub(crate) fn agrees(&mut self, entry: &Entry, owners: lumbung_engine::Owners) -> bool {
        let value = self.value(&entry.key.position(owners));
        entry.bound().admits(value)
    }
}

impl Oracle for Naive<'_> {
    fn at_least(&mut self, position: &Position, value: i32) -> Result<bool, ExtractError> {
        Ok(self.value(position) >= value)
    }
}

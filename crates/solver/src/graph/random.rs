//! Random play: games in which every legal move is equally likely.
//!
//! Game number `i` draws from stream `i` of a ChaCha8 generator, so the games depend on the seed and on nothing else. Sums are kept in
//! whole numbers, so the results do not depend on the order in which games are finished either.

use std::collections::HashSet;

use lumbung_engine::kernel::{Children, Kernel, Lanes, Status, Then, Visitor, dispatch};
use lumbung_engine::rules::Cycle;
use lumbung_engine::{Position, RuleSet, Side};
use rand::rngs::ChaCha8Rng;
use rand::{RngExt as _, SeedableRng as _};
use rayon::prelude::*;

use super::{GraphError, margin};
use crate::limits::{Limits, StopReason};

/// A game is given up after so many moves: where positions can repeat, some random games would never end.
pub const MOST_MOVES: u64 = 10_000;

/// Games between two looks at the limits.
const BATCH: u64 = 1 << 10;

/// Half the width of a 95 % interval of the normal distribution, in standard errors.
const NORMAL_95: f64 = 1.959_963_984_540_054;

/// A mean with its 95 % confidence interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// The mean of the games played.
    pub mean: f64,
    /// The interval that holds the mean of all possible games with a probability of 95 %, by the normal approximation. `None` with
    /// fewer than two games.
    pub interval: Option<(f64, f64)>,
}

/// What random games showed. Games that were given up after [`MOST_MOVES`] moves are counted and otherwise left out.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct RandomPlay {
    /// Games played.
    pub games: u64,
    /// Of these, games that were given up.
    pub given_up: u64,
    /// Games that came back to a position, the same player being to move.
    pub repeated: u64,
    /// Moves of a game; a pass is none.
    pub moves: Option<Estimate>,
    /// Turns of a game: all moves a player makes before play passes are one turn.
    pub turns: Option<Estimate>,
    /// The shortest and the longest game, in moves.
    pub moves_between: Option<(u64, u64)>,
    /// Legal moves at a move: the sum over all moves of all games, divided by their number.
    pub branching: Option<Estimate>,
    /// South's final margin.
    pub margin: Option<Estimate>,
    /// Games won by South, drawn, won by North.
    pub outcomes: [u64; 3],
    /// The limit that ended the work before all games were played, if one did.
    pub stopped: Option<StopReason>,
}

/// Plays `games` random games from `position`, the numbers drawn from `seed`.
///
/// # Errors
/// [`GraphError::RowOwnerCycle`].
///
/// # Panics
/// If the position is beyond the limits of [`lumbung_engine::position`].
pub fn play(rules: &RuleSet, position: &Position, games: u64, seed: u64, limits: &Limits) -> Result<RandomPlay, GraphError> {
    if rules.end.cycle == Cycle::RowOwner {
        return Err(GraphError::RowOwnerCycle);
    }
    let work = Games { position, games, seed, limits };
    Ok(dispatch(rules, position.pits(), position.seeds_in_play(), position.owners, work))
}

struct Games<'a> {
    position: &'a Position,
    games: u64,
    seed: u64,
    limits: &'a Limits,
}

impl Visitor for Games<'_> {
    type Output = RandomPlay;

    fn visit<B: Lanes>(self, kernel: Kernel<B>) -> RandomPlay {
        let mut sums = Sums::default();
        let mut stopped = None;
        let mut from = 0;
        while from < self.games {
            stopped = self.limits.exceeded(0);
            if stopped.is_some() {
                break;
            }
            let to = (from + BATCH).min(self.games);
            let batch = (from..to).into_par_iter().map_init(Children::new, |children, number| {
                let mut random = ChaCha8Rng::seed_from_u64(self.seed);
                random.set_stream(number);
                Sums::of(&game(&kernel, self.position, children, &mut random))
            });
            sums = sums.plus(batch.reduce(Sums::default, Sums::plus));
            from = to;
        }
        RandomPlay { stopped, ..sums.tell() }
    }
}

/// A random game.
struct Game {
    moves: u64,
    turns: u64,
    /// Legal moves at all its moves together.
    choices: u64,
    repeated: bool,
    /// South's final margin; none if the game was given up.
    margin: Option<i32>,
}

fn game<B: Lanes>(kernel: &Kernel<B>, start: &Position, children: &mut Children<B>, random: &mut ChaCha8Rng) -> Game {
    let (mut board, mut side) = (kernel.pack(start), start.to_move);
    let mut game = Game { moves: 0, turns: 0, choices: 0, repeated: false, margin: None };
    let mut seen = HashSet::new();
    // What the player to move at the start has gained over the other.
    let mut gained = 0;
    let sign = |side: Side| if side == start.to_move { 1 } else { -1 };
    let value = loop {
        game.repeated |= kernel.can_repeat() && !game.repeated && !seen.insert((board, side));
        match kernel.status(&board, kernel.seat(side), children) {
            Status::Over(value) => break gained + sign(side) * value,
            Status::Pass => (board, side) = (board.swap(), side.other()),
            Status::ToMove => {
                if game.moves == MOST_MOVES {
                    return game;
                }
                let child = &children[random.random_range(0..children.len())];
                game.moves += 1;
                game.choices += children.len() as u64;
                game.turns += u64::from(child.then != Then::Again);
                gained += sign(side) * child.gain;
                match child.then {
                    Then::Over => break gained,
                    Then::Again => board = child.board,
                    Then::Other => (board, side) = (child.board, side.other()),
                }
            }
        }
    };
    game.margin = Some(margin(start, value));
    game
}

/// Sums over games.
#[derive(Clone, Copy, Debug, Default)]
struct Sums {
    games: u64,
    given_up: u64,
    repeated: u64,
    moves: Moments,
    turns: Moments,
    choices: Moments,
    choices_times_moves: i128,
    margin: Moments,
    shortest: Option<u64>,
    longest: Option<u64>,
    outcomes: [u64; 3],
}

/// Sums of a number and of its square.
#[derive(Clone, Copy, Debug, Default)]
struct Moments {
    sum: i128,
    squares: i128,
}

impl Moments {
    fn of(number: impl Into<i128>) -> Self {
        let sum = number.into();
        Moments { sum, squares: sum * sum }
    }

    fn plus(self, other: Self) -> Self {
        Moments { sum: self.sum + other.sum, squares: self.squares + other.squares }
    }

    /// The mean of `count` numbers.
    fn estimate(self, count: u64) -> Option<Estimate> {
        let n = count as f64;
        let mean = self.sum as f64 / n;
        // n times the sum of squares, less the square of the sum, is exact in whole numbers.
        let spread = (i128::from(count) * self.squares - self.sum * self.sum) as f64 / n;
        estimate(mean, spread, n)
    }
}

/// A mean of `n` numbers, whose squared distances from it add up to `spread`.
fn estimate(mean: f64, spread: f64, n: f64) -> Option<Estimate> {
    let interval = (n > 1.0).then(|| {
        let half = NORMAL_95 * (spread.max(0.0) / (n - 1.0) / n).sqrt();
        (mean - half, mean + half)
    });
    (n > 0.0).then_some(Estimate { mean, interval })
}

impl Sums {
    fn of(game: &Game) -> Self {
        let mut sums = Sums { games: 1, repeated: u64::from(game.repeated), ..Sums::default() };
        let Some(margin) = game.margin else { return Sums { given_up: 1, ..sums } };
        sums.moves = Moments::of(game.moves);
        sums.turns = Moments::of(game.turns);
        sums.choices = Moments::of(game.choices);
        sums.choices_times_moves = i128::from(game.choices) * i128::from(game.moves);
        sums.margin = Moments::of(margin);
        (sums.shortest, sums.longest) = (Some(game.moves), Some(game.moves));
        sums.outcomes[(1 - margin.signum()) as usize] = 1;
        sums
    }

    fn plus(self, other: Self) -> Self {
        let either = |one: Option<u64>, two: Option<u64>, choose: fn(u64, u64) -> u64| match (one, two) {
            (Some(one), Some(two)) => Some(choose(one, two)),
            _ => one.or(two),
        };
        Sums {
            games: self.games + other.games,
            given_up: self.given_up + other.given_up,
            repeated: self.repeated + other.repeated,
            moves: self.moves.plus(other.moves),
            turns: self.turns.plus(other.turns),
            choices: self.choices.plus(other.choices),
            choices_times_moves: self.choices_times_moves + other.choices_times_moves,
            margin: self.margin.plus(other.margin),
            shortest: either(self.shortest, other.shortest, u64::min),
            longest: either(self.longest, other.longest, u64::max),
            outcomes: std::array::from_fn(|i| self.outcomes[i] + other.outcomes[i]),
        }
    }

    fn tell(self) -> RandomPlay {
        let finished = self.games - self.given_up;
        RandomPlay {
            games: self.games,
            given_up: self.given_up,
            repeated: self.repeated,
            moves: self.moves.estimate(finished),
            turns: self.turns.estimate(finished),
            moves_between: self.shortest.zip(self.longest),
            branching: self.branching(finished),
            margin: self.margin.estimate(finished),
            outcomes: self.outcomes,
            stopped: None,
        }
    }

    /// Choices a move: a quotient of two sums, whose variance is that of the distances from it (the usual ratio estimator). Games are
    /// independent, the moves of one game are not.
    fn branching(&self, finished: u64) -> Option<Estimate> {
        if self.moves.sum == 0 {
            return None;
        }
        let (n, moves) = (finished as f64, self.moves.sum as f64);
        let ratio = self.choices.sum as f64 / moves;
        let distances = self.choices.squares as f64 - 2.0 * ratio * self.choices_times_moves as f64
            + ratio * ratio * self.moves.squares as f64;
        let mean_moves = moves / n;
        estimate(ratio, distances / (mean_moves * mean_moves), n)
    }
}

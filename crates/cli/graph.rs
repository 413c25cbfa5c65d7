//! `graph`: all positions that can arise, and random play.

mod page;

use std::cell::OnceCell;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use lumbung_solver::StopReason;
use lumbung_solver::graph::random::{self, Estimate, RandomPlay};
use lumbung_solver::graph::{Aside, Counting, Explored, Found, Graph, Options, explore_telling, margin};
use lumbung_solver::solve::Outcome;
use serde::Serialize;

use crate::args::Common;
use crate::exit::{Exit, Failure};
use crate::output;
use crate::report;
use crate::start::{Start, StartArgs};
use crate::units;
use crate::work::{self, Work};

const AFTER: &str = "\
Examples:
  lumbung graph san-yao                            every position of a round on the usual board
  lumbung graph djenon-abe --board 3x4 --memory 4GiB
  lumbung graph kalah-empty-capture --board 4x3 --counting irving
  lumbung graph awari --board 4x5 --memory 4GiB --scratch /var/tmp
  lumbung graph djenon-abe --random-games 10000 --seed 1

A position is what its value depends on: the pits as the player to move sees them (and, where the
players own different pits, who she is). Values are what the player to move gains from there on.
With --counting irving it is the pits, both stores and the side to move, as in Table 3 of Irving,
Donkers and Uiterwijk 2000; a position is then terminal when a row is empty or a store holds more
than half of all seeds, and values are outcomes.

Memory is what limits a graph. While a layer (the positions with some number of seeds in play) is
found, it takes about 30 bytes a position, or a quarter of a byte for every position that there could
be, whichever is less. Its values take 6 bytes a position (10 where turns have several moves), and 19
and 4 for every move within the layer while it is worked on. The program itself takes 16 MiB, which
count among what is allowed and told. If only the values do not fit, it says how many positions there
are and how much memory the values would take. A graph that does not fit is given up with exit code 3.

With --scratch DIR, layers that are not worked on go to nameless files in DIR when memory is short, so
that the largest layer must fit and not the whole graph. Nothing is left behind in DIR. With
--random-games the graph is not searched for.";

/// Find every position that can arise from a start: how many, how long, how branched, and their exact values; or play at random
#[derive(Debug, Args)]
#[command(after_help = AFTER)]
pub(crate) struct GraphArgs {
    #[command(flatten)]
    start: StartArgs,
    /// What counts as a position
    #[arg(long, value_name = "COUNTING", value_enum, default_value_t = CountingArg::Ours)]
    counting: CountingArg,
    /// Stop after finding N positions
    #[arg(long, value_name = "N", value_parser = units::nodes, allow_hyphen_values = true)]
    nodes: Option<u64>,
    /// Put what memory has no room for into nameless files in this directory
    #[arg(long, value_name = "DIR")]
    scratch: Option<PathBuf>,
    /// Play N games at random in place of searching the graph
    #[arg(long, value_name = "N", value_parser = units::games, allow_hyphen_values = true, conflicts_with_all = ["counting", "nodes", "scratch"])]
    random_games: Option<u64>,
    /// Draw the random games from this number; the same number gives the same games
    #[arg(long, value_name = "K", default_value_t = 0, requires = "random_games", value_parser = units::seed, allow_hyphen_values = true)]
    seed: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum CountingArg {
    /// The pits, seen by the player to move
    Ours,
    /// The pits, both stores and the side to move
    Irving,
}

pub(crate) fn run(args: &GraphArgs, common: &Common) -> Result<Exit, Failure> {
    let start = Start::new(&args.start, common)?;
    let work = Work::begin(common, args.nodes)?;
    if let Some(games) = args.random_games {
        return run_random(games, args.seed, &start, common, &work);
    }
    let counting = match args.counting {
        CountingArg::Ours => Counting::Ours,
        CountingArg::Irving => Counting::Irving,
    };
    let all = OnceCell::new();
    let tell = |found: Found| {
        let (positions, memory) = (units::counted(found.positions, "position"), units::bytes(found.memory));
        work.progress.say(format!("all {positions} found; their values take {memory}"));
        let _ = all.set(found);
    };
    let options = Options { counting, scratch: args.scratch.as_deref(), ..Options::default() };
    let explored = explore_telling(&start.chosen.rules, &start.position, options, &work.limits, &work.progress, &tell)
        .map_err(Failure::new)?;
    work.progress.finish();
    let stopped = match &explored {
        Explored::Complete(_) => None,
        Explored::Stopped { reason, .. } => Some(*reason),
    };
    if common.json {
        let document = Document::of_graph(&start, counting, &explored, all.get(), work.seconds());
        output::json("lumbung/graph/1", &document)?;
    } else {
        output::text(&page::graph(&start, options, &explored, all.get(), &work))?;
    }
    Ok(work::exit(stopped.is_none(), stopped))
}

fn run_random(games: u64, seed: u64, start: &Start, common: &Common, work: &Work) -> Result<Exit, Failure> {
    work.progress.say(format!("playing {} at random", units::counted(games, "game")));
    let played = random::play(&start.chosen.rules, &start.position, games, seed, &work.limits).map_err(Failure::new)?;
    work.progress.finish();
    if common.json {
        output::json("lumbung/graph/1", &Document::of_games(start, seed, &played, work.seconds()))?;
    } else {
        output::text(&page::games(start, seed, &played, work.seconds()))?;
    }
    Ok(work::exit(played.stopped.is_none(), played.stopped))
}

/// South's final margin under best play; unknown where only outcomes are counted.
fn margin_of(start: &Start, counting: Counting, graph: &Graph) -> Option<i32> {
    (counting == Counting::Ours).then(|| margin(&start.position, graph.value))
}

/// The outcome under best play.
fn outcome_of(start: &Start, counting: Counting, graph: &Graph) -> Outcome {
    Outcome::of(match counting {
        Counting::Ours => margin(&start.position, graph.value),
        // An outcome for the player to move; the stores are in it already.
        Counting::Irving => margin(&start.position, graph.value) - start.position.margin(),
    })
}

/// The document of `graph`. Facts are null where they were not found.
#[derive(Default, Serialize)]
struct Document {
    #[serde(flatten)]
    start: Option<report::Start>,
    counting: Option<&'static str>,
    positions: Option<u64>,
    found: Option<u64>,
    finding_memory: Option<u64>,
    finding_written: Option<u64>,
    values_memory: Option<u64>,
    values_aside: Option<AsideDocument>,
    terminal: Option<u64>,
    passing: Option<u64>,
    moves: Option<u64>,
    ending_moves: Option<u64>,
    endless_moves: Option<u64>,
    longest_turn_laps: Option<u64>,
    longest_turn_position: Option<String>,
    branching: Option<f64>,
    branching_deviation: Option<f64>,
    components: Option<u64>,
    cyclic_components: Option<u64>,
    largest_component: Option<u64>,
    plies: Option<u64>,
    margin: Option<i32>,
    outcome: Option<&'static str>,
    values: Option<serde_json::Map<String, serde_json::Value>>,
    layers: Option<Vec<LayerDocument>>,
    random: Option<RandomDocument>,
    threads: usize,
    seconds: f64,
    stopped: Option<&'static str>,
}

#[derive(Serialize)]
struct AsideDocument {
    memory: u64,
    disk: u64,
}

#[derive(Serialize)]
struct LayerDocument {
    seeds: usize,
    positions: u64,
    terminal: u64,
    moves: u64,
    largest_component: u64,
}

#[derive(Serialize)]
struct RandomDocument {
    games: u64,
    seed: u64,
    given_up: u64,
    repeated: u64,
    moves: Option<EstimateDocument>,
    turns: Option<EstimateDocument>,
    shortest: Option<u64>,
    longest: Option<u64>,
    branching: Option<EstimateDocument>,
    margin: Option<EstimateDocument>,
    south_wins: u64,
    draws: u64,
    north_wins: u64,
}

#[derive(Serialize)]
struct EstimateDocument {
    mean: f64,
    low: Option<f64>,
    high: Option<f64>,
}

impl From<Estimate> for EstimateDocument {
    fn from(estimate: Estimate) -> Self {
        let Estimate { mean, interval } = estimate;
        EstimateDocument { mean, low: interval.map(|(low, _)| low), high: interval.map(|(_, high)| high) }
    }
}

impl Document {
    fn of_graph(start: &Start, counting: Counting, explored: &Explored, all: Option<&Found>, seconds: f64) -> Self {
        let word = match counting {
            Counting::Ours => "ours",
            Counting::Irving => "irving",
        };
        let empty = Document {
            start: Some(start.report()),
            counting: Some(word),
            positions: all.map(|found| found.positions),
            finding_memory: all.map(|found| found.finding),
            finding_written: all.map(|found| found.written),
            values_memory: all.map(|found| found.memory),
            values_aside: all.map(|Found { aside: Aside { memory, disk }, .. }| AsideDocument { memory: *memory, disk: *disk }),
            threads: rayon::current_num_threads(),
            seconds,
            ..Document::default()
        };
        let graph = match explored {
            Explored::Complete(graph) => graph,
            Explored::Stopped { reason, found } => {
                return Document { found: Some(*found), stopped: Some(work::word(*reason)), ..empty };
            }
        };
        let layers = graph.layers.iter().map(|layer| LayerDocument {
            seeds: layer.seeds,
            positions: layer.positions,
            terminal: layer.terminal,
            moves: layer.moves,
            largest_component: layer.largest_component,
        });
        Document {
            found: Some(graph.positions),
            terminal: Some(graph.terminal),
            passing: Some(graph.passing),
            moves: Some(graph.moves),
            ending_moves: Some(graph.ending_moves),
            endless_moves: Some(graph.endless_moves),
            longest_turn_laps: Some(graph.longest_turn_laps),
            longest_turn_position: graph.longest_turn_position.as_ref().map(ToString::to_string),
            branching: graph.branching.map(|(mean, _)| mean),
            branching_deviation: graph.branching.map(|(_, deviation)| deviation),
            components: Some(graph.components),
            cyclic_components: Some(graph.cyclic_components),
            largest_component: Some(graph.largest_component),
            plies: graph.plies,
            margin: margin_of(start, counting, graph),
            outcome: Some(outcome_of(start, counting, graph).name()),
            values: Some(graph.values.iter().map(|(value, count)| (value.to_string(), (*count).into())).collect()),
            layers: Some(layers.collect()),
            ..empty
        }
    }

    fn of_games(start: &Start, seed: u64, played: &RandomPlay, seconds: f64) -> Self {
        let [south_wins, draws, north_wins] = played.outcomes;
        let random = RandomDocument {
            games: played.games,
            seed,
            given_up: played.given_up,
            repeated: played.repeated,
            moves: played.moves.map(Into::into),
            turns: played.turns.map(Into::into),
            shortest: played.moves_between.map(|(shortest, _)| shortest),
            longest: played.moves_between.map(|(_, longest)| longest),
            branching: played.branching.map(Into::into),
            margin: played.margin.map(Into::into),
            south_wins,
            draws,
            north_wins,
        };
        Document {
            start: Some(start.report()),
            random: Some(random),
            threads: rayon::current_num_threads(),
            seconds,
            stopped: played.stopped.map(work::word),
            ..Document::default()
        }
    }
}

/// What may help where a graph was not finished.
fn advice(reason: StopReason, has_scratch: bool) -> &'static str {
    match reason {
        StopReason::Memory if has_scratch => "More memory (--memory), or a smaller board, may do.",
        StopReason::Memory => {
            "More memory (--memory), a directory for what it has no room for (--scratch DIR), or a smaller board, may do."
        }
        StopReason::Time | StopReason::Nodes => "A longer limit may do.",
        StopReason::Interrupted => "",
    }
}

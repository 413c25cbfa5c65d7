//! What a position and each of its moves are worth: from a table, or else by a search that says what it has proven.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use lumbung_engine::kernel::{Kernel, Lanes, Then, Visitor, dispatch};
use lumbung_engine::rules::Fingerprint;
use lumbung_engine::{Position, Side};
use lumbung_solver::analyse::{Analysis, Calls, MoveValue, analyse};
use lumbung_solver::solve::{Goal, Options};
use lumbung_solver::{Limits, Quiet};
use lumbung_tables::file::{Choice, Directory, FileError, Probe, choice};
use serde::Serialize;

use super::answer::{Refusal, text};
use super::app::App;
use super::desk::Searched;
use super::params::{Params, START};
use crate::report;
use crate::start::Start;
use crate::units;

/// What is known of a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Values {
    state: Calls,
    /// Bounds of what the player to move gains from here on.
    value: (i32, i32),
    moves: Vec<Worth>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Worth {
    pit: u16,
    value: (i32, i32),
    gain: i32,
    again: bool,
}

impl Values {
    fn is_settled(&self) -> bool {
        let exact = |(low, high): (i32, i32)| low == high;
        exact(self.value) && self.moves.iter().all(|choice| exact(choice.value))
    }
}

/// The answer of `values` and `tables/{table}/value`.
#[derive(Serialize)]
struct Answer {
    #[serde(flatten)]
    start: report::Start,
    /// What is to be done: `move`, `pass` or `over`.
    state: &'static str,
    /// What the player to move gains over the other from here on, and what is proven of it.
    value: Option<i32>,
    bounds: [i32; 2],
    /// Her final margin, stores counted.
    margin: [i32; 2],
    /// Whether she wins, draws or loses.
    outcome: Option<&'static str>,
    moves: Vec<Move>,
    /// All of this is exact.
    proven: bool,
    /// `rules` where the game is over, `table` or `search`.
    source: &'static str,
    table: Option<String>,
    /// Positions that the search visited.
    nodes: u64,
    seconds: f64,
    /// Why the search did not go on, if it was not done.
    stopped: Option<&'static str>,
}

#[derive(Serialize)]
struct Move {
    pit: u16,
    value: Option<i32>,
    bounds: [i32; 2],
    outcome: Option<&'static str>,
    /// What the move gains at once.
    gain: i32,
    /// She moves again.
    again: bool,
    /// No other move can be better.
    best: bool,
}

/// Where values came from.
struct Source {
    source: &'static str,
    table: Option<String>,
    nodes: u64,
    seconds: f64,
    stopped: Option<&'static str>,
}

impl Source {
    fn table(id: &str) -> Source {
        Source { source: "table", table: Some(id.to_owned()), ..Source::searched(0, 0.0, None) }
    }

    fn searched(nodes: u64, seconds: f64, stopped: Option<&'static str>) -> Source {
        Source { source: "search", table: None, nodes, seconds, stopped }
    }
}

/// Answers `values`.
pub(super) async fn values(app: Arc<App>, query: Option<String>) -> Result<String, Refusal> {
    let asked = Arc::clone(&app);
    let known = app.desk.quick(move || known(&asked, query.as_deref())).await?;
    let (start, limit, nodes) = match known {
        Known::Answer(answer) => return Ok(answer),
        Known::Search { start, limit, nodes } => (start, limit, nodes),
    };
    let position = start.position.clone();
    let rules = start.chosen.rules.clone();
    let searched = app.desk.search(limit, nodes, move |limits| search(&rules, &position, limits)).await?;
    let stopped = searched.word(searched.found.stopped);
    let Searched { found, seconds, .. } = searched;
    let values = Values::from(&found);
    if values.is_settled() {
        app.found.keep(&start, &values);
    }
    answer("lumbung/api-values/1", &start, &values, Source::searched(found.nodes, seconds, stopped))
}

/// Whether an answer is at hand, or a search is called for.
enum Known {
    Answer(String),
    Search { start: Box<Start>, limit: std::time::Duration, nodes: Option<u64> },
}

fn known(app: &App, query: Option<&str>) -> Result<Known, Refusal> {
    let params = Params::parse(query, &[&START, &["limit", "nodes"]])?;
    let start = params.start(app)?;
    let limit = params.limit(app.desk.limit)?;
    let nodes = params.one("nodes")?.map(units::nodes).transpose();
    let nodes = nodes.map_err(|why| Refusal::bad(format!("nodes: {why}")))?;
    let schema = "lumbung/api-values/1";
    // A table that is damaged is of no use here; it is told of where that table is asked for.
    let tables = app.tables.iter().filter(|table| serves(&table.directory, &start));
    let found = tables.filter_map(|table| Some((table, look_up(&table.directory, &start.position).ok()?))).next();
    if let Some((table, values)) = found {
        return answer(schema, &start, &values, Source::table(&table.id)).map(Known::Answer);
    }
    if let Some(values) = app.found.get(&start) {
        return answer(schema, &start, &values, Source::searched(0, 0.0, None)).map(Known::Answer);
    }
    Ok(Known::Search { start: Box::new(start), limit, nodes })
}

/// Answers a look-up in one table.
pub(super) fn in_table(app: &App, id: &str, query: Option<&str>) -> Result<String, Refusal> {
    let params = Params::parse(query, &[&["position"]])?;
    let table = app.table(id)?;
    let directory = &table.directory;
    let position = params.needed("position")?.parse::<Position>().map_err(Refusal::bad)?;
    let chosen = super::tables::chosen(directory);
    position.check(&chosen.rules).map_err(Refusal::bad)?;
    directory.must_be_of(&chosen.rules, position.owners).map_err(|error| Refusal::bad(table.told(&error)))?;
    if !has_layer(directory, position.seeds_in_play()) {
        let manifest = directory.manifest();
        let (seeds, most) = (position.seeds_in_play(), manifest.complete_to().unwrap_or(0));
        let parity = manifest.parity.name();
        return Err(Refusal::bad(format!("{seeds} seeds in play; the table has layers up to {most} seeds ({parity})")));
    }
    let values = look_up(directory, &position).map_err(|error| Refusal::defect(table.told(&error)))?;
    answer("lumbung/api-values/1", &Start { chosen, position }, &values, Source::table(id))
}

/// Whether a table has a layer.
fn has_layer(directory: &Directory, seeds: usize) -> bool {
    directory.manifest().layers.iter().any(|layer| layer.seeds == seeds)
}

/// Whether a table tells the value of a position.
fn serves(directory: &Directory, start: &Start) -> bool {
    let (manifest, position) = (directory.manifest(), &start.position);
    manifest.pits == position.pits()
        && manifest.owners() == position.owners
        && manifest.fingerprint == start.chosen.rules.fingerprint()
        && has_layer(directory, position.seeds_in_play())
}

fn answer(schema: &'static str, start: &Start, values: &Values, source: Source) -> Result<String, Refusal> {
    let so_far = match start.position.to_move {
        Side::South => start.position.margin(),
        Side::North => -start.position.margin(),
    };
    let exact = |(low, high): (i32, i32)| (low == high).then_some(low);
    let final_margin = |(low, high): (i32, i32)| [so_far + low, so_far + high];
    let outcome = |value| match final_margin(value) {
        [low, _] if low > 0 => Some("won"),
        [_, high] if high < 0 => Some("lost"),
        [0, 0] => Some("drawn"),
        _ => None,
    };
    let cannot_be_beaten = |choice: &Worth| values.moves.iter().all(|other| choice.value.0 >= other.value.1 || other == choice);
    let moves = values.moves.iter().map(|choice| Move {
        pit: choice.pit,
        value: exact(choice.value),
        bounds: choice.value.into(),
        outcome: outcome(choice.value),
        gain: choice.gain,
        again: choice.again,
        best: cannot_be_beaten(choice),
    });
    let over = values.state == Calls::Over;
    let source = if over { Source { source: "rules", ..Source::searched(0, 0.0, None) } } else { source };
    text(
        schema,
        &Answer {
            start: start.report(),
            state: match values.state {
                Calls::Move => "move",
                Calls::Pass => "pass",
                Calls::Over => "over",
            },
            value: exact(values.value),
            bounds: values.value.into(),
            margin: final_margin(values.value),
            outcome: outcome(values.value),
            moves: moves.collect(),
            proven: values.is_settled(),
            source: source.source,
            table: source.table,
            nodes: source.nodes,
            seconds: source.seconds,
            stopped: source.stopped,
        },
    )
}

fn search(rules: &lumbung_engine::RuleSet, position: &Position, limits: Limits) -> Result<Analysis, Refusal> {
    // Who wins is known sooner than by how much.
    let options = Options { goal: Goal::Outcome, limits, ..Options::default() };
    analyse(rules, position, &options, &Quiet).map_err(Refusal::unanswerable)
}

impl From<&Analysis> for Values {
    fn from(analysis: &Analysis) -> Self {
        let worth = |choice: &MoveValue| Worth {
            pit: report::number(choice.pit),
            value: choice.value,
            gain: choice.gain,
            again: choice.again,
        };
        Values { state: analysis.calls, value: analysis.value, moves: analysis.moves.iter().map(worth).collect() }
    }
}

/// Looks a position up that the table has.
fn look_up(directory: &Directory, position: &Position) -> Result<Values, FileError> {
    let (rules, owners) = (directory.rules(), directory.manifest().owners());
    dispatch(rules, owners.pits(), directory.index().max_seeds(), owners, LookUp { directory, position })
}

struct LookUp<'l> {
    directory: &'l Directory,
    position: &'l Position,
}

impl Visitor for LookUp<'_> {
    type Output = Result<Values, FileError>;

    fn visit<B: Lanes>(self, kernel: Kernel<B>) -> Self::Output {
        let Some(probe) = Probe::<B>::new(self.directory) else { unreachable!("dispatch chose a board that fits the table") };
        let (board, seat) = (kernel.pack(self.position), kernel.seat(self.position.to_move));
        let value = probe.value(&board, seat)?;
        let (state, moves) = match choice(&kernel, &board, seat, |board, seat| probe.value(board, seat))? {
            Choice::Over(_) => (Calls::Over, Vec::new()),
            Choice::Pass => (Calls::Pass, Vec::new()),
            Choice::Moves(moves) => (Calls::Move, moves),
        };
        let worth = moves.iter().map(|choice| Worth {
            pit: report::number(choice.pit),
            value: (choice.value, choice.value),
            gain: choice.gain,
            again: choice.then == Then::Again,
        });
        Ok(Values { state, value: (value, value), moves: worth.collect() })
    }
}

/// Rules, pits and the player to move: the stores change no value.
type Key = (Fingerprint, Vec<u16>, Side, u64);

/// Values that searches have settled. The latest are kept, some thousands of them: when a half is full, the older half goes.
#[derive(Debug, Default)]
pub(super) struct Found {
    halves: Mutex<[HashMap<Key, Values>; 2]>,
}

/// Positions in each half.
const HALF: usize = 4096;

impl Found {
    fn key(start: &Start) -> Key {
        let position = &start.position;
        (start.chosen.rules.fingerprint(), position.board.clone(), position.to_move, position.owners.south_bits())
    }

    fn get(&self, start: &Start) -> Option<Values> {
        let key = Found::key(start);
        // Each half is whole at any time, whoever panicked.
        let halves = self.halves.lock().unwrap_or_else(PoisonError::into_inner);
        halves.iter().find_map(|half| half.get(&key)).cloned()
    }

    fn keep(&self, start: &Start, values: &Values) {
        let mut halves = self.halves.lock().unwrap_or_else(PoisonError::into_inner);
        if halves[0].len() >= HALF {
            halves[1] = std::mem::take(&mut halves[0]);
        }
        halves[0].insert(Found::key(start), values.clone());
    }
}

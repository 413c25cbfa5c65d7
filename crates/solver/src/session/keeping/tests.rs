//! What a checkpoint keeps of a search, and what a search makes of it.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;

use lumbung_engine::kernel::Children;
use lumbung_engine::{Position, RuleSet};

use super::*;
use crate::checkpoint::tests::{come_to, pretend, rules, start};
use crate::line::optimal_line;
use crate::search::proof::Question;
use crate::session::FIRST_TRANSPOSITION_BYTES;
use crate::setup::{Work, in_session};
use crate::solve::{Goal, Options, Solution, SolveError, SolveWork, solve};
use crate::{Limits, LineEnd, Progress, Quiet, StopReason};

/// A checkpoint of one game, and how to go on from it.
struct Place {
    _directory: tempfile::TempDir,
    path: PathBuf,
    rules: &'static RuleSet,
    position: Position,
    options: Options,
}

impl Place {
    fn new(name: &str, pits: usize, seeds: usize) -> Self {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("search");
        let options = Options { checkpoint: Some(path.clone()), ..Options::default() };
        Place { _directory: directory, path, rules: rules(name), position: start(pits, seeds), options }
    }

    /// Visits no more than so many positions from now on.
    fn with_nodes(mut self, nodes: u64) -> Self {
        self.options.limits.nodes = Some(nodes);
        self
    }

    fn solve(&self) -> Solution {
        solve(self.rules, &self.position, &self.options, &Quiet).unwrap()
    }

    fn work<W: Work>(&self, work: W) -> Result<W::Output, SolveError> {
        in_session(self.rules, &self.position, &self.options, &Quiet, work)
    }
}

/// Settles the value of the board after the first move, and saves then.
struct AfterAMove<'a>(&'a Position);

impl Work for AfterAMove<'_> {
    type Output = (i32, i32);

    fn run<B: Lanes, T: Transpositions<B>>(self, session: &mut Session<'_, B, T>) -> (i32, i32) {
        let kernel = session.kernel;
        let (board, seat) = (kernel.pack(self.0), kernel.seat(self.0.to_move));
        let mut children = Children::new();
        kernel.status(&board, seat, &mut children);
        let child = children.iter().next().unwrap();
        let seeds = child.board.seeds() as i32;
        let (next, questions) = (kernel.other(seat), Questions::new(kernel, None));
        let settled = |(low, high)| low == high;
        let (bounds, _) = session.narrow(&child.board, next, (-seeds, seeds), questions, settled);
        let mut asked = (-seeds, seeds);
        session.ask(&child.board, next, &mut asked, bounds.0, u64::MAX).unwrap();
        session.save(session.nodes);
        bounds
    }
}

#[test]
fn bounds_of_another_board_are_not_kept_as_those_of_the_position() {
    let place = Place::new("kalah", 3, 2);
    let whole = solve(place.rules, &place.position, &Options::default(), &Quiet).unwrap();
    let other = place.work(AfterAMove(&place.position)).unwrap();
    assert_ne!(other, whole.margin, "bounds that can be mistaken would tell nothing");
    assert_eq!(come_to(&place.path).bounds, (-12, 12));
    assert_eq!(place.solve().margin, whole.margin);
    assert_eq!(come_to(&place.path).bounds, whole.margin);
    // Nor does other work after that change them.
    place.work(AfterAMove(&place.position)).unwrap();
    assert_eq!(come_to(&place.path).bounds, whole.margin);
}

#[test]
fn a_table_that_is_not_built_again_is_not_forgotten() {
    let mut place = Place::new("kalah", 6, 4).with_nodes(20);
    place.solve();
    pretend(&place.path, 8, Some(17), 30_000);
    // Stopped while it is built.
    place.options.limits.interrupt.store(true, Ordering::Relaxed);
    let stopped = place.solve();
    assert_eq!((stopped.stopped, stopped.table_seeds), (Some(StopReason::Interrupted), None));
    let come = come_to(&place.path);
    assert_eq!((come.table_seeds, come.stage), (Some(17), 8));
    assert!(come.nodes >= 30_000, "{come:?}");
    // Without room for all of it: as much as there is room for.
    place.options.limits.interrupt.store(false, Ordering::Relaxed);
    place.options.limits.memory = 1 << 25;
    let less = place.solve().table_seeds.unwrap();
    assert!((3..17).contains(&less), "{less}");
    assert_eq!(come_to(&place.path).table_seeds, Some(17));
}

/// Bytes of the transposition table that is begun with.
struct TranspositionBytes;

impl Work for TranspositionBytes {
    type Output = u64;

    fn run<B: Lanes, T: Transpositions<B>>(self, session: &mut Session<'_, B, T>) -> u64 {
        session.transpositions.bytes() as u64
    }
}

#[test]
fn a_later_stage_is_gone_on_with_in_a_table_of_its_size() {
    // With tables that grow from stage to stage, and with one that is foreseen.
    for name in ["dakon", "kalah"] {
        let mut place = Place::new(name, 4, 4).with_nodes(20);
        place.options.table_seeds = Some(0);
        place.options.limits.memory = 1 << 28;
        place.solve();
        // The budget of stage 16 is 4 million positions in tests.
        pretend(&place.path, 16, None, 4 << 20);
        let bytes = place.work(TranspositionBytes).unwrap();
        assert!(bytes >= (4 << 20) * 8, "{name}: {bytes}");
        place.options.limits.memory = 1 << 22;
        let bytes = place.work(TranspositionBytes).unwrap();
        assert!(bytes <= 1 << 22, "{name}: {bytes}");
    }
}

/// Goes on, and returns the question at the root of the proof tree at the end, and what a search without a past would ask then.
struct LastQuestion<'a>(SolveWork<'a, 'a>);

impl Work for LastQuestion<'_> {
    type Output = (Solution, Option<i32>, Option<i32>);

    fn run<B: Lanes, T: Transpositions<B>>(self, session: &mut Session<'_, B, T>) -> Self::Output {
        let position = self.0.position;
        let solution = self.0.run(session);
        let (board, seat) = (session.kernel.pack(position), session.kernel.seat(position.to_move));
        let seeds = board.seeds() as i32;
        let asked = |beta: &i32| {
            let question = Question { board, seat, beta: *beta };
            session.tree.as_ref().is_some_and(|tree| lock(tree).is_about(&question))
        };
        let bounds = solution.margin;
        let without_past = (!solution.proven).then(|| Questions::new(session.kernel, None).next(bounds));
        (solution, (-seeds..=seeds).find(asked), without_past)
    }
}

#[test]
fn the_question_that_was_in_work_is_asked_again() {
    let mut later_ones = 0;
    for (name, pits, seeds, nodes) in [("kalah", 4, 3, 300), ("dakon", 6, 3, 100)] {
        let mut place = Place::new(name, pits, seeds);
        place.options.table_seeds = Some(0);
        let goes_on = |place: &Place| {
            let then = &mut |_: &Solution, _: &mut dyn crate::bounds::Bounds| ();
            place
                .work(LastQuestion(SolveWork { rules: place.rules, position: &place.position, goal: Goal::Margin, then }))
                .unwrap()
        };
        for _ in 0..12 {
            place.options.limits.nodes = Some(nodes);
            let (solution, in_work, without_past) = goes_on(&place);
            if solution.proven {
                break;
            }
            place.options.limits.nodes = Some(1);
            let (again, first, _) = goes_on(&place);
            assert_eq!((again.margin, first), (solution.margin, in_work), "{name}");
            later_ones += usize::from(in_work.is_some() && in_work != without_past);
        }
    }
    assert!(later_ones > 1, "{later_ones} questions that a search from the beginning would not ask");
}

#[test]
fn the_positions_foreseen_are_told_after_a_resumption_too() {
    let place = Place::new("kalah", 6, 4).with_nodes(30);
    let first = place.solve();
    let second = place.solve();
    assert_eq!((first.nodes_before, second.nodes_before), (0, first.nodes));
    assert_eq!((second.foreseen, come_to(&place.path).nodes), (first.foreseen, first.nodes + second.nodes));
    assert!(first.foreseen > Some(1_000_000), "{:?}", first.foreseen);
    // Nothing that has turned out wrong.
    let come = come_to(&place.path);
    pretend(&place.path, come.stage as u32, None, first.foreseen.unwrap());
    assert_eq!(place.solve().foreseen, None);
}

/// The bytes of the file before anything is searched.
struct Bytes<'a>(&'a Path);

impl Work for Bytes<'_> {
    type Output = Vec<u8>;

    fn run<B: Lanes, T: Transpositions<B>>(self, _session: &mut Session<'_, B, T>) -> Vec<u8> {
        fs::read(self.0).unwrap()
    }
}

#[test]
fn a_checkpoint_is_not_replaced_before_there_is_something_new() {
    let mut place = Place::new("kalah", 4, 4).with_nodes(40_000);
    place.options.table_seeds = Some(0);
    place.solve();
    let before = fs::read(&place.path).unwrap();
    assert!(before.len() > 1 << 17, "more than there is room for next: {}", before.len());
    place.options.limits.memory = 1 << 17;
    assert!(place.work(Bytes(&place.path)).unwrap() == before);
    // A place that cannot be written is told all the same.
    let in_the_way = place.path.with_extension("tmp");
    fs::create_dir(&in_the_way).unwrap();
    let error = place.work(Bytes(&place.path)).unwrap_err().to_string();
    assert!(error.contains("cannot write"), "{error}");
    assert!(fs::read(&place.path).unwrap() == before);
}

/// Lets the next look at the clock save.
fn make_due<B: Lanes, T: Transpositions<B>>(session: &mut Session<'_, B, T>) {
    let keeping = session.keeping.as_mut().unwrap();
    keeping.saved = Mutex::new(Instant::now().checked_sub(SAVE_EVERY).expect("a machine that has run for three minutes"));
}

/// Asks with another ranking, and saves meanwhile.
struct AnotherRanking<'a>(&'a Position);

impl Work for AnotherRanking<'_> {
    type Output = ();

    fn run<B: Lanes, T: Transpositions<B>>(self, session: &mut Session<'_, B, T>) {
        make_due(session);
        let (board, seat) = (session.kernel.pack(self.0), session.kernel.seat(self.0.to_move));
        session.reaches_within(&board, seat, 4, 10, 7).unwrap();
    }
}

#[test]
fn searches_shorter_than_a_stage_come_to_its_end_together() {
    let place = Place::new("awari", 3, 4).with_nodes(FIRST_BUDGET * 5 / 8);
    let mut left = Vec::new();
    for _ in 0..3 {
        assert!(!place.solve().proven);
        let come = come_to(&place.path);
        left.push((come.stage, come.left));
    }
    assert_eq!(left[0].0, 0);
    assert!(left[0].1 < FIRST_BUDGET && left[0].1 > 0, "{left:?}");
    assert_eq!((left[1].0, left[2].0), (1, 1), "{left:?}");
    assert!(left[2].1 < left[1].1 && left[1].1 < BUDGET_GROWTH * FIRST_BUDGET, "{left:?}");
}

#[test]
fn another_ranking_is_no_later_stage() {
    let place = Place::new("dakon", 5, 5);
    place.work(AnotherRanking(&place.position)).unwrap();
    assert_eq!((come_to(&place.path).stage, come_to(&place.path).nodes), (0, 1));
}

/// Removes the directory of the checkpoint, and searches when it is due.
struct WithoutPlace<'a>(&'a Place);

impl Work for WithoutPlace<'_> {
    type Output = ();

    fn run<B: Lanes, T: Transpositions<B>>(self, session: &mut Session<'_, B, T>) {
        let Place { path, position, .. } = self.0;
        fs::remove_dir_all(path.parent().unwrap()).unwrap();
        make_due(session);
        let (board, seat) = (session.kernel.pack(position), session.kernel.seat(position.to_move));
        session.reaches_within(&board, seat, 4, 10, 0).unwrap();
    }
}

/// What was told of the checkpoint.
#[derive(Default)]
struct Heard(Mutex<Vec<String>>);

impl Progress for Heard {
    fn report(&self, report: &Report) {
        if let Report::Unsaved { error } = report {
            self.0.lock().unwrap().push(error.clone());
        }
    }
}

#[test]
fn a_checkpoint_that_cannot_be_written_is_told_when_it_happens() {
    let place = Place::new("kalah", 4, 4);
    let heard = Heard::default();
    in_session(place.rules, &place.position, &place.options, &heard, WithoutPlace(&place)).unwrap();
    let heard = heard.0.into_inner().unwrap();
    assert!(heard.len() == 1 && heard[0].contains("cannot write"), "{heard:?}");
}

/// Begins many stages with memory for so many quarters of the table.
struct ManyStages {
    quarters: u64,
}

/// Bytes at the end.
struct Used {
    transpositions: u64,
    tree: u64,
    table: u64,
    memory: u64,
}

impl Work for ManyStages {
    type Output = Used;

    fn run<B: Lanes, T: Transpositions<B>>(self, session: &mut Session<'_, B, T>) -> Used {
        let table = session.table.as_ref().unwrap().bytes();
        let memory = table * self.quarters / 4;
        session.limits = Box::leak(Box::new(Limits { memory, ..Limits::default() }));
        for _ in 0..30 {
            session.grow().unwrap();
        }
        Used { transpositions: session.transpositions.bytes() as u64, tree: session.tree_bytes(), table, memory }
    }
}

#[test]
fn tables_and_tree_together_stay_within_the_memory() {
    let mut place = Place::new("dakon", 4, 5);
    let plan = crate::endgame::table_plan(place.rules, 4, 40, 22, rayon::current_num_threads()).unwrap();
    place.options.table_seeds = Some(22);
    // From hardly more than the table to more than all can use.
    for quarters in [5, 6, 8, 12, 40] {
        let Used { transpositions, tree, table, memory } = place.work(ManyStages { quarters }).unwrap();
        assert!(plan.bytes <= table && table + transpositions + tree <= memory, "{table} {transpositions} {tree} of {memory}");
        assert!(quarters < 8 || transpositions > FIRST_TRANSPOSITION_BYTES, "{transpositions} of {memory}");
    }
    // What is begun with counts as well.
    place.options.limits.memory = plan.memory + 1;
    let error = place.work(ManyStages { quarters: 5 }).map(|used| used.memory).unwrap_err();
    assert!(matches!(error, SolveError::TableMemory { seeds: 22, needed, .. } if needed == plan.memory), "{error}");
}

/// What a search is given by a limit of time: bytes of transposition table after so many stages.
struct Hurried {
    milliseconds: u64,
}

impl Work for Hurried {
    type Output = u64;

    fn run<B: Lanes, T: Transpositions<B>>(self, session: &mut Session<'_, B, T>) -> u64 {
        let deadline = Instant::now() + Duration::from_millis(self.milliseconds);
        session.limits = Box::leak(Box::new(Limits { memory: 256 << 20, deadline: Some(deadline), ..Limits::default() }));
        session.grow_transpositions(0);
        session.transpositions.bytes() as u64
    }
}

/// One that is foreseen to be of use comes at once, but clearing it takes an eighth of the time at most, at two nanoseconds a byte.
#[test]
fn a_transposition_table_is_no_larger_than_time_allows() {
    let mut place = Place::new("kalah", 6, 4);
    place.options.table_seeds = Some(8);
    for (milliseconds, most) in [(0, FIRST_TRANSPOSITION_BYTES), (500, 30 << 20), (60_000, 256 << 20)] {
        let bytes = place.work(Hurried { milliseconds }).unwrap();
        assert!(bytes <= most && bytes >= most / 16, "{bytes} in {milliseconds} ms");
    }
}

/// Follows best play from where nothing is known yet; whether a question of it stayed open in a proof tree.
struct LineAlone<'a>(&'a Place, i32);

impl Work for LineAlone<'_> {
    type Output = (LineEnd, bool);

    fn run<B: Lanes, T: Transpositions<B>>(self, session: &mut Session<'_, B, T>) -> (LineEnd, bool) {
        let (_, end) = optimal_line(self.0.rules, session, &self.0.position, self.1);
        (end, session.tree.is_some())
    }
}

#[test]
fn what_was_forgotten_of_the_line_is_searched_as_questions_are() {
    let mut place = Place::new("kalah", 4, 3).with_nodes(50);
    place.options.table_seeds = Some(0);
    let (low, high) = solve(place.rules, &place.position, &Options::default(), &Quiet).unwrap().margin;
    assert_eq!(low, high);
    assert_eq!(place.work(LineAlone(&place, low)).unwrap(), (LineEnd::Unfinished, true));
    place.options.limits.nodes = None;
    assert_eq!(place.work(LineAlone(&place, low)).unwrap(), (LineEnd::GameOver, false));
}

//! `study grid`: margins over boards and readings.

use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use clap::Args;
use lumbung_engine::rules::Stores;
use lumbung_engine::{BoardSize, Position};
use lumbung_solver::{Limits, solve, turns};

use super::cell::Cell;
use super::store::{Reading, Store};
use super::{heat, page};
use crate::args::Common;
use crate::claim::readings::{Under, Variants};
use crate::exit::{Exit, Failure};
use crate::output;
use crate::rules::Chosen;
use crate::units;
use crate::work::Work;

pub(super) const SCHEMA: &str = "lumbung/study-grid/1";

const AFTER: &str = "\
Examples:
  lumbung study grid dakon --pits 1..9 --seeds 1..12 --out my-study
  lumbung study grid dakon --pits 5..7 --seeds 1..7 --readings each --out my-study

A run that was stopped goes on where it was, and one with a longer --each settles what stayed open.
The directory gets grid.csv, grid.json, README.md and a heat map a reading (margins-READING.svg).";

/// Solve a game on a grid of boards, under one reading or several, and write the data set, a page and heat maps
#[derive(Debug, Args)]
#[command(after_help = AFTER)]
pub(crate) struct GridArgs {
    /// One of the games that `lumbung games` lists; leave it out with --rules
    #[arg(value_name = "GAME")]
    game: Option<String>,
    /// Pits a row, a number or a range
    #[arg(long, value_name = "A..B", value_parser = units::range)]
    pits: (usize, usize),
    /// Seeds a pit, a number or a range
    #[arg(long, value_name = "C..D", value_parser = units::range)]
    seeds: (usize, usize),
    /// Under which readings besides: `all` for every combination, `each` for one at a time, or NAMES for every combination of these
    #[arg(long = "readings", value_name = "all|each|NAME,...", value_delimiter = ',')]
    under: Vec<String>,
    /// Spend at most this much time on one board
    #[arg(long, value_name = "TIME", default_value = "60s", value_parser = units::time)]
    each: Duration,
    /// Write the data set to this directory
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
}

/// A board under a reading that is to be solved.
struct Task<'v> {
    chosen: &'v Chosen,
    reading: &'v str,
    board: BoardSize,
}

pub(super) fn run(args: &GridArgs, common: &Common) -> Result<Exit, Failure> {
    let own = |added: &[String]| Chosen::new(args.game.as_deref(), common)?.changed(added, &[]);
    let variants = Variants::new(&Under::words(&args.under), false, own)?;
    let rules: Vec<Chosen> = variants.distinct.iter().map(|variant| own(&variant.added)).collect::<Result<_, _>>()?;
    let readings: Vec<Reading> = variants
        .distinct
        .iter()
        .zip(&rules)
        .map(|(variant, chosen)| Reading { name: variant.name.clone(), fingerprint: chosen.rules.fingerprint().to_string() })
        .collect();
    let boards = boards(args)?;
    let mut store = Store::open(&args.out, &rules[0].rules.name, &readings)?;
    let mut tasks: Vec<Task> = readings
        .iter()
        .zip(&rules)
        .flat_map(|(reading, chosen)| boards.iter().map(|board| Task { chosen, reading: &reading.name, board: *board }))
        .filter(|task| store.get(task.reading, task.board.pits(), task.board.seeds()).is_none_or(|cell| !cell.proven()))
        .collect();
    // The longest first, so that no thread is left alone with one at the end.
    tasks.sort_by_key(|task| std::cmp::Reverse(task.board.total()));
    let work = Work::begin(common, None)?;
    solve_all(&tasks, &mut store, &work, args.each)?;
    work.progress.finish();
    store.write("grid.csv", &store.csv())?;
    for reading in &readings {
        let cells: Vec<&Cell> = store.data.cells.iter().filter(|cell| cell.reading == reading.name).collect();
        if !cells.is_empty() {
            let title = format!("{} ({})", store.data.game, reading.name);
            store.write(&format!("margins-{}.svg", reading.name), &heat::svg(&title, &cells))?;
        }
    }
    let is_own = |cell: &Cell| {
        readings.iter().any(|reading| reading.name == cell.reading)
            && boards.iter().any(|board| (board.pits(), board.seeds()) == (cell.pits, cell.seeds))
    };
    let others = !store.data.cells.iter().all(is_own);
    store.write("README.md", &page::markdown(&store.data, &command(args, &rules[0]), others))?;
    if common.json {
        output::plain(&output::document(SCHEMA, &store.data)?)?;
    } else {
        let grids: Vec<String> = readings.iter().map(|reading| page::screen(&store.data, &reading.name)).collect();
        output::text(&format!("{}\nWritten to {}\n", grids.join("\n"), args.out.display()))?;
    }
    let settled =
        tasks.iter().all(|task| store.get(task.reading, task.board.pits(), task.board.seeds()).is_some_and(Cell::proven));
    let stopped = work.limits.exceeded(0);
    Ok(crate::work::exit(settled, stopped.or(Some(lumbung_solver::StopReason::Time))))
}

fn boards(args: &GridArgs) -> Result<Vec<BoardSize>, Failure> {
    let mut boards = Vec::new();
    for pits in args.pits.0..=args.pits.1 {
        for seeds in args.seeds.0..=args.seeds.1 {
            boards.push(BoardSize::new(pits, seeds).map_err(Failure::new)?);
        }
    }
    Ok(boards)
}

/// The command that makes the data set.
fn command(args: &GridArgs, chosen: &Chosen) -> String {
    let range = |(first, last): (usize, usize)| if first == last { first.to_string() } else { format!("{first}..{last}") };
    let under = if args.under.is_empty() { String::new() } else { format!(" --readings {}", args.under.join(",")) };
    let each = humantime::format_duration(args.each).to_string().replace(' ', "");
    format!(
        "lumbung study grid {} --pits {} --seeds {}{under} --each {each} --out DIR",
        chosen.arguments(),
        range(args.pits),
        range(args.seeds)
    )
}

/// Solves the boards, one a thread, each by one thread, so that its count of positions is the same every time.
fn solve_all(tasks: &[Task], store: &mut Store, work: &Work, each: Duration) -> Result<(), Failure> {
    let threads = rayon::current_num_threads().min(tasks.len()).max(1);
    let next = AtomicUsize::new(0);
    let store = Mutex::new(store);
    let results: Vec<Result<(), Failure>> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads)
            .map(|_| {
                scope.spawn(|| {
                    let alone = rayon::ThreadPoolBuilder::new().num_threads(1).build().map_err(Failure::new)?;
                    while let Some(task) = tasks.get(next.fetch_add(1, Ordering::Relaxed))
                        && work.limits.exceeded(0).is_none()
                    {
                        work.progress.say(format!(
                            "{} on {}, {} of {}",
                            task.chosen,
                            task.board,
                            next.load(Ordering::Relaxed),
                            tasks.len()
                        ));
                        let cell = alone.install(|| one(task, work, each, threads as u64))?;
                        store.lock().unwrap_or_else(std::sync::PoisonError::into_inner).put(cell)?;
                    }
                    Ok(())
                })
            })
            .collect();
        let defect = |_| Err(Failure::Defect("a thread of the study panicked".to_owned()));
        workers.into_iter().map(|worker| worker.join().unwrap_or_else(defect)).collect()
    });
    results.into_iter().collect()
}

fn one(task: &Task, work: &Work, each: Duration, threads: u64) -> Result<Cell, Failure> {
    let limits = || Limits {
        deadline: Instant::now().checked_add(each).into_iter().chain(work.limits.deadline).min(),
        memory: work.limits.memory / threads,
        ..work.limits.clone()
    };
    let (rules, start) = (&task.chosen.rules, Position::start(task.board));
    let options = solve::Options { limits: limits(), ..solve::Options::default() };
    let solution = solve::solve(rules, &start, &options, &lumbung_solver::Quiet).map_err(Failure::new)?;
    let has_bonus_moves = matches!(rules.stores, Stores::Sown { bonus: Some(_) });
    let turn = if has_bonus_moves {
        let options = turns::Options { goal: turns::Goal::ShortestWin, limits: limits() };
        let turn = turns::explore(rules, &start, &options, &lumbung_solver::Quiet)?;
        Some((turn.reached.then_some(turn.line.len()), turn.exhaustive))
    } else {
        None
    };
    Ok(Cell::new(task.reading, (task.board.pits(), task.board.seeds()), &solution, turn))
}

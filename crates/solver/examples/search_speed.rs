//! How much work searches take: `search_speed GAME BOARD... [--table-seeds K] [--threads N] [--orderings N] [--memory MIB] [--nodes N]`
//!
//! Solves each board with its own order of moves and with some variations of it, and prints for each board the margin, the positions
//! visited and the seconds of processor time of all threads, tables included: each run, and their medians.

use std::process::ExitCode;
use std::time::Instant;

use lumbung_engine::rules::preset;
use lumbung_engine::{BoardSize, Position};
use lumbung_solver::solve::{Options, solve};
use lumbung_solver::{Limits, Quiet};

fn main() -> ExitCode {
    match run(std::env::args().skip(1).collect()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::from(2)
        }
    }
}

/// Takes `--NAME N` out of the words.
fn option(words: &mut Vec<String>, name: &str) -> Result<Option<u64>, String> {
    let Some(at) = words.iter().position(|word| word == name) else { return Ok(None) };
    let value = words.get(at + 1).ok_or_else(|| format!("{name}: a number was expected"))?;
    let value = value.parse().map_err(|_| format!("{name} {value}: a number was expected"))?;
    words.drain(at..at + 2);
    Ok(Some(value))
}

/// Seconds of processor time of this process so far, where the system tells; its clock has 100 ticks a second.
fn processor_seconds() -> Option<f64> {
    let stat = std::fs::read_to_string("/proc/self/stat").ok()?;
    let mut fields = stat.rsplit(')').next()?.split_whitespace().skip(11);
    let (user, system): (f64, f64) = (fields.next()?.parse().ok()?, fields.next()?.parse().ok()?);
    Some((user + system) / 100.0)
}

fn median<T: Copy + PartialOrd>(values: &mut [T]) -> T {
    values.sort_by(|a, b| a.partial_cmp(b).unwrap_or(std::cmp::Ordering::Equal));
    values[values.len() / 2]
}

fn run(mut words: Vec<String>) -> Result<(), String> {
    let table_seeds = option(&mut words, "--table-seeds")?.map(|seeds| seeds as usize);
    let threads = option(&mut words, "--threads")?.unwrap_or(1) as usize;
    let orderings = option(&mut words, "--orderings")?.unwrap_or(5).max(1);
    let memory = option(&mut words, "--memory")?.unwrap_or(4096) << 20;
    let nodes = option(&mut words, "--nodes")?;
    let [game, boards @ ..] = words.as_slice() else {
        return Err(
            "usage: search_speed GAME BOARD... [--table-seeds K] [--threads N] [--orderings N] [--memory MIB] [--nodes N]"
                .to_owned(),
        );
    };
    let rules = &preset(game).ok_or_else(|| format!("{game}: no such game"))?.rules;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().map_err(|error| error.to_string())?;
    for board in boards {
        let size: BoardSize = board.parse().map_err(|error| format!("{board}: {error}"))?;
        let (mut visited, mut busy, mut waited) = (Vec::new(), Vec::new(), Vec::new());
        let mut margin = None;
        for ordering in 0..orderings {
            let limits = Limits { memory, nodes, ..Limits::default() };
            let options = Options { table_seeds, ordering, limits, ..Options::default() };
            let (since, before) = (Instant::now(), processor_seconds());
            let solution = pool.install(|| solve(rules, &Position::start(size), &options, &Quiet)).map_err(|e| e.to_string())?;
            waited.push(since.elapsed().as_secs_f64());
            busy.push(before.and_then(|before| Some(processor_seconds()? - before)).unwrap_or(f64::NAN));
            visited.push(solution.nodes);
            if solution.proven && *margin.get_or_insert(solution.margin) != solution.margin {
                return Err(format!("{game} {board}: {:?} and {:?}", margin, solution.margin));
            }
        }
        let runs: Vec<String> = visited.iter().map(|nodes| format!("{:.2}", *nodes as f64 / 1e6)).collect();
        let margin = margin.map_or("open".to_owned(), |(low, _)| format!("{low:+}"));
        println!(
            "{game} {board} {margin}: {:.3} million positions, {:.2} s of processor, {:.2} s; runs {}",
            median(&mut visited) as f64 / 1e6,
            median(&mut busy),
            median(&mut waited),
            runs.join(" ")
        );
    }
    Ok(())
}

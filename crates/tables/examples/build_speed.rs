//! How fast tables are built by rows: `cargo run --release -p lumbung-tables --example build_speed -- GAME PITS SEEDS [THREADS] [plain]`
//!
//! Prints positions, seconds from the first allocation to the finished table, and nanoseconds a position; with `plain`, the same for
//! the plain builder, and whether both gave the same bytes.

use std::process::ExitCode;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use lumbung_engine::Owners;
use lumbung_engine::kernel::{Kernel, Lanes, Visitor, dispatch};
use lumbung_engine::rules::{RuleSet, preset};
use lumbung_tables::{Table, plain, rows};

struct Plain(usize);

impl Visitor for Plain {
    type Output = Result<Table, plain::BuildError>;
    fn visit<B: Lanes>(self, kernel: Kernel<B>) -> Self::Output {
        plain::build(&kernel, self.0, &AtomicBool::new(false))
    }
}

fn main() -> ExitCode {
    match run(&std::env::args().skip(1).collect::<Vec<_>>()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::from(2)
        }
    }
}

fn run(args: &[String]) -> Result<(), String> {
    let [game, pits, seeds, rest @ ..] = args else {
        return Err("usage: build_speed GAME PITS SEEDS [THREADS] [plain]".to_owned());
    };
    let number = |text: &String| text.parse::<usize>().map_err(|_| format!("{text:?}: a number was expected"));
    let rules = &preset(game).ok_or_else(|| format!("{game:?}: no such game"))?.rules;
    let (pits, seeds) = (number(pits)?, number(seeds)?);
    let threads = rest.first().filter(|word| *word != "plain").map_or(Ok(1), number)?;
    let fast = timed("rows", threads, || {
        let stop = AtomicBool::new(false);
        let options = rows::Options { threads, memory: None, stop: &stop, progress: &|_| {} };
        rows::build(rules, pits, seeds, options).map_err(|error| error.to_string())
    })?;
    if rest.last().is_some_and(|word| word == "plain") {
        let plain = timed("plain", threads, || with_plain(rules, pits, seeds, threads))?;
        println!("same bytes: {}", (0..=seeds).all(|s| plain.layer(s) == fast.layer(s)));
    }
    Ok(())
}

fn with_plain(rules: &RuleSet, pits: usize, seeds: usize, threads: usize) -> Result<Table, String> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().map_err(|error| error.to_string())?;
    pool.install(|| dispatch(rules, pits, seeds, Owners::rows(pits), Plain(seeds))).map_err(|error| error.to_string())
}

fn timed(name: &str, threads: usize, build: impl FnOnce() -> Result<Table, String>) -> Result<Table, String> {
    let start = Instant::now();
    let table = build()?;
    let seconds = start.elapsed().as_secs_f64();
    let positions = table.len();
    let nanoseconds = seconds * 1e9 / positions as f64;
    println!("{name}: {positions} positions, {seconds:.3} s, {nanoseconds:.2} ns a position, {threads} threads");
    Ok(table)
}

//! How fast tables are built by rows: `cargo run --release -p lumbung-tables --features measure --example build_speed -- GAME PITS SEEDS [THREADS] [plain]`
//!
//! Prints positions, seconds from the first allocation to the finished table, nanoseconds a position by the clock and by the time of
//! the threads (user and system, which other programs disturb less), and the peak of resident memory beside the plan; with `plain`, the
//! same for the plain builder, and whether both gave the same bytes.

use std::process::ExitCode;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use lumbung_engine::Owners;
use lumbung_engine::kernel::{Kernel, Lanes, Visitor, dispatch};
use lumbung_tables::{Table, plain, rows};

use shared::{Asked, process};

mod shared;

struct Plain(usize);

impl Visitor for Plain {
    type Output = Result<Table, plain::BuildError>;
    fn visit<B: Lanes>(self, kernel: Kernel<B>) -> Self::Output {
        plain::build(&kernel, self.0, &AtomicBool::new(false))
    }
}

fn main() -> ExitCode {
    shared::main("build_speed GAME PITS SEEDS [THREADS] [plain]", run)
}

fn run(asked: &Asked) -> Result<(), String> {
    let &Asked { rules, pits, seeds, threads, .. } = asked;
    let before = process();
    let fast = timed("rows", threads, || {
        let stop = AtomicBool::new(false);
        let options = rows::Options { threads, memory: None, stop: &stop, progress: &|_| {} };
        rows::build(rules, pits, seeds, options).map_err(|error| error.to_string())
    })?;
    if let (Some((_, _, before)), Some((_, _, peak)), Some(plan)) = (before, process(), rows::memory(pits, seeds, threads)) {
        let taken = peak.saturating_sub(before) as f64;
        let each = |bytes: f64| bytes / fast.len() as f64;
        println!(
            "memory: {:.1} MiB at the peak, {:.3} bytes a position, {:.3} of the plan of {:.3}",
            taken / 1048576.0,
            each(taken),
            taken / plan as f64,
            each(plan as f64)
        );
    }
    if asked.more.iter().any(|word| word == "plain") {
        let plain = timed("plain", threads, || with_plain(asked))?;
        println!("same bytes: {}", (0..=seeds).all(|s| plain.layer(s) == fast.layer(s)));
    }
    Ok(())
}

fn with_plain(asked: &Asked) -> Result<Table, String> {
    let &Asked { rules, pits, seeds, threads, .. } = asked;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().map_err(|error| error.to_string())?;
    pool.install(|| dispatch(rules, pits, seeds, Owners::rows(pits), Plain(seeds))).map_err(|error| error.to_string())
}

fn timed(name: &str, threads: usize, build: impl FnOnce() -> Result<Table, String>) -> Result<Table, String> {
    let (start, before) = (Instant::now(), process());
    let table = build()?;
    let seconds = start.elapsed().as_secs_f64();
    let positions = table.len();
    let nanoseconds = seconds * 1e9 / positions as f64;
    println!("{name}: {positions} positions, {seconds:.3} s, {nanoseconds:.2} ns a position, {threads} threads");
    if let (Some((user, system, _)), Some((user_then, system_then, _))) = (process(), before) {
        let each = |now: f64, then: f64| (now - then) * 1e9 / positions as f64;
        println!(
            "  threads: {:.2} ns a position of user time, {:.2} ns of system time",
            each(user, user_then),
            each(system, system_then)
        );
    }
    Ok(table)
}

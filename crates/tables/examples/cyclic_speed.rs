//! How fast tables are built where positions can repeat:
//! `cargo run --release -p lumbung-tables --features measure --example cyclic_speed -- GAME PITS SEEDS [THREADS] [even|odd|all]`
//!
//! Prints positions, seconds from the first allocation to the last layer, and nanoseconds a position; and a digest of all layers.

use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use lumbung_engine::rules::preset;
use lumbung_tables::Values;
use lumbung_tables::cyclic::{self, Parity};
use lumbung_tables::layers::{Halt, Layers};
use lumbung_tables::rows::Options;

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
        return Err("usage: cyclic_speed GAME PITS SEEDS [THREADS] [even|odd|all]".to_owned());
    };
    let number = |text: &String| text.parse::<usize>().map_err(|_| format!("{text:?}: a number was expected"));
    let rules = &preset(game).ok_or_else(|| format!("{game:?}: no such game"))?.rules;
    let (pits, seeds) = (number(pits)?, number(seeds)?);
    let threads = rest.first().map_or(Ok(1), number)?;
    let parity = match rest.get(1).map(String::as_str) {
        None | Some("all") => Parity::All,
        Some("even") => Parity::Even,
        Some("odd") => Parity::Odd,
        Some(other) => return Err(format!("{other:?}: even, odd or all")),
    };
    let stop = AtomicBool::new(false);
    let options = Options { threads, memory: None, stop: &stop, progress: &|_| {} };
    let told = Told { start: Instant::now(), so_far: Mutex::new((Duration::ZERO, blake3::Hasher::new(), 0)) };
    cyclic::hand_on_layers(rules, pits, seeds, parity, options, &told).map_err(|error| error.to_string())?;
    let (hashing, digest, positions) = told.so_far.into_inner().map_err(|error| error.to_string())?;
    let seconds = (told.start.elapsed() - hashing).as_secs_f64();
    let nanoseconds = seconds * 1e9 / positions as f64;
    println!(
        "{positions} positions, {seconds:.3} s, {nanoseconds:.2} ns a position, {threads} threads, {}",
        digest.finalize().to_hex()
    );
    Ok(())
}

/// Tells of layers as they come; its own time is not counted.
struct Told {
    start: Instant,
    so_far: Mutex<(Duration, blake3::Hasher, usize)>,
}

impl Layers for Told {
    fn wants(&self, _: usize) -> bool {
        true
    }

    fn finished(&self, seeds: usize, values: Values) -> Result<(), Halt> {
        let since = Instant::now();
        let values = values.bytes().ok_or(Halt)?;
        let mut so_far = self.so_far.lock().map_err(|_| Halt)?;
        for values in values.chunks(1 << 16) {
            so_far.1.update(&values.iter().map(|&value| value as u8).collect::<Vec<_>>());
        }
        so_far.2 += values.len();
        eprintln!("{seeds} seeds: {} positions, {:.3} s", values.len(), (self.start.elapsed() - so_far.0).as_secs_f64());
        so_far.0 += since.elapsed();
        Ok(())
    }
}

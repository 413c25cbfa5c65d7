//! How fast tables are built where positions can repeat:
//! `cargo run --release -p lumbung-tables --example cyclic_speed -- GAME PITS SEEDS [THREADS] [even|odd|all]`
//!
//! Prints positions, seconds from the first allocation to the last layer, and nanoseconds a position; and a digest of all layers.

use std::process::ExitCode;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use lumbung_engine::rules::preset;
use lumbung_tables::cyclic::{self, Parity};
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
    let (start, stop) = (Instant::now(), AtomicBool::new(false));
    let options = Options { threads, memory: None, stop: &stop, progress: &|_| {} };
    let mut digest = blake3::Hasher::new();
    let (mut positions, mut hashing) = (0, std::time::Duration::ZERO);
    let mut take = |s: usize, layer: &[i8]| {
        let since = Instant::now();
        let bytes: Vec<u8> = layer.iter().map(|&value| value as u8).collect();
        digest.update(&bytes);
        positions += layer.len();
        hashing += since.elapsed();
        eprintln!("{s} seeds: {} positions, {:.3} s", layer.len(), (start.elapsed() - hashing).as_secs_f64());
        Ok(())
    };
    cyclic::build_layers(rules, pits, seeds, parity, options, &mut |_, _| Ok(false), &mut take).map_err(|error| error.to_string())?;
    let seconds = (start.elapsed() - hashing).as_secs_f64();
    let nanoseconds = seconds * 1e9 / positions as f64;
    println!("{positions} positions, {seconds:.3} s, {nanoseconds:.2} ns a position, {threads} threads, {}", digest.finalize().to_hex());
    Ok(())
}

//! How fast tables are encoded, looked up and loaded, and how small they are:
//! `cargo run --release -p lumbung-tables --features measure --example file_speed -- GAME PITS SEEDS [THREADS] [raw]`
//!
//! Writes the table into a temporary directory of the current one.

use std::hint::black_box;
use std::process::ExitCode;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use lumbung_engine::Owners;
use lumbung_engine::kernel::{Kernel, Lanes, Seat, Visitor, dispatch};
use lumbung_tables::file::{Directory, Encoding, Probe, Writer};
use lumbung_tables::{Table, rows};

use shared::Asked;

mod shared;

/// Look-ups to time.
const LOOK_UPS: u64 = 200_000;
/// Look-ups timed together. A program that other programs interrupt is mostly interrupted between batches.
const BATCH: usize = 50;

struct LookUps<'l>(&'l Directory, &'l Table);

impl Visitor for LookUps<'_> {
    type Output = (f64, f64);
    fn visit<B: Lanes>(self, _: Kernel<B>) -> (f64, f64) {
        let LookUps(directory, table) = self;
        let index = table.index();
        let probe = Probe::<B>::new(directory).expect("boards that fit");
        let (start, len) = (index.layer_start(table.seeds()), index.layer_len(table.seeds()));
        let boards: Vec<B> = (1..=LOOK_UPS)
            .map(|number| {
                index.unrank(start + ((u128::from(number.wrapping_mul(0x9e37_79b9_7f4a_7c15)) * u128::from(len)) >> 64) as u64)
            })
            .collect();
        let mut batches: Vec<f64> = boards
            .chunks(BATCH)
            .map(|boards| {
                let since = Instant::now();
                boards.iter().for_each(|board| {
                    black_box(probe.value(board, Seat::FIRST).ok());
                });
                since.elapsed().as_secs_f64() * 1e6 / BATCH as f64
            })
            .collect();
        batches.sort_by(f64::total_cmp);
        assert!(boards.iter().step_by(10).all(|board| probe.value(board, Seat::FIRST).ok() == table.value(board)));
        (batches[batches.len() / 2], batches.iter().sum::<f64>() / batches.len() as f64)
    }
}

fn main() -> ExitCode {
    shared::main("file_speed GAME PITS SEEDS [THREADS] [raw]", run)
}

fn run(asked: &Asked) -> Result<(), String> {
    let &Asked { rules, pits, seeds, threads, .. } = asked;
    rayon::ThreadPoolBuilder::new().num_threads(threads).build_global().map_err(|error| error.to_string())?;
    let stop = AtomicBool::new(false);
    let options = rows::Options { threads, memory: None, stop: &stop, progress: &|_| {} };
    let table = rows::build(rules, pits, seeds, options).map_err(|error| error.to_string())?;
    let place = tempfile::tempdir_in(".").map_err(|error| error.to_string())?;
    let encoding = if asked.more.iter().any(|word| word == "raw") { Encoding::Raw } else { Encoding::Compact };
    let mut writer = Writer::new(place.path(), rules, pits, seeds, encoding).map_err(|error| error.to_string())?;
    for layer in 0..=seeds {
        writer.write_layer(table.layer(layer)).map_err(|error| error.to_string())?;
    }
    let (encode, write) = (writer.encoder().spent(), writer.spent());
    let bytes = writer.bytes();
    drop(writer);
    let positions = table.len() as f64;
    println!("{} {pits} pits, {} positions up to {seeds} seeds, {threads} threads", rules.name, table.len());
    println!(
        "  encoded: {:.1} million positions a second and thread, {:.3} s; written in {:.3} s",
        positions / encode.as_secs_f64() / 1e6,
        encode.as_secs_f64(),
        write.as_secs_f64()
    );
    let directory = Directory::open(place.path()).map_err(|error| error.to_string())?;
    let last = directory.manifest().layers.last().ok_or("no layer")?;
    println!(
        "  size: {:.3} bits a position in all, {:.3} in the layer of {seeds} seeds",
        bytes as f64 * 8.0 / positions,
        last.size as f64 * 8.0 / last.positions as f64
    );
    let (median, mean) = dispatch(rules, pits, seeds, Owners::rows(pits), LookUps(&directory, &table));
    println!("  looked up: {median:.2} microseconds a position in the median batch of {BATCH}, {mean:.2} on average");
    let since = Instant::now();
    let loaded = directory.load(seeds, u64::MAX).map_err(|error| error.to_string())?;
    println!(
        "  loaded: {:.1} ns a position; the same: {}",
        since.elapsed().as_secs_f64() * 1e9 / positions,
        loaded.layer(seeds) == table.layer(seeds)
    );
    Ok(())
}

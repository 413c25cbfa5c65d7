//! `table verify`: is every byte what it should be?

use std::sync::atomic::{AtomicU64, Ordering};

use clap::Args;
use lumbung_tables::file::verify::{self, Fault, Method, Options, Report};
use lumbung_tables::file::{Directory, FileError};
use serde::Serialize;

use super::open::{DirectoryArgs, open};
use super::plan::of;
use crate::args::Common;
use crate::exit::{Exit, Failure};
use crate::output::{self, STRONG, styled};
use crate::units::{self, counted};
use crate::work::{self, Stop, Work};

/// Check the digest of every file, and every value against its moves or, where positions can repeat, against the layers built again;
/// exit code 1 if anything is wrong
#[derive(Debug, Args)]
pub(super) struct VerifyArgs {
    #[command(flatten)]
    directory: DirectoryArgs,
    /// Check the values of N positions drawn at random, in place of all; needs little memory
    #[arg(long, value_name = "N", value_parser = units::sample, allow_hyphen_values = true)]
    sample: Option<u64>,
    /// Draw another sample; the same number draws the same positions
    #[arg(long, value_name = "NUMBER", default_value_t = 0, requires = "sample", value_parser = units::seed, allow_hyphen_values = true)]
    seed: u64,
}

#[derive(Serialize)]
struct Document {
    table: String,
    /// Unknown if it was stopped.
    valid: Option<bool>,
    /// Whether all positions were checked, or how many of them.
    sample: Option<u64>,
    seed: u64,
    layers: usize,
    /// How many layers the table is to have.
    wanted: usize,
    positions: u64,
    /// How the values were checked; unknown if it was stopped.
    method: Option<&'static str>,
    fault: Option<FaultReport>,
    threads: usize,
    seconds: f64,
    /// What stopped it before everything was checked; nothing wrong was found until then.
    stopped: Option<&'static str>,
}

#[derive(Serialize)]
struct FaultReport {
    seeds: Option<usize>,
    position: Option<String>,
    what: String,
}

impl From<&Fault> for FaultReport {
    fn from(fault: &Fault) -> Self {
        FaultReport { seeds: fault.seeds, position: fault.position.as_ref().map(ToString::to_string), what: fault.what.clone() }
    }
}

pub(super) fn run(args: &VerifyArgs, common: &Common) -> Result<Exit, Failure> {
    let path = &args.directory.directory;
    let work = Work::begin(common, None)?;
    let stop = Stop::new(&work);
    // Other rules are refused before any work. A damaged manifest is for `verify` to report.
    if Directory::open(path).is_ok() {
        open(path, common)?;
    }
    let checked = AtomicU64::new(0);
    let told = |done, all| {
        checked.fetch_max(done, Ordering::Relaxed);
        work.progress.tell(&format!("{} checked", of(done, all)));
    };
    let options = Options {
        sample: args.sample,
        seed: args.seed,
        memory: work.limits.memory,
        stop: &work.limits.interrupt,
        progress: &told,
    };
    let (report, stopped) = match verify::verify(path, options) {
        Ok(report) => (report, None),
        Err(FileError::Stopped) => {
            work.progress.finish();
            if !common.json {
                eprintln!("lumbung: stopped before everything was checked; nothing wrong was found until then");
                return Ok(stop.exit());
            }
            let directory = open(path, common)?;
            let manifest = directory.manifest();
            let (positions, wanted) = (checked.load(Ordering::Relaxed), manifest.parity.layers(manifest.seeds));
            // Values come after all digests.
            let layers = if positions > 0 { manifest.layers.len() } else { 0 };
            (Report { layers, wanted, positions, method: Method::MovesOnly, fault: None }, Some(work::word(stop.reason())))
        }
        Err(error @ FileError::Memory { .. }) => {
            return Err(Failure::new(format!("{error}; or check a sample: --sample 1000000")));
        }
        Err(error) => return Err(Failure::new(error)),
    };
    work.progress.finish();
    let document = Document {
        table: path.display().to_string(),
        valid: stopped.is_none().then_some(report.fault.is_none()),
        sample: args.sample,
        seed: args.seed,
        layers: report.layers,
        wanted: report.wanted.max(report.layers),
        positions: report.positions,
        method: stopped.is_none().then_some(match report.method {
            Method::Moves => "moves",
            Method::FinitePlay => "finite-play",
            Method::MovesOnly => "moves-only",
        }),
        fault: report.fault.as_ref().map(FaultReport::from),
        threads: rayon::current_num_threads(),
        seconds: work.seconds(),
        stopped,
    };
    if common.json {
        output::json("lumbung/table-verify/1", &document)?;
    } else {
        output::text(&page(&document))?;
    }
    Ok(match document.valid {
        Some(true) => Exit::Done,
        Some(false) => Exit::Refuted,
        None => stop.exit(),
    })
}

fn page(document: &Document) -> String {
    let verdict = match &document.fault {
        None if document.layers < document.wanted => {
            format!(
                "{} is as it should be, as far as it was built: {} of {} layers",
                document.table, document.layers, document.wanted
            )
        }
        None => format!("{} is as it should be", document.table),
        Some(fault) => format!("Invalid: {}", fault.what),
    };
    let drawn = if document.sample.is_some() { " drawn at random" } else { "" };
    let how = match document.method {
        Some("finite-play") => "by their moves and as reached by finite play",
        _ => "by their moves",
    };
    let mut checked = format!(
        "{} by their digests, {}{drawn} {how}, {}",
        counted(document.layers as u64, "layer"),
        counted(document.positions, "position"),
        work::time(document.seconds)
    );
    if document.method == Some("moves-only") {
        checked += "\nNot proven: positions can repeat under these rules, and on a cycle false values can bear each other out. Without\n\
                    --sample every value must also be reached by finite play.";
    }
    format!("{}\nChecked: {checked}\n", styled(STRONG, verdict))
}

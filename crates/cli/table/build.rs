//! `table build`: builds a table and writes it, or goes on with one.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use clap::Args;
use lumbung_tables::build::{self, BuildError};
use lumbung_tables::file::{Pipeline, Writer};
use lumbung_tables::plain;
use lumbung_tables::rows::{Options, RowsError};
use serde::Serialize;

use super::plan::{Plan, What, WhichArgs, of};
use crate::args::Common;
use crate::exit::{Exit, Failure};
use crate::output::{self, STRONG, styled};
use crate::units::{bytes, counted};
use crate::work::{self, Stop, Work};

/// Build a table, layer by layer; goes on where an earlier run of the same command was stopped
#[derive(Debug, Args)]
pub(super) struct BuildArgs {
    #[command(flatten)]
    which: WhichArgs,
    /// The directory to write the table into
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
}

pub(super) fn run(args: &BuildArgs, common: &Common) -> Result<Exit, Failure> {
    let plan = Plan::new(&args.which, common)?;
    let work = Work::begin(common, None)?;
    let allowed = work.limits.memory;
    if !plan.fits(allowed) {
        return Err(Failure::new(plan.refusal(allowed, plan.fitting(allowed))));
    }
    let stop = Stop::new(&work);
    let writer = Writer::of_parity(&args.out, &plan.chosen.rules, plan.owners, plan.seeds, plan.encoding, plan.parity);
    let mut writer = writer.map_err(Failure::new)?;
    let layers = plan.parity.layers(plan.seeds);
    if !common.json && !common.quiet {
        output::text(&plan.page(allowed))?;
    }
    let kept = writer.layers();
    let threads = rayon::current_num_threads();
    let mut seconds = Seconds::default();
    if kept < layers {
        let since = Instant::now();
        let pipeline = Pipeline::new(writer, &plan.builder).map_err(Failure::new)?;
        let told = |progress: lumbung_tables::rows::Progress| {
            work.progress.tell(&rate("computed", progress.positions, progress.total, since.elapsed()));
        };
        let memory = Some(plan.for_the_build(allowed));
        let options = Options { threads, memory, stop: &work.limits.interrupt, progress: &told };
        let built = build::hand_on_layers(&plan.chosen.rules, plan.owners, plan.seeds, plan.parity, options, &pipeline);
        let spent = since.elapsed();
        work.progress.say("writing".to_owned());
        // What stopped the build from this side is the better reason.
        let written = pipeline.finish().map_err(Failure::new)?;
        match built {
            Ok(_) | Err(BuildError::Rows(RowsError::Stopped) | BuildError::Plain(plain::BuildError::Stopped)) => {}
            Err(error) => return Err(Failure::new(error)),
        }
        writer = written.writer;
        let encode = written.encode / threads as u32;
        seconds = Seconds {
            compute: self::seconds(spent.saturating_sub(written.read + encode)),
            read: self::seconds(written.read),
            encode: self::seconds(encode),
            write: self::seconds(writer.spent()),
            total: 0.0,
        };
    }
    work.progress.finish();
    seconds.total = work.seconds();
    let document = Document {
        what: plan.what(),
        out: args.out.display().to_string(),
        complete: writer.layers() == layers,
        wanted: layers,
        layers: writer.layers(),
        kept,
        positions: writer.positions(),
        bytes: writer.bytes(),
        threads,
        seconds,
    };
    if common.json {
        output::json("lumbung/table-build/1", &document)?;
    } else {
        output::text(&page(&document))?;
    }
    Ok(if document.complete { Exit::Done } else { stop.exit() })
}

/// How far, how fast, and how long still.
fn rate(done: &str, positions: u64, total: u64, time: Duration) -> String {
    let each = time.as_secs_f64() / positions.max(1) as f64;
    let left = each * total.saturating_sub(positions) as f64;
    format!("{} {done}, {:.1} million a second, about {} left", of(positions, total), 1e-6 / each.max(1e-12), work::time(left))
}

fn page(document: &Document) -> String {
    let out = &document.out;
    let kept = match document.kept {
        0 => String::new(),
        kept => format!("{} were there already. ", counted(kept as u64, "layer")),
    };
    let written = if document.complete {
        styled(STRONG, format!("{} in {out}, {}", counted(document.positions, "position"), bytes(document.bytes)))
    } else {
        format!("Stopped with {} of {} layers in {out}; the same command goes on from there.", document.layers, document.wanted)
    };
    let Seconds { compute, read, encode, write, total } = &document.seconds;
    let read = if *read > 0.0 { format!("Read in {read} s. ") } else { String::new() };
    let times =
        format!("{kept}{read}Computed in {compute} s, encoded in {encode} s, written meanwhile in {write} s; {total} s in all.");
    format!("\n{written}\n{times}\n")
}

fn seconds(time: Duration) -> f64 {
    work::milliseconds(time.as_secs_f64())
}

#[derive(Serialize)]
struct Document {
    #[serde(flatten)]
    what: What,
    out: String,
    complete: bool,
    #[serde(skip)]
    wanted: usize,
    layers: usize,
    /// Layers that were there before.
    kept: usize,
    positions: u64,
    bytes: u64,
    threads: usize,
    seconds: Seconds,
}

/// Times by the clock. Threads that compute also encode: each of the two has its share of the time that both take.
#[derive(Default, Serialize)]
struct Seconds {
    compute: f64,
    /// Reading layers that were there already.
    read: f64,
    encode: f64,
    /// Beside computing and encoding, by a thread of its own.
    write: f64,
    total: f64,
}

//! `serve`: a page and an HTTP interface on this machine.
//!
//! The pieces, one file each: [`listen`] takes connections; [`routes`] says what is answered where, and [`guard`] what every request
//! must keep to; [`desk`] shares the machine among searches; the others answer, and know nothing of HTTP.

mod answer;
mod app;
mod assets;
mod certificates;
mod claims;
mod desk;
mod games;
mod guard;
mod listen;
mod openapi;
mod params;
mod play;
mod routes;
mod tables;
#[cfg(test)]
mod tests;
mod values;
mod walk;

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use clap::Args;
use serde::Serialize;

use crate::args::Common;
use crate::exit::{Exit, Failure};
use crate::output::{self, STRONG, styled};
use app::{App, Settings};

const AFTER: &str = "\
Examples:
  lumbung serve --open                          the page in the browser
  lumbung serve --tables k14 --tables d16       values from endgame tables where they reach
  lumbung serve --certificates my.lumcert       walk through a proof
  curl 'http://127.0.0.1:8080/api/v1/values?game=kalah&position=0,1,0,2,0,1/3,0,0,0,1,0'

The HTTP interface is described by the OpenAPI document at /api/v1/openapi.json. A request may
search for --limit (5s unless said otherwise) on one thread; --threads searches run at once and
the others wait in line; --memory is for all of them together. Ctrl-C ends it.";

/// Serve a page to play and explore on, and an HTTP interface for programs, to this machine only unless told otherwise
#[derive(Debug, Args)]
#[command(after_help = AFTER)]
pub(crate) struct ServeArgs {
    /// Look values up in this endgame table; repeatable
    #[arg(long, value_name = "DIR")]
    tables: Vec<PathBuf>,
    /// Offer this certificate, or those of a directory, to walk through; repeatable [default: solver-results]
    #[arg(long, value_name = "FILE|DIR")]
    certificates: Vec<PathBuf>,
    /// Listen at this address; port 0 takes a free one
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:8080", value_parser = address)]
    bind: SocketAddr,
    /// Open the page in the browser
    #[arg(long)]
    open: bool,
}

fn address(text: &str) -> Result<SocketAddr, String> {
    text.parse().map_err(|_| "an address is a number and a port, for instance 127.0.0.1:8080 or [::1]:8080".to_owned())
}

/// What is printed once the server listens.
#[derive(Serialize)]
struct Document {
    address: String,
    page: String,
    api: String,
    tables: usize,
    certificates: usize,
}

/// A request may search so long unless `--limit` says otherwise.
const LIMIT: Duration = Duration::from_secs(5);
/// No request is waited for longer than a day.
const LONGEST: Duration = Duration::from_secs(24 * 60 * 60);

pub(crate) fn run(args: &ServeArgs, common: &Common) -> Result<Exit, Failure> {
    if common.rules.is_some() || !common.readings.is_empty() || !common.set.is_empty() {
        return Err(Failure::new(
            "every request names its own rules; in its address: ?game=dakon&reading=german-end&set=KEY=VALUE",
        ));
    }
    let threads = common.threads.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from));
    let settings = Settings {
        searches: threads,
        memory: common.memory.unwrap_or_else(crate::work::half_of_what_is_free),
        limit: common.limit.map_or(LIMIT, |limit| limit.min(LONGEST)),
        loopback: args.bind.ip().is_loopback(),
    };
    let app = Arc::new(App::open(settings, &args.tables, &args.certificates)?);
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(threads.min(4))
        .max_blocking_threads(app.desk.most_blocking())
        .enable_all()
        .build()
        .map_err(|error| Failure::new(format!("cannot start the server's threads: {error}")))?;
    let listener = runtime
        .block_on(listen::bind(args.bind))
        .map_err(|error| Failure::new(format!("cannot listen at {}: {error}; --bind ADDRESS names another", args.bind)))?;
    let bound = listener.local_addr().map_err(|error| Failure::new(format!("cannot listen at {}: {error}", args.bind)))?;
    tell(bound, &app, common)?;
    if args.open
        && let Err(error) = open::that_detached(page_of(bound))
        && !common.quiet
    {
        eprintln!("lumbung: cannot open a browser: {error}");
    }
    runtime.block_on(listen::serve(listener, Arc::clone(&app)));
    // A search that does not hear of the end is not waited for.
    runtime.shutdown_timeout(Duration::from_secs(1));
    Ok(Exit::Done)
}

/// Where a browser finds the page: an unspecified address is this machine's own.
fn page_of(bound: SocketAddr) -> String {
    if bound.ip().is_unspecified() { format!("http://localhost:{}/", bound.port()) } else { format!("http://{bound}/") }
}

fn tell(bound: SocketAddr, app: &App, common: &Common) -> Result<(), Failure> {
    let page = page_of(bound);
    let document = Document {
        address: bound.to_string(),
        api: format!("{page}api/v1"),
        tables: app.tables.len(),
        certificates: app.certificates.len(),
        page,
    };
    if !app.settings.loopback && !common.quiet {
        eprintln!("lumbung: warning: {bound} can be reached from other machines; anybody there may use this one's time");
    }
    if common.json {
        return output::json("lumbung/serve/1", &document);
    }
    let counted = |number: usize, noun: &str| crate::units::counted(number as u64, noun);
    let mut text = format!("Lumbung is at {}\n", styled(STRONG, &document.page));
    text += &format!("{}, {}", counted(document.tables, "table"), counted(document.certificates, "certificate"));
    text += &format!("; programs ask at {}; Ctrl-C ends it\n", document.api);
    output::text(&text)
}

//! The HTTP interface without a network.

mod abuse;
mod answers;
mod contract;

use std::path::Path;
use std::sync::{Arc, LazyLock};
use std::time::Duration;

use axum::body::{Body, to_bytes};
use axum::http::{HeaderMap, Method, Request, StatusCode};
use lumbung_engine::kernel::{Kernel, Lanes, Visitor, dispatch};
use lumbung_engine::rules::preset;
use lumbung_engine::{BoardSize, Owners, Position, RuleSet, Side};
use lumbung_proof::{Bound, Claim, Contents, Entry, Key};
use lumbung_tables::file::{Encoding, Writer};
use lumbung_tables::{Table, plain};
use serde_json::Value;
use tower::ServiceExt as _;

use super::app::{App, Settings};
use super::routes;

/// A table of Kalah with three pits a row and up to this many seeds.
const TABLE_SEEDS: usize = 7;

struct Build(usize);

impl Visitor for Build {
    type Output = Table;
    fn visit<B: Lanes>(self, kernel: Kernel<B>) -> Table {
        plain::build(&kernel, self.0, &false.into()).expect("a small table")
    }
}

fn write_table(path: &Path, rules: &RuleSet, pits: usize, seeds: usize) {
    let table = dispatch(rules, pits, seeds, Owners::rows(pits), Build(seeds));
    let mut writer = Writer::new(path, rules, pits, seeds, Encoding::Raw).expect("a table");
    for seeds in 0..=seeds {
        writer.write_layer(table.layer(seeds)).expect("a layer");
    }
}

/// Rules that are no game's: Kalah in which a lap passes over the pit that it was lifted from, and the mover takes what is left.
fn own_rules() -> RuleSet {
    let kalah = &preset("kalah").expect("a preset").rules;
    kalah.with_changes(&[], &["sowing.origin=skipped", "end.remainder=mover"]).expect("rules")
}

/// A certificate of Kalah on two pits a row with a stone each, all of which is left to a table.
fn write_leaning(path: &Path) {
    let start = Position::start(BoardSize::new(2, 1).expect("a board"));
    let entry = Entry { key: Key::new(&start, Bound::AtLeast(1)), value: 1, pit: None, counter: 0, from_table: true };
    let (rules, owners, table) = (&preset("kalah").expect("a preset").rules, start.owners, Some([7; 32]));
    let claims = [Claim { start, player: Side::South, bound: 1 }];
    let contents = Contents { program: "a test", rules, owners, claims: &claims, entries: vec![entry], table };
    lumbung_proof::write(path, contents).expect("written");
}

/// A server with a table `k3`, a table `own` of [`own_rules`], the certificates of the project, and `leaning` of [`write_leaning`].
struct Server {
    router: axum::Router,
    runtime: tokio::runtime::Runtime,
    _tables: tempfile::TempDir,
}

static SERVER: LazyLock<Server> = LazyLock::new(|| {
    let tables = tempfile::tempdir().expect("a directory");
    let path = tables.path().join("k3");
    let rules = &preset("kalah").expect("a preset").rules;
    write_table(&path, rules, 3, TABLE_SEEDS);
    let own = tables.path().join("own");
    write_table(&own, &own_rules(), 2, 4);
    let leaning = tables.path().join("leaning.lumcert");
    write_leaning(&leaning);
    let certificates = concat!(env!("CARGO_MANIFEST_DIR"), "/solver-results/certificates");
    let settings = Settings { searches: 2, memory: 1 << 28, limit: Duration::from_secs(20), loopback: true };
    let app = App::open(settings, &[path, own], &[certificates.into(), leaning]).expect("a server");
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().expect("a runtime");
    Server { router: routes::router(Arc::new(app)), runtime, _tables: tables }
});

/// An answer.
struct Got {
    status: StatusCode,
    headers: HeaderMap,
    text: String,
}

impl Got {
    fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or_else(|error| panic!("{error} in {:?}", self.text))
    }
}

/// Sends a request.
fn send(request: Request<Body>) -> Got {
    send_to(&SERVER.router, request)
}

/// Sends a request to another server.
fn send_to(router: &axum::Router, request: Request<Body>) -> Got {
    SERVER.runtime.block_on(async {
        let response = router.clone().oneshot(request).await.expect("the router answers everything");
        let (parts, body) = response.into_parts();
        let bytes = to_bytes(body, usize::MAX).await.expect("a body");
        Got { status: parts.status, headers: parts.headers, text: String::from_utf8(bytes.into()).expect("UTF-8") }
    })
}

/// Asks the interface.
fn get(path: &str) -> Got {
    let address = format!("{}{path}", routes::API);
    send(Request::get(&address).body(Body::empty()).unwrap_or_else(|error| panic!("{address}: {error}")))
}

/// Asks for something that must be there.
fn found(path: &str) -> Value {
    let got = get(path);
    assert_eq!(got.status, 200, "{path}: {}", got.text);
    got.json()
}

/// Asks for something that must be refused, and says why it was.
fn refused(path: &str, status: u16) -> String {
    let got = get(path);
    assert_eq!(got.status, status, "{path}: {}", got.text);
    got.json()["message"].as_str().expect("a reason").to_owned()
}

#[test]
fn every_address_of_the_page_shows_it() {
    for path in routes::PAGES {
        let got = send(Request::get(path).body(Body::empty()).expect("a request"));
        assert_eq!((got.status, got.headers["content-type"].to_str().unwrap()), (StatusCode::OK, "text/html; charset=utf-8"));
        assert!(got.headers["content-security-policy"].to_str().unwrap().starts_with("default-src 'none'; script-src 'self'"));
    }
    let got = send(Request::get("/page/main.js").body(Body::empty()).expect("a request"));
    let again = Request::get("/page/main.js").header("if-none-match", &got.headers["etag"]).body(Body::empty());
    let again = send(again.expect("a request"));
    assert_eq!((again.status, again.text.as_str()), (StatusCode::NOT_MODIFIED, ""));
    assert_eq!(send(Request::get("/page/../Cargo.toml").body(Body::empty()).expect("a request")).status, 404);
}

#[test]
fn only_reading_is_possible() {
    for method in [Method::POST, Method::PUT, Method::DELETE, Method::PATCH] {
        let request = Request::builder().method(method.clone()).uri("/api/v1/games").body(Body::empty()).expect("a request");
        let got = send(request);
        assert_eq!(got.status, 405, "{method}");
        assert_eq!(got.json()["error"], "method-not-allowed");
        assert_eq!(got.headers["allow"], "GET,HEAD");
    }
    let head = Request::head("/api/v1/games").body(Body::empty()).expect("a request");
    let got = send(head);
    assert_eq!((got.status, got.text.as_str()), (StatusCode::OK, ""));
}

#[test]
fn pages_of_other_sites_and_names_for_this_machine_are_refused() {
    let ask = |path: &str, header: &'static str, value: &str| {
        send(Request::get(path).header(header, value).body(Body::empty()).expect("a request")).status.as_u16()
    };
    assert_eq!(ask("/api/v1/games", "sec-fetch-site", "cross-site"), 403);
    assert_eq!(ask("/api/v1/games", "sec-fetch-site", "same-origin"), 200);
    // A link to the page may stand anywhere.
    assert_eq!(ask("/", "sec-fetch-site", "cross-site"), 200);
    assert_eq!(ask("/api/v1/games", "host", "rebound.example"), 403);
    assert_eq!(ask("/api/v1/games", "host", "localhost:8080"), 200);
}

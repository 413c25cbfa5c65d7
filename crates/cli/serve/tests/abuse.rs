//! Requests that nobody should send: each gets a proper answer, and the server is afterwards as it was.

use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use axum::http::Request;
use lumbung_engine::rules::preset;
use serde_json::Value;

use super::contract::{ANSWERS, DOCUMENT, ERROR, faults};
use super::{found, get, send, send_to, write_table};
use crate::serve::app::{App, Settings};
use crate::serve::guard::LONGEST_ADDRESS;
use crate::serve::routes;

/// What a parameter should not be, percent-encoded where an address must be.
const STRANGE: [&str; 34] = [
    "",
    "+",
    "-",
    "x",
    "0",
    "-1",
    "1e9",
    "0x7",
    "7x",
    "x7",
    "7x7x7",
    "18x1000",
    "99999999999999999999x1",
    "18446744073709551616",
    "%00",
    "%FF%FE",
    "%F0%9F%98%80",
    "null",
    "NaN",
    "..%2F..%2Fetc%2Fpasswd",
    "%27%3B--",
    "%3Cscript%3E",
    "1,2,3",
    "1/1",
    "1,1/1,1/0,0/q",
    "1,1/1,1/70000,0/s",
    "1,1/1,1/0,0/s/ssss",
    "1,,1/1,1",
    "1,1/1",
    "//////",
    "1+/+/+1",
    "37",
    "1=2",
    "[[[[[[[[[[[[[[[[[[[[[[[[",
];

/// The parameters of a path with an example of each.
fn parameters(path: &Value) -> Vec<(String, bool, String)> {
    let resolve = |parameter: &Value| match parameter.get("$ref").and_then(Value::as_str) {
        Some(reference) => DOCUMENT.pointer(&reference[1..]).expect("a parameter").clone(),
        None => parameter.clone(),
    };
    let text = |value: &Value| match value {
        Value::String(text) => text.clone(),
        Value::Array(all) => all[0].as_str().expect("an example").to_owned(),
        other => other.to_string(),
    };
    let of = |parameter: Value| {
        let example = text(&parameter["example"]).replace(' ', "+").replace("k14", "k3");
        (parameter["name"].as_str().expect("a name").to_owned(), parameter["in"] == "path", example)
    };
    path["get"]["parameters"].as_array().into_iter().flatten().map(|parameter| of(resolve(parameter))).collect()
}

/// Asks, and sees that the answer is proper whatever it is.
fn proper(path: &str, address: &str) {
    let got = get(address);
    let document = got.json();
    let form = if got.status == 200 { &ANSWERS[path] } else { &ERROR };
    assert_eq!(faults(form, &document), Vec::<String>::new(), "{address}: {document:#}");
    assert!([200, 400, 404, 414, 422, 503].contains(&got.status.as_u16()), "{address}: {}", got.text);
}

#[test]
fn whatever_is_asked_is_answered_properly() {
    let before = found("/games");
    let mut asked = 0;
    for (path, what) in DOCUMENT["paths"].as_object().expect("paths") {
        let parameters = parameters(what);
        // Searches are kept short: their length is not what is tried out here.
        let short = if path == "/values" { "&nodes=50" } else { "" };
        for (odd, (name, _, _)) in parameters.iter().enumerate() {
            for strange in STRANGE {
                for with_others in [true, false] {
                    let mut address = path.clone();
                    let mut query = Vec::new();
                    for (place, (other, in_path, example)) in parameters.iter().enumerate() {
                        let value = if place == odd { strange } else { example };
                        if *in_path {
                            let value = if value.is_empty() { "%20" } else { value };
                            address = address.replace(&format!("{{{other}}}"), &value.replace('/', "%2F").replace('[', "%5B"));
                        } else if place == odd || (with_others && other != "board" && other != "nodes") || other == "game" {
                            query.push(format!("{other}={}", value.replace('[', "%5B")));
                        }
                    }
                    let short = if name == "nodes" { "" } else { short };
                    let address = format!("{address}?{}{short}", query.join("&"));
                    proper(path, &address);
                    asked += 1;
                }
            }
        }
    }
    assert!(asked > 2000, "{asked}");
    assert_eq!(found("/games"), before);
}

#[test]
fn names_that_do_not_exist_are_refused() {
    for (path, what) in DOCUMENT["paths"].as_object().expect("paths") {
        let parameters = parameters(what);
        let address = parameters
            .iter()
            .filter(|(_, in_path, _)| *in_path)
            .fold(path.clone(), |address, (name, _, example)| address.replace(&format!("{{{name}}}"), example));
        for query in ["nothing=1", "%00=1", "game", "&&&=&=", "position[]=1".replace("[]", "%5B%5D").as_str()] {
            proper(path, &format!("{address}?{query}"));
        }
        assert_eq!(get(&format!("{address}?nothing=1")).status, 400, "{address}");
    }
}

#[test]
fn what_is_too_large_is_refused() {
    let long = get(&format!("/position?game=dakon&moves={}", "1+".repeat(LONGEST_ADDRESS / 2)));
    assert_eq!((long.status.as_u16(), long.json()["error"].as_str()), (414, Some("address-too-long")));
    let body = Request::get("/api/v1/games").body(Body::from(vec![b'x'; 1 << 20])).expect("a request");
    assert_eq!(send(body).status, 413);
    let few = Request::get("/api/v1/games").body(Body::from("x")).expect("a request");
    assert_eq!(send(few).status, 200);
}

/// A table whose bytes have changed since it was written is told of, by its name and not by where it lies, and harms nothing else.
#[test]
fn a_doctored_table_is_told_of() {
    let tables = tempfile::tempdir().expect("a directory");
    let (good, bad) = (tables.path().join("good"), tables.path().join("bad"));
    let kalah = &preset("kalah").expect("a preset").rules;
    for path in [&good, &bad] {
        write_table(path, kalah, 2, 4);
    }
    let layer = bad.join("layer-004.lum");
    let mut bytes = std::fs::read(&layer).expect("a layer");
    let middle = bytes.len() / 2;
    bytes[middle..].iter_mut().for_each(|byte| *byte ^= 0x55);
    std::fs::write(&layer, bytes).expect("written");
    let settings = Settings { searches: 1, memory: 1 << 26, limit: Duration::from_secs(20), loopback: true };
    let app = Arc::new(App::open(settings, &[good, bad], &[]).expect("a server"));
    let router = routes::router(app);
    let ask = |table: &str, position: &str| {
        let address = format!("/api/v1/tables/{table}/value?position={position}");
        send_to(&router, Request::get(address).body(Body::empty()).expect("a request"))
    };
    for (table, position, status) in [("bad", "1,1/1,1", 500), ("good", "1,1/1,1", 200), ("bad", "1,1/1,0", 200)] {
        let got = ask(table, position);
        assert_eq!(got.status, status, "{table} {position}: {}", got.text);
        assert!(!got.text.contains(&tables.path().display().to_string()), "{}", got.text);
    }
    let message = ask("bad", "1,1/1,1").json()["message"].as_str().expect("a reason").to_owned();
    assert!(message.starts_with("bad/layer-004.lum is damaged"), "{message}");
}

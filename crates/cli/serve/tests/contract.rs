//! Every route and every answer is as the OpenAPI document says.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use jsonschema::Validator;
use serde_json::{Value, json};

use super::{found, get};
use crate::serve::{openapi, routes};

pub(super) static DOCUMENT: LazyLock<Value> =
    LazyLock::new(|| serde_json::from_str(openapi::DOCUMENT).expect("the OpenAPI document is JSON"));

/// A schema of the document, with all that it refers to.
fn validator(schema: &Value) -> Validator {
    let mut whole = schema.clone();
    whole["components"] = DOCUMENT["components"].clone();
    jsonschema::draft202012::new(&whole).unwrap_or_else(|error| panic!("{schema}: {error}"))
}

/// For every route the form of its answers.
pub(super) static ANSWERS: LazyLock<BTreeMap<String, Validator>> = LazyLock::new(|| {
    let paths = DOCUMENT["paths"].as_object().expect("paths");
    let schema = |path: &Value| validator(&path["get"]["responses"]["200"]["content"]["application/json"]["schema"]);
    paths.iter().map(|(path, what)| (path.clone(), schema(what))).collect()
});

/// The form of every refusal.
pub(super) static ERROR: LazyLock<Validator> = LazyLock::new(|| validator(&json!({"$ref": "#/components/schemas/Error"})));

/// Whether a document is of a form, and if not, why.
pub(super) fn faults(validator: &Validator, document: &Value) -> Vec<String> {
    validator.iter_errors(document).map(|error| format!("{}: {error}", error.instance_path())).collect()
}

#[test]
fn the_document_describes_every_route_and_no_other() {
    let served: BTreeMap<&str, ()> = routes::api().into_iter().map(|(path, _)| (path, ())).collect();
    let described: Vec<&String> = DOCUMENT["paths"].as_object().expect("paths").keys().collect();
    assert_eq!(served.into_keys().collect::<Vec<_>>(), described);
    assert_eq!(found("/openapi.json"), *DOCUMENT);
}

#[test]
fn references_lead_somewhere() {
    fn walk(value: &Value) {
        if let Some(reference) = value.get("$ref").and_then(Value::as_str) {
            let pointer = reference.strip_prefix('#').expect("a reference within the document");
            assert!(DOCUMENT.pointer(pointer).is_some(), "{reference}");
        }
        match value {
            Value::Array(all) => all.iter().for_each(walk),
            Value::Object(all) => all.values().for_each(walk),
            _ => {}
        }
    }
    walk(&DOCUMENT);
}

#[test]
fn answers_are_as_described() {
    let long = "/certificates/dakon-3x5/walk?position=0,5,5/5,5,5/1,0/n";
    let asked = [
        ("/games", "/games"),
        ("/games/{game}", "/games/dakon?reading=german-end,no-mikul&set=sowing.bonus-move=none"),
        ("/position", "/position?game=dakon&moves=7+/+3"),
        ("/position", "/position?game=djenon-abe&position=1,0,0,0,0,1/1,0,0,0,0,0&moves=6"),
        ("/position", "/position?game=san-yao&position=5,5,5,5,5/5,5,5,5,5/0,0/s/ssssssnnnn&moves=6"),
        ("/position", "/position?game=djenon-abe&position=0,0,0,0,0,0/0,0,0,0,3,1&moves=-"),
        ("/laps", "/laps?game=dakon&moves=7"),
        ("/laps", "/laps?game=djenon-abe&position=0,0,0,0,0,0/0,0,0,0,3,1&moves=-"),
        ("/laps", "/laps?game=san-yao&set=sowing.endless=pass&position=0,1,0,1,1/0,1,0,2,1&moves=5"),
        ("/match", "/match?game=san-yao&moves=1+/+1"),
        ("/match", "/match?game=san-yao&board=2x1&moves=1+;"),
        ("/match", "/match?game=san-yao&board=2x1&reading=winner-chooses,debt"),
        ("/values", "/values?game=dakon&board=3x3"),
        ("/values", "/values?game=awari&nodes=1000"),
        ("/values", "/values?game=kalah&position=0,1,2/1,0,2"),
        ("/values", "/values?game=dakon&position=0,0,0/0,2,0/3,1/s"),
        ("/values", "/values?game=djenon-abe&position=0,0,0,0,0,0/0,0,0,0,3,1"),
        ("/tables", "/tables"),
        ("/tables/{table}", "/tables/k3"),
        ("/tables/{table}", "/tables/k3?seeds=4"),
        ("/tables/{table}/value", "/tables/k3/value?position=1,2,0/0,2,1/5,3/n"),
        ("/claims", "/claims"),
        ("/claims/{claim}", "/claims/dakon-first-player-win"),
        ("/claims/{claim}", "/claims/donkers-openings"),
        ("/certificates/{certificate}", "/certificates/dakon-3x5"),
        ("/certificates/{certificate}", "/certificates/djenon-abe-3x3"),
        ("/certificates/{certificate}", "/certificates/leaning"),
        ("/certificates", "/certificates"),
        ("/certificates/{certificate}/walk", "/certificates/djenon-abe-3x3/walk?claim=1"),
        ("/certificates/{certificate}/walk", long),
        ("/openapi.json", "/openapi.json"),
    ];
    for (path, address) in asked {
        let document = found(address);
        assert_eq!(faults(&ANSWERS[path], &document), Vec::<String>::new(), "{address}: {document:#}");
    }
    let without = ANSWERS.keys().filter(|path| !asked.iter().any(|(asked, _)| asked == path));
    assert_eq!(without.count(), 0);
}

#[test]
fn refusals_are_as_described() {
    let asked = [
        ("/nothing", 404),
        ("/games/chess", 404),
        ("/tables/t", 404),
        ("/claims/c", 404),
        ("/certificates/c", 404),
        ("/position", 400),
        ("/position?game=chess", 400),
        ("/position?game=dakon&boad=7x7", 400),
        ("/position?game=dakon&board=7x7&board=8x8", 400),
        ("/position?game=dakon&board=7x7&position=1/1", 400),
        ("/position?game=dakon&moves=9", 400),
        ("/values?game=san-yao&set=end.cycle=row-owner", 422),
        ("/tables/k3/value?position=4,4,4/4,4,4", 400),
        ("/tables/k3/value?position=1,1/1,1", 400),
        ("/certificates/dakon-3x5/walk?claim=9", 400),
        ("/certificates/dakon-3x5/walk?position=1,1/1,1", 400),
    ];
    for (address, status) in asked {
        let got = get(address);
        assert_eq!(got.status, status, "{address}: {}", got.text);
        let document = got.json();
        assert_eq!(faults(&ERROR, &document), Vec::<String>::new(), "{address}: {document:#}");
        assert_eq!(document["status"], status);
    }
}

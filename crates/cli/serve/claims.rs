//! Claims, and what was found when they were last checked.

use std::collections::HashSet;

use serde::Serialize;
use serde_json::Value;

use super::answer::{Refusal, text};
use super::app::App;
use super::params::Params;
use crate::claim::{Recorded, recorded};

/// A claim in the list.
#[derive(Serialize)]
struct Listed<'c> {
    id: &'c str,
    title: &'c str,
    game: &'c str,
    board: Option<String>,
    /// `holds`, `refuted` or `open`; nothing if no result is recorded.
    status: Option<&'c str>,
    /// Certificates that prove something of a position it speaks of.
    certificates: Vec<String>,
}

#[derive(Serialize)]
struct Claims<'c> {
    claims: Vec<Listed<'c>>,
}

/// All claims.
pub(super) fn all(app: &App, query: Option<&str>) -> Result<String, Refusal> {
    Params::parse(query, &[])?;
    let claims = recorded()?;
    text("lumbung/api-claims/1", &Claims { claims: claims.iter().map(|claim| listed(app, claim)).collect() })
}

fn listed<'c>(app: &App, claim: &'c Recorded) -> Listed<'c> {
    let result = claim.result.as_ref().and_then(of_claim);
    Listed {
        id: &claim.id,
        title: &claim.title,
        game: &claim.game,
        board: claim.board.clone(),
        status: result.and_then(|result| result.get("status")?.as_str()),
        certificates: certificates(app, result),
    }
}

/// The claim within the document of its check.
fn of_claim(document: &Value) -> Option<&Value> {
    document.get("claims")?.get(0)
}

/// The certificates of positions that a result speaks of, under the same rules.
fn certificates(app: &App, result: Option<&Value>) -> Vec<String> {
    let each = |value: Option<&'static str>, of: &Value| value.and_then(|field| of.get(field)).and_then(Value::as_array).cloned();
    let mut spoken_of = HashSet::new();
    for reading in result.and_then(|result| each(Some("readings"), result)).unwrap_or_default() {
        let fingerprint = reading.pointer("/rules/fingerprint").and_then(Value::as_str).unwrap_or_default().to_owned();
        for board in each(Some("boards"), &reading).unwrap_or_default() {
            let position = board.get("position").and_then(Value::as_str).unwrap_or_default();
            spoken_of.insert((fingerprint.clone(), position.to_owned()));
        }
    }
    let proves = |proof: &&super::certificates::Proof| {
        let fingerprint = proof.certificate.rules().fingerprint().to_string();
        let mut claims = proof.certificate.claims().iter();
        claims.any(|claim| spoken_of.contains(&(fingerprint.clone(), claim.start.to_string())))
    };
    app.certificates.iter().filter(proves).map(|proof| proof.id.clone()).collect()
}

/// A claim with all that is known of it.
#[derive(Serialize)]
struct One<'c> {
    #[serde(flatten)]
    listed: Listed<'c>,
    statement: &'c str,
    sources: &'c [String],
    /// The document of `lumbung claim check`, as it was recorded.
    result: Option<&'c Value>,
}

/// One claim.
pub(super) fn one(app: &App, id: &str, query: Option<&str>) -> Result<String, Refusal> {
    Params::parse(query, &[])?;
    let claims = recorded()?;
    let Some(claim) = claims.iter().find(|claim| claim.id == id) else {
        return Err(Refusal::unknown(format!("there is no claim {id:.60?}; /api/v1/claims lists them")));
    };
    let one = One {
        listed: listed(app, claim),
        statement: claim.statement.trim(),
        sources: &claim.sources,
        result: claim.result.as_ref(),
    };
    text("lumbung/api-claim/1", &one)
}

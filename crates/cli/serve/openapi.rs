//! The description of the HTTP interface, which is served with it.

use super::answer::Refusal;
use super::params::Params;

/// OpenAPI 3.1, written by hand; tests hold every route and answer against it.
pub(super) const DOCUMENT: &str = include_str!("openapi.json");

/// Answers `openapi.json`.
pub(super) fn document(query: Option<&str>) -> Result<String, Refusal> {
    Params::parse(query, &[])?;
    Ok(DOCUMENT.to_owned())
}

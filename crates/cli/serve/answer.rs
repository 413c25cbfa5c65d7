//! Answers: a JSON document, or a refusal with its reason.

use std::fmt::Display;
use std::path::Path;

use axum::body::Body;
use axum::http::{HeaderValue, Response, StatusCode, header};
use axum::response::IntoResponse;
use serde::Serialize;

use crate::exit::Failure;
use crate::output;

/// Why a request is not answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Refusal {
    pub(super) status: StatusCode,
    /// One word for programs.
    pub(super) error: &'static str,
    /// One line for people.
    pub(super) message: String,
}

impl Refusal {
    fn new(status: StatusCode, error: &'static str, message: impl Display) -> Self {
        Refusal { status, error, message: message.to_string() }
    }

    /// What was asked for makes no sense.
    pub(super) fn bad(message: impl Display) -> Self {
        Refusal::new(StatusCode::BAD_REQUEST, "bad-request", message)
    }

    /// There is no such thing.
    pub(super) fn unknown(message: impl Display) -> Self {
        Refusal::new(StatusCode::NOT_FOUND, "not-found", message)
    }

    /// Only reading is possible.
    pub(super) fn method(message: impl Display) -> Self {
        Refusal::new(StatusCode::METHOD_NOT_ALLOWED, "method-not-allowed", message)
    }

    /// A request from elsewhere.
    pub(super) fn foreign(message: impl Display) -> Self {
        Refusal::new(StatusCode::FORBIDDEN, "forbidden", message)
    }

    /// A request that brings too much.
    pub(super) fn large(message: impl Display) -> Self {
        Refusal::new(StatusCode::PAYLOAD_TOO_LARGE, "too-large", message)
    }

    /// An address that is too long.
    pub(super) fn long(message: impl Display) -> Self {
        Refusal::new(StatusCode::URI_TOO_LONG, "address-too-long", message)
    }

    /// It makes sense, but has no answer.
    pub(super) fn unanswerable(message: impl Display) -> Self {
        Refusal::new(StatusCode::UNPROCESSABLE_ENTITY, "unanswerable", message)
    }

    /// Too many ask, or it takes too long.
    pub(super) fn busy(message: impl Display) -> Self {
        Refusal::new(StatusCode::SERVICE_UNAVAILABLE, "busy", message)
    }

    /// The server's own fault.
    pub(super) fn defect(message: impl Display) -> Self {
        Refusal::new(StatusCode::INTERNAL_SERVER_ERROR, "internal", message)
    }
}

/// What the command line refuses as bad input is a bad request.
impl From<Failure> for Refusal {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::Told(message) => Refusal::bad(message),
            failure => Refusal::defect(failure.message().unwrap_or_default()),
        }
    }
}

#[derive(Serialize)]
struct ErrorBody<'r> {
    status: u16,
    error: &'static str,
    message: &'r str,
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response<Body> {
        let body = ErrorBody { status: self.status.as_u16(), error: self.error, message: &self.message };
        // A document of three fields can be written.
        let text = output::document("lumbung/api-error/1", &body).unwrap_or_default();
        let mut response = json(self.status, text);
        if self.status == StatusCode::SERVICE_UNAVAILABLE {
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from_static("1"));
        }
        response
    }
}

/// The text of an answer; `schema` is `lumbung/api-<what>/1`.
pub(super) fn text(schema: &'static str, body: &impl Serialize) -> Result<String, Refusal> {
    Ok(output::document(schema, body)?)
}

/// An answer of JSON. Values may be found later that are not known now, so nobody keeps one.
pub(super) fn json(status: StatusCode, text: String) -> Response<Body> {
    let headers = [(header::CONTENT_TYPE, "application/json"), (header::CACHE_CONTROL, "no-store")];
    (status, headers, text).into_response()
}

/// A message in which a file or a directory goes by its name here: where it lies on this machine is nobody's business. Only what is
/// that path, or lies below it, is meant, and not whatever else is spelt like it.
pub(super) fn under_its_name(message: &str, path: &Path, name: &str) -> String {
    let path = path.display().to_string();
    let begins = |before: &str| !before.ends_with(|c: char| c.is_alphanumeric() || "/-_.".contains(c));
    let ends = |after: &str| {
        let mut after = after.chars();
        match after.next() {
            None | Some('/') => true,
            // A full stop, and not that of an extension.
            Some('.') => after.next().is_none_or(char::is_whitespace),
            Some(c) => !c.is_alphanumeric() && !"-_".contains(c),
        }
    };
    let (mut told, mut rest) = (String::new(), 0);
    for (at, _) in message.match_indices(&path).filter(|_| !path.is_empty()) {
        if at >= rest && begins(&message[..at]) && ends(&message[at + path.len()..]) {
            told += &message[rest..at];
            told += name;
            rest = at + path.len();
        }
    }
    told + &message[rest..]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_path_is_called_by_its_name() {
        let told = |message: &str, path: &str| under_its_name(message, Path::new(path), "k3");
        assert_eq!(told("./layer-004.lum is damaged", "."), "k3/layer-004.lum is damaged");
        assert_eq!(told("cannot read ./layer-004.lum: no.", "."), "cannot read k3/layer-004.lum: no.");
        assert_eq!(told("a/table.toml is a table of a game", "/a"), "a/table.toml is a table of a game");
        assert_eq!(told("/t/k3 and /t/k3-2, not /x/t/k3 or /t/k3.old", "/t/k3"), "k3 and /t/k3-2, not /x/t/k3 or /t/k3.old");
        assert_eq!(told("cannot read /t/k3: no. There is /t/k3.", "/t/k3"), "cannot read k3: no. There is k3.");
    }
}

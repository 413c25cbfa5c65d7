//! What every request must keep to, and what every answer says to a browser.

use std::net::IpAddr;
use std::sync::Arc;

use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, Request, Response, header};
use axum::middleware::Next;
use axum::response::IntoResponse as _;
use hyper::body::Body as _;

use super::answer::Refusal;
use super::app::App;

/// Bytes of the longest address. A match of many rounds fits, so that a link to it can be.
pub(super) const LONGEST_ADDRESS: usize = 32 << 10;
/// Nothing here reads a body; one that is small is no matter.
const LARGEST_BODY: u64 = 16 << 10;

/// The page needs nothing but its own files and this server.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; \
                      base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const HEADERS: [(header::HeaderName, &str); 4] = [
    (header::CONTENT_SECURITY_POLICY, POLICY),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::REFERRER_POLICY, "no-referrer"),
    (header::HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
];

/// Around all routes.
pub(super) async fn guard(State(app): State<Arc<App>>, request: Request<Body>, next: Next) -> Response<Body> {
    let mut response = match allowed(&app, &request) {
        Ok(()) => next.run(request).await,
        Err(refusal) => refusal.into_response(),
    };
    for (name, value) in HEADERS {
        response.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    response
}

fn allowed(app: &App, request: &Request<Body>) -> Result<(), Refusal> {
    let address = request.uri().path_and_query().map_or(0, |address| address.as_str().len());
    if address > LONGEST_ADDRESS {
        return Err(Refusal::long(format!("an address of {address} bytes; the longest has {LONGEST_ADDRESS}")));
    }
    let body = request.body().size_hint();
    if body.exact().unwrap_or(u64::MAX) > LARGEST_BODY {
        return Err(Refusal::large("nothing here reads a body; say in the address what is asked for"));
    }
    // A page elsewhere must neither read what is served here, by a name of its own for this machine, nor use its time.
    if app.settings.loopback && !names_this_machine(request.headers()) {
        return Err(Refusal::foreign("this server answers to localhost and its own address only"));
    }
    let from_elsewhere = request.headers().get("sec-fetch-site").is_some_and(|site| site == "cross-site" || site == "same-site");
    if (from_elsewhere || has_another_origin(request.headers())) && request.uri().path().starts_with("/api/") {
        return Err(Refusal::foreign("pages of other sites may not ask here"));
    }
    Ok(())
}

/// Whether a page asks that was not served from the name this server was asked by.
fn has_another_origin(headers: &HeaderMap) -> bool {
    let text = |name| headers.get(name).and_then(|value: &HeaderValue| value.to_str().ok());
    let Some(origin) = headers.get(header::ORIGIN) else { return false };
    let place = origin.to_str().ok().and_then(|origin| origin.split_once("://")).map(|(_, place)| place);
    !place.is_some_and(|place| text(header::HOST).is_some_and(|host| host.eq_ignore_ascii_case(place)))
}

/// Whether a request was made by a name that only this machine has.
fn names_this_machine(headers: &HeaderMap) -> bool {
    let Some(host) = headers.get(header::HOST) else { return true };
    let Ok(host) = host.to_str() else { return false };
    let name = match host.strip_prefix('[') {
        Some(rest) => rest.split(']').next().unwrap_or_default(),
        None => host.split(':').next().unwrap_or_default(),
    };
    let local = name.eq_ignore_ascii_case("localhost") || name.to_ascii_lowercase().ends_with(".localhost");
    local || name.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_names_of_this_machine_are_answered() {
        let names = |host: &str| {
            let host = HeaderValue::from_str(host).expect("a host");
            names_this_machine(&HeaderMap::from_iter([(header::HOST, host)]))
        };
        for host in ["localhost", "localhost:8080", "LOCALHOST:1", "127.0.0.1:8080", "127.1.2.3", "[::1]:8080", "a.localhost"] {
            assert!(names(host), "{host}");
        }
        for host in ["example.org", "example.org:8080", "192.168.1.1", "localhost.example.org", "[::2]:1", "[", ""] {
            assert!(!names(host), "{host}");
        }
        assert!(names_this_machine(&HeaderMap::new()));
    }

    #[test]
    fn pages_from_elsewhere_have_another_origin() {
        let another = |host: &'static str, origin: &'static str| {
            let value = HeaderValue::from_static;
            has_another_origin(&HeaderMap::from_iter([(header::HOST, value(host)), (header::ORIGIN, value(origin))]))
        };
        assert!(!another("localhost:8080", "http://localhost:8080"));
        assert!(!another("192.168.1.7:8080", "http://192.168.1.7:8080"));
        for origin in ["http://example.org", "http://localhost:8081", "null", "localhost:8080"] {
            assert!(another("localhost:8080", origin), "{origin}");
        }
        assert!(!has_another_origin(&HeaderMap::new()), "programs name no origin");
    }
}

//! What is answered where.

use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, RawQuery, State};
use axum::http::{HeaderMap, Response, StatusCode};
use axum::middleware::from_fn_with_state;
use axum::response::IntoResponse as _;
use axum::routing::{MethodRouter, get};

use super::answer::{Refusal, json};
use super::app::App;
use super::{assets, certificates, claims, games, guard, openapi, play, tables, values, walk};

/// Where the HTTP interface begins.
pub(super) const API: &str = "/api/v1";

type Route = (&'static str, MethodRouter<Arc<App>>);

/// The HTTP interface, below [`API`].
pub(super) fn api() -> Vec<Route> {
    vec![
        ("/openapi.json", quick(|_, query| openapi::document(query))),
        ("/games", quick(games::all)),
        ("/games/{game}", quick_of(games::one)),
        ("/position", quick(|app, query| play::position(app, query, false))),
        ("/laps", quick(|app, query| play::position(app, query, true))),
        ("/match", quick(play::rounds)),
        (
            "/values",
            get(|State(app): State<Arc<App>>, RawQuery(query): RawQuery| async { told(values::values(app, query).await) }),
        ),
        ("/tables", quick(tables::all)),
        ("/tables/{table}", quick_of(tables::stats)),
        ("/tables/{table}/value", quick_of(values::in_table)),
        ("/claims", quick(claims::all)),
        ("/claims/{claim}", quick_of(claims::one)),
        ("/certificates", quick(certificates::all)),
        (
            "/certificates/{certificate}",
            get(|State(app): State<Arc<App>>, id: Name, RawQuery(query): RawQuery| async {
                told(match named(id) {
                    Ok(id) => certificates::one(app, id, query).await,
                    Err(refusal) => Err(refusal),
                })
            }),
        ),
        ("/certificates/{certificate}/walk", quick_of(walk::walk)),
    ]
}

/// The addresses that all show the page, which knows from the address what to show.
pub(super) const PAGES: [&str; 4] = ["/", "/tables", "/claims", "/certificates"];

/// All that is served.
pub(super) fn router(app: Arc<App>) -> Router {
    let mut router = Router::new();
    for (path, method) in api() {
        router = router.route(&format!("{API}{path}"), method);
    }
    for path in PAGES {
        router = router.route(path, get(async |headers: HeaderMap| assets::page(&headers).ok_or_else(nothing)));
    }
    router
        .route(
            "/page/{file}",
            get(async |file: Name, headers: HeaderMap| assets::asset(&named(file)?, &headers).ok_or_else(nothing)),
        )
        .fallback(async || nothing())
        .method_not_allowed_fallback(async || Refusal::method("only GET and HEAD are answered here: nothing can be changed"))
        .layer(from_fn_with_state(Arc::clone(&app), guard::guard))
        .with_state(app)
}

/// A name in an address, if it is text.
type Name = Result<Path<String>, PathRejection>;

fn named(name: Name) -> Result<String, Refusal> {
    name.map(|Path(name)| name).map_err(|_| Refusal::bad("a name in this address is no text"))
}

fn nothing() -> Refusal {
    Refusal::unknown(format!("there is nothing at this address; {API}/openapi.json describes what there is"))
}

fn told(answer: Result<String, Refusal>) -> Response<Body> {
    match answer {
        Ok(text) => json(StatusCode::OK, text),
        Err(refusal) => refusal.into_response(),
    }
}

/// A route that is answered at once.
fn quick(
    answer: impl Fn(&App, Option<&str>) -> Result<String, Refusal> + Clone + Send + Sync + 'static,
) -> MethodRouter<Arc<App>> {
    get(|State(app): State<Arc<App>>, RawQuery(query): RawQuery| async move {
        let asked = Arc::clone(&app);
        told(app.desk.quick(move || answer(&asked, query.as_deref())).await)
    })
}

/// The same, with a name in its address.
fn quick_of(
    answer: impl Fn(&App, &str, Option<&str>) -> Result<String, Refusal> + Clone + Send + Sync + 'static,
) -> MethodRouter<Arc<App>> {
    get(|State(app): State<Arc<App>>, name: Name, RawQuery(query): RawQuery| async move {
        let asked = Arc::clone(&app);
        told(app.desk.quick(move || answer(&asked, &named(name)?, query.as_deref())).await)
    })
}

//! The page: its files, within the program.

use std::sync::LazyLock;

use axum::body::Body;
use axum::http::{HeaderMap, Response, StatusCode, header};
use axum::response::IntoResponse as _;

/// A file of the page.
pub(super) struct Asset {
    pub(super) name: &'static str,
    kind: &'static str,
    pub(super) bytes: &'static [u8],
}

macro_rules! assets {
    ($($name:literal $kind:literal),+ $(,)?) => {
        &[$(Asset { name: $name, kind: $kind, bytes: include_bytes!(concat!("page/", $name)) }),+]
    };
}

/// The files of the page; the first is the page itself.
pub(super) const ASSETS: &[Asset] = assets![
    "index.html" "text/html; charset=utf-8",
    "style.css" "text/css; charset=utf-8",
    "icon.svg" "image/svg+xml",
    "animate.js" "text/javascript; charset=utf-8",
    "api.js" "text/javascript; charset=utf-8",
    "board.js" "text/javascript; charset=utf-8",
    "certificates.js" "text/javascript; charset=utf-8",
    "claims.js" "text/javascript; charset=utf-8",
    "dom.js" "text/javascript; charset=utf-8",
    "editor.js" "text/javascript; charset=utf-8",
    "game.js" "text/javascript; charset=utf-8",
    "match.js" "text/javascript; charset=utf-8",
    "main.js" "text/javascript; charset=utf-8",
    "play.js" "text/javascript; charset=utf-8",
    "position.js" "text/javascript; charset=utf-8",
    "seeds.js" "text/javascript; charset=utf-8",
    "tables.js" "text/javascript; charset=utf-8",
    "words.js" "text/javascript; charset=utf-8",
    "worth.js" "text/javascript; charset=utf-8",
];

static TAGS: LazyLock<Vec<String>> = LazyLock::new(|| {
    let tag = |asset: &Asset| format!("\"{}\"", &blake3::hash(asset.bytes).to_hex()[..16]);
    ASSETS.iter().map(tag).collect()
});

/// A file of the page; `None` if there is none of this name.
pub(super) fn asset(name: &str, headers: &HeaderMap) -> Option<Response<Body>> {
    let place = ASSETS.iter().position(|asset| asset.name == name)?;
    let (asset, tag) = (&ASSETS[place], TAGS[place].as_str());
    // A browser keeps the files and asks whether they have changed: another version of the program may have the same address.
    let kept = [(header::ETAG, tag), (header::CACHE_CONTROL, "no-cache")];
    let known = headers.get(header::IF_NONE_MATCH).is_some_and(|tags| tags.to_str().is_ok_and(|tags| tags.contains(tag)));
    if known {
        return Some((StatusCode::NOT_MODIFIED, kept).into_response());
    }
    Some((kept, [(header::CONTENT_TYPE, asset.kind)], asset.bytes).into_response())
}

/// The page itself.
pub(super) fn page(headers: &HeaderMap) -> Option<Response<Body>> {
    asset(ASSETS[0].name, headers)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_is_light_and_speaks_to_nobody_else() {
        assert!(ASSETS.iter().map(|asset| asset.bytes.len()).sum::<usize>() < 300_000);
        for asset in ASSETS {
            let text = std::str::from_utf8(asset.bytes).expect("text");
            let foreign = text.replace("http://www.w3.org/", "").replace("http://127.0.0.1:8080", "");
            assert!(!foreign.contains("http://") && !foreign.contains("https://"), "{}", asset.name);
        }
    }

    #[test]
    fn every_file_of_the_page_is_served() {
        let directory = concat!(env!("CARGO_MANIFEST_DIR"), "/crates/cli/serve/page");
        let mut there: Vec<String> = std::fs::read_dir(directory)
            .expect("the page")
            .map(|entry| entry.expect("a file").file_name().into_string().expect("a name"))
            .collect();
        let mut served: Vec<&str> = ASSETS.iter().map(|asset| asset.name).collect();
        there.sort();
        served.sort_unstable();
        assert_eq!(there, served);
    }
}

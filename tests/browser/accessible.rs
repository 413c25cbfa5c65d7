//! Every view can be used by everybody: no violation that axe-core finds, and nothing that a narrow screen cuts off.
//!
//! `axe.min.js` is axe-core, (c) Deque Systems, under the Mozilla Public License 2.0; it is used by this test alone.

use serde_json::Value;

use crate::driver::{Window, window};

const AXE: &str = include_str!("axe.min.js");

const VIEWS: [&str; 11] = [
    "/?game=dakon&board=7x7&moves=1+2",
    "/?game=kalah&position=1,2,0/0,2,1/5,3/n&values=1",
    "/?game=san-yao&position=5,5,5,5,5/5,5,5,5,5/0,0/s/ssssssnnnn",
    "/?game=dakon&board=0x0",
    "/?game=san-yao&reading=winner-chooses,debt&moves=2+1+4+3+1+2+4+1+3+5+3+5+4+;+[6+8]+3",
    "/tables?position=1,2,0/0,2,1/5,3/n",
    "/claims",
    "/claims?claim=dakon-first-player-win",
    "/certificates",
    "/certificates?certificate=dakon-3x5",
    "/certificates?certificate=own",
];

/// What axe-core finds wrong with what is shown.
fn violations(window: &Window) -> Vec<String> {
    window.script(&format!("if (!window.axe) {{ {AXE} }}"));
    window.script(
        "window.found = null; axe.run({ resultTypes: ['violations'] }).then((result) => { window.found = result.violations; })",
    );
    let found = window.wait("return window.found");
    let told = |violation: &Value| {
        let nodes: Vec<String> =
            violation["nodes"].as_array().into_iter().flatten().map(|node| node["html"].to_string()).collect();
        format!("{}: {} {}", violation["id"], violation["help"], nodes.join("; "))
    };
    found.as_array().expect("violations").iter().map(told).collect()
}

#[test]
#[ignore = "needs Chromium and its driver; run with: cargo test --test browser -- --ignored"]
fn no_view_violates_what_axe_checks() {
    let window = window("/");
    for (place, path) in VIEWS.into_iter().enumerate() {
        window.go(path);
        window.wait("return !document.getElementById('values-note').textContent.startsWith('Searching')");
        if place == 0 {
            window.click("#edit");
            window.script("for (const details of document.querySelectorAll('details')) details.open = true");
        }
        for (width, dark) in [(1280, false), (360, true)] {
            window.look(width, 900, dark);
            assert_eq!(violations(&window), Vec::<String>::new(), "{path}, {width} wide, dark: {dark}");
        }
        let wider = window.script("return document.scrollingElement.scrollWidth - innerWidth");
        assert!(wider.as_i64() <= Some(0), "{path}: {wider} pixels too wide");
    }
}

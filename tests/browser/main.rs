//! The page in a real browser: Chromium and its driver, as the Debian packages `chromium` and `chromium-driver` bring them.
//!
//! They take a browser, so they run only when they are asked for: `cargo test --test browser -- --ignored`. All of them share one
//! server, one driver and one window, and take turns.

mod accessible;
mod driver;
mod keyboard;
mod play;
mod proofs;
mod site;
mod tables;

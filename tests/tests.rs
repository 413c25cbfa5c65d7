//! The program as its users meet it: every test runs the binary.

#[macro_use]
mod run;

mod bad_input;
#[cfg(unix)]
mod book;
mod claims;
mod contract;
mod figures;
#[path = "../crates/tables/tests/from_above/mod.rs"]
mod from_above;
mod games;
mod graph;
mod leaning;
mod limits;
mod matches;
mod play;
mod reproduce;
mod search;
mod serve;
mod study;
mod table;
mod turns;
mod verify;

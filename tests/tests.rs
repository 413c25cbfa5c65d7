//! The program as its users meet it: every test runs the binary.

#[macro_use]
mod run;

mod bad_input;
#[cfg(unix)]
mod book;
mod claims;
mod contract;
mod figures;
mod games;
mod graph;
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

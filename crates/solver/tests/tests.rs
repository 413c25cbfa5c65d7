//! The solver from outside, in one program, so that what it shares is compiled once.

mod certificate;
mod graph;
mod matches;
mod perft;
mod support;
mod turns;
mod values;

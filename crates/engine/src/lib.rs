//! The rules of sowing (mancala) games, and two engines that play them.
//!
//! A game is data: a [`RuleSet`], read from TOML or taken from the [presets](rules::preset). Two engines execute it.
//! The [`Referee`] follows the procedure of [`rules`] word for word, one seed at a time, and can report every lap; it serves
//! every rule set on every board. The [`kernel`] packs a board into one or a few machine words and plays a lap in a handful of
//! instructions; it is what solvers and table builders use. Property tests hold the two equal.

pub mod kernel;
pub mod notation;
pub mod position;
pub mod referee;
pub mod rounds;
pub mod rules;
pub mod whole_file;

pub use position::{BoardSize, Owners, Pit, Position, Side};
pub use referee::Referee;
pub use rules::RuleSet;

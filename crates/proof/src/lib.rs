//! Certificates: evidence that a player gains at least so much, which anybody can check without trusting a solver.
//!
//! A certificate is a set of *entries*. An entry is a position and a bound on what the player to move gains over the other from
//! there on: *at least* `v`, with the move that keeps it, or *at most* `v`, whatever she plays. The [checker](check) looks at one
//! entry at a time, plays its move or all moves with the [referee](lumbung_engine::Referee), and looks up what the entry leans
//! on. The checker, the reader and the referee are all that has to be trusted; nothing here shares code with search, tables or
//! kernel. `docs/certificates.md` has the file byte by byte.
//!
//! # Why a set that passes proves its bounds
//!
//! Speak of one player, the *prover*; the bound of an entry for her is `b`: it says that she gains at least `b`. (An entry *at
//! least `v`* has her to move and `b = v`; an entry *at most `v`* has the other to move and `b = -v`.) The checker sees that
//!
//! 1. where the game is over, the settlement gives her at least `b`;
//! 2. where she is to move, the entry names a legal move, and where the other is, every legal move is looked at; each leads, with
//!    a gain `g` for her, to a position for which `b - g` is *known*; a turn that passes is a move with `g = 0`;
//! 3. `r` is known for a position if no more than `-r` seeds are left there (she cannot lose more than these), if the game is over
//!    there and gives her at least `r`, or if the certificate has an entry for it whose bound is at least `r`;
//! 4. under rules that can repeat a position: a move on which no seed leaves the board, from an entry with `b > 0`, leads to an
//!    entry with a smaller *counter*, unless the position after it is known without an entry.
//!
//! *Claim.* From the position of every entry she gains at least `b` by playing the moves named, whatever the other does.
//!
//! *Proof.* Let `x0, x1, ...` be the positions of a play in which she follows the entries, `bi` their bounds, `Gi` what she has
//! gained up to `xi`. By 2 and 3, as long as play goes from entry to entry, `Gi + bi >= b0`, by induction.
//! If play comes to an end, or to a position that is known without an entry, 1 to 3 say that she gains at least what is then still
//! asked, so at least `b0` in all. Otherwise play is endless. Rules that cannot repeat a position have no endless play, as boards
//! are finite in number. Under the others endless play gains nothing further to either side, so she gains `lim Gi`. A seed that
//! has left the board never comes back, so from some `xm` on none leaves, and `Gi = Gm` from there. If `bi <= 0` for some
//! `i >= m`, then `Gm = Gi >= b0 - bi >= b0`, which was to be shown. The only other case is that all of `bm, b(m+1), ...` are
//! above 0; then by 4 the counters of `xm, x(m+1), ...` fall for ever, and natural numbers do not.
//!
//! Note what 4 does not ask: nothing of entries with `b <= 0`, which endless play satisfies; nothing of a move that scores,
//! after which counters may start anew; and no relation between an entry with `b <= 0` and one with `b > 0` that it leans on,
//! since from there on the counters of the latter fall. Stronger bounds than asked for are no matter either: a bound may rise along
//! a quiet move, but never from above 0 back to 0, since a quiet move has `g = 0`. Endless relays that pass or end the game are
//! moves like any others.
//!
//! # Leaning on an endgame table
//!
//! A certificate may take the bounds of some entries from an endgame table, which it then names by its digest: all entries from
//! there on are left out. The argument above holds with one more way to be *known*: by an entry that is said to be of the table. So
//! what such a file proves is that its claims hold **if** the table's values keep to these bounds, and [`Verdict::Provided`] says no
//! more. Under rules that can repeat a position, the values of a table are those of the whole game, endless play included; a play
//! that has come to such a position has left the entries, so no counter has to fall on the way there or from there on.
//!
//! Positions are kept as the player to move sees them, so one entry serves South and North. That leans on the rules telling the
//! players apart by nothing but their places on the board, which is so where each owns her own row; where the owners differ,
//! entries name the player to move.

pub mod check;
mod codec;
mod entry;
mod error;
pub mod explain;
mod header;
mod read;
mod record;
mod write;

pub use check::{Options, Verdict, verify};
pub use entry::{Bound, Entry, Key};
pub use error::{CertificateError, Fault, TableError, Why};
pub use header::{Claim, TableName};
pub use read::Certificate;
pub use write::{Contents, to_bytes, write};

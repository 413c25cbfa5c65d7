//! `verify --explain`: a certificate as a strategy to play by.

use std::fmt::Write as _;
use std::path::Path;

use lumbung_engine::notation::draw;
use lumbung_engine::{Pit, Side};
use lumbung_proof::explain::{Board, Strategy, To, Way, strategy};
use lumbung_proof::{Bound, Certificate, Claim};

use super::rules_words;
use crate::exit::Failure;
use crate::layout::{escaped, indented, paragraphs};
use crate::output;
use crate::report::RulesReport;
use crate::units::counted;

/// What the strategy is written for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    Text,
    Markdown,
    Html,
}

/// Prints the strategy, or writes it to a file.
pub(super) fn tell(certificate: &Certificate, out: Option<&Path>) -> Result<(), Failure> {
    let form = match out.and_then(Path::extension) {
        Some(extension) if extension.eq_ignore_ascii_case("html") => Form::Html,
        _ if out.is_some() => Form::Markdown,
        _ => Form::Text,
    };
    let mut text = String::new();
    for (number, claim) in certificate.claims().iter().enumerate() {
        let strategy = strategy(certificate, claim).map_err(Failure::new)?;
        Page { form, prefix: char::from(b'a' + (number % 26) as u8), claim }.write(&mut text, &strategy, certificate);
    }
    let Some(path) = out else { return output::text(&text) };
    if form == Form::Html {
        let title = escaped(&format!("{}: a strategy", certificate.rules().name));
        text = format!(
            "<!doctype html>\n<html lang=\"en\"><meta charset=\"utf-8\"><title>{title}</title>\n<style>body {{ font-family: \
             sans-serif; max-width: 50em; margin: 2em auto }} :target {{ background: #ffc }}</style>\n{text}</html>\n"
        );
    }
    std::fs::write(path, text).map_err(|error| Failure::new(format!("cannot write {}: {error}", path.display())))
}

/// The strategy of one claim.
struct Page<'c> {
    form: Form,
    /// Tells the boards of several claims apart where boards are linked.
    prefix: char,
    claim: &'c Claim,
}

impl Page<'_> {
    fn write(&self, text: &mut String, strategy: &Strategy, certificate: &Certificate) {
        let Strategy { start, boards } = strategy;
        let (player, bound) = (self.claim.player, self.claim.bound);
        let heading = format!("{}: {player} ends with a margin of at least {bound}", certificate.rules().name);
        let rules = rules_words(&RulesReport::of(certificate.rules()));
        let of = format!("Start: {}. Rules: {rules}.", self.claim.start);
        let intro = match start {
            To::Trivial(_) => "Nothing need be played for this: no play of the other can bring about less.".to_owned(),
            To::Over(_) => "Nothing is left to be played: the game is over.".to_owned(),
            To::Table(bound) => format!(
                "No board is listed, for the start is already left to the endgame table: by it {} to move gains {bound} from there on. \
                 What to play for that, the table has to say: lumbung table query DIR --position \"{}\".",
                self.claim.start.to_move, self.claim.start
            ),
            To::Board(_) => format!(
                "{}. On each of {player}'s boards play the turn that is given; on the other's boards find the reply that was played. Pits \
             are numbered from 1 in the sowing order of the player to move. The stores are those of the first way to a board; what \
             counts is what is gained from there on.",
                counted(boards.len() as u64, "board")
            ),
        };
        let _ = match self.form {
            Form::Text => writeln!(text, "\n{heading}\n\n{}", paragraphs(&format!("{of} {intro}"), "")),
            Form::Markdown => writeln!(text, "# {heading}\n\n{of}\n\n{intro}\n"),
            Form::Html => writeln!(text, "<h1>{}</h1>\n<p>{}</p>\n<p>{intro}</p>", escaped(&heading), escaped(&of)),
        };
        for (number, board) in boards.iter().enumerate() {
            self.board(text, number, board);
        }
    }

    fn board(&self, text: &mut String, number: usize, board: &Board) {
        let side = board.position.to_move;
        let number = number + 1;
        let knows = match board.bound {
            Bound::AtLeast(value) => format!("{side} to move still gains at least {value}"),
            Bound::AtMost(value) => format!("{side} to move gains at most {value}"),
        };
        let within = board
            .within
            .map_or_else(String::new, |moves| format!("; {} at most until seeds leave the board", counted(moves.into(), "move")));
        let drawn = draw(&board.position);
        let prefix = self.prefix;
        let _ = match self.form {
            Form::Text => writeln!(text, "Board {number}. {knows}{within}.\n{}", indented(&drawn)),
            Form::Markdown => writeln!(text, "## Board {prefix}{number}\n\n{knows}{within}.\n\n```text\n{drawn}```\n"),
            Form::Html => {
                let drawn = drawn.replace('>', "&gt;");
                writeln!(
                    text,
                    "<h2 id=\"{prefix}{number}\">Board {number}</h2>\n<p>{knows}{within}.</p>\n<pre>{drawn}</pre>\n<ul>"
                )
            }
        };
        for way in &board.ways {
            let line = format!("{side} {}, {}", moves(&way.moves), self.leads(way));
            let _ = match self.form {
                Form::Text => writeln!(text, "  {line}"),
                Form::Markdown => writeln!(text, "* {line}"),
                Form::Html => writeln!(text, "<li>{line}</li>"),
            };
        }
        text.push_str(if self.form == Form::Html { "</ul>\n" } else { "\n" });
    }

    fn leads(&self, way: &Way) -> String {
        let prefix = self.prefix;
        match way.to {
            To::Board(number) => {
                let number = number + 1;
                match self.form {
                    Form::Text => format!("to board {number}"),
                    Form::Markdown => format!("to [board {prefix}{number}](#board-{prefix}{number})"),
                    Form::Html => format!("to <a href=\"#{prefix}{number}\">board {number}</a>"),
                }
            }
            To::Over(margin) => {
                let margin = if self.claim.player == Side::South { margin } else { -margin };
                format!("and the game is over, {} with a margin of {margin}", self.claim.player)
            }
            To::Table(Bound::AtLeast(value)) => format!("where by the table the player to move gains at least {value}"),
            To::Table(Bound::AtMost(value)) => format!("where by the table the player to move gains at most {value}"),
            To::Trivial(seeds) => format!("and with {} left nothing can change the result", counted(seeds as u64, "seed")),
        }
    }
}

fn moves(pits: &[Pit]) -> String {
    if pits.is_empty() {
        return "passes".to_owned();
    }
    format!("plays {}", pits.iter().map(ToString::to_string).collect::<Vec<_>>().join(" "))
}

//! `games`: which games there are, and one of them in words.

use std::collections::BTreeMap;

use clap::{Args, Subcommand};
use lumbung_engine::Position;
use lumbung_engine::rules::{PRESET_NAMES, Rounds, RuleSet};
use serde::Serialize;

use crate::args::Common;
use crate::exit::{Exit, Failure};
use crate::layout::{self, Align};
use crate::output::{self, FAINT, HEADING, STRONG, styled};
use crate::report::RulesReport;
use crate::rules::Chosen;
use crate::sentences::{Sentence, sentences};

const SCHEMA: &str = "lumbung/games/1";

const AFTER: &str = "\
Examples:
  lumbung games                                   the games in a table
  lumbung games show dakon                        Dakon in words, with its readings
  lumbung games show dakon --reading german-end   the same under another reading
  lumbung games show dakon --toml > mine.toml     a rule file to change
  lumbung games show --rules mine.toml            check a rule file and see what it says";

/// The games that come with the program, and the rules of one of them in words
#[derive(Debug, Args)]
#[command(after_help = AFTER)]
pub(crate) struct GamesArgs {
    #[command(subcommand)]
    command: Option<GamesCommand>,
}

#[derive(Debug, Subcommand)]
enum GamesCommand {
    Show(ShowArgs),
}

/// One game: its rules in words and key by key, its readings, its sources, what is not modelled
#[derive(Debug, Args)]
#[command(after_help = AFTER)]
struct ShowArgs {
    /// One of the games that `lumbung games` lists; leave it out with --rules
    #[arg(value_name = "GAME")]
    game: Option<String>,
    /// Print the rules as a TOML file, which --rules reads back
    #[arg(long, conflicts_with = "json")]
    toml: bool,
}

pub(crate) fn run(args: &GamesArgs, common: &Common) -> Result<Exit, Failure> {
    match &args.command {
        Some(GamesCommand::Show(show)) => run_show(show, common)?,
        None => list(common)?,
    }
    Ok(Exit::Done)
}

fn list(common: &Common) -> Result<(), Failure> {
    if common.rules.is_some() || !common.readings.is_empty() || !common.set.is_empty() {
        return Err(Failure::new("the list of games takes no rules; see one game with: lumbung games show GAME"));
    }
    let games = PRESET_NAMES.iter().map(|name| Chosen::preset(name)).collect::<Result<Vec<_>, _>>()?;
    if common.json {
        let games: Vec<Game> = games.iter().map(Game::new).collect();
        return output::json(SCHEMA, &Games { games });
    }
    let mut rows = vec![["game", "board", "in a line"].map(str::to_owned).to_vec()];
    rows.extend(games.iter().map(|chosen| {
        let rules = &chosen.rules;
        vec![rules.name.clone(), rules.usual_board.to_string(), in_a_line(rules)]
    }));
    let table = layout::table(&[Align::Left, Align::Right, Align::Left], &rows);
    let readings = games.iter().map(|chosen| chosen.rules.readings.len()).sum::<usize>();
    output::text(&format!(
        "{table}\n{} games with {readings} further readings; the rules of one: lumbung games show GAME\n",
        games.len()
    ))
}

/// What tells a game apart, for a table.
fn in_a_line(rules: &RuleSet) -> String {
    let all = sentences(rules);
    let is = |key: &str, value: &str| all.iter().any(|sentence| sentence.key == key && sentence.value == value);
    let mut parts = vec![
        if is("sowing.relay", "single") {
            "single laps"
        } else if is("sowing.relay", "next") {
            "Indian relay laps"
        } else {
            "relay laps"
        }
        .to_owned(),
    ];
    parts.push(if is("board.stores", "sown") { "sown stores" } else { "no sown stores" }.to_owned());
    if is("sowing.bonus-move", "own-store") {
        parts.push("bonus moves".to_owned());
    }
    let mut captures = Vec::new();
    let word = |kind: &str, plain: &str| rules.about.words.get(kind).cloned().unwrap_or_else(|| plain.to_owned());
    if rules.capture.opposite.is_some() {
        captures.push(word("opposite", "opposite"));
    }
    if rules.capture.sandwich {
        captures.push(word("sandwich", "between equal pits"));
    }
    if let Some(count) = &rules.capture.count {
        let numbers: Vec<String> = count.counts.iter().map(u16::to_string).collect();
        captures.push(format!("of {}", numbers.join(" and ")));
    }
    if rules.capture.beyond_gap.is_some() {
        captures.push(word("beyond-gap", "beyond a gap"));
    }
    parts.push(match captures.is_empty() {
        true => "no captures".to_owned(),
        false => format!("captures {}", captures.join(", ")),
    });
    if rules.rounds != Rounds::Single {
        parts.push("rounds with conquered pits".to_owned());
    }
    parts.join(", ")
}

fn run_show(args: &ShowArgs, common: &Common) -> Result<(), Failure> {
    let chosen = Chosen::new(args.game.as_deref(), common)?;
    if args.toml {
        return output::plain(&chosen.toml());
    }
    if common.json {
        return output::json(SCHEMA, &Games { games: vec![Game::new(&chosen)] });
    }
    output::text(&page(&chosen))
}

/// A game for people.
fn page(chosen: &Chosen) -> String {
    let rules = &chosen.rules;
    let heading = |text: &str| format!("\n{}\n", styled(HEADING, text));
    let mut page = format!("{}, usually on {}\n\n", styled(STRONG, chosen), rules.usual_board);
    page += &layout::indented(&layout::board(&Position::start(rules.usual_board)));
    if !rules.about.description.is_empty() {
        page += &heading("In words");
        if !(chosen.readings.is_empty() && chosen.set.is_empty()) {
            page += &layout::paragraphs("(These words are of the game itself; what was changed shows in the keys below.)", "  ");
            page += "\n";
        }
        page += &layout::paragraphs(&rules.about.description, "  ");
    }
    page += &heading("Key by key");
    for Sentence { key, value, says } in sentences(rules) {
        page += &format!("  {}\n", styled(FAINT, format!("{key} = {value}")));
        page += &layout::paragraphs(&says, "      ");
    }
    if !rules.readings.is_empty() {
        page += &heading("Readings (--reading NAME)");
        for (name, reading) in &rules.readings {
            page += &format!("  {}\n", styled(STRONG, name));
            if !reading.about.is_empty() {
                page += &layout::paragraphs(&reading.about, "      ");
            }
            let changes: Vec<String> = reading.set.iter().map(|(key, value)| format!("{key} = {value}")).collect();
            page += &layout::paragraphs(&changes.join("; "), "      ");
        }
    }
    let lists = [("Not modelled", &rules.about.not_modelled), ("Notes", &rules.about.notes), ("Sources", &rules.about.sources)];
    for (title, entries) in lists {
        if !entries.is_empty() {
            page += &heading(title);
            page.extend(entries.iter().map(|entry| layout::item(entry)));
        }
    }
    page += &heading("Fingerprint of what decides play within a round");
    page += &format!("  {}\n", rules.fingerprint());
    page
}

/// The document of `games`.
#[derive(Serialize)]
struct Games {
    games: Vec<Game>,
}

/// A game as data.
#[derive(Serialize)]
pub(crate) struct Game {
    name: String,
    board: String,
    summary: String,
    rules: RulesReport,
    description: String,
    sentences: Vec<Sentence>,
    readings: Vec<Reading>,
    words: BTreeMap<String, String>,
    not_modelled: Vec<String>,
    notes: Vec<String>,
    sources: Vec<String>,
}

#[derive(Serialize)]
struct Reading {
    name: String,
    about: String,
    set: BTreeMap<String, String>,
}

impl Game {
    pub(crate) fn new(chosen: &Chosen) -> Self {
        let rules = &chosen.rules;
        let about = rules.about.clone();
        let readings = rules.readings.iter().map(|(name, reading)| Reading {
            name: name.clone(),
            about: reading.about.clone(),
            set: reading.set.iter().map(|(key, value)| (key.clone(), value.to_string())).collect(),
        });
        Game {
            name: rules.name.clone(),
            board: rules.usual_board.to_string(),
            summary: in_a_line(rules),
            rules: chosen.report(),
            description: about.description,
            sentences: sentences(rules),
            readings: readings.collect(),
            words: about.words,
            not_modelled: about.not_modelled,
            notes: about.notes,
            sources: about.sources,
        }
    }
}

//! `study tables`: what the endgames of the games are like, layer by layer.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use clap::Args;
use lumbung_engine::rules::{PRESET_NAMES, preset};
use lumbung_solver::{Limits, StopReason};
use lumbung_tables::build::{Builder, Plan, plan};
use lumbung_tables::file::Stats;
use lumbung_tables::{MAX_TABLE_SEEDS, Table};
use serde::{Deserialize, Serialize};

use crate::args::Common;
use crate::endgame;
use crate::exit::{Exit, Failure};
use crate::layout::{self, Align};
use crate::output::{self, HEADING, replace, styled};
use crate::units::{self, bytes, count, counted};
use crate::work::{self, Work};

const SCHEMA: &str = "lumbung/study-tables/1";

const AFTER: &str = "\
Examples:
  lumbung study tables --out my-tables                       every game on its usual pits
  lumbung study tables dakon kalah --positions 500M --out my-tables

The directory gets tables.csv, tables.json and README.md. A table is as large as --positions, --memory
and --each allow. Of a game whose tables are built position by position (san-yao), which takes about a
hundred times as long, every position counts as a hundred. A game without a table is told with the
reason, and the exit code is 3.";

/// A table that is built position by position costs about so many times as much as one by rows.
const SLOWER: u64 = 100;

/// Count wins, draws and losses of all endgame positions of several games, layer by layer, and write the data set
#[derive(Debug, Args)]
#[command(after_help = AFTER)]
pub(super) struct TablesArgs {
    /// Games that `lumbung games` lists [default: all]
    #[arg(value_name = "GAME")]
    games: Vec<String>,
    /// Positions of a table at most, for instance 50M; each counts as a hundred where a table is built position by position (san-yao)
    #[arg(long, value_name = "N", default_value = "50M", value_parser = positions)]
    positions: u64,
    /// Spend at most this much time on one game
    #[arg(long, value_name = "TIME", default_value = "60s", value_parser = units::time)]
    each: Duration,
    /// Write the data set to this directory
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
}

fn positions(text: &str) -> Result<u64, String> {
    let (digits, unit) = match text.strip_suffix('M') {
        Some(digits) => (digits, 1_000_000),
        None => (text, 1),
    };
    let number = digits.parse::<u64>().ok().filter(|number| *number > 0).and_then(|number| number.checked_mul(unit));
    number.ok_or_else(|| "a number of positions is written like 50M or 200000".to_owned())
}

#[derive(Debug, Serialize, Deserialize)]
struct Data {
    games: Vec<Game>,
    /// Games without a table.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    left_out: Vec<LeftOut>,
}

/// A game without a table.
#[derive(Debug, Serialize, Deserialize)]
struct LeftOut {
    game: String,
    reason: String,
}

/// A game, and its table.
#[derive(Debug, Serialize, Deserialize)]
struct Game {
    game: String,
    fingerprint: String,
    /// Pits a row.
    pits: usize,
    layers: Vec<Layer>,
}

/// All positions with so many seeds in play, seen by the player to move.
#[derive(Debug, Serialize, Deserialize)]
struct Layer {
    seeds: usize,
    positions: u64,
    win: u64,
    draw: u64,
    loss: u64,
    /// Positions in which the player to move gains all seeds, and in which she loses them all.
    everything: u64,
    nothing: u64,
    mean: f64,
    deviation: f64,
    min: i32,
    max: i32,
}

pub(super) fn run(args: &TablesArgs, common: &Common) -> Result<Exit, Failure> {
    if common.rules.is_some() || !common.readings.is_empty() || !common.set.is_empty() {
        return Err(Failure::new("this study is of the games as they are; leave out --rules, --reading and --set"));
    }
    for name in &args.games {
        if preset(name).is_none() {
            return Err(Failure::new(format!("there is no game {name:?}; the games are {}", PRESET_NAMES.join(", "))));
        }
    }
    std::fs::create_dir_all(&args.out).map_err(|error| Failure::new(format!("cannot create {}: {error}", args.out.display())))?;
    let work = Work::begin(common, None)?;
    let all = args.games.is_empty();
    let names = PRESET_NAMES.iter().filter(|name| all || args.games.iter().any(|asked| asked == *name));
    let mut data = Data { games: Vec::new(), left_out: Vec::new() };
    for name in names {
        match game(name, args, &work)? {
            Ok(game) => data.games.push(game),
            Err(reason) => data.left_out.push(LeftOut { game: (*name).to_owned(), reason }),
        }
    }
    work.progress.finish();
    write(args, &data)?;
    if common.json {
        output::plain(&output::document(SCHEMA, &data)?)?;
    } else {
        output::text(&format!("{}\nWritten to {}\n", screen(&data), args.out.display()))?;
    }
    Ok(work::exit(data.left_out.is_empty(), work.limits.exceeded(0).or(Some(StopReason::Time))))
}

/// What a table counts as, of what --positions allows.
fn cost(plan: &Plan) -> u64 {
    match plan.builder {
        Builder::Rows | Builder::RowSweeps => plan.positions,
        Builder::Plain { .. } | Builder::Sweep { .. } => plan.positions.saturating_mul(SLOWER),
    }
}

/// The table of a game, as large as is allowed, or why there is none.
fn game(name: &str, args: &TablesArgs, work: &Work) -> Result<Result<Game, String>, Failure> {
    let rules = &preset(name).ok_or_else(|| Failure::Defect(format!("there is no preset {name}")))?.rules;
    let pits = rules.usual_board.pits();
    let threads = rayon::current_num_threads();
    let affordable = (1..=MAX_TABLE_SEEDS)
        .take_while(|seeds| {
            plan(rules, pits, *seeds, threads)
                .is_ok_and(|plan| cost(&plan) <= args.positions && plan.memory <= work.limits.memory)
        })
        .last();
    let deadline = Instant::now().checked_add(args.each).into_iter().chain(work.limits.deadline).min();
    let limits = Limits { deadline, ..work.limits.clone() };
    let Some(seeds) = affordable else {
        return Ok(Err(too_small(&plan(rules, pits, 1, threads).map_err(Failure::new)?, args, work)));
    };
    let Some(built) = endgame::table(rules, pits, seeds, &limits, &work.progress)? else {
        let why = work::why(Some(work.limits.exceeded(0).unwrap_or(StopReason::Time)));
        let each = humantime::format_duration(args.each);
        return Ok(Err(format!(
            "the table of up to {} was not done within --each {each} and --limit: {why}",
            counted(seeds as u64, "seed")
        )));
    };
    let layers = (0..=seeds).map(|seeds| layer(&built.table, seeds)).collect();
    Ok(Ok(Game { game: name.to_owned(), fingerprint: rules.fingerprint().to_string(), pits, layers }))
}

/// Why even the smallest table of a game, that of one seed, is not allowed.
fn too_small(smallest: &Plan, args: &TablesArgs, work: &Work) -> String {
    let positions = counted(smallest.positions, "position");
    if smallest.memory > work.limits.memory {
        let (takes, allowed) = (bytes(smallest.memory), bytes(work.limits.memory));
        return format!("its smallest table, of {positions}, takes {takes} of memory, and {allowed} are allowed");
    }
    let counts = match cost(smallest) {
        cost if cost == smallest.positions => String::new(),
        cost => format!(", is built position by position and counts as {}", count(cost)),
    };
    format!("its smallest table, of {positions}{counts}; --positions {} is less", args.positions)
}

fn layer(table: &Table, seeds: usize) -> Layer {
    let stats = Stats::of(table.layer(seeds));
    let values = || stats.histogram.iter().map(|&(value, count)| (i32::from(value), count));
    let sum = |of: &dyn Fn(i32) -> bool| values().filter(|(value, _)| of(*value)).map(|(_, count)| count).sum::<u64>();
    let positions = sum(&|_| true);
    let mean = values().map(|(value, count)| f64::from(value) * count as f64).sum::<f64>() / positions as f64;
    let variance =
        values().map(|(value, count)| (f64::from(value) - mean).powi(2) * count as f64).sum::<f64>() / positions as f64;
    let rounded = |number: f64| (number * 1e6).round() / 1e6;
    let all = seeds as i32;
    Layer {
        seeds,
        positions,
        win: sum(&|value| value > 0),
        draw: sum(&|value| value == 0),
        loss: sum(&|value| value < 0),
        everything: sum(&|value| all > 0 && value == all),
        nothing: sum(&|value| all > 0 && value == -all),
        mean: rounded(mean),
        deviation: rounded(variance.sqrt()),
        min: values().map(|(value, _)| value).min().unwrap_or(0),
        max: values().map(|(value, _)| value).max().unwrap_or(0),
    }
}

fn write(args: &TablesArgs, data: &Data) -> Result<(), Failure> {
    let mut csv = "game,pits,seeds,positions,win,draw,loss,everything,nothing,mean,deviation,min,max\n".to_owned();
    for game in &data.games {
        for layer in &game.layers {
            let Layer { seeds, positions, win, draw, loss, everything, nothing, mean, deviation, min, max } = layer;
            csv += &format!(
                "{},{},{seeds},{positions},{win},{draw},{loss},{everything},{nothing},{mean},{deviation},{min},{max}\n",
                game.game, game.pits
            );
        }
    }
    let files = [("tables.csv", csv), ("tables.json", output::document(SCHEMA, data)?), ("README.md", markdown(args, data))];
    for (name, text) in files {
        let path = args.out.join(name);
        replace(&path, &text).map_err(|error| Failure::new(format!("cannot write {}: {error}", path.display())))?;
    }
    Ok(())
}

const COLUMNS: [&str; 9] = ["seeds", "positions", "won", "drawn", "lost", "takes all", "mean value", "deviation", "range"];

fn row(layer: &Layer) -> Vec<String> {
    let share = |part: u64| format!("{:.1} %", 100.0 * part as f64 / layer.positions as f64);
    vec![
        layer.seeds.to_string(),
        count(layer.positions),
        share(layer.win),
        share(layer.draw),
        share(layer.loss),
        share(layer.everything),
        format!("{:+.3}", layer.mean),
        format!("{:.3}", layer.deviation),
        if layer.min == layer.max { layer.min.to_string() } else { format!("{:+} to {:+}", layer.min, layer.max) },
    ]
}

fn screen(data: &Data) -> String {
    let mut text = String::new();
    for game in &data.games {
        let mut rows = vec![COLUMNS.map(str::to_owned).to_vec()];
        rows.extend(game.layers.iter().map(row));
        let title = format!("{}, {} a row", game.game, counted(game.pits as u64, "pit"));
        text += &format!("{}\n{}\n", styled(HEADING, title), layout::table(&[Align::Right; 9], &rows));
    }
    for LeftOut { game, reason } in &data.left_out {
        text += &layout::paragraphs(&format!("{game} has no table here: {reason}."), "");
    }
    text
}

fn markdown(args: &TablesArgs, data: &Data) -> String {
    let games = if args.games.is_empty() { String::new() } else { format!(" {}", args.games.join(" ")) };
    let each = humantime::format_duration(args.each).to_string().replace(' ', "");
    let mut page = format!(
        "# What endgames are like\n\nAll positions with so many seeds in play, seen by the player to move, under best play by both. Her value is \
         what she gains over the opponent from there on; `takes all`: she gains every seed. Boards are not weighed by how often they come up \
         in play. Made by Lumbung {} with\n`lumbung study tables{games} --positions {} --each {each} --out DIR`; the data are in \
         [tables.csv](tables.csv) and [tables.json](tables.json).\n",
        env!("CARGO_PKG_VERSION"),
        args.positions
    );
    for game in &data.games {
        page += &format!(
            "\n## {}, {} a row\n\n| {} |\n|{}\n",
            game.game,
            counted(game.pits as u64, "pit"),
            COLUMNS.join(" | "),
            "--:|".repeat(9)
        );
        page.extend(game.layers.iter().map(|layer| format!("| {} |\n", row(layer).join(" | "))));
    }
    for LeftOut { game, reason } in &data.left_out {
        page += &format!("\n{game} has no table here: {reason}.\n");
    }
    page
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_positions_may_be_millions() {
        assert_eq!((positions("50M"), positions("1234")), (Ok(50_000_000), Ok(1234)));
        for wrong in ["", "0", "M", "-1", "50G", "99999999999999M"] {
            assert!(positions(wrong).is_err(), "{wrong:?}");
        }
    }
}

//! Progress on standard error: one line kept up to date on a terminal, otherwise a plain line a minute.

use std::io::{IsTerminal as _, Write as _};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};
use lumbung_engine::notation::write_turns;
use lumbung_solver::{Progress, Report};

use crate::units::{about, count, counted};

const A_MINUTE: Duration = Duration::from_secs(60);

/// Shows how far long work has come.
pub(crate) struct Shown(Kind);

enum Kind {
    Quiet,
    Bar(ProgressBar),
    Lines { next: Mutex<Instant> },
}

impl Shown {
    pub(crate) fn new(quiet: bool) -> Self {
        Shown(if quiet {
            Kind::Quiet
        } else if std::io::stderr().is_terminal() {
            let bar = ProgressBar::new_spinner();
            // The template is constant; were it wrong, the plain spinner would do.
            if let Ok(style) = ProgressStyle::with_template("{spinner} {elapsed} {msg}") {
                bar.set_style(style);
            }
            bar.enable_steady_tick(Duration::from_millis(200));
            Kind::Bar(bar)
        } else {
            Kind::Lines { next: Mutex::new(Instant::now() + A_MINUTE) }
        })
    }

    /// Says what is being done, where there is a line to say it in.
    pub(crate) fn say(&self, words: String) {
        if let Kind::Bar(bar) = &self.0 {
            bar.set_message(words);
        }
    }

    /// Says how far work has come: at once where there is a line to say it in, else once a minute.
    pub(crate) fn tell(&self, words: &str) {
        match &self.0 {
            Kind::Quiet => {}
            Kind::Bar(bar) => bar.set_message(words.to_owned()),
            Kind::Lines { next } => {
                // A thread that finds another one printing has nothing to add.
                let Ok(mut next) = next.try_lock() else { return };
                if Instant::now() >= *next {
                    *next = Instant::now() + A_MINUTE;
                    // Progress that cannot be written is no reason to stop.
                    let _ = writeln!(std::io::stderr(), "lumbung: {words}");
                }
            }
        }
    }

    /// Takes the line away again, before the result is printed.
    pub(crate) fn finish(&self) {
        if let Kind::Bar(bar) = &self.0 {
            bar.finish_and_clear();
        }
    }

    /// Says at once what has gone wrong while the work goes on; the line goes on below it.
    pub(crate) fn warn(&self, words: &str) {
        match &self.0 {
            Kind::Bar(bar) => bar.suspend(|| warn(words)),
            Kind::Quiet | Kind::Lines { .. } => warn(words),
        }
    }
}

fn warn(words: &str) {
    // A warning that cannot be written is no reason to stop.
    let _ = writeln!(std::io::stderr(), "lumbung: {words}");
}

impl Progress for Shown {
    fn report(&self, report: &Report) {
        match report {
            Report::Unsaved { .. } => self.warn(&words(report)),
            _ => self.tell(&words(report)),
        }
    }
}

/// Positions of the searches that went before, if there were any.
pub(crate) fn earlier(before: u64) -> Option<String> {
    (before > 0).then(|| format!("after {} in earlier searches", count(before)))
}

fn words(report: &Report) -> String {
    match report {
        Report::Search { margin, nodes, before, foreseen, speed, table_seeds, fill, line } => {
            let margin = margin.map(|(low, high)| format!("South's margin {low} to {high}, ")).unwrap_or_default();
            let table = table_seeds.map(|seeds| format!(", table up to {seeds} seeds")).unwrap_or_default();
            let line = match write_turns(line.iter().map(|turn| turn.iter().copied())) {
                line if line.is_empty() => line,
                line => format!(", best so far {line}"),
            };
            let (visited, fill) = (counted(*nodes, "position"), (100.0 * fill).round());
            let foreseen = foreseen.map(|all| format!(" of some {} foreseen", count(about(all)))).unwrap_or_default();
            let before = earlier(*before).map(|before| format!(" {before}")).unwrap_or_default();
            format!("{margin}{visited} visited{before}{foreseen}, {} a second{table}, memory {fill}% full{line}", count(*speed))
        }
        Report::Unsaved { error } => format!("{error}; the search goes on and tries again later"),
        Report::Table { seeds, positions } => {
            format!("building the table of {}, {}", counted(*seeds as u64, "seed"), counted(*positions, "position"))
        }
        Report::Graph { seeds, positions, settling } => {
            let done = if *settling { "settled" } else { "found" };
            format!("{} in play, {} {done}", counted(*seeds as u64, "seed"), counted(*positions, "position"))
        }
        Report::Turn { boards, best_store } => {
            format!("{} seen, {} stored at best", counted(*boards, "board"), count((*best_store).into()))
        }
    }
}

#[cfg(test)]
mod tests {
    use lumbung_engine::Pit;

    use super::*;

    #[test]
    fn reports_read_as_sentences() {
        let line = vec![vec![Pit(2), Pit(0)], vec![Pit(4)]];
        let search = |before, foreseen| Report::Search {
            margin: Some((-2, 98)),
            nodes: 1234,
            before,
            foreseen,
            speed: 5678,
            table_seeds: Some(12),
            fill: 0.126,
            line: line.clone(),
        };
        let said = "South's margin -2 to 98, 1,234 positions visited, 5,678 a second, table up to 12 seeds, memory 13% full, \
                    best so far 3 1 / 5";
        assert_eq!(words(&search(0, None)), said);
        assert_eq!(words(&search(0, Some(31_234_567))), said.replace("visited", "visited of some 40,000,000 foreseen"));
        let resumed = "visited after 9,000,000 in earlier searches of some 40,000,000 foreseen";
        assert_eq!(words(&search(9_000_000, Some(31_234_567))), said.replace("visited", resumed));
        let unsaved = Report::Unsaved { error: "cannot write there: no room".to_owned() };
        assert_eq!(words(&unsaved), "cannot write there: no room; the search goes on and tries again later");
        assert_eq!(words(&Report::Turn { boards: 1, best_store: 50 }), "1 board seen, 50 stored at best");
    }
}

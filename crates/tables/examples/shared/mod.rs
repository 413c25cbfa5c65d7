//! What the examples share: their command line.

use std::process::ExitCode;

use lumbung_engine::rules::{RuleSet, preset};

/// Which table, with how many threads, and the words after that.
pub(crate) struct Asked {
    pub(crate) rules: &'static RuleSet,
    pub(crate) pits: usize,
    pub(crate) seeds: usize,
    pub(crate) threads: usize,
    #[allow(dead_code, reason = "not every example has more words")]
    pub(crate) more: Vec<String>,
}

/// Reads `GAME PITS SEEDS [THREADS] [MORE...]` and runs an example on it.
pub(crate) fn main(usage: &str, run: impl FnOnce(&Asked) -> Result<(), String>) -> ExitCode {
    match asked(usage).and_then(|asked| run(&asked)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::from(2)
        }
    }
}

fn asked(usage: &str) -> Result<Asked, String> {
    let mut words = std::env::args().skip(1).peekable();
    let (Some(game), Some(pits), Some(seeds)) = (words.next(), words.next(), words.next()) else {
        return Err(format!("usage: {usage}"));
    };
    let number = |text: &str| text.parse::<usize>().map_err(|_| format!("{text:?}: a number was expected"));
    let rules = &preset(&game).ok_or_else(|| format!("{game:?}: no such game"))?.rules;
    let threads = words.next_if(|word| word.parse::<usize>().is_ok());
    Ok(Asked {
        rules,
        pits: number(&pits)?,
        seeds: number(&seeds)?,
        threads: threads.as_deref().map_or(Ok(1), number)?,
        more: words.collect(),
    })
}

/// The user and system time of this process so far, in seconds, and the most memory it had resident, in bytes; where the system tells.
#[allow(dead_code, reason = "not every example measures it")]
pub(crate) fn process() -> Option<(f64, f64, u64)> {
    let read = |file: &str| std::fs::read_to_string(format!("/proc/self/{file}")).ok();
    let stat = read("stat")?;
    // The fields after the name, which may hold anything: utime and stime are the 14th and 15th of all, in ticks of 10 ms.
    let fields: Vec<&str> = stat.rsplit_once(") ")?.1.split(' ').collect();
    let ticks = |at: usize| fields.get(at - 3)?.parse::<f64>().ok().map(|ticks| ticks / 100.0);
    let peak =
        read("status")?.lines().find_map(|line| line.strip_prefix("VmHWM:")?.trim().strip_suffix(" kB")?.parse::<u64>().ok());
    Some((ticks(14)?, ticks(15)?, peak? << 10))
}

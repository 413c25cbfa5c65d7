//! Exit codes, and what goes to standard error when a command cannot do its work.

use std::io::{ErrorKind, Write as _};
use std::process::ExitCode;

use lumbung_solver::turns::TurnsError;

/// How a command ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Exit {
    /// Done; a claim holds.
    Done,
    /// A claim is refuted.
    Refuted,
    /// Not settled within the limits.
    Unsettled,
    /// Interrupted by the user.
    Interrupted,
}

impl Exit {
    pub(crate) fn code(self) -> ExitCode {
        ExitCode::from(match self {
            Exit::Done => 0,
            Exit::Refuted => 1,
            Exit::Unsettled => 3,
            Exit::Interrupted => 130,
        })
    }
}

/// Why a command gave up.
#[derive(Debug)]
pub(crate) enum Failure {
    /// Bad input, or output that cannot be written: one line for the user.
    Told(String),
    /// The program contradicts itself, which no input excuses: it ends like a panic.
    Defect(String),
    /// Whoever read the output has gone away, which is no fault.
    ClosedPipe,
}

impl From<TurnsError> for Failure {
    fn from(error: TurnsError) -> Self {
        match error {
            TurnsError::Internal(why) => Failure::Defect(format!("the turn explorer: {why}")),
            error => Failure::new(error),
        }
    }
}

impl Failure {
    pub(crate) fn new(message: impl ToString) -> Self {
        Failure::Told(message.to_string())
    }

    /// What to tell, if anybody is there to be told.
    pub(crate) fn message(&self) -> Option<String> {
        match self {
            Failure::Told(message) => Some(message.clone()),
            Failure::Defect(message) => Some(internal(message)),
            Failure::ClosedPipe => None,
        }
    }

    /// The same failure, with what it concerns named first.
    pub(crate) fn within(self, name: &str) -> Self {
        match self {
            Failure::Told(message) => Failure::Told(format!("{name}: {message}")),
            Failure::Defect(message) => Failure::Defect(format!("{name}: {message}")),
            Failure::ClosedPipe => Failure::ClosedPipe,
        }
    }

    /// From an error in writing to standard output.
    pub(crate) fn writing(error: &std::io::Error) -> Self {
        match error.kind() {
            ErrorKind::BrokenPipe => Failure::ClosedPipe,
            _ => Failure::Told(format!("cannot write to standard output: {error}")),
        }
    }

    pub(crate) fn tell(&self) -> ExitCode {
        match self {
            Failure::Told(message) => {
                complain(message);
                ExitCode::from(2)
            }
            Failure::Defect(message) => {
                complain(&internal(message));
                ExitCode::from(101)
            }
            Failure::ClosedPipe => ExitCode::SUCCESS,
        }
    }
}

fn internal(message: &str) -> String {
    format!("internal error: {message}")
}

/// One line on standard error, whatever the message quotes.
fn complain(message: &str) {
    let line: String =
        message.chars().flat_map(|c| if c.is_control() { c.escape_default().collect() } else { vec![c] }).collect();
    // If standard error is closed too, there is nobody left to tell.
    let _ = writeln!(std::io::stderr(), "lumbung: {line}");
}

/// Help and version texts go out as they are; a command line that cannot be understood is bad input like any other.
pub(crate) fn usage(error: &clap::Error) -> ExitCode {
    use clap::error::ErrorKind as Kind;
    if matches!(error.kind(), Kind::DisplayHelp | Kind::DisplayVersion | Kind::DisplayHelpOnMissingArgumentOrSubcommand) {
        return match error.print() {
            Err(error) if error.kind() != ErrorKind::BrokenPipe => Failure::writing(&error).tell(),
            _ => ExitCode::from(u8::from(error.use_stderr()) * 2),
        };
    }
    complain(&one_line(&error.to_string()));
    ExitCode::from(2)
}

/// The message of a clap error and its tips, without its usage.
fn one_line(rendered: &str) -> String {
    let lines: Vec<&str> = rendered
        .lines()
        .map(str::trim)
        .take_while(|line| !line.starts_with("Usage:") && !line.starts_with("For more information"))
        .filter(|line| !line.is_empty())
        .collect();
    let line = lines.join(" ").replace(" tip: ", "; ");
    line.strip_prefix("error: ").unwrap_or(&line).to_owned()
}

#[cfg(test)]
mod tests {
    use lumbung_solver::turns::TurnsError;

    use super::{Failure, one_line};

    #[test]
    fn a_defect_is_no_bad_input() {
        let failure = Failure::from(TurnsError::Internal("a line that is none".to_owned())).within("my-claim");
        let message = "internal error: my-claim: the turn explorer: a line that is none";
        assert_eq!(failure.message().as_deref(), Some(message));
        let input = Failure::from(TurnsError::TooMany { asked: 9, most: 4 });
        assert!(matches!(input, Failure::Told(_)), "{input:?}");
    }

    #[test]
    fn a_usage_error_keeps_its_message_and_its_tip() {
        let rendered = "error: unexpected argument '--boad' found\n\n  tip: a similar argument exists: '--board'\n\n\
                        Usage: lumbung solve [OPTIONS]\n\nFor more information, try '--help'.\n";
        assert_eq!(one_line(rendered), "unexpected argument '--boad' found; a similar argument exists: '--board'");
    }
}

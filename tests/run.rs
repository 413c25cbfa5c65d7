//! Runs the binary.

use std::process::{Command, Output};

use serde_json::Value;

/// What a run printed, and how it ended.
pub(crate) struct Ran {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

/// The binary, not yet run.
pub(crate) fn binary() -> Command {
    Command::new(env!("CARGO_BIN_EXE_lumbung"))
}

impl From<Output> for Ran {
    fn from(output: Output) -> Self {
        let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
        Ran { code: output.status.code(), stdout: text(output.stdout), stderr: text(output.stderr) }
    }
}

pub(crate) fn run(arguments: &[&str]) -> Ran {
    binary().args(arguments).output().expect("the binary runs").into()
}

impl Ran {
    /// The JSON document on standard output, which must be all that is there.
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.stdout)
            .unwrap_or_else(|error| panic!("{error} in {:?} (standard error: {:?})", self.stdout, self.stderr))
    }

    /// Standard output of a run that must have gone well.
    pub(crate) fn text(&self) -> &str {
        assert_eq!(self.code, Some(0), "{}", self.stderr);
        assert_eq!(self.stderr, "");
        &self.stdout
    }
}

/// Runs `lumbung` with these words.
macro_rules! lumbung {
    ($($word:expr),+ $(,)?) => {
        crate::run::run(&[$(AsRef::<str>::as_ref(&$word)),+])
    };
}

//! Standard output: a text for people, coloured on a terminal only, or one JSON document.

use std::io::Write as _;
use std::path::Path;

use anstyle::{AnsiColor, Style};
use lumbung_engine::whole_file;
use serde::Serialize;

use crate::exit::Failure;
use crate::report::Program;

/// Headings.
pub(crate) const HEADING: Style = AnsiColor::Yellow.on_default().bold();
/// What matters most: a result, a store.
pub(crate) const STRONG: Style = Style::new().bold();
/// What may be overlooked: an empty pit, a key.
pub(crate) const FAINT: Style = Style::new().dimmed();

/// `text` in a style; the escape sequences are dropped again where the output is no terminal or the user wants no colour.
pub(crate) fn styled(style: Style, text: impl std::fmt::Display) -> String {
    format!("{style}{text}{style:#}")
}

/// Prints a text for people.
pub(crate) fn text(text: &str) -> Result<(), Failure> {
    let mut out = anstream::stdout().lock();
    out.write_all(text.as_bytes()).and_then(|()| out.flush()).map_err(|error| Failure::writing(&error))
}

/// Prints a text for programs: never coloured, nothing added.
pub(crate) fn plain(text: &str) -> Result<(), Failure> {
    let mut out = std::io::stdout().lock();
    out.write_all(text.as_bytes()).and_then(|()| out.flush()).map_err(|error| Failure::writing(&error))
}

/// The document of a command: what it says, after the schema it keeps to.
#[derive(Serialize)]
struct Document<'b, B> {
    schema: &'static str,
    program: Program,
    #[serde(flatten)]
    body: &'b B,
}

/// A JSON document as text. `schema` is `lumbung/<command>/<version>`.
pub(crate) fn document<B: Serialize>(schema: &'static str, body: &B) -> Result<String, Failure> {
    let document = Document { schema, program: Program::this(), body };
    let mut text = serde_json::to_string_pretty(&document).map_err(Failure::new)?;
    text.push('\n');
    Ok(text)
}

/// Prints a JSON document.
pub(crate) fn json<B: Serialize>(schema: &'static str, body: &B) -> Result<(), Failure> {
    plain(&document(schema, body)?)
}

/// Writes a file as a whole or not at all.
///
/// # Errors
/// If the system does; what was there before is untouched then.
pub(crate) fn replace(path: &Path, text: &str) -> std::io::Result<()> {
    whole_file::write(path, |file| file.write_all(text.as_bytes()))
}

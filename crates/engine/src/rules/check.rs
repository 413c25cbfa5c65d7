//! Every key and value of a rule file is checked by name, so that an error says which key, where, and what it would take.

use toml::Value;

use super::RuleError;
use super::keys::{KEYS, find};

/// Checks every key and value of a rule file by name.
pub(super) fn check(table: &toml::Table) -> Result<(), RuleError> {
    for (name, value) in table {
        if name == "readings" {
            check_readings(value)?;
        } else {
            check_tree(name, value)?;
        }
    }
    Ok(())
}

fn check_tree(path: &str, value: &Value) -> Result<(), RuleError> {
    match (find(path), value) {
        (Some(_), _) => check_value(path, path, value),
        (None, Value::Table(table)) if keys_below(path).next().is_some() => {
            table.iter().try_for_each(|(name, value)| check_tree(&format!("{path}.{name}"), value))
        }
        (None, _) => Err(unknown(path, path)),
    }
}

fn check_readings(readings: &Value) -> Result<(), RuleError> {
    let wrong = |key: &str, value: &Value, accepted: &str| RuleError::Value {
        key: key.to_owned(),
        value: one_line(&value.to_string()),
        accepted: accepted.to_owned(),
        line: None,
    };
    let Value::Table(readings) = readings else {
        return Err(wrong("readings", readings, "a table of readings, [readings.NAME]"));
    };
    for (name, reading) in readings {
        let place = one_line(&format!("readings.{name}"));
        check_name(&place, name)?;
        let Value::Table(reading) = reading else {
            return Err(wrong(&place, reading, "a table of keys and values"));
        };
        for (key, value) in reading {
            let shown = format!("{place}.{key:?}");
            if key == "about" {
                if !value.is_str() {
                    return Err(wrong(&shown, value, "a text"));
                }
            } else if value.is_table() {
                return Err(wrong(&shown, value, "a full key in quotes, for instance \"end.when\", with one value"));
            } else {
                check_value(key, &shown, value)?;
            }
        }
    }
    Ok(())
}

/// Checks one value; `shown` is the key as the user wrote it.
pub(super) fn check_value(path: &str, shown: &str, value: &Value) -> Result<(), RuleError> {
    let key = find(path).ok_or_else(|| unknown(path, shown))?;
    if key.accepts(value) {
        return if path == "name" { check_name(shown, value.as_str().unwrap_or_default()) } else { Ok(()) };
    }
    Err(RuleError::Value { key: shown.to_owned(), value: one_line(&value.to_string()), accepted: key.accepted(), line: None })
}

/// Names stand in the line of every report, where a line break or an escape sequence would do harm.
fn check_name(shown: &str, name: &str) -> Result<(), RuleError> {
    if !name.contains(char::is_control) {
        return Ok(());
    }
    let accepted = "a name without control characters".to_owned();
    Err(RuleError::Value { key: shown.to_owned(), value: format!("\"{}\"", one_line(name)), accepted, line: None })
}

fn keys_below(path: &str) -> impl Iterator<Item = &'static str> {
    KEYS.iter().map(|key| key.path).filter(move |key| key.strip_prefix(path).is_some_and(|rest| rest.starts_with('.')))
}

fn unknown(path: &str, shown: &str) -> RuleError {
    RuleError::UnknownKey { key: one_line(shown), line: None, hint: hint(path) }
}

/// An error is one line, whatever it quotes.
fn one_line(text: &str) -> String {
    text.chars().flat_map(|c| if c.is_control() { c.escape_default().collect() } else { vec![c] }).collect()
}

/// What a user who wrote `path` may have meant; nothing if nothing is near.
fn hint(path: &str) -> String {
    let below: Vec<&str> = keys_below(path).collect();
    if !below.is_empty() {
        return format!("it is a table with the keys {}", below.join(", "));
    }
    let (table, last) = path.rsplit_once('.').unwrap_or(("", path));
    let mut near: Vec<(usize, &str)> = KEYS
        .iter()
        .filter(|key| !key.path.starts_with("about."))
        .map(|key| {
            let (path, last) = (path.to_lowercase(), last.to_lowercase());
            let key_last = key.path.rsplit('.').next().unwrap_or_default();
            // A right last part under a wrong table is as near as one slip.
            let by_last = if key_last == last { 1 } else { 1 + distance(key_last, &last) };
            (distance(key.path, &path).min(by_last), key.path)
        })
        .filter(|(distance, _)| *distance <= 1 + last.len() / 4)
        .collect();
    near.sort_unstable();
    if !near.is_empty() {
        let near: Vec<&str> = near.into_iter().take(5).map(|(_, path)| path).collect();
        return format!("near it: {}", near.join(", "));
    }
    let siblings: Vec<&str> = keys_below(table).collect();
    if siblings.is_empty() { String::new() } else { format!("{table} has the keys {}", siblings.join(", ")) }
}

/// Edit distance: letters inserted, dropped or replaced.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut corner = i;
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let replaced = corner + usize::from(x != *y);
            corner = row[j + 1];
            row[j + 1] = replaced.min(row[j] + 1).min(corner + 1);
        }
    }
    row[b.len()]
}

/// A TOML syntax error in one line.
pub(super) fn syntax(text: &str, error: &toml::de::Error) -> RuleError {
    let offset = error.span().map_or(0, |span| span.start);
    RuleError::Syntax { line: line_at(text, offset), message: error.message().replace('\n', " ") }
}

/// Adds the line to an error about a key that came from `text`.
pub(super) fn locate(text: &str, mut error: RuleError) -> RuleError {
    if let RuleError::UnknownKey { key, line, .. } | RuleError::Value { key, line, .. } = &mut error {
        *line = line_of(text, key);
    }
    error
}

fn line_of(text: &str, path: &str) -> Option<usize> {
    let document = toml::de::DeTable::parse(text).ok()?;
    let mut table = document.get_ref();
    let mut rest = path;
    loop {
        // A key may itself hold dots (in readings), so the longest match counts.
        let (name, value) = table
            .iter()
            .filter(|(name, _)| {
                let name = name.get_ref().as_ref();
                [name.to_owned(), format!("{name:?}")]
                    .iter()
                    .any(|name| rest.strip_prefix(name.as_str()).is_some_and(|rest| rest.is_empty() || rest.starts_with('.')))
            })
            .max_by_key(|(name, _)| name.get_ref().len())?;
        let plain = name.get_ref().as_ref();
        let quoted = format!("{plain:?}");
        let after = rest.strip_prefix(plain).or_else(|| rest.strip_prefix(quoted.as_str()))?;
        match (after.strip_prefix('.'), value.get_ref()) {
            (Some(below), toml::de::DeValue::Table(inner)) => {
                table = inner;
                rest = below;
            }
            _ => return Some(line_at(text, name.span().start)),
        }
    }
}

fn line_at(text: &str, offset: usize) -> usize {
    1 + text.bytes().take(offset).filter(|byte| *byte == b'\n').count()
}

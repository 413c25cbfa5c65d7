//! Rules with keys changed: readings, and assignments `key=value`.

use toml::Value;

use super::check::check_value;
use super::convert::STOP_AT;
use super::keys::find;
use super::{RuleSet, RuleSpec, SetError};

impl RuleSet {
    /// These rules with keys changed, each as `key=value`: the value is TOML, or else a bare word. `key=default` puts a key back
    /// to its documented default. All changes are made before the result is validated.
    ///
    /// # Errors
    /// If an assignment is malformed, a key unknown or a value not accepted, or the resulting rules cannot be.
    pub fn with_set(&self, assignments: &[&str]) -> Result<RuleSet, SetError> {
        self.with_changes(&[], assignments)
    }

    /// These rules under one of their named readings.
    ///
    /// # Errors
    /// If there is no such reading, or the resulting rules cannot be.
    pub fn with_reading(&self, name: &str) -> Result<RuleSet, SetError> {
        self.with_changes(&[name], &[])
    }

    /// These rules under readings, with keys changed: first the readings in their order, then the assignments in theirs, then
    /// one validation.
    ///
    /// # Errors
    /// As for [`RuleSet::with_set`] and [`RuleSet::with_reading`].
    pub fn with_changes(&self, readings: &[&str], sets: &[&str]) -> Result<RuleSet, SetError> {
        let mut spec = self.to_spec();
        // Written out it would count as asked for, and clash with another relay.
        spec.sowing.stop_at = spec.sowing.stop_at.filter(|stop_at| stop_at != STOP_AT);
        let mut table = spec.to_table();
        for name in readings {
            let reading = self.readings.get(*name).ok_or_else(|| SetError::UnknownReading {
                rules: self.name.clone(),
                name: (*name).to_owned(),
                known: self.readings.keys().cloned().collect(),
            })?;
            for (key, value) in &reading.set {
                check_value(key, key, value)?;
                put(&mut table, key, value.clone());
            }
        }
        for assignment in sets {
            let (key, value) = assignment.split_once('=').ok_or_else(|| SetError::Form((*assignment).to_owned()))?;
            let (key, value) = (key.trim(), value.trim());
            if key.is_empty() {
                return Err(SetError::Form((*assignment).to_owned()));
            }
            if value == "default" && find(key).is_some() {
                remove(&mut table, key);
            } else {
                let value = parse_value(value);
                check_value(key, key, &value)?;
                put(&mut table, key, value);
            }
        }
        Ok(RuleSet::from_spec(RuleSpec::from_table(table)?)?)
    }
}

/// A TOML value, or a bare word.
fn parse_value(text: &str) -> Value {
    match format!("value = {text}").parse::<toml::Table>() {
        // A line break in the text could smuggle in further keys.
        Ok(mut table) if table.len() == 1 => table.remove("value").unwrap_or_else(|| Value::String(text.to_owned())),
        _ => Value::String(text.to_owned()),
    }
}

/// Sets the value at a dotted path, making tables on the way.
fn put(table: &mut toml::Table, path: &str, value: Value) {
    match path.split_once('.') {
        Some((first, rest)) => {
            let inner = table.entry(first).or_insert_with(|| Value::Table(toml::Table::new()));
            if let Value::Table(inner) = inner {
                put(inner, rest, value);
            }
        }
        None => {
            table.insert(path.to_owned(), value);
        }
    }
}

/// Removes the value at a dotted path. Makes no table: an empty capture table would mean that the capture is on.
fn remove(table: &mut toml::Table, path: &str) {
    match path.split_once('.') {
        Some((first, rest)) => {
            if let Some(Value::Table(inner)) = table.get_mut(first) {
                remove(inner, rest);
            }
        }
        None => {
            table.remove(path);
        }
    }
}

//! Rules with keys changed: readings, and assignments `key=value`.

use std::collections::BTreeMap;

use toml::Value;

use super::check::check_value;
use super::convert::STOP_AT;
use super::keys::find;
use super::{RuleSet, RuleSpec, SetError};

impl RuleSet {
    /// These rules with keys changed, each as `key=value`: the value is TOML, or else a bare word. `key=default` puts a key back
    /// to its documented default. All changes are made before the result is validated. The keys of a capture that is off are
    /// changed together with its `enabled = true`, which alone switches it on.
    ///
    /// # Errors
    /// If an assignment is malformed, a key unknown or a value not accepted, two assignments give a key different values, a key
    /// belongs to a capture that stays off, or the resulting rules cannot be.
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

    /// These rules under readings, with keys changed: first the readings, then the assignments, which may override them, then one
    /// validation.
    ///
    /// # Errors
    /// As for [`RuleSet::with_set`] and [`RuleSet::with_reading`], and if two readings give a key different values.
    pub fn with_changes(&self, readings: &[&str], sets: &[&str]) -> Result<RuleSet, SetError> {
        let mut spec = self.to_spec();
        // Written out it would count as asked for, and clash with another relay.
        spec.sowing.stop_at = spec.sowing.stop_at.filter(|stop_at| stop_at != STOP_AT);
        let mut table = spec.to_table();
        let mut of_readings = Changes::default();
        for name in readings {
            let reading = self.readings.get(*name).ok_or_else(|| SetError::UnknownReading {
                rules: self.name.clone(),
                name: (*name).to_owned(),
                known: self.readings.keys().cloned().collect(),
            })?;
            for (key, value) in &reading.set {
                check_value(key, key, value)?;
                of_readings.add(key, Some(value.clone()), format!("reading {name}"))?;
            }
        }
        let mut assigned = Changes::default();
        for assignment in sets {
            let (key, value) = assignment.split_once('=').ok_or_else(|| SetError::Form((*assignment).to_owned()))?;
            let (key, value) = (key.trim(), value.trim());
            if key.is_empty() {
                return Err(SetError::Form((*assignment).to_owned()));
            }
            let value = if value == "default" && find(key).is_some() {
                None
            } else {
                let value = parse_value(value);
                check_value(key, key, &value)?;
                Some(value)
            };
            assigned.add(key, value, (*assignment).to_owned())?;
        }
        let mut changes = of_readings.0;
        changes.extend(assigned.0);
        self.refuse_keys_of_what_is_off(&changes)?;
        for (key, change) in changes {
            match change.value {
                Some(value) => put(&mut table, &key, value),
                // Without the key a table that another change made would be on.
                None if self.is_off(&key) => put(&mut table, &key, Value::Boolean(false)),
                None => remove(&mut table, &key),
            }
        }
        Ok(RuleSet::from_spec(RuleSpec::from_table(table)?)?)
    }
}

/// What one source makes of a key: a value, or its default.
#[derive(Debug)]
struct Change {
    value: Option<Value>,
    source: String,
}

/// Changes by key, each key changed once.
#[derive(Debug, Default)]
struct Changes(BTreeMap<String, Change>);

impl Changes {
    fn add(&mut self, key: &str, value: Option<Value>, source: String) -> Result<(), SetError> {
        match self.0.get(key) {
            Some(first) if first.value != value => {
                Err(SetError::Twice { key: key.to_owned(), first: first.shown(), second: Change { value, source }.shown() })
            }
            Some(_) => Ok(()),
            None => {
                self.0.insert(key.to_owned(), Change { value, source });
                Ok(())
            }
        }
    }
}

impl Change {
    /// `reading donkers (take)`, or the assignment as it was written.
    fn shown(&self) -> String {
        match &self.value {
            Some(value) if self.source.starts_with("reading ") => format!("{} ({value})", self.source),
            _ => self.source.clone(),
        }
    }
}

impl RuleSet {
    /// Whether `key` is the switch of a capture that is off.
    fn is_off(&self, key: &str) -> bool {
        key.strip_suffix(".enabled").is_some_and(|capture| !self.captures_by(capture))
    }

    fn captures_by(&self, capture: &str) -> bool {
        match capture {
            "capture.opposite" => self.capture.opposite.is_some(),
            "capture.sandwich" => self.capture.sandwich,
            "capture.count" => self.capture.count.is_some(),
            "capture.beyond-gap" => self.capture.beyond_gap.is_some(),
            _ => true,
        }
    }

    /// A key of a capture that stays off would change nothing, or else switch on what nobody asked for.
    fn refuse_keys_of_what_is_off(&self, changes: &BTreeMap<String, Change>) -> Result<(), SetError> {
        for (key, change) in changes.iter().filter(|(_, change)| change.value.is_some()) {
            let Some((capture, last)) = key.rsplit_once('.').filter(|(table, _)| table.starts_with("capture.")) else { continue };
            let switch = changes.get(&format!("{capture}.enabled")).and_then(|change| change.value.as_ref());
            let on = switch.and_then(Value::as_bool).unwrap_or_else(|| self.captures_by(capture));
            if last != "enabled" && !on {
                return Err(SetError::Off { key: key.clone(), by: change.shown(), capture: capture.to_owned() });
            }
        }
        Ok(())
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

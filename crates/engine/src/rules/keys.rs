//! The keys of rule files: which there are, what each takes, and how `key=value` changes rules.

use toml::Value;

use super::spec::{BonusMove, Chain, RelayKind, RoundsKind, STOP_AT, StoresKind};
use super::{
    BonusOnEmptyRow, CountSide, Cycle, EndWhen, Endless, Feeding, GrandSlam, LandingSeed, Lending, NoMove, Origin, Remainder,
    Repeat, RuleError, RuleSet, RuleSpec, SetError, Sons, TieStarter,
};
use crate::position::{MAX_PITS, MAX_SEEDS};

/// One key.
struct Key {
    /// Dotted path.
    path: &'static str,
    kind: Kind,
}

/// What a key takes.
enum Kind {
    Text,
    Texts,
    Flag,
    Number(i64, i64),
    Numbers,
    Choice(&'static [&'static str]),
    EndWhen,
}

const SEEDS: i64 = MAX_SEEDS as i64;
const PITS: i64 = MAX_PITS as i64;

const fn key(path: &'static str, kind: Kind) -> Key {
    Key { path, kind }
}

/// All keys, in the order in which they are documented.
const KEYS: &[Key] = &[
    key("name", Kind::Text),
    key("about.description", Kind::Text),
    key("about.sources", Kind::Texts),
    key("about.notes", Kind::Texts),
    key("about.not-modelled", Kind::Texts),
    key("about.words.opposite", Kind::Text),
    key("about.words.sandwich", Kind::Text),
    key("about.words.count", Kind::Text),
    key("about.words.beyond-gap", Kind::Text),
    key("about.words.store", Kind::Text),
    key("about.words.son", Kind::Text),
    key("board.pits", Kind::Number(1, PITS)),
    key("board.seeds", Kind::Number(1, SEEDS)),
    key("board.stores", Kind::Choice(StoresKind::WORDS)),
    key("sowing.relay", Kind::Choice(RelayKind::WORDS)),
    key("sowing.stop-at", Kind::Numbers),
    key("sowing.origin", Kind::Choice(Origin::WORDS)),
    key("sowing.min-seeds", Kind::Number(1, SEEDS)),
    key("sowing.bonus-move", Kind::Choice(BonusMove::WORDS)),
    key("sowing.bonus-on-empty-row", Kind::Choice(BonusOnEmptyRow::WORDS)),
    key("sowing.endless", Kind::Choice(Endless::WORDS)),
    key("capture.opposite.enabled", Kind::Flag),
    key("capture.opposite.landing-seed", Kind::Choice(LandingSeed::WORDS)),
    key("capture.opposite.require-visit", Kind::Flag),
    key("capture.sandwich.enabled", Kind::Flag),
    key("capture.count.enabled", Kind::Flag),
    key("capture.count.counts", Kind::Numbers),
    key("capture.count.side", Kind::Choice(CountSide::WORDS)),
    key("capture.count.chain", Kind::Choice(Chain::WORDS)),
    key("capture.count.grand-slam", Kind::Choice(GrandSlam::WORDS)),
    key("capture.beyond-gap.enabled", Kind::Flag),
    key("capture.beyond-gap.chain", Kind::Flag),
    key("capture.beyond-gap.wrap", Kind::Flag),
    key("feeding.rule", Kind::Choice(Feeding::WORDS)),
    key("end.when", Kind::EndWhen),
    key("end.no-move", Kind::Choice(NoMove::WORDS)),
    key("end.one-each", Kind::Flag),
    key("end.remainder", Kind::Choice(Remainder::WORDS)),
    key("end.gift", Kind::Number(0, SEEDS)),
    key("end.cycle", Kind::Choice(Cycle::WORDS)),
    key("rounds.kind", Kind::Choice(RoundsKind::WORDS)),
    key("rounds.sons", Kind::Choice(Sons::WORDS)),
    key("rounds.lending", Kind::Choice(Lending::WORDS)),
    key("rounds.tie-starter", Kind::Choice(TieStarter::WORDS)),
    key("rounds.repeat", Kind::Choice(Repeat::WORDS)),
];

impl Key {
    fn accepts(&self, value: &Value) -> bool {
        let number = |value: &Value, low, high| value.as_integer().is_some_and(|n| (low..=high).contains(&n));
        match (&self.kind, value) {
            (Kind::Text, value) => value.is_str(),
            (Kind::Texts, Value::Array(texts)) => texts.iter().all(Value::is_str),
            (Kind::Flag, value) => value.is_bool(),
            (Kind::Number(low, high), value) => number(value, *low, *high),
            (Kind::Numbers, Value::Array(numbers)) => !numbers.is_empty() && numbers.iter().all(|value| number(value, 1, SEEDS)),
            (Kind::Choice(words), Value::String(word)) => words.contains(&word.as_str()),
            (Kind::EndWhen, Value::String(word)) => match word.parse() {
                Ok(EndWhen::FewerThan(seeds)) => (1..=SEEDS).contains(&i64::from(seeds)),
                Ok(_) => true,
                Err(()) => false,
            },
            _ => false,
        }
    }

    fn accepted(&self) -> String {
        match &self.kind {
            Kind::Text => "a text".to_owned(),
            Kind::Texts => "a list of texts".to_owned(),
            Kind::Flag => "true or false".to_owned(),
            Kind::Number(low, high) => format!("a number from {low} to {high}"),
            Kind::Numbers => format!("a list such as [1, 2] of one or more numbers from 1 to {SEEDS}"),
            Kind::Choice(words) => format!("one of {}", words.join(", ")),
            Kind::EndWhen => format!("one of {} (K from 1 to {SEEDS})", EndWhen::WORDS.join(", ")),
        }
    }
}

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
    match (KEYS.iter().find(|key| key.path == path), value) {
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
        let place = format!("readings.{name}");
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
fn check_value(path: &str, shown: &str, value: &Value) -> Result<(), RuleError> {
    let key = KEYS.iter().find(|key| key.path == path).ok_or_else(|| unknown(path, shown))?;
    if key.accepts(value) {
        return Ok(());
    }
    Err(RuleError::Value { key: shown.to_owned(), value: one_line(&value.to_string()), accepted: key.accepted(), line: None })
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

/// What a user who wrote `path` may have meant.
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
            let key_last = key.path.rsplit('.').next().unwrap_or_default();
            // A right last part under a wrong table is as near as one slip.
            let by_last = if key_last == last { 1 } else { 1 + distance(key_last, last) };
            (distance(key.path, path).min(by_last), key.path)
        })
        .filter(|(distance, _)| *distance <= 1 + last.len() / 4)
        .collect();
    near.sort_unstable();
    if !near.is_empty() {
        let near: Vec<&str> = near.into_iter().take(5).map(|(_, path)| path).collect();
        return format!("near it: {}", near.join(", "));
    }
    let siblings: Vec<&str> = keys_below(table).collect();
    if siblings.is_empty() {
        let all: Vec<&str> = KEYS.iter().filter(|key| !key.path.starts_with("about.")).map(|key| key.path).collect();
        format!("the keys are {}", all.join(", "))
    } else {
        format!("{table} has the keys {}", siblings.join(", "))
    }
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
                put(&mut table, key, Some(value.clone()));
            }
        }
        for assignment in sets {
            let (key, value) = assignment.split_once('=').ok_or_else(|| SetError::Form((*assignment).to_owned()))?;
            let (key, value) = (key.trim(), value.trim());
            if key.is_empty() {
                return Err(SetError::Form((*assignment).to_owned()));
            }
            if value == "default" && KEYS.iter().any(|known| known.path == key) {
                put(&mut table, key, None);
            } else {
                let value = parse_value(value);
                check_value(key, key, &value)?;
                put(&mut table, key, Some(value));
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

/// Sets or removes the value at a dotted path, making tables on the way.
fn put(table: &mut toml::Table, path: &str, value: Option<Value>) {
    match path.split_once('.') {
        Some((first, rest)) => {
            let inner = table.entry(first).or_insert_with(|| Value::Table(toml::Table::new()));
            if let Value::Table(inner) = inner {
                put(inner, rest, value);
            }
        }
        None => {
            match value {
                Some(value) => table.insert(path.to_owned(), value),
                None => table.remove(path),
            };
        }
    }
}

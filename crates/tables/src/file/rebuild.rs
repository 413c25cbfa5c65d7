//! Checking a table by building it again: where positions can repeat, the equation alone does not settle the values, for a cycle can
//! carry a false one.

use std::sync::{Mutex, PoisonError};

use super::directory::Directory;
use super::error::FileError;
use super::stats::Stats;
use super::verify::{Fault, Options};
use crate::build::{BuildError, build_layers, plan};
use crate::layers::{Halt, Layers};
use crate::plain;
use crate::rows::{self, RowsError};

/// Builds the layers up to `most` seeds from nothing and compares them with those on disk: how many positions were compared, and the
/// first difference.
pub(super) fn rebuild(directory: &Directory, most: usize, options: Options) -> Result<(u64, Option<Fault>), FileError> {
    let (rules, pits) = (directory.rules(), directory.manifest().pits);
    let cannot = |error| FileError::Rebuild { path: directory.path().to_owned(), error: Box::new(error) };
    // Beside the table in work: a layer built and the same layer read.
    let needed = |seeds: usize| Ok(plan(rules, pits, seeds, 0)?.memory + 2 * directory.index().layer_len(seeds));
    let fits = |&seeds: &usize| needed(seeds).is_ok_and(|needed: u64| needed <= options.memory);
    if !fits(&most) {
        return Err(FileError::Memory {
            path: directory.path().to_owned(),
            seeds: most,
            needed: needed(most).map_err(cannot)?,
            allowed: options.memory,
            fitting: (0..most).rev().find(fits),
        });
    }
    let compare = Compare { directory, found: Mutex::new(None) };
    let told = |progress: rows::Progress| (options.progress)(progress.positions, progress.total);
    let how = rows::Options { threads: rayon::current_num_threads(), memory: None, stop: options.stop, progress: &told };
    let built = build_layers(rules, pits, most, how, &compare);
    match (compare.found.into_inner().unwrap_or_else(PoisonError::into_inner), built) {
        (Some(Ok(fault)), _) => Ok((directory.index().layer_start(fault.seeds.unwrap_or(0)), Some(fault))),
        (Some(Err(error)), _) => Err(error),
        (None, Ok(built)) => Ok((built.table.len(), None)),
        (None, Err(BuildError::Plain(plain::BuildError::Stopped) | BuildError::Rows(RowsError::Stopped))) => {
            Err(FileError::Stopped)
        }
        (None, Err(error)) => Err(cannot(error)),
    }
}

/// Compares layers that have been built with those on disk.
struct Compare<'c> {
    directory: &'c Directory,
    found: Mutex<Option<Result<Fault, FileError>>>,
}

impl Compare<'_> {
    fn compare(&self, seeds: usize, values: &[i8]) -> Result<Option<Fault>, FileError> {
        let layer = self.directory.layer(seeds)?;
        let mut stored = vec![0; values.len()];
        layer.read_into(&mut stored)?;
        let left_out = layer.left_out();
        if let Some(at) = (left_out..values.len()).find(|&at| values[at] != stored[at]) {
            let position = self.directory.position(seeds, at as u64)?;
            let what = format!("{} says {} of {position}; built again it is {}", layer.path().display(), stored[at], values[at]);
            return Ok(Some(Fault { seeds: Some(seeds), position: Some(position), what }));
        }
        if Stats::of(values) != layer.header.stats {
            let what = format!("{} has other values than its statistics say", layer.path().display());
            return Ok(Some(Fault { seeds: Some(seeds), position: None, what }));
        }
        Ok(None)
    }
}

impl Layers for Compare<'_> {
    fn wants(&self, _: usize) -> bool {
        true
    }

    fn finished(&self, seeds: usize, values: &[i8]) -> Result<(), Halt> {
        match self.compare(seeds, values).transpose() {
            None => Ok(()),
            found => {
                *self.found.lock().unwrap_or_else(PoisonError::into_inner) = found;
                Err(Halt)
            }
        }
    }
}

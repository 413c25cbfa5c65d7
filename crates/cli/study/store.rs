//! The data set on disk: what is settled stays settled, whatever stops a run.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::cell::Cell;
use crate::exit::Failure;
use crate::output::{self, replace};

/// What the data set is of; one of other rules is refused.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Reading {
    pub(super) name: String,
    pub(super) fingerprint: String,
}

#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Data {
    pub(super) game: String,
    pub(super) readings: Vec<Reading>,
    pub(super) cells: Vec<Cell>,
}

/// See the [module](self).
pub(super) struct Store {
    pub(super) directory: PathBuf,
    pub(super) data: Data,
}

const NAME: &str = "grid.json";

impl Store {
    /// Opens a data set, or begins one.
    ///
    /// # Errors
    /// If the directory holds a data set of another game or other rules, or one that cannot be read.
    pub(super) fn open(directory: &Path, game: &str, readings: &[Reading]) -> Result<Store, Failure> {
        std::fs::create_dir_all(directory)
            .map_err(|error| Failure::new(format!("cannot create {}: {error}", directory.display())))?;
        let path = directory.join(NAME);
        let mut data = Data { game: game.to_owned(), readings: Vec::new(), cells: Vec::new() };
        if path.exists() {
            let wrong = |why: String| Failure::new(format!("{}: {why}", path.display()));
            let text = std::fs::read_to_string(&path).map_err(|error| wrong(error.to_string()))?;
            data = serde_json::from_str(&text).map_err(|error| wrong(format!("no data set of this command: {error}")))?;
            if data.game != game {
                return Err(wrong(format!("a data set of {}; {game} is asked for", data.game)));
            }
        }
        for reading in readings {
            match data.readings.iter().find(|known| known.name == reading.name) {
                Some(known) if known.fingerprint != reading.fingerprint => {
                    let (path, name) = (path.display(), &reading.name);
                    return Err(Failure::new(format!(
                        "{path}: reading {name} has fingerprint {} there and {} now; use another directory",
                        known.fingerprint, reading.fingerprint
                    )));
                }
                Some(_) => {}
                None => data.readings.push(reading.clone()),
            }
        }
        Ok(Store { directory: directory.to_owned(), data })
    }

    pub(super) fn get(&self, reading: &str, pits: usize, seeds: usize) -> Option<&Cell> {
        self.data.cells.iter().find(|cell| cell.reading == reading && cell.pits == pits && cell.seeds == seeds)
    }

    /// Takes a cell up beside what was known of it, and saves the data set.
    pub(super) fn put(&mut self, cell: Cell) -> Result<(), Failure> {
        let place = |data: &Data, cell: &Cell| data.readings.iter().position(|reading| reading.name == cell.reading);
        match self.data.cells.iter_mut().find(|old| (&old.reading, old.pits, old.seeds) == (&cell.reading, cell.pits, cell.seeds))
        {
            Some(old) => *old = cell.besides(old),
            None => self.data.cells.push(cell),
        }
        let mut cells = std::mem::take(&mut self.data.cells);
        cells.sort_by_key(|cell| (place(&self.data, cell), cell.pits, cell.seeds));
        self.data.cells = cells;
        self.write(NAME, &output::document(super::grid::SCHEMA, &self.data)?)
    }

    /// Writes a file of the data set.
    pub(super) fn write(&self, name: &str, text: &str) -> Result<(), Failure> {
        let path = self.directory.join(name);
        replace(&path, text).map_err(|error| Failure::new(format!("cannot write {}: {error}", path.display())))
    }

    /// All cells as comma-separated values.
    pub(super) fn csv(&self) -> String {
        let mut text = "reading,pits,seeds,low,high,proven,turns,moves,winning_first_turn,first_turn_settled,nodes\n".to_owned();
        let or_empty = |number: Option<usize>| number.map_or(String::new(), |number| number.to_string());
        for cell in &self.data.cells {
            let Cell { reading, pits, seeds, low, high, turns, moves, winning_first_turn, first_turn_settled, nodes } = cell;
            let (turns, moves, first) = (or_empty(*turns), or_empty(*moves), or_empty(*winning_first_turn));
            let (proven, settled) = (u8::from(cell.proven()), u8::from(*first_turn_settled));
            text += &format!("{reading},{pits},{seeds},{low},{high},{proven},{turns},{moves},{first},{settled},{nodes}\n");
        }
        text
    }
}

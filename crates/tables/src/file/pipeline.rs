//! Writing a table while it is being built.
//!
//! A finished layer is encoded by the threads of the build, beside the layer above, and handed to a thread that does nothing but wait
//! for the disk. That thread takes a layer when it has written the one before, so at most two encoded layers are in memory.

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::sync::mpsc::{SyncSender, sync_channel};
use std::sync::{Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use super::clock::Clock;
use super::directory::Directory;
use super::encode::{EncodedLayer, Encoder};
use super::error::FileError;
use super::manifest::Encoding;
use super::write::Writer;
use crate::build::Builder;
use crate::cyclic::Parity;
use crate::layers::{Halt, Layers};
use crate::values::{Values, ValuesMut};

/// A table on disk that is being built: reads the layers that are there, and writes the others as they come.
#[derive(Debug)]
pub struct Pipeline {
    encoder: Encoder,
    /// What is there already, if it is to be read.
    known: Option<Directory>,
    kept: usize,
    parity: Parity,
    is_whole: bool,
    directory: PathBuf,
    queue: SyncSender<EncodedLayer>,
    disk: JoinHandle<(Writer, Result<(), FileError>)>,
    /// What went wrong in reading or encoding.
    fault: Mutex<Option<FileError>>,
    reading: Clock,
}

/// What a build has written and how long that took.
#[derive(Debug)]
pub struct Written {
    /// The table.
    pub writer: Writer,
    /// Time spent on reading layers that were there.
    pub read: Duration,
    /// Time spent on encoding, summed over the threads.
    pub encode: Duration,
}

impl Pipeline {
    /// Goes on with a table that `builder` builds.
    ///
    /// Layers that are there are read rather than built again, but for those that are worked out in less time: of compact layers half of
    /// the values are left out, and building by rows is faster than filling them in.
    ///
    /// # Errors
    /// If the table cannot be opened.
    pub fn new(writer: Writer, builder: &Builder) -> Result<Pipeline, FileError> {
        let kept = writer.layers();
        let (encoder, encoding, parity) = (writer.encoder(), writer.encoding(), writer.parity());
        let by_rows = *builder == Builder::Rows;
        let is_read = kept > 0 && !(by_rows && encoding == Encoding::Compact);
        let known = is_read.then(|| Directory::open(writer.directory())).transpose()?;
        let is_whole = encoding == Encoding::Raw || matches!(builder, Builder::RowSweeps | Builder::Sweep { .. });
        let (queue, encoded) = sync_channel::<EncodedLayer>(0);
        let directory = writer.directory().to_owned();
        let place = directory.clone();
        let write_all = move || {
            let mut writer = writer;
            for layer in encoded {
                if let Err(error) = writer.put(layer) {
                    return (writer, Err(error));
                }
            }
            (writer, Ok(()))
        };
        let disk = thread::Builder::new().name("disk".to_owned()).spawn(write_all);
        let disk = disk.map_err(|error| FileError::io("start a thread to write", &directory, error))?;
        Ok(Pipeline {
            encoder,
            known,
            kept,
            parity,
            is_whole,
            directory: place,
            queue,
            disk,
            fault: Mutex::new(None),
            reading: Clock::default(),
        })
    }

    /// Waits until everything is on disk. If the build was stopped from here, this says why.
    ///
    /// # Errors
    /// If a layer could not be read, encoded or written.
    pub fn finish(self) -> Result<Written, FileError> {
        drop(self.queue);
        let (writer, written) = self.disk.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        if let Some(error) = self.fault.into_inner().unwrap_or_else(PoisonError::into_inner) {
            return Err(error);
        }
        written?;
        Ok(Written { writer, read: self.reading.read(), encode: self.encoder.spent() })
    }
}

impl Pipeline {
    /// Stops the build, and keeps why.
    fn halt(&self, error: FileError) -> Halt {
        *self.fault.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
        Halt
    }
}

impl Layers for Pipeline {
    fn ready(&self) -> usize {
        if self.known.is_some() { self.kept } else { 0 }
    }

    fn is_whole(&self) -> bool {
        self.is_whole
    }

    /// Beside the table, where there has to be room anyway.
    fn aside(&self) -> Option<&Path> {
        Some(&self.directory)
    }

    fn read(&self, seeds: usize, values: ValuesMut) -> Result<usize, Halt> {
        let read = |directory: &Directory| {
            let layer = directory.layer(seeds)?;
            // The build looks at what stops it before the next layer.
            layer.read_into(values, &AtomicBool::new(false))?;
            Ok(layer.left_out())
        };
        let known = self.known.as_ref().ok_or(Halt)?;
        self.reading.count(|| read(known)).map_err(|error| self.halt(error))
    }

    fn wants(&self, seeds: usize) -> bool {
        self.parity.number(seeds).is_some_and(|number| number >= self.kept)
    }

    fn finished(&self, seeds: usize, values: Values) -> Result<(), Halt> {
        let encoded = self.encoder.encode(seeds, values).map_err(|error| self.halt(error))?;
        // The disk's thread ends early only if it could not write.
        self.queue.send(encoded).map_err(|_| Halt)
    }
}

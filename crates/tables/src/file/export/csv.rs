//! Comma-separated values.

use std::fs::File;
use std::io::{BufWriter, Write as _};

use super::{Batch, Sink, columns};

pub(super) struct Csv {
    out: BufWriter<File>,
    pits: usize,
}

impl Csv {
    pub(super) fn new(mut out: BufWriter<File>, pits: usize) -> std::io::Result<Self> {
        writeln!(out, "{}", columns(pits).join(","))?;
        Ok(Csv { out, pits })
    }
}

impl Sink for Csv {
    fn write(&mut self, batch: &Batch) -> std::io::Result<()> {
        for ((pits, value), best) in batch.pits.chunks(2 * self.pits).zip(&batch.values).zip(&batch.best) {
            for pit in pits {
                write!(self.out, "{pit},")?;
            }
            writeln!(self.out, "{value},{best}")?;
        }
        Ok(())
    }

    fn finish(mut self: Box<Self>) -> std::io::Result<()> {
        self.out.flush()
    }
}

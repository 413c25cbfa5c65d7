//! Comma-separated values.

use std::fs::File;
use std::io::{BufWriter, Write as _};

use super::{Batch, Shape, Sink, letter};

pub(super) struct Csv {
    out: BufWriter<File>,
    shape: Shape,
}

impl Csv {
    pub(super) fn new(mut out: BufWriter<File>, shape: Shape) -> std::io::Result<Self> {
        writeln!(out, "{}", shape.columns().join(","))?;
        Ok(Csv { out, shape })
    }
}

impl Sink for Csv {
    fn write(&mut self, batch: &Batch) -> std::io::Result<()> {
        let mut movers = batch.movers.iter();
        for ((pits, value), best) in batch.pits.chunks(2 * self.shape.pits).zip(&batch.values).zip(&batch.best) {
            if let Some(&mover) = movers.next() {
                write!(self.out, "{},", letter(mover))?;
            }
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

//! NumPy's file format, version 1.0: a magic, a header that is a Python dictionary padded to 64 bytes, then the records.

use std::fs::File;
use std::io::{BufWriter, Write as _};

use super::{Batch, Shape, Sink, letter};

pub(super) struct Npy {
    out: BufWriter<File>,
    shape: Shape,
}

impl Npy {
    pub(super) fn new(mut out: BufWriter<File>, shape: Shape, positions: u64) -> std::io::Result<Self> {
        let mover = if shape.with_mover { "('mover', '|S1'), " } else { "" };
        let pits = shape.pits;
        let seeds = if shape.wide_pits() { "<u2" } else { "|u1" };
        let value = if shape.wide_values() { "<i2" } else { "|i1" };
        let fields = format!(
            "[{mover}('own', '{seeds}', ({pits},)), ('other', '{seeds}', ({pits},)), ('value', '{value}'), ('best', '|u1')]"
        );
        let mut header = format!("{{'descr': {fields}, 'fortran_order': False, 'shape': ({positions},), }}");
        // Magic, version and the length of the header take ten bytes; the line feed is part of the header.
        let whole = (10 + header.len() + 1).next_multiple_of(64);
        header += &" ".repeat(whole - 10 - header.len() - 1);
        header.push('\n');
        out.write_all(b"\x93NUMPY\x01\x00")?;
        out.write_all(&(header.len() as u16).to_le_bytes())?;
        out.write_all(header.as_bytes())?;
        Ok(Npy { out, shape })
    }
}

impl Sink for Npy {
    fn write(&mut self, batch: &Batch) -> std::io::Result<()> {
        let (mut movers, mut record) = (batch.movers.iter(), Vec::new());
        for ((pits, &value), &best) in batch.pits.chunks(2 * self.shape.pits).zip(&batch.values).zip(&batch.best) {
            if let Some(&mover) = movers.next() {
                self.out.write_all(letter(mover).as_bytes())?;
            }
            record.clear();
            for pit in pits {
                let bytes = pit.to_le_bytes();
                record.extend_from_slice(if self.shape.wide_pits() { &bytes } else { &bytes[..1] });
            }
            let bytes = value.to_le_bytes();
            record.extend_from_slice(if self.shape.wide_values() { &bytes } else { &bytes[..1] });
            record.push(best);
            self.out.write_all(&record)?;
        }
        Ok(())
    }

    fn finish(mut self: Box<Self>) -> std::io::Result<()> {
        self.out.flush()
    }
}

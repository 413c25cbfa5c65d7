//! Apache Parquet: whole numbers of eight bits, a column each.

use std::fs::File;
use std::io::BufWriter;
use std::sync::Arc;

use parquet::basic::{LogicalType, Repetition, Type as Physical};
use parquet::data_type::Int32Type;
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::Type;

use super::{Batch, Sink, columns};

pub(super) struct Parquet {
    writer: SerializedFileWriter<BufWriter<File>>,
    pits: usize,
}

impl Parquet {
    pub(super) fn new(out: BufWriter<File>, pits: usize, about: &[(&'static str, String)]) -> std::io::Result<Self> {
        let fields = columns(pits).into_iter().map(|name| {
            let is_signed = name == "value";
            Type::primitive_type_builder(&name, Physical::INT32)
                .with_repetition(Repetition::REQUIRED)
                .with_logical_type(Some(LogicalType::integer(8, is_signed)))
                .build()
                .map(Arc::new)
        });
        let fields = fields.collect::<Result<_, _>>().map_err(as_io)?;
        let schema = Type::group_type_builder("positions").with_fields(fields).build().map_err(as_io)?;
        let about = about.iter().map(|(key, value)| KeyValue::new(format!("lumbung.{key}"), value.clone())).collect();
        let properties = WriterProperties::builder().set_key_value_metadata(Some(about)).build();
        let writer = SerializedFileWriter::new(out, Arc::new(schema), Arc::new(properties)).map_err(as_io)?;
        Ok(Parquet { writer, pits })
    }

    fn group(&mut self, batch: &Batch) -> Result<(), ParquetError> {
        let mut group = self.writer.next_row_group()?;
        let width = 2 * self.pits;
        for column in 0..width + 2 {
            let numbers: Vec<i32> = if column < width {
                batch.pits.iter().skip(column).step_by(width).map(|&seeds| i32::from(seeds)).collect()
            } else if column == width {
                batch.values.iter().map(|&value| i32::from(value)).collect()
            } else {
                batch.best.iter().map(|&pit| i32::from(pit)).collect()
            };
            if let Some(mut writer) = group.next_column()? {
                writer.typed::<Int32Type>().write_batch(&numbers, None, None)?;
                writer.close()?;
            }
        }
        group.close().map(|_| ())
    }
}

impl Sink for Parquet {
    fn write(&mut self, batch: &Batch) -> std::io::Result<()> {
        self.group(batch).map_err(as_io)
    }

    fn finish(self: Box<Self>) -> std::io::Result<()> {
        self.writer.close().map(|_| ()).map_err(as_io)
    }
}

/// The system's error if there is one inside, so that a full disk is called that.
fn as_io(error: ParquetError) -> std::io::Error {
    match error {
        ParquetError::External(inner) => match inner.downcast::<std::io::Error>() {
            Ok(error) => *error,
            Err(inner) => std::io::Error::other(inner),
        },
        error => std::io::Error::other(error),
    }
}

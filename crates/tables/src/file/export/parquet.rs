//! Apache Parquet: whole numbers of eight or sixteen bits, a column each, and a text for who is to move.

use std::fs::File;
use std::io::BufWriter;
use std::sync::Arc;

use parquet::basic::{LogicalType, Repetition, Type as Physical};
use parquet::data_type::{ByteArray, ByteArrayType, Int32Type};
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::Type;

use super::{Batch, Shape, Sink, letter};

pub(super) struct Parquet {
    writer: SerializedFileWriter<BufWriter<File>>,
    shape: Shape,
}

impl Parquet {
    pub(super) fn new(out: BufWriter<File>, shape: Shape, about: &[(&'static str, String)]) -> std::io::Result<Self> {
        let fields = shape.columns().into_iter().map(|name| {
            let (physical, logical) = match name.as_str() {
                "mover" => (Physical::BYTE_ARRAY, LogicalType::String),
                "value" => (Physical::INT32, LogicalType::integer(if shape.wide_values() { 16 } else { 8 }, true)),
                "best" => (Physical::INT32, LogicalType::integer(8, false)),
                _ => (Physical::INT32, LogicalType::integer(if shape.wide_pits() { 16 } else { 8 }, false)),
            };
            Type::primitive_type_builder(&name, physical)
                .with_repetition(Repetition::REQUIRED)
                .with_logical_type(Some(logical))
                .build()
                .map(Arc::new)
        });
        let fields = fields.collect::<Result<_, _>>().map_err(as_io)?;
        let schema = Type::group_type_builder("positions").with_fields(fields).build().map_err(as_io)?;
        let about = about.iter().map(|(key, value)| KeyValue::new(format!("lumbung.{key}"), value.clone())).collect();
        let properties = WriterProperties::builder().set_key_value_metadata(Some(about)).build();
        let writer = SerializedFileWriter::new(out, Arc::new(schema), Arc::new(properties)).map_err(as_io)?;
        Ok(Parquet { writer, shape })
    }

    fn group(&mut self, batch: &Batch) -> Result<(), ParquetError> {
        let mut group = self.writer.next_row_group()?;
        if self.shape.with_mover
            && let Some(mut writer) = group.next_column()?
        {
            let letters: Vec<ByteArray> = batch.movers.iter().map(|&mover| ByteArray::from(letter(mover))).collect();
            writer.typed::<ByteArrayType>().write_batch(&letters, None, None)?;
            writer.close()?;
        }
        let width = 2 * self.shape.pits;
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

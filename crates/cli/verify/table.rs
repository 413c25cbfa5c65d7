//! `verify --tables`: the endgame table that a certificate leans on.

use std::fs::File;
use std::path::Path;

use lumbung_engine::Position;
use lumbung_engine::kernel::{Kernel, Lanes, Visitor, dispatch};
use lumbung_proof::{Certificate, CertificateError, Options, TableError, TableName, Verdict, verify};
use lumbung_tables::file::verify::{self as whole, Method};
use lumbung_tables::file::{Directory, FileError, Probe};

use crate::exit::Failure;
use crate::report::hex;
use crate::units::count;
use crate::work::{Stop, Work};

/// Opens a table and refuses it, by name, if it is not the one that the certificate leans on, or if a file of it cannot be read: what
/// is not there says nothing about the certificate.
pub(super) fn open(path: &Path, certificate: &Certificate, named: TableName) -> Result<Directory, Failure> {
    let directory = Directory::open_for(path, certificate.rules(), certificate.owners()).map_err(Failure::new)?;
    if directory.digest() == &named.digest {
        for layer in &directory.manifest().layers {
            let file = path.join(&layer.file);
            File::open(&file).map_err(|error| Failure::new(format!("cannot read {}: {error}", file.display())))?;
            // It stays open, whatever becomes of its name. That it is damaged is a result, and told where it is checked.
            directory
                .header(layer.seeds)
                .map(|_| ())
                .or_else(|error| contents(&error).map(|_| ()).ok_or(Failure::new(&error)))?;
        }
        return Ok(directory);
    }
    let (is, wanted) = (hex(directory.digest()), hex(&named.digest));
    Err(Failure::new(format!(
        "{} is not the table that the certificate leans on: its digest (the first line of its table.toml) is {is}, and the certificate \
         names {wanted}",
        path.display()
    )))
}

/// What is wrong with the table's contents, if that is why it does not tell a value.
fn contents(error: &FileError) -> Option<String> {
    let by_contents = error.is_fault_of_the_table() || matches!(error, FileError::Seeds { .. } | FileError::Parity { .. });
    by_contents.then(|| error.to_string())
}

fn untold(error: FileError) -> TableError {
    contents(&error).map_or_else(|| TableError::Unreadable(error.to_string()), TableError::Contents)
}

/// Checks a certificate, with every bound that it takes from the table looked up there.
pub(super) fn with_values(
    directory: &Directory,
    certificate: &Certificate,
    options: Options<'_>,
) -> Result<Verdict, CertificateError> {
    let most = directory.index().max_seeds();
    let check = WithValues { directory, certificate, options };
    dispatch(directory.rules(), certificate.owners().pits(), most, certificate.owners(), check)
}

struct WithValues<'v> {
    directory: &'v Directory,
    certificate: &'v Certificate,
    options: Options<'v>,
}

impl Visitor for WithValues<'_> {
    type Output = Result<Verdict, CertificateError>;

    fn visit<B: Lanes>(self, kernel: Kernel<B>) -> Self::Output {
        let Some(probe) = Probe::<B>::new(self.directory) else { unreachable!("dispatch chose a board that fits the table") };
        let value = |position: &Position| {
            // A board of more seeds than the table has need not fit the lanes.
            self.directory.header(position.seeds_in_play()).map_err(untold)?;
            let (board, seat) = (kernel.pack(position), kernel.seat(position.to_move));
            probe.value(&board, seat).map_err(untold)
        };
        verify(self.certificate, Options { table: Some(&value), ..self.options })
    }
}

/// What came of checking a whole table.
pub(super) enum Table {
    /// All values are right; so many, and how that was seen.
    Right(u64, &'static str),
    Wrong(String),
    Stopped(lumbung_solver::StopReason),
}

/// Checks all digests of an open table, and all its values against the rules, in the half of the memory that is not the certificate's.
pub(super) fn check(directory: &Directory, work: &Work) -> Result<Table, Failure> {
    let stop = Stop::new(work);
    let told = |done, all| work.progress.tell(&format!("the table: {} of {} positions checked", count(done), count(all)));
    let memory = work.limits.memory - work.limits.memory / 2;
    let options = whole::Options { sample: None, seed: 0, memory, stop: &work.limits.interrupt, progress: &told };
    match whole::verify_open(directory, options) {
        Ok(whole::Report { fault: Some(fault), .. }) => Ok(Table::Wrong(fault.what)),
        Ok(report) => {
            let how = match report.method {
                Method::Moves | Method::MovesOnly => "each against its moves",
                Method::FinitePlay => "each against its moves, and as reached by finite play",
            };
            Ok(Table::Right(report.positions, how))
        }
        Err(FileError::Stopped) => Ok(Table::Stopped(stop.reason())),
        Err(error @ FileError::Memory { .. }) => {
            Err(Failure::new(format!("{error} (half of --memory: the other half is for the certificate)")))
        }
        Err(error) => Err(Failure::new(error)),
    }
}

//! `verify --tables`: the endgame table that a certificate leans on.

use std::path::Path;

use lumbung_engine::Position;
use lumbung_engine::kernel::{Kernel, Lanes, Visitor, dispatch};
use lumbung_proof::{Certificate, CertificateError, Options, TableName, Verdict, verify};
use lumbung_tables::file::verify::{self as whole, Method};
use lumbung_tables::file::{Directory, FileError, Probe};

use crate::exit::Failure;
use crate::solve::certificate::hex;
use crate::table::build::Stop;
use crate::units::count;
use crate::work::Work;

/// Opens a table and refuses it, by name, if it is not the one that the certificate leans on.
pub(super) fn open(path: &Path, certificate: &Certificate, named: TableName) -> Result<Directory, Failure> {
    let directory = Directory::open_for(path, certificate.rules(), certificate.owners()).map_err(Failure::new)?;
    if directory.digest() == &named.digest {
        return Ok(directory);
    }
    let (is, wanted) = (hex(directory.digest()), hex(&named.digest));
    Err(Failure::new(format!(
        "{} is not the table that the certificate leans on: its digest (the first line of its table.toml) is {is}, and the certificate \
         names {wanted}",
        path.display()
    )))
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
            self.directory.header(position.seeds_in_play()).map_err(|error| error.to_string())?;
            let (board, seat) = (kernel.pack(position), kernel.seat(position.to_move));
            probe.value(&board, seat).map_err(|error| error.to_string())
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

/// Checks all digests of a table, and all its values against the rules.
pub(super) fn check(directory: &Directory, work: &Work) -> Result<Table, Failure> {
    let stop = Stop::new(work);
    let told = |done, all| work.progress.tell(&format!("the table: {} of {} positions checked", count(done), count(all)));
    let options =
        whole::Options { sample: None, seed: 0, memory: work.limits.memory, stop: &work.limits.interrupt, progress: &told };
    match whole::verify(directory.path(), options) {
        Ok(whole::Report { fault: Some(fault), .. }) => Ok(Table::Wrong(fault.what)),
        Ok(report) => {
            let how = match report.method {
                Method::Moves | Method::MovesOnly => "each against its moves",
                Method::FinitePlay => "each against its moves, and as reached by finite play",
            };
            Ok(Table::Right(report.positions, how))
        }
        Err(FileError::Stopped) => Ok(Table::Stopped(stop.reason())),
        Err(error) => Err(Failure::new(error)),
    }
}

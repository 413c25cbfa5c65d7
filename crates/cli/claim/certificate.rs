//! Certificates of claims: what was found about best play, proven for those who do not trust the search.

use std::path::Path;

use lumbung_proof::{Certificate, CertificateError, Options, Verdict, verify};
use serde::Serialize;

use super::check::Checked;
use super::facts;
use crate::exit::Failure;
use crate::solve::certificate::{Written, write};
use crate::work::Work;

/// A certificate that was written and has been checked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(super) struct Proof {
    /// The file's name, beside the result.
    pub(super) file: String,
    /// Positions it rests on.
    pub(super) entries: u64,
}

/// Writes `<id>.lumcert` to a directory and checks it, for a claim about the best play from one position; of others there is nothing
/// to be proven in this way.
///
/// # Errors
/// If the file cannot be written; and if it does not prove what it should, which is a defect.
pub(super) fn prove(checked: &Checked, directory: &Path, work: &Work) -> Result<Option<Proof>, Failure> {
    let [cell] = &checked.own().cells[..] else { return Ok(None) };
    let Some(solution) = &cell.solution else { return Ok(None) };
    let file = format!("{}.lumcert", checked.claim.id);
    let path = directory.join(&file);
    let options = facts::options(checked.claim.needs_margin(), &work.limits);
    let Written::Done(_) = write(&path, &cell.start, &options, solution, work)? else { return Ok(None) };
    let certificate = Certificate::open(&path, work.limits.memory).map_err(Failure::new)?;
    let stop = || work.limits.exceeded(0).is_some();
    let progress = |entries| work.progress.say(format!("{entries} entries checked"));
    match verify(&certificate, Options { stop: &stop, progress: &progress, table: None }) {
        // What was not checked is not left behind as a proof.
        Err(CertificateError::Stopped) => std::fs::remove_file(&path).map(|()| None).map_err(Failure::new),
        Err(error) => Err(Failure::new(error)),
        Ok(Verdict::Proven) => Ok(Some(Proof { file, entries: certificate.entries() })),
        Ok(verdict) => Err(Failure::Defect(format!("{}: the certificate proves nothing: {verdict:?}", path.display()))),
    }
}

//! Certificates: which there are, what they prove, and whether they do.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use lumbung_proof::{Certificate, CertificateError, Options, Verdict as Checked, verify};
use serde::Serialize;

use super::answer::{Refusal, text, under_its_name};
use super::app::App;
use super::params::Params;
use crate::report::{RulesReport, hex};
use crate::verify::ClaimReport;

/// A certificate that is open.
#[derive(Debug)]
pub(super) struct Proof {
    pub(super) id: String,
    path: PathBuf,
    pub(super) certificate: Certificate,
    /// What came of checking it, once it has been.
    verdict: Mutex<Option<Verdict>>,
}

/// What came of a check.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
struct Verdict {
    status: Status,
    /// Positions that it leaves to an endgame table, as far as it was checked.
    leaves: Option<u64>,
    /// What is wrong, if something is.
    fault: Option<String>,
}

/// As `lumbung verify` has them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
enum Status {
    /// It proves what it claims.
    Valid,
    /// If the endgame table that it leans on is right.
    Provided,
    /// It proves nothing.
    Invalid,
}

impl Verdict {
    fn valid() -> Verdict {
        Verdict { status: Status::Valid, leaves: Some(0), fault: None }
    }

    fn invalid(what: String) -> Verdict {
        Verdict { status: Status::Invalid, leaves: None, fault: Some(what) }
    }
}

impl Proof {
    pub(super) fn new(id: String, path: PathBuf, certificate: Certificate) -> Proof {
        Proof { id, path, certificate, verdict: Mutex::new(None) }
    }

    /// What is wrong with it, under its name here: where it lies on this machine is nobody's business.
    pub(super) fn told(&self, error: &CertificateError) -> Refusal {
        Refusal::defect(under_its_name(&error.to_string(), &self.path, &self.id))
    }

    fn verdict(&self) -> Option<Verdict> {
        // It is assigned as a whole, whoever panicked.
        self.verdict.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Checks every entry; nothing if it was stopped.
    fn check(&self, stop: &(dyn Fn() -> bool + Sync)) -> Result<Option<Verdict>, Refusal> {
        let verdict = match verify(&self.certificate, Options { stop, progress: &|_| {}, table: None }) {
            Ok(Checked::Proven) => Verdict::valid(),
            Ok(Checked::Provided { leaves }) => Verdict { status: Status::Provided, leaves: Some(leaves), fault: None },
            Ok(Checked::Refuted(fault)) => Verdict::invalid(format!("{}: {}", fault.position, fault.why)),
            Err(CertificateError::Stopped) => return Ok(None),
            Err(CertificateError::Damaged { what, .. }) => Verdict::invalid(what),
            Err(error) => return Err(self.told(&error)),
        };
        *self.verdict.lock().unwrap_or_else(PoisonError::into_inner) = Some(verdict.clone());
        Ok(Some(verdict))
    }
}

/// What is said of a certificate. Where it lies on this machine is nobody's business.
#[derive(Serialize)]
struct About {
    id: String,
    file: String,
    rules: RulesReport,
    /// What it says that it proves.
    claims: Vec<ClaimReport>,
    entries: u64,
    written_by: String,
    /// Whether it does prove that by itself; nothing until somebody has asked for this certificate.
    valid: Option<bool>,
    status: Option<Status>,
    /// The endgame table that it names.
    table: Option<Leaning>,
    fault: Option<String>,
}

/// An endgame table that a certificate leans on. It is not looked at here.
#[derive(Serialize)]
struct Leaning {
    digest: String,
    /// The most seeds of a position that is left to it.
    seeds: u16,
    /// So many are.
    leaves: Option<u64>,
}

impl About {
    fn new(proof: &Proof, verdict: Option<Verdict>) -> About {
        let certificate = &proof.certificate;
        let claims = certificate.claims().iter();
        About {
            id: proof.id.clone(),
            file: proof.path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default(),
            rules: RulesReport::of(certificate.rules()),
            claims: claims.map(|claim| ClaimReport::new(certificate.rules(), claim)).collect(),
            entries: certificate.entries(),
            written_by: certificate.program().to_owned(),
            valid: verdict.as_ref().map(|verdict| verdict.status == Status::Valid),
            status: verdict.as_ref().map(|verdict| verdict.status),
            table: certificate.table().map(|table| Leaning {
                digest: hex(&table.digest),
                seeds: table.seeds,
                leaves: verdict.as_ref().and_then(|verdict| verdict.leaves),
            }),
            fault: verdict.and_then(|verdict| verdict.fault),
        }
    }
}

#[derive(Serialize)]
struct Certificates {
    certificates: Vec<About>,
}

/// All certificates.
pub(super) fn all(app: &App, query: Option<&str>) -> Result<String, Refusal> {
    Params::parse(query, &[])?;
    let certificates = app.certificates.iter().map(|proof| About::new(proof, proof.verdict())).collect();
    text("lumbung/api-certificates/1", &Certificates { certificates })
}

#[derive(Serialize)]
struct One {
    certificate: About,
}

/// One certificate, checked as far as the time allows.
pub(super) async fn one(app: Arc<App>, id: String, query: Option<String>) -> Result<String, Refusal> {
    let params = Params::parse(query.as_deref(), &[&["limit"]])?;
    let limit = params.limit(app.desk.limit)?;
    let mut verdict = app.certificate(&id)?.verdict();
    if verdict.is_none() {
        let (asked, name) = (Arc::clone(&app), id.clone());
        let checked = app.desk.search(limit, None, move |limits| {
            // Somebody else may have had it checked meanwhile.
            let proof = asked.certificate(&name)?;
            match proof.verdict() {
                Some(verdict) => Ok(Some(verdict)),
                None => proof.check(&|| limits.exceeded(0).is_some()),
            }
        });
        verdict = checked.await?.found;
    }
    let certificate = About::new(app.certificate(&id)?, verdict);
    text("lumbung/api-certificate/1", &One { certificate })
}

//! Certificates: which there are, what they prove, and whether they do.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use lumbung_proof::{Certificate, CertificateError, Options, Verdict as Checked, verify};
use serde::Serialize;

use super::answer::{Refusal, text};
use super::app::App;
use super::params::Params;
use crate::report::RulesReport;
use crate::solve::certificate::hex;
use crate::units::counted;
use crate::verify::{ClaimReport, rules_report};

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
    valid: bool,
    /// What is wrong, if something is.
    fault: Option<String>,
}

impl Proof {
    pub(super) fn new(id: String, path: PathBuf, certificate: Certificate) -> Proof {
        Proof { id, path, certificate, verdict: Mutex::new(None) }
    }

    /// What is wrong with it, under its name here: where it lies on this machine is nobody's business.
    pub(super) fn told(&self, error: &CertificateError) -> Refusal {
        Refusal::defect(error.to_string().replace(&self.path.display().to_string(), &self.id))
    }

    fn verdict(&self) -> Option<Verdict> {
        // It is assigned as a whole, whoever panicked.
        self.verdict.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Checks every entry; nothing if it was stopped.
    fn check(&self, stop: &(dyn Fn() -> bool + Sync)) -> Result<Option<Verdict>, Refusal> {
        let verdict = match verify(&self.certificate, Options { stop, progress: &|_| {}, table: None }) {
            Ok(Checked::Proven) => Verdict { valid: true, fault: None },
            Ok(Checked::Provided { leaves }) => {
                let digest = self.certificate.table().map(|table| hex(&table.digest)).unwrap_or_default();
                let leaves = counted(leaves, "position");
                let fault = format!(
                    "not by itself: it leans on {leaves} of the endgame table of digest {digest}; lumbung verify --tables checks both"
                );
                Verdict { valid: false, fault: Some(fault) }
            }
            Ok(Checked::Refuted(fault)) => Verdict { valid: false, fault: Some(format!("{}: {}", fault.position, fault.why)) },
            Err(CertificateError::Stopped) => return Ok(None),
            Err(CertificateError::Damaged { what, .. }) => Verdict { valid: false, fault: Some(what) },
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
    /// Whether it does prove that; nothing until somebody has asked for this certificate.
    valid: Option<bool>,
    fault: Option<String>,
}

impl About {
    fn new(proof: &Proof, verdict: Option<Verdict>) -> About {
        let certificate = &proof.certificate;
        let claims = certificate.claims().iter();
        About {
            id: proof.id.clone(),
            file: proof.path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default(),
            rules: rules_report(certificate.rules()),
            claims: claims.map(|claim| ClaimReport::new(certificate.rules(), claim)).collect(),
            entries: certificate.entries(),
            written_by: certificate.program().to_owned(),
            valid: verdict.as_ref().map(|verdict| verdict.valid),
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

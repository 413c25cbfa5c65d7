//! `verify`: is a certificate a proof?

mod strategy;
mod table;

use std::path::PathBuf;

use clap::Args;
use lumbung_engine::RuleSet;
use lumbung_proof::{Certificate, CertificateError, Claim, Fault, Options, TableError, Verdict as Checked, verify};
use lumbung_solver::StopReason;
use lumbung_tables::file::Directory;
use serde::Serialize;

use crate::args::Common;
use crate::exit::{Exit, Failure};
use crate::layout;
use crate::output::{self, STRONG, styled};
use crate::report::{self, RulesReport, board_of, hex};
use crate::rules::Chosen;
use crate::units::{count, counted};
use crate::work::{self, Work};

const AFTER: &str = "\
Examples:
  lumbung solve dakon --certificate dakon.lumcert   prove South's margin on the standard board
  lumbung verify dakon.lumcert                      check every position of the proof
  lumbung verify dakon.lumcert --explain            play it: what to do on every board
  lumbung verify dakon.lumcert --explain --out dakon.html
  lumbung verify kalah.lumcert --tables k14         with the endgame table that it leans on

A certificate lists positions, each with a bound on what the player to move still gains. Every one
is checked against the rules by the referee, which plays one seed at a time; no search takes part.
A certificate may leave endgames to a table, which it then names by its digest. Without --tables it is
said what it proves if that table is right; with it, every value of the table is checked as well.
Exit code 0: it proves what it claims; 1: it does not, or it or its table is damaged; 2: the table is
another one, or cannot be read; 3: it proves what it claims if its table is right, and that was not looked at.";

/// Check a certificate, and print what it proves
#[derive(Debug, Args)]
#[command(after_help = AFTER)]
pub(crate) struct VerifyArgs {
    /// A certificate; it is refused if rules are asked for (--rules, --reading, --set) that are not its own
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Check the endgame table that the certificate leans on, and look up there what it takes from it
    #[arg(long, value_name = "DIR")]
    tables: Option<PathBuf>,
    /// Print the proof as a strategy that a person can play
    #[arg(long, conflicts_with = "json")]
    explain: bool,
    /// Write the strategy to this file, as a page if it ends in .html, otherwise as Markdown
    #[arg(long, value_name = "FILE", requires = "explain")]
    out: Option<PathBuf>,
}

/// The document of `verify`.
#[derive(Serialize)]
struct Document {
    certificate: String,
    valid: bool,
    /// `valid`, `provided` that the table is right, `invalid` or `stopped`.
    status: &'static str,
    /// The endgame table that it leans on.
    table: Option<TableReport>,
    /// What is proven: one claim, or several; nothing unless the certificate is valid.
    proves: Option<Proves>,
    /// What the certificate says that it proves.
    claims: Vec<ClaimReport>,
    rules: Option<RulesReport>,
    entries: u64,
    written_by: Option<String>,
    fault: Option<FaultReport>,
    stopped: Option<&'static str>,
    threads: usize,
    seconds: f64,
    /// A table that was given and is not needed.
    #[serde(skip)]
    needless: Option<String>,
}

#[derive(Clone, Serialize)]
struct TableReport {
    digest: String,
    /// The most seeds of a position whose bound is that of the table.
    seeds: u16,
    /// Positions whose bounds are those of the table, as far as they were counted.
    leaves: Option<u64>,
    /// Where it is, if it was looked at.
    directory: Option<String>,
    /// How many of its values were checked, which is all of them.
    checked: Option<u64>,
    #[serde(skip)]
    how: Option<&'static str>,
}

#[derive(Clone, Serialize)]
#[serde(untagged)]
enum Proves {
    One(ClaimReport),
    Several(Vec<ClaimReport>),
}

/// What a certificate says that it proves.
#[derive(Clone, Serialize)]
pub(crate) struct ClaimReport {
    game: String,
    board: Option<String>,
    position: String,
    player: &'static str,
    bound: i32,
}

#[derive(Clone, Serialize)]
struct FaultReport {
    entry: Option<u64>,
    position: Option<String>,
    what: String,
}

pub(crate) fn run(args: &VerifyArgs, common: &Common) -> Result<Exit, Failure> {
    let work = Work::begin(common, None)?;
    let opened = damage(Certificate::open(&args.file, work.limits.memory / 2))?;
    if let Ok(certificate) = &opened {
        must_be_of(certificate, common)?;
    }
    let table = match &opened {
        Ok(certificate) => {
            certificate.table().zip(args.tables.as_ref()).map(|(named, path)| table::open(path, certificate, named))
        }
        Err(_) => None,
    };
    let table = table.transpose()?;
    let verdict = match &opened {
        Ok(certificate) => check(certificate, table.as_ref(), &work)?,
        Err(what) => Verdict::damaged(what),
    };
    work.progress.finish();
    let certificate = opened.ok();
    let document = Document::new(args, certificate.as_ref(), &verdict, &work);
    if common.json {
        output::json("lumbung/verify/1", &document)?;
    } else {
        output::text(&document.page())?;
    }
    let holds = matches!(verdict, Verdict::Valid(_) | Verdict::Provided { .. });
    if let (true, true, Some(certificate)) = (args.explain, holds, &certificate) {
        strategy::tell(certificate, args.out.as_deref())?;
    }
    Ok(match verdict {
        Verdict::Valid(_) => Exit::Done,
        Verdict::Provided { .. } => Exit::Unsettled,
        Verdict::Invalid(_) => Exit::Refuted,
        Verdict::Stopped(reason) => work::exit(false, reason),
    })
}

/// What came of the check.
enum Verdict {
    /// With what was checked of a table.
    Valid(Option<TableChecked>),
    /// If the table is right about so many positions.
    Provided {
        leaves: u64,
    },
    Invalid(FaultReport),
    Stopped(Option<StopReason>),
}

/// A table that was checked, and looked at for so many positions.
struct TableChecked {
    leaves: u64,
    values: u64,
    how: &'static str,
}

impl Verdict {
    fn damaged(what: &str) -> Verdict {
        Verdict::Invalid(FaultReport { entry: None, position: None, what: what.to_owned() })
    }
}

/// Parts the file that is damaged, which is a result, from the one that cannot be read, which is bad input.
fn damage<T>(result: Result<T, CertificateError>) -> Result<Result<T, String>, Failure> {
    match result {
        Ok(good) => Ok(Ok(good)),
        Err(CertificateError::Damaged { what, .. }) => Ok(Err(what)),
        Err(error @ CertificateError::Table(TableError::Contents(_))) => Ok(Err(error.to_string())),
        Err(error) => Err(Failure::new(error)),
    }
}

fn check(certificate: &Certificate, table: Option<&Directory>, work: &Work) -> Result<Verdict, Failure> {
    let all = certificate.entries();
    let stop = || work.limits.exceeded(0).is_some();
    let progress = |done| work.progress.tell(&format!("{} of {} checked", count(done), counted(all, "position")));
    let options = Options { stop: &stop, progress: &progress, table: None };
    let checked = match table {
        Some(directory) => table::with_values(directory, certificate, options),
        None => verify(certificate, options),
    };
    if matches!(checked, Err(CertificateError::Stopped)) {
        return Ok(Verdict::Stopped(work.limits.exceeded(0)));
    }
    let leaves = match damage(checked)? {
        Ok(Checked::Proven) => return Ok(Verdict::Valid(None)),
        Ok(Checked::Provided { leaves }) => leaves,
        Ok(Checked::Refuted(fault)) => return Ok(Verdict::Invalid(FaultReport::from(&fault))),
        Err(what) => return Ok(Verdict::damaged(&what)),
    };
    let Some(directory) = table else { return Ok(Verdict::Provided { leaves }) };
    Ok(match table::check(directory, work)? {
        table::Table::Right(values, how) => Verdict::Valid(Some(TableChecked { leaves, values, how })),
        table::Table::Wrong(what) => Verdict::damaged(&format!("the table that it leans on: {what}")),
        table::Table::Stopped(reason) => Verdict::Stopped(Some(reason)),
    })
}

impl From<&Fault> for FaultReport {
    fn from(fault: &Fault) -> Self {
        let what = match fault.entry {
            Some(_) => format!("the player to move gains {}: {}", fault.bound, fault.why),
            None => fault.why.to_string(),
        };
        FaultReport { entry: fault.entry, position: Some(fault.position.to_string()), what }
    }
}

/// Refuses a certificate of other rules than those that were asked for, if any were.
fn must_be_of(certificate: &Certificate, common: &Common) -> Result<(), Failure> {
    let rules = certificate.rules();
    let game = match (&common.rules, common.readings.is_empty() && common.set.is_empty()) {
        (None, true) => return Ok(()),
        (None, false) => Some(rules.name.as_str()),
        (Some(_), _) => None,
    };
    let asked = Chosen::new(game, common)?;
    if asked.rules.fingerprint() == rules.fingerprint() {
        return Ok(());
    }
    let differences: Vec<String> = asked.rules.differences(rules).iter().map(ToString::to_string).collect();
    Err(Failure::new(format!("the certificate is of other rules than those asked for: {}", differences.join("; "))))
}

impl Document {
    fn new(args: &VerifyArgs, certificate: Option<&Certificate>, verdict: &Verdict, work: &Work) -> Document {
        let claims: Vec<ClaimReport> = certificate.map_or_else(Vec::new, |certificate| {
            certificate.claims().iter().map(|claim| ClaimReport::new(certificate.rules(), claim)).collect()
        });
        let valid = matches!(verdict, Verdict::Valid(_));
        let named = certificate.and_then(Certificate::table);
        let checked = match verdict {
            Verdict::Valid(Some(checked)) => Some(checked),
            _ => None,
        };
        let leaves = match verdict {
            Verdict::Provided { leaves } => Some(*leaves),
            // It names a table and leaves nothing to it.
            Verdict::Valid(None) => named.map(|_| 0),
            _ => checked.map(|checked| checked.leaves),
        };
        let idle = leaves == Some(0);
        Document {
            certificate: args.file.display().to_string(),
            valid,
            status: match verdict {
                Verdict::Valid(_) => "valid",
                Verdict::Provided { .. } => "provided",
                Verdict::Invalid(_) => "invalid",
                Verdict::Stopped(_) => "stopped",
            },
            table: named.map(|named| TableReport {
                digest: hex(&named.digest),
                seeds: named.seeds,
                leaves,
                directory: args.tables.as_ref().filter(|_| !idle).map(|path| path.display().to_string()),
                checked: checked.map(|checked| checked.values),
                how: checked.map(|checked| checked.how),
            }),
            proves: valid.then(|| match &claims[..] {
                [one] => Proves::One(one.clone()),
                several => Proves::Several(several.to_vec()),
            }),
            claims,
            rules: certificate.map(|certificate| RulesReport::of(certificate.rules())),
            entries: certificate.map_or(0, Certificate::entries),
            written_by: certificate.map(|certificate| certificate.program().to_owned()),
            fault: match verdict {
                Verdict::Invalid(fault) => Some(fault.clone()),
                _ => None,
            },
            stopped: match verdict {
                Verdict::Stopped(reason) => reason.map(work::word),
                _ => None,
            },
            threads: rayon::current_num_threads(),
            seconds: work.seconds(),
            needless: args.tables.as_ref().filter(|_| named.is_none() || idle).map(|path| path.display().to_string()),
        }
    }

    /// What is said of the table.
    fn table_words(&self, table: &TableReport) -> String {
        let TableReport { digest, seeds, leaves, directory, checked, how } = table;
        let table = format!("the endgame table of digest {digest}");
        let of = match leaves.map(count) {
            Some(_) if *leaves == Some(0) => {
                return format!("It names {table}, but leaves no position to it: it is a proof by itself.");
            }
            Some(leaves) => format!("{leaves} of these are values of {table}, with up to {seeds} seeds in play"),
            None => format!("It names {table}, for positions with up to {seeds} seeds in play"),
        };
        match (directory, checked.zip(*how)) {
            (Some(directory), Some((values, how))) => {
                format!(
                    "{of}. It is the one in {directory}, and all of its {} were checked too: {how}.",
                    counted(values, "value")
                )
            }
            (Some(_), None) => format!("{of}."),
            (None, _) => {
                let file = crate::rules::quoted(&self.certificate);
                format!("{of}. Its values were not looked at; lumbung verify {file} --tables DIR checks them as well.")
            }
        }
    }

    fn page(&self) -> String {
        let mut page = match (&self.fault, self.valid) {
            (_, true) => format!("{}\n", styled(STRONG, "Valid. It proves:")),
            (Some(fault), _) => {
                let at = match (fault.entry, &fault.position) {
                    (Some(entry), Some(position)) => format!("entry {}, {position}: ", count(entry)),
                    (None, Some(position)) => format!("the claim about {position}: "),
                    _ => String::new(),
                };
                let verdict = styled(STRONG, "Invalid: it proves nothing.");
                format!("{verdict}\n{}It says, without proof:\n", layout::paragraphs(&format!("{at}{}", fault.what), "  "))
            }
            (None, false) if self.status == "provided" => {
                let provided = "Valid, provided that the endgame table it leans on is right. If so, it proves:";
                format!("{}\n", styled(STRONG, provided))
            }
            (None, false) => format!("{}\nIt says, not yet checked:\n", styled(STRONG, "Not checked to the end.")),
        };
        if self.claims.is_empty() {
            page = page.lines().next().unwrap_or_default().to_owned() + "\n";
            page += &layout::paragraphs(self.fault.as_ref().map_or("", |fault| &fault.what), "  ");
            return page;
        }
        for claim in &self.claims {
            page += &layout::paragraphs(&claim.sentence(), "  ");
        }
        let rules = self.rules.as_ref().map_or_else(String::new, rules_words);
        let entries = counted(self.entries, "position");
        page += &format!("\nRules: {rules}\nIt rests on {entries}, checked in {}.\n", work::time(self.seconds));
        if let Some(directory) = &self.needless {
            page += &format!("It leans on no endgame table; the values in {directory} were not looked at.\n");
        }
        page + &self.table.as_ref().map_or_else(String::new, |table| layout::paragraphs(&self.table_words(table), ""))
    }
}

impl ClaimReport {
    pub(crate) fn new(rules: &RuleSet, claim: &Claim) -> ClaimReport {
        ClaimReport {
            game: rules.name.clone(),
            board: board_of(&claim.start).map(|board| board.to_string()),
            position: claim.start.to_string(),
            player: report::side(claim.player),
            bound: claim.bound,
        }
    }

    fn sentence(&self) -> String {
        let start = match &self.board {
            Some(board) => format!("on {board}"),
            None => format!("from {}", self.position),
        };
        let (player, other) = if self.player == "south" { ("South", "North") } else { ("North", "South") };
        let result = match self.bound {
            1.. => format!("ends at least {} ahead", self.bound),
            0 => "ends no worse than level".to_owned(),
            _ => format!("ends at most {} behind", -self.bound),
        };
        format!("In {} {start}, {player} {result}, whatever {other} plays.", self.game)
    }
}

/// Whose rules they are: the name that they give themselves proves nothing.
fn rules_words(report: &RulesReport) -> String {
    let fingerprint = &report.fingerprint;
    match (&report.game, &report.readings[..]) {
        (Some(game), []) => format!("{game}, as lumbung has them (fingerprint {fingerprint})"),
        (Some(game), readings) => format!("{game} under the reading {} (fingerprint {fingerprint})", readings.join(", ")),
        (None, _) => format!("of its own, under the name {:?} (fingerprint {fingerprint})", report.name),
    }
}

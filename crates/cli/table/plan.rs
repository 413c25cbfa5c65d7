//! `table plan`: what a table would take.

use clap::{Args, ValueEnum};
use lumbung_engine::{Owners, RuleSet};
use lumbung_tables::Index;
use lumbung_tables::build::{self, Builder};
use lumbung_tables::cyclic::{Aside, Parity, parity_allowed};
use lumbung_tables::file::{Encoding, check_room, compact_counts, stores_all};
use lumbung_tables::plain::BuildError;
use lumbung_tables::values::bytes_a_value;
use serde::Serialize;

use crate::args::Common;
use crate::exit::{Exit, Failure};
use crate::output::{self, STRONG, styled};
use crate::report::RulesReport;
use crate::rules::Chosen;
use crate::units::{self, bytes, count, counted};
use crate::work::{self, Work};

/// Which table.
#[derive(Debug, Args)]
pub(super) struct WhichArgs {
    /// One of the games that `lumbung games` lists; leave it out with --rules
    #[arg(value_name = "GAME")]
    game: Option<String>,
    /// Pits a row
    #[arg(long, value_name = "M", value_parser = units::pits, allow_hyphen_values = true)]
    pits: usize,
    /// The most seeds in play; the table has all positions with as many or fewer
    #[arg(long, value_name = "S", value_parser = units::table_seeds, allow_hyphen_values = true)]
    seeds: usize,
    /// Who owns which pit, one letter a pit in ring order, South's row first (san-yao: ssssssssnn); each player her own row if left out
    #[arg(long, value_name = "OWNERS")]
    owners: Option<Owners>,
    /// How values are written: a byte each (two in layers above 127 seeds), or in a bit and a half or so (no more than 255 seeds, or 127
    /// under rules by which seeds may stay unscored)
    #[arg(long, value_name = "ENCODING", value_enum, default_value_t = EncodingArg::Compact)]
    encoding: EncodingArg,
    /// Which layers: `even` or `odd` where all captures are even, so that a layer does not need those of the other parity (djenon-abe)
    #[arg(long, value_name = "PARITY", value_enum, default_value_t = ParityArg::All)]
    parity: ParityArg,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum EncodingArg {
    Raw,
    Compact,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum ParityArg {
    All,
    Even,
    Odd,
}

/// Say what a table would take: positions, bytes on disk, memory, time
#[derive(Debug, Args)]
pub(super) struct PlanArgs {
    #[command(flatten)]
    which: WhichArgs,
}

pub(super) fn run(args: &PlanArgs, common: &Common) -> Result<Exit, Failure> {
    let plan = Plan::new(&args.which, common)?;
    let work = Work::begin(common, None)?;
    let fitting = plan.fitting(work.limits.memory);
    if common.json {
        output::json("lumbung/table-plan/1", &plan.document(work.limits.memory, fitting))?;
    } else {
        let allowed = work.limits.memory;
        let mut page = plan.page(allowed);
        if !plan.fits(allowed) {
            page += &format!("{}.\n", plan.refusal(allowed, fitting));
        }
        output::text(&page)?;
    }
    Ok(Exit::Done)
}

/// What a table takes.
pub(super) struct Plan {
    pub(super) chosen: Chosen,
    pub(super) owners: Owners,
    pub(super) seeds: usize,
    pub(super) encoding: Encoding,
    pub(super) parity: Parity,
    pub(super) builder: Builder,
    pub(super) positions: u64,
    /// On disk, estimated.
    bytes: u64,
    memory: u64,
    /// What it takes where finished layers lie on disk until the build ends.
    aside: Option<Aside>,
    /// Bytes of memory for layers on their way to the disk.
    encoded: u64,
    /// The same where finished layers lie on disk meanwhile.
    encoded_aside: u64,
    /// Estimated.
    seconds: f64,
    threads: usize,
}

/// Estimates, from measurements on one machine: nanoseconds a position and thread.
const BY_ROWS: f64 = 6.0;
const BY_MOVES: f64 = 300.0;
const BY_ROW_SWEEPS: f64 = 40.0;
const BY_SWEEPS: f64 = 3_000.0;
const ENCODING: f64 = 20.0;
/// Bits a position of compact layers: where half of the values are left out, and where none are. Then bytes of a layer's models and header.
const COMPACT_BITS: f64 = 1.35;
const COMPACT_BITS_ALL: f64 = 3.4;
const COMPACT_FRONT: u64 = 2_000;

impl Plan {
    pub(super) fn new(which: &WhichArgs, common: &Common) -> Result<Plan, Failure> {
        let chosen = Chosen::new(which.game.as_deref(), common)?;
        let encoding = match which.encoding {
            EncodingArg::Raw => Encoding::Raw,
            EncodingArg::Compact => Encoding::Compact,
        };
        let threads = common.threads.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from));
        let parity = match which.parity {
            ParityArg::All => Parity::All,
            ParityArg::Even => Parity::Even,
            ParityArg::Odd => Parity::Odd,
        };
        if let Err(why) = parity_allowed(&chosen.rules, parity) {
            return Err(Failure::new(format!("--parity {}: in {chosen} {why}; --parity all", parity.name())));
        }
        let owners = which.owners.unwrap_or(Owners::rows(which.pits));
        if owners.pits() != which.pits {
            let named = 2 * owners.pits();
            return Err(Failure::new(format!("--owners {owners}: {named} owners, for {} pits", 2 * which.pits)));
        }
        Plan::of(chosen, owners, which.seeds, encoding, parity, threads)
    }

    fn of(
        chosen: Chosen,
        owners: Owners,
        seeds: usize,
        encoding: Encoding,
        parity: Parity,
        threads: usize,
    ) -> Result<Plan, Failure> {
        let built = build::plan_layers(&chosen.rules, owners, seeds, parity, threads).map_err(Failure::new)?;
        check_room(&chosen.rules, seeds, encoding).map_err(Failure::new)?;
        let layers = parity.layers(seeds) as u64;
        let bytes = match encoding {
            Encoding::Raw => built.bytes.checked_add((RAW_FRONT + RAW_FRONT_A_SEED * seeds as u64) * layers),
            Encoding::Compact => compact(&chosen.rules, owners, built.positions).checked_add(COMPACT_FRONT * layers),
        };
        let too_large = || Failure::new(BuildError::TooLarge { pits: owners.pits(), seeds });
        let bytes = bytes.ok_or_else(too_large)?;
        let each = match built.builder {
            Builder::Rows => BY_ROWS,
            Builder::Plain { .. } => BY_MOVES,
            Builder::RowSweeps => BY_ROW_SWEEPS,
            Builder::Sweep { .. } => BY_SWEEPS,
        };
        let seconds = built.positions as f64 * (each + ENCODING) / threads as f64 / 1e9;
        let Memory { memory, aside, encoded, encoded_aside } =
            memory(&chosen.rules, owners, seeds, (encoding, parity), threads).ok_or_else(too_large)?;
        Ok(Plan {
            chosen,
            owners,
            seeds,
            encoding,
            parity,
            builder: built.builder,
            positions: built.positions,
            bytes,
            memory,
            aside,
            encoded,
            encoded_aside,
            seconds,
            threads,
        })
    }

    /// Pits a row.
    pub(super) fn pits(&self) -> usize {
        self.owners.pits()
    }

    /// Whether so much memory suffices, be it that finished layers lie on disk meanwhile.
    pub(super) fn fits(&self, allowed: u64) -> bool {
        self.memory <= allowed || self.aside.is_some_and(|aside| aside.memory <= allowed)
    }

    /// What finished layers take on disk until the build ends, if so much memory does not suffice for all of them but for the rest.
    pub(super) fn on_disk_meanwhile(&self, allowed: u64) -> Option<u64> {
        self.aside.filter(|aside| self.memory > allowed && aside.memory <= allowed).map(|aside| aside.disk)
    }

    /// What is left for the build itself of so much memory.
    pub(super) fn for_the_build(&self, allowed: u64) -> u64 {
        if self.memory <= allowed {
            return allowed - self.encoded;
        }
        // Where all layers lie in memory an encoded one comes on top of them; there is no room for that, so the build gets less than it
        // would take for all.
        let all = self.memory - self.encoded;
        allowed.saturating_sub(self.encoded_aside).min(all.saturating_sub(1))
    }

    /// The most seeds that fit, if this many do not.
    pub(super) fn fitting(&self, allowed: u64) -> Option<usize> {
        let fits = |&seeds: &usize| {
            memory(&self.chosen.rules, self.owners, seeds, (self.encoding, self.parity), self.threads)
                .is_some_and(|memory| memory.least() <= allowed)
        };
        (0..=self.seeds).rev().find(fits)
    }

    /// Why it cannot be built, and what could.
    pub(super) fn refusal(&self, allowed: u64, fitting: Option<usize>) -> String {
        let enough = match fitting {
            Some(seeds) => format!("that is enough for {}", counted(seeds as u64, "seed")),
            None => "that is enough for no table at all".to_owned(),
        };
        format!(
            "a table of {} a row and {} takes {} of memory, and {} may be used; {enough} (see --memory)",
            counted(self.pits() as u64, "pit"),
            counted(self.seeds as u64, "seed"),
            bytes(self.aside.map_or(self.memory, |aside| aside.memory)),
            bytes(allowed)
        )
    }

    /// The plan for people.
    pub(super) fn page(&self, allowed: u64) -> String {
        let how = match &self.builder {
            Builder::Rows => String::new(),
            Builder::RowSweeps => {
                "Built by sweeps of rows until nothing changes: these rules can repeat a position.\n".to_owned()
            }
            Builder::Plain { why } => format!("Built move by move, which takes long: {why}.\n"),
            Builder::Sweep { why } => {
                format!("Built by sweeps of positions until nothing changes, which takes long: {why}.\n")
            }
        };
        let aside = self.on_disk_meanwhile(allowed).zip(self.aside).map_or(String::new(), |(disk, aside)| {
            format!(
                "Of that {} may be used. With {} on disk for finished layers until it is built, {} do.\n",
                bytes(allowed),
                bytes(disk),
                bytes(aside.memory)
            )
        });
        format!(
            "{}\n\n{}, about {} on disk ({})\n{} of memory, about {} on {}\n{aside}{how}",
            styled(
                STRONG,
                format!(
                    "{}, {} a row, up to {}{}{}",
                    self.chosen,
                    counted(self.pits() as u64, "pit"),
                    counted(self.seeds as u64, "seed"),
                    of_owners(self.owners.stated().as_deref()),
                    match self.parity {
                        Parity::All => String::new(),
                        parity => format!(", {} layers only", parity.name()),
                    }
                )
            ),
            counted(self.positions, "position"),
            bytes(self.bytes),
            self.encoding.name(),
            bytes(self.memory),
            work::time(self.seconds),
            counted(self.threads as u64, "thread"),
        )
    }

    /// Which table this is, for documents.
    pub(super) fn what(&self) -> What {
        What {
            game: self.chosen.rules.name.clone(),
            rules: self.chosen.report(),
            pits: self.pits(),
            owners: self.owners.stated(),
            seeds: self.seeds,
            encoding: self.encoding.name(),
            parity: self.parity,
            builder: builder(&self.builder),
        }
    }

    fn document(&self, allowed: u64, fitting: Option<usize>) -> Document {
        Document {
            what: self.what(),
            positions: self.positions,
            bytes: self.bytes,
            memory: self.memory,
            aside: self.aside.map(|Aside { memory, disk }| AsideDocument { memory, disk }),
            allowed,
            fits: self.fits(allowed),
            fitting_seeds: fitting,
            threads: self.threads,
            seconds: work::milliseconds(self.seconds),
        }
    }
}

/// Bytes of a raw layer's header: so many and so many a seed, for its histogram.
const RAW_FRONT: u64 = 400;
const RAW_FRONT_A_SEED: u64 = 5;

/// Bytes of compact layers with so many positions, estimated.
fn compact(rules: &RuleSet, owners: Owners, positions: u64) -> u64 {
    let bits = if stores_all(rules, owners) { COMPACT_BITS_ALL } else { COMPACT_BITS };
    (positions as f64 * bits / 8.0) as u64
}

/// What a build takes at its peak.
struct Memory {
    memory: u64,
    aside: Option<Aside>,
    /// Of these, what the build itself does not know of.
    encoded: u64,
    /// The same where finished layers lie on disk meanwhile.
    encoded_aside: u64,
}

impl Memory {
    /// The least that suffices.
    fn least(&self) -> u64 {
        self.aside.map_or(self.memory, |aside| aside.memory.min(self.memory))
    }
}

/// Bytes that the program itself takes, beside values and lists.
pub(super) const PROGRAM: u64 = 12 << 20;

/// A compact layer of so many positions is counted by one thread.
const ONE_THREAD: u64 = 200_000;

/// Peak memory: what the build takes beside two encoded layers, or the whole table beside its last two, and the program itself. `None` if there
/// is no such table or numbers do not go so far.
fn memory(rules: &RuleSet, owners: Owners, seeds: usize, how: (Encoding, Parity), threads: usize) -> Option<Memory> {
    let (encoding, parity) = how;
    let built = build::plan_layers(rules, owners, seeds, parity, threads).ok()?;
    // The numbers of a layer are no larger than those of the whole table, which the plan has counted; sums of them may be.
    let boards = |seeds| Index::count_layer(owners.pits(), seeds).unwrap_or(0);
    let positions = |seeds: Option<usize>| seeds.map_or(0, boards) * Index::seats_of(owners);
    let layer = |seeds: Option<usize>| seeds.map_or(0, |seeds| positions(Some(seeds)) * bytes_a_value(seeds));
    let encoded = |seeds: Option<usize>| match encoding {
        Encoding::Raw => layer(seeds),
        Encoding::Compact => {
            let boards = positions(seeds);
            // In larger layers every thread counts for itself.
            let counting =
                seeds.filter(|_| boards > ONE_THREAD).map_or(0, |seeds| compact_counts(rules, seeds) * (threads as u64 + 1));
            compact(rules, owners, boards) / 4 * 5 + counting.max(8 << 20)
        }
    };
    let (last, below, second) = (Some(seeds), seeds.checked_sub(1), seeds.checked_sub(2));
    // The builders that go by positions lend a copy of a layer.
    let copy = |seeds: Option<usize>| match built.builder {
        Builder::Rows | Builder::RowSweeps => 0,
        Builder::Plain { .. } | Builder::Sweep { .. } => layer(seeds),
    };
    if built.builder == Builder::RowSweeps {
        // While a layer is worked out the one before may still be on its way to the disk. When it is encoded, the marks of what has
        // changed, two bits a position, are gone.
        let below = encoded(below).checked_add(PROGRAM)?;
        let encoded = below.checked_add(encoded(last).saturating_sub(layer(last) / 4))?;
        let aside = built.aside.and_then(|aside| Some(Aside { memory: aside.memory.checked_add(encoded)?, ..aside }));
        // If the base is in memory, the encoded layer takes its place.
        return Some(Memory { memory: built.memory.checked_add(encoded)?, aside, encoded, encoded_aside: below });
    }
    let sum = |parts: [u64; 4]| parts.into_iter().try_fold(PROGRAM, u64::checked_add);
    let while_building = sum([built.memory, copy(below), encoded(below), encoded(second)])?;
    let in_the_end = sum([built.bytes, copy(last), encoded(last), encoded(below)])?;
    let memory = while_building.max(in_the_end);
    let encoded = memory.saturating_sub(built.memory);
    Some(Memory { memory, aside: None, encoded, encoded_aside: encoded })
}

/// The builder's name in documents.
fn builder(builder: &Builder) -> &'static str {
    match builder {
        Builder::Rows => "rows",
        Builder::Plain { .. } => "moves",
        Builder::RowSweeps => "row-sweeps",
        Builder::Sweep { .. } => "sweeps",
    }
}

/// Which table, and how it is built.
#[derive(Serialize)]
pub(super) struct What {
    game: String,
    rules: RulesReport,
    pits: usize,
    /// One letter a pit, where pits have other owners than their rows.
    owners: Option<String>,
    seeds: usize,
    encoding: &'static str,
    parity: Parity,
    builder: &'static str,
}

#[derive(Serialize)]
struct AsideDocument {
    memory: u64,
    disk: u64,
}

#[derive(Serialize)]
struct Document {
    #[serde(flatten)]
    what: What,
    positions: u64,
    bytes: u64,
    memory: u64,
    /// What it takes where finished layers lie on disk until it is built, if that can be.
    aside: Option<AsideDocument>,
    allowed: u64,
    fits: bool,
    fitting_seeds: Option<usize>,
    threads: usize,
    seconds: f64,
}

/// `, owners sssssssnnn`, or nothing.
pub(super) fn of_owners(owners: Option<&str>) -> String {
    owners.map_or(String::new(), |owners| format!(", owners {owners}"))
}

/// `12 of 30,421,755 positions`.
pub(super) fn of(done: u64, all: u64) -> String {
    format!("{} of {}", count(done), counted(all, "position"))
}

//! What long work may use, what stops it, and how a stopped command ends.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use lumbung_solver::{Limits, StopReason};
use sysinfo::System;

use crate::args::Common;
use crate::exit::{Exit, Failure};
use crate::progress::Shown;

/// Long work of a command: its limits, its progress and its clock.
pub(crate) struct Work {
    pub(crate) limits: Limits,
    pub(crate) progress: Shown,
    since: Instant,
}

impl Work {
    /// Listens for Ctrl-C and starts the clock, then reads the limits and sets up the threads.
    pub(crate) fn begin(common: &Common, nodes: Option<u64>) -> Result<Work, Failure> {
        // First of all, so that neither an interrupt nor time is lost to what follows.
        let interrupt = interrupt()?;
        let since = Instant::now();
        if let Some(threads) = common.threads {
            rayon::ThreadPoolBuilder::new()
                .num_threads(threads)
                .build_global()
                .map_err(|error| Failure::new(format!("cannot start {threads} threads: {error}")))?;
        }
        let limits = Limits {
            nodes,
            // A time beyond what the clock can hold is no limit.
            deadline: common.limit.and_then(|limit| since.checked_add(limit)),
            memory: common.memory.unwrap_or_else(half_of_what_is_free),
            interrupt,
        };
        Ok(Work { limits, progress: Shown::new(common.quiet), since })
    }

    /// The time since the work began.
    pub(crate) fn seconds(&self) -> f64 {
        milliseconds(self.since.elapsed().as_secs_f64())
    }
}

/// A flag that Ctrl-C raises, and whoever asks the program to end (SIGTERM, SIGHUP); the second time ends it at once.
fn interrupt() -> Result<Arc<AtomicBool>, Failure> {
    let flag = Arc::new(AtomicBool::new(false));
    let raised = Arc::clone(&flag);
    ctrlc::set_handler(move || {
        if raised.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
    })
    .map_err(|error| Failure::new(format!("cannot listen for Ctrl-C: {error}")))?;
    Ok(flag)
}

/// What to use where the system does not say how much memory is free.
const SOME_MEMORY: u64 = 1 << 30;

/// Half of the memory that this program could still get, by the system or by the limits of its container.
pub(crate) fn half_of_what_is_free() -> u64 {
    let Ok(mut system) = System::new() else { return SOME_MEMORY };
    system.refresh_memory();
    let contained = system.cgroup_limits().map_or(u64::MAX, |limits| limits.free_memory);
    match system.available_memory().min(contained) {
        0 => SOME_MEMORY,
        free => free / 2,
    }
}

/// Ends work at its deadline as an interrupt would.
pub(crate) struct Stop {
    late: Arc<AtomicBool>,
}

impl Stop {
    /// Watches the deadline of this work from now on.
    pub(crate) fn new(work: &Work) -> Stop {
        let late = Arc::new(AtomicBool::new(false));
        if let Some(deadline) = work.limits.deadline {
            let (late, interrupt) = (Arc::clone(&late), Arc::clone(&work.limits.interrupt));
            std::thread::spawn(move || {
                std::thread::sleep(deadline.saturating_duration_since(Instant::now()));
                late.store(true, Ordering::Relaxed);
                interrupt.store(true, Ordering::Relaxed);
            });
        }
        Stop { late }
    }

    /// What stopped it.
    pub(crate) fn reason(&self) -> StopReason {
        if self.late.load(Ordering::Relaxed) { StopReason::Time } else { StopReason::Interrupted }
    }

    /// How stopped work ends.
    pub(crate) fn exit(&self) -> Exit {
        if self.late.load(Ordering::Relaxed) { Exit::Unsettled } else { Exit::Interrupted }
    }
}

/// How a command ends: well if its question is settled, whatever stopped it afterwards.
pub(crate) fn exit(settled: bool, stopped: Option<StopReason>) -> Exit {
    match stopped {
        _ if settled => Exit::Done,
        Some(StopReason::Interrupted) => Exit::Interrupted,
        _ => Exit::Unsettled,
    }
}

/// A reason to stop, for documents.
pub(crate) fn word(stopped: StopReason) -> &'static str {
    match stopped {
        StopReason::Nodes => "nodes",
        StopReason::Time => "time",
        StopReason::Memory => "memory",
        StopReason::Interrupted => "interrupted",
    }
}

/// A reason to stop, for people.
pub(crate) fn why(stopped: Option<StopReason>) -> &'static str {
    match stopped {
        Some(StopReason::Nodes) => "the limit of positions (--nodes) was reached",
        Some(StopReason::Time) => "the time (--limit) was over",
        Some(StopReason::Memory) => "the memory (--memory) was full",
        Some(StopReason::Interrupted) => "it was interrupted",
        None => "the search gave up",
    }
}

/// Seconds as documents give them: to the millisecond.
pub(crate) fn milliseconds(seconds: f64) -> f64 {
    (seconds * 1000.0).round() / 1000.0
}

/// A time for people: `0.42 s`, `3 min 20 s`.
pub(crate) fn time(seconds: f64) -> String {
    if seconds < 60.0 {
        return format!("{seconds:.2} s");
    }
    let whole = seconds.round() as u64;
    match (whole / 3600, whole / 60 % 60, whole % 60) {
        (0, minutes, seconds) => format!("{minutes} min {seconds} s"),
        (hours, minutes, _) => format!("{hours} h {minutes} min"),
    }
}

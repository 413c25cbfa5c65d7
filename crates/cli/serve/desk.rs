//! Who may use the machine, and for how long.
//!
//! Every search has one thread, and only so many run at a time; the others wait in line, first come, first served. What a request may
//! take counts from its arrival, waiting included. When others wait, the time is shared: a search that began at `t` and may last until
//! `d` is stopped once it has had `(d - t) / (1 + w)`, with `w` the number of others waiting for each place. So the last in a
//! crowd still gets its turn, and whoever is alone gets all. A search stops as soon as its client has gone away.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use lumbung_solver::{Limits, StopReason};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::task::{JoinError, JoinHandle};
use tokio::time::{sleep, timeout, timeout_at};

use super::answer::Refusal;
use crate::work;

/// As many may wait for a search; whoever comes then is told to come again.
const MOST_WAITING: usize = 256;
/// Quick answers at a time, for each search at a time.
const QUICK: usize = 4;
/// How often it is looked whether a search has had its share.
const LOOK_EVERY: Duration = Duration::from_millis(10);
/// A search that was told to stop has so long to do so.
const GRACE: Duration = Duration::from_secs(5);

/// See the [module](self).
#[derive(Debug)]
pub(super) struct Desk {
    places: usize,
    searches: Arc<Semaphore>,
    quick: Arc<Semaphore>,
    waiting: AtomicUsize,
    /// Bytes a search may use.
    memory: u64,
    /// The time a request may take.
    pub(super) limit: Duration,
    closing: AtomicBool,
}

/// What became of a search.
pub(super) struct Searched<T> {
    pub(super) found: T,
    /// It was stopped so that others could search.
    pub(super) shared: bool,
    pub(super) seconds: f64,
}

impl Desk {
    /// A desk with so many places, and so many bytes for all of them together.
    pub(super) fn new(places: usize, memory: u64, limit: Duration) -> Desk {
        Desk {
            places,
            searches: Arc::new(Semaphore::new(places)),
            quick: Arc::new(Semaphore::new(QUICK * places)),
            waiting: AtomicUsize::new(0),
            memory: memory / places as u64,
            limit,
            closing: AtomicBool::new(false),
        }
    }

    /// Threads that may be at work at a time.
    pub(super) fn most_blocking(&self) -> usize {
        (QUICK + 1) * self.places + 1
    }

    /// Stops all searches, and lets none begin.
    pub(super) fn close(&self) {
        self.closing.store(true, Ordering::Relaxed);
        self.searches.close();
        self.quick.close();
    }

    /// Does something that takes no time to speak of, away from the threads that serve connections.
    pub(super) async fn quick<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> Result<T, Refusal> + Send + 'static,
    ) -> Result<T, Refusal> {
        let place = timeout(self.limit, Arc::clone(&self.quick).acquire_owned()).await;
        let place = place.map_err(|_| crowded())?.map_err(|_| closing())?;
        let done = timeout(self.limit.max(GRACE), on_thread(place, work)).await;
        joined(done.map_err(|_| Refusal::busy("this takes too long on such a board"))?)?
    }

    /// Searches, when its turn has come, at most for `limit` from now on.
    pub(super) async fn search<T: Send + 'static>(
        &self,
        limit: Duration,
        nodes: Option<u64>,
        work: impl FnOnce(Limits) -> Result<T, Refusal> + Send + 'static,
    ) -> Result<Searched<T>, Refusal> {
        let arrived = Instant::now();
        let deadline = arrived + limit.min(self.limit);
        let place = self.place(deadline).await?;
        let started = Instant::now();
        let flag = StopOnDrop(Arc::default());
        let limits = Limits { nodes, deadline: Some(deadline), memory: self.memory, interrupt: Arc::clone(&flag.0) };
        let mut running = on_thread(place, move || alone(|| work(limits))?);
        let mut shared = false;
        loop {
            tokio::select! {
                done = &mut running => {
                    let seconds = work::milliseconds(arrived.elapsed().as_secs_f64());
                    return Ok(Searched { found: joined(done)??, shared, seconds });
                }
                () = sleep(LOOK_EVERY) => {}
            }
            let others = self.waiting.load(Ordering::Relaxed).div_ceil(self.places) as u32;
            let share = deadline.saturating_duration_since(started) / (1 + others);
            if !shared && others > 0 && started.elapsed() >= share {
                shared = true;
                flag.0.store(true, Ordering::Relaxed);
            }
            if self.closing.load(Ordering::Relaxed) {
                return Err(closing());
            }
            if Instant::now() > deadline + GRACE {
                return Err(Refusal::busy("this search could not be stopped in time"));
            }
        }
    }

    /// Waits for a place.
    async fn place(&self, deadline: Instant) -> Result<OwnedSemaphorePermit, Refusal> {
        let _waits = Waits::join(&self.waiting)?;
        let place = timeout_at(deadline.into(), Arc::clone(&self.searches).acquire_owned()).await;
        place.map_err(|_| crowded())?.map_err(|_| closing())
    }
}

fn crowded() -> Refusal {
    Refusal::busy("too many requests at a time; come again in a while")
}

fn closing() -> Refusal {
    Refusal::busy("the server is about to end")
}

/// Somebody in the line, as long as she is there.
struct Waits<'w>(&'w AtomicUsize);

impl<'w> Waits<'w> {
    fn join(waiting: &'w AtomicUsize) -> Result<Self, Refusal> {
        let before = waiting.fetch_add(1, Ordering::Relaxed);
        let waits = Waits(waiting);
        if before >= MOST_WAITING { Err(crowded()) } else { Ok(waits) }
    }
}

impl Drop for Waits<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Tells a search to stop when nobody waits for it any more.
struct StopOnDrop(Arc<AtomicBool>);

impl Drop for StopOnDrop {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Runs on a thread that may block; the place is free again when it is done, not when it is no longer waited for.
fn on_thread<T: Send + 'static>(place: OwnedSemaphorePermit, work: impl FnOnce() -> T + Send + 'static) -> JoinHandle<T> {
    tokio::task::spawn_blocking(move || {
        let _place = place;
        work()
    })
}

/// What a thread has done; if it panicked, that has been told on standard error.
fn joined<T>(done: Result<T, JoinError>) -> Result<T, Refusal> {
    done.map_err(|_| Refusal::defect("internal error: the server has told of it on its standard error"))
}

/// Lets what uses all threads it can get use one.
fn alone<T: Send>(work: impl FnOnce() -> T + Send) -> Result<T, Refusal> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build();
    Ok(pool.map_err(|error| Refusal::busy(format!("cannot start a thread: {error}")))?.install(work))
}

impl<T> Searched<T> {
    /// Why it stopped, in a word.
    pub(super) fn word(&self, stopped: Option<StopReason>) -> Option<&'static str> {
        match stopped {
            Some(StopReason::Interrupted) if self.shared => Some("shared"),
            stopped => stopped.map(work::word),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn runtime() -> tokio::runtime::Runtime {
        tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().expect("a runtime")
    }

    /// Works until it is told to stop; says whether it was told before its time was over.
    fn work(limits: Limits) -> Result<bool, Refusal> {
        loop {
            match limits.exceeded(0) {
                None => std::thread::sleep(Duration::from_millis(1)),
                Some(reason) => return Ok(reason == StopReason::Interrupted),
            }
        }
    }

    #[test]
    fn a_crowd_shares_the_time_and_everybody_is_served() {
        let desk = Arc::new(Desk::new(2, 1 << 20, Duration::from_secs(2)));
        let served = runtime().block_on(async {
            let all: Vec<_> = (0..20)
                .map(|_| {
                    let desk = Arc::clone(&desk);
                    tokio::spawn(async move { desk.search(Duration::from_secs(2), None, work).await.map(|done| done.seconds) })
                })
                .collect();
            let mut served = Vec::new();
            for one in all {
                served.push(one.await.expect("no panic"));
            }
            served
        });
        for seconds in served {
            let seconds = seconds.expect("an answer");
            assert!(seconds < 3.0, "{seconds} s");
        }
    }

    #[test]
    fn who_goes_away_stops_her_search() {
        let desk = Desk::new(1, 1 << 20, Duration::from_secs(60));
        let told = Arc::new(AtomicBool::new(false));
        runtime().block_on(async {
            let tell = Arc::clone(&told);
            let search = desk.search(Duration::from_secs(60), None, move |limits| {
                tell.store(work(limits)?, Ordering::Relaxed);
                Ok(())
            });
            assert!(timeout(Duration::from_millis(50), search).await.is_err());
            // The place is free as soon as the search has heard of it.
            let next = desk.search(Duration::from_secs(5), None, |_| Ok(()));
            assert!(timeout(Duration::from_secs(5), next).await.expect("in time").is_ok());
        });
        assert!(told.load(Ordering::Relaxed));
    }

    #[test]
    fn a_panic_is_an_answer() {
        let desk = Desk::new(1, 1 << 20, Duration::from_secs(5));
        let answer = runtime().block_on(desk.quick(|| -> Result<(), Refusal> { panic!("on purpose") }));
        assert_eq!(answer.unwrap_err().status, 500);
        let answer =
            runtime().block_on(desk.search(Duration::from_secs(1), None, |_| -> Result<(), Refusal> { panic!("on purpose") }));
        assert!(answer.is_err_and(|refusal| refusal.status == 500));
        assert!(runtime().block_on(desk.quick(|| Ok(()))).is_ok());
    }
}

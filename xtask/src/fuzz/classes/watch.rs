//! Notices what a case must not do: panic, take too long, take too much memory, end the process.
//!
//! Time and memory are sampled by a thread of its own while several cases run at once, so what it
//! sees is a suspicion; a suspect runs again alone before it is called a finding. Only a case that
//! seems never to end is reported at once, because nothing can be done after it.

use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::panic::{self, AssertUnwindSafe};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, Once, PoisonError};
use std::time::{Duration, Instant};

/// A case that takes longer is suspect. Most take less than a thousandth of it, and the largest
/// families of classes still stay below it when others keep the machine busy.
pub const SLOW: Duration = Duration::from_secs(5);
/// A case that takes longer is taken to have no end.
const ENDLESS: Duration = Duration::from_secs(20);
/// A case that takes more memory is suspect. An entry of a jar may take 64 MiB, and for a moment
/// three times as much.
pub const MUCH: usize = 300 << 20;

struct Seat {
    case: u64,
    since: Instant,
    /// The memory in use when it began.
    memory: usize,
}

/// What each worker is at.
pub struct Watch {
    seats: Vec<Mutex<Option<Seat>>>,
    suspects: Mutex<BTreeSet<u64>>,
    memory: AtomicUsize,
    done: Mutex<bool>,
    wake: Condvar,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn memory() -> usize {
    memory_stats::memory_stats().map_or(0, |stats| stats.physical_mem)
}

impl Watch {
    pub fn new(workers: usize) -> Self {
        Self {
            seats: (0..workers).map(|_| Mutex::new(None)).collect(),
            suspects: Mutex::default(),
            memory: AtomicUsize::new(memory()),
            done: Mutex::new(false),
            wake: Condvar::new(),
        }
    }

    pub fn begin(&self, worker: usize, case: u64) {
        let memory = self.memory.load(Ordering::Relaxed);
        *lock(&self.seats[worker]) = Some(Seat { case, since: Instant::now(), memory });
    }

    pub fn end(&self, worker: usize) {
        let seat = lock(&self.seats[worker]).take();
        if let Some(seat) = seat.filter(|seat| seat.since.elapsed() > SLOW) {
            lock(&self.suspects).insert(seat.case);
        }
    }

    /// Looks at all workers every so often until it is told to stop. A case without an end is
    /// handed to `give_up`, which does not return.
    pub fn keep(&self, every: Duration, give_up: impl Fn(u64)) {
        let mut done = lock(&self.done);
        while !*done {
            let now = memory();
            self.memory.store(now, Ordering::Relaxed);
            for seat in &self.seats {
                let seat = lock(seat);
                let Some(seat) = &*seat else { continue };
                if now.saturating_sub(seat.memory) > MUCH {
                    lock(&self.suspects).insert(seat.case);
                }
                if seat.since.elapsed() > ENDLESS {
                    give_up(seat.case);
                }
            }
            let waited = self.wake.wait_timeout(done, every);
            done = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    pub fn stop(&self) {
        *lock(&self.done) = true;
        self.wake.notify_all();
    }

    /// The cases that took too long or too much.
    pub fn suspects(&self) -> Vec<u64> {
        lock(&self.suspects).iter().copied().collect()
    }
}

thread_local! {
    static CATCHING: Cell<bool> = const { Cell::new(false) };
    static CAUGHT: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Runs something; if it panics, says with which message and where.
pub fn catch<T>(run: impl FnOnce() -> T) -> Result<T, String> {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let usual = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            if !CATCHING.get() {
                return usual(info);
            }
            let place = info.location().map_or_else(|| "?".to_owned(), ToString::to_string);
            let text = info.payload_as_str().unwrap_or("no message");
            CAUGHT.set(Some(format!("panic at {place}: {text}")));
        }));
    });
    CATCHING.set(true);
    // What the closure touches is thrown away by the caller after a panic.
    let result = panic::catch_unwind(AssertUnwindSafe(run));
    CATCHING.set(false);
    result.map_err(|_| CAUGHT.take().unwrap_or_else(|| "panic".to_owned()))
}

#[cfg(test)]
mod tests {
    use super::{SLOW, Seat, Watch, catch, lock};
    use std::time::{Duration, Instant};

    #[test]
    fn a_panic_is_caught_with_its_place() {
        assert_eq!(catch(|| 1), Ok(1));
        let caught = catch(|| assert_eq!(1, 2, "no")).unwrap_err();
        assert!(caught.contains("watch.rs:") && caught.contains("no"), "{caught}");
    }

    fn long_ago(case: u64) -> Option<Seat> {
        let since = Instant::now().checked_sub(2 * SLOW)?;
        Some(Seat { case, since, memory: usize::MAX })
    }

    #[test]
    fn slow_cases_are_suspect() {
        let watch = Watch::new(2);
        watch.begin(0, 7);
        watch.end(0);
        *lock(&watch.seats[1]) = long_ago(8);
        watch.end(1);
        assert_eq!(watch.suspects(), [8]);
    }

    #[test]
    fn growing_cases_are_suspect() {
        let watch = Watch::new(1);
        // As if there had been no memory in use at all when it began.
        *lock(&watch.seats[0]) = Some(Seat { case: 9, since: Instant::now(), memory: 0 });
        let held = vec![1_u8; super::MUCH];
        watch.stop_after_one_look();
        assert_eq!((watch.suspects(), held[5]), (vec![9], 1));
    }

    impl Watch {
        fn stop_after_one_look(&self) {
            std::thread::scope(|scope| {
                let keeper = scope.spawn(|| self.keep(Duration::from_millis(1), |_| ()));
                while self.suspects().is_empty() && !keeper.is_finished() {
                    std::thread::yield_now();
                }
                self.stop();
            });
        }
    }
}

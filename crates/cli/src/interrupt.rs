//! Signals that ask the program to end: INT (Ctrl-C), TERM and HUP.
//!
//! While methods are explored, the first one ends that soon, and what was found is written; the next
//! one ends at once. Before that there is nothing to write, and `run` has written all but what it
//! holds back, so the first one ends. In any case temporary folders go away.

use crate::scratch;
use std::process;
use std::sync::atomic::{AtomicI32, AtomicU8, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// The first signal that came, or 0.
static SIGNAL: AtomicI32 = AtomicI32::new(0);
/// One of the constants below.
static STAGE: AtomicU8 = AtomicU8::new(OPENING);
/// Nothing has come out yet.
const OPENING: u8 = 0;
/// Methods are explored, and their results will be written.
const EXPLORING: u8 = 1;

/// What `run` does before it ends.
static LAST: Mutex<Option<Box<dyn Fn() + Send>>> = Mutex::new(None);

/// How long opening may take to notice a signal, before it is ended wherever it is.
const GRACE: Duration = Duration::from_millis(500);

/// Listens from now on. Where that is not possible, signals do what they always do.
pub fn listen() {
    system::listen();
}

/// From now on there is something to write when a signal comes.
pub fn explore() {
    STAGE.store(EXPLORING, Ordering::SeqCst);
}

/// Does this before a signal ends the program.
pub fn at_last(words: impl Fn() + Send + 'static) {
    *LAST.lock().unwrap_or_else(PoisonError::into_inner) = Some(Box::new(words));
}

/// Whether a signal has come.
pub fn is_pressed() -> bool {
    SIGNAL.load(Ordering::SeqCst) != 0
}

/// The exit code of a program that a signal has ended, if one has come.
pub fn code() -> Option<u8> {
    let signal = SIGNAL.load(Ordering::SeqCst);
    (signal != 0).then(|| code_of(signal) as u8)
}

/// As shells have it.
const fn code_of(signal: i32) -> i32 {
    128 + signal
}

/// Deals with a signal.
fn receive(signal: i32) {
    let first = SIGNAL.compare_exchange(0, signal, Ordering::SeqCst, Ordering::SeqCst).is_ok();
    if !first {
        end(signal);
    }
    if has_last_words() {
        end(signal);
    }
    let start = Instant::now();
    while STAGE.load(Ordering::SeqCst) == OPENING {
        if start.elapsed() >= GRACE {
            end(signal);
        }
        thread::sleep(Duration::from_millis(10));
    }
    crate::streams::complain(
        "stopping; what was found so far follows. Another signal (Ctrl-C) ends at once.",
    );
}

fn has_last_words() -> bool {
    LAST.lock().unwrap_or_else(PoisonError::into_inner).is_some()
}

fn end(signal: i32) -> ! {
    if let Some(words) = &*LAST.lock().unwrap_or_else(PoisonError::into_inner) {
        words();
    }
    scratch::clear();
    process::exit(code_of(signal))
}

#[cfg(unix)]
mod system {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    use signal_hook::iterator::Signals;
    use std::fs;
    use std::thread;

    pub fn listen() {
        let ignored = ignored();
        let wanted = [SIGINT, SIGTERM, SIGHUP].into_iter();
        let wanted: Vec<i32> = wanted.filter(|signal| ignored >> (signal - 1) & 1 == 0).collect();
        let Ok(mut signals) = Signals::new(&wanted) else { return };
        let listener = thread::Builder::new().name("signals".to_owned());
        // Without the thread signals would be lost; nothing else can be done without threads either.
        let _ = listener.spawn(move || signals.forever().for_each(super::receive));
    }

    /// The signals that whoever started us wants ignored, as `nohup` does, a bit for each.
    fn ignored() -> u64 {
        let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
        let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
        mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0)
    }
}

#[cfg(not(unix))]
mod system {
    /// The number that Ctrl-C has elsewhere.
    const CTRL_C: i32 = 2;

    pub fn listen() {
        let _ = ctrlc::set_handler(|| super::receive(CTRL_C));
    }
}

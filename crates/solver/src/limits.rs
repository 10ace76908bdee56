//! How much one query may use.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Bounds on the work for one query; reaching one gives `Unknown`.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Wall time.
    pub time: Duration,
    /// When whoever asks has no more time, however little of it this query had.
    pub until: Option<Instant>,
    /// Resident memory of the whole process, in bytes.
    pub memory: usize,
    /// Set from outside when nobody waits for the answer any more.
    pub stop: Option<Arc<AtomicBool>>,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { time: Duration::from_secs(30), until: None, memory: 4 << 30, stop: None }
    }
}

impl Limits {
    /// Whether nobody waits for the answer any more.
    pub(crate) fn is_stopped(&self) -> bool {
        self.stop.as_ref().is_some_and(|stop| stop.load(Ordering::Acquire))
    }

    /// When a query that starts now must end; a limit beyond the clock's range never comes.
    pub(crate) fn deadline(&self) -> Option<Instant> {
        let own = Instant::now().checked_add(self.time);
        match (own, self.until) {
            (Some(own), Some(until)) => Some(own.min(until)),
            (own, until) => own.or(until),
        }
    }
}

//! How much one query may use.

use std::time::{Duration, Instant};

/// Bounds on the work for one query; reaching one gives `Unknown`.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Wall time.
    pub time: Duration,
    /// When whoever asks has no more time, however little of it this query had.
    pub until: Option<Instant>,
    /// Resident memory of the whole process, in bytes.
    pub memory: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { time: Duration::from_secs(30), until: None, memory: 4 << 30 }
    }
}

impl Limits {
    /// When a query that starts now must end; a limit beyond the clock's range never comes.
    pub(crate) fn deadline(&self) -> Option<Instant> {
        let own = Instant::now().checked_add(self.time);
        match (own, self.until) {
            (Some(own), Some(until)) => Some(own.min(until)),
            (own, until) => own.or(until),
        }
    }
}

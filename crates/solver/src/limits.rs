//! How much one query may use.

use std::time::{Duration, Instant};

/// Bounds on the work for one query; reaching one gives `Unknown`.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Wall time.
    pub time: Duration,
    /// Resident memory of the whole process, in bytes.
    pub memory: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { time: Duration::from_secs(30), memory: 4 << 30 }
    }
}

impl Limits {
    /// When a query that starts now must end; a limit beyond the clock's range never comes.
    pub(crate) fn deadline(&self) -> Option<Instant> {
        Instant::now().checked_add(self.time)
    }
}

//! When an exploration has to end: paths, time, memory, an interrupt; and what the outside sees of
//! it meanwhile.

use crate::config::Config;
use crate::outcome::StopKind;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Instant;

/// What the outside tells an exploration, and sees of it.
#[derive(Debug, Default)]
pub struct Watch {
    /// Whether it shall end soon.
    pub interrupted: Arc<AtomicBool>,
    /// Paths that ended.
    pub completed: AtomicU64,
    /// States that wait.
    pub open: AtomicU64,
    /// Questions to the solver.
    pub queries: AtomicU64,
}

/// What is left of the limits of a method.
pub(crate) struct Budget<'a> {
    start: Instant,
    config: &'a Config,
    watch: &'a Watch,
    /// Looking at the memory takes longer than looking at the clock, so it is done seldom.
    until_memory: u32,
    pub(crate) peak: u64,
}

impl<'a> Budget<'a> {
    /// The limits of a method whose exploration began at a moment, by this worker or another.
    pub(crate) fn since(start: Instant, config: &'a Config, watch: &'a Watch) -> Self {
        let mut budget = Self { start, config, watch, until_memory: 0, peak: 0 };
        budget.look_at_memory();
        budget
    }

    /// When the exploration began.
    pub(crate) fn start(&self) -> Instant {
        self.start
    }

    /// When the time is up, if it is limited.
    pub(crate) fn deadline(&self) -> Option<Instant> {
        self.config.time.and_then(|most| self.start.checked_add(most))
    }

    /// Whether the time is up.
    pub(crate) fn is_late(&self) -> bool {
        self.config.time.is_some_and(|most| self.start.elapsed() >= most)
    }

    pub(crate) fn elapsed_ms(&self) -> f64 {
        self.start.elapsed().as_secs_f64() * 1e3
    }

    /// Why the exploration must end now, if it must.
    pub(crate) fn spent(&mut self) -> Option<StopKind> {
        const EVERY: u32 = 256;
        if self.watch.interrupted.load(Ordering::Relaxed) {
            return Some(StopKind::Interrupted);
        }
        let completed = self.watch.completed.load(Ordering::Relaxed);
        if self.config.paths.is_some_and(|most| completed >= most) {
            return Some(StopKind::Paths);
        }
        if self.is_late() {
            return Some(StopKind::Time);
        }
        self.until_memory += 1;
        if self.until_memory.is_multiple_of(EVERY) {
            let used = self.look_at_memory();
            if self.config.memory.is_some_and(|most| used > most) {
                return Some(StopKind::Memory);
            }
        }
        None
    }

    pub(crate) fn look_at_memory(&mut self) -> u64 {
        let used = used_memory();
        self.peak = self.peak.max(used);
        used
    }
}

/// How much memory the process has, in bytes.
pub(crate) fn used_memory() -> u64 {
    memory_stats::memory_stats().map_or(0, |stats| stats.physical_mem as u64)
}

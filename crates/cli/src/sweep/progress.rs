//! How far an exploration is, for those who wait at a terminal.

use dalang_explore::Watch;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::sync::atomic::{AtomicU64, Ordering};

/// A line on standard error; nothing where that is not a terminal, or not wanted.
pub struct Progress {
    bar: ProgressBar,
}

impl Progress {
    pub fn new(wanted: bool) -> Self {
        let target =
            if wanted { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
        let bar = ProgressBar::with_draw_target(None, target);
        bar.set_style(ProgressStyle::default_spinner());
        Self { bar }
    }

    /// Shows how far it is.
    pub fn show(&self, done: usize, all: usize, watches: &[Watch]) {
        if self.bar.is_hidden() {
            return;
        }
        let sum = |counter: fn(&Watch) -> &AtomicU64| -> u64 {
            watches.iter().map(|watch| counter(watch).load(Ordering::Relaxed)).sum()
        };
        let paths = sum(|watch| &watch.completed);
        let (open, queries) = (sum(|watch| &watch.open), sum(|watch| &watch.queries));
        self.bar.set_message(format!(
            "{done} of {all} methods; now {paths} paths, {open} open, {queries} queries"
        ));
        self.bar.tick();
    }

    /// Prints something else meanwhile.
    pub fn aside<T>(&self, print: impl FnOnce() -> T) -> T {
        self.bar.suspend(print)
    }

    /// Takes the line away.
    pub fn end(&self) {
        self.bar.finish_and_clear();
    }
}

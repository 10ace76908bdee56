//! Exploring many methods, several at once: each is accounted for, whatever happens.

mod progress;

pub use progress::Progress;

use crate::interrupt;
use crate::streams::Lost;
use crate::targets::Target;
use anyhow::{Context, bail};
use dalang_explore::{
    Config, Coverage, Entry, Exploration, Explorer, Failure, PathCounts, Statistics, StopCount,
    StopKind, Verdict, View, Watch,
};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread;
use std::time::Duration;

/// Terms and heaps can be deep, and some of what walks them calls itself.
const STACK: usize = 256 << 20;
/// How often Ctrl-C is looked for and progress is shown.
const TICK: Duration = Duration::from_millis(100);

/// What is to be explored.
pub struct Sweep<'a> {
    pub target: &'a Target,
    pub view: &'a View,
    pub config: &'a Config,
    pub entries: &'a [Entry],
    /// Whether the process ends after it: then that frees the memory, which takes no time.
    pub is_last: bool,
}

/// What workers share.
struct Share {
    /// The first entry that nobody has taken up.
    next: AtomicUsize,
    /// How many workers still have something to do.
    busy: AtomicUsize,
}

type Message = Result<(usize, Exploration), Failure>;

impl Sweep<'_> {
    /// Explores everything, and hands each result on twice: at once, with its number, and in the order
    /// of the entries.
    ///
    /// # Errors
    /// An explorer cannot be made, so nothing can be explored; or nobody takes the results.
    pub fn run(
        &self,
        progress: &Progress,
        mut arrived: impl FnMut(usize, &Exploration) -> Result<(), Lost>,
        mut each: impl FnMut(&Exploration) -> Result<(), Lost>,
    ) -> anyhow::Result<Vec<Exploration>> {
        let (workers, config) = self.shares();
        let share = Share { next: AtomicUsize::new(0), busy: AtomicUsize::new(workers) };
        let watches: Vec<Watch> = (0..workers).map(|_| Watch::default()).collect();
        thread::scope(|scope| {
            let (sender, receiver) = mpsc::channel();
            for watch in &watches {
                let (sender, share, config) = (sender.clone(), &share, &config);
                thread::Builder::new()
                    .name("explore".to_owned())
                    .stack_size(STACK)
                    .spawn_scoped(scope, move || self.work(config, share, watch, &sender))
                    .context("no thread to work on")?;
            }
            drop(sender);
            let collected = self.collect(&receiver, &watches, progress, &mut arrived, &mut each);
            if collected.is_err() {
                // Nobody waits for the other workers, so they need not go on.
                watches.iter().for_each(stop);
                share.next.store(self.entries.len(), Ordering::Relaxed);
            }
            collected
        })
    }

    /// How many methods are explored at once, and how. Many methods have a thread each; few have
    /// all threads for one after the other.
    fn shares(&self) -> (usize, Config) {
        let jobs = self.config.jobs;
        if self.entries.len() >= 2 * jobs {
            (jobs, Config { jobs: 1, ..self.config.clone() })
        } else {
            let is_last = self.is_last && self.entries.len() == 1;
            (1, Config { is_last, ..self.config.clone() })
        }
    }

    fn collect(
        &self,
        receiver: &Receiver<Message>,
        watches: &[Watch],
        progress: &Progress,
        arrived: &mut impl FnMut(usize, &Exploration) -> Result<(), Lost>,
        each: &mut impl FnMut(&Exploration) -> Result<(), Lost>,
    ) -> anyhow::Result<Vec<Exploration>> {
        let mut waiting: Vec<Option<Exploration>> = self.entries.iter().map(|_| None).collect();
        let mut done = Vec::with_capacity(self.entries.len());
        loop {
            match receiver.recv_timeout(TICK) {
                Ok(message) => {
                    let (index, exploration) = message?;
                    progress.aside(|| arrived(index, &exploration))?;
                    waiting[index] = Some(exploration);
                    while let Some(next) = waiting.get_mut(done.len()).and_then(Option::take) {
                        progress.aside(|| each(&next))?;
                        done.push(next);
                    }
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) if done.len() == self.entries.len() => {
                    return Ok(done);
                }
                Err(RecvTimeoutError::Disconnected) => {
                    bail!("a worker has died: this is a defect of dalang")
                }
            }
            if interrupt::is_pressed() {
                watches.iter().for_each(stop);
            }
            progress.show(done.len(), self.entries.len(), watches);
        }
    }

    /// What one thread does: method after method, until none is left.
    fn work(&self, config: &Config, share: &Share, watch: &Watch, sender: &Sender<Message>) {
        let intrinsics = dalang_intrinsics::Library::new();
        let make = || {
            let (program, feature) = (&self.target.program, self.target.jdk.feature);
            Explorer::new(program, &intrinsics, self.view, config, feature)
        };
        let mut explorer = None;
        loop {
            let index = share.next.fetch_add(1, Ordering::Relaxed);
            let Some(&entry) = self.entries.get(index) else {
                let is_alone = share.busy.fetch_sub(1, Ordering::Relaxed) == 1;
                if self.is_last && is_alone {
                    // Freeing it piece by piece takes a tenth of the time that it took to make, and
                    // nobody needs the memory.
                    std::mem::forget(explorer);
                }
                return;
            };
            if interrupt::is_pressed() {
                let _ = sender.send(Ok((index, self.skipped(entry))));
                continue;
            }
            let mut ready = match explorer.take().map_or_else(make, Ok) {
                Ok(ready) => ready,
                Err(failure) => {
                    let _ = sender.send(Err(failure));
                    return;
                }
            };
            let explored = catch_unwind(AssertUnwindSafe(|| ready.explore(entry, watch)));
            let exploration = match explored {
                Ok(exploration) => {
                    explorer = Some(ready);
                    exploration
                }
                // Who knows what it left behind: the next method gets a new explorer.
                Err(_) => self.given_up(entry, StopKind::Bug, "exploring the method panicked"),
            };
            // Nobody listens when the run has failed.
            let _ = sender.send(Ok((index, exploration)));
        }
    }

    fn skipped(&self, entry: Entry) -> Exploration {
        self.given_up(entry, StopKind::Interrupted, "before the method was explored")
    }

    /// A method that nothing is known of.
    fn given_up(&self, entry: Entry, kind: StopKind, detail: &str) -> Exploration {
        Exploration {
            method: self.target.program.method_spelling(entry.method()),
            verdict: Verdict::Undecided,
            exhaustive: false,
            unreachable: false,
            paths: PathCounts { stopped: 1, ..PathCounts::default() },
            stops: vec![StopCount { kind, detail: detail.to_owned(), count: 1 }],
            violations: Vec::new(),
            outcomes: Vec::new(),
            coverage: Coverage::default(),
            statistics: Statistics::default(),
            rules: Vec::new(),
            assumptions: Vec::new(),
            tree: None,
        }
    }
}

fn stop(watch: &Watch) {
    watch.interrupted.store(true, Ordering::Relaxed);
}

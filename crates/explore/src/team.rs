//! Several workers on one method.
//!
//! A worker's states cannot leave its thread, so a state is given away as the answers that lead to
//! it; whoever takes it follows them from the beginning, which asks no solver. Every path is
//! followed by exactly one worker, and what is collected is put together in an order of its own, so
//! the result does not depend on how many workers there are.

use crate::budget::Watch;
use crate::config::Config;
use crate::entry::{self, Entry};
use crate::explorer::{Explorer, Giving, Run};
use crate::outcome::StopKind;
use dalang_classes::Program;
use dalang_interp::{Answer, Intrinsics};
use std::sync::{Condvar, Mutex, PoisonError};
use std::thread;
use std::time::Instant;

/// States that were given away and not yet taken, and who waits for them.
struct Exchange {
    state: Mutex<Waiting>,
    changed: Condvar,
}

struct Waiting {
    given: Vec<Vec<Answer>>,
    idle: usize,
    workers: usize,
}

impl Exchange {
    fn new(workers: usize) -> Self {
        let state = Mutex::new(Waiting { given: Vec::new(), idle: 0, workers });
        Self { state, changed: Condvar::new() }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Waiting> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The next state; waits for one, and gives none once nobody can give any more.
    fn take(&self) -> Option<Vec<Answer>> {
        let mut state = self.lock();
        state.idle += 1;
        loop {
            if let Some(answers) = state.given.pop() {
                state.idle -= 1;
                return Some(answers);
            }
            if state.idle == state.workers {
                self.changed.notify_all();
                return None;
            }
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// A worker could not begin, and will never ask.
    fn resign(&self) {
        self.lock().workers -= 1;
        self.changed.notify_all();
    }
}

impl Giving for &Exchange {
    fn wants(&mut self) -> bool {
        let state = self.lock();
        state.idle > state.given.len()
    }

    fn give(&mut self, answers: Vec<Answer>) {
        self.lock().given.push(answers);
        self.changed.notify_one();
    }
}

/// What a worker of a team is made from.
struct Recipe<'a, 'p> {
    program: &'p Program,
    intrinsics: &'p (dyn Intrinsics + Sync),
    view: crate::view::View,
    config: &'a Config,
    feature: u16,
    entry: Entry,
    start: Instant,
}

impl<'p> Explorer<'p> {
    /// Works on a method together with others.
    pub(crate) fn share(&mut self, run: &mut Run<'_, 'p>) {
        let exchange = Exchange::new(self.config.jobs);
        let config = self.config.clone();
        let recipe = Recipe {
            program: self.machine.program,
            intrinsics: self.intrinsics,
            view: self.view.clone(),
            config: &config,
            feature: self.machine.settings.feature,
            entry: run.ledger.entry,
            start: run.budget.start(),
        };
        let watch = run.watch;
        thread::scope(|scope| {
            let others: Vec<_> =
                (1..config.jobs).map(|_| scope.spawn(|| help(&recipe, watch, &exchange))).collect();
            let mut giving = &exchange;
            self.work(run, Some(&mut giving));
            while let Some(answers) = exchange.take() {
                self.resume(run, answers);
                self.work(run, Some(&mut giving));
            }
            for other in others {
                match other.join() {
                    Ok(Some((ledger, covered))) => {
                        run.ledger.merge(ledger);
                        run.covered.merge(covered);
                    }
                    Ok(None) => {}
                    Err(_) => run.ledger.stop(StopKind::Bug, "a worker has failed", None),
                }
            }
        });
    }

    /// Takes up a state that another worker gave away.
    fn resume(&mut self, run: &mut Run<'_, 'p>, answers: Vec<Answer>) {
        match entry::begin(&mut self.machine, &self.ready, run.ledger.entry, self.config.statics) {
            Ok(Some((mut node, parameters))) => {
                node.lead = answers;
                run.ledger.parameters = parameters;
                run.worklist.extend(vec![node]);
            }
            Ok(None) | Err(_) => {
                run.ledger.stop(StopKind::Bug, "a path cannot be begun again", None);
            }
        }
    }
}

/// What another worker of the team does, in a thread of its own.
fn help(
    recipe: &Recipe<'_, '_>,
    watch: &Watch,
    exchange: &Exchange,
) -> Option<(crate::ledger::Ledger, crate::coverage::Total)> {
    let explorer = Explorer::new(
        recipe.program,
        recipe.intrinsics,
        &recipe.view,
        recipe.config,
        recipe.feature,
    );
    let Ok(mut explorer) = explorer else {
        exchange.resign();
        return None;
    };
    let mut run = Run::since(recipe.start, recipe.config, recipe.entry, watch);
    explorer.prepare(&run);
    let mut giving = exchange;
    while let Some(answers) = exchange.take() {
        explorer.resume(&mut run, answers);
        explorer.work(&mut run, Some(&mut giving));
    }
    run.ledger.settle(&mut explorer);
    run.covered.add(explorer.machine.take_covered());
    let found = (run.ledger, run.covered);
    if recipe.config.is_last {
        // To free it takes a good part of the time that it took to make.
        std::mem::forget((run.worklist, run.abandoned, explorer));
    }
    Some(found)
}

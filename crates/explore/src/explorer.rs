//! The worker: takes up states, runs them, divides them where the program does, and collects how
//! they end.

use crate::budget::{Budget, Watch, used_memory};
use crate::config::{Config, MADE};
use crate::coverage::Total;
use crate::end::End;
use crate::entry::{self, Entry};
use crate::finish::Ending;
use crate::ledger::Ledger;
use crate::outcome::{Exploration, StopKind};
use crate::path::Node;
use crate::search::Worklist;
use crate::sentinel::{Orders, Sentinel};
use crate::start::{Failure, VALUES, boot, class_bounds, solver};
use crate::view::View;
use dalang_classes::Program;
use dalang_heap::{Bound, Bounds, Inputs, Patience};
use dalang_interp::{
    Alarm, Answer, Collection, Cut, Intrinsics, Machine, Settings, Silence, State, Step, Stop, Way,
};
use dalang_solver::Solver;
use dalang_term::Pool;
use rustc_hash::FxHashSet;
use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

/// How many instructions a state runs before the limits are looked at again.
const SLICE: u64 = 200_000;

/// How long a worker explores a method alone.
const ALONE: Duration = Duration::from_millis(150);

/// Explores methods, one after the other.
pub struct Explorer<'p> {
    pub(crate) machine: Machine<'p>,
    pub(crate) solver: Solver,
    pub(crate) config: Config,
    /// A state in which the library is ready.
    pub(crate) ready: State<'p>,
    pub(crate) intrinsics: &'p (dyn Intrinsics + Sync),
    pub(crate) view: View,
    /// When the time of the method that is explored is up.
    pub(crate) deadline: Option<Instant>,
    pub(crate) sentinel: Sentinel,
    /// Why a path's witness was last not executed to its end.
    pub(crate) hindrance: Option<StopKind>,
    /// States that were given up. To free them takes a good part of the time that it took to make them, so
    /// they are kept until the next method begins, or for ever if there is none.
    abandoned: VecDeque<Node<'p>>,
}

impl<'p> Explorer<'p> {
    /// An explorer of a program's methods, with these classes in view.
    ///
    /// # Errors
    /// The library lacks a class that Java cannot do without, or cannot be made ready.
    pub fn new(
        program: &'p Program,
        intrinsics: &'p (dyn Intrinsics + Sync),
        view: &View,
        config: &Config,
        feature: u16,
    ) -> Result<Self, Failure> {
        let settings = Settings {
            assertions: true,
            symbolic: true,
            harness: true,
            feature,
            express: config.express,
            loops: config.loops,
            calls: config.calls as usize,
            followed: config.followed,
            collection: Collection::Shared,
            worth: worth(config.memory),
            ..Settings::default()
        };
        let mut machine = Machine::new(program, intrinsics, Box::new(Silence), settings)
            .map_err(Failure::Library)?;
        machine.alarm = Alarm {
            most: config.memory.unwrap_or(u64::MAX),
            used: used_memory,
            ..Alarm::default()
        };
        machine.unknowns.patience = Patience::until(Arc::clone(&machine.alarm.bell));
        let sentinel = Sentinel::new(&machine.alarm);
        machine.unknowns.policy = config.policy;
        machine.unknowns.bounds = Bounds {
            k: config.k,
            n: config.n,
            n_of: class_bounds(program, &config.n_of),
            array: Some(config.array),
            string: Some(config.string),
            stdin: Some(config.stdin),
            made: Some(MADE),
        };
        machine.unknowns.domains = view.domains();
        machine.unknowns.values =
            VALUES.iter().filter_map(|name| program.load(name).ok()).collect();
        machine.watch(view.targets());
        let ready = boot(&mut machine)?;
        view.rule_out(program, |class| machine.always_fails(&ready, class));
        let solver = solver(config, None, &machine.alarm)?;
        let view = view.clone();
        let config = config.clone();
        let deadline = None;
        Ok(Self {
            machine,
            solver,
            config,
            ready,
            intrinsics,
            view,
            deadline,
            sentinel,
            hindrance: None,
            abandoned: VecDeque::new(),
        })
    }

    /// Follows every feasible path of a method within the bounds.
    pub fn explore(&mut self, entry: Entry, watch: &Watch) -> Exploration {
        self.explore_all(entry, watch, None)
    }

    /// The same, and shows the final states of paths, if somebody wants to see them.
    pub(crate) fn explore_all(
        &mut self,
        entry: Entry,
        watch: &Watch,
        visit: Option<&mut dyn FnMut(&End<'_>)>,
    ) -> Exploration {
        watch.completed.store(0, Ordering::Relaxed);
        self.abandoned.clear();
        let config = self.config.clone();
        let mut run = Run::since(Instant::now(), &config, entry, watch);
        let shares = config.jobs > 1 && !config.tree && visit.is_none();
        run.visit = match visit {
            Some(visit) => Some(visit),
            None => None,
        };
        self.prepare(&run);
        self.begin(&mut run);
        if shares {
            // Most methods are done before another worker would be ready.
            run.pause_at = Instant::now().checked_add(ALONE);
            self.work(&mut run, None);
            run.pause_at = None;
            if run.worklist.len() > 0 {
                self.share(&mut run);
            }
        } else {
            self.work(&mut run, None);
        }
        run.ledger.settle(self);
        run.ledger.close_world(self);
        run.budget.look_at_memory();
        // What a single instruction takes and gives back is seen by nobody else.
        run.budget.peak = run.budget.peak.max(self.sentinel.peak());
        self.deadline = None;
        self.machine.alarm.deadline = None;
        self.sentinel.relieve();
        run.covered.add(self.machine.take_covered());
        let Run { budget, ledger, covered, abandoned, .. } = run;
        self.abandoned = abandoned;
        ledger.close(self, &budget, &covered)
    }

    /// Forgets the inputs of another method, whose names meant something else.
    pub(crate) fn prepare(&mut self, run: &Run<'_, 'p>) {
        let deadline = run.budget.deadline();
        self.deadline = deadline;
        self.machine.turn_to(&Way::default());
        self.machine.pool = Pool::new();
        self.machine.unknowns.inputs = Inputs::default();
        self.machine.unknowns.domains.take_assumptions();
        self.machine.unknowns.domains.take_reliances();
        self.machine.unknowns.rules.clear();
        self.machine.unknowns.reads_by_slot = 0;
        self.machine.take_assumed();
        self.machine.take_covered();
        if let Ok(fresh) = solver(&self.config, deadline, &self.machine.alarm) {
            self.solver = fresh;
        }
        // What another method needed is free by now.
        self.machine.forget_zeros();
        let (memory, interrupted) = (self.config.memory, Arc::clone(&run.watch.interrupted));
        self.machine.alarm.deadline = deadline;
        self.sentinel.begin(Orders { deadline, memory, interrupted });
    }

    fn begin(&mut self, run: &mut Run<'_, 'p>) {
        match entry::begin(&mut self.machine, &self.ready, run.ledger.entry, self.config.statics) {
            Ok(Some((node, parameters))) => {
                run.ledger.parameters = parameters;
                run.worklist.extend(vec![node]);
            }
            Ok(None) => {}
            Err(stop) => run.ledger.stop(stop_kind(&stop), &detail(&stop), None),
        }
    }

    /// Takes up states until none waits or a limit is reached; gives some away if others of a team
    /// have nothing to do.
    pub(crate) fn work(&mut self, run: &mut Run<'_, 'p>, mut team: Option<&mut dyn Giving>) {
        loop {
            if run.pause_at.is_some_and(|at| Instant::now() >= at) {
                return;
            }
            let followed = &run.followed;
            let fresh = |node: &Node<'p>| node.newest().is_some_and(|way| !followed.contains(&way));
            let Some(node) = run.worklist.next(fresh) else { break };
            run.followed.extend(node.newest());
            run.watch.open.store(run.worklist.len() as u64, Ordering::Relaxed);
            if let Some(kind) = self.spent(run) {
                run.give_up(kind, &node);
                break;
            }
            if let Some(team) = &mut team
                && team.wants()
                && let Some(given) = run.worklist.oldest()
            {
                team.give(given.answers());
            }
            let place = node.place;
            // A defect of ours ends a path, not the run.
            let followed = catch_unwind(AssertUnwindSafe(|| self.follow(run, node)));
            if let Err(panic) = followed {
                run.ledger.stop(StopKind::Bug, &panic_text(&*panic), Some(place));
            }
        }
    }

    /// Runs a path until it ends or divides.
    fn follow(&mut self, run: &mut Run<'_, 'p>, mut node: Node<'p>) {
        let mut unwatched = 0;
        loop {
            let before = node.state.instructions;
            let Some(left) = self.steps_left(&node) else {
                run.ledger.stop(StopKind::Steps, "", Some(node.place));
                return;
            };
            let step = self.machine.run(&mut node.state, &node.path, left.min(SLICE));
            let facts = node.state.take_facts();
            node.path.learn(&self.machine.pool, &facts);
            let executed = node.state.instructions - before;
            run.ledger.statistics.instructions += executed;
            unwatched += executed;
            // Once the bell has rung, what was made need not be whole: nothing is concluded from it.
            if let Some(kind) = self.sentinel.reason() {
                run.give_up(kind, &node);
                return;
            }
            // A loop whose condition is known but has to be asked for never pauses by itself, and
            // a path can ask many hard questions without ever dividing.
            if unwatched >= SLICE || matches!(step, Step::Paused | Step::Asked(_)) {
                unwatched = 0;
                if let Some(kind) = self.spent(run) {
                    run.give_up(kind, &node);
                    return;
                }
            }
            match step {
                Step::Paused if self.machine.is_collection_due(&node.state) => {
                    let terms = node.path.terms();
                    if let Err(stop) = self.machine.collect(&mut node.state, &terms) {
                        run.ledger.stop(stop_kind(&stop), &detail(&stop), Some(node.place));
                        return;
                    }
                }
                Step::Paused => {}
                Step::Asked(question) => match self.divide(run, node, &question) {
                    Some(one) => node = one,
                    None => return,
                },
                Step::Stopped(stop) => {
                    run.ledger.stop(stop_kind(&stop), &detail(&stop), Some(node.place));
                    return;
                }
                Step::Ended(outcome) => {
                    self.finish(run, &node, &Ending::Outcome(outcome));
                    return;
                }
                Step::Assumed => {
                    run.ledger.assume_away(node.place);
                    return;
                }
                Step::Violated(message) => {
                    self.finish(run, &node, &Ending::Check(message));
                    return;
                }
                Step::Exited(code) => {
                    self.finish(run, &node, &Ending::Exit(code));
                    return;
                }
                Step::Diverged => {
                    self.finish(run, &node, &Ending::Diverges);
                    return;
                }
            }
        }
    }

    /// Why the exploration must end now, if it must.
    fn spent(&self, run: &mut Run<'_, 'p>) -> Option<StopKind> {
        self.sentinel.reason().or_else(|| run.budget.spent())
    }

    /// How many instructions a path may still execute; none if it may not go on.
    fn steps_left(&self, node: &Node<'p>) -> Option<u64> {
        let Some(most) = self.config.steps else { return Some(u64::MAX) };
        let executed = node.state.instructions - node.state.track.begun;
        most.checked_sub(executed).filter(|&left| left > 0)
    }

    fn finish(&mut self, run: &mut Run<'_, 'p>, node: &Node<'p>, ending: &Ending) {
        run.watch.completed.fetch_add(1, Ordering::Relaxed);
        let Run { ledger, visit, .. } = run;
        self.complete(ledger, node, ending);
        if let Some(visit) = visit {
            visit(&self.end(node, ending, &ledger.parameters));
        }
    }
}

/// Whom a worker gives states to, by the answers that lead to them.
pub(crate) trait Giving {
    /// Whether somebody has nothing to do.
    fn wants(&mut self) -> bool;
    /// Gives a state away.
    fn give(&mut self, answers: Vec<Answer>);
}

/// What belongs to the exploration of one method.
pub(crate) struct Run<'a, 'p> {
    pub(crate) budget: Budget<'a>,
    pub(crate) worklist: Worklist<'p>,
    pub(crate) ledger: Ledger,
    pub(crate) covered: Total,
    /// Answers that states were taken up with, and where they were asked for.
    followed: FxHashSet<((u32, u16), u32)>,
    pub(crate) watch: &'a Watch,
    /// When to leave the rest to a team.
    pub(crate) pause_at: Option<Instant>,
    /// Who is shown the final states of paths.
    visit: Option<&'a mut dyn FnMut(&End<'_>)>,
    /// States that were given up.
    pub(crate) abandoned: VecDeque<Node<'p>>,
}

impl<'a, 'p> Run<'a, 'p> {
    /// A run of a method whose exploration began at a moment, by this worker or another.
    pub(crate) fn since(
        start: Instant,
        config: &'a Config,
        entry: Entry,
        watch: &'a Watch,
    ) -> Self {
        Self {
            budget: Budget::since(start, config, watch),
            worklist: Worklist::new(config.search, config.seed),
            ledger: Ledger::new(config, entry),
            covered: Total::default(),
            followed: FxHashSet::default(),
            watch,
            pause_at: None,
            visit: None,
            abandoned: VecDeque::new(),
        }
    }

    /// Everything that waits is given up.
    fn give_up(&mut self, kind: StopKind, node: &Node<'p>) {
        self.ledger.stop(kind, "", Some(node.place));
        let waiting = self.worklist.empty();
        for node in &waiting {
            self.ledger.stop(kind, "", Some(node.place));
        }
        self.abandoned.extend(waiting);
    }
}

pub(crate) fn bound_kind(bound: Bound) -> StopKind {
    match bound {
        Bound::K => StopKind::K,
        Bound::N => StopKind::N,
        Bound::Array => StopKind::Array,
        Bound::String => StopKind::String,
        Bound::Stdin => StopKind::Stdin,
        Bound::Allocation => StopKind::Allocation,
    }
}

pub(crate) fn stop_kind(stop: &Stop) -> StopKind {
    match stop {
        Stop::Cut(Cut::Loop) => StopKind::Loop,
        Stop::Cut(Cut::Calls) => StopKind::Calls,
        Stop::Limit(_) | Stop::Memory(_) => StopKind::Memory,
        Stop::Alarm => StopKind::Interrupted,
        Stop::Late => StopKind::Time,
        Stop::Bug(_) => StopKind::Bug,
        Stop::Missing(_) | Stop::Malformed(_) => StopKind::Missing,
        Stop::Unsupported(_) | Stop::Symbolic(_) => StopKind::Unsupported,
    }
}

pub(crate) fn detail(stop: &Stop) -> String {
    match stop {
        Stop::Cut(_) | Stop::Late => String::new(),
        Stop::Unsupported(what)
        | Stop::Missing(what)
        | Stop::Bug(what)
        | Stop::Limit(what)
        | Stop::Memory(what) => what.to_string(),
        other => other.to_string(),
    }
}

/// From which size of a heap on a collection is worth its time, if the process may have so much memory:
/// garbage must not take what states need.
fn worth(memory: Option<u64>) -> u64 {
    const LEAST: u64 = 16 << 20;
    const MOST: u64 = 256 << 20;
    memory.map_or(MOST, |most| (most / 16).clamp(LEAST, MOST))
}

fn panic_text(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
    text.unwrap_or("a panic without a message").to_owned()
}

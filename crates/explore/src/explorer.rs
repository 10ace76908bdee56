//! The worker: takes up states, runs them, divides them where the program does, and collects how
//! they end.

use crate::budget::{Budget, Watch, used_memory};
use crate::config::{Config, MADE};
use crate::coverage::Total;
use crate::end::End;
use crate::entry::{self, Entry};
use crate::feasible::{Feasibility, feasible};
use crate::finish::Ending;
use crate::ledger::Ledger;
use crate::outcome::{Exploration, StopKind};
use crate::path::{Answer, Answered, Holds, Node};
use crate::search::Worklist;
use crate::sentinel::{Orders, Sentinel};
use crate::simplify::{Under, conjuncts, is_open};
use crate::start::{Failure, VALUES, boot, class_bounds, solver};
use crate::view::View;
use dalang_classes::Program;
use dalang_heap::{Alternative, Bound, Bounds, Effect, Inputs, Patience, Settled};
use dalang_interp::{
    Alarm, Collection, Cut, Intrinsics, Machine, Question, Settings, Silence, State, Step, Stop,
    Truths,
};
use dalang_solver::{Reason, Solver};
use dalang_term::{Pool, TermId};
use rustc_hash::{FxHashMap, FxHashSet};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

/// How many instructions a state runs before the limits are looked at again.
const SLICE: u64 = 200_000;

/// How many conditions that can hold in several ways a path remembers.
const OPEN: usize = 48;

/// How many parts of conditions are looked at again for an answer: conditions can be large, and no
/// limit of time is seen meanwhile.
const FOLLOWED: usize = 100_000;

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
    /// The newest answer of the path whose settled conditions the machine knows.
    settled: Option<Rc<Answered>>,
    /// When the time of the method that is explored is up.
    pub(crate) deadline: Option<Instant>,
    pub(crate) sentinel: Sentinel,
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
        let (settled, deadline) = (None, None);
        Ok(Self { machine, solver, config, ready, intrinsics, view, settled, deadline, sentinel })
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
        self.deadline = None;
        self.sentinel.relieve();
        run.covered.add(self.machine.take_covered());
        let Run { budget, ledger, covered, .. } = run;
        ledger.close(self, &budget, &covered)
    }

    /// Forgets the inputs of another method, whose names meant something else.
    pub(crate) fn prepare(&mut self, run: &Run<'_, 'p>) {
        let deadline = run.budget.deadline();
        self.deadline = deadline;
        self.turn_to(None);
        self.machine.pool = Pool::new();
        self.machine.unknowns.inputs = Inputs::default();
        self.machine.unknowns.domains.take_assumptions();
        self.machine.unknowns.domains.take_reliances();
        self.machine.unknowns.rules.clear();
        self.machine.take_assumed();
        self.machine.take_covered();
        if let Ok(fresh) = solver(&self.config, deadline, &self.machine.alarm) {
            self.solver = fresh;
        }
        // What another method needed is free by now.
        self.machine.forget_zeros();
        let (memory, interrupted) = (self.config.memory, Arc::clone(&run.watch.interrupted));
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
            self.turn_to(node.answers.as_ref());
            let before = node.state.instructions;
            let Some(left) = self.steps_left(&node) else {
                run.ledger.stop(StopKind::Steps, "", Some(node.place));
                return;
            };
            let step = self.machine.run(&mut node.state, left.min(SLICE));
            let facts = node.state.take_facts();
            node.learn(&self.machine.pool, &facts);
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
                    let terms = node.terms();
                    if let Err(stop) = self.machine.collect(&mut node.state, &terms) {
                        run.ledger.stop(stop_kind(&stop), &detail(&stop), Some(node.place));
                        return;
                    }
                }
                Step::Paused => {}
                Step::Asked(question) if self.guide(&mut node, &question) => {}
                Step::Asked(Question::Condition(condition)) => {
                    match self.divide(run, node, condition) {
                        Some(one) => node = one,
                        None => return,
                    }
                }
                Step::Asked(Question::Choice(alternatives)) => {
                    match self.choose(run, node, &alternatives) {
                        Some(one) => node = one,
                        None => return,
                    }
                }
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

    /// Tells the machine which conditions a path has settled, and no longer those of another path.
    fn turn_to(&mut self, path: Option<&Rc<Answered>>) {
        let depth = |answers: Option<&Rc<Answered>>| answers.map_or(0, |newest| newest.depth);
        let mut new = Vec::new();
        let mut next = path;
        loop {
            let (ours, theirs) = (depth(self.settled.as_ref()), depth(next));
            match (&self.settled, next) {
                (_, Some(newest)) if theirs > ours => {
                    new.extend(newest.settled.iter().rev().copied());
                    next = newest.before.as_ref();
                }
                (Some(ours), Some(theirs)) if Rc::ptr_eq(ours, theirs) => break,
                (Some(newest), _) => {
                    for _ in 0..newest.settled.len() {
                        self.machine.unsettle();
                    }
                    self.settled = newest.before.clone();
                }
                (None, _) => break,
            }
        }
        for (condition, holds) in new.into_iter().rev() {
            self.machine.settle(condition, holds);
        }
        self.settled = path.cloned();
    }

    fn finish(&mut self, run: &mut Run<'_, 'p>, node: &Node<'p>, ending: &Ending) {
        run.watch.completed.fetch_add(1, Ordering::Relaxed);
        let Run { ledger, visit, .. } = run;
        self.complete(ledger, node, ending);
        if let Some(visit) = visit {
            visit(&self.end(node, ending, &ledger.parameters));
        }
    }

    /// Divides a path by a condition; the rest of the path, if only one way is possible.
    fn divide(
        &mut self,
        run: &mut Run<'_, 'p>,
        node: Node<'p>,
        condition: TermId,
    ) -> Option<Node<'p>> {
        if let Some(holds) = node.condition.implies(&self.machine.pool, condition)
            && node.free.is_none()
        {
            let mut node = node;
            run.ledger.statistics.implied += 1;
            let answer = node.answer(u32::from(!holds), false);
            node.record(answer, Box::new([(condition, holds)]));
            return Some(node);
        }
        let asked = condition;
        let condition = self.simplified(&node, asked);
        if let Some(bits) = self.machine.pool.bits(condition) {
            let mut node = node;
            run.ledger.statistics.implied += 1;
            let answer = node.answer(u32::from(bits != 1), false);
            node.record(answer, Box::new([(asked, bits == 1)]));
            return Some(node);
        }
        let negated = self.machine.pool.not(condition);
        let mut ways: Vec<(u32, Holds)> = Vec::with_capacity(2);
        let yes = feasible(&self.machine.pool, &mut self.solver, &node, condition);
        let surely = matches!(yes, Feasibility::No | Feasibility::Beyond(_));
        self.take(run, &node, 0, yes, &mut ways);
        // One of the two holds, so if the first cannot, the second does.
        let no = if surely {
            let condition = node.condition.and(&self.machine.pool, negated);
            Feasibility::Yes(Holds { condition, free: node.free_and(&self.machine.pool, negated) })
        } else {
            feasible(&self.machine.pool, &mut self.solver, &node, negated)
        };
        self.take(run, &node, 1, no, &mut ways);
        run.watch.queries.store(self.solver.statistics().queries, Ordering::Relaxed);
        let forks = ways.len() > 1;
        let mut nodes = copies(node, ways);
        for (choice, way) in &mut nodes {
            let choice = *choice;
            let settled = self.settled_by(way, asked, condition, choice == 0);
            way.record(way.answer(choice, forks), settled);
            if forks {
                let term = if choice == 0 { condition } else { negated };
                let label = || self.spelled(&way.state, term);
                way.place = run.ledger.grow(way.place, choice, "branch", label);
            }
        }
        self.go_on(run, nodes)
    }

    /// A condition, made smaller by what a path knows; bounds are no knowledge.
    pub(crate) fn simplified(&mut self, node: &Node<'p>, condition: TermId) -> TermId {
        if !self.config.policy.is_optimal() {
            return condition;
        }
        let Machine { pool, truths, .. } = &mut self.machine;
        let truths: &Truths = truths;
        let mut under = Under {
            pool,
            path: node.free.as_ref().unwrap_or(&node.condition),
            settled: &|pool: &Pool, term| truths.holds(pool, term),
        };
        under.simplify(condition)
    }

    /// What an answer settles on a path: what was asked, what it comes to, and what follows.
    pub(crate) fn settled_by(
        &mut self,
        way: &mut Node<'p>,
        asked: TermId,
        condition: TermId,
        holds: bool,
    ) -> Box<[(TermId, bool)]> {
        let mut settled = vec![(asked, holds)];
        if self.config.policy.is_optimal() {
            let pool = &mut self.machine.pool;
            let truth = if holds { condition } else { pool.not(condition) };
            self.add_parts(way, truth, &mut settled);
            self.follow_up(way, &mut settled);
        }
        settled.into()
    }

    /// Settles the parts of a condition that holds, and remembers those that more may follow from.
    fn add_parts(&self, way: &mut Node<'p>, truth: TermId, settled: &mut Vec<(TermId, bool)>) {
        let pool = &self.machine.pool;
        for part in conjuncts(pool, truth) {
            // What is known already leads to nothing new: two forms of a condition may lead to each
            // other.
            if settled[1..].contains(&(part, true)) {
                continue;
            }
            settled.push((part, true));
            if is_open(pool, part) {
                let open = Rc::make_mut(&mut way.open);
                if open.len() >= OPEN {
                    open.remove(0);
                }
                open.push(part);
            }
        }
    }

    /// Finds out what is left of conditions that could hold in several ways, now that more is settled:
    /// an alias that has been excluded leaves a plain comparison, which needs no SAT.
    fn follow_up(&mut self, way: &mut Node<'p>, settled: &mut Vec<(TermId, bool)>) {
        let mut known: FxHashMap<TermId, bool> = settled.iter().copied().collect();
        let (mut next, mut looks) = (1, 0);
        while next < settled.len() {
            let about = self.machine.pool.symbols_of(settled[next].0);
            next += 1;
            let mut place = 0;
            while let Some(&open) = way.open.get(place) {
                place += 1;
                let of = self.machine.pool.symbols_of(open);
                if !about.iter().any(|symbol| of.contains(symbol)) {
                    continue;
                }
                if looks > FOLLOWED {
                    return;
                }
                let Machine { pool, truths, .. } = &mut self.machine;
                let truths: &Truths = truths;
                let mut under = Under {
                    pool,
                    path: way.free.as_ref().unwrap_or(&way.condition),
                    settled: &|pool: &Pool, term| {
                        known.get(&term).copied().or_else(|| truths.holds(pool, term))
                    },
                };
                let (left, steps) = under.reduce(open);
                looks += steps;
                if left == open || left == Pool::FALSE {
                    continue;
                }
                place -= 1;
                Rc::make_mut(&mut way.open).remove(place);
                if left == Pool::TRUE {
                    continue;
                }
                let pool = &self.machine.pool;
                way.condition = way.condition.and(pool, left);
                way.free = way.free_and(pool, left);
                let before = settled.len();
                self.add_parts(way, left, settled);
                known.extend(settled[before..].iter().copied());
            }
        }
    }

    fn take(
        &mut self,
        run: &mut Run<'_, 'p>,
        node: &Node<'p>,
        choice: u32,
        found: Feasibility,
        ways: &mut Vec<(u32, Holds)>,
    ) {
        match found {
            Feasibility::Yes(holds) => ways.push((choice, holds)),
            Feasibility::No => {}
            Feasibility::Beyond(bound) => {
                run.ledger.stop(bound_kind(bound), "", Some(node.place));
            }
            Feasibility::Unknown(Reason::Memory) => {
                run.ledger.stop(StopKind::Memory, "", Some(node.place));
            }
            Feasibility::Unknown(reason) => match self.sentinel.reason() {
                // Questions end when the method's limits do, and then it is not they that took long.
                Some(kind) => run.ledger.stop(kind, "", Some(node.place)),
                None if run.budget.is_late() => {
                    run.ledger.stop(StopKind::Time, "", Some(node.place));
                }
                None => run.ledger.stop(StopKind::Solver, &reason.to_string(), Some(node.place)),
            },
        }
    }

    /// Divides a path by alternatives of a policy.
    fn choose(
        &mut self,
        run: &mut Run<'_, 'p>,
        node: Node<'p>,
        alternatives: &Rc<[Alternative]>,
    ) -> Option<Node<'p>> {
        let mut ways: Vec<(u32, Holds)> = Vec::with_capacity(alternatives.len());
        for (choice, alternative) in alternatives.iter().enumerate() {
            let choice = choice as u32;
            match alternative.effect {
                Effect::Cut(bound) => {
                    run.ledger.stop(bound_kind(bound), "", Some(node.place));
                    continue;
                }
                Effect::NoClass(class) => {
                    let class = self.machine.program.class_spelling(class);
                    let what = format!("no class in view is a {class}");
                    run.ledger.stop(StopKind::Unsupported, &what, Some(node.place));
                    continue;
                }
                Effect::Unloadable(value) => {
                    let class = self.machine.program.type_spelling(value);
                    let what = format!(
                        "{class}, which an input is declared as, cannot be loaded; put it, and all that \
                         it needs, on the class path with --class-path"
                    );
                    run.ledger.stop(StopKind::Missing, &what, Some(node.place));
                    continue;
                }
                effect if self.machine.is_beyond(&node.state, effect) => {
                    run.ledger.stop(StopKind::N, "", Some(node.place));
                    continue;
                }
                _ => {}
            }
            match alternative.condition {
                None => ways.push((choice, node.holds())),
                Some(condition) => {
                    let found = feasible(&self.machine.pool, &mut self.solver, &node, condition);
                    self.take(run, &node, choice, found, &mut ways);
                }
            }
        }
        let forks = ways.len() > 1;
        let mut nodes = copies(node, ways);
        for (choice, way) in &mut nodes {
            let choice = *choice;
            let alternative = &alternatives[choice as usize];
            let facts = self.machine.choose(&mut way.state, alternative.effect);
            way.learn(&self.machine.pool, &facts);
            way.record(way.answer(choice, forks), Box::default());
            if forks {
                run.ledger.count(alternative.rule);
                let label = || self.describe(alternative);
                way.place = run.ledger.grow(way.place, choice, alternative.rule, label);
            }
        }
        self.go_on(run, nodes)
    }

    /// Goes on with the only way, or leaves several to the worklist.
    fn go_on(
        &mut self,
        run: &mut Run<'_, 'p>,
        mut nodes: Vec<(u32, Node<'p>)>,
    ) -> Option<Node<'p>> {
        if nodes.len() <= 1 {
            return nodes.pop().map(|(_, node)| node);
        }
        run.ledger.statistics.forks += nodes.len() as u64 - 1;
        run.worklist.extend(nodes.into_iter().map(|(_, node)| node).collect());
        None
    }

    fn describe(&self, alternative: &Alternative) -> String {
        let name = |input| self.machine.unknowns.inputs.get(input).name.to_string();
        match alternative.effect {
            Effect::Null(input) => format!("{} == null", name(input)),
            Effect::Location(input, _) => format!("{} != null", name(input)),
            Effect::Fresh(input, _) => format!("{} is new", name(input)),
            Effect::Alias(input, object) => format!("{} == #{}", name(input), object.number()),
            Effect::Maybe(input, _) => format!("{} fits", name(input)),
            Effect::Narrow(object, _) => format!("type of #{}", object.number()),
            Effect::Identity(a, b, same) => {
                let sign = if same { "==" } else { "!=" };
                format!("#{} {sign} #{}", a.number(), b.number())
            }
            Effect::Hold(array, _) => format!("#{} holds it", array.number()),
            Effect::Unfit(array, ..) => format!("#{} does not hold it", array.number()),
            Effect::Nothing | Effect::Cut(_) | Effect::NoClass(_) | Effect::Unloadable(_) => {
                String::new()
            }
        }
    }
}

/// A node for each way. The last takes the place of the node that divides: one copy less.
fn copies(node: Node<'_>, ways: Vec<(u32, Holds)>) -> Vec<(u32, Node<'_>)> {
    let mut nodes = Vec::with_capacity(ways.len());
    let mut ways = ways.into_iter().rev();
    let Some((choice, holds)) = ways.next() else { return nodes };
    let rest = ways.map(|(choice, holds)| (choice, node.divided(holds)));
    nodes.extend(rest);
    nodes.reverse();
    nodes.push((choice, Node { condition: holds.condition, free: holds.free, ..node }));
    nodes
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
        }
    }

    /// Everything that waits is given up.
    fn give_up(&mut self, kind: StopKind, node: &Node<'p>) {
        self.ledger.stop(kind, "", Some(node.place));
        while let Some(node) = self.worklist.next(|_| true) {
            self.ledger.stop(kind, "", Some(node.place));
        }
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
        Stop::Bug(_) => StopKind::Bug,
        Stop::Missing(_) | Stop::Malformed(_) => StopKind::Missing,
        Stop::Unsupported(_) | Stop::Symbolic(_) => StopKind::Unsupported,
    }
}

pub(crate) fn detail(stop: &Stop) -> String {
    match stop {
        Stop::Cut(_) => String::new(),
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

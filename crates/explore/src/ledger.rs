//! What is collected while a method is explored, and what becomes of it in the end.

use crate::budget::Budget;
use crate::config::Config;
use crate::coverage::Total;
use crate::entry::Entry;
use crate::explorer::Explorer;
use crate::outcome::{
    Exploration, Outcome, PathCounts, Replay, Statistics, StopCount, StopKind, Verdict, Violation,
};
use crate::path::Node;
use crate::tree::{Leaf, Tree, TreeNode};
use dalang_heap::{InputId, Reliance};
use dalang_solver::LayerName;
use rustc_hash::FxHashSet;
use std::collections::{BTreeMap, BTreeSet};

/// Which of two violations at one place is kept: the one with fewer input objects, then the one that
/// has looked at less of them (a shorter array has fewer elements), then the one that a depth-first
/// search meets first.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Rank(usize, u32, Vec<u32>);

impl Rank {
    pub(crate) fn new(node: &Node<'_>, outcome: &Outcome) -> Self {
        let knowledge = &node.state.knowledge;
        Self(knowledge.objects().len(), knowledge.initialized, outcome.decisions.clone())
    }
}

/// What is collected while a method is explored.
pub(crate) struct Ledger {
    pub(crate) entry: Entry,
    pub(crate) parameters: Vec<InputId>,
    pub(crate) paths: PathCounts,
    stops: BTreeMap<(StopKind, String), u64>,
    pub(crate) violations: Vec<(Rank, Violation)>,
    pub(crate) outcomes: Vec<Outcome>,
    pub(crate) statistics: Statistics,
    assumptions: BTreeSet<String>,
    /// What was asked of sets of classes.
    relied: FxHashSet<Reliance>,
    rules: BTreeMap<&'static str, u64>,
    given: Vec<StopKind>,
    /// Whether violations are executed again.
    replays: bool,
    tree: Option<Tree>,
}

impl Ledger {
    pub(crate) fn new(config: &Config, entry: Entry) -> Self {
        let root = || TreeNode {
            parent: None,
            choice: 0,
            rule: "start",
            label: String::new(),
            leaf: Leaf::Inner,
        };
        Self {
            entry,
            parameters: Vec::new(),
            paths: PathCounts::default(),
            stops: BTreeMap::new(),
            violations: Vec::new(),
            outcomes: Vec::new(),
            statistics: Statistics::default(),
            assumptions: BTreeSet::new(),
            relied: FxHashSet::default(),
            rules: BTreeMap::new(),
            given: config.given.clone(),
            replays: config.replay,
            tree: config.tree.then(|| Tree { nodes: vec![root()] }),
        }
    }

    /// Counts a path that is given up.
    pub(crate) fn stop(&mut self, kind: StopKind, detail: &str, place: Option<u32>) {
        self.paths.stopped += 1;
        *self.stops.entry((kind, detail.to_owned())).or_default() += 1;
        if let Some(place) = place {
            let text = || match detail {
                "" => kind.name().to_owned(),
                detail => format!("{}: {detail}", kind.name()),
            };
            self.add_leaf(place, || Leaf::Stopped(text()));
        }
    }

    /// Counts a way that a rule of a policy has divided a path into.
    pub(crate) fn count(&mut self, rule: &'static str) {
        *self.rules.entry(rule).or_default() += 1;
    }

    /// Counts a path that an assumption cuts.
    pub(crate) fn assume_away(&mut self, place: u32) {
        self.paths.assumed_away += 1;
        self.add_leaf(place, || Leaf::AssumedAway);
    }

    /// Adds a node to the tree, if one is kept.
    pub(crate) fn grow(
        &mut self,
        parent: u32,
        choice: u32,
        rule: &'static str,
        label: impl FnOnce() -> String,
    ) -> u32 {
        let Some(tree) = &mut self.tree else { return 0 };
        let label = label();
        let parent = Some(parent);
        tree.nodes.push(TreeNode { parent, choice, rule, label, leaf: Leaf::Inner });
        tree.nodes.len() as u32 - 1
    }

    /// Says how the path of a node of the tree ends. Where several alternatives are cut at once, each
    /// gets a node of its own.
    pub(crate) fn add_leaf(&mut self, place: u32, leaf: impl FnOnce() -> Leaf) {
        let Some(tree) = &mut self.tree else { return };
        let leaf = leaf();
        let parent = Some(place);
        tree.nodes.push(TreeNode { parent, choice: 0, rule: "end", label: String::new(), leaf });
    }

    /// Whether a violation may be kept: it is the first at its place, or has a smaller witness, or
    /// comes first of those that are as small. So what is kept does not depend on the order in
    /// which paths are taken up. What could not be executed again does not keep others out.
    pub(crate) fn is_wanted(&self, rank: &Rank, outcome: &Outcome) -> bool {
        let known = self.violations.iter().find(|known| is_same_place(&known.1.outcome, outcome));
        known.is_none_or(|(known, violation)| rank < known || !self.is_settled(violation))
    }

    /// Whether a violation counts: it was executed again, or nobody wanted that.
    fn is_settled(&self, violation: &Violation) -> bool {
        !self.replays || violation.outcome.replay != Replay::Off
    }

    /// Keeps one violation for each place and kind. What is refuted is a defect of ours and must
    /// not be hidden by what is not; what is confirmed is not replaced by what there was no time to
    /// execute again.
    pub(crate) fn keep(&mut self, rank: Rank, violation: Violation) {
        let same = |known: &(Rank, Violation)| is_same_place(&known.1.outcome, &violation.outcome);
        match self.violations.iter_mut().find(|known| same(known)) {
            None => self.violations.push((rank, violation)),
            Some(known) => {
                let weight = |violation: &Violation| match violation.outcome.replay {
                    Replay::Refuted => 0,
                    Replay::Confirmed => 1,
                    Replay::Off => 2,
                };
                let order = (weight(&violation), &rank).cmp(&(weight(&known.1), &known.0));
                if order.is_lt() {
                    *known = (rank, violation);
                }
            }
        }
    }

    /// Takes in what another worker collected about the same method.
    pub(crate) fn merge(&mut self, other: Self) {
        self.paths.normal += other.paths.normal;
        self.paths.exceptional += other.paths.exceptional;
        self.paths.violating += other.paths.violating;
        self.paths.diverging += other.paths.diverging;
        self.paths.assumed_away += other.paths.assumed_away;
        self.paths.stopped += other.paths.stopped;
        for (stop, count) in other.stops {
            *self.stops.entry(stop).or_default() += count;
        }
        for (rank, violation) in other.violations {
            self.keep(rank, violation);
        }
        self.outcomes.extend(other.outcomes);
        self.assumptions.extend(other.assumptions);
        self.relied.extend(other.relied);
        for (rule, count) in other.rules {
            *self.rules.entry(rule).or_default() += count;
        }
        let (mine, theirs) = (&mut self.statistics, &other.statistics);
        mine.instructions += theirs.instructions;
        mine.forks += theirs.forks;
        mine.queries += theirs.queries;
        mine.implied += theirs.implied;
        mine.solver_ms += theirs.solver_ms;
        mine.query_tokens += theirs.query_tokens;
        for (mine, theirs) in mine.layers.iter_mut().zip(theirs.layers) {
            *mine += theirs;
        }
    }

    /// Adds what a worker's solver did, and what it assumed about classes.
    pub(crate) fn settle(&mut self, explorer: &mut Explorer<'_>) {
        let solver = explorer.solver.statistics();
        self.statistics.queries += solver.queries;
        for (total, layer) in self.statistics.layers.iter_mut().zip(LAYERS) {
            *total += solver.decided_by(layer);
        }
        self.statistics.query_tokens += solver.backend_tokens;
        self.statistics.solver_ms += solver.backend_time.as_secs_f64() * 1e3;
        self.assumptions.extend(explorer.machine.unknowns.domains.take_assumptions());
        self.assumptions.extend(explorer.machine.take_assumed());
        self.relied.extend(explorer.machine.unknowns.domains.take_reliances());
        for (rule, count) in explorer.machine.unknowns.applied() {
            *self.rules.entry(rule).or_default() += count;
        }
    }

    /// Says what the result owes to there being no classes but those in view. All workers have told
    /// what they know by now.
    pub(crate) fn close_world(&mut self, explorer: &mut Explorer<'_>) {
        let lines = explorer.closed_world(&self.relied, &self.assumptions);
        self.assumptions.extend(lines);
    }

    fn verdict(&self) -> Verdict {
        if self.violations.iter().any(|(_, violation)| self.is_settled(violation)) {
            return Verdict::Unsafe;
        }
        // Nothing can be said of what no path was followed through.
        if self.paths.completed() + self.paths.diverging == 0 {
            return Verdict::Undecided;
        }
        let is_forgiven =
            |(kind, _): &(StopKind, String)| kind.is_bound() && self.given.contains(kind);
        if self.stops.keys().all(is_forgiven) { Verdict::Safe } else { Verdict::Undecided }
    }

    /// What exploring the method found out.
    pub(crate) fn close(
        mut self,
        explorer: &Explorer<'_>,
        budget: &Budget<'_>,
        covered: &Total,
    ) -> Exploration {
        let program = explorer.machine.program;
        let method = self.entry.method();
        let verdict = self.verdict();
        self.statistics.time_ms = budget.elapsed_ms();
        self.statistics.peak_bytes = budget.peak;
        self.outcomes.sort_by(|a, b| a.decisions.cmp(&b.decisions));
        self.violations.sort_by(|(_, a), (_, b)| place(&a.outcome).cmp(&place(&b.outcome)));
        let coverage = covered.of(program, method);
        let stops = self.stops.into_iter();
        Exploration {
            method: program.method_spelling(method),
            verdict,
            exhaustive: self.paths.stopped == 0,
            unreachable: self.paths.stopped + self.paths.completed() + self.paths.diverging == 0,
            paths: self.paths,
            stops: stops.map(|((kind, detail), count)| StopCount { kind, detail, count }).collect(),
            violations: self.violations.into_iter().map(|(_, violation)| violation).collect(),
            outcomes: self.outcomes,
            coverage,
            statistics: self.statistics,
            rules: self.rules.into_iter().collect(),
            assumptions: self.assumptions.into_iter().collect(),
            tree: self.tree,
        }
    }
}

const LAYERS: [LayerName; 7] = [
    LayerName::Constant,
    LayerName::Reuse,
    LayerName::Order,
    LayerName::Cores,
    LayerName::Guide,
    LayerName::Inequalities,
    LayerName::Backend,
];

fn is_same_place(a: &Outcome, b: &Outcome) -> bool {
    a.kind == b.kind && a.exception == b.exception && a.at == b.at
}

/// What violations are listed by.
type Place<'a> = (Option<(&'a str, u32, u32)>, Option<&'a str>, &'a [u32]);

/// Where a violation is, to list violations in the order of the program's text.
fn place(outcome: &Outcome) -> Place<'_> {
    let at = outcome.at.as_ref();
    let at = at.map(|at| (at.class.as_str(), at.line.unwrap_or(0), at.pc));
    (at, outcome.exception.as_deref(), &outcome.decisions)
}

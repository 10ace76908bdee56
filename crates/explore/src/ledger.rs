//! What is collected while a method is explored, and what becomes of it in the end.

use crate::budget::Budget;
use crate::config::Config;
use crate::coverage::Total;
use crate::entry::Entry;
use crate::explorer::Explorer;
use crate::outcome::{
    Exploration, Outcome, PathCounts, Statistics, StopCount, StopKind, Verdict, Violation,
};
use crate::tree::{Leaf, Tree, TreeNode};
use dalang_heap::InputId;
use dalang_solver::LayerName;
use std::collections::BTreeMap;

/// What is collected while a method is explored.
pub(crate) struct Ledger {
    pub(crate) entry: Entry,
    pub(crate) parameters: Vec<InputId>,
    pub(crate) paths: PathCounts,
    stops: BTreeMap<(StopKind, String), u64>,
    pub(crate) violations: Vec<Violation>,
    pub(crate) outcomes: Vec<Outcome>,
    pub(crate) statistics: Statistics,
    given: Vec<StopKind>,
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
            given: config.given.clone(),
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

    fn verdict(&self) -> Verdict {
        if self.paths.violating > 0 {
            return Verdict::Unsafe;
        }
        let mut kinds = self.stops.keys().map(|(kind, _)| kind);
        if kinds.any(|kind| !self.given.contains(kind)) { Verdict::Undecided } else { Verdict::Safe }
    }

    /// What exploring the method found out.
    pub(crate) fn close(
        mut self,
        explorer: &mut Explorer<'_>,
        budget: &Budget<'_>,
        covered: &Total,
    ) -> Exploration {
        let program = explorer.machine.program;
        let method = self.entry.method();
        let verdict = self.verdict();
        let solver = explorer.solver.statistics();
        self.statistics.queries = solver.queries;
        self.statistics.layers = LAYERS.map(|layer| solver.decided_by(layer));
        self.statistics.solver_ms = solver.backend_time.as_secs_f64() * 1e3;
        self.statistics.time_ms = budget.elapsed_ms();
        self.statistics.peak_bytes = budget.peak;
        self.outcomes.sort_by(|a, b| a.decisions.cmp(&b.decisions));
        let coverage = match program.code(method) {
            Ok(Some(code)) => covered.of(code),
            _ => crate::outcome::Coverage::default(),
        };
        let assumptions = explorer.machine.unknowns.domains.take_assumptions();
        let stops = self.stops.into_iter();
        Exploration {
            method: program.method_spelling(method),
            verdict,
            exhaustive: self.paths.stopped == 0,
            paths: self.paths,
            stops: stops.map(|((kind, detail), count)| StopCount { kind, detail, count }).collect(),
            violations: self.violations,
            outcomes: self.outcomes,
            coverage,
            statistics: self.statistics,
            assumptions,
            tree: self.tree,
        }
    }
}

const LAYERS: [LayerName; 6] = [
    LayerName::Constant,
    LayerName::Reuse,
    LayerName::Order,
    LayerName::Cores,
    LayerName::Guide,
    LayerName::Backend,
];

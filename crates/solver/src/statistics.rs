//! Counts of what the solver did.

use std::time::Duration;

/// A layer of the chain, by name.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum LayerName {
    /// Answers that need no values: the constraint or the path is plainly true or false.
    Constant,
    /// Assignments found before, of this path and of others.
    Reuse,
    /// Cutting the query into independent slices; it decides nothing by itself.
    Slice,
    /// Comparisons and equalities without SAT.
    Order,
    /// Sets of constraints known to contradict each other.
    Cores,
    /// Comparisons without SAT, behind the branches that known values take.
    Guide,
    /// Products and quotients as inequalities of whole numbers.
    Inequalities,
    /// Bit-blasting onto SAT, or another solver's process.
    Backend,
}

impl LayerName {
    /// All layers, in the order they are first asked.
    pub const ALL: [LayerName; 8] = [
        LayerName::Constant,
        LayerName::Reuse,
        LayerName::Slice,
        LayerName::Order,
        LayerName::Cores,
        LayerName::Guide,
        LayerName::Inequalities,
        LayerName::Backend,
    ];

    /// A short name for tables.
    pub const fn name(self) -> &'static str {
        match self {
            LayerName::Constant => "constant",
            LayerName::Reuse => "reuse",
            LayerName::Slice => "slice",
            LayerName::Order => "order",
            LayerName::Cores => "cores",
            LayerName::Guide => "guide",
            LayerName::Inequalities => "inequalities",
            LayerName::Backend => "backend",
        }
    }
}

/// What was asked and who decided it.
#[derive(Clone, Default, Debug)]
pub struct Statistics {
    /// Queries asked.
    pub queries: u64,
    /// Queries answered `Sat`.
    pub sat: u64,
    /// Queries answered `Unsat`.
    pub unsat: u64,
    /// Queries answered `Unknown`.
    pub unknown: u64,
    /// Answers by layer. A query that falls into several slices gets several; for the slicing layer
    /// it is the conjuncts that queries were spared.
    pub by_layer: [u64; LayerName::ALL.len()],
    /// Values of a backend that did not satisfy the question: defects, answered as `Unknown`.
    /// (Layers above it may guess; a guess that fails is no defect and is not counted.)
    pub refuted: u64,
    /// Time spent in the backend.
    pub backend_time: Duration,
    /// Terms in questions to the backend: variables, constants and operators, each once in a
    /// question, however often it is shared.
    pub backend_tokens: u64,
}

impl Statistics {
    /// Answers that this layer gave.
    pub fn decided_by(&self, layer: LayerName) -> u64 {
        self.by_layer[layer as usize]
    }
}

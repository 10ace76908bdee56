//! A path that ended, as the machine left it: for those who want more of it than an
//! [`Outcome`](crate::Outcome) says for people.

use crate::budget::Watch;
use crate::entry::Entry;
use crate::explorer::Explorer;
use crate::finish::Ending;
use crate::outcome::{Exploration, OutcomeKind};
use crate::path::Node;
use dalang_heap::{Domains, Heap, InputId, Inputs, Knowledge, Value};
use dalang_interp::Outcome;
use dalang_term::{Pool, TermId};

/// The final state of a path, lent while it is visited ([`Explorer::explore_ends`]).
///
/// Terms are of `pool`, and inputs of `inputs`; both are the explorer's, and all ends of an exploration
/// share them. Whoever wants to keep a term copies it to a pool of their own ([`Pool::import`]).
pub struct End<'a> {
    /// How the path ended.
    pub kind: OutcomeKind,
    /// The class of the exception that ended it, as Java spells it.
    pub exception: Option<String>,
    /// What was returned. A reference is an object of the heap, or a term that says which it is.
    pub value: Option<Value>,
    /// A fingerprint of the program path: [`Outcome::trace`](crate::Outcome::trace).
    pub trace: u64,
    /// The path condition, as a conjunction, the oldest first: what the program has decided, and facts
    /// that hold anyway. What a policy has decided of references is in `knowledge`.
    pub condition: Vec<TermId>,
    /// The inputs that the method was given: its receiver, if it has one, and its parameters.
    pub parameters: &'a [InputId],
    /// The objects, those of the library included.
    pub heap: &'a Heap,
    /// What the path has found out about input references.
    pub knowledge: &'a Knowledge,
    /// All inputs that were met so far, on this path or on another.
    pub inputs: &'a Inputs,
    /// What the sets of classes are that `knowledge` speaks of.
    pub domains: &'a Domains,
    /// The terms.
    pub pool: &'a Pool,
}

impl<'p> Explorer<'p> {
    /// Follows every feasible path of a method within the bounds, and shows the final state of each
    /// that ends, in the order in which they do.
    ///
    /// One thread explores, whatever the configuration says: states and terms belong to their worker.
    /// If `visit` panics, that is counted as a `bug` stop of the path, as any panic on the way is.
    pub fn explore_ends(
        &mut self,
        entry: Entry,
        watch: &Watch,
        visit: &mut dyn FnMut(&End<'_>),
    ) -> Exploration {
        self.explore_all(entry, watch, Some(visit))
    }

    /// A path that ended.
    pub(crate) fn end<'a>(
        &'a self,
        node: &'a Node<'p>,
        ending: &Ending,
        parameters: &'a [InputId],
    ) -> End<'a> {
        let class = self.classify(&node.state, ending);
        let value = match ending {
            Ending::Outcome(Outcome::Returned(value)) => *value,
            _ => None,
        };
        End {
            kind: class.kind,
            exception: class.exception,
            value: value.map(|value| self.machine.known_value(&node.state, value)),
            trace: node.state.track.trace,
            condition: node.path.conjuncts(),
            parameters,
            heap: &node.state.heap,
            knowledge: &node.state.knowledge,
            inputs: &self.machine.unknowns.inputs,
            domains: &self.machine.unknowns.domains,
            pool: &self.machine.pool,
        }
    }
}

//! What rules are applied to: a heap with inputs, what is known of them, and what a path has settled.

use super::graphs::{Graph, Kind, Place, Reading, graphs, kinds};
use dalang_classes::path::{ClassPath, Jdk, Library};
use dalang_classes::{Name, Program, ValueType};
use dalang_heap::{
    Bounds, Change, Domains, Effect, Facts, Guarded, Heap, InputId, Inputs, Knowledge, Nothing,
    Patience, Policy, Rules, Settled, Unknowns,
};
use dalang_term::{Op, Pool, TermId};
use std::path::Path;

/// A program with the classes of `node.jl`.
pub fn program() -> Program {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/enumerate/node.jl");
    let jdk = Jdk::find(None).expect("no JDK found: these tests cannot do without its library");
    let mut path = ClassPath::default();
    path.add_javalite(&file).unwrap_or_else(|error| panic!("{error}"));
    Program::new(Library::open(&jdk).unwrap(), path).unwrap()
}

/// What all states share.
pub struct World<'p> {
    pub program: &'p Program,
    pub pool: Pool,
    pub unknowns: Unknowns,
}

/// One state.
#[derive(Clone)]
pub struct State {
    pub heap: Heap,
    pub knowledge: Knowledge,
    pub settled: Truths,
}

/// What a path has settled, the newest last. None of it is a negation.
#[derive(Clone, Default)]
pub struct Truths(Vec<(TermId, bool)>);

impl<'p> World<'p> {
    pub fn new(program: &'p Program, policy: Policy, bounds: Bounds) -> Self {
        let unknowns = Unknowns {
            inputs: Inputs::default(),
            domains: Domains::new(Box::new(Nothing)),
            policy,
            bounds,
            values: Vec::new(),
            strings: None,
            rules: Rules::default(),
            reads_by_slot: 0,
            patience: Patience::default(),
        };
        Self { program, pool: Pool::new(), unknowns }
    }

    /// A state in which nothing is known.
    pub fn state(&self) -> State {
        let mut knowledge = Knowledge::default();
        knowledge.begin();
        State { heap: Heap::new(), knowledge, settled: Truths::default() }
    }

    /// Inputs of a type, as parameters.
    pub fn parameters(&mut self, names: &[&str], class: Name) -> Vec<InputId> {
        let value = ValueType::Reference(class);
        let (inputs, pool) = (&mut self.unknowns.inputs, &mut self.pool);
        let mut make = |(place, name)| {
            inputs.parameter(self.program, pool, place as u16, name, value).unwrap()
        };
        names.iter().copied().enumerate().map(|(place, name)| make((place, name))).collect()
    }

    /// Inputs of the class of nodes.
    pub fn nodes(&mut self, names: &[&str]) -> Vec<InputId> {
        let class = self.program.names().intern("Node");
        self.parameters(names, class)
    }

    /// Applies a rule of a policy that does not divide paths; every heap agrees with the facts that it
    /// states.
    pub fn apply<T>(
        &mut self,
        state: &mut State,
        heaps: &mut [Reading<'_>],
        rule: impl FnOnce(&mut Guarded<'_>) -> T,
    ) -> T {
        let mut facts = Facts::default();
        let mut guarded = Guarded {
            program: self.program,
            pool: &mut self.pool,
            unknowns: &mut self.unknowns,
            heap: &mut state.heap,
            knowledge: &mut state.knowledge,
            settled: &state.settled,
            facts: &mut facts,
        };
        let result = rule(&mut guarded);
        self.unknowns.rules.commit();
        assert!(facts.bounds.is_empty(), "no array or string here has a bound");
        for &fact in &facts.holds {
            for heap in &mut *heaps {
                assert!(
                    heap.holds(&self.pool, &self.unknowns.inputs, fact),
                    "{} is said to hold, and does not on {}",
                    self.pool.infix(fact),
                    heap.graph
                );
            }
        }
        result
    }

    /// Makes a choice of a policy that divides paths.
    pub fn choose(&mut self, state: &mut State, effect: Effect) -> Facts {
        let mut change = Change {
            program: self.program,
            pool: &mut self.pool,
            unknowns: &mut self.unknowns,
            heap: &mut state.heap,
            knowledge: &mut state.knowledge,
        };
        change.apply(effect)
    }

    /// Uses a reference that is not null, as the machine does before it follows it.
    pub fn use_it(&mut self, state: &mut State, heaps: &mut [Reading<'_>], reference: TermId) {
        let null = self.apply(state, heaps, |rules| rules.same(reference, Pool::NULL));
        state.settled.settle(&self.pool, null, false);
        self.apply(state, heaps, |rules| {
            let uses = rules.inputs(reference);
            for &(_, input) in &uses {
                rules.open(input);
            }
            rules.note_uses(&uses);
        });
    }
}

impl Truths {
    /// Notes whether a condition holds, and what must hold for that.
    pub fn settle(&mut self, pool: &Pool, condition: TermId, holds: bool) {
        let node = pool.node(condition);
        match node.op {
            Op::Const => {}
            Op::Not => self.settle(pool, node.arg(0), !holds),
            op => {
                self.0.push((condition, holds));
                if op == Op::And && holds {
                    self.settle(pool, node.arg(0), true);
                    self.settle(pool, node.arg(1), true);
                }
            }
        }
    }
}

impl Settled for Truths {
    fn holds(&self, pool: &Pool, condition: TermId) -> Option<bool> {
        let node = pool.node(condition);
        if node.op == Op::Not {
            return self.holds(pool, node.arg(0)).map(|holds| !holds);
        }
        self.0.iter().find(|known| known.0 == condition).map(|known| known.1)
    }

    fn conditions(&self) -> Box<dyn DoubleEndedIterator<Item = TermId> + '_> {
        Box::new(self.0.iter().map(|known| known.0))
    }

    fn count(&self) -> usize {
        self.0.len()
    }

    fn differ(&self, _: &Pool, _: TermId, _: TermId) -> bool {
        false
    }
}

/// All heaps of at most so many nodes, led to by so many references, whose flags are false.
pub fn heaps(program: &Program, most: usize, references: usize) -> (Vec<Kind>, Vec<Graph>) {
    let kinds = kinds(program, &[("Node", most)]);
    let mut all = graphs(&kinds, &vec![Place::Link(0); references]);
    all.retain(|graph| {
        graph.objects.iter().all(|node| node.fields[1] == super::graphs::Datum::Truth(false))
    });
    (kinds, all)
}

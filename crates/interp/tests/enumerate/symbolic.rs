//! Running a program on all heaps at once, as a policy does: where it asks, heaps part.
//!
//! Each heap has exactly one answer to a question: a condition has a value on it, and just one
//! alternative of a policy agrees with it. So the heaps that go the same way are one path, and a path is
//! followed once. No solver takes part.

use super::concrete::Ending;
use super::graphs::{Kind, Reading};
use super::world;
use dalang_classes::{MethodId, ValueType};
use dalang_heap::{Alternative, Effect, Facts, Policy, Value};
use dalang_interp::{Answer, Comparisons, Followed, Machine, Question, State, Step, Way};
use dalang_term::{Assignment, Op, Pool, TermId};
use std::rc::Rc;

/// A path that has ended.
pub struct Path<'p> {
    pub ending: Ending,
    pub state: State<'p>,
    /// The heaps that go this way, by number.
    pub heaps: Vec<usize>,
}

/// A path that is being followed.
struct Node<'p> {
    state: State<'p>,
    way: Way,
    heaps: Vec<usize>,
}

/// A run of a method on all heaps.
pub struct Run<'a, 'b, 'p> {
    machine: &'a mut Machine<'p>,
    method: MethodId,
    kinds: &'a [Kind],
    readings: &'a mut [Reading<'b>],
    /// Alternatives that no heap has taken, and that are no object more than heaps have.
    pub untaken: Vec<String>,
    /// Heaps that a bound leaves out.
    pub cut: Vec<usize>,
}

impl<'a, 'b, 'p> Run<'a, 'b, 'p> {
    pub fn new(
        machine: &'a mut Machine<'p>,
        method: MethodId,
        kinds: &'a [Kind],
        readings: &'a mut [Reading<'b>],
    ) -> Self {
        Self { machine, method, kinds, readings, untaken: Vec::new(), cut: Vec::new() }
    }

    /// All paths.
    pub fn paths(&mut self) -> Vec<Path<'p>> {
        let (mut waiting, mut ended) = (vec![self.begin()], Vec::new());
        while let Some(mut node) = waiting.pop() {
            let path = Known { way: &node.way, comparisons: self.comparisons(&node.heaps) };
            let step = self.machine.run(&mut node.state, &path, u64::MAX);
            let facts = node.state.take_facts();
            self.learn(&facts, &mut node.heaps);
            match step {
                _ if node.heaps.is_empty() => {}
                Step::Asked(question) => waiting.extend(self.divide(&node, &question)),
                step => ended.push(Path {
                    ending: Ending::of(&node.state, &step),
                    state: node.state,
                    heaps: node.heaps,
                }),
            }
        }
        ended
    }

    fn begin(&mut self) -> Node<'p> {
        let machine = &mut *self.machine;
        let mut state = world::state(self.method);
        let (mut inputs, mut arguments) = (Vec::new(), Vec::new());
        let declared = &machine.program.method(self.method).signature.parameters;
        let receiver = machine.program.class(machine.program.method(self.method).class).name;
        let types = [ValueType::Reference(receiver)].into_iter().chain(declared.iter().copied());
        for (place, (name, value)) in ["this", "x"].into_iter().zip(types).enumerate() {
            let (table, pool) = (&mut machine.unknowns.inputs, &mut machine.pool);
            let input = table.parameter(machine.program, pool, place as u16, name, value).unwrap();
            inputs.push(input);
            arguments.push(Value::Term(table.get(input).term));
        }
        let class = machine.unknowns.inputs.get(inputs[0]).class.unwrap();
        let domain = machine.unknowns.domains.below(machine.program, class);
        let facts = if machine.unknowns.policy.keeps_references() {
            machine.receive(&mut state, inputs[0], domain)
        } else {
            machine.choose(&mut state, Effect::Fresh(inputs[0], domain))
        };
        arguments[0] = machine.known_value(&state, arguments[0]);
        machine.start(&mut state, self.method, &arguments).unwrap();
        let mut heaps: Vec<usize> = (0..self.readings.len()).collect();
        self.learn(&facts, &mut heaps);
        Node { state, way: Way::default(), heaps }
    }

    /// A fact excludes no heap; a bound excludes some, which go no further.
    fn learn(&mut self, facts: &Facts, heaps: &mut Vec<usize>) {
        for &(_, within) in &facts.bounds {
            let (left, out) = heaps.iter().partition(|&&heap| self.holds(heap, within));
            *heaps = left;
            self.cut.extend::<Vec<usize>>(out);
        }
        for &fact in &facts.holds {
            for &heap in &*heaps {
                assert!(
                    self.holds(heap, fact),
                    "{} is said to hold, and does not on {}",
                    self.machine.pool.infix(fact),
                    self.readings[heap].graph
                );
            }
        }
    }

    fn holds(&mut self, heap: usize, condition: TermId) -> bool {
        let Machine { pool, unknowns, .. } = &*self.machine;
        self.readings[heap].holds(pool, &unknowns.inputs, condition)
    }

    /// The ways on, each with its heaps; one without heaps is none.
    fn divide(&mut self, node: &Node<'p>, question: &Question) -> Vec<Node<'p>> {
        let mut groups: Vec<Vec<usize>> = match question {
            Question::Condition(_) => vec![Vec::new(); 2],
            Question::Choice(alternatives) => vec![Vec::new(); alternatives.len()],
        };
        for &heap in &node.heaps {
            let choice = match question {
                Question::Condition(condition) => usize::from(!self.holds(heap, *condition)),
                Question::Choice(alternatives) => self.chosen(&node.state, alternatives, heap),
            };
            groups[choice].push(heap);
        }
        if let Question::Choice(alternatives) = question {
            for (alternative, group) in alternatives.iter().zip(&groups) {
                if group.is_empty() && !self.is_one_too_many(&node.state, alternative) {
                    self.untaken.push(format!("{alternative:?}"));
                }
            }
        }
        let mut nodes = Vec::new();
        for (choice, mut heaps) in groups.into_iter().enumerate() {
            if heaps.is_empty() {
                continue;
            }
            let mut state = node.state.clone();
            let Some(settled) = self.answer(&mut state, question, choice, &mut heaps) else {
                self.cut.extend(heaps);
                continue;
            };
            let at = (state.frame().method.number(), state.frame().pc);
            let answer = Answer { choice: choice as u32, divides: true, at };
            nodes.push(Node { state, way: node.way.clone().and(answer, settled.into()), heaps });
        }
        nodes
    }

    /// Gives an answer, and says what it settles; none if a bound forbids it.
    fn answer(
        &mut self,
        state: &mut State<'p>,
        question: &Question,
        choice: usize,
        heaps: &mut Vec<usize>,
    ) -> Option<Vec<(TermId, bool)>> {
        match question {
            Question::Choice(alternatives) => {
                let effect = alternatives[choice].effect;
                if matches!(effect, Effect::Cut(_)) || self.machine.is_beyond(state, effect) {
                    return None;
                }
                let facts = self.machine.choose(state, effect);
                self.learn(&facts, heaps);
                Some(Vec::new())
            }
            Question::Condition(condition) => {
                let mut settled = vec![(*condition, choice == 0)];
                if self.machine.unknowns.policy.follows_conditions() {
                    let pool = &mut self.machine.pool;
                    let truth = if choice == 0 { *condition } else { pool.not(*condition) };
                    settled.extend(parts(pool, truth).into_iter().map(|part| (part, true)));
                }
                Some(settled)
            }
        }
    }

    /// The only alternative that agrees with a heap. Beyond a bound, it is that there is none.
    fn chosen(&self, state: &State<'p>, alternatives: &[Alternative], heap: usize) -> usize {
        let mut agree: Vec<usize> = (0..alternatives.len())
            .filter(|&place| self.agrees(state, &alternatives[place], heap))
            .collect();
        let is_cut = |alternative: &Alternative| matches!(alternative.effect, Effect::Cut(_));
        if agree.is_empty() {
            agree.extend(alternatives.iter().position(is_cut));
        }
        let graph = self.readings[heap].graph;
        assert_eq!(agree.len(), 1, "of {alternatives:?}, {agree:?} agree with {graph}");
        agree[0]
    }

    fn agrees(&self, state: &State<'p>, alternative: &Alternative, heap: usize) -> bool {
        assert_eq!(alternative.condition, None, "no alternative here has a condition");
        let unknowns = &self.machine.unknowns;
        self.readings[heap].agrees(unknowns, &state.knowledge, alternative.effect)
    }

    /// Whether an alternative is an object more of a class than there are in any heap.
    fn is_one_too_many(&self, state: &State<'p>, alternative: &Alternative) -> bool {
        let input = match alternative.effect {
            Effect::Fresh(input, _) => input,
            effect => return matches!(effect, Effect::Cut(_)),
        };
        let class = self.machine.unknowns.inputs.get(input).class;
        let kind = self.kinds.iter().find(|kind| Some(kind.class) == class).unwrap();
        let is_one = |place| state.heap.class(place) == kind.class;
        let objects = state.knowledge.objects().iter();
        objects.filter(|object| is_one(object.reference)).count() >= kind.most
    }

    /// What the heaps of a path have in common, as far as the path can ask for it.
    fn comparisons(&self, heaps: &[usize]) -> Option<Rc<dyn Comparisons>> {
        if self.machine.unknowns.policy != Policy::Pose {
            return None;
        }
        let values = heaps.iter().map(|&heap| self.readings[heap].assignment().clone());
        Some(Rc::new(Common(values.collect())))
    }
}

/// A way, and what its comparisons tell together.
struct Known<'a> {
    way: &'a Way,
    comparisons: Option<Rc<dyn Comparisons>>,
}

impl Followed for Known<'_> {
    fn way(&self) -> &Way {
        self.way
    }

    fn comparisons(&self) -> Option<Rc<dyn Comparisons>> {
        self.comparisons.clone()
    }
}

/// The heaps of a path, as values of symbols.
struct Common(Vec<Assignment>);

impl Comparisons for Common {
    fn differ(&self, pool: &Pool, a: TermId, b: TermId) -> bool {
        let symbols = [a, b].map(|term| pool.symbols_of(term));
        let differ = |values: &Assignment| {
            let mut symbols = symbols.iter().flat_map(|symbols| symbols.iter());
            symbols.all(|&symbol| values.find(symbol).is_some())
                && pool.evaluate(a, values) != pool.evaluate(b, values)
        };
        self.0.iter().all(differ)
    }
}

/// What must hold for a condition to.
fn parts(pool: &Pool, condition: TermId) -> Vec<TermId> {
    let node = pool.node(condition);
    match node.op {
        Op::And => [0, 1].into_iter().flat_map(|side| parts(pool, node.arg(side))).collect(),
        _ => vec![condition],
    }
}

//! Conditions for people: classes and objects are called by their names.
//!
//! Under the policies that do not divide paths, the class of an input is a symbol, and a type test
//! is a comparison of numbers. A condition on one such symbol is true for some of the classes in
//! view, and that set has a name in Java: `x instanceof Integer`.

use crate::explorer::Explorer;
use dalang_classes::{ClassId, Program};
use dalang_heap::{Alternative, Effect, InputId, Reference, Step, Value};
use dalang_interp::{Flow, State};
use dalang_term::{Assignment, Op, Pool, Sort, SymbolId, TermId};
use rustc_hash::{FxHashMap, FxHashSet};

/// Of larger sets that have no name, only so many classes are listed.
const LISTED: usize = 4;

/// Terms with more parts are not spelled out: nobody reads them, and writing them takes time.
const MOST: usize = 10_000;
const LARGE: &str = "(a term of more than 10,000 parts)";

impl<'p> Explorer<'p> {
    /// A term of a state in infix notation; a very large one is not spelled out.
    pub(crate) fn spelled(&mut self, state: &State<'p>, term: TermId) -> String {
        if is_large(&self.machine.pool, term) {
            return LARGE.to_owned();
        }
        let term = self.with_names(state, term);
        self.machine.pool.infix(term).to_string()
    }

    /// What an alternative of a policy is.
    pub(crate) fn describe(&self, state: &State<'p>, alternative: &Alternative) -> String {
        let name = |input| self.machine.unknowns.inputs.get(input).name.to_string();
        let object = |place| {
            let class = || self.machine.program.class_spelling(state.heap.class(place));
            self.name_of(state, place).unwrap_or_else(|| format!("an object of {}", class()))
        };
        match alternative.effect {
            Effect::Null(input) => format!("{} == null", name(input)),
            Effect::Location(input, _) => format!("{} != null", name(input)),
            Effect::Fresh(input, _) => format!("{} is new", name(input)),
            Effect::Alias(input, place) => format!("{} == {}", name(input), object(place)),
            Effect::Maybe(input, _) => format!("{} fits", name(input)),
            Effect::Narrow(place, _) => format!("type of {}", object(place)),
            Effect::Identity(a, b, same) => {
                let sign = if same { "==" } else { "!=" };
                format!("{} {sign} {}", object(a), object(b))
            }
            Effect::Hold(array, _) => format!("{} holds it", object(array)),
            Effect::Unfit(array, ..) => format!("{} does not hold it", object(array)),
            Effect::Nothing | Effect::Cut(_) | Effect::NoClass(_) | Effect::Unloadable(_) => {
                String::new()
            }
        }
    }

    /// A condition as a part of a conjunction.
    pub(crate) fn spelled_part(&mut self, state: &State<'p>, term: TermId) -> String {
        if is_large(&self.machine.pool, term) {
            return LARGE.to_owned();
        }
        let term = self.with_names(state, term);
        let pool = &self.machine.pool;
        let node = pool.node(term);
        let is_either = node.op == Op::Not && pool.node(node.arg(0)).op == Op::And;
        let text = pool.infix(term).to_string();
        if is_either || node.op == Op::Ite { format!("({text})") } else { text }
    }

    /// The same term, with symbols in place of what has a name.
    fn with_names(&mut self, state: &State<'p>, term: TermId) -> TermId {
        let mut known: FxHashMap<TermId, TermId> = FxHashMap::default();
        // Terms can be deep: no recursion.
        let mut waiting = vec![term];
        while let Some(&next) = waiting.last() {
            if known.contains_key(&next) {
                waiting.pop();
                continue;
            }
            if let Some(named) = self.object_name(state, next).or_else(|| self.type_test(next)) {
                known.insert(next, named);
                continue;
            }
            let node = self.machine.pool.node(next);
            let before = waiting.len();
            waiting.extend(node.args().filter(|part| !known.contains_key(part)));
            if waiting.len() == before {
                let parts: Vec<TermId> = node.args().map(|part| known[&part]).collect();
                let is_same = node.args().eq(parts.iter().copied());
                let rebuilt = if is_same {
                    next
                } else {
                    self.machine.pool.apply(node.op, node.sort, &parts)
                };
                known.insert(next, rebuilt);
                waiting.pop();
            }
        }
        known[&term]
    }

    /// A symbol for an object: a constant of an enum by its name, what a static field leads to by the
    /// way to it, a location of a summary by the name of the input that it was made for.
    fn object_name(&mut self, state: &State<'p>, term: TermId) -> Option<TermId> {
        let pool = &self.machine.pool;
        let bits = pool.bits(term).filter(|&bits| bits != 0)?;
        if pool.sort(term) != Sort::Ref {
            return None;
        }
        let object = Reference::new(bits as u32);
        let name = self.name_of(state, object)?;
        let is_location = state.knowledge.object(object).is_some();
        let name = if is_location { format!("@{name}") } else { name };
        Some(self.machine.pool.symbol(&name, Sort::Ref))
    }

    /// What an object is called that was there from the start: the input that led to it first, the way to
    /// it from a static field, or a constant of an enum.
    fn name_of(&self, state: &State<'p>, object: Reference) -> Option<String> {
        let first = state.knowledge.object(object).map(|symbolic| symbolic.input);
        let held = || state.knowledge.holding(object).map(|held| held.input);
        if let Some(input) = first.or_else(held) {
            return Some(self.machine.unknowns.inputs.get(input).name.to_string());
        }
        let Flow::Continue(Value::Reference(name)) = self.machine.field(state, object, "name")
        else {
            return None;
        };
        let Flow::Continue(name) = self.machine.text(state, name) else { return None };
        // Below `Object` and `Enum`; a constant with a body has a class of its own below that.
        let program = self.machine.program;
        let class = *program.class(state.heap.class(object)).lineage().get(2)?;
        Some(format!("{}.{name}", short(program, class)))
    }

    /// A symbol that says what a condition on the class of one input says; none if it is no such
    /// condition.
    fn type_test(&mut self, term: TermId) -> Option<TermId> {
        let pool = &self.machine.pool;
        if pool.sort(term) != Sort::Bool || pool.bits(term).is_some() {
            return None;
        }
        let [symbol] = *pool.symbols_of(term) else { return None };
        let inputs = &self.machine.unknowns.inputs;
        let Step::Class(of) = inputs.get(inputs.of_symbol(symbol)?).step else { return None };
        let (inside, outside) = self.split(term, symbol, of)?;
        let name = self.machine.unknowns.inputs.get(of).name.to_string();
        let program = self.machine.program;
        let (text, holds) = match (&inside[..], &outside[..]) {
            ([], _) | (_, []) => return Some(self.machine.pool.boolean(outside.is_empty())),
            _ => match (common(program, &inside, &outside), common(program, &outside, &inside)) {
                (Some(class), _) => {
                    (format!("({name} instanceof {})", short(program, class)), true)
                }
                (None, Some(class)) => {
                    (format!("({name} instanceof {})", short(program, class)), false)
                }
                (None, None) if inside.len() <= outside.len() => {
                    (list(program, &name, &inside), true)
                }
                (None, None) => (list(program, &name, &outside), false),
            },
        };
        let pool = &mut self.machine.pool;
        let test = pool.symbol(&text, Sort::Bool);
        Some(if holds { test } else { pool.not(test) })
    }

    /// The classes that an input can be of by its declaration: those that make a condition true, and
    /// the others.
    fn split(
        &mut self,
        term: TermId,
        symbol: SymbolId,
        of: InputId,
    ) -> Option<(Vec<ClassId>, Vec<ClassId>)> {
        let declared = self.machine.unknowns.inputs.get(of).class?;
        let domain = self.machine.unknowns.domains.below(self.machine.program, declared);
        let classes = self.machine.unknowns.domains.classes(domain).iter().copied();
        let pool = &self.machine.pool;
        let holds = |class: &ClassId| {
            let mut assignment = Assignment::new();
            assignment.set(symbol, class.index() as u64);
            pool.evaluate(term, &assignment) == 1
        };
        Some(classes.partition(holds))
    }
}

/// Whether a term has more parts than anybody reads.
fn is_large(pool: &Pool, term: TermId) -> bool {
    let (mut seen, mut waiting) = (FxHashSet::default(), vec![term]);
    while let Some(next) = waiting.pop() {
        if seen.insert(next) {
            if seen.len() > MOST {
                return true;
            }
            waiting.extend(pool.node(next).args());
        }
    }
    false
}

/// A type that all of some classes have and none of the others.
fn common(program: &Program, some: &[ClassId], others: &[ClassId]) -> Option<ClassId> {
    let class = program.class(*some.first()?);
    // The lowest first: it says most.
    let mut above = class.lineage().iter().rev().chain(class.all_interfaces()).copied();
    above.find(|&above| {
        some.iter().all(|&class| program.is_subtype(class, above))
            && !others.iter().any(|&class| program.is_subtype(class, above))
    })
}

fn list(program: &Program, name: &str, classes: &[ClassId]) -> String {
    if let [class] = classes {
        return format!("({name}.getClass() == {}.class)", short(program, *class));
    }
    let mut names: Vec<String> =
        classes.iter().take(LISTED).map(|&class| short(program, class)).collect();
    if classes.len() > LISTED {
        names.push(format!("{} more", classes.len() - LISTED));
    }
    format!("({name}.getClass() in {{{}}})", names.join(", "))
}

/// The name of a class without its package.
fn short(program: &Program, class: ClassId) -> String {
    let name = program.class_spelling(class);
    name.rsplit('.').next().unwrap_or(&name).to_owned()
}

//! Equal inputs have equal fields: what a policy leaves to the values of symbols.
//!
//! Where a policy gives each input symbols of its own for the fields of its object, two inputs that are
//! one object must have the same values there. A path does not say so for all pairs, which are many;
//! it says so for those that a solver's values get wrong, and the solver is asked again.
//!
//! Invariant: inputs are one object only where the path compares them. Equal values of what nothing
//! compares mean nothing: either could have any other value.

use dalang_heap::{InputId, Inputs, Knowledge, Policy, Step};
use dalang_solver::{Answer, Query, Solver};
use dalang_term::{Assignment, Evaluation, Op, Pool, Sort, SymbolId, TermId};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// What a path compares.
#[derive(Clone, Default)]
pub(crate) struct Congruence {
    /// Whether inputs that are one object have fields of their own.
    is_due: bool,
    /// Whether it is noted what is compared.
    compares: bool,
    comparisons: Rc<Vec<TermId>>,
}

/// Whom a path asks whether it can go on.
pub(crate) struct Asking<'a> {
    pub(crate) pool: &'a mut Pool,
    pub(crate) solver: &'a mut Solver,
    pub(crate) inputs: &'a Inputs,
    pub(crate) knowledge: &'a Knowledge,
}

/// What was found out about a path and a condition.
pub(crate) struct Checked {
    pub(crate) answer: Answer,
    /// What was asked in the end: the same, of a path on which the lemmas hold.
    pub(crate) query: Query,
    /// What was learned on the way of inputs that are one object.
    pub(crate) lemmas: Vec<TermId>,
}

impl Congruence {
    /// Of a path on which equal inputs have fields of their own, or not.
    pub(crate) fn new(is_due: bool) -> Self {
        Self { is_due, compares: is_due, ..Self::default() }
    }

    /// Whether inputs that are one object have fields of their own.
    pub(crate) fn is_due(&self) -> bool {
        self.is_due
    }

    /// Of a witness: what is compared tells which inputs are one object, also where that says nothing of
    /// their fields.
    pub(crate) fn of_witness(policy: Policy) -> Self {
        Self { compares: policy.keeps_references(), ..Self::new(policy.has_congruence()) }
    }

    /// Notes what a condition compares that holds from now on.
    pub(crate) fn note(&mut self, pool: &Pool, condition: TermId) {
        if self.compares {
            let new = comparisons(pool, condition, &self.comparisons);
            if !new.is_empty() {
                Rc::make_mut(&mut self.comparisons).extend(new);
            }
        }
    }

    /// What is compared on the path.
    pub(crate) fn comparisons(&self) -> &[TermId] {
        &self.comparisons
    }
}

impl Asking<'_> {
    /// The answer to a query, with fields that are equal where inputs are.
    pub(crate) fn check(&mut self, congruence: &Congruence, mut query: Query) -> Checked {
        let (mut congruence, mut lemmas) = (congruence.clone(), Vec::new());
        congruence.note(self.pool, query.extra());
        loop {
            let answer = self.solver.check(self.pool, &query);
            let broken = match &answer {
                Answer::Sat(values) => self.broken(&congruence, values),
                _ => Vec::new(),
            };
            if broken.is_empty() {
                return Checked { answer, query, lemmas };
            }
            query = query.with_lemmas(self.pool, &broken);
            for lemma in broken {
                congruence.note(self.pool, lemma);
                lemmas.push(lemma);
            }
        }
    }

    fn broken(&mut self, congruence: &Congruence, values: &Assignment) -> Vec<TermId> {
        let comparisons = congruence.comparisons();
        if comparisons.is_empty() || !congruence.is_due {
            return Vec::new();
        }
        let twins = Twins::new(self.pool, self.inputs, self.knowledge, comparisons, values);
        twins.broken(self.pool, comparisons)
    }
}

/// Comparisons of references that are part of a term, each once; none of those that are known already.
fn comparisons(pool: &Pool, term: TermId, known: &[TermId]) -> Vec<TermId> {
    let mut found = Vec::new();
    let mut seen: FxHashSet<TermId> = FxHashSet::default();
    let mut waiting = vec![term];
    while let Some(term) = waiting.pop() {
        if !mentions_references(pool, term) || !seen.insert(term) {
            continue;
        }
        let node = pool.node(term);
        if node.op == Op::Eq && pool.sort(node.arg(0)) == Sort::Ref && !known.contains(&term) {
            found.push(term);
        }
        waiting.extend(node.args());
    }
    found
}

fn mentions_references(pool: &Pool, term: TermId) -> bool {
    pool.symbols_of(term).iter().any(|&symbol| pool.symbol_sort(symbol) == Sort::Ref)
}

/// Which inputs are one object, by the values that a solver gave.
pub(crate) struct Twins<'a> {
    inputs: &'a Inputs,
    knowledge: &'a Knowledge,
    values: &'a Assignment,
    /// An input of the same object that is closer to the one that stands for it.
    towards: FxHashMap<InputId, InputId>,
}

impl<'a> Twins<'a> {
    /// The inputs that are one object because one of these comparisons holds, or because they are the same
    /// field of one object.
    pub(crate) fn new(
        pool: &Pool,
        inputs: &'a Inputs,
        knowledge: &'a Knowledge,
        comparisons: &[TermId],
        values: &'a Assignment,
    ) -> Self {
        let mut twins = Self { inputs, knowledge, values, towards: FxHashMap::default() };
        let mut evaluation = None;
        for &comparison in comparisons {
            let node = pool.node(comparison);
            let sides = [node.arg(0), node.arg(1)]
                .map(|side| twins.inputs.of_term(pool, end(pool, values, &mut evaluation, side)));
            if let [Some(a), Some(b)] = sides {
                twins.join(a, b);
            }
        }
        if !twins.towards.is_empty() {
            while twins.join_fields() {}
        }
        twins
    }

    /// The input that stands for an object.
    pub(crate) fn first(&self, mut input: InputId) -> InputId {
        while let Some(&next) = self.towards.get(&input) {
            input = next;
        }
        input
    }

    fn value(&self, input: InputId) -> u64 {
        self.values.get(self.inputs.get(input).symbol)
    }

    /// Two inputs are compared: they are one object if they have the same value.
    fn join(&mut self, a: InputId, b: InputId) -> bool {
        let (first, second) = (self.first(a), self.first(b));
        if first == second || self.value(a) != self.value(b) || self.value(a) == 0 {
            return false;
        }
        self.towards.insert(first.max(second), first.min(second));
        true
    }

    /// The same field of one object is one reference; whether that was new.
    fn join_fields(&mut self) -> bool {
        let mut changed = false;
        for (a, b) in self.pairs() {
            changed |= self.inputs.get(a).primitive.is_none() && self.join(a, b);
        }
        changed
    }

    /// Fields that were looked at by way of several inputs that are one object: each later one with the
    /// first.
    fn pairs(&self) -> Vec<(InputId, InputId)> {
        let mut fields = FxHashMap::default();
        let mut pairs = Vec::new();
        for &id in self.knowledge.fields() {
            let Step::Field(owner, field) = self.inputs.get(id).step else { continue };
            let first = *fields.entry((self.first(owner), field)).or_insert(id);
            // A number in an object that is an older one for a bound's sake is that one's by itself.
            let is_theirs =
                self.knowledge.is_bounded(owner) && self.inputs.get(id).primitive.is_some();
            if first != id && !is_theirs {
                pairs.push((first, id));
            }
        }
        self.add_parts(&mut pairs);
        pairs
    }

    /// What else an object has whose inputs are one: its class, and the value and the identity of a box or
    /// string, which nobody reads as a field. Each with that of the input that stands for the object, where
    /// a value was given to both.
    fn add_parts(&self, pairs: &mut Vec<(InputId, InputId)>) {
        let mut members: FxHashSet<InputId> = self.towards.keys().copied().collect();
        members.extend(self.towards.values());
        let part = |(symbol, _): (SymbolId, u64)| {
            let id = self.inputs.of_symbol(symbol)?;
            let owner = owner(self.inputs.get(id).step).filter(|owner| members.contains(owner))?;
            Some((id, owner))
        };
        let mut parts: Vec<(InputId, InputId)> = self.values.iter().filter_map(part).collect();
        parts.sort_unstable();
        let mut firsts = FxHashMap::default();
        for (id, owner) in parts {
            let owner = self.first(owner);
            let of_first = match self.inputs.get(id).step {
                Step::Field(_, field) if !self.knowledge.fields().contains(&id) => {
                    Step::Field(owner, field)
                }
                Step::Class(_) => Step::Class(owner),
                Step::Identity(_) => Step::Identity(owner),
                Step::Characters(_) => Step::Characters(owner),
                Step::Character(_, place) => Step::Character(owner, place),
                _ => continue,
            };
            let first = *firsts.entry(of_first).or_insert(id);
            if first != id {
                pairs.push((first, id));
            }
        }
    }

    /// What holds of all inputs and these values do not meet: where two inputs are one object, a field of
    /// it has one value. None, if they meet all.
    pub(crate) fn broken(&self, pool: &mut Pool, comparisons: &[TermId]) -> Vec<TermId> {
        if self.towards.is_empty() {
            return Vec::new();
        }
        let mut facts = Vec::new();
        for (first, later) in self.pairs() {
            if self.value(first) == self.value(later) {
                continue;
            }
            self.add_fact(pool, first, later, &mut facts);
            self.add_kin(pool, later, comparisons, &mut facts);
        }
        facts
    }

    /// Whether a field of one object has several values.
    pub(crate) fn is_broken(&self) -> bool {
        !self.towards.is_empty()
            && self.pairs().into_iter().any(|(a, b)| self.value(a) != self.value(b))
    }

    /// For each input that is the same object as another, the one that stands for it.
    pub(crate) fn into_first(self) -> FxHashMap<InputId, InputId> {
        self.towards.keys().map(|&input| (input, self.first(input))).collect()
    }

    /// Everything that must hold because of which inputs are one object, whether or not the values meet it.
    pub(crate) fn facts(&self, pool: &mut Pool) -> Vec<TermId> {
        let mut facts = Vec::new();
        if !self.towards.is_empty() {
            for (first, later) in self.pairs() {
                self.add_fact(pool, first, later, &mut facts);
            }
        }
        facts
    }

    /// If two parts are those of one object, they are equal.
    fn add_fact(&self, pool: &mut Pool, a: InputId, b: InputId, facts: &mut Vec<TermId>) {
        let [Some(of_a), Some(of_b)] = [a, b].map(|id| owner(self.inputs.get(id).step)) else {
            return;
        };
        let [of_a, of_b, a, b] = [of_a, of_b, a, b].map(|id| self.inputs.get(id).term);
        let (same, equal) = (pool.eq(of_a, of_b), pool.eq(a, b));
        let fact = pool.implies(same, equal);
        if fact != Pool::TRUE && !facts.contains(&fact) {
            facts.push(fact);
        }
    }

    /// The same for all that the owner of a field is compared with: if it is not this object, the next
    /// values would make it that one.
    fn add_kin(
        &self,
        pool: &mut Pool,
        id: InputId,
        comparisons: &[TermId],
        facts: &mut Vec<TermId>,
    ) {
        let Step::Field(owner, field) = self.inputs.get(id).step else { return };
        let owner = self.inputs.get(owner).term;
        for &comparison in comparisons {
            let node = pool.node(comparison);
            let other = match [node.arg(0), node.arg(1)] {
                [a, b] if a == owner => b,
                [a, b] if b == owner => a,
                _ => continue,
            };
            let other = self.inputs.of_term(pool, other);
            let theirs = other.and_then(|other| self.inputs.find(Step::Field(other, field)));
            if let Some(theirs) = theirs.filter(|theirs| self.knowledge.fields().contains(theirs)) {
                self.add_fact(pool, theirs, id, facts);
            }
        }
    }
}

/// The input to whose object something belongs that has one value in an object.
fn owner(step: Step) -> Option<InputId> {
    match step {
        Step::Field(owner, _)
        | Step::Class(owner)
        | Step::Identity(owner)
        | Step::Characters(owner)
        | Step::Character(owner, _) => Some(owner),
        _ => None,
    }
}

/// The leaf that a reference is under an assignment.
fn end(
    pool: &Pool,
    values: &Assignment,
    evaluation: &mut Option<Evaluation>,
    mut reference: TermId,
) -> TermId {
    loop {
        let node = pool.node(reference);
        if node.op != Op::Ite {
            return reference;
        }
        let evaluation = evaluation.get_or_insert_with(|| Evaluation::new(values.clone()));
        let then = evaluation.holds(pool, node.arg(0));
        reference = if then { node.arg(1) } else { node.arg(2) };
    }
}

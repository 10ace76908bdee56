//! References that are not resolved: terms whose leaves are locations under conditions.
//!
//! The two policies that do not divide paths, [`pose`](super::pose) and
//! [`summary`](super::summary), share this: a reference is a term, an ite over null, objects and
//! (with POSE) symbols; comparing references gives a condition, and the class of an input object is
//! a symbol of its own. What they do not share is what a field of an input object is, and that is
//! theirs.
//!
//! # Invariant
//! Nothing here asks: what must be decided is a condition that comes back, and what a state learns
//! without deciding goes to its [`Facts`]. Facts exclude no input: they tie symbols to each other.

use crate::apply::Facts;
use crate::domain::DomainId;
use crate::input::{InputId, Step};
use crate::knowledge::{Knowledge, Resolution, Symbolic};
use crate::object::Body;
use crate::places::Named;
use crate::policy::typing::is_enum;
use crate::policy::{Policy, Unknowns};
use crate::reference::Reference;
use crate::store::Heap;
use dalang_classes::{ClassId, Program};
use dalang_term::{Op, Pool, Sort, TermId};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;
use std::rc::Rc;

/// What the path that is followed has settled. It is the narrow way in which a rule learns of
/// decisions: it cannot ask for one.
pub trait Settled {
    /// Whether a condition holds, if that is settled.
    fn holds(&self, pool: &Pool, condition: TermId) -> Option<bool>;

    /// What was settled, the newest last, whichever way. A path only adds to it.
    fn conditions(&self) -> Box<dyn DoubleEndedIterator<Item = TermId> + '_>;

    /// How many conditions that is.
    fn count(&self) -> usize;

    /// Whether two terms are different wherever the path goes, as far as comparisons alone tell.
    fn differ(&self, pool: &Pool, a: TermId, b: TermId) -> bool;
}

/// A reference without conditions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Leaf {
    /// Null.
    Null,
    /// An object at a place of its own, different from all others: one that the run has made, a
    /// constant of an enum, or a location of a summary.
    Object(Reference),
    /// An input, which may be null or the same as another.
    Symbol(InputId),
}

/// What is known of the class of a leaf that is not null.
#[derive(Clone, Copy, Debug)]
pub enum Classed {
    /// It is that of an input.
    Input(InputId),
    /// It is this one.
    Exactly(ClassId),
}

/// The parts of a state that rules about references change, and what they are made with.
pub struct Guarded<'a> {
    /// The classes.
    pub program: &'a Program,
    /// The terms.
    pub pool: &'a mut Pool,
    /// What all states share about unknown values.
    pub unknowns: &'a mut Unknowns,
    /// The heap of the state.
    pub heap: &'a mut Heap,
    /// What the state knows.
    pub knowledge: &'a mut Knowledge,
    /// What the path has settled.
    pub settled: &'a dyn Settled,
    /// What the state learns.
    pub facts: &'a mut Facts,
}

impl Guarded<'_> {
    /// Counts a use of a rule.
    pub(crate) fn apply(&mut self, rule: &'static str) {
        self.unknowns.rules.apply(rule);
    }

    /// Counts a use of a rule whose result stays, be it that what needs it breaks off to ask.
    pub(crate) fn discover(&mut self, rule: &'static str) {
        self.unknowns.rules.discover(rule);
    }

    /// A condition, or what the path has settled of it.
    pub fn settle(&mut self, condition: TermId) -> TermId {
        match self.settled.holds(self.pool, condition) {
            Some(true) => Pool::TRUE,
            Some(false) => Pool::FALSE,
            None if self.is_excluded(condition) => Pool::FALSE,
            None => condition,
        }
    }

    /// Whether a condition equates an input that is null with one that is not.
    fn is_excluded(&mut self, condition: TermId) -> bool {
        let node = self.pool.node(condition);
        if node.op != Op::Eq || self.pool.sort(node.arg(0)) != Sort::Ref {
            return false;
        }
        let [a, b] =
            [node.arg(0), node.arg(1)].map(|term| self.unknowns.inputs.of_term(self.pool, term));
        let (Some(a), Some(b)) = (a, b) else { return false };
        matches!((self.known_null(a), self.known_null(b)), (Some(a), Some(b)) if a != b)
    }

    /// Whether an input is null, if that is settled.
    pub(crate) fn known_null(&mut self, input: InputId) -> Option<bool> {
        if self.unknowns.is_void(self.program, input) {
            return Some(true);
        }
        let known = self.knowledge.resolution(input);
        if matches!(known, Some(Resolution::Location(_))) || self.is_used(input) {
            return Some(false);
        }
        let test = self.pool.eq(self.symbol(input), Pool::NULL);
        self.settled.holds(self.pool, test)
    }

    /// The parts of an ite of references; none if it is a leaf.
    pub fn branches(&self, reference: TermId) -> Option<[TermId; 3]> {
        let node = self.pool.node(reference);
        (node.op == Op::Ite).then(|| [node.arg(0), node.arg(1), node.arg(2)])
    }

    /// A term without ites, as what it is.
    pub fn leaf(&self, reference: TermId) -> Leaf {
        match self.pool.bits(reference) {
            Some(0) => Leaf::Null,
            Some(bits) => {
                let object = Reference::new(bits as u32);
                match self.knowledge.object(object) {
                    Some(symbolic) if self.unknowns.policy == Policy::Pose => {
                        Leaf::Symbol(symbolic.input)
                    }
                    _ => Leaf::Object(object),
                }
            }
            None => match self.unknowns.inputs.of_term(self.pool, reference) {
                Some(input) => Leaf::Symbol(input),
                None => {
                    let op = self.pool.node(reference).op;
                    assert_eq!(op, Op::Ite, "a reference is neither an input nor an object");
                    Leaf::Null
                }
            },
        }
    }

    /// The leaves of a reference, each with the condition under which the reference is it; those
    /// that the path excludes at a glance are left out.
    pub fn leaves(&mut self, reference: TermId) -> Vec<(TermId, TermId)> {
        if self.branches(reference).is_none() {
            return vec![(Pool::TRUE, reference)];
        }
        // A part is younger than what it is part of, so all conditions of a part are known when
        // its turn comes, and shared parts are looked at once.
        let mut waiting: BTreeMap<u32, TermId> = BTreeMap::new();
        let mut leaves = Vec::new();
        waiting.insert(reference.index(), Pool::TRUE);
        while let Some((index, condition)) = waiting.pop_last() {
            let term = TermId::from_index(index);
            let Some([test, then, otherwise]) = self.branches(term) else {
                leaves.push((condition, term));
                continue;
            };
            let test = self.settle(test);
            let not_test = self.pool.not(test);
            for (side, part) in [(test, then), (not_test, otherwise)] {
                let under = self.pool.and(condition, side);
                if under != Pool::FALSE {
                    let known = waiting.entry(part.index()).or_insert(Pool::FALSE);
                    *known = self.pool.or(*known, under);
                }
            }
        }
        leaves
    }

    /// The leaves of a reference, where it does not matter under which conditions it is them; some
    /// may be excluded together with what leads to them.
    pub fn ends(&mut self, reference: TermId) -> Vec<TermId> {
        let mut seen = FxHashSet::default();
        let (mut waiting, mut ends) = (vec![reference], Vec::new());
        while let Some(term) = waiting.pop() {
            let Some([test, then, otherwise]) = self.branches(term) else {
                ends.push(term);
                continue;
            };
            let test = self.settle(test);
            let sides = [(otherwise, Pool::TRUE), (then, Pool::FALSE)];
            for (part, excluded) in sides {
                if test != excluded && seen.insert(part) {
                    waiting.push(part);
                }
            }
        }
        ends
    }

    /// The inputs that a reference can lead to, as [`Guarded::ends`].
    pub fn ending_inputs(&mut self, reference: TermId) -> Vec<InputId> {
        let ends = self.ends(reference);
        ends.into_iter().filter_map(|end| self.input_of(end)).collect()
    }

    /// The input that a leaf stands for.
    fn input_of(&self, leaf: TermId) -> Option<InputId> {
        match self.leaf(leaf) {
            Leaf::Symbol(input) => Some(input),
            Leaf::Object(object) => self.knowledge.object(object).map(|symbolic| symbolic.input),
            Leaf::Null => None,
        }
    }

    /// What the classes of an input can be.
    pub fn domain(&mut self, input: InputId) -> DomainId {
        if let Some(bound) = self.bound(input) {
            return bound.domain;
        }
        match self.unknowns.resolution(self.program, self.knowledge, input) {
            Resolution::Maybe(domain) | Resolution::Location(domain) => domain,
            _ => DomainId::EMPTY,
        }
    }

    /// The object of an input that has one.
    pub fn bound(&self, input: InputId) -> Option<Symbolic> {
        match self.knowledge.resolution(input) {
            Some(Resolution::Bound(reference)) => self.knowledge.object(reference).copied(),
            _ => None,
        }
    }

    /// The term of an input.
    pub fn symbol(&self, input: InputId) -> TermId {
        self.unknowns.inputs.get(input).term
    }

    /// What an input that is not resolved is spelled as.
    pub fn unresolved(&mut self, input: InputId) -> TermId {
        if self.unknowns.policy.spells_places() {
            self.summarize(input)
        } else {
            self.symbol(input)
        }
    }

    /// Whether an input was used without a condition, so that it is not null.
    pub(crate) fn is_used(&self, input: InputId) -> bool {
        self.bound(input).is_some_and(|bound| bound.used == Pool::TRUE)
    }

    /// When two references are the same.
    pub fn same(&mut self, a: TermId, b: TermId) -> TermId {
        if self.unknowns.policy == Policy::Summary
            && let (Some(one), Some(other)) = (self.whole(a), self.whole(b))
        {
            // It is what going through all pairs of locations comes to, and much smaller.
            return self.same_inputs(one, other);
        }
        let mut known = FxHashMap::default();
        let same = self.same_parts(a, b, &mut known);
        self.settle(same)
    }

    fn same_parts(
        &mut self,
        a: TermId,
        b: TermId,
        known: &mut FxHashMap<(TermId, TermId), TermId>,
    ) -> TermId {
        let pair = (a.min(b), a.max(b));
        if a == b {
            return Pool::TRUE;
        }
        if let Some(&same) = known.get(&pair) {
            return same;
        }
        // The larger term is taken apart first: it may contain the other, never the reverse.
        let same = match (self.branches(pair.1), self.branches(pair.0)) {
            (Some(parts), _) => self.same_branches(parts, pair.0, known),
            (None, Some(parts)) => self.same_branches(parts, pair.1, known),
            (None, None) => self.same_leaves(pair.0, pair.1),
        };
        known.insert(pair, same);
        same
    }

    fn same_branches(
        &mut self,
        [test, then, otherwise]: [TermId; 3],
        other: TermId,
        known: &mut FxHashMap<(TermId, TermId), TermId>,
    ) -> TermId {
        match self.settle(test) {
            Pool::TRUE => self.same_parts(then, other, known),
            Pool::FALSE => self.same_parts(otherwise, other, known),
            test => {
                let then = if self.are_one_field(test, then, other) {
                    Pool::TRUE
                } else {
                    self.same_parts(then, other, known)
                };
                let otherwise = self.same_parts(otherwise, other, known);
                self.pool.ite(test, then, otherwise)
            }
        }
    }

    /// Whether two references are the same field of two inputs that a test says to be one object.
    fn are_one_field(&self, test: TermId, a: TermId, b: TermId) -> bool {
        let node = self.pool.node(test);
        if node.op != Op::Eq || !self.unknowns.policy.has_congruence() {
            return false;
        }
        let inputs = &self.unknowns.inputs;
        let field = |term| match inputs.get(inputs.of_term(self.pool, term)?).step {
            Step::Field(owner, field) => Some((inputs.get(owner).term, field)),
            _ => None,
        };
        let (Some((of_a, field_a)), Some((of_b, field_b))) = (field(a), field(b)) else {
            return false;
        };
        let owners = [node.arg(0), node.arg(1)];
        field_a == field_b && (owners == [of_a, of_b] || owners == [of_b, of_a])
    }

    fn same_leaves(&mut self, a: TermId, b: TermId) -> TermId {
        match (self.leaf(a), self.leaf(b)) {
            (Leaf::Null, Leaf::Null) => Pool::TRUE,
            (Leaf::Null, Leaf::Symbol(input)) | (Leaf::Symbol(input), Leaf::Null) => {
                self.is_null(input)
            }
            // Whether two boxes or strings are one is not asked here.
            (Leaf::Object(a), Leaf::Object(b)) => {
                let locations = (self.knowledge.object(a), self.knowledge.object(b));
                match (a == b, locations.0.copied(), locations.1.copied()) {
                    (false, Some(location), None) => self.is_constant(location.input, b),
                    (false, None, Some(location)) => self.is_constant(location.input, a),
                    (same, ..) => self.pool.boolean(same),
                }
            }
            (Leaf::Symbol(a), Leaf::Symbol(b)) => self.same_inputs(a, b),
            // An object is not null.
            (Leaf::Object(_), Leaf::Null) | (Leaf::Null, Leaf::Object(_)) => Pool::FALSE,
            (Leaf::Object(object), Leaf::Symbol(input))
            | (Leaf::Symbol(input), Leaf::Object(object)) => self.is_constant(input, object),
        }
    }

    /// When an input is an object that is no input. What the run has made is none, but constants of
    /// enums, and other objects that static fields lead to, are there from the start: an input of a
    /// general type can be one of them.
    fn is_constant(&mut self, input: InputId, object: Reference) -> TermId {
        let class = self.heap.class(object);
        let domain = self.domain(input);
        let is_held = || self.knowledge.candidates(input).any(|held| held.object == object);
        let is_early = is_enum(self.program, class) || is_held();
        if !is_early || !self.unknowns.domains.classes(domain).contains(&class) {
            return Pool::FALSE;
        }
        let place = self.pool.identity(object.number());
        let equal = self.pool.eq(self.symbol(input), place);
        self.settle(equal)
    }

    /// A reference, or one of the objects that static fields lead to where the input is one of those.
    ///
    /// Rule `typing/held-object`, without dividing.
    pub fn or_held(&mut self, input: InputId, reference: TermId) -> TermId {
        if self.knowledge.held().is_empty() {
            return reference;
        }
        let domain = self.domain(input);
        let candidates: Vec<Reference> =
            self.knowledge.candidates(input).map(|held| held.object).collect();
        let mut hits = Vec::new();
        for object in candidates {
            let class = self.heap.class(object);
            if !self.unknowns.domains.classes(domain).contains(&class) {
                continue;
            }
            let place = self.pool.identity(object.number());
            let equal = self.pool.eq(self.symbol(input), place);
            if self.knowledge.tie(equal) {
                let kind = self.class_of(input);
                let number = class_number(self.pool, class);
                let fits = self.pool.eq(kind, number);
                let fact = self.pool.implies(equal, fits);
                if fact != Pool::TRUE {
                    self.facts.holds.push(fact);
                }
            }
            hits.push((self.settle(equal), place));
        }
        hits.retain(|&(hit, _)| hit != Pool::FALSE);
        if hits.is_empty() {
            return reference;
        }
        self.apply("typing/held-object");
        // An ite over an input that is compared with its own branches would be the input again: the
        // input is put as its place.
        let mut either = reference;
        if self.branches(reference).is_none() && self.pool.bits(reference).is_none() {
            let own = self.open(input);
            either = self.pool.identity(own.number());
        }
        for (hit, place) in hits.into_iter().rev() {
            either = self.pool.ite(hit, place, either);
        }
        either
    }

    /// When an input is null.
    pub fn is_null(&mut self, input: InputId) -> TermId {
        if self.unknowns.is_void(self.program, input) {
            return Pool::TRUE;
        }
        let located = matches!(self.knowledge.resolution(input), Some(Resolution::Location(_)));
        if located || self.is_used(input) {
            return Pool::FALSE;
        }
        let null = self.pool.eq(self.symbol(input), Pool::NULL);
        self.settle(null)
    }

    /// When two inputs are the same reference.
    pub fn same_inputs(&mut self, a: InputId, b: InputId) -> TermId {
        if a == b {
            return Pool::TRUE;
        }
        let equal = self.pool.eq(self.symbol(a), self.symbol(b));
        let known = self.settle(equal);
        if known != equal {
            return known;
        }
        if self.are_apart(equal, a, b) {
            let (a, b) = (self.is_null(a), self.is_null(b));
            return self.pool.and(a, b);
        }
        self.tie_types(equal, a, b);
        equal
    }

    /// Whether two inputs are not one object, as far as that is plain.
    fn are_apart(&mut self, equal: TermId, a: InputId, b: InputId) -> bool {
        if self.knowledge.is_apart(equal) {
            return true;
        }
        self.unknowns.rely_on_alias(a, b);
        let (x, y) = (self.domain(a), self.domain(b));
        let apart = self.unknowns.domains.meet(x, y) == DomainId::EMPTY || self.differ_inside(a, b);
        if apart {
            self.knowledge.tell_apart(equal);
        }
        apart
    }

    /// Whether two inputs cannot be one object because a field of it was different from the start, by
    /// what the path knows.
    ///
    /// Rule `pose/different-inside`. Deviation: D9.
    fn differ_inside(&mut self, a: InputId, b: InputId) -> bool {
        if !self.unknowns.policy.has_congruence() {
            return false;
        }
        let domain = self.domain(a);
        let class = self.unknowns.domains.upper(self.program, domain);
        let fields = &self.program.class(class).instance_fields;
        let differs = fields.iter().any(|&field| {
            let [x, y] = [a, b].map(|owner| self.unknowns.inputs.find(Step::Field(owner, field)));
            let (Some(x), Some(y)) = (x, y) else { return false };
            if self.unknowns.inputs.get(x).primitive.is_some() {
                let [x, y] = [x, y].map(|input| self.symbol(input));
                return self.settled.differ(self.pool, x, y);
            }
            matches!((self.known_null(x), self.known_null(y)), (Some(x), Some(y)) if x != y)
        });
        if differs {
            self.apply("pose/different-inside");
        }
        differs
    }

    /// The same object has one class, whichever input leads to it.
    fn tie_types(&mut self, equal: TermId, a: InputId, b: InputId) {
        let (x, y) = (self.domain(a), self.domain(b));
        if (x == y && self.unknowns.domains.only(x).is_some()) || !self.knowledge.tie(equal) {
            return;
        }
        let (kind_a, kind_b) = (self.class_of(a), self.class_of(b));
        let same_kind = self.pool.eq(kind_a, kind_b);
        let null = self.is_null(a);
        let consistent = self.pool.or(same_kind, null);
        let fact = self.pool.implies(equal, consistent);
        if fact != Pool::TRUE {
            self.facts.holds.push(fact);
        }
    }

    /// The class of the object that an input leads to, as a number.
    pub fn class_of(&mut self, input: InputId) -> TermId {
        let domain = self.domain(input);
        if let Some(class) = self.unknowns.domains.only(domain) {
            return class_number(self.pool, class);
        }
        let kind = self.unknowns.inputs.class(self.program, self.pool, input);
        let kind = self.unknowns.inputs.get(kind).term;
        // The mark that the range of the symbol is known here is the symbol itself.
        if self.knowledge.tie(kind) {
            let mut numbers = self.numbers(domain);
            numbers.dedup();
            let fact = self.in_runs(kind, &numbers, |a, b| a + 1 == b);
            self.facts.holds.push(fact);
        }
        kind
    }

    /// The classes of a set, as numbers in order.
    fn numbers(&self, set: DomainId) -> Vec<u32> {
        let classes = self.unknowns.domains.classes(set).iter();
        let mut numbers: Vec<u32> = classes.map(|class| class.index() as u32).collect();
        numbers.sort_unstable();
        numbers
    }

    /// When a class is one of these numbers. Neighbours that are joined make one interval: a set of
    /// a hundred classes is a few comparisons.
    fn in_runs(
        &mut self,
        kind: TermId,
        numbers: &[u32],
        joined: impl Fn(u32, u32) -> bool,
    ) -> TermId {
        let runs: Vec<&[u32]> = numbers.chunk_by(|&a, &b| joined(a, b)).collect();
        let hits = runs.into_iter().map(|run| {
            let [low, high] =
                [run[0], run[run.len() - 1]].map(|number| self.pool.bitvec(32, u64::from(number)));
            if low == high {
                return self.pool.eq(kind, low);
            }
            let (above, below) = (self.pool.sle(low, kind), self.pool.sle(kind, high));
            self.pool.and(above, below)
        });
        let hits: Vec<TermId> = hits.collect();
        self.pool.or_all(hits)
    }

    /// When the class of an input is in a set, which is part of what it can be.
    pub fn is_among(&mut self, input: InputId, set: DomainId) -> TermId {
        let domain = self.domain(input);
        if set == domain {
            return Pool::TRUE;
        }
        if set == DomainId::EMPTY {
            return Pool::FALSE;
        }
        let kind = self.class_of(input);
        let (all, some) = (self.numbers(domain), self.numbers(set));
        let others: Vec<u32> =
            all.iter().copied().filter(|number| some.binary_search(number).is_err()).collect();
        // That the class is one of all is known, so only what lies between members matters.
        let breaks = |part: &[u32], rest: &[u32]| {
            part.windows(2).filter(|pair| !is_free_between(rest, pair[0], pair[1])).count()
        };
        let among = if breaks(&some, &others) <= breaks(&others, &some) {
            self.in_runs(kind, &some, |a, b| is_free_between(&others, a, b))
        } else {
            let out = self.in_runs(kind, &others, |a, b| is_free_between(&some, a, b));
            self.pool.not(out)
        };
        self.settle(among)
    }

    /// What is known of the class of a leaf; none if it is null.
    pub fn classed(&self, leaf: Leaf) -> Option<Classed> {
        match leaf {
            Leaf::Null => None,
            Leaf::Symbol(input) => Some(Classed::Input(input)),
            Leaf::Object(object) => Some(match self.knowledge.object(object) {
                Some(symbolic) => Classed::Input(symbolic.input),
                None => Classed::Exactly(self.heap.class(object)),
            }),
        }
    }

    /// When a leaf that is not null is of a type.
    pub fn leaf_fits(&mut self, leaf: Leaf, class: ClassId) -> TermId {
        let input = match self.classed(leaf) {
            None => return Pool::FALSE,
            Some(Classed::Exactly(own)) => {
                let is = self.program.is_subtype(own, class);
                return self.pool.boolean(is);
            }
            Some(Classed::Input(input)) => input,
        };
        self.unknowns.rely_on_test(input, class);
        let domain = self.domain(input);
        let inside = self.unknowns.domains.cut(self.program, domain, class, true);
        self.is_among(input, inside)
    }

    /// The leaves of a reference, for questions about classes: an input that is an alias has the
    /// class of what it is an alias of, so a set of locations that is an input's is one leaf.
    pub fn classed_leaves(&mut self, reference: TermId) -> Vec<(TermId, Leaf)> {
        if self.unknowns.policy == Policy::Summary
            && let Some(input) = self.whole(reference)
        {
            return vec![(Pool::TRUE, Leaf::Symbol(input))];
        }
        let leaves = self.leaves(reference).into_iter();
        leaves.map(|(condition, leaf)| (condition, self.leaf(leaf))).collect()
    }

    /// A truth value for each leaf of a reference, put together.
    pub fn over_leaves(
        &mut self,
        reference: TermId,
        mut truth: impl FnMut(&mut Self, Leaf) -> TermId,
    ) -> TermId {
        let mut result = Pool::FALSE;
        for (condition, leaf) in self.classed_leaves(reference) {
            let holds = truth(self, leaf);
            let both = self.pool.and(condition, holds);
            result = self.pool.or(result, both);
        }
        self.settle(result)
    }

    /// When a reference is not null and of a type.
    pub fn fits(&mut self, reference: TermId, class: ClassId) -> TermId {
        self.over_leaves(reference, |this, leaf| {
            let fits = this.leaf_fits(leaf, class);
            let null = match leaf {
                Leaf::Symbol(input) => this.is_null(input),
                _ => Pool::FALSE,
            };
            let some = this.pool.not(null);
            this.pool.and(some, fits)
        })
    }

    /// The inputs that a reference can lead to, each with the condition.
    pub fn inputs(&mut self, reference: TermId) -> Vec<(TermId, InputId)> {
        let leaves = self.leaves(reference).into_iter();
        leaves.filter_map(|(condition, leaf)| Some((condition, self.input_of(leaf)?))).collect()
    }

    /// An input is an object of one of these classes, from the start.
    pub fn receive(&mut self, input: InputId, domain: DomainId) {
        self.knowledge.resolve(input, Resolution::Location(domain));
        let body = self.blank(input);
        let reference = self.place_of(input, domain, body);
        self.knowledge.note_use(reference, Pool::TRUE);
    }

    /// Gives an input an object of its own, of which nothing is known yet.
    pub(crate) fn place(&mut self, input: InputId, body: Option<Body>) -> Reference {
        let domain = self.domain(input);
        self.place_of(input, domain, body)
    }

    /// The same, for an input whose classes are known to be these.
    pub(crate) fn place_of(
        &mut self,
        input: InputId,
        domain: DomainId,
        body: Option<Body>,
    ) -> Reference {
        let class = self.unknowns.domains.upper(self.program, domain);
        let body = body.unwrap_or_else(|| Body::Accessed(Rc::default()));
        let reference = self.heap.allocate_as(Named::Storage(input), class, body);
        self.heap.object_mut(reference).inexact = self.unknowns.domains.only(domain).is_none();
        self.unknowns.note_object(self.program, input, domain);
        if matches!(self.knowledge.resolution(input), Some(Resolution::Location(_))) {
            let null = self.pool.eq(self.symbol(input), Pool::NULL);
            let some = self.pool.not(null);
            self.facts.holds.push(some);
        }
        let before = self.knowledge.initialized;
        let is_too_many = self.is_too_many(input, domain);
        self.knowledge.add(input, reference, domain, Pool::FALSE);
        // Beyond a bound, an input leads to an object that is there, and a loop that meets only such
        // inputs goes round in a circle.
        if is_too_many {
            self.knowledge.initialized = before;
        }
        self.knowledge.resolve(input, Resolution::Bound(reference));
        reference
    }
}

/// Whether none of these numbers, in order, is between two others.
fn is_free_between(numbers: &[u32], low: u32, high: u32) -> bool {
    let next = numbers.partition_point(|&number| number < low);
    numbers.get(next).is_none_or(|&number| number > high)
}

/// A class as a constant.
pub fn class_number(pool: &mut Pool, class: ClassId) -> TermId {
    pool.bitvec(32, class.index() as u64)
}

/// Whether a term is a reference.
pub fn is_reference(pool: &Pool, term: TermId) -> bool {
    pool.sort(term) == Sort::Ref
}

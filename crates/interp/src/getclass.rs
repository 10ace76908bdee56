//! What `getClass` gives of an input whose class is not certain: a symbol that stands for the mirror of
//! whichever class it is.
//!
//! A program mostly compares such a value, with `C.class` or with the class of another object. That is
//! one condition on classes, however many are in view. Whatever else looks into the value decides the
//! class first ([`Machine::needed`], [`Machine::spelled`]), so nothing else knows of these symbols.

use crate::flow::Flow;
use crate::machine::Machine;
use crate::state::State;
use crate::symbolic::ask;
use dalang_classes::ClassId;
use dalang_heap::policy::guarded::Classed;
use dalang_heap::policy::typing::{self, Subject};
use dalang_heap::{DomainId, InputId, Need, Reference, Value};
use dalang_term::{Pool, TermId};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// Of which class an object is, is decided if there are more classes than this and something looks into
/// its mirror: the value would be larger than what it saves.
const MOST: usize = 64;

/// One side of a comparison of mirrors.
enum Side {
    /// The class of an input.
    Of(InputId),
    /// The mirror of this class.
    Is(ClassId),
    /// Null, or an object that is no mirror.
    Other,
}

/// The class of a side, as far as it is known.
#[derive(Clone, Copy)]
enum Known {
    Is(ClassId),
    Among(Subject, DomainId),
}

impl<'p> Machine<'p> {
    /// What `getClass` gives.
    ///
    /// Rule `typing/get-class`. Deviation: D8 of POSE.
    ///
    /// # Errors
    /// The reference is null, or something has to be decided.
    pub fn class_value(&mut self, state: &mut State<'p>, value: Value) -> Flow<Value> {
        if self.is_class_symbol(value) {
            return Flow::Continue(self.mirror(state, self.known.class)?.into());
        }
        if self.is_guarded(state, value) {
            self.unknowns.rules.apply("typing/get-class");
            let reference = self.not_null(state, value)?;
            let mut mirror = Value::NULL;
            for (condition, leaf) in self.guarded(state).classed_leaves(reference) {
                let class = match self.guarded(state).classed(leaf) {
                    None => continue,
                    Some(Classed::Exactly(class)) => self.mirror(state, class)?.into(),
                    Some(Classed::Input(input)) => self.class_symbol(state, input)?,
                };
                mirror = if mirror == Value::NULL {
                    class
                } else {
                    self.guarded(state).either(condition, class, mirror)
                };
            }
            return Flow::Continue(mirror);
        }
        if self.needed(state, value, Need::Nullness)? == Value::NULL {
            return crate::flow::raise_bare("java/lang/NullPointerException");
        }
        match (self.uncertain(state, value), self.known_value(state, value)) {
            (Some((Subject::Location(input), domain)), _)
                if self.unknowns.domains.only(domain).is_none() && domain != DomainId::EMPTY =>
            {
                Flow::Continue(self.symbol_of_class(input))
            }
            (Some((Subject::Object(object), _)), _) => {
                match state.knowledge.object(object).map(|symbolic| symbolic.input) {
                    Some(input) => Flow::Continue(self.symbol_of_class(input)),
                    None => crate::flow::bug("an object of uncertain class is no input"),
                }
            }
            _ => {
                let object = self.object_of(state, value)?;
                let class = self.class_of_object(state, object)?;
                Flow::Continue(self.mirror(state, class)?.into())
            }
        }
    }

    /// The class of an unresolved input as a value.
    fn class_symbol(&mut self, state: &mut State<'p>, input: InputId) -> Flow<Value> {
        self.unknowns.rely_on_all(input);
        let domain = self.guarded(state).domain(input);
        match self.unknowns.domains.only(domain) {
            Some(class) => Flow::Continue(self.mirror(state, class)?.into()),
            None => Flow::Continue(self.symbol_of_class(input)),
        }
    }

    fn symbol_of_class(&mut self, input: InputId) -> Value {
        self.unknowns.rely_on_all(input);
        let mirror = self.unknowns.inputs.mirror(self.program, &mut self.pool, input);
        Value::Term(self.unknowns.inputs.get(mirror).term)
    }

    /// The input whose class a value stands for.
    fn classed_input(&self, value: Value) -> Option<InputId> {
        let Value::Term(term) = value else { return None };
        self.unknowns.inputs.mirrored(&self.pool, term)
    }

    /// Whether a value stands for the class of an input.
    #[inline]
    pub(crate) fn is_class_symbol(&self, value: Value) -> bool {
        self.classed_input(value).is_some()
    }

    /// A value of which only the type matters: all mirrors are of one class, so one of them does for a
    /// symbol.
    pub(crate) fn any_mirror(&mut self, state: &mut State<'p>, value: Value) -> Flow<Value> {
        if self.is_class_symbol(value) {
            return Flow::Continue(self.mirror(state, self.known.class)?.into());
        }
        Flow::Continue(value)
    }

    /// The mirror that a symbol stands for: which class it is, is decided.
    pub(crate) fn decided_mirror(
        &mut self,
        state: &mut State<'p>,
        symbol: Value,
    ) -> Flow<Option<Reference>> {
        let Some(input) = self.classed_input(symbol) else { return Flow::Continue(None) };
        if self.unknowns.policy.keeps_references() {
            let domain = self.guarded(state).domain(input);
            let classes = Rc::clone(self.unknowns.domains.classes(domain));
            for &class in classes.iter() {
                let single = self.unknowns.domains.single(class);
                let is = self.guarded(state).is_among(input, single);
                if Some(&class) == classes.last() || self.decide(state, is)? {
                    return self.mirror(state, class).map_continue(Some);
                }
            }
            return crate::flow::bug("an input has no class");
        }
        match self.known_class(state, input)? {
            Known::Is(class) => self.mirror(state, class).map_continue(Some),
            Known::Among(subject, domain) => {
                let classes = Rc::clone(self.unknowns.domains.classes(domain));
                let singles = classes.iter().map(|&class| self.unknowns.domains.single(class));
                ask(typing::exact(subject, &singles.collect::<Vec<_>>()))
            }
        }
    }

    /// The mirror that a symbol stands for as an ite over classes, for what looks into it. Where that
    /// would be too large, which class it is, is decided.
    pub(crate) fn spelled_mirror(
        &mut self,
        state: &mut State<'p>,
        input: InputId,
    ) -> Flow<Option<TermId>> {
        let symbol = Value::Term(self.unknowns.inputs.get(input).term);
        let Some(object) = self.classed_input(symbol) else { return Flow::Continue(None) };
        let domain = self.guarded(state).domain(object);
        let classes = Rc::clone(self.unknowns.domains.classes(domain));
        if classes.len() > MOST {
            let mirror = self.decided_mirror(state, symbol)?;
            let mirror = mirror.unwrap_or(Reference::NULL);
            return Flow::Continue(Some(self.pool.identity(mirror.number())));
        }
        let mut spelled = None;
        for &class in classes.iter() {
            let mirror = self.mirror(state, class)?;
            let mirror = self.pool.identity(mirror.number());
            spelled = Some(match spelled {
                None => mirror,
                Some(others) => {
                    let single = self.unknowns.domains.single(class);
                    let is = self.guarded(state).is_among(object, single);
                    self.pool.ite(is, mirror, others)
                }
            });
        }
        Flow::Continue(spelled)
    }

    /// Whether two references are the same, if one of them is the class of an input.
    ///
    /// Rule `typing/class-same` and rule `typing/class-different`.
    pub(crate) fn same_classes(
        &mut self,
        state: &mut State<'p>,
        a: Value,
        b: Value,
    ) -> Flow<Option<bool>> {
        if !self.unknowns.inputs.has_mirrors() {
            return Flow::Continue(None);
        }
        if self.unknowns.policy.keeps_references() {
            let [x, y] = [a, b].map(|value| self.guarded(state).term(value));
            if !self.has_class_symbol(state, x) && !self.has_class_symbol(state, y) {
                return Flow::Continue(None);
            }
            let mut known = FxHashMap::default();
            return match self.same_mirrors(state, x, y, &mut known) {
                Some(same) => self.decide(state, same).map_continue(Some),
                None => Flow::Continue(None),
            };
        }
        if !self.is_class_symbol(a) && !self.is_class_symbol(b) {
            return Flow::Continue(None);
        }
        let [a, b] = [a, b].map(|value| self.side(state, value));
        let (Some(a), Some(b)) = (a, b) else { return Flow::Continue(None) };
        let [a, b] = [self.known_side(state, &a)?, self.known_side(state, &b)?];
        let (Some(a), Some(b)) = (a, b) else { return Flow::Continue(Some(false)) };
        match (a, b) {
            (Known::Is(a), Known::Is(b)) => Flow::Continue(Some(a == b)),
            (Known::Among(subject, domain), Known::Is(class))
            | (Known::Is(class), Known::Among(subject, domain)) => {
                self.ask_whether(subject, domain, class)
            }
            (Known::Among(a, _), Known::Among(b, _)) if a == b => Flow::Continue(Some(true)),
            (Known::Among(a, x), Known::Among(b, y)) => self.ask_together((a, x), (b, y)),
        }
    }

    fn has_class_symbol(&mut self, state: &mut State<'p>, reference: TermId) -> bool {
        let ends = self.guarded(state).ends(reference);
        ends.into_iter().any(|end| self.is_class_symbol(Value::Term(end)))
    }

    /// When two references are the same mirror, leaf by leaf; none if a leaf is neither a mirror nor
    /// something that cannot be one.
    fn same_mirrors(
        &mut self,
        state: &mut State<'p>,
        a: TermId,
        b: TermId,
        known: &mut FxHashMap<(TermId, TermId), TermId>,
    ) -> Option<TermId> {
        if a == b {
            return Some(Pool::TRUE);
        }
        let pair = (a.min(b), a.max(b));
        if let Some(&same) = known.get(&pair) {
            return Some(same);
        }
        let parts = [(pair.1, pair.0), (pair.0, pair.1)]
            .map(|(whole, other)| self.guarded(state).branches(whole).map(|parts| (parts, other)));
        let same = match parts.into_iter().flatten().next() {
            Some(([test, then, otherwise], other)) => {
                let then = self.same_mirrors(state, then, other, known)?;
                let otherwise = self.same_mirrors(state, otherwise, other, known)?;
                let test = self.guarded(state).settle(test);
                self.pool.ite(test, then, otherwise)
            }
            None => {
                let [a, b] = [a, b].map(|leaf| Value::of(&mut self.pool, leaf));
                match (self.side(state, a)?, self.side(state, b)?) {
                    (Side::Of(a), Side::Of(b)) => {
                        let mut guarded = self.guarded(state);
                        let [a, b] = [a, b].map(|input| guarded.class_of(input));
                        self.pool.eq(a, b)
                    }
                    (Side::Of(input), Side::Is(class)) | (Side::Is(class), Side::Of(input)) => {
                        let domain = self.guarded(state).domain(input);
                        if self.unknowns.domains.classes(domain).contains(&class) {
                            let single = self.unknowns.domains.single(class);
                            self.guarded(state).is_among(input, single)
                        } else {
                            Pool::FALSE
                        }
                    }
                    (Side::Is(a), Side::Is(b)) => self.pool.boolean(a == b),
                    (Side::Other, _) | (_, Side::Other) => Pool::FALSE,
                }
            }
        };
        known.insert(pair, same);
        Some(same)
    }

    /// What a value without ites is in a comparison of mirrors; none if that is not known.
    fn side(&mut self, state: &State<'p>, value: Value) -> Option<Side> {
        if let Some(input) = self.classed_input(value) {
            return Some(Side::Of(input));
        }
        match self.known_value(state, value) {
            Value::Reference(object) if object.is_null() => Some(Side::Other),
            Value::Reference(object) if state.knowledge.object(object).is_some() => None,
            Value::Reference(object) => Some(match self.mirrored(state, object) {
                Flow::Continue(class) => Side::Is(class),
                Flow::Break(_) => Side::Other,
            }),
            _ => None,
        }
    }

    fn known_side(&mut self, state: &State<'p>, side: &Side) -> Flow<Option<Known>> {
        match *side {
            Side::Other => Flow::Continue(None),
            Side::Is(class) => Flow::Continue(Some(Known::Is(class))),
            Side::Of(input) => self.known_class(state, input).map_continue(Some),
        }
    }

    /// The class of an input that is not null, under the policies that decide.
    fn known_class(&mut self, state: &State<'p>, input: InputId) -> Flow<Known> {
        let value = Value::Term(self.unknowns.inputs.get(input).term);
        match (self.uncertain(state, value), self.known_value(state, value)) {
            (Some((subject, domain)), _) => {
                Flow::Continue(match self.unknowns.domains.only(domain) {
                    Some(class) => Known::Is(class),
                    None => Known::Among(subject, domain),
                })
            }
            (None, Value::Reference(object)) if !object.is_null() => {
                Flow::Continue(Known::Is(state.heap.class(object)))
            }
            _ => crate::flow::bug("the class of something that is no object"),
        }
    }

    /// Whether the class of a subject is this one.
    fn ask_whether(
        &mut self,
        subject: Subject,
        domain: DomainId,
        class: ClassId,
    ) -> Flow<Option<bool>> {
        let classes = Rc::clone(self.unknowns.domains.classes(domain));
        let others: Vec<ClassId> = classes.iter().copied().filter(|&one| one != class).collect();
        if others.len() == classes.len() {
            return Flow::Continue(Some(false));
        }
        let single = self.unknowns.domains.single(class);
        let others = self.unknowns.domains.of(&others);
        let others = self.unknowns.domains.parts(self.program, others);
        ask(typing::class_is(subject, single, &others))
    }

    /// Whether two subjects are of one class. A set says nothing of another, so the class of the one
    /// with fewer is decided, as far as the other can be of it.
    fn ask_together(
        &mut self,
        (a, x): (Subject, DomainId),
        (b, y): (Subject, DomainId),
    ) -> Flow<Option<bool>> {
        let both = self.unknowns.domains.meet(x, y);
        if both == DomainId::EMPTY {
            return Flow::Continue(Some(false));
        }
        let [fewer, more] = [x, y].map(|domain| self.unknowns.domains.classes(domain).len());
        let (subject, domain) = if fewer <= more { (a, x) } else { (b, y) };
        let shared = Rc::clone(self.unknowns.domains.classes(both));
        let classes = Rc::clone(self.unknowns.domains.classes(domain));
        let mut groups: Vec<DomainId> =
            shared.iter().map(|&class| self.unknowns.domains.single(class)).collect();
        let alone = classes.iter().copied().filter(|class| !shared.contains(class));
        let alone: Vec<ClassId> = alone.collect();
        if !alone.is_empty() {
            let alone = self.unknowns.domains.of(&alone);
            groups.extend(self.unknowns.domains.parts(self.program, alone));
        }
        ask(typing::exact(subject, &groups))
    }
}

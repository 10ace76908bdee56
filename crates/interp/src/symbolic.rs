//! What instructions do with input references: look up what is known, and ask for what is not.
//!
//! A question is a list of alternatives that the policy proposes; whoever explores chooses one for
//! each copy of the state, [`Machine::choose`] records it, and the instruction runs again. So no
//! instruction has to know what a policy is.

use crate::flow::{Flow, Interrupt, Question, raise_bare};
use crate::machine::Machine;
use crate::state::{Initialization, State};
use dalang_classes::{ClassId, FieldId, MethodId};
use dalang_heap::policy::typing::{self, Subject};
use dalang_heap::{
    Alternative, Change, DomainId, Effect, Facts, InputId, Need, Reference, Resolution, Value,
};
use dalang_term::{Sort, TermId};
use std::rc::Rc;

pub(crate) fn ask<T>(alternatives: Vec<Alternative>) -> Flow<T> {
    Flow::Break(Interrupt::Ask(Question::Choice(alternatives.into())))
}

impl<'p> Machine<'p> {
    /// A value, or what an input reference is known to be.
    #[inline]
    pub fn known_value(&self, state: &State<'p>, value: Value) -> Value {
        match value {
            Value::Term(_) => state.knowledge.known(&self.unknowns, &self.pool, value),
            _ => value,
        }
    }

    /// A value of which as much is known as is needed.
    #[inline]
    pub fn needed(&mut self, state: &mut State<'p>, value: Value, need: Need) -> Flow<Value> {
        if matches!(value, Value::Term(_)) {
            state.consulted += 1;
        }
        if self.is_class_symbol(value) {
            return match need {
                Need::Read | Need::Nullness => Flow::Continue(value),
                Need::Object => {
                    let mirror = self.decided_mirror(state, value)?;
                    Flow::Continue(mirror.map_or(value, Value::Reference))
                }
            };
        }
        if self.is_guarded(state, value) {
            return match need {
                Need::Read => Flow::Continue(value),
                Need::Nullness => self.nullness(state, value),
                Need::Object => self.settled_reference(state, value),
            };
        }
        match self.known_value(state, value) {
            Value::Term(term) if self.pool.sort(term) != Sort::Ref => Flow::Continue(value),
            Value::Term(term) => match self.unknowns.inputs.of_term(&self.pool, term) {
                Some(input) if self.unknowns.inputs.get(input).primitive.is_none() => {
                    self.need_input(state, input, need)?;
                    Flow::Continue(Value::Term(term))
                }
                _ => Flow::Continue(Value::Term(term)),
            },
            known => Flow::Continue(known),
        }
    }

    /// What was read from a field, an element or a parameter.
    #[inline]
    pub fn read(&mut self, state: &mut State<'p>, value: Value) -> Flow<Value> {
        match value {
            Value::Term(_) => self.needed(state, value, Need::Read),
            _ => Flow::Continue(value),
        }
    }

    fn need_input(&mut self, state: &mut State<'p>, input: InputId, need: Need) -> Flow {
        if need != Need::Nullness {
            self.need_constant(state, input)?;
        }
        let alternatives =
            self.unknowns.alternatives(self.program, &state.heap, &state.knowledge, input, need);
        match alternatives {
            Some(alternatives) => ask(alternatives),
            None => Flow::Continue(()),
        }
    }

    /// An object of an enum is one of its constants. An input that may be one is told apart from
    /// inputs of other classes first.
    fn need_constant(&mut self, state: &mut State<'p>, input: InputId) -> Flow {
        let known = self.unknowns.resolution(self.program, &state.knowledge, input);
        let (domain, null) = match known {
            Resolution::Location(domain) => (domain, None),
            // The other policies find out first whether it is null.
            Resolution::Maybe(domain) if self.unknowns.policy.decides_when_read() => {
                (domain, Some(typing::null(input)))
            }
            _ => return Flow::Continue(()),
        };
        let classes = Rc::clone(self.unknowns.domains.classes(domain));
        let (enums, others): (Vec<ClassId>, Vec<ClassId>) =
            classes.iter().partition(|&&class| self.is_enum(class));
        let mut alternatives: Vec<Alternative> = null.into_iter().collect();
        match (enums.as_slice(), others.as_slice()) {
            ([], _) => return Flow::Continue(()),
            (&[class], []) => {
                let constants = self.enum_constants(state, class)?;
                alternatives.extend(typing::constants(input, &constants));
            }
            _ => {
                let mut groups: Vec<DomainId> =
                    enums.iter().map(|&class| self.unknowns.domains.single(class)).collect();
                if !others.is_empty() {
                    groups.insert(0, self.unknowns.domains.of(&others));
                }
                alternatives.extend(typing::exact(Subject::Location(input), &groups));
            }
        }
        ask(alternatives)
    }

    /// Whether instances of a class are constants of an enum.
    pub fn is_enum(&self, class: ClassId) -> bool {
        typing::is_enum(self.program, class)
    }

    /// The enum that a class of constants belongs to: a constant with a body is of a class of its
    /// own.
    pub fn enum_host(&self, class: ClassId) -> ClassId {
        match self.program.class(class).superclass {
            Some(parent) if self.program.class(parent).flags.is_enum() => parent,
            _ => class,
        }
    }

    /// The constants of an enum that are of exactly this class. Where its initializer fails, that is
    /// nothing that the program gets to see: only we have looked.
    pub(crate) fn enum_constants(
        &mut self,
        state: &mut State<'p>,
        class: ClassId,
    ) -> Flow<Vec<Reference>> {
        let host = self.enum_host(class);
        match state.initialization(host) {
            Initialization::Not => Rc::make_mut(&mut state.raised).push(host),
            Initialization::Failed(_) => {
                return Flow::Break(Interrupt::Stop(Box::new(self.unfit_for_inputs(host))));
            }
            Initialization::Running | Initialization::Done => {}
        }
        self.require(state, host)?;
        self.note_late(state, host);
        let mut constants = Vec::new();
        for &field in &self.program.class(host).static_fields {
            if self.program.field(field).flags.is_enum()
                && let Some(Value::Reference(constant)) = self.peek_static(state, field)
                && !constant.is_null()
                && state.heap.class(constant) == class
            {
                constants.push(constant);
            }
        }
        Flow::Continue(constants)
    }

    /// The object that a term refers to; throws a `NullPointerException` if it is null.
    #[cold]
    pub(crate) fn symbolic_object(
        &mut self,
        state: &mut State<'p>,
        value: Value,
    ) -> Flow<Reference> {
        match self.needed(state, value, Need::Object)? {
            Value::Reference(reference) if reference.is_null() => {
                raise_bare("java/lang/NullPointerException")
            }
            Value::Reference(reference) => Flow::Continue(reference),
            Value::Term(_) => crate::flow::unsupported("a reference that is no input"),
            _ => crate::flow::malformed("something else than a reference is used as one"),
        }
    }

    /// The class of an object; asks for it if only a class above it is known.
    #[inline]
    pub fn class_of_object(&mut self, state: &mut State<'p>, object: Reference) -> Flow<ClassId> {
        let found = state.heap.object(object);
        let (inexact, class) = (found.inexact, found.class);
        if inexact || self.unknowns.domains.is_sole(class) {
            self.note_class(state, object);
        }
        if inexact { self.ask_class(state, object) } else { Flow::Continue(class) }
    }

    /// The class that a witness gives an object whose class is uncertain, for messages: asking would
    /// divide the path by something that the program does not look at.
    pub(crate) fn likely_class(&mut self, state: &mut State<'p>, value: Value) -> ClassId {
        if self.is_guarded(state, value) {
            return self.guarded_likely_class(state, value);
        }
        let uncertain = self.uncertain(state, value);
        let likely = uncertain
            .and_then(|(_, domain)| self.unknowns.domains.classes(domain).first().copied());
        likely.unwrap_or(match self.known_value(state, value) {
            Value::Reference(object) if !object.is_null() => state.heap.class(object),
            _ => self.known.object,
        })
    }

    /// A static field as it is, whether or not its class was initialized.
    pub fn peek_static(&self, state: &State<'p>, field: FieldId) -> Option<Value> {
        let declared = self.program.field(field);
        let statics = state.class_entry(declared.class).statics;
        if statics.is_null() {
            return None;
        }
        state.heap.get(statics, declared.slot as usize)
    }

    #[cold]
    fn ask_class(&mut self, state: &mut State<'p>, object: Reference) -> Flow<ClassId> {
        if self.unknowns.policy.keeps_references() {
            return self.guarded_class(state, object);
        }
        let domain = self.possible(state, object);
        if domain == DomainId::EMPTY {
            return crate::flow::bug("an object of uncertain class is no input");
        }
        let classes = Rc::clone(self.unknowns.domains.classes(domain));
        let singles: Vec<DomainId> =
            classes.iter().map(|&class| self.unknowns.domains.single(class)).collect();
        ask(typing::exact(Subject::Object(object), &singles))
    }

    /// What the class of an input object can be.
    pub(crate) fn possible(&mut self, state: &State<'p>, object: Reference) -> DomainId {
        self.unknowns.possible(self.program, &state.heap, &state.knowledge, object)
    }

    /// What a value's type can be, and of what; none if it is null or its class is known.
    pub(crate) fn uncertain(
        &mut self,
        state: &State<'p>,
        value: Value,
    ) -> Option<(Subject, DomainId)> {
        match self.known_value(state, value) {
            Value::Reference(object) if !object.is_null() && state.heap.object(object).inexact => {
                Some((Subject::Object(object), self.possible(state, object)))
            }
            Value::Term(term) if !self.is_class_symbol(value) => {
                let input = self.unknowns.inputs.of_term(&self.pool, term)?;
                match self.unknowns.resolution(self.program, &state.knowledge, input) {
                    Resolution::Maybe(domain) => Some((Subject::Maybe(input), domain)),
                    Resolution::Location(domain) => Some((Subject::Location(input), domain)),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// Whether an unknown reference, which is not null, is of a type; none if its class is known.
    pub(crate) fn symbolic_instanceof(
        &mut self,
        state: &mut State<'p>,
        value: Value,
        class: ClassId,
    ) -> Flow<Option<bool>> {
        if self.is_class_symbol(value) {
            return Flow::Continue(Some(self.program.is_subtype(self.known.class, class)));
        }
        if self.is_guarded(state, value) {
            let fits = self.guarded_fits(state, value, class)?;
            return self.decide(state, fits).map_continue(Some);
        }
        let Some((subject, domain)) = self.uncertain(state, value) else {
            self.note_known_test(state, value, class);
            return Flow::Continue(None);
        };
        self.note_test(state, subject, class);
        let inside = self.unknowns.domains.cut(self.program, domain, class, true);
        if inside == DomainId::EMPTY {
            return Flow::Continue(Some(false));
        }
        // Null is an instance of nothing.
        if let Subject::Maybe(input) = subject {
            self.need_input(state, input, Need::Nullness)?;
        }
        if inside == domain {
            return Flow::Continue(Some(true));
        }
        let outside = self.unknowns.domains.cut(self.program, domain, class, false);
        let inside = self.unknowns.domains.parts(self.program, inside);
        ask(typing::instanceof(subject, &inside, outside))
    }

    /// Whether an unknown reference can be cast to a type; none if its class is known.
    pub(crate) fn symbolic_cast(
        &mut self,
        state: &mut State<'p>,
        value: Value,
        class: ClassId,
    ) -> Flow<Option<bool>> {
        if self.is_class_symbol(value) {
            return Flow::Continue(Some(self.program.is_subtype(self.known.class, class)));
        }
        if self.is_guarded(state, value) {
            return self.guarded_cast(state, value, class).map_continue(Some);
        }
        let Some((subject, domain)) = self.uncertain(state, value) else {
            self.note_known_test(state, value, class);
            return Flow::Continue(None);
        };
        self.note_test(state, subject, class);
        let inside = self.unknowns.domains.cut(self.program, domain, class, true);
        if inside == domain {
            return Flow::Continue(Some(true));
        }
        if inside == DomainId::EMPTY {
            return match subject {
                Subject::Maybe(input) => {
                    self.need_input(state, input, Need::Nullness)?;
                    Flow::Continue(Some(true))
                }
                _ => Flow::Continue(Some(false)),
            };
        }
        let outside = self.unknowns.domains.cut(self.program, domain, class, false);
        let inside = self.unknowns.domains.parts(self.program, inside);
        ask(typing::checkcast(subject, &inside, outside))
    }

    /// The class of an unknown receiver, as far as the method that a call runs depends on it; none
    /// if its class is known. Asks whether the receiver is null, but not which object it is.
    pub(crate) fn symbolic_receiver(
        &mut self,
        state: &mut State<'p>,
        value: Value,
        resolved: MethodId,
    ) -> Flow<Option<ClassId>> {
        if self.is_class_symbol(value) {
            return Flow::Continue(Some(self.known.class));
        }
        if self.is_guarded(state, value) {
            return self.guarded_receiver(state, value, resolved).map_continue(Some);
        }
        let Some((subject, domain)) = self.uncertain(state, value) else {
            return Flow::Continue(None);
        };
        if let Subject::Maybe(input) = subject {
            self.need_input(state, input, Need::Nullness)?;
        }
        self.note_dispatch(state, subject, resolved);
        let groups = self.dispatch_groups(domain, resolved);
        match groups.as_slice() {
            [] => Flow::Continue(None),
            [_] => Flow::Continue(self.unknowns.domains.classes(domain).first().copied()),
            _ => ask(typing::dispatch(subject, &groups)),
        }
    }

    /// The classes of a domain by the method that they run.
    pub(crate) fn dispatch_groups(
        &mut self,
        domain: DomainId,
        resolved: MethodId,
    ) -> Vec<DomainId> {
        let mut groups: Vec<(Option<MethodId>, Vec<ClassId>)> = Vec::new();
        for &class in self.unknowns.domains.classes(domain).iter() {
            let selected = self.program.select(class, resolved).ok();
            match groups.iter_mut().find(|(method, _)| *method == selected) {
                Some((_, classes)) => classes.push(class),
                None => groups.push((selected, vec![class])),
            }
        }
        groups.iter().map(|(_, classes)| self.unknowns.domains.of(classes)).collect()
    }

    /// Whether two references are the same.
    ///
    /// An object that was made during the run is no input, so a comparison with one needs no
    /// decision, unless it is one that the library keeps ([`Machine::same_as_made`]). But an input of
    /// which no class is in view, a `Class` or a `Thread`, can be nothing else than an object of the
    /// virtual machine: whether it is this one is not known.
    #[cold]
    pub(crate) fn symbolic_same(
        &mut self,
        state: &mut State<'p>,
        a: Value,
        b: Value,
    ) -> Flow<bool> {
        if self.unknowns.policy.keeps_references() {
            return self.guarded_same(state, a, b);
        }
        if let Some(same) = self.same_classes(state, a, b)? {
            return Flow::Continue(same);
        }
        let (a, b) = (self.known_value(state, a), self.known_value(state, b));
        match (a, b) {
            (Value::Term(a), Value::Term(b)) if a == b => Flow::Continue(true),
            (Value::Term(_), null) | (null, Value::Term(_)) if null == Value::NULL => {
                let term = if a == Value::NULL { b } else { a };
                let known = self.needed(state, term, Need::Nullness)?;
                Flow::Continue(known == Value::NULL)
            }
            (Value::Term(term), Value::Reference(made))
            | (Value::Reference(made), Value::Term(term))
                if self.is_no_input(state, term, made) && self.has_classes(state, term) =>
            {
                let input = if matches!(a, Value::Term(_)) { a } else { b };
                self.same_as_made(state, input, made)
            }
            _ => {
                // Where one of them is null, it does not matter which object the other is.
                for value in [a, b] {
                    self.needed(state, value, Need::Nullness)?;
                }
                let a = self.needed(state, a, Need::Object)?;
                let b = self.needed(state, b, Need::Object)?;
                match (a, b) {
                    (Value::Reference(a), Value::Reference(b)) => self.same_objects(state, a, b),
                    _ => crate::flow::unsupported("a comparison of references that are no inputs"),
                }
            }
        }
    }

    /// Whether an object is none that an input can be, because it was made during the run. A constant of
    /// an enum can be one, and so can what static fields lead to.
    fn is_no_input(&mut self, state: &State<'p>, term: TermId, object: Reference) -> bool {
        !object.is_null()
            && state.knowledge.object(object).is_none()
            && !self.is_enum(state.heap.class(object))
            && !self.is_held_for(state, term, object)
    }

    /// Whether an input that has not been decided may be an object that static fields lead to.
    fn is_held_for(&mut self, state: &State<'p>, term: TermId, object: Reference) -> bool {
        if !state.knowledge.holding(object).is_some_and(|held| held.escapes) {
            return false;
        }
        let Some(input) = self.unknowns.inputs.of_term(&self.pool, term) else { return false };
        let known = self.unknowns.resolution(self.program, &state.knowledge, input);
        let (Resolution::Maybe(domain) | Resolution::Location(domain)) = known else {
            return false;
        };
        self.unknowns.domains.classes(domain).contains(&state.heap.class(object))
    }

    /// Whether there are classes that an input can be of.
    fn has_classes(&mut self, state: &State<'p>, term: TermId) -> bool {
        let Some(input) = self.unknowns.inputs.of_term(&self.pool, term) else { return true };
        match self.unknowns.resolution(self.program, &state.knowledge, input) {
            Resolution::Maybe(domain) | Resolution::Location(domain) => domain != DomainId::EMPTY,
            Resolution::Null | Resolution::Object(_) | Resolution::Bound(_) => true,
        }
    }

    /// Whether two objects are one: two inputs of a value class may be.
    #[inline]
    pub(crate) fn same_objects(
        &mut self,
        state: &mut State<'p>,
        a: Reference,
        b: Reference,
    ) -> Flow<bool> {
        if a == b || (state.knowledge.objects().is_empty() && state.boxed.is_empty()) {
            return Flow::Continue(a == b);
        }
        let [x, y] = [a, b].map(Value::Reference);
        if self.is_guarded(state, x) || self.is_guarded(state, y) {
            return self.guarded_same(state, x, y);
        }
        self.same_resolved(state, a, b)
    }

    /// The same, if it is known which objects they are.
    pub(crate) fn same_resolved(
        &mut self,
        state: &mut State<'p>,
        a: Reference,
        b: Reference,
    ) -> Flow<bool> {
        match (state.knowledge.object(a).is_some(), state.knowledge.object(b).is_some()) {
            (true, true) => self.same_values(state, a, b),
            (true, false) => self.same_as_made(state, Value::Reference(a), b),
            (false, true) => self.same_as_made(state, Value::Reference(b), a),
            (false, false) => self.same_boxes(state, a, b),
        }
    }

    /// Finds out which objects an intrinsic is given, and of which classes they are. Then it is given
    /// these, all at once: until nothing is asked any more, its arguments are what they were.
    pub(crate) fn resolve_arguments(&mut self, state: &mut State<'p>, exact: bool) -> Flow {
        let (first, end) = (state.frame().locals as usize, state.frame().floor as usize);
        let mut found = Vec::with_capacity(end - first);
        for place in first..end {
            let value = self.needed(state, state.values[place], Need::Object)?;
            found.push(value);
            match value {
                Value::Reference(object)
                    if !object.is_null()
                        && (exact || !state.heap.object(object).body.is_array()) =>
                {
                    self.class_of_object(state, object)?;
                }
                _ => {}
            }
        }
        state.values[first..end].copy_from_slice(&found);
        #[cfg(debug_assertions)]
        self.begin_stage(state);
        Flow::Continue(())
    }

    /// Whether a choice leaves no heap that is within the bound on objects.
    pub fn is_beyond(&mut self, state: &State<'p>, effect: Effect) -> bool {
        self.unknowns.is_beyond(self.program, &state.heap, &state.knowledge, effect)
    }

    /// Records a choice. The instruction that asked runs again with it.
    pub fn choose(&mut self, state: &mut State<'p>, effect: Effect) -> Facts {
        let mut change = Change {
            program: self.program,
            pool: &mut self.pool,
            unknowns: &mut self.unknowns,
            heap: &mut state.heap,
            knowledge: &mut state.knowledge,
        };
        let facts = change.apply(effect);
        self.grow_up(state, effect);
        if let Effect::Null(input) | Effect::Alias(input, _) | Effect::Fresh(input, _) = effect {
            self.substitute(state, input);
        }
        facts
    }

    /// Puts what an input is known to be where the frames hold it; in the heap it is looked up when
    /// it is read.
    fn substitute(&mut self, state: &mut State<'p>, input: InputId) {
        let symbol = Value::Term(self.unknowns.inputs.get(input).term);
        let known = state.knowledge.known(&self.unknowns, &self.pool, symbol);
        for value in &mut state.values[..state.top] {
            if *value == symbol {
                *value = known;
            }
        }
    }
}

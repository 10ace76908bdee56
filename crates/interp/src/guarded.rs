//! References that stay unresolved: what instructions do with them under the policies that divide a
//! path only where the program decides something.
//!
//! The rules are in `heap` (`policy/guarded.rs`, `pose.rs`, `summary.rs`); here is what they need to
//! have decided first. An instruction decides everything before it changes anything, because it
//! starts again after each answer. Giving an input its object is no change in that sense: it says
//! what was so all along.

mod arrays;
mod constants;
mod equality;
mod fields;

use crate::elements::cut;
use crate::flow::{Flow, malformed, raise_bare};
use crate::machine::Machine;
use crate::state::State;
use crate::symbolic::ask;
use dalang_classes::{ClassId, MethodId, ValueType};
use dalang_heap::policy::guarded::Classed;
use dalang_heap::policy::typing;
use dalang_heap::{
    Alternative, DomainId, Effect, Facts, Guarded, InputId, Leaf, Reference, Resolution, Value,
};
use dalang_term::{Pool, Sort, TermId};
use rustc_hash::FxHashMap;
use std::rc::Rc;

impl<'p> Machine<'p> {
    /// The parts of a state that rules about unresolved references work on.
    pub(crate) fn guarded<'a>(&'a mut self, state: &'a mut State<'p>) -> Guarded<'a> {
        Guarded {
            program: self.program,
            pool: &mut self.pool,
            unknowns: &mut self.unknowns,
            heap: &mut state.heap,
            knowledge: &mut state.knowledge,
            settled: &self.truths,
            facts: &mut state.facts,
        }
    }

    /// Whether a value is a reference that rules for unresolved ones apply to.
    #[inline]
    pub(crate) fn is_guarded(&self, state: &State<'p>, value: Value) -> bool {
        if !self.unknowns.policy.keeps_references() {
            return false;
        }
        match value {
            Value::Term(term) => self.pool.sort(term) == Sort::Ref,
            Value::Reference(object) => state.knowledge.object(object).is_some(),
            _ => false,
        }
    }

    /// A reference as a term in which inputs stand for what they can be: a summary's locations, the
    /// constants of an enum, objects that static fields lead to.
    pub(crate) fn spelled(&mut self, state: &mut State<'p>, value: Value) -> Flow<TermId> {
        let term = self.guarded(state).term(value);
        // An input that is a constant is none of the locations that it might be else.
        if !self.is_class_symbol(value)
            && let Some(input) = self.summarized_input(state, term)
        {
            let domain = self.guarded(state).domain(input);
            let (enums, _) = self.enums_of(domain);
            if enums == DomainId::EMPTY {
                return Flow::Continue(self.guarded(state).or_held(input, term));
            }
            if self.guarded(state).is_among(input, enums) == Pool::TRUE {
                return self.spelled_constants(state, input, enums);
            }
        }
        let mut known = FxHashMap::default();
        self.spelled_part(state, term, &mut known)
    }

    /// The input whose set of locations a term is.
    fn summarized_input(&mut self, state: &mut State<'p>, term: TermId) -> Option<InputId> {
        let is_set = self.unknowns.policy.spells_places();
        is_set.then(|| self.guarded(state).whole(term)).flatten()
    }

    fn spelled_part(
        &mut self,
        state: &mut State<'p>,
        term: TermId,
        known: &mut FxHashMap<TermId, TermId>,
    ) -> Flow<TermId> {
        if let Some(&spelled) = known.get(&term) {
            return Flow::Continue(spelled);
        }
        let mut guarded = self.guarded(state);
        let spelled = match guarded.branches(term) {
            Some([test, then, otherwise]) => match guarded.settle(test) {
                Pool::TRUE => self.spelled_part(state, then, known)?,
                Pool::FALSE => self.spelled_part(state, otherwise, known)?,
                test => {
                    let then = self.spelled_part(state, then, known)?;
                    let otherwise = self.spelled_part(state, otherwise, known)?;
                    self.pool.ite(test, then, otherwise)
                }
            },
            None => match guarded.leaf(term) {
                Leaf::Symbol(input) => self.spelled_input(state, input)?,
                Leaf::Object(object) => match self.located_enums(state, object) {
                    Some((input, enums)) => self.spelled_constants(state, input, enums)?,
                    None => match state.knowledge.object(object).map(|one| one.input) {
                        Some(input) => self.guarded(state).or_held(input, term),
                        None => term,
                    },
                },
                Leaf::Null => term,
            },
        };
        known.insert(term, spelled);
        Flow::Continue(spelled)
    }

    fn spelled_input(&mut self, state: &mut State<'p>, input: InputId) -> Flow<TermId> {
        if let Some(mirror) = self.spelled_mirror(state, input)? {
            return Flow::Continue(mirror);
        }
        let domain = self.guarded(state).domain(input);
        let (enums, others) = self.enums_of(domain);
        if enums != DomainId::EMPTY {
            let is_enum = if others == DomainId::EMPTY {
                Pool::TRUE
            } else {
                self.guarded(state).is_among(input, enums)
            };
            if is_enum == Pool::TRUE {
                return self.spelled_constants(state, input, enums);
            }
        }
        let mut guarded = self.guarded(state);
        let reference = guarded.unresolved(input);
        Flow::Continue(guarded.or_held(input, reference))
    }

    /// The classes of a set that are enums, and those that are not.
    fn enums_of(&mut self, domain: DomainId) -> (DomainId, DomainId) {
        if let Some(&known) = self.enums.get(&domain) {
            return known;
        }
        let classes = Rc::clone(self.unknowns.domains.classes(domain));
        let (enums, others): (Vec<ClassId>, Vec<ClassId>) =
            classes.iter().partition(|&&class| self.is_enum(class));
        let parts = (self.unknowns.domains.of(&enums), self.unknowns.domains.of(&others));
        self.enums.insert(domain, parts);
        parts
    }

    /// Rule `typing/enum-constant`, without dividing: an input of an enum is null or one of its
    /// constants.
    fn spelled_constants(
        &mut self,
        state: &mut State<'p>,
        input: InputId,
        enums: DomainId,
    ) -> Flow<TermId> {
        let mut constants: Vec<Reference> = Vec::new();
        for &class in Rc::clone(self.unknowns.domains.classes(enums)).iter() {
            constants.extend(self.enum_constants(state, class)?);
        }
        let symbol = self.unknowns.inputs.get(input).term;
        let null = self.guarded(state).is_null(input);
        let (mut spelled, mut any) = (Pool::NULL, null);
        for constant in constants.iter().rev() {
            let place = self.pool.identity(constant.number());
            let hit = self.pool.eq(symbol, place);
            let hit = self.guarded(state).settle(hit);
            any = self.pool.or(any, hit);
            // The last constant is what is left: that it is one of them is a fact.
            spelled =
                if spelled == Pool::NULL { place } else { self.pool.ite(hit, place, spelled) };
        }
        if any != Pool::TRUE && state.knowledge.tie(any) {
            state.facts.holds.push(any);
        }
        // What was found out about its class holds for the constant that it is.
        let classes = Rc::clone(self.unknowns.domains.classes(enums));
        if classes.len() > 1 {
            for &class in classes.iter() {
                self.tie_constant(state, input, class)?;
            }
        }
        Flow::Continue(self.pool.ite(null, Pool::NULL, spelled))
    }

    /// Decides that a reference is not null; throws a `NullPointerException` if it is. Which object
    /// it is stays open.
    pub(crate) fn not_null(&mut self, state: &mut State<'p>, value: Value) -> Flow<TermId> {
        if let Some(reference) = self.used_before(state, value) {
            return Flow::Continue(reference);
        }
        loop {
            let reference = self.spelled(state, value)?;
            let null = self.guarded(state).same(reference, Pool::NULL);
            if self.decide(state, null)? {
                return raise_bare("java/lang/NullPointerException");
            }
            if !self.told_apart(state, reference)? {
                self.met(state, reference)?;
                return Flow::Continue(reference);
            }
        }
    }

    /// Tells inputs that may be constants of an enum, or something else, apart; whether that has
    /// changed what the reference is spelled as. Nothing may be of a type that no class in view has.
    fn told_apart(&mut self, state: &mut State<'p>, reference: TermId) -> Flow<bool> {
        let mut changed = false;
        // An alias has the class of what it is an alias of.
        let inputs = match self.summarized_input(state, reference) {
            Some(input) => vec![input],
            None => self.guarded(state).ending_inputs(reference),
        };
        for input in inputs {
            let domain = self.guarded(state).domain(input);
            if domain == DomainId::EMPTY {
                return self.no_class(input);
            }
            let (enums, others) = self.enums_of(domain);
            if enums != DomainId::EMPTY && others != DomainId::EMPTY {
                let is_enum = self.guarded(state).is_among(input, enums);
                changed |= self.decide(state, is_enum)? && is_enum != Pool::TRUE;
            }
        }
        Flow::Continue(changed)
    }

    /// Rule `typing/early-class`: a reference is not null, so the class of the input that it is was
    /// initialized before the run. The instruction starts again when that is done.
    fn met(&mut self, state: &mut State<'p>, reference: TermId) -> Flow {
        if let [input] = self.guarded(state).ending_inputs(reference)[..] {
            let domain = self.guarded(state).domain(input);
            let class = self.unknowns.domains.upper(self.program, domain);
            self.bring_up_later(state, class);
        }
        if state.growing.is_empty() {
            return Flow::Continue(());
        }
        let rule = "typing/early-class";
        ask(vec![Alternative { rule, effect: Effect::Nothing, condition: None }])
    }

    fn no_class<T>(&self, input: InputId) -> Flow<T> {
        ask(vec![typing::unmakeable(self.unknowns.inputs.get(input))])
    }

    /// The storage of a reference that is one input, whose object was used before whatever else is so: all
    /// that using it asks has been asked.
    #[inline]
    pub(crate) fn storage_in_use(&self, state: &State<'p>, term: TermId) -> Option<Reference> {
        let input = self.unknowns.inputs.of_term(&self.pool, term)?;
        let Some(Resolution::Bound(place)) = state.knowledge.resolution(input) else {
            return None;
        };
        state.knowledge.object(place).filter(|bound| bound.used == Pool::TRUE).map(|_| place)
    }

    /// Whether a reference is null, if nothing has to be asked for that: it is one input that was used, or
    /// that the path has found to be null.
    pub(crate) fn plain_nullness(&mut self, state: &mut State<'p>, term: TermId) -> Option<bool> {
        let null = if self.storage_in_use(state, term).is_some() {
            Some(false)
        } else if self.unknowns.policy.keeps_references() && self.pool.sort(term) == Sort::Ref {
            let null = self.pool.eq(term, Pool::NULL);
            self.is_settled(null).filter(|&null| null)
        } else {
            None
        };
        state.consulted += u32::from(null.is_some());
        null
    }

    /// A reference that is one input, whose object was used before whatever else is so: all that
    /// using it asks has been asked.
    fn used_before(&mut self, state: &mut State<'p>, value: Value) -> Option<TermId> {
        state.consulted += 1;
        let bound = match value {
            Value::Term(term) => {
                let input = self.unknowns.inputs.of_term(&self.pool, term)?;
                self.guarded(state).bound(input)?
            }
            Value::Reference(object) => *state.knowledge.object(object)?,
            _ => return None,
        };
        if bound.used != Pool::TRUE {
            return None;
        }
        // Fields are those of locations: that of a symbol would be sought at its aliases.
        let is_place = self.unknowns.policy.spells_places();
        let value = if is_place { Value::Reference(bound.reference) } else { value };
        Some(value.term(&mut self.pool))
    }

    /// A reference whose object is used: not null, and within the bounds.
    pub(crate) fn used(&mut self, state: &mut State<'p>, value: Value) -> Flow<TermId> {
        if let Some(reference) = self.used_before(state, value) {
            return Flow::Continue(reference);
        }
        let reference = self.not_null(state, value)?;
        let uses = self.guarded(state).inputs(reference);
        self.note_uses(state, &uses)?;
        Flow::Continue(reference)
    }

    /// Uses inputs, each under its condition, as far as the bounds allow.
    ///
    /// Rule `pose/bound`. Deviation: D7.
    fn note_uses(&mut self, state: &mut State<'p>, uses: &[(TermId, InputId)]) -> Flow {
        for &used in uses {
            for (bound, within) in self.guarded(state).bounds(&[used]) {
                if !self.decide(state, within)? {
                    return cut("pose/bound", bound);
                }
                state.knowledge.note_bounded(used.1);
            }
        }
        let mut guarded = self.guarded(state);
        for &(_, input) in uses {
            guarded.open(input);
        }
        guarded.note_uses(uses);
        Flow::Continue(())
    }

    /// Whether a reference is not null and of a type, as a condition.
    pub(crate) fn guarded_fits(
        &mut self,
        state: &mut State<'p>,
        value: Value,
        class: ClassId,
    ) -> Flow<TermId> {
        if self.is_class_symbol(value) {
            let is = self.program.is_subtype(self.known.class, class);
            return Flow::Continue(self.pool.boolean(is));
        }
        let reference = self.spelled(state, value)?;
        self.makeable(state, reference, &[class])?;
        Flow::Continue(self.guarded(state).fits(reference, class))
    }

    /// Prepares tests whether a reference is of types. Where no class in view has the declared type of an
    /// input, there is nothing to test: the input is null, or the path stops. No stop is needed if the
    /// declared type alone answers the tests.
    pub(crate) fn makeable(
        &mut self,
        state: &mut State<'p>,
        reference: TermId,
        types: &[ClassId],
    ) -> Flow {
        for (condition, leaf) in self.guarded(state).classed_leaves(reference) {
            let Some(Classed::Input(input)) = self.guarded(state).classed(leaf) else { continue };
            if self.guarded(state).domain(input) != DomainId::EMPTY {
                continue;
            }
            let declared = self.unknowns.inputs.get(input).class;
            let is = |&class| declared.is_some_and(|own| self.program.is_subtype(own, class));
            if types.iter().all(is) {
                continue;
            }
            let null = match leaf {
                Leaf::Symbol(input) => self.guarded(state).is_null(input),
                _ => Pool::FALSE,
            };
            let exists = self.pool.not(null);
            let exists = self.pool.and(condition, exists);
            if self.decide(state, exists)? {
                return self.no_class(input);
            }
        }
        Flow::Continue(())
    }

    /// Whether a reference is null or of a type.
    pub(crate) fn guarded_cast(
        &mut self,
        state: &mut State<'p>,
        value: Value,
        class: ClassId,
    ) -> Flow<bool> {
        let reference = self.spelled(state, value)?;
        self.makeable(state, reference, &[class])?;
        let mut guarded = self.guarded(state);
        let null = guarded.same(reference, Pool::NULL);
        let fits = guarded.fits(reference, class);
        let passes = self.pool.or(null, fits);
        self.decide(state, passes)
    }

    /// A class that runs the method which a call on a reference runs. One decision for each method.
    ///
    /// Rule `pose/invoke` - [POSE, Fig. 11, Invoke (c1) to (c4)]. Deviation: D3, D4.
    pub(crate) fn guarded_receiver(
        &mut self,
        state: &mut State<'p>,
        value: Value,
        resolved: MethodId,
    ) -> Flow<ClassId> {
        self.unknowns.rules.apply("pose/invoke");
        let reference = self.not_null(state, value)?;
        let target = self.program.method(resolved).class;
        // Methods, each with a class that runs it and the condition.
        let mut methods: Vec<(Option<MethodId>, ClassId, TermId)> = Vec::new();
        for (condition, leaf) in self.guarded(state).classed_leaves(reference) {
            for (method, class, holds) in self.leaf_methods(state, leaf, resolved, target) {
                let both = self.pool.and(condition, holds);
                // Each lambda runs code of its own, which no method stands for.
                let apart = method.is_none() || self.dynamic.is_made(class);
                let is_same = |known: &(Option<MethodId>, ClassId, TermId)| {
                    known.0 == method && (!apart || known.1 == class)
                };
                match methods.iter_mut().find(|known| is_same(known)) {
                    Some(known) => known.2 = self.pool.or(known.2, both),
                    None => methods.push((method, class, both)),
                }
            }
        }
        let Some((last, others)) = methods.split_last() else {
            let method = self.program.method_spelling(resolved);
            return malformed(format!("{method} is called on an object that does not have it"));
        };
        for &(_, class, condition) in others {
            if self.decide(state, condition)? {
                return Flow::Continue(class);
            }
        }
        Flow::Continue(last.1)
    }

    /// A receiver of a class that a call runs code of. A lambda is one object, with what it captured:
    /// which one it is, is decided.
    pub(crate) fn plain_receiver(
        &mut self,
        state: &mut State<'p>,
        value: Value,
        class: ClassId,
    ) -> Flow<Value> {
        if self.dynamic.is_made(class) && self.is_guarded(state, value) {
            return self.decided_leaf(state, value);
        }
        Flow::Continue(value)
    }

    /// The methods that a call on a leaf can run.
    fn leaf_methods(
        &mut self,
        state: &mut State<'p>,
        leaf: Leaf,
        resolved: MethodId,
        target: ClassId,
    ) -> Vec<(Option<MethodId>, ClassId, TermId)> {
        let input = match self.guarded(state).classed(leaf) {
            None => return Vec::new(),
            Some(Classed::Exactly(class)) => {
                let method = self.program.select(class, resolved).ok();
                return vec![(method, class, Pool::TRUE)];
            }
            Some(Classed::Input(input)) => input,
        };
        self.unknowns.rely_on_dispatch(self.program, input, resolved);
        let domain = self.guarded(state).domain(input);
        let domain = self.unknowns.domains.cut(self.program, domain, target, true);
        let mut found = Vec::new();
        for group in self.dispatch_groups(domain, resolved) {
            let Some(&class) = self.unknowns.domains.classes(group).first() else { continue };
            let holds = self.guarded(state).is_among(input, group);
            found.push((self.program.select(class, resolved).ok(), class, holds));
        }
        found
    }

    /// Decides which leaf a reference is.
    fn decided_leaf(&mut self, state: &mut State<'p>, value: Value) -> Flow<Value> {
        let mut term = self.spelled(state, value)?;
        while let Some([test, then, otherwise]) = self.guarded(state).branches(term) {
            term = if self.decide(state, test)? { then } else { otherwise };
        }
        Flow::Continue(Value::of(&mut self.pool, term))
    }

    /// The object that a reference is, or null, for what cannot do with less: which one is decided.
    /// All that is in the object can then be looked at without asking.
    pub(crate) fn settled_reference(&mut self, state: &mut State<'p>, value: Value) -> Flow<Value> {
        if !self.is_guarded(state, value) {
            return Flow::Continue(value);
        }
        let leaf = self.decided_leaf(state, value)?;
        let term = self.guarded(state).term(leaf);
        let input = match self.guarded(state).leaf(term) {
            Leaf::Null => return Flow::Continue(Value::NULL),
            Leaf::Symbol(input) => input,
            Leaf::Object(object) => match state.knowledge.object(object) {
                Some(symbolic) => symbolic.input,
                None => return Flow::Continue(Value::Reference(object)),
            },
        };
        let null = self.guarded(state).is_null(input);
        if self.decide(state, null)? {
            return Flow::Continue(Value::NULL);
        }
        let reference = self.used(state, leaf)?;
        if !matches!(self.guarded(state).leaf(reference), Leaf::Symbol(_) | Leaf::Object(_)) {
            // It has turned out to be a constant of an enum.
            return self.settled_reference(state, Value::Term(reference));
        }
        let input = match self.guarded(state).leaf(reference) {
            Leaf::Symbol(input) => input,
            _ => input,
        };
        let own = self.guarded(state).open(input);
        let object = self.settled_alias(state, input, own)?.unwrap_or(own);
        self.fill(state, object)?;
        Flow::Continue(Value::Reference(object))
    }

    /// Decides whether an input is the same as one that was used before it, which then stands for
    /// both; gives the object of that. Whether a younger one is the same is asked when that is needed.
    fn settled_alias(
        &mut self,
        state: &mut State<'p>,
        input: InputId,
        own: Reference,
    ) -> Flow<Option<Reference>> {
        if self.unknowns.policy.spells_places() {
            return Flow::Continue(None);
        }
        let domain = self.guarded(state).domain(input);
        let is_value = self.unknowns.is_value(domain);
        let met = state.knowledge.object(own).map(|own| own.met);
        for other in state.knowledge.objects().to_vec() {
            if Some(other.met) >= met {
                continue;
            }
            let same = self.guarded(state).same_inputs(input, other.input);
            // Nothing but a comparison tells boxes and strings apart.
            let open = is_value || self.unknowns.is_value(other.domain);
            if if open { same == Pool::TRUE } else { self.decide(state, same)? } {
                return Flow::Continue(Some(other.reference));
            }
        }
        Flow::Continue(None)
    }

    /// Gives a slot of an object a value, for what works on objects and not on references. Every input
    /// that may be the same object has the value then, too; false if there is no such slot.
    pub fn store_slot(
        &mut self,
        state: &mut State<'p>,
        object: Reference,
        slot: usize,
        value: Value,
    ) -> bool {
        if !matches!(state.heap.object(object).body, dalang_heap::Body::Accessed(_)) {
            return state.heap.set(object, slot, value);
        }
        let class = state.heap.class(object);
        let Some(&field) = self.program.class(class).instance_fields.get(slot) else {
            return false;
        };
        let place = self.pool.identity(object.number());
        self.guarded(state).put_field(place, field, value)
    }

    /// Gives an input object all its fields, by slot.
    fn fill(&mut self, state: &mut State<'p>, object: Reference) -> Flow {
        if !matches!(state.heap.object(object).body, dalang_heap::Body::Accessed(_)) {
            return Flow::Continue(());
        }
        self.class_of_object(state, object)?;
        let class = state.heap.class(object);
        if self.unknowns.values.contains(&class) || self.program.class(class).is_array() {
            return self.guarded_fill_value(state, object);
        }
        let place = self.pool.identity(object.number());
        for &field in &self.program.class(class).instance_fields {
            if self.guarded(state).get_field(place, field).is_none() {
                return self.no_such_field(field);
            }
        }
        Flow::Continue(())
    }

    /// An input of a general type has turned out to be a box, a string or an array: it gets the body
    /// that such an object has.
    fn guarded_fill_value(&mut self, state: &mut State<'p>, object: Reference) -> Flow {
        let found = state.heap.object(object);
        let dalang_heap::Body::Accessed(fields) = &found.body else {
            return Flow::Continue(());
        };
        let fields = fields.entries(self.program, found.class);
        let Some(symbolic) = state.knowledge.object(object).copied() else {
            return Flow::Continue(());
        };
        let class = state.heap.class(object);
        let own = self.program.class(class).is_array().then(|| self.element_type(class));
        let wanted = |element: ValueType| own.is_some_and(|own| is_alike(own, element));
        let body = match self.guarded(state).elements_of(object, &wanted) {
            Some(array) => state.heap.object(array).body.clone(),
            None => self.guarded(state).body(symbolic.input, class),
        };
        state.knowledge.forget_arrays(object);
        let target = &mut state.heap.object_mut(object).body;
        *target = body;
        for (field, value) in fields {
            let declared = self.program.field(field);
            // As long as it could have been the same as another input, it had that one's fields, too: what
            // its own class has at such a slot is something else.
            if self.program.is_subtype(class, declared.class) {
                target.set_field(declared.slot as usize, value);
            }
        }
        Flow::Continue(())
    }

    /// A reference of which is known whether it is null.
    pub(crate) fn nullness(&mut self, state: &mut State<'p>, value: Value) -> Flow<Value> {
        let reference = self.spelled(state, value)?;
        let null = self.guarded(state).same(reference, Pool::NULL);
        if self.decide(state, null)? {
            return Flow::Continue(Value::NULL);
        }
        self.told_apart(state, reference)?;
        self.met(state, reference)?;
        Flow::Continue(value)
    }

    /// Decides the class of an input object.
    ///
    /// Rule `typing/exact`, by conditions.
    pub(crate) fn guarded_class(
        &mut self,
        state: &mut State<'p>,
        object: Reference,
    ) -> Flow<ClassId> {
        let Some(symbolic) = state.knowledge.object(object).copied() else {
            return crate::flow::bug("an object of uncertain class is no input");
        };
        self.unknowns.rely_on_all(symbolic.input);
        let classes = Rc::clone(self.unknowns.domains.classes(symbolic.domain));
        let Some((&last, others)) = classes.split_last() else {
            return self.no_class(symbolic.input);
        };
        for &class in others {
            let single = self.unknowns.domains.single(class);
            let is = self.guarded(state).is_among(symbolic.input, single);
            if self.decide(state, is)? {
                self.narrow_to(state, object, class);
                return Flow::Continue(class);
            }
        }
        self.narrow_to(state, object, last);
        Flow::Continue(last)
    }

    /// An input object is of exactly this class.
    fn narrow_to(&mut self, state: &mut State<'p>, object: Reference, class: ClassId) {
        // What the class can be, as far as comparisons with other inputs are concerned, stays as it
        // was: those that were made before must go on to mean the same.
        let target = state.heap.object_mut(object);
        if let dalang_heap::Body::Accessed(fields) = &mut target.body {
            *fields = fields.of_class(self.program, target.class, class).into();
        }
        (target.class, target.inexact) = (class, false);
        self.bring_up_later(state, class);
    }

    /// A class that a reference may be of, for messages.
    pub(crate) fn guarded_likely_class(&mut self, state: &mut State<'p>, value: Value) -> ClassId {
        let mut guarded = self.guarded(state);
        let term = guarded.term(value);
        for leaf in guarded.ends(term) {
            match guarded.leaf(leaf) {
                Leaf::Null => {}
                Leaf::Object(object) => return state.heap.class(object),
                Leaf::Symbol(input) => {
                    let domain = guarded.domain(input);
                    if let Some(&class) = guarded.unknowns.domains.classes(domain).first() {
                        return class;
                    }
                }
            }
        }
        self.known.object
    }

    /// The object whose monitor is entered or left. Which of several inputs leads to it does not
    /// matter: what is entered through one is left through the same.
    pub(crate) fn guarded_monitor(
        &mut self,
        state: &mut State<'p>,
        value: Value,
    ) -> Flow<Reference> {
        let reference = self.used(state, value)?;
        let mut guarded = self.guarded(state);
        let input = match guarded.leaf(reference) {
            Leaf::Symbol(input) => Some(input),
            _ => guarded.whole(reference),
        };
        if let Some(input) = input {
            return Flow::Continue(guarded.open(input));
        }
        match self.settled_reference(state, value)? {
            Value::Reference(object) => Flow::Continue(object),
            _ => malformed("something else than a reference is locked"),
        }
    }

    /// Whether the monitor of an object cannot be told from that of another: it may have been entered
    /// through another input that leads to the same object.
    pub fn shares_monitor(&self, state: &State<'p>, object: Reference) -> bool {
        self.unknowns.policy.keeps_references() && state.knowledge.object(object).is_some()
    }

    /// The receiver of the method that is explored: an object, of one of these classes.
    pub fn receive(&mut self, state: &mut State<'p>, input: InputId, domain: DomainId) -> Facts {
        let mut guarded = self.guarded(state);
        guarded.receive(input, domain);
        let class = self.unknowns.domains.upper(self.program, domain);
        self.bring_up_later(state, class);
        state.take_facts()
    }
}

/// Whether elements of two types are kept in the same way.
fn is_alike(a: ValueType, b: ValueType) -> bool {
    a == b || matches!((a, b), (ValueType::Reference(_), ValueType::Reference(_)))
}

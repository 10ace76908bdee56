//! Arrays that a reference may be, under the policies that do not divide paths.
//!
//! An access is made on every array that can be meant, under the condition that it is. Only whether
//! the index is within bounds, and whether the array can hold a reference, is decided.

use crate::flow::{Flow, linked, malformed, raise};
use crate::machine::Machine;
use crate::state::State;
use dalang_classes::code::ElementKind;
use dalang_classes::{ClassId, Primitive, Shape, ValueType};
use dalang_heap::{Body, InputId, Reference, Value};
use dalang_term::{Pool, TermId};
use std::rc::Rc;

/// Arrays that can be meant, each with the condition.
type Owners = Vec<(TermId, Reference)>;

impl<'p> Machine<'p> {
    /// The arrays that a reference can be, of elements of this kind if one is given; throws a
    /// `NullPointerException` if it is null.
    fn owners(
        &mut self,
        state: &mut State<'p>,
        value: Value,
        kind: Option<ElementKind>,
    ) -> Flow<Owners> {
        let reference = self.used(state, value)?;
        for input in self.guarded(state).ending_inputs(reference) {
            let own = self.guarded(state).open(input);
            let met = state.knowledge.object(own).map(|own| own.met);
            // An older input that may be the same object owns its elements.
            for older in state.knowledge.objects().to_vec() {
                if Some(older.met) < met
                    && kind.is_some()
                    && self.guarded(state).same_inputs(input, older.input) != Pool::FALSE
                {
                    self.become_array(state, older.input, older.reference, kind)?;
                }
            }
            self.become_array(state, input, own, kind)?;
        }
        let wanted = |element| kind.is_none_or(|kind| is_kept_as(kind, element));
        let owners = self.guarded(state).owners(reference, &wanted);
        if owners.is_empty() {
            return malformed("something that is no array is used as one");
        }
        Flow::Continue(owners)
    }

    /// An input of a general type is used as an array.
    fn become_array(
        &mut self,
        state: &mut State<'p>,
        input: InputId,
        object: Reference,
        kind: Option<ElementKind>,
    ) -> Flow {
        let wanted = |element| kind.is_none_or(|kind| is_kept_as(kind, element));
        if !matches!(state.heap.object(object).body, Body::Accessed(_))
            || self.guarded(state).elements_of(object, &wanted).is_some()
        {
            return Flow::Continue(());
        }
        let domain = self.guarded(state).domain(input);
        let classes = Rc::clone(self.unknowns.domains.classes(domain));
        let is_wanted = |class: ClassId| {
            self.program.class(class).is_array() && wanted(self.element_type(class))
        };
        let arrays: Vec<ClassId> =
            classes.iter().copied().filter(|&class| is_wanted(class)).collect();
        let Some(class) = self.array_kind(state, input, &arrays)? else {
            return Flow::Continue(());
        };
        self.guarded(state).become_array(input, object, class);
        Flow::Continue(())
    }

    /// Decides of which type the elements of an array are, as far as it makes a difference to how they
    /// are kept: a class that says so, none if there is no array.
    fn array_kind(
        &mut self,
        state: &mut State<'p>,
        input: InputId,
        arrays: &[ClassId],
    ) -> Flow<Option<ClassId>> {
        let mut kinds: Vec<(Option<Primitive>, Vec<ClassId>)> = Vec::new();
        for &array in arrays {
            let kind = match self.element_type(array) {
                ValueType::Primitive(primitive) => Some(primitive),
                ValueType::Reference(_) => None,
            };
            match kinds.iter_mut().find(|known| known.0 == kind) {
                Some(known) => known.1.push(array),
                None => kinds.push((kind, vec![array])),
            }
        }
        let Some(mut chosen) = kinds.pop() else { return Flow::Continue(None) };
        for kind in kinds {
            let set = self.unknowns.domains.of(&kind.1);
            let is = self.guarded(state).is_among(input, set);
            if self.decide(state, is)? {
                chosen = kind;
                break;
            }
        }
        let set = self.unknowns.domains.of(&chosen.1);
        let upper = self.unknowns.domains.upper(self.program, set);
        if self.program.class(upper).is_array() {
            return Flow::Continue(Some(upper));
        }
        linked(self.program.array_of(self.known.object)).map_continue(Some)
    }

    fn owned_length(&mut self, state: &mut State<'p>, owners: &[(TermId, Reference)]) -> Value {
        let mut lengths = owners.iter().rev().map(|&(condition, array)| {
            let length = self.array_length_value(state, array);
            (condition, length)
        });
        let lengths: Vec<(TermId, Value)> = lengths.by_ref().collect();
        self.chosen(&lengths)
    }

    /// One of several values, by conditions of which one holds: the first is what is left.
    fn chosen(&mut self, values: &[(TermId, Value)]) -> Value {
        let Some(((_, first), rest)) = values.split_first() else { return Value::NULL };
        rest.iter()
            .fold(*first, |chosen, &(condition, value)| self.either(condition, value, chosen))
    }

    /// Rule `jvms/arraylength` on a reference that stays unresolved.
    #[cold]
    pub(crate) fn guarded_length(&mut self, state: &mut State<'p>, array: Value) -> Flow<Value> {
        let owners = self.owners(state, array, None)?;
        Flow::Continue(self.owned_length(state, &owners))
    }

    /// The arrays that a reference can be, for an index that is within their bounds.
    fn indexed(
        &mut self,
        state: &mut State<'p>,
        array: Value,
        index: Value,
        kind: ElementKind,
    ) -> Flow<Owners> {
        let owners = self.owners(state, array, Some(kind))?;
        let length = self.owned_length(state, &owners);
        self.check_symbolic_index(state, index, length)?;
        Flow::Continue(owners)
    }

    /// Whether an array that is plainly stored is too short for an index that is a constant: then it
    /// is not the one that is meant.
    fn is_too_short(&self, state: &State<'p>, array: Reference, index: Value) -> bool {
        let body = &state.heap.object(array).body;
        match (body, index) {
            (Body::Elements(_), _) => false,
            (body, Value::Int(index)) => index as u32 as usize >= body.len(),
            (body, _) => body.is_empty(),
        }
    }

    /// Rule `jvms/iaload` and its kin on a reference that stays unresolved.
    ///
    /// Rule `pose/array-load`. Deviation: D5 of POSE, D7 of summaries.
    #[cold]
    pub(crate) fn guarded_load(
        &mut self,
        state: &mut State<'p>,
        array: Value,
        index: Value,
        kind: ElementKind,
    ) -> Flow<Value> {
        self.unknowns.rules.apply("pose/array-load");
        let owners = self.indexed(state, array, index, kind)?;
        let mut values = Vec::with_capacity(owners.len());
        for &(condition, array) in owners.iter().rev() {
            if !self.is_too_short(state, array, index) {
                values.push((condition, self.peek_element(state, array, index)?));
            }
        }
        Flow::Continue(self.chosen(&values))
    }

    /// Rule `jvms/iastore` and its kin on a reference that stays unresolved; the value is one that
    /// elements can hold.
    ///
    /// Rule `pose/array-store`. Deviation: D5 of POSE, D7 of summaries.
    #[cold]
    pub(crate) fn guarded_store(
        &mut self,
        state: &mut State<'p>,
        array: Value,
        index: Value,
        kind: ElementKind,
        value: impl Fn(&mut Self, ClassId) -> Value,
    ) -> Flow {
        self.unknowns.rules.apply("pose/array-store");
        let owners = self.indexed(state, array, index, kind)?;
        if let ElementKind::Reference = kind {
            let reference = state.peek(0);
            self.guarded_store_check(state, &owners, reference)?;
        }
        let mut changes = Vec::with_capacity(owners.len());
        for (condition, array) in owners {
            if self.is_too_short(state, array, index) {
                continue;
            }
            let new = value(self, state.heap.class(array));
            let new = if condition == Pool::TRUE {
                new
            } else {
                let old = self.peek_element(state, array, index)?;
                self.either(condition, new, old)
            };
            changes.push((array, new));
        }
        for (array, new) in changes {
            self.store_element(state, array, index, new)?;
        }
        Flow::Continue(())
    }

    /// Throws an `ArrayStoreException` if an array that is meant cannot hold a reference.
    ///
    /// Rule `pose/store-check`.
    pub(crate) fn guarded_store_check(
        &mut self,
        state: &mut State<'p>,
        owners: &[(TermId, Reference)],
        value: Value,
    ) -> Flow {
        if value == Value::NULL {
            return Flow::Continue(());
        }
        self.unknowns.rules.apply("pose/store-check");
        let value = self.any_mirror(state, value)?;
        let reference = self.spelled(state, value)?;
        for &(_, array) in owners {
            let exact = [state.heap.class(array)];
            let domain = state.knowledge.array_object(array).map(|symbolic| symbolic.domain);
            let classes = domain.map(|domain| Rc::clone(self.unknowns.domains.classes(domain)));
            let classes = classes.as_deref().unwrap_or(&exact).iter();
            let components: Vec<ClassId> = classes
                .filter_map(|&class| match self.program.class(class).shape {
                    Shape::Array { component, .. } => Some(component),
                    _ => None,
                })
                .collect();
            self.makeable(state, reference, &components)?;
        }
        let mut passes = self.guarded(state).same(reference, Pool::NULL);
        for &(condition, array) in owners {
            let holds = self.array_holds(state, array, reference)?;
            let both = self.pool.and(condition, holds);
            passes = self.pool.or(passes, both);
        }
        if self.decide(state, passes)? {
            return Flow::Continue(());
        }
        let class = self.likely_class(state, value);
        raise("java/lang/ArrayStoreException", self.program.java_name(class))
    }

    /// When an array can hold a reference that is not null.
    fn array_holds(
        &mut self,
        state: &mut State<'p>,
        array: Reference,
        reference: TermId,
    ) -> Flow<TermId> {
        let Some(symbolic) = state.knowledge.array_object(array).copied() else {
            let class = state.heap.class(array);
            return Flow::Continue(self.component_fits(state, class, reference));
        };
        self.unknowns.rely_on_all(symbolic.input);
        let mut holds = Pool::FALSE;
        for &class in Rc::clone(self.unknowns.domains.classes(symbolic.domain)).iter() {
            // An array of objects can be of a class for each that is in view, and each is a large condition.
            self.breathe()?;
            let single = self.unknowns.domains.single(class);
            let is = self.guarded(state).is_among(symbolic.input, single);
            let fits = self.component_fits(state, class, reference);
            let both = self.pool.and(is, fits);
            holds = self.pool.or(holds, both);
        }
        Flow::Continue(holds)
    }

    fn component_fits(
        &mut self,
        state: &mut State<'p>,
        array: ClassId,
        reference: TermId,
    ) -> TermId {
        match self.program.class(array).shape {
            Shape::Array { component, .. } => self.guarded(state).fits(reference, component),
            _ => Pool::FALSE,
        }
    }

    /// What an array of uncertain class holds is null or fits its class.
    pub(crate) fn tie_element(
        &mut self,
        state: &mut State<'p>,
        array: Reference,
        element: InputId,
    ) -> Flow {
        let Some(symbolic) = state.knowledge.array_object(array).copied() else {
            return Flow::Continue(());
        };
        let term = self.unknowns.inputs.get(element).term;
        if self.unknowns.domains.only(symbolic.domain).is_some() {
            return Flow::Continue(());
        }
        let reference = self.spelled(state, Value::Term(term))?;
        if state.knowledge.tie(term) {
            let null = self.guarded(state).same(reference, Pool::NULL);
            let holds = self.array_holds(state, array, reference)?;
            let fact = self.pool.or(null, holds);
            if fact != Pool::TRUE {
                state.facts.holds.push(fact);
            }
        }
        Flow::Continue(())
    }
}

/// Whether elements of a type are what an instruction loads or stores.
fn is_kept_as(kind: ElementKind, element: ValueType) -> bool {
    let ValueType::Primitive(primitive) = element else { return kind == ElementKind::Reference };
    match primitive {
        Primitive::Boolean | Primitive::Byte => kind == ElementKind::ByteOrBoolean,
        Primitive::Char => kind == ElementKind::Char,
        Primitive::Short => kind == ElementKind::Short,
        Primitive::Int => kind == ElementKind::Int,
        Primitive::Long => kind == ElementKind::Long,
        Primitive::Float => kind == ElementKind::Float,
        Primitive::Double => kind == ElementKind::Double,
    }
}

//! Elements of arrays, wherever the array, the index or what is there may be symbolic.
//!
//! Whether an index is within bounds is decided, one way or the other. After that no access of a
//! primitive element divides a path: what is read is an ite over what it can be, and what is stored
//! changes, by an ite, whatever it can hit. References have no ites: which element is meant is
//! decided, as the policies of the lazy family decide everything about references.

use crate::decimals::{Phrase, raise_text};
use crate::flow::{Flow, bug, malformed, raise, unsupported};
use crate::machine::Machine;
use crate::state::State;
use crate::symbolic::ask;
use dalang_classes::{ClassId, Shape, ValueType};
use dalang_heap::{
    Alternative, Body, Bound, Effect, Elements, InputId, Origin, Reference, Resolution, Value,
};
use dalang_term::{Pool, TermId};
use std::rc::Rc;

/// Ends the path at a bound.
pub(crate) fn cut<T>(rule: &'static str, bound: Bound) -> Flow<T> {
    ask(vec![Alternative { rule, effect: Effect::Cut(bound), condition: None }])
}

/// What an array holds that is not plainly stored.
pub(crate) fn elements(state: &State<'_>, array: Reference) -> Option<Rc<Elements>> {
    match &state.heap.object(array).body {
        Body::Elements(elements) => Some(Rc::clone(elements)),
        _ => None,
    }
}

pub(crate) fn elements_mut<'s>(
    state: &'s mut State<'_>,
    array: Reference,
) -> Option<&'s mut Elements> {
    match &mut state.heap.object_mut(array).body {
        Body::Elements(elements) => Some(Rc::make_mut(elements)),
        _ => None,
    }
}

impl<'p> Machine<'p> {
    /// The length of an array.
    pub fn array_length_value(&mut self, state: &State<'p>, array: Reference) -> Value {
        match &state.heap.object(array).body {
            Body::Elements(elements) => self.value(elements.length),
            body => Value::Int(body.len() as i32),
        }
    }

    /// The type of an array's elements.
    pub fn element_type(&self, array: ClassId) -> ValueType {
        let component = match self.program.class(array).shape {
            Shape::Array { component, .. } => component,
            _ => self.known.object,
        };
        match self.program.class(component).shape {
            Shape::Primitive(Some(primitive)) => ValueType::Primitive(primitive),
            _ => ValueType::Reference(self.program.class(component).name),
        }
    }

    /// Throws an `ArrayIndexOutOfBoundsException` if there is no such element.
    #[inline]
    pub fn check_index(&mut self, state: &mut State<'p>, array: Reference, index: Value) -> Flow {
        let length = self.array_length_value(state, array);
        if let (Value::Int(index), Value::Int(length)) = (index, length) {
            return if (0..length).contains(&index) {
                Flow::Continue(())
            } else {
                out_of_bounds(index, length)
            };
        }
        self.check_symbolic_index(state, index, length)
    }

    #[cold]
    pub(crate) fn check_symbolic_index(
        &mut self,
        state: &mut State<'p>,
        index: Value,
        length: Value,
    ) -> Flow {
        // A length is not negative, so that a negative index is too large as well.
        let (index, length) = (self.term(index), self.term(length));
        let inside = self.pool.ult(index, length);
        if self.decide(state, inside)? {
            return Flow::Continue(());
        }
        let message = self.message(&[
            Phrase::Words("Index "),
            Phrase::Number(index),
            Phrase::Words(" out of bounds for length "),
            Phrase::Number(length),
        ])?;
        raise_text("java/lang/ArrayIndexOutOfBoundsException", message)
    }

    /// The element at an index that is within bounds, as the program reads it.
    #[inline]
    pub fn load_element(
        &mut self,
        state: &mut State<'p>,
        array: Reference,
        index: Value,
    ) -> Flow<Value> {
        let value = self.peek_element(state, array, index)?;
        self.read(state, value)
    }

    /// The element at an index that is within bounds, to be moved: nothing is asked about a
    /// reference.
    #[inline]
    pub fn peek_element(
        &mut self,
        state: &mut State<'p>,
        array: Reference,
        index: Value,
    ) -> Flow<Value> {
        let body = &state.heap.object(array).body;
        if let Value::Int(index) = index
            && let Some(value) = body.get(index as usize)
        {
            return Flow::Continue(value);
        }
        self.load_symbolic(state, array, index)
    }

    #[cold]
    fn load_symbolic(
        &mut self,
        state: &mut State<'p>,
        array: Reference,
        index: Value,
    ) -> Flow<Value> {
        if !matches!(index, Value::Int(_) | Value::Term(_)) {
            return malformed("something else than an int is used as an index");
        }
        let index = self.term(index);
        let Some(elements) = elements(state, array) else {
            return self.select(state, array, index);
        };
        if self.merges(elements.element) {
            return self.load_primitive(state, array, &elements, index);
        }
        self.load_reference(state, array, &elements, index)
    }

    /// Stores a value of the right type at an index that is within bounds.
    #[inline]
    pub fn store_element(
        &mut self,
        state: &mut State<'p>,
        array: Reference,
        index: Value,
        value: Value,
    ) -> Flow {
        if let Value::Int(index) = index
            && !matches!(state.heap.object(array).body, Body::Elements(_))
        {
            let _turn = self.claim_store(state, array, matches!(value, Value::Term(_)))?;
            if state.heap.set(array, index as usize, value) {
                return Flow::Continue(());
            }
            return malformed("a value is stored in an array of another type");
        }
        self.store_symbolic(state, array, index, value)
    }

    #[cold]
    fn store_symbolic(
        &mut self,
        state: &mut State<'p>,
        array: Reference,
        index: Value,
        value: Value,
    ) -> Flow {
        if !matches!(index, Value::Int(_) | Value::Term(_)) {
            return malformed("something else than an int is used as an index");
        }
        let index = self.term(index);
        let Some(elements) = elements(state, array) else {
            return self.update(state, array, index, value);
        };
        let changed = if self.merges(elements.element) {
            self.changed_primitives(&elements, index, value)
        } else {
            let place = self.place(state, &elements, index)?;
            let mut changed = elements.known.clone();
            match changed.iter_mut().find(|known| known.0 == place) {
                Some(known) => known.1 = value,
                None => changed.push((place, value)),
            }
            changed
        };
        let Some(elements) = elements_mut(state, array) else {
            return bug("an array has lost its elements");
        };
        elements.known = changed;
        elements.text = None;
        Flow::Continue(())
    }

    /// What is known of an array of a primitive type after a store.
    fn changed_primitives(
        &mut self,
        elements: &Elements,
        index: TermId,
        value: Value,
    ) -> Vec<(TermId, Value)> {
        let mut changed = Vec::with_capacity(elements.known.len() + 1);
        for &(known, old) in &elements.known {
            if known != index {
                let hit = self.pool.eq(known, index);
                changed.push((known, self.either(hit, value, old)));
            }
        }
        changed.push((index, value));
        changed
    }

    /// `condition ? then : otherwise`
    pub fn either(&mut self, condition: TermId, then: Value, otherwise: Value) -> Value {
        match self.pool.bits(condition) {
            Some(1) => then,
            Some(_) => otherwise,
            None if then == otherwise => then,
            None => {
                let (then, otherwise) = (self.term(then), self.term(otherwise));
                let either = self.pool.ite(condition, then, otherwise);
                self.value(either)
            }
        }
    }

    /// What is at an index, as far as entries tell, and otherwise this.
    pub(crate) fn among(
        &mut self,
        entries: &[(TermId, Value)],
        index: TermId,
        otherwise: Value,
    ) -> Value {
        entries.iter().rev().fold(otherwise, |value, &(known, at)| {
            let hit = self.pool.eq(known, index);
            self.either(hit, at, value)
        })
    }

    fn load_primitive(
        &mut self,
        state: &mut State<'p>,
        array: Reference,
        elements: &Elements,
        index: TermId,
    ) -> Flow<Value> {
        if let Some(value) = elements.at(index) {
            return Flow::Continue(value);
        }
        if let Some(layer) = &elements.layer {
            let below = self.beneath(state, layer, elements.element, index)?;
            let value = self.among(&elements.known, index, below);
            self.record(state, array, index, value, None)?;
            return Flow::Continue(value);
        }
        let (value, fresh) = match elements.origin {
            Origin::Default(zero) => (self.among(&elements.known, index, zero), None),
            Origin::Input(input) => {
                if let Some(known) = self.only_known(state, elements, index)? {
                    return Flow::Continue(known);
                }
                let (fresh, value) = self.element_input(state, array, input, index)?;
                (self.among(&elements.known, index, value), Some(fresh))
            }
            Origin::Copy(original) => {
                let value = self.initial_primitive(state, original, index)?;
                (self.among(&elements.known, index, value), None)
            }
        };
        self.record(state, array, index, value, fresh)?;
        Flow::Continue(value)
    }

    /// Where the k-bound on elements is reached, an index is one of those that are known, or the
    /// path ends: [Kiasan] section 3.4.
    fn only_known(
        &mut self,
        state: &mut State<'p>,
        elements: &Elements,
        index: TermId,
    ) -> Flow<Option<Value>> {
        if elements.most.is_none_or(|most| elements.read.len() < most as usize) {
            return Flow::Continue(None);
        }
        let hits: Vec<TermId> =
            elements.known.iter().map(|known| self.pool.eq(known.0, index)).collect();
        let hit = self.pool.or_all(hits);
        if !self.decide(state, hit)? {
            return cut("lazy/aaload-fresh", Bound::K);
        }
        let Some(last) = elements.known.last() else { return bug("a hit where nothing is known") };
        Flow::Continue(Some(self.among(&elements.known, index, last.1)))
    }

    /// What was at an index of an input array before the method ran, for a copy of the array.
    pub(crate) fn initial_primitive(
        &mut self,
        state: &mut State<'p>,
        original: Reference,
        index: TermId,
    ) -> Flow<Value> {
        let Some(elements) = elements(state, original) else {
            return bug("an array is a copy of what has no elements");
        };
        let Origin::Input(input) = elements.origin else {
            return bug("an array is a copy of what is no input");
        };
        let read = self.read_elements(&elements);
        if let Some(known) = read.iter().find(|known| known.0 == index) {
            return Flow::Continue(self.among(&read, index, known.1));
        }
        let (fresh, value) = self.element_input(state, original, input, index)?;
        let before = self.among(&read, index, value);
        if elements.layer.is_some() {
            self.record_read(state, original, fresh)?;
            return Flow::Continue(before);
        }
        let now = match elements.at(index) {
            Some(now) => now,
            None => self.among(&elements.known, index, value),
        };
        self.record(state, original, index, now, Some(fresh))?;
        Flow::Continue(before)
    }

    /// The elements that were read of an input array, by index, in order.
    fn read_elements(&self, elements: &Elements) -> Vec<(TermId, Value)> {
        let read = elements.read.iter().filter_map(|&id| {
            let input = self.unknowns.inputs.get(id);
            match input.step {
                dalang_heap::Step::Element(_, index, _) => Some((index, Value::Term(input.term))),
                _ => None,
            }
        });
        read.collect()
    }

    /// Remembers what is at an index of an array.
    fn record(
        &self,
        state: &mut State<'p>,
        array: Reference,
        index: TermId,
        value: Value,
        fresh: Option<InputId>,
    ) -> Flow {
        let Some(elements) = elements_mut(state, array) else {
            return bug("an array has lost its elements");
        };
        if elements.at(index).is_none() {
            elements.known.push((index, value));
        }
        match fresh {
            Some(fresh) => self.record_read(state, array, fresh),
            None => Flow::Continue(()),
        }
    }

    /// Remembers that an element of an input array was read.
    fn record_read(&self, state: &mut State<'p>, array: Reference, fresh: InputId) -> Flow {
        let Some(elements) = elements_mut(state, array) else {
            return bug("an array has lost its elements");
        };
        if !elements.read.contains(&fresh) {
            elements.read.push(fresh);
            state.knowledge.initialized += 1;
        }
        Flow::Continue(())
    }

    /// The element of an input array that is at an index where nothing is known, as an input.
    ///
    /// Its declared type is the one that the array was declared with, whatever the state knows of
    /// the array by now, because all states share it; what the state knows narrows it.
    fn element_input(
        &mut self,
        state: &mut State<'p>,
        array: Reference,
        input: InputId,
        index: TermId,
    ) -> Flow<(InputId, Value)> {
        let now = self.element_type(state.heap.class(array));
        let declared = match self.unknowns.inputs.get(input).class {
            Some(class) if self.program.class(class).is_array() => self.element_type(class),
            _ if matches!(now, ValueType::Primitive(_)) => now,
            _ => ValueType::Reference(self.program.class(self.known.object).name),
        };
        let (program, pool) = (self.program, &mut self.pool);
        let found = self.unknowns.inputs.element(program, pool, input, index, declared);
        let Some(id) = found else { return unsupported("an array of a class that is not there") };
        let found = self.unknowns.inputs.get(id);
        if found.primitive.is_some() != matches!(now, ValueType::Primitive(_))
            || found.primitive.is_some_and(|found| ValueType::Primitive(found) != now)
        {
            return bug("an element is of another type than those of its array");
        }
        let (term, is_reference) = (found.term, found.primitive.is_none());
        if is_reference && self.is_argument(id) {
            self.rule_out_null(state, id);
        }
        let found = self.unknowns.inputs.get(id);
        if self.unknowns.policy.keeps_references() {
            if found.primitive.is_none() {
                self.tie_element(state, array, id)?;
            }
            return Flow::Continue((id, Value::Term(term)));
        }
        if now != declared && state.knowledge.resolution(id).is_none() {
            let known = self.unknowns.resolution(self.program, &state.knowledge, id);
            if let (Resolution::Maybe(domain), Shape::Array { component, .. }) =
                (known, self.program.class(state.heap.class(array)).shape)
            {
                let domain = self.unknowns.domains.cut(self.program, domain, component, true);
                state.knowledge.resolve(id, Resolution::Maybe(domain));
            }
        }
        Flow::Continue((id, Value::Term(term)))
    }

    /// The name under which an index of an array of references is known, or will be: it is compared
    /// with every index that is known.
    pub(crate) fn place(
        &mut self,
        state: &mut State<'p>,
        elements: &Elements,
        index: TermId,
    ) -> Flow<TermId> {
        if let Some(same) = elements.same.iter().find(|same| same.0 == index) {
            return Flow::Continue(same.1);
        }
        self.place_among(state, &elements.known, index)
    }

    fn place_among(
        &mut self,
        state: &mut State<'p>,
        entries: &[(TermId, Value)],
        index: TermId,
    ) -> Flow<TermId> {
        if entries.iter().any(|known| known.0 == index) {
            return Flow::Continue(index);
        }
        for &(known, _) in entries {
            let hit = self.pool.eq(known, index);
            if hit == Pool::FALSE {
                continue;
            }
            if self.decide(state, hit)? {
                return Flow::Continue(known);
            }
        }
        Flow::Continue(index)
    }

    /// Rule `lazy/aaload-known` and rule `lazy/aaload-fresh` - [Kiasan, Fig. 6, IALOAD2-S and
    /// IALOAD3-S]: the index is one that was accessed, or a new one.
    fn load_reference(
        &mut self,
        state: &mut State<'p>,
        array: Reference,
        elements: &Elements,
        index: TermId,
    ) -> Flow<Value> {
        let place = self.place(state, elements, index)?;
        let (value, fresh) = match elements.at(place) {
            Some(value) => (value, None),
            None => match (&elements.layer, elements.origin) {
                (Some(layer), _) => (self.layered_reference(state, layer, place)?, None),
                (None, Origin::Default(zero)) => (zero, None),
                (None, Origin::Input(input)) => {
                    if elements.most.is_some_and(|most| elements.read.len() >= most as usize) {
                        return cut("lazy/aaload-fresh", Bound::K);
                    }
                    let (fresh, value) = self.element_input(state, array, input, place)?;
                    (value, Some(fresh))
                }
                (None, Origin::Copy(original)) => {
                    (self.initial_reference(state, original, place)?, None)
                }
            },
        };
        self.record(state, array, place, value, fresh)?;
        if place != index
            && let Some(elements) = elements_mut(state, array)
            && !elements.same.iter().any(|same| same.0 == index)
        {
            elements.same.push((index, place));
        }
        Flow::Continue(value)
    }

    /// What was at an index of an input array of references before the method ran.
    pub(crate) fn initial_reference(
        &mut self,
        state: &mut State<'p>,
        original: Reference,
        index: TermId,
    ) -> Flow<Value> {
        let Some(elements) = elements(state, original) else {
            return bug("an array is a copy of what has no elements");
        };
        let Origin::Input(input) = elements.origin else {
            return bug("an array is a copy of what is no input");
        };
        if elements.layer.is_some() {
            // What is known lies over what was read.
            let read = self.read_elements(&elements);
            let place = self.place_among(state, &read, index)?;
            let (fresh, value) = self.element_input(state, original, input, place)?;
            self.record_read(state, original, fresh)?;
            return Flow::Continue(value);
        }
        let place = self.place(state, &elements, index)?;
        let (fresh, value) = self.element_input(state, original, input, place)?;
        let now = elements.at(place).unwrap_or(value);
        self.record(state, original, place, now, Some(fresh))?;
        Flow::Continue(value)
    }
}

#[cold]
fn out_of_bounds<T>(index: i32, length: i32) -> Flow<T> {
    let message = format!("Index {index} out of bounds for length {length}");
    raise("java/lang/ArrayIndexOutOfBoundsException", message)
}

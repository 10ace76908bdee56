//! Ranges of arrays that are copied or filled at once, be their ends known or not.
//!
//! No path is divided by how much is copied. An array whose elements are listed gets an ite for each
//! element that may be hit; any other gets a layer over all that was there, and what an element is
//! follows when it is read: what was copied if the index is within the range, what was there before
//! otherwise. References have no ites where policies decide them: there it is decided when an element is
//! read, and not before.
//!
//! Whether a range is within its array, and whether elements are of the right type, is the caller's to
//! check. Nothing here asks after it has changed something.

use crate::elements::{elements, elements_mut};
use crate::flow::{Flow, bug, malformed, unsupported};
use crate::machine::Machine;
use crate::state::State;
use dalang_classes::ValueType;
use dalang_heap::{Body, Copied, Elements, Layer, Origin, Reference, Value};
use dalang_term::TermId;
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// Longer arrays are not changed element by element where the range is not known.
const LISTED: usize = 64;
/// More layers are not put one upon the other: what an element is would take too long to find.
const DEEPEST: u32 = 256;

/// The rule of copies.
const RULE: &str = "lazy/array-copy";

/// One look at an element, through all layers.
struct Look {
    /// What stands for an element that is not there, which is never chosen.
    zero: Value,
    /// What was found: arrays that are copied to and fro share what is below them.
    found: FxHashMap<(usize, TermId), Value>,
}

/// A range of an array.
#[derive(Clone, Copy)]
pub struct Range {
    /// The array.
    pub array: Reference,
    /// The index at which it begins.
    pub start: Value,
}

fn zero(element: ValueType) -> Value {
    match element {
        ValueType::Primitive(primitive) => Value::zero(primitive.kind()),
        ValueType::Reference(_) => Value::NULL,
    }
}

impl<'p> Machine<'p> {
    /// Copies so many elements to a range, as if through a third array.
    ///
    /// Rule `lazy/array-copy`.
    pub fn copy_elements(
        &mut self,
        state: &mut State<'p>,
        source: Range,
        target: Range,
        count: Value,
    ) -> Flow {
        let content = snapshot(state, source.array);
        let from = self.term(source.start);
        if self.is_whole_copy(state, source, target, count) {
            self.apply_copy();
            return replace(state, target.array, &content);
        }
        self.overwrite(state, target, count, Copied::Part(content, from))
    }

    /// Stores a value everywhere in a range.
    pub fn fill_elements(
        &mut self,
        state: &mut State<'p>,
        target: Range,
        count: Value,
        value: Value,
    ) -> Flow {
        let element = self.element_type(state.heap.class(target.array));
        let value = match element {
            ValueType::Primitive(_) => self.fit(value, element),
            ValueType::Reference(_) => value,
        };
        self.overwrite(state, target, count, Copied::Value(value))
    }

    /// Whether an array that is no input becomes the beginning of another, so that nothing is left of
    /// what was there.
    fn is_whole_copy(
        &mut self,
        state: &State<'p>,
        source: Range,
        target: Range,
        count: Value,
    ) -> bool {
        let made = |array| elements(state, array).is_some_and(|array| array.input().is_none());
        let is_listed = elements(state, source.array).is_none();
        source.start == Value::Int(0)
            && target.start == Value::Int(0)
            && !is_listed
            && made(target.array)
            && count == self.array_length_value(state, target.array)
    }

    fn overwrite(
        &mut self,
        state: &mut State<'p>,
        target: Range,
        count: Value,
        copied: Copied,
    ) -> Flow {
        if count == Value::Int(0) {
            return Flow::Continue(());
        }
        let (start, many) = (self.term(target.start), self.term(count));
        let layer = Layer::new(start, many, copied, snapshot(state, target.array));
        if self.is_listed(state, target.array, &layer) {
            return self.overwrite_listed(state, target.array, &layer);
        }
        if layer.depth > DEEPEST {
            return unsupported(format!(
                "arrays that were copied into each other more than {DEEPEST} times"
            ));
        }
        self.cover(state, target.array, layer)
    }

    /// Counts that the rule was applied: nothing is asked from here on.
    fn apply_copy(&mut self) {
        self.unknowns.rules.apply(RULE);
    }

    /// Whether an array stays listed when a range of it is overwritten.
    fn is_listed(&self, state: &State<'p>, array: Reference, layer: &Layer) -> bool {
        let body = &state.heap.object(array).body;
        if matches!(body, Body::Elements(_)) {
            return false;
        }
        let is_constant = |term| self.pool.bits(term).is_some();
        let range = is_constant(layer.start) && is_constant(layer.count);
        if self.merges(self.element_type(state.heap.class(array))) {
            return range || body.len() <= LISTED;
        }
        range
            && match layer.copied {
                Copied::Part(_, from) => is_constant(from),
                Copied::Value(_) => true,
            }
    }

    /// Whether elements of a type can be ites. References are none where policies decide them.
    pub(crate) fn merges(&self, element: ValueType) -> bool {
        matches!(element, ValueType::Primitive(_)) || self.unknowns.policy.merges_references()
    }

    fn overwrite_listed(&mut self, state: &mut State<'p>, array: Reference, layer: &Layer) -> Flow {
        let element = self.element_type(state.heap.class(array));
        let (first, last) = match (self.pool.bits(layer.start), self.pool.bits(layer.count)) {
            (Some(start), Some(count)) => (start as usize, (start + count) as usize),
            _ => (0, state.heap.object(array).body.len()),
        };
        let mut values = Vec::with_capacity(last - first);
        for place in first..last {
            self.breathe_at(place)?;
            let index = self.pool.int(place as i32);
            values.push(self.beneath(state, layer, element, index)?);
        }
        let of_terms = values.iter().any(|value| matches!(value, Value::Term(_)));
        let _turn = self.claim_store(state, array, of_terms)?;
        self.apply_copy();
        for (place, value) in (first..).zip(values) {
            if !state.heap.set(array, place, value) {
                return malformed("a value is copied to an array of another type");
            }
        }
        Flow::Continue(())
    }

    /// Puts a layer over an array.
    fn cover(&mut self, state: &mut State<'p>, array: Reference, layer: Layer) -> Flow {
        self.apply_copy();
        let layer = Rc::new(layer);
        if let Some(elements) = elements_mut(state, array) {
            elements.cover(layer);
            return Flow::Continue(());
        }
        let length = self.pool.int(state.heap.object(array).body.len() as i32);
        let element = self.element_type(state.heap.class(array));
        let mut elements = Elements::new(Origin::Default(zero(element)), length, element);
        elements.cover(layer);
        state.heap.object_mut(array).body = Body::Elements(elements.into());
        Flow::Continue(())
    }

    /// The element at an index of an array, as far as layers tell.
    pub(crate) fn beneath(
        &mut self,
        state: &mut State<'p>,
        layer: &Layer,
        element: ValueType,
        index: TermId,
    ) -> Flow<Value> {
        if self.merges(element) {
            let mut look = Look { zero: zero(element), found: FxHashMap::default() };
            return self.layered(state, layer, index, &mut look);
        }
        self.layered_reference(state, layer, index)
    }

    /// Whether an index is within the range of a layer, and the index that it was copied from.
    fn window(&mut self, layer: &Layer, index: TermId) -> (TermId, TermId) {
        let offset = self.pool.sub(index, layer.start);
        // What is before the range is too large without a sign: a range has less elements than that.
        let inside = self.pool.ult(offset, layer.count);
        let from = match layer.copied {
            Copied::Part(_, from) => self.pool.add(offset, from),
            Copied::Value(_) => offset,
        };
        (inside, from)
    }

    fn layered(
        &mut self,
        state: &mut State<'p>,
        layer: &Layer,
        index: TermId,
        look: &mut Look,
    ) -> Flow<Value> {
        self.breathe()?;
        let (inside, from) = self.window(layer, index);
        let known =
            self.pool.bits(inside).map(|bits| bits == 1).or_else(|| self.is_settled(inside));
        if known == Some(false) {
            return self.held(state, &layer.below, index, look);
        }
        let initialized = state.knowledge.initialized;
        let new = match &layer.copied {
            Copied::Part(source, _) => self.held(state, source, from, look)?,
            Copied::Value(value) => *value,
        };
        if known == Some(true) {
            return Flow::Continue(new);
        }
        let old = self.held(state, &layer.below, index, look)?;
        // The element may be none of the input: a loop that reads on and on would never be counted.
        state.knowledge.initialized = initialized;
        Flow::Continue(self.either(inside, new, old))
    }

    /// What an array held at an index, if it is one of its.
    fn held(
        &mut self,
        state: &mut State<'p>,
        content: &Body,
        index: TermId,
        look: &mut Look,
    ) -> Flow<Value> {
        let Body::Elements(elements) = content else {
            return self.listed_at(state, content, index, look.zero);
        };
        if let Some(value) = elements.at(index) {
            return Flow::Continue(value);
        }
        let key = (Rc::as_ptr(elements).addr(), index);
        if let Some(&found) = look.found.get(&key) {
            return Flow::Continue(found);
        }
        let first = match (&elements.layer, elements.origin) {
            (Some(layer), _) => self.layered(state, layer, index, look)?,
            (None, Origin::Default(zero)) => zero,
            (None, Origin::Copy(original)) => self.initial_primitive(state, original, index)?,
            (None, Origin::Input(_)) => return bug("a layer lies on an input and not on a copy"),
        };
        let value = self.among(&elements.known, index, first);
        look.found.insert(key, value);
        Flow::Continue(value)
    }

    fn listed_at(
        &mut self,
        state: &State<'p>,
        content: &Body,
        index: TermId,
        zero: Value,
    ) -> Flow<Value> {
        match self.pool.bits(index) {
            Some(index) => Flow::Continue(content.get(index as usize).unwrap_or(zero)),
            None if content.is_empty() => Flow::Continue(zero),
            None => self.select_merged(state, content, index),
        }
    }

    /// The reference at an index, where policies decide which it is.
    pub(crate) fn layered_reference(
        &mut self,
        state: &mut State<'p>,
        layer: &Layer,
        index: TermId,
    ) -> Flow<Value> {
        let (inside, from) = self.window(layer, index);
        if !self.decide(state, inside)? {
            return self.held_reference(state, &layer.below, index);
        }
        match &layer.copied {
            Copied::Part(source, _) => self.held_reference(state, source, from),
            Copied::Value(value) => Flow::Continue(*value),
        }
    }

    fn held_reference(
        &mut self,
        state: &mut State<'p>,
        content: &Body,
        index: TermId,
    ) -> Flow<Value> {
        let Body::Elements(elements) = content else {
            return match self.pool.bits(index) {
                Some(index) => match content.get(index as usize) {
                    Some(value) => Flow::Continue(value),
                    None => bug("an element was copied from behind an array"),
                },
                None => self.select_decided(state, content, index),
            };
        };
        let place = self.place(state, elements, index)?;
        if let Some(value) = elements.at(place) {
            return Flow::Continue(value);
        }
        match (&elements.layer, elements.origin) {
            (Some(layer), _) => self.layered_reference(state, layer, place),
            (None, Origin::Default(zero)) => Flow::Continue(zero),
            (None, Origin::Copy(original)) => self.initial_reference(state, original, place),
            (None, Origin::Input(_)) => bug("a layer lies on an input and not on a copy"),
        }
    }
}

/// What an array holds, whatever becomes of it.
fn snapshot(state: &State<'_>, array: Reference) -> Body {
    match &state.heap.object(array).body {
        Body::Elements(elements) => Body::Elements(elements.copied(array).into()),
        body => body.clone(),
    }
}

/// Gives an array that is no input what another held.
fn replace(state: &mut State<'_>, array: Reference, content: &Body) -> Flow {
    let (Body::Elements(content), Some(own)) = (content, elements_mut(state, array)) else {
        return bug("an array has lost its elements");
    };
    let text = content.text.clone().filter(|_| content.length == own.length);
    own.origin = content.origin;
    own.layer.clone_from(&content.layer);
    own.known.clone_from(&content.known);
    own.same.clone_from(&content.same);
    own.text = text;
    Flow::Continue(())
}

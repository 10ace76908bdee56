//! New arrays whose length is symbolic.
//!
//! The array is represented as an input array is, by the indexes that were accessed; everything else
//! in it is zero or null. Of an array of arrays, every length but the last is decided, because each
//! array that it holds is an object of its own.

use crate::elements::cut;
use crate::flow::{Flow, raise, unsupported};
use crate::machine::Machine;
use crate::state::State;
use dalang_classes::{ClassId, ValueType};
use dalang_heap::{Body, Bound, Elements, Origin, Reference, Value};
use dalang_term::TermId;

/// A length that no bound limits is not decided by trying one after the other.
const MOST: usize = 4096;

/// The rule that ends a path where a length is beyond the bound.
const RULE: &str = "lazy/new-array";

impl<'p> Machine<'p> {
    /// Throws a `NegativeArraySizeException` unless a length can be one; ends the path if it is
    /// beyond the bound on arrays.
    pub fn check_symbolic_length(&mut self, state: &mut State<'p>, length: TermId) -> Flow {
        let zero = self.pool.int(0);
        let negative = self.pool.slt(length, zero);
        if self.decide(state, negative)? {
            return raise("java/lang/NegativeArraySizeException", self.shown(length));
        }
        let Some(most) = self.unknowns.bounds.array else { return Flow::Continue(()) };
        let most = self.pool.int(most.min(i32::MAX as u32) as i32);
        let within = self.pool.sle(length, most);
        if self.decide(state, within)? {
            return Flow::Continue(());
        }
        cut(RULE, Bound::Array)
    }

    /// A new array of a length that was checked.
    pub fn allocate_symbolic(
        &mut self,
        state: &mut State<'p>,
        class: ClassId,
        length: TermId,
    ) -> Reference {
        let element = self.element_type(class);
        let zero = match element {
            ValueType::Primitive(primitive) => Value::zero(primitive.kind()),
            ValueType::Reference(_) => Value::NULL,
        };
        let elements = Elements::new(Origin::Default(zero), length, element);
        state.heap.allocate(class, Body::Elements(elements.into()))
    }

    /// A new array.
    pub fn new_array_value(
        &mut self,
        state: &mut State<'p>,
        class: ClassId,
        length: Value,
    ) -> Flow<Reference> {
        if let Value::Term(length) = length {
            self.check_symbolic_length(state, length)?;
            return Flow::Continue(self.allocate_symbolic(state, class, length));
        }
        let length = self.concrete_int(length)?;
        let length = self.check_length(length)?;
        self.allocate_array(state, class, length)
    }

    /// Decides how long an array is.
    pub fn decided_length(&mut self, state: &mut State<'p>, length: Value) -> Flow<usize> {
        let Value::Term(length) = length else {
            return self.concrete_int(length).map_continue(|length| length.max(0) as usize);
        };
        let most = match self.unknowns.bounds.array {
            Some(most) if (most as usize) < MOST => most as usize,
            _ => return unsupported("deciding a length that is not bounded (--array)"),
        };
        self.pinned(state, length, most + 1)
    }
}

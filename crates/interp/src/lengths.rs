//! New arrays whose length is symbolic.
//!
//! The array is represented as an input array is, by the indexes that were accessed; everything else
//! in it is zero or null. Of an array of arrays, every length but the last is decided, because each
//! array that it holds is an object of its own.
//!
//! How long an array that the program makes is, no bound says: those are on inputs. Where the lengths
//! of inputs limit it, the array is as long as they allow; else it is followed up to
//! [`Bounds::made`](dalang_heap::Bounds::made) elements, and what is longer is a stop of its own.

use crate::decimals::raise_text;
use crate::elements::cut;
use crate::flow::{Flow, malformed, unsupported};
use crate::machine::Machine;
use crate::state::State;
use dalang_classes::{ClassId, Shape, ValueType};
use dalang_heap::{Body, Bound, Elements, Origin, Reference, Value};
use dalang_term::TermId;

/// A length that no bound limits is not decided by trying one after the other.
const MOST: usize = 4096;

/// The rule that ends a path where a made array is longer than what is followed.
const RULE: &str = "lazy/new-array";

impl<'p> Machine<'p> {
    /// Throws a `NegativeArraySizeException` unless a length can be one; ends the path if it is
    /// longer than what is followed.
    pub fn check_symbolic_length(&mut self, state: &mut State<'p>, length: TermId) -> Flow {
        let zero = self.pool.int(0);
        let negative = self.pool.slt(length, zero);
        if self.decide(state, negative)? {
            let message = self.decimal(length);
            return raise_text("java/lang/NegativeArraySizeException", message);
        }
        if self.limit(length).is_some() {
            return Flow::Continue(());
        }
        let Some(most) = self.unknowns.bounds.made else { return Flow::Continue(()) };
        let most = self.pool.int(most as i32);
        let within = self.pool.sle(length, most);
        if self.decide(state, within)? {
            return Flow::Continue(());
        }
        cut(RULE, Bound::Allocation)
    }

    /// The longest that an array of this length can be, if the lengths of inputs say so.
    fn limit(&self, length: TermId) -> Option<u32> {
        let (_, most) = self.range(length)?;
        (most <= MOST as i64).then_some(most.max(0) as u32)
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
        let mut elements = Elements::new(Origin::Default(zero), length, element);
        elements.longest = self.limit(length).or(self.unknowns.bounds.made);
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

    /// An array of arrays, down to the last length that is given.
    pub fn nested_values(
        &mut self,
        state: &mut State<'p>,
        class: ClassId,
        lengths: &[Value],
    ) -> Flow<Reference> {
        for &length in lengths {
            if let Value::Term(length) = length {
                self.check_symbolic_length(state, length)?;
            } else {
                let length = self.concrete_int(length)?;
                self.check_length(length)?;
            }
        }
        let Some((&last, outer)) = lengths.split_last() else {
            return malformed("an array of arrays has no length");
        };
        let mut sizes = Vec::with_capacity(lengths.len());
        for &length in outer {
            sizes.push(self.decided_length(state, length)?);
        }
        let Value::Term(last) = last else {
            sizes.push(self.decided_length(state, last)?);
            return self.nested_array(state, class, &sizes);
        };
        self.admit_nested(state, class, &sizes)?;
        if sizes.is_empty() {
            return Flow::Continue(self.allocate_symbolic(state, class, last));
        }
        self.nest_symbolic(state, class, &sizes, last)
    }

    fn nest_symbolic(
        &mut self,
        state: &mut State<'p>,
        class: ClassId,
        sizes: &[usize],
        last: TermId,
    ) -> Flow<Reference> {
        let Some((&length, rest)) = sizes.split_first() else {
            return Flow::Continue(self.allocate_symbolic(state, class, last));
        };
        let Shape::Array { component, .. } = self.program.class(class).shape else {
            return malformed("an array has more dimensions than its class");
        };
        let array = self.allocate_array(state, class, length)?;
        let mut elements = Vec::with_capacity(length);
        for _ in 0..length {
            self.breathe()?;
            elements.push(self.nest_symbolic(state, component, rest, last)?);
        }
        state.heap.object_mut(array).body = Body::References(elements.into());
        Flow::Continue(array)
    }

    /// Decides how long a new array is.
    fn decided_length(&mut self, state: &mut State<'p>, length: Value) -> Flow<usize> {
        let Value::Term(length) = length else {
            return self.concrete_int(length).map_continue(|length| length.max(0) as usize);
        };
        match self.limit(length).or(self.unknowns.bounds.made) {
            Some(most) => self.pinned(state, length, most as usize + 1),
            None => unsupported("deciding a length that nothing limits"),
        }
    }

    /// The longest that an array can be.
    pub fn longest(&self, state: &State<'p>, array: Reference) -> Flow<usize> {
        let longest = match &state.heap.object(array).body {
            Body::Elements(elements) => match self.pool.bits(elements.length) {
                Some(length) => length as usize,
                None => elements.longest.map_or(usize::MAX, |longest| longest as usize),
            },
            body => body.len(),
        };
        if longest > MOST {
            return unsupported(format!(
                "a symbolic part of an array of more than {MOST} elements"
            ));
        }
        Flow::Continue(longest)
    }

    /// All elements of an array, for what cannot go on without knowing how many there are: the
    /// length is decided.
    pub fn listed(&mut self, state: &mut State<'p>, array: Reference) -> Flow<Vec<Value>> {
        let body = &state.heap.object(array).body;
        let Body::Elements(elements) = body else {
            let all = (0..body.len()).filter_map(|index| body.get(index));
            return Flow::Continue(all.map(|value| self.known_value(state, value)).collect());
        };
        let length = elements.length;
        let longest = self.longest(state, array)?;
        let length = self.pinned(state, length, longest + 1)?;
        let mut all = Vec::with_capacity(length);
        for index in 0..length {
            let value = self.peek_element(state, array, Value::Int(index as i32))?;
            all.push(self.known_value(state, value));
        }
        Flow::Continue(all)
    }
}

//! New arrays whose length is symbolic.
//!
//! The array is represented as an input array is, by the indexes that were accessed; everything else
//! in it is zero or null. Of an array of arrays, every length but the last is decided, because each
//! array that it holds is an object of its own.
//!
//! How long an array that the program makes is, no bound says: those are on inputs. It is of any length
//! that Java's heap takes; a longer one is an `OutOfMemoryError`, as it is for a constant length. Whoever
//! cannot go on without all elements follows it as far as the lengths of inputs allow, or up to
//! [`Bounds::made`](dalang_heap::Bounds::made) elements, and what is longer is a stop of its own.

use crate::collect::HEAP_SPACE;
use crate::decimals::raise_text;
use crate::elements::cut;
use crate::flow::{Flow, malformed, unsupported};
use crate::lookup::{LONGEST, VM_LIMIT, element_bytes};
use crate::machine::Machine;
use crate::state::State;
use dalang_classes::{ClassId, Shape, ValueType};
use dalang_heap::{Body, Bound, Elements, Origin, Reference, Text, Value};
use dalang_term::TermId;

/// A length that no bound limits is not decided by trying one after the other.
const MOST: usize = 4096;

/// The rule that ends a path where a made array is longer than what is followed.
const RULE: &str = "lazy/new-array";

impl<'p> Machine<'p> {
    /// Throws a `NegativeArraySizeException` unless a length can be one.
    fn check_symbolic_length(&mut self, state: &mut State<'p>, length: TermId) -> Flow {
        let zero = self.pool.int(0);
        let negative = self.pool.slt(length, zero);
        if self.decide(state, negative)? {
            let message = self.decimal(length);
            return raise_text("java/lang/NegativeArraySizeException", message);
        }
        Flow::Continue(())
    }

    /// How long so many arrays of a class can be for Java's heap to hold them, if it is an array class.
    pub(crate) fn room(&self, class: ClassId, arrays: u64) -> Option<u32> {
        if !self.program.class(class).is_array() {
            return None;
        }
        let element = match self.element_type(class) {
            ValueType::Primitive(primitive) => element_bytes(Some(primitive)),
            ValueType::Reference(_) => element_bytes(None),
        };
        let room = (self.settings.heap / arrays.max(1)).saturating_sub(16) / element;
        Some(room.min(LONGEST as u64) as u32)
    }

    /// Whether a new array of a class can have a length: it is not negative, and Java's heap takes it.
    pub fn is_length(
        &mut self,
        state: &mut State<'p>,
        class: ClassId,
        length: Value,
    ) -> Flow<bool> {
        let Some(most) = self.room(class, 1) else { return Flow::Continue(false) };
        let length = self.term(length);
        let [zero, most] = [0, most as i32].map(|bound| self.pool.int(bound));
        let (some, few) = (self.pool.sge(length, zero), self.pool.sle(length, most));
        let fits = self.pool.and(some, few);
        self.decide(state, fits)
    }

    /// Throws an `OutOfMemoryError` if so many arrays of a length are more than Java's heap holds. Each is
    /// looked at by itself, whatever else the program holds.
    fn admit_symbolic(
        &mut self,
        state: &mut State<'p>,
        class: ClassId,
        arrays: u64,
        length: TermId,
    ) -> Flow {
        let Some(most) = self.room(class, arrays) else {
            return malformed("an array of a class that is no array class");
        };
        if self.range_in_heap(length).is_some_and(|(_, longest)| longest <= i64::from(most)) {
            return Flow::Continue(());
        }
        let bound = self.pool.int(most as i32);
        let fits = self.pool.sle(length, bound);
        if self.decide(state, fits)? {
            return Flow::Continue(());
        }
        self.note_heap_size(state);
        let longest = self.pool.int(LONGEST);
        let beyond = self.pool.sgt(length, longest);
        let [limit, space] = [VM_LIMIT, HEAP_SPACE]
            .map(|message| message.encode_utf16().collect::<Vec<_>>())
            .map(|units| self.constant_text(&units));
        let message = Text::either(&mut self.pool, beyond, &limit, &space);
        raise_text("java/lang/OutOfMemoryError", message)
    }

    /// The longest that an array of this length can be, if the lengths of inputs say so.
    fn limit(&self, length: TermId) -> Option<u32> {
        let (_, most) = self.range(length)?;
        (most <= MOST as i64).then_some(most.max(0) as u32)
    }

    /// A new array of a length that was checked.
    fn allocate_symbolic(
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
        elements.longest = self.limit(length);
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
            self.admit_symbolic(state, class, 1, length)?;
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
        let arrays = sizes.iter().fold(1, |all: u64, &size| all.saturating_mul(size as u64));
        if arrays > 0 {
            let innermost = self.nested_class(class, sizes.len());
            self.admit_symbolic(state, innermost, arrays, last)?;
        }
        self.nest_symbolic(state, class, &sizes, last)
    }

    /// The class of the arrays that are so deep inside an array of arrays.
    fn nested_class(&self, class: ClassId, depth: usize) -> ClassId {
        (0..depth).fold(class, |class, _| match self.program.class(class).shape {
            Shape::Array { component, .. } => component,
            _ => class,
        })
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
        let most = match self.limit(length) {
            Some(most) => most as usize,
            None => self.followed(state, length)?,
        };
        self.pinned(state, length, most + 1)
    }

    /// How far an array is followed whose length nothing limits, where all elements are needed; ends the
    /// path if it is longer.
    fn followed(&mut self, state: &mut State<'p>, length: TermId) -> Flow<usize> {
        let Some(made) = self.unknowns.bounds.made else {
            return unsupported("all elements of an array whose length nothing limits");
        };
        let most = self.pool.int(made as i32);
        let within = self.pool.sle(length, most);
        if self.decide(state, within)? {
            return Flow::Continue(made as usize);
        }
        cut(RULE, Bound::Allocation)
    }

    /// The longest that an array can be, for what looks at all its elements.
    pub fn longest(&mut self, state: &mut State<'p>, array: Reference) -> Flow<usize> {
        let longest = match &state.heap.object(array).body {
            Body::Elements(elements) => match (self.pool.bits(elements.length), elements.longest) {
                (Some(length), _) => length as usize,
                (None, Some(longest)) => longest as usize,
                (None, None) => {
                    let length = elements.length;
                    self.followed(state, length)?
                }
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

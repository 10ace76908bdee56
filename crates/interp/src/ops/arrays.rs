//! Arrays: elements, lengths, bounds and store checks.

use crate::flow::{Flow, linked, malformed, raise};
use crate::machine::Machine;
use crate::state::State;
use dalang_classes::code::ElementKind;
use dalang_classes::{ClassId, ClassRefId, Primitive, Shape};
use dalang_heap::{Body, Reference, Value};

impl<'p> Machine<'p> {
    /// Rule `jvms/iaload` and its kin - JVMS 6.5.
    #[inline]
    pub(crate) fn array_load(&mut self, state: &mut State<'p>, _: ElementKind) -> Flow {
        let array = self.located(state, state.peek(1))?;
        let index = self.concrete_int(state.peek(0))?;
        let body = &state.heap.object(array).body;
        if !body.is_array() {
            return malformed("an element is loaded of something that is no array");
        }
        match body.get(index as usize) {
            Some(value) => {
                state.replace(2, value);
                Flow::Continue(())
            }
            None => out_of_bounds(index, body.len()),
        }
    }

    /// Rule `jvms/iastore` and its kin - JVMS 6.5.
    #[inline]
    pub(crate) fn array_store(&mut self, state: &mut State<'p>, kind: ElementKind) -> Flow {
        let array = self.located(state, state.peek(2))?;
        let index = self.concrete_int(state.peek(1))?;
        let value = state.peek(0);
        let object = state.heap.object(array);
        if !object.body.is_array() {
            return malformed("an element is stored in something that is no array");
        }
        if index as usize >= object.body.len() {
            return out_of_bounds(index, object.body.len());
        }
        let value = match kind {
            ElementKind::Reference => {
                self.check_store(state, object.class, value)?;
                value
            }
            ElementKind::ByteOrBoolean => match self.program.class(object.class).shape {
                Shape::Array { component, .. }
                    if component == self.program.primitive(Some(Primitive::Boolean)) =>
                {
                    self.fit(value, dalang_classes::ValueType::Primitive(Primitive::Boolean))
                }
                _ => self.fit(value, dalang_classes::ValueType::Primitive(Primitive::Byte)),
            },
            ElementKind::Char => {
                self.fit(value, dalang_classes::ValueType::Primitive(Primitive::Char))
            }
            ElementKind::Short => {
                self.fit(value, dalang_classes::ValueType::Primitive(Primitive::Short))
            }
            _ => value,
        };
        if !state.heap.set(array, index as usize, value) {
            return malformed("a value is stored in an array of another type");
        }
        state.drop(3);
        Flow::Continue(())
    }

    /// Throws an `ArrayStoreException` if an array of this class cannot hold a reference.
    pub(crate) fn check_store(&mut self, state: &State<'p>, array: ClassId, value: Value) -> Flow {
        if value == Value::NULL {
            return Flow::Continue(());
        }
        let Shape::Array { component, .. } = self.program.class(array).shape else {
            return malformed("a reference is stored in something that is no array");
        };
        if component == self.known.object {
            return Flow::Continue(());
        }
        let class = match self.symbolic_cast(state, value, component)? {
            Some(true) => return Flow::Continue(()),
            Some(false) => self.likely_class(state, value),
            None => match self.known_value(state, value) {
                null if null == Value::NULL => return Flow::Continue(()),
                value => {
                    let object = self.located(state, value)?;
                    state.heap.class(object)
                }
            },
        };
        if self.program.is_subtype(class, component) {
            return Flow::Continue(());
        }
        raise("java/lang/ArrayStoreException", self.program.java_name(class))
    }

    /// Rule `jvms/arraylength` - JVMS 6.5.
    #[inline]
    pub(crate) fn array_length(&mut self, state: &mut State<'p>) -> Flow {
        let array = self.located(state, state.peek(0))?;
        let body = &state.heap.object(array).body;
        if !body.is_array() {
            return malformed("the length is taken of something that is no array");
        }
        let length = Value::Int(body.len() as i32);
        state.replace(1, length);
        Flow::Continue(())
    }

    /// Rule `jvms/newarray` - JVMS 6.5.
    pub(crate) fn new_array(&mut self, state: &mut State<'p>, element: Primitive) -> Flow {
        let class = linked(self.program.primitive_array(element))?;
        self.new_array_of(state, class)
    }

    /// Rule `jvms/anewarray` - JVMS 6.5.
    pub(crate) fn new_reference_array(&mut self, state: &mut State<'p>, of: ClassRefId) -> Flow {
        let component = self.resolve(state, of)?;
        let class = linked(self.program.array_of(component))?;
        self.new_array_of(state, class)
    }

    fn new_array_of(&mut self, state: &mut State<'p>, class: ClassId) -> Flow {
        let length = self.concrete_int(state.peek(0))?;
        let length = self.check_length(length)?;
        let array = self.allocate_array(state, class, length)?;
        state.replace(1, Value::Reference(array));
        Flow::Continue(())
    }

    /// Rule `jvms/multianewarray` - JVMS 6.5.
    pub(crate) fn new_multi_array(
        &mut self,
        state: &mut State<'p>,
        class: ClassRefId,
        dimensions: u8,
    ) -> Flow {
        let class = self.resolve(state, class)?;
        let count = usize::from(dimensions);
        let mut lengths = Vec::with_capacity(count);
        for dimension in 0..count {
            let length = self.concrete_int(state.peek(count - 1 - dimension))?;
            lengths.push(self.check_length(length)?);
        }
        let array = self.nested_array(state, class, &lengths)?;
        state.replace(count, Value::Reference(array));
        Flow::Continue(())
    }

    /// An array of arrays, down to the last length that is given.
    pub fn nested_array(
        &mut self,
        state: &mut State<'p>,
        class: ClassId,
        lengths: &[usize],
    ) -> Flow<Reference> {
        self.admit_nested(state, class, lengths)?;
        self.nest(state, class, lengths)
    }

    fn nest(
        &mut self,
        state: &mut State<'p>,
        class: ClassId,
        lengths: &[usize],
    ) -> Flow<Reference> {
        let Some((&length, rest)) = lengths.split_first() else {
            return Flow::Continue(Reference::NULL);
        };
        let array = self.allocate_array(state, class, length)?;
        if rest.is_empty() {
            return Flow::Continue(array);
        }
        let Shape::Array { component, .. } = self.program.class(class).shape else {
            return malformed("an array has more dimensions than its class");
        };
        let mut elements = Vec::with_capacity(length);
        for _ in 0..length {
            elements.push(self.nest(state, component, rest)?);
        }
        state.heap.object_mut(array).body = Body::References(elements.into());
        Flow::Continue(array)
    }
}

#[cold]
fn out_of_bounds<T>(index: i32, length: usize) -> Flow<T> {
    let message = format!("Index {index} out of bounds for length {length}");
    raise("java/lang/ArrayIndexOutOfBoundsException", message)
}

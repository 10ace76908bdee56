//! Arrays: elements, lengths, bounds and store checks.

use crate::flow::{Flow, linked, malformed};
use crate::machine::Machine;
use crate::state::State;
use dalang_classes::code::ElementKind;
use dalang_classes::{ClassId, ClassRefId, Primitive, Shape, ValueType};
use dalang_heap::{Body, Reference, Value};

impl<'p> Machine<'p> {
    /// Rule `jvms/iaload` and its kin - JVMS 6.5.
    #[inline]
    pub(crate) fn array_load(&mut self, state: &mut State<'p>, kind: ElementKind) -> Flow {
        if self.is_guarded(state, state.peek(1)) {
            let value = self.guarded_load(state, state.peek(1), state.peek(0), kind)?;
            state.replace(2, value);
            return Flow::Continue(());
        }
        let array = self.located(state, state.peek(1))?;
        let index = state.peek(0);
        if !state.heap.object(array).body.is_array() {
            return malformed("an element is loaded of something that is no array");
        }
        self.check_index(state, array, index)?;
        let value = self.load_element(state, array, index)?;
        state.replace(2, value);
        Flow::Continue(())
    }

    /// Rule `jvms/iastore` and its kin - JVMS 6.5.
    #[inline]
    pub(crate) fn array_store(&mut self, state: &mut State<'p>, kind: ElementKind) -> Flow {
        let (index, value) = (state.peek(1), state.peek(0));
        if self.is_guarded(state, state.peek(2)) {
            let fitted = |machine: &mut Self, class| machine.fitted(value, kind, class);
            self.guarded_store(state, state.peek(2), index, kind, fitted)?;
            state.drop(3);
            return Flow::Continue(());
        }
        let array = self.located(state, state.peek(2))?;
        let object = state.heap.object(array);
        let class = object.class;
        if !object.body.is_array() {
            return malformed("an element is stored in something that is no array");
        }
        self.check_index(state, array, index)?;
        if matches!(kind, ElementKind::Reference) {
            self.check_store(state, array, value)?;
        }
        let value = self.fitted(value, kind, class);
        self.store_element(state, array, index, value)?;
        state.drop(3);
        Flow::Continue(())
    }

    /// What is left of a value in an array of this class.
    fn fitted(&mut self, value: Value, kind: ElementKind, class: ClassId) -> Value {
        let primitive = match kind {
            ElementKind::ByteOrBoolean if self.boolean_array == Some(class) => Primitive::Boolean,
            ElementKind::ByteOrBoolean => Primitive::Byte,
            ElementKind::Char => Primitive::Char,
            ElementKind::Short => Primitive::Short,
            _ => return value,
        };
        self.fit(value, ValueType::Primitive(primitive))
    }

    /// Rule `jvms/arraylength` - JVMS 6.5.
    #[inline]
    pub(crate) fn array_length(&mut self, state: &mut State<'p>) -> Flow {
        if self.is_guarded(state, state.peek(0)) {
            let length = self.guarded_length(state, state.peek(0))?;
            state.replace(1, length);
            return Flow::Continue(());
        }
        let array = self.located(state, state.peek(0))?;
        if !state.heap.object(array).body.is_array() {
            return malformed("the length is taken of something that is no array");
        }
        let length = self.array_length_value(state, array);
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
        let array = self.new_array_value(state, class, state.peek(0))?;
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
        let lengths: Vec<Value> = (0..count).map(|d| state.peek(count - 1 - d)).collect();
        let array = self.nested_values(state, class, &lengths)?;
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
            self.breathe()?;
            elements.push(self.nest(state, component, rest)?);
        }
        state.heap.object_mut(array).body = Body::References(elements.into());
        Flow::Continue(array)
    }
}

//! Classes, methods and fields by name, for intrinsics; and memory for new objects.

use crate::alarm::Turn;
use crate::flow::{Flow, bug, linked, raise};
use crate::known::slot;
use crate::machine::Machine;
use crate::state::State;
use dalang_classes::{ClassId, FieldId, MethodId, Primitive, Shape};
use dalang_heap::{Body, Named, Reference, Value};

impl<'p> Machine<'p> {
    /// A class by its internal name; throws what linking it leads to.
    pub fn class(&self, name: &str) -> Flow<ClassId> {
        linked(self.program.load(name))
    }

    /// A method of a class or of one above it, by name and descriptor.
    pub fn method(&self, class: ClassId, name: &str, descriptor: &str) -> Flow<MethodId> {
        let names = self.program.names();
        let found = self.program.find_method(class, names.intern(name), names.intern(descriptor));
        let found = found.or_else(|| {
            let (name, descriptor) = (names.intern(name), names.intern(descriptor));
            self.program.find_interface_method(class, name, descriptor)
        });
        match found {
            Some(method) => Flow::Continue(method),
            None => bug(format!(
                "{}.{name}{descriptor} is not in this library",
                self.program.class_spelling(class)
            )),
        }
    }

    /// The slot of an instance field by name, if the class has it. Libraries differ in fields.
    pub fn slot(&self, class: ClassId, field: &str) -> Option<usize> {
        slot(self.program, class, field)
    }

    /// An instance field by name; an input reference is what it is known to be.
    pub fn field(&self, state: &State<'p>, object: Reference, name: &str) -> Flow<Value> {
        let class = state.heap.class(object);
        match self.slot(class, name).and_then(|slot| state.heap.get(object, slot)) {
            Some(value) => Flow::Continue(self.known_value(state, value)),
            None => self.no_field(class, name),
        }
    }

    /// Sets an instance field by name.
    pub fn set_field(
        &mut self,
        state: &mut State<'p>,
        object: Reference,
        name: &str,
        value: impl Into<Value>,
    ) -> Flow {
        let class = state.heap.class(object);
        match self.slot(class, name) {
            Some(slot) if self.store_slot(state, object, slot, value.into()) => Flow::Continue(()),
            _ => self.no_field(class, name),
        }
    }

    fn no_field<T>(&self, class: ClassId, name: &str) -> Flow<T> {
        bug(format!("{} has no field {name} in this library", self.program.class_spelling(class)))
    }

    /// A static field that the class declares, by name.
    pub fn static_field(&self, class: ClassId, name: &str) -> Flow<FieldId> {
        let fields = &self.program.class(class).static_fields;
        let wanted = self.program.names().find(name);
        let found = fields.iter().find(|&&field| Some(self.program.field(field).name) == wanted);
        match found {
            Some(&field) => Flow::Continue(field),
            None => self.no_field(class, name),
        }
    }

    /// The value of a static field.
    pub fn get_static(&mut self, state: &mut State<'p>, field: FieldId) -> Flow<Value> {
        let slot = self.program.field(field).slot as usize;
        let statics = self.statics(state, self.program.field(field).class);
        match state.heap.get(statics, slot) {
            Some(value) => self.read(state, value),
            None => bug("a static field has no place"),
        }
    }

    /// Sets a static field.
    pub fn set_static(&mut self, state: &mut State<'p>, field: FieldId, value: Value) -> Flow {
        let declared = self.program.field(field);
        let statics = self.statics(state, declared.class);
        if state.heap.set(statics, declared.slot as usize, value.narrowed(declared.value)) {
            return Flow::Continue(());
        }
        bug("a static field has no place")
    }

    /// A new object of a class, its fields zero, with room for some values that Java does not see.
    pub fn allocate(
        &self,
        state: &mut State<'p>,
        class: ClassId,
        hidden: usize,
    ) -> Flow<Reference> {
        let (_turn, body) = self.zeroed(state, class, hidden)?;
        Flow::Continue(state.heap.allocate(class, body))
    }

    /// The same of an object that has a place of its own in all states.
    pub(crate) fn allocate_as(
        &self,
        state: &mut State<'p>,
        name: Named,
        class: ClassId,
        hidden: usize,
    ) -> Flow<Reference> {
        let (_turn, body) = self.zeroed(state, class, hidden)?;
        Flow::Continue(state.heap.allocate_as(name, class, body))
    }

    /// What a new object holds, and the leave to make it.
    fn zeroed(&self, state: &mut State<'p>, class: ClassId, hidden: usize) -> Flow<(Turn, Body)> {
        let fields = &self.program.class(class).instance_fields;
        let zero = |&field: &FieldId| Value::zero(self.program.field(field).value.kind());
        let fields: std::rc::Rc<[Value]> = if hidden == 0 {
            fields.iter().map(zero).collect()
        } else {
            let hidden = std::iter::repeat_n(Value::NULL, hidden);
            fields.iter().map(zero).chain(hidden).collect()
        };
        let turn = self.admit(state, 16 + 8 * fields.len() as u64)?;
        Flow::Continue((turn, Body::Fields(fields)))
    }

    /// A new array of an array class.
    pub fn allocate_array(
        &self,
        state: &mut State<'p>,
        class: ClassId,
        length: usize,
    ) -> Flow<Reference> {
        let Shape::Array { component, .. } = self.program.class(class).shape else {
            return bug("an array of a class that is no array class");
        };
        let primitive = match self.program.class(component).shape {
            Shape::Primitive(primitive) => primitive,
            _ => None,
        };
        if length > LONGEST as usize {
            return raise("java/lang/OutOfMemoryError", VM_LIMIT);
        }
        let _turn = self.admit(state, 16 + element_bytes(primitive) * length as u64)?;
        let body = match primitive {
            Some(primitive) => self.zeros.of(primitive, length),
            None => Body::nulls(length),
        };
        Flow::Continue(state.heap.allocate(class, body))
    }

    /// A new array of references, by the class of its elements.
    pub fn allocate_references(
        &self,
        state: &mut State<'p>,
        component: ClassId,
        elements: &[Reference],
    ) -> Flow<Reference> {
        let class = linked(self.program.array_of(component))?;
        let array = self.allocate_array(state, class, elements.len())?;
        state.heap.object_mut(array).body = Body::References(elements.into());
        Flow::Continue(array)
    }

    /// Throws an `OutOfMemoryError` if an array of arrays is too large: it must not be made in part
    /// first, since that would look like garbage.
    pub(crate) fn admit_nested(
        &self,
        state: &mut State<'p>,
        class: ClassId,
        lengths: &[usize],
    ) -> Flow {
        let (mut class, mut arrays, mut bytes) = (class, 1_u64, 0_u64);
        for &length in lengths {
            let Shape::Array { component, .. } = self.program.class(class).shape else { break };
            let primitive = match self.program.class(component).shape {
                Shape::Primitive(primitive) => primitive,
                _ => None,
            };
            let one = 16 + element_bytes(primitive) * length as u64;
            bytes = bytes.saturating_add(arrays.saturating_mul(one));
            (class, arrays) = (component, arrays.saturating_mul(length as u64));
        }
        // Each array asks again when it is made.
        drop(self.admit(state, bytes)?);
        Flow::Continue(())
    }
}

/// The longest that HotSpot makes an array, and what it says of longer ones.
pub(crate) const LONGEST: i32 = i32::MAX - 2;
pub(crate) const VM_LIMIT: &str = "Requested array size exceeds VM limit";

/// How many bytes Java needs for an element.
pub(crate) const fn element_bytes(primitive: Option<Primitive>) -> u64 {
    match primitive {
        Some(Primitive::Boolean | Primitive::Byte) => 1,
        Some(Primitive::Char | Primitive::Short) => 2,
        Some(Primitive::Long | Primitive::Double) => 8,
        Some(Primitive::Int | Primitive::Float) | None => 4,
    }
}

//! `java.lang.Class` objects. Each has the number of its class behind its declared fields.

use crate::flow::{Flow, bug};
use crate::machine::Machine;
use crate::state::State;
use dalang_classes::{ClassId, Shape};
use dalang_heap::{Named, Reference, Value};

impl<'p> Machine<'p> {
    /// The `java.lang.Class` of a class.
    pub fn mirror(&mut self, state: &mut State<'p>, class: ClassId) -> Flow<Reference> {
        let known = state.class_entry(class).mirror;
        if !known.is_null() {
            return Flow::Continue(known);
        }
        // First, so that a mirror is complete or not there at all.
        if let Shape::Array { component, .. } = self.program.class(class).shape {
            self.mirror(state, component)?;
        }
        let mirror = self.allocate_as(state, Named::Mirror(class), self.known.class, 1)?;
        state.heap.set(mirror, self.known.class_number, Value::Int(class.number() as i32));
        state.class_entry_mut(class).mirror = mirror;
        match self.program.class(class).shape {
            Shape::Array { component, .. } => {
                let component = self.mirror(state, component)?;
                self.set_if_there(state, mirror, "componentType", component.into());
            }
            Shape::Primitive(_) => {
                self.set_if_there(state, mirror, "primitive", Value::Int(1));
            }
            Shape::Declared => {}
        }
        let modifiers = self.modifiers(class);
        self.set_if_there(state, mirror, "modifiers", Value::Int(modifiers));
        let flags = i32::from(self.program.class(class).flags.bits());
        self.set_if_there(state, mirror, "classFileAccessFlags", Value::Int(flags));
        Flow::Continue(mirror)
    }

    /// Whether the `java.lang.Class` of a class was needed so far.
    pub fn has_mirror(&self, state: &State<'p>, class: ClassId) -> bool {
        !state.class_entry(class).mirror.is_null()
    }

    /// Libraries differ in which fields of `Class` the virtual machine has to set.
    fn set_if_there(&self, state: &mut State<'p>, mirror: Reference, name: &str, value: Value) {
        if let Some(slot) = self.slot(self.known.class, name) {
            state.heap.set(mirror, slot, value);
        }
    }

    /// What `Class.getModifiers` gives: for a nested class the flags of its declaration.
    pub fn modifiers(&self, class: ClassId) -> i32 {
        const PRIMITIVE: i32 = 0x0411;
        let class = self.program.class(class);
        match class.shape {
            Shape::Primitive(_) => PRIMITIVE,
            Shape::Array { element, .. } => {
                // Public, private or protected as the element type; abstract and final.
                self.modifiers(element) & 0x7 | 0x0410
            }
            Shape::Declared => {
                let inner = class.inner_classes().iter().find(|inner| inner.inner == class.name);
                let bits = inner.map_or(class.flags.bits(), |inner| inner.flags.bits());
                // `ACC_SUPER` is no modifier.
                i32::from(bits) & !0x0020
            }
        }
    }

    /// The class that a `java.lang.Class` stands for.
    pub fn mirrored(&self, state: &State<'p>, mirror: Reference) -> Flow<ClassId> {
        match state.heap.get(mirror, self.known.class_number) {
            Some(Value::Int(number)) if state.heap.class(mirror) == self.known.class => {
                Flow::Continue(ClassId::new(number as u32))
            }
            _ => bug("something else than a class was taken for one"),
        }
    }
}

impl Machine<'_> {
    /// The module of the library that a class belongs to; none if it is from the class path. An
    /// array belongs where its elements do.
    pub fn module(&self, class: ClassId) -> Option<&str> {
        let class = self.program.class(class);
        match class.shape {
            Shape::Primitive(_) => Some("java.base"),
            Shape::Array { element, .. } => self.module(element),
            Shape::Declared => class.origin.module.as_deref(),
        }
    }
}

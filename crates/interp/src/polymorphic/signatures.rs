//! `java.lang.invoke.MethodType` objects: one for each descriptor, with the number of the
//! descriptor behind its declared fields.

use crate::flow::{Flow, bug, linked};
use crate::machine::Machine;
use crate::state::State;
use dalang_classes::{MethodType, Name, ValueType};
use dalang_heap::{Named, Reference, Value};
use std::rc::Rc;
use std::sync::Arc;

impl<'p> Machine<'p> {
    /// The descriptor of a method with these parameters and this result.
    pub fn descriptor_of(
        &self,
        parameters: impl IntoIterator<Item = ValueType>,
        result: Option<ValueType>,
    ) -> Name {
        let mut text = String::from("(");
        for parameter in parameters {
            self.spell_type(parameter, &mut text);
        }
        text.push(')');
        match result {
            Some(result) => self.spell_type(result, &mut text),
            None => text.push('V'),
        }
        self.program.names().intern(&text)
    }

    fn spell_type(&self, value: ValueType, text: &mut String) {
        match value {
            ValueType::Primitive(primitive) => text.push(primitive.letter()),
            ValueType::Reference(name) => match self.program.names().text(name) {
                array if array.starts_with('[') => text.push_str(array),
                class => {
                    text.push('L');
                    text.push_str(class);
                    text.push(';');
                }
            },
        }
    }

    /// The type that a descriptor stands for.
    pub fn described(&self, descriptor: Name) -> Flow<Arc<MethodType>> {
        match self.program.method_type(descriptor) {
            Some(described) => Flow::Continue(described),
            None => bug("something else than a descriptor was taken for one"),
        }
    }

    /// The `MethodType` of a descriptor.
    pub fn method_type(&mut self, state: &mut State<'p>, descriptor: Name) -> Flow<Reference> {
        if let Some(&known) = state.types.get(&descriptor) {
            return Flow::Continue(known);
        }
        let described = self.described(descriptor)?;
        let mut mirrors = Vec::new();
        for &parameter in &described.parameters {
            let class = linked(self.program.class_of_type(parameter))?;
            mirrors.push(self.mirror(state, class)?);
        }
        let result = self.class_of(described.result)?;
        let result = self.mirror(state, result)?;
        let class = self.class("java/lang/invoke/MethodType")?;
        let made = self.allocate_as(state, Named::Signature(descriptor), class, 1)?;
        let parameters = self.allocate_references(state, self.known.class, &mirrors)?;
        self.set_field(state, made, "rtype", result)?;
        self.set_field(state, made, "ptypes", parameters)?;
        let hidden = self.program.class(class).instance_fields.len();
        state.heap.set(made, hidden, Value::Int(descriptor.number() as i32));
        Rc::make_mut(&mut state.types).insert(descriptor, made);
        Flow::Continue(made)
    }

    /// The descriptor of a `MethodType`.
    pub fn type_descriptor(&self, state: &State<'p>, object: Reference) -> Flow<Name> {
        if object.is_null() {
            return crate::flow::raise_bare("java/lang/NullPointerException");
        }
        let hidden = self.program.class(state.heap.class(object)).instance_fields.len();
        match state.heap.get(object, hidden) {
            Some(Value::Int(number)) => Flow::Continue(Name::new(number as u32)),
            _ => bug("a MethodType was made by its constructor"),
        }
    }
}

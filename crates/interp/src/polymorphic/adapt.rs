//! Calls with another type than that of the handle, and the exceptions for those that do not fit.

use super::form::{Behavior, Form};
use crate::adapt::{widens, wrapped};
use crate::flow::{Flow, linked, raise};
use crate::machine::Machine;
use crate::state::State;
use dalang_classes::{Kind, MethodType, Name, Primitive, Shape, ValueType};
use dalang_heap::{Reference, Value};

const MISMATCH: &str = "java/lang/invoke/WrongMethodTypeException";

/// From this version on the exception speaks of the handle.
const TALKATIVE: u16 = 21;

impl<'p> Machine<'p> {
    /// Throws unless a handle is of exactly this type.
    pub(crate) fn check_exact(
        &self,
        state: &State<'p>,
        handle: Reference,
        descriptor: Name,
    ) -> Flow {
        let own = self.handle_descriptor(state, handle)?;
        if own == descriptor {
            return Flow::Continue(());
        }
        let (own, found) = (self.described(own)?, self.described(descriptor)?);
        let (own, found) = (self.spell(&own), self.spell(&found));
        if self.settings.feature >= TALKATIVE {
            return raise(MISMATCH, format!("handle's method type {own} but found {found}"));
        }
        raise(MISMATCH, format!("expected {own} but found {found}"))
    }

    /// A type, as `MethodType.toString` has it.
    pub fn spell(&self, described: &MethodType) -> String {
        self.type_spelling(described.parameters.iter().copied(), described.result)
    }

    /// A handle as one of another type: what `MethodHandle.asType` gives.
    pub fn as_type(
        &mut self,
        state: &mut State<'p>,
        object: Reference,
        descriptor: Name,
    ) -> Flow<Reference> {
        let own = self.handle_descriptor(state, object)?;
        if own == descriptor {
            return Flow::Continue(object);
        }
        let handle = self.read_handle(state, object)?;
        let (own, wanted) = (self.described(own)?, self.described(descriptor)?);
        if handle.form == Form::Varargs {
            let target = self.gathering(state, handle.part(0)?, &own, &wanted)?;
            return self.as_type(state, target, descriptor);
        }
        if !self.convertible(&wanted, &own.parameters, own.result)? {
            let (own, wanted) = (self.spell(&own), self.spell(&wanted));
            return raise(MISMATCH, format!("cannot convert MethodHandle{own} to {wanted}"));
        }
        let convert = Behavior::new(Form::Convert, [0; 3], &[object.into()]);
        self.new_handle(state, descriptor, &convert)
    }

    /// A handle of variable arity as one that gathers as many arguments as are wanted.
    fn gathering(
        &mut self,
        state: &mut State<'p>,
        target: Reference,
        own: &MethodType,
        wanted: &MethodType,
    ) -> Flow<Reference> {
        let Some((&last, fixed)) = own.parameters.split_last() else {
            return Flow::Continue(target);
        };
        let array = linked(self.program.class_of_type(last))?;
        if wanted.parameters.len() == own.parameters.len()
            && let ValueType::Reference(_) = wanted.parameters[fixed.len()]
        {
            let given = linked(self.program.class_of_type(wanted.parameters[fixed.len()]))?;
            if self.program.is_subtype(given, array) {
                return Flow::Continue(target);
            }
        }
        let Some(count) = wanted.parameters.len().checked_sub(fixed.len()) else {
            let (own, wanted) = (self.spell(own), self.spell(wanted));
            return raise(MISMATCH, format!("cannot convert MethodHandle{own} to {wanted}"));
        };
        let Shape::Array { component, .. } = self.program.class(array).shape else {
            return Flow::Continue(target);
        };
        let element = self.type_of(component);
        let parameters = fixed.iter().copied().chain(std::iter::repeat_n(element, count).flatten());
        let descriptor = self.descriptor_of(parameters, own.result);
        let numbers = [fixed.len() as i32, count as i32, array.number() as i32];
        let gather = Behavior::new(Form::Gather, numbers, &[target.into()]);
        self.new_handle(state, descriptor, &gather)
    }

    /// A value of one type as a value of another, the way `explicitCastArguments` does it: numbers
    /// may lose something, `null` is zero, and interfaces are not checked.
    pub(crate) fn cast_value(
        &mut self,
        state: &mut State<'p>,
        value: Value,
        from: ValueType,
        to: ValueType,
    ) -> Flow<Value> {
        match (from, to) {
            (ValueType::Primitive(from), ValueType::Primitive(to)) => {
                self.cast_number(value, from, to)
            }
            (ValueType::Reference(_), ValueType::Primitive(to)) => {
                let value = self.settled(state, value)?;
                if value == Value::NULL {
                    return Flow::Continue(Value::zero(to.kind()));
                }
                let Value::Reference(object) = value else {
                    return crate::flow::unsupported("a symbolic reference, unboxed");
                };
                match self.boxes(state.heap.class(object)) {
                    Some(boxed) if !widens(boxed, to) => {
                        let value = self.field(state, object, "value")?;
                        self.cast_number(value, boxed, to)
                    }
                    _ => self.open_box(state, object, to),
                }
            }
            (ValueType::Reference(_), ValueType::Reference(name))
                if self
                    .program
                    .loaded(self.program.names().text(name))
                    .is_some_and(|class| self.program.class(class).is_interface()) =>
            {
                Flow::Continue(value)
            }
            (ValueType::Primitive(from), ValueType::Reference(_)) => {
                let wanted = wrapped(self.program, to).unwrap_or(from);
                let value = self.cast_number(value, from, wanted)?;
                Flow::Continue(self.make_box(state, wanted, value)?.into())
            }
            _ => self.coerce(state, value, from, to),
        }
    }

    fn cast_number(&mut self, value: Value, from: Primitive, to: Primitive) -> Flow<Value> {
        if widens(from, to) {
            return Flow::Continue(self.widened(value, to));
        }
        let integer = match (value, to.kind()) {
            (Value::Int(value), Kind::Long) => return Flow::Continue(Value::Long(value.into())),
            (Value::Int(value), Kind::Float) => return Flow::Continue(Value::Float(value as f32)),
            (Value::Int(value), Kind::Double) => {
                return Flow::Continue(Value::Double(value.into()));
            }
            (Value::Double(value), Kind::Float) => {
                return Flow::Continue(Value::Float(value as f32));
            }
            (Value::Float(value), Kind::Long) => return Flow::Continue(Value::Long(value as i64)),
            (Value::Double(value), Kind::Long) => return Flow::Continue(Value::Long(value as i64)),
            (Value::Int(value), _) => value,
            (Value::Long(value), _) => value as i32,
            (Value::Float(value), _) => value as i32,
            (Value::Double(value), _) => value as i32,
            _ => return crate::flow::unsupported("an explicit cast of a symbolic value"),
        };
        Flow::Continue(self.fit(Value::Int(integer), ValueType::Primitive(to)))
    }
}

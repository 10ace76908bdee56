//! Method handles that constant pools name (JVMS 5.4.3.5), and those for resolved members.

use super::form::{Behavior, Form};
use crate::flow::{Flow, linked};
use crate::handle::Member;
use crate::machine::Machine;
use crate::state::State;
use dalang_classes::{ClassId, FieldId, HandleKind, MethodHandle, MethodId, Name, ValueType};
use dalang_heap::Reference;

/// The flag of a method that takes any number of arguments.
const VARARGS: u16 = 0x0080;

impl<'p> Machine<'p> {
    /// The handle that a constant of a class stands for.
    pub fn handle_constant(
        &mut self,
        state: &mut State<'p>,
        user: ClassId,
        constant: MethodHandle,
    ) -> Flow<Reference> {
        let resolved = self.resolve_handle(user, constant)?;
        let descriptor = self.descriptor_of(resolved.parameters.iter().copied(), resolved.result);
        let form = match resolved.kind {
            HandleKind::GetField => Form::GetField,
            HandleKind::GetStatic => Form::GetStatic,
            HandleKind::PutField => Form::PutField,
            HandleKind::PutStatic => Form::PutStatic,
            HandleKind::InvokeStatic => Form::Static,
            HandleKind::InvokeSpecial => Form::Special,
            HandleKind::NewInvokeSpecial => Form::New,
            HandleKind::InvokeVirtual | HandleKind::InvokeInterface => Form::Virtual,
        };
        match resolved.member {
            Member::Field(field) => {
                self.new_handle(state, descriptor, &Behavior::of_field(form, field))
            }
            Member::Method(method) => {
                let handle = Behavior::of_method(form, method);
                let handle = self.new_handle(state, descriptor, &handle)?;
                self.with_arity(state, descriptor, method, handle)
            }
        }
    }

    /// The handle of a field, used through a reference that names a class.
    pub fn handle_of_field(
        &mut self,
        state: &mut State<'p>,
        form: Form,
        field: FieldId,
        named: ClassId,
    ) -> Flow<Reference> {
        let value = self.program.field(field).value;
        let named = ValueType::Reference(self.program.class(named).name);
        let descriptor = match form {
            Form::GetField => self.descriptor_of([named], Some(value)),
            Form::GetStatic => self.descriptor_of([], Some(value)),
            Form::PutField => self.descriptor_of([named, value], None),
            _ => self.descriptor_of([value], None),
        };
        self.new_handle(state, descriptor, &Behavior::of_field(form, field))
    }

    /// The handle of a method, called through a reference that names a class, on behalf of a user.
    /// Methods of variable arity give handles of variable arity.
    pub fn handle_of_method(
        &mut self,
        state: &mut State<'p>,
        form: Form,
        method: MethodId,
        named: ClassId,
        user: ClassId,
    ) -> Flow<Reference> {
        let target = self.program.method(method);
        let class = |id: ClassId| ValueType::Reference(self.program.class(id).name);
        let parameters = target.signature.parameters.iter().copied();
        let result = target.signature.result;
        let (descriptor, method) = match form {
            Form::Static => (self.descriptor_of(parameters, result), method),
            Form::New => (self.descriptor_of(parameters, Some(class(named))), method),
            Form::Special => {
                let selected = linked(self.program.select_special(user, named, method))?;
                (self.descriptor_of([class(user)].into_iter().chain(parameters), result), selected)
            }
            _ => (self.descriptor_of([class(named)].into_iter().chain(parameters), result), method),
        };
        let handle = self.new_handle(state, descriptor, &Behavior::of_method(form, method))?;
        self.with_arity(state, descriptor, target.id, handle)
    }

    /// A handle of a method, of variable arity if the method is.
    fn with_arity(
        &mut self,
        state: &mut State<'p>,
        descriptor: Name,
        method: MethodId,
        handle: Reference,
    ) -> Flow<Reference> {
        let varargs = self.program.method(method).flags.bits() & VARARGS != 0;
        if varargs {
            self.varargs_handle(state, descriptor, handle)
        } else {
            Flow::Continue(handle)
        }
    }

    /// A handle of variable arity.
    pub fn varargs_handle(
        &mut self,
        state: &mut State<'p>,
        descriptor: Name,
        target: Reference,
    ) -> Flow<Reference> {
        self.new_handle(state, descriptor, &Behavior::new(Form::Varargs, [0; 3], &[target.into()]))
    }
}

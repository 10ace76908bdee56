//! Method handles that constant pools name (JVMS 5.4.3.5), and those for resolved members.

use super::form::{Form, Handle};
use crate::flow::{Flow, linked, raise};
use crate::machine::Machine;
use crate::state::State;
use dalang_classes::{
    ClassId, FieldId, FieldUse, HandleKind, HandleTarget, InvokeKind, MethodHandle, MethodId, Name,
    ValueType,
};
use dalang_heap::Reference;

impl<'p> Machine<'p> {
    /// The handle that a constant of a class stands for.
    pub fn handle_constant(
        &mut self,
        state: &mut State<'p>,
        user: ClassId,
        constant: MethodHandle,
    ) -> Flow<Reference> {
        match constant.target {
            HandleTarget::Field(id) => {
                let field = linked(self.program.resolve_field(user, id))?;
                let named = self.program.class(user).pool.field(id).class;
                let named = linked(self.program.resolve_class(user, named))?;
                let (form, usage) = match constant.kind {
                    HandleKind::GetField => (Form::GetField, FieldUse::GetField),
                    HandleKind::GetStatic => (Form::GetStatic, FieldUse::GetStatic),
                    HandleKind::PutField => (Form::PutField, FieldUse::PutField),
                    _ => (Form::PutStatic, FieldUse::PutStatic),
                };
                linked(self.program.check_field_use(state.frame().method, field, usage))?;
                self.field_handle(state, form, field, named)
            }
            HandleTarget::Method(id) => {
                let method = linked(self.program.resolve_method(user, id))?;
                let named = self.program.class(user).pool.method(id).class;
                let named = linked(self.program.resolve_class(user, named))?;
                let (form, kind) = match constant.kind {
                    HandleKind::InvokeStatic => (Form::Static, InvokeKind::Static),
                    HandleKind::InvokeSpecial => (Form::Special, InvokeKind::Special),
                    HandleKind::NewInvokeSpecial => (Form::New, InvokeKind::Special),
                    HandleKind::InvokeInterface => (Form::Virtual, InvokeKind::Interface),
                    _ => (Form::Virtual, InvokeKind::Virtual),
                };
                linked(self.program.check_invoke(method, kind))?;
                self.member_handle(state, form, method, named, user)
            }
        }
    }

    /// The handle of a field, used through a reference that names a class.
    pub fn field_handle(
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
        self.new_handle(state, descriptor, &Handle::of_field(form, field))
    }

    /// The handle of a method, called through a reference that names a class, on behalf of a user.
    /// Methods of variable arity give handles of variable arity.
    pub fn member_handle(
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
            Form::New => {
                let made = self.program.class(named);
                if !made.is_instantiable() {
                    let name = self.java_name(named);
                    return raise("java/lang/InstantiationException", name);
                }
                (self.descriptor_of(parameters, Some(class(named))), method)
            }
            Form::Special => {
                let selected = linked(self.program.select_special(user, named, method))?;
                (self.descriptor_of([class(user)].into_iter().chain(parameters), result), selected)
            }
            _ => (self.descriptor_of([class(named)].into_iter().chain(parameters), result), method),
        };
        let varargs = target.flags.bits() & 0x0080 != 0;
        let handle = self.new_handle(state, descriptor, &Handle::of_method(form, method))?;
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
        self.new_handle(state, descriptor, &Handle::new(Form::Varargs, [0; 3], &[target.into()]))
    }
}

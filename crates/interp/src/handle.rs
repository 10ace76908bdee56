//! Method handles as constants name them: resolved once, and called with arguments.

use crate::call::{Call, Resume};
use crate::flow::{Flow, Outcome, bug, linked, unlinked, unsupported};
use crate::frame::Then;
use crate::machine::Machine;
use crate::steps::returned;
use dalang_classes::{
    ClassId, ClassRefId, FieldId, FieldRefId, HandleKind, HandleTarget, InvokeKind, JavaError,
    MethodHandle, MethodId, MethodRefId, ValueType,
};
use dalang_heap::{Reference, Value};

/// The member that a handle is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Member {
    /// For the kinds that read or write a field.
    Field(FieldId),
    /// For the kinds that invoke. For `invokespecial` it is the method that is run.
    Method(MethodId),
}

/// A method handle whose member is known (JVMS 5.4.3.5).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Handle {
    /// What it does.
    pub kind: HandleKind,
    /// To which member.
    pub member: Member,
    /// The class that the reference names; a constructor makes instances of it.
    pub class: ClassId,
    /// What it takes, the receiver first if it takes one.
    pub parameters: Box<[ValueType]>,
    /// What it gives; none is `void`.
    pub result: Option<ValueType>,
}

impl Handle {
    /// The class that must be initialized before the handle is called.
    pub(crate) fn initializes(&self, machine: &Machine<'_>) -> Option<ClassId> {
        match (self.kind, self.member) {
            (HandleKind::InvokeStatic, Member::Method(method)) => {
                Some(machine.program.method(method).class)
            }
            (HandleKind::NewInvokeSpecial, _) => Some(self.class),
            (HandleKind::GetStatic | HandleKind::PutStatic, Member::Field(field)) => {
                Some(machine.program.field(field).class)
            }
            _ => None,
        }
    }
}

impl Machine<'_> {
    /// What a handle in the constant pool of class `user` means; throws what resolution leads to.
    pub fn resolve_handle(&self, user: ClassId, handle: MethodHandle) -> Flow<Handle> {
        match handle.target {
            HandleTarget::Field(field) => self.field_handle(user, handle.kind, field),
            HandleTarget::Method(method) => self.method_handle(user, handle.kind, method),
        }
    }

    fn named(&self, user: ClassId, class: ClassRefId) -> Flow<(ClassId, ValueType)> {
        let name = self.program.class(user).pool.class(class).name;
        let class = linked(self.program.resolve_class(user, class))?;
        Flow::Continue((class, ValueType::Reference(name)))
    }

    fn field_handle(&self, user: ClassId, kind: HandleKind, id: FieldRefId) -> Flow<Handle> {
        let field = linked(self.program.resolve_field(user, id))?;
        let reference = self.program.class(user).pool.field(id);
        let (class, receiver) = self.named(user, reference.class)?;
        let value = reference.value;
        let (parameters, result) = match kind {
            HandleKind::GetField => (vec![receiver], Some(value)),
            HandleKind::GetStatic => (vec![], Some(value)),
            HandleKind::PutField => (vec![receiver, value], None),
            HandleKind::PutStatic => (vec![value], None),
            _ => return bug("a handle calls a field"),
        };
        let is_static = matches!(kind, HandleKind::GetStatic | HandleKind::PutStatic);
        if self.program.field(field).flags.is_static() != is_static {
            let sort = if is_static { "static" } else { "non-static" };
            let message = format!("Expected {sort} field {}", self.program.field_spelling(field));
            return unlinked(JavaError::IncompatibleClassChangeError, message);
        }
        let (member, parameters) = (Member::Field(field), parameters.into());
        Flow::Continue(Handle { kind, member, class, parameters, result })
    }

    fn method_handle(&self, user: ClassId, kind: HandleKind, id: MethodRefId) -> Flow<Handle> {
        let mut method = linked(self.program.resolve_method(user, id))?;
        if self.program.method(method).is_signature_polymorphic {
            let method = self.program.method_spelling(method);
            return unsupported(format!("a method handle of {method}"));
        }
        let reference = self.program.class(user).pool.method(id);
        let (class, receiver) = self.named(user, reference.class)?;
        let own = &reference.signature;
        let invokes = match kind {
            HandleKind::InvokeStatic => InvokeKind::Static,
            HandleKind::InvokeInterface => InvokeKind::Interface,
            HandleKind::InvokeVirtual => InvokeKind::Virtual,
            _ => InvokeKind::Special,
        };
        linked(self.program.check_invoke(method, invokes))?;
        if kind == HandleKind::InvokeSpecial {
            method = linked(self.program.select_special(user, class, method))?;
        }
        let (receives, result) = match kind {
            HandleKind::InvokeStatic => (None, own.result),
            HandleKind::NewInvokeSpecial => (None, Some(receiver)),
            _ => (Some(receiver), own.result),
        };
        let parameters = receives.into_iter().chain(own.parameters.iter().copied()).collect();
        Flow::Continue(Handle { kind, member: Member::Method(method), class, parameters, result })
    }
}

impl Call<'_, '_> {
    /// Calls a handle with arguments of exactly the types that it takes, and goes on with `resume`.
    pub fn invoke_handle<T>(
        &mut self,
        handle: &Handle,
        arguments: &[Value],
        resume: Resume,
    ) -> Flow<T> {
        if let Some(class) = handle.initializes(self.machine) {
            self.machine.require(self.state, class)?;
        }
        match (handle.kind, handle.member) {
            (HandleKind::InvokeStatic, Member::Method(method)) => {
                self.invoke(method, arguments, resume)
            }
            (HandleKind::InvokeSpecial, Member::Method(method)) => {
                self.receiver(arguments)?;
                self.invoke(method, arguments, resume)
            }
            (HandleKind::InvokeVirtual | HandleKind::InvokeInterface, Member::Method(method)) => {
                self.invoke_virtual(method, arguments, resume)
            }
            (HandleKind::NewInvokeSpecial, Member::Method(method)) => {
                self.construct(handle.class, method, arguments, resume)
            }
            (kind, Member::Field(field)) => {
                let value = self.access(kind, field, arguments)?;
                self.give(value, resume)
            }
            _ => bug("a handle of a member of another sort"),
        }
    }

    /// Makes an instance of a class with a constructor, and goes on with the instance.
    pub fn construct<T>(
        &mut self,
        class: ClassId,
        constructor: MethodId,
        arguments: &[Value],
        resume: Resume,
    ) -> Flow<T> {
        if !self.machine.program.class(class).is_instantiable() {
            let name = self.machine.program.class_spelling(class);
            return crate::flow::raise("java/lang/InstantiationException", name);
        }
        self.machine.require(self.state, class)?;
        let object = self.machine.allocate(self.state, class, 0)?;
        self.state.frame_mut().stage = crate::frame::Stage::Waiting(resume);
        self.machine.reserve(self.state, arguments.len() + 2);
        self.state.push(object.into());
        for &argument in arguments {
            self.state.push(argument);
        }
        self.state.push(Value::Int(constructor.number() as i32));
        let count = arguments.len() + 2;
        self.machine.enter_hidden(self.state, run_constructor, count, Then::Deliver)?;
        Flow::Break(crate::flow::Interrupt::Entered)
    }

    fn receiver(&mut self, arguments: &[Value]) -> Flow<Reference> {
        match arguments.first() {
            Some(&receiver) => self.machine.non_null(self.state, receiver),
            None => bug("a call has no receiver"),
        }
    }

    fn access(
        &mut self,
        kind: HandleKind,
        field: FieldId,
        arguments: &[Value],
    ) -> Flow<Option<Value>> {
        let (machine, state) = (&mut *self.machine, &mut *self.state);
        let declared = machine.program.field(field);
        let slot = declared.slot as usize;
        match (kind, arguments) {
            (HandleKind::GetStatic, []) => machine.get_static(state, field).map_continue(Some),
            (HandleKind::PutStatic, &[value]) => {
                machine.set_static(state, field, value)?;
                Flow::Continue(None)
            }
            (HandleKind::GetField, &[object]) => {
                let object = machine.non_null(state, object)?;
                match state.heap.get(object, slot) {
                    Some(value) => machine.read(state, value).map_continue(Some),
                    None => bug("a field has no place"),
                }
            }
            (HandleKind::PutField, &[object, value]) => {
                let object = machine.non_null(state, object)?;
                let value = machine.fit(value, declared.value);
                if machine.store_slot(state, object, slot, value) {
                    return Flow::Continue(None);
                }
                bug("a field has no place")
            }
            _ => bug("a field is accessed with other arguments"),
        }
    }
}

/// Given an object, the arguments of its constructor, and the number of the constructor; gives the
/// object.
fn run_constructor(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let last = call.arguments() - 1;
    let constructor = MethodId::new(call.int(last)? as u32);
    let arguments: Vec<Value> = (0..last).map(|index| call.argument(index)).collect();
    call.invoke(constructor, &arguments, constructed)
}

fn constructed(call: &mut Call<'_, '_>, outcome: Outcome) -> Flow<Option<Value>> {
    returned(outcome)?;
    Flow::Continue(Some(call.argument(0)))
}

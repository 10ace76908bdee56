//! Calls of methods by reference.

use crate::flow::{Flow, linked, malformed, unlinked};
use crate::frame::Then;
use crate::machine::Machine;
use crate::state::State;
use dalang_classes::{ClassId, InvokeKind, JavaError, LinkFailure, MethodId, MethodRefId};
use dalang_heap::Value;

impl<'p> Machine<'p> {
    /// Rules `jvms/invokevirtual`, `jvms/invokespecial`, `jvms/invokestatic`,
    /// `jvms/invokeinterface` - JVMS 6.5.
    pub(crate) fn invoke(
        &mut self,
        state: &mut State<'p>,
        id: MethodRefId,
        kind: InvokeKind,
    ) -> Flow {
        let user = state.frame().class;
        let method = match self.program.resolve_method(user, id) {
            Ok(method) => method,
            Err(failure) => return self.unresolved(user, id, failure),
        };
        linked(self.program.check_invoke(method, kind))?;
        let target = self.program.method(method);
        if target.is_signature_polymorphic {
            return self.invoke_polymorphic(state, id, method);
        }
        let arguments = target.argument_count();
        match kind {
            InvokeKind::Static => {
                if !self.is_word(method) {
                    self.require(state, target.class)?;
                }
                self.enter(state, method, arguments, Then::Deliver)
            }
            InvokeKind::Special => {
                self.receiver(state, method, arguments)?;
                let named = self.program.class(user).pool.method(id).class;
                let named = linked(self.program.resolve_class(user, named))?;
                let selected = linked(self.program.select_special(user, named, method))?;
                self.enter(state, selected, arguments, Then::Deliver)
            }
            InvokeKind::Virtual | InvokeKind::Interface => {
                let receiver = self.receiver(state, method, arguments)?;
                self.enter_selected(state, receiver, method, arguments)
            }
        }
    }

    /// What a method that is not there leads to. That a stand-in does not have it says nothing of the
    /// class that it stands for.
    #[cold]
    fn unresolved(&self, user: ClassId, id: MethodRefId, failure: &LinkFailure) -> Flow {
        let pool = &self.program.class(user).pool;
        match self.program.resolve_class(user, pool.method(id).class) {
            Ok(class) if self.program.is_stand_in(class) => {
                let what = format!("{}, of a class that is not there,", failure.message);
                crate::flow::unsupported(what)
            }
            _ => linked(Err(failure)),
        }
    }

    /// The class of the receiver, which is checked here because class files are not checked for it.
    fn receiver(
        &mut self,
        state: &mut State<'p>,
        method: MethodId,
        arguments: usize,
    ) -> Flow<ClassId> {
        let receiver = state.peek(arguments - 1);
        if let Value::Reference(object) = receiver
            && !object.is_null()
            && !state.heap.object(object).inexact
            && !self.is_guarded(state, receiver)
        {
            // The common case.
            if self.unknowns.domains.is_sole(state.heap.class(object)) {
                self.note_sole_dispatch(state, object, method);
            }
        } else if let Some(class) = self.symbolic_receiver(state, receiver, method)? {
            let place = state.top - arguments;
            state.values[place] = self.plain_receiver(state, receiver, class)?;
            return Flow::Continue(class);
        }
        let object = self.located(state, receiver)?;
        let class = state.heap.class(object);
        let target = self.program.method(method).class;
        if class == target || self.program.is_subtype(class, target) {
            return Flow::Continue(class);
        }
        if self.program.class(target).is_interface() {
            let message = format!(
                "Class {} does not implement the requested interface {}",
                self.program.java_name(class),
                self.program.class_spelling(target)
            );
            return unlinked(JavaError::IncompatibleClassChangeError, message);
        }
        let method = self.program.method_spelling(method);
        malformed(format!("{method} is called on an object that does not have it"))
    }
}

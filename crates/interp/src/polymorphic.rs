//! Calls of signature-polymorphic methods: those of `MethodHandle` and `VarHandle`.
//!
//! None of the library's machinery for them runs. A handle is an object whose hidden slots say what
//! it does, and the machine does it.

mod access;
mod adapt;
mod after;
mod boxes;
mod constant;
mod convert;
mod form;
mod mode;
mod perform;
mod place;
mod repeat;
mod signatures;
mod variable;

use crate::flow::{Flow, raise_bare, unsupported};
use crate::frame::Then;
use crate::machine::Machine;
use crate::state::State;
use dalang_classes::{MethodId, MethodRefId};
use std::sync::Arc;

pub use form::{Behavior, Form};
pub use mode::{Action, Mode};
pub(crate) use perform::perform;
pub use variable::Variable;

impl<'p> Machine<'p> {
    /// Rule `jvms/invokevirtual`, signature-polymorphic - JVMS 6.5.
    pub(crate) fn invoke_polymorphic(
        &mut self,
        state: &mut State<'p>,
        id: MethodRefId,
        method: MethodId,
    ) -> Flow {
        let user = state.frame().class;
        let site = Arc::clone(&self.program.class(user).pool.method(id).signature);
        let program = self.program;
        let target = program.method(method);
        let name = program.names().text(target.name);
        if target.flags.is_static() {
            return unsupported(program.method_spelling(method));
        }
        let handle = self.non_null(state, state.peek(site.parameters.len()))?;
        if program.names().text(program.class(target.class).name) == "java/lang/invoke/VarHandle" {
            self.call_variable(state, &site, name, handle)?;
            state.frame_mut().pc += 1;
            return Flow::Continue(());
        }
        let descriptor = program.class(user).pool.method(id).descriptor;
        let handle = match name {
            "invokeExact" => {
                self.check_exact(state, handle, descriptor)?;
                handle
            }
            "invoke" => self.as_type(state, handle, descriptor)?,
            _ => return unsupported(program.method_spelling(method)),
        };
        if state.frames.len() >= self.settings.frames {
            return raise_bare("java/lang/StackOverflowError");
        }
        let count = site.parameters.len() + 1;
        let place = state.top - count;
        state.values[place] = handle.into();
        self.enter_hidden(state, perform, count, Then::Deliver)
    }
}

//! Calls of signature-polymorphic methods: those of `MethodHandle` and `VarHandle`.
//!
//! None of the library's machinery for them runs. A handle is an object whose hidden slots say what
//! it does, and the machine does it.

mod access;
mod boxes;
mod convert;
mod mode;
mod place;
mod variable;

use crate::flow::{Flow, unsupported};
use crate::machine::Machine;
use crate::state::State;
use dalang_classes::{MethodId, MethodRefId};
use std::sync::Arc;

pub use mode::{Action, Mode};
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
        unsupported(program.method_spelling(method))
    }
}

//! Calls of signature-polymorphic methods: those of `MethodHandle` and `VarHandle`.

use crate::flow::{Flow, unsupported};
use crate::machine::Machine;
use crate::state::State;
use dalang_classes::{MethodId, MethodRefId};

impl<'p> Machine<'p> {
    /// Rule `jvms/invokevirtual`, signature-polymorphic - JVMS 6.5.
    pub(crate) fn invoke_polymorphic(
        &mut self,
        _: &mut State<'p>,
        _: MethodRefId,
        method: MethodId,
    ) -> Flow {
        unsupported(self.program.method_spelling(method))
    }
}

//! `athrow`.

use crate::flow::{Flow, Interrupt, malformed, raise_bare};
use crate::machine::Machine;
use crate::state::State;
use dalang_heap::{Reference, Value};

impl<'p> Machine<'p> {
    /// Rule `jvms/athrow` - JVMS 6.5.
    pub(crate) fn throw(&mut self, state: &mut State<'p>) -> Flow {
        let exception = self.non_null(state, state.peek(0))?;
        let class = state.heap.class(exception);
        if !self.program.is_subtype(class, self.known.throwable) {
            return malformed("something is thrown that is not a Throwable");
        }
        Flow::Break(Interrupt::Throw(exception))
    }

    /// The object that a value refers to, whose class is known; throws a `NullPointerException` if
    /// it is `null`.
    #[inline]
    pub(crate) fn non_null(&mut self, state: &mut State<'p>, value: Value) -> Flow<Reference> {
        let object = self.located(state, value)?;
        self.class_of_object(state, object)?;
        Flow::Continue(object)
    }

    /// The object that a value refers to, whose class may be uncertain; throws a
    /// `NullPointerException` if it is `null`.
    #[inline]
    pub(crate) fn located(&mut self, state: &mut State<'p>, value: Value) -> Flow<Reference> {
        match value {
            Value::Reference(reference) if !reference.is_null() => Flow::Continue(reference),
            Value::Reference(_) => raise_bare("java/lang/NullPointerException"),
            Value::Term(_) => self.symbolic_object(state, value),
            _ => malformed("something else than a reference is used as one"),
        }
    }
}

//! Returning a value; a small result type keeps only its bits.

use crate::flow::Flow;
use crate::machine::Machine;
use crate::state::State;

impl<'p> Machine<'p> {
    /// Rules `jvms/ireturn` and its kin - JVMS 6.5.
    #[inline]
    pub(crate) fn return_value(&mut self, state: &mut State<'p>) -> Flow {
        let value = state.peek(0);
        let value = match self.program.method(state.frame().method).signature.result {
            Some(result) => self.fit(value, result),
            None => value,
        };
        self.leave(state, Some(value))
    }
}

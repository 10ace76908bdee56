//! Monitors. There is one thread, so entering always succeeds; entries are counted, because leaving
//! a monitor that was not entered throws.

use crate::flow::{Flow, raise_bare};
use crate::machine::Machine;
use crate::state::State;

impl<'p> Machine<'p> {
    /// Rule `jvms/monitorenter` - JVMS 6.5.
    pub(crate) fn monitor_enter(&mut self, state: &mut State<'p>) -> Flow {
        let object = self.non_null(state, state.peek(0))?;
        state.heap.object_mut(object).lock += 1;
        state.drop(1);
        Flow::Continue(())
    }

    /// Rule `jvms/monitorexit` - JVMS 6.5.
    pub(crate) fn monitor_exit(&mut self, state: &mut State<'p>) -> Flow {
        let object = self.non_null(state, state.peek(0))?;
        let object = state.heap.object_mut(object);
        if object.lock == 0 {
            return raise_bare("java/lang/IllegalMonitorStateException");
        }
        object.lock -= 1;
        state.drop(1);
        Flow::Continue(())
    }
}

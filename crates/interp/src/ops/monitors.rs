//! Monitors. There is one thread, so entering always succeeds; entries are counted, because leaving
//! a monitor that was not entered throws.

use crate::flow::{Flow, raise_bare, unsupported};
use crate::machine::Machine;
use crate::state::State;
use dalang_heap::{Reference, Value};

impl<'p> Machine<'p> {
    /// Rule `jvms/monitorenter` - JVMS 6.5.
    pub(crate) fn monitor_enter(&mut self, state: &mut State<'p>) -> Flow {
        let object = self.monitor_of(state, state.peek(0))?;
        self.lock(state, object)?;
        state.drop(1);
        Flow::Continue(())
    }

    /// The object whose monitor is entered or left; throws a `NullPointerException` for `null`.
    pub(crate) fn monitor_of(&mut self, state: &mut State<'p>, value: Value) -> Flow<Reference> {
        if self.is_guarded(state, value) {
            return self.guarded_monitor(state, value);
        }
        self.located(state, value)
    }

    /// Counts an entry of a monitor.
    pub(crate) fn lock(&self, state: &mut State<'p>, object: Reference) -> Flow {
        let object = state.heap.object_mut(object);
        let Some(more) = object.lock.checked_add(1) else {
            return unsupported("a monitor that is entered 65,536 times");
        };
        object.lock = more;
        Flow::Continue(())
    }

    /// Rule `jvms/monitorexit` - JVMS 6.5.
    pub(crate) fn monitor_exit(&mut self, state: &mut State<'p>) -> Flow {
        let object = self.monitor_of(state, state.peek(0))?;
        let object = state.heap.object_mut(object);
        if object.lock == 0 {
            return raise_bare("java/lang/IllegalMonitorStateException");
        }
        object.lock -= 1;
        state.drop(1);
        Flow::Continue(())
    }
}

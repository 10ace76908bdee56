//! `java.lang.Runtime` and `java.lang.Shutdown`: a machine with one processor.

use crate::table::{Row, any, required};
use dalang_heap::Value;
use dalang_interp::{Call, Flow, Interrupt};

/// The library sizes its tables by it, which no program sees.
fn note_host(call: &mut Call<'_, '_>) {
    if call.machine.is_called_by_program(call.state) {
        let size = call.machine.heap_size();
        call.machine.assume(call.state, &format!("the host: one processor, and a heap of {size}"));
    }
}

fn processors(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    note_host(call);
    Flow::Continue(Some(Value::Int(1)))
}

fn total(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    note_host(call);
    Flow::Continue(Some(Value::Long(call.machine.settings.heap as i64)))
}

fn free(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    note_host(call);
    let free = call.machine.settings.heap.saturating_sub(call.state.heap.bytes());
    Flow::Continue(Some(Value::Long(free as i64)))
}

fn nothing(_: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    Flow::Continue(None)
}

fn halt(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let code = call.int(0)?;
    Flow::Break(Interrupt::Exit(code))
}

/// The hook of the log manager closes handlers. What they wrote is out already, and a hook is a
/// thread that we do not start; every other hook stops the program when it ends.
fn add_shutdown_hook(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let hook = call.object(1)?;
    let class = call.machine.program.class(call.state.heap.class(hook)).name;
    if call.machine.program.names().text(class) == "java/util/logging/LogManager$Cleaner" {
        return Flow::Continue(None);
    }
    call.proceed()
}

pub(crate) const ROWS: &[Row] = &[
    required(
        "addShutdownHook",
        "(Ljava/lang/Thread;)V",
        "hooks are threads, and the log manager's has nothing to do",
        add_shutdown_hook,
    ),
    any("availableProcessors", processors),
    any("totalMemory", total),
    any("maxMemory", total),
    any("freeMemory", free),
    any("gc", nothing),
];

const LOGGER: &str = "the logger that it asks is off, and finding it takes services";

pub(crate) const SHUTDOWN: &[Row] = &[
    any("beforeHalt", nothing),
    any("halt0", halt),
    required("logRuntimeExit", "(I)V", LOGGER, nothing),
];

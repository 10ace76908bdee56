//! `java.lang.Thread`: there is one, called `main`.

use crate::java::lang::host::NOTED;
use crate::java::lang::throwable;
use crate::java::pass_time;
use crate::table::{Row, any, native, required, symbolic};
use dalang_heap::{Reference, Value};
use dalang_interp::{Call, Flow, Initialization, unsupported};

/// Under which name the main thread is kept.
pub(crate) const MAIN: &str = "java.lang.Thread main";
const RUNNABLE: i32 = 5;

fn current(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    if let Some(thread) = call.state.singleton(MAIN) {
        return Flow::Continue(Some(thread));
    }
    let thread = make_main(call)?;
    call.state.set_singleton(MAIN, thread.into());
    Flow::Continue(Some(thread.into()))
}

/// The main thread and its group are not made by constructors: those ask for the current thread.
fn make_main(call: &mut Call<'_, '_>) -> Flow<Reference> {
    let class = call.machine.class("java/lang/Thread")?;
    let thread = call.machine.allocate(call.state, class, 0)?;
    let name = call.machine.intern(call.state, "main")?;
    let object = call.machine.known.object;
    set(call, thread, "name", name.into());
    set(call, thread, "tid", Value::Long(1));
    // Stands for the loader of the class path, which is made when it is first asked for.
    set(call, thread, "contextClassLoader", thread.into());
    for lock in ["blockerLock", "interruptLock"] {
        let lock_object = call.machine.allocate(call.state, object, 0)?;
        set(call, thread, lock, lock_object.into());
    }
    let group = make_group(call, name)?;
    // Since Java 19 most of it is in an object of its own.
    let mut holder = thread;
    if call.machine.slot(class, "holder").is_some() {
        let class = call.machine.class("java/lang/Thread$FieldHolder")?;
        holder = call.machine.allocate(call.state, class, 0)?;
        set(call, thread, "holder", holder.into());
    }
    set(call, holder, "priority", Value::Int(5));
    set(call, holder, "group", group.into());
    set(call, holder, "threadStatus", Value::Int(RUNNABLE));
    Flow::Continue(thread)
}

fn make_group(call: &mut Call<'_, '_>, name: Reference) -> Flow<Reference> {
    let class = call.machine.class("java/lang/ThreadGroup")?;
    let system = call.machine.allocate(call.state, class, 0)?;
    let system_name = call.machine.intern(call.state, "system")?;
    set(call, system, "name", system_name.into());
    set(call, system, "maxPriority", Value::Int(10));
    let group = call.machine.allocate(call.state, class, 0)?;
    set(call, group, "name", name.into());
    set(call, group, "parent", system.into());
    set(call, group, "maxPriority", Value::Int(10));
    Flow::Continue(group)
}

/// Versions of the JDK differ in the fields.
fn set(call: &mut Call<'_, '_>, object: Reference, name: &str, value: Value) {
    if let Some(slot) = call.machine.slot(call.state.heap.class(object), name) {
        call.state.heap.set(object, slot, value);
    }
}

/// Threads of the library that only ever wait for references to be enqueued need not be started,
/// because none ever is.
fn start(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    const WAITING: [&str; 3] = [
        "java.lang.ref.Reference$ReferenceHandler",
        "java.lang.ref.Finalizer$FinalizerThread",
        "jdk.internal.ref.CleanerImpl",
    ];
    let thread = call.object(0)?;
    let mut acting = vec![thread];
    acting.extend(task(call, thread));
    let waits = |&object: &Reference| {
        let class = call.machine.program.class_spelling(call.state.heap.class(object));
        WAITING.contains(&&*class)
    };
    if acting.iter().any(waits) {
        return Flow::Continue(None);
    }
    unsupported("starting a thread (java.lang.Thread.start)")
}

/// What a thread was given to run.
fn task(call: &Call<'_, '_>, thread: Reference) -> Option<Reference> {
    let get = |object: Reference, name: &str| {
        let slot = call.machine.slot(call.state.heap.class(object), name)?;
        match call.state.heap.get(object, slot) {
            Some(Value::Reference(value)) if !value.is_null() => Some(value),
            _ => None,
        }
    };
    // Since Java 19 it is in an object of its own.
    get(thread, "target").or_else(|| get(get(thread, "holder")?, "task"))
}

fn sleep_milliseconds(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let milliseconds = call.long(0)?;
    call.machine.assume(call.state, NOT_INTERRUPTED);
    pass_time(call.state, milliseconds.saturating_mul(1_000_000));
    Flow::Continue(None)
}

fn sleep_nanoseconds(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let nanoseconds = call.long(0)?;
    call.machine.assume(call.state, NOT_INTERRUPTED);
    pass_time(call.state, nanoseconds);
    Flow::Continue(None)
}

/// New threads take over what the field holds, so it may be another thread here.
fn context_loader(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let thread = call.object(0)?;
    let held = call.machine.field(call.state, thread, "contextClassLoader")?;
    let class = call.machine.class("java/lang/Thread")?;
    // Threads that are made while the library gets ready have no such loader.
    if call.state.initialization(call.machine.known.system) != Initialization::Done {
        return Flow::Continue(Some(Value::NULL));
    }
    match held {
        Value::Reference(held)
            if !held.is_null()
                && call.machine.program.is_subtype(call.state.heap.class(held), class) =>
        {
            let loader = crate::java::lang::loader::application(call)?;
            call.machine.set_field(call.state, thread, "contextClassLoader", loader)?;
            Flow::Continue(Some(loader.into()))
        }
        _ => call.proceed(),
    }
}

/// Something is asked of a thread that whoever starts it decides.
fn noted(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    if call.machine.is_called_through(call.state, &["java/lang/Thread"]) {
        let what =
            "the thread: `main`, with the name, number, group and priority that `java` gives it";
        call.machine.assume(call.state, what);
    }
    call.proceed()
}

/// Whether a thread was interrupted is asked: by the program, or by the library before it waits.
fn noted_interruption(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    call.machine.assume(call.state, NOT_INTERRUPTED);
    call.proceed()
}

const NOT_INTERRUPTED: &str = "the thread: nobody else interrupts it";

fn nothing(_: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    Flow::Continue(None)
}

fn null(_: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    Flow::Continue(Some(Value::NULL))
}

fn holds_lock(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let object = call.object(0)?;
    if call.machine.shares_monitor(call.state, object) {
        return unsupported("the monitor of an object of the input");
    }
    Flow::Continue(Some((call.state.heap.object(object).lock > 0).into()))
}

/// The number of a new thread. The virtual machine has some of its own, so programs do not get
/// the lowest ones.
fn next_id(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    const LAST: &str = "java.lang.Thread last number";
    let last = match call.state.singleton(LAST) {
        Some(Value::Long(last)) => last,
        _ => 20,
    };
    call.state.set_singleton(LAST, Value::Long(last + 1));
    Flow::Continue(Some(Value::Long(last + 1)))
}

/// `java.lang.Thread.ThreadIdentifiers`, since Java 19
pub(crate) const IDENTIFIERS: &[Row] = &[
    required("next", "()J", "the counter is in the virtual machine's memory", next_id),
    required("<clinit>", "()V", "it asks where that counter is", nothing),
];

pub(crate) const ROWS: &[Row] = &[
    crate::table::required(
        "getContextClassLoader",
        "()Ljava/lang/ClassLoader;",
        "the loader of the class path is made when it is first asked for",
        context_loader,
    ),
    symbolic("getName", "()Ljava/lang/String;", NOTED, noted).untouched(),
    symbolic("getStackTrace", throwable::TRACE, NOTED, throwable::note_trace),
    symbolic("getId", "()J", NOTED, noted).untouched(),
    symbolic("threadId", "()J", NOTED, noted).untouched(),
    symbolic("getPriority", "()I", NOTED, noted).untouched(),
    symbolic("getThreadGroup", "()Ljava/lang/ThreadGroup;", NOTED, noted).untouched(),
    symbolic("isDaemon", "()Z", NOTED, noted).untouched(),
    symbolic("isInterrupted", "()Z", NOTED, noted_interruption).untouched(),
    symbolic("interrupted", "()Z", NOTED, noted_interruption).untouched(),
    any("currentThread", current),
    any("currentCarrierThread", current),
    any("start0", start),
    any("yield", nothing),
    any("yield0", nothing),
    native("sleep", "(J)V", sleep_milliseconds),
    native("sleep0", "(J)V", sleep_nanoseconds),
    native("sleepNanos0", "(J)V", sleep_nanoseconds),
    any("holdsLock", holds_lock),
    any("setPriority0", nothing),
    any("interrupt0", nothing),
    any("clearInterruptEvent", nothing),
    any("setNativeName", nothing),
    any("scopedValueCache", null),
    any("setScopedValueCache", nothing),
    any("findScopedValueBindings", null),
    any("ensureMaterializedForStackWalk", nothing),
];

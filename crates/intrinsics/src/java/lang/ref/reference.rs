//! `java.lang.ref.Reference` and those below it. No referent is ever taken away: the collector
//! follows references of all strengths, which Java allows for, so nothing is ever enqueued.

use crate::java::lang::host::NOTED;
use crate::table::{Row, any, symbolic};
use dalang_heap::Value;
use dalang_interp::{Call, Flow, unsupported};

fn refers_to(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let (reference, object) = (call.object(0)?, call.reference(1)?);
    let referent = call.machine.field(call.state, reference, "referent")?;
    let same = call.machine.same_references(call.state, referent, object.into())?;
    Flow::Continue(Some(same.into()))
}

/// What is between a program and a reference that may have been cleared.
const BETWEEN: [&str; 4] = [
    "java/lang/ref/Reference",
    "java/lang/ref/SoftReference",
    "java/lang/ref/WeakReference",
    "java/util/WeakHashMap",
];

/// A program looks at what a collector may have cleared. What the library keeps in such references
/// for itself it makes again.
fn noted(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    if call.machine.is_called_through(call.state, &BETWEEN) {
        call.machine.assume(call.state, "weak and soft references: none is ever cleared");
    }
    call.proceed()
}

fn clear(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let reference = call.object(0)?;
    call.machine.set_field(call.state, reference, "referent", Value::NULL)?;
    Flow::Continue(None)
}

fn no(_: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    Flow::Continue(Some(Value::Int(0)))
}

fn none(_: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    Flow::Continue(Some(Value::NULL))
}

fn wait(_: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    unsupported("waiting for references to be enqueued")
}

pub(crate) const ROWS: &[Row] = &[
    symbolic("get", "()Ljava/lang/Object;", NOTED, noted).untouched(),
    symbolic("refersTo", "(Ljava/lang/Object;)Z", NOTED, noted).untouched(),
    symbolic("isEnqueued", "()Z", NOTED, noted).untouched(),
    any("refersTo0", refers_to),
    any("clear0", clear),
    any("hasReferencePendingList", no),
    any("getAndClearReferencePendingList", none),
    any("waitForReferencePendingList", wait),
];

/// Nothing is ever put into a queue.
pub(crate) const QUEUE: &[Row] =
    &[symbolic("poll", "()Ljava/lang/ref/Reference;", NOTED, noted).untouched()];

/// Finalizers are not run, and since Java 18 it can be asked whether they are.
pub(crate) const FINALIZER: &[Row] = &[any("isFinalizationEnabled", no)];

//! `java.lang.StackTraceElement`, made from what `Throwable` recorded.

use crate::java::lang::throwable::unpack;
use crate::table::{Row, any, required};
use dalang_heap::{Body, Reference, Value};
use dalang_interp::{Call, Flow, bug, unsupported};

/// Until Java 18 the second argument is the exception, since then what it recorded.
fn init_elements(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let (elements, mut source) = (call.object(0)?, call.object(1)?);
    if let Some(slot) = call.machine.slot(call.state.heap.class(source), "backtrace")
        && let Some(Value::Reference(backtrace)) = call.state.heap.get(source, slot)
        && !backtrace.is_null()
    {
        source = backtrace;
    }
    let Body::Longs(trace) = call.state.heap.object(source).body.clone() else {
        return unsupported("the stack trace of an exception that is an input");
    };
    let Body::References(elements) = call.state.heap.object(elements).body.clone() else {
        return bug("stack trace elements that are none");
    };
    for (&element, &packed) in elements.iter().zip(trace.iter()) {
        fill(call, element, packed)?;
    }
    Flow::Continue(None)
}

fn fill(call: &mut Call<'_, '_>, element: Reference, packed: i64) -> Flow {
    let (id, pc) = unpack(packed);
    let program = call.machine.program;
    let method = program.method(id);
    let class = program.class(method.class);
    let line = match program.code(id) {
        Ok(Some(code)) => code.line(pc).map_or(-1, i32::from),
        // What is native is marked so.
        _ => -2,
    };
    let module = call.machine.module(method.class).map(str::to_owned);
    let file = class.source_file().map(|file| program.names().text(file).to_owned());
    let mirror = call.machine.mirror(call.state, method.class)?;
    put(call, element, "declaringClassObject", mirror.into());
    let name = program.class_spelling(method.class);
    text(call, element, "declaringClass", &name)?;
    text(call, element, "methodName", program.names().text(method.name))?;
    if let Some(file) = file {
        text(call, element, "fileName", &file)?;
    }
    match module {
        Some(module) => text(call, element, "moduleName", &module)?,
        None => text(call, element, "classLoaderName", "app")?,
    }
    put(call, element, "lineNumber", Value::Int(line));
    Flow::Continue(())
}

fn put(call: &mut Call<'_, '_>, element: Reference, name: &str, value: Value) {
    if let Some(slot) = call.machine.slot(call.state.heap.class(element), name) {
        call.state.heap.set(element, slot, value);
    }
}

fn text(call: &mut Call<'_, '_>, element: Reference, name: &str, text: &str) -> Flow {
    let string = call.machine.intern(call.state, text)?;
    put(call, element, name, string.into());
    Flow::Continue(())
}

/// Loaders and modules are the built-in ones, whose names and versions are not shown.
fn compute_format(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    const BUILT_IN: i32 = 3;
    let element = call.object(0)?;
    put(call, element, "format", Value::Int(BUILT_IN));
    put(call, element, "declaringClassObject", Value::NULL);
    Flow::Continue(None)
}

pub(crate) const ROWS: &[Row] = &[
    any("initStackTraceElements", init_elements),
    required("computeFormat", "()V", "there are no module layers to ask", compute_format),
];

//! `java.lang.Throwable`: the stack trace, as an array of numbers that only this crate reads.

use crate::java::lang::host::NOTED;
use crate::table::{Row, any, native, spoken};
use dalang_classes::MethodId;
use dalang_heap::{Body, Value};
use dalang_interp::{Call, Flow};

/// A frame as one number.
pub(crate) const fn pack(method: MethodId, pc: u16) -> i64 {
    (method.number() as i64) << 16 | pc as i64
}

/// And back.
pub(crate) const fn unpack(packed: i64) -> (MethodId, u16) {
    (MethodId::new((packed >> 16) as u32), packed as u16)
}

/// Records the frames from the one that makes the exception down. Those that run its constructors
/// are left out.
fn fill_in(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    const MOST: usize = 1024;
    let exception = call.object(0)?;
    let program = call.machine.program;
    let class = call.state.heap.class(exception);
    let frames = call.state.frames();
    let making = |method: MethodId| {
        let method = program.method(method);
        let name = program.names().text(method.name);
        (name == "<init>" || name == "fillInStackTrace")
            && program.is_subtype(class, method.class)
            && program.is_subtype(method.class, call.machine.known.throwable)
    };
    let trace = frames.iter().rev().filter(|frame| !frame.is_hidden());
    let trace = trace.skip_while(|frame| making(frame.method)).take(MOST);
    let packed: Vec<i64> = trace.map(|frame| pack(frame.method, frame.pc)).collect();
    let depth = packed.len() as i32;
    let longs = call.machine.class("[J")?;
    let backtrace = call.state.heap.allocate(longs, Body::Longs(packed.into()));
    call.machine.set_field(call.state, exception, "backtrace", backtrace)?;
    if call.machine.slot(class, "depth").is_some() {
        call.machine.set_field(call.state, exception, "depth", depth)?;
    }
    Flow::Continue(Some(exception.into()))
}

fn no_helpful_text(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    call.machine.assume(
        call.state,
        "messages of NullPointerException: as with -XX:-ShowCodeDetailsInExceptionMessages",
    );
    Flow::Continue(Some(Value::NULL))
}

/// A program looks at a stack trace, which ends with the method that is explored.
pub(crate) fn note_trace(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    if call.machine.is_called_by_program(call.state) {
        call.machine.assume(call.state, "stack traces: nobody has called the method");
    }
    call.proceed()
}

/// The descriptor of `getStackTrace`.
pub(crate) const TRACE: &str = "()[Ljava/lang/StackTraceElement;";

pub(crate) const ROWS: &[Row] = &[
    native("fillInStackTrace", "(I)Ljava/lang/Throwable;", fill_in),
    spoken("getStackTrace", TRACE, NOTED, note_trace),
];

/// The helpful texts of `NullPointerException` are off, as with
/// `-XX:-ShowCodeDetailsInExceptionMessages`.
pub(crate) const NULL_POINTER: &[Row] = &[any("getExtendedNPEMessage", no_helpful_text)];

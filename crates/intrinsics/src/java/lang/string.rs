//! `java.lang.String` and its representation.

use crate::table::{Row, any, native};
use dalang_heap::Value;
use dalang_interp::{Call, Flow};

fn intern(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let string = call.object(0)?;
    let interned = call.machine.intern_string(call.state, string)?;
    // What the library interns for itself is not for the program to see.
    if interned == string && call.machine.is_called_by_program(call.state) {
        call.machine.assume(call.state, "strings that the program interns: nobody else has before");
    }
    Flow::Continue(Some(interned.into()))
}

fn no(_: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    Flow::Continue(Some(Value::Int(0)))
}

pub(crate) const ROWS: &[Row] = &[native("intern", "()Ljava/lang/String;", intern)];

pub(crate) const UTF16: &[Row] = &[any("isBigEndian", no)];

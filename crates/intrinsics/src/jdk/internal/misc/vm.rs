//! `jdk.internal.misc.VM`.

use crate::table::{Row, any};
use dalang_heap::{Reference, Value};
use dalang_interp::{Call, Flow};

fn nothing(_: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    Flow::Continue(None)
}

fn no_loader(_: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    Flow::Continue(Some(Value::NULL))
}

/// Nanoseconds since an offset in seconds, on the clock that programs see.
fn nano_time_adjustment(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let offset = call.long(0)?;
    crate::java::lang::host::note_clock(call);
    let nanos = crate::java::clock(call.state);
    let adjustment = offset.checked_mul(1_000_000_000).and_then(|base| nanos.checked_sub(base));
    Flow::Continue(Some(Value::Long(adjustment.unwrap_or(-1))))
}

fn runtime_arguments(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let none: &[Reference] = &[];
    let strings = call.machine.allocate_references(call.state, call.machine.known.string, none)?;
    Flow::Continue(Some(strings.into()))
}

pub(crate) const ROWS: &[Row] = &[
    any("initialize", nothing),
    any("latestUserDefinedLoader0", no_loader),
    any("getNanoTimeAdjustment", nano_time_adjustment),
    any("getRuntimeArguments", runtime_arguments),
];

//! `java.util.concurrent.atomic.AtomicLong`.

use crate::table::{Row, any};
use dalang_heap::Value;
use dalang_interp::{Call, Flow};

/// Whether eight bytes can be compared and set at once.
fn yes(_: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    Flow::Continue(Some(Value::Int(1)))
}

pub(crate) const ROWS: &[Row] = &[any("VMSupportsCS8", yes)];

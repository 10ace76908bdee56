//! `java.util.TimeZone`: programs run in Greenwich, on every host.

use crate::table::{Row, any};
use dalang_heap::Value;
use dalang_interp::{Call, Flow};

fn system_zone(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    call.machine.assume(call.state, "the default time zone: Etc/UTC");
    Flow::Continue(Some(call.machine.intern(call.state, "Etc/UTC")?.into()))
}

fn offset(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    Flow::Continue(Some(call.machine.intern(call.state, "GMT")?.into()))
}

pub(crate) const ROWS: &[Row] =
    &[any("getSystemTimeZoneID", system_zone), any("getSystemGMTOffsetID", offset)];

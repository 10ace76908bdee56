//! `java.security.AccessController`: everything is allowed, as it is without a security manager.

use crate::table::{Row, any};
use dalang_heap::Value;
use dalang_interp::{Call, Flow};

/// The context of code that may do everything.
fn unrestricted(_: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    Flow::Continue(Some(Value::NULL))
}

fn nothing(_: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    Flow::Continue(None)
}

pub(crate) const ROWS: &[Row] = &[
    any("getStackAccessControlContext", unrestricted),
    any("getInheritedAccessControlContext", unrestricted),
    any("getProtectionDomain", unrestricted),
    any("ensureMaterializedForStackWalk", nothing),
];

//! Packages below `java.nio`.

use crate::java::lang::host::NOTED;
use crate::table::{Package, Row, spoken};
use dalang_heap::Value;
use dalang_interp::{Call, Flow};

pub(crate) const CLASSES: Package = &[("java/nio/charset/Charset", CHARSET)];

/// Where a program that is explored depends on it, the result says so.
fn default_charset(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    call.machine.assume(call.state, "the default charset: UTF-8");
    call.proceed()
}

const CHARSET: &[Row] =
    &[spoken("defaultCharset", "()Ljava/nio/charset/Charset;", NOTED, default_charset)];

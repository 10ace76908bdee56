//! `java.util.Locale`: where a program that is explored depends on the default, the result says so.

use crate::java::lang::host::NOTED;
use crate::table::{Row, spoken};
use dalang_heap::Value;
use dalang_interp::{Call, Flow};

fn locale(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    call.machine.assume(call.state, "the default locale: en_US");
    call.proceed()
}

pub(crate) const ROWS: &[Row] = &[
    spoken("getDefault", "()Ljava/util/Locale;", NOTED, locale),
    spoken("getDefault", "(Ljava/util/Locale$Category;)Ljava/util/Locale;", NOTED, locale)
        .untouched(),
];

//! `jdk.internal.util.ArraysSupport`: comparing arrays.

use crate::table::{Row, required};
use dalang_heap::{Body, Value};
use dalang_interp::{Call, Flow};

/// `vectorizedMismatch` may leave any number of elements at the end to its caller, which compares
/// them one by one. Of arrays that hold terms it leaves all: memory read as `long`s would mix them.
fn vectorized_mismatch(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let is_plain = |array| {
        let body = &call.state.heap.object(array).body;
        !matches!(body, Body::Values(_) | Body::Elements(_))
    };
    let (a, b) = (call.object(0)?, call.object(2)?);
    let constants = [1, 3, 4, 5].iter().all(|&index| call.argument(index).bits().is_some());
    if constants && is_plain(a) && is_plain(b) {
        return call.proceed();
    }
    let length = call.machine.term(call.argument(4));
    let left = call.machine.pool.bv_not(length);
    Flow::Continue(Some(call.machine.value(left)))
}

const WORDS: &str = "the bytecode reads several elements as one long, which terms are not";

pub(crate) const SUPPORT: &[Row] = &[required(
    "vectorizedMismatch",
    "(Ljava/lang/Object;JLjava/lang/Object;JII)I",
    WORDS,
    vectorized_mismatch,
)
.loose()];

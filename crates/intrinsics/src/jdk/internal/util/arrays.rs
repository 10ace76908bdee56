//! `jdk.internal.util.ArraysSupport`: comparing arrays, and how long one is that grows.

use crate::table::{Row, required, symbolic};
use dalang_heap::{Body, Value};
use dalang_interp::{Call, Flow};

/// `vectorizedMismatch` may leave any number of elements at the end to its caller, which compares
/// them one by one. Of arrays that hold terms it leaves all: memory read as `long`s would mix them.
fn vectorized_mismatch(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let is_plain = |array| {
        let body = &call.state.heap.object(array).body;
        !matches!(body, Body::Values(_) | Body::Patched(_) | Body::Elements(_))
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

/// The longest array that the library asks for without need.
const SOFT_MAX: i32 = i32::MAX - 8;

/// `newLength(length, least, preferred)`: by how much an array grows. Which of the two it is makes no
/// difference to the program; what is too long is left to the library.
fn new_length(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let all = [0, 1, 2].map(|index| call.argument(index));
    if all.iter().all(|value| matches!(value, Value::Int(_))) {
        return call.proceed();
    }
    let [length, least, preferred] = all.map(|value| call.machine.term(value));
    let pool = &mut call.machine.pool;
    let less = pool.slt(least, preferred);
    let growth = pool.ite(less, preferred, least);
    let sum = pool.add(length, growth);
    let (zero, most) = (pool.int(0), pool.int(SOFT_MAX));
    let (some, few) = (pool.sgt(sum, zero), pool.sle(sum, most));
    let fine = pool.and(some, few);
    if !call.machine.decide(call.state, fine)? {
        return call.proceed();
    }
    Flow::Continue(Some(call.machine.value(sum)))
}

const LARGER: &str = "the bytecode asks which of two numbers is larger";
const WORDS: &str = "the bytecode reads several elements as one long, which terms are not";

pub(crate) const SUPPORT: &[Row] = &[
    symbolic("newLength", "(III)I", LARGER, new_length),
    required(
        "vectorizedMismatch",
        "(Ljava/lang/Object;JLjava/lang/Object;JII)I",
        WORDS,
        vectorized_mismatch,
    )
    .loose(),
];

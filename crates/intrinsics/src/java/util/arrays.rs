//! `java.util.Arrays` on ranges of arrays that are not known: to fill one, the bytecode goes from element
//! to element, and would ask each time whether that was the last one; to copy one, it asks which of two
//! lengths is less, which makes no difference to the program.
//!
//! What is out of range, arrays of references that may not hold the value, and whatever is an exception
//! are left to the library.

use crate::table::{Row, symbolic};
use dalang_heap::{Body, Reference, Value};
use dalang_interp::{Call, Flow, Range};

fn is_listed(call: &Call<'_, '_>, array: Reference) -> bool {
    !matches!(call.state.heap.object(array).body, Body::Elements(_))
}

/// The whole of an array of a primitive type.
fn fill(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let array = call.reference(0)?;
    if array.is_null() || is_listed(call, array) {
        return call.proceed();
    }
    whole(call, array)
}

/// A range of an array of a primitive type.
fn fill_range(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let array = call.reference(0)?;
    if array.is_null() {
        return call.proceed();
    }
    range(call, array)
}

fn whole(call: &mut Call<'_, '_>, array: Reference) -> Flow<Option<Value>> {
    let count = call.machine.array_length_value(call.state, array);
    let target = Range { array, start: Value::Int(0) };
    let value = call.argument(1);
    call.machine.fill_elements(call.state, target, count, value)?;
    Flow::Continue(None)
}

fn range(call: &mut Call<'_, '_>, array: Reference) -> Flow<Option<Value>> {
    let (start, end, value) = (call.argument(1), call.argument(2), call.argument(3));
    let constants = matches!((start, end), (Value::Int(_), Value::Int(_)));
    if constants && is_listed(call, array) {
        return call.proceed();
    }
    let length = call.machine.array_length_value(call.state, array);
    let [from, to, length] = [start, end, length].map(|value| call.machine.term(value));
    let pool = &mut call.machine.pool;
    let zero = pool.int(0);
    let conditions = [pool.sge(from, zero), pool.sle(from, to), pool.sle(to, length)];
    let fine = pool.and_all(conditions);
    if !call.machine.decide(call.state, fine)? {
        return call.proceed();
    }
    let count = call.machine.pool.sub(to, from);
    let count = call.machine.value(count);
    call.machine.fill_elements(call.state, Range { array, start }, count, value)?;
    Flow::Continue(None)
}

/// The array of references that is filled, if it holds whatever it is filled with.
fn any_holder(call: &Call<'_, '_>, value: usize) -> Option<Reference> {
    let Value::Reference(array) = call.machine.known_value(call.state, call.argument(0)) else {
        return None;
    };
    let object = call.state.heap.find(array).filter(|object| object.body.is_array())?;
    let class = call.machine.program.array_of(call.machine.known.object).ok()?;
    let holds = call.argument(value) == Value::NULL || (object.class == class && !object.inexact);
    holds.then_some(array)
}

/// The whole of an array of references.
fn fill_references(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    match any_holder(call, 1) {
        Some(array) if !is_listed(call, array) => whole(call, array),
        _ => call.proceed(),
    }
}

/// A range of an array of references.
fn fill_reference_range(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    match any_holder(call, 3) {
        Some(array) => range(call, array),
        None => call.proceed(),
    }
}

/// The first elements of an array of a primitive type, in a new one of a given length.
fn copy_of(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let array = call.reference(0)?;
    if array.is_null() {
        return call.proceed();
    }
    let (own, length) = (call.machine.array_length_value(call.state, array), call.argument(1));
    if matches!((own, length), (Value::Int(_), Value::Int(_))) {
        return call.proceed();
    }
    copied(call, Range { array, start: Value::Int(0) }, own, length)
}

/// A range of an array of a primitive type, which may end behind it.
fn copy_of_range(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let array = call.reference(0)?;
    if array.is_null() {
        return call.proceed();
    }
    let (start, end) = (call.argument(1), call.argument(2));
    let own = call.machine.array_length_value(call.state, array);
    if matches!((own, start, end), (Value::Int(_), Value::Int(_), Value::Int(_))) {
        return call.proceed();
    }
    let [own, from, to] = [own, start, end].map(|value| call.machine.term(value));
    let pool = &mut call.machine.pool;
    let zero = pool.int(0);
    let conditions = [pool.sge(from, zero), pool.sle(from, own), pool.sle(from, to)];
    let fine = pool.and_all(conditions);
    if !call.machine.decide(call.state, fine)? {
        return call.proceed();
    }
    let pool = &mut call.machine.pool;
    let [there, length] = [pool.sub(own, from), pool.sub(to, from)];
    let [there, length] = [there, length].map(|term| call.machine.value(term));
    copied(call, Range { array, start }, there, length)
}

/// A new array of a length, with as many elements of a range as there are and fit.
fn copied(
    call: &mut Call<'_, '_>,
    source: Range,
    there: Value,
    length: Value,
) -> Flow<Option<Value>> {
    let class = call.state.heap.class(source.array);
    if !call.machine.is_length(call.state, class, length)? {
        return call.proceed();
    }
    let [less, more] = [length, there].map(|value| call.machine.term(value));
    let pool = &mut call.machine.pool;
    let shorter = pool.slt(less, more);
    let count = pool.ite(shorter, less, more);
    let count = call.machine.value(count);
    let array = call.machine.new_array_value(call.state, class, length)?;
    let target = Range { array, start: Value::Int(0) };
    call.machine.copy_elements(call.state, source, target, count)?;
    Flow::Continue(Some(array.into()))
}

const LOOP: &str = "the bytecode asks after each element whether it was the last";

const LESS: &str = "the bytecode asks which of two lengths is less";

pub(crate) const ROWS: &[Row] = &[
    symbolic("fill", "([ZZ)V", LOOP, fill),
    symbolic("fill", "([BB)V", LOOP, fill),
    symbolic("fill", "([CC)V", LOOP, fill),
    symbolic("fill", "([SS)V", LOOP, fill),
    symbolic("fill", "([II)V", LOOP, fill),
    symbolic("fill", "([JJ)V", LOOP, fill),
    symbolic("fill", "([FF)V", LOOP, fill),
    symbolic("fill", "([DD)V", LOOP, fill),
    symbolic("fill", "([ZIIZ)V", LOOP, fill_range),
    symbolic("fill", "([BIIB)V", LOOP, fill_range),
    symbolic("fill", "([CIIC)V", LOOP, fill_range),
    symbolic("fill", "([SIIS)V", LOOP, fill_range),
    symbolic("fill", "([IIII)V", LOOP, fill_range),
    symbolic("fill", "([JIIJ)V", LOOP, fill_range),
    symbolic("fill", "([FIIF)V", LOOP, fill_range),
    symbolic("fill", "([DIID)V", LOOP, fill_range),
    symbolic("fill", "([Ljava/lang/Object;Ljava/lang/Object;)V", LOOP, fill_references).untouched(),
    symbolic("fill", "([Ljava/lang/Object;IILjava/lang/Object;)V", LOOP, fill_reference_range)
        .untouched(),
    symbolic("copyOf", "([ZI)[Z", LESS, copy_of),
    symbolic("copyOf", "([BI)[B", LESS, copy_of),
    symbolic("copyOf", "([CI)[C", LESS, copy_of),
    symbolic("copyOf", "([SI)[S", LESS, copy_of),
    symbolic("copyOf", "([II)[I", LESS, copy_of),
    symbolic("copyOf", "([JI)[J", LESS, copy_of),
    symbolic("copyOf", "([FI)[F", LESS, copy_of),
    symbolic("copyOf", "([DI)[D", LESS, copy_of),
    symbolic("copyOfRange", "([ZII)[Z", LESS, copy_of_range),
    symbolic("copyOfRange", "([BII)[B", LESS, copy_of_range),
    symbolic("copyOfRange", "([CII)[C", LESS, copy_of_range),
    symbolic("copyOfRange", "([SII)[S", LESS, copy_of_range),
    symbolic("copyOfRange", "([III)[I", LESS, copy_of_range),
    symbolic("copyOfRange", "([JII)[J", LESS, copy_of_range),
    symbolic("copyOfRange", "([FII)[F", LESS, copy_of_range),
    symbolic("copyOfRange", "([DII)[D", LESS, copy_of_range),
];

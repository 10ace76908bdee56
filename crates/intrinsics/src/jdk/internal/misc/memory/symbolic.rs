//! Memory that holds terms: bytes are cut out of elements and put together again.

use super::{element, size};
use dalang_classes::{Primitive, ValueType};
use dalang_heap::{Reference, Value};
use dalang_interp::{Call, Flow, unsupported};
use dalang_term::{NanBits, TermId};

/// The bits of a value, as a term.
fn bits(call: &mut Call<'_, '_>, value: Value) -> TermId {
    let term = call.machine.term(value);
    if call.machine.pool.sort(term).is_float() {
        return call.machine.pool.float_to_bits(term, NanBits::Raw);
    }
    term
}

/// The same bits, as a type.
pub(super) fn reread(call: &mut Call<'_, '_>, value: Value, of: Primitive) -> Value {
    let bits = bits(call, value);
    let width = 8 * size(Some(of)) as u8;
    let pool = &mut call.machine.pool;
    let has = pool.sort(bits).width();
    let low = if has > u32::from(width) { pool.extract(bits, width - 1, 0) } else { bits };
    let wide = |pool: &mut dalang_term::Pool, to: u8| {
        if pool.sort(low).width() < u32::from(to) { pool.sign_extend(low, to) } else { low }
    };
    let term = match of {
        Primitive::Float => {
            let bits = wide(pool, 32);
            pool.bits_to_float(bits)
        }
        Primitive::Double => {
            let bits = wide(pool, 64);
            pool.bits_to_float(bits)
        }
        Primitive::Long => wide(pool, 64),
        _ => wide(pool, 32),
    };
    let value = call.machine.value(term);
    call.machine.fit(value, ValueType::Primitive(of))
}

/// Bytes of an array, the lowest first.
pub(super) fn load(
    call: &mut Call<'_, '_>,
    array: Reference,
    at: usize,
    count: usize,
) -> Flow<Value> {
    let size = size(element(call, call.state.heap.class(array))) as usize;
    let mut whole: Option<TermId> = None;
    for place in at..at + count {
        let index = Value::Int((place / size) as i32);
        let value = call.machine.peek_element(call.state, array, index)?;
        let bits = bits(call, value);
        let low = 8 * (place % size) as u8;
        let byte = call.machine.pool.extract(bits, low + 7, low);
        whole = Some(match whole {
            Some(whole) => call.machine.pool.concat(byte, whole),
            None => byte,
        });
    }
    match whole {
        Some(whole) => {
            let pool = &mut call.machine.pool;
            let to = if pool.sort(whole).width() > 32 { 64 } else { 32 };
            let wide = pool.sign_extend(whole, to);
            Flow::Continue(call.machine.value(wide))
        }
        None => unsupported("reading no bytes"),
    }
}

/// Stores a value as bytes of a `byte[]`, the lowest first.
pub(super) fn store(
    call: &mut Call<'_, '_>,
    array: Reference,
    at: usize,
    count: usize,
    value: Value,
) -> Flow {
    if element(call, call.state.heap.class(array)) != Some(Primitive::Byte) {
        return unsupported("a symbolic value, written as bytes of other elements");
    }
    let bits = bits(call, value);
    for place in 0..count {
        let low = 8 * place as u8;
        let byte = call.machine.pool.extract(bits, low + 7, low);
        let byte = call.machine.pool.sign_extend(byte, 32);
        let byte = call.machine.value(byte);
        let index = Value::Int((at + place) as i32);
        call.machine.store_element(call.state, array, index, byte)?;
    }
    Flow::Continue(())
}

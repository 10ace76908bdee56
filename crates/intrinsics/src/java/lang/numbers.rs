//! `java.lang.Float` and `java.lang.Double`: bits and back.

use crate::table::{Row, native};
use dalang_heap::Value;
use dalang_interp::{Call, Flow};
use dalang_term::NanBits;

fn float_bits(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    Flow::Continue(Some(match call.argument(0) {
        Value::Float(value) => Value::Int(value.to_bits() as i32),
        Value::Double(value) => Value::Long(value.to_bits() as i64),
        other => {
            let term = call.machine.term(other);
            let bits = call.machine.pool.float_to_bits(term, NanBits::Raw);
            call.machine.value(bits)
        }
    }))
}

fn bits_float(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    Flow::Continue(Some(match call.argument(0) {
        Value::Int(bits) => Value::Float(f32::from_bits(bits as u32)),
        Value::Long(bits) => Value::Double(f64::from_bits(bits as u64)),
        other => {
            let term = call.machine.term(other);
            let float = call.machine.pool.bits_to_float(term);
            call.machine.value(float)
        }
    }))
}

pub(crate) const FLOAT: &[Row] = &[
    native("floatToRawIntBits", "(F)I", float_bits),
    native("intBitsToFloat", "(I)F", bits_float),
];

pub(crate) const DOUBLE: &[Row] = &[
    native("doubleToRawLongBits", "(D)J", float_bits),
    native("longBitsToDouble", "(J)D", bits_float),
];

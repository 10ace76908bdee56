//! `valueOf` and `toString` of the boxes of integral numbers, for symbolic numbers.

use crate::table::{Row, symbolic};
use dalang_heap::Value;
use dalang_interp::{Call, Flow};

fn value_of(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let value = call.argument(0);
    if !matches!(value, Value::Term(_)) {
        return call.proceed();
    }
    let class = call.machine.program.method(call.method()).class;
    Flow::Continue(Some(call.machine.box_term(call.state, class, value)?.into()))
}

fn to_string(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let Value::Term(number) = call.argument(0) else { return call.proceed() };
    let text = call.machine.decimal(number);
    Flow::Continue(Some(call.machine.new_text(call.state, text)?.into()))
}

const DIGITS: &str =
    "the bytecode counts the digits, one path for each number of them, and divides";
const CACHE: &str = "the bytecode looks the object up in a cache, one path for each";

pub(crate) const INTEGER: &[Row] = &[
    symbolic("valueOf", "(I)Ljava/lang/Integer;", CACHE, value_of),
    symbolic("toString", "(I)Ljava/lang/String;", DIGITS, to_string),
];
pub(crate) const LONG: &[Row] = &[
    symbolic("valueOf", "(J)Ljava/lang/Long;", CACHE, value_of),
    symbolic("toString", "(J)Ljava/lang/String;", DIGITS, to_string),
];
pub(crate) const SHORT: &[Row] = &[symbolic("valueOf", "(S)Ljava/lang/Short;", CACHE, value_of)];
pub(crate) const BYTE: &[Row] = &[symbolic("valueOf", "(B)Ljava/lang/Byte;", CACHE, value_of)];
pub(crate) const CHARACTER: &[Row] =
    &[symbolic("valueOf", "(C)Ljava/lang/Character;", CACHE, value_of)];

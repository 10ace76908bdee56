//! `jdk.internal.reflect.ConstantPool`: constants of a class by index, for annotations.

use crate::table::{Row, any};
use dalang_classes::{Class, Constant, ConstantId};
use dalang_heap::Value;
use dalang_interp::{Call, Flow, linked, raise};

/// The class that the pool is of, and the index.
fn entry<'p>(call: &Call<'_, 'p>) -> Flow<(&'p Class, u16)> {
    let class = call.class(1)?;
    Flow::Continue((call.machine.program.class(class), call.int(2)? as u16))
}

fn wrong<T>() -> Flow<T> {
    raise("java/lang/IllegalArgumentException", "Wrong type at constant pool index")
}

fn number(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let (class, index) = entry(call)?;
    let value = match class.pool.constant(ConstantId::new(index)) {
        Some(Constant::Int(value)) => Value::Int(value),
        Some(Constant::Long(value)) => Value::Long(value),
        Some(Constant::Float(value)) => Value::Float(value),
        Some(Constant::Double(value)) => Value::Double(value),
        _ => return wrong(),
    };
    Flow::Continue(Some(value))
}

fn utf8(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let (class, index) = entry(call)?;
    let Some(text) = class.pool.text(index) else { return wrong() };
    Flow::Continue(Some(call.machine.intern_utf16(call.state, &text.to_utf16())?.into()))
}

fn string(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let (class, index) = entry(call)?;
    let Some(Constant::String(text)) = class.pool.constant(ConstantId::new(index)) else {
        return wrong();
    };
    Flow::Continue(Some(call.machine.intern_utf16(call.state, &text.to_utf16())?.into()))
}

fn class(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let (class, index) = entry(call)?;
    let Some(Constant::Class(reference)) = class.pool.constant(ConstantId::new(index)) else {
        return wrong();
    };
    let found = linked(call.machine.program.resolve_class(class.id, reference))?;
    Flow::Continue(Some(call.machine.mirror(call.state, found)?.into()))
}

pub(crate) const ROWS: &[Row] = &[
    any("getIntAt0", number),
    any("getLongAt0", number),
    any("getFloatAt0", number),
    any("getDoubleAt0", number),
    any("getStringAt0", string),
    any("getUTF8At0", utf8),
    any("getClassAt0", class),
];

//! Offsets: which number stands for a field or an element, and what lies at a number.
//!
//! An array is laid out as in C, behind sixteen bytes of header. The offset of a field is made of its
//! slot and a mark of the field itself, so that a program cannot take a field of one class for one of
//! another, or a number of its own for a field: what HotSpot has there depends on how it lays out
//! objects. Such an access is a stop that says what is wrong with it, and so is one that is not inside an
//! object, or that takes a reference for a number.

use super::{element, size};
use dalang_classes::{ClassId, FieldId, Primitive, Program, ValueType};
use dalang_heap::{Body, Reference, Value};
use dalang_interp::{Call, Flow, unsupported};

pub(super) const HEADER: i64 = 16;
const FIELD: i64 = 8;
/// One more than the largest slot that has an offset.
const SLOTS: i64 = 1 << 12;
/// Marks are below this, so that every offset fits an `int`, as programs expect.
const MARKS: u32 = 1 << 15;

/// The offset of a field; none if its class has too many.
pub(super) fn offset_of(program: &Program, field: FieldId) -> Option<i64> {
    let slot = i64::from(program.field(field).slot);
    let marked = slot + SLOTS * i64::from(mark(program, field));
    (slot < SLOTS).then_some(HEADER + FIELD * marked)
}

/// A number for a field that depends on its names alone, and is not zero.
fn mark(program: &Program, field: FieldId) -> u32 {
    let field = program.field(field);
    let names = [program.class(field.class).name, field.name, field.descriptor];
    let bytes = names.into_iter().flat_map(|name| program.names().text(name).bytes());
    let hash = bytes
        .fold(0x811c_9dc5_u32, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193));
    1 + (hash ^ hash >> 15) % (MARKS - 1)
}

/// Where an access goes.
pub(super) enum Place {
    /// A field or an element, in its own size, and what it holds; none is a reference.
    Slot(usize, Option<Primitive>),
    /// Bytes of an array that are not one element.
    Bytes(usize),
}

/// Where an access to something of this type goes; none is a reference.
pub(super) fn place(
    call: &Call<'_, '_>,
    object: Reference,
    offset: i64,
    of: Option<Primitive>,
) -> Flow<Place> {
    if object.is_null() {
        return unsupported("memory outside objects, through jdk.internal.misc.Unsafe");
    }
    let body = &call.state.heap.object(object).body;
    if let Body::Elements(_) = body {
        return unsupported("an input array, through jdk.internal.misc.Unsafe");
    }
    let Some(behind) = offset.checked_sub(HEADER).filter(|&behind| behind >= 0) else {
        return unsupported("the header of an object, through jdk.internal.misc.Unsafe");
    };
    if !body.is_array() {
        return field(call, object, offset, of);
    }
    let own = element(call, call.state.heap.class(object));
    let (width, step) = (size(of), size(own));
    let end = behind.checked_add(width);
    if end.is_none_or(|end| end > step.saturating_mul(body.len() as i64)) {
        return unsupported("memory behind an array, through jdk.internal.misc.Unsafe");
    }
    if own.is_none() != of.is_none() {
        return mistaken(of, own);
    }
    if step == width && behind % step == 0 {
        return Flow::Continue(Place::Slot((behind / step) as usize, own));
    }
    if own.is_none() {
        return unsupported("a part of a reference, through jdk.internal.misc.Unsafe");
    }
    Flow::Continue(Place::Bytes(behind as usize))
}

fn field(
    call: &Call<'_, '_>,
    object: Reference,
    offset: i64,
    of: Option<Primitive>,
) -> Flow<Place> {
    let program = call.machine.program;
    let class = program.class(call.state.heap.class(object));
    let is_statics = call.machine.is_static_base(call.state, object);
    let fields = if is_statics { &class.static_fields } else { &class.instance_fields };
    let slot = (offset - HEADER) / FIELD % SLOTS;
    let found = fields.get(slot as usize).copied();
    let Some(found) = found.filter(|&field| offset_of(program, field) == Some(offset)) else {
        let class = program.java_name(class.id);
        return unsupported(format!(
            "an offset that is of no field of {class}, through jdk.internal.misc.Unsafe"
        ));
    };
    let own = match program.field(found).value {
        ValueType::Primitive(primitive) => Some(primitive),
        ValueType::Reference(_) => None,
    };
    if own.is_none() != of.is_none() || size(own) != size(of) {
        return mistaken(of, own);
    }
    Flow::Continue(Place::Slot(slot as usize, own))
}

fn mistaken<T>(of: Option<Primitive>, own: Option<Primitive>) -> Flow<T> {
    let [of, own] = [of, own].map(|of| of.map_or("a reference", Primitive::keyword));
    unsupported(format!("{own} that is accessed as {of}, through jdk.internal.misc.Unsafe"))
}

/// Stops where a reference is stored that its place cannot hold: HotSpot stores it, and whatever comes
/// of it is no Java.
pub(super) fn fits(call: &Call<'_, '_>, object: Reference, slot: usize, value: Value) -> Flow {
    let Value::Reference(stored) = value else { return Flow::Continue(()) };
    if stored.is_null() || call.state.heap.object(stored).inexact {
        return Flow::Continue(());
    }
    let program = call.machine.program;
    let class = call.state.heap.class(object);
    let holds: Option<ClassId> = match program.class(class).shape {
        dalang_classes::Shape::Array { component, .. } => Some(component),
        _ => {
            let is_statics = call.machine.is_static_base(call.state, object);
            let declared = program.class(class);
            let fields =
                if is_statics { &declared.static_fields } else { &declared.instance_fields };
            let field = fields.get(slot).map(|&field| program.field(field));
            field.and_then(|field| program.class_of_type(field.value).ok())
        }
    };
    let stored = call.state.heap.class(stored);
    if holds.is_none_or(|holds| program.is_subtype(stored, holds)) {
        return Flow::Continue(());
    }
    let name = program.java_name(stored);
    unsupported(format!("a {name}, stored where none fits, through jdk.internal.misc.Unsafe"))
}

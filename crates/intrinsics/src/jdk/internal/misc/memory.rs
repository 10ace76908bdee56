//! `jdk.internal.misc.Unsafe`, as far as it is about objects and arrays.
//!
//! An offset is a number that only this class interprets (`memory/layout.rs`). There is no memory
//! outside objects. An access that Java's rules for this class leave open, and HotSpot's layout decides,
//! is a named stop.

mod layout;
mod symbolic;

use crate::table::{Row, any, native, required};
use dalang_classes::{ClassId, FieldId, Kind, Primitive, Shape};
use dalang_heap::{Body, Need, Reference, Value};
use dalang_interp::{Call, Flow, Interrupt, bug, raise, raise_bare, unsupported};
use layout::{HEADER, Place, place};

fn nothing(_: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    Flow::Continue(None)
}

/// The element type of an array class, as memory sees it.
fn element(call: &Call<'_, '_>, class: ClassId) -> Option<Primitive> {
    match call.machine.program.class(class).shape {
        Shape::Array { component, .. } => match call.machine.program.class(component).shape {
            Shape::Primitive(primitive) => primitive,
            _ => None,
        },
        _ => None,
    }
}

const fn size(primitive: Option<Primitive>) -> i64 {
    match primitive {
        Some(Primitive::Boolean | Primitive::Byte) => 1,
        Some(Primitive::Char | Primitive::Short) => 2,
        Some(Primitive::Long | Primitive::Double) => 8,
        Some(Primitive::Int | Primitive::Float) | None => 4,
    }
}

/// Bytes of an array, as they lie in memory.
fn load_bytes(body: &Body, at: usize, count: usize) -> Option<u64> {
    let mut bits = 0;
    for index in (at..at + count).rev() {
        bits = bits << 8 | u64::from(load_byte(body, index)?);
    }
    Some(bits)
}

fn load_byte(body: &Body, at: usize) -> Option<u8> {
    let (index, part) = split(body, at)?;
    let bits = body.get(index)?.bits()?;
    Some((bits >> (8 * part)) as u8)
}

/// The element that a byte belongs to, and which of its bytes it is.
fn split(body: &Body, at: usize) -> Option<(usize, usize)> {
    let size = match body {
        Body::Bytes(_) => 1,
        Body::Chars(_) | Body::Shorts(_) => 2,
        Body::Ints(_) | Body::Floats(_) => 4,
        Body::Longs(_) | Body::Doubles(_) => 8,
        Body::Fields(_)
        | Body::References(_)
        | Body::Values(_)
        | Body::Patched(_)
        | Body::Elements(_)
        | Body::Accessed(_) => return None,
    };
    Some((at / size, at % size))
}

fn store_bytes(body: &mut Body, at: usize, count: usize, bits: u64) -> Option<()> {
    load_bytes(body, at, count)?;
    for index in 0..count {
        let (element, part) = split(body, at + index)?;
        let byte = (bits >> (8 * index)) & 0xff;
        let old = body.get(element)?;
        let new = old.bits()? & !(0xff << (8 * part)) | byte << (8 * part);
        if !body.set(element, Value::from_bits(old.kind()?, new)) {
            return None;
        }
    }
    Some(())
}

/// Reads what a method of this class that is called `get...` reads.
fn read(
    call: &mut Call<'_, '_>,
    object: Reference,
    offset: i64,
    of: Option<Primitive>,
) -> Flow<Value> {
    let width = size(of);
    let at = match place(call, object, offset, of)? {
        Place::Slot(slot, own) => {
            let value = slot_value(call, object, slot)?;
            return if own == of && of.is_some() {
                Flow::Continue(value)
            } else {
                reread(call, value, of)
            };
        }
        Place::Bytes(at) => at,
    };
    let Some(of) = of else { return bug("a reference is read as bytes") };
    let value = match load_bytes(&call.state.heap.object(object).body, at, width as usize) {
        Some(bits) => Value::from_bits(of.kind(), bits),
        None => symbolic::load(call, object, at, width as usize)?,
    };
    reread(call, value, Some(of))
}

/// A field or element.
fn slot_value(call: &mut Call<'_, '_>, object: Reference, slot: usize) -> Flow<Value> {
    match call.state.heap.get(object, slot) {
        Some(value) => Flow::Continue(value),
        None => bug("an offset points behind an object"),
    }
}

/// The same bits, as the type that is asked for: a `long` of a `double[]`, for instance.
fn reread(call: &mut Call<'_, '_>, value: Value, of: Option<Primitive>) -> Flow<Value> {
    let Some(of) = of else { return call.machine.needed(call.state, value, Need::Read) };
    Flow::Continue(match value.bits() {
        // HotSpot takes everything for true that is not zero.
        Some(bits) if of == Primitive::Boolean => Value::boolean(bits & 0xff != 0),
        Some(bits) => {
            Value::from_bits(of.kind(), bits).narrowed(dalang_classes::ValueType::Primitive(of))
        }
        None if of == Primitive::Boolean => {
            return unsupported("a symbolic number, read as a boolean through Unsafe");
        }
        None => symbolic::reread(call, value, of),
    })
}

/// The kind of a value, be it known or not.
fn held(call: &Call<'_, '_>, value: Value) -> Option<Kind> {
    match value {
        Value::Term(term) => Some(call.machine.kind_of(term)),
        known => known.kind(),
    }
}

fn write(
    call: &mut Call<'_, '_>,
    object: Reference,
    offset: i64,
    of: Option<Primitive>,
    value: Value,
) -> Flow {
    let width = size(of);
    let at = match place(call, object, offset, of)? {
        Place::Slot(slot, own) => return write_slot(call, object, slot, own, of, value),
        Place::Bytes(at) => at,
    };
    if element(call, call.state.heap.class(object)) == Some(Primitive::Boolean) {
        return unsupported("bytes, written as booleans through jdk.internal.misc.Unsafe");
    }
    if let Some(bits) = value.bits() {
        let body = &mut call.state.heap.object_mut(object).body;
        if store_bytes(body, at, width as usize, bits).is_some() {
            return Flow::Continue(());
        }
    }
    symbolic::store(call, object, at, width as usize, value)
}

fn write_slot(
    call: &mut Call<'_, '_>,
    object: Reference,
    slot: usize,
    own: Option<Primitive>,
    of: Option<Primitive>,
    value: Value,
) -> Flow {
    if own == Some(Primitive::Boolean)
        && of != own
        && !matches!(value, Value::Int(bits) if bits & 0xff <= 1)
    {
        return unsupported("a number, written as a boolean through jdk.internal.misc.Unsafe");
    }
    let value = match own {
        Some(_) if own == of => value,
        Some(own) => reread(call, value, Some(own))?,
        None => {
            layout::fits(call, object, slot, value)?;
            value
        }
    };
    if call.machine.store_slot(call.state, object, slot, value) {
        return Flow::Continue(());
    }
    bug("an offset points behind an object")
}

macro_rules! accessors {
    ($($get:ident $put:ident $set:ident $exchange:ident $of:expr;)*) => {
        $(
            fn $get(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
                let (object, offset) = (call.reference(1)?, call.long(2)?);
                read(call, object, offset, $of).map_continue(Some)
            }

            fn $put(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
                write(call, call.reference(1)?, call.long(2)?, $of, call.argument(3))?;
                Flow::Continue(None)
            }

            #[allow(dead_code, reason = "not every type has it as a native method")]
            fn $set(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
                let (object, offset) = (call.reference(1)?, call.long(2)?);
                let old = read(call, object, offset, $of)?;
                let equal = same(call, old, call.argument(3))?;
                if equal {
                    write(call, object, offset, $of, call.argument(4))?;
                }
                Flow::Continue(Some(equal.into()))
            }

            #[allow(dead_code, reason = "not every type has it as a native method")]
            fn $exchange(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
                let (object, offset) = (call.reference(1)?, call.long(2)?);
                let old = read(call, object, offset, $of)?;
                if same(call, old, call.argument(3))? {
                    write(call, object, offset, $of, call.argument(4))?;
                }
                Flow::Continue(Some(old))
            }
        )*
    };
}

/// Whether two values are the same, which is a question if they are terms.
fn same(call: &mut Call<'_, '_>, a: Value, b: Value) -> Flow<bool> {
    if held(call, a) == Some(Kind::Reference) {
        return call.machine.same_references(call.state, a, b);
    }
    if a.bits().is_some() && b.bits().is_some() {
        return Flow::Continue(a.bits() == b.bits());
    }
    let (a, b) = (call.machine.term(a), call.machine.term(b));
    let equal = call.machine.pool.eq(a, b);
    call.machine.decide(call.state, equal)
}

accessors! {
    get_boolean put_boolean set_boolean exchange_boolean Some(Primitive::Boolean);
    get_byte put_byte set_byte exchange_byte Some(Primitive::Byte);
    get_char put_char set_char exchange_char Some(Primitive::Char);
    get_short put_short set_short exchange_short Some(Primitive::Short);
    get_int put_int set_int exchange_int Some(Primitive::Int);
    get_long put_long set_long exchange_long Some(Primitive::Long);
    get_float put_float set_float exchange_float Some(Primitive::Float);
    get_double put_double set_double exchange_double Some(Primitive::Double);
    get_reference put_reference set_reference exchange_reference None;
}

/// An array class, of which something is asked that other classes do not have.
fn array_class(call: &Call<'_, '_>) -> Flow<ClassId> {
    let class = call.class(1)?;
    if call.machine.program.class(class).is_array() {
        return Flow::Continue(class);
    }
    let name = call.machine.program.java_name(class);
    unsupported(format!("the layout of {name} as an array, through jdk.internal.misc.Unsafe"))
}

fn array_base_offset(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    array_class(call)?;
    Flow::Continue(Some(Value::Int(HEADER as i32)))
}

fn array_index_scale(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let class = array_class(call)?;
    Flow::Continue(Some(Value::Int(size(element(call, class)) as i32)))
}

/// The field that a `java.lang.reflect.Field` stands for.
fn reflected(call: &Call<'_, '_>) -> Flow<FieldId> {
    let field = call.object(1)?;
    let Value::Reference(mirror) = call.machine.field(call.state, field, "clazz")? else {
        return bug("a field without a class");
    };
    let class = call.machine.mirrored(call.state, mirror)?;
    let slot = call.machine.field(call.state, field, "slot")?;
    let fields = call.machine.program.class(class).fields().nth(match slot {
        Value::Int(slot) => slot as usize,
        _ => return bug("a field without a number"),
    });
    match fields {
        Some(field) => Flow::Continue(field),
        None => bug("a field that its class does not have"),
    }
}

/// The offset of a field that is static or not, as the caller expects it to be.
fn offset(call: &Call<'_, '_>, field: FieldId, is_static: bool) -> Flow<Option<Value>> {
    if call.machine.program.field(field).flags.is_static() != is_static {
        return raise_bare("java/lang/IllegalArgumentException");
    }
    match layout::offset_of(call.machine.program, field) {
        Some(offset) => Flow::Continue(Some(Value::Long(offset))),
        None => unsupported("the offset of a field of a class with thousands of fields"),
    }
}

fn field_offset(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    offset(call, reflected(call)?, false)
}

fn static_field_offset(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    offset(call, reflected(call)?, true)
}

fn named_field_offset(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let (class, name) = (call.class(1)?, call.text(2)?);
    let program = call.machine.program;
    let slot = call.machine.slot(class, &name);
    match slot.and_then(|slot| program.class(class).instance_fields.get(slot).copied()) {
        Some(field) => offset(call, field, false),
        None => raise("java/lang/InternalError", name),
    }
}

fn static_field_base(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let field = reflected(call)?;
    if !call.machine.program.field(field).flags.is_static() {
        return raise_bare("java/lang/IllegalArgumentException");
    }
    let class = call.machine.program.field(field).class;
    Flow::Continue(Some(call.machine.static_base(call.state, class).into()))
}

fn should_be_initialized(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let class = call.class(1)?;
    let done = call.state.initialization(class) == dalang_interp::Initialization::Done;
    Flow::Continue(Some((!done).into()))
}

fn ensure_initialized(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let class = call.class(1)?;
    call.machine.require(call.state, class)?;
    Flow::Continue(None)
}

fn allocate_instance(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let class = call.class(1)?;
    if !call.machine.program.class(class).is_instantiable() {
        return raise_bare("java/lang/InstantiationException");
    }
    if class == call.machine.known.class {
        return raise("java/lang/IllegalAccessException", "java.lang.Class");
    }
    call.machine.require(call.state, class)?;
    Flow::Continue(Some(call.machine.allocate(call.state, class, 0)?.into()))
}

fn throw_exception(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let exception = call.object(1)?;
    Flow::Break(Interrupt::Throw(exception))
}

/// Whether the thread may go on once without waiting.
const PERMIT: &str = "the permit of java.util.concurrent.locks.LockSupport";

fn unpark(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    if !call.reference(1)?.is_null() {
        call.state.set_singleton(PERMIT, Value::Int(1));
    }
    Flow::Continue(None)
}

/// There is one thread: whoever parks without a permit waits for ever, unless it was interrupted.
fn park(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    if call.state.singleton(PERMIT) == Some(Value::Int(1)) {
        call.state.set_singleton(PERMIT, Value::Int(0));
        return Flow::Continue(None);
    }
    if let Some(Value::Reference(thread)) = call.state.singleton(crate::java::lang::thread::MAIN)
        && call.machine.field(call.state, thread, "interrupted")? == Value::Int(1)
    {
        return Flow::Continue(None);
    }
    unsupported("waiting for another thread (jdk.internal.misc.Unsafe.park)")
}

fn set_memory(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let (object, offset, count) = (call.reference(1)?, call.long(2)?, call.long(3)?);
    let value = call.int(4)?;
    for index in 0..count {
        call.machine.breathe_at(index as usize)?;
        write(call, object, offset.wrapping_add(index), Some(Primitive::Byte), Value::Int(value))?;
    }
    Flow::Continue(None)
}

fn copy_memory(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let (from, from_offset) = (call.reference(1)?, call.long(2)?);
    let (to, to_offset, count) = (call.reference(3)?, call.long(4)?, call.long(5)?);
    let mut bytes = Vec::new();
    for index in 0..count {
        call.machine.breathe_at(index as usize)?;
        bytes.push(read(call, from, from_offset.wrapping_add(index), Some(Primitive::Byte))?);
    }
    for (index, byte) in bytes.into_iter().enumerate() {
        call.machine.breathe_at(index)?;
        write(call, to, to_offset.wrapping_add(index as i64), Some(Primitive::Byte), byte)?;
    }
    Flow::Continue(None)
}

/// Copies elements and turns their bytes round.
fn copy_swap_memory(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let (from, from_offset) = (call.reference(1)?, call.long(2)?);
    let (to, to_offset, count) = (call.reference(3)?, call.long(4)?, call.long(5)?);
    let size = call.long(6)?;
    if !matches!(size, 2 | 4 | 8) {
        return unsupported("elements of another size than 2, 4 or 8, through Unsafe");
    }
    let mut bytes = Vec::new();
    for index in 0..count {
        call.machine.breathe_at(index as usize)?;
        let turned = index / size * size + (size - 1 - index % size);
        bytes.push(read(call, from, from_offset.wrapping_add(turned), Some(Primitive::Byte))?);
    }
    for (index, byte) in bytes.into_iter().enumerate() {
        call.machine.breathe_at(index)?;
        write(call, to, to_offset.wrapping_add(index as i64), Some(Primitive::Byte), byte)?;
    }
    Flow::Continue(None)
}

const PART: &str =
    "its bytecode looks at the word around the value, and fields are no parts of words";

pub(crate) const ROWS: &[Row] = &[
    any("getBoolean", get_boolean),
    any("putBoolean", put_boolean),
    any("getByte", get_byte),
    any("putByte", put_byte),
    any("getChar", get_char),
    any("putChar", put_char),
    any("getShort", get_short),
    any("putShort", put_short),
    any("getInt", get_int),
    any("putInt", put_int),
    any("getLong", get_long),
    any("putLong", put_long),
    any("getFloat", get_float),
    any("putFloat", put_float),
    any("getDouble", get_double),
    any("putDouble", put_double),
    any("getReference", get_reference),
    any("putReference", put_reference),
    any("getBooleanVolatile", get_boolean),
    any("putBooleanVolatile", put_boolean),
    any("getByteVolatile", get_byte),
    any("putByteVolatile", put_byte),
    any("getCharVolatile", get_char),
    any("putCharVolatile", put_char),
    any("getShortVolatile", get_short),
    any("putShortVolatile", put_short),
    any("getIntVolatile", get_int),
    any("putIntVolatile", put_int),
    any("getLongVolatile", get_long),
    any("putLongVolatile", put_long),
    any("getFloatVolatile", get_float),
    any("putFloatVolatile", put_float),
    any("getDoubleVolatile", get_double),
    any("putDoubleVolatile", put_double),
    any("getReferenceVolatile", get_reference),
    any("putReferenceVolatile", put_reference),
    any("compareAndSetInt", set_int),
    any("compareAndExchangeInt", exchange_int),
    any("compareAndSetLong", set_long),
    any("compareAndExchangeLong", exchange_long),
    any("compareAndSetReference", set_reference),
    any("compareAndExchangeReference", exchange_reference),
    required("compareAndSetByte", "(Ljava/lang/Object;JBB)Z", PART, set_byte),
    required("compareAndExchangeByte", "(Ljava/lang/Object;JBB)B", PART, exchange_byte),
    required("compareAndSetShort", "(Ljava/lang/Object;JSS)Z", PART, set_short),
    required("compareAndExchangeShort", "(Ljava/lang/Object;JSS)S", PART, exchange_short),
    any("arrayBaseOffset0", array_base_offset),
    any("arrayIndexScale0", array_index_scale),
    any("objectFieldOffset0", field_offset),
    any("objectFieldOffset1", named_field_offset),
    any("staticFieldOffset0", static_field_offset),
    any("staticFieldBase0", static_field_base),
    any("shouldBeInitialized0", should_be_initialized),
    any("ensureClassInitialized0", ensure_initialized),
    any("allocateInstance", allocate_instance),
    any("throwException", throw_exception),
    any("setMemory0", set_memory),
    any("copyMemory0", copy_memory),
    any("copySwapMemory0", copy_swap_memory),
    any("fullFence", nothing),
    any("loadFence", nothing),
    any("storeFence", nothing),
    any("unpark", unpark),
    native("park", "(ZJ)V", park),
];

//! Fields by reflection, since Java 18: accessors that would use method handles.
//!
//! The accessors are the library's own, with no handles in them; what would use a handle is done
//! here. What they do around it (conversions, messages) is their own bytecode.

use crate::java::lang::class::members;
use crate::table::{Row, required};
use dalang_classes::{FieldId, Primitive, ValueType};
use dalang_heap::{Reference, Value};
use dalang_interp::{Call, Flow, Interrupt, Outcome, bug, linked, raise_bare};

const REASON: &str = "method handles of the library are compiled to hidden classes at run time";

/// The name of an accessor: that of the box for a primitive type.
fn accessor(value: ValueType) -> String {
    let kind = match value {
        ValueType::Reference(_) => "Object",
        ValueType::Primitive(Primitive::Boolean) => "Boolean",
        ValueType::Primitive(Primitive::Byte) => "Byte",
        ValueType::Primitive(Primitive::Char) => "Character",
        ValueType::Primitive(Primitive::Short) => "Short",
        ValueType::Primitive(Primitive::Int) => "Integer",
        ValueType::Primitive(Primitive::Long) => "Long",
        ValueType::Primitive(Primitive::Float) => "Float",
        ValueType::Primitive(Primitive::Double) => "Double",
    };
    format!("jdk/internal/reflect/MethodHandle{kind}FieldAccessorImpl")
}

/// `MethodHandleAccessorFactory.newFieldAccessor(field, isReadOnly)`
fn new_accessor(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let member = call.object(0)?;
    let id = members::reflected_field(call, member)?;
    let field = call.machine.program.field(id);
    call.machine.require(call.state, field.class)?;
    let class = call.machine.class(&accessor(field.value))?;
    call.machine.require(call.state, class)?;
    let handle = "Ljava/lang/invoke/MethodHandle;";
    let descriptor = format!("(Ljava/lang/reflect/Field;{handle}{handle}ZZ)V");
    let constructor = call.machine.method(class, "<init>", &descriptor)?;
    let object = call.machine.allocate(call.state, class, 0)?;
    call.save(object);
    let is_static = Value::boolean(field.flags.is_static());
    let arguments =
        [object.into(), member.into(), Value::NULL, Value::NULL, call.argument(1), is_static];
    call.invoke(constructor, &arguments, |call, outcome| match outcome {
        Outcome::Returned(_) => Flow::Continue(Some(call.saved(0))),
        Outcome::Threw(exception) => Flow::Break(Interrupt::Throw(exception)),
    })
}

/// The field that the receiver, an accessor, is for.
fn own_field(call: &Call<'_, '_>) -> Flow<FieldId> {
    match call.machine.field(call.state, call.object(0)?, "field")? {
        Value::Reference(member) if !member.is_null() => members::reflected_field(call, member),
        _ => bug("an accessor without a field"),
    }
}

/// Whether an object has a field.
fn has(call: &Call<'_, '_>, object: Reference, id: FieldId) -> bool {
    let class = call.state.heap.class(object);
    call.machine.program.is_subtype(class, call.machine.program.field(id).class)
}

/// `get...(object)` of the field's own type
fn get(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let id = own_field(call)?;
    let field = call.machine.program.field(id);
    if field.flags.is_static() {
        call.machine.require(call.state, field.class)?;
        return Flow::Continue(Some(call.machine.get_static(call.state, id)?));
    }
    let object = call.reference(1)?;
    if object.is_null() {
        return raise_bare("java/lang/NullPointerException");
    }
    if has(call, object, id) {
        return call.machine.read_field(call.state, object.into(), id).map_continue(Some);
    }
    let accessor = call.object(0)?;
    let class = call.state.heap.class(accessor);
    let descriptor = "(Ljava/lang/Object;)Ljava/lang/IllegalArgumentException;";
    let method = call.machine.method(class, "newGetIllegalArgumentException", descriptor)?;
    call.invoke(method, &[accessor.into(), object.into()], |_, outcome| match outcome {
        Outcome::Returned(Some(Value::Reference(exception))) | Outcome::Threw(exception) => {
            Flow::Break(Interrupt::Throw(exception))
        }
        Outcome::Returned(_) => bug("an accessor made no exception"),
    })
}

/// `set...(object, value)` of the field's own type
fn set(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let accessor = call.object(0)?;
    let class = call.state.heap.class(accessor);
    let method = call.machine.method(class, "ensureObj", "(Ljava/lang/Object;)V")?;
    call.invoke(method, &[accessor.into(), call.argument(1)], checked)
}

fn checked(call: &mut Call<'_, '_>, outcome: Outcome) -> Flow<Option<Value>> {
    const READ_ONLY: i32 = 1;
    if let Outcome::Threw(exception) = outcome {
        return Flow::Break(Interrupt::Throw(exception));
    }
    let (accessor, value) = (call.object(0)?, call.argument(2));
    let id = own_field(call)?;
    let field = call.machine.program.field(id);
    let flags = call.machine.field(call.state, accessor, "fieldFlags")?;
    if matches!(flags, Value::Int(flags) if flags & READ_ONLY != 0) {
        return complain(call, "throwFinalFieldIllegalAccessException", field.value);
    }
    if let (ValueType::Reference(_), Value::Reference(reference)) = (field.value, value)
        && !reference.is_null()
    {
        let wanted = linked(call.machine.program.class_of_type(field.value))?;
        if !call.machine.program.is_subtype(call.state.heap.class(reference), wanted) {
            return complain(call, "throwSetIllegalArgumentException", field.value);
        }
    }
    if field.flags.is_static() {
        call.machine.require(call.state, field.class)?;
        call.machine.set_static(call.state, id, value)?;
    } else {
        let object = call.object(1)?;
        call.state.heap.set(object, field.slot as usize, value.narrowed(field.value));
    }
    Flow::Continue(None)
}

/// Calls the accessor's own method that throws. Small types have their own overloads or share
/// that of `int`.
fn complain(call: &mut Call<'_, '_>, name: &str, value: ValueType) -> Flow<Option<Value>> {
    let accessor = call.object(0)?;
    let class = call.state.heap.class(accessor);
    let program = call.machine.program;
    let letters = match value {
        ValueType::Reference(_) => vec!["Ljava/lang/Object;".to_owned()],
        ValueType::Primitive(own) => vec![own.letter().to_string(), "I".to_owned()],
    };
    let find = |letter: &String| {
        let (name, descriptor) =
            (program.names().find(name)?, program.names().find(&format!("({letter})V"))?);
        program.find_method(class, name, descriptor)
    };
    let Some(method) = letters.iter().find_map(find) else {
        return bug(format!("{name} is not in this library"));
    };
    call.invoke(method, &[accessor.into(), call.argument(2)], dalang_interp::pass_on)
}

/// Of the factory of accessors.
pub(crate) const FACTORY: &[Row] = &[required(
    "newFieldAccessor",
    "(Ljava/lang/reflect/Field;Z)Ljdk/internal/reflect/FieldAccessorImpl;",
    REASON,
    new_accessor,
)];

macro_rules! tables {
    ($($table:ident $get:literal $set:literal $descriptor:literal;)*) => {
        $(
            pub(crate) const $table: &[Row] = &[
                required($get, concat!("(Ljava/lang/Object;)", $descriptor), REASON, get),
                required($set, concat!("(Ljava/lang/Object;", $descriptor, ")V"), REASON, set),
            ];
        )*
    };
}

tables! {
    BOOLEAN "getBoolean" "setBoolean" "Z";
    BYTE "getByte" "setByte" "B";
    CHARACTER "getChar" "setChar" "C";
    SHORT "getShort" "setShort" "S";
    INTEGER "getInt" "setInt" "I";
    LONG "getLong" "setLong" "J";
    FLOAT "getFloat" "setFloat" "F";
    DOUBLE "getDouble" "setDouble" "D";
    OBJECT "get" "set" "Ljava/lang/Object;";
}

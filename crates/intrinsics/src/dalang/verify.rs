//! `dalang.Verify`.

use crate::harness::{
    any_between, any_boolean, any_byte, any_char, any_double, any_float, any_int, any_long,
    any_short, any_string, assume, check, check_message, is_symbolic, known_text, message,
};
use crate::java::lang::boxes;
use crate::table::{Row, spoken};
use dalang_classes::{ClassId, FieldId, Primitive, ValueType};
use dalang_heap::Value;
use dalang_interp::{Call, Flow, raise, unsupported, violation};

const UNREACHABLE: &str = "reached what must not be reached";

fn unreachable(_: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    violation(UNREACHABLE)
}

fn unreachable_message(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let message = message(call, 0)?;
    violation(message.unwrap_or_else(|| UNREACHABLE.to_owned()))
}

fn any_int_between(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let (low, high) = (call.argument(0), call.argument(1));
    any_between(call, "anyInt", low, high)
}

/// The class of the first argument, which must be known.
fn wanted(call: &mut Call<'_, '_>) -> Flow<ClassId> {
    let value = call.argument(0);
    match call.machine.object_of(call.state, value)? {
        mirror if call.state.knowledge.object(mirror).is_none() => {
            call.machine.mirrored(call.state, mirror)
        }
        _ => unsupported(format!("a class that is not known, in {}", call.spelling())),
    }
}

fn label(call: &Call<'_, '_>, name: &str, class: ClassId) -> String {
    format!("{name}({})", call.machine.program.class_spelling(class))
}

fn any(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let class = wanted(call)?;
    let label = label(call, "any", class);
    call.machine.ask_reference(call.state, &label, class).map_continue(Some)
}

fn any_non_null(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let class = wanted(call)?;
    let label = label(call, "anyNonNull", class);
    call.machine.ask_object(call.state, &label, class).map_continue(Some)
}

/// The field that the second argument names, of the object that is the first.
fn found(call: &mut Call<'_, '_>) -> Flow<(Value, FieldId)> {
    let object = call.argument(0);
    let Some(name) = known_text(call, 1)? else { return no_field(call, object, "null") };
    match call.machine.field_named(call.state, object, &name)? {
        Some(field) => Flow::Continue((object, field)),
        None => no_field(call, object, &name),
    }
}

fn no_field<T>(call: &mut Call<'_, '_>, object: Value, name: &str) -> Flow<T> {
    let object = call.machine.object_of(call.state, object)?;
    let class = call.machine.class_of_object(call.state, object)?;
    let class = call.machine.program.java_name(class);
    let message = format!("no instance field {name} in {class}");
    raise("java/lang/IllegalArgumentException", message)
}

/// Of a primitive field, its box.
fn field(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let (object, field) = found(call)?;
    let value = call.machine.read_field(call.state, object, field)?;
    match call.machine.program.field(field).value {
        ValueType::Primitive(primitive) => boxes::value_of(call, primitive, value),
        ValueType::Reference(_) => Flow::Continue(Some(value)),
    }
}

fn typed(call: &mut Call<'_, '_>, primitive: Primitive) -> Flow<Option<Value>> {
    let (object, field) = found(call)?;
    let declared = call.machine.program.field(field);
    if declared.value != ValueType::Primitive(primitive) {
        let name = call.machine.program.names().text(declared.name);
        let actual = call.machine.program.type_spelling(declared.value);
        let message = format!("field {name} is of type {actual}, not {}", primitive.keyword());
        return raise("java/lang/IllegalArgumentException", message);
    }
    call.machine.read_field(call.state, object, field).map_continue(Some)
}

fn int_field(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    typed(call, Primitive::Int)
}

fn long_field(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    typed(call, Primitive::Long)
}

fn boolean_field(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    typed(call, Primitive::Boolean)
}

const ASSUME: &str = "an assumption";
const CHECK: &str = "a demand";
const ANY: &str = "a request for any value";
const ASK: &str = "a question about what is known";
const FIELD: &str = "a field whatever its access";

pub(crate) const ROWS: &[Row] = &[
    spoken("assume", "(Z)V", ASSUME, assume),
    spoken("check", "(Z)V", CHECK, check),
    spoken("check", "(ZLjava/lang/String;)V", CHECK, check_message),
    spoken("unreachable", "()V", CHECK, unreachable),
    spoken("unreachable", "(Ljava/lang/String;)V", CHECK, unreachable_message),
    spoken("anyBoolean", "()Z", ANY, any_boolean),
    spoken("anyByte", "()B", ANY, any_byte),
    spoken("anyChar", "()C", ANY, any_char),
    spoken("anyShort", "()S", ANY, any_short),
    spoken("anyInt", "()I", ANY, any_int),
    spoken("anyInt", "(II)I", ANY, any_int_between),
    spoken("anyLong", "()J", ANY, any_long),
    spoken("anyFloat", "()F", ANY, any_float),
    spoken("anyDouble", "()D", ANY, any_double),
    spoken("anyString", "()Ljava/lang/String;", ANY, any_string),
    spoken("any", "(Ljava/lang/Class;)Ljava/lang/Object;", ANY, any),
    spoken("anyNonNull", "(Ljava/lang/Class;)Ljava/lang/Object;", ANY, any_non_null),
    spoken("isSymbolic", "(Z)Z", ASK, is_symbolic),
    spoken("isSymbolic", "(B)Z", ASK, is_symbolic),
    spoken("isSymbolic", "(C)Z", ASK, is_symbolic),
    spoken("isSymbolic", "(S)Z", ASK, is_symbolic),
    spoken("isSymbolic", "(I)Z", ASK, is_symbolic),
    spoken("isSymbolic", "(J)Z", ASK, is_symbolic),
    spoken("isSymbolic", "(F)Z", ASK, is_symbolic),
    spoken("isSymbolic", "(D)Z", ASK, is_symbolic),
    spoken("isSymbolic", "(Ljava/lang/Object;)Z", ASK, is_symbolic),
    spoken("field", "(Ljava/lang/Object;Ljava/lang/String;)Ljava/lang/Object;", FIELD, field),
    spoken("intField", "(Ljava/lang/Object;Ljava/lang/String;)I", FIELD, int_field),
    spoken("longField", "(Ljava/lang/Object;Ljava/lang/String;)J", FIELD, long_field),
    spoken("booleanField", "(Ljava/lang/Object;Ljava/lang/String;)Z", FIELD, boolean_field),
];

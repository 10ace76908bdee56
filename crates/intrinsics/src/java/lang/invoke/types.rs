//! `java.lang.invoke.MethodType`: one object for each type, made by the machine.

use crate::table::{Row, required};
use dalang_classes::{ClassId, Name, ValueType};
use dalang_heap::{Need, Reference, Value};
use dalang_interp::{Call, Flow, bug, raise, raise_bare, unsupported};

const INTERNED: &str = "the machine has one object for each type";
const NO_FORM: &str = "types have no form here";

/// The classes in an array of classes; `null` is a `NullPointerException`.
pub(super) fn classes(call: &mut Call<'_, '_>, array: Reference) -> Flow<Vec<ClassId>> {
    let mut classes = Vec::new();
    for value in call.machine.listed(call.state, array)? {
        match call.machine.needed(call.state, value, Need::Object)? {
            Value::Reference(mirror) if !mirror.is_null() => {
                classes.push(call.machine.mirrored(call.state, mirror)?);
            }
            Value::Reference(_) => return raise_bare("java/lang/NullPointerException"),
            _ => return unsupported("a class that is not known, in a MethodType"),
        }
    }
    Flow::Continue(classes)
}

/// The types that classes stand for; `void` is not one.
pub(super) fn parameters(call: &Call<'_, '_>, classes: &[ClassId]) -> Flow<Vec<ValueType>> {
    let mut types = Vec::new();
    for &class in classes {
        let Some(value) = call.machine.type_of(class) else {
            let message = "parameter type cannot be void";
            return raise("java/lang/IllegalArgumentException", message);
        };
        types.push(value);
    }
    Flow::Continue(types)
}

/// Gives the object of a descriptor.
pub(super) fn give(call: &mut Call<'_, '_>, descriptor: Name) -> Flow<Option<Value>> {
    let described = call.machine.described(descriptor)?;
    let slots = usize::from(described.slots());
    if slots > 255 {
        let message = format!("bad parameter count {slots}");
        return raise("java/lang/IllegalArgumentException", message);
    }
    Flow::Continue(Some(call.machine.method_type(call.state, descriptor)?.into()))
}

fn make(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let result = call.class(0)?;
    let classes = classes(call, call.object(1)?)?;
    let parameters = parameters(call, &classes)?;
    let descriptor = call.machine.descriptor_of(parameters, call.machine.type_of(result));
    give(call, descriptor)
}

fn generic(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let (count, array) = (call.int(0)?, call.boolean(1)?);
    if !(0..=255 - i32::from(array)).contains(&count) {
        let message = format!("bad parameter count {count}");
        return raise("java/lang/IllegalArgumentException", message);
    }
    let names = call.machine.program.names();
    let object = ValueType::Reference(names.intern("java/lang/Object"));
    let objects = ValueType::Reference(names.intern("[Ljava/lang/Object;"));
    let parameters = std::iter::repeat_n(object, count as usize).chain(array.then_some(objects));
    let descriptor = call.machine.descriptor_of(parameters, Some(object));
    give(call, descriptor)
}

fn has_primitives(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let descriptor = call.machine.type_descriptor(call.state, call.object(0)?)?;
    let described = call.machine.described(descriptor)?;
    let primitive = |value: &ValueType| matches!(value, ValueType::Primitive(_));
    let has = described.parameters.iter().any(primitive)
        || described.result.is_none_or(|result| primitive(&result));
    Flow::Continue(Some(has.into()))
}

fn erase(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let descriptor = call.machine.type_descriptor(call.state, call.object(0)?)?;
    let described = call.machine.described(descriptor)?;
    let object = call.machine.program.names().intern("java/lang/Object");
    let erased = |value: ValueType| match value {
        ValueType::Reference(_) => ValueType::Reference(object),
        ValueType::Primitive(_) => value,
    };
    let parameters = described.parameters.iter().copied().map(erased);
    let descriptor = call.machine.descriptor_of(parameters, described.result.map(erased));
    give(call, descriptor)
}

/// Every class is found by one loader.
fn from_descriptor(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let text = call.text(0)?;
    let name = call.machine.program.names().intern(&text);
    if call.machine.program.method_type(name).is_none() {
        let message = format!("bad method descriptor: {text}");
        return raise("java/lang/IllegalArgumentException", message);
    }
    give(call, name)
}

/// Nothing asks how many local variables parameters take but checks of their number.
fn slot_count(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let descriptor = call.machine.type_descriptor(call.state, call.object(0)?)?;
    let described = call.machine.described(descriptor)?;
    Flow::Continue(Some(Value::Int(i32::from(described.slots()))))
}

/// The descriptor of a `MethodType` argument.
pub(super) fn descriptor(call: &Call<'_, '_>, index: usize) -> Flow<Name> {
    match call.argument(index) {
        Value::Reference(object) => call.machine.type_descriptor(call.state, object),
        _ => bug("a MethodType is no object"),
    }
}

const TYPE: &str = "()Ljava/lang/invoke/MethodType;";
const DESCRIBED: &str = "(Ljava/lang/String;Ljava/lang/ClassLoader;)Ljava/lang/invoke/MethodType;";

pub(crate) const ROWS: &[Row] = &[
    required(
        "makeImpl",
        "(Ljava/lang/Class;[Ljava/lang/Class;Z)Ljava/lang/invoke/MethodType;",
        INTERNED,
        make,
    ),
    required("genericMethodType", "(IZ)Ljava/lang/invoke/MethodType;", INTERNED, generic),
    required("hasPrimitives", "()Z", NO_FORM, has_primitives),
    required("erase", TYPE, NO_FORM, erase),
    required("parameterSlotCount", "()I", NO_FORM, slot_count),
    required("fromMethodDescriptorString", DESCRIBED, INTERNED, from_descriptor),
    required("fromDescriptor", DESCRIBED, INTERNED, from_descriptor),
];

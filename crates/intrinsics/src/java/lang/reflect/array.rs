//! `java.lang.reflect.Array`.

use crate::java::lang::boxes;
use crate::table::{Row, any};
use dalang_classes::{ClassId, Primitive, Shape, ValueType};
use dalang_heap::{Body, Reference, Value};
use dalang_interp::{Call, Flow, Interrupt, bug, linked, raise, raise_bare, unsupported};

const ILLEGAL: &str = "java/lang/IllegalArgumentException";

/// The array that is the first argument, and the class of its elements.
fn array(call: &Call<'_, '_>) -> Flow<(Reference, ClassId)> {
    let array = call.object(0)?;
    let class = call.state.heap.class(array);
    match call.machine.program.class(class).shape {
        Shape::Array { component, .. } => Flow::Continue((array, component)),
        _ => raise(ILLEGAL, "Argument is not an array"),
    }
}

fn primitive_of(call: &Call<'_, '_>, component: ClassId) -> Option<Primitive> {
    match call.machine.program.class(component).shape {
        Shape::Primitive(primitive) => primitive,
        _ => None,
    }
}

/// The index that is the second argument.
fn index(call: &mut Call<'_, '_>, array: Reference) -> Flow<Value> {
    let index = call.argument(1);
    match call.machine.check_index(call.state, array, index) {
        Flow::Break(Interrupt::Raise(_)) => raise_bare("java/lang/ArrayIndexOutOfBoundsException"),
        other => other.map_continue(|()| index),
    }
}

fn length(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let (array, _) = array(call)?;
    Flow::Continue(Some(call.machine.array_length_value(call.state, array)))
}

fn load(call: &mut Call<'_, '_>, array: Reference) -> Flow<Value> {
    let index = index(call, array)?;
    call.machine.load_element(call.state, array, index)
}

fn get(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let (array, component) = array(call)?;
    let Some(primitive) = primitive_of(call, component) else {
        let value = load(call, array)?;
        return call.machine.read(call.state, value).map_continue(Some);
    };
    let class = call.machine.class(dalang_interp::wrapper(primitive))?;
    call.machine.require(call.state, class)?;
    let value = load(call, array)?;
    Flow::Continue(Some(boxes::fresh(call, primitive, value)?.into()))
}

/// `getInt` and its kin: the type that is asked for is the result's.
fn get_primitive(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let (array, component) = array(call)?;
    let Some(from) = primitive_of(call, component) else {
        return raise(ILLEGAL, "Argument is not an array of primitive type");
    };
    let result = call.machine.program.method(call.method()).signature.result;
    let Some(ValueType::Primitive(to)) = result else {
        return bug("an element is read as no primitive type");
    };
    let value = load(call, array)?;
    match boxes::widen(value, from, to)? {
        Some(value) => Flow::Continue(Some(value)),
        None => raise(ILLEGAL, "argument type mismatch"),
    }
}

fn set(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let (array, component) = array(call)?;
    let value = call.reference(2)?;
    let value = match primitive_of(call, component) {
        Some(_) if value.is_null() => return raise_bare(ILLEGAL),
        Some(to) => match boxes::unbox(call, value)? {
            Some((from, value)) => boxes::widen(value, from, to)?,
            None => None,
        },
        None => {
            let class = (!value.is_null()).then(|| call.state.heap.class(value));
            if class.is_some_and(|class| !call.machine.program.is_subtype(class, component)) {
                return raise(ILLEGAL, "array element type mismatch");
            }
            Some(value.into())
        }
    };
    store(call, array, component, value)
}

fn store(
    call: &mut Call<'_, '_>,
    array: Reference,
    component: ClassId,
    value: Option<Value>,
) -> Flow<Option<Value>> {
    let Some(value) = value else { return raise(ILLEGAL, "argument type mismatch") };
    let index = index(call, array)?;
    let value = match primitive_of(call, component) {
        Some(primitive) => call.machine.fit(value, ValueType::Primitive(primitive)),
        None => value,
    };
    call.machine.store_element(call.state, array, index, value)?;
    Flow::Continue(None)
}

/// `setInt` and its kin.
fn set_primitive(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let (array, component) = array(call)?;
    let Some(to) = primitive_of(call, component) else {
        return raise(ILLEGAL, "Argument is not an array of primitive type");
    };
    let parameters = &call.machine.program.method(call.method()).signature.parameters;
    let Some(&ValueType::Primitive(from)) = parameters.get(2) else {
        return bug("an element is written as no primitive type");
    };
    let value = boxes::widen(call.argument(2), from, to)?;
    store(call, array, component, value)
}

/// The class of arrays of a component type, which may not be `void`.
fn class_of_arrays(call: &Call<'_, '_>, component: ClassId) -> Flow<ClassId> {
    let program = call.machine.program;
    let too_many = matches!(program.class(component).shape, Shape::Array { dimensions: 255, .. });
    if component == program.primitive(None) || too_many {
        return raise_bare(ILLEGAL);
    }
    linked(program.array_of(component))
}

fn checked(length: i32) -> Flow<usize> {
    match usize::try_from(length) {
        Ok(length) => Flow::Continue(length),
        Err(_) => raise("java/lang/NegativeArraySizeException", length.to_string()),
    }
}

fn new_array(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let (component, length) = (call.class(0)?, call.argument(1));
    let class = class_of_arrays(call, component)?;
    let array = call.machine.new_array_value(call.state, class, length)?;
    Flow::Continue(Some(array.into()))
}

fn new_nested(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let mut class = call.class(0)?;
    let Body::Ints(lengths) = call.state.heap.object(call.object(1)?).body.clone() else {
        return unsupported("symbolic lengths of an array");
    };
    if lengths.is_empty() || lengths.len() > 255 {
        return raise_bare(ILLEGAL);
    }
    for _ in &*lengths {
        class = class_of_arrays(call, class)?;
    }
    let mut sizes = Vec::with_capacity(lengths.len());
    for &length in &*lengths {
        sizes.push(checked(length)?);
    }
    let array = call.machine.nested_array(call.state, class, &sizes)?;
    Flow::Continue(Some(array.into()))
}

pub(crate) const ROWS: &[Row] = &[
    any("getLength", length).loose(),
    any("get", get),
    any("set", set),
    any("newArray", new_array),
    any("multiNewArray", new_nested),
    any("getBoolean", get_primitive),
    any("getByte", get_primitive),
    any("getChar", get_primitive),
    any("getShort", get_primitive),
    any("getInt", get_primitive),
    any("getLong", get_primitive),
    any("getFloat", get_primitive),
    any("getDouble", get_primitive),
    any("setBoolean", set_primitive),
    any("setByte", set_primitive),
    any("setChar", set_primitive),
    any("setShort", set_primitive),
    any("setInt", set_primitive),
    any("setLong", set_primitive),
    any("setFloat", set_primitive),
    any("setDouble", set_primitive),
];

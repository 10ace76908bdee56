//! `java.lang.Class`.

use crate::table::{Row, any};
use dalang_classes::{ClassId, Primitive, Shape};
use dalang_heap::Value;
use dalang_interp::{Call, Flow, bug, raise};

fn primitive(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let name = call.text(0)?;
    let primitive = Primitive::ALL.into_iter().find(|primitive| primitive.keyword() == name);
    if primitive.is_none() && name != "void" {
        return bug(format!("{name} is no primitive type"));
    }
    let class = call.machine.program.primitive(primitive);
    Flow::Continue(Some(call.machine.mirror(call.state, class)?.into()))
}

fn assertions(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let class = call.class(0)?;
    let on = call.machine.settings.assertions && call.machine.module(class).is_none();
    Flow::Continue(Some(on.into()))
}

fn is_array(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let class = call.class(0)?;
    Flow::Continue(Some(call.machine.program.class(class).is_array().into()))
}

fn is_primitive(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let class = call.class(0)?;
    Flow::Continue(Some((!call.machine.program.is_reference_class(class)).into()))
}

fn is_interface(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let class = call.class(0)?;
    Flow::Continue(Some(call.machine.program.class(class).is_interface().into()))
}

fn name(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let mirror = call.object(0)?;
    let class = call.machine.mirrored(call.state, mirror)?;
    let text = call.machine.program.class_spelling(class);
    let name = call.machine.intern(call.state, &text)?;
    call.machine.set_field(call.state, mirror, "name", name)?;
    Flow::Continue(Some(name.into()))
}

fn is_instance(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let (class, object) = (call.class(0)?, call.reference(1)?);
    let is =
        !object.is_null() && call.machine.program.is_subtype(call.state.heap.class(object), class);
    Flow::Continue(Some(is.into()))
}

fn is_assignable_from(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let (to, from) = (call.class(0)?, call.class(1)?);
    Flow::Continue(Some(call.machine.program.is_subtype(from, to).into()))
}

fn superclass(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let class = call.class(0)?;
    let target = call.machine.program.class(class);
    match target.superclass.filter(|_| !target.is_interface()) {
        Some(superclass) => {
            Flow::Continue(Some(call.machine.mirror(call.state, superclass)?.into()))
        }
        None => Flow::Continue(Some(Value::NULL)),
    }
}

fn modifiers(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let class = call.class(0)?;
    Flow::Continue(Some(Value::Int(call.machine.modifiers(class))))
}

fn is_hidden(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let class = call.class(0)?;
    Flow::Continue(Some(call.machine.is_made(class).into()))
}

fn is_record(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let class = call.class(0)?;
    let target = call.machine.program.class(class);
    Flow::Continue(Some(target.record().is_some().into()))
}

fn for_name(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let (name, initialize) = (call.text(0)?, call.boolean(1)?);
    let class = find(call, &name)?;
    if initialize && call.machine.program.class(class).shape == Shape::Declared {
        call.machine.require(call.state, class)?;
    }
    Flow::Continue(Some(call.machine.mirror(call.state, class)?.into()))
}

/// A class by the name that `Class.getName` gives it.
fn find(call: &Call<'_, '_>, name: &str) -> Flow<ClassId> {
    let internal = name.replace('.', "/");
    let found = if name.contains('/') { None } else { call.machine.program.load(&internal).ok() };
    match found {
        Some(class) if call.machine.program.is_reference_class(class) => Flow::Continue(class),
        _ => raise("java/lang/ClassNotFoundException", name),
    }
}

pub(crate) const ROWS: &[Row] = &[
    any("getPrimitiveClass", primitive),
    any("desiredAssertionStatus0", assertions),
    any("desiredAssertionStatus", assertions),
    any("isArray", is_array),
    any("isPrimitive", is_primitive),
    any("isInterface", is_interface),
    any("initClassName", name),
    any("isInstance", is_instance),
    any("isAssignableFrom", is_assignable_from),
    any("getSuperclass", superclass),
    any("getModifiers", modifiers),
    any("isHidden", is_hidden),
    any("isRecord0", is_record),
    any("forName0", for_name),
];

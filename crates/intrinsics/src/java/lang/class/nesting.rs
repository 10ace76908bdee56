//! Where a class was declared, and what its class file says of it beside its members.

use super::members;
use crate::table::{Row, any};
use dalang_classes::InnerClass;
use dalang_heap::Value;
use dalang_interp::{Call, Flow, linked};

/// What a class says of itself among its nested classes.
fn own(call: &Call<'_, '_>) -> Flow<Option<InnerClass>> {
    let class = call.class(0)?;
    let class = call.machine.program.class(class);
    let inner = class.inner_classes().iter().find(|inner| inner.inner == class.name);
    Flow::Continue(inner.copied())
}

fn declaring_class(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let Some(outer) = own(call)?.and_then(|inner| inner.outer) else {
        return Flow::Continue(Some(Value::NULL));
    };
    let outer = linked(call.machine.program.load_name(outer))?;
    Flow::Continue(Some(call.machine.mirror(call.state, outer)?.into()))
}

fn simple_binary_name(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let name = own(call)?.and_then(|inner| inner.simple_name);
    Flow::Continue(Some(members::text(call, name)?))
}

/// The class around, and name and descriptor of the method around if there is one.
fn enclosing_method(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let class = call.class(0)?;
    let Some(enclosing) = call.machine.program.class(class).enclosing() else {
        return Flow::Continue(Some(Value::NULL));
    };
    let outer = linked(call.machine.program.load_name(enclosing.class))?;
    let outer = call.machine.mirror(call.state, outer)?;
    let object = call.machine.known.object;
    let objects = linked(call.machine.program.array_of(object))?;
    let array = call.machine.allocate_array(call.state, objects, 3)?;
    call.state.heap.set(array, 0, outer.into());
    if let Some((name, descriptor)) = enclosing.method {
        let name = members::text(call, Some(name))?;
        call.state.heap.set(array, 1, name);
        let descriptor = members::text(call, Some(descriptor))?;
        call.state.heap.set(array, 2, descriptor);
    }
    Flow::Continue(Some(array.into()))
}

fn generic_signature(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let class = call.class(0)?;
    let signature = call.machine.program.class(class).signature();
    Flow::Continue(Some(members::text(call, signature)?))
}

fn attribute(call: &mut Call<'_, '_>, name: &str) -> Flow<Option<Value>> {
    let class = call.class(0)?;
    let class = call.machine.program.class(class);
    Flow::Continue(Some(members::bytes(call, class, class.attributes(), name)))
}

fn annotations(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    attribute(call, "RuntimeVisibleAnnotations")
}

fn type_annotations(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    attribute(call, "RuntimeVisibleTypeAnnotations")
}

/// The constant pool of a class, for whoever parses annotations.
fn constant_pool(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let mirror = call.object(0)?;
    let class = call.machine.class("jdk/internal/reflect/ConstantPool")?;
    call.machine.require(call.state, class)?;
    let pool = call.machine.allocate(call.state, class, 0)?;
    members::set(call, pool, "constantPoolOop", mirror.into());
    Flow::Continue(Some(pool.into()))
}

fn version(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let class = call.class(0)?;
    Flow::Continue(Some(Value::Int(i32::from(call.machine.program.class(class).major))))
}

fn access_flags(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let class = call.class(0)?;
    Flow::Continue(Some(Value::Int(i32::from(call.machine.program.class(class).flags.bits()))))
}

/// Nothing is signed.
fn signers(_: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    Flow::Continue(Some(Value::NULL))
}

pub(crate) const ROWS: &[Row] = &[
    any("getDeclaringClass0", declaring_class),
    any("getSimpleBinaryName0", simple_binary_name),
    any("getEnclosingMethod0", enclosing_method),
    any("getGenericSignature0", generic_signature),
    any("getRawAnnotations", annotations),
    any("getRawTypeAnnotations", type_annotations),
    any("getConstantPool", constant_pool),
    any("getClassFileVersion0", version),
    any("getClassAccessFlagsRaw0", access_flags),
    any("getSigners", signers),
];

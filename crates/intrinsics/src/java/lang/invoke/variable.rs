//! `java.lang.invoke.VarHandle`, and what its subclasses say of themselves.

use super::MACHINERY;
use super::handle::give;
use crate::table::{Row, required, required_any};
use dalang_classes::{Name, ValueType};
use dalang_heap::{Reference, Value};
use dalang_interp::{Behavior, Call, Flow, Form, Mode, bug};

fn var_type(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let variable = call.machine.variable(call.state, call.object(0)?)?;
    let value = call.machine.variable_type(variable)?;
    let class = dalang_interp::linked(call.machine.program.class_of_type(value))?;
    Flow::Continue(Some(call.machine.mirror(call.state, class)?.into()))
}

fn coordinate_types(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let variable = call.machine.variable(call.state, call.object(0)?)?;
    let list = call.machine.class("java/util/List")?;
    call.machine.require(call.state, list)?;
    let mut mirrors = Vec::new();
    for class in call.machine.coordinate_classes(variable)? {
        mirrors.push(call.machine.mirror(call.state, class)?);
    }
    let component = call.machine.known.object;
    let array = call.machine.allocate_references(call.state, component, &mirrors)?;
    let of = call.machine.method(list, "of", "([Ljava/lang/Object;)Ljava/util/List;")?;
    call.instead(of, &[array.into()])
}

/// The name of the access mode that an argument is.
fn mode_name(call: &Call<'_, '_>, index: usize) -> Flow<Reference> {
    match call.machine.field(call.state, call.object(index)?, "methodName")? {
        Value::Reference(name) => Flow::Continue(name),
        _ => bug("an access mode without a name"),
    }
}

/// The access mode that an argument is.
fn mode(call: &Call<'_, '_>, index: usize) -> Flow<Mode> {
    let name = call.machine.text(call.state, mode_name(call, index)?)?;
    match Mode::named(&name) {
        Some(mode) => Flow::Continue(mode),
        None => bug(format!("{name} is no access mode")),
    }
}

fn is_supported(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let variable = call.machine.variable(call.state, call.object(0)?)?;
    let supported = call.machine.supports(variable, mode(call, 1)?);
    Flow::Continue(Some(supported.into()))
}

/// The descriptor of the type of a mode.
fn mode_descriptor(call: &Call<'_, '_>) -> Flow<Name> {
    let variable = call.machine.variable(call.state, call.object(0)?)?;
    call.machine.access_descriptor(variable, mode(call, 1)?)
}

/// `accessModeType(mode)`
fn mode_type(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let descriptor = mode_descriptor(call)?;
    Flow::Continue(Some(call.machine.method_type(call.state, descriptor)?.into()))
}

/// `toMethodHandle(mode)`
fn to_handle(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let descriptor = mode_descriptor(call)?;
    let parts = [call.argument(0), mode_name(call, 1)?.into()];
    give(call, descriptor, &Behavior::new(Form::Access, [0; 3], &parts))
}

/// A handle that uses the variable that is its first argument, as `name` says.
pub(super) fn invoker(
    call: &mut Call<'_, '_>,
    wanted: Name,
    name: Reference,
    exact: bool,
) -> Flow<Option<Value>> {
    let own = call.machine.described(wanted)?;
    let variable = call.machine.program.names().intern("java/lang/invoke/VarHandle");
    let types = std::iter::once(ValueType::Reference(variable));
    let types = types.chain(own.parameters.iter().copied());
    let descriptor = call.machine.descriptor_of(types, own.result);
    let numbers = [i32::from(exact), wanted.number() as i32, 0];
    give(call, descriptor, &Behavior::new(Form::Accessor, numbers, &[name.into()]))
}

/// `MethodHandles.varHandleExactInvoker(mode, type)`
fn exact_invoker(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let (name, wanted) = (mode_name(call, 0)?, super::types::descriptor(call, 1)?);
    invoker(call, wanted, name, true)
}

/// `MethodHandles.varHandleInvoker(mode, type)`
fn generic_invoker(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let (name, wanted) = (mode_name(call, 0)?, super::types::descriptor(call, 1)?);
    invoker(call, wanted, name, false)
}

fn with_exact(call: &mut Call<'_, '_>, exact: bool) -> Flow<Option<Value>> {
    let handle = call.object(0)?;
    if call.machine.field(call.state, handle, "exact")? == exact.into() {
        return Flow::Continue(Some(handle.into()));
    }
    let copy = copy(call, handle)?;
    call.machine.set_field(call.state, copy, "exact", exact)?;
    Flow::Continue(Some(copy.into()))
}

fn copy(call: &mut Call<'_, '_>, handle: Reference) -> Flow<Reference> {
    let variable = call.machine.variable(call.state, handle)?;
    call.machine.new_variable(call.state, variable)
}

fn exact(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    with_exact(call, true)
}

fn inexact(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    with_exact(call, false)
}

pub(crate) const ROWS: &[Row] = &[
    required("varType", "()Ljava/lang/Class;", MACHINERY, var_type),
    required("coordinateTypes", "()Ljava/util/List;", MACHINERY, coordinate_types),
    required(
        "isAccessModeSupported",
        "(Ljava/lang/invoke/VarHandle$AccessMode;)Z",
        MACHINERY,
        is_supported,
    ),
    required("accessModeType", MODE_TYPE, MACHINERY, mode_type),
    required_any("toMethodHandle", MACHINERY, to_handle),
];

const MODE_TYPE: &str = "(Ljava/lang/invoke/VarHandle$AccessMode;)Ljava/lang/invoke/MethodType;";

/// What `MethodHandles` has for them.
pub(crate) const INVOKERS: &[Row] = &[
    required_any("varHandleExactInvoker", MACHINERY, exact_invoker),
    required_any("varHandleInvoker", MACHINERY, generic_invoker),
];

/// The rows of every subclass. Some libraries give them the type of the subclass.
pub(crate) const EXACT: &[Row] = &[
    required_any("withInvokeExactBehavior", MACHINERY, exact),
    required_any("withInvokeBehavior", MACHINERY, inexact),
];

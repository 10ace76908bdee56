//! `java.lang.invoke.VarHandle`, and what its subclasses say of themselves.

use super::MACHINERY;
use crate::table::{Row, required, required_any};
use dalang_heap::{Reference, Value};
use dalang_interp::{Call, Flow, Mode, bug};

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

/// The access mode that an argument is.
fn mode(call: &Call<'_, '_>, index: usize) -> Flow<Mode> {
    let name = match call.machine.field(call.state, call.object(index)?, "methodName")? {
        Value::Reference(name) => call.machine.text(call.state, name)?,
        _ => return bug("an access mode without a name"),
    };
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
];

/// The rows of every subclass. Some libraries give them the type of the subclass.
pub(crate) const EXACT: &[Row] = &[
    required_any("withInvokeExactBehavior", MACHINERY, exact),
    required_any("withInvokeBehavior", MACHINERY, inexact),
];

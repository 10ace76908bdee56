//! `java.lang.invoke.MethodHandle`: other handles made of one.

use super::MACHINERY;
use super::types::descriptor;
use crate::table::{Row, required};
use dalang_classes::{Name, Shape, ValueType};
use dalang_heap::{Reference, Value};
use dalang_interp::{Behavior, Call, Flow, Form, Outcome, bug, pass_on};

/// What the called method returned; what it threw is thrown on.
pub(super) fn returned(outcome: Outcome) -> Flow<Value> {
    match outcome {
        Outcome::Returned(value) => Flow::Continue(value.unwrap_or(Value::NULL)),
        Outcome::Threw(exception) => Flow::Break(dalang_interp::Interrupt::Throw(exception)),
    }
}

/// Gives a new handle of a type.
pub(super) fn give(
    call: &mut Call<'_, '_>,
    descriptor: Name,
    behavior: &Behavior,
) -> Flow<Option<Value>> {
    Flow::Continue(Some(call.machine.new_handle(call.state, descriptor, behavior)?.into()))
}

fn as_type(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let wanted = descriptor(call, 1)?;
    let handle = call.object(0)?;
    Flow::Continue(Some(call.machine.as_type(call.state, handle, wanted)?.into()))
}

fn form(call: &Call<'_, '_>, handle: Reference) -> Flow<Form> {
    Flow::Continue(call.machine.read_handle(call.state, handle)?.form)
}

fn is_varargs(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let form = form(call, call.object(0)?)?;
    Flow::Continue(Some((form == Form::Varargs).into()))
}

fn fixed_arity(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let handle = call.object(0)?;
    let behavior = call.machine.read_handle(call.state, handle)?;
    Flow::Continue(match behavior.form {
        Form::Varargs => behavior.values.first().copied(),
        _ => Some(handle.into()),
    })
}

/// `withVarargs(wanted)`: the checks of a handle that is not of variable arity are the library's.
fn with_varargs(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let handle = call.object(0)?;
    let behavior = call.machine.read_handle(call.state, handle)?;
    match (behavior.form, call.boolean(1)?) {
        (Form::Varargs, true) => Flow::Continue(Some(handle.into())),
        (Form::Varargs, false) => Flow::Continue(behavior.values.first().copied()),
        _ => call.proceed(),
    }
}

/// `bindArgumentL(pos, value)`: what `bindTo` comes down to, after its checks.
fn bind(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let (handle, at) = (call.object(0)?, call.int(1)?);
    let value = call.argument(2);
    insert(call, handle, at as usize, &[value])
}

/// A handle whose arguments from a position on are these.
pub(super) fn insert(
    call: &mut Call<'_, '_>,
    handle: Reference,
    at: usize,
    values: &[Value],
) -> Flow<Option<Value>> {
    let own = call.machine.handle_type(call.state, handle)?;
    let rest = own.parameters[..at].iter().chain(&own.parameters[at + values.len()..]).copied();
    let descriptor = call.machine.descriptor_of(rest, own.result);
    let all: Vec<Value> = std::iter::once(handle.into()).chain(values.iter().copied()).collect();
    give(call, descriptor, &Behavior::new(Form::Insert, [at as i32, 0, 0], &all))
}

/// A handle of a method, bound to a receiver; of variable arity if it was.
pub(super) fn bound(
    call: &mut Call<'_, '_>,
    handle: Reference,
    receiver: Reference,
) -> Flow<Option<Value>> {
    let bound = insert(call, handle, 0, &[receiver.into()])?;
    match (form(call, handle)?, bound) {
        (Form::Varargs, Some(Value::Reference(bound))) => {
            let descriptor = call.machine.handle_descriptor(call.state, bound)?;
            let handle = call.machine.varargs_handle(call.state, descriptor, bound)?;
            Flow::Continue(Some(handle.into()))
        }
        _ => Flow::Continue(bound),
    }
}

fn invoke_with_arguments(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let (handle, array) = (call.object(0)?, call.object(1)?);
    let arguments = call.machine.listed(call.state, array)?;
    let object = call.machine.program.names().intern("java/lang/Object");
    let object = ValueType::Reference(object);
    let parameters = std::iter::repeat_n(object, arguments.len());
    let generic = call.machine.descriptor_of(parameters, Some(object));
    let handle = call.machine.as_type(call.state, handle, generic)?;
    call.call_handle(handle, &arguments, pass_on)
}

/// `asSpreader(pos, arrayType, length)`
fn as_spreader(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let class = call.machine.class("java/lang/invoke/MethodHandle")?;
    let checks = "(Ljava/lang/Class;II)Ljava/lang/invoke/MethodType;";
    let checks = call.machine.method(class, "asSpreaderChecks", checks)?;
    let arguments = [call.argument(0), call.argument(2), call.argument(1), call.argument(3)];
    call.invoke(checks, &arguments, spreader)
}

fn spreader(call: &mut Call<'_, '_>, outcome: Outcome) -> Flow<Option<Value>> {
    let Value::Reference(spread) = returned(outcome)? else { return bug("a type is no object") };
    let (handle, at, array, count) = (call.object(0)?, call.int(1)?, call.class(2)?, call.int(3)?);
    let spread = call.machine.type_descriptor(call.state, spread)?;
    let target = call.machine.as_type(call.state, handle, spread)?;
    let own = call.machine.described(spread)?;
    let (at, count) = (at as usize, count as usize);
    let parameters = own.parameters[..at]
        .iter()
        .copied()
        .chain(call.machine.type_of(array))
        .chain(own.parameters[at + count..].iter().copied());
    let descriptor = call.machine.descriptor_of(parameters, own.result);
    let numbers = [at as i32, count as i32, 0];
    give(call, descriptor, &Behavior::new(Form::Spread, numbers, &[target.into()]))
}

/// `asCollector(pos, arrayType, length)`
fn as_collector(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let class = call.machine.class("java/lang/invoke/MethodHandle")?;
    let checks = call.machine.method(class, "asCollectorChecks", "(Ljava/lang/Class;II)Z")?;
    let arguments = [call.argument(0), call.argument(2), call.argument(1), call.argument(3)];
    call.invoke(checks, &arguments, collector)
}

fn collector(call: &mut Call<'_, '_>, outcome: Outcome) -> Flow<Option<Value>> {
    returned(outcome)?;
    let (handle, at, array, count) = (call.object(0)?, call.int(1)?, call.class(2)?, call.int(3)?);
    let own = call.machine.handle_type(call.state, handle)?;
    let Shape::Array { component, .. } = call.machine.program.class(array).shape else {
        return bug("a collector without an array");
    };
    // The parameter may be of a wider type than the array: then the array is converted to it.
    let place = at as usize;
    let adapted = own.parameters.iter().enumerate().map(|(index, &value)| {
        if index == place { call.machine.type_of(array).unwrap_or(value) } else { value }
    });
    let adapted = call.machine.descriptor_of(adapted.collect::<Vec<_>>(), own.result);
    let handle = call.machine.as_type(call.state, handle, adapted)?;
    let elements = std::iter::repeat_n(call.machine.type_of(component), count as usize).flatten();
    let parameters: Vec<ValueType> = own.parameters[..place]
        .iter()
        .copied()
        .chain(elements)
        .chain(own.parameters[place + 1..].iter().copied())
        .collect();
    let descriptor = call.machine.descriptor_of(parameters, own.result);
    let numbers = [at, count, array.number() as i32];
    give(call, descriptor, &Behavior::new(Form::Gather, numbers, &[handle.into()]))
}

pub(crate) const ROWS: &[Row] = &[
    required(
        "asType",
        "(Ljava/lang/invoke/MethodType;)Ljava/lang/invoke/MethodHandle;",
        MACHINERY,
        as_type,
    ),
    required("isVarargsCollector", "()Z", MACHINERY, is_varargs),
    required("withVarargs", "(Z)Ljava/lang/invoke/MethodHandle;", MACHINERY, with_varargs),
    required("asFixedArity", "()Ljava/lang/invoke/MethodHandle;", MACHINERY, fixed_arity),
    required(
        "bindArgumentL",
        "(ILjava/lang/Object;)Ljava/lang/invoke/BoundMethodHandle;",
        MACHINERY,
        bind,
    ),
    required(
        "invokeWithArguments",
        "([Ljava/lang/Object;)Ljava/lang/Object;",
        MACHINERY,
        invoke_with_arguments,
    ),
    required(
        "asSpreader",
        "(ILjava/lang/Class;I)Ljava/lang/invoke/MethodHandle;",
        MACHINERY,
        as_spreader,
    ),
    required(
        "asCollector",
        "(ILjava/lang/Class;I)Ljava/lang/invoke/MethodHandle;",
        MACHINERY,
        as_collector,
    ),
];

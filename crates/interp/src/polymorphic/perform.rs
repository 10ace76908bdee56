//! Calling a method handle: a frame that stands for no method takes the handle and its arguments,
//! goes through adapters as long as nothing has to be done after them, and calls what is left.

use super::after;
use super::form::{Behavior, Form};
use super::repeat;
use crate::call::Call;
use crate::flow::{Flow, Interrupt, bug, raise};
use dalang_classes::{Name, ValueType};
use dalang_heap::{Reference, Value};

/// The body of such a frame: its first argument is the handle.
pub(crate) fn perform(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let arguments = (1..call.arguments()).map(|index| call.argument(index)).collect();
    let handle = call.object(0)?;
    apply(call, handle, arguments)
}

fn apply(
    call: &mut Call<'_, '_>,
    mut object: Reference,
    mut arguments: Vec<Value>,
) -> Flow<Option<Value>> {
    loop {
        let handle = call.machine.read_handle(call.state, object)?;
        let next = match handle.form {
            Form::Insert => {
                let at = handle.at();
                arguments.splice(at..at, handle.values[1..].iter().copied());
                handle.part(0)?
            }
            Form::Drop => {
                arguments.drain(handle.at()..handle.at() + handle.count());
                handle.part(0)?
            }
            Form::Permute => {
                arguments = permuted(&handle, &arguments);
                handle.part(0)?
            }
            Form::Spread => {
                spread(call, &handle, &mut arguments)?;
                handle.part(0)?
            }
            Form::Gather => {
                gather(call, &handle, &mut arguments)?;
                handle.part(0)?
            }
            Form::Varargs => handle.part(0)?,
            Form::Table => {
                let index = call.machine.concrete_int(arguments[0])?;
                let index = usize::try_from(index).map_or(0, |index| index.saturating_add(1));
                handle.part(if index < handle.values.len() { index } else { 0 })?
            }
            Form::Invoker => invoked(call, &handle, &mut arguments)?,
            Form::Convert => {
                let target = handle.part(0)?;
                if after::convert_arguments(call, object, &handle, &mut arguments)? {
                    call.save(object);
                    return call.call_handle(target, &arguments, after::convert_result);
                }
                target
            }
            _ => return finish(call, object, &handle, &arguments),
        };
        object = next;
    }
}

/// What is done by a handle that does not just pass its arguments on.
fn finish(
    call: &mut Call<'_, '_>,
    object: Reference,
    handle: &Behavior,
    arguments: &[Value],
) -> Flow<Option<Value>> {
    match handle.form {
        Form::Static | Form::Special => {
            if handle.form == Form::Special {
                receiver(call, arguments)?;
            }
            call.instead(handle.method(), arguments)
        }
        Form::Virtual => {
            receiver(call, arguments)?;
            call.instead_virtual(handle.method(), arguments)
        }
        Form::New => {
            let class = call.machine.program.method(handle.method()).class;
            if !call.machine.program.class(class).is_instantiable() {
                let name = call.machine.java_name(class);
                return raise("java/lang/InstantiationException", name);
            }
            call.machine.require(call.state, class)?;
            let made = call.machine.allocate(call.state, class, 0)?;
            call.save(made);
            let mut all = vec![Value::Reference(made)];
            all.extend(arguments);
            call.invoke(handle.method(), &all, after::give_made)
        }
        Form::GetField | Form::PutField | Form::GetStatic | Form::PutStatic => {
            use_field(call, handle, arguments)
        }
        Form::GetElement | Form::PutElement | Form::Length | Form::NewArray => {
            use_array(call, handle, arguments)
        }
        Form::Identity => Flow::Continue(arguments.first().copied()),
        Form::Constant => Flow::Continue(handle.values.first().copied()),
        Form::Throw => Flow::Break(Interrupt::Throw(receiver(call, arguments)?)),
        Form::Access => {
            let (variable, name) = (handle.part(0)?, handle.part(1)?);
            let name = call.machine.text(call.state, name)?;
            let site = call.machine.handle_type(call.state, object)?;
            call.machine.use_variable(call.state, &site, &name, variable, arguments)
        }
        Form::Accessor => {
            let (variable, name) = (receiver(call, arguments)?, handle.part(0)?);
            let name = call.machine.text(call.state, name)?;
            let descriptor = Name::new(handle.numbers[1] as u32);
            if handle.numbers[0] == 1 {
                call.machine.check_access_type(call.state, variable, &name, descriptor)?;
            }
            let site = call.machine.described(descriptor)?;
            call.machine.use_variable(call.state, &site, &name, variable, &arguments[1..])
        }
        Form::Loop => repeat::begin(call, object, handle, arguments),
        _ => after::begin(call, object, handle, arguments),
    }
}

/// The first argument, an object of a known class.
fn receiver(call: &mut Call<'_, '_>, arguments: &[Value]) -> Flow<Reference> {
    match arguments.first() {
        Some(&receiver) => call.machine.non_null(call.state, receiver),
        None => bug("a method handle lacks a receiver"),
    }
}

fn permuted(handle: &Behavior, arguments: &[Value]) -> Vec<Value> {
    let from = handle.values[1..].iter().map(|value| match *value {
        Value::Int(index) => arguments[index as usize],
        other => other,
    });
    from.collect()
}

/// Replaces an array by its elements.
fn spread(call: &mut Call<'_, '_>, handle: &Behavior, arguments: &mut Vec<Value>) -> Flow {
    let (at, count) = (handle.at(), handle.count());
    let Value::Reference(array) = call.machine.resolved(call.state, arguments[at])? else {
        return crate::flow::unsupported("a symbolic array, spread");
    };
    if array.is_null() && count > 0 {
        return raise("java/lang/NullPointerException", "null array reference");
    }
    let elements: Vec<Value> =
        if array.is_null() { Vec::new() } else { call.machine.listed(call.state, array)? };
    if elements.len() != count {
        let message = format!("array is not of length {count}");
        return raise("java/lang/IllegalArgumentException", message);
    }
    arguments.splice(at..=at, elements);
    Flow::Continue(())
}

/// Replaces arguments by an array of them.
fn gather(call: &mut Call<'_, '_>, handle: &Behavior, arguments: &mut Vec<Value>) -> Flow {
    let (at, count) = (handle.at(), handle.count());
    let array = call.machine.allocate_array(call.state, handle.class(2), count)?;
    for (index, value) in arguments[at..at + count].iter().enumerate() {
        call.state.heap.set(array, index, *value);
    }
    arguments.splice(at..at + count, [array.into()]);
    Flow::Continue(())
}

/// The handle that an invoker calls: its first argument, as one of the invoker's type.
fn invoked(
    call: &mut Call<'_, '_>,
    handle: &Behavior,
    arguments: &mut Vec<Value>,
) -> Flow<Reference> {
    let target = receiver(call, arguments)?;
    let descriptor = Name::new(handle.numbers[1] as u32);
    let target = if handle.numbers[0] == 1 {
        call.machine.check_exact(call.state, target, descriptor)?;
        target
    } else {
        call.machine.as_type(call.state, target, descriptor)?
    };
    arguments.remove(0);
    Flow::Continue(target)
}

fn use_field(
    call: &mut Call<'_, '_>,
    handle: &Behavior,
    arguments: &[Value],
) -> Flow<Option<Value>> {
    let field = call.machine.program.field(handle.field());
    let is_static = field.flags.is_static();
    let object = if is_static {
        call.machine.require(call.state, field.class)?;
        call.machine.static_base(call.state, field.class)
    } else {
        receiver(call, arguments)?
    };
    let slot = field.slot as usize;
    if matches!(handle.form, Form::GetField | Form::GetStatic) {
        return match call.state.heap.get(object, slot) {
            Some(value) => call.machine.read(call.state, value).map_continue(Some),
            None => bug("a field is read of an object that does not have it"),
        };
    }
    let Some(&value) = arguments.last() else { return bug("a field is set to nothing") };
    let value = call.machine.fit(value, field.value);
    if !call.machine.store_slot(call.state, object, slot, value) {
        return bug("a field is set of an object that does not have it");
    }
    Flow::Continue(None)
}

fn use_array(
    call: &mut Call<'_, '_>,
    handle: &Behavior,
    arguments: &[Value],
) -> Flow<Option<Value>> {
    if handle.form == Form::NewArray {
        let array = call.machine.new_array_value(call.state, handle.class(0), arguments[0])?;
        return Flow::Continue(Some(array.into()));
    }
    let array = receiver(call, arguments)?;
    if handle.form == Form::Length {
        return Flow::Continue(Some(call.machine.array_length_value(call.state, array)));
    }
    let index = arguments[1];
    call.machine.check_index(call.state, array, index)?;
    if handle.form == Form::GetElement {
        return Flow::Continue(Some(call.machine.load_element(call.state, array, index)?));
    }
    let class = call.state.heap.class(array);
    let mut value = arguments[2];
    match call.machine.element_type(class) {
        ValueType::Reference(_) => call.machine.check_store(call.state, array, value)?,
        element @ ValueType::Primitive(_) => value = call.machine.fit(value, element),
    }
    call.machine.store_element(call.state, array, index, value)?;
    Flow::Continue(None)
}

//! Method handles that have something to do after what they call: conversions of results, filters,
//! guards, handlers. What they need then is saved in the frame: the handle first, and its arguments
//! behind it.

use super::form::{Behavior, Form};
use crate::call::{Call, pass_on};
use crate::flow::{Flow, Interrupt, Outcome, bug};
use dalang_heap::{Reference, Value};

pub(super) fn returned(outcome: Outcome) -> Flow<Option<Value>> {
    match outcome {
        Outcome::Returned(value) => Flow::Continue(value),
        Outcome::Threw(exception) => Flow::Break(Interrupt::Throw(exception)),
    }
}

/// Converts the arguments of a handle to those of its target; whether the result has to be
/// converted as well.
pub(super) fn convert_arguments(
    call: &mut Call<'_, '_>,
    object: Reference,
    handle: &Behavior,
    arguments: &mut [Value],
) -> Flow<bool> {
    let own = call.machine.handle_type(call.state, object)?;
    let target = call.machine.handle_type(call.state, handle.part(0)?)?;
    let explicit = handle.numbers[0] == 1;
    for (place, argument) in arguments.iter_mut().enumerate() {
        let (from, to) = (own.parameters[place], target.parameters[place]);
        *argument = if explicit {
            call.machine.cast_value(call.state, *argument, from, to)?
        } else {
            call.machine.coerce(call.state, *argument, from, to)?
        };
    }
    Flow::Continue(own.result != target.result)
}

/// Goes on with the result of the target of a conversion.
pub(super) fn convert_result(call: &mut Call<'_, '_>, outcome: Outcome) -> Flow<Option<Value>> {
    let value = returned(outcome)?;
    let object = call.saved_reference(0)?;
    let handle = call.machine.read_handle(call.state, object)?;
    let own = call.machine.handle_type(call.state, object)?;
    let target = call.machine.handle_type(call.state, handle.part(0)?)?;
    let value = match (target.result, value, own.result) {
        (_, _, None) => return Flow::Continue(None),
        (Some(from), Some(value), Some(to)) if handle.numbers[0] == 1 => {
            call.machine.cast_value(call.state, value, from, to)?
        }
        (Some(from), Some(value), Some(to)) => call.machine.coerce(call.state, value, from, to)?,
        (_, _, Some(to)) => Value::zero(to.kind()),
    };
    Flow::Continue(Some(value))
}

/// Goes on after a constructor.
pub(super) fn give_made(call: &mut Call<'_, '_>, outcome: Outcome) -> Flow<Option<Value>> {
    returned(outcome)?;
    Flow::Continue(Some(call.saved(0)))
}

/// How many values [`begin`] saves before the arguments.
const BEFORE: usize = 2;

/// Begins a handle that calls others one after the other.
pub(super) fn begin(
    call: &mut Call<'_, '_>,
    object: Reference,
    handle: &Behavior,
    arguments: &[Value],
) -> Flow<Option<Value>> {
    call.save(object);
    call.save(Value::Int(arguments.len() as i32));
    for &argument in arguments {
        call.save(argument);
    }
    match handle.form {
        Form::Filter => {
            // Which argument is being filtered.
            call.save(Value::Int(-1));
            filter_next(call, handle, arguments)
        }
        Form::FilterResult => call.call_handle(handle.part(0)?, arguments, filter_result),
        Form::Fold | Form::Collect => {
            let part = handle.part(1)?;
            let count = call.machine.handle_type(call.state, part)?.parameters.len();
            let some = &arguments[handle.at()..handle.at() + count];
            call.call_handle(part, some, combined)
        }
        Form::Guard => call.call_handle(handle.part(0)?, arguments, guarded),
        Form::Catch => call.call_handle(handle.part(0)?, arguments, caught),
        Form::Finally => {
            call.save(Value::NULL);
            call.call_handle(handle.part(0)?, arguments, finished)
        }
        _ => bug(format!("a method handle of the form {:?} has no meaning", handle.form)),
    }
}

/// The handle that is going on, and its arguments.
fn restore(call: &Call<'_, '_>) -> Flow<(Behavior, Vec<Value>)> {
    let object = call.saved_reference(0)?;
    let count = call.saved_int(1)? as usize;
    let arguments = (0..count).map(|index| call.saved(BEFORE + index)).collect();
    Flow::Continue((call.machine.read_handle(call.state, object)?, arguments))
}

fn filter_next(
    call: &mut Call<'_, '_>,
    handle: &Behavior,
    arguments: &[Value],
) -> Flow<Option<Value>> {
    let step = BEFORE + arguments.len();
    let filters = handle.values.len() - 1;
    let mut next = call.saved_int(step)? + 1;
    while (next as usize) < filters {
        let filter = handle.part(1 + next as usize)?;
        if !filter.is_null() {
            call.set_saved(step, Value::Int(next));
            let argument = arguments[handle.at() + next as usize];
            return call.call_handle(filter, &[argument], filtered);
        }
        next += 1;
    }
    call.call_handle(handle.part(0)?, arguments, pass_on)
}

fn filtered(call: &mut Call<'_, '_>, outcome: Outcome) -> Flow<Option<Value>> {
    let value = returned(outcome)?;
    let (handle, mut arguments) = restore(call)?;
    let step = BEFORE + arguments.len();
    let place = handle.at() + call.saved_int(step)? as usize;
    if let Some(value) = value {
        arguments[place] = value;
        call.set_saved(BEFORE + place, value);
    }
    filter_next(call, &handle, &arguments)
}

fn filter_result(call: &mut Call<'_, '_>, outcome: Outcome) -> Flow<Option<Value>> {
    let value = returned(outcome)?;
    let (handle, _) = restore(call)?;
    let value: Vec<Value> = value.into_iter().collect();
    call.call_handle(handle.part(1)?, &value, pass_on)
}

fn combined(call: &mut Call<'_, '_>, outcome: Outcome) -> Flow<Option<Value>> {
    let value = returned(outcome)?;
    let (handle, mut arguments) = restore(call)?;
    let at = handle.at();
    let replaced = match handle.form {
        Form::Fold => 0,
        _ => call.machine.handle_type(call.state, handle.part(1)?)?.parameters.len(),
    };
    arguments.splice(at..at + replaced, value);
    call.call_handle(handle.part(0)?, &arguments, pass_on)
}

/// Whether a test gave true.
pub(super) fn truth(call: &mut Call<'_, '_>, value: Option<Value>) -> Flow<bool> {
    match value {
        Some(Value::Int(value)) => Flow::Continue(value & 1 == 1),
        Some(Value::Term(term)) => {
            let zero = call.machine.pool.int(0);
            let is_zero = call.machine.pool.eq(term, zero);
            call.machine.decide(call.state, is_zero).map_continue(|is_zero| !is_zero)
        }
        _ => bug("a test gave no truth value"),
    }
}

fn guarded(call: &mut Call<'_, '_>, outcome: Outcome) -> Flow<Option<Value>> {
    let value = returned(outcome)?;
    let (handle, arguments) = restore(call)?;
    let holds = truth(call, value)?;
    call.call_handle(handle.part(if holds { 1 } else { 2 })?, &arguments, pass_on)
}

fn caught(call: &mut Call<'_, '_>, outcome: Outcome) -> Flow<Option<Value>> {
    let exception = match outcome {
        Outcome::Returned(value) => return Flow::Continue(value),
        Outcome::Threw(exception) => exception,
    };
    let (handle, arguments) = restore(call)?;
    let class = call.state.heap.class(exception);
    if !call.machine.program.is_subtype(class, handle.class(0)) {
        return Flow::Break(Interrupt::Throw(exception));
    }
    let mut all = vec![Value::Reference(exception)];
    all.extend(arguments);
    call.call_handle(handle.part(1)?, &all, pass_on)
}

fn finished(call: &mut Call<'_, '_>, outcome: Outcome) -> Flow<Option<Value>> {
    let (handle, arguments) = restore(call)?;
    let cleanup = handle.part(1)?;
    let result = call.machine.handle_type(call.state, handle.part(0)?)?.result;
    let (exception, value) = match outcome {
        Outcome::Returned(value) => (Reference::NULL, value),
        Outcome::Threw(exception) => (exception, result.map(|of| Value::zero(of.kind()))),
    };
    call.set_saved(BEFORE + arguments.len(), exception);
    let mut all = vec![Value::Reference(exception)];
    all.extend(value);
    all.extend(arguments);
    call.call_handle(cleanup, &all, cleaned)
}

fn cleaned(call: &mut Call<'_, '_>, outcome: Outcome) -> Flow<Option<Value>> {
    let value = returned(outcome)?;
    let count = call.saved_int(1)? as usize;
    let exception = call.saved_reference(BEFORE + count)?;
    if exception.is_null() {
        Flow::Continue(value)
    } else {
        Flow::Break(Interrupt::Throw(exception))
    }
}

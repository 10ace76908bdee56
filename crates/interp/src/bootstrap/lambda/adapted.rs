//! A call of a lambda whose arguments or result must be converted, in a hidden frame.
//!
//! The frame is given the lambda, the arguments, and the number of the method that was called. It
//! saves what the implementation takes, one value after the other.

use super::Entry;
use crate::adapt::Converted;
use crate::call::{Call, pass_on};
use crate::flow::{Flow, Outcome, bug};
use crate::steps::returned;
use dalang_classes::MethodId;
use dalang_heap::Value;
use std::rc::Rc;

pub(super) fn run(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    step(call, Outcome::Returned(None))
}

fn entry(call: &mut Call<'_, '_>) -> Flow<Rc<Entry>> {
    let resolved = MethodId::new(call.int(call.arguments() - 1)? as u32);
    let object = call.object(0)?;
    let class = call.state.heap.class(object);
    match call.machine.lambda_entry(class, resolved) {
        Some(entry) => Flow::Continue(entry),
        None => bug("a lambda was called that is none"),
    }
}

/// Converts what is not converted yet, and then calls the implementation.
fn step(call: &mut Call<'_, '_>, _: Outcome) -> Flow<Option<Value>> {
    let entry = entry(call)?;
    let object = call.object(0)?;
    loop {
        let done = call.saved_count();
        let Some(place) = done.checked_sub(entry.captures) else {
            let captured = call.state.heap.get(object, done);
            call.save(captured.unwrap_or(Value::NULL));
            continue;
        };
        let Some(conversion) = entry.arguments.get(place) else { break };
        let value = call.argument(1 + place);
        match call.machine.convert_value(call.state, conversion, value)? {
            Converted::Done(value) => call.save(value),
            Converted::Call(method, value) => return call.invoke(method, &[value], boxed),
        }
    }
    let arguments = call.all_saved(0);
    call.invoke_handle(&entry.handle, &arguments, finish)
}

/// An argument was boxed.
fn boxed(call: &mut Call<'_, '_>, outcome: Outcome) -> Flow<Option<Value>> {
    let value = returned(outcome)?;
    call.save(value.unwrap_or(Value::NULL));
    call.go_on(step);
    step(call, Outcome::Returned(None))
}

/// The implementation has returned.
fn finish(call: &mut Call<'_, '_>, outcome: Outcome) -> Flow<Option<Value>> {
    let value = returned(outcome)?;
    let entry = entry(call)?;
    let (Some(conversion), Some(value)) = (&entry.result, value) else {
        return Flow::Continue(None);
    };
    match call.machine.convert_value(call.state, conversion, value)? {
        Converted::Done(value) => Flow::Continue(Some(value)),
        Converted::Call(method, value) => call.invoke(method, &[value], pass_on),
    }
}

//! `java.lang.invoke.MethodHandleImpl.makeLoop`: what all loops of `MethodHandles` end in.

use super::MACHINERY;
use super::handle::{give, returned};
use super::types::{classes, parameters};
use crate::table::{Row, required_any};
use dalang_heap::{Reference, Value};
use dalang_interp::{Behavior, Call, Flow, Form, Outcome, bug};

/// `makeLoop(result, parameters, initializers, steps, tests, results)`: all but the first are lists,
/// which are turned into arrays first.
fn make(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    call.save(Value::Int(1));
    to_array(call, 1)
}

fn to_array(call: &mut Call<'_, '_>, index: usize) -> Flow<Option<Value>> {
    let list = call.object(index)?;
    let class = call.machine.class("java/util/List")?;
    let method = call.machine.method(class, "toArray", "()[Ljava/lang/Object;")?;
    call.invoke_virtual(method, &[list.into()], next)
}

fn next(call: &mut Call<'_, '_>, outcome: Outcome) -> Flow<Option<Value>> {
    let array = returned(outcome)?;
    let index = call.saved_int(0)? as usize;
    call.set_saved(0, Value::Int(index as i32 + 1));
    call.save(array);
    if index + 1 < call.arguments() { to_array(call, index + 1) } else { made(call) }
}

fn saved_array(call: &Call<'_, '_>, index: usize) -> Flow<Reference> {
    match call.saved(index) {
        Value::Reference(array) if !array.is_null() => Flow::Continue(array),
        _ => bug("a list gave no array"),
    }
}

fn made(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let result = call.class(0)?;
    let taken = classes(call, saved_array(call, 1)?)?;
    let taken = parameters(call, &taken)?;
    let descriptor = call.machine.descriptor_of(taken, call.machine.type_of(result));
    let mut parts = Vec::new();
    let mut clauses = 0;
    for list in 2..call.arguments() {
        let array = saved_array(call, list)?;
        let listed = call.machine.listed(call.state, array)?;
        clauses = listed.len();
        parts.extend(listed);
    }
    give(call, descriptor, &Behavior::new(Form::Loop, [clauses as i32, 0, 0], &parts))
}

pub(crate) const ROWS: &[Row] = &[required_any("makeLoop", MACHINERY, make)];

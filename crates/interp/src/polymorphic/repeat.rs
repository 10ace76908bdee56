//! Loops of method handles, as `MethodHandles.loop` defines them.
//!
//! A loop has clauses. Each may have a variable, which its initializer and its step give; after each
//! step the test of the clause says whether to go on, and if not its last handle gives the result.
//! Saved in the frame: the handle, the number of arguments, the number of variables, the phase, the
//! clause, then the arguments, then the variables.

use super::after::{returned, truth};
use super::form::Behavior;
use crate::call::{Call, pass_on};
use crate::flow::{Flow, Outcome};
use dalang_heap::{Reference, Value};

const PHASE: usize = 3;
const CLAUSE: usize = 4;
const BEFORE: usize = 5;

const INITIALIZE: i32 = 0;
const STEP: i32 = 1;
const TEST: i32 = 2;
const RESULT: i32 = 3;

/// The variable of each clause that has one, by number of the clause.
fn variables(call: &Call<'_, '_>, handle: &Behavior) -> Flow<Vec<Option<Value>>> {
    let mut variables = Vec::new();
    for clause in 0..handle.at() {
        let result = call.machine.handle_type(call.state, handle.part(clause)?)?.result;
        variables.push(result.map(|result| Value::zero(result.kind())));
    }
    Flow::Continue(variables)
}

pub(super) fn begin(
    call: &mut Call<'_, '_>,
    object: Reference,
    handle: &Behavior,
    arguments: &[Value],
) -> Flow<Option<Value>> {
    let variables: Vec<Value> = variables(call, handle)?.into_iter().flatten().collect();
    call.save(object);
    call.save(Value::Int(arguments.len() as i32));
    call.save(Value::Int(variables.len() as i32));
    call.save(Value::Int(INITIALIZE));
    call.save(Value::Int(0));
    for &value in arguments.iter().chain(&variables) {
        call.save(value);
    }
    proceed(call, handle)
}

/// Calls the handle whose turn it is.
fn proceed(call: &mut Call<'_, '_>, handle: &Behavior) -> Flow<Option<Value>> {
    let (phase, clause) = (call.saved_int(PHASE)?, call.saved_int(CLAUSE)?);
    let (arguments, variables) = (call.saved_int(1)? as usize, call.saved_int(2)? as usize);
    let behind = BEFORE + arguments;
    let mut values: Vec<Value> = Vec::new();
    if phase != INITIALIZE {
        values.extend((behind..behind + variables).map(|index| call.saved(index)));
    }
    values.extend((BEFORE..behind).map(|index| call.saved(index)));
    let part = handle.part(phase as usize * handle.at() + clause as usize)?;
    // An initializer need not take all arguments.
    let taken = call.machine.handle_type(call.state, part)?.parameters.len();
    values.truncate(taken);
    call.call_handle(part, &values, if phase == RESULT { pass_on } else { turn })
}

/// Goes on after the handle whose turn it was.
fn turn(call: &mut Call<'_, '_>, outcome: Outcome) -> Flow<Option<Value>> {
    let value = returned(outcome)?;
    let object = call.saved_reference(0)?;
    let handle = call.machine.read_handle(call.state, object)?;
    let (phase, clause) = (call.saved_int(PHASE)?, call.saved_int(CLAUSE)?);
    let last = clause as usize + 1 == handle.at();
    let next_clause = if last { 0 } else { clause + 1 };
    let (next_phase, next_clause) = match phase {
        TEST if truth(call, value)? => (STEP, next_clause),
        TEST => (RESULT, clause),
        STEP => (TEST, clause),
        _ => (if last { STEP } else { INITIALIZE }, next_clause),
    };
    if let (INITIALIZE | STEP, Some(value)) = (phase, value) {
        let own = variables(call, &handle)?;
        let before = own[..clause as usize].iter().flatten().count();
        if own[clause as usize].is_some() {
            let place = BEFORE + call.saved_int(1)? as usize + before;
            call.set_saved(place, value);
        }
    }
    call.set_saved(PHASE, Value::Int(next_phase));
    call.set_saved(CLAUSE, Value::Int(next_clause));
    proceed(call, &handle)
}

//! `java.util.Random`, by the rules of the software verification competition: without a seed it gives
//! any numbers.
//!
//! A generator without a seed has null where others keep theirs; whatever it gives is a request. One
//! that is given a seed later has one from then on.

use crate::harness::{any_between, unmeant};
use crate::table::{Row, spoken};
use dalang_classes::Primitive;
use dalang_heap::{Reference, Value};
use dalang_interp::{Call, Flow, raise};

/// Whether the receiver is a generator without a seed.
fn is_free(call: &mut Call<'_, '_>) -> Flow<bool> {
    if !call.machine.settings.competition {
        return Flow::Continue(false);
    }
    let receiver = call.argument(0);
    let receiver = call.machine.object_of(call.state, receiver)?;
    // What is below it, or was given as an input, is as it is.
    if call.state.knowledge.object(receiver).is_some() || !is_plain(call, receiver)? {
        return Flow::Continue(false);
    }
    Flow::Continue(call.machine.field(call.state, receiver, "seed")? == Value::NULL)
}

fn is_plain(call: &mut Call<'_, '_>, receiver: Reference) -> Flow<bool> {
    let random = call.machine.class("java/util/Random")?;
    Flow::Continue(call.state.heap.class(receiver) == random)
}

fn construct(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let receiver = call.argument(0);
    let receiver = call.machine.object_of(call.state, receiver)?;
    if call.machine.settings.competition && is_plain(call, receiver)? {
        return Flow::Continue(None);
    }
    call.machine.assume(call.state, "generators without a seed: one sequence of numbers");
    call.proceed()
}

fn set_seed(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    if is_free(call)? {
        let class = call.machine.class("java/util/concurrent/atomic/AtomicLong")?;
        call.machine.require(call.state, class)?;
        let receiver = call.object(0)?;
        let seed = call.machine.allocate(call.state, class, 0)?;
        call.machine.set_field(call.state, receiver, "seed", seed)?;
    }
    call.proceed()
}

/// So many of the upper bits of any `int`.
fn next(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    if !is_free(call)? {
        return call.proceed();
    }
    let Value::Int(bits @ 1..=32) = call.argument(1) else { return unmeant(call) };
    let value = call.machine.ask_primitive(call.state, "Random.next", Primitive::Int)?;
    let value = call.machine.term(value);
    let count = call.machine.pool.int(32 - bits);
    let shifted = call.machine.pool.lshr(value, count);
    Flow::Continue(Some(call.machine.value(shifted)))
}

fn any(call: &mut Call<'_, '_>, label: &str, primitive: Primitive) -> Flow<Option<Value>> {
    if !is_free(call)? {
        return call.proceed();
    }
    call.machine.ask_primitive(call.state, label, primitive).map_continue(Some)
}

fn next_int(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    any(call, "Random.nextInt", Primitive::Int)
}

fn next_long(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    any(call, "Random.nextLong", Primitive::Long)
}

fn next_boolean(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    any(call, "Random.nextBoolean", Primitive::Boolean)
}

/// Any number below a bound.
fn next_below(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    if !is_free(call)? {
        return call.proceed();
    }
    let (bound, zero) = (call.argument(1), call.machine.pool.int(0));
    let bound = call.machine.term(bound);
    let positive = call.machine.pool.slt(zero, bound);
    if !call.machine.decide(call.state, positive)? {
        return raise("java/lang/IllegalArgumentException", "bound must be positive");
    }
    let one = call.machine.pool.int(1);
    let most = call.machine.pool.sub(bound, one);
    let most = call.machine.value(most);
    any_between(call, "Random.nextInt", Value::Int(0), most)
}

fn write(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    if is_free(call)? { unmeant(call) } else { call.proceed() }
}

const FREE: &str = "without a seed, a request for any value";

pub(crate) const ROWS: &[Row] = &[
    spoken("<init>", "()V", FREE, construct),
    spoken("setSeed", "(J)V", FREE, set_seed),
    spoken("next", "(I)I", FREE, next),
    spoken("nextInt", "()I", FREE, next_int),
    spoken("nextInt", "(I)I", FREE, next_below),
    spoken("nextLong", "()J", FREE, next_long),
    spoken("nextBoolean", "()Z", FREE, next_boolean),
    spoken("writeObject", "(Ljava/io/ObjectOutputStream;)V", FREE, write),
];

//! `java.lang.Object`.

use crate::java::pass_time;
use crate::table::{Row, native};
use dalang_heap::{Body, Reference, Value};
use dalang_interp::{Call, Flow, bug, raise, unsupported};

/// Classes of the library that hash what programs give them, and whose order follows from that.
const HASHING: [&str; 9] = [
    "java/util/Arrays",
    "java/util/HashMap",
    "java/util/HashSet",
    "java/util/Hashtable",
    "java/util/IdentityHashMap",
    "java/util/LinkedHashMap",
    "java/util/Objects",
    "java/util/WeakHashMap",
    "java/util/concurrent/ConcurrentHashMap",
];

/// The identity hash code of an object: any number will do that does not change. Programs must not
/// see the order of requests in it, so the bits are mixed. That of an input object is part of no
/// input, so nothing can be said of what depends on it.
pub(crate) fn identity_hash(call: &mut Call<'_, '_>, object: Reference) -> Flow<i32> {
    if call.state.knowledge.object(object).is_some() {
        return unsupported("the identity hash code of an object of the input");
    }
    let class = call.state.heap.class(object);
    // The library hashes objects of its own, too, which is not for the program to see.
    if class == call.machine.known.object
        || call.machine.module(class).is_none()
        || call.machine.is_called_through(call.state, &HASHING)
    {
        call.machine.assume(call.state, "identity hash codes: one number for each object");
    }
    let constant = constant_seed(call, object);
    let seed = constant.unwrap_or_else(|| call.state.number_of(object));
    let mixed = seed.wrapping_mul(0x9e37_79b1);
    Flow::Continue(((mixed ^ mixed >> 15) & 0x7fff_ffff) as i32)
}

/// A number for a constant of an enum, which does not depend on when it was made: an input can hold a
/// constant and its hash code, and must still do so when it is built for another run.
fn constant_seed(call: &Call<'_, '_>, object: Reference) -> Option<u32> {
    let class = call.state.heap.class(object);
    if !call.machine.is_enum(class) {
        return None;
    }
    let Flow::Continue(Value::Int(ordinal)) = call.machine.field(call.state, object, "ordinal")
    else {
        return None;
    };
    let name = call.machine.program.java_name(class);
    let of_class = name
        .bytes()
        .fold(0x811c_9dc5_u32, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193));
    Some(of_class.wrapping_add(ordinal as u32))
}

fn get_class(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let object = call.argument(0);
    call.machine.class_value(call.state, object).map_continue(Some)
}

fn hash_code(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let object = call.object(0)?;
    Flow::Continue(Some(Value::Int(identity_hash(call, object)?)))
}

fn clone(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let object = call.object(0)?;
    let class = call.state.heap.class(object);
    if !call.machine.program.is_subtype(class, call.machine.known.cloneable) {
        let name = call.machine.program.java_name(class);
        return raise("java/lang/CloneNotSupportedException", name);
    }
    let body = match &call.state.heap.object(object).body {
        Body::Elements(elements) => Body::Elements(elements.copied(object).into()),
        Body::Accessed(fields) => match fields.made() {
            Some(made) => made,
            None => return bug("an input is copied of which a field is not known"),
        },
        body => body.clone(),
    };
    Flow::Continue(Some(call.state.heap.allocate(class, body).into()))
}

/// There is nobody to notify; only the monitor must have been entered.
fn notify(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let object = call.object(0)?;
    if call.machine.shares_monitor(call.state, object) {
        return unsupported("the monitor of an object of the input");
    }
    if call.state.heap.object(object).lock == 0 {
        return raise("java/lang/IllegalMonitorStateException", "current thread is not owner");
    }
    Flow::Continue(None)
}

fn wait(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let (object, milliseconds) = (call.object(0)?, call.long(1)?);
    if milliseconds < 0 {
        return raise("java/lang/IllegalArgumentException", "timeout value is negative");
    }
    if call.machine.shares_monitor(call.state, object) {
        return unsupported("the monitor of an object of the input");
    }
    if call.state.heap.object(object).lock == 0 {
        return raise("java/lang/IllegalMonitorStateException", "current thread is not owner");
    }
    if milliseconds > 0 {
        // Nobody can notify, so the time passes.
        pass_time(call.state, milliseconds.saturating_mul(1_000_000));
        return Flow::Continue(None);
    }
    unsupported("waiting for another thread (java.lang.Object.wait)")
}

pub(crate) const ROWS: &[Row] = &[
    native("getClass", "()Ljava/lang/Class;", get_class).untouched(),
    native("hashCode", "()I", hash_code),
    native("clone", "()Ljava/lang/Object;", clone),
    native("notify", "()V", notify),
    native("notifyAll", "()V", notify),
    native("wait", "(J)V", wait),
    native("wait0", "(J)V", wait),
];

//! `gov.nasa.jpf.vm.Verify`. The class has bodies for plain `java`, which say nothing of what the
//! methods mean; so all that mean something are here, if only as stops.

use crate::harness::{any_between, any_boolean, check, holds, message, nothing, own_name, unmeant};
use crate::table::{Row, spoken, spoken_any};
use dalang_heap::Value;
use dalang_interp::{Call, Flow, Interrupt, unsupported, violation};

fn ignore_if(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    if holds(call, 0)? { Flow::Break(Interrupt::Assumed) } else { Flow::Continue(None) }
}

fn assert_with_message(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    if holds(call, 1)? {
        return Flow::Continue(None);
    }
    let message = message(call, 0)?;
    violation(message.unwrap_or_else(|| "Verify.assertTrue failed".to_owned()))
}

fn int_between(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let (low, high) = (call.argument(0), call.argument(1));
    any_between(call, "getInt", low, high)
}

fn random(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let most = call.argument(0);
    any_between(call, "random", Value::Int(0), most)
}

fn running(_: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    Flow::Continue(Some(Value::boolean(true)))
}

/// One of the elements of an array: the request is for its index.
fn from_list(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let array = call.argument(0);
    let array = call.machine.object_of(call.state, array)?;
    let body = &call.state.heap.object(array).body;
    let elements: Option<Vec<Value>> = (0..body.len()).map(|index| body.get(index)).collect();
    let elements = elements.filter(|elements| !elements.is_empty());
    let Some(elements) = elements else {
        return unsupported(format!("{} of an unknown or empty array", call.spelling()));
    };
    let (label, last) = (own_name(call), Value::Int(elements.len() as i32 - 1));
    let index = any_between(call, &label, Value::Int(0), last)?;
    let index = index.map(|index| call.machine.term(index));
    Flow::Continue(index.map(|index| pick(call, index, &elements)))
}

fn pick(call: &mut Call<'_, '_>, index: dalang_term::TermId, elements: &[Value]) -> Value {
    let mut chosen = None;
    for (place, &element) in elements.iter().enumerate().rev() {
        let element = call.machine.term(element);
        let place = call.machine.pool.int(place as i32);
        let here = call.machine.pool.eq(index, place);
        chosen = Some(match chosen {
            Some(other) => call.machine.pool.ite(here, element, other),
            None => element,
        });
    }
    match chosen {
        Some(chosen) => call.machine.value(chosen),
        None => Value::Int(0),
    }
}

const CHECK: &str = "a demand";
const ANY: &str = "a request for any value";
const NOTHING: &str = "nothing: it only marks a place or shows something";
const OUTLIVES: &str = "a stop: what is counted there outlives a path";
const CONFIGURED: &str = "a stop: what is given there is configured for Pathfinder";
const SEARCH: &str = "a stop: it is about the search and not about the program";
const ATTRIBUTES: &str = "a stop: values have no attributes";

pub(crate) const ROWS: &[Row] = &[
    spoken("ignoreIf", "(Z)V", "an assumption", ignore_if),
    spoken("assertTrue", "(Z)V", CHECK, check),
    spoken("assertTrue", "(Ljava/lang/String;Z)V", CHECK, assert_with_message),
    spoken("getBoolean", "()Z", ANY, any_boolean),
    spoken("getBoolean", "(Z)Z", ANY, any_boolean),
    spoken("randomBool", "()Z", ANY, any_boolean),
    spoken("getInt", "(II)I", ANY, int_between),
    spoken("random", "(I)I", ANY, random),
    spoken("getIntFromList", "([I)I", ANY, from_list),
    spoken("getLongFromList", "([J)J", ANY, from_list),
    spoken("getFloatFromList", "([F)F", ANY, from_list),
    spoken("getDoubleFromList", "([D)D", ANY, from_list),
    spoken("isRunningInJPF", "()Z", "true: something understands what the others mean", running),
    spoken("addComment", "(Ljava/lang/String;)V", NOTHING, nothing),
    spoken("atLabel", "(Ljava/lang/String;)V", NOTHING, nothing),
    spoken("atLabel", "(I)V", NOTHING, nothing),
    spoken("beginAtomic", "()V", NOTHING, nothing),
    spoken("endAtomic", "()V", NOTHING, nothing),
    spoken("boring", "(Z)V", NOTHING, nothing),
    spoken("interesting", "(Z)V", NOTHING, nothing),
    spoken("instrumentPoint", "(Ljava/lang/String;)V", NOTHING, nothing),
    spoken("instrumentPointDeep", "(Ljava/lang/String;)V", NOTHING, nothing),
    spoken("instrumentPointDeepRecur", "(Ljava/lang/String;I)V", NOTHING, nothing),
    spoken("breakTransition", "(Ljava/lang/String;)V", NOTHING, nothing),
    spoken("printPathOutput", "(Ljava/lang/String;)V", NOTHING, nothing),
    spoken("printPathOutput", "(ZLjava/lang/String;)V", NOTHING, nothing),
    spoken("storeTrace", "(Ljava/lang/String;Ljava/lang/String;)V", NOTHING, nothing),
    spoken("storeTraceIf", "(ZLjava/lang/String;Ljava/lang/String;)V", NOTHING, nothing),
    spoken_any("getCounter", OUTLIVES, unmeant),
    spoken_any("resetCounter", OUTLIVES, unmeant),
    spoken_any("setCounter", OUTLIVES, unmeant),
    spoken_any("incrementCounter", OUTLIVES, unmeant),
    spoken_any("putValue", OUTLIVES, unmeant),
    spoken_any("getValue", OUTLIVES, unmeant),
    spoken_any("setBitInBitSet", OUTLIVES, unmeant),
    spoken_any("getBitInBitSet", OUTLIVES, unmeant),
    spoken_any("getInt", CONFIGURED, unmeant),
    spoken_any("getDouble", CONFIGURED, unmeant),
    spoken_any("getObject", CONFIGURED, unmeant),
    spoken_any("randomObject", CONFIGURED, unmeant),
    spoken_any("getBitFlip", CONFIGURED, unmeant),
    spoken_any("getProperty", CONFIGURED, unmeant),
    spoken_any("createFromJSON", CONFIGURED, unmeant),
    spoken_any("breakTransition", SEARCH, unmeant),
    spoken_any("terminateSearch", SEARCH, unmeant),
    spoken_any("storeTraceAndTerminate", SEARCH, unmeant),
    spoken_any("storeTraceAndTerminateIf", SEARCH, unmeant),
    spoken_any("getHeuristicSearchValue", SEARCH, unmeant),
    spoken_any("getFieldAttribute", ATTRIBUTES, unmeant),
    spoken_any("getFieldAttributes", ATTRIBUTES, unmeant),
    spoken_any("getLocalAttribute", ATTRIBUTES, unmeant),
    spoken_any("getLocalAttributes", ATTRIBUTES, unmeant),
    spoken_any("getElementAttribute", ATTRIBUTES, unmeant),
    spoken_any("getElementAttributes", ATTRIBUTES, unmeant),
    spoken_any("getObjectAttribute", ATTRIBUTES, unmeant),
    spoken_any("getObjectAttributes", ATTRIBUTES, unmeant),
];

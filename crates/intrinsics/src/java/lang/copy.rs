//! `System.arraycopy`: whether it can be done is decided, how much is copied is not. Only where each
//! element has to be checked for its type is the amount decided as well.

use dalang_classes::{ClassId, Shape};
use dalang_heap::{Body, Reference, Text, Value};
use dalang_interp::{Call, Flow, Phrase, Range, bug, raise, raise_bare, raise_text};

const BOUNDS: &str = "java/lang/ArrayIndexOutOfBoundsException";

/// Where elements are copied from or to.
#[derive(Clone, Copy)]
struct Part {
    array: Reference,
    class: ClassId,
    start: Value,
    role: &'static str,
}

/// Checks are made in the order in which the specification lists them.
pub(super) fn arraycopy(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let (source, target) = (call.reference(0)?, call.reference(2)?);
    if source.is_null() || target.is_null() {
        return raise_bare("java/lang/NullPointerException");
    }
    if source != target {
        call.machine.class_of_object(call.state, source)?;
        call.machine.class_of_object(call.state, target)?;
    }
    let [a, b] = [source, target].map(|array| call.state.heap.class(array));
    if a != b || !call.machine.program.class(a).is_array() {
        check_types(call, a, b)?;
    }
    let from = Part { array: source, class: a, start: call.argument(1), role: "source" };
    let to = Part { array: target, class: b, start: call.argument(3), role: "destination" };
    let count = call.argument(4);
    check_range(call, from, count)?;
    check_range(call, to, count)?;
    if let (Value::Int(start), Value::Int(end), Value::Int(count)) = (from.start, to.start, count)
        && is_plain(call, source)
        && is_plain(call, target)
    {
        return copy_plain(call, from, to, [start as usize, end as usize, count as usize]);
    }
    if let Some(component) = mixed(call, from, to) {
        let most = most(call, from, to, count)?;
        let count = call.machine.term(count);
        let count = call.machine.pinned(call.state, count, most + 1)?;
        return copy_checked(call, from, to, component, count);
    }
    let [source, target] = [from, to].map(|part| Range { array: part.array, start: part.start });
    call.machine.copy_elements(call.state, source, target, count)?;
    Flow::Continue(None)
}

fn is_plain(call: &Call<'_, '_>, array: Reference) -> bool {
    !matches!(call.state.heap.object(array).body, Body::Elements(_))
}

fn copy_plain(
    call: &mut Call<'_, '_>,
    source: Part,
    target: Part,
    [from, to, count]: [usize; 3],
) -> Flow<Option<Value>> {
    if let Some(component) = mixed(call, source, target) {
        return copy_checked(call, source, target, component, count);
    }
    let _turn = call.machine.claim(growth(call, source, target))?;
    if source.array == target.array {
        call.state.heap.object_mut(source.array).body.shift(to, from, count);
        return Flow::Continue(None);
    }
    let body = call.state.heap.object(source.array).body.clone();
    if !call.state.heap.object_mut(target.array).body.copy(to, &body, from, count) {
        return bug("arrays of one type could not be copied");
    }
    Flow::Continue(None)
}

/// How many bytes it takes to copy from one array to another.
fn growth(call: &Call<'_, '_>, source: Part, target: Part) -> u64 {
    let [from, to] = [source, target].map(|part| &call.state.heap.object(part.array).body);
    to.growth(false).max(to.growth(from.has_stored_terms())) + from.beside()
}

/// The type that each element must be checked for; none if all elements fit.
fn mixed(call: &Call<'_, '_>, source: Part, target: Part) -> Option<ClassId> {
    let (from, to) = (component(call, source.class)?, component(call, target.class)?);
    (source.array != target.array && !call.machine.program.is_subtype(from, to)).then_some(to)
}

/// `start + offset`
fn at(call: &mut Call<'_, '_>, start: Value, offset: usize) -> Value {
    match start {
        Value::Int(start) => Value::Int(start + offset as i32),
        other => {
            let (start, offset) = (call.machine.term(other), call.machine.pool.int(offset as i32));
            let sum = call.machine.pool.add(start, offset);
            call.machine.value(sum)
        }
    }
}

/// The most elements that can be copied.
fn most(call: &mut Call<'_, '_>, source: Part, target: Part, count: Value) -> Flow<usize> {
    if let Value::Int(count) = count {
        return Flow::Continue(count as usize);
    }
    let mut room = |part: Part| {
        let longest = call.machine.longest(call.state, part.array)?;
        Flow::Continue(match part.start {
            Value::Int(start) => longest.saturating_sub(start as usize),
            _ => longest,
        })
    };
    let (from, to) = (room(source)?, room(target)?);
    Flow::Continue(from.min(to))
}

/// Copies references, up to the first that does not fit. All are looked at before the first is stored: a
/// question may come in between.
fn copy_checked(
    call: &mut Call<'_, '_>,
    source: Part,
    target: Part,
    component: ClassId,
    count: usize,
) -> Flow<Option<Value>> {
    let mut fitting = Vec::with_capacity(count);
    for offset in 0..count {
        call.machine.breathe_at(offset)?;
        let from = at(call, source.start, offset);
        let value = call.machine.peek_element(call.state, source.array, from)?;
        if !call.machine.castable(call.state, value, component)? {
            break;
        }
        fitting.push(value);
    }
    for (offset, &value) in fitting.iter().enumerate() {
        call.machine.breathe_at(offset)?;
        let to = at(call, target.start, offset);
        call.machine.store_element(call.state, target.array, to, value)?;
    }
    if fitting.len() < count {
        let [a, b] = [source, target].map(|part| element_name(call, part.class));
        let message = format!(
            "arraycopy: element type mismatch: can not cast one of the elements of {a}[] to \
                 the type of the destination array, {b}"
        );
        return raise("java/lang/ArrayStoreException", message);
    }
    Flow::Continue(None)
}

/// The class of the elements, if they are references.
fn component(call: &Call<'_, '_>, class: ClassId) -> Option<ClassId> {
    match call.machine.program.class(class).shape {
        Shape::Array { component, .. } if call.machine.program.is_reference_class(component) => {
            Some(component)
        }
        _ => None,
    }
}

fn check_types(call: &Call<'_, '_>, a: ClassId, b: ClassId) -> Flow {
    let program = call.machine.program;
    for (class, role) in [(a, "source"), (b, "destination")] {
        if !program.class(class).is_array() {
            let name = program.class_spelling(class);
            let message = format!("arraycopy: {role} type {name} is not an array");
            return raise("java/lang/ArrayStoreException", message);
        }
    }
    match (component(call, a), component(call, b)) {
        (Some(_), Some(_)) => Flow::Continue(()),
        (None, None) => {
            let [a, b] = [a, b].map(|class| element_name(call, class));
            let message = format!("arraycopy: type mismatch: can not copy {a}[] into {b}[]");
            raise("java/lang/ArrayStoreException", message)
        }
        (a_component, _) => {
            let spell = |class, objects: bool| {
                if objects {
                    "object array[]".to_owned()
                } else {
                    format!("{}[]", element_name(call, class))
                }
            };
            let (a, b) = (spell(a, a_component.is_some()), spell(b, a_component.is_none()));
            let message = format!("arraycopy: type mismatch: can not copy {a} into {b}");
            raise("java/lang/ArrayStoreException", message)
        }
    }
}

fn element_name(call: &Call<'_, '_>, class: ClassId) -> String {
    match call.machine.program.class(class).shape {
        Shape::Array { component, .. } => call.machine.program.class_spelling(component),
        _ => String::new(),
    }
}

fn check_range(call: &mut Call<'_, '_>, part: Part, count: Value) -> Flow {
    let length = call.machine.array_length_value(call.state, part.array);
    let (Value::Int(start), Value::Int(count), Value::Int(length)) = (part.start, count, length)
    else {
        return check_symbolic_range(call, part, count, length);
    };
    let what = match component(call, part.class) {
        Some(_) => format!("object array[{length}]"),
        None => format!("{}[{length}]", element_name(call, part.class)),
    };
    let (role, last) = (part.role, i64::from(start) + i64::from(count));
    let message = if start < 0 {
        format!("arraycopy: {role} index {start} out of bounds for {what}")
    } else if count < 0 {
        format!("arraycopy: length {count} is negative")
    } else if last > i64::from(length) {
        format!("arraycopy: last {role} index {last} out of bounds for {what}")
    } else {
        return Flow::Continue(());
    };
    raise(BOUNDS, message)
}

/// One question for all that can be wrong: the same exception follows.
fn check_symbolic_range(call: &mut Call<'_, '_>, part: Part, count: Value, length: Value) -> Flow {
    let machine = &mut *call.machine;
    let [start, count, length] = [part.start, count, length].map(|value| machine.term(value));
    let pool = &mut machine.pool;
    let zero = pool.int(0);
    let (from, many) = (pool.sge(start, zero), pool.sge(count, zero));
    // Neither is negative, so that the sum fits without a sign.
    let end = pool.add(start, count);
    let inside = pool.ule(end, length);
    let fine = pool.and_all([from, many, inside]);
    if machine.decide(call.state, fine)? {
        return Flow::Continue(());
    }
    let what = match component(call, part.class) {
        Some(_) => " out of bounds for object array[".to_owned(),
        None => format!(" out of bounds for {}[", element_name(call, part.class)),
    };
    let machine = &mut *call.machine;
    let (role, whole) = (part.role, machine.pool.zero_extend(end, 64));
    let mut index = |words: &str, index| {
        let words = format!("arraycopy: {words}{role} index ");
        machine.message(&[
            Phrase::Words(&words),
            Phrase::Number(index),
            Phrase::Words(&what),
            Phrase::Number(length),
            Phrase::Words("]"),
        ])
    };
    let (first, last) = (index("", start)?, index("last ", whole)?);
    let negative = machine.message(&[
        Phrase::Words("arraycopy: length "),
        Phrase::Number(count),
        Phrase::Words(" is negative"),
    ])?;
    let pool = &mut machine.pool;
    let behind = Text::either(pool, many, &last, &negative);
    raise_text(BOUNDS, Text::either(pool, from, &behind, &first))
}

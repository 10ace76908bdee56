//! What a program says to a verifier, whatever tool's words it uses: assumptions, demands, requests.
//!
//! The functions here have no effect before the last thing that can break off, so they can be called
//! once by an intrinsic, at its end.

use crate::org::SWITCHES;
use crate::table::Row;
use dalang_classes::{Outline, Primitive};
use dalang_heap::Value;
use dalang_interp::{Call, Flow, Interrupt, Role, unsupported, violation};
use dalang_term::TermId;

/// Whether a `boolean` argument is true; asks if that is not known.
pub(crate) fn holds(call: &mut Call<'_, '_>, index: usize) -> Flow<bool> {
    match call.argument(index) {
        Value::Int(value) => Flow::Continue(value != 0),
        other => {
            let (term, zero) = (call.machine.term(other), call.machine.pool.int(0));
            let condition = call.machine.pool.ne(term, zero);
            call.machine.decide(call.state, condition)
        }
    }
}

/// The path is none unless the first argument is true.
pub(crate) fn assume(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    if holds(call, 0)? { Flow::Continue(None) } else { Flow::Break(Interrupt::Assumed) }
}

/// The path is none.
pub(crate) fn ignore(_: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    Flow::Break(Interrupt::Assumed)
}

/// It says nothing that matters here.
pub(crate) fn nothing(_: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    Flow::Continue(None)
}

/// It says something that we do not do.
pub(crate) fn unmeant(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    unsupported(call.spelling())
}

/// The first argument must be true.
pub(crate) fn check(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    if holds(call, 0)? { Flow::Continue(None) } else { violation("a check does not hold") }
}

/// The first argument must be true; the second says what if not.
pub(crate) fn check_message(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    if holds(call, 0)? {
        return Flow::Continue(None);
    }
    let message = message(call, 1)?;
    violation(message.unwrap_or_else(|| "a check does not hold".to_owned()))
}

/// The text of an argument that is a message; none if it is null or not known. A violation does not
/// depend on what is said of it, so nothing is asked for.
pub(crate) fn message(call: &mut Call<'_, '_>, index: usize) -> Flow<Option<String>> {
    let value = call.argument(index);
    match call.machine.known_value(call.state, value) {
        Value::Reference(string) if !string.is_null() => {
            match call.machine.text(call.state, string) {
                Flow::Continue(text) => Flow::Continue(Some(text)),
                Flow::Break(_) => Flow::Continue(None),
            }
        }
        _ => Flow::Continue(None),
    }
}

/// A text that is part of a request, so it must be known.
pub(crate) fn known_text(call: &mut Call<'_, '_>, index: usize) -> Flow<Option<String>> {
    let value = call.argument(index);
    let string = call.machine.resolved(call.state, value)?;
    match string {
        Value::Reference(string) if string.is_null() => Flow::Continue(None),
        Value::Reference(string) => call.machine.text(call.state, string).map_continue(Some),
        _ => unsupported(format!("a name that is not known, in {}", call.spelling())),
    }
}

/// Any value of a primitive type, called as the method is.
pub(crate) fn any(call: &mut Call<'_, '_>, primitive: Primitive) -> Flow<Option<Value>> {
    let label = own_name(call);
    call.machine.ask_primitive(call.state, &label, primitive).map_continue(Some)
}

/// Any value of a primitive type.
pub(crate) fn any_boolean(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    any(call, Primitive::Boolean)
}

/// Any value of a primitive type.
pub(crate) fn any_byte(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    any(call, Primitive::Byte)
}

/// Any value of a primitive type.
pub(crate) fn any_char(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    any(call, Primitive::Char)
}

/// Any value of a primitive type.
pub(crate) fn any_short(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    any(call, Primitive::Short)
}

/// Any value of a primitive type.
pub(crate) fn any_int(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    any(call, Primitive::Int)
}

/// Any value of a primitive type.
pub(crate) fn any_long(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    any(call, Primitive::Long)
}

/// Any value of a primitive type.
pub(crate) fn any_float(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    any(call, Primitive::Float)
}

/// Any value of a primitive type.
pub(crate) fn any_double(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    any(call, Primitive::Double)
}

/// Any string but null.
pub(crate) fn any_string(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let (label, string) = (own_name(call), call.machine.known.string);
    call.machine.ask_object(call.state, &label, string).map_continue(Some)
}

/// Any `int` from one value to another, both included. Where there is none, the path is none.
pub(crate) fn any_between(
    call: &mut Call<'_, '_>,
    label: &str,
    low: Value,
    high: Value,
) -> Flow<Option<Value>> {
    let int = dalang_classes::ValueType::Primitive(Primitive::Int);
    let value = call.machine.next_input(call.state, label, int)?;
    let [low, value_term, high] = [low, value, high].map(|value| call.machine.term(value));
    let fits = within(call, low, value_term, high);
    if !call.machine.decide(call.state, fits)? {
        return Flow::Break(Interrupt::Assumed);
    }
    call.state.knowledge.count_request();
    Flow::Continue(Some(value))
}

fn within(call: &mut Call<'_, '_>, low: TermId, value: TermId, high: TermId) -> TermId {
    let pool = &mut call.machine.pool;
    let (above, below) = (pool.sle(low, value), pool.sle(value, high));
    pool.and(above, below)
}

/// Whether the last argument is unknown. To ask decides nothing.
pub(crate) fn is_symbolic(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let value = call.argument(call.arguments() - 1);
    let unknown = match call.machine.known_value(call.state, value) {
        Value::Term(_) => true,
        Value::Reference(object) => call.state.knowledge.object(object).is_some(),
        _ => false,
    };
    Flow::Continue(Some(Value::boolean(unknown)))
}

/// The name of the method that is executed.
pub(crate) fn own_name(call: &Call<'_, '_>) -> String {
    let program = call.machine.program;
    program.names().text(program.method(call.method()).name).to_owned()
}

/// The classes by which programs speak to verifiers, as far as the rows know them.
pub(crate) fn outlines(rows: &[(&'static str, Row)]) -> Vec<Outline> {
    let object = "java/lang/Object";
    let mut outlines: Vec<Outline> = vec![Outline {
        name: "dalang/Verify$Assumed",
        superclass: "java/lang/RuntimeException",
        methods: Vec::new(),
        switches: Vec::new(),
    }];
    for &(class, row) in rows {
        let (Role::Harness(_), Some(descriptor)) = (row.intrinsic.role, row.descriptor) else {
            continue;
        };
        // The library has its own.
        if class.starts_with("java/") {
            continue;
        }
        if outlines.last().is_none_or(|last| last.name != class) {
            let switches = SWITCHES.iter().filter(|(name, _)| *name == class);
            let switches = switches.flat_map(|(_, fields)| fields.iter().copied()).collect();
            let methods = Vec::new();
            outlines.push(Outline { name: class, superclass: object, methods, switches });
        }
        if let Some(outline) = outlines.last_mut() {
            outline.methods.push((row.name, descriptor));
        }
    }
    outlines
}

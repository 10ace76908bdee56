//! `org.cprover.CProverString`: methods of strings and string builders as functions.
//!
//! They are what the library's methods of the same name are. Where the interface says what is given out
//! of bounds, that is given; where it says nothing, an exception of the library's is a stop here.

use crate::harness::unmeant;
use crate::table::{Row, spoken};
use dalang_classes::ValueType;
use dalang_heap::Value;
use dalang_interp::{Call, Flow, Interrupt, Outcome, Resume, unsupported};

/// What the library's method gave.
pub(super) fn within_bounds(call: &mut Call<'_, '_>, outcome: Outcome) -> Flow<Option<Value>> {
    match outcome {
        Outcome::Returned(value) => Flow::Continue(value),
        Outcome::Threw(_) => {
            unsupported(format!("{} outside of what it is defined for", call.spelling()))
        }
    }
}

/// It is not said what the method gives.
fn undefined<T>(call: &Call<'_, '_>) -> Flow<T> {
    unsupported(format!("{} outside of what it is defined for", call.spelling()))
}

/// The method of the same name of the first argument's class.
fn of_first(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    first_or(call, within_bounds)
}

/// The same, with something else for what the library refuses.
fn first_or(call: &mut Call<'_, '_>, resume: Resume) -> Flow<Option<Value>> {
    let program = call.machine.program;
    let own = program.method(call.method());
    let Some(&ValueType::Reference(class)) = own.signature.parameters.first() else {
        return unmeant(call);
    };
    let (class, descriptor) = (program.names().text(class), program.names().text(own.descriptor));
    let descriptor = descriptor.replacen(&format!("L{class};"), "", 1);
    let class = call.machine.class(class)?;
    let method = call.machine.method(class, program.names().text(own.name), &descriptor)?;
    let receiver = call.argument(0);
    let mut arguments = vec![Value::Reference(call.machine.object_of(call.state, receiver)?)];
    arguments.extend((1..call.arguments()).map(|index| call.argument(index)));
    call.invoke(method, &arguments, resume)
}

/// A character, or the zero character where there is none.
fn char_at(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    first_or(call, |_, outcome| match outcome {
        Outcome::Returned(value) => Flow::Continue(value),
        Outcome::Threw(_) => Flow::Continue(Some(Value::Int(0))),
    })
}

/// The rest of a string: all of it from before its beginning, nothing from behind its end.
fn substring(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let (index, zero) = (call.machine.term(call.argument(1)), call.machine.pool.int(0));
    let is_before = call.machine.pool.slt(index, zero);
    if call.machine.decide(call.state, is_before)? {
        return Flow::Continue(Some(call.argument(0)));
    }
    first_or(call, |call, outcome| match outcome {
        Outcome::Returned(value) => Flow::Continue(value),
        Outcome::Threw(_) => Flow::Continue(Some(call.machine.intern(call.state, "")?.into())),
    })
}

/// A part of a string; nothing if it ends before it begins. What is cut off a part that begins before
/// the string or ends behind it is not said in a way that fits the rest.
fn part(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let [start, end] = [1, 2].map(|index| call.machine.term(call.argument(index)));
    let is_part = call.machine.pool.slt(start, end);
    if !call.machine.decide(call.state, is_part)? {
        return Flow::Continue(Some(call.machine.intern(call.state, "")?.into()));
    }
    of_first(call)
}

/// Whether two strings are equal. Of a string and null nothing is said.
fn equals(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let (a, b) = (call.argument(0), call.argument(1));
    let a = call.machine.resolved(call.state, a)?;
    let b = call.machine.resolved(call.state, b)?;
    if a == Value::NULL {
        return Flow::Continue(Some(Value::boolean(b == Value::NULL)));
    }
    if b == Value::NULL {
        return undefined(call);
    }
    let string = call.machine.known.string;
    let method = call.machine.method(string, "equals", "(Ljava/lang/Object;)Z")?;
    call.invoke(method, &[a, b], within_bounds)
}

/// A string of these characters; that they are in bounds is assumed.
fn of_chars(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let string = call.machine.known.string;
    let method = call.machine.method(string, "valueOf", "([CII)Ljava/lang/String;")?;
    let arguments = [0, 1, 2].map(|index| call.argument(index));
    call.invoke(method, &arguments, |_, outcome| match outcome {
        Outcome::Returned(value) => Flow::Continue(value),
        Outcome::Threw(_) => Flow::Break(Interrupt::Assumed),
    })
}

/// The text of the `float` that is equal to a `double`. That there is none is assumed away by the
/// interface, for want of a better text, and a stop here.
fn of_double(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    match call.argument(0) {
        Value::Double(value) if f64::from(value as f32) == value => {
            let class = call.machine.class("java/lang/Float")?;
            let method = call.machine.method(class, "toString", "(F)Ljava/lang/String;")?;
            call.invoke(method, &[Value::Float(value as f32)], within_bounds)
        }
        _ => undefined(call),
    }
}

/// Whether a box can be made of a text.
fn is_valid(
    call: &mut Call<'_, '_>,
    class: &str,
    [name, descriptor]: [&str; 2],
) -> Flow<Option<Value>> {
    let text = call.argument(0);
    let text = call.machine.resolved(call.state, text)?;
    if text == Value::NULL || !matches!(call.argument(1), Value::Int(2..=36)) {
        return undefined(call);
    }
    let class = call.machine.class(class)?;
    let method = call.machine.method(class, name, descriptor)?;
    call.invoke(method, &[text, call.argument(1)], |_, outcome| {
        Flow::Continue(Some(Value::boolean(matches!(outcome, Outcome::Returned(_)))))
    })
}

fn is_valid_int(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    is_valid(call, "java/lang/Integer", ["parseInt", PARSE[0]])
}

fn is_valid_long(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    is_valid(call, "java/lang/Long", ["parseLong", PARSE[1]])
}

/// The library's method, for arguments that are strings.
fn format(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let objects = call.machine.class("[Ljava/lang/Object;")?;
    let count = call.arguments() - 1;
    let array = call.machine.allocate_array(call.state, objects, count)?;
    for index in 0..count {
        let argument = call.argument(index + 1);
        call.state.heap.set(array, index, argument);
    }
    let string = call.machine.known.string;
    let descriptor = "(Ljava/lang/String;[Ljava/lang/Object;)Ljava/lang/String;";
    let method = call.machine.method(string, "format", descriptor)?;
    call.invoke(method, &[call.argument(0), array.into()], within_bounds)
}

/// The method of the same name and descriptor of a box.
fn of_box(call: &mut Call<'_, '_>, class: &str) -> Flow<Option<Value>> {
    let program = call.machine.program;
    let own = program.method(call.method());
    let (name, descriptor) = (program.names().text(own.name), program.names().text(own.descriptor));
    let class = call.machine.class(class)?;
    let method = call.machine.method(class, name, descriptor)?;
    let arguments: Vec<Value> = (0..call.arguments()).map(|index| call.argument(index)).collect();
    call.invoke(method, &arguments, within_bounds)
}

fn of_integer(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    of_box(call, "java/lang/Integer")
}

fn of_long(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    of_box(call, "java/lang/Long")
}

fn of_float(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    of_box(call, "java/lang/Float")
}

const SAME: &str = "the library's method, in bounds";
const SAID: &str = "the library's method, and out of bounds what the interface says";
const VALIDITY: &str = "whether the library's method that parses it does not throw";

const INSERT: [&str; 5] = [
    "(Ljava/lang/StringBuffer;ILjava/lang/String;)Ljava/lang/StringBuffer;",
    "(Ljava/lang/StringBuffer;IZ)Ljava/lang/StringBuffer;",
    "(Ljava/lang/StringBuffer;IC)Ljava/lang/StringBuffer;",
    "(Ljava/lang/StringBuffer;II)Ljava/lang/StringBuffer;",
    "(Ljava/lang/StringBuffer;IJ)Ljava/lang/StringBuffer;",
];
const BUILDER_INSERT: &str =
    "(Ljava/lang/StringBuilder;ILjava/lang/String;)Ljava/lang/StringBuilder;";
const APPEND: &str =
    "(Ljava/lang/StringBuilder;Ljava/lang/CharSequence;II)Ljava/lang/StringBuilder;";
const BUILDER_DELETE: &str = "(Ljava/lang/StringBuilder;II)Ljava/lang/StringBuilder;";
const BUFFER_DELETE: &str = "(Ljava/lang/StringBuffer;II)Ljava/lang/StringBuffer;";
const BUILDER_DELETE_AT: &str = "(Ljava/lang/StringBuilder;I)Ljava/lang/StringBuilder;";
const BUFFER_DELETE_AT: &str = "(Ljava/lang/StringBuffer;I)Ljava/lang/StringBuffer;";
const FORMAT: &str = "(Ljava/lang/String;Ljava/lang/String;Ljava/lang/String;Ljava/lang/String;Ljava/lang/String;Ljava/lang/String;Ljava/lang/String;Ljava/lang/String;Ljava/lang/String;Ljava/lang/String;Ljava/lang/String;)Ljava/lang/String;";
const PARSE: [&str; 2] = ["(Ljava/lang/String;I)I", "(Ljava/lang/String;I)J"];
const VALID: &str = "(Ljava/lang/String;I)Z";
const SUBSTRING: [&str; 3] = [
    "(Ljava/lang/String;I)Ljava/lang/String;",
    "(Ljava/lang/String;II)Ljava/lang/String;",
    "(Ljava/lang/StringBuffer;II)Ljava/lang/String;",
];

pub(crate) const ROWS: &[Row] = &[
    spoken("codePointAt", "(Ljava/lang/String;I)I", SAME, of_first),
    spoken("codePointBefore", "(Ljava/lang/String;I)I", SAME, of_first),
    spoken("codePointCount", "(Ljava/lang/String;II)I", SAME, of_first),
    spoken("offsetByCodePoints", "(Ljava/lang/String;II)I", SAME, of_first),
    spoken("charAt", "(Ljava/lang/String;I)C", SAID, char_at),
    spoken("charAt", "(Ljava/lang/StringBuffer;I)C", SAME, of_first),
    spoken("substring", SUBSTRING[0], SAID, substring),
    spoken("substring", SUBSTRING[1], SAID, part),
    spoken("substring", SUBSTRING[2], SAME, of_first),
    spoken("subSequence", "(Ljava/lang/String;II)Ljava/lang/CharSequence;", SAME, of_first),
    spoken("append", APPEND, SAME, of_first),
    spoken("delete", BUILDER_DELETE, SAME, of_first),
    spoken("delete", BUFFER_DELETE, SAME, of_first),
    spoken("deleteCharAt", BUILDER_DELETE_AT, SAME, of_first),
    spoken("deleteCharAt", BUFFER_DELETE_AT, SAME, of_first),
    spoken("insert", BUILDER_INSERT, SAME, of_first),
    spoken("insert", INSERT[0], SAME, of_first),
    spoken("insert", INSERT[1], SAME, of_first),
    spoken("insert", INSERT[2], SAME, of_first),
    spoken("insert", INSERT[3], SAME, of_first),
    spoken("insert", INSERT[4], SAME, of_first),
    spoken("setLength", "(Ljava/lang/StringBuffer;I)V", SAME, of_first),
    spoken("setLength", "(Ljava/lang/StringBuilder;I)V", SAME, of_first),
    spoken("setCharAt", "(Ljava/lang/StringBuffer;IC)V", SAME, of_first),
    spoken("setCharAt", "(Ljava/lang/StringBuilder;IC)V", SAME, of_first),
    spoken("toString", "(I)Ljava/lang/String;", SAME, of_integer),
    spoken("toString", "(II)Ljava/lang/String;", SAME, of_integer),
    spoken("toString", "(J)Ljava/lang/String;", SAME, of_long),
    spoken("toString", "(JI)Ljava/lang/String;", SAME, of_long),
    spoken("toString", "(F)Ljava/lang/String;", SAME, of_float),
    spoken("toString", "(D)Ljava/lang/String;", SAME, of_double),
    spoken("parseInt", PARSE[0], SAME, of_integer),
    spoken("parseLong", PARSE[1], SAME, of_long),
    spoken("isValidInt", VALID, VALIDITY, is_valid_int),
    spoken("isValidLong", VALID, VALIDITY, is_valid_long),
    spoken("format", FORMAT, SAME, format),
    spoken("equals", "(Ljava/lang/String;Ljava/lang/String;)Z", SAME, equals),
    spoken("ofCharArray", "([CII)Ljava/lang/String;", SAID, of_chars),
];

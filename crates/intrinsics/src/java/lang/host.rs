//! What programs learn of the machine that they run on. Ours is always the same one, so where a
//! program that is explored looks at it, the result says what was assumed.

use crate::jdk::internal::util::props;
use crate::table::{Row, spoken};
use dalang_heap::Value;
use dalang_interp::{Call, Flow};

/// Notes that a path depends on the clock.
pub(crate) fn note_clock(call: &mut Call<'_, '_>) {
    call.machine.assume(
        call.state,
        "the clock: it starts at a fixed moment and advances by a nanosecond for each instruction",
    );
}

/// Classes that read properties for programs: `Boolean.getBoolean`, `Integer.getInteger`, `Long.getLong`.
const READERS: [&str; 3] = ["java/lang/Boolean", "java/lang/Integer", "java/lang/Long"];

/// A property is read. What the library asks for is noted if hosts differ in it; most else that it
/// asks for nobody has set.
fn property(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let name = call.argument(0);
    let name = match call.machine.known_value(call.state, name) {
        Value::Reference(name) if !name.is_null() => match call.machine.text(call.state, name) {
            Flow::Continue(name) => Some(name),
            // Which one it is, is not known.
            Flow::Break(_) => None,
        },
        _ => None,
    };
    let is_of_host = name.as_deref().is_some_and(props::is_of_host);
    if is_of_host || call.machine.is_called_through(call.state, &READERS) {
        let what = match name {
            Some(name) => format!("the property {name}: as it is on dalang's own host"),
            None => "properties: as they are on dalang's own host".to_owned(),
        };
        call.machine.assume(call.state, &what);
    }
    call.proceed()
}

fn own(call: &mut Call<'_, '_>, what: &str) -> Flow<Option<Value>> {
    if call.machine.is_called_by_program(call.state) {
        call.machine.assume(call.state, &format!("{what}: as on dalang's own host"));
    }
    call.proceed()
}

fn properties(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    own(call, "properties")
}

fn environment(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    own(call, "the environment")
}

fn line_separator(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    own(call, "the line separator")
}

/// Why such rows are there.
pub(crate) const NOTED: &str = "where it is asked for, the result says what was assumed";
const STRING: &str = "(Ljava/lang/String;)Ljava/lang/String;";
const WITH_DEFAULT: &str = "(Ljava/lang/String;Ljava/lang/String;)Ljava/lang/String;";

pub(crate) const ROWS: &[Row] = &[
    spoken("getProperty", STRING, NOTED, property).untouched(),
    spoken("getProperty", WITH_DEFAULT, NOTED, property).untouched(),
    spoken("getProperties", "()Ljava/util/Properties;", NOTED, properties),
    spoken("getenv", STRING, NOTED, environment).untouched(),
    spoken("getenv", "()Ljava/util/Map;", NOTED, environment),
    spoken("lineSeparator", "()Ljava/lang/String;", NOTED, line_separator),
];

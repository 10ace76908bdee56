//! `org.cprover.CProverString`: methods of strings and string builders as functions.
//!
//! They are what the library's methods of the same name are, except that nothing is said of what is
//! out of bounds; so an exception of the library's is a stop here. `equals` and `ofCharArray` have
//! bytecode that does what they are for.

use crate::harness::unmeant;
use crate::table::{Row, spoken};
use dalang_classes::ValueType;
use dalang_heap::Value;
use dalang_interp::{Call, Flow, Outcome, unsupported};

/// What the library's method gave.
pub(super) fn within_bounds(call: &mut Call<'_, '_>, outcome: Outcome) -> Flow<Option<Value>> {
    match outcome {
        Outcome::Returned(value) => Flow::Continue(value),
        Outcome::Threw(_) => {
            unsupported(format!("{} outside of what it is defined for", call.spelling()))
        }
    }
}

/// The method of the same name of the first argument's class.
fn of_first(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
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
    call.invoke(method, &arguments, within_bounds)
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
const OTHER: &str = "a stop: no method of the library does the same";

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
    spoken("charAt", "(Ljava/lang/String;I)C", SAME, of_first),
    spoken("charAt", "(Ljava/lang/StringBuffer;I)C", SAME, of_first),
    spoken("substring", SUBSTRING[0], SAME, of_first),
    spoken("substring", SUBSTRING[1], SAME, of_first),
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
    spoken("toString", "(D)Ljava/lang/String;", OTHER, unmeant),
    spoken("parseInt", PARSE[0], SAME, of_integer),
    spoken("parseLong", PARSE[1], SAME, of_long),
    spoken("isValidInt", VALID, OTHER, unmeant),
    spoken("isValidLong", VALID, OTHER, unmeant),
    spoken("format", FORMAT, OTHER, unmeant),
];

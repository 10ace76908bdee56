//! `java.lang.StringBuilder` on texts that hold terms: what is appended joins what is there as one
//! text, where the library's code would ask how long it is, again and again.
//!
//! Only characters in Latin-1 are joined here, because a builder remembers whether it ever had
//! others. Whatever else there is, and constants, are left to the library.

use crate::table::{Row, symbolic};
use dalang_heap::{Reference, Text, Value};
use dalang_interp::{Call, Flow};
use dalang_term::TermId;

/// Longer texts, and builders with much more room, are left to the library.
const MOST: usize = 512;

/// A builder in Latin-1, and what is in it.
struct Builder {
    array: Reference,
    count: TermId,
    text: Text,
}

/// The builder that a method is called on; none if it is left to the library.
fn builder(call: &mut Call<'_, '_>) -> Flow<Option<Builder>> {
    let this = call.object(0)?;
    // Up to Java 8, builders have no coder.
    if call.machine.known.string_coder.is_none()
        || call.machine.field(call.state, this, "coder")? != Value::Int(0)
    {
        return Flow::Continue(None);
    }
    let array = call.machine.field(call.state, this, "value")?;
    let count = call.machine.field(call.state, this, "count")?;
    let Value::Reference(array) = array else { return Flow::Continue(None) };
    if array.is_null() || !matches!(count, Value::Int(_) | Value::Term(_)) {
        return Flow::Continue(None);
    }
    let count = call.machine.term(count);
    let text = call.machine.text_in_builder(call.state, array, count)?;
    Flow::Continue(text.map(|text| Builder { array, count, text }))
}

/// Whether the number of characters that a builder has is known.
fn is_plain(call: &Call<'_, '_>) -> Flow<bool> {
    let count = call.machine.field(call.state, call.object(0)?, "count")?;
    Flow::Continue(matches!(count, Value::Int(_)))
}

/// Appends a text, or lets the library do it.
fn append(call: &mut Call<'_, '_>, text: &Text) -> Flow<Option<Value>> {
    let plain = is_plain(call)? && call.machine.pool.bits(text.length).is_some();
    if plain || !text.narrow {
        return call.proceed();
    }
    let Some(Builder { array, count, text: own }) = builder(call)? else { return call.proceed() };
    let room = call.machine.longest(call.state, array)?;
    if own.units.len() + text.units.len() > MOST || room > 2 * MOST {
        return call.proceed();
    }
    let whole = call.machine.joined(&own, text)?;
    let (length, longest) = enlarged(call, array, whole.length, whole.units.len())?;
    let pool = &mut call.machine.pool;
    let count = pool.add(count, text.length);
    let body = whole.stored_in(pool, length, longest as u32);
    let array = call.state.heap.allocate(call.machine.known.byte_array, body);
    let (this, count) = (call.object(0)?, call.machine.value(count));
    call.machine.set_field(call.state, this, "value", array)?;
    call.machine.set_field(call.state, this, "count", count)?;
    Flow::Continue(Some(this.into()))
}

/// How long the array is after room for so many characters has been made, and at most: as long as
/// before if that is enough, otherwise at least two more than twice as long.
fn enlarged(
    call: &mut Call<'_, '_>,
    array: Reference,
    needed: TermId,
    most: usize,
) -> Flow<(TermId, usize)> {
    let room = call.machine.longest(call.state, array)?;
    let old = call.machine.array_length_value(call.state, array);
    let old = call.machine.term(old);
    if call.machine.certain_range(old).is_some_and(|(least, _)| most as i64 <= least) {
        return Flow::Continue((old, room));
    }
    let pool = &mut call.machine.pool;
    let two = pool.int(2);
    let double = pool.mul(old, two);
    let double = pool.add(double, two);
    let more = pool.sgt(needed, double);
    let larger = pool.ite(more, needed, double);
    let small = pool.sgt(needed, old);
    let length = pool.ite(small, larger, old);
    // Only an array that is shorter than what is needed is doubled.
    Flow::Continue((length, room.max(most).max(2 * most.min(room + 1))))
}

fn append_string(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let string = call.reference(1)?;
    let symbolic = !string.is_null() && call.machine.is_symbolic_string(call.state, string);
    if is_plain(call)? && !symbolic {
        return call.proceed();
    }
    let text = if string.is_null() {
        constant(call, "null")
    } else {
        call.machine.text_of(call.state, string)?
    };
    append(call, &text)
}

/// Part of a constant, as formatters append what is between two arguments.
fn append_part(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let (string, from, to) = (call.reference(1)?, call.argument(2), call.argument(3));
    let is_constant = !string.is_null()
        && call.state.heap.class(string) == call.machine.known.string
        && !call.machine.is_symbolic_string(call.state, string);
    if is_plain(call)? || !is_constant {
        return call.proceed();
    }
    let units = call.machine.utf16(call.state, string)?;
    match (from, to) {
        (Value::Int(from), Value::Int(to))
            if 0 <= from && from <= to && to as usize <= units.len() =>
        {
            let text = call.machine.constant_text(&units[from as usize..to as usize]);
            append(call, &text)
        }
        _ => call.proceed(),
    }
}

fn append_char(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    match call.argument(1) {
        Value::Int(unit) if !is_plain(call)? => {
            let text = call.machine.constant_text(&[unit as u16]);
            append(call, &text)
        }
        _ => call.proceed(),
    }
}

fn append_number(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let text = match call.argument(1) {
        Value::Term(number) => call.machine.decimal(number),
        _ if is_plain(call)? => return call.proceed(),
        Value::Int(number) => constant(call, &number.to_string()),
        Value::Long(number) => constant(call, &number.to_string()),
        _ => return call.proceed(),
    };
    append(call, &text)
}

fn append_truth(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let truth = call.argument(1);
    if is_plain(call)? && !matches!(truth, Value::Term(_)) {
        return call.proceed();
    }
    let (truth, zero) = (call.machine.term(truth), call.machine.pool.int(0));
    let is = call.machine.pool.ne(truth, zero);
    let text = call.machine.truth(is);
    append(call, &text)
}

fn constant(call: &mut Call<'_, '_>, text: &str) -> Text {
    call.machine.constant_text(&text.encode_utf16().collect::<Vec<_>>())
}

fn to_string(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    if is_plain(call)? {
        return call.proceed();
    }
    match builder(call)? {
        // For no characters the library may give a constant.
        Some(builder)
            if call.machine.certain_range(builder.count).is_some_and(|(least, _)| least > 0) =>
        {
            Flow::Continue(Some(call.machine.new_text(call.state, builder.text)?.into()))
        }
        _ => call.proceed(),
    }
}

const LENGTH: &str = "the bytecode decides whether there is room, and stores at symbolic places";
const COPY: &str = "the bytecode copies a part of an array whose length is symbolic";

pub(crate) const ROWS: &[Row] = &[
    symbolic(
        "append",
        "(Ljava/lang/String;)Ljava/lang/AbstractStringBuilder;",
        LENGTH,
        append_string,
    ),
    symbolic(
        "append",
        "(Ljava/lang/CharSequence;II)Ljava/lang/AbstractStringBuilder;",
        LENGTH,
        append_part,
    ),
    symbolic("append", "(C)Ljava/lang/AbstractStringBuilder;", LENGTH, append_char),
    symbolic("append", "(I)Ljava/lang/AbstractStringBuilder;", LENGTH, append_number),
    symbolic("append", "(J)Ljava/lang/AbstractStringBuilder;", LENGTH, append_number),
    symbolic("append", "(Z)Ljava/lang/AbstractStringBuilder;", LENGTH, append_truth),
];

pub(crate) const FINISHED: &[Row] =
    &[symbolic("toString", "()Ljava/lang/String;", COPY, to_string)];

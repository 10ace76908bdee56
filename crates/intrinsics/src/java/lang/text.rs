//! `java.lang.String` on texts that hold terms: one term for what the library's code would find out
//! by a loop, and by asking first how the string is stored. Constants are left to the library.

use crate::table::{Row, symbolic};
use dalang_heap::{Need, Reference, Text, Value};
use dalang_interp::{Call, Flow};
use dalang_term::TermId;

/// The text of a string argument.
fn text(call: &mut Call<'_, '_>, index: usize) -> Flow<Text> {
    let string = call.object(index)?;
    call.machine.whole_text(call.state, string)
}

/// Whether an argument is a string or number that holds terms.
fn is_symbolic(call: &Call<'_, '_>, index: usize) -> bool {
    match call.argument(index) {
        Value::Term(_) => true,
        Value::Reference(string) if !string.is_null() => {
            call.state.heap.class(string) == call.machine.known.string
                && call.machine.is_symbolic_string(call.state, string)
        }
        _ => false,
    }
}

/// Whether one of the arguments holds terms, and none is null.
fn concerns(call: &Call<'_, '_>) -> bool {
    let all = 0..call.arguments();
    all.clone().all(|index| call.argument(index) != Value::NULL)
        && all.clone().any(|index| is_symbolic(call, index))
}

fn number(call: &mut Call<'_, '_>, index: usize) -> TermId {
    let value = call.argument(index);
    call.machine.term(value)
}

fn give(call: &mut Call<'_, '_>, term: TermId) -> Flow<Option<Value>> {
    Flow::Continue(Some(call.machine.value(term)))
}

fn length(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    if !concerns(call) {
        return call.proceed();
    }
    let text = call.machine.text_of(call.state, call.object(0)?)?;
    give(call, text.length)
}

fn is_empty(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    if !concerns(call) {
        return call.proceed();
    }
    let text = call.machine.text_of(call.state, call.object(0)?)?;
    let zero = call.machine.pool.int(0);
    let empty = call.machine.pool.eq(text.length, zero);
    give(call, empty)
}

fn char_at(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    if !concerns(call) {
        return call.proceed();
    }
    let text = call.machine.text_of(call.state, call.object(0)?)?;
    let index = number(call, 1);
    let inside = call.machine.pool.ult(index, text.length);
    if !call.machine.decide(call.state, inside)? {
        // The library's message depends on how the string is stored.
        return call.proceed();
    }
    if call.machine.pool.bits(index).is_none_or(|index| index as usize >= text.units.len()) {
        call.machine.check_whole(call.state, &text)?;
    }
    let unit = call.machine.unit_at(&text, index);
    let unit = call.machine.pool.zero_extend(unit, 32);
    give(call, unit)
}

/// The argument may be anything: it is asked no more than the library asks.
fn equals(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let this = call.machine.needed(call.state, call.argument(0), Need::Object)?;
    let other = call.machine.known_value(call.state, call.argument(1));
    let Value::Reference(this) = this else { return call.proceed() };
    if let Value::Reference(other) = other
        && (this.is_null()
            || other.is_null()
            || call.state.heap.class(other) != call.machine.known.string
            || !(call.machine.is_symbolic_string(call.state, this)
                || call.machine.is_symbolic_string(call.state, other)))
        && !call.state.heap.find(other).is_some_and(|other| other.inexact)
    {
        return call.proceed();
    }
    if !call.machine.is_instance(call.state, other, call.machine.known.string)? {
        return Flow::Continue(Some(Value::Int(0)));
    }
    let Value::Reference(other) = call.machine.needed(call.state, other, Need::Object)? else {
        return call.proceed();
    };
    if this == other {
        return Flow::Continue(Some(Value::Int(1)));
    }
    let equal = equal(call, this, other)?;
    give(call, equal)
}

fn equal(call: &mut Call<'_, '_>, a: Reference, b: Reference) -> Flow<TermId> {
    let [a, b] = [a, b].map(|string| call.machine.text_of(call.state, string));
    let (a, b) = (a?, b?);
    // A text of known length differs from every longer one, whatever that is.
    if [&a, &b].iter().all(|text| call.machine.pool.bits(text.length).is_none()) {
        call.machine.check_whole(call.state, &a)?;
        call.machine.check_whole(call.state, &b)?;
    }
    let machine = &mut *call.machine;
    Flow::Continue(a.equal(&b, &mut machine.pool, &machine.unknowns.patience))
}

fn hash_code(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    if !concerns(call) {
        return call.proceed();
    }
    let text = text(call, 0)?;
    let mut hash = call.machine.pool.int(0);
    for (place, &unit) in text.units.iter().enumerate() {
        call.machine.breathe_at(place)?;
        let pool = &mut call.machine.pool;
        let (factor, unit) = (pool.int(31), pool.zero_extend(unit, 32));
        let next = pool.mul(hash, factor);
        let next = pool.add(next, unit);
        let has = text.has(pool, place);
        hash = pool.ite(has, next, hash);
    }
    give(call, hash)
}

/// Whether one text is in another at a place.
fn is_at(call: &mut Call<'_, '_>, whole: &Text, part: &Text, place: TermId) -> TermId {
    let pool = &mut call.machine.pool;
    let zero = pool.int(0);
    let positive = pool.sge(place, zero);
    let last = pool.sub(whole.length, part.length);
    let fits = pool.sle(place, last);
    let mut at = pool.and(positive, fits);
    for (offset, &unit) in part.units.iter().enumerate() {
        if call.machine.alarm.rings() {
            break;
        }
        let pool = &mut call.machine.pool;
        let number = pool.int(offset as i32);
        let there = pool.add(place, number);
        let found = call.machine.unit_at(whole, there);
        let pool = &mut call.machine.pool;
        let same = pool.eq(found, unit);
        let has = part.has(pool, offset);
        let same = pool.implies(has, same);
        at = pool.and(at, same);
    }
    at
}

fn starts_with(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    if !concerns(call) {
        return call.proceed();
    }
    let whole = call.machine.text_of(call.state, call.object(0)?)?;
    let part = text(call, 1)?;
    let place = if call.arguments() > 2 { number(call, 2) } else { call.machine.pool.int(0) };
    let pool = &call.machine.pool;
    let end = pool.bits(place).map_or(usize::MAX, |place| place as usize + part.units.len());
    if end > whole.units.len() {
        call.machine.check_whole(call.state, &whole)?;
    }
    let at = is_at(call, &whole, &part, place);
    give(call, at)
}

fn ends_with(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    if !concerns(call) {
        return call.proceed();
    }
    let (whole, part) = (text(call, 0)?, text(call, 1)?);
    let place = call.machine.pool.sub(whole.length, part.length);
    let at = is_at(call, &whole, &part, place);
    give(call, at)
}

/// `indexOf(int)` and `indexOf(int, int)`
fn index_of_char(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    find_char(call, false)
}

/// `lastIndexOf(int)`
fn last_index_of_char(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    find_char(call, true)
}

fn find_char(call: &mut Call<'_, '_>, last: bool) -> Flow<Option<Value>> {
    if !concerns(call) {
        return call.proceed();
    }
    let wanted = number(call, 1);
    let pool = &mut call.machine.pool;
    // Characters beyond the first plane are two units; that is left to the library.
    let plane = pool.int(0x1_0000);
    let simple = pool.slt(wanted, plane);
    if !call.machine.decide(call.state, simple)? {
        return call.proceed();
    }
    let text = text(call, 0)?;
    let from = if call.arguments() > 2 { Some(number(call, 2)) } else { None };
    let pool = &mut call.machine.pool;
    let mut found = pool.int(-1);
    let mut places: Vec<usize> = (0..text.units.len()).collect();
    if !last {
        places.reverse();
    }
    for place in places {
        call.machine.breathe_at(place)?;
        let pool = &mut call.machine.pool;
        let unit = pool.zero_extend(text.units[place], 32);
        let same = pool.eq(unit, wanted);
        let has = text.has(pool, place);
        let mut here = pool.and(has, same);
        let number = pool.int(place as i32);
        if let Some(from) = from {
            let behind = pool.sle(from, number);
            here = pool.and(here, behind);
        }
        found = pool.ite(here, number, found);
    }
    give(call, found)
}

fn index_of_text(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    if !concerns(call) {
        return call.proceed();
    }
    let (whole, part) = (text(call, 0)?, text(call, 1)?);
    let mut found = call.machine.pool.int(-1);
    for place in (0..=whole.units.len()).rev() {
        call.machine.breathe()?;
        let place = call.machine.pool.int(place as i32);
        let here = is_at(call, &whole, &part, place);
        found = call.machine.pool.ite(here, place, found);
    }
    give(call, found)
}

fn compare_to(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    if !concerns(call) {
        return call.proceed();
    }
    let (a, b) = (text(call, 0)?, text(call, 1)?);
    let pool = &mut call.machine.pool;
    let shorter = pool.sub(a.length, b.length);
    let mut result = shorter;
    for place in (0..a.units.len().min(b.units.len())).rev() {
        call.machine.breathe_at(place)?;
        let pool = &mut call.machine.pool;
        let [x, y] = [a.units[place], b.units[place]].map(|unit| pool.zero_extend(unit, 32));
        let difference = pool.sub(x, y);
        let same = pool.eq(x, y);
        let here = pool.ite(same, result, difference);
        let (has_a, has_b) = (a.has(pool, place), b.has(pool, place));
        let both = pool.and(has_a, has_b);
        result = pool.ite(both, here, shorter);
    }
    give(call, result)
}

fn substring(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    if !concerns(call) {
        return call.proceed();
    }
    let string = call.object(0)?;
    let whole = text(call, 0)?;
    let from = number(call, 1);
    let to = if call.arguments() > 2 { number(call, 2) } else { whole.length };
    let pool = &mut call.machine.pool;
    let zero = pool.int(0);
    let positive = pool.sge(from, zero);
    let (ordered, inside) = (pool.sle(from, to), pool.sle(to, whole.length));
    let fine = pool.and_all([positive, ordered, inside]);
    if !call.machine.decide(call.state, fine)? {
        return call.proceed();
    }
    let pool = &mut call.machine.pool;
    let (first, last) = (pool.eq(from, zero), pool.eq(to, whole.length));
    let all = pool.and(first, last);
    if call.machine.decide(call.state, all)? {
        return Flow::Continue(Some(string.into()));
    }
    let length = call.machine.pool.sub(to, from);
    let zero = call.machine.pool.int(0);
    let empty = call.machine.pool.eq(length, zero);
    if call.machine.decide(call.state, empty)? {
        // The library gives the constant.
        return Flow::Continue(Some(call.machine.intern(call.state, "")?.into()));
    }
    let part = call.machine.part(&whole, from, length)?;
    Flow::Continue(Some(call.machine.new_text(call.state, part)?.into()))
}

fn concat(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    if !concerns(call) {
        return call.proceed();
    }
    let (a, b) = (text(call, 0)?, text(call, 1)?);
    let zero = call.machine.pool.int(0);
    let empty = call.machine.pool.eq(b.length, zero);
    if call.machine.decide(call.state, empty)? {
        return Flow::Continue(Some(call.argument(0)));
    }
    let whole = call.machine.joined(&a, &b)?;
    Flow::Continue(Some(call.machine.new_text(call.state, whole)?.into()))
}

fn to_char_array(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    if !concerns(call) {
        return call.proceed();
    }
    let text = text(call, 0)?;
    let body = text.stored_as_chars(&mut call.machine.pool);
    let array = call.state.heap.allocate(call.machine.known.char_array, body);
    Flow::Continue(Some(array.into()))
}

/// `String(char[], int, int, Void)`, which all constructors from characters call; the range was
/// checked.
fn from_chars(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let (string, array) = (call.object(0)?, call.reference(1)?);
    let body = call.state.heap.find(array).map(|array| &array.body);
    let terms = body.is_some_and(|body| {
        body.has_stored_terms() || matches!(body, dalang_heap::Body::Elements(_))
    });
    let symbolic = terms || [2, 3].iter().any(|&index| is_symbolic(call, index));
    if !symbolic || array.is_null() {
        return call.proceed();
    }
    let (from, length) = (number(call, 2), number(call, 3));
    let all = call.machine.array_length_value(call.state, array);
    let all = call.machine.term(all);
    let text = call.machine.text_in_chars(call.state, array, all)?;
    let part = call.machine.part(&text, from, length)?;
    call.machine.check_whole(call.state, &part)?;
    call.machine.store_text(call.state, string, part)?;
    Flow::Continue(None)
}

const LOOP: &str = "the bytecode asks how the string is stored, and goes through it";
const FORM: &str = "the bytecode asks how the string is stored";

pub(crate) const ROWS: &[Row] = &[
    symbolic("length", "()I", FORM, length),
    symbolic("isEmpty", "()Z", FORM, is_empty),
    symbolic("charAt", "(I)C", FORM, char_at),
    symbolic("equals", "(Ljava/lang/Object;)Z", LOOP, equals).untouched(),
    symbolic("hashCode", "()I", LOOP, hash_code),
    symbolic("startsWith", "(Ljava/lang/String;)Z", LOOP, starts_with),
    symbolic("startsWith", "(Ljava/lang/String;I)Z", LOOP, starts_with),
    symbolic("endsWith", "(Ljava/lang/String;)Z", LOOP, ends_with),
    symbolic("indexOf", "(I)I", LOOP, index_of_char),
    symbolic("indexOf", "(II)I", LOOP, index_of_char),
    symbolic("lastIndexOf", "(I)I", LOOP, last_index_of_char),
    symbolic("indexOf", "(Ljava/lang/String;)I", LOOP, index_of_text),
    symbolic("compareTo", "(Ljava/lang/String;)I", LOOP, compare_to),
    symbolic("substring", "(I)Ljava/lang/String;", LOOP, substring),
    symbolic("substring", "(II)Ljava/lang/String;", LOOP, substring),
    symbolic("concat", "(Ljava/lang/String;)Ljava/lang/String;", LOOP, concat),
    symbolic("toCharArray", "()[C", LOOP, to_char_array),
    symbolic("<init>", "([CIILjava/lang/Void;)V", LOOP, from_chars),
];

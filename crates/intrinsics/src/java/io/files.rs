//! `FileDescriptor`, `FileOutputStream` and `FileInputStream`, for the standard streams and for
//! data of the JDK. Programs see no file of the host.

use super::opened;
use crate::table::{Row, any, native};
use dalang_heap::{Body, Value};
use dalang_interp::{Call, Flow, Stream, Supply, raise, unsupported};
use dalang_term::{Pool, TermId};

fn nothing(_: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    Flow::Continue(None)
}

fn handle(_: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    Flow::Continue(Some(Value::Long(-1)))
}

fn no(_: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    Flow::Continue(Some(Value::Int(0)))
}

/// The number of the file that the receiver writes to or reads from.
fn number(call: &Call<'_, '_>) -> Flow<i32> {
    let file = call.object(0)?;
    let Value::Reference(descriptor) = call.machine.field(call.state, file, "fd")? else {
        return unsupported("a stream of the input");
    };
    if descriptor.is_null() {
        return raise("java/io/IOException", "Stream Closed");
    }
    match call.machine.field(call.state, descriptor, "fd")? {
        Value::Int(number) => Flow::Continue(number),
        _ => unsupported("a stream of the input"),
    }
}

fn stream(call: &Call<'_, '_>) -> Flow<Stream> {
    match number(call)? {
        1 => Flow::Continue(Stream::Out),
        2 => Flow::Continue(Stream::Err),
        -1 => raise("java/io/IOException", "Stream Closed"),
        _ => unsupported("writing to a file"),
    }
}

fn write_bytes(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let stream = stream(call)?;
    let array = call.object(1)?;
    let symbolic = [2, 3].iter().any(|&index| matches!(call.argument(index), Value::Term(_)));
    let Body::Bytes(bytes) = &call.state.heap.object(array).body else {
        // What is unknown cannot be shown; the program does not notice.
        return Flow::Continue(None);
    };
    if symbolic {
        return Flow::Continue(None);
    }
    let (offset, count) = (call.int(2)?, call.int(3)?);
    let range = offset as usize..(offset as usize).saturating_add(count as usize);
    let Some(bytes) = bytes.get(range) else {
        return raise("java/lang/IndexOutOfBoundsException", "");
    };
    let bytes: Vec<u8> = bytes.iter().map(|&byte| byte as u8).collect();
    call.machine.console.write(stream, &bytes);
    Flow::Continue(None)
}

fn write_byte(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let stream = stream(call)?;
    let Value::Int(byte) = call.argument(1) else {
        // What is unknown cannot be shown; the program does not notice.
        return Flow::Continue(None);
    };
    let byte = byte as u8;
    call.machine.console.write(stream, &[byte]);
    Flow::Continue(None)
}

fn input(call: &mut Call<'_, '_>, most: usize) -> Flow<Supply> {
    let number = number(call)?;
    if number > 2 {
        return opened::read(call, number, most).map_continue(Supply::Known);
    }
    if number != 0 {
        return unsupported("reading a file");
    }
    if let Some(supply) = call.machine.supply(call.state, most) {
        return Flow::Continue(supply);
    }
    match call.machine.console.read(most) {
        Some(bytes) => Flow::Continue(Supply::Known(bytes)),
        None => unsupported("reading standard input"),
    }
}

fn read_byte(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    Flow::Continue(Some(match input(call, 1)? {
        Supply::Known(bytes) => Value::Int(bytes.first().map_or(-1, |&byte| i32::from(byte))),
        Supply::Unknown(bytes, left) => {
            let byte = bytes.first().map(|&byte| call.machine.term(byte));
            let pool = &mut call.machine.pool;
            let (end, mask) = (pool.int(-1), pool.int(0xff));
            let byte = byte.map_or(end, |byte| pool.bv_and(byte, mask));
            ended(pool, left, byte)
        }
    }))
}

/// What reading gives, if something is left; otherwise -1.
fn ended(pool: &mut Pool, left: TermId, read: TermId) -> Value {
    let (none, end) = (pool.int(0), pool.int(-1));
    let is_end = pool.eq(left, none);
    let result = pool.ite(is_end, end, read);
    Value::of(pool, result)
}

fn read_bytes(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let (array, offset, count) = (call.object(1)?, call.int(2)?, call.int(3)?);
    if count == 0 {
        return Flow::Continue(Some(Value::Int(0)));
    }
    let bytes = match input(call, count as usize)? {
        Supply::Known(bytes) => bytes,
        Supply::Unknown(bytes, left) => return receive(call, &bytes, left),
    };
    if bytes.is_empty() {
        return Flow::Continue(Some(Value::Int(-1)));
    }
    for (index, &byte) in bytes.iter().enumerate() {
        let place = Value::Int(offset + index as i32);
        call.machine.store_element(call.state, array, place, Value::Int((byte as i8).into()))?;
    }
    Flow::Continue(Some(Value::Int(bytes.len() as i32)))
}

/// Puts bytes of an unknown standard input where the caller wants them: as many as are left.
fn receive(call: &mut Call<'_, '_>, bytes: &[Value], left: TermId) -> Flow<Option<Value>> {
    let (array, offset, count) = (call.object(1)?, call.int(2)?, call.int(3)?);
    for (index, &byte) in bytes.iter().enumerate() {
        let place = Value::Int(offset + index as i32);
        let old = call.machine.load_element(call.state, array, place)?;
        let (old, byte) = (call.machine.term(old), call.machine.term(byte));
        let pool = &mut call.machine.pool;
        let at = pool.int(index as i32);
        let is_there = pool.slt(at, left);
        let new = pool.ite(is_there, byte, old);
        let new = Value::of(pool, new);
        call.machine.store_element(call.state, array, place, new)?;
    }
    let pool = &mut call.machine.pool;
    let most = pool.int(count);
    let is_more = pool.slt(most, left);
    let read = pool.ite(is_more, most, left);
    Flow::Continue(Some(ended(pool, left, read)))
}

/// How many bytes can be read without waiting is not known, so none.
fn available(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let nothing = "standard input: no byte is available before it is waited for";
    call.machine.assume(call.state, nothing);
    Flow::Continue(Some(Value::Int(0)))
}

fn open_output(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let name = call.text(1)?;
    unsupported(format!("opening a file ({name})"))
}

fn open_input(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let (stream, name) = (call.object(0)?, call.text(1)?);
    let Value::Reference(descriptor) = call.machine.field(call.state, stream, "fd")? else {
        return unsupported("a stream of the input");
    };
    let Some(file) = opened::known(call, &name) else {
        return unsupported(format!("opening a file ({name})"));
    };
    let number = opened::open(call, file)?;
    call.machine.set_field(call.state, descriptor, "fd", number)?;
    Flow::Continue(None)
}

pub(crate) const DESCRIPTOR: &[Row] = &[
    any("getHandle", handle),
    any("getAppend", no),
    any("sync", nothing),
    any("sync0", nothing),
    any("close0", nothing),
];

pub(crate) const OUTPUT: &[Row] = &[
    native("writeBytes", "([BIIZ)V", write_bytes),
    native("write", "(IZ)V", write_byte),
    any("open0", open_output),
];

pub(crate) const INPUT: &[Row] = &[
    any("read0", read_byte),
    any("readBytes", read_bytes),
    any("available0", available),
    any("isRegularFile0", no),
    any("open0", open_input),
];

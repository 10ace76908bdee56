//! Files that can be opened: data of the JDK that its library reads, such as time zones, and sources
//! of randomness, which can be opened but not read. The JDK is in `/jdk`, as far as programs can
//! tell.

use crate::table::{Row, any};
use dalang_heap::{Body, Reference, Value};
use dalang_interp::{Call, Flow, bug, unsupported};

/// An `Object[]` of `byte[]`: what the files hold; `null` for randomness.
const CONTENTS: &str = "java.io contents of open files";
/// A `long[]`: how much of them was read.
const POSITIONS: &str = "java.io positions in open files";
/// What the first file is called by descriptors, behind the standard streams.
const FIRST: i32 = 3;

/// A file that can be opened.
pub(super) enum Known {
    Data(Vec<u8>),
    Randomness,
}

/// The file of that name, if it can be opened.
pub(super) fn known(call: &Call<'_, '_>, name: &str) -> Option<Known> {
    match name {
        "/dev/random" | "/dev/urandom" => Some(Known::Randomness),
        _ => {
            let path = name.strip_prefix("/jdk/")?;
            call.machine.program.library().file(path).map(Known::Data)
        }
    }
}

fn tables(call: &Call<'_, '_>) -> (Vec<Reference>, Vec<i64>) {
    let body = |name| match call.state.singleton(name) {
        Some(Value::Reference(table)) => Some(call.state.heap.object(table).body.clone()),
        _ => None,
    };
    match (body(CONTENTS), body(POSITIONS)) {
        (Some(Body::References(contents)), Some(Body::Longs(positions))) => {
            (contents.to_vec(), positions.to_vec())
        }
        _ => (Vec::new(), Vec::new()),
    }
}

/// Opens a file, and gives its number.
pub(super) fn open(call: &mut Call<'_, '_>, file: Known) -> Flow<i32> {
    let (mut contents, mut positions) = tables(call);
    contents.push(match file {
        Known::Data(bytes) => {
            let bytes = Body::Bytes(bytes.into_iter().map(|byte| byte as i8).collect());
            call.state.heap.allocate(call.machine.known.byte_array, bytes)
        }
        Known::Randomness => Reference::NULL,
    });
    positions.push(0);
    let object = call.machine.known.object;
    let table = call.machine.allocate_references(call.state, object, &contents)?;
    call.state.set_singleton(CONTENTS, table.into());
    keep_positions(call, &positions)?;
    Flow::Continue(FIRST + positions.len() as i32 - 1)
}

fn keep_positions(call: &mut Call<'_, '_>, positions: &[i64]) -> Flow {
    let longs = call.machine.class("[J")?;
    let table = call.state.heap.allocate(longs, Body::Longs(positions.into()));
    call.state.set_singleton(POSITIONS, table.into());
    Flow::Continue(())
}

/// Reads on in a file; nothing is left at its end.
pub(super) fn read(call: &mut Call<'_, '_>, number: i32, most: usize) -> Flow<Vec<u8>> {
    let (contents, mut positions) = tables(call);
    let index = (number - FIRST) as usize;
    let Some(&content) = contents.get(index) else { return bug("a file that was never opened") };
    if content.is_null() {
        return unsupported("a source of randomness");
    }
    let Body::Bytes(bytes) = call.state.heap.object(content).body.clone() else {
        return bug("a file that does not hold bytes");
    };
    let from = positions[index] as usize;
    let to = from.saturating_add(most).min(bytes.len());
    positions[index] = to as i64;
    keep_positions(call, &positions)?;
    Flow::Continue(bytes[from..to].iter().map(|&byte| byte as u8).collect())
}

/// The path of a `java.io.File`.
fn path(call: &Call<'_, '_>) -> Flow<String> {
    let file = call.object(1)?;
    match call.machine.field(call.state, file, "path")? {
        Value::Reference(path) if !path.is_null() => call.machine.text(call.state, path),
        _ => unsupported("the path of a java.io.File of the input"),
    }
}

/// Files that are known have one name.
fn canonicalize(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let name = call.text(1)?;
    if known(call, &name).is_none() {
        return unsupported(format!("asking for a file ({name})"));
    }
    Flow::Continue(Some(call.argument(1)))
}

/// Whether a `File` can be accessed: those that are known can be read.
fn access(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    const READ: i32 = 4;
    let (name, wanted) = (path(call)?, call.int(2)?);
    if known(call, &name).is_none() || wanted != READ {
        return unsupported(format!("asking for a file ({name})"));
    }
    Flow::Continue(Some(Value::Int(1)))
}

/// Whether a `File` is there, and what it is.
fn attributes(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    const EXISTS: i32 = 1;
    const IS_REGULAR: i32 = 2;
    let name = path(call)?;
    match known(call, &name) {
        Some(Known::Data(_)) => return Flow::Continue(Some(Value::Int(EXISTS | IS_REGULAR))),
        Some(Known::Randomness) => return Flow::Continue(Some(Value::Int(EXISTS))),
        None => {}
    }
    match name.strip_prefix("/jdk/") {
        Some(inside) if !call.machine.program.library().has_file(inside) => {
            Flow::Continue(Some(Value::Int(0)))
        }
        _ => unsupported(format!("asking for a file ({name})")),
    }
}

pub(crate) const FILE_SYSTEM: &[Row] = &[
    any("getBooleanAttributes0", attributes),
    any("canonicalize0", canonicalize),
    any("checkAccess", access),
    any("checkAccess0", access),
];

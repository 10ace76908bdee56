//! Files beside classes. Those of the class path can be read; where they are is not told, because
//! a URL would lead to the host's files.

use crate::java::lang::loader::{self, BuiltIn};
use crate::table::{Row, required};
use dalang_heap::{Body, Reference, Value};
use dalang_interp::{Call, Flow, unsupported};

/// The content of a file of the class path, if a built-in loader sees it.
fn content(call: &Call<'_, '_>, loader: Reference, path: &str) -> Flow<Option<Vec<u8>>> {
    let program = call.machine.program;
    if let Some(class) = path.strip_suffix(".class")
        && matches!(program.library().find(class), Ok(Some(_)))
    {
        return unsupported(format!("the resource {path} of the library"));
    }
    if loader::which(call, loader) != Some(BuiltIn::Application) {
        return Flow::Continue(None);
    }
    match program.class_path().resource(path) {
        Ok(found) => Flow::Continue(found.map(|found| found.bytes)),
        Err(error) => unsupported(format!("the resource {path}, which is unreadable: {error}")),
    }
}

/// `findResource(name)` gives a URL.
fn find(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let (loader, path) = (call.object(0)?, call.text(1)?);
    match content(call, loader, &path)? {
        Some(_) => unsupported(format!("the URL of the resource {path}")),
        None => Flow::Continue(Some(Value::NULL)),
    }
}

/// `findResources(name)` gives an enumeration of URLs.
fn find_all(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let (loader, path) = (call.object(0)?, call.text(1)?);
    if content(call, loader, &path)?.is_some() {
        return unsupported(format!("the URL of the resource {path}"));
    }
    let class = call.machine.class("java/util/Collections")?;
    let descriptor = "()Ljava/util/Enumeration;";
    let method = call.machine.method(class, "emptyEnumeration", descriptor)?;
    call.instead(method, &[])
}

/// `ClassLoader.getResourceAsStream(name)`, for loaders that are built in
pub(crate) fn stream(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let loader = call.object(0)?;
    if loader::which(call, loader).is_none() {
        return call.proceed();
    }
    let path = call.text(1)?;
    open(call, loader, &path)
}

/// `ClassLoader.getSystemResourceAsStream(name)`
pub(crate) fn system_stream(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let path = call.text(0)?;
    let loader = loader::application(call)?;
    open(call, loader, &path)
}

/// A stream over the content, `null` if there is none.
fn open(call: &mut Call<'_, '_>, loader: Reference, path: &str) -> Flow<Option<Value>> {
    match content(call, loader, path)? {
        Some(bytes) => Flow::Continue(Some(stream_of(call, bytes)?.into())),
        None => Flow::Continue(Some(Value::NULL)),
    }
}

/// A stream over bytes.
pub(crate) fn stream_of(call: &mut Call<'_, '_>, bytes: Vec<u8>) -> Flow<Reference> {
    let class = call.machine.class("java/io/ByteArrayInputStream")?;
    call.machine.require(call.state, class)?;
    let count = bytes.len() as i32;
    let bytes = Body::Bytes(bytes.into_iter().map(|byte| byte as i8).collect());
    let buffer = call.state.heap.allocate(call.machine.known.byte_array, bytes);
    let stream = call.machine.allocate(call.state, class, 0)?;
    call.machine.set_field(call.state, stream, "buf", buffer)?;
    call.machine.set_field(call.state, stream, "count", count)?;
    Flow::Continue(stream)
}

const NO_FILES: &str = "the class path is not looked for in the host's files";

pub(crate) const ROWS: &[Row] = &[
    required("findResource", "(Ljava/lang/String;)Ljava/net/URL;", NO_FILES, find),
    required("findResources", "(Ljava/lang/String;)Ljava/util/Enumeration;", NO_FILES, find_all),
];

/// Of `java.lang.ClassLoader`.
pub(crate) const LOADER: &[Row] = &[
    required("getResourceAsStream", "(Ljava/lang/String;)Ljava/io/InputStream;", NO_FILES, stream),
    required(
        "getSystemResourceAsStream",
        "(Ljava/lang/String;)Ljava/io/InputStream;",
        NO_FILES,
        system_stream,
    ),
];

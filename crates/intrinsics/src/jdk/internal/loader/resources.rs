//! Files beside classes. Those of the class path can be read, as streams and through their URLs.
//!
//! A URL is the one that `java` gives, and what it leads to is remembered in the state: nothing
//! else of the host's files can be opened.

use crate::java::lang::loader::{self, BuiltIn};
use crate::java::lang::module;
use crate::table::{Row, required};
use dalang_classes::path::Found;
use dalang_heap::{Body, Reference, Value};
use dalang_interp::{Call, Flow, Interrupt, Outcome, bug, unsupported};
use std::path::Path;

/// URLs that were given out, as texts, each followed by the path of the resource.
const GIVEN: &str = "jdk.internal.loader resources with URLs";

/// What is between a program that asks for a resource and the loader that looks for it.
const ASKED: [&str; 7] = [
    "java/lang/Class",
    "java/lang/ClassLoader",
    "java/lang/Module",
    "java/util/ResourceBundle",
    "java/util/ServiceLoader",
    "jdk/internal/loader/BuiltinClassLoader",
    "jdk/internal/loader/ClassLoaders",
];

/// A file of the class path, if a built-in loader sees it.
fn resource(call: &mut Call<'_, '_>, loader: Reference, path: &str) -> Flow<Option<Found>> {
    let program = call.machine.program;
    if let Some(class) = path.strip_suffix(".class")
        && matches!(program.library().find(class), Ok(Some(_)))
    {
        return unsupported(format!("the resource {path} of the library"));
    }
    if loader::which(call, loader) != Some(BuiltIn::Application) {
        return Flow::Continue(None);
    }
    if call.machine.is_called_through(call.state, &ASKED) {
        call.machine.assume(call.state, "resources: those of the class path, as they are now");
    }
    match program.class_path().resource(path) {
        Ok(found) => Flow::Continue(found),
        Err(error) => unsupported(format!("the resource {path}, which is unreadable: {error}")),
    }
}

fn content(call: &mut Call<'_, '_>, loader: Reference, path: &str) -> Flow<Option<Vec<u8>>> {
    resource(call, loader, path).map_continue(|found| found.map(|found| found.bytes))
}

/// The text of the URL that leads to a file of the class path.
fn location(place: &Path, path: &str) -> Flow<String> {
    let whole = std::path::absolute(place).unwrap_or_else(|_| place.into());
    let whole = whole.to_string_lossy().trim_end_matches('/').to_owned();
    let plain = |text: &str| {
        text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"/._-$~@+,=".contains(&byte))
    };
    if !plain(&whole) || !plain(path) {
        return unsupported(format!("the URL of the resource {path} in {whole}"));
    }
    let is_archive = place
        .extension()
        .is_some_and(|kind| kind.eq_ignore_ascii_case("jar") || kind.eq_ignore_ascii_case("zip"));
    let text = if is_archive {
        format!("jar:file:{whole}!/{path}")
    } else {
        format!("file:{whole}/{path}")
    };
    Flow::Continue(text)
}

/// `findResource(name)` gives a URL.
fn find(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let (loader, path) = (call.object(0)?, call.text(1)?);
    let Some(found) = resource(call, loader, &path)? else {
        return Flow::Continue(Some(Value::NULL));
    };
    let location = location(&found.origin.place, &path)?;
    let class = call.machine.class("java/net/URL")?;
    call.machine.require(call.state, class)?;
    let constructor = call.machine.method(class, "<init>", "(Ljava/lang/String;)V")?;
    let text = call.machine.new_string(call.state, &location)?;
    let url = call.machine.allocate(call.state, class, 0)?;
    let mut given = module::listed(call, GIVEN);
    given.extend([text, call.object(1)?]);
    module::keep(call, GIVEN, &given)?;
    call.save(url);
    call.invoke(constructor, &[url.into(), text.into()], |call, outcome| match outcome {
        Outcome::Returned(_) => Flow::Continue(Some(call.saved(0))),
        Outcome::Threw(exception) => Flow::Break(Interrupt::Throw(exception)),
    })
}

/// `getInputStream()` of a connection to such a URL
fn connect(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let connection = call.object(0)?;
    let Value::Reference(url) = call.machine.field(call.state, connection, "url")? else {
        return bug("a connection without a URL");
    };
    let part = |name| match call.machine.field(call.state, url, name)? {
        Value::Reference(text) if !text.is_null() => call.machine.text(call.state, text),
        _ => bug("a URL that is not complete"),
    };
    let wanted = format!("{}:{}", part("protocol")?, part("file")?);
    for pair in module::listed(call, GIVEN).chunks_exact(2) {
        if call.machine.text(call.state, pair[0])? == wanted {
            let path = call.machine.text(call.state, pair[1])?;
            let loader = loader::application(call)?;
            return open(call, loader, &path);
        }
    }
    unsupported(format!("opening {wanted}"))
}

/// Of connections to files and to entries of jars.
pub(crate) const CONNECTION: &[Row] =
    &[required("getInputStream", "()Ljava/io/InputStream;", NO_FILES, connect)];

/// `findResources(name)` gives an enumeration of URLs.
fn find_all(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let (loader, path) = (call.object(0)?, call.text(1)?);
    if content(call, loader, &path)?.is_some() {
        return unsupported(format!("all URLs of the resource {path}"));
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

/// `BuiltinClassLoader.findResourceAsStream(module, name)`
fn module_stream(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    if call.reference(1)?.is_null() {
        let (loader, path) = (call.object(0)?, call.text(2)?);
        return open(call, loader, &path);
    }
    let (module, path) = (call.text(1)?, call.text(2)?);
    library_stream(call, &module, &path)
}

/// A stream over a file of a module of the library, `null` if there is none.
pub(crate) fn library_stream(
    call: &mut Call<'_, '_>,
    module: &str,
    path: &str,
) -> Flow<Option<Value>> {
    match call.machine.program.library().resource(module, path) {
        Ok(Some(bytes)) => Flow::Continue(Some(stream_of(call, bytes)?.into())),
        Ok(None) => Flow::Continue(Some(Value::NULL)),
        Err(error) => unsupported(format!("the resource {path}, which is unreadable: {error}")),
    }
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
    required(
        "findResourceAsStream",
        "(Ljava/lang/String;Ljava/lang/String;)Ljava/io/InputStream;",
        NO_FILES,
        module_stream,
    ),
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

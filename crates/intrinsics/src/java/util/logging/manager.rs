//! `java.util.logging.LogManager`: configured as a JDK is when nobody has changed its settings.

use crate::table::{Row, required};
use dalang_heap::{Body, Value};
use dalang_interp::{Call, Flow, Interrupt, Outcome};

/// What a JDK's own configuration file sets.
const DEFAULTS: &str = "handlers=java.util.logging.ConsoleHandler\n\
    .level=INFO\n\
    java.util.logging.ConsoleHandler.level=INFO\n\
    java.util.logging.ConsoleHandler.formatter=java.util.logging.SimpleFormatter\n";

fn read_configuration(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let class = call.machine.class("java/io/ByteArrayInputStream")?;
    call.machine.require(call.state, class)?;
    let constructor = call.machine.method(class, "<init>", "([B)V")?;
    let stream = call.machine.allocate(call.state, class, 0)?;
    let bytes = Body::Bytes(DEFAULTS.bytes().map(|byte| byte as i8).collect());
    let bytes = call.state.heap.allocate(call.machine.known.byte_array, bytes);
    call.save(stream);
    call.invoke(constructor, &[stream.into(), bytes.into()], read_defaults)
}

fn read_defaults(call: &mut Call<'_, '_>, outcome: Outcome) -> Flow<Option<Value>> {
    if let Outcome::Threw(exception) = outcome {
        return Flow::Break(Interrupt::Throw(exception));
    }
    let class = call.machine.class("java/util/logging/LogManager")?;
    let method = call.machine.method(class, "readConfiguration", "(Ljava/io/InputStream;)V")?;
    call.instead_virtual(method, &[call.argument(0), call.saved(0)])
}

pub(crate) const ROWS: &[Row] = &[required(
    "readConfiguration",
    "()V",
    "programs see no file of the host, the JDK's settings included",
    read_configuration,
)];

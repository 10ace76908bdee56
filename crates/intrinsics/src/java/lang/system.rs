//! `java.lang.System`: what `System.initPhase1` does of it, as far as programs can tell, and each
//! stream only when it is first used.

use crate::java::lang::copy::arraycopy;
use crate::java::lang::host::note_clock;
use crate::java::{clock, lang::object::identity_hash};
use crate::table::{Row, any, native, required};
use dalang_classes::ClassId;
use dalang_heap::Value;
use dalang_interp::{Call, Flow, Interrupt, Outcome};

fn system(call: &Call<'_, '_>) -> ClassId {
    call.machine.known.system
}

/// What the called method returned; what it threw is thrown on.
fn returned(outcome: Outcome) -> Flow<Value> {
    match outcome {
        Outcome::Returned(value) => Flow::Continue(value.unwrap_or(Value::NULL)),
        Outcome::Threw(exception) => Flow::Break(Interrupt::Throw(exception)),
    }
}

/// What the virtual machine initializes before the phases: the library's reflection counts on it.
const EARLY: [&str; 1] = ["java/lang/reflect/Method"];

fn initialize(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    for class in EARLY {
        let class = call.machine.class(class)?;
        call.machine.require(call.state, class)?;
    }
    let separator = call.machine.intern(call.state, "\n")?;
    let field = call.machine.static_field(system(call), "lineSeparator")?;
    call.machine.set_static(call.state, field, separator.into())?;
    let method = call.machine.method(system(call), "setJavaLangAccess", "()V")?;
    call.invoke(method, &[], properties)
}

fn properties(call: &mut Call<'_, '_>, outcome: Outcome) -> Flow<Option<Value>> {
    returned(outcome)?;
    let class = call.machine.class("jdk/internal/util/SystemProps")?;
    let method = call.machine.method(class, "initProperties", "()Ljava/util/Map;")?;
    call.invoke(method, &[], versions)
}

fn versions(call: &mut Call<'_, '_>, outcome: Outcome) -> Flow<Option<Value>> {
    let map = returned(outcome)?;
    let class = call.machine.class("java/lang/VersionProps")?;
    let method = call.machine.method(class, "init", "(Ljava/util/Map;)V")?;
    call.machine.require(call.state, class)?;
    call.save(map);
    call.invoke(method, &[map], saved_properties)
}

fn saved_properties(call: &mut Call<'_, '_>, outcome: Outcome) -> Flow<Option<Value>> {
    returned(outcome)?;
    let map = call.saved(0);
    let class = call.machine.class("jdk/internal/misc/VM")?;
    let method = call.machine.method(class, "saveProperties", "(Ljava/util/Map;)V")?;
    call.invoke(method, &[map], public_properties)
}

fn public_properties(call: &mut Call<'_, '_>, outcome: Outcome) -> Flow<Option<Value>> {
    returned(outcome)?;
    let map = call.saved(0);
    let descriptor = "(Ljava/util/Map;)Ljava/util/Properties;";
    let method = call.machine.method(system(call), "createProperties", descriptor)?;
    call.invoke(method, &[map], keep_properties)
}

fn keep_properties(call: &mut Call<'_, '_>, outcome: Outcome) -> Flow<Option<Value>> {
    let properties = returned(outcome)?;
    let field = call.machine.static_field(system(call), "props")?;
    call.machine.set_static(call.state, field, properties)?;
    booted(call)?;
    Flow::Continue(None)
}

/// The library asks how far the virtual machine's start has come, and programs run after it.
fn booted(call: &mut Call<'_, '_>) -> Flow {
    const SYSTEM_BOOTED: i32 = 4;
    let class = call.machine.class("jdk/internal/misc/VM")?;
    let level = call.machine.static_field(class, "initLevel")?;
    call.machine.set_static(call.state, level, Value::Int(SYSTEM_BOOTED))
}

fn make_out(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    open_stream(call, "out")
}

fn make_err(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    open_stream(call, "err")
}

/// `System.out = newPrintStream(new FileOutputStream(FileDescriptor.out), "UTF-8")`
fn open_stream(call: &mut Call<'_, '_>, name: &'static str) -> Flow<Option<Value>> {
    let descriptor = descriptor(call, name)?;
    let class = call.machine.class("java/io/FileOutputStream")?;
    call.machine.require(call.state, class)?;
    let field = call.machine.static_field(system(call), name)?;
    let file = call.machine.allocate(call.state, class, 0)?;
    call.save(Value::Int(field.number() as i32));
    call.save(file);
    let constructor = call.machine.method(class, "<init>", "(Ljava/io/FileDescriptor;)V")?;
    call.invoke(constructor, &[file.into(), descriptor], print_stream)
}

fn descriptor(call: &mut Call<'_, '_>, name: &str) -> Flow<Value> {
    let class = call.machine.class("java/io/FileDescriptor")?;
    call.machine.require(call.state, class)?;
    let field = call.machine.static_field(class, name)?;
    call.machine.get_static(call.state, field)
}

fn print_stream(call: &mut Call<'_, '_>, outcome: Outcome) -> Flow<Option<Value>> {
    returned(outcome)?;
    let names = call.machine.program.names();
    let takes = |stream: &str| format!("(L{stream};Ljava/lang/String;)Ljava/io/PrintStream;");
    let methods = call.machine.program.class(system(call)).methods();
    // The parameter is an `OutputStream` since Java 25.
    let wanted = [takes("java/io/FileOutputStream"), takes("java/io/OutputStream")];
    let found = methods.into_iter().find(|&id| {
        let method = call.machine.program.method(id);
        names.text(method.name) == "newPrintStream"
            && wanted.iter().any(|wanted| names.text(method.descriptor) == wanted)
    });
    let Some(method) = found else {
        return dalang_interp::bug("System.newPrintStream is not in this library");
    };
    let encoding = call.machine.intern(call.state, "UTF-8")?;
    call.invoke(method, &[call.saved(1), encoding.into()], keep_stream)
}

fn keep_stream(call: &mut Call<'_, '_>, outcome: Outcome) -> Flow<Option<Value>> {
    let stream = returned(outcome)?;
    let field = dalang_classes::FieldId::new(call.saved_int(0)? as u32);
    call.machine.set_static(call.state, field, stream)?;
    Flow::Continue(None)
}

/// `System.in = new BufferedInputStream(new FileInputStream(FileDescriptor.in))`
fn make_in(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let descriptor = descriptor(call, "in")?;
    let class = call.machine.class("java/io/FileInputStream")?;
    call.machine.require(call.state, class)?;
    let file = call.machine.allocate(call.state, class, 0)?;
    call.save(file);
    let constructor = call.machine.method(class, "<init>", "(Ljava/io/FileDescriptor;)V")?;
    call.invoke(constructor, &[file.into(), descriptor], buffer_in)
}

fn buffer_in(call: &mut Call<'_, '_>, outcome: Outcome) -> Flow<Option<Value>> {
    returned(outcome)?;
    let class = call.machine.class("java/io/BufferedInputStream")?;
    call.machine.require(call.state, class)?;
    let stream = call.machine.allocate(call.state, class, 0)?;
    let file = call.saved(0);
    call.set_saved(0, stream);
    let constructor = call.machine.method(class, "<init>", "(Ljava/io/InputStream;)V")?;
    call.invoke(constructor, &[stream.into(), file], keep_in)
}

fn keep_in(call: &mut Call<'_, '_>, outcome: Outcome) -> Flow<Option<Value>> {
    returned(outcome)?;
    let field = call.machine.static_field(system(call), "in")?;
    call.machine.set_static(call.state, field, call.saved(0))?;
    Flow::Continue(None)
}

fn set_stream(call: &mut Call<'_, '_>, name: &str) -> Flow<Option<Value>> {
    let field = call.machine.static_field(system(call), name)?;
    call.machine.set_static(call.state, field, call.argument(0))?;
    Flow::Continue(None)
}

fn set_in(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    set_stream(call, "in")
}

fn set_out(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    set_stream(call, "out")
}

fn set_err(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    set_stream(call, "err")
}

fn nano_time(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    note_clock(call);
    Flow::Continue(Some(Value::Long(clock(call.state))))
}

fn current_time(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    note_clock(call);
    Flow::Continue(Some(Value::Long(clock(call.state) / 1_000_000)))
}

fn identity_hash_code(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let object = call.reference(0)?;
    let hash = if object.is_null() { 0 } else { identity_hash(call, object)? };
    Flow::Continue(Some(Value::Int(hash)))
}

/// Nothing of the library is in a native library.
fn nothing(_: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    Flow::Continue(None)
}

const NO_PHASES: &str = "the phases of the virtual machine's start are not run";

pub(crate) const ROWS: &[Row] = &[
    required("<clinit>", "()V", NO_PHASES, initialize),
    required("loadLibrary", "(Ljava/lang/String;)V", "intrinsics are built in", nothing),
    native("makeOut", "()V", make_out),
    native("makeErr", "()V", make_err),
    native("makeIn", "()V", make_in),
    any("setIn0", set_in),
    any("setOut0", set_out),
    any("setErr0", set_err),
    any("nanoTime", nano_time),
    any("currentTimeMillis", current_time),
    any("identityHashCode", identity_hash_code),
    any("arraycopy", arraycopy).loose(),
];

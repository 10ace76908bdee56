//! `jdk.internal.loader.BootLoader`, and the library's own view of the class path.

use crate::table::{Row, any, required};
use dalang_heap::{Reference, Value};
use dalang_interp::{Call, Flow};

fn nothing(_: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    Flow::Continue(None)
}

fn null(_: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    Flow::Continue(Some(Value::NULL))
}

/// The packages of the library of which a class is loaded.
fn packages(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let program = call.machine.program;
    let of_library = program.classes().filter(|class| class.origin.module.is_some());
    let mut names: Vec<&str> =
        of_library.map(|class| program.names().text(class.package)).collect();
    names.sort_unstable();
    names.dedup();
    let mut strings: Vec<Reference> = Vec::with_capacity(names.len());
    for name in names {
        strings.push(call.machine.new_string(call.state, name)?);
    }
    let string = call.machine.known.string;
    let array = call.machine.allocate_references(call.state, string, &strings)?;
    Flow::Continue(Some(array.into()))
}

/// Where a package of the library is: `jrt:/` and the module.
fn location(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let package = call.text(0)?;
    let program = call.machine.program;
    let inside = |class: &&dalang_classes::Class| {
        class.origin.module.is_some() && program.names().text(class.package) == package
    };
    match program.classes().find(inside).and_then(|class| class.origin.module.clone()) {
        Some(module) => {
            let text = format!("jrt:/{module}");
            Flow::Continue(Some(call.machine.new_string(call.state, &text)?.into()))
        }
        None => Flow::Continue(Some(Value::NULL)),
    }
}

pub(crate) const ROWS: &[Row] = &[
    any("setBootLoaderUnnamedModule0", nothing),
    any("getSystemPackageNames", packages),
    any("getSystemPackageLocation", location),
    required("loadLibrary", "(Ljava/lang/String;)V", "intrinsics are built in", nothing),
];

/// The loaders' own class path stays empty: what is on the program's is found without them.
pub(crate) const CLASS_PATH: &[Row] = &[required(
    "toFileURL",
    "(Ljava/lang/String;)Ljava/net/URL;",
    "the class path is not looked for in the host's files",
    null,
)];

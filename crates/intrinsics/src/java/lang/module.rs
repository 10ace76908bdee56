//! `java.lang.Module`, without module layers.
//!
//! Each module of the library is one object that has a name and nothing else: what it exports and
//! opens is read from its description when it is asked for. Modules that the library makes itself,
//! for proxies, have descriptors and are left to the library's own code. The unnamed modules are
//! those of class loaders.

use crate::java::lang::loader;
use crate::table::{Row, any, required};
use dalang_classes::ClassId;
use dalang_heap::{Body, Reference, Value};
use dalang_interp::{Call, Flow, bug, unsupported};

const MODULES: &str = "java.lang.Module of the library";
const MADE: &str = "java.lang.Module made at run time";

/// The module of a class.
pub(crate) fn of_class(call: &mut Call<'_, '_>, class: ClassId) -> Flow<Value> {
    match call.machine.module(class).map(str::to_owned) {
        Some(name) => Flow::Continue(library_module(call, &name)?.into()),
        None => {
            let loader = loader::of_class(call, class)?;
            call.machine.field(call.state, loader, "unnamedModule")
        }
    }
}

/// The object of a module of the library.
fn library_module(call: &mut Call<'_, '_>, name: &str) -> Flow<Reference> {
    let class = call.machine.class("java/lang/Module")?;
    call.machine.require(call.state, class)?;
    let known = match call.state.singleton(MODULES) {
        Some(Value::Reference(known)) => match &call.state.heap.object(known).body {
            Body::References(known) => known.to_vec(),
            _ => return bug("the list of modules is no list"),
        },
        _ => Vec::new(),
    };
    for &module in &known {
        if name_of(call, module)?.as_deref() == Some(name) {
            return Flow::Continue(module);
        }
    }
    let text = call.machine.intern(call.state, name)?;
    let module = call.machine.allocate(call.state, class, 0)?;
    call.machine.set_field(call.state, module, "name", text)?;
    let known: Vec<Reference> = known.into_iter().chain([module]).collect();
    let list = call.machine.allocate_references(call.state, class, &known)?;
    call.state.set_singleton(MODULES, list.into());
    Flow::Continue(module)
}

/// The name of a module; an unnamed one has none.
fn name_of(call: &Call<'_, '_>, module: Reference) -> Flow<Option<String>> {
    match call.machine.field(call.state, module, "name")? {
        Value::Reference(name) if !name.is_null() => {
            Flow::Continue(Some(call.machine.text(call.state, name)?))
        }
        _ => Flow::Continue(None),
    }
}

/// The name of the receiver if it is a module of the library.
fn own_name(call: &Call<'_, '_>) -> Flow<Option<String>> {
    let module = call.object(0)?;
    if call.machine.field(call.state, module, "descriptor")? != Value::NULL {
        return Flow::Continue(None);
    }
    name_of(call, module)
}

/// `implIsExportedOrOpen(package, other, open)`
fn is_exported_or_open(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let Some(name) = own_name(call)? else { return call.proceed() };
    let (module, other) = (call.object(0)?, call.object(2)?);
    let (package, open) = (call.text(1)?.replace('.', "/"), call.boolean(3)?);
    let Some(info) = call.machine.program.module_info(&name) else {
        return unsupported(format!("what the module {name} exports"));
    };
    if module == other {
        return Flow::Continue(Some(true.into()));
    }
    let class = call.state.heap.class(module);
    let everyone = call.machine.static_field(class, "EVERYONE_MODULE")?;
    let to = if call.machine.get_static(call.state, everyone)? == Value::Reference(other) {
        None
    } else {
        name_of(call, other)?
    };
    Flow::Continue(Some(info.shows(&package, to.as_deref(), open).into()))
}

/// Whether one module reads another: an unnamed one reads all, and all read `java.base`.
fn can_read(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let Some(name) = own_name(call)? else { return call.proceed() };
    let other = call.object(1)?;
    let other = name_of(call, other)?;
    if other.as_deref() == Some("java.base") || other.as_ref() == Some(&name) {
        return Flow::Continue(Some(true.into()));
    }
    unsupported(format!("what the module {name} reads"))
}

fn class_loader(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    match own_name(call)? {
        Some(name) => {
            let loader = loader::of_module(call, &name)?;
            Flow::Continue(Some(loader.into()))
        }
        None => call.proceed(),
    }
}

/// What is asked of a module of the library and would need its layer or descriptor.
fn needs_layer(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    match own_name(call)? {
        Some(name) => {
            let what = call.spelling();
            unsupported(format!("{what} for the module {name}"))
        }
        None => call.proceed(),
    }
}

/// `defineModule0(module, isOpen, version, location, packages)`: a module that the library makes at
/// run time, kept with its packages for the classes that are defined in them.
fn define_module(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let (module, packages) = (call.object(0)?, call.object(4)?);
    let mut made = made(call);
    made.extend([module, packages]);
    let object = call.machine.known.object;
    let list = call.machine.allocate_references(call.state, object, &made)?;
    call.state.set_singleton(MADE, list.into());
    Flow::Continue(None)
}

/// Modules that were made at run time, each followed by its packages.
fn made(call: &Call<'_, '_>) -> Vec<Reference> {
    match call.state.singleton(MADE) {
        Some(Value::Reference(list)) => match &call.state.heap.object(list).body {
            Body::References(list) => list.to_vec(),
            _ => Vec::new(),
        },
        _ => Vec::new(),
    }
}

/// The module made at run time that has a package of a loader; the package with dots.
pub(crate) fn of_package(
    call: &Call<'_, '_>,
    loader: Reference,
    package: &str,
) -> Flow<Option<Reference>> {
    for pair in made(call).chunks_exact(2) {
        if call.machine.field(call.state, pair[0], "loader")? != Value::Reference(loader) {
            continue;
        }
        let Body::References(packages) = &call.state.heap.object(pair[1]).body else {
            return bug("the packages of a module are no objects");
        };
        for &own in &**packages {
            if call.machine.text(call.state, own)? == package {
                return Flow::Continue(Some(pair[0]));
            }
        }
    }
    Flow::Continue(None)
}

fn nothing(_: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    Flow::Continue(None)
}

const NO_LAYERS: &str = "there are no module layers";

pub(crate) const ROWS: &[Row] = &[
    any("defineModule0", define_module),
    any("addReads0", nothing),
    any("addExports0", nothing),
    any("addExportsToAll0", nothing),
    any("addExportsToAllUnnamed0", nothing),
    required(
        "implIsExportedOrOpen",
        "(Ljava/lang/String;Ljava/lang/Module;Z)Z",
        NO_LAYERS,
        is_exported_or_open,
    ),
    required("canRead", "(Ljava/lang/Module;)Z", NO_LAYERS, can_read),
    required("getClassLoader", "()Ljava/lang/ClassLoader;", NO_LAYERS, class_loader),
    required("getDescriptor", "()Ljava/lang/module/ModuleDescriptor;", NO_LAYERS, needs_layer),
    required("getLayer", "()Ljava/lang/ModuleLayer;", NO_LAYERS, needs_layer),
    required("getPackages", "()Ljava/util/Set;", NO_LAYERS, needs_layer),
    required("canUse", "(Ljava/lang/Class;)Z", NO_LAYERS, needs_layer),
    required("implAddReads", "(Ljava/lang/Module;Z)V", NO_LAYERS, needs_layer),
    required(
        "implAddExportsOrOpens",
        "(Ljava/lang/String;Ljava/lang/Module;ZZ)V",
        NO_LAYERS,
        needs_layer,
    ),
    required("addUses", "(Ljava/lang/Class;)Ljava/lang/Module;", NO_LAYERS, needs_layer),
    required("implAddUses", "(Ljava/lang/Class;)V", NO_LAYERS, needs_layer),
    required("moduleInfoClass", "()Ljava/lang/Class;", NO_LAYERS, needs_layer),
    required(
        "getResourceAsStream",
        "(Ljava/lang/String;)Ljava/io/InputStream;",
        NO_LAYERS,
        needs_layer,
    ),
];
